#include "model/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNFOLDED_MAX (16u * 1024u)

struct unfolding {
    char text[UNFOLDED_MAX];
    size_t len;
    jmp_buf too_long;
};

/* Substitutions make a mangled name a grammar: a kilobyte can unfold to terabytes. The demangler
 * has no way to stop but out of its callback; it keeps its state on the stack, so a jump leaves
 * nothing behind. */
static void append(const char *piece, size_t len, void *opaque)
{
    struct unfolding *unfolding = opaque;
    if (len >= sizeof unfolding->text - unfolding->len)
        longjmp(unfolding->too_long, 1);
    memcpy(unfolding->text + unfolding->len, piece, len);
    unfolding->len += len;
}

static bool unfold(const char *symbol, struct unfolding *unfolding)
{
    unfolding->len = 0;
    if (setjmp(unfolding->too_long))
        return false;
    if (rust_demangle_callback(symbol, 0, append, unfolding))
        return true;
    unfolding->len = 0;
    return cplus_demangle_v3_callback(symbol, DMGL_PARAMS | DMGL_ANSI, append, unfolding) != 0;
}

const char *gg_demangle(struct gg_arena *arena, const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) != 0 && strncmp(symbol, "_R", 2) != 0)
        return symbol;
    const char *version = strchr(symbol, '@');
    const char *name =
        version ? gg_arena_strndup(arena, symbol, (size_t)(version - symbol)) : symbol;
    struct unfolding *unfolding = gg_alloc(sizeof *unfolding);
    const char *result = symbol;
    if (unfold(name, unfolding) && unfolding->len)
        result = gg_arena_printf(arena, "%.*s%s", (int)unfolding->len, unfolding->text,
                                 version ? version : "");
    free(unfolding);
    return result;
}
