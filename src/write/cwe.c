#include "write/cwe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct gg_cwe gg_cwe_table[] = {
    {119, "Improper Restriction of Operations within the Bounds of a Memory Buffer", "8.8"},
    {121, "Stack-based Buffer Overflow", "9.1"},
    {122, "Heap-based Buffer Overflow", "9.3"},
    {124, "Buffer Underwrite ('Buffer Underflow')", "9.3"},
    {125, "Out-of-bounds Read", "8.8"},
    {126, "Buffer Over-read", "8.8"},
    {127, "Buffer Under-read", "8.8"},
    {195, "Signed to Unsigned Conversion Error", NULL},
    {362,
     "Concurrent Execution using Shared Resource with Improper Synchronization "
     "('Race Condition')",
     NULL},
    {401, "Missing Release of Memory after Effective Lifetime", NULL},
    {415, "Double Free", "9.3"},
    {416, "Use After Free", "8.8"},
    {457, "Use of Uninitialized Variable", "7.8"},
    {475, "Undefined Behavior for Input to API", NULL},
    {476, "NULL Pointer Dereference", "7.5"},
    {590, "Free of Memory not on the Heap", "8.8"},
    {628, "Function Call with Incorrectly Specified Arguments", NULL},
    {662, "Improper Synchronization", NULL},
    {667, "Improper Locking", NULL},
    {687, "Function Call With Incorrectly Specified Argument Value", NULL},
    {758, "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior", NULL},
    {761, "Free of Pointer not at Start of Buffer", "8.8"},
    {762, "Mismatched Memory Management Routines", NULL},
    {763, "Release of Invalid Pointer or Reference", "8.8"},
    {775, "Missing Release of File Descriptor or Handle after Effective Lifetime", NULL},
    {787, "Out-of-bounds Write", "9.3"},
    {832, "Unlock of a Resource that is not Locked", NULL},
    {833, "Deadlock", NULL},
    {908, "Use of Uninitialized Resource", "7.8"},
    {910, "Use of Expired File Descriptor", NULL},
    {1341, "Multiple Releases of Same Resource or Handle", NULL},
    {0, NULL, NULL},
};

/* A phrase of the report's sentences about an address, and what it makes of an access or a free.
 *     Address 0x4a4c040 is 0 bytes after a block of size 16 alloc'd */
static const struct {
    const char *phrase;
    unsigned read, write, release; /* 0: says nothing about that */
} phrases[] = {
    {" inside a block of size ", 0, 0, 761},
    {" free'd", 416, 416, 415},
    {" bytes after a block of size ", 126, 122, 0},
    {" bytes before a block of size ", 127, 124, 0},
    {"'s stack", 0, 121, 590},
    {" segment", 0, 0, 590},
    {" inside data symbol ", 0, 0, 590},
};

/* "Address 0x8 is not stack'd, malloc'd or (recently) free'd": a member of a null pointer's object
 * lies in the first page. */
static bool is_null_page(const char *text)
{
    const char *address = strstr(text, "Address 0x");
    return address && strtoull(address + strlen("Address "), NULL, 16) < 4096;
}

static unsigned phrase_cwe(enum gg_kind kind, const char *text)
{
    if (kind != GG_KIND_InvalidRead && kind != GG_KIND_InvalidWrite && kind != GG_KIND_InvalidFree)
        return 0;
    if (strstr(text, " is not stack'd"))
        return kind != GG_KIND_InvalidFree && is_null_page(text) ? 476 : 0;
    unsigned cwe = 0;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        unsigned found = kind == GG_KIND_InvalidRead    ? phrases[i].read
                         : kind == GG_KIND_InvalidWrite ? phrases[i].write
                                                        : phrases[i].release;
        if (found && strstr(text, phrases[i].phrase))
            cwe = found;
    }
    return cwe;
}

unsigned gg_cwe_of(const struct gg_finding *finding)
{
    unsigned cwe = 0;
    for (size_t i = 0; i < finding->stack_count && !cwe; i++) {
        if (finding->stacks[i].text)
            cwe = phrase_cwe(finding->kind, finding->stacks[i].text);
    }
    for (size_t i = 0; i < finding->note_count && !cwe; i++)
        cwe = phrase_cwe(finding->kind, finding->notes[i]);
    return cwe ? cwe : gg_kind_table[finding->kind].cwe;
}
