#include "base/fs.h"
#include "model/entry.h"
#include "model/note.h"
#include "model/order.h"
#include "model/recall.h"

#include <stdlib.h>
#include <string.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* --- runs ------------------------------------------------------------------------------- */

struct ranked_run {
    struct gg_run run;
    uint32_t was;
};

static int order_lists(const char *const *a, const char *const *b)
{
    for (; *a && *b; a++, b++) {
        int order = strcmp(*a, *b);
        if (order)
            return order;
    }
    return COMPARE(*a != NULL, *b != NULL);
}

static int by_run(const void *a, const void *b)
{
    const struct gg_run *left = &((const struct ranked_run *)a)->run;
    const struct gg_run *right = &((const struct ranked_run *)b)->run;
    int order = gg_order_text(left->test, right->test);
    if (!order)
        order = strcmp(left->source, right->source);
    if (!order)
        order = COMPARE(left->document, right->document);
    if (!order)
        order = order_lists(left->command, right->command);
    if (!order)
        order = COMPARE(left->pid, right->pid);
    return order ? order : gg_order_text(left->told_by, right->told_by);
}

/* Sorts the runs; returns where each went (free it). */
static uint32_t *sort_runs(struct gg_collate *collate)
{
    size_t count = collate->runs.len;
    struct ranked_run *ranked = gg_alloc(count * sizeof *ranked);
    uint32_t *went = gg_alloc(count * sizeof *went);
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked_run){collate->runs.at[i], (uint32_t)i};
    qsort(ranked, count, sizeof *ranked, by_run);
    for (size_t i = 0; i < count; i++) {
        collate->runs.at[i] = ranked[i].run;
        went[ranked[i].was] = (uint32_t)i;
    }
    free(ranked);
    return went;
}

/* --- forked children -------------------------------------------------------------------- */

/* Where the report stands is part of it: in containers thousands of tests have the same pid. */
struct process {
    int64_t pid;
    struct gg_str directory;
    uint32_t run;
};

static struct process process_of(int64_t pid, const struct gg_run *run, size_t index)
{
    size_t len = (size_t)(gg_fs_basename(run->source) - run->source);
    return (struct process){pid, gg_str_n(run->source, len), (uint32_t)index};
}

static int by_place(const void *a, const void *b)
{
    const struct process *left = a, *right = b;
    int order = COMPARE(left->pid, right->pid);
    if (!order)
        order = COMPARE(left->directory.len, right->directory.len);
    return order ? order : memcmp(left->directory.ptr, right->directory.ptr, left->directory.len);
}

static int by_process(const void *a, const void *b)
{
    int order = by_place(a, b);
    return order ? order
                 : COMPARE(((const struct process *)a)->run, ((const struct process *)b)->run);
}

/* Process ids recur between machines and over time: a parent is only believed when its report
 * stands beside the child's and the child runs the same command. */
static bool is_parent(const struct gg_run *parent, const struct gg_run *child)
{
    return parent != child && !parent->told_by && order_lists(parent->command, child->command) == 0;
}

/* parents[i]: the run that forked run i, or its own index. Free it. */
static uint32_t *find_parents(const struct gg_collate *collate)
{
    size_t count = collate->runs.len;
    const struct gg_run *runs = collate->runs.at;
    struct process *processes = gg_alloc(count * sizeof *processes);
    uint32_t *parents = gg_alloc(count * sizeof *parents);
    for (size_t i = 0; i < count; i++)
        processes[i] = process_of(runs[i].pid, &runs[i], i);
    qsort(processes, count, sizeof *processes, by_process);
    for (size_t i = 0; i < count; i++) {
        parents[i] = (uint32_t)i;
        if (!runs[i].forked || runs[i].told_by)
            continue;
        struct process wanted = process_of(runs[i].ppid, &runs[i], i);
        const struct process *found =
            bsearch(&wanted, processes, count, sizeof *processes, by_place);
        while (found && found > processes && by_place(&found[-1], &wanted) == 0)
            found--;
        for (; found && found < processes + count && by_place(found, &wanted) == 0; found++) {
            if (is_parent(&runs[found->run], &runs[i]))
                parents[i] = found->run;
        }
    }
    free(processes);
    return parents;
}

