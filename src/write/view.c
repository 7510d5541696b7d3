#include "write/view.h"

#include "base/esc.h"
#include "base/fs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The parts of a long stack that are shown without `full`. */
enum { ROWS_MOST = 40, FOLD_LEAST = 3, NAMES_MOST = 4 };

static bool says_itself(const struct gg_finding *finding)
{
    const char *title = gg_kind_table[finding->kind].title;
    return finding->is_leak || gg_kind_table[finding->kind].group == GG_GROUP_crash ||
           strncasecmp(finding->message, title, strlen(title)) == 0;
}

char *gg_view_title(struct gg_arena *arena, const struct gg_finding *finding)
{
    if (says_itself(finding) && finding->message[0])
        return gg_arena_strdup(arena, finding->message);
    if (finding->kind == GG_KIND_Unknown)
        return gg_arena_strdup(arena, finding->kind_name);
    return gg_arena_strdup(arena, gg_kind_table[finding->kind].title);
}

const char *gg_view_detail(const struct gg_finding *finding)
{
    return says_itself(finding) || !finding->message[0] ? NULL : finding->message;
}

const char *gg_view_via(const struct gg_finding *finding)
{
    if (!finding->has_site)
        return NULL;
    switch (finding->site.via) {
    case GG_VIA_FREED:
        return "The error's own stack passes no line of this repository; this line freed the block";
    case GG_VIA_ORIGIN:
        return "The error's own stack passes no line of this repository; this line created the "
               "value";
    case GG_VIA_ALLOCATED:
        return "The error's own stack passes no line of this repository; this line allocated the "
               "block";
    case GG_VIA_ERROR:
        break;
    }
    return NULL;
}

const char *gg_view_ruling(const struct gg_finding *finding)
{
    bool ruled = finding->rule && finding->fate != GG_SUPPRESSED;
    return ruled || finding->lapsed || finding->hidden_by_change ? finding->why : NULL;
}

char *gg_view_doubt(struct gg_arena *arena, const struct gg_report *report,
                    const struct gg_finding *finding)
{
    for (size_t i = 0; i < finding->witness_count && finding->unreliable; i++) {
        const char *fatal = report->runs[finding->witnesses[i].run].fatal;
        if (fatal && !finding->witnesses[i].copy)
            return gg_arena_printf(arena, "unreliable: the process died of %s before it could free",
                                   fatal);
    }
    return NULL;
}

