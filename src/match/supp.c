#include "match/supp.h"
#include "base/vec.h"
#include "match/lines.h"

struct gg_supp_parser {
    struct gg_arena *arena;
    const char *file;
    const char *valgrind; /* NULL: the newest */
    struct gg_supp_lines lines;
    struct gg_str line;
    bool again; /* the line is still to be read */
    bool ended;
    struct gg_supp_fault fault;
    struct gg_error *err;
};

struct gg_supp_parser *gg_supp_parser_new(struct gg_arena *arena, const char *file,
                                          struct gg_str text)
{
    struct gg_supp_parser *parser = gg_arena_alloc(arena, sizeof *parser);
    *parser = (struct gg_supp_parser){.arena = arena, .file = file, .lines = {.rest = text}};
    return parser;
}

void gg_supp_parser_under(struct gg_supp_parser *parser, const char *valgrind)
{
    parser->valgrind = valgrind;
}

/* The first valgrind that looks at blocks for CoreError. */
static const char first_core[] = "3.24";

const char *gg_supp_newer(struct gg_arena *arena, const struct gg_supp_kind *kind,
                          const char *valgrind)
{
    bool core = kind->tool == GG_SUPP_CORE;
    if (!gg_supp_older(valgrind, kind->since) || (core && gg_supp_older(valgrind, first_core)))
        return NULL;
    return gg_arena_printf(arena,
                           "unknown %s suppression type: %s needs valgrind %s, the one here is %s",
                           core ? "core" : "tool", kind->name, kind->since, valgrind);
}

static bool refuse(struct gg_supp_parser *parser, const char *reason)
{
    if (!parser->err->set)
        parser->fault = (struct gg_supp_fault){parser->lines.number, reason};
    gg_error_at(parser->err, parser->file, parser->lines.number, "%s", reason);
    return false;
}

/* false at the end of the file. */
static bool next(struct gg_supp_parser *parser)
{
    if (parser->again || gg_supp_lines_next(&parser->lines, &parser->line)) {
        parser->again = false;
        return true;
    }
    parser->ended = !parser->lines.too_long;
    if (parser->lines.too_long)
        refuse(parser, "line is longer than the 51199 bytes that valgrind reads");
    return false;
}

static bool is_line(const struct gg_supp_parser *parser, const char *text)
{
    return gg_str_is(parser->line, text);
}

/* The value of "src:FILE:VALUE" as valgrind takes it: an optional sign and digits, cut to 32 bits;
 * what is no number is 0. */
static uint32_t line_number(struct gg_str text)
{
    text = gg_str_trim(text);
    bool negative = gg_str_starts(text, "-");
    uint64_t value = 0;
    for (size_t i = negative; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++)
        value = value * 10 + (uint64_t)(text.ptr[i] - '0');
    return (uint32_t)(negative ? 0 - value : value);
}

static bool parse_frame(struct gg_str line, struct gg_supp_frame *frame)
{
    *frame = (struct gg_supp_frame){.place = GG_PLACE_ANY};
    if (gg_str_is(line, "..."))
        return true;
    if (gg_str_starts(line, "fun:"))
        frame->place = GG_PLACE_FUN;
    else if (gg_str_starts(line, "obj:"))
        frame->place = GG_PLACE_OBJ;
    else if (gg_str_starts(line, "src:"))
        frame->place = GG_PLACE_SRC;
    else
        return false;
    frame->pattern = gg_str_n(line.ptr + 4, line.len - 4);
    if (frame->place == GG_PLACE_SRC) {
        struct gg_str number;
        gg_str_cut(frame->pattern, ':', &frame->pattern, &number);
        frame->line = line_number(number);
    }
    return true;
}

/* A line that cannot be the extra one, because frames have begun; src: is not among them. */
static bool begins_frames(struct gg_str line)
{
    return gg_str_starts(line, "fun:") || gg_str_starts(line, "obj:") || gg_str_is(line, "...");
}

/* "definite,possible", "all", "none": names between commas, at least one, all and none alone. */
static bool parse_leaks(struct gg_str list, unsigned *leaks)
{
    static const char *const names[] = {"definite", "indirect", "possible", "reachable"};
    bool all = false, none = false;
    *leaks = 0;
    while (list.len) {
        struct gg_str item;
        gg_str_cut(list, ',', &item, &list);
        unsigned bit = 0;
        for (unsigned i = 0; i < 4; i++)
            bit |= gg_str_is(item, names[i]) ? 1u << i : 0;
        all = all || gg_str_is(item, "all");
        none = none || gg_str_is(item, "none");
        if (!bit && item.len && !gg_str_is(item, "all") && !gg_str_is(item, "none"))
            return false;
        *leaks |= bit;
    }
    if (all + none + (*leaks != 0) != 1)
        return false;
    *leaks = all ? GG_LEAK_ALL : *leaks;
    return true;
}

