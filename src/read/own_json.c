/* grindgate's own JSON, read back: what `grindgate check report.json` reads. Item by item; whatever
 * is not as it has to be makes the whole undecided. */
#include "model/recall.h"
#include "read/own.h"
#include "read/readers.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { VERSION = 1 };

/* What a report must have; the order is that in which grindgate writes it. */
enum { SEEN_VERSION = 1, SEEN_VERDICT = 2, SEEN_RUNS = 4, SEEN_FINDINGS = 8, SEEN_NOTES = 16 };
enum { SEEN_ALL = 31 };

static int bid(const char *bytes, size_t len)
{
    struct gg_str text = gg_str_trim(gg_str_n(bytes, len));
    if (!gg_str_starts(text, "{"))
        return 0;
    if (gg_str_find(text, "/schemas/report-") != SIZE_MAX)
        return 100;
    return gg_str_find(text, "\"grindgate\"") != SIZE_MAX &&
                   gg_str_find(text, "\"tool\"") != SIZE_MAX
               ? 90
               : 0;
}

static void damaged(struct gg_own *own, const char *text)
{
    own->doubtful = true;
    gg_collate_note(own->collate, "damaged-report", own->name, true, "%s", text);
}

/* One is enough: who damaged one item has damaged many. */
static void tell_wrong(struct gg_own *own, const char *list)
{
    if (own->wrong && !own->told_wrong)
        gg_collate_note(own->collate, "damaged-report", own->name, true,
                        "line %llu: \"%s\" of one of the %s is missing, or not what it has to be: "
                        "make the report again",
                        (unsigned long long)own->stream.value_line, own->wrong, list);
    own->told_wrong = own->told_wrong || own->wrong;
    own->doubtful = own->doubtful || own->wrong;
    own->wrong = NULL;
}

/* --- runs ------------------------------------------------------------------------------- */

static const char *keep(struct gg_own *own, const char *text)
{
    return text ? gg_atom(gg_collate_atoms(own->collate), text) : NULL;
}

static const char *const *read_words(struct gg_own *own, const json_t *object, const char *key)
{
    const json_t *list = gg_own_list(own, object, key);
    size_t count = json_array_size(list);
    struct gg_arena *arena = gg_collate_arena(own->collate);
    const char **words = gg_arena_alloc(arena, (count + 1) * sizeof *words);
    for (size_t i = 0; i < count; i++)
        words[i] = keep(own, gg_own_item(own, list, i, key));
    return words;
}

static void read_suppcounts(struct gg_own *own, const json_t *from, struct gg_run *run)
{
    const json_t *list = gg_own_list(own, from, "suppressed_by_valgrind");
    size_t count = json_array_size(list);
    struct gg_suppcount *counts =
        gg_arena_alloc(gg_collate_arena(own->collate), count * sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, i);
        counts[i] = (struct gg_suppcount){keep(own, gg_own_need_text(own, pair, "name")),
                                          gg_own_count(own, pair, "count")};
    }
    run->suppcounts = counts;
    run->suppcount_count = count;
}

/* What is not said to have finished did not. */
static void read_end(struct gg_own *own, const json_t *from, struct gg_run *run)
{
    const char *name = gg_own_need_text(own, from, "end");
    run->detail = keep(own, gg_own_text(own, from, "detail"));
    run->end = GG_END_TRUNCATED;
    if (strcmp(name, "finished") == 0)
        run->end = GG_END_FINISHED;
    else if (strcmp(name, "killed") == 0)
        run->end = GG_END_KILLED;
    else if (strcmp(name, "missing") == 0)
        run->end = GG_END_MISSING;
    else if (strcmp(name, "truncated") != 0 && !own->wrong)
        own->wrong = "end";
    if (gg_own_bool(own, from, "replaced") && run->end == GG_END_TRUNCATED)
        run->end = GG_END_REPLACED;
    own->unfinished = own->unfinished || !gg_run_is_complete(run);
}

static void read_identity(struct gg_own *own, const json_t *from, struct gg_run *run)
{
    const char *tool = keep(own, gg_own_text(own, from, "tool"));
    const char *version = keep(own, gg_own_text(own, from, "version"));
    run->pid = gg_own_int(own, from, "pid", -1, INT64_MAX, -1);
    run->ppid = gg_own_int(own, from, "ppid", -1, INT64_MAX, -1);
    run->tool = tool ? tool : "";
    run->version = version ? version : "";
    run->protocol = (uint32_t)gg_own_int(own, from, "protocol", 0, UINT32_MAX, 0);
    run->source = keep(own, gg_own_need_text(own, from, "source"));
    run->document = (uint32_t)gg_own_int(own, from, "document", 0, UINT32_MAX, 0);
    run->command = read_words(own, from, "command");
    run->options = read_words(own, from, "options");
    run->test = keep(own, gg_own_text(own, from, "test"));
}

