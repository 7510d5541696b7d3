/* All faults of a suppression file, and what stays of it. */
#include "match/supp.h"
#include "base/vec.h"
#include "tree.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/wait.h>

static struct gg_arena arena;

static void open_arena(void)
{
    gg_arena_init(&arena);
}

static void close_arena(void)
{
    gg_arena_free(&arena);
}

TestSuite(recover, .init = open_arena, .fini = close_arena);

/* A whole file: its faults, and the blocks that stay when those with faults are taken out. */
struct whole {
    const struct gg_supp_fault *faults;
    size_t fault_count;
    struct gg_supp *const *usable;
    size_t usable_count;
};

static struct whole read_all(const char *file, struct gg_str text, const char *valgrind)
{
    GG_VEC(struct gg_supp_fault) faults = {0};
    GG_VEC(struct gg_supp *) usable = {0};
    struct gg_supp_parser *parser = gg_supp_parser_new(&arena, file, text);
    gg_supp_parser_under(parser, valgrind);
    for (;;) {
        struct gg_error err = {0};
        struct gg_supp *supp = gg_supp_parse(parser, &err);
        if (supp)
            *gg_vec_push(&arena, &usable) = supp;
        else if (err.set)
            *gg_vec_push(&arena, &faults) = gg_supp_recover(parser);
        else
            return (struct whole){faults.at, faults.len, usable.at, usable.len};
    }
}

/* "LINE: REASON|..., usable: NAME NAME", reasons cut short. */
static const char *said_by_version(const char *text, const char *valgrind)
{
    struct whole all = read_all("x.supp", gg_str(text), valgrind);
    const char *said = "";
    for (size_t i = 0; i < all.fault_count; i++)
        said =
            gg_arena_printf(&arena, "%s%u: %.15s|", said, all.faults[i].line, all.faults[i].reason);
    for (size_t i = 0; i < all.usable_count; i++)
        said = gg_arena_printf(&arena, "%s %s", said, all.usable[i]->rule.id);
    return said;
}

static const char *said_of(const char *text)
{
    return said_by_version(text, NULL);
}

#define GOOD(name) "{\n" name "\nMemcheck:Cond\nfun:f\n}\n"

Test(recover, says_every_fault)
{
    cr_expect_str_eq(said_of(""), "");
    cr_expect_str_eq(said_of(GOOD("a") GOOD("b")), " a b");
    cr_expect_str_eq(said_of(GOOD("a") "{\nb\nMemcheck:Uninit\nfun:f\n}\n" GOOD("c")),
                     "8: unknown tool su| a c");
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\nfrom:f\nnor:g\n}\n{\nb\nMemcheck:Leak\n}\n"),
                     "4: location should|10: bad or missing |");
}

/* The line at fault may end the block, or begin the next. */
Test(recover, goes_on_at_the_next_block)
{
    cr_expect_str_eq(said_of("{\n}\n" GOOD("b")), "2: unexpected '}':| b");
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\n}\n" GOOD("b")), "4: missing stack t| b");
    cr_expect_str_eq(said_of(GOOD("a") "}\n" GOOD("b")), "6: expected '{' or| a b");
    cr_expect_str_eq(said_of("stray text\n" GOOD("b")), "1: expected '{' or| b");
    cr_expect_str_eq(said_of("{ a\nMemcheck:Cond\nfun:f\n}\n" GOOD("b")), "1: expected '{' or| b");
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\nfun:f\n" GOOD("b")), "5: location should| b");
}

Test(recover, ends_with_the_file)
{
    cr_expect_str_eq(said_of("{"), "1: unexpected '}':|");
    cr_expect_str_eq(said_of(GOOD("a") "{\nb\n{"), "7: malformed 'tool|7: unexpected '}':| a");
    cr_expect_str_eq(said_of(GOOD("a") "{\nb\nMemcheck:Cond\nfun:f\n"), "9: unexpected end-| a");
    /* valgrind counts line breaks */
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\n...\n}\n"), "5: suppression mus|");
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\n...\n}"), "4: suppression mus|");
    cr_expect_str_eq(said_of("{\na\nMemcheck:Cond\nfun:f"), "3: unexpected end-|");
    cr_expect_str_eq(said_of(GOOD("a") "{\nb\nOther:Tool\n"), "8: unexpected end-| a");
}

Test(recover, goes_on_behind_a_line_that_is_too_long)
{
    size_t len = 60000;
    char *text = gg_arena_alloc(&arena, len + 200);
    memcpy(text, GOOD("a") "{\n", strlen(GOOD("a") "{\n"));
    memset(text + strlen(text), 'n', len);
    strcat(text, "\nMemcheck:Cond\nfun:f\n}\n" GOOD("c"));
    cr_expect_str_eq(said_of(text), "7: line is longer | a c");
}

