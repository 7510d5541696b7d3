/*
 * Reading: a report written by hand in a C string, and what the read stage makes of it.
 */
#ifndef GG_TESTS_READING_H
#define GG_TESTS_READING_H

#include "grindgate/error.h"
#include "model/collate.h"

struct reading {
    struct gg_arena arena;
    struct gg_atoms atoms;
    struct gg_collate *collate;
    struct gg_report report;
    char path[64];
    bool ok;
    struct gg_error err;
};

/* Reads the bytes as a file that is called "in.xml". */
void read_bytes(struct reading *reading, const char *bytes, size_t len);
void read_text(struct reading *reading, const char *text);

/* Reads a file that exists. */
void read_path(struct reading *reading, const char *path);

void reading_free(struct reading *reading);

/* The only note of this kind, or NULL. */
const struct gg_note *note_of(const struct reading *reading, const char *kind);

/* The finding of this kind; the test fails when there is not exactly one. */
const struct gg_finding *finding_of(const struct reading *reading, const char *kind);

/* `text` NULL: the stack has none. `function` is that of its innermost frame. */
void expect_stack(const struct gg_stack *stack, enum gg_role role, const char *text,
                  const char *function);

/* The parts of a report. */
#define DECLARATION "<?xml version=\"1.0\"?>\n\n"
#define ROOT "<valgrindoutput>\n\n"
#define PROCESS(pid, ppid)                                                                \
    "<protocolversion>4</protocolversion>\n<protocoltool>memcheck</protocoltool>\n\n"     \
    "<preamble>\n  <line>Memcheck, a memory error detector</line>\n"                      \
    "  <line>Copyright (C) 2002-2022, and GNU GPL'd, by Julian Seward et al.</line>\n"    \
    "  <line>Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info</line>\n" \
    "  <line>Command: ./prog a</line>\n</preamble>\n\n"                                   \
    "<pid>" pid "</pid>\n<ppid>" ppid "</ppid>\n<tool>memcheck</tool>\n\n"
#define ARGS_WITH(options)                                                                        \
    "<args>\n  <vargv>\n    <exe>/usr/bin/valgrind.bin</exe>\n    <arg>--xml=yes</arg>\n" options \
    "  </vargv>\n  <argv>\n    <exe>./prog</exe>\n    <arg>a</arg>\n  </argv>\n</args>\n\n"
#define ARGS ARGS_WITH("")
#define HEAD DECLARATION ROOT PROCESS("42", "41") ARGS
#define RUNNING "<status>\n  <state>RUNNING</state>\n  <time>00:00:00:00.256 </time>\n</status>\n\n"
#define FINISHED \
    "\n<status>\n  <state>FINISHED</state>\n  <time>00:00:00:01.595 </time>\n</status>\n\n"
#define COUNTS "<errorcounts>\n</errorcounts>\n\n<suppcounts>\n</suppcounts>\n\n"
#define END "</valgrindoutput>\n\n"
#define FRAME(fn, line)                                                                  \
    "    <frame>\n      <ip>0x10921C</ip>\n      <obj>/home/u/prog</obj>\n      <fn>" fn \
    "</fn>\n      <dir>/home/u/src</dir>\n      <file>prog.c</file>\n      <line>" line  \
    "</line>\n    </frame>\n"
#define STACK(fn, line) "  <stack>\n" FRAME(fn, line) "  </stack>\n"
#define ERROR_WITH(unique, kind, body)                                                       \
    "<error>\n  <unique>" unique "</unique>\n  <tid>1</tid>\n  <kind>" kind "</kind>\n" body \
    "</error>\n\n"
#define ERROR_AT(unique, line)                                                               \
    ERROR_WITH(                                                                              \
        unique, "UninitCondition",                                                           \
        "  <what>Conditional jump or move depends on uninitialised value(s)</what>\n" STACK( \
            "cond", line))

/* One error, all else in order. */
#define WHOLE(error) HEAD RUNNING error FINISHED COUNTS END

#endif