static void read_run(struct gg_own *own, const json_t *from)
{
    struct gg_run *run = gg_collate_run_at(own->collate, gg_collate_run(own->collate));
    own->run_count++;
    run->told_by = own->name;
    read_identity(own, from, run);
    read_end(own, from, run);
    read_suppcounts(own, from, run);
    run->exit_code = (int)gg_own_int(own, from, "exit", 0, INT_MAX, -1);
    run->signal = keep(own, gg_own_text(own, from, "signal"));
    run->fatal = keep(own, gg_own_text(own, from, "fatal"));
    run->mangled = gg_own_bool(own, from, "mangled");
    run->forked = gg_own_bool(own, from, "forked");
    run->saw_running = gg_own_bool(own, from, "began");
    run->launched = gg_own_bool(own, from, "launched");
    run->root = gg_own_bool(own, from, "root");
    run->errors = gg_own_count(own, from, "errors");
    run->repaired = gg_own_count(own, from, "repaired");
}

/* --- tests, notes, the verdict ---------------------------------------------------------- */

static void read_test(struct gg_own *own, const json_t *from)
{
    struct gg_test test = {.name = gg_own_need_text(own, from, "name"),
                           .state = GG_TEST_NOT_RUN,
                           .detail = gg_own_text(own, from, "detail")};
    const char *state = gg_own_need_text(own, from, "status");
    bool known = false;
    for (unsigned i = GG_TEST_PASSED; i <= GG_TEST_DISABLED && !known; i++) {
        known = strcmp(state, gg_test_state_name((enum gg_test_state)i)) == 0;
        if (known)
            test.state = (enum gg_test_state)i;
    }
    if (!known && !own->wrong)
        own->wrong = "status";
    gg_recall_test(own->collate, &test);
}

/* Said anew where it still holds: that a run did not finish, by the run itself; what rules did, by
 * the rules at hand. */
static bool is_said_anew(const struct gg_own *own, const struct gg_note *note)
{
    return (own->unfinished && strcmp(note->kind, "unfinished") == 0) ||
           (!note->incomplete && strncmp(note->kind, "rule-", 5) == 0);
}

static void read_note(struct gg_own *own, const json_t *from)
{
    struct gg_note note = {.kind = gg_own_need_text(own, from, "kind"),
                           .text = gg_own_need_text(own, from, "text"),
                           .where = gg_own_text(own, from, "where"),
                           .count = gg_own_count(own, from, "count"),
                           .incomplete = gg_own_bool(own, from, "incomplete")};
    if (is_said_anew(own, &note))
        return;
    note.count = note.count ? note.count : 1;
    own->doubtful = own->doubtful || note.incomplete;
    gg_recall_note(own->collate, &note);
}

static void read_verdict(struct gg_own *own, const json_t *verdict)
{
    const char *outcome = gg_own_need_text(own, verdict, "outcome");
    const char *failure = gg_own_text(own, verdict, "program_failed");
    bool known = false;
    for (unsigned i = GG_PASS; i <= GG_PROGRAM_FAILED; i++)
        known = known || strcmp(outcome, gg_outcome_name((enum gg_outcome)i)) == 0;
    if (!known)
        own->wrong = "outcome";
    own->failed = strcmp(outcome, gg_outcome_name(GG_FAIL)) == 0;
    own->undecided = strcmp(outcome, gg_outcome_name(GG_INCOMPLETE)) == 0;
    if (!failure && strcmp(outcome, gg_outcome_name(GG_PROGRAM_FAILED)) == 0)
        failure = "the program itself failed";
    if (failure)
        gg_recall_failure(own->collate, failure);
    tell_wrong(own, "members of the verdict");
}

static void read_repository(struct gg_own *own, const json_t *repository)
{
    const char *head = gg_own_text(own, repository, "head");
    own->head = head && head[0] ? keep(own, head) : NULL;
    tell_wrong(own, "members of the repository");
}

static void read_version(struct gg_own *own, const json_t *version)
{
    if (json_is_integer(version) && json_integer_value(version) == VERSION)
        return;
    snprintf(own->stream.fault_text, sizeof own->stream.fault_text,
             json_is_integer(version) ? "it is of version %lld, and this grindgate reads version "
                                        "%d: read it with the grindgate that wrote it"
                                      : "it does not say which version it is of",
             (long long)json_integer_value(version), VERSION);
    own->stream.fault = own->stream.fault_text;
}

/* --- the report as a whole -------------------------------------------------------------- */

struct part {
    const char *key;
    unsigned bit;                                           /* 0: may be missing */
    unsigned after;                                         /* what must have been seen before */
    void (*whole)(struct gg_own *own, const json_t *value); /* gets the value, or */
    void (*item)(struct gg_own *own, const json_t *item);   /* each item of the list */
};

