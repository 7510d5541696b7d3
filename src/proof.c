#define _GNU_SOURCE /* dl_iterate_phdr */
#include "proof.h"

#include "base/fs.h"
#include "canary.h"
#include "capture/record.h"

#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SUPPRESSIONS_LIMIT = 64 << 20, PROOF_LIMIT = 4096, NOTE_BUILD_ID = 3 };

/* --- the key ---------------------------------------------------------------------------- */

struct hash {
    SHA2_CTX context;
    struct gg_arena *arena;
};

/* The NUL behind each piece keeps two from looking like two others. */
static void add_bytes(struct hash *hash, const void *bytes, size_t len)
{
    SHA256Update(&hash->context, bytes, len);
    SHA256Update(&hash->context, (const uint8_t *)"", 1);
}

static void add(struct hash *hash, const char *text)
{
    add_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

static void add_list(struct hash *hash, const char *name, const char *const *list)
{
    add(hash, name);
    for (; list && *list; list++)
        add(hash, *list);
}

static void add_identity(struct hash *hash, const char *program)
{
    struct gg_identity identity;
    gg_identity_take(hash->arena, program, &identity);
    add(hash, gg_arena_printf(
                  hash->arena, "%s %" PRId64 " %" PRId64, identity.path ? identity.path : program,
                  identity.path ? identity.size : -1, identity.path ? identity.mtime : -1));
}

/* valgrind only starts when it finds the symbols of the loader, which distributions strip off and
 * package apart: /usr/lib/debug/.build-id/5d/4d5f...debug. */
static void add_debug_file(struct hash *hash, const unsigned char *id, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char *hex = gg_arena_alloc(hash->arena, 2 * len + 2), *at = hex;
    for (size_t i = 0; i < len; i++) {
        *at++ = digits[id[i] >> 4];
        *at++ = digits[id[i] & 15];
        if (i == 0)
            *at++ = '/';
    }
    add_identity(hash, gg_arena_printf(hash->arena, "/usr/lib/debug/.build-id/%s.debug", hex));
}

static void add_notes(struct hash *hash, const unsigned char *at, size_t len)
{
    ElfW(Nhdr) head;
    while (len >= sizeof head) {
        memcpy(&head, at, sizeof head);
        size_t name = (head.n_namesz + (size_t)3) & ~(size_t)3;
        size_t description = (head.n_descsz + (size_t)3) & ~(size_t)3;
        if (name > len - sizeof head || description > len - sizeof head - name)
            return;
        if (head.n_type == NOTE_BUILD_ID && head.n_namesz == 4 &&
            memcmp(at + sizeof head, "GNU", 4) == 0)
            add_debug_file(hash, at + sizeof head + name, head.n_descsz);
        at += sizeof head + name + description;
        len -= sizeof head + name + description;
    }
}

/* The loader and the C library are those the canary is run with, and this program, too. */
static int add_object(struct dl_phdr_info *info, size_t size, void *self)
{
    (void)size;
    struct hash *hash = self;
    const char *name = gg_fs_basename(info->dlpi_name ? info->dlpi_name : "");
    if (strncmp(name, "ld", 2) != 0 && strncmp(name, "libc.", 5) != 0)
        return 0;
    add_identity(hash, info->dlpi_name);
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_NOTE)
            add_notes(hash, (const unsigned char *)(info->dlpi_addr + part->p_vaddr),
                      part->p_memsz);
    }
    return 0;
}

static void add_machine(struct hash *hash)
{
    static const char *const variables[] = {
        "LD_PRELOAD",   "LD_LIBRARY_PATH", "LD_AUDIT",         "GLIBC_TUNABLES",
        "VALGRIND_LIB", "DEBUGINFOD_URLS", "VALGRIND_LAUNCHER"};
    struct utsname machine;
    if (uname(&machine) == 0) {
        add(hash, machine.machine);
        add(hash, machine.release);
    }
    dl_iterate_phdr(add_object, hash);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        add(hash, getenv(variables[i]));
}

static void add_file(struct hash *hash, const char *path)
{
    struct gg_str text = {0};
    struct gg_error unread = {0}; /* whoever needs it says so */
    add(hash, path);
    if (gg_fs_read(hash->arena, path, SUPPRESSIONS_LIMIT, &text, &unread))
        add_bytes(hash, text.ptr, text.len);
}

static void add_rules(struct hash *hash, const char *name, const char *const *paths)
{
    add(hash, name);
    for (; paths && *paths; paths++)
        add_file(hash, *paths);
}

