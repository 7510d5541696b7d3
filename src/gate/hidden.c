/* Suppressions that stand in valgrind's own options work before anything is reported: what they
 * hide has no stack here, and nobody can say whether it is still the error they were made for. */
#include "gate/doctor.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/flag.h"
#include "model/note.h"
#include "model/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MOST = 5 };

struct used {
    const char *name;
    uint64_t count;
};

struct hidden {
    struct gg_arena *arena;
    GG_VEC(struct used) names;
    GG_VEC(const char *) files;
    struct gg_map known; /* names and files, told apart by their first byte */
    uint64_t total;
    bool uncounted;
};

/* The one every valgrind reads by itself, for faults of the system's libraries. */
static bool is_default(const char *file)
{
    return strcmp(gg_fs_basename(file), "default.supp") == 0;
}

static void **remember(struct hidden *hidden, char what, const char *text)
{
    const char *key = gg_arena_printf(hidden->arena, "%c%s", what, text);
    return gg_map_put(&hidden->known, key, strlen(key));
}

/* Returns whether the run has any. */
static bool add_files(struct hidden *hidden, const struct gg_run *run)
{
    bool any = false;
    for (const char *const *option = run->options; *option; option++) {
        struct gg_str text = gg_str(*option);
        const char *file = *option + strlen("--suppressions=");
        if (!gg_str_starts(text, "--suppressions=") || is_default(file))
            continue;
        any = true;
        void **known = remember(hidden, 'f', file);
        if (!*known)
            *gg_vec_push(hidden->arena, &hidden->files) = file;
        *known = hidden;
    }
    return any;
}

static bool is_uncounted(const struct gg_run *run)
{
    const char *list = gg_flag(run, "show-error-list");
    bool quiet = list && strcmp(list, "no") == 0;
    for (const char *const *option = run->options; *option; option++)
        quiet = quiet || strcmp(*option, "-q") == 0 || strcmp(*option, "--quiet") == 0;
    return quiet;
}

static void add_counts(struct hidden *hidden, const struct gg_run *run)
{
    for (size_t i = 0; i < run->suppcount_count; i++) {
        const struct gg_suppcount *counted = &run->suppcounts[i];
        void **index = remember(hidden, 'n', counted->name);
        if (!*index) {
            gg_vec_push(hidden->arena, &hidden->names)->name = counted->name;
            *index = (void *)(uintptr_t)hidden->names.len;
        }
        hidden->names.at[(uintptr_t)*index - 1].count += counted->count;
        hidden->total += counted->count;
    }
}

static int by_count(const void *a, const void *b)
{
    const struct used *left = a, *right = b;
    int order = (left->count < right->count) - (left->count > right->count);
    return order ? order : strcmp(left->name, right->name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *list_names(struct hidden *hidden)
{
    const char *list = "";
    qsort(hidden->names.at, hidden->names.len, sizeof *hidden->names.at, by_count);
    for (size_t i = 0; i < hidden->names.len && i < NAMED_MOST; i++)
        list = gg_arena_printf(hidden->arena, "%s%s%s: %" PRIu64, list, i ? ", " : "",
                               hidden->names.at[i].name, hidden->names.at[i].count);
    if (hidden->names.len > NAMED_MOST)
        list = gg_arena_printf(hidden->arena, "%s, %zu more", list, hidden->names.len - NAMED_MOST);
    return list;
}

static const char *list_files(struct hidden *hidden)
{
    const char *list = "";
    qsort(hidden->files.at, hidden->files.len, sizeof *hidden->files.at, by_text);
    for (size_t i = 0; i < hidden->files.len && i < NAMED_MOST; i++)
        list = gg_arena_printf(hidden->arena, "%s%s%s", list, i ? ", " : "", hidden->files.at[i]);
    if (hidden->files.len > NAMED_MOST)
        list = gg_arena_printf(hidden->arena, "%s, %zu more", list, hidden->files.len - NAMED_MOST);
    return list;
}

static void tell(struct hidden *hidden, struct gg_report *report, const char *text)
{
    struct gg_note note = {.kind = "hidden-suppressions", .text = text};
    gg_report_note(hidden->arena, report, &note);
}

void gg_doctor_hidden(struct gg_arena *arena, struct gg_report *report)
{
    struct hidden hidden = {.arena = arena};
    for (size_t i = 0; i < report->run_count; i++) {
        const struct gg_run *run = &report->runs[i];
        if (!run->options || !run->options[0]) {
            add_counts(&hidden, run); /* whatever hid them */
        } else if (add_files(&hidden, run)) {
            add_counts(&hidden, run);
            hidden.uncounted = hidden.uncounted || is_uncounted(run);
        }
    }
    const char *files = hidden.files.len ? list_files(&hidden) : "not named in the report";
    if (hidden.total)
        tell(&hidden, report,
             gg_arena_printf(arena,
                             "valgrind itself hid %" PRIu64 " error%s (%s): give the suppressions "
                             "(%s) to grindgate instead, --suppressions FILE, to see what they "
                             "match",
                             hidden.total, hidden.total == 1 ? "" : "s", list_names(&hidden),
                             files));
    if (hidden.uncounted)
        tell(&hidden, report,
             gg_arena_printf(arena,
                             "valgrind itself was given suppressions (%s) and told not to count "
                             "what they hide: leave out -q and --show-error-list=no, or give them "
                             "to grindgate instead",
                             files));
    gg_map_free(&hidden.known);
}
