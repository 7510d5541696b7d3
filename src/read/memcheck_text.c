#include "read/memcheck.h"

#include <string.h>

static uint64_t number(struct gg_str text, uint64_t otherwise)
{
    uint64_t value;
    return gg_str_u64(gg_str_trim(text), true, &value) ? value : otherwise;
}

static uint64_t hex(struct gg_str text, uint64_t otherwise)
{
    uint64_t value;
    return gg_str_hex(gg_str_trim(text), &value) ? value : otherwise;
}

static int64_t process(struct gg_str text)
{
    uint64_t value = number(text, UINT64_MAX);
    return value <= INT64_MAX ? (int64_t)value : -1;
}

static void set_protocol(struct gg_memcheck *m, struct gg_str text)
{
    uint64_t version = number(text, 0);
    gg_memcheck_run(m)->protocol = version <= UINT32_MAX ? (uint32_t)version : 0;
    if ((version < 4 || version > 6) && !m->noted.version)
        gg_collate_note(m->collate, "unknown-protocol", m->source, false,
                        "protocol version %.*s is none this version knows; it is read as if it "
                        "were version 6",
                        (int)(text.len < 20 ? text.len : 20), text.ptr);
    m->noted.version = m->noted.version || version < 4 || version > 6;
}

static void set_tool(struct gg_memcheck *m, struct gg_str text)
{
    static const char *const tools[] = {"memcheck", "helgrind", "drd", "none"};
    text = gg_str_trim(text);
    if (text.len == 0)
        return;
    gg_memcheck_run(m)->tool = gg_atom_n(gg_collate_atoms(m->collate), text.ptr, text.len);
    if (gg_str_is(text, "none"))
        gg_collate_note(m->collate, "no-tool", m->source, true,
                        "--tool=none looks for no errors in memory: run memcheck, helgrind or drd");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (gg_str_is(text, tools[i]))
            return;
    }
    if (gg_memcheck_first(m, text))
        gg_collate_note(m->collate, "unknown-tool", m->source, false,
                        "%.*s is no tool this version knows; its errors are read like memcheck's",
                        (int)(text.len < 40 ? text.len : 40), text.ptr);
}

/* "Using Valgrind-3.19.0 and LibVEX; ...", "Using Valgrind-3.19.0-8d3c8034b8-20220411 and ..." */
static void set_version(struct gg_memcheck *m, struct gg_str line)
{
    static const char before[] = "Using Valgrind-";
    size_t at = gg_str_find(line, before);
    if (at == SIZE_MAX)
        return;
    at += sizeof before - 1;
    size_t end = at;
    while (end < line.len && ((line.ptr[end] >= '0' && line.ptr[end] <= '9') ||
                              (line.ptr[end] == '.' && end + 1 < line.len &&
                               line.ptr[end + 1] >= '0' && line.ptr[end + 1] <= '9')))
        end++;
    gg_memcheck_run(m)->version = gg_arena_strndup(m->arena, line.ptr + at, end - at);
}

static const char *keep_argument(struct gg_memcheck *m, struct gg_str text)
{
    m->argument_bytes += text.len + sizeof(char *);
    if (m->argument_bytes <= GG_ARGUMENT_BYTES)
        return gg_arena_strndup(m->arena, text.ptr, text.len);
    if (!m->noted.argument)
        gg_collate_note(m->collate, "text-cut", m->source, false,
                        "the arguments are longer than a system allows; not all are kept");
    m->noted.argument = true;
    return NULL;
}

static void add_option(struct gg_memcheck *m, struct gg_str text)
{
    const char *option = keep_argument(m, text);
    if (!option)
        return;
    *gg_vec_push(m->arena, &m->options) = option;
    /* The last one counts. */
    if (gg_str_starts(text, "--demangle="))
        gg_memcheck_run(m)->mangled = gg_str_is(text, "--demangle=no");
    if (gg_str_starts(text, "--exit-on-first-error="))
        m->first_error_only = gg_str_is(text, "--exit-on-first-error=yes");
}

static void add_command(struct gg_memcheck *m, struct gg_str text)
{
    const char *argument = keep_argument(m, text);
    if (argument)
        *gg_vec_push(m->arena, &m->command) = argument;
}

static void set_pid(struct gg_memcheck *m, struct gg_str text)
{
    gg_memcheck_run(m)->pid = process(text);
}

static void set_state(struct gg_memcheck *m, struct gg_str text)
{
    text = gg_str_trim(text);
    struct gg_run *run = gg_memcheck_run(m);
    run->saw_running = run->saw_running || gg_str_is(text, "RUNNING");
    run->saw_finished = run->saw_finished || gg_str_is(text, "FINISHED");
}

