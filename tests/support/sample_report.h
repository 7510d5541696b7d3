/*
 * Sample report: finished reports built by hand, for tests of what comes after the verdict.
 *
 * Each sample_* fills a struct sample from nothing; sample_free releases it. The sources of the
 * sites lie in tests/golden/text/source, which sample_root makes the repository.
 */
#ifndef GG_TESTS_SAMPLE_REPORT_H
#define GG_TESTS_SAMPLE_REPORT_H

#include "base/arena.h"
#include "grindgate/model.h"

#include <stdio.h>
#include <string.h>

struct sample {
    struct gg_arena arena;
    struct gg_report report;
    struct gg_verdict verdict;
};

/* A frame: a function, a file (own code: its path in the repository) or an object, a line. */
struct sample_frame {
    enum gg_zone zone;
    const char *function;
    const char *where;
    uint32_t line;
};

static inline void sample_init(struct sample *sample)
{
    *sample = (struct sample){0};
    gg_arena_init(&sample->arena);
    memset(sample->report.repository.head, 'c', 40);
}

static inline void sample_free(struct sample *sample)
{
    gg_arena_free(&sample->arena);
}

static inline void sample_root(struct sample *sample, const char *root)
{
    sample->report.repository.root = root;
}

static inline struct gg_frame *sample_frame(struct sample *sample, const struct sample_frame *from)
{
    struct gg_frame *frame = gg_arena_alloc(&sample->arena, sizeof *frame);
    bool own = from->zone == GG_ZONE_OWN;
    *frame = (struct gg_frame){.ip = 0x10A000 + from->line,
                               .object = own ? "/home/ada/shop/build/tests" : from->where,
                               .symbol = from->function,
                               .function = from->function,
                               .dir = own ? "/home/ada/shop" : NULL,
                               .file = own ? from->where : NULL,
                               .line = from->line,
                               .zone = from->zone,
                               .path = own ? from->where : NULL,
                               .line_in_file = own};
    return frame;
}

/* A stack of the frames up to one without a place. */
static inline struct gg_stack sample_stack(struct sample *sample, enum gg_role role,
                                           const char *text, const struct sample_frame *from)
{
    size_t len = 0;
    while (from[len].where)
        len++;
    struct gg_frame **frames = gg_arena_alloc(&sample->arena, (len + 1) * sizeof *frames);
    for (size_t i = 0; i < len; i++)
        frames[i] = sample_frame(sample, &from[i]);
    return (struct gg_stack){role, text, len, frames};
}

/* The next finding, open, its fate and site still to be set; `most` stacks have room. */
static inline struct gg_finding *sample_finding(struct sample *sample, enum gg_kind kind,
                                                const char *message)
{
    enum { MOST = 64 };
    struct gg_report *report = &sample->report;
    if (!report->findings)
        report->findings = gg_arena_alloc(&sample->arena, MOST * sizeof *report->findings);
    struct gg_finding *finding = &report->findings[report->finding_count++];
    finding->kind = kind;
    finding->kind_name = gg_kind_table[kind].name;
    finding->severity = gg_kind_table[kind].severity;
    finding->is_leak = gg_kind_table[kind].group == GG_GROUP_leak;
    finding->message = message;
    finding->why = "nothing sets it aside";
    char *hex = gg_arena_alloc(&sample->arena, 65);
    for (size_t i = 0; i < 64; i++)
        hex[i] = "0123456789abcdef"[(i + 3 * report->finding_count) % 16];
    finding->fingerprint = hex;
    finding->id = gg_arena_strndup(&sample->arena, hex, 12);
    return finding;
}

static inline void sample_stacks(struct sample *sample, struct gg_finding *finding,
                                 const struct gg_stack *stacks, size_t count)
{
    struct gg_stack *copy = gg_arena_alloc(&sample->arena, count * sizeof *copy);
    memcpy(copy, stacks, count * sizeof *copy);
    finding->stacks = copy;
    finding->stack_count = count;
}

/* Lays the finding to a frame of its stacks. */
static inline void sample_site(struct gg_finding *finding, size_t stack, size_t frame)
{
    static const enum gg_via vias[] = {[GG_ROLE_ERROR] = GG_VIA_ERROR,
                                       [GG_ROLE_ALLOCATED] = GG_VIA_ALLOCATED,
                                       [GG_ROLE_FREED] = GG_VIA_FREED,
                                       [GG_ROLE_ORIGIN] = GG_VIA_ORIGIN,
                                       [GG_ROLE_OTHER] = GG_VIA_ERROR};
    const struct gg_frame *from = finding->stacks[stack].frames[frame];
    finding->has_site = true;
    finding->site = (struct gg_site){
        from->path, from->line, from->function, vias[finding->stacks[stack].role], stack, frame};
}

