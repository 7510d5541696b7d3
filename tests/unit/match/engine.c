#include "match/engine.h"
#include "base/vec.h"
#include "match/sequence.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A report and rules made up at random, from few names, so that much fits. */
struct world {
    struct gg_arena arena;
    uint64_t random;
    struct gg_run runs[6];
    struct gg_frame *frames[240];
    struct gg_finding *findings;
    size_t finding_count;
    GG_VEC(struct gg_entry *) entries;
    unsigned fits, approximate;
};

static unsigned dice(struct world *world, unsigned sides)
{
    world->random = world->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((world->random >> 33) % sides);
}

static const char *const symbols[] = {"malloc",
                                      "main",
                                      "_ZN2ns3Foo3barEi",
                                      "_ZN2ns3Foo3bazEv",
                                      "_Znwm",
                                      "_Z3fooPKc",
                                      "foo",
                                      "foo.isra.0",
                                      "g_malloc0",
                                      "start",
                                      "_start",
                                      "__libc_start_main",
                                      "operator new(unsigned long)",
                                      "ns::Foo::bar(int)",
                                      "ns::Foo::baz() const",
                                      "foo(char const*)",
                                      "operator()",
                                      "a",
                                      "aaab",
                                      "aaaaaaaab",
                                      "caf\\xe9",
                                      "memcpy@@GLIBC_2.14",
                                      NULL};
static const char *const objects[] = {"/usr/lib/libc.so.6", "/usr/lib/libfoo.so.1",
                                      "/home/a/b",          "/usr/lib/libglib-2.0.so.0",
                                      "/lib/libc-2.31.so",  NULL};
static const char *const files[] = {"a.c", "foo.cc", "../sub/x.c", "/abs/y.c", NULL};
static const char *const paths[] = {"src/a.c", "src/lib/foo.cc", "third/x.c", NULL};

#define ANY_OF(world, list) ((list)[dice((world), sizeof(list) / sizeof *(list))])

static void make_frames(struct world *world)
{
    for (size_t i = 0; i < sizeof world->frames / sizeof *world->frames; i++) {
        struct gg_frame *frame = gg_arena_alloc(&world->arena, sizeof *frame);
        /* Some share an address, as inlined ones do, and some an id, as only a test's may. */
        *frame = (struct gg_frame){.ip = dice(world, 300),
                                   .id = dice(world, 8) ? (uint32_t)i : dice(world, 4) * 1000000,
                                   .symbol = ANY_OF(world, symbols),
                                   .object = ANY_OF(world, objects),
                                   .file = ANY_OF(world, files),
                                   .dir = dice(world, 2) ? "/build/dir" : NULL,
                                   .line = dice(world, 4),
                                   .path = ANY_OF(world, paths)};
        static const char *const demangled[][2] = {{"_ZN2ns3Foo3barEi", "ns::Foo::bar(int)"},
                                                   {"_ZN2ns3Foo3bazEv", "ns::Foo::baz()"},
                                                   {"_Znwm", "operator new(unsigned long)"}};
        frame->function = frame->symbol;
        for (size_t d = 0; frame->symbol && d < 3; d++) {
            if (strcmp(frame->symbol, demangled[d][0]) == 0)
                frame->function = demangled[d][1];
        }
        world->frames[i] = frame;
    }
}

static size_t stack_len(struct world *world)
{
    switch (dice(world, 12)) {
    case 0:
        return 60 + dice(world, 10);
    case 1:
        return 120 + dice(world, 300);
    case 2:
        return dice(world, 3);
    default:
        return 3 + dice(world, 20);
    }
}

static void generate_suppression(struct world *world, struct gg_finding *finding)
{
    const struct gg_stack *stack = &finding->stacks[1];
    const char **lines = gg_arena_alloc(&world->arena, (stack->len + 1) * sizeof *lines);
    for (size_t i = 0; i < stack->len; i++) {
        const char *symbol = ANY_OF(world, symbols);
        lines[i] = symbol ? gg_arena_printf(&world->arena, "fun:%s", symbol) : "obj:/x";
    }
    finding->supp_frames = lines;
    /* One too many is no use: it cannot be told which frame is which. */
    finding->supp_frame_count = stack->len + (dice(world, 4) == 0);
}

