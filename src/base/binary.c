#include "base/binary.h"

#include "base/str.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 512, SEGMENTS_MOST = 256, DYNAMIC_MOST = 4096 /* entries that are looked at */ };

#ifndef DF_1_PIE
#define DF_1_PIE 0x08000000
#endif

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
    return at <= INT64_MAX && pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

/* A shared library has no interpreter either, and the loader is one; what is a program says so
 * itself. */
static bool claims_to_be_program(int fd, uint64_t at, uint64_t size, bool wide)
{
    size_t entry = wide ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);
    for (uint64_t i = 0; i < size / entry && i < DYNAMIC_MOST; i++) {
        Elf64_Dyn dynamic;
        Elf32_Dyn narrow;
        if (wide ? !read_at(fd, &dynamic, sizeof dynamic, at + i * entry)
                 : !read_at(fd, &narrow, sizeof narrow, at + i * entry))
            return false;
        if (!wide)
            dynamic = (Elf64_Dyn){.d_tag = narrow.d_tag, .d_un.d_val = narrow.d_un.d_val};
        if (dynamic.d_tag == DT_NULL)
            return false;
        if (dynamic.d_tag == DT_FLAGS_1)
            return dynamic.d_un.d_val & DF_1_PIE;
    }
    return false;
}

static enum gg_binary look(int fd, const Elf64_Ehdr *header, bool wide)
{
    bool program = header->e_type == ET_EXEC;
    if ((!program && header->e_type != ET_DYN) || header->e_phnum > SEGMENTS_MOST)
        return GG_BINARY_UNKNOWN;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        uint64_t at = header->e_phoff + (uint64_t)i * header->e_phentsize;
        Elf64_Phdr segment;
        Elf32_Phdr narrow;
        if (wide ? !read_at(fd, &segment, sizeof segment, at)
                 : !read_at(fd, &narrow, sizeof narrow, at))
            return GG_BINARY_UNKNOWN;
        if (!wide)
            segment = (Elf64_Phdr){
                .p_type = narrow.p_type, .p_offset = narrow.p_offset, .p_filesz = narrow.p_filesz};
        if (segment.p_type == PT_INTERP)
            return GG_BINARY_DYNAMIC;
        if (segment.p_type == PT_DYNAMIC)
            program = program || claims_to_be_program(fd, segment.p_offset, segment.p_filesz, wide);
    }
    return program ? GG_BINARY_STATIC : GG_BINARY_UNKNOWN;
}

/* Only programs of this machine's byte order: valgrind runs no others. */
static enum gg_binary look_at_elf(int fd)
{
    static const uint16_t one = 1;
    const unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
    Elf64_Ehdr header;
    Elf32_Ehdr narrow;
    if (!read_at(fd, &narrow, sizeof narrow, 0) || narrow.e_ident[EI_DATA] != order)
        return GG_BINARY_UNKNOWN;
    if (narrow.e_ident[EI_CLASS] == ELFCLASS64)
        return read_at(fd, &header, sizeof header, 0) ? look(fd, &header, true) : GG_BINARY_UNKNOWN;
    header = (Elf64_Ehdr){.e_type = narrow.e_type,
                          .e_phoff = narrow.e_phoff,
                          .e_phentsize = narrow.e_phentsize,
                          .e_phnum = narrow.e_phnum};
    return look(fd, &header, false);
}

/* "#! /usr/bin/env -S bash -e": what is run is bash. */
static const char *script_interpreter(struct gg_arena *arena, struct gg_str head)
{
    struct gg_str line, word = {0}, rest;
    gg_str_line(&head, &line);
    rest = gg_str_trim(gg_str_n(line.ptr + 2, line.len - 2));
    bool env = false;
    while (rest.len) {
        gg_str_cut(rest, ' ', &word, &rest);
        rest = gg_str_trim(rest);
        if (gg_str_ends(word, "/env"))
            env = true;
        else if (!env || (word.ptr[0] != '-' && !memchr(word.ptr, '=', word.len)))
            break;
    }
    return gg_arena_strndup(arena, word.ptr, word.len);
}

enum gg_binary gg_binary_of(struct gg_arena *arena, const char *path, const char **interpreter)
{
    char head[HEAD];
    struct stat st;
    *interpreter = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return GG_BINARY_UNKNOWN;
    ssize_t n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? pread(fd, head, sizeof head, 0) : -1;
    struct gg_str text = gg_str_n(head, n > 0 ? (size_t)n : 0);
    enum gg_binary binary = GG_BINARY_UNKNOWN;
    if (gg_str_starts(text, "#!")) {
        *interpreter = script_interpreter(arena, text);
        binary = GG_BINARY_SCRIPT;
    } else if (gg_str_starts(text, ELFMAG)) {
        binary = look_at_elf(fd);
    }
    close(fd);
    return binary;
}
