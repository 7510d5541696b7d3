/*
 * Glob: patterns for paths and for names of tests and branches.
 *
 *     *        any run of characters without a "/"
 *     **       any run of characters; a whole part of a path ("**" + "/") may stand for nothing,
 *              so that src/ ** /a.c (without the blanks) fits src/a.c, too
 *     ?        one character, no "/"
 *     [a-z_]   one of these, [!...] or [^...] one of the others; never "/". "]" as the first is
 *              itself. [[:alpha:]] and the other classes of POSIX hold for ASCII
 *     \*       the character itself
 *
 * Everything else is itself. The whole name must fit, case counts, a leading dot is nothing
 * special. Characters are those of UTF-8; a byte that is none of it is a character of its own.
 * Time grows with the length of the name times that of the pattern, at worst with the square.
 */
#ifndef GG_MATCH_GLOB_H
#define GG_MATCH_GLOB_H

#include "base/str.h"

bool gg_glob_match(struct gg_str glob, struct gg_str name);

/* What is wrong with a glob, as the end of a sentence: "has a [ without its ]". NULL: nothing.
 * In a wrong one the character in question stands for itself. */
const char *gg_glob_fault(struct gg_str glob);

#endif
