#include "match/suggest.h"
#include "base/map.h"
#include "match/block.h"
#include "match/engine.h"

#include <string.h>

typedef GG_VEC(struct gg_block *) block_list;

struct work {
    struct gg_arena *arena;
    const struct gg_report *report;
    bool one;
    struct gg_trace_setting setting;
    struct gg_trace trace;
    block_list blocks;
    struct gg_map findings; /* fingerprint -> gg_finding_list of the report */
    struct gg_map prints;   /* fingerprint -> block_list */
    struct gg_map wanted;   /* finding -> itself */
    GG_VEC(struct gg_entry *) entries;
    block_list proved; /* the block of each entry */
};

/* --- which findings a block is for ------------------------------------------------------ */

static bool same_line(const struct gg_block *block, const struct gg_supp_subject *subject)
{
    return block->kind == gg_supp_kind_for(subject) &&
           gg_str_eq(block->subject.param, subject->param) &&
           gg_str_eq(block->subject.function, subject->function) &&
           gg_str_eq(block->subject.argument, subject->argument);
}

static gg_finding_list *findings_like(struct work *work, const struct gg_finding *finding)
{
    void **list = gg_map_put(&work->findings, finding->fingerprint, strlen(finding->fingerprint));
    if (!*list)
        *list = gg_arena_alloc(work->arena, sizeof(gg_finding_list));
    return *list;
}

static void index_findings(struct work *work)
{
    for (size_t i = 0; i < work->report->finding_count; i++) {
        const struct gg_finding *finding = &work->report->findings[i];
        *gg_vec_push(work->arena, findings_like(work, finding)) = finding;
    }
}

/* The blocks that may be for the finding, too: all, or those of the same thing, whichever line or
 * build it was seen in. */
static block_list *blocks_like(struct work *work, const struct gg_finding *finding)
{
    if (work->one)
        return &work->blocks;
    void **list = gg_map_put(&work->prints, finding->fingerprint, strlen(finding->fingerprint));
    if (!*list)
        *list = gg_arena_alloc(work->arena, sizeof(block_list));
    return *list;
}

static struct gg_block *block_for(struct work *work, const struct gg_finding *finding,
                                  const struct gg_supp_subject *subject)
{
    block_list *list = blocks_like(work, finding);
    for (size_t i = 0; i < list->len; i++) {
        if (same_line(list->at[i], subject) &&
            (work->one || list->at[i]->subject.leak == subject->leak))
            return list->at[i];
    }
    struct gg_block *block = gg_arena_alloc(work->arena, sizeof *block);
    *block = (struct gg_block){.subject = *subject, .kind = gg_supp_kind_for(subject)};
    *gg_vec_push(work->arena, &work->blocks) = block;
    if (!work->one)
        *gg_vec_push(work->arena, list) = block;
    return block;
}

static bool is_entered(const struct work *work, const struct gg_finding *finding)
{
    return gg_map_find(&work->wanted, &finding, sizeof finding) != NULL;
}

static void enter(struct work *work, const struct gg_finding *finding,
                  const struct gg_supp_subject *subject)
{
    const struct gg_finding **key = gg_arena_alloc(work->arena, sizeof *key);
    *key = finding;
    *gg_map_put(&work->wanted, key, sizeof *key) = (void *)finding;
    struct gg_block *block = block_for(work, finding, subject);
    block->subject.leak |= subject->leak;
    *gg_vec_push(work->arena, &block->wanted) = finding;
}

/* With each finding those that no suppression can tell from it; they come together. */
static void enter_all(struct work *work, const struct gg_finding *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_entered(work, wanted[i]))
            continue;
        struct gg_supp_subject subject = gg_supp_subject(wanted[i]);
        struct gg_block alone = {.subject = subject, .kind = gg_supp_kind_for(&subject)};
        const gg_finding_list *like = findings_like(work, wanted[i]);
        enter(work, wanted[i], &subject);
        for (size_t f = 0; f < like->len; f++) {
            struct gg_supp_subject other = gg_supp_subject(like->at[f]);
            if (same_line(&alone, &other) && other.leak == subject.leak &&
                !is_entered(work, like->at[f]))
                enter(work, like->at[f], &other);
        }
    }
}

/* --- blocks ----------------------------------------------------------------------------- */

/* As it will be read from a file. */
static void read_back(struct work *work, struct gg_block *block)
{
    struct gg_error err = {0};
    const char *text = gg_block_text(work->arena, block);
    struct gg_supp_parser *parser = gg_supp_parser_new(work->arena, "suggestion", gg_str(text));
    struct gg_supp *supp = gg_supp_parse(parser, &err);
    if (!supp) {
        block->why = gg_arena_printf(work->arena, "no suppression can name them: %s", err.text);
        return;
    }
    *gg_vec_push(work->arena, &work->entries) = gg_entry_of_supp(work->arena, supp);
    *gg_vec_push(work->arena, &work->proved) = block;
}

