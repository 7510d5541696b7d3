#include "base/binary.h"

#include "base/str.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD = 512,
    SEGMENTS_MOST = 256,
    DYNAMIC_MOST = 4096, /* entries that are looked at */
    NOTES_MOST = 256,    /* of a segment */
    ID_MOST = 64         /* bytes; the usual one has 20 */
};

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

/* Its header as that of a wide one. */
struct elf {
    int fd;
    bool wide;
    Elf64_Ehdr header;
};

/* Only programs of this machine's byte order: valgrind runs no others. */
static bool read_header(int fd, struct elf *elf)
{
    static const uint16_t one = 1;
    const unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
    Elf32_Ehdr narrow;
    *elf = (struct elf){.fd = fd};
    if (!read_at(fd, &narrow, sizeof narrow, 0) || memcmp(narrow.e_ident, ELFMAG, SELFMAG) != 0 ||
        narrow.e_ident[EI_DATA] != order)
        return false;
    elf->wide = narrow.e_ident[EI_CLASS] == ELFCLASS64;
    if (elf->wide)
        return read_at(fd, &elf->header, sizeof elf->header, 0);
    elf->header = (Elf64_Ehdr){.e_type = narrow.e_type,
                               .e_phoff = narrow.e_phoff,
                               .e_phentsize = narrow.e_phentsize,
                               .e_phnum = narrow.e_phnum};
    return true;
}

static bool read_segment(const struct elf *elf, unsigned index, Elf64_Phdr *segment)
{
    uint64_t at = elf->header.e_phoff + (uint64_t)index * elf->header.e_phentsize;
    Elf32_Phdr narrow;
    if (elf->wide)
        return read_at(elf->fd, segment, sizeof *segment, at);
    if (!read_at(elf->fd, &narrow, sizeof narrow, at))
        return false;
    *segment = (Elf64_Phdr){.p_type = narrow.p_type,
                            .p_offset = narrow.p_offset,
                            .p_filesz = narrow.p_filesz,
                            .p_align = narrow.p_align};
    return true;
}

static enum gg_binary look_at_elf(int fd)
{
    struct elf elf;
    if (!read_header(fd, &elf))
        return GG_BINARY_UNKNOWN;
    bool program = elf.header.e_type == ET_EXEC;
    if ((!program && elf.header.e_type != ET_DYN) || elf.header.e_phnum > SEGMENTS_MOST)
        return GG_BINARY_UNKNOWN;
    for (unsigned i = 0; i < elf.header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (!read_segment(&elf, i, &segment))
            return GG_BINARY_UNKNOWN;
        if (segment.p_type == PT_INTERP)
            return GG_BINARY_DYNAMIC;
        if (segment.p_type == PT_DYNAMIC)
            program =
                program || claims_to_be_program(fd, segment.p_offset, segment.p_filesz, elf.wide);
    }
    return program ? GG_BINARY_STATIC : GG_BINARY_UNKNOWN;
}

/* --- the build id ----------------------------------------------------------------------- */

/* What follows a note, or its name, begins at the next multiple of the segment's alignment. */
static uint64_t aligned(uint64_t size, const Elf64_Phdr *segment)
{
    uint64_t unit = segment->p_align == 8 ? 8 : 4;
    return (size + unit - 1) / unit * unit;
}

static const char *hex_at(struct gg_arena *arena, int fd, size_t size, uint64_t at)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char id[ID_MOST];
    if (!size || size > sizeof id || !read_at(fd, id, size, at))
        return NULL;
    char *hex = gg_arena_alloc(arena, 2 * size + 1);
    for (size_t i = 0; i < size; i++) {
        hex[2 * i] = digits[id[i] >> 4];
        hex[2 * i + 1] = digits[id[i] & 15];
    }
    return hex;
}

static const char *find_id(struct gg_arena *arena, int fd, const Elf64_Phdr *segment)
{
    uint64_t at = 0;
    for (unsigned i = 0; i < NOTES_MOST && at < segment->p_filesz; i++) {
        Elf64_Nhdr note; /* the same in a narrow file */
        char name[sizeof ELF_NOTE_GNU];
        uint64_t from = segment->p_offset + at;
        if (!read_at(fd, &note, sizeof note, from))
            return NULL;
        uint64_t text = aligned(sizeof note + (uint64_t)note.n_namesz, segment);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name &&
            read_at(fd, name, sizeof name, from + sizeof note) &&
            memcmp(name, ELF_NOTE_GNU, sizeof name) == 0)
            return hex_at(arena, fd, note.n_descsz, from + text);
        at += aligned(text + note.n_descsz, segment);
    }
    return NULL;
}

const char *gg_binary_build_id(struct gg_arena *arena, const char *path)
{
    struct elf elf;
    const char *id = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    if (read_header(fd, &elf) && elf.header.e_phnum <= SEGMENTS_MOST) {
        for (unsigned i = 0; i < elf.header.e_phnum && !id; i++) {
            Elf64_Phdr segment;
            if (read_segment(&elf, i, &segment) && segment.p_type == PT_NOTE)
                id = find_id(arena, fd, &segment);
        }
    }
    close(fd);
    return id;
}

/* --- scripts ---------------------------------------------------------------------------- */

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
