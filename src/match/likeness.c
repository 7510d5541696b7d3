#include "match/likeness.h"
#include "base/out.h"

#include <inttypes.h>
#include <stdlib.h>

/* The length before the text keeps two texts from looking like two others. */
static void put_text(struct gg_out *out, struct gg_str text)
{
    gg_out_printf(out, "%zu:", text.len);
    gg_out_str(out, text);
}

static void put_regex(struct gg_out *out, const struct gg_regex *regex)
{
    if (regex)
        put_text(out, gg_regex_text(regex));
    else
        gg_out_char(out, '-');
}

static void put_globs(struct gg_out *out, const struct gg_str *globs)
{
    for (; globs && globs->len; globs++)
        put_text(out, *globs);
    gg_out_char(out, globs ? '.' : '-');
}

static void put_supp(struct gg_out *out, const struct gg_supp *supp)
{
    put_text(out, gg_str(supp->kind ? supp->kind->name : ""));
    put_text(out, gg_str(supp->kind ? gg_supp_tool_name(supp->kind->tool) : ""));
    put_text(out, supp->param);
    put_text(out, supp->function);
    put_text(out, supp->argument);
    gg_out_printf(out, "%u", supp->leaks);
}

static void put_condition(struct gg_out *out, const struct gg_condition *condition)
{
    for (unsigned kind = 0; condition->kinds && kind < GG_KINDS; kind++)
        gg_out_char(out, condition->kinds[kind] ? '1' : '0');
    put_regex(out, condition->message);
    put_regex(out, condition->test);
    put_regex(out, condition->command);
    put_globs(out, condition->tests);
    put_globs(out, condition->branches);
    if (condition->sized)
        gg_out_printf(out, "%" PRIu64 "-%" PRIu64 ",%" PRIu64 "-%" PRIu64, condition->bytes.min,
                      condition->bytes.max, condition->blocks.min, condition->blocks.max);
    gg_out_printf(out, "<%" PRIu32 "%c", condition->own_within, condition->any ? 'a' : '-');
}

static void put_step(struct gg_out *out, const struct gg_step *step)
{
    gg_out_printf(out, "%c%" PRIu32, step->skips ? '*' : '+', step->within);
    for (size_t i = 0; i < step->count; i++) {
        const struct gg_pattern *pattern = &step->patterns[i];
        gg_out_printf(out, "/%d,%d,%" PRIu32 ",", (int)pattern->place, (int)pattern->form,
                      pattern->line);
        if (pattern->form == GG_PATTERN_REGEX)
            put_regex(out, pattern->regex);
        else
            put_text(out, pattern->text);
    }
}

struct gg_str gg_likeness(struct gg_arena *arena, const struct gg_entry *entry)
{
    struct gg_out *out = gg_out_memory();
    if (entry->supp)
        put_supp(out, entry->supp);
    put_condition(out, &entry->condition);
    for (size_t i = 0; i < entry->step_count; i++)
        put_step(out, &entry->steps[i]);
    size_t len;
    char *text = gg_out_take(out, &len);
    struct gg_str copy = gg_str_n(gg_arena_strndup(arena, text, len), len);
    free(text);
    return copy;
}
