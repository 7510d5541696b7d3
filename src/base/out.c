#include "base/out.h"
#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE (64u * 1024u)

enum kind { TO_FD, TO_FILE, TO_MEMORY };

struct gg_out {
    enum kind kind;
    int fd;
    int failure; /* errno of the first failed write */
    char *target;
    char *temporary; /* NULL: written in place */
    char *buffer;
    size_t len, cap;
};

static struct gg_out *new_out(enum kind kind, int fd, const char *target)
{
    struct gg_out *out = gg_alloc(sizeof *out);
    *out = (struct gg_out){.kind = kind, .fd = fd, .cap = BUFFER_SIZE};
    size_t len = strlen(target);
    out->target = memcpy(gg_alloc(len + 1), target, len + 1);
    out->buffer = gg_alloc(out->cap);
    return out;
}

static void free_out(struct gg_out *out)
{
    free(out->target);
    free(out->temporary);
    free(out->buffer);
    free(out);
}

struct gg_out *gg_out_fd(int fd, const char *name)
{
    return new_out(TO_FD, fd, name);
}

struct gg_out *gg_out_memory(void)
{
    return new_out(TO_MEMORY, -1, "memory");
}

/* Devices, pipes, and descriptors by name (/dev/stdout, /proc/self/fd/1) are written in place. */
static bool is_special(const char *path)
{
    struct stat st;
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* mkstemp makes files nobody else can read; a report has the mode of the one it replaces, or that
 * any new file would get. */
static void usual_mode(int fd, const char *target)
{
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    bool replaces = lstat(target, &st) == 0 && S_ISREG(st.st_mode);
    (void)fchmod(fd, replaces ? st.st_mode & 0777 : 0666 & ~mask);
}

static int open_beside(const char *target, char **temporary)
{
    size_t len = strlen(target);
    *temporary = gg_alloc(len + sizeof ".XXXXXX");
    memcpy(*temporary, target, len);
    memcpy(*temporary + len, ".XXXXXX", sizeof ".XXXXXX");
    int fd = mkstemp(*temporary);
    if (fd >= 0)
        usual_mode(fd, target);
    return fd;
}

struct gg_out *gg_out_file(const char *path, struct gg_error *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        gg_error_set(err, "%s: is a directory: name a file to write", path);
        return NULL;
    }
    char *temporary = NULL;
    int fd = is_special(path) ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(path, &temporary);
    if (fd < 0) {
        gg_error_set(err, "%s: cannot be written: %s", path, strerror(errno));
        free(temporary);
        return NULL;
    }
    struct gg_out *out = new_out(TO_FILE, fd, path);
    out->temporary = temporary;
    return out;
}

/* Standard output may be a pipe that its owner made non-blocking. */
static void wait_writable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    (void)poll(&poll_fd, 1, -1);
}

static void flush(struct gg_out *out)
{
    size_t done = 0;
    while (done < out->len && !out->failure) {
        ssize_t n = write(out->fd, out->buffer + done, out->len - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0)
            out->failure = EIO;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            wait_writable(out->fd);
        else if (errno != EINTR)
            out->failure = errno;
    }
    out->len = 0;
}

static void make_room(struct gg_out *out, size_t len)
{
    if (out->kind != TO_MEMORY) {
        flush(out);
        return;
    }
    while (out->cap - out->len < len)
        out->cap *= 2;
    out->buffer = gg_realloc(out->buffer, out->cap);
}

void gg_out_write(struct gg_out *out, const char *ptr, size_t len)
{
    while (len) {
        if (out->cap - out->len < len)
            make_room(out, len);
        size_t n = out->cap - out->len < len ? out->cap - out->len : len;
        memcpy(out->buffer + out->len, ptr, n);
        out->len += n;
        ptr += n;
        len -= n;
    }
}

void gg_out_str(struct gg_out *out, struct gg_str text)
{
    gg_out_write(out, text.ptr, text.len);
}

void gg_out_text(struct gg_out *out, const char *text)
{
    gg_out_write(out, text, strlen(text));
}

void gg_out_char(struct gg_out *out, char c)
{
    if (out->len == out->cap)
        make_room(out, 1);
    out->buffer[out->len++] = c;
}

void gg_out_repeat(struct gg_out *out, char c, size_t times)
{
    while (times--)
        gg_out_char(out, c);
}

void gg_out_printf(struct gg_out *out, const char *format, ...)
{
    char small[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (len >= 0 && (size_t)len < sizeof small) {
        gg_out_write(out, small, (size_t)len);
    } else if (len >= 0) {
        char *large = gg_alloc((size_t)len + 1);
        vsnprintf(large, (size_t)len + 1, format, again);
        gg_out_write(out, large, (size_t)len);
        free(large);
    }
    va_end(again);
}

char *gg_out_take(struct gg_out *out, size_t *len)
{
    gg_out_char(out, '\0');
    char *text = out->buffer;
    if (len)
        *len = out->len - 1;
    out->buffer = NULL;
    free_out(out);
    return text;
}

bool gg_out_close(struct gg_out *out, struct gg_error *err)
{
    if (out->kind != TO_MEMORY)
        flush(out);
    if (out->kind == TO_FILE && close(out->fd) != 0 && !out->failure)
        out->failure = errno;
    if (!out->failure && out->temporary && rename(out->temporary, out->target) != 0)
        out->failure = errno;
    int failure = out->failure;
    if (failure) {
        gg_error_set(err, "%s: cannot be written: %s", out->target, strerror(failure));
        if (out->temporary)
            unlink(out->temporary);
    }
    free_out(out);
    return failure == 0;
}

void gg_out_abandon(struct gg_out *out)
{
    if (out->kind == TO_FILE)
        close(out->fd);
    if (out->temporary)
        unlink(out->temporary);
    free_out(out);
}
