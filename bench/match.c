/* Match: suppressions against the stacks of a report made up in memory, by the engine and, for some
 * of the stacks, by the plain matcher that tries every suppression.
 *
 *     bench_match STACKS SUPPRESSIONS PLAIN     how many stacks, rules, stacks of the plain matcher
 *     bench_match hostile                       a suppression made to take long
 *     bench_match regex                         regular expressions on distinct names
 *
 * Prints NAME=NUMBER, one a line. Exit status 1 when the two find different rules. */
#include "base/out.h"
#include "base/vec.h"
#include "match/engine.h"
#include "match/sequence.h"
#include "match/supp.h"
#include "match/wildcard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FUNCTIONS = 9126, FRAMES = 17574, OBJECTS = 60, LONGEST = 40 };

struct world {
    struct gg_arena arena;
    uint64_t random;
    const char *functions[FUNCTIONS];
    const char *objects[OBJECTS];
    struct gg_frame frames[FRAMES];
    struct gg_report report;
    GG_VEC(struct gg_entry *) entries;
};

static unsigned dice(struct world *world, unsigned sides)
{
    world->random = world->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((world->random >> 33) % sides);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* "VmRSS:      4980 kB" */
static double memory(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = strtod(line + 6, NULL);
    }
    if (file)
        fclose(file);
    return kilobytes / 1000;
}

/* ---- stacks ---- */

static const char *const words[] = {"parse",  "insert",  "lookup",   "flush",  "commit",  "render",
                                    "encode", "decode",  "visit",    "apply",  "resolve", "merge",
                                    "split",  "collect", "dispatch", "convert"};
static const char *const spaces[] = {"core",   "store", "net",   "ui",
                                     "detail", "io",    "index", "query"};
static const char *const hot[] = {"malloc", "calloc", "realloc",  "_Znwm", "_Znam",
                                  "memcpy", "strdup", "g_malloc", "main"};

#define ANY_OF(world, list) ((list)[dice((world), sizeof(list) / sizeof *(list))])

/* C++ for three in four; `kin` sets those apart that only rules know. */
static const char *function_name(struct world *world, unsigned number, const char *kin)
{
    const char *word = ANY_OF(world, words), *space = ANY_OF(world, spaces);
    if (dice(world, 4) == 0)
        return gg_arena_printf(&world->arena, "%s%s_%s_%u", kin, space, word, number);
    char name[64];
    int len = snprintf(name, sizeof name, "%s%s%u", kin, word, number);
    return gg_arena_printf(&world->arena, "_ZN%zu%s%d%s%s", strlen(space), space, len, name,
                           dice(world, 2) ? "EPKcmRKSt6vectorIiSaIiEE" : "Ev");
}

static void make_frames(struct world *world)
{
    size_t hots = sizeof hot / sizeof *hot;
    for (unsigned i = 0; i < OBJECTS; i++)
        world->objects[i] = gg_arena_printf(&world->arena, "/builds/product/lib/lib%s%u.so.%u",
                                            ANY_OF(world, spaces), i, 1 + i % 7);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        world->functions[i] = i < hots ? hot[i] : function_name(world, i, "");
    for (unsigned i = 0; i < FRAMES; i++) {
        unsigned function = i % FUNCTIONS;
        const char *name = world->functions[function];
        world->frames[i] = (struct gg_frame){.ip = 0x4000000 + (uint64_t)i * 53,
                                             .id = i,
                                             .symbol = name,
                                             .function = name,
                                             .object = world->objects[function * 7 % OBJECTS]};
    }
}

static bool is_leak(enum gg_kind kind)
{
    return kind == GG_KIND_Leak_DefinitelyLost;
}

/* From an allocation for a leak, down to main. Few places are in many stacks, most in few. */
static void make_stack(struct world *world, struct gg_finding *finding, struct gg_stack *stack)
{
    size_t len = 12 + dice(world, LONGEST - 12 + 1);
    struct gg_frame **frames = gg_arena_alloc(&world->arena, len * sizeof *frames);
    for (size_t i = 0; i < len; i++)
        frames[i] = &world->frames[9 + dice(world, dice(world, 6) ? FRAMES - 9 : 400)];
    if (is_leak(finding->kind))
        frames[0] = &world->frames[dice(world, 5)];
    frames[len - 1] = &world->frames[8];
    *stack = (struct gg_stack){.role = GG_ROLE_ERROR, .frames = frames, .len = len};
    finding->stacks = stack;
    finding->stack_count = 1;
}