static const struct part parts[] = {
    {"version", SEEN_VERSION, 0, read_version, NULL},
    {"repository", 0, SEEN_VERSION, read_repository, NULL},
    {"verdict", SEEN_VERDICT, SEEN_VERSION, read_verdict, NULL},
    {"runs", SEEN_RUNS, SEEN_VERSION, NULL, read_run},
    {"tests", 0, SEEN_VERSION, NULL, read_test},
    {"findings", SEEN_FINDINGS, SEEN_VERSION | SEEN_RUNS, NULL, gg_own_finding},
    {"rules", 0, SEEN_VERSION, NULL, NULL},
    {"notes", SEEN_NOTES, SEEN_VERSION | SEEN_RUNS, NULL, read_note},
};

static const struct part *part_of(const char *key)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(key, parts[i].key) == 0)
            return &parts[i];
    }
    return NULL;
}

static void read_item(struct gg_own *own, const struct part *part)
{
    json_t *item = gg_jsonstream_value(&own->stream);
    if (item && part && part->item) {
        if (!json_is_object(item))
            own->wrong = part->key;
        part->item(own, item);
        tell_wrong(own, part->key);
    }
    json_decref(item);
    gg_arena_free(&own->scratch);
}

/* The items of a list whose "[" is taken. */
static void read_items(struct gg_own *own, const struct part *part)
{
    if (gg_jsonstream_take(&own->stream, ']'))
        return;
    do
        read_item(own, part);
    while (gg_jsonstream_take(&own->stream, ','));
    if (!gg_jsonstream_take(&own->stream, ']'))
        gg_jsonstream_unexpected(&own->stream, "a comma or ]");
}

/* Lists are never held whole, also those that nobody reads. */
static void read_value(struct gg_own *own, const struct part *part)
{
    if (!(part && part->whole) && gg_jsonstream_take(&own->stream, '[')) {
        read_items(own, part);
        return;
    }
    json_t *value = gg_jsonstream_value(&own->stream);
    if (value && part && part->whole)
        part->whole(own, value);
    else if (value && part)
        gg_jsonstream_unexpected(&own->stream, "a list");
    json_decref(value);
    gg_arena_free(&own->scratch);
}

static void read_member(struct gg_own *own)
{
    if (gg_jsonstream_peek(&own->stream) != '"')
        gg_jsonstream_unexpected(&own->stream, "a key");
    json_t *key = gg_jsonstream_value(&own->stream);
    const struct part *part = key ? part_of(json_string_value(key)) : NULL;
    json_decref(key);
    if (part && ((own->seen & part->bit) || (own->seen & part->after) != part->after))
        gg_jsonstream_unexpected(&own->stream, "each part once, and in its order,");
    if (!gg_jsonstream_take(&own->stream, ':'))
        gg_jsonstream_unexpected(&own->stream, "a colon");
    if (own->stream.fault)
        return;
    if (part)
        own->seen |= part->bit;
    read_value(own, part);
}

static void read_report(struct gg_own *own)
{
    struct gg_jsonstream *stream = &own->stream;
    if (!gg_jsonstream_take(stream, '{'))
        gg_jsonstream_unexpected(stream, "{");
    do
        read_member(own);
    while (gg_jsonstream_take(stream, ','));
    if (!gg_jsonstream_take(stream, '}'))
        gg_jsonstream_unexpected(stream, "a comma or }");
    if (!stream->fault && gg_jsonstream_peek(stream) >= 0)
        gg_jsonstream_unexpected(stream, "the end of the file");
    if (!stream->fault && own->seen != SEEN_ALL)
        stream->fault = "version, verdict, runs, findings or notes are missing: make it again";
}

static bool read_own(struct gg_input *input, struct gg_collate *collate, struct gg_error *err)
{
    struct gg_own own = {.collate = collate,
                         .name = gg_atom(gg_collate_atoms(collate), input->name),
                         .first_run = gg_collate_run_count(collate)};
    gg_jsonstream_begin(&own.stream, input, err);
    gg_arena_init(&own.scratch);
    read_report(&own);
    if (own.stream.fault)
        damaged(&own, own.stream.fault);
    if (own.undecided && !own.unfinished && !own.doubtful)
        damaged(&own, "the report says that it is incomplete, and not why");
    if (own.failed && !own.open && !own.stream.fault && !own.doubtful)
        damaged(&own, "the report says that findings failed it, and none of them is in it");
    for (uint32_t i = 0; i < own.run_count; i++)
        gg_collate_run_at(collate, own.first_run + i)->head = own.head;
    gg_arena_free(&own.scratch);
    gg_jsonstream_end(&own.stream);
    return !own.stream.failed;
}

const struct gg_reader gg_reader_own_json = {
    .name = "grindgate JSON",
    .bid = bid,
    .read = read_own,
};