static void make_finding(struct world *world, struct gg_finding *finding)
{
    static const enum gg_kind kinds[] = {GG_KIND_InvalidRead, GG_KIND_UninitCondition,
                                         GG_KIND_Leak_DefinitelyLost, GG_KIND_Leak_StillReachable,
                                         GG_KIND_SyscallParam};
    size_t len = stack_len(world);
    struct gg_frame **frames = gg_arena_alloc(&world->arena, (len + 1) * sizeof *frames);
    for (size_t i = 0; i < len; i++) {
        size_t count = sizeof world->frames / sizeof *world->frames;
        frames[i] = world->frames[dice(world, (unsigned)count)];
    }
    for (size_t i = 0; len && dice(world, 2) && i < 240; i++) {
        if (world->frames[i]->symbol && strcmp(world->frames[i]->symbol, "main") == 0)
            frames[len - 1] = world->frames[i];
    }
    struct gg_stack *stacks = gg_arena_alloc(&world->arena, 2 * sizeof *stacks);
    stacks[0].role = GG_ROLE_FREED;
    stacks[1] = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = frames, .len = len};
    struct gg_witness *witnesses = gg_arena_alloc(&world->arena, 2 * sizeof *witnesses);
    witnesses[0].run = dice(world, 6);
    witnesses[1].run = dice(world, 6);
    *finding = (struct gg_finding){.kind = ANY_OF(world, kinds),
                                   .stacks = stacks,
                                   .stack_count = 2,
                                   .witnesses = witnesses,
                                   .witness_count = dice(world, 3)};
    finding->message = finding->kind == GG_KIND_SyscallParam
                           ? "Syscall param write(buf) points to uninitialised byte(s)"
                       : dice(world, 2) ? "Invalid read of size 4"
                                        : "Invalid read of size 8";
    if (dice(world, 4) == 0)
        generate_suppression(world, finding);
}

/* A text with some of its bytes turned into "*" and "?". */
static struct gg_str wildcard_of(struct world *world, const char *text)
{
    char *pattern = gg_arena_alloc(&world->arena, 2 * strlen(text) + 4);
    size_t len = 0;
    unsigned much = dice(world, 4) ? 40 : 4;
    for (size_t i = 0; text[i]; i++) {
        unsigned what = dice(world, much);
        if (what == 0)
            pattern[len++] = '?';
        else if (what == 1) {
            pattern[len++] = '*';
            i += dice(world, 6);
            i = i < strlen(text) ? i : strlen(text) - 1;
        } else
            pattern[len++] = text[i];
    }
    if (dice(world, 12) == 0)
        pattern[len++] = '*';
    return dice(world, 30) ? gg_str_n(pattern, len) : gg_str(dice(world, 2) ? "*" : "???");
}

static struct gg_supp_frame supp_frame(struct world *world, const struct gg_frame *frame)
{
    const char *symbol = dice(world, 3) ? frame->symbol : frame->function;
    static const char *const below[] = {"(below main)", "__libc_start_main@@GLIBC_2.34", "_start"};
    switch (dice(world, 10)) {
    case 0:
    case 1:
        return (struct gg_supp_frame){GG_PLACE_OBJ,
                                      wildcard_of(world, frame->object ? frame->object : "???"), 0};
    case 2:
        return (struct gg_supp_frame){GG_PLACE_SRC,
                                      wildcard_of(world, frame->file ? frame->file : "*"),
                                      dice(world, 2) ? frame->line : 0};
    case 3:
        return (struct gg_supp_frame){.place = GG_PLACE_ANY};
    case 4:
        if (dice(world, 4) == 0)
            return (struct gg_supp_frame){GG_PLACE_FUN, gg_str(ANY_OF(world, below)), 0};
        break;
    default:
        break;
    }
    return (struct gg_supp_frame){GG_PLACE_FUN, wildcard_of(world, symbol ? symbol : "???"), 0};
}

