#include "locate/lines.h"
#include "base/fs.h"
#include "locate/zone.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* valgrind drops larger line numbers (they have 20 bits), so no more are worth counting. */
#define MOST_LINES (1u << 20)

static uint32_t count_lines(int fd)
{
    char buffer[1 << 16];
    uint32_t count = 0;
    char last = '\n';
    while (count < MOST_LINES) {
        ssize_t len = read(fd, buffer, sizeof buffer);
        if (len < 0 && errno == EINTR)
            continue;
        if (len <= 0)
            break;
        const char *at = buffer, *end = buffer + len;
        while ((at = memchr(at, '\n', (size_t)(end - at)))) {
            count++;
            at++;
        }
        last = end[-1];
    }
    return count + (last != '\n');
}

static uint32_t count_file(struct gg_lines *lines, const char *path)
{
    const char *full = gg_arena_printf(lines->arena, "%s/%s", lines->root.ptr, path);
    const char *real = gg_fs_real(lines->arena, full);
    if (!real || !gg_zone_below(lines->root, gg_str(real), NULL))
        return 0;
    int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return 0;
    struct stat st;
    uint32_t count = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? count_lines(fd) : 0;
    close(fd);
    return count;
}

bool gg_lines_has(struct gg_lines *lines, const char *path, uint32_t line)
{
    size_t len = strlen(path);
    void **known = gg_map_find(&lines->counts, path, len);
    if (!known) {
        uint32_t count = count_file(lines, path);
        known = gg_map_put(&lines->counts, path, len);
        *known = (void *)(uintptr_t)count;
    }
    return line > 0 && line <= (uintptr_t)*known;
}

void gg_lines_free(struct gg_lines *lines)
{
    gg_map_free(&lines->counts);
}
