#include "read/memcheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gg_run *gg_memcheck_run(struct gg_memcheck *m)
{
    return gg_collate_run_at(m->collate, m->run);
}

bool gg_memcheck_first(struct gg_memcheck *m, struct gg_str word)
{
    for (size_t i = 0; i < m->noted.name_count; i++) {
        if (gg_str_is(word, m->noted.names[i]))
            return false;
    }
    if (m->noted.name_count < GG_NAMES_MAX) {
        m->noted.names[m->noted.name_count++] =
            gg_atom_n(gg_collate_atoms(m->collate), word.ptr, word.len);
        return true;
    }
    if (!m->noted.names_cut)
        gg_collate_note(m->collate, "unknown-names", m->source, false,
                        "more names are unknown than are told one by one");
    m->noted.names_cut = true;
    return false;
}

static const struct gg_thread *find_thread(const struct gg_memcheck *m, uint64_t number)
{
    void **known = gg_map_find(&m->threads_by_number, &number, sizeof number);
    return known ? *known : NULL;
}

/* Where the threads that the error speaks of were created; of the first one nothing is known. */
static void add_threads(struct gg_memcheck *m)
{
    for (size_t i = 0; i < m->draft.thread_count; i++) {
        const struct gg_thread *thread = find_thread(m, m->draft.threads[i]);
        if (!thread || thread->len == 0)
            continue;
        char text[64];
        int len = snprintf(text, sizeof text, "Thread #%llu was created",
                           (unsigned long long)thread->number);
        gg_draft_stack(&m->draft, gg_str_n(text, (size_t)len), thread->frames, thread->len);
    }
}

static void note_kind(struct gg_memcheck *m, struct gg_str kind)
{
    if (gg_kind_of(kind.ptr, kind.len) == GG_KIND_Unknown && gg_memcheck_first(m, kind))
        gg_collate_note(m->collate, "unknown-kind", m->source, false,
                        "%.*s is no kind of error this version knows; such errors are kept as "
                        "they stand",
                        (int)(kind.len < 200 ? kind.len : 200), kind.ptr);
}

static void note_cut_error(struct gg_memcheck *m)
{
    if (m->draft.cut && !m->noted.error_cut)
        gg_collate_note(m->collate, "error-cut", m->source, false,
                        "an error with more stacks, frames or text than valgrind writes is not "
                        "kept whole");
    m->noted.error_cut = m->noted.error_cut || m->draft.cut;
}

void gg_memcheck_error(struct gg_memcheck *m)
{
    struct gg_draft *draft = &m->draft;
    struct gg_run *run = gg_memcheck_run(m);
    gg_draft_set(draft, GG_DRAFT_KIND, gg_str("Unknown")); /* unless it has one */
    note_kind(m, gg_draft_get(draft, GG_DRAFT_KIND));
    add_threads(m);
    note_cut_error(m);
    gg_draft_deliver(draft, m->collate, m->run, run->saw_finished);
    run->errors++;
}

void gg_memcheck_fatal(struct gg_memcheck *m)
{
    struct gg_str signal = gg_draft_get(&m->draft, GG_DRAFT_SIGNAME);
    gg_memcheck_run(m)->fatal =
        signal.len ? gg_atom_n(gg_collate_atoms(m->collate), signal.ptr, signal.len)
                   : "an unknown signal";
    gg_draft_fatal(&m->draft);
    gg_draft_deliver(&m->draft, m->collate, m->run, false);
    m->saw_fatal = true;
}

/* <announcethread> <hthreadid>2</hthreadid> <stack>...: once a thread, before it is spoken of */
void gg_memcheck_announced(struct gg_memcheck *m)
{
    if (find_thread(m, m->thread))
        return;
    if (m->threads_by_number.count == GG_THREADS_MAX) {
        if (!m->noted.thread)
            gg_collate_note(m->collate, "error-cut", m->source, false,
                            "more threads than are kept: not every error says where its threads "
                            "were created");
        m->noted.thread = true;
        return;
    }
    size_t size = m->draft.frame_count * sizeof(struct gg_frame *);
    struct gg_thread *thread = gg_alloc(sizeof *thread + size);
    thread->next = m->threads;
    thread->number = m->thread;
    thread->len = m->draft.frame_count;
    if (size)
        memcpy(thread->frames, m->draft.frames, size);
    m->threads = thread;
    *gg_map_put(&m->threads_by_number, &thread->number, sizeof thread->number) = thread;
}

static void forget_threads(struct gg_memcheck *m)
{
    while (m->threads) {
        struct gg_thread *next = m->threads->next;
        free(m->threads);
        m->threads = next;
    }
    gg_map_free(&m->threads_by_number);
}