static const struct gg_supp_kind *supp_kind(struct world *world)
{
    static const char *const names[] = {"Addr4", "Addr8", "Cond", "Leak", "Param"};
    return dice(world, 30) ? gg_supp_kind_find(gg_str(ANY_OF(world, names))) : NULL;
}

/* After the frames of a stack, or at random. */
static void make_supp(struct world *world, const struct gg_stack *stack)
{
    struct gg_supp *supp = gg_arena_alloc(&world->arena, sizeof *supp);
    struct gg_supp_frame *frames = gg_arena_alloc(&world->arena, 520 * sizeof *frames);
    size_t at = 0, most = dice(world, 10) ? 1 + dice(world, 6) : 70 + dice(world, 400);
    while (supp->frame_count < most) {
        if (stack->len == 0 || at >= stack->len + 3) {
            break;
        } else if (dice(world, 6) == 0) {
            frames[supp->frame_count++] = (struct gg_supp_frame){.place = GG_PLACE_ANY};
            at += dice(world, 5) ? dice(world, 3) : dice(world, (unsigned)stack->len);
        } else {
            const struct gg_frame *frame =
                at < stack->len ? stack->frames[at] : world->frames[dice(world, 240)];
            frames[supp->frame_count++] = supp_frame(world, frame);
            at++;
        }
    }
    supp->frames = frames;
    supp->kind = supp_kind(world);
    supp->leaks = dice(world, 2) ? GG_LEAK_ALL : GG_LEAK_DEFINITE;
    supp->param = gg_str(dice(world, 2) ? "write(buf)" : "read(buf)");
    supp->cut = dice(world, 20) == 0;
    while (supp->first_named < supp->frame_count && frames[supp->first_named].place == GG_PLACE_ANY)
        supp->first_named++;
    *gg_vec_push(&world->arena, &world->entries) = gg_entry_of_supp(&world->arena, supp);
}

static struct gg_pattern json_pattern(struct world *world, const struct gg_frame *frame)
{
    static const char *const globs[] = {"src/**", "**/*.c", "*", "", "src/lib/*.cc"};
    static const char *const regexes[] = {"^ns::", "foo",  "a+b$",       "^$",
                                          "libc",  "[.]c", "main|malloc"};
    static const enum gg_place places[] = {GG_PLACE_OBJECT, GG_PLACE_FUNCTION, GG_PLACE_FILE,
                                           GG_PLACE_PATH};
    struct gg_pattern pattern = {.place = ANY_OF(world, places)};
    struct gg_error err = {0};
    switch (dice(world, 3)) {
    case 0:
        pattern.form = GG_PATTERN_GLOB;
        pattern.place = GG_PLACE_PATH;
        pattern.text = gg_str(ANY_OF(world, globs));
        break;
    case 1:
        pattern.form = GG_PATTERN_REGEX;
        pattern.regex = gg_regex_new(&world->arena, gg_str(ANY_OF(world, regexes)), &err);
        cr_assert_not_null(pattern.regex, "%s", err.text);
        break;
    default:
        pattern.place = GG_PLACE_FUNCTION;
        pattern.text = wildcard_of(world, frame->function ? frame->function : "");
        break;
    }
    return pattern;
}

