#include "capture/inbox.h"

#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG "valgrind"

enum { EVENTS = 64 << 10 /* bytes read at a time */ };

/* What is known of a name. */
struct file {
    uint64_t taken;   /* new names given to files of this one */
    unsigned opened;  /* since it was made */
    unsigned written; /* times a writer has closed it */
};

/* The rest of the text after a number; NULL when it does not begin with one. */
static const char *after_number(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    return gg_str_u64(gg_str_n(text, digits), false, number) ? text + digits : NULL;
}

bool gg_image_parse(const char *name, struct gg_image *image)
{
    const char *rest = after_number(name, &image->pid);
    image->number = 0;
    if (rest && *rest == '-')
        rest = after_number(rest + 1, &image->number);
    return rest && strcmp(rest, ".xml") == 0;
}

static bool parse_log(const char *name, uint64_t *number)
{
    *number = 0;
    if (strncmp(name, LOG, strlen(LOG)) != 0)
        return false;
    const char *rest = name + strlen(LOG);
    if (*rest == '-')
        rest = after_number(rest + 1, number);
    return rest && strcmp(rest, ".log") == 0;
}

bool gg_image_is_log(const char *name)
{
    uint64_t number;
    return parse_log(name, &number);
}

/* The first cause is told; others follow from it, or are like it. */
static void doubt(struct gg_inbox *inbox, const char *why)
{
    if (!inbox->unsure)
        inbox->unsure = why;
}

static struct file *file_of(struct gg_inbox *inbox, const char *name)
{
    size_t len = strlen(name);
    void **slot = gg_map_find(&inbox->files, name, len);
    if (slot)
        return *slot;
    struct file *file = gg_arena_alloc(inbox->arena, sizeof *file);
    *file = (struct file){0};
    return *gg_map_put(&inbox->files, gg_arena_strdup(inbox->arena, name), len) = file;
}

static bool exists(int directory, const char *name)
{
    struct stat st;
    return fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* "4711.xml" becomes the first of "4711-1.xml", "4711-2.xml" ... that is not there. */
static void put_aside(struct gg_inbox *inbox, const char *name)
{
    struct file *file = file_of(inbox, name);
    const char *end = strrchr(name, '.');
    char to[NAME_MAX + 32];
    do
        snprintf(to, sizeof to, "%.*s-%llu%s", (int)(end - name), name,
                 (unsigned long long)++file->taken, end);
    while (exists(inbox->directory, to));
    if (renameat(inbox->directory, name, inbox->directory, to) == 0) {
        inbox->reports += !gg_image_is_log(name);
        if (!gg_image_is_log(name))
            *gg_vec_push(inbox->arena, &inbox->made) = gg_arena_strdup(inbox->arena, to);
        return;
    }
    file->taken--;
    if (errno != ENOENT) /* the program may remove what it likes */
        doubt(inbox, gg_arena_printf(inbox->arena,
                                     "the report %s cannot be renamed (%s), so another program of "
                                     "its process writes over it",
                                     name, strerror(errno)));
}

static void remove_if_empty(const struct gg_inbox *inbox, const char *name)
{
    struct stat st;
    if (fstatat(inbox->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
        st.st_size == 0)
        unlinkat(inbox->directory, name, 0);
}

static void shared(struct gg_inbox *inbox, const char *name)
{
    doubt(inbox, gg_arena_printf(inbox->arena,
                                 "the report %s was written over by another program of the same "
                                 "process number before it could be renamed, and what it held is "
                                 "lost: run it again, with less else going on",
                                 name));
}

static void take_report(struct gg_inbox *inbox, const char *name, bool renamed, uint32_t what)
{
    struct file *file = file_of(inbox, name);
    if (!renamed && what & IN_CREATE) {
        file->opened = 0;
        put_aside(inbox, name);
    }
    if ((!renamed && what & IN_OPEN && ++file->opened > 1) ||
        (what & IN_CLOSE_WRITE && ++file->written > 1 && renamed))
        shared(inbox, name);
}

static void take(struct gg_inbox *inbox, const struct inotify_event *event)
{
    struct gg_image image;
    uint64_t log;
    if (event->mask & IN_Q_OVERFLOW)
        doubt(inbox, "too much happened in the directory of the reports to be followed, so one "
                     "may have been written over: see fs.inotify.max_queued_events");
    if (event->len == 0)
        return;
    if (gg_image_parse(event->name, &image))
        take_report(inbox, event->name, image.number > 0, event->mask);
    else if (parse_log(event->name, &log) && log == 0 && event->mask & IN_CREATE)
        put_aside(inbox, event->name);
    else if (log > 0 && event->mask & IN_CLOSE_WRITE)
        remove_if_empty(inbox, event->name);
}

void gg_inbox_open(struct gg_inbox *inbox, struct gg_arena *arena, const char *path)
{
    *inbox = (struct gg_inbox){.arena = arena};
    inbox->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    inbox->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    inbox->watch = inbox->events < 0 ? -1
                                     : inotify_add_watch(inbox->events, path,
                                                         IN_CREATE | IN_OPEN | IN_CLOSE_WRITE);
    if (inbox->watch < 0)
        doubt(inbox, gg_arena_printf(arena,
                                     "the directory of the reports cannot be watched (inotify: "
                                     "%s), so a report may have been written over: see "
                                     "fs.inotify.max_user_instances",
                                     strerror(errno)));
}

void gg_inbox_sort(struct gg_inbox *inbox)
{
    _Alignas(struct inotify_event) char events[EVENTS];
    ssize_t n;
    while (inbox->events >= 0 && (n = read(inbox->events, events, sizeof events)) > 0) {
        for (const char *at = events; at < events + n;) {
            const struct inotify_event *event = (const void *)at;
            take(inbox, event);
            at += sizeof *event + event->len;
        }
    }
}

/* What no event told of. */
static void look_through(struct gg_inbox *inbox)
{
    DIR *dir = fdopendir(inbox->directory);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        struct gg_image image;
        uint64_t log;
        if (gg_image_parse(entry->d_name, &image)) {
            if (image.number == 0)
                put_aside(inbox, entry->d_name);
        } else if (parse_log(entry->d_name, &log)) {
            remove_if_empty(inbox, entry->d_name);
        }
    }
    if (dir)
        closedir(dir);
    else if (inbox->directory >= 0)
        close(inbox->directory);
}

void gg_inbox_close(struct gg_inbox *inbox)
{
    /* First, for the kernel takes some 10 ms to forget a watch, and close would wait for it. */
    if (inbox->watch >= 0)
        inotify_rm_watch(inbox->events, inbox->watch);
    gg_inbox_sort(inbox);
    look_through(inbox);
    if (inbox->events >= 0)
        close(inbox->events);
    gg_map_free(&inbox->files);
}
