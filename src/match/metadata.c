#include "match/metadata.h"
#include "base/esc.h"
#include "base/suggest.h"
#include "match/rule_value.h"

#include <stddef.h>
#include <stdlib.h>

static const struct {
    const char *name;
    size_t at;
} keys[] = {{"id", offsetof(struct gg_metadata, id)},
            {"reason", offsetof(struct gg_metadata, reason)},
            {"owner", offsetof(struct gg_metadata, owner)},
            {"ticket", offsetof(struct gg_metadata, ticket)},
            {"expires", offsetof(struct gg_metadata, expires)},
            {"action", offsetof(struct gg_metadata, action)},
            {"tests", offsetof(struct gg_metadata, tests)},
            {"branches", offsetof(struct gg_metadata, branches)}};

enum { KEYS = sizeof keys / sizeof *keys };

static struct gg_suggest nearest_key(struct gg_str word)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, word);
    for (size_t i = 0; i < KEYS; i++)
        gg_suggest_offer(&suggest, keys[i].name);
    return suggest;
}

const char *gg_metadata_suggest(struct gg_str word)
{
    return nearest_key(word).best;
}

/* Within a value "user=" is no misspelled "owner=", but "expire=" and "exipres=" are keys. */
static bool is_misspelled(struct gg_str word)
{
    struct gg_suggest suggest = nearest_key(word);
    return suggest.best && word.len >= 3 && suggest.distance <= (word.len < 6 ? 1 : 2);
}

const char *gg_metadata_text(struct gg_arena *arena, struct gg_str piece)
{
    struct gg_out *out = gg_out_memory();
    gg_esc_terminal(out, piece);
    size_t len;
    char *bytes = gg_out_take(out, &len);
    const char *copy = gg_arena_strndup(arena, bytes, len);
    free(bytes);
    return copy;
}

static struct gg_str from(struct gg_str text, size_t at)
{
    return gg_str_n(text.ptr + at, text.len - at);
}

/* What stands before white space. */
static struct gg_str first_word(struct gg_str text)
{
    size_t len = 0;
    while (len < text.len && !gg_str_is_space(text.ptr[len]))
        len++;
    return gg_str_n(text.ptr, len);
}

/* "owner" of "owner=net"; false when the text begins with no word and "=". */
static bool key_word(struct gg_str text, struct gg_str *word)
{
    struct gg_str value;
    return gg_str_cut(first_word(text), '=', word, &value) && word->len;
}

/* Which of the keys it is; KEYS: none. */
static size_t key_of(struct gg_str word)
{
    size_t i = 0;
    while (i < KEYS && !gg_str_is(word, keys[i].name))
        i++;
    return i;
}

/* Does a value end before this word, because it is a key, or was meant for one? */
static bool ends_value(struct gg_str text)
{
    struct gg_str word;
    return key_word(text, &word) && (key_of(word) < KEYS || is_misspelled(word));
}

/* Moves behind the value. */
static struct gg_str plain_value(struct gg_str *rest)
{
    size_t end = 0;
    while (end < rest->len &&
           !(end && gg_str_is_space(rest->ptr[end - 1]) && ends_value(from(*rest, end))))
        end++;
    struct gg_str value = gg_str_n(rest->ptr, end);
    *rest = from(*rest, end);
    return gg_str_trim(value);
}

/* false when the quote is not closed. */
static bool quoted_value(struct gg_str *rest, struct gg_str *value)
{
    struct gg_str tail;
    if (!gg_str_cut(from(*rest, 1), '"', value, &tail))
        return false;
    *value = gg_str_trim(*value);
    *rest = tail;
    return true;
}

static void refuse(struct gg_metadata *metadata, struct gg_str word)
{
    struct gg_str key = word, value;
    gg_str_cut(word, '=', &key, &value);
    const char *meant = gg_metadata_suggest(key);
    if (metadata->unknown.len == 0)
        metadata->unknown = word;
    if (metadata->stranger.len == 0 && !gg_rule_is_story(meant))
        metadata->stranger = word;
}

/* One key and its value, or a word that is no key; moves behind it. */
static void read_one(struct gg_metadata *metadata, struct gg_str *rest)
{
    struct gg_str word, value;
    size_t key = key_word(*rest, &word) ? key_of(word) : KEYS;
    if (key == KEYS) {
        word = first_word(*rest);
        refuse(metadata, word);
        *rest = from(*rest, word.len);
        return;
    }
    *rest = from(*rest, word.len + 1);
    if (!gg_str_starts(*rest, "\"")) {
        value = plain_value(rest);
    } else if (!quoted_value(rest, &value)) {
        refuse(metadata, *rest);
        *rest = from(*rest, rest->len);
        return;
    }
    *(struct gg_str *)(void *)((char *)metadata + keys[key].at) = value;
}

void gg_metadata_read(struct gg_metadata *metadata, struct gg_str line)
{
    struct gg_str text = gg_str_trim(from(line, 1));
    if (!gg_str_starts(text, "gg:"))
        return;
    for (text = gg_str_trim(from(text, 3)); text.len; text = gg_str_trim(text))
        read_one(metadata, &text);
}
