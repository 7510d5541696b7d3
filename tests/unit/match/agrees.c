/*
 * Does the matcher say what valgrind does? Small programs are run under the real valgrind; from the
 * frames it reports suppressions are made up, right ones and wrong ones; valgrind runs again with
 * them, and what it still reports must be what the matcher leaves without a rule.
 */
#include "match/suppress.h"
#include "tree.h"
#include "vgxml.h"

#include <criterion/criterion.h>

struct bench {
    struct gg_arena arena;
    struct gg_atoms atoms;
    struct gg_frames frames;
    char *dir;
    char *program;
    const char *tool; /* valgrind's options */
    uint32_t seed;
    unsigned matched, left; /* findings over all files, to see that both happen */
};

static bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool shell(const char *format, ...)
{
    char command[4096];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return len > 0 && (size_t)len < sizeof command && system(command) == 0;
}

static void bench_open(struct bench *bench, const char *build, const char *source)
{
    *bench = (struct bench){.seed = 20240229};
    gg_arena_init(&bench->arena);
    gg_atoms_init(&bench->atoms, &bench->arena);
    gg_frames_init(&bench->frames, &bench->arena, &bench->atoms);
    bench->dir = tree_new(&bench->arena);
    bench->program = tree_path(&bench->arena, bench->dir, "program");
    cr_assert(
        shell("%s -w -o %s %s/unit/match/programs/%s", build, bench->program, GG_TESTS, source));
}

static void bench_close(struct bench *bench)
{
    gg_fs_remove_tree(bench->dir);
    gg_frames_close(&bench->frames);
    gg_atoms_free(&bench->atoms);
    gg_arena_free(&bench->arena);
}

static void run(struct bench *bench, const char *options, struct vgxml *report)
{
    const char *xml = tree_path(&bench->arena, bench->dir, "out.xml");
    cr_assert(shell("valgrind %s --default-suppressions=no %s --xml=yes --xml-file=%s %s "
                    ">/dev/null 2>%s/err",
                    bench->tool, options, xml, bench->program, bench->dir),
              "valgrind %s %s: see what it says", bench->tool, options);
    cr_assert(vgxml_read(report, &bench->arena, &bench->frames, xml));
}

/* ---- Made up suppressions ---- */

static unsigned dice(struct bench *bench, unsigned sides)
{
    bench->seed = bench->seed * 1664525u + 1013904223u;
    return bench->seed / 65536 % sides;
}

/* The name, some of it behind wildcards, now and then wrong ones. */
static const char *vary(struct bench *bench, const char *name)
{
    size_t len = strlen(name), at = len ? dice(bench, (unsigned)len) : 0;
    switch (dice(bench, 8)) {
    case 0:
        return gg_arena_printf(&bench->arena, "%.*s*", (int)at, name);
    case 1:
        return gg_arena_printf(&bench->arena, "*%s", name + at);
    case 2:
        return gg_arena_printf(&bench->arena, "%.*s*%s", (int)at, name, name + at);
    case 3:
        return gg_arena_printf(&bench->arena, "%.*s?%s", (int)at, name, len ? name + at + 1 : "");
    case 4:
        return gg_arena_printf(&bench->arena, "*%.*s*%s", (int)at, name + at / 2, name + len);
    case 5:
        return dice(bench, 3) ? name : gg_arena_printf(&bench->arena, "%sx", name);
    default:
        return name;
    }
}

static const char *frame_line(struct bench *bench, const struct gg_frame *frame)
{
    switch (dice(bench, 8)) {
    case 0:
    case 1:
        return gg_arena_printf(&bench->arena, "obj:%s",
                               vary(bench, frame->object ? frame->object : "???"));
    case 2:
        if (frame->file)
            return gg_arena_printf(&bench->arena, "src:%s:%u", vary(bench, frame->file),
                                   dice(bench, 3) ? frame->line : 0);
        return "obj:*";
    case 3:
        return frame->file ? gg_arena_printf(&bench->arena, "src:%s", frame->file) : "fun:*";
    default:
        return gg_arena_printf(&bench->arena, "fun:%s",
                               vary(bench, frame->symbol ? frame->symbol : "???"));
    }
}