static void make_findings(struct world *world, size_t count)
{
    static const struct {
        enum gg_kind kind;
        const char *message;
    } kinds[] = {{GG_KIND_Leak_DefinitelyLost, "bytes are lost"},
                 {GG_KIND_Leak_DefinitelyLost, "bytes are lost"},
                 {GG_KIND_UninitCondition, "Conditional jump or move depends on ..."},
                 {GG_KIND_InvalidRead, "Invalid read of size 4"},
                 {GG_KIND_UninitValue, "Use of uninitialised value of size 8"}};
    static const char *const options[] = {"--num-callers=40", NULL};
    struct gg_run *run = gg_arena_alloc(&world->arena, sizeof *run);
    struct gg_witness *witness = gg_arena_alloc(&world->arena, sizeof *witness);
    *run = (struct gg_run){.options = options, .mangled = true};
    struct gg_finding *findings = gg_arena_alloc(&world->arena, count * sizeof *findings);
    struct gg_stack *stacks = gg_arena_alloc(&world->arena, count * sizeof *stacks);
    for (size_t i = 0; i < count; i++) {
        unsigned kind = dice(world, sizeof kinds / sizeof *kinds);
        findings[i] = (struct gg_finding){.kind = kinds[kind].kind,
                                          .message = kinds[kind].message,
                                          .witnesses = witness,
                                          .witness_count = 1};
        make_stack(world, &findings[i], &stacks[i]);
    }
    world->report = (struct gg_report){
        .runs = run, .run_count = 1, .findings = findings, .finding_count = count};
}

/* ---- suppressions: two to six lines, half of them with "..." ---- */

/* The last line says what the rule is about, so it names a function. */
static void put_pattern(struct world *world, struct gg_out *out, const struct gg_frame *frame,
                        bool last)
{
    const char *name = frame->symbol;
    size_t len = strlen(name);
    if (!last && dice(world, 4) == 0) {
        const char *base = strrchr(frame->object, '/');
        gg_out_printf(out, dice(world, 2) ? "obj:*%s*\n" : "obj:*%s\n", base);
    } else if (dice(world, 7) > 0) {
        gg_out_printf(out, "fun:%s\n", name);
    } else if (dice(world, 3) > 0) {
        gg_out_printf(out, "fun:%.*s*\n", (int)(len - len / 4), name);
    } else {
        gg_out_printf(out, "fun:*%.*s*\n", (int)(len / 2), name + len / 3);
    }
}

/* What most rules of a large file name is not in the report at hand: another program's code, or
 * code that is no more. */
static struct gg_frame stranger(struct world *world)
{
    return (struct gg_frame){.symbol = function_name(world, dice(world, 40000), "other_"),
                             .object = ANY_OF(world, world->objects)};
}

static void put_suppression(struct world *world, struct gg_out *out, unsigned number)
{
    static const char *const allocations[] = {"fun:malloc", "fun:*alloc", "fun:_Zn*", "..."};
    static const char *const kinds[] = {"Cond", "Addr4", "Value8", "Addr8", "Param\nwrite(buf)"};
    const struct gg_finding *finding =
        &world->report.findings[dice(world, (unsigned)world->report.finding_count)];
    const struct gg_stack *stack = finding->stacks;
    bool leak = dice(world, 2), dead = dice(world, 4) > 0, skips = dice(world, 2);
    size_t lines = 2 + dice(world, 5), at = leak ? 1 : 0;
    gg_out_printf(out, "{\nrule %u\nMemcheck:%s\n", number, leak ? "Leak" : ANY_OF(world, kinds));
    if (leak)
        gg_out_printf(out, "%s\n", ANY_OF(world, allocations));
    for (size_t i = leak; i < lines && at < stack->len; i++, at++) {
        if (skips && i == (leak ? 1 : lines / 2)) {
            gg_out_printf(out, "...\n");
            at += dice(world, 4);
            at = at < stack->len ? at : stack->len - 1;
        }
        struct gg_frame other = stranger(world);
        bool last = i + 1 == lines || at + 1 == stack->len;
        put_pattern(world, out, dead && last ? &other : stack->frames[at], last);
    }
    gg_out_printf(out, "}\n");
}