static inline void sample_witness(struct sample *sample, struct gg_finding *finding, uint32_t run,
                                  uint64_t count)
{
    struct gg_witness *witnesses =
        gg_arena_alloc(&sample->arena, (finding->witness_count + 1) * sizeof *witnesses);
    if (finding->witness_count)
        memcpy(witnesses, finding->witnesses, finding->witness_count * sizeof *witnesses);
    witnesses[finding->witness_count] = (struct gg_witness){.run = run, .count = count};
    if (finding->is_leak) {
        witnesses[finding->witness_count].bytes = finding->leak_bytes;
        witnesses[finding->witness_count].direct = finding->leak_direct;
        witnesses[finding->witness_count].blocks = finding->leak_blocks;
        witnesses[finding->witness_count].final = true;
    }
    finding->witnesses = witnesses;
    finding->witness_count++;
    finding->count += count;
}

static inline void sample_blame(struct gg_finding *finding, const char *commit, const char *name,
                                const char *email, int64_t time, int offset, const char *summary)
{
    finding->blame = (struct gg_blame){.state = GG_BLAME_COMMIT,
                                       .author_name = name,
                                       .author_email = email,
                                       .time = time,
                                       .offset = offset,
                                       .summary = summary,
                                       .orig_path = finding->site.path,
                                       .orig_line = finding->site.line};
    memcpy(finding->blame.commit, commit, strlen(commit) + 1);
}

/* The next run, finished. */
static inline struct gg_run *sample_run(struct sample *sample, const char *source, const char *test)
{
    enum { MOST = 8 };
    static const char *const command[] = {"./build/tests", "--all", NULL};
    static const char *const options[] = {"--leak-check=full", NULL};
    struct gg_report *report = &sample->report;
    if (!report->runs)
        report->runs = gg_arena_alloc(&sample->arena, MOST * sizeof *report->runs);
    struct gg_run *run = &report->runs[report->run_count++];
    *run = (struct gg_run){.pid = 4000 + (int64_t)report->run_count,
                           .ppid = 4000,
                           .tool = "memcheck",
                           .protocol = 4,
                           .version = "3.19.0",
                           .source = source,
                           .command = command,
                           .options = options,
                           .saw_running = true,
                           .saw_finished = true,
                           .test = test,
                           .exit_code = 0};
    return run;
}

static inline struct gg_note *sample_note(struct sample *sample, const char *kind,
                                          const char *where, const char *text)
{
    enum { MOST = 8 };
    struct gg_report *report = &sample->report;
    if (!report->notes)
        report->notes = gg_arena_alloc(&sample->arena, MOST * sizeof *report->notes);
    struct gg_note *note = &report->notes[report->note_count++];
    *note = (struct gg_note){.kind = kind, .where = where, .text = text, .count = 1};
    return note;
}

/* Counts the fates; `reason` may be NULL. */
static inline void sample_verdict(struct sample *sample, enum gg_outcome outcome, int exit_code,
                                  uint64_t failing, const char *reason)
{
    struct gg_verdict *verdict = &sample->verdict;
    const char **reasons = gg_arena_alloc(&sample->arena, sizeof *reasons);
    reasons[0] = reason;
    *verdict = (struct gg_verdict){.outcome = outcome,
                                   .exit_code = exit_code,
                                   .reasons = reasons,
                                   .reason_count = reason != NULL,
                                   .failing = failing};
    for (size_t i = 0; i < sample->report.finding_count; i++)
        verdict->counts[sample->report.findings[i].fate]++;
}

/* Two whole reports in which nothing was found. */
static inline void sample_clean(struct sample *sample)
{
    sample_init(sample);
    sample_run(sample, "vg.1.xml", NULL);
    sample_run(sample, "vg.2.xml", NULL);
    sample_verdict(sample, GG_PASS, 0, 0, NULL);
}