/* What valgrind would write for the error, now and then another kind or size. */
static const char *kind_lines(struct bench *bench, const struct gg_finding *finding)
{
    static const char *const others[] = {"Cond", "Addr1", "Addr4", "Addr8", "Value8", "Free"};
    static const char *const leaks[] = {
        "definite", "indirect,definite", "possible,reachable", "all", "none", "indirect"};
    const char *extra = finding->supp_extra ? finding->supp_extra : "";
    const char *kind = finding->supp_kind;
    if (finding->is_leak && dice(bench, 3) == 0)
        return gg_arena_printf(&bench->arena, "%s\nmatch-leak-kinds: %s", kind,
                               leaks[dice(bench, 6)]);
    if (strncmp(kind, "Memcheck:", 9) == 0 && dice(bench, 8) == 0)
        return gg_arena_printf(&bench->arena, "Memcheck:%s", others[dice(bench, 6)]);
    return gg_arena_printf(&bench->arena, "%s%s%s", kind, *extra ? "\n" : "", extra);
}

/* Frames that valgrind hides below main, as glibc has them since 2.34. */
static const char *below_main(struct bench *bench)
{
    static const char *const lines[] = {
        "fun:(below main)\n",
        "obj:*/libc.so*\n",
        "fun:(below main)\nfun:__libc_start_main@@GLIBC*\nfun:(below main)\n",
        "fun:(below main)\nobj:*libc*\nobj:*/program\n",
        "fun:_start\n",
        "...\nfun:(below main)\n"};
    return lines[dice(bench, 6)];
}

/* A suppression for the finding. The first frame is never "..." twice over, so that even three
 * lines hold one that is not. */
static void write_rule(struct bench *bench, const struct gg_finding *finding, FILE *file)
{
    fprintf(file, "{\nmade up\n%s\n", kind_lines(bench, finding));
    const struct gg_stack *stack = &finding->stacks[0];
    size_t at = 0;
    if (dice(bench, 3) == 0) {
        fputs("...\n", file);
        at = dice(bench, (unsigned)stack->len);
    }
    size_t end = at + 1 + dice(bench, (unsigned)(stack->len - at));
    for (size_t first = at; at < end; at++) {
        if (at > first && dice(bench, 6) == 0) {
            fputs("...\n", file);
            at += dice(bench, (unsigned)(end - at));
        }
        const char *line = frame_line(bench, stack->frames[at]);
        /* Where valgrind may take the line for another thing than a frame. */
        fputs(at == first && line[0] == 's' ? "obj:*" : line, file);
        fputc('\n', file);
    }
    const char *last = stack->frames[stack->len - 1]->symbol;
    if (end == stack->len && last && strcmp(last, "main") == 0 && dice(bench, 2))
        fputs(below_main(bench), file);
    fputs("}\n", file);
}

static const char *write_rules(struct bench *bench, const struct vgxml *report)
{
    const char *path = tree_path(&bench->arena, bench->dir, "made-up.supp");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (size_t i = 0; i < report->findings.len / 2 + 1; i++) {
        const struct gg_finding *finding =
            &report->findings.at[dice(bench, (unsigned)report->findings.len)];
        write_rule(bench, finding, file);
    }
    fclose(file);
    return path;
}

/* ---- Comparison ---- */

static void match(struct bench *bench, struct vgxml *report, const char *path)
{
    struct gg_error err = {0};
    struct gg_suppressions *set = gg_suppressions_new(&bench->arena);
    cr_assert(gg_suppressions_load(set, path, &err), "%s", err.text);
    struct gg_run vg_run = {.options = report->options.at};
    struct gg_witness witness = {.run = 0};
    for (size_t i = 0; i < report->findings.len; i++) {
        report->findings.at[i].rule = NULL;
        report->findings.at[i].witnesses = &witness;
        report->findings.at[i].witness_count = 1;
    }
    struct gg_report all = {.runs = &vg_run,
                            .run_count = 1,
                            .findings = report->findings.at,
                            .finding_count = report->findings.len};
    gg_suppressions_apply(set, &all);
}

