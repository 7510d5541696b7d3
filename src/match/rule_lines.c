#include "match/rule_lines.h"

/* Depths: 1 is within the file's object, 2 within its lists and objects, 3 within a rule. */
enum { FILE_DEPTH = 1, LIST_DEPTH = 2, RULE_DEPTH = 3 };

struct scan {
    struct gg_str text;
    size_t at;
    uint32_t line;
    unsigned depth;
    bool in_rules;     /* the list of depth 2 is "rules" */
    bool before_value; /* a member of that list is to begin */
    bool before_key;   /* a string would be a key of the object at hand */
    bool rules_next;   /* the key "rules" of the file's object was just read */
    uint32_t *lines;
    size_t count, found;
    bool has_id; /* the rule at hand */
};

/* The string at the quote, as it is written; moves behind it. */
static struct gg_str read_string(struct scan *scan)
{
    size_t from = ++scan->at;
    while (scan->at < scan->text.len && scan->text.ptr[scan->at] != '"')
        scan->at += scan->text.ptr[scan->at] == '\\' ? 2 : 1;
    size_t end = scan->at < scan->text.len ? scan->at : scan->text.len;
    scan->at = end + 1;
    return gg_str_n(scan->text.ptr + from, end - from);
}

static void see_string(struct scan *scan)
{
    bool key = scan->before_key;
    struct gg_str string = read_string(scan);
    scan->before_key = false;
    scan->rules_next = key && scan->depth == FILE_DEPTH && gg_str_is(string, "rules");
    if (!key || !scan->in_rules || scan->depth != RULE_DEPTH || scan->has_id ||
        scan->found > scan->count || !gg_str_is(string, "id"))
        return;
    scan->lines[scan->found - 1] = scan->line;
    scan->has_id = true;
}

/* The first character of a member of "rules". */
static void begin_member(struct scan *scan)
{
    scan->before_value = false;
    scan->has_id = false;
    if (scan->found++ < scan->count)
        scan->lines[scan->found - 1] = scan->line;
}

static void see_mark(struct scan *scan, char c)
{
    switch (c) {
    case '{':
    case '[':
        if (scan->depth++ == FILE_DEPTH)
            scan->in_rules = scan->before_value = scan->rules_next && c == '[';
        scan->before_key = c == '{';
        break;
    case '}':
    case ']':
        scan->depth--;
        scan->in_rules = scan->in_rules && scan->depth >= LIST_DEPTH;
        scan->before_key = false;
        break;
    case ',':
        scan->before_value = scan->in_rules && scan->depth == LIST_DEPTH;
        scan->before_key = true; /* within a list a string is none, and is not taken for one */
        break;
    default:
        break;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const uint32_t *gg_rule_lines(struct gg_arena *arena, struct gg_str text, size_t count)
{
    struct scan scan = {.text = text, .line = 1, .count = count};
    scan.lines = gg_arena_alloc(arena, count * sizeof *scan.lines);
    for (size_t i = 0; i < count; i++)
        scan.lines[i] = 1;
    while (scan.at < text.len) {
        char c = text.ptr[scan.at];
        scan.line += c == '\n';
        if (scan.in_rules && scan.before_value && !is_blank(c) && c != ']')
            begin_member(&scan);
        if (c == '"') {
            see_string(&scan);
        } else {
            see_mark(&scan, c);
            scan.at++;
        }
    }
    return scan.lines;
}
