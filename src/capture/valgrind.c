#include "capture/valgrind.h"

#include "base/esc.h"
#include "base/proc.h"
#include "base/vec.h"
#include "capture/flags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION_LIMIT = 4096, /* bytes of what it says */
    VERSION_SECONDS = 60,
    NAME_LIMIT = 900 /* valgrind aborts on a longer --xml-file */
};

/* For every tool. What a report is judged by is spelt out even where it is the default. */
static const char *const common[] = {
    "--command-line-only=yes",
    "--xml=yes",
    "--trace-children=yes",
    "--child-silent-after-fork=no",
    "--exit-on-first-error=no",
    "--error-exitcode=0",
    "--num-callers=40",
    "--keep-debuginfo=yes",
    "--read-inline-info=yes",
    "--demangle=no", /* the names that suppressions match; people get them demangled */
    "--sym-offsets=no",
    "--gen-suppressions=no",
    "--show-error-list=yes",
    "--track-fds=no",
    "--vgdb=no", /* no pipes in /tmp, nobody to wait for */
};

static const char *const memcheck[] = {
    "--leak-check=full",
    "--show-leak-kinds=all",
    "--leak-resolution=high",
    "--xtree-leak=no",
    "--keep-stacktraces=alloc-and-free",
};

struct words {
    struct gg_arena *arena;
    GG_VEC(const char *) list;
};

static void add(struct words *words, const char *word)
{
    *gg_vec_push(words->arena, &words->list) = word;
}

static void add_all(struct words *words, const char *const *list)
{
    for (; list && *list; list++)
        add(words, *list);
}

/* "--xml-file=/tmp/50%%/x/%p.xml" for /tmp/50%/x: valgrind puts the pid for %p, % for %%. */
static char *file_option(struct gg_arena *arena, const char *name, const char *directory,
                         const char *file)
{
    char *doubled = gg_arena_alloc(arena, 2 * strlen(directory) + 1), *at = doubled;
    for (const char *from = directory; *from; from++) {
        *at++ = *from;
        if (*from == '%')
            *at++ = '%';
    }
    return gg_arena_printf(arena, "%s=%s/%s", name, doubled, file);
}

const char *const *gg_valgrind_command(struct gg_arena *arena, const struct gg_options *options,
                                       const char *directory, struct gg_error *err)
{
    struct words words = {.arena = arena};
    const char *const *args = options->valgrind_args;
    const char *tool = gg_flags_tool(args);
    const char *xml_file = file_option(arena, "--xml-file", directory, "%p.xml");
    if (strlen(xml_file) - strlen("--xml-file=") > NAME_LIMIT) {
        gg_error_set(err,
                     "the directory of the reports has a longer name than valgrind can take (%d "
                     "bytes): use a shorter one, see --keep and TMPDIR",
                     NAME_LIMIT);
        return NULL;
    }
    add(&words, options->valgrind);
    add(&words, gg_arena_printf(arena, "--tool=%s", tool));
    add(&words, xml_file);
    /* One log for all: after a fork valgrind reopens its log when that has another name in the
     * child, and then not the report, which parent and child would both write to. */
    add(&words, file_option(arena, "--log-file", directory, "valgrind.log"));
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        add(&words, common[i]);
    if (strcmp(tool, "memcheck") == 0) {
        for (size_t i = 0; i < sizeof memcheck / sizeof *memcheck; i++)
            add(&words, memcheck[i]);
        /* valgrind refuses --undef-value-errors=no after --track-origins=yes. */
        if (!gg_flags_has(args, "--undef-value-errors=no")) {
            add(&words, "--undef-value-errors=yes");
            add(&words, "--track-origins=yes");
        }
    }
    add_all(&words, args);
    add(&words, "--");
    add_all(&words, options->command);
    add(&words, NULL);
    return words.list.at;
}

static const char *first_line(struct gg_arena *arena, struct gg_str said)
{
    struct gg_str line = {0};
    said = gg_str_trim(said);
    gg_str_line(&said, &line);
    struct gg_out *out = gg_out_memory();
    gg_esc_terminal(out, line);
    char *text = gg_out_take(out, NULL);
    char *kept = gg_arena_strdup(arena, text);
    free(text);
    return kept;
}

/* "valgrind-3.19.0", with -v in $VALGRIND_OPTS "valgrind-3.19.0-8d3c8034b8-20220411"; the loader
 * may have something to say first. */
static const char *find_version(struct gg_arena *arena, struct gg_str said)
{
    struct gg_str line;
    while (gg_str_line(&said, &line)) {
        if (!gg_str_starts(line, "valgrind-") || line.len == strlen("valgrind-"))
            continue;
        struct gg_str version = gg_str_trim(gg_str_n(line.ptr + 9, line.len - 9)), rest;
        gg_str_cut(version, '-', &version, &rest);
        return gg_arena_strndup(arena, version.ptr, version.len);
    }
    return NULL;
}

const char *gg_valgrind_version(struct gg_arena *arena, const char *program, struct gg_error *err)
{
    const char *const argv[] = {program, "--version", NULL};
    struct gg_str said = {0};
    int failure = gg_proc_hear(arena, argv, VERSION_LIMIT, VERSION_SECONDS, &said);
    if (failure == ENOENT) {
        gg_error_set(err,
                     "%s: not found: install it (apt-get install valgrind), or say where it "
                     "is with --valgrind",
                     program);
        return NULL;
    }
    if (failure) {
        gg_error_set(err, "%s: cannot be run: %s", program, strerror(failure));
        return NULL;
    }
    const char *version = find_version(arena, said);
    if (!version)
        gg_error_set(err, "%s: is not a valgrind that works; asked for its version it says \"%s\"",
                     program, first_line(arena, said));
    return version;
}