/* By kind, addresses and places, which do not change from run to run. */
static const char *identity(struct bench *bench, const struct gg_finding *finding)
{
    const char *text = finding->kind_name;
    for (size_t i = 0; i < finding->stacks[0].len; i++) {
        const struct gg_frame *frame = finding->stacks[0].frames[i];
        text = gg_arena_printf(&bench->arena, "%s %llx:%s:%u", text, (unsigned long long)frame->ip,
                               frame->file ? frame->file : "?", frame->line);
    }
    return text;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The findings without a rule, one a line, sorted. */
static const char *unmatched(struct bench *bench, const struct vgxml *report)
{
    const char **lines = gg_arena_alloc(&bench->arena, report->findings.len * sizeof *lines + 1);
    size_t count = 0;
    for (size_t i = 0; i < report->findings.len; i++) {
        if (!report->findings.at[i].rule)
            lines[count++] = identity(bench, &report->findings.at[i]);
    }
    qsort(lines, count, sizeof *lines, by_text);
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = gg_arena_printf(&bench->arena, "%s%s\n", all, lines[i]);
    return all;
}

/* `names` reports symbols as suppressions name them, `people` (or NULL) demangled ones together
 * with generated suppressions. */
static void compare(struct bench *bench, struct vgxml *names, struct vgxml *people)
{
    const char *path = write_rules(bench, names);
    struct vgxml real;
    run(bench, gg_arena_printf(&bench->arena, "--demangle=no --suppressions=%s", path), &real);
    const char *left = unmatched(bench, &real);
    match(bench, names, path);
    bool agrees = strcmp(unmatched(bench, names), left) == 0;
    if (people) {
        match(bench, people, path);
        agrees = agrees && strcmp(unmatched(bench, people), left) == 0;
    }
    if (!agrees)
        shell("cat %s >&2", path);
    cr_assert(agrees, "valgrind %s leaves\n%swe leave\n%s", bench->tool, left,
              unmatched(bench, people ? people : names));
    bench->left += (unsigned)real.findings.len;
    bench->matched += (unsigned)(names->findings.len - real.findings.len);
}

static void compare_files(struct bench *bench, const char *tool, unsigned files)
{
    struct vgxml names, people;
    bench->tool = tool;
    run(bench, "--demangle=no --gen-suppressions=all", &names);
    run(bench, "--gen-suppressions=all", &people);
    cr_assert_gt(names.findings.len, 0);
    /* Names must do without the generated suppressions. */
    for (size_t i = 0; i < names.findings.len; i++)
        names.findings.at[i].supp_frames = NULL;
    for (unsigned i = 0; i < files; i++)
        compare(bench, &names, &people);
}

static void expect_both(const struct bench *bench)
{
    cr_expect_gt(bench->matched, 5);
    cr_expect_gt(bench->left, 5);
}

#define LEAKS "--leak-check=full --show-leak-kinds=all "

Test(agrees, memcheck_on_c)
{
    struct bench bench;
    bench_open(&bench, "gcc -g -O1", "errors.c");
    compare_files(&bench, LEAKS, 7);
    compare_files(&bench, LEAKS "--num-callers=3", 2);
    compare_files(&bench, LEAKS "--num-callers=40 --read-inline-info=no", 1);
    expect_both(&bench);
    bench_close(&bench);
}

Test(agrees, memcheck_on_cxx)
{
    if (!shell("g++ --version >/dev/null 2>&1"))
        cr_skip_test("there is no g++");
    struct bench bench;
    bench_open(&bench, "g++ -g -O1", "errors.cc");
    compare_files(&bench, LEAKS "--num-callers=40", 6);
    expect_both(&bench);
    bench_close(&bench);
}

/* Functions without names or lines; main keeps its, for what is below it is unknown otherwise. */
Test(agrees, without_debug_information)
{
    struct bench bench;
    bench_open(&bench, "gcc -O1", "errors.c");
    cr_assert(
        shell("strip -N wrapped -N read_one -N recurse -N compare -N branches %s", bench.program));
    compare_files(&bench, LEAKS, 2);
    expect_both(&bench);
    bench_close(&bench);
}

Test(agrees, on_threads)
{
    struct bench bench;
    bench_open(&bench, "gcc -g -O1 -pthread", "race.c");
    compare_files(&bench, "--tool=helgrind", 1);
    compare_files(&bench, "--tool=drd", 1);
    bench_close(&bench);
}