/* The kinds came with 3.21 (ReallocZero), 3.22 (SizeMismatch) and 3.26 (UnsafeZeroSize). */
Test(recover, knows_when_kinds_came)
{
    const char *text = "{\na\nMemcheck:ReallocZero\nfun:f\n}\n"
                       "{\nb\nMemcheck:SizeMismatch\nfun:f\n}\n"
                       "{\nc\nMemcheck:UnsafeZeroSize\nfun:f\n}\n";
    cr_expect_str_eq(said_by_version(text, NULL), " a b c");
    cr_expect_str_eq(said_by_version(text, "3.26.0"), " a b c");
    cr_expect_str_eq(said_by_version(text, "3.22.0.GIT"), "13: unknown tool su| a b");
    cr_expect_str_eq(said_by_version(text, "3.21.0"), "8: unknown tool su|13: unknown tool su| a");
    struct whole all = read_all("x.supp", gg_str(text), "3.20.0");
    cr_assert_eq(all.fault_count, 3);
    cr_expect_str_eq(all.faults[1].reason, "unknown tool suppression type: SizeMismatch needs "
                                           "valgrind 3.22, the one here is 3.20.0");
    cr_expect_str_eq(said_by_version(text, "a valgrind of my own"), " a b c");
}

/* Before 3.24 blocks for CoreError alone were skipped, whatever is in them; those that name
 * Memcheck, too, were for Memcheck. */
Test(recover, knows_when_core_came)
{
    cr_expect_str_eq(said_by_version("{\na\nCoreError:None\nfrom:f\n}\n", "3.23.0"), " a");
    cr_expect_str_eq(said_of("{\na\nCoreError:None\nfrom:f\n}\n"), "3: unknown core su|");
    const char *both = "{\na\nMemcheck,CoreError:FdBadUse\nfun:f\n}\n";
    cr_expect_str_eq(said_by_version(both, "3.23.0"), "3: unknown tool su|");
    cr_expect_str_eq(said_by_version(both, "3.24.0"), "3: unknown core su|");
    cr_expect_str_eq(said_by_version(both, "3.25.0"), " a");
    cr_expect_str_eq(said_by_version("{\na\nMemcheck,CoreError:Cond\nfun:f\n}\n", "3.19.0"), " a");
}

/* What the comment above a faulty block says is not said of the next. */
Test(recover, forgets_comments_of_faulty_blocks)
{
    struct whole all = read_all(
        "x.supp",
        gg_str("# gg: reason=first\n{\na\nMemcheck:No\n# gg: reason=inside\nfun:f\n}\n" GOOD("b")),
        NULL);
    cr_assert_eq(all.usable_count, 1);
    cr_expect_null(all.usable[0]->metadata.reason.ptr);
}

/* ---- Files of other projects ---- */

/* What the command says on both outputs; *status is its exit status. */
static struct gg_str said_by(const char *command, int *status)
{
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    char *text = gg_arena_alloc(&arena, 1 << 16);
    size_t len = fread(text, 1, (1 << 16) - 1, pipe);
    int end = pclose(pipe);
    cr_assert(WIFEXITED(end), "%s", command);
    *status = WEXITSTATUS(end);
    return gg_str_n(text, len);
}

static const char *installed(void)
{
    int status;
    struct gg_str said = gg_str_trim(said_by("valgrind --version", &status));
    cr_assert(gg_str_starts(said, "valgrind-"));
    return gg_arena_strndup(&arena, said.ptr + 9, said.len - 9);
}

/* "==1== FATAL: in suppressions file "F" near line 7:" and, in the next line, the reason. */
static void expect_refused(const char *path, struct gg_supp_fault fault)
{
    int status;
    struct gg_str said = said_by(
        gg_arena_printf(
            &arena, "valgrind -q --default-suppressions=no '--suppressions=%s' true 2>&1", path),
        &status);
    cr_expect_eq(status, 1, "valgrind reads %s", path);
    const char *near = strstr(said.ptr, "near line ");
    cr_assert_not_null(near, "%s", said.ptr);
    unsigned line = 0;
    cr_assert_eq(sscanf(near, "near line %u:", &line), 1);
    cr_expect_eq(fault.line, line, "%s:%u: %s, but valgrind says %s", path, fault.line,
                 fault.reason, said.ptr);
    char reason[256];
    cr_assert_eq(sscanf(near, "near line %*u:\n==%*u== %255[^\n]", reason), 1, "%s", said.ptr);
    struct gg_str words = gg_str_trim(gg_str(reason));
    cr_expect(strncmp(fault.reason, words.ptr, words.len < 20 ? words.len : 20) == 0, "%s, not %s",
              fault.reason, reason);
}

/* The usable blocks as they stand in the file, in one of their own: which valgrind reads. */
static const char *write_usable(const char *dir, struct gg_str text, const struct whole *all)
{
    GG_VEC(struct gg_str) lines = {0};
    struct gg_str line;
    while (gg_str_line(&text, &line))
        *gg_vec_push(&arena, &lines) = line;
    const char *path = tree_path(&arena, dir, "usable.supp");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (size_t i = 0; i < all->usable_count; i++) {
        fputs("{\n", file);
        bool more = true;
        for (size_t at = all->usable[i]->rule.line - 1; at < lines.len && more; at++) {
            fprintf(file, "%.*s\n", (int)lines.at[at].len, lines.at[at].ptr);
            more = !gg_str_is(gg_str_trim(lines.at[at]), "}");
        }
    }
    fclose(file);
    return path;
}