static void make_json(struct world *world, const struct gg_stack *stack)
{
    struct gg_entry *entry = gg_arena_alloc(&world->arena, sizeof *entry);
    size_t count = stack->len ? dice(world, 4) : 0;
    struct gg_step *steps = gg_arena_alloc(&world->arena, (count + 1) * sizeof *steps);
    for (size_t s = 0; s < count; s++) {
        struct gg_pattern *patterns = gg_arena_alloc(&world->arena, 3 * sizeof *patterns);
        size_t tests = dice(world, 4);
        for (size_t p = 0; p < tests; p++)
            patterns[p] = json_pattern(world, stack->frames[dice(world, (unsigned)stack->len)]);
        steps[s] = (struct gg_step){.skips = dice(world, 3) > 0,
                                    .within = dice(world, 2) ? 0 : 1 + dice(world, 70),
                                    .patterns = patterns,
                                    .count = tests};
    }
    bool *kinds = gg_arena_alloc(&world->arena, GG_KINDS * sizeof *kinds);
    for (size_t k = 0; k < GG_KINDS; k++)
        kinds[k] = dice(world, 2);
    entry->steps = steps;
    entry->step_count = count;
    entry->condition.kinds = dice(world, 2) ? kinds : NULL;
    *gg_vec_push(&world->arena, &world->entries) = entry;
}

static void world_open(struct world *world, unsigned seed, size_t findings, size_t entries)
{
    static const char *const none[] = {"--xml=yes", NULL},
                             *const five[] = {"--num-callers=5", NULL},
                             *const many[] = {"--num-callers=500", NULL},
                             *const shows[] = {"--num-callers=40", "--show-below-main=yes", NULL};
    *world = (struct world){.random = seed * 7919u + 1, .finding_count = findings};
    gg_arena_init(&world->arena);
    const char *const *const options[] = {none, five, many, shows, many, NULL};
    static const char *const words[] = {"p", "a", "b", "c", NULL};
    for (size_t i = 0; i < 6; i++)
        world->runs[i] =
            (struct gg_run){.options = options[i], .command = words + i % 5, .mangled = i == 4};
    make_frames(world);
    world->findings = gg_arena_alloc(&world->arena, findings * sizeof *world->findings);
    for (size_t i = 0; i < findings; i++)
        make_finding(world, &world->findings[i]);
    for (size_t i = 0; i < entries; i++) {
        const struct gg_finding *finding = &world->findings[dice(world, (unsigned)findings)];
        if (dice(world, 5))
            make_supp(world, &finding->stacks[1]);
        else
            make_json(world, &finding->stacks[1]);
    }
}

/* Which entries fit, as the plain matcher says: "3 17~ ", with ~ for those that fit about. */
static const char *expected(struct world *world, const struct gg_finding *finding,
                            const struct gg_trace *trace)
{
    static char text[1 << 16];
    size_t len = 0;
    struct gg_supp_subject subject = gg_supp_subject(finding);
    text[0] = '\0';
    for (size_t e = 0; e < world->entries.len; e++) {
        const struct gg_entry *entry = world->entries.at[e];
        if (!gg_entry_covers(entry, &subject))
            continue;
        enum gg_fit fit = gg_sequence_match(entry, trace, NULL);
        if (fit == GG_FIT_NONE)
            continue;
        bool about = fit == GG_FIT_APPROXIMATE;
        len += (size_t)snprintf(text + len, sizeof text - len, "%zu%s ", e, about ? "~" : "");
        world->fits++;
        world->approximate += about;
    }
    return text;
}

static const char *found(struct gg_engine *engine, const struct gg_finding *finding)
{
    static char text[1 << 16];
    size_t len = 0, count;
    const uint32_t *entries = gg_engine_match(engine, finding, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%u%s ", entries[i],
                                gg_engine_approximate(engine, entries[i]) ? "~" : "");
    return text;
}

static void compare(struct world *world)
{
    struct gg_report report = {.runs = world->runs,
                               .run_count = 6,
                               .findings = world->findings,
                               .finding_count = world->finding_count};
    struct gg_engine *engine =
        gg_engine_new(&world->arena, world->entries.at, world->entries.len, &report);
    struct gg_trace_setting setting = gg_trace_setting(&world->arena, &report);
    struct gg_trace trace = {0};
    for (size_t i = 0; i < world->finding_count; i++) {
        gg_trace_set(&trace, &world->findings[i], &setting);
        const char *wanted = expected(world, &world->findings[i], &trace);
        cr_assert_str_eq(found(engine, &world->findings[i]), wanted, "finding %zu of %zu frames", i,
                         world->findings[i].stacks[1].len);
    }
    gg_trace_free(&trace);
}

