#include "read/memcheck.h"
#include "read/anchor.h"
#include "read/readers.h"

#include <string.h>

/* Text outside the elements that hold text: white space, or what a program printed into its own
 * report. */
static void outside_text(struct gg_memcheck *m, const char *text, size_t len)
{
    /* "\n      ", the indentation of nearly every line */
    if (len <= 7 && text[0] == '\n' && (len == 1 || (text[1] == ' ' && text[len - 1] == ' ')))
        return;
    enum gg_state state = m->states[m->depth];
    if (state <= GG_IN_SKIPPED || m->noted.stray_text)
        return;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r') {
            m->noted.stray_text = true;
            gg_collate_note(m->collate, "stray-text", m->source, false,
                            "text between the elements of the report is left out; the program may "
                            "have printed into it");
            return;
        }
    }
}

static void on_text(void *self, const char *text, size_t len)
{
    struct gg_memcheck *m = self;
    if (!m->into) {
        outside_text(m, text, len);
        return;
    }
    size_t room = GG_LEAF_MAX - (m->into->len - m->leaf);
    if (len > room) {
        while (room && ((unsigned char)text[room] & 0xC0) == 0x80)
            room--; /* not within a character */
        len = room;
        if (!m->noted.text_cut)
            gg_collate_note(m->collate, "text-cut", m->source, false,
                            "a text longer than %u bytes is cut", GG_LEAF_MAX);
        m->noted.text_cut = true;
    }
    gg_buffer_add(m->into, text, len);
}

/* <rawtext>'s CDATA holds nothing that is not there as elements too. */
static bool on_opaque(void *self, const char *text, size_t len)
{
    (void)self;
    size_t at;
    return gg_anchor_find(gg_str_n(text, len), 0, false, true, &at) == GG_ANCHOR_NONE;
}

/* An element of ours in a text that is not escaped, <b>: part of the text. */
static void add_markup(struct gg_memcheck *m, const char *open, const char *name)
{
    on_text(m, open, strlen(open));
    on_text(m, name, strlen(name));
    on_text(m, ">", 1);
}

static void begin_text(struct gg_memcheck *m, enum gg_state state)
{
    if (state >= GG_TEXT_IP) {
        char tag = (char)(state - GG_TEXT_IP + GG_FRAME_IP);
        gg_buffer_add(&m->blob, &tag, 1);
        m->into = &m->blob;
    } else {
        m->text.len = 0;
        m->into = &m->text;
    }
    m->leaf = m->into->len;
}

static void begin_wrapper(struct gg_memcheck *m, unsigned tag)
{
    m->wrapper = tag;
    /* "Address 0x4a73034 is at offset 4 from 0x4a73030." belongs to the allocation behind it. */
    if (tag != GG_TAG_allocation_context)
        gg_draft_aux(&m->draft, gg_str(""));
}

static void begin_element(struct gg_memcheck *m, enum gg_state state, unsigned tag,
                          const char *name)
{
    switch (state) {
    case GG_IN_UNKNOWN:
        if (m->states[m->depth - 1] != GG_IN_UNKNOWN && gg_memcheck_first(m, gg_str(name)))
            gg_collate_note(m->collate, "unknown-element", m->source, false,
                            "<%.200s> is not known where it stands; it is left out", name);
        break;
    case GG_IN_ERROR:
    case GG_IN_FATAL_SIGNAL:
    case GG_IN_ANNOUNCETHREAD:
    case GG_IN_CLIENTMSG:
        gg_draft_begin(&m->draft);
        m->message.len = 0;
        break;
    case GG_IN_STACK:
        if (m->states[m->depth - 1] == GG_IN_ROOT)
            gg_draft_begin(&m->draft);
        gg_draft_stack_begin(&m->draft);
        break;
    case GG_IN_FRAME:
        m->blob.len = 0;
        break;
    case GG_IN_WRAPPER:
        begin_wrapper(m, tag);
        break;
    case GG_IN_VARGV:
        m->options.len = 0;
        break;
    case GG_IN_ARGV:
        m->command.len = 0;
        break;
    case GG_IN_ERRORCOUNTS:
        m->pair_count = 0;
        break;
    case GG_IN_SUPPCOUNTS:
        m->suppcounts.len = 0;
        break;
    case GG_IN_ERRORCOUNTS_PAIR:
    case GG_IN_SUPPCOUNTS_PAIR:
        m->pair = (struct gg_count_pair){.unique = UINT64_MAX};
        m->supp_name = gg_str("");
        break;
    default:
        break;
    }
}

