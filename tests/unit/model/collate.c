#include <criterion/criterion.h>

#include "builder.h"

static struct gg_arena arena;
static struct gg_atoms atoms;
static struct gg_collate *collate;
static struct gg_report report;

static void begin(void)
{
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    collate = gg_collate_new(&arena, &atoms);
    report = (struct gg_report){0};
}

static void end(void)
{
    gg_collate_close(collate);
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
}

TestSuite(collate, .init = begin, .fini = end);

static uint32_t new_run(int64_t pid, int64_t ppid, const char *source)
{
    uint32_t run = gg_collate_run(collate);
    struct gg_run *at = gg_collate_run_at(collate, run);
    at->pid = pid;
    at->ppid = ppid;
    at->source = source;
    return run;
}

static void access_at(uint32_t run, const char *ip, unsigned line, const char *message)
{
    struct gg_frame *frames[] = {build_frame(collate, ip, "get", "a.c", line),
                                 build_frame(collate, "0x10", "main", "a.c", 50)};
    struct gg_raw_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 2};
    struct gg_raw_error error = build_error("InvalidRead", message, &stack, 1);
    gg_collate_error(collate, run, &error);
}

static void leak_at(uint32_t run, unsigned line, uint64_t bytes, uint64_t blocks, bool final)
{
    struct gg_frame *frames[] = {build_frame(collate, "0x1", "make", "a.c", line)};
    struct gg_raw_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    struct gg_raw_error error = build_error("Leak_DefinitelyLost", "lost", &stack, 1);
    error.has_leak = true;
    error.leak = (struct gg_raw_leak){bytes, bytes, blocks, final};
    gg_collate_error(collate, run, &error);
}

Test(collate, the_same_place_at_another_address_is_one_finding)
{
    uint32_t first = new_run(1, 0, "1.xml"), second = new_run(2, 0, "2.xml");
    access_at(first, "0x100", 7, "Invalid read of size 4");
    access_at(first, "0x200", 7, "Invalid read of size 4");
    access_at(second, "0x300", 7, "Invalid read of size 4");
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 1);
    cr_assert_eq(report.findings[0].count, 3);
    cr_assert_eq(report.findings[0].witness_count, 2);
    cr_assert_eq(report.findings[0].witnesses[0].count, 2);
}

Test(collate, another_line_or_size_is_another_finding)
{
    uint32_t run = new_run(1, 0, "1.xml");
    access_at(run, "0x100", 7, "Invalid read of size 4");
    access_at(run, "0x100", 8, "Invalid read of size 4");
    access_at(run, "0x100", 7, "Invalid read of size 8");
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 3);
}

Test(collate, numbers_that_vary_do_not_tell_overlaps_apart)
{
    uint32_t run = new_run(1, 0, "1.xml");
    struct gg_frame *frames[] = {build_frame(collate, "0x1", "copy", "a.c", 3)};
    struct gg_raw_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    struct gg_raw_error one = build_error(
        "Overlap", "Source and destination overlap in memcpy(0x1FFEF, 0x1FFE0, 10)\n", &stack, 1);
    struct gg_raw_error two = build_error(
        "Overlap", "Source and destination overlap in memcpy(0x2FFEF, 0x2FFE0, 12)\n", &stack, 1);
    gg_collate_error(collate, run, &one);
    gg_collate_error(collate, run, &two);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 1);
    cr_assert_str_eq(report.findings[0].message,
                     "Source and destination overlap in memcpy(0x..., 0x..., 10)");
}

Test(collate, errorcounts_add_the_repeats)
{
    uint32_t run = new_run(1, 0, "1.xml");
    struct gg_frame *frames[] = {build_frame(collate, "0x1", "get", "a.c", 3)};
    struct gg_raw_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    struct gg_raw_error error = build_error("UninitCondition", "Conditional jump", &stack, 1);
    error.has_unique = true;
    error.unique = 0x2a;
    gg_collate_error(collate, run, &error);
    gg_collate_error_count(collate, run, 0x2a, 8);
    gg_collate_error_count(collate, run, 0x99, 5); /* a parent's: no such error here */
    gg_collate_run_done(collate);
    gg_collate_error_count(collate, run, 0x2a, 100); /* another document's numbers */
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.findings[0].count, 8);
}

