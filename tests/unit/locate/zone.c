#include "locate/zone.h"

#include <criterion/criterion.h>

static enum gg_object kind(const char *object)
{
    return gg_zone_object(object, gg_str("/home/u/r"));
}

Test(zone, knows_objects_by_their_names)
{
    cr_expect_eq(kind("/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so"), GG_OBJECT_TOOL);
    cr_expect_eq(kind("/usr/lib/x86_64-linux-gnu/libc.so.6"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/lib/x86_64-linux-gnu/libc-2.31.so"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/lib/ld-musl-x86_64.so.1"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/opt/gcc-14/lib64/libstdc++.so.6.0.33"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/usr/lib/x86_64-linux-gnu/libgcc_s.so.1"), GG_OBJECT_RUNTIME);
    cr_expect_eq(kind("/usr/lib/x86_64-linux-gnu/libcurl.so.4"), GG_OBJECT_INSTALLED);
    cr_expect_eq(kind("/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0"), GG_OBJECT_INSTALLED);
    cr_expect_eq(kind("/home/u/.venv/lib/python3/site-packages/m.so"), GG_OBJECT_INSTALLED);
    cr_expect_eq(kind("/home/u/r/.venv/lib/python3/site-packages/m.so"), GG_OBJECT_INSTALLED);
    cr_expect_eq(kind("/home/u/r/build/libm.so"), GG_OBJECT_OWN);
    cr_expect_eq(kind("/home/u/rr/build/prog"), GG_OBJECT_OTHER);
    cr_expect_eq(kind("/tmp/librt.test"), GG_OBJECT_OTHER);
    cr_expect_eq(kind(NULL), GG_OBJECT_NONE);
    cr_expect_eq(gg_zone_object("/x/prog", gg_str("")), GG_OBJECT_OTHER);
}

Test(zone, knows_sources_of_the_runtime)
{
    cr_expect(gg_zone_runtime_source("/usr/include/c++/12/bits/stl_vector.h"));
    cr_expect(gg_zone_runtime_source("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
    cr_expect(gg_zone_runtime_source("/usr/include/x86_64-linux-gnu/bits/string_fortified.h"));
    cr_expect(gg_zone_runtime_source("sysdeps/x86_64/start.S"));
    cr_expect(gg_zone_runtime_source("/usr/src/debug/glibc-2.38/nptl/pthread_create.c"));
    cr_expect_not(gg_zone_runtime_source("/usr/include/glib-2.0/glib/gutils.h"));
    cr_expect_not(gg_zone_runtime_source("/home/u/r/src/bits/x.c"));
}

Test(zone, knows_what_runs_before_main)
{
    cr_expect(gg_zone_start("(below main)"));
    cr_expect(gg_zone_start("_start"));
    cr_expect(gg_zone_start("__libc_start_main@@GLIBC_2.34"));
    cr_expect_not(gg_zone_start("main"));
    cr_expect_not(gg_zone_start("_start_engine"));
    cr_expect_not(gg_zone_start(NULL));
}

Test(zone, is_below_at_whole_components)
{
    struct gg_str rest;
    cr_expect(gg_zone_below(gg_str("/r"), gg_str("/r/a/b"), &rest));
    cr_expect(gg_str_is(rest, "a/b"));
    cr_expect_not(gg_zone_below(gg_str("/r"), gg_str("/rr/a"), NULL));
    cr_expect_not(gg_zone_below(gg_str("/r"), gg_str("/r"), NULL));
    cr_expect_not(gg_zone_below(gg_str(""), gg_str("/r"), NULL));
}