Test(engine, finds_what_the_plain_matcher_finds, .timeout = 300)
{
    unsigned fits = 0, approximate = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        struct world world;
        world_open(&world, seed, 80, 100);
        compare(&world);
        fits += world.fits;
        approximate += world.approximate;
        gg_arena_free(&world.arena);
    }
    cr_expect_gt(fits, 10000);
    cr_expect_gt(approximate, 100);
}

/* ---- what the plain matcher is not asked about ---- */

/* One finding of these functions, from the innermost on. */
static struct gg_finding *finding_of(struct world *world, const char *const *functions)
{
    size_t len = 0;
    while (functions[len])
        len++;
    struct gg_frame **frames = gg_arena_alloc(&world->arena, len * sizeof *frames);
    for (size_t i = 0; i < len; i++) {
        frames[i] = gg_arena_alloc(&world->arena, sizeof **frames);
        *frames[i] = (struct gg_frame){.ip = i,
                                       .id = (uint32_t)i,
                                       .symbol = functions[i],
                                       .function = functions[i],
                                       .object = "/p"};
    }
    struct gg_stack *stack = gg_arena_alloc(&world->arena, sizeof *stack);
    *stack = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = frames, .len = len};
    struct gg_finding *finding = gg_arena_alloc(&world->arena, sizeof *finding);
    *finding = (struct gg_finding){.kind = GG_KIND_UninitCondition,
                                   .message = "Conditional jump",
                                   .stacks = stack,
                                   .stack_count = 1};
    return finding;
}

#define FINDING(world, ...) finding_of((world), (const char *const[]){__VA_ARGS__, NULL})

static void add_supp(struct world *world, const char *text)
{
    struct gg_error err = {0};
    struct gg_supp_parser *parser = gg_supp_parser_new(&world->arena, "t.supp", gg_str(text));
    struct gg_supp *supp = gg_supp_parse(parser, &err);
    cr_assert_not_null(supp, "%s", err.text);
    *gg_vec_push(&world->arena, &world->entries) = gg_entry_of_supp(&world->arena, supp);
}

static const char *found_in(struct world *world, struct gg_finding *finding)
{
    struct gg_report report = {.findings = finding, .finding_count = 1};
    struct gg_engine *engine =
        gg_engine_new(&world->arena, world->entries.at, world->entries.len, &report);
    return found(engine, finding);
}

Test(engine, without_rules_or_findings)
{
    struct world world = {0};
    struct gg_report report = {0};
    gg_engine_new(&world.arena, NULL, 0, &report);
    cr_expect_str_eq(found_in(&world, FINDING(&world, "f")), "");
    gg_arena_free(&world.arena);
}

Test(engine, says_which_matches_are_guesses)
{
    struct world world = {0};
    add_supp(&world, "{\na\nMemcheck:Cond\nfun:_ZN2ns3Foo3barEi\n}\n");
    add_supp(&world, "{\nb\nMemcheck:Cond\n...\nfun:main\n}\n");
    add_supp(&world, "{\nc\nMemcheck:Cond\nfun:_ZN2ns3Foo3barEv\n}\n");
    add_supp(&world, "{\nd\nMemcheck:Cond\nfun:ns::Foo::*\nfun:main\n}\n");
    add_supp(&world, "{\ne\nMemcheck:Cond\nfun:*\nfun:main\n}\n");
    cr_expect_str_eq(found_in(&world, FINDING(&world, "ns::Foo::bar(int)", "main")), "0~ 1 3~ 4 ");
    cr_expect_str_eq(found_in(&world, FINDING(&world, "bar", "main")), "1 4 ");
    gg_arena_free(&world.arena);
}