static void make_entries(struct world *world, unsigned count)
{
    struct gg_out *out = gg_out_memory();
    for (unsigned i = 0; i < count; i++)
        put_suppression(world, out, i);
    size_t len;
    char *text = gg_out_take(out, &len);
    struct gg_error err = {0};
    struct gg_supp_parser *parser = gg_supp_parser_new(
        &world->arena, "made up", gg_str_n(gg_arena_strndup(&world->arena, text, len), len));
    free(text);
    struct gg_supp *supp;
    while ((supp = gg_supp_parse(parser, &err)))
        *gg_vec_push(&world->arena, &world->entries) = gg_entry_of_supp(&world->arena, supp);
    if (err.set) {
        fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
}

/* ---- the plain matcher: every suppression, line by line ---- */

struct line {
    struct gg_str pattern;
    bool object, skips;
};

struct rule {
    const struct gg_supp *supp;
    const struct gg_supp_kind *kind;
    unsigned leaks;
    uint32_t first, count;
};

struct plain {
    GG_VEC(struct line) lines;
    GG_VEC(struct rule) rules;
};

static void plain_init(struct world *world, struct plain *plain)
{
    for (size_t e = 0; e < world->entries.len; e++) {
        const struct gg_entry *entry = world->entries.at[e];
        const struct gg_supp *supp = entry->supp;
        *gg_vec_push(&world->arena, &plain->rules) = (struct rule){
            supp, supp->kind, supp->leaks, (uint32_t)plain->lines.len, (uint32_t)entry->step_count};
        for (size_t i = 0; i < entry->step_count; i++) {
            const struct gg_pattern *pattern = entry->steps[i].patterns;
            *gg_vec_push(&world->arena, &plain->lines) = (struct line){
                pattern->text, pattern->place == GG_PLACE_OBJECT, entry->steps[i].skips};
        }
    }
}

static bool plain_kind(const struct rule *rule, const struct gg_supp_subject *subject)
{
    if (rule->leaks || subject->leak)
        return rule->leaks & subject->leak;
    if (rule->kind->kinds[0] != subject->kind && rule->kind->kinds[1] != subject->kind)
        return false;
    return (rule->kind->size == 0 || rule->kind->size == subject->size) &&
           (rule->kind->extra != GG_EXTRA_PARAM || gg_str_eq(rule->supp->param, subject->param));
}

static bool plain_frames(const struct line *lines, size_t count, const struct gg_trace *trace)
{
    size_t at = 0, frame = 0, block = SIZE_MAX, retry = 0;
    while (at < count) {
        if (lines[at].skips && block != at) {
            block = at;
            retry = frame;
        }
        if (frame == trace->count)
            return false;
        const struct gg_str *names = trace->frames[frame].names;
        if (gg_wildcard_match(lines[at].pattern,
                              names[lines[at].object ? GG_PLACE_OBJECT : GG_PLACE_SYMBOL])) {
            at++;
            frame++;
        } else if (block != SIZE_MAX) {
            at = block;
            frame = ++retry;
        } else {
            return false;
        }
    }
    return true;
}

static size_t plain_match(const struct plain *plain, const struct gg_finding *finding,
                          const struct gg_trace *trace, uint32_t *found)
{
    struct gg_supp_subject subject = gg_supp_subject(finding);
    size_t count = 0;
    for (uint32_t r = 0; r < plain->rules.len; r++) {
        const struct rule *rule = &plain->rules.at[r];
        if (plain_kind(rule, &subject) &&
            plain_frames(plain->lines.at + rule->first, rule->count, trace))
            found[count++] = r;
    }
    return count;
}

/* Microseconds a stack of the plain matcher, on `stacks` of them. */
static double measure_plain(struct world *world, struct gg_engine *engine, size_t stacks)
{
    struct gg_trace_setting setting = gg_trace_setting(&world->arena, &world->report);
    struct gg_trace trace = {0};
    struct plain plain = {0};
    plain_init(world, &plain);
    uint32_t *found = gg_arena_alloc(&world->arena, world->entries.len * sizeof *found);
    double seconds = 0;
    for (size_t i = 0; i < stacks; i++) {
        const struct gg_finding *finding =
            &world->report.findings[i * world->report.finding_count / stacks];
        gg_trace_set(&trace, finding, &setting);
        double start = now();
        size_t count = plain_match(&plain, finding, &trace, found), wanted;
        seconds += now() - start;
        const uint32_t *same = gg_engine_match(engine, finding, &wanted);
        if (count != wanted || memcmp(found, same, count * sizeof *found) != 0) {
            fprintf(stderr, "stack %zu: the engine finds %zu rules, the plain matcher %zu\n", i,
                    wanted, count);
            exit(1);
        }
    }
    gg_trace_free(&trace);
    return stacks ? seconds * 1e6 / (double)stacks : 0;
}

/* ---- measuring ---- */

static void measure(struct world *world, size_t stacks, unsigned rules, size_t plain)
{
    make_findings(world, stacks);
    make_entries(world, rules);
    double before = memory(), start = now();
    struct gg_engine *engine =
        gg_engine_new(&world->arena, world->entries.at, world->entries.len, &world->report);
    double built = now();
    size_t fits = 0, matched = 0;
    for (size_t i = 0; i < stacks; i++) {
        size_t count;
        gg_engine_match(engine, &world->report.findings[i], &count);
        fits += count;
        matched += count > 0;
    }
    double done = now();
    printf("build=%.2f\nmatch=%.3f\nmemory=%.1f\n", (built - start) * 1e3,
           (done - built) * 1e6 / (double)stacks, memory() - before);
    printf("fits=%zu\nmatched=%zu\n", fits, matched);
    printf("plain=%.3f\n", measure_plain(world, engine, plain));
}

/* Twenty "...", each before a name of twenty-five "*", on a stack of 500 names that almost fit. */
static void measure_hostile(struct world *world)
{
    static struct gg_frame frames[500];
    static struct gg_frame *list[500];
    static char name[201];
    memset(name, 'a', 200);
    struct gg_stack stack = {.role = GG_ROLE_ERROR, .frames = list, .len = 500};
    for (uint32_t i = 0; i < 500; i++) {
        frames[i] = (struct gg_frame){
            .ip = i, .id = i, .symbol = gg_arena_printf(&world->arena, "%s%u", name, i)};
        list[i] = &frames[i];
    }
    struct gg_finding finding = {.kind = GG_KIND_UninitCondition,
                                 .message = "Conditional jump",
                                 .stacks = &stack,
                                 .stack_count = 1};
    world->report = (struct gg_report){.findings = &finding, .finding_count = 1};
    char text[4096] = "{\nhostile\nMemcheck:Cond\n";
    for (int i = 0; i < 20; i++) {
        strcat(text, "...\nfun:");
        for (int star = 0; star < 25; star++)
            strcat(text, "*a");
        strcat(text, i < 19 ? "*\n" : "*b\n");
    }
    strcat(text, "}\n");
    struct gg_error err = {0};
    struct gg_supp_parser *parser = gg_supp_parser_new(&world->arena, "hostile", gg_str(text));
    struct gg_entry *entry = gg_entry_of_supp(&world->arena, gg_supp_parse(parser, &err));
    double start = now();
    size_t count;
    struct gg_engine *engine = gg_engine_new(&world->arena, &entry, 1, &world->report);
    gg_engine_match(engine, &finding, &count);
    double done = now();
    struct gg_trace_setting setting = gg_trace_setting(&world->arena, &world->report);
    struct gg_trace trace = {0};
    gg_trace_set(&trace, &finding, &setting);
    double before = now();
    enum gg_fit fit = gg_sequence_match(entry, &trace, NULL);
    printf("engine=%.3f\nplain=%.3f\n", (done - start) * 1e3, (now() - before) * 1e3);
    gg_trace_free(&trace);
    if (count || fit != GG_FIT_NONE)
        exit(1);
}

/* 100 JSON rules with a regular expression each. */
static void measure_regex(struct world *world)
{
    enum { RULES = 100 };
    make_findings(world, 100000);
    struct gg_regex *regexes[RULES];
    struct gg_error err = {0};
    for (unsigned i = 0; i < RULES; i++) {
        struct gg_entry *entry = gg_arena_alloc(&world->arena, sizeof *entry);
        struct gg_step *step = gg_arena_alloc(&world->arena, sizeof *step);
        struct gg_pattern *pattern = gg_arena_alloc(&world->arena, sizeof *pattern);
        const char *text = gg_arena_printf(&world->arena, "^_ZN[0-9]+%s.*%s%u",
                                           ANY_OF(world, spaces), ANY_OF(world, words), i);
        regexes[i] = gg_regex_new(&world->arena, gg_str(text), &err);
        *pattern = (struct gg_pattern){
            .place = GG_PLACE_FUNCTION, .form = GG_PATTERN_REGEX, .regex = regexes[i]};
        *step = (struct gg_step){.skips = true, .patterns = pattern, .count = 1};
        entry->steps = step;
        entry->step_count = 1;
        *gg_vec_push(&world->arena, &world->entries) = entry;
    }
    double start = now();
    struct gg_engine *engine =
        gg_engine_new(&world->arena, world->entries.at, world->entries.len, &world->report);
    double built = now();
    for (size_t i = 0; i < world->report.finding_count; i++) {
        size_t count;
        gg_engine_match(engine, &world->report.findings[i], &count);
    }
    uint64_t runs = 0;
    for (unsigned i = 0; i < RULES; i++)
        runs += gg_regex_runs(regexes[i]);
    printf("build=%.2f\nmatch=%.3f\nruns=%.4f\n", (built - start) * 1e3,
           (now() - built) * 1e6 / (double)world->report.finding_count,
           (double)runs / RULES / FUNCTIONS);
}

int main(int argc, char **argv)
{
    static struct world world;
    gg_arena_init(&world.arena);
    world.random = 4711;
    make_frames(&world);
    if (argc == 4)
        measure(&world, strtoul(argv[1], NULL, 10), (unsigned)strtoul(argv[2], NULL, 10),
                strtoul(argv[3], NULL, 10));
    else if (argc == 2 && strcmp(argv[1], "hostile") == 0)
        measure_hostile(&world);
    else if (argc == 2 && strcmp(argv[1], "regex") == 0)
        measure_regex(&world);
    else
        return 2;
    gg_arena_free(&world.arena);
    return 0;
}
