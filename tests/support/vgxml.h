/*
 * Reads valgrind's XML line by line, for tests of stages that stand behind the readers.
 *
 * It knows only well-formed reports of small programs: that valgrind writes one element a line,
 * which elements lie in which, and the three entities. Roles of stacks after the first are left
 * "other".
 */
#ifndef GG_TESTS_VGXML_H
#define GG_TESTS_VGXML_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "grindgate/model.h"
#include "model/frames.h"

struct vgxml {
    struct gg_arena *arena;
    struct gg_frames *frames;
    GG_VEC(struct gg_finding) findings;
    GG_VEC(const char *) options; /* valgrind's own */
    /* what is being read */
    bool in_vargv, in_error, in_suppression;
    GG_VEC(struct gg_stack) stacks;
    GG_VEC(struct gg_frame *) stack;
    GG_VEC(const char *) supp_frames;
    char blob[8192];
    size_t blob_len;
};

/* The text of "<tag>text</tag>" with its entities undone; NULL when the line is another. */
static inline char *vgxml_text(struct gg_arena *arena, struct gg_str line, const char *tag)
{
    char *open = gg_arena_printf(arena, "<%s>", tag), *close = gg_arena_printf(arena, "</%s>", tag);
    if (!gg_str_starts(line, open) || !gg_str_ends(line, close))
        return NULL;
    const char *from = line.ptr + strlen(open), *end = line.ptr + line.len - strlen(close);
    char *text = gg_arena_alloc(arena, (size_t)(end - from) + 1), *to = text;
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;"};
    while (from < end) {
        char c = *from;
        size_t len = 1;
        for (size_t i = 0; c == '&' && i < 3 && len == 1; i++) {
            if (strncmp(from, entities[i], strlen(entities[i])) == 0) {
                *to = "<>&"[i];
                len = strlen(entities[i]);
            }
        }
        if (len == 1)
            *to = c;
        to++;
        from += len;
    }
    return text;
}

static inline void vgxml_field(struct vgxml *xml, struct gg_str line)
{
    static const char *const tags[] = {"ip", "obj", "fn", "dir", "file", "line"};
    for (int i = 0; i < 6; i++) {
        char *text = vgxml_text(xml->arena, line, tags[i]);
        if (!text)
            continue;
        int room = (int)(sizeof xml->blob - xml->blob_len);
        int len = snprintf(xml->blob + xml->blob_len, (size_t)room, "%c%s", i + 1, text);
        if (len >= room)
            abort();
        xml->blob_len += (size_t)len;
    }
}

static inline void vgxml_end_error(struct vgxml *xml)
{
    struct gg_finding *finding = &xml->findings.at[xml->findings.len - 1];
    finding->stacks = xml->stacks.at;
    finding->stack_count = xml->stacks.len;
    finding->supp_frames = xml->supp_frames.at;
    finding->supp_frame_count = xml->supp_frames.len;
    memset(&xml->stacks, 0, sizeof xml->stacks);
    memset(&xml->supp_frames, 0, sizeof xml->supp_frames);
    xml->in_error = false;
}

static inline void vgxml_suppression(struct vgxml *xml, struct gg_finding *finding,
                                     struct gg_str line)
{
    char *text;
    if ((text = vgxml_text(xml->arena, line, "skind")))
        finding->supp_kind = text;
    else if ((text = vgxml_text(xml->arena, line, "skaux")))
        finding->supp_extra = text;
    else if ((text = vgxml_text(xml->arena, line, "sframe"))) {
        struct gg_str inner = gg_str_trim(gg_str(text));
        char *name = vgxml_text(xml->arena, inner, "fun");
        *gg_vec_push(xml->arena, &xml->supp_frames) =
            name ? gg_arena_printf(xml->arena, "fun:%s", name)
                 : gg_arena_printf(xml->arena, "obj:%s", vgxml_text(xml->arena, inner, "obj"));
    }
}

static inline void vgxml_error_line(struct vgxml *xml, struct gg_str line)
{
    struct gg_finding *finding = &xml->findings.at[xml->findings.len - 1];
    char *text;
    if (gg_str_is(line, "</error>")) {
        vgxml_end_error(xml);
    } else if (gg_str_is(line, "</frame>")) {
        *gg_vec_push(xml->arena, &xml->stack) =
            gg_frames_intern(xml->frames, xml->blob, xml->blob_len);
        xml->blob_len = 0;
    } else if (gg_str_is(line, "</stack>")) {
        enum gg_role role = xml->stacks.len ? GG_ROLE_OTHER : GG_ROLE_ERROR;
        *gg_vec_push(xml->arena, &xml->stacks) =
            (struct gg_stack){.role = role, .frames = xml->stack.at, .len = xml->stack.len};
        memset(&xml->stack, 0, sizeof xml->stack);
    } else if ((text = vgxml_text(xml->arena, line, "kind"))) {
        finding->kind_name = text;
        finding->kind = gg_kind_of(text, strlen(text));
        finding->is_leak = strncmp(text, "Leak_", 5) == 0;
    } else if (gg_str_starts(line, "<what>Argument '")) {
        /* Its end tag stands on the next line. */
        finding->message = gg_arena_strndup(xml->arena, line.ptr + 6, line.len - 6);
    } else if ((text = vgxml_text(xml->arena, line, "what")) ||
               (text = vgxml_text(xml->arena, line, "text"))) {
        finding->message = text;
    } else {
        vgxml_field(xml, line);
        vgxml_suppression(xml, finding, line);
    }
}

/* Everything of the report at `path`; false when it cannot be read. The frames live in `frames`. */
static inline bool vgxml_read(struct vgxml *xml, struct gg_arena *arena, struct gg_frames *frames,
                              const char *path)
{
    struct gg_str rest, line;
    struct gg_error err = {0};
    *xml = (struct vgxml){.arena = arena, .frames = frames};
    if (!gg_fs_read(arena, path, (size_t)1 << 30, &rest, &err))
        return false;
    while (gg_str_line(&rest, &line)) {
        char *text;
        line = gg_str_trim(line);
        if (gg_str_is(line, "<vargv>") || gg_str_is(line, "</vargv>"))
            xml->in_vargv = line.ptr[1] != '/';
        else if (xml->in_vargv && (text = vgxml_text(arena, line, "arg")))
            *gg_vec_push(arena, &xml->options) = text;
        else if (gg_str_is(line, "<error>")) {
            xml->in_error = true;
            *gg_vec_push(arena, &xml->findings) = (struct gg_finding){.message = ""};
        } else if (xml->in_error)
            vgxml_error_line(xml, line);
    }
    *gg_vec_push(arena, &xml->options) = NULL;
    return true;
}

#endif
