/* Runs tests/spec/suppressions.spec; its first lines say how to read it. */
#include "match/suppress.h"
#include "base/vec.h"
#include "tree.h"

#include <criterion/criterion.h>

struct spec {
    struct gg_arena *arena;
    const char *dir;
    struct gg_str rest;
    unsigned line;
    bool has_error;
    struct gg_finding finding;
    GG_VEC(struct gg_frame *) frames;
    struct gg_stack stack;
    GG_VEC(const char *) options;
    unsigned tried;
};

static const char *copy(struct spec *spec, struct gg_str text)
{
    return gg_str_is(text, "-") ? NULL : gg_arena_strndup(spec->arena, text.ptr, text.len);
}

/* The next field of a line; fields stand two blanks or more apart. */
static struct gg_str field(struct gg_str *rest)
{
    *rest = gg_str_trim(*rest);
    size_t len = gg_str_find(*rest, "  ");
    if (len == SIZE_MAX)
        len = rest->len;
    struct gg_str text = gg_str_n(rest->ptr, len);
    *rest = gg_str_n(rest->ptr + len, rest->len - len);
    return text;
}

/* "error InvalidRead: Invalid read of size 4" */
static void read_error(struct spec *spec, struct gg_str line)
{
    struct gg_str kind, message;
    gg_str_cut(gg_str_n(line.ptr + 6, line.len - 6), ':', &kind, &message);
    spec->finding = (struct gg_finding){.kind = gg_kind_of(kind.ptr, kind.len),
                                        .kind_name = copy(spec, kind),
                                        .message = copy(spec, gg_str_trim(message))};
    cr_assert_neq(spec->finding.kind, GG_KIND_Unknown, "line %u: no such kind", spec->line);
    memset(&spec->frames, 0, sizeof spec->frames);
    memset(&spec->options, 0, sizeof spec->options);
    *gg_vec_push(spec->arena, &spec->options) = "--xml=yes";
    spec->has_error = true;
}

/* "  leaf  /p/app  leaf.c:3", "^ outer  /p/app  -" */
static void read_frame(struct spec *spec, struct gg_str line)
{
    struct gg_frame *frame = gg_arena_alloc(spec->arena, sizeof *frame);
    struct gg_str rest = gg_str_n(line.ptr + 2, line.len - 2);
    frame->symbol = frame->function = copy(spec, field(&rest));
    frame->object = copy(spec, field(&rest));
    struct gg_str source = field(&rest), number;
    cr_assert(source.len && rest.len == 0, "line %u: three fields are expected", spec->line);
    gg_str_cut(source, ':', &source, &number);
    frame->file = copy(spec, source);
    uint64_t value = 0;
    gg_str_u64(number, false, &value);
    frame->line = (uint32_t)value;
    bool same = line.ptr[0] == '^';
    frame->ip = same ? spec->frames.at[spec->frames.len - 1]->ip : 0x1000 + spec->frames.len;
    *gg_vec_push(spec->arena, &spec->frames) = frame;
}

/* The lines from "{" to "}", with their line breaks. */
static struct gg_str read_block(struct spec *spec, struct gg_str first)
{
    struct gg_str line = first;
    while (!gg_str_is(line, "}")) {
        cr_assert(gg_str_line(&spec->rest, &line), "a block has no end");
        spec->line++;
    }
    return gg_str_n(first.ptr, (size_t)(line.ptr - first.ptr) + 2);
}

/* "yes", "no", "refused: REASON" */
static const char *verdict_of(struct spec *spec, const char *path)
{
    struct gg_error err = {0};
    struct gg_suppressions *set = gg_suppressions_new(spec->arena);
    if (!gg_suppressions_load(set, path, &err)) {
        const char *reason = err.text + strlen(path) + 1;
        reason += strspn(reason, "0123456789: ");
        return gg_arena_printf(spec->arena, "refused: %s", reason);
    }
    spec->stack = (struct gg_stack){
        .role = GG_ROLE_ERROR, .frames = spec->frames.at, .len = spec->frames.len};
    struct gg_finding finding = spec->finding;
    finding.stacks = &spec->stack;
    finding.stack_count = spec->frames.len ? 1 : 0;
    struct gg_witness witness = {.run = 0};
    finding.witnesses = &witness;
    finding.witness_count = 1;
    *gg_vec_push(spec->arena, &spec->options) = NULL;
    spec->options.len--;
    struct gg_run run = {.options = spec->options.at};
    struct gg_report report = {
        .runs = &run, .run_count = 1, .findings = &finding, .finding_count = 1};
    gg_suppressions_apply(set, &report);
    return finding.rule ? "yes" : "no";
}

static void try_block(struct spec *spec, struct gg_str first)
{
    unsigned line = spec->line;
    struct gg_str block = read_block(spec, first), expected;
    cr_assert(spec->has_error, "line %u: no error before the suppression", line);
    cr_assert(gg_str_line(&spec->rest, &expected), "line %u: no verdict", line);
    spec->line++;
    cr_assert(gg_str_is(expected, "yes") || gg_str_is(expected, "no") ||
                  gg_str_starts(expected, "refused: "),
              "line %u: yes, no or refused: is expected", spec->line);
    const char *path = tree_write(spec->arena, spec->dir, "one.supp", block.ptr, block.len);
    const char *verdict = verdict_of(spec, path);
    cr_expect(strncmp(verdict, expected.ptr, expected.len) == 0 &&
                  (verdict[expected.len] == '\0' || verdict[0] == 'r'),
              "suppressions.spec:%u: %s", line, verdict);
    spec->tried++;
}

Test(spec, suppressions)
{
    struct gg_arena arena;
    struct gg_error err = {0};
    gg_arena_init(&arena);
    struct spec spec = {.arena = &arena, .dir = tree_new(&arena)};
    cr_assert(gg_fs_read(&arena, GG_TESTS "/spec/suppressions.spec", 1 << 20, &spec.rest, &err),
              "%s", err.text);
    struct gg_str line;
    while (gg_str_line(&spec.rest, &line)) {
        spec.line++;
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (gg_str_starts(line, "error "))
            read_error(&spec, line);
        else if (gg_str_starts(line, "options "))
            *gg_vec_push(&arena, &spec.options) = copy(&spec, gg_str_n(line.ptr + 8, line.len - 8));
        else if (gg_str_starts(line, "  ") || gg_str_starts(line, "^ "))
            read_frame(&spec, line);
        else if (line.ptr[0] == '{')
            try_block(&spec, line);
        else
            cr_assert_fail("suppressions.spec:%u: cannot be understood", spec.line);
    }
    cr_expect_gt(spec.tried, 100);
    gg_fs_remove_tree(spec.dir);
    gg_arena_free(&arena);
}