static bool parse_extra(struct gg_str line, struct gg_supp *supp)
{
    switch (supp->kind->extra) {
    case GG_EXTRA_PARAM:
        supp->param = line;
        return true;
    case GG_EXTRA_LEAK:
        if (!gg_str_starts(line, "match-leak-kinds:"))
            return false;
        return parse_leaks(gg_str_trim(gg_str_n(line.ptr + 17, line.len - 17)), &supp->leaks);
    default:
        return gg_supp_call(line, &supp->function, &supp->argument);
    }
}

static bool read_extra(struct gg_supp_parser *parser, struct gg_supp *supp)
{
    enum gg_supp_extra extra = supp->kind->extra;
    supp->leaks = extra == GG_EXTRA_LEAK ? GG_LEAK_ALL : 0;
    if (extra == GG_EXTRA_NONE)
        return true;
    bool there = next(parser);
    parser->again = there && extra != GG_EXTRA_PARAM && begins_frames(parser->line);
    if (!there || begins_frames(parser->line))
        return extra != GG_EXTRA_PARAM ||
               refuse(parser, "bad or missing extra suppression info: Param needs a line that "
                              "names the parameter, like write(buf)");
    if (parse_extra(parser->line, supp))
        return true;
    return refuse(parser, extra == GG_EXTRA_LEAK
                              ? "bad or missing extra suppression info: expected a frame or "
                                "match-leak-kinds: with definite, indirect, possible, reachable, "
                                "between commas without blanks, or all, or none"
                              : "bad or missing extra suppression info: expected a frame or "
                                "FUNCTION(ARGUMENT), like malloc(size)");
}

/* Why a block that memcheck skips is one of no tool's errors. */
static const char *no_kind(struct gg_arena *arena, struct gg_str tools, struct gg_str name)
{
    static const enum gg_supp_tool others[] = {GG_SUPP_HELGRIND, GG_SUPP_DRD};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (gg_supp_tool_named(others[i], tools))
            return gg_arena_printf(arena, "%s has no kind %s and refuses the file",
                                   gg_supp_tool_name(others[i]), gg_metadata_text(arena, name));
    }
    return gg_arena_printf(arena,
                           "every tool skips it: %s names none of Memcheck, Helgrind, drd and "
                           "CoreError, between commas without blanks",
                           gg_metadata_text(arena, tools));
}

/* A kind that memcheck, or the part that all tools share, must know. */
static bool check_kind(struct gg_supp_parser *parser, const struct gg_supp_kind *kind,
                       enum gg_supp_tool tool)
{
    if (!kind || kind->tool != tool)
        return refuse(parser, tool == GG_SUPP_CORE ? "unknown core suppression type"
                                                   : "unknown tool suppression type");
    const char *newer = gg_supp_newer(parser->arena, kind, parser->valgrind);
    return !newer || refuse(parser, newer);
}

/* "Memcheck:Cond". memcheck checks blocks for CoreError, looked for first, and for itself; those of
 * other tools it skips (*checked is false). */
static bool read_kind(struct gg_supp_parser *parser, struct gg_supp *supp, bool *checked)
{
    struct gg_str tools, name;
    if (!next(parser))
        return refuse(parser, "unexpected end-of-file (expecting tool:suppr)");
    if (!gg_str_cut(parser->line, ':', &tools, &name))
        return refuse(parser, "malformed 'tool1,tool2,...:supp' line");
    const struct gg_supp_kind *kind = gg_supp_kind_find(name);
    bool core =
        gg_supp_tool_named(GG_SUPP_CORE, tools) && !gg_supp_older(parser->valgrind, first_core);
    bool memcheck = gg_supp_tool_named(GG_SUPP_MEMCHECK, tools);
    *checked = core || memcheck;
    if (*checked && !check_kind(parser, kind, core ? GG_SUPP_CORE : GG_SUPP_MEMCHECK))
        return false;
    supp->kind_line = parser->lines.number;
    supp->kind = kind && gg_supp_tool_named(kind->tool, tools) ? kind : NULL;
    if (!supp->kind)
        supp->never = no_kind(parser->arena, tools, name);
    else if (kind->extra != GG_EXTRA_LEAK && kind->kinds[0] == GG_KINDS)
        supp->never = "valgrind reads the kind, but has no such error";
    return true;
}

