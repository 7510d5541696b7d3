/* What is read and what is refused, held against the valgrind that is installed. */
#include "match/lines.h"
#include "match/rules.h"
#include "match/supp.h"
#include "tree.h"

#include <criterion/criterion.h>
#include <sys/wait.h>

static struct gg_arena arena;
static char *dir;

static void open_dir(void)
{
    gg_arena_init(&arena);
    dir = tree_new(&arena);
}

static void close_dir(void)
{
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(supp, .init = open_dir, .fini = close_dir);

/* Does valgrind start with these --suppressions options? */
static bool valgrind_starts(const char *options)
{
    const char *command = gg_arena_printf(
        &arena, "valgrind -q --default-suppressions=no %s true >/dev/null 2>&1", options);
    int status = system(command);
    cr_assert(WIFEXITED(status), "%s", command);
    return WEXITSTATUS(status) == 0;
}

static bool load(const char *path, struct gg_error *err)
{
    struct gg_str text;
    return gg_fs_read(&arena, path, 1 << 20, &text, err) &&
           gg_rules_add_supp(gg_rules_new(&arena, &(struct gg_rules_context){0}), path, text, err);
}

#define BLOCK(kind, frames) "{\nname\n" kind "\n" frames "}\n"
#define FUN "fun:f\n"
#define FUN12 FUN FUN FUN FUN FUN FUN FUN FUN FUN FUN FUN FUN
#define DOTS12 "...\n...\n...\n...\n...\n...\n...\n...\n...\n...\n...\n...\n"

struct text {
    const char *bytes;
    size_t len;
    const char *refused; /* "LINE: reason"; NULL: it is read */
};

#define READ(bytes)                    \
    {                                  \
        bytes, sizeof(bytes) - 1, NULL \
    }
#define REFUSED(bytes, why)           \
    {                                 \
        bytes, sizeof(bytes) - 1, why \
    }

/* Each valgrind from 3.18 on says the same of these. */
static const struct text texts[] = {
    READ(""),
    READ(" \n\t\n"),
    READ("# nothing\n"),
    READ(BLOCK("Memcheck:Cond", FUN)),
    READ("{\nn\nMemcheck:Cond\nfun:f\n}"),
    READ("{\r\n  n\r\n  Memcheck:Cond\r\n  fun:f\r\n}\r\n"),
    READ("\f\v{\f\nn\v\nMemcheck:Cond \n\n# x\nfun:f\t\n }\n\n"),
    READ("{\nx\0y\nMemcheck:Cond\0Addr4\nfun:f\0\n}\0\n"),
    READ("{\n\0\nMemcheck:Cond\nfun:f\n}\n"),
    READ(BLOCK("Memcheck:Cond", "src:a.c\n")),
    READ(BLOCK("Memcheck:Cond", "fun:\n")),
    READ(BLOCK("Memcheck:Cond", "...\nobj:*\n...\n")),
    READ(BLOCK("Memcheck:Cond", FUN12 "garbage\n")),
    READ("{\nn\nMemcheck:Cond\n" FUN12 "fun:f\n"),
    READ(BLOCK("Memcheck:Leak", FUN)),
    READ(BLOCK("Memcheck:Leak", "...\nfun:f\n")),
    READ(BLOCK("Memcheck:Leak", "match-leak-kinds:\tdefinite,,possible,\nfun:f\n")),
    READ(BLOCK("Memcheck:Leak", "match-leak-kinds:all,all\nfun:f\n")),
    READ(BLOCK("Memcheck:Leak", "match-leak-kinds:none,none\nfun:f\n")),
    READ(BLOCK("Memcheck:Leak", "match-leak-kinds:definite\nsrc:a.c\n")),
    READ(BLOCK("Memcheck:Param", "write(buf)\nfun:f\n")),
    READ(BLOCK("Memcheck:Param", "src:a.c\nfun:f\n")),
    READ(BLOCK("Memcheck:Param", "}\nfun:f\n")),
    READ(BLOCK("Memcheck:FishyValue", "malloc(size)x\nfun:f\n")),
    READ(BLOCK("Memcheck:FishyValue", FUN)),
    READ(BLOCK("Memcheck,:Value0", FUN)),
    READ(BLOCK("Helgrind:Nonsense", "garbage\n")),
    READ(BLOCK(":", "")),
    READ(BLOCK("Memcheck2,Memcheck:Nonsense", "")),
    REFUSED("\xEF\xBB\xBF" BLOCK("Memcheck:Cond", FUN), "1: expected '{' or end-of-file"),
    REFUSED("text\n", "1: expected '{' or end-of-file"),
    REFUSED("\n\n{ n\n", "3: expected '{' or end-of-file"),
    REFUSED(BLOCK("Memcheck:Cond", FUN) "}\n", "6: expected '{' or end-of-file"),
    REFUSED(BLOCK("Memcheck:Cond", FUN) "# end", "5: expected '{' or end-of-file: valgrind"),
    REFUSED("{", "1: unexpected '}'"),
    REFUSED("{\n}\n", "2: unexpected '}'"),
    REFUSED("{\nn\n", "2: unexpected end-of-file (expecting tool:suppr)"),
    REFUSED("{\nn\nCond\nfun:f\n}\n", "3: malformed 'tool1,tool2,...:supp' line"),
    REFUSED("{\nn\n}\n", "3: malformed 'tool1,tool2,...:supp' line"),
    REFUSED(BLOCK("Memcheck:Addr64", FUN), "3: unknown tool suppression type"),
    REFUSED(BLOCK("Memcheck:Cond\0", ""), "4: missing stack trace"),
    REFUSED(BLOCK("Memcheck:Cond \0", FUN), "3: unknown tool suppression type"),
    REFUSED(BLOCK("Memcheck:Cond:", FUN), "3: unknown tool suppression type"),
    REFUSED(BLOCK("Memcheck,Helgrind:Race", FUN), "3: unknown tool suppression type"),
    REFUSED(BLOCK("Memcheck:Cond", ""), "4: missing stack trace"),
    REFUSED(BLOCK("Memcheck:Cond", "match-leak-kinds: all\nfun:f\n"), "4: location should be"),
    REFUSED(BLOCK("Memcheck:Cond", "obj: x\nfun\n"), "5: location should be"),
    REFUSED(BLOCK("Memcheck:Cond", "{\n"), "4: location should be"),
    REFUSED("{\nn\nMemcheck:Cond\nfun:f\n}  ", "4: location should be"),
    REFUSED("{\nn\nMemcheck:Cond\nfun:f\n}\r", "4: location should be"),
    REFUSED("{\nn\nMemcheck:Cond\nfun:f", "3: unexpected end-of-file (when reading"),
    REFUSED("{\nn\nMemcheck:Cond\n" FUN12, "15: unexpected end-of-file (when reading"),
    REFUSED("{\nn\nMemcheck:Cond\n" FUN FUN "bad\n" FUN12 "}\n", "6: location should be"),
    REFUSED(BLOCK("Memcheck:Cond", "...\n...\n"), "6: suppression must contain"),
    REFUSED(BLOCK("Memcheck:Cond", DOTS12 FUN), "17: suppression must contain"),
    REFUSED("{\nn\ndrd:Nonsense\nfun:f\n", "4: unexpected end-of-file (when skipping"),
    REFUSED(BLOCK("Memcheck:Leak", ""), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:Leak", "src:a.c\n"), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:Leak", "match-leak-kinds:\nfun:f\n"), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:Leak", "match-leak-kinds:All\nfun:f\n"), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:Leak", "match-leak-kinds:all,none\nfun:f\n"), "4: bad or"),
    REFUSED(BLOCK("Memcheck:Leak", "match-leak-kinds:definite, possible\nfun:f\n"), "4: bad or"),
    REFUSED(BLOCK("Memcheck:Param", FUN), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:Param", "...\nfun:f\n"), "4: bad or missing extra"),
    REFUSED("{\nn\nMemcheck:Param", "2: bad or missing extra"),
    REFUSED("{\nn\nMemcheck:Param\n}\n", "4: unexpected end-of-file (when reading"),
    REFUSED(BLOCK("Memcheck:FishyValue", "malloc(size\nfun:f\n"), "4: bad or missing extra"),
    REFUSED(BLOCK("Memcheck:FishyValue", "malloc\nfun:f\n"), "4: bad or missing extra"),
};

