#include "capture/reports.h"

#include "base/fs.h"
#include "base/vec.h"
#include "capture/inbox.h"
#include "capture/log.h"
#include "capture/record.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_LIMIT = 256 << 10 /* bytes that the head of a report is looked for in */ };

struct report {
    struct gg_image image;
    const char *name;
};

static int by_image(const void *a, const void *b)
{
    const struct gg_image *left = &((const struct report *)a)->image;
    const struct gg_image *right = &((const struct report *)b)->image;
    int order = (left->pid > right->pid) - (left->pid < right->pid);
    return order ? order : (left->number > right->number) - (left->number < right->number);
}

/* The program may have put files of its own there. */
static const char *const *reports_of(struct gg_arena *arena, char *const *names)
{
    GG_VEC(struct report) reports = {0};
    for (; *names; names++) {
        struct report report = {.name = *names};
        if (gg_image_parse(*names, &report.image))
            *gg_vec_push(arena, &reports) = report;
    }
    if (reports.len)
        qsort(reports.at, reports.len, sizeof *reports.at, by_image);
    const char **sorted = gg_arena_alloc(arena, (reports.len + 1) * sizeof *sorted);
    for (size_t i = 0; i < reports.len; i++)
        sorted[i] = reports.at[i].name;
    sorted[reports.len] = NULL;
    return sorted;
}

void gg_reports_list(struct gg_arena *arena, struct gg_capture *capture)
{
    static char *const nothing[] = {NULL};
    struct gg_error gone = {0}; /* the program removed it: then there are no reports */
    size_t count;
    char *const *names = gg_fs_list(arena, capture->directory, &count, &gone);
    names = names ? names : nothing;
    capture->reports = reports_of(arena, names);
    struct gg_log log;
    gg_log_read(arena, capture->directory, names, &log);
    capture->log = log.text;
    capture->words = log.words;
    capture->word_count = log.word_count;
}

/* --- of this run? ----------------------------------------------------------------------- */

static struct gg_str read_head(struct gg_arena *arena, const char *path)
{
    char *text = gg_arena_alloc(arena, HEAD_LIMIT);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    ssize_t n = fd >= 0 ? read(fd, text, HEAD_LIMIT) : -1;
    if (fd >= 0)
        close(fd);
    return gg_str_n(text, n > 0 ? (size_t)n : 0);
}

/* "--xml-file=/tmp/a&amp;b/%p.xml": as valgrind writes its own arguments; it escapes nothing but
 * these three. */
static char *escaped(struct gg_arena *arena, const char *text)
{
    char *to = gg_arena_alloc(arena, 5 * strlen(text) + 1), *at = to;
    for (; *text; text++) {
        const char *as = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                                        : "";
        size_t len = strlen(as);
        memcpy(at, len ? as : text, len ? len : 1);
        at += len ? len : 1;
    }
    *at = '\0';
    return to;
}

static const char *xml_file_option(const struct gg_capture *capture)
{
    for (const char *const *arg = capture->argv; *arg && strcmp(*arg, "--") != 0; arg++) {
        if (strncmp(*arg, "--xml-file=", strlen("--xml-file=")) == 0)
            return *arg;
    }
    return NULL;
}

/* <arg>--xml-file=/tmp/grindgate-x/%p.xml</arg> stands before </args> in every report of the run,
 * and no other run ever had that directory. A head that stops early is judged by its reader. */
static bool is_written_elsewhere(struct gg_arena *arena, const struct gg_capture *capture,
                                 struct gg_str head)
{
    const char *option = xml_file_option(capture);
    size_t end = gg_str_find(head, "</args>");
    if (!option || end == SIZE_MAX)
        return false;
    const char *wanted = gg_arena_printf(arena, "<arg>%s</arg>", escaped(arena, option));
    return gg_str_find(gg_str_n(head.ptr, end), wanted) == SIZE_MAX;
}

static bool is_of_another_process(struct gg_str head, const char *name)
{
    struct gg_image image;
    uint64_t pid;
    size_t at = gg_str_find(head, "<pid>");
    if (at == SIZE_MAX || !gg_image_parse(name, &image))
        return false;
    const char *digits = head.ptr + at + strlen("<pid>");
    size_t left = head.len - at - strlen("<pid>"), len = 0;
    while (len < left && digits[len] >= '0' && digits[len] <= '9')
        len++;
    return gg_str_u64(gg_str_n(digits, len), false, &pid) && pid != image.pid;
}

const char *gg_capture_foreign(const struct gg_capture *capture, const char *name)
{
    struct gg_arena scratch;
    gg_arena_init(&scratch);
    struct gg_str head = read_head(&scratch, gg_fs_join(&scratch, capture->directory, name));
    const char *why = NULL;
    if (is_written_elsewhere(&scratch, capture, head))
        why = "is a report of another run (its valgrind was told to write it elsewhere), so it is "
              "not judged: something copied it here";
    else if (is_of_another_process(head, name))
        why = "is a report of another process than its name says, so it is not judged: something "
              "copied it here";
    gg_arena_free(&scratch);
    return why;
}

/* A build id tells builds apart whatever became of the file: it may be copied, unpacked, touched.
 */
static bool is_same_build(const struct gg_identity *then, const struct gg_identity *now)
{
    if (then->build_id && now->build_id)
        return strcmp(then->build_id, now->build_id) == 0;
    return then->size == now->size && then->mtime == now->mtime;
}

const char *gg_capture_stale(struct gg_arena *arena, const struct gg_capture *capture)
{
    struct gg_identity now;
    if (!capture->identity.path)
        return NULL;
    gg_identity_take(arena, capture->identity.path, &now);
    if (!now.path || is_same_build(&capture->identity, &now))
        return NULL;
    return gg_arena_printf(arena,
                           "%s was built anew after this run, so its reports are not judged: run "
                           "it again, into an empty directory",
                           capture->program[0]);
}
