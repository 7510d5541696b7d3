/* The programs are built by the compiler of the tests; what they are says readelf -l. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/binary.h"

static struct gg_arena arena;
static char dir[] = "/tmp/gg-binary-XXXXXX";

static void begin(void)
{
    gg_arena_init(&arena);
    cr_assert_not_null(mkdtemp(dir));
}

static void end(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", dir);
    cr_assert_eq(system(command), 0);
    gg_arena_free(&arena);
}

TestSuite(binary, .init = begin, .fini = end);

static const char *path_of(const char *name)
{
    return gg_arena_printf(&arena, "%s/%s", dir, name);
}

static enum gg_binary kind_of(const char *name)
{
    const char *interpreter;
    return gg_binary_of(&arena, path_of(name), &interpreter);
}

/* false: this compiler cannot (no static C library). */
static bool compile(const char *flags, const char *name)
{
    char command[400];
    snprintf(command, sizeof command,
             "echo 'int main(void) { return 0; }' | cc -x c %s -o %s/%s - 2>/dev/null", flags, dir,
             name);
    return system(command) == 0;
}

Test(binary, programs_are_told_by_their_interpreter)
{
    cr_assert(compile("", "pie") && compile("-no-pie", "fixed"));
    cr_expect_eq(kind_of("pie"), GG_BINARY_DYNAMIC);
    cr_expect_eq(kind_of("fixed"), GG_BINARY_DYNAMIC);
    if (compile("-static", "static"))
        cr_expect_eq(kind_of("static"), GG_BINARY_STATIC);
    if (compile("-static-pie", "static-pie"))
        cr_expect_eq(kind_of("static-pie"), GG_BINARY_STATIC);
}

Test(binary, libraries_and_objects_are_no_programs)
{
    cr_assert(compile("-shared -fPIC", "lib.so") && compile("-c", "object.o"));
    cr_expect_eq(kind_of("lib.so"), GG_BINARY_UNKNOWN);
    cr_expect_eq(kind_of("object.o"), GG_BINARY_UNKNOWN);
}

static void write_file(const char *name, const char *text, size_t len)
{
    FILE *out = fopen(path_of(name), "w");
    cr_assert(out && fwrite(text, 1, len, out) == len && fclose(out) == 0);
}

Test(binary, scripts_name_their_interpreter)
{
    static const char *const rows[][2] = {{"#!/bin/sh\ntrue\n", "/bin/sh"},
                                          {"#! /bin/bash -e\n", "/bin/bash"},
                                          {"#!/usr/bin/env python3\n", "python3"},
                                          {"#!/usr/bin/env -S A=b bash -e\n", "bash"},
                                          {"#!/bin/sh", "/bin/sh"},
                                          {"#!", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *interpreter;
        write_file("script", rows[i][0], strlen(rows[i][0]));
        cr_expect_eq(gg_binary_of(&arena, path_of("script"), &interpreter), GG_BINARY_SCRIPT);
        cr_expect_str_eq(interpreter, rows[i][1]);
    }
}

Test(binary, what_cannot_be_read_is_unknown)
{
    cr_expect_eq(kind_of("nothing"), GG_BINARY_UNKNOWN);
    cr_expect_eq(kind_of("."), GG_BINARY_UNKNOWN);
    write_file("empty", "", 0);
    cr_expect_eq(kind_of("empty"), GG_BINARY_UNKNOWN);
    write_file("short", "\177ELF\2\1", 6);
    cr_expect_eq(kind_of("short"), GG_BINARY_UNKNOWN);
    cr_assert_eq(mkfifo(path_of("pipe"), 0600), 0);
    cr_expect_eq(kind_of("pipe"), GG_BINARY_UNKNOWN);
}

/* --- the build id ----------------------------------------------------------------------- */

static const char *id_of(const char *name)
{
    return gg_binary_build_id(&arena, path_of(name));
}

Test(binary, the_build_id_is_the_linker_s)
{
    cr_assert(compile("-Wl,--build-id=0x00ff10a2", "given") &&
              compile("-Wl,--build-id=0x01 -static", "fixed") &&
              compile("-Wl,--build-id=0xabcdef -shared -fPIC", "lib.so"));
    cr_expect_str_eq(id_of("given"), "00ff10a2");
    cr_expect_str_eq(id_of("fixed"), "01");
    cr_expect_str_eq(id_of("lib.so"), "abcdef");
}

Test(binary, the_usual_build_id_is_what_readelf_says)
{
    char command[200], said[200] = "";
    cr_assert(compile("-Wl,--build-id=sha1", "usual"));
    snprintf(command, sizeof command, "readelf -n %s/usual | sed -n 's/.*Build ID: //p'", dir);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe && fgets(said, sizeof said, pipe) && pclose(pipe) == 0);
    said[strcspn(said, "\n")] = '\0';
    cr_assert_eq(strlen(said), 40);
    cr_expect_str_eq(id_of("usual"), said);
}

Test(binary, a_program_of_32_bits_has_its_build_id_too)
{
    if (!compile("-m32 -nostdlib -Wl,--build-id=0x0badcafe -Wl,-e,main", "narrow"))
        cr_skip("this compiler builds no programs of 32 bits");
    cr_expect_str_eq(id_of("narrow"), "0badcafe");
}

Test(binary, others_have_no_build_id)
{
    cr_assert(compile("-Wl,--build-id=none", "none"));
    write_file("script", "#!/bin/sh\n", 10);
    cr_expect_null(id_of("none"));
    cr_expect_null(id_of("script"));
    cr_expect_null(id_of("nothing"));
    cr_expect_null(id_of("."));
    cr_assert_eq(mkfifo(path_of("pipe"), 0600), 0);
    cr_expect_null(id_of("pipe"));
}

/* A program that is cut anywhere, or whose tables point anywhere. */
Test(binary, damage_is_survived)
{
    char bytes[4096];
    cr_assert(compile("", "pie"));
    FILE *in = fopen(path_of("pie"), "r");
    cr_assert(in && fread(bytes, 1, sizeof bytes, in) == sizeof bytes && fclose(in) == 0);
    for (size_t len = 0; len < 1200; len += 7) {
        write_file("cut", bytes, len);
        kind_of("cut");
        gg_binary_build_id(&arena, path_of("cut"));
    }
    for (size_t at = 16; at < 64; at++) {
        char kept = bytes[at];
        bytes[at] = (char)0xff;
        write_file("odd", bytes, sizeof bytes);
        kind_of("odd");
        gg_binary_build_id(&arena, path_of("odd"));
        bytes[at] = kept;
    }
}