static int by_witness(const void *a, const void *b)
{
    uint32_t left = ((const struct gg_witness *)a)->run;
    uint32_t right = ((const struct gg_witness *)b)->run;
    return COMPARE(left, right);
}

/* What the child lost beyond its parent's blocks is its own. */
static bool is_within(const struct gg_witness *child, const struct gg_witness *parent)
{
    return child->bytes <= parent->bytes && child->blocks <= parent->blocks;
}

/* fork() copies the parent's blocks, and the child reports them as its own leaks. Of runs that a
 * report of grindgate's own tells of it is known already. */
static void mark_copies(struct gg_entry *entry, const uint32_t *parents)
{
    for (size_t i = 0; i < entry->witnesses.len; i++) {
        struct gg_witness *child = &entry->witnesses.at[i];
        struct gg_witness wanted = {.run = parents[child->run]};
        if (wanted.run == child->run)
            continue;
        const struct gg_witness *parent =
            bsearch(&wanted, entry->witnesses.at, entry->witnesses.len, sizeof wanted, by_witness);
        child->copy = parent && is_within(child, parent);
    }
}

/* --- findings --------------------------------------------------------------------------- */

/* The worst of the runs gives a leak its size. */
static void measure_leak(struct gg_finding *finding, const struct gg_witness *witness)
{
    if (witness->bytes < finding->leak_bytes ||
        (witness->bytes == finding->leak_bytes && witness->blocks <= finding->leak_blocks))
        return;
    finding->leak_bytes = witness->bytes;
    finding->leak_direct = witness->direct;
    finding->leak_blocks = witness->blocks;
}

static void finish_entry(struct gg_collate *collate, struct gg_entry *entry, const uint32_t *went,
                         const uint32_t *parents, struct gg_finding *finding)
{
    struct gg_witness *witnesses = entry->witnesses.at;
    size_t count = entry->witnesses.len;
    for (size_t i = 0; i < count; i++)
        witnesses[i].run = went[witnesses[i].run];
    qsort(witnesses, count, sizeof *witnesses, by_witness);
    if (entry->is_leak)
        mark_copies(entry, parents);
    *finding = gg_entry_finding(collate->atoms, entry);
    finding->witnesses = witnesses;
    finding->witness_count = count;
    for (size_t i = 0; i < count; i++) {
        if (witnesses[i].copy)
            continue;
        finding->count += witnesses[i].count;
        measure_leak(finding, &witnesses[i]);
    }
    if (finding->is_leak)
        finding->message = gg_message_leak(collate->arena, finding);
}

/* --- notes ------------------------------------------------------------------------------ */

static int by_note(const void *a, const void *b)
{
    return gg_order_note(*(struct gg_note *const *)a, *(struct gg_note *const *)b);
}

static void finish_notes(struct gg_collate *collate, struct gg_report *report)
{
    size_t count = collate->notes.len;
    if (count)
        qsort(collate->notes.at, count, sizeof *collate->notes.at, by_note);
    report->notes = gg_arena_alloc(collate->arena, count * sizeof *report->notes);
    report->note_count = count;
    for (size_t i = 0; i < count; i++)
        report->notes[i] = *collate->notes.at[i];
}

void gg_collate_close(struct gg_collate *collate)
{
    free(collate->key);
    free(collate->uniques);
    collate->key = NULL;
    collate->uniques = NULL;
    gg_map_free(&collate->by_key);
    gg_map_free(&collate->by_note);
    gg_arena_free(&collate->keys);
    gg_frames_close(&collate->frames);
}

void gg_collate_finish(struct gg_collate *collate, struct gg_report *report)
{
    gg_collate_close(collate);
    uint32_t *went = sort_runs(collate);
    uint32_t *parents = find_parents(collate);
    report->runs = collate->runs.at;
    report->run_count = collate->runs.len;
    report->findings =
        gg_arena_alloc(collate->arena, collate->entries.len * sizeof *report->findings);
    report->finding_count = collate->entries.len;
    for (size_t i = 0; i < collate->entries.len; i++)
        finish_entry(collate, collate->entries.at[i], went, parents, &report->findings[i]);
    finish_notes(collate, report);
    gg_recall_finish(collate, report);
    free(went);
    free(parents);
}