Test(collate, leaks_of_one_check_add_up_and_of_two_do_not)
{
    uint32_t run = new_run(1, 0, "1.xml");
    leak_at(run, 3, 33, 1, false); /* a check the program asked for */
    leak_at(run, 3, 20, 1, true);  /* at exit: two records whose frames look alike */
    leak_at(run, 3, 30, 2, true);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 1);
    cr_assert_eq(report.findings[0].leak_bytes, 50);
    cr_assert_eq(report.findings[0].leak_blocks, 3);
    cr_assert_eq(report.findings[0].count, 2);
    cr_assert_str_eq(report.findings[0].message, "50 bytes in 3 blocks are definitely lost");
}

Test(collate, the_worst_run_gives_a_leaks_size)
{
    leak_at(new_run(1, 0, "1.xml"), 3, 10, 1, true);
    leak_at(new_run(2, 0, "2.xml"), 3, 70, 7, true);
    leak_at(new_run(3, 0, "3.xml"), 3, 20, 2, true);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.findings[0].leak_bytes, 70);
    cr_assert_eq(report.findings[0].leak_blocks, 7);
    cr_assert_eq(report.findings[0].count, 3);
}

Test(collate, a_forked_childs_copy_is_no_second_leak)
{
    uint32_t child = new_run(11, 10, "d/11.xml"), parent = new_run(10, 1, "d/10.xml");
    gg_collate_run_at(collate, child)->forked = true;
    leak_at(child, 3, 10, 1, true);
    leak_at(child, 9, 7, 1, true); /* the child's own */
    leak_at(parent, 3, 10, 1, true);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct gg_finding *finding = &report.findings[i];
        cr_assert_eq(finding->count, 1, "%s", finding->message);
        cr_assert_eq(finding->witness_count, finding->leak_bytes == 10 ? 2 : 1);
    }
}

Test(collate, what_a_child_loses_beyond_its_parents_blocks_is_its_own)
{
    uint32_t parent = new_run(10, 1, "d/10.xml"), child = new_run(11, 10, "d/11.xml");
    gg_collate_run_at(collate, child)->forked = true;
    leak_at(parent, 3, 8, 1, true);
    leak_at(child, 3, 8000, 1000, true);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 1);
    cr_assert_eq(report.findings[0].leak_bytes, 8000);
    cr_assert_eq(report.findings[0].leak_blocks, 1000);
    cr_assert_eq(report.findings[0].count, 2);
    cr_assert_not(report.findings[0].witnesses[1].copy);
}

Test(collate, a_process_of_another_directory_is_no_parent)
{
    uint32_t child = new_run(11, 10, "e/11.xml"), other = new_run(10, 1, "d/10.xml");
    gg_collate_run_at(collate, child)->forked = true;
    leak_at(child, 3, 10, 1, true);
    leak_at(other, 3, 10, 1, true);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.findings[0].count, 2);
}

/* As in containers, where every test has the same pids. */
Test(collate, a_parent_is_found_among_processes_of_its_pid)
{
    static const char *const sources[][2] = {
        {"a/10.xml", "a/11.xml"}, {"b/10.xml", "b/11.xml"}, {"cc/10.xml", "cc/11.xml"}};
    for (size_t i = 0; i < 3; i++) {
        leak_at(new_run(10, 1, sources[i][0]), 3, 10, 1, true);
        uint32_t child = new_run(11, 10, sources[i][1]);
        gg_collate_run_at(collate, child)->forked = true;
        leak_at(child, 3, 10, 1, true);
    }
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.findings[0].witness_count, 6);
    cr_assert_eq(report.findings[0].count, 3);
}

/* One error seen twice, once with the stack of the block's allocation: which is shown must not
 * depend on which comes first. */
static void two_views(bool swapped)
{
    uint32_t run = new_run(1, 0, "1.xml");
    struct gg_frame *here[] = {build_frame(collate, "0x1", "get", "a.c", 3),
                               build_frame(collate, "0x3", "main", "a.c", 30)};
    struct gg_frame *there[] = {build_frame(collate, "0x2", "make", "a.c", 9)};
    struct gg_raw_stack stacks[] = {
        {.role = GG_ROLE_ERROR, .frames = here, .len = 2},
        {.role = GG_ROLE_ALLOCATED, .text = gg_str("block alloc'd"), .frames = there, .len = 1}};
    struct gg_raw_error bare = build_error("InvalidRead", "Invalid read of size 1", stacks, 1);
    struct gg_raw_error full = build_error("InvalidRead", "Invalid read of size 1", stacks, 2);
    gg_collate_error(collate, run, swapped ? &full : &bare);
    gg_collate_error(collate, run, swapped ? &bare : &full);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 1);
    cr_assert_eq(report.findings[0].stack_count, 2);
    cr_assert_str_eq(report.findings[0].stacks[1].text, "block alloc'd");
}