/* A read after free by list_pop, seen three times in two tests. */
static inline struct gg_finding *sample_invalid_read(struct sample *sample)
{
    struct gg_finding *finding =
        sample_finding(sample, GG_KIND_InvalidRead, "Invalid read of size 8");
    const struct gg_stack stacks[] = {
        sample_stack(sample, GG_ROLE_ERROR, NULL,
                     (struct sample_frame[]){{GG_ZONE_OWN, "list_pop", "src/list.c", 11},
                                             {GG_ZONE_OWN, "main", "tests/main.c", 9},
                                             {0}}),
        sample_stack(sample, GG_ROLE_FREED,
                     "Address 0x4a5f048 is 8 bytes inside a block of size 16 free'd",
                     (struct sample_frame[]){{GG_ZONE_TOOL, "free", "/usr/vgpreload.so", 0},
                                             {GG_ZONE_OWN, "list_pop", "src/list.c", 10},
                                             {GG_ZONE_OWN, "main", "tests/main.c", 9},
                                             {0}}),
        sample_stack(sample, GG_ROLE_ALLOCATED, "Block was alloc'd at",
                     (struct sample_frame[]){{GG_ZONE_TOOL, "malloc", "/usr/vgpreload.so", 0},
                                             {GG_ZONE_OWN, "list_push", "src/list.c", 18},
                                             {GG_ZONE_OWN, "main", "tests/main.c", 7},
                                             {0}})};
    sample_stacks(sample, finding, stacks, 3);
    sample_site(finding, 0, 0);
    sample_witness(sample, finding, 0, 2);
    sample_witness(sample, finding, 1, 1);
    sample_blame(finding, "3f2a9c1d5e6b7a8091a2b3c4d5e6f708192a3b4c", "Ada Lovelace",
                 "ada@example.org", 1709370672, 60, "Free the node before it is read");
    return finding;
}

/* A leak allocated through a library, in a line that is not committed yet. */
static inline struct gg_finding *sample_leak(struct sample *sample)
{
    static const char lib[] = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30";
    struct gg_finding *finding =
        sample_finding(sample, GG_KIND_Leak_DefinitelyLost,
                       "72 (32 direct, 40 indirect) bytes in 1 block are definitely lost");
    finding->leak_bytes = 72;
    finding->leak_direct = 32;
    finding->leak_blocks = 1;
    const struct gg_stack stack = sample_stack(
        sample, GG_ROLE_ERROR, NULL,
        (struct sample_frame[]){
            {GG_ZONE_TOOL, "operator new(unsigned long)", "/usr/vgpreload.so", 0},
            {GG_ZONE_SYSTEM, "__gnu_cxx::new_allocator<char>::allocate", lib, 0},
            {GG_ZONE_SYSTEM, "std::allocator_traits<std::allocator<char> >::allocate", lib, 0},
            {GG_ZONE_SYSTEM, "std::string::_M_create", lib, 0},
            {GG_ZONE_SYSTEM, "std::string::_M_construct<char const*>", lib, 0},
            {GG_ZONE_SYSTEM, "std::string::basic_string(char const*)", lib, 0},
            {GG_ZONE_OWN, "remember(char const*)", "src/cache.cpp", 7},
            {GG_ZONE_OWN, "main", "tests/main.c", 12},
            {0}});
    sample_stacks(sample, finding, &stack, 1);
    sample_site(finding, 0, 6);
    sample_witness(sample, finding, 0, 1);
    finding->blame.state = GG_BLAME_UNCOMMITTED;
    return finding;
}

/* An uninitialised value used inside the C library, created in this repository. */
static inline struct gg_finding *sample_uninitialised(struct sample *sample)
{
    struct gg_finding *finding = sample_finding(
        sample, GG_KIND_SyscallParam, "Syscall param write(buf) points to uninitialised byte(s)");
    const struct gg_stack stacks[] = {
        sample_stack(
            sample, GG_ROLE_ERROR, NULL,
            (struct sample_frame[]){{GG_ZONE_SYSTEM, "write", "/usr/lib/libc.so.6", 0}, {0}}),
        sample_stack(sample, GG_ROLE_ORIGIN, "Uninitialised value was created by a heap allocation",
                     (struct sample_frame[]){{GG_ZONE_TOOL, "malloc", "/usr/vgpreload.so", 0},
                                             {GG_ZONE_OWN, "list_push", "src/list.c", 18},
                                             {0}})};
    sample_stacks(sample, finding, stacks, 2);
    sample_site(finding, 1, 1);
    sample_witness(sample, finding, 1, 1);
    finding->thread = "writer";
    finding->blame = (struct gg_blame){
        .state = GG_BLAME_BOUNDARY,
        .why = "Older than this clone holds: fetch the history with `git fetch --unshallow`",
        .orig_path = "src/list.c",
        .orig_line = 18};
    memset(finding->blame.commit, 'b', 40);
    return finding;
}