/* What valgrind refuses in a block it checks makes one it skips a block that never matches. */
static bool reject(struct gg_supp_parser *parser, struct gg_supp *supp, bool checked,
                   const char *reason)
{
    if (checked)
        return refuse(parser, reason);
    if (supp->kind)
        supp->never = gg_arena_printf(parser->arena, "%s refuses the file: %s",
                                      gg_supp_tool_name(supp->kind->tool), reason);
    supp->kind = NULL;
    return true;
}

static bool end_early(struct gg_supp_parser *parser, bool checked, size_t count)
{
    if (!checked)
        return refuse(parser, "unexpected end-of-file (when skipping suppression)");
    return count > GG_CALLERS_DEFAULT ||
           refuse(parser, "unexpected end-of-file (when reading stack trace)");
}

static bool end_frames(struct gg_supp_parser *parser, struct gg_supp *supp, bool checked,
                       size_t count)
{
    if (count == 0)
        return reject(parser, supp, checked, "missing stack trace");
    while (supp->first_named < supp->frame_count &&
           supp->frames[supp->first_named].place == GG_PLACE_ANY)
        supp->first_named++;
    if (supp->first_named == supp->frame_count || supp->first_named >= GG_CALLERS_DEFAULT)
        return reject(parser, supp, checked,
                      "suppression must contain at least one location line which is not \"...\"");
    return true;
}

/* The frames and the "}". */
static bool read_frames(struct gg_supp_parser *parser, struct gg_supp *supp, bool checked)
{
    GG_VEC(struct gg_supp_frame) frames = {0};
    size_t count = 0;
    bool more = next(parser);
    for (; more && !is_line(parser, "}"); count++, more = next(parser)) {
        struct gg_supp_frame frame;
        if (supp->cut)
            continue;
        supp->cut = count == GG_CALLERS_MAX || !parse_frame(parser->line, &frame);
        if (!supp->cut)
            *gg_vec_push(parser->arena, &frames) = frame;
        else if (count < GG_CALLERS_DEFAULT &&
                 !reject(parser, supp, checked,
                         "location should be \"...\", or should start with \"fun:\", \"obj:\", or "
                         "\"src:\""))
            return false;
    }
    supp->frames = frames.at;
    supp->frame_count = frames.len;
    return (more || end_early(parser, checked, count)) && end_frames(parser, supp, checked, count);
}

static bool read_block(struct gg_supp_parser *parser, struct gg_supp *supp)
{
    bool checked;
    if (!next(parser) || is_line(parser, "}"))
        return refuse(parser, "unexpected '}': the suppression's name is expected");
    supp->rule.id = gg_metadata_text(parser->arena, parser->line);
    supp->rule.file = parser->file;
    supp->rule.line = parser->lines.number;
    return read_kind(parser, supp, &checked) && (!checked || read_extra(parser, supp)) &&
           read_frames(parser, supp, checked);
}

struct gg_supp *gg_supp_parse(struct gg_supp_parser *parser, struct gg_error *err)
{
    parser->err = err;
    if (!next(parser))
        return NULL;
    if (!is_line(parser, "{")) {
        refuse(parser, parser->line.len && parser->line.ptr[0] == '#'
                           ? "expected '{' or end-of-file: valgrind knows a comment by the line "
                             "break behind it; end the file with one"
                           : "expected '{' or end-of-file");
        return NULL;
    }
    struct gg_supp *supp = gg_arena_alloc(parser->arena, sizeof *supp);
    if (!read_block(parser, supp))
        return NULL;
    supp->metadata = parser->lines.metadata;
    if (supp->metadata.reason.len)
        supp->rule.reason = gg_metadata_text(parser->arena, supp->metadata.reason);
    parser->lines.metadata = (struct gg_metadata){0};
    return supp;
}

struct gg_supp_fault gg_supp_recover(struct gg_supp_parser *parser)
{
    bool more = !parser->ended;
    while (more && !is_line(parser, "{") && !is_line(parser, "}"))
        more = gg_supp_lines_next(&parser->lines, &parser->line) || parser->lines.too_long;
    parser->again = more && is_line(parser, "{");
    if (!parser->again)
        parser->lines.metadata = (struct gg_metadata){0}; /* of the faulty block */
    return parser->fault;
}
