#include "capture/log.h"

#include "base/fs.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/inbox.h"

#include <fcntl.h>
#include <stdio.h>
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
    GG_VEC(const char *) last_words;
};

/* valgrind: Cannot create XML file '/tmp/x/4711.xml': Permission denied
 * ==4711== EXEC FAILED: I can't recover from execve() failing, so I'm dying. */
static bool is_last_word(const char *line)
{
    static const char *const marks[] = {
        "Cannot create XML file",
        "Cannot create log file",
        "into safe range, using stderr",
        "Fatal error",
        "fatal error",
        "FATAL:",
        "the 'impossible' happened",
        "out of memory",
        "I can't recover",
        "annot continue",
        "Possibly corrupted debuginfo",
        "Startup or configuration error",
        "Unable to start up properly",
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (strstr(line, marks[i]))
            return true;
    }
    return false;
}

static void end_line(struct reading *reading)
{
    reading->line[reading->line_len] = '\0';
    reading->line_len = 0;
    if (reading->last_words.len < WORDS_LIMIT && is_last_word(reading->line))
        *gg_vec_push(reading->arena, &reading->last_words) =
            gg_arena_strdup(reading->arena, reading->line);
}

/* A log that was emptied while another process wrote to it begins with a hole. */
static void read_log(struct reading *reading, FILE *in)
{
    int c;
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
    struct reading reading = {.arena = arena, .text = gg_arena_alloc(arena, TEXT_LIMIT + 1)};
    for (; *names; names++) {
        FILE *in = gg_image_is_log(*names) ? open_log(gg_fs_join(arena, directory, *names)) : NULL;
        if (!in)
            continue;
        read_log(&reading, in);
        fclose(in);
    }
    reading.text[reading.len] = '\0';
    *gg_vec_push(arena, &reading.last_words) = NULL;
    *log = (struct gg_log){.text = reading.text, .last_words = reading.last_words.at};
}