Test(supp, is_read_or_refused_as_by_valgrind)
{
    const char *readable = "";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct text *text = &texts[i];
        const char *name = gg_arena_printf(&arena, "%zu.supp", i);
        const char *path = tree_write(&arena, dir, name, text->bytes, text->len);
        struct gg_error err = {0};
        bool read = load(path, &err);
        cr_expect_eq(read, !text->refused, "%s\n%s", text->bytes, err.text);
        const char *options =
            gg_arena_printf(&arena, "%s --suppressions=%s", text->refused ? "" : readable, path);
        if (!text->refused) {
            readable = options;
            continue;
        }
        const char *expected = gg_arena_printf(&arena, "%s:%s", path, text->refused);
        cr_expect(strncmp(err.text, expected, strlen(expected)) == 0, "%s, not %s", err.text,
                  expected);
        cr_expect_not(valgrind_starts(options), "valgrind reads\n%s", text->bytes);
    }
    cr_expect(valgrind_starts(readable), "valgrind refuses one of %s", readable);
}

/* A line of valgrind's own limit, and one more. */
Test(supp, lines_as_long_as_valgrind_reads)
{
    for (size_t len = GG_SUPP_LINE_MAX; len <= GG_SUPP_LINE_MAX + 1; len++) {
        char *text = gg_arena_alloc(&arena, len + 100);
        char *name = text + sprintf(text, "{\n   ");
        memset(name, 'n', len);
        sprintf(name + len, "\nMemcheck:Cond\nfun:f\n}\n");
        const char *path = tree_write(&arena, dir, "long.supp", text, strlen(text));
        struct gg_error err = {0};
        bool read = load(path, &err);
        cr_expect_eq(read, len == GG_SUPP_LINE_MAX, "%s", err.text);
        cr_expect_eq(valgrind_starts(gg_arena_printf(&arena, "--suppressions=%s", path)), read);
    }
}