static void add_configuration(struct hash *hash, const struct gg_options *options)
{
    static const char suppressions[] = "--suppressions=";
    add_list(hash, "arguments", options->valgrind_args);
    for (const char *const *arg = options->valgrind_args; arg && *arg; arg++) {
        if (strncmp(*arg, suppressions, strlen(suppressions)) == 0)
            add_file(hash, *arg + strlen(suppressions));
    }
    add_list(hash, "wrappers", options->wrappers);
    add_list(hash, "packs", options->packs);
    add_rules(hash, "rules", options->rules);
    add_rules(hash, "suppressions", options->suppressions);
    /* What a rule hides may depend on the day and the branch. */
    if (options->rules || options->suppressions) {
        add(hash, gg_arena_printf(hash->arena, "%" PRId64, options->today));
        add(hash, options->branch);
    }
}

const char *gg_proof_key(struct gg_arena *arena, const struct gg_options *options,
                         const char *version)
{
    struct hash hash = {.arena = arena};
    SHA256Init(&hash.context);
    add(&hash, GG_VERSION);
    add_bytes(&hash, gg_canary_program, gg_canary_program_len);
    add_bytes(&hash, gg_canary_source, gg_canary_source_len);
    add_identity(&hash, options->valgrind);
    add(&hash, version);
    add_machine(&hash);
    add_configuration(&hash, options);
    char *hex = gg_arena_alloc(arena, SHA256_DIGEST_STRING_LENGTH);
    return SHA256End(&hash.context, hex);
}

/* --- the cache -------------------------------------------------------------------------- */

static const char *parent_directory(struct gg_arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return cache;
    return home && home[0] == '/' ? gg_fs_join(arena, home, ".cache") : NULL;
}

static bool is_ours_alone(const struct stat *st)
{
    return st->st_uid == geteuid() && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The directory with its links resolved; NULL when there is none, or others can write to it. */
static const char *find_directory(struct gg_arena *arena)
{
    const char *parent = parent_directory(arena);
    const char *path = parent ? gg_fs_real(arena, gg_fs_join(arena, parent, "grindgate")) : NULL;
    struct stat st;
    bool usable = path && stat(path, &st) == 0 && S_ISDIR(st.st_mode) && is_ours_alone(&st);
    return usable ? path : NULL;
}

static void make_directory(struct gg_arena *arena)
{
    const char *parent = parent_directory(arena);
    struct gg_error err = {0};
    if (parent && gg_fs_make_dirs(parent, &err))
        (void)mkdir(gg_fs_join(arena, parent, "grindgate"), 0700);
}

static const char *file_of(struct gg_arena *arena, const char *directory, const char *key)
{
    return gg_arena_printf(arena, "%s/proof-%.32s", directory, key);
}

static const char *content_of(struct gg_arena *arena, const char *key)
{
    return gg_arena_printf(arena, "grindgate proof 1\n%s\n", key);
}

static bool is_below(const char *path, const char *directory)
{
    size_t len = directory ? strlen(directory) : 0;
    return len && strncmp(path, directory, len) == 0 &&
           (path[len] == '/' || directory[len - 1] == '/');
}

/* Asked of what is open, which nobody can exchange for something else in between. */
static bool holds(int fd, const char *content)
{
    char text[PROOF_LIMIT];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !is_ours_alone(&st))
        return false;
    ssize_t len = read(fd, text, sizeof text);
    return len >= 0 && gg_str_is(gg_str_n(text, (size_t)len), content);
}

bool gg_proof_known(struct gg_arena *arena, const char *key, const char *worktree)
{
    const char *directory = find_directory(arena);
    if (!directory || is_below(directory, worktree))
        return false;
    int fd = open(file_of(arena, directory, key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool known = fd >= 0 && holds(fd, content_of(arena, key));
    if (fd >= 0)
        close(fd);
    return known;
}

/* Written beside it and put in its place: whatever is there by that name, a link or a pipe, is
 * replaced itself, and neither followed nor opened. */
void gg_proof_remember(struct gg_arena *arena, const char *key)
{
    make_directory(arena);
    const char *directory = find_directory(arena);
    if (!directory)
        return;
    const char *path = file_of(arena, directory, key), *content = content_of(arena, key);
    char *temporary = gg_arena_printf(arena, "%s.XXXXXX", path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return;
    bool whole =
        fchmod(fd, 0600) == 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content);
    whole = close(fd) == 0 && whole;
    if (!whole || rename(temporary, path) != 0)
        (void)unlink(temporary);
}

void gg_proof_forget(struct gg_arena *arena, const char *key)
{
    const char *directory = find_directory(arena);
    if (directory)
        (void)unlink(file_of(arena, directory, key));
}