static bool on_start(void *self, unsigned tag, const char *name)
{
    struct gg_memcheck *m = self;
    enum gg_state state = gg_step(m->states[m->depth], tag);
    if (state == GG_MISPLACED)
        return false;
    m->states[++m->depth] = state;
    if (state == GG_TEXT_MARKUP)
        add_markup(m, "<", name);
    else if (state >= GG_TEXT_PROTOCOL)
        begin_text(m, state);
    else
        begin_element(m, state, tag, name);
    return true;
}

static void end_wrapper_stack(struct gg_memcheck *m)
{
    static const struct {
        unsigned tag;
        enum gg_role role;
        const char *text;
    } wrappers[] = {{GG_TAG_allocation_context, GG_ROLE_ALLOCATED, "Allocated"},
                    {GG_TAG_first_observed_at, GG_ROLE_OTHER, "First observed at"},
                    {GG_TAG_other_segment_start, GG_ROLE_OTHER, "Start of the other segment"},
                    {GG_TAG_other_segment_end, GG_ROLE_OTHER, "End of the other segment"},
                    {GG_TAG_confl_wait_call, GG_ROLE_OTHER, "The conflicting wait"},
                    {GG_TAG_acquired_at, GG_ROLE_OTHER, "Acquired at"}};
    size_t i = 0;
    while (wrappers[i].tag != m->wrapper)
        i++;
    gg_draft_stack_end_as(&m->draft, wrappers[i].role, gg_str(wrappers[i].text));
}

static void end_stack(struct gg_memcheck *m)
{
    switch (m->states[m->depth]) {
    case GG_IN_WRAPPER:
        end_wrapper_stack(m);
        break;
    case GG_IN_ROOT:
        /* An instruction valgrind cannot run, or a descriptor left open (before 3.23). */
        if (!m->noted.stray_stack)
            gg_collate_note(m->collate, "stray-stack", m->source, false,
                            "a stack outside of any error is left out; what valgrind had to say of "
                            "it is in its log, not in its report");
        m->noted.stray_stack = true;
        break;
    default:
        gg_draft_stack_end(&m->draft);
        break;
    }
}

static void end_element(struct gg_memcheck *m, enum gg_state state)
{
    switch (state) {
    case GG_IN_FRAME:
        gg_draft_frame(&m->draft, gg_frames_intern(m->frames, m->blob.ptr, m->blob.len));
        break;
    case GG_IN_STACK:
        end_stack(m);
        break;
    case GG_IN_ERROR:
        gg_memcheck_error(m);
        break;
    case GG_IN_FATAL_SIGNAL:
        gg_memcheck_fatal(m);
        break;
    case GG_IN_ANNOUNCETHREAD:
        gg_memcheck_announced(m);
        break;
    case GG_IN_CLIENTMSG:
        gg_memcheck_message(m);
        break;
    case GG_IN_ERRORCOUNTS_PAIR:
        gg_memcheck_pair(m);
        break;
    case GG_IN_SUPPCOUNTS_PAIR:
        gg_memcheck_suppcount(m);
        break;
    case GG_IN_ARGS:
        m->has_arguments = true;
        break;
    case GG_IN_TRACE:
        if (!m->noted.trace)
            gg_collate_note(m->collate, "trace", m->source, false,
                            "drd's traces are left out of the report");
        m->noted.trace = true;
        break;
    default:
        break;
    }
}

static void on_end(void *self, const char *name)
{
    struct gg_memcheck *m = self;
    enum gg_state state = m->states[m->depth--];
    if (state >= GG_TEXT_IP) {
        m->into = NULL;
    } else if (state == GG_TEXT_MARKUP) {
        add_markup(m, "</", name);
    } else if (state >= GG_TEXT_PROTOCOL) {
        m->into = NULL;
        gg_memcheck_text(m, state, gg_buffer_str(&m->text));
    } else {
        end_element(m, state);
    }
}

