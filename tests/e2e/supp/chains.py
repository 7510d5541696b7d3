"""A C program for a suppression file: for each block functions of the names that its fun: lines
allow, which call each other in that order, and the error of the block's kind in the innermost.

Where a block cannot be met so (objects of others, names that are no symbols, kinds that take more),
the chain comes as near as it can: a near miss is a test as well.
"""

import re

MOST = 12 # chains a file

# Errors by kind, in the words of `act` below.
ACTIONS = {"Cond": "COND", "Value0": "COND", "Value8": "VALUE", "Addr1": "READ1", "Addr2": "READ2",
           "Addr4": "READ4", "Addr8": "READ8", "Free": "FREE", "Overlap": "OVERLAP",
           "Param": "WRITE", "Leak": "LEAK"}
# Valgrind's own functions, innermost where the error is one of them.
REPLACED = {"LEAK": re.compile(r"malloc|calloc|realloc"), "FREE": re.compile(r"free"),
            "OVERLAP": re.compile(r"strncpy")}
# Names that a function of the program cannot have: valgrind or the linker would take it for theirs.
TAKEN = re.compile(r"^(malloc|calloc|realloc|free|memalign|posix_memalign|aligned_alloc|valloc|"
                   r"cfree|malloc_usable_size|main|_start|_init|_fini|_Zn\w*|_Zd[la]\w*|mem\w+|"
                   r"str\w+|"
                   r"__(mem|str)\w*|__builtin\w*|_?_?r?index|stpcpy|bcmp|act|steps|\.)$")

HEAD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum action { CALL, COND, VALUE, READ1, READ2, READ4, READ8, FREE, OVERLAP, WRITE, LEAK, CALLOC };
struct step { void (*run)(const struct step *); enum action action; };

static volatile int sink;
static volatile char table[256], text[64];
static unsigned char *unset, *gone;

__attribute__((always_inline)) static inline void act(const struct step *step)
{
    sink++;
    switch (step->action) {
    case CALL: step[1].run(step + 1); break;
    case COND: if (*unset & 1) sink++; break;
    case VALUE: sink = table[*unset]; break;
    case READ1: sink = *(volatile char *)gone; break;
    case READ2: sink = *(volatile short *)gone; break;
    case READ4: sink = *(volatile int *)gone; break;
    case READ8: sink = (int)*(volatile long *)gone; break;
    case FREE: free(gone); break;
    case OVERLAP: strncpy((char *)text + 2, (char *)text, (size_t)sink % 2 + 8); break;
    case WRITE: sink = (int)syscall(SYS_write, 1, unset, 8); break;
    case LEAK: sink = malloc(8) != NULL; break;
    case CALLOC: sink = calloc(1, 8) != NULL; break;
    }
    sink++;
}
#define FUNCTION(number, name) \
    __attribute__((noipa)) static void f##number(const struct step *step) __asm__(name); \
    static void f##number(const struct step *step) { act(step); }
"""

MAIN = r"""
int main(void)
{
    if (freopen("/dev/null", "w", stdout) == NULL)
        return 1;
    unset = malloc(8);
    gone = malloc(8);
    memset((char *)text, 'x', 60);
    free(gone);
"""


def blocks(text):
    """(kind, frame lines) of the blocks for memcheck."""
    lines = [line.strip() for line in text.decode("latin-1").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    while "{" in lines:
        lines = lines[lines.index("{") + 1:]
        end = lines.index("}") if "}" in lines else len(lines)
        tools, _, kind = (lines[1] if len(lines) > 1 else "").partition(":")
        frames = [line for line in lines[2:end] if re.match(r"fun:|obj:|src:|\.\.\.$", line)]
        if "Memcheck" in tools.split(",") and kind in ACTIONS and frames:
            yield kind, frames
        lines = lines[end:]


def named(dice, line):
    """A name that the line allows; None when no function of ours can have one."""
    if not line.startswith("fun:"):
        return f"any_{dice.randrange(9)}"
    name = re.sub(r"\*", lambda _: dice.choice(("", "q", "more")), line[4:]).replace("?", "q")
    return name if re.fullmatch(r"[A-Za-z_.$][\w.$]*", name) and not TAKEN.match(name) else None


def chain(dice, kind, lines):
    """Names from the innermost on, and the action; None when there is no way."""
    action = ACTIONS[kind]
    replaced = REPLACED.get(action)
    if replaced and lines[0].startswith("fun:"):
        pattern = re.escape(lines[0][4:]).replace(r"\*", ".*").replace(r"\?", ".")
        if not re.fullmatch(pattern, "malloc" if action == "LEAK" else replaced.pattern):
            if action != "LEAK" or not re.fullmatch(pattern, "calloc"):
                return None
            action = "CALLOC"
        lines = lines[1:]
    names = []
    for line in lines:
        if line in ("fun:main", "fun:(below main)"):
            break
        if line == "...":
            names += [f"skipped_{dice.randrange(9)}" for _ in range(dice.randrange(3))]
            continue
        name = named(dice, line)
        if name is None:
            return None
        names.append(name)
    return names[:18] or ["any_0"], action


def program(text, dice):
    """The source."""
    found = [chain(dice, kind, lines) for kind, lines in blocks(text)]
    found = [each for each in found if each] or [(["any_1", "any_0"], "COND")]
    if len(found) > MOST:
        found = dice.sample(found, MOST)
    functions = {}
    body = ""
    for number, (names, action) in enumerate(found):
        steps = []
        for at, name in enumerate(reversed(names)):
            what = action if at == len(names) - 1 else "CALL"
            steps.append(f"{{f{functions.setdefault(name, len(functions))}, {what}}}")
        body += (f"    static const struct step steps{number}[] = {{{', '.join(steps)}}};\n"
                 f"    steps{number}->run(steps{number});\n    sink++;\n")
    head = "".join(f'FUNCTION({number}, "{name}")\n' for name, number in functions.items())
    return HEAD + head + MAIN + body + "    free(unset);\n    return 0;\n}\n"