Test(collate, the_fuller_view_is_shown)
{
    two_views(false);
}

Test(collate, the_fuller_view_is_shown_when_it_comes_first)
{
    two_views(true);
}

Test(collate, stripped_errors_are_told_apart_by_their_other_stacks)
{
    uint32_t run = new_run(1, 0, "1.xml");
    const char *bare = "\1"
                       "0x400\2/x";
    struct gg_frame *here[] = {gg_frames_intern(gg_collate_frames(collate), bare, strlen(bare))};
    for (unsigned line = 1; line <= 2; line++) {
        struct gg_frame *there[] = {build_frame(collate, "0x2", "make", "a.c", line)};
        struct gg_raw_stack stacks[] = {{.role = GG_ROLE_ERROR, .frames = here, .len = 1},
                                        {.role = GG_ROLE_ALLOCATED, .frames = there, .len = 1}};
        struct gg_raw_error error = build_error("InvalidRead", "Invalid read of size 1", stacks, 2);
        gg_collate_error(collate, run, &error);
    }
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 2);
}

/* Two errors in a library's thread that pass no line of ours: one block is ours, one is the
 * library's. The one must not hide behind the other. */
Test(collate, errors_inside_libraries_are_told_apart_by_their_other_stacks)
{
    uint32_t run = new_run(1, 0, "1.xml");
    const char *inside = "\1"
                         "0x400\2/else/libx.so\3work\4/build/x\5x.c\6"
                         "3";
    struct gg_frame *here[] = {
        gg_frames_intern(gg_collate_frames(collate), inside, strlen(inside))};
    for (unsigned line = 1; line <= 2; line++) {
        struct gg_frame *there[] = {build_frame(collate, "0x2", "make", "a.c", line)};
        struct gg_raw_stack stacks[] = {{.role = GG_ROLE_ERROR, .frames = here, .len = 1},
                                        {.role = GG_ROLE_ALLOCATED, .frames = there, .len = 1}};
        struct gg_raw_error error = build_error("InvalidRead", "Invalid read of size 1", stacks, 2);
        gg_collate_error(collate, run, &error);
    }
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 2);
}

Test(collate, runs_are_sorted_and_witnesses_follow)
{
    uint32_t z = new_run(5, 0, "z.xml"), a = new_run(6, 0, "a.xml");
    access_at(z, "0x100", 7, "Invalid read of size 4");
    access_at(a, "0x100", 8, "Invalid read of size 4");
    gg_collate_finish(collate, &report);
    cr_assert_str_eq(report.runs[0].source, "a.xml");
    cr_assert_str_eq(report.runs[1].source, "z.xml");
    for (size_t i = 0; i < 2; i++) {
        unsigned line = report.findings[i].stacks[0].frames[0]->line;
        cr_assert_eq(report.findings[i].witnesses[0].run, line == 8 ? 0 : 1);
    }
}

Test(collate, equal_notes_are_counted)
{
    gg_collate_note(collate, "repaired", "a.xml", false, "%d bytes", 3);
    gg_collate_note(collate, "repaired", "a.xml", false, "%d bytes", 3);
    gg_collate_note(collate, "cut", "b.xml", true, "cut");
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.note_count, 2);
    cr_assert(report.notes[0].incomplete, "what makes a run incomplete stands first");
    cr_assert_eq(report.notes[1].count, 2);
    cr_assert_str_eq(report.notes[1].text, "3 bytes");
}

Test(collate, unknown_kinds_keep_their_name)
{
    uint32_t run = new_run(1, 0, "1.xml");
    struct gg_frame *frames[] = {build_frame(collate, "0x1", "get", "a.c", 3)};
    struct gg_raw_stack stack = {.role = GG_ROLE_ERROR, .frames = frames, .len = 1};
    struct gg_raw_error one = build_error("BrandNew", "Something new", &stack, 1);
    struct gg_raw_error two = build_error("BrandNewer", "Something new", &stack, 1);
    gg_collate_error(collate, run, &one);
    gg_collate_error(collate, run, &two);
    gg_collate_finish(collate, &report);
    cr_assert_eq(report.finding_count, 2);
    cr_assert_eq(report.findings[0].kind, GG_KIND_Unknown);
    cr_assert_str_eq(report.findings[0].kind_name, "BrandNew");
}