/* How many blocks there are by the lines that begin them. */
static size_t count_blocks(struct gg_str text)
{
    size_t count = 0;
    struct gg_str line;
    while (gg_str_line(&text, &line))
        count += gg_str_is(gg_str_trim(line), "{");
    return count;
}

/* The files, and what was found in them. */
struct files {
    const char *dir;
    const char *valgrind; /* the version of the one that is installed */
    const char *readable; /* --suppressions options */
    unsigned read, refused;
};

static void try_file(struct files *files, const char *path)
{
    struct gg_str text;
    struct gg_error err = {0};
    cr_assert(gg_fs_read(&arena, path, 1 << 24, &text, &err), "%s", err.text);
    struct whole all = read_all(path, text, files->valgrind);
    cr_expect_eq(all.fault_count + all.usable_count, count_blocks(text), "%s", path);
    if (!all.fault_count) {
        files->readable = gg_arena_printf(&arena, "%s '--suppressions=%s'", files->readable, path);
        files->read++;
        return;
    }
    files->refused++;
    expect_refused(path, all.faults[0]);
    int status;
    const char *usable = write_usable(files->dir, text, &all);
    said_by(gg_arena_printf(&arena, "valgrind -q '--suppressions=%s' true 2>&1", usable), &status);
    cr_expect_eq(status, 0, "of %s not all is usable", path);
}

static void expect_read(const struct files *files)
{
    int status;
    struct gg_str said =
        said_by(gg_arena_printf(&arena, "valgrind -q --default-suppressions=no %s true 2>&1",
                                files->readable),
                &status);
    cr_expect_eq(status, 0, "%s", said.ptr);
}

/* The paths that a shell pattern names. */
static void try_files(struct files *files, const char *pattern)
{
    int status;
    struct gg_str paths =
                      said_by(gg_arena_printf(&arena, "ls -d %s 2>/dev/null", pattern), &status),
                  path;
    while (gg_str_line(&paths, &path))
        try_file(files, gg_arena_strndup(&arena, path.ptr, path.len));
}

static struct files files_new(void)
{
    return (struct files){.dir = tree_new(&arena), .valgrind = installed(), .readable = ""};
}

/* Each is read or refused as the installed valgrind does, and at the same line. */
Test(recover, files_of_other_projects)
{
    struct files files = files_new();
    try_files(&files, GG_TESTS "/../../shared/corpus/valgrind-supp/*");
    if (files.read + files.refused == 0)
        cr_skip_test("../shared/corpus/valgrind-supp is not there");
    expect_read(&files);
    cr_expect_gt(files.read, 50);
    cr_expect_gt(files.refused, 0);
    gg_fs_remove_tree(files.dir);
}

/* Forms that depend on the version, or on the last line break. */
Test(recover, forms_for_this_valgrind)
{
    static const char *const forms[] = {
        "{\na\nMemcheck:ReallocZero\nfun:f\n}\n",
        "{\na\nMemcheck:UnsafeZeroSize\nfun:f\n}\n",
        "{\na\nMemcheck,Helgrind:AlignMismatch\nfun:f\n}\n",
        "{\na\nHelgrind:Dubious\nfun:f\n}\n",
        "{\na\nCoreError:FdNotClosed\nfun:f\n}\n",
        "{\na\nCoreError:FdNeverThere\nfrom:f\n}\n",
        "{\na\nMemcheck,CoreError:FdBadUse\nfun:f\n}\n",
        "{\na\nMemcheck,CoreError:Cond\nfun:f\n}\n",
        "{\na\nMemcheck:Cond\n...\n}",
        "{\na\nMemcheck:Cond\n...\n}\n",
        "{\na\nMemcheck:Cond\nfun:f",
        "{\na\nMemcheck",
        "{\na\nMemcheck:Cond\nfun:f\n}",
    };
    struct files files = files_new();
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char name[32];
        snprintf(name, sizeof name, "form%zu.supp", i);
        try_file(&files, tree_write(&arena, files.dir, name, forms[i], strlen(forms[i])));
    }
    expect_read(&files);
    gg_fs_remove_tree(files.dir);
}

/* What the distribution has installed, valgrind's own among it. */
Test(recover, files_of_the_distribution)
{
    struct files files = files_new();
    try_files(&files, "/usr/lib*/valgrind/*.supp /usr/libexec/valgrind/*.supp "
                      "/usr/lib/*/valgrind/*.supp /usr/share/*/valgrind/*.supp");
    if (files.read + files.refused == 0)
        cr_skip_test("there are no suppression files in /usr");
    expect_read(&files);
    gg_fs_remove_tree(files.dir);
}
