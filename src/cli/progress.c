#include "cli/progress.h"

#include "base/esc.h"
#include "base/proc.h"
#include "cli/parting.h"
#include "cli/term.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Milliseconds. */
enum {
    PATIENCE = 2000,     /* nobody needs to be told of what is done sooner */
    REPAINT_EVERY = 100, /* CTest may have news a thousand times a second */
    MINUTE = 60000,
    OFTEN = 10000
};

enum { GUESS_LEAST = 5, GUESS_PART = 20, COLUMNS_USUAL = 80 };

#define ERASE "\r\033[K"

/* --- what is decided -------------------------------------------------------------------- */

enum gg_progress_style gg_progress_style(const struct gg_progress_view *view, bool row)
{
    if (view->quiet || view->when == GG_PROGRESS_NEVER)
        return GG_PROGRESS_NONE;
    if (!view->terminal || (view->shared && !row))
        return GG_PROGRESS_LINES;
    return view->shared ? GG_PROGRESS_ROW : GG_PROGRESS_STATUS;
}

long long gg_progress_interval(const struct gg_progress_view *view)
{
    return view->when == GG_PROGRESS_ALWAYS ? OFTEN : MINUTE;
}

/* --- what is said ----------------------------------------------------------------------- */

void gg_progress_time(struct gg_out *out, long long ms)
{
    long long seconds = ms / 1000, hours = seconds / 3600;
    long long minutes = seconds / 60 % 60;
    if (hours)
        gg_out_printf(out, "%lld h", hours);
    if (minutes)
        gg_out_printf(out, "%s%lld min", hours ? " " : "", minutes);
    seconds %= 60;
    if (!hours && (seconds || !minutes))
        gg_out_printf(out, "%s%lld s", minutes ? " " : "", seconds);
}

static void count(struct gg_out *out, const char *before, uint64_t number, const char *noun)
{
    gg_out_printf(out, "%s%" PRIu64 " %s%s", before, number, noun, number == 1 ? "" : "s");
}

/* Tests differ in length, so the first few say nothing of the others. A guess is rounded up to what
 * it is worth: to ten seconds, above two minutes to whole ones. */
static void guess_left(struct gg_out *out, const struct gg_progress *progress, long long elapsed)
{
    size_t done = progress->tests_done, total = progress->tests;
    if (done < GUESS_LEAST || done >= total || done < total / GUESS_PART)
        return;
    long long left = (long long)((double)elapsed / (double)done * (double)(total - done));
    long long step = left > 2 * MINUTE ? MINUTE : 10000;
    gg_out_text(out, ", about ");
    gg_progress_time(out, left > step ? (left + step - 1) / step * step : step);
    gg_out_text(out, " left");
}

static void say_run(struct gg_out *out, const struct gg_progress *progress)
{
    if (!progress->tests && progress->tests_running) {
        count(out, "", progress->tests_running, "test");
        gg_out_text(out, " running");
        return;
    }
    if (!progress->tests) {
        gg_out_text(out, "running");
        if (progress->reports)
            count(out, ", ", progress->reports, "report");
        return;
    }
    gg_out_printf(out, "%zu of %zu test%s", progress->tests_done, progress->tests,
                  progress->tests == 1 ? "" : "s");
    /* CTest tells of an end before the run that ended is looked at. */
    size_t left = progress->tests - progress->tests_done;
    size_t running = progress->tests_running < left ? progress->tests_running : left;
    if (running && progress->tests_done < progress->tests)
        gg_out_printf(out, ", %zu running", running);
}

void gg_progress_line(struct gg_out *out, const struct gg_progress *progress, long long elapsed)
{
    gg_out_text(out, "grindgate: ");
    gg_progress_time(out, elapsed);
    gg_out_text(out, ": ");
    if (progress->phase == GG_PHASE_RUN)
        say_run(out, progress);
    else if (progress->phase == GG_PHASE_READ)
        count(out, "reading, ", progress->reports, "report");
    else
        gg_out_text(out, "asking git whose lines they are");
    if (progress->errors)
        count(out, ", ", progress->errors, "error");
    if (progress->errors && progress->phase != GG_PHASE_BLAME)
        gg_out_text(out, " so far");
    if (progress->phase == GG_PHASE_RUN)
        guess_left(out, progress, elapsed);
}

/* --- the terminal ----------------------------------------------------------------------- */

/* A job in the background must not write over what is in front. Where that cannot be told, as in a
 * terminal that is not this session's, there is no other. */
static bool is_in_front(void)
{
    pid_t group = tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == getpgrp();
}

/* A terminal that was told to wait (^S) would let us wait, too. */
static bool takes_output(void)
{
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&polled, 1, 0) == 1 && polled.revents == POLLOUT;
}

