#include "vcs/commit.h"

#include <iconv.h>
#define LAST_SECOND 253402300799u
#define TEXT_LIMIT ((size_t)1024) /* nobody reads a longer name or summary */

/* "<name> 3f1c...": the id after a header's name, a whole line. */
static bool take_id(struct gg_str *rest, const char *name, git_oid *id)
{
    struct gg_str probe = *rest, line;
    size_t len = strlen(name);
    if (!gg_str_starts(*rest, name) || !gg_str_line(&probe, &line) ||
        line.len != len + 2 * GG_ID_SIZE || git_oid_fromstrn(id, line.ptr + len, line.len - len))
        return false;
    *rest = probe;
    return true;
}

/* The line of a header without its name; empty when there is none. */
static struct gg_str header(struct gg_str text, const char *name)
{
    struct gg_str line;
    while (gg_str_line(&text, &line) && line.len) {
        if (gg_str_starts(line, name))
            return gg_str_n(line.ptr + strlen(name), line.len - strlen(name));
    }
    return gg_str_n("", 0);
}

/* "A U Thor <author@example.org> 1700000000 +0100": what follows the last '>'. A time that is no
 * number, or after the year 9999, is 0. */
static int64_t time_of(struct gg_str ident, int *offset)
{
    struct gg_str date = ident, zone;
    while (date.len && date.ptr[date.len - 1] != '>')
        date.len--;
    date = gg_str_trim(gg_str_n(ident.ptr + date.len, ident.len - date.len));
    gg_str_cut(date, ' ', &date, &zone);
    uint64_t time = 0, clock = 0;
    if (!gg_str_u64(date, false, &time) || time > LAST_SECOND)
        return 0;
    zone = gg_str_trim(zone);
    if (zone.len == 5 && gg_str_u64(gg_str_n(zone.ptr + 1, 4), false, &clock))
        *offset = (int)(clock / 100 * 60 + clock % 100) * (zone.ptr[0] == '-' ? -1 : 1);
    return (int64_t)time;
}

bool gg_commit_parse(struct gg_str text, struct gg_commit *commit)
{
    *commit = (struct gg_commit){0};
    if (!take_id(&text, "tree ", &commit->tree))
        return false;
    git_oid parent;
    for (struct gg_str probe = text; take_id(&probe, "parent ", &parent);)
        commit->parent_count++;
    if (commit->parent_count)
        commit->parents = gg_alloc(commit->parent_count * sizeof parent);
    for (size_t i = 0; i < commit->parent_count; i++)
        take_id(&text, "parent ", &commit->parents[i]);
    int offset = 0;
    commit->time = time_of(header(text, "committer "), &offset);
    return true;
}

static bool is_charset(struct gg_str name)
{
    bool plain = name.len > 0 && name.len < 40;
    for (size_t i = 0; i < name.len && plain; i++) {
        char c = name.ptr[i];
        plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                c == '-' || c == '_' || c == '.' || c == ':';
    }
    return plain;
}

/* The text in UTF-8; itself when the charset is not known or the text is not in it. */
static const char *recode(struct gg_arena *arena, struct gg_str charset, struct gg_str text)
{
    if (text.len > TEXT_LIMIT)
        text.len = TEXT_LIMIT;
    char *plain = gg_arena_strndup(arena, text.ptr, text.len);
    if (!is_charset(charset))
        return plain;
    iconv_t conversion = iconv_open("UTF-8", gg_arena_strndup(arena, charset.ptr, charset.len));
    if (conversion == (iconv_t)-1)
        return plain;
    size_t room = 4 * text.len, left = text.len;
    char *result = gg_arena_alloc(arena, room + 1), *to = result, *from = plain;
    bool ok = iconv(conversion, &from, &left, &to, &room) != (size_t)-1;
    iconv_close(conversion);
    return ok ? result : plain;
}

/* The first paragraph, its lines joined by a blank, as git's %s has it. */
static struct gg_str summary_of(struct gg_arena *arena, struct gg_str message)
{
    if (message.len > TEXT_LIMIT)
        message.len = TEXT_LIMIT;
    char *joined = gg_arena_alloc(arena, message.len + 1);
    size_t len = 0;
    struct gg_str line;
    while (gg_str_line(&message, &line)) {
        while (line.len && strchr(" \t\r", line.ptr[line.len - 1]))
            line.len--;
        if (line.len == 0 && len)
            break;
        if (line.len && len)
            joined[len++] = ' ';
        if (line.len)
            memcpy(joined + len, line.ptr, line.len);
        len += line.len;
    }
    return gg_str_n(joined, len);
}

void gg_commit_authorship(struct gg_arena *arena, struct gg_str text,
                          struct gg_authorship *authorship)
{
    struct gg_str ident = header(text, "author "), charset = header(text, "encoding ");
    struct gg_str name, mail;
    gg_str_cut(ident, '<', &name, &mail);
    gg_str_cut(mail, '>', &mail, &(struct gg_str){0});
    authorship->author.name = recode(arena, charset, gg_str_trim(name));
    authorship->author.email = recode(arena, charset, mail);
    authorship->offset = 0;
    authorship->time = time_of(ident, &authorship->offset);
    size_t body = gg_str_find(text, "\n\n");
    struct gg_str message = gg_str_n("", 0);
    if (body != SIZE_MAX)
        message = gg_str_n(text.ptr + body + 2, text.len - body - 2);
    authorship->summary = recode(arena, charset, summary_of(arena, message));
}
