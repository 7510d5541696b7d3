#include "gitrepo.h"
#include "vcs/objects.h"

static git_repository *git;
static git_odb *odb;
static struct gg_objects objects;

static void begin(void)
{
    scratch_begin();
    run("git init -q .; echo one > f; git add f; git commit -qm 1");
    git_libgit2_init();
    cr_assert(git_repository_open(&git, ".") == 0 && git_repository_odb(&odb, git) == 0);
    gg_objects_init(&objects, odb);
}

static void end(void)
{
    gg_objects_free(&objects);
    git_odb_free(odb);
    git_repository_free(git);
    git_libgit2_shutdown();
    scratch_end();
}

TestSuite(objects, .init = begin, .fini = end);

static git_oid id_of(const char *command)
{
    git_oid id;
    cr_assert(git_oid_fromstrn(&id, output_of(command), 40) == 0);
    return id;
}

Test(objects, what_is_read_stays_good_until_it_is_released)
{
    git_oid blob = id_of("git rev-parse HEAD:f");
    struct gg_object first, second;
    cr_assert(gg_objects_read(&objects, &blob, GIT_OBJECT_BLOB, &first, &err), "%s", err.text);
    cr_assert(gg_objects_read(&objects, &blob, GIT_OBJECT_BLOB, &second, &err));
    cr_assert_eq(first.text.ptr, second.text.ptr, "kept, not read again");
    gg_object_release(&first);
    gg_objects_free(&objects);
    cr_assert(gg_str_is(second.text, "one\n"));
    gg_object_release(&second);
}

Test(objects, memory_is_bounded)
{
    char command[128];
    size_t least = 0;
    for (int i = 0; i < 60; i++) {
        struct gg_object object;
        snprintf(command, sizeof command,
                 "head -c 1000000 /dev/zero | tr '\\0' '\\%o' | "
                 "git hash-object -w --stdin",
                 64 + i);
        git_oid id = id_of(command);
        cr_assert(gg_objects_read(&objects, &id, GIT_OBJECT_BLOB, &object, &err), "%s", err.text);
        gg_object_release(&object);
        least = objects.young.bytes + objects.old.bytes;
        cr_assert_leq(least, 32u << 20);
    }
    cr_assert_geq(least, 16u << 20);
}

Test(objects, the_wrong_type_is_an_error)
{
    git_oid tree = id_of("git rev-parse HEAD^{tree}");
    struct gg_object object;
    size_t size;
    cr_assert_not(gg_objects_read(&objects, &tree, GIT_OBJECT_BLOB, &object, &err));
    cr_assert(strstr(err.text, "is a tree where a blob belongs"));
    err.set = false;
    cr_assert_not(gg_objects_size(&objects, &tree, &size, &err));
    err.set = false;
    cr_assert(gg_objects_read(&objects, &tree, GIT_OBJECT_TREE, &object, &err));
    gg_object_release(&object);
    cr_assert_not(gg_objects_read(&objects, &tree, GIT_OBJECT_BLOB, &object, &err),
                  "also when it is kept");
}

Test(objects, a_pretended_blob)
{
    git_oid id;
    struct gg_object object;
    git_oid_fromstrn(&id, "0123456789012345678901234567890123456789", 40);
    cr_assert_not(gg_objects_read(&objects, &id, GIT_OBJECT_BLOB, &object, &err));
    cr_assert(strstr(err.text, "0123456789012345678901234567890123456789 is missing"));
    objects.pretended = id;
    objects.pretended_text = gg_str("text");
    cr_assert(gg_objects_read(&objects, &id, GIT_OBJECT_BLOB, &object, &err));
    cr_assert(gg_str_is(object.text, "text"));
    gg_object_release(&object);
}

Test(objects, a_damaged_object)
{
    git_oid blob = id_of("git rev-parse HEAD:f");
    struct gg_object object;
    run("f=$(git rev-parse HEAD:f | sed 's,^..,.git/objects/&/,'); chmod +w $f; echo junk > $f");
    cr_assert_not(gg_objects_read(&objects, &blob, GIT_OBJECT_BLOB, &object, &err));
    cr_assert(strstr(err.text, "cannot be read: "), "%s", err.text);
    cr_assert(strstr(err.text, "; run git fsck"), "%s", err.text);
}