/* One in each state, the used one first; and what valgrind set aside itself. */
static inline struct gg_rule *sample_rules(struct sample *sample)
{
    static const uint32_t runs[] = {0, 1};
    static const struct gg_rule states[] = {
        {.id = "known-cache",
         .file = "ci/known.supp",
         .line = 4,
         .reason = "freed by the kernel",
         .owner = "cache-team",
         .ticket = "SHOP-7",
         .state = GG_RULE_USED,
         .hits = 2,
         .matches = 2,
         .occurrences = 3,
         .runs = runs,
         .run_count = 2},
        {.id = "old-list",
         .file = "ci/known.supp",
         .line = 12,
         .expires = "2024-02-29",
         .state = GG_RULE_EXPIRED,
         .matches = 1},
        {.id = "cache again",
         .file = "ci/more.supp",
         .line = 2,
         .state = GG_RULE_SHADOWED,
         .matches = 2},
        {.id = "gone", .file = "ci/more.supp", .line = 9, .state = GG_RULE_UNUSED},
        {.id = "vague",
         .file = "ci/rules.json",
         .line = 3,
         .action = GG_ACTION_DOWNGRADE,
         .state = GG_RULE_MALFORMED,
         .fault = "\"reason\" is missing: say why the rule is right"},
        {.id = "spare", .file = "pack:zlib", .line = 2, .state = GG_RULE_UNUSED}};
    static const struct gg_supp_use uses[] = {{"dl-hack3-cond-1", 4, runs, 2},
                                              {"zlib-1.2.x trickyness (1b)", 1, runs, 1}};
    enum { COUNT = sizeof states / sizeof *states };
    struct gg_rule **rules = gg_arena_alloc(&sample->arena, COUNT * sizeof *rules);
    for (size_t i = 0; i < COUNT; i++) {
        rules[i] = gg_arena_alloc(&sample->arena, sizeof **rules);
        *rules[i] = states[i];
    }
    rules[2]->shadow = rules[0];
    sample->report.rules = rules;
    sample->report.rule_count = COUNT;
    sample->report.supp_uses = uses;
    sample->report.supp_use_count = 2;
    return rules[0];
}

/* Three that count, one below the bar, and one of each other fate. */
static inline void sample_fail(struct sample *sample)
{
    static const enum gg_fate fates[] = {GG_SUPPRESSED, GG_SUPPRESSED, GG_KNOWN, GG_OUT_OF_SCOPE,
                                         GG_EXTERNAL};
    sample_init(sample);
    sample_run(sample, "vg.1.xml", "list");
    sample_run(sample, "vg.2.xml", "cache");
    sample_run(sample, "vg.3.xml", NULL)->end = GG_END_REPLACED;
    sample_leak(sample);
    sample_invalid_read(sample);
    sample_uninitialised(sample);
    struct gg_finding *possible =
        sample_finding(sample, GG_KIND_Leak_PossiblyLost, "16 bytes in 1 block are possibly lost");
    const struct gg_stack stack =
        sample_stack(sample, GG_ROLE_ERROR, NULL,
                     (struct sample_frame[]){{GG_ZONE_TOOL, "malloc", "/usr/vgpreload.so", 0},
                                             {GG_ZONE_OWN, "list_push", "src/list.c", 18},
                                             {0}});
    possible->leak_bytes = possible->leak_direct = 16;
    possible->leak_blocks = 1;
    sample_stacks(sample, possible, &stack, 1);
    sample_site(possible, 0, 1);
    sample_witness(sample, possible, 0, 1);
    possible->blame = (struct gg_blame){.state = GG_BLAME_UNKNOWN,
                                        .why = "The file has no such line in this commit"};
    struct gg_rule *rule = sample_rules(sample);
    possible->lapsed = sample->report.rules[1];
    possible->why = "\"old-list\" (ci/known.supp:12) suppressed it until 2024-02-29, its last day";
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        struct gg_finding *finding = sample_leak(sample);
        finding->fate = fates[i];
        finding->why = "settled before";
        finding->rule = fates[i] == GG_SUPPRESSED ? rule : NULL;
        finding->approximate = i == 1;
        finding->has_site = fates[i] != GG_EXTERNAL;
    }
    sample_note(sample, "repaired", "vg.2.xml", "3 bytes were mended")->count = 2;
    sample_note(sample, "rule-expired", "ci/known.supp:12",
                "rule \"old-list\" decides nothing since its last day, 2024-02-29, is over");
    sample_verdict(sample, GG_FAIL, 1, 3, "3 open findings of severity error");
}