/* How often the name was asked for. */
static unsigned *uses_of(struct work *work, struct gg_map *names, const char *name)
{
    void **uses = gg_map_put(names, name, strlen(name));
    if (!*uses)
        *uses = gg_arena_alloc(work->arena, sizeof(unsigned));
    return *uses;
}

/* No two blocks have one name. */
static void name_apart(struct work *work, struct gg_map *names, struct gg_block *block)
{
    if (*uses_of(work, names, block->name))
        block->name = block->longer_name;
    const char *base = block->name;
    unsigned *asked = uses_of(work, names, base), *uses = asked;
    while (*uses) {
        block->name = gg_arena_printf(work->arena, "%s %u", base, ++*asked);
        uses = uses_of(work, names, block->name);
    }
    *uses = 1;
}

/* A suppression has no line numbers: what it cannot tell apart is one block. */
static void write_blocks(struct work *work)
{
    struct gg_map bodies = {0}, names = {0};
    size_t kept = 0;
    for (size_t i = 0; i < work->blocks.len; i++) {
        struct gg_block *block = work->blocks.at[i];
        gg_block_write(work->arena, &work->setting, &work->trace, block);
        void **same = block->body ? gg_map_put(&bodies, block->body, strlen(block->body)) : NULL;
        if (same && *same) {
            struct gg_block *first = *same;
            first->guesses = first->guesses || block->guesses;
            for (size_t w = 0; w < block->wanted.len; w++)
                *gg_vec_push(work->arena, &first->wanted) = block->wanted.at[w];
            continue;
        }
        work->blocks.at[kept++] = block;
        if (!same)
            continue;
        *same = block;
        name_apart(work, &names, block);
        read_back(work, block);
    }
    work->blocks.len = kept;
    gg_map_free(&bodies);
    gg_map_free(&names);
}

/* --- the proof -------------------------------------------------------------------------- */

static void prove_unwanted(struct work *work, const struct gg_finding *finding,
                           const uint32_t *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct gg_block *block = work->proved.at[hits[i]];
        if (!block->why)
            block->why = gg_arena_printf(
                work->arena,
                "what fits all of it also fits %s (%s): name that with --finding, too, if it is "
                "meant",
                finding->id, finding->message);
    }
}

/* Each finding of the report against all blocks; which of those that are wanted a block hits is
 * counted. */
static void prove(struct work *work)
{
    struct gg_engine *engine =
        gg_engine_new(work->arena, work->entries.at, work->entries.len, work->report);
    for (size_t f = 0; f < work->report->finding_count; f++) {
        const struct gg_finding *finding = &work->report->findings[f];
        size_t count;
        const uint32_t *hits = gg_engine_match(engine, finding, &count);
        if (!is_entered(work, finding))
            prove_unwanted(work, finding, hits, count);
    }
    for (size_t i = 0; i < work->proved.len; i++) {
        struct gg_block *block = work->proved.at[i];
        for (size_t w = 0; w < block->wanted.len && !block->why; w++) {
            size_t count, at = 0;
            const uint32_t *hits = gg_engine_match(engine, block->wanted.at[w], &count);
            while (at < count && hits[at] != i)
                at++;
            if (at == count || (!block->guesses && gg_engine_approximate(engine, (uint32_t)i)))
                block->why = gg_arena_printf(work->arena, "no block was found that fits %s",
                                             block->wanted.at[w]->id);
        }
    }
}

static struct gg_suggestion *collect(const struct work *work, size_t *count)
{
    *count = work->blocks.len;
    struct gg_suggestion *list = gg_arena_alloc(work->arena, *count * sizeof *list);
    for (size_t i = 0; i < *count; i++) {
        const struct gg_block *block = work->blocks.at[i];
        list[i] = (struct gg_suggestion){
            .wanted = block->wanted.at, .wanted_count = block->wanted.len, .why = block->why};
        if (!block->why)
            list[i].text =
                gg_arena_printf(work->arena, "%s%s", gg_block_comment(work->arena, block),
                                gg_block_text(work->arena, block));
    }
    return list;
}

struct gg_suggestion *gg_suggest_blocks(struct gg_arena *arena, const struct gg_report *report,
                                        const struct gg_finding *const *wanted, size_t wanted_count,
                                        bool one, size_t *count)
{
    struct work work = {
        .arena = arena, .report = report, .one = one, .setting = gg_trace_setting(arena, report)};
    index_findings(&work);
    enter_all(&work, wanted, wanted_count);
    write_blocks(&work);
    if (work.entries.len)
        prove(&work);
    gg_trace_free(&work.trace);
    gg_map_free(&work.findings);
    gg_map_free(&work.prints);
    gg_map_free(&work.wanted);
    return collect(&work, count);
}
