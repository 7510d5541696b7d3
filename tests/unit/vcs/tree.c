#include <criterion/criterion.h>

#include "gitrepo.h"
#include "vcs/tree.h"

TestSuite(tree, .init = scratch_begin, .fini = scratch_end);

#define ID "12345678901234567890"

Test(tree, entries_are_taken_one_by_one)
{
    char raw[] = "100644 a.c\0" ID "40000 lib\0" ID;
    struct gg_str rest = gg_str_n(raw, sizeof raw - 1);
    struct gg_tree_entry entry;
    cr_assert(gg_tree_next(&rest, &entry));
    cr_assert_eq(entry.len, 3);
    cr_assert_str_eq(entry.name, "a.c");
    cr_assert_eq(entry.mode, 0100644);
    cr_assert(memcmp(entry.id.id, ID, 20) == 0);
    cr_assert(gg_tree_is_file(entry.mode) && !gg_tree_is_dir(entry.mode));
    cr_assert(gg_tree_next(&rest, &entry));
    cr_assert(gg_tree_is_dir(entry.mode));
    cr_assert_not(gg_tree_next(&rest, &entry));
    cr_assert_eq(rest.len, 0);
}

Test(tree, damaged_entries_are_no_entries)
{
    static const struct gg_str texts[] = {
        {"100644 a.c\0" ID, 30}, /* the id is cut */
        {"100644 a.c", 10},      /* no end of the name */
        {"100644", 6},           /* no name */
        {" a.c\0" ID, 25},       /* no mode */
        {"100644 \0" ID, 28},    /* an empty name */
        {"77777777 a\0" ID, 31}, /* no such mode */
        {"9 a\0" ID, 24},        /* not octal */
        {"100644a.c\0" ID, 30},  /* no blank */
    };
    struct gg_tree_entry entry;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct gg_str rest = texts[i];
        cr_assert_not(gg_tree_next(&rest, &entry), "%zu", i);
        cr_assert_eq(rest.len, texts[i].len);
    }
}

static git_repository *git;
static git_odb *odb;
static struct gg_objects objects;

static void open_objects(void)
{
    git_libgit2_init();
    cr_assert(git_repository_open(&git, scratch) == 0 && git_repository_odb(&odb, git) == 0);
    gg_objects_init(&objects, odb);
}

static void close_objects(void)
{
    gg_objects_free(&objects);
    git_odb_free(odb);
    git_repository_free(git);
    git_libgit2_shutdown();
}

static git_oid id_of(const char *revision)
{
    git_oid id;
    char command[256];
    snprintf(command, sizeof command, "git rev-parse '%s'", revision);
    cr_assert(git_oid_fromstrn(&id, output_of(command), 40) == 0);
    return id;
}

/* "x", "x.c" and "x/..." stand in this order in a tree; git diff-tree gives the same changes. */
Test(tree, the_delta_has_every_change_and_nothing_else)
{
    run("git init -q .; mkdir -p lib x; echo 1 > a; echo 1 > b; echo 1 > lib/c; echo 1 > x/y;"
        "echo 1 > x.c; git add .; git commit -qm 1;"
        "rm -r x; echo 2 > b; echo 1 > d; echo 1 > x; chmod +x a; git add -A; git commit -qm 2");
    open_objects();
    struct gg_tree_delta delta = {0};
    git_oid child = id_of("HEAD^{tree}"), parent = id_of("HEAD~^{tree}");
    cr_assert(gg_tree_delta_make(&delta, &objects, &child, &parent, &err), "%s", err.text);
    static const char *const keys[] = {"a", "b", "d", "x", "x"};
    cr_assert_eq(delta.count, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct gg_tree_entry *entry =
            delta.changes[i].child.name ? &delta.changes[i].child : &delta.changes[i].parent;
        cr_assert(strncmp(entry->name, keys[i], entry->len) == 0);
    }
    const struct gg_tree_change *file = gg_tree_delta_find(&delta, gg_str("x"), false);
    const struct gg_tree_change *dir = gg_tree_delta_find(&delta, gg_str("x"), true);
    cr_assert(file && file->child.name && !file->parent.name);
    cr_assert(dir && !dir->child.name && dir->parent.name);
    cr_assert_not(gg_tree_delta_find(&delta, gg_str("x.c"), false));
    cr_assert_not(gg_tree_delta_find(&delta, gg_str("lib"), true));
    cr_assert_eq(gg_tree_delta_find(&delta, gg_str("a"), false)->child.mode, 0100755);
    gg_tree_delta_free(&delta);
    close_objects();
}

Test(tree, lookup_goes_down_the_path)
{
    run("git init -q .; mkdir -p a/b; echo 1 > a/b/c; ln -s c a/b/link; git add .; git commit -qm "
        "1");
    open_objects();
    git_oid tree = id_of("HEAD^{tree}"), blob = id_of("HEAD:a/b/c");
    struct gg_tree_entry entry;
    cr_assert(gg_tree_lookup(&objects, &tree, "a/b/c", &entry, &err) && entry.name);
    cr_assert(gg_id_eq(&entry.id, &blob));
    cr_assert(gg_tree_lookup(&objects, &tree, "a/b", &entry, &err) && gg_tree_is_dir(entry.mode));
    cr_assert(gg_tree_lookup(&objects, &tree, "a/b/link", &entry, &err) && entry.name &&
              !gg_tree_is_file(entry.mode));
    static const char *const absent[] = {"b", "a/c", "a/b/c/d", "a/b/", ""};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        cr_assert(gg_tree_lookup(&objects, &tree, absent[i], &entry, &err) && !entry.name, "%s",
                  absent[i]);
    close_objects();
}