static void on_restart(void *self, unsigned depth)
{
    struct gg_memcheck *m = self;
    m->depth = depth;
    m->states[0] = GG_IN_NOTHING;
    m->states[1] = GG_IN_ROOT;
    m->into = NULL;
}

static void on_begin(void *self)
{
    gg_memcheck_begin(self);
}

static void on_lost(void *self, uint64_t line, uint64_t bytes, const char *why)
{
    struct gg_memcheck *m = self;
    char *where = line ? gg_arena_printf(m->arena, "%s:%llu", m->source, (unsigned long long)line)
                       : gg_arena_strdup(m->arena, m->source);
    gg_collate_note(m->collate, "unreadable-part", where, true, "%llu bytes cannot be read: %s",
                    (unsigned long long)bytes, why);
}

static void on_document_end(void *self, const struct gg_xmldoc *doc)
{
    gg_memcheck_end(self, doc);
}

static unsigned on_tag(const char *name)
{
    return gg_tag_of(name);
}

static bool read_memcheck(struct gg_input *input, struct gg_collate *collate, struct gg_error *err)
{
    static const struct gg_xmlstream_events events = {
        .xml = {on_tag, on_start, on_text, on_opaque, on_end},
        .begin = on_begin,
        .restart = on_restart,
        .lost = on_lost,
        .end = on_document_end};
    struct gg_memcheck *m = gg_alloc(sizeof *m);
    m->collate = collate;
    m->arena = gg_collate_arena(collate);
    m->frames = gg_collate_frames(collate);
    m->source = gg_atom(gg_collate_atoms(collate), input->name);
    bool ok = gg_xmlstream_read(input, &events, m, err);
    gg_draft_free(&m->draft);
    gg_buffer_free(&m->text);
    gg_buffer_free(&m->blob);
    gg_buffer_free(&m->message);
    free(m->pairs);
    free(m);
    return ok;
}

static bool is_blank(struct gg_str text)
{
    return gg_str_trim(text).len == 0;
}

/* valgrind's own log, or a report between the lines of one:
 *     ==1234== Memcheck, a memory error detector */
static bool has_log_line(struct gg_str text)
{
    struct gg_str line;
    while (gg_str_line(&text, &line)) {
        if (line.len < 5 || (!gg_str_starts(line, "==") && !gg_str_starts(line, "--")))
            continue;
        size_t digits = 2;
        while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
            digits++;
        struct gg_str rest = gg_str_n(line.ptr + digits, line.len - digits);
        if (digits > 2 && (gg_str_starts(rest, "==") || gg_str_starts(rest, "--")))
            return true;
    }
    return false;
}

/* What a cut report may be: a declaration and the beginning of the root's tag, or less. */
static bool is_beginning(struct gg_str text)
{
    static const char root[] = "<valgrindoutput";
    if (!gg_str_starts(text, "<?xml"))
        return text.len < 5 && memcmp("<?xml", text.ptr, text.len) == 0;
    size_t end = gg_str_find(text, "?>");
    if (end == SIZE_MAX)
        return text.len < 256;
    struct gg_str rest = gg_str_trim(gg_str_n(text.ptr + end + 2, text.len - end - 2));
    return rest.len < sizeof root && memcmp(rest.ptr, root, rest.len) == 0;
}

static int bid_memcheck(const char *bytes, size_t len)
{
    struct gg_str text = gg_str_n(bytes, len);
    if (gg_str_starts(text, "\xEF\xBB\xBF"))
        text = gg_str_n(bytes + 3, len - 3);
    size_t at;
    if (gg_str_find(text, "<valgrindoutput") != SIZE_MAX)
        return 100;
    if (is_blank(text))
        return 0;
    if (is_beginning(text))
        return 60;
    if (gg_anchor_find(text, 0, false, true, &at) != GG_ANCHOR_NONE)
        return 40;
    /* The same in UTF-16, either way round. */
    if (len >= 4 && (memcmp(bytes, "\xFF\xFE<", 3) == 0 || memcmp(bytes, "\xFE\xFF\0<", 4) == 0))
        return 30;
    return has_log_line(text) ? 5 : 0;
}

const struct gg_reader gg_reader_memcheck = {"memcheck-xml", bid_memcheck, read_memcheck};
