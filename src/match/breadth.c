#include "match/breadth.h"
#include "match/wildcard.h"

#include <string.h>

enum { WORD_LEAST = 3 };

/* --- words ------------------------------------------------------------------------------ */

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80);
}

/* A word that any path may hold says nothing; "ld" is the loader. */
static bool says_something(struct gg_str word)
{
    static const char *const empty[] = {"usr", "lib",   "lib32", "lib64", "libx32", "local",
                                        "opt", "linux", "gnu",   "src",   "home",   "x86_64"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        if (gg_str_is(word, empty[i]))
            return false;
    }
    return word.len >= WORD_LEAST || gg_str_is(word, "ld");
}

static bool has_word(struct gg_str text)
{
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && in_word(text.ptr[i]))
            continue;
        if (says_something(gg_str_n(text.ptr + start, i - start)))
            return true;
        start = i + 1;
    }
    return false;
}

/* Where the part of an expression ends that begins here and is no plain text: "\d", "[a-z]", the
 * head of "(?i)". */
static size_t skip_special(struct gg_str text, size_t at)
{
    if (text.ptr[at] == '\\')
        return at + 2;
    if (text.ptr[at] == '[') {
        for (at++; at < text.len && (text.ptr[at] != ']' || text.ptr[at - 1] == '['); at++)
            at += text.ptr[at] == '\\';
        return at + 1;
    }
    if (text.ptr[at] == '(' && at + 1 < text.len && text.ptr[at + 1] == '?') {
        while (at < text.len && !strchr(":)=!>", text.ptr[at]))
            at++;
    }
    return at + 1;
}

/* What of a regular expression is plain text. */
static bool regex_has_word(struct gg_str text)
{
    size_t start = 0, at = 0;
    while (at < text.len) {
        if (in_word(text.ptr[at])) {
            at++;
            continue;
        }
        if (says_something(gg_str_n(text.ptr + start, at - start)))
            return true;
        at = skip_special(text, at);
        start = at < text.len ? at : text.len;
    }
    return says_something(gg_str_n(text.ptr + start, text.len - start));
}

/* --- functions that are in most stacks -------------------------------------------------- */

static const char *const common[] = {"malloc",
                                     "calloc",
                                     "realloc",
                                     "reallocarray",
                                     "memalign",
                                     "posix_memalign",
                                     "aligned_alloc",
                                     "free",
                                     "_Znwm",
                                     "_Znam",
                                     "_ZnwmSt11align_val_t",
                                     "_ZnamSt11align_val_t",
                                     "_ZnwmRKSt9nothrow_t",
                                     "_ZnamRKSt9nothrow_t",
                                     "_ZdlPv",
                                     "_ZdlPvm",
                                     "_ZdaPv",
                                     "operator new(unsigned long)",
                                     "operator new[](unsigned long)",
                                     "main",
                                     "(below main)",
                                     "_start",
                                     "__libc_start_main",
                                     "__libc_start_main@@GLIBC_2.34",
                                     "start_thread",
                                     "clone",
                                     "clone3"};

static bool is_common(const struct gg_pattern *pattern)
{
    bool function = pattern->place == GG_PLACE_SYMBOL || pattern->place == GG_PLACE_FUNCTION;
    if (pattern->place == GG_PLACE_OBJECT && pattern->form == GG_PATTERN_WILDCARD)
        return gg_str_find(pattern->text, "vgpreload_") != SIZE_MAX;
    for (size_t i = 0; function && i < sizeof common / sizeof *common; i++) {
        struct gg_str name = gg_str(common[i]);
        if (pattern->form == GG_PATTERN_REGEX ? gg_regex_match(pattern->regex, name)
                                              : gg_wildcard_match(pattern->text, name))
            return true;
    }
    return false;
}

static bool has_none_of(struct gg_str text, const char *special)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\0' || strchr(special, text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

/* A whole name, however short. */
static bool is_literal(const struct gg_pattern *pattern)
{
    if (pattern->form == GG_PATTERN_WILDCARD)
        return has_none_of(pattern->text, "*?");
    if (pattern->form == GG_PATTERN_GLOB)
        return has_none_of(pattern->text, "*?[\\");
    struct gg_str text = gg_regex_text(pattern->regex);
    return text.len > 2 && gg_str_starts(text, "^") && gg_str_ends(text, "$") &&
           has_none_of(gg_str_n(text.ptr + 1, text.len - 2), "\\^$.[]|()?*+{}");
}

static enum gg_breadth breadth_of(const struct gg_pattern *pattern)
{
    bool named = pattern->form == GG_PATTERN_REGEX ? regex_has_word(gg_regex_text(pattern->regex))
                                                   : has_word(pattern->text);
    if (!named && !is_literal(pattern))
        return GG_BREADTH_ANY;
    return is_common(pattern) ? GG_BREADTH_COMMON : GG_BREADTH_TIED;
}

enum gg_breadth gg_breadth_of(const struct gg_entry *entry)
{
    const struct gg_condition *condition = &entry->condition;
    enum gg_breadth least = GG_BREADTH_ANY;
    if (condition->message || condition->test || condition->command || condition->tests)
        return GG_BREADTH_TIED;
    for (size_t i = 0; i < entry->step_count; i++) {
        for (size_t at = 0; at < entry->steps[i].count; at++) {
            enum gg_breadth breadth = breadth_of(&entry->steps[i].patterns[at]);
            least = breadth < least ? breadth : least;
        }
    }
    return least;
}