/* What is written goes out in one piece, for other programs print there as well. */
static struct gg_out *open_terminal(void)
{
    gg_parting_hold();
    return gg_out_fd(STDERR_FILENO, "standard error");
}

static void close_terminal(struct gg_out *out)
{
    struct gg_error ignored = {0};
    gg_out_close(out, &ignored);
    gg_parting_release();
}

static void erase(struct gg_progress_view *view, struct gg_out *out)
{
    if (!gg_parting())
        return;
    if (view->row.set)
        gg_statusrow_leave(&view->row, out, gg_term_size(STDERR_FILENO));
    else
        gg_out_text(out, ERASE);
    gg_parting_set(NULL);
}

/* A line that fills the last column wraps on some terminals, and would stay. */
static size_t room(struct gg_term_size size)
{
    return (size.columns ? size.columns : COLUMNS_USUAL) - 1;
}

static void paint(struct gg_progress_view *view, struct gg_out *out, struct gg_term_size size,
                  struct gg_str line)
{
    if (!gg_parting()) /* never set, or a stop took it away */
        view->row.set = false;
    if (view->shared) {
        gg_statusrow_put(&view->row, out, size, line);
        gg_parting_set(GG_STATUSROW_LEAVE);
    } else {
        gg_out_text(out, ERASE);
        gg_out_str(out, line);
        gg_parting_set(ERASE);
    }
}

/* CTest indents with tabs, which would be shown as what they are. */
static void expand(struct gg_out *out, struct gg_str line)
{
    struct gg_str piece;
    while (gg_str_cut(line, '\t', &piece, &line)) {
        gg_esc_terminal(out, piece);
        gg_out_text(out, "        ");
    }
    gg_esc_terminal(out, piece);
}

/* CTest's own lines stay, above the one that changes. */
static void pass_on(struct gg_out *out, struct gg_str said)
{
    struct gg_str line;
    while (gg_str_line(&said, &line)) {
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        expand(out, line);
        gg_out_char(out, '\n');
    }
}

static void tell_status(struct gg_progress_view *view, struct gg_out *out,
                        const struct gg_progress *progress, struct gg_term_size size)
{
    long long now = gg_proc_now();
    bool again = !gg_parting() || now - view->painted >= REPAINT_EVERY;
    if (now - view->begun < PATIENCE || !again || !is_in_front() || !takes_output())
        return;
    size_t len;
    struct gg_out *line = gg_out_memory();
    gg_progress_line(line, progress, now - view->begun);
    char *text = gg_out_take(line, &len); /* ASCII: a column a byte */
    paint(view, out, size, gg_str_n(text, len < room(size) ? len : room(size)));
    free(text);
    view->painted = now;
}

static void tell_line(struct gg_progress_view *view, struct gg_out *out,
                      const struct gg_progress *progress)
{
    long long now = gg_proc_now(), every = gg_progress_interval(view);
    if (now < view->next)
        return;
    long long passed = (now - view->begun) / every;
    gg_progress_line(out, progress, passed * every);
    gg_out_char(out, '\n');
    view->next = view->begun + (passed + 1) * every;
}

struct gg_progress_view gg_progress_begin(const struct gg_opts *opts, bool shared)
{
    struct gg_progress_view view = {
        .when = (enum gg_progress_when)gg_opt_choice(opts, GG_OPT_PROGRESS, GG_PROGRESS_AUTO),
        .quiet = gg_opt_flag(opts, GG_OPT_QUIET),
        .terminal = gg_term_can_erase(STDERR_FILENO),
        .shared = shared,
        .begun = gg_proc_now()};
    view.next = view.begun + gg_progress_interval(&view);
    return view;
}

void gg_progress_tell(void *self, const struct gg_progress *progress)
{
    struct gg_progress_view *view = self;
    struct gg_out *out = open_terminal();
    struct gg_term_size size = gg_term_size(STDERR_FILENO);
    bool row = gg_statusrow_fits(size) && gg_term_has_lines(STDERR_FILENO);
    enum gg_progress_style style = gg_progress_style(view, row);
    bool said = progress->said_len && !view->quiet;
    if (said || style == GG_PROGRESS_LINES)
        erase(view, out);
    if (said)
        pass_on(out, gg_str_n(progress->said, progress->said_len));
    if (style == GG_PROGRESS_LINES)
        tell_line(view, out, progress);
    else if (style != GG_PROGRESS_NONE)
        tell_status(view, out, progress, size);
    close_terminal(out);
}

void gg_progress_end(struct gg_progress_view *view)
{
    struct gg_out *out = open_terminal();
    erase(view, out);
    close_terminal(out);
}