char *gg_view_blame(struct gg_arena *arena, const struct gg_blame *blame)
{
    char time[GG_VIEW_TIME];
    switch (blame->state) {
    case GG_BLAME_NONE:
        break;
    case GG_BLAME_COMMIT:
        if (!gg_view_time(time, blame->time, blame->offset))
            memcpy(time, "no date", sizeof "no date");
        return gg_arena_printf(arena, "Last changed by %s in %.7s (%.10s): %s",
                               blame->author_name[0] ? blame->author_name : blame->author_email,
                               blame->commit, time, blame->summary);
    case GG_BLAME_UNCOMMITTED:
        return gg_arena_strdup(arena, "Not committed yet");
    case GG_BLAME_BOUNDARY:
    case GG_BLAME_UNKNOWN:
        return gg_arena_strdup(arena, blame->why);
    }
    return NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **gg_view_tests(struct gg_arena *arena, const struct gg_report *report,
                           const struct gg_finding *finding, size_t *count)
{
    const char **names = gg_arena_alloc(arena, (finding->witness_count + 1) * sizeof *names);
    size_t len = 0;
    for (size_t i = 0; i < finding->witness_count; i++) {
        const char *test = report->runs[finding->witnesses[i].run].test;
        if (test)
            names[len++] = test;
    }
    qsort(names, len, sizeof *names, by_text);
    *count = 0;
    for (size_t i = 0; i < len; i++) {
        if (*count == 0 || strcmp(names[*count - 1], names[i]) != 0)
            names[(*count)++] = names[i];
    }
    return names;
}

static void name_tests(struct gg_out *out, const char *const *tests, size_t count)
{
    gg_out_text(out, count == 1 ? " in test " : " in tests ");
    for (size_t i = 0; i < count && i < NAMES_MOST; i++) {
        gg_out_text(out, i ? ", " : "");
        gg_out_text(out, tests[i]);
    }
    if (count > NAMES_MOST)
        gg_out_printf(out, " and %zu more", count - NAMES_MOST);
}

char *gg_view_count(struct gg_arena *arena, const struct gg_report *report,
                    const struct gg_finding *finding)
{
    size_t processes = 0, test_count = 0;
    for (size_t i = 0; i < finding->witness_count; i++)
        processes += !finding->witnesses[i].copy;
    const char **tests = gg_view_tests(arena, report, finding, &test_count);
    if (finding->count <= 1 && processes <= 1 && test_count == 0)
        return NULL;
    struct gg_out *out = gg_out_memory();
    gg_out_text(out, "Seen");
    if (finding->count != 1)
        gg_out_printf(out, " %" PRIu64 " times", finding->count);
    if (finding->count != 1 || processes != 1)
        gg_out_printf(out, " in %zu process%s", processes, processes == 1 ? "" : "es");
    if (test_count)
        name_tests(out, tests, test_count);
    size_t len;
    char *text = gg_out_take(out, &len);
    char *copy = gg_arena_strndup(arena, text, len);
    free(text);
    return copy;
}

const char *gg_view_stack_title(const struct gg_finding *finding, const struct gg_stack *stack)
{
    if (stack->role == GG_ROLE_ERROR && finding->is_leak)
        return "Where it was allocated";
    if (stack->text && stack->text[0])
        return stack->text;
    switch (stack->role) {
    case GG_ROLE_ERROR:
        return gg_view_detail(finding) ? gg_view_detail(finding) : "Where it happened";
    case GG_ROLE_ALLOCATED:
        return "Where the block was allocated";
    case GG_ROLE_FREED:
        return "Where the block was freed";
    case GG_ROLE_ORIGIN:
        return "Where the value was created";
    case GG_ROLE_OTHER:
        break;
    }
    return "See also";
}

static bool is_own(const struct gg_stack *stack, size_t at)
{
    return stack->frames[at]->zone == GG_ZONE_OWN;
}

/* Index behind the frames that are folded from `at` on; `at` itself when none are. */
static size_t fold_end(const struct gg_stack *stack, size_t at)
{
    size_t last = stack->len - 1;
    if (at >= ROWS_MOST)
        return last - at >= FOLD_LEAST && at < last ? last : at;
    bool second = at > 0 && !is_own(stack, at - 1) && (at == 1 || is_own(stack, at - 2));
    if (!second)
        return at;
    size_t end = at;
    while (end < stack->len && !is_own(stack, end))
        end++;
    return end - at > FOLD_LEAST ? end - 1 : at;
}

size_t gg_view_row(const struct gg_stack *stack, size_t at, bool full, struct gg_view_row *row)
{
    size_t end = full ? at : fold_end(stack, at);
    *row = (struct gg_view_row){.first = at, .folded = end - at};
    if (end > at)
        return end;
    row->frame = stack->frames[at];
    return at + 1;
}

/* "/usr/lib/libstdc++.so.6.0.30" -> "libstdc++" */
static struct gg_str library(const struct gg_frame *frame)
{
    if (frame->zone == GG_ZONE_TOOL)
        return gg_str("valgrind");
    if (!frame->object)
        return gg_str("code of no file");
    struct gg_str name = gg_str(gg_fs_basename(frame->object));
    size_t so = gg_str_find(name, ".so");
    return so == SIZE_MAX || so == 0 ? name : gg_str_n(name.ptr, so);
}

char *gg_view_folded(struct gg_arena *arena, const struct gg_stack *stack,
                     const struct gg_view_row *row)
{
    struct gg_str names[2] = {{0}};
    size_t len = 0, more = 0;
    for (size_t i = 0; i < row->folded && !more; i++) {
        struct gg_str name = library(stack->frames[row->first + i]);
        bool known =
            (len > 0 && gg_str_eq(name, names[0])) || (len > 1 && gg_str_eq(name, names[1]));
        if (known)
            continue;
        if (len < 2)
            names[len++] = name;
        else
            more = 1;
    }
    return gg_arena_printf(
        arena, "%zu frames in %.*s%s%.*s%s", row->folded, (int)names[0].len, names[0].ptr,
        len < 2 ? ""
        : more  ? ", "
                : " and ",
        (int)names[1].len, names[1].ptr ? names[1].ptr : "", more ? " and others" : "");
}

static char *with_line(struct gg_arena *arena, const char *file, uint32_t line)
{
    return line ? gg_arena_printf(arena, "%s:%" PRIu32, file, line) : gg_arena_strdup(arena, file);
}

char *gg_view_place(struct gg_arena *arena, const struct gg_frame *frame)
{
    if (frame->path)
        return with_line(arena, frame->path, frame->line);
    if (frame->zone == GG_ZONE_TOOL)
        return gg_arena_strdup(arena, "valgrind");
    if (frame->file)
        return with_line(arena, gg_fs_basename(frame->file), frame->line);
    return gg_arena_strdup(arena, frame->object ? gg_fs_basename(frame->object) : "no file");
}

char *gg_view_function(struct gg_arena *arena, const struct gg_frame *frame)
{
    if (frame->function)
        return gg_arena_strdup(arena, frame->function);
    return gg_arena_printf(arena, "0x%" PRIX64, frame->ip);
}

const char *gg_view_cut(struct gg_arena *arena, const char *text, size_t most)
{
    struct gg_str rest = gg_str(text);
    if (rest.len <= most)
        return text;
    size_t len = 0;
    uint32_t code;
    for (;;) {
        size_t taken = gg_utf8_decode(rest, &code);
        taken = taken ? taken : 1;
        if (len + taken > most)
            return gg_arena_printf(arena, "%.*s...", (int)len, text);
        len += taken;
        rest = gg_str_n(rest.ptr + taken, rest.len - taken);
    }
}

/* Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar throughout:
 * eras of 400 years, each year beginning in March so that leap days come last. */
static void civil(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468; /* from 0000-03-01 */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    unsigned of_era = (unsigned)(days - era * 146097);
    unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned from_march = (5 * of_year + 2) / 153;
    *day = of_year - (153 * from_march + 2) / 5 + 1;
    *month = from_march < 10 ? from_march + 3 : from_march - 9;
    *year = (int64_t)year_of_era + era * 400 + (*month <= 2);
}

int gg_view_zone(int offset)
{
    return offset > -1440 && offset < 1440 ? offset : 0;
}

bool gg_view_time(char text[GG_VIEW_TIME], int64_t time, int offset)
{
    const int64_t day_length = 86400, earliest = -62167219200, latest = 253402300799;
    offset = gg_view_zone(offset);
    if (time < earliest + day_length || time > latest - day_length)
        return false;
    int64_t local = time + offset * 60;
    int64_t days = local / day_length - (local % day_length < 0);
    unsigned second = (unsigned)(local - days * day_length);
    unsigned east = (unsigned)abs(offset);
    int64_t year;
    unsigned month, day;
    civil(days, &year, &month, &day);
    snprintf(text, GG_VIEW_TIME, "%04u-%02u-%02uT%02u:%02u:%02u%c%02u:%02u", (unsigned)year % 10000,
             month % 100, day % 100, second / 3600 % 100, second / 60 % 60, second % 60,
             offset < 0 ? '-' : '+', east / 60 % 100, east % 60);
    return true;
}

bool gg_view_is_proof(const struct gg_note *note)
{
    return strcmp(note->kind, "proved") == 0;
}

bool gg_view_is_loud(const struct gg_note *note)
{
    return strncmp(note->kind, "rule-", strlen("rule-")) == 0;
}

bool gg_view_is_inside(const char *path)
{
    struct gg_str part, rest = gg_str(path);
    bool more = true;
    while (more) {
        more = gg_str_cut(rest, '/', &part, &rest);
        if (part.len == 0 || gg_str_is(part, ".") || gg_str_is(part, ".."))
            return false;
    }
    return true;
}

int gg_view_bar(const struct gg_report *report, const struct gg_verdict *verdict)
{
    if (verdict->failing == 0)
        return GG_ERROR + 1;
    uint64_t open[GG_ERROR + 1] = {0};
    for (size_t i = 0; i < report->finding_count; i++)
        open[report->findings[i].severity] += report->findings[i].fate == GG_OPEN;
    uint64_t failing = 0;
    for (int bar = GG_ERROR; bar > GG_NOTE; bar--) {
        failing += open[bar];
        if (failing == verdict->failing)
            return bar;
    }
    return GG_NOTE;
}