static struct gg_supp *parse(const char *text)
{
    struct gg_error err = {0};
    struct gg_supp *supp = gg_supp_parse(gg_supp_parser_new(&arena, "x.supp", gg_str(text)), &err);
    cr_assert(supp, "%s", err.text);
    return supp;
}

/* Kinds that each tool has, and the first valgrind that has them; by its sources. */
static const struct {
    const char *tool, *kinds;
    enum gg_supp_tool in;
    const char *since;
} tools[] = {
    {"Memcheck",
     "User Cond Value0 Value1 Value2 Value4 Value8 Value16 Value32 Addr1 Addr2 Addr4 Addr8 Addr16 "
     "Addr32 Jump Free Overlap Leak Mempool CoreMem FishyValue",
     GG_SUPP_MEMCHECK, NULL},
    {"Memcheck", "ReallocZero", GG_SUPP_MEMCHECK, "3.21"},
    {"Memcheck", "BadAlign BadSize SizeMismatch AlignMismatch", GG_SUPP_MEMCHECK, "3.22"},
    {"Memcheck", "UnsafeZeroSize", GG_SUPP_MEMCHECK, "3.26"},
    {"Helgrind",
     "Race FreeMemLock UnlockUnlocked UnlockForeign UnlockBogus PthAPIerror LockOrder Misc",
     GG_SUPP_HELGRIND, NULL},
    {"Helgrind", "Dubious", GG_SUPP_HELGRIND, "3.21"},
    {"drd",
     "ConflictingAccess MutexErr CondErr CondDestrErr CondRaceErr CondWaitErr SemaphoreErr "
     "BarrierErr RwlockErr HoldtimeErr GenericErr InvalidThreadId UnimpHgClReq UnimpDrdClReq",
     GG_SUPP_DRD, NULL}};

static unsigned minor_of(const char *version)
{
    unsigned minor = 0;
    cr_assert_eq(sscanf(version, "3.%u", &minor), 1);
    return minor;
}

static unsigned installed_minor(void)
{
    char version[64] = "";
    FILE *pipe = popen("valgrind --version", "r");
    cr_assert(pipe && fgets(version, sizeof version, pipe) && pclose(pipe) == 0);
    return minor_of(version + strlen("valgrind-"));
}

/* The tools themselves read the kinds that they are said to have, from that version on. */
Test(supp, kinds_are_those_of_the_tools)
{
    unsigned installed = installed_minor();
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        struct gg_str rest = gg_str(tools[i].kinds), kind;
        const char *text = "";
        while (rest.len) {
            gg_str_cut(rest, ' ', &kind, &rest);
            const struct gg_supp_kind *found = gg_supp_kind_find(kind);
            cr_assert(found && found->tool == tools[i].in, "%.*s", (int)kind.len, kind.ptr);
            const char *since = tools[i].since;
            cr_expect(since ? found->since && strcmp(found->since, since) == 0 : !found->since);
            text = gg_arena_printf(&arena, "%s{\nn\n%s:%.*s\nfun:f\n}\n", text, tools[i].tool,
                                   (int)kind.len, kind.ptr);
        }
        const char *name = gg_arena_printf(&arena, "tool%zu.supp", i);
        const char *path = tree_write(&arena, dir, name, text, strlen(text));
        static const char *const programs[] = {[GG_SUPP_MEMCHECK] = "memcheck",
                                               [GG_SUPP_HELGRIND] = "helgrind",
                                               [GG_SUPP_DRD] = "drd"};
        const char *options =
            gg_arena_printf(&arena, "--tool=%s --suppressions=%s", programs[tools[i].in], path);
        bool read = !tools[i].since || minor_of(tools[i].since) <= installed;
        cr_expect_eq(valgrind_starts(options), read, "%s", text);
    }
}

