#include "capture/log.h"

#include "base/fs.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/inbox.h"
#include "capture/words.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TEXT_LIMIT = 64 << 10,
    LINE_LIMIT = 512, /* of what is quoted */
    WORDS_LIMIT = 20
};

struct reading {
    struct gg_arena *arena;
    char *text;
    size_t len;
    char line[LINE_LIMIT + 1];
    size_t line_len;
    GG_VEC(struct gg_word) words;
    bool further; /* a line of this log mattered */
};

static bool is_known(const struct reading *reading, const struct gg_word *word)
{
    for (size_t i = 0; i < reading->words.len; i++) {
        if (strcmp(reading->words.at[i].text, word->text) == 0)
            return true;
    }
    return false;
}

static void end_line(struct reading *reading)
{
    reading->line[reading->line_len] = '\0';
    reading->line_len = 0;
    struct gg_word word;
    if (reading->words.len == WORDS_LIMIT ||
        !gg_word_of(reading->arena, reading->line, reading->further, &word))
        return;
    reading->further = true;
    if (!is_known(reading, &word))
        *gg_vec_push(reading->arena, &reading->words) = word;
}

/* A log that was emptied while another process wrote to it begins with a hole. */
static void read_log(struct reading *reading, FILE *in)
{
    int c;
    reading->further = false;
    while ((c = getc_unlocked(in)) != EOF) {
        if (c == '\0')
            continue;
        if (reading->len < TEXT_LIMIT)
            reading->text[reading->len++] = (char)c;
        if (c == '\n')
            end_line(reading);
        else if (reading->line_len < LINE_LIMIT)
            reading->line[reading->line_len++] = (char)c;
    }
    end_line(reading);
}

static FILE *open_log(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    FILE *in = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && !in)
        close(fd);
    return in;
}

void gg_log_read(struct gg_arena *arena, const char *directory, char *const *names,
                 struct gg_log *log)
{
    struct reading reading = {.arena = arena, .text = gg_alloc(TEXT_LIMIT)};
    for (; *names; names++) {
        FILE *in = gg_image_is_log(*names) ? open_log(gg_fs_join(arena, directory, *names)) : NULL;
        if (!in)
            continue;
        read_log(&reading, in);
        fclose(in);
    }
    *log = (struct gg_log){.text = gg_arena_strndup(arena, reading.text, reading.len),
                           .words = reading.words.at,
                           .word_count = reading.words.len};
    free(reading.text); /* much larger than what is said, as a rule, and there may be many */
}