/* One report cut off, one process without a report. */
static inline void sample_incomplete(struct sample *sample)
{
    sample_init(sample);
    sample_run(sample, "vg.1.xml", NULL);
    struct gg_run *cut = sample_run(sample, "vg.2.xml", NULL);
    cut->end = GG_END_TRUNCATED;
    cut->detail = "the report stops in line 812";
    struct gg_run *missing = sample_run(sample, "vg.3.xml", NULL);
    *missing = (struct gg_run){.pid = 4003,
                               .ppid = -1,
                               .tool = "",
                               .version = "",
                               .source = "vg.3.xml",
                               .command = (const char *const[]){NULL},
                               .end = GG_END_MISSING,
                               .detail = "the process ran, but its report is not there",
                               .exit_code = -1,
                               .signal = "SIGKILL"};
    static const char *const nothing[] = {NULL};
    missing->command = missing->options = nothing;
    sample_note(sample, "error-limit", "vg.1.xml", "valgrind stopped at its error limit")
        ->incomplete = true;
    sample_verdict(sample, GG_INCOMPLETE, 3, 0, "vg.2.xml: the report stops in line 812");
}

/* The text `evil` wherever a report, a repository or a rule file could have put it. */
static inline void sample_hostile(struct sample *sample, const char *evil)
{
    sample_init(sample);
    const char **command = gg_arena_alloc(&sample->arena, 3 * sizeof *command);
    command[0] = command[1] = evil;
    struct gg_run *run = sample_run(sample, evil, evil);
    run->tool = run->version = run->detail = run->signal = evil;
    run->command = run->options = command;
    run->end = GG_END_TRUNCATED;
    struct gg_suppcount *suppcount = gg_arena_alloc(&sample->arena, sizeof *suppcount);
    *suppcount = (struct gg_suppcount){evil, 7};
    run->suppcounts = suppcount;
    run->suppcount_count = 1;
    struct gg_rule *rule = gg_arena_alloc(&sample->arena, sizeof *rule);
    struct gg_rule **rules = gg_arena_alloc(&sample->arena, sizeof *rules);
    *rule = (struct gg_rule){.id = evil,
                             .file = evil,
                             .line = 1,
                             .reason = evil,
                             .owner = evil,
                             .ticket = evil,
                             .state = GG_RULE_MALFORMED,
                             .fault = evil,
                             .shadow = rule};
    struct gg_supp_use *use = gg_arena_alloc(&sample->arena, sizeof *use);
    *use = (struct gg_supp_use){.name = evil, .count = 7};
    sample->report.supp_uses = use;
    sample->report.supp_use_count = 1;
    rules[0] = rule;
    sample->report.rules = rules;
    sample->report.rule_count = 1;
    for (unsigned fate = 0; fate < 2; fate++) {
        struct gg_finding *finding = sample_finding(sample, GG_KIND_Unknown, evil);
        const struct sample_frame frames[] = {
            {GG_ZONE_SYSTEM, evil, evil, 0}, {GG_ZONE_OWN, evil, evil, 1}, {0}};
        const struct gg_stack stacks[] = {sample_stack(sample, GG_ROLE_ERROR, evil, frames),
                                          sample_stack(sample, GG_ROLE_FREED, evil, frames),
                                          sample_stack(sample, GG_ROLE_OTHER, evil, frames)};
        sample_stacks(sample, finding, stacks, 3);
        for (size_t i = 0; i < 3; i++)
            stacks[i].frames[1]->dir = evil;
        sample_site(finding, 0, 1);
        sample_witness(sample, finding, 0, 2);
        sample_blame(finding, "3f2a9c1d5e6b7a8091a2b3c4d5e6f708192a3b4c", evil, evil, INT64_MAX,
                     INT32_MIN, evil);
        finding->kind_name = finding->thread = finding->why = evil;
        finding->supp_kind = finding->supp_extra = evil;
        finding->notes = finding->supp_frames = command;
        finding->note_count = finding->supp_frame_count = 2;
        finding->rule = fate ? rule : NULL;
        finding->lapsed = fate ? NULL : rule;
        finding->fate = fate ? GG_SUPPRESSED : GG_OPEN;
    }
    sample_note(sample, evil, evil, evil)->incomplete = true;
    sample_note(sample, evil, evil, evil);
    sample_verdict(sample, GG_FAIL, 1, 1, evil);
}

#endif