/* VALGRIND_PRINTF and VALGRIND_PRINTF_BACKTRACE */
void gg_memcheck_message(struct gg_memcheck *m)
{
    struct gg_str text = gg_str_trim(gg_buffer_str(&m->message));
    const struct gg_frame *at = NULL;
    for (size_t i = 0; i < m->draft.frame_count && !at; i++) {
        const char *file = m->draft.frames[i]->file;
        if (file && strcmp(file, "valgrind.h") != 0) /* where the request itself is inlined */
            at = m->draft.frames[i];
    }
    if (m->noted.messages++ >= GG_MESSAGES_MAX) {
        if (m->noted.messages == GG_MESSAGES_MAX + 1)
            gg_collate_note(m->collate, "client-message", m->source, false,
                            "more messages than %u are left out", GG_MESSAGES_MAX);
        return;
    }
    int len = (int)(text.len < 1024 ? text.len : 1024);
    if (at)
        gg_collate_note(m->collate, "client-message", m->source, false, "%.*s (at %s:%u)", len,
                        text.ptr, at->file, (unsigned)at->line);
    else
        gg_collate_note(m->collate, "client-message", m->source, false, "%.*s", len, text.ptr);
}

static void note_counts(struct gg_memcheck *m)
{
    if (!m->noted.pair)
        gg_collate_note(m->collate, "error-cut", m->source, false,
                        "more counts of errors or suppressions than are kept");
    m->noted.pair = true;
}

/* Kept until the document ends: it may be asked for more than once while the program runs, and
 * the last list counts. */
void gg_memcheck_pair(struct gg_memcheck *m)
{
    if (m->pair.unique > UINT32_MAX)
        return;
    if (m->pair_count == GG_PAIRS_MAX) {
        note_counts(m);
        return;
    }
    if (m->pair_count == m->pair_cap) {
        m->pair_cap = m->pair_cap ? m->pair_cap * 2 : 64;
        m->pairs = gg_realloc(m->pairs, m->pair_cap * sizeof *m->pairs);
    }
    m->pairs[m->pair_count++] = m->pair;
}

void gg_memcheck_suppcount(struct gg_memcheck *m)
{
    if (m->suppcounts.len == GG_SUPPCOUNTS_MAX) {
        note_counts(m);
        return;
    }
    *gg_vec_push(m->arena, &m->suppcounts) =
        (struct gg_suppcount){.name = m->supp_name.ptr, .count = m->pair.count};
}

void gg_memcheck_begin(struct gg_memcheck *m)
{
    m->run_before = m->run;
    m->run = gg_collate_run(m->collate);
    struct gg_run *run = gg_memcheck_run(m);
    run->source = m->source;
    run->document = m->documents++;
    m->has_arguments = m->saw_fatal = m->first_error_only = false;
    m->argument_bytes = 0;
    memset(&m->options, 0, sizeof m->options);
    memset(&m->command, 0, sizeof m->command);
    memset(&m->suppcounts, 0, sizeof m->suppcounts);
    m->pair_count = 0;
    m->noted = (struct gg_noted){0};
}

static const char *line_text(struct gg_memcheck *m, uint64_t line)
{
    return line ? gg_arena_printf(m->arena, ", line %llu", (unsigned long long)line) : "";
}

/* What cannot be read, or does not belong together, makes any report incomplete. */
static const char *why_damaged(struct gg_memcheck *m, const struct gg_xmldoc *doc)
{
    if (doc->given_up)
        return gg_arena_printf(m->arena, "the rest of the file was not read: %s", doc->given_up);
    if (doc->lost_places)
        return gg_arena_printf(
            m->arena, "%llu %s of the report (%llu bytes%s) cannot be read: %s",
            (unsigned long long)doc->lost_places, doc->lost_places == 1 ? "part" : "parts",
            (unsigned long long)doc->lost_bytes, line_text(m, doc->lost_line), doc->lost_why);
    if (doc->continued_line || doc->closed > 1)
        return gg_arena_printf(m->arena,
                               "the report goes on behind its end%s: several processes wrote into "
                               "one file (use %%p in --xml-file), or valgrind itself failed",
                               line_text(m, doc->continued_line));
    return NULL;
}

static const char *why_open(const struct gg_memcheck *m, const struct gg_run *run)
{
    if (run->saw_finished)
        return "the report stops after the program's end: valgrind was killed while it looked for "
               "leaks, or the disk is full: give it more memory, time or room, and run it again";
    if (run->saw_running || run->errors || m->saw_fatal)
        return "the report stops before the program's end: the program was killed, became another "
               "one, still runs, or the disk is full: find out which, and run it again";
    if (m->has_arguments)
        return "the report holds no more than its head: the process was killed, became a program "
               "that is not checked right after a fork, or valgrind could not start it: find out "
               "which, and run it again";
    return "the report is cut off in its head: valgrind was killed as it began, or the disk is "
           "full: run it again";
}