/* Blocks that are read and skipped say why they never match. */
Test(supp, says_why_a_block_never_matches)
{
    static const struct {
        const char *block, *why;
    } cases[] = {
        {"{\nn\nMemcheck:Cond\nfun:f\n}\n", NULL},
        {"{\nn\nHelgrind,drd:Race\nfun:f\n}\n", NULL},
        {"{\nn\nMemcheck:CoreMem\nfun:f\n}\n", "no such error"},
        {"{\nn\nmemcheck:Cond\nfun:f\n}\n", "memcheck names none of Memcheck"},
        {"{\nn\ndrd, Memcheck:Cond\nfun:f\n}\n", "drd has no kind Cond"},
        {"{\nMemcheck:Cond\nfun:f\n}\n", "fun names none of Memcheck"},
        {"{\nn\nHelgrind:Races\nfun:f\n}\n", "Helgrind has no kind Races and refuses"},
        {"{\nn\nHelgrind:Race\nfrom:f\n}\n", "Helgrind refuses the file: location should be"},
        {"{\nn\ndrd:MutexErr\n}\n", "drd refuses the file: missing stack trace"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *never = parse(cases[i].block)->never;
        cr_expect(cases[i].why ? never && strstr(never, cases[i].why) : !never, "%s: %s",
                  cases[i].block, never);
    }
}

Test(supp, keeps_name_place_and_reason)
{
    struct gg_rules *set = gg_rules_new(&arena, &(struct gg_rules_context){0});
    static const char text[] = "# a plain comment\n"
                               "# gg: owner=net reason=fixed upstream in 2.4  expires=2030-01-31\n"
                               "{\n"
                               "   one: with   blanks # and more\n"
                               "   Memcheck:Cond\n"
                               "   fun:f\n"
                               "}\n"
                               "{\n"
                               "   tw\xF6\n"
                               "   Other:Tool\n"
                               "}\n"
                               "#gg:\treason=\"kept = as it is\" ticket=7\n"
                               "{\n"
                               "   one: with   blanks # and more\n"
                               "   Memcheck:Cond\n"
                               "   fun:g\n"
                               "}\n";
    struct gg_error err = {0};
    size_t count;
    struct gg_str file = gg_str_n(text, sizeof text - 1);
    cr_assert(gg_rules_add_supp(set, "x.supp", file, &err), "%s", err.text);
    struct gg_rule **rules = gg_rules_list(set, &count);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(rules[0]->id, "one: with   blanks # and more");
    cr_expect_str_eq(rules[0]->file, "x.supp");
    cr_expect_eq(rules[0]->line, 4);
    cr_expect_str_eq(rules[0]->reason, "fixed upstream in 2.4");
    cr_expect_str_eq(rules[1]->id, "tw\\xf6");
    cr_expect_eq(rules[1]->line, 9);
    cr_expect_null(rules[1]->reason);
    cr_expect_str_eq(rules[2]->id, rules[0]->id);
    cr_expect_str_eq(rules[2]->reason, "kept = as it is");
}

Test(supp, takes_source_lines_as_valgrind_does)
{
    static const struct {
        const char *line;
        const char *file;
        uint32_t number;
    } cases[] = {{"src:a.c", "a.c", 0},
                 {"src:a.c:12", "a.c", 12},
                 {"src:a.c: 12x", "a.c", 12},
                 {"src:a.c:", "a.c", 0},
                 {"src:a.c:x1", "a.c", 0},
                 {"src::7", "", 7},
                 {"src:a:b.c:7", "a", 0},
                 {"src:a.c:-1", "a.c", UINT32_MAX},
                 {"src:a.c:4294967308", "a.c", 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gg_supp *supp =
            parse(gg_arena_printf(&arena, "{\nn\nMemcheck:Cond\n%s\n}\n", cases[i].line));
        cr_expect(gg_str_is(supp->frames[0].pattern, cases[i].file), "%s", cases[i].line);
        cr_expect_eq(supp->frames[0].line, cases[i].number, "%s", cases[i].line);
    }
}

Test(supp, refuses_what_is_no_file)
{
    struct gg_error err = {0};
    cr_expect_not(load(tree_path(&arena, dir, "missing.supp"), &err));
    cr_expect(strstr(err.text, "missing.supp: cannot be read"), "%s", err.text);
    err.set = false;
    cr_expect_not(load(dir, &err));
    cr_expect(strstr(err.text, "is not a regular file"), "%s", err.text);
}
