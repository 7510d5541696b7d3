#include "match/regex.h"
#include "base/map.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/* What is longer belongs into several rules. */
enum { PATTERN_MAX = 4096 };

/* Steps from one place of the text. Expressions that people write for names take some hundred;
 * those that try every way to split a run of letters are stopped within a millisecond. In a long
 * text ".*" has many places to try, hence the share of its length. */
enum { STEPS = 10000, STEPS_A_BYTE = 20 };

enum { HEAP_KIB = 4096, STACK_FIRST = 32 << 10, STACK_MAX = 1 << 20 };

struct gg_regex {
    struct gg_arena *arena;
    struct gg_str text;
    pcre2_code *code;
    pcre2_match_context *context;
    pcre2_match_data *data;
    pcre2_jit_stack *stack; /* NULL until a text needs more than what is there by itself */
    struct gg_map known;    /* answers by text */
    uint64_t runs;
    bool gave_up;
};

static void close_regex(void *object)
{
    struct gg_regex *regex = object;
    gg_map_free(&regex->known);
    pcre2_jit_stack_free(regex->stack);
    pcre2_match_data_free(regex->data);
    pcre2_match_context_free(regex->context);
    pcre2_code_free(regex->code);
}

static void *allocate(size_t size, void *self)
{
    (void)self;
    return gg_alloc(size);
}

static void release(void *memory, void *self)
{
    (void)self;
    free(memory);
}

static void complain(struct gg_error *err, int code, size_t offset)
{
    PCRE2_UCHAR message[256];
    pcre2_get_error_message(code, message, sizeof message);
    gg_error_set(err, "at offset %zu: %s", offset, (const char *)message);
}

static pcre2_code *compile(struct gg_str text, pcre2_general_context *memory, struct gg_error *err)
{
    const uint32_t options = PCRE2_NEVER_BACKSLASH_C;
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    pcre2_set_max_pattern_length(context, PATTERN_MAX);
    int code;
    size_t offset;
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
                      &code, &offset, context);
    if (!compiled && code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21)
        compiled = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (!compiled && text.len > PATTERN_MAX)
        gg_error_set(err, "at offset %d: the expression is longer than %d bytes", PATTERN_MAX,
                     PATTERN_MAX);
    else if (!compiled)
        complain(err, code, offset);
    return compiled;
}

struct gg_regex *gg_regex_new(struct gg_arena *arena, struct gg_str text, struct gg_error *err)
{
    pcre2_general_context *memory = pcre2_general_context_create(allocate, release, NULL);
    pcre2_code *code = compile(text, memory, err);
    struct gg_regex *regex = NULL;
    if (code) {
        regex = gg_arena_alloc(arena, sizeof *regex);
        regex->arena = arena;
        regex->text = gg_str_n(gg_arena_strndup(arena, text.ptr, text.len), text.len);
        regex->code = code;
        pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it, it is only slower */
        regex->context = pcre2_match_context_create(memory);
        pcre2_set_heap_limit(regex->context, HEAP_KIB);
        regex->data = pcre2_match_data_create(1, memory);
        gg_arena_defer(arena, close_regex, regex);
    }
    pcre2_general_context_free(memory);
    return regex;
}

static int match(struct gg_regex *regex, struct gg_str text)
{
    return pcre2_match(regex->code, (PCRE2_SPTR)(text.ptr ? text.ptr : ""), text.len, 0, 0,
                       regex->data, regex->context);
}

bool gg_regex_match(struct gg_regex *regex, struct gg_str text)
{
    uint32_t share = text.len < UINT32_MAX / 64 ? (uint32_t)text.len : UINT32_MAX / 64;
    pcre2_set_match_limit(regex->context, STEPS + STEPS_A_BYTE * share);
    pcre2_set_depth_limit(regex->context, STEPS + STEPS_A_BYTE * share);
    int result = match(regex, text);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT && !regex->stack) {
        regex->stack = pcre2_jit_stack_create(STACK_FIRST, STACK_MAX, NULL);
        pcre2_jit_stack_assign(regex->context, NULL, regex->stack);
        result = match(regex, text);
    }
    regex->runs++;
    regex->gave_up = regex->gave_up || (result < 0 && result != PCRE2_ERROR_NOMATCH);
    return result >= 0;
}

bool gg_regex_match_once(struct gg_regex *regex, struct gg_str text)
{
    static char yes, no;
    void **known = gg_map_find(&regex->known, text.ptr, text.len);
    if (!known) {
        known =
            gg_map_put(&regex->known, gg_arena_strndup(regex->arena, text.ptr, text.len), text.len);
        *known = gg_regex_match(regex, text) ? &yes : &no;
    }
    return *known == &yes;
}

bool gg_regex_gave_up(const struct gg_regex *regex)
{
    return regex->gave_up;
}

uint64_t gg_regex_runs(const struct gg_regex *regex)
{
    return regex->runs;
}

struct gg_str gg_regex_text(const struct gg_regex *regex)
{
    return regex->text;
}
