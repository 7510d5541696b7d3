/* What the loader says of files of rules: for each a line, "ok", or "refused: ..." for the file, or
 * "malformed: ..." of its first rule that is. tests/conformance/rules.py holds it against the
 * schema. */
#include "base/fs.h"
#include "match/rule_file.h"

#include <stdio.h>

static const char *first_fault(const gg_entry_list *entries)
{
    for (size_t i = 0; i < entries->len; i++) {
        if (entries->at[i]->rule.fault)
            return entries->at[i]->rule.fault;
    }
    return NULL;
}

static void check(const char *path)
{
    struct gg_arena arena;
    struct gg_error err = {0};
    struct gg_str text;
    gg_entry_list entries = {0};
    gg_arena_init(&arena);
    if (!gg_fs_read(&arena, path, 1 << 20, &text, &err) ||
        !gg_rule_file_parse(&arena, path, text, &entries, &err))
        printf("refused: %s\n", err.text);
    else if (first_fault(&entries))
        printf("malformed: %s\n", first_fault(&entries));
    else
        puts("ok");
    gg_arena_free(&arena);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        check(argv[i]);
    return 0;
}