/* <first_observed_at> <what>mutex</what> ... */
static void add_aux(struct gg_memcheck *m, struct gg_str text)
{
    if (m->states[m->depth] == GG_IN_WRAPPER && m->wrapper == GG_TAG_first_observed_at) {
        gg_buffer_text(&m->text, " was first observed at");
        text = gg_buffer_str(&m->text);
    }
    gg_draft_aux(&m->draft, text);
}

static void set_unique(struct gg_memcheck *m, struct gg_str text)
{
    uint64_t unique = hex(text, UINT64_MAX);
    m->draft.has_unique = unique <= UINT32_MAX;
    m->draft.unique = (uint32_t)unique;
}

static void header_text(struct gg_memcheck *m, enum gg_state state, struct gg_str text)
{
    switch (state) {
    case GG_TEXT_PROTOCOL:
        set_protocol(m, text);
        break;
    case GG_TEXT_TOOL:
        set_tool(m, text);
        break;
    case GG_TEXT_PREAMBLE:
        set_version(m, text);
        break;
    case GG_TEXT_PID:
        set_pid(m, text);
        break;
    case GG_TEXT_PPID:
        gg_memcheck_run(m)->ppid = process(text);
        break;
    case GG_TEXT_OPTION:
        add_option(m, text);
        break;
    case GG_TEXT_COMMAND:
        add_command(m, text);
        break;
    case GG_TEXT_STATUS:
        set_state(m, text);
        break;
    default:
        break;
    }
}

static void error_text(struct gg_memcheck *m, enum gg_state state, struct gg_str text)
{
    static const unsigned char fields[GG_STATE_COUNT] = {
        [GG_TEXT_THREADNAME] = GG_DRAFT_THREAD + 1, [GG_TEXT_KIND] = GG_DRAFT_KIND + 1,
        [GG_TEXT_PATH] = GG_DRAFT_PATH + 1,         [GG_TEXT_WHAT] = GG_DRAFT_WHAT + 1,
        [GG_TEXT_XWHAT] = GG_DRAFT_XWHAT + 1,       [GG_TEXT_SKIND] = GG_DRAFT_SKIND + 1,
        [GG_TEXT_SKAUX] = GG_DRAFT_SKAUX + 1,       [GG_TEXT_SIGNAME] = GG_DRAFT_SIGNAME + 1,
        [GG_TEXT_EVENT] = GG_DRAFT_EVENT + 1,       [GG_TEXT_SIADDR] = GG_DRAFT_SIADDR + 1};
    struct gg_draft *draft = &m->draft;
    if (fields[state]) {
        gg_draft_set(draft, (enum gg_draft_field)(fields[state] - 1), text);
        return;
    }
    switch (state) {
    case GG_TEXT_UNIQUE:
        set_unique(m, text);
        break;
    case GG_TEXT_LEAKED_BYTES:
        draft->has_bytes = true;
        draft->leaked_bytes = number(text, 0);
        break;
    case GG_TEXT_LEAKED_BLOCKS:
        draft->leaked_blocks = number(text, 0);
        break;
    case GG_TEXT_THREAD:
        gg_draft_thread(draft, number(text, 0));
        break;
    case GG_TEXT_AUX:
        add_aux(m, text);
        break;
    case GG_TEXT_SFUN:
        gg_draft_sframe(draft, "fun:", text);
        break;
    case GG_TEXT_SOBJ:
        gg_draft_sframe(draft, "obj:", text);
        break;
    default:
        header_text(m, state, text);
        break;
    }
}

void gg_memcheck_text(struct gg_memcheck *m, enum gg_state state, struct gg_str text)
{
    switch (state) {
    case GG_TEXT_ERROR_COUNT:
    case GG_TEXT_SUPP_COUNT:
        m->pair.count = number(text, 0);
        break;
    case GG_TEXT_ERROR_UNIQUE:
        m->pair.unique = hex(text, UINT64_MAX);
        break;
    case GG_TEXT_SUPP_NAME:
        m->supp_name = gg_str_n(gg_arena_strndup(m->arena, text.ptr, text.len), text.len);
        break;
    case GG_TEXT_MESSAGE:
        gg_buffer_add(&m->message, text.ptr, text.len);
        break;
    case GG_TEXT_ANNOUNCED:
        m->thread = number(text, 0);
        break;
    default:
        error_text(m, state, text);
        break;
    }
}
