#include "capture/words.h"

#include <string.h>

enum certainty {
    TOLD,       /* worth telling, nothing is missing */
    INCOMPLETE, /* a process was not checked, or not to its end */
    CLOSING     /* the same, unless it closes a paragraph that said why */
};

struct row {
    const char *mark; /* stands in the line */
    enum certainty certainty;
    bool quoted;         /* the line itself is told, too */
    const char *signal;  /* see gg_word */
    const char *meaning; /* one sentence, with what to do */
};

/* The first row that fits counts. The marks were read in the logs, and in the program itself, of
 * valgrind 3.19 to 3.27. */
static const struct row rows[] = {
    {"unhandled instruction bytes: 0x62", INCOMPLETE, false, "SIGILL",
     "the program was killed because valgrind cannot execute AVX-512 instructions: build it for "
     "the test with -march=x86-64-v3 or less"},
    {"unhandled instruction", INCOMPLETE, true, "SIGILL",
     "the program was killed because valgrind cannot execute one of its instructions: build it for "
     "the test for an older processor (-march=x86-64-v3 or less), or use a newer valgrind"},
    {"Stack overflow in thread", TOLD, false, NULL,
     "a thread's stack overflowed: look for a recursion without end; if it only needs more, allow "
     "that with ulimit -s or --valgrind-arg=--main-stacksize=BYTES"},
    {"to grow the stack for thread", TOLD, false, NULL,
     "a thread's stack could not grow: allow the test more memory (ulimit -v, the limit of the "
     "container)"},
    {"out of memory", INCOMPLETE, false, NULL,
     "valgrind ran out of memory: allow it more (ulimit -v, the limit of the container), run fewer "
     "tests side by side, or test with less data"},
    {"I'm not reporting any more", INCOMPLETE, false, NULL,
     "valgrind stopped reporting errors because there are too many: mend the first ones and run it "
     "again"},
    {"Possibly corrupted debuginfo", INCOMPLETE, false, NULL,
     "valgrind can't read debug info of the program or of a library: build it for the test without "
     "-gsplit-dwarf, and with -gdwarf-4, or use a newer valgrind"},
    {"Serious error when reading debug info", TOLD, false, NULL,
     "valgrind can't read debug info of the program or of a library, so errors in it may have no "
     "line: build it for the test with -gdwarf-4, or use a newer valgrind"},
    {"unhandled dwarf2 abbrev form code", TOLD, false, NULL,
     "valgrind can't read debug info of a part of the program, so functions that were inlined may "
     "have no names: build it for the test with -gdwarf-4, or use a newer valgrind"},
    {"a function redirection", INCOMPLETE, false, NULL,
     "valgrind cannot start here because symbols of the C library are missing: install them "
     "(libc6-dbg)"},
    {"Can't execute setuid/setgid/setcap", INCOMPLETE, false, NULL,
     "a program with setuid, setgid or capabilities was not run, for valgrind cannot: test a copy "
     "without them, or leave it alone (--valgrind-arg=--trace-children-skip=NAME)"},
    {"Cannot create XML file", INCOMPLETE, true, NULL, NULL},
    {"Cannot create log file", INCOMPLETE, true, NULL, NULL},
    {"into safe range, using stderr", INCOMPLETE, true, NULL, NULL},
    {"FATAL:", INCOMPLETE, true, NULL, NULL},
    {"Emulation fatal error", INCOMPLETE, true, NULL, NULL},
    {"Fatal error", INCOMPLETE, true, NULL, NULL},
    {"fatal error", INCOMPLETE, true, NULL, NULL},
    {"the 'impossible' happened", INCOMPLETE, true, NULL, NULL},
    {"Startup or configuration error", INCOMPLETE, true, NULL, NULL},
    {"Unable to start up properly", CLOSING, true, NULL, NULL},
    {"I can't recover", CLOSING, true, NULL, NULL},
    {"annot continue", CLOSING, true, NULL, NULL},
};

/* Without "==4711== " or "--4711-- ": no two runs have the same process number. */
static const char *without_pid(const char *line)
{
    const char *at = line;
    if (strncmp(at, "==", 2) != 0 && strncmp(at, "--", 2) != 0)
        return line;
    char mark = *at;
    at += 2;
    at += strspn(at, "0123456789");
    if (at[0] != mark || at[1] != mark)
        return line;
    return at + 2 + strspn(at + 2, " ");
}

static const struct row *find(const char *line)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strstr(line, rows[i].mark))
            return &rows[i];
    }
    return NULL;
}

bool gg_word_of(struct gg_arena *arena, const char *line, bool further, struct gg_word *word)
{
    const struct row *row = find(line);
    if (!row || (row->certainty == CLOSING && further))
        return false;
    const char *meaning =
        row->meaning ? row->meaning : "a process was not checked, or not to its end";
    *word = (struct gg_word){.kind = row->meaning ? "diagnosis" : "not-checked",
                             .text = row->quoted ? gg_arena_printf(arena, "%s; valgrind said: %s",
                                                                   meaning, without_pid(line))
                                                 : meaning,
                             .signal = row->signal,
                             .incomplete = row->certainty != TOLD};
    return true;
}
