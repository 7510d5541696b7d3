/* The libraries in use, as they are at run time, for --version. */
#include "grindgate/grindgate.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <git2.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

void gg_libraries(char *text, size_t size)
{
    int major = 0, minor = 0, patch = 0;
    git_libgit2_version(&major, &minor, &patch);
    char pcre2[64]; /* "10.42 2022-12-11" */
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    snprintf(text, size, "libgit2 %d.%d.%d, libxml2 %s, jansson %s, pcre2 %.*s", major, minor,
             patch, LIBXML_DOTTED_VERSION, JANSSON_VERSION, (int)strcspn(pcre2, " "), pcre2);
}
