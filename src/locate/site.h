/*
 * Site: the one line of this repository a finding is laid to.
 */
#ifndef GG_LOCATE_SITE_H
#define GG_LOCATE_SITE_H

#include "grindgate/model.h"

/* Writes has_site and site. The stacks are asked in this order: the error's own, where the block
 * was freed, where the value was created, where the block was allocated. In a stack it is the
 * innermost frame of this repository that is no allocation wrapper; when all are, the outermost of
 * them. A frame whose line the file does not have is passed over (valgrind can name the wrong file
 * for inlined code) unless nothing better is left: then the report is of another version.
 * `wrappers` ends with NULL or is NULL. */
void gg_site_find(struct gg_finding *finding, const char *const *wrappers);

#endif
