/*
 * Are the packs whole, and chosen for what they are for? What their blocks do to reports of the
 * real libraries is tests/e2e/packs.py.
 */
#include "match/packs.h"
#include "match/metadata.h"
#include "match/supp.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/map.h"

/* ---- Their files ---- */

static const char *const names[] = {"cpython",  "cuda",   "glib",   "glibc",   "libstdcxx", "numpy",
                                    "openblas", "opencv", "openmp", "openssl", "pytorch",   "rust"};
enum { NAMES = sizeof names / sizeof *names };

Test(packs, are_those_of_rules_by_name)
{
    size_t count;
    const struct gg_pack *packs = gg_packs(&count);
    cr_assert_eq(count, NAMES);
    for (size_t i = 0; i < count; i++) {
        cr_assert_str_eq(packs[i].name, names[i]);
        cr_assert_eq(gg_pack_find(names[i]), &packs[i]);
        cr_assert(strstr(packs[i].summary, "; proved with "), "%s: %s", names[i], packs[i].summary);
        cr_assert(*packs[i].objects || *packs[i].functions, "%s is for nothing", names[i]);
    }
    cr_assert_null(gg_pack_find("glib "));
    cr_assert_null(gg_pack_find(""));
}

/* A reason for each block, which stands above it. */
static size_t reasons(struct gg_str text)
{
    size_t count = 0;
    struct gg_str line;
    while (gg_str_line(&text, &line)) {
        struct gg_metadata metadata = {0};
        gg_metadata_read(&metadata, line);
        count += metadata.reason.len > 0;
    }
    return count;
}

/* Anchored: the first frame is one function or one of a kind of allocators, and of the frames
 * behind it at least one names more than "*". */
static void check_block(const char *pack, const struct gg_supp *block)
{
    const char *id = block->rule.id;
    cr_assert(block->kind, "%s: no such kind", id);
    cr_assert_eq(strncmp(id, pack, strlen(pack)), 0, "%s is not named for its pack", id);
    cr_assert_neq(block->frames[0].place, GG_PLACE_ANY, "%s begins with \"...\"", id);
    cr_assert_neq(block->frames[block->frame_count - 1].place, GG_PLACE_ANY, "%s ends with \"...\"",
                  id);
    size_t anchors = 0;
    for (size_t i = 1; i < block->frame_count; i++)
        anchors +=
            block->frames[i].place != GG_PLACE_ANY && !gg_str_is(block->frames[i].pattern, "*");
    cr_assert(anchors > 0, "%s names only where it happens", id);
}

Test(packs, hold_blocks_that_parse_have_reasons_and_names_of_their_own)
{
    size_t count;
    const struct gg_pack *packs = gg_packs(&count);
    struct gg_map ids = {0};
    struct gg_arena arena;
    gg_arena_init(&arena);
    for (size_t i = 0; i < count; i++) {
        struct gg_error err = {0};
        struct gg_supp_parser *parser = gg_supp_parser_new(&arena, packs[i].name, packs[i].text);
        size_t blocks = 0;
        struct gg_supp *block;
        for (; (block = gg_supp_parse(parser, &err)); blocks++) {
            check_block(packs[i].name, block);
            void **slot = gg_map_put(&ids, block->rule.id, strlen(block->rule.id));
            cr_assert_null(*slot, "two blocks are named \"%s\"", block->rule.id);
            *slot = block;
        }
        cr_assert(!err.set, "%s: %s", packs[i].name, err.text);
        cr_assert(blocks > 0 && blocks == reasons(packs[i].text), "%s: %zu blocks, %zu reasons",
                  packs[i].name, blocks, reasons(packs[i].text));
    }
    gg_map_free(&ids);
    gg_arena_free(&arena);
}

/* ---- Which are chosen ---- */

static bool applies(const char *pack, struct gg_frame *frames, size_t count)
{
    struct gg_frame *list[4];
    for (size_t i = 0; i < count; i++) {
        frames[i].id = (uint32_t)i * 5000;
        list[i] = &frames[i];
    }
    struct gg_stack stacks[] = {{.len = 1, .frames = list}, {.len = count, .frames = list}};
    struct gg_finding findings[] = {{.stacks = stacks, .stack_count = 1},
                                    {.stacks = stacks, .stack_count = 2}};
    struct gg_report report = {.findings = findings, .finding_count = 2};
    return gg_pack_applies(gg_pack_find(pack), &report);
}

Test(packs, apply_to_a_report_that_passes_their_objects)
{
    struct gg_frame frames[] = {{.object = "/usr/libexec/valgrind/vgpreload_memcheck.so"},
                                {.object = NULL, .symbol = "unknown"},
                                {.object = "/usr/lib/x86_64-linux-gnu/libglib-2.0.so.0.7400.6"}};
    cr_assert(applies("glib", frames, 3));
    cr_assert_not(applies("glib", frames, 2));
    cr_assert_not(applies("openssl", frames, 3));
    cr_assert_not(applies("glibc", frames, 3));
    frames[1].object = "/lib/x86_64-linux-gnu/libc.so.6";
    cr_assert(applies("glibc", frames, 2));
}

Test(packs, apply_to_programs_that_the_library_is_a_part_of)
{
    struct gg_frame frames[] = {
        {.object = "/home/me/program", .symbol = "malloc"},
        {.object = "/home/me/program", .symbol = "_ZN3std2rt10lang_start17h3ee0fbb8b7c9d5a1E"}};
    cr_assert(applies("rust", frames, 2));
    cr_assert_not(applies("rust", frames, 1));
    frames[1].symbol = "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal";
    cr_assert(applies("rust", frames, 2));
    frames[1].symbol = "main";
    cr_assert_not(applies("rust", frames, 2));
}

Test(packs, apply_to_nothing_in_an_empty_report)
{
    size_t count;
    const struct gg_pack *packs = gg_packs(&count);
    for (size_t i = 0; i < count; i++)
        cr_assert_not(gg_pack_applies(&packs[i], &(struct gg_report){0}));
}
