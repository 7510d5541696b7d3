/* The libraries in use, as they are at run time, for --version. */
#include "grindgate/grindgate.h"

#include <git2.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <stdio.h>

void gg_libraries(char *text, size_t size)
{
    int major = 0, minor = 0, patch = 0;
    git_libgit2_version(&major, &minor, &patch);
    snprintf(text, size, "libgit2 %d.%d.%d, libxml2 %s, jansson %s", major, minor, patch,
             LIBXML_DOTTED_VERSION, JANSSON_VERSION);
}
