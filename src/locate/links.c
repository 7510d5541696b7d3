#include "locate/links.h"
#include "base/fs.h"

#include <string.h>

static const char *real_directory(struct gg_links *links, const char *path, size_t len)
{
    void **known = gg_map_find(&links->real, path, len);
    if (known)
        return *known;
    char *dir = gg_arena_strndup(links->arena, path, len);
    char *real = gg_fs_real(links->arena, dir);
    *gg_map_put(&links->real, dir, len) = real;
    return real;
}

const char *gg_links_resolve(struct gg_links *links, const char *path)
{
    const char *real = NULL, *rest = path;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *dir = real_directory(links, path, (size_t)(slash - path));
        if (!dir)
            break;
        real = dir;
        rest = slash;
    }
    if (!real || gg_str_eq(gg_str(real), gg_str_n(path, (size_t)(rest - path))))
        return path;
    return gg_arena_printf(links->arena, "%s%s", strcmp(real, "/") == 0 ? "" : real, rest);
}

void gg_links_free(struct gg_links *links)
{
    gg_map_free(&links->real);
}