Test(engine, takes_no_time_for_hostile_patterns, .timeout = 30)
{
    enum { LONGEST = 500 };
    static char name[200];
    static const char *functions[LONGEST + 1];
    memset(name, 'a', sizeof name - 1);
    for (size_t i = 0; i < LONGEST; i++)
        functions[i] = name;
    struct world world = {0};
    const char *stars = "", *dots = "";
    for (int i = 0; i < 25; i++)
        stars = gg_arena_printf(&world.arena, "%s*a", stars);
    for (int i = 0; i < 20; i++)
        dots = gg_arena_printf(&world.arena, "%s...\nfun:%s\n", dots, stars);
    add_supp(&world, gg_arena_printf(&world.arena, "{\nx\nMemcheck:Cond\n%sfun:*b\n}\n", dots));
    add_supp(&world, gg_arena_printf(&world.arena, "{\nx\nMemcheck:Cond\n%sfun:*\n}\n", dots));
    cr_expect_str_eq(found_in(&world, finding_of(&world, functions)), "1 ");
    /* One step must be a frame that is only at the end. */
    functions[LONGEST - 1] = "b";
    cr_expect_str_eq(found_in(&world, finding_of(&world, functions)), "0 1 ");
    gg_arena_free(&world.arena);
}

/* Longer than any that valgrind writes. */
Test(engine, takes_any_stack)
{
    enum { LONGEST = 10000 };
    static const char *functions[LONGEST + 1];
    for (size_t i = 0; i < LONGEST; i++)
        functions[i] = "f";
    functions[LONGEST - 1] = "last";
    struct world world = {0};
    add_supp(&world, "{\na\nMemcheck:Cond\n...\nfun:f\nfun:last\n}\n");
    add_supp(&world, "{\nb\nMemcheck:Cond\nfun:f\nfun:last\n}\n");
    cr_expect_str_eq(found_in(&world, finding_of(&world, functions)), "0 ");
    gg_arena_free(&world.arena);
}

Test(engine, takes_a_finding_of_another_report)
{
    struct world world = {0};
    add_supp(&world, "{\na\nMemcheck:Cond\nfun:f\n}\n");
    add_supp(&world, "{\nb\nMemcheck:Cond\nfun:g\n}\n");
    struct gg_report report = {.findings = FINDING(&world, "f"), .finding_count = 1};
    struct gg_engine *engine =
        gg_engine_new(&world.arena, world.entries.at, world.entries.len, &report);
    cr_expect_str_eq(found(engine, FINDING(&world, "g")), "1 ");
    cr_expect_str_eq(found(engine, report.findings), "0 ");
    gg_arena_free(&world.arena);
}

/* However many stacks and frames have the name, and although it has rules of both forms. */
Test(engine, runs_a_regular_expression_once_a_name)
{
    struct world world = {0};
    struct gg_error err = {0};
    struct gg_regex *regex = gg_regex_new(&world.arena, gg_str("^f[0-9]$"), &err);
    struct gg_pattern pattern = {
        .place = GG_PLACE_FUNCTION, .form = GG_PATTERN_REGEX, .regex = regex};
    struct gg_step step = {.skips = true, .patterns = &pattern, .count = 1};
    struct gg_entry entry = {.steps = &step, .step_count = 1};
    *gg_vec_push(&world.arena, &world.entries) = &entry;
    *gg_vec_push(&world.arena, &world.entries) = &entry;
    add_supp(&world, "{\na\nMemcheck:Cond\n...\nfun:f1\n}\n");
    struct gg_finding findings[] = {*FINDING(&world, "f1", "f2", "f1", "main"),
                                    *FINDING(&world, "main", "g", "main"),
                                    *FINDING(&world, "g", "g", "f1")};
    struct gg_report report = {.findings = findings, .finding_count = 3};
    struct gg_engine *engine =
        gg_engine_new(&world.arena, world.entries.at, world.entries.len, &report);
    cr_expect_str_eq(found(engine, &findings[0]), "0 1 2 ");
    cr_expect_str_eq(found(engine, &findings[1]), "");
    cr_expect_str_eq(found(engine, &findings[2]), "0 1 2 ");
    cr_expect_eq(gg_regex_runs(regex), 4); /* f1 f2 g main */
    gg_arena_free(&world.arena);
}
