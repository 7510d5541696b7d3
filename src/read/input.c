#include "read/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A pipe gives what it has; a full chunk is worth waiting for. */
static bool fill(struct gg_input *input, size_t size, struct gg_error *err)
{
    gg_beat(input->beat);
    while (input->len < size && !input->eof) {
        ssize_t n = read(input->fd, input->bytes + input->len, size - input->len);
        if (n > 0) {
            input->len += (size_t)n;
        } else if (n == 0) {
            input->eof = true;
        } else if (errno != EINTR) {
            gg_error_at(err, input->name, 0, "cannot be read: %s", strerror(errno));
            return false;
        }
    }
    return true;
}

bool gg_input_open(struct gg_input *input, const char *path, const char *name, struct gg_error *err)
{
    input->name = name;
    input->beat = NULL;
    input->eof = false;
    input->len = 0;
    input->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->fd < 0) {
        gg_error_at(err, name, 0, "cannot be opened: %s", strerror(errno));
        return false;
    }
    if (fill(input, GG_INPUT_CHUNK, err))
        return true;
    gg_input_close(input);
    return false;
}

bool gg_input_more(struct gg_input *input, size_t keep, struct gg_error *err)
{
    memmove(input->bytes, input->bytes + input->len - keep, keep);
    input->len = keep;
    return fill(input, keep + GG_INPUT_CHUNK, err);
}

void gg_input_close(struct gg_input *input)
{
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    input->fd = -1;
}