static const char *why_closed(const struct gg_memcheck *m, const struct gg_run *run)
{
    if (run->saw_finished)
        return NULL;
    if (m->first_error_only && run->errors)
        return "valgrind stopped at the first error (--exit-on-first-error): what else there is "
               "was not looked for";
    if (run->errors == 0 && !m->saw_fatal)
        return "valgrind gave up before the program ran (its log says why; often a suppression "
               "file that cannot be read)";
    return "valgrind closed the report before the program's end: its log says why";
}

static const char *why_incomplete(struct gg_memcheck *m, const struct gg_xmldoc *doc,
                                  const char *damaged)
{
    const struct gg_run *run = gg_memcheck_run(m);
    if (damaged)
        return damaged;
    bool nothing = run->pid < 0 && run->errors == 0 && !run->saw_running && !run->saw_finished;
    if (!doc->rooted)
        return nothing ? "there is no report in it: valgrind writes one with --xml=yes and "
                         "--xml-file=NAME"
                       : "the beginning of the report is missing: something wrote into it, or cut "
                         "it: run it again";
    return doc->closed ? why_closed(m, run) : why_open(m, run);
}

static void note_document(struct gg_memcheck *m, const struct gg_xmldoc *doc)
{
    const struct {
        const char *kind;
        uint64_t line;
        const char *text;
    } places[] = {
        {"text-before", doc->before_line, "text before the report is left out"},
        {"text-after", doc->after_line, "text behind the report is left out"},
        {"mended-text", doc->mended_line,
         "text that valgrind does not escape (names of threads, files, sockets, blocks, or a "
         "comment) is read as text; it begins here"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].line == 0)
            continue;
        char *where =
            gg_arena_printf(m->arena, "%s:%llu", m->source, (unsigned long long)places[i].line);
        gg_collate_note(m->collate, places[i].kind, where, false, "%s", places[i].text);
    }
    if (doc->repaired)
        gg_collate_note(m->collate, "repaired-bytes", m->source, false,
                        "%llu bytes that are not UTF-8, or that XML does not allow, are shown as "
                        "\\xNN",
                        (unsigned long long)doc->repaired);
}

static void apply_counts(struct gg_memcheck *m)
{
    for (size_t i = 0; i < m->pair_count; i++)
        gg_collate_error_count(m->collate, m->run, (uint32_t)m->pairs[i].unique, m->pairs[i].count);
    gg_collate_run_done(m->collate);
}

/* exec keeps the process: the document before was that of the program before. In containers every
 * run may be process 1, and one that was killed may be followed by the next: so only another
 * program tells of an exec. */
static void judge_document_before(struct gg_memcheck *m)
{
    const struct gg_run *run = gg_memcheck_run(m);
    struct gg_run *before = gg_collate_run_at(m->collate, m->run_before);
    if (!m->cut_before || run->pid < 0 || before->pid != run->pid || !run->command[0] ||
        !before->command[0] || strcmp(run->command[0], before->command[0]) == 0)
        return;
    before->end = GG_END_REPLACED;
    before->detail = "the program replaced itself by another one (exec) before valgrind could look "
                     "for leaks";
}

void gg_memcheck_end(struct gg_memcheck *m, const struct gg_xmldoc *doc)
{
    struct gg_run *run = gg_memcheck_run(m);
    if (m->options.len) {
        *gg_vec_push(m->arena, &m->options) = NULL;
        run->options = m->options.at;
    }
    if (m->command.len) {
        *gg_vec_push(m->arena, &m->command) = NULL;
        run->command = m->command.at;
    }
    run->suppcounts = m->suppcounts.at;
    run->suppcount_count = m->suppcounts.len;
    run->repaired = doc->repaired + doc->mended;
    run->forked =
        !run->saw_running && m->has_arguments && (run->errors || run->saw_finished || m->saw_fatal);
    const char *damaged = why_damaged(m, doc);
    run->detail = why_incomplete(m, doc, damaged);
    run->end = run->detail ? GG_END_TRUNCATED : GG_END_FINISHED;
    run->cut_between = m->has_arguments && doc->rooted && !doc->closed && !doc->cut &&
                       !run->saw_finished && !damaged;
    judge_document_before(m);
    m->cut_before = doc->followed && run->cut_between;
    note_document(m, doc);
    apply_counts(m);
    forget_threads(m);
}
