#include "read/program.h"
#include "base/str.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 64 << 10 /* bytes; valgrind's own options come first */ };

static struct gg_str read_head(struct gg_arena *arena, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return gg_str("");
    char *text = gg_arena_alloc(arena, HEAD);
    ssize_t n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, text, HEAD) : -1;
    close(fd);
    return gg_str_n(text, n > 0 ? (size_t)n : 0);
}

/* What stands behind the first `tag`; false: there is none. */
static bool skip_to(struct gg_str *text, const char *tag)
{
    size_t at = gg_str_find(*text, tag);
    if (at == SIZE_MAX)
        return false;
    at += strlen(tag);
    *text = gg_str_n(text->ptr + at, text->len - at);
    return true;
}

/* valgrind escapes '<', '>' and '&'. */
static const char *plain(struct gg_arena *arena, struct gg_str text)
{
    static const struct {
        const char *as;
        char is;
    } escapes[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};
    char *to = gg_arena_alloc(arena, text.len + 1), *at = to;
    while (text.len) {
        size_t used = 1;
        *at = text.ptr[0];
        for (size_t i = 0; used == 1 && i < sizeof escapes / sizeof *escapes; i++) {
            if (gg_str_starts(text, escapes[i].as)) {
                used = strlen(escapes[i].as);
                *at = escapes[i].is;
            }
        }
        at++;
        text = gg_str_n(text.ptr + used, text.len - used);
    }
    return to;
}

/* <argv>
 *    <exe>./t</exe>
 * The tags stand in no text, for valgrind escapes what it writes before them. */
const char *gg_read_program(struct gg_arena *arena, const char *path)
{
    struct gg_str text = read_head(arena, path);
    if (!skip_to(&text, "<argv>") || !skip_to(&text, "<exe>"))
        return NULL;
    size_t end = gg_str_find(text, "</exe>");
    return end == SIZE_MAX ? NULL : plain(arena, gg_str_n(text.ptr, end));
}
