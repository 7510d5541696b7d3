#include "write/cwe.h"

#include "sample_report.h"

#include <criterion/criterion.h>

static unsigned cwe_of(enum gg_kind kind, const char *text)
{
    struct gg_stack stacks[2] = {{.role = GG_ROLE_ERROR},
                                 {.role = GG_ROLE_ALLOCATED, .text = text}};
    struct gg_finding finding = {.kind = kind, .stacks = stacks, .stack_count = 2};
    return gg_cwe_of(&finding);
}

/* Sentences as valgrind 3.19 writes them. */
Test(cwe, the_block_refines_the_kind)
{
    static const char freed[] = "Address 0x4a4c048 is 8 bytes inside a block of size 16 free'd";
    static const char within[] = "Address 0x4a4c048 is 8 bytes inside a block of size 16 alloc'd";
    static const char after[] = "Address 0x4a4c050 is 0 bytes after a block of size 16 alloc'd";
    static const char before[] = "Address 0x4a4c03f is 1 bytes before a block of size 16 alloc'd";
    static const char stack[] = "Address 0x1ffefff1ac is on thread 1's stack";
    static const char none[] = "Address 0x4a4c050 is not stack'd, malloc'd or (recently) free'd";
    static const char null[] = "Address 0x8 is not stack'd, malloc'd or (recently) free'd";
    static const char text[] = "Address 0x109139 is in the Text segment of /home/ada/kinds";
    static const struct {
        enum gg_kind kind;
        const char *text;
        unsigned cwe;
    } rows[] = {{GG_KIND_InvalidRead, freed, 416},        {GG_KIND_InvalidWrite, freed, 416},
                {GG_KIND_InvalidFree, freed, 415},        {GG_KIND_InvalidFree, within, 761},
                {GG_KIND_InvalidRead, within, 125},       {GG_KIND_InvalidRead, after, 126},
                {GG_KIND_InvalidWrite, after, 122},       {GG_KIND_InvalidRead, before, 127},
                {GG_KIND_InvalidWrite, before, 124},      {GG_KIND_InvalidWrite, stack, 121},
                {GG_KIND_InvalidRead, stack, 125},        {GG_KIND_InvalidFree, stack, 590},
                {GG_KIND_InvalidFree, text, 590},         {GG_KIND_InvalidFree, none, 763},
                {GG_KIND_InvalidRead, none, 125},         {GG_KIND_InvalidWrite, none, 787},
                {GG_KIND_InvalidRead, null, 476},         {GG_KIND_InvalidWrite, null, 476},
                {GG_KIND_InvalidFree, null, 763},         {GG_KIND_MismatchedFree, freed, 762},
                {GG_KIND_Leak_DefinitelyLost, NULL, 401}, {GG_KIND_Unknown, freed, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(cwe_of(rows[i].kind, rows[i].text), rows[i].cwe, "row %zu", i);
}

Test(cwe, notes_count_too)
{
    static const char *const notes[] = {
        "Address 0x10 is not stack'd, malloc'd or (recently) free'd"};
    struct gg_finding finding = {.kind = GG_KIND_InvalidRead, .notes = notes, .note_count = 1};
    cr_expect_eq(gg_cwe_of(&finding), 476);
}

/* A SARIF file names and describes whatever a kind or a sentence leads to. */
Test(cwe, every_kind_has_its_entry)
{
    for (unsigned kind = 0; kind < GG_KINDS; kind++) {
        unsigned wanted = gg_kind_table[kind].cwe, found = 0;
        for (const struct gg_cwe *cwe = gg_cwe_table; cwe->number; cwe++) {
            found += cwe->number == wanted;
            cr_expect(cwe[1].number == 0 || cwe->number < cwe[1].number, "sorted");
        }
        cr_expect(wanted == 0 || found == 1, "%s: CWE-%u", gg_kind_table[kind].name, wanted);
    }
}
