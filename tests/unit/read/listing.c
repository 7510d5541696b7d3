#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "read/listing.h"

static struct gg_arena arena;
static struct gg_listing listing;
static char *dir;

static void put(const char *name)
{
    FILE *file = fopen(gg_fs_join(&arena, dir, name), "w");
    cr_assert_not_null(file);
    fclose(file);
}

static void begin(void)
{
    struct gg_error err = {0};
    gg_arena_init(&arena);
    listing = (struct gg_listing){0};
    dir = gg_fs_temp_dir(&arena, &err);
    cr_assert(gg_fs_make_dirs(gg_fs_join(&arena, dir, "in/side"), &err));
    cr_assert(gg_fs_make_dirs(gg_fs_join(&arena, dir, "empty"), &err));
    put("b.xml");
    put("a.xml");
    put("notes.txt");
    put("in/side/c.xml");
}

static void end(void)
{
    gg_map_free(&listing.files);
    gg_fs_remove_tree(dir);
    gg_arena_free(&arena);
}

TestSuite(listing, .init = begin, .fini = end);

Test(listing, a_directory_stands_for_its_reports_in_order)
{
    gg_listing_add(&arena, &listing, gg_arena_printf(&arena, "%s/", dir));
    cr_assert_eq(listing.len, 3);
    cr_assert_str_eq(gg_fs_basename(listing.at[0].path), "a.xml");
    cr_assert_str_eq(gg_fs_basename(listing.at[1].path), "b.xml");
    cr_assert_str_eq(gg_fs_basename(listing.at[2].path), "c.xml");
    cr_assert_null(strstr(listing.at[0].path, "//"));
}

Test(listing, a_file_is_listed_once_whatever_its_name)
{
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "a.xml"));
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "in/../a.xml"));
    gg_listing_add(&arena, &listing, dir);
    gg_listing_add(&arena, &listing, dir);
    cr_assert_eq(listing.len, 3);
    for (size_t i = 0; i < listing.len; i++)
        cr_assert_null(listing.at[i].failure);
}

Test(listing, what_is_not_there_is_listed_with_its_failure)
{
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "none.xml"));
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "empty"));
    cr_assert_eq(listing.len, 2);
    cr_assert(strstr(listing.at[0].failure, "No such file"));
    cr_assert(strstr(listing.at[1].failure, "no report"));
}

Test(listing, links_are_followed_and_may_lead_back)
{
    cr_assert_eq(symlink("..", gg_fs_join(&arena, dir, "empty/up")), 0);
    cr_assert_eq(symlink("../a.xml", gg_fs_join(&arena, dir, "empty/d.xml")), 0);
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "empty"));
    cr_assert_eq(listing.len, 3, "a, b and c, each once");
    for (size_t i = 0; i < listing.len; i++)
        cr_assert_null(listing.at[i].failure);
}

Test(listing, what_may_be_a_report_and_cannot_be_looked_at_fails)
{
    cr_assert_eq(symlink("nowhere", gg_fs_join(&arena, dir, "empty/e.xml")), 0);
    cr_assert_eq(mkfifo(gg_fs_join(&arena, dir, "empty/f.xml"), 0600), 0);
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "empty"));
    cr_assert_eq(listing.len, 2);
    cr_assert(strstr(listing.at[0].failure, "No such file"));
    cr_assert(strstr(listing.at[1].failure, "regular file"));
}

Test(listing, no_depth_hides_a_report)
{
    struct gg_error err = {0};
    char *deep = dir;
    for (int i = 0; i < 80; i++)
        deep = gg_fs_join(&arena, deep, "d");
    cr_assert(gg_fs_make_dirs(deep, &err));
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "d"));
    cr_assert_eq(listing.len, 1);
    cr_assert(strstr(listing.at[0].failure, "too deep"));
}

Test(listing, standard_input_is_a_dash)
{
    gg_listing_add(&arena, &listing, "-");
    cr_assert_eq(listing.len, 1);
    cr_assert_str_eq(listing.at[0].path, "-");
    cr_assert_null(listing.at[0].failure);
}

Test(listing, a_kept_run_is_one_thing_with_all_that_is_in_it)
{
    put("in/side/run.json");
    listing.record = "run.json";
    gg_listing_add(&arena, &listing, dir);
    cr_assert_eq(listing.len, 3);
    cr_assert_str_eq(gg_fs_basename(listing.at[2].path), "side");
    cr_assert(listing.at[2].recorded);
    cr_assert_not(listing.at[0].recorded);
}

Test(listing, a_record_of_any_kind_makes_a_kept_run)
{
    struct gg_error err = {0};
    cr_assert_eq(mkfifo(gg_fs_join(&arena, dir, "in/run.json"), 0600), 0);
    cr_assert_eq(symlink("nowhere", gg_fs_join(&arena, dir, "in/side/run.json")), 0);
    cr_assert(gg_fs_make_dirs(gg_fs_join(&arena, dir, "empty/run.json"), &err));
    listing.record = "run.json";
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "in/side"));
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "in"));
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "empty"));
    cr_assert_eq(listing.len, 3);
    for (size_t i = 0; i < listing.len; i++)
        cr_expect(listing.at[i].recorded);
}

static bool is_side(const char *name)
{
    return strcmp(name, "side") == 0;
}

Test(listing, a_run_without_a_record_is_missing_and_its_reports_are_read)
{
    listing.record = "run.json";
    listing.is_run = is_side;
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "in"));
    cr_assert_eq(listing.len, 2);
    cr_expect_str_eq(listing.at[0].path, gg_fs_join(&arena, dir, "in/side"));
    cr_assert_not_null(listing.at[0].failure);
    cr_expect(strstr(listing.at[0].failure, "the record of this run is not there"));
    cr_expect_not(listing.at[0].recorded);
    cr_expect_str_eq(gg_fs_basename(listing.at[1].path), "c.xml");
    cr_expect_null(listing.at[1].failure);
}

Test(listing, a_run_without_anything_is_missing_by_any_name)
{
    cr_assert_eq(unlink(gg_fs_join(&arena, dir, "in/side/c.xml")), 0);
    listing.record = "run.json";
    listing.is_run = is_side;
    gg_listing_add(&arena, &listing, gg_fs_join(&arena, dir, "in/side/."));
    cr_assert_eq(listing.len, 1);
    cr_expect(strstr(listing.at[0].failure, "the record of this run is not there"));
}
