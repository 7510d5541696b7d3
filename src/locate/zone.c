#include "locate/zone.h"
#include "base/fs.h"

#include <string.h>

bool gg_zone_below(struct gg_str dir, struct gg_str path, struct gg_str *rest)
{
    if (dir.len == 0 || path.len <= dir.len || path.ptr[dir.len] != '/' ||
        !gg_str_eq(dir, gg_str_n(path.ptr, dir.len)))
        return false;
    if (rest)
        *rest = gg_str_n(path.ptr + dir.len + 1, path.len - dir.len - 1);
    return true;
}

/* Installed by a package manager of a language, often below the work tree. */
static bool is_packaged(struct gg_str path)
{
    return gg_str_find(path, "/site-packages/") != SIZE_MAX ||
           gg_str_find(path, "/dist-packages/") != SIZE_MAX ||
           gg_str_find(path, "/node_modules/") != SIZE_MAX;
}

bool gg_zone_installed(struct gg_str path)
{
    static const char *const dirs[] = {
        "/usr/include",     "/usr/lib",       "/usr/lib32",     "/usr/lib64",
        "/usr/libx32",      "/usr/libexec",   "/usr/bin",       "/usr/sbin",
        "/usr/share",       "/usr/local/lib", "/usr/local/bin", "/usr/local/include",
        "/usr/local/lib64", "/lib",           "/lib32",         "/lib64",
        "/libx32",          "/bin",           "/sbin",          "/opt",
        "/nix/store",       "/gnu/store"};
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        if (gg_zone_below(gg_str(dirs[i]), path, NULL))
            return true;
    }
    return is_packaged(path);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "libc" is the name of libc.so.6, libc-2.31.so and libc.musl-x86_64.so.1, not of libcurl.so. */
static bool is_library(const char *base, const char *name)
{
    if (!starts(base, name))
        return false;
    const char *rest = base + strlen(name);
    return starts(rest, ".so") || starts(rest, ".musl-") ||
           (rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9');
}

static bool is_runtime(const char *base)
{
    static const char *const libraries[] = {"libc",
                                            "libpthread",
                                            "libm",
                                            "libmvec",
                                            "libdl",
                                            "librt",
                                            "libresolv",
                                            "libutil",
                                            "libnsl",
                                            "libanl",
                                            "libnss_files",
                                            "libnss_dns",
                                            "libnss_compat",
                                            "libthread_db",
                                            "libcrypt",
                                            "libc_malloc_debug",
                                            "libBrokenLocale",
                                            "libstdc++",
                                            "libgcc_s",
                                            "libc++",
                                            "libc++abi",
                                            "libunwind",
                                            "libgomp",
                                            "libatomic",
                                            "libquadmath",
                                            "libgfortran",
                                            "libssp",
                                            "libitm",
                                            "libasan",
                                            "libtsan",
                                            "libubsan",
                                            "liblsan"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (is_library(base, libraries[i]))
            return true;
    }
    return is_library(base, "ld") || starts(base, "ld-linux") || starts(base, "ld-musl") ||
           starts(base, "ld64.so");
}

enum gg_object gg_zone_object(const char *object, struct gg_str root)
{
    if (!object)
        return GG_OBJECT_NONE;
    const char *base = gg_fs_basename(object);
    if (starts(base, "vgpreload_"))
        return GG_OBJECT_TOOL;
    if (gg_zone_below(root, gg_str(object), NULL) && !is_packaged(gg_str(object)))
        return GG_OBJECT_OWN;
    if (is_runtime(base))
        return GG_OBJECT_RUNTIME;
    return gg_zone_installed(gg_str(object)) ? GG_OBJECT_INSTALLED : GG_OBJECT_OTHER;
}

bool gg_zone_runtime_source(const char *path)
{
    /* /usr/include/c++/12/bits/stl_vector.h, /usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h,
     * ../sysdeps/x86_64/start.S, /usr/src/debug/glibc-2.38/nptl/pthread_create.c */
    static const char *const parts[] = {"/include/c++/", "/lib/gcc/", "/libstdc++-v3/", "/libgcc/",
                                        "/sysdeps/",     "/glibc-2.", "/include/bits/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(path, parts[i]) || starts(path, parts[i] + 1))
            return true;
    }
    /* /usr/include/x86_64-linux-gnu/bits/string_fortified.h */
    return starts(path, "/usr/include/") && strstr(path, "/bits/");
}

bool gg_zone_start(const char *function)
{
    return function && (strcmp(function, "(below main)") == 0 || strcmp(function, "_start") == 0 ||
                        starts(function, "__libc_start_main") ||
                        strcmp(function, "__libc_start_call_main") == 0);
}
