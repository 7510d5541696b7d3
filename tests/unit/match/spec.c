/* Runs tests/spec/suppressions.txt; its first lines say how to read it. */
#include "match/rules.h"
#include "base/fs.h"
#include "base/vec.h"

#include <criterion/criterion.h>

struct spec {
    struct gg_arena *arena;
    struct gg_str rest;
    unsigned line;
    bool has_error;
    struct gg_str error;   /* its lines */
    struct gg_str section; /* its title, until its first example was seen */
    struct gg_str manual;
    struct gg_finding finding;
    GG_VEC(struct gg_frame *) frames;
    struct gg_stack stack;
    GG_VEC(const char *) options;
    GG_VEC(const char *) command; /* empty: unknown */
    unsigned tried, sections;
};

static const char *copy(struct spec *spec, struct gg_str text)
{
    return gg_str_is(text, "-") ? NULL : gg_arena_strndup(spec->arena, text.ptr, text.len);
}

/* The next field of a line; fields stand two blanks or more apart. */
static struct gg_str field(struct gg_str *rest)
{
    *rest = gg_str_trim(*rest);
    size_t len = gg_str_find(*rest, "  ");
    if (len == SIZE_MAX)
        len = rest->len;
    struct gg_str text = gg_str_n(rest->ptr, len);
    *rest = gg_str_n(rest->ptr + len, rest->len - len);
    return text;
}

/* The lines of an error stand together. */
static void add_to_error(struct spec *spec, struct gg_str line)
{
    if (gg_str_starts(line, "error "))
        spec->error = line;
    else
        spec->error.len = (size_t)(line.ptr + line.len - spec->error.ptr);
}

/* "error InvalidRead: Invalid read of size 4" */
static void read_error(struct spec *spec, struct gg_str line)
{
    struct gg_str kind, message;
    gg_str_cut(gg_str_n(line.ptr + 6, line.len - 6), ':', &kind, &message);
    spec->finding = (struct gg_finding){.kind = gg_kind_of(kind.ptr, kind.len),
                                        .kind_name = copy(spec, kind),
                                        .message = copy(spec, gg_str_trim(message))};
    cr_assert_neq(spec->finding.kind, GG_KIND_Unknown, "line %u: no such kind", spec->line);
    memset(&spec->frames, 0, sizeof spec->frames);
    memset(&spec->options, 0, sizeof spec->options);
    memset(&spec->command, 0, sizeof spec->command);
    *gg_vec_push(spec->arena, &spec->options) = "--xml=yes";
    spec->has_error = true;
}

/* "arguments 1": the program and so many others. */
static void read_arguments(struct spec *spec, struct gg_str line)
{
    uint64_t count;
    cr_assert(gg_str_u64(gg_str_n(line.ptr + 10, line.len - 10), false, &count));
    for (uint64_t i = 0; i <= count; i++)
        *gg_vec_push(spec->arena, &spec->command) = "word";
}

/* "  leaf  /p/app  leaf.c:3", "^ outer  /p/app  -" */
static void read_frame(struct spec *spec, struct gg_str line)
{
    struct gg_frame *frame = gg_arena_alloc(spec->arena, sizeof *frame);
    struct gg_str rest = gg_str_n(line.ptr + 2, line.len - 2);
    frame->symbol = frame->function = copy(spec, field(&rest));
    frame->object = copy(spec, field(&rest));
    struct gg_str source = field(&rest), number;
    cr_assert(source.len && rest.len == 0, "line %u: three fields are expected", spec->line);
    gg_str_cut(source, ':', &source, &number);
    frame->file = copy(spec, source);
    uint64_t value = 0;
    gg_str_u64(number, false, &value);
    frame->line = (uint32_t)value;
    bool same = line.ptr[0] == '^';
    frame->ip = same ? spec->frames.at[spec->frames.len - 1]->ip : 0x1000 + spec->frames.len;
    *gg_vec_push(spec->arena, &spec->frames) = frame;
}

/* The lines from "{" to "}", with their line breaks. */
static struct gg_str read_block(struct spec *spec, struct gg_str first)
{
    struct gg_str line = first;
    while (!gg_str_is(line, "}")) {
        cr_assert(gg_str_line(&spec->rest, &line), "a block has no end");
        spec->line++;
    }
    return gg_str_n(first.ptr, (size_t)(line.ptr - first.ptr) + 2);
}

/* "yes", "approximately", "no", "refused: REASON" */
static const char *verdict_of(struct spec *spec, struct gg_str block)
{
    struct gg_error err = {0};
    struct gg_rules *rules = gg_rules_new(spec->arena, &(struct gg_rules_context){0});
    if (!gg_rules_add_supp(rules, "one.supp", block, &err)) {
        const char *reason = err.text + strlen("one.supp") + 1;
        reason += strspn(reason, "0123456789: ");
        return gg_arena_printf(spec->arena, "refused: %s", reason);
    }
    spec->stack = (struct gg_stack){
        .role = GG_ROLE_ERROR, .frames = spec->frames.at, .len = spec->frames.len};
    struct gg_finding finding = spec->finding;
    finding.stacks = &spec->stack;
    finding.stack_count = spec->frames.len ? 1 : 0;
    struct gg_witness witness = {.run = 0};
    finding.witnesses = &witness;
    finding.witness_count = 1;
    *gg_vec_push(spec->arena, &spec->options) = NULL;
    spec->options.len--;
    *gg_vec_push(spec->arena, &spec->command) = NULL;
    spec->command.len--;
    struct gg_run run = {.options = spec->options.at, .command = spec->command.at};
    struct gg_report report = {
        .runs = &run, .run_count = 1, .findings = &finding, .finding_count = 1};
    gg_rules_apply(rules, &report);
    if (!finding.rule)
        return "no";
    return finding.approximate ? "approximately" : "yes";
}

/* "# ---- Frames -----" */
static void begin_section(struct spec *spec, struct gg_str line)
{
    size_t end = gg_str_find(gg_str_n(line.ptr + 7, line.len - 7), " --");
    cr_assert_neq(end, SIZE_MAX);
    spec->section = gg_str_n(line.ptr + 7, end);
    spec->sections++;
}

/* The manual shows the first example of each section as it stands in the file. */
static void expect_shown(struct spec *spec, struct gg_str block, struct gg_str verdict)
{
    const char *shown =
        gg_arena_printf(spec->arena, "### %.*s\n\n```text\n%.*s\n\n%.*s%.*s\n```\n",
                        (int)spec->section.len, spec->section.ptr, (int)spec->error.len,
                        spec->error.ptr, (int)block.len, block.ptr, (int)verdict.len, verdict.ptr);
    cr_expect_neq(gg_str_find(spec->manual, shown), SIZE_MAX,
                  "docs/suppressions.md does not show\n%s", shown);
    spec->section.len = 0;
}

static void try_block(struct spec *spec, struct gg_str first)
{
    unsigned line = spec->line;
    struct gg_str block = read_block(spec, first), expected;
    cr_assert(spec->has_error, "line %u: no error before the suppression", line);
    cr_assert(gg_str_line(&spec->rest, &expected), "line %u: no verdict", line);
    spec->line++;
    cr_assert(gg_str_is(expected, "yes") || gg_str_is(expected, "no") ||
                  gg_str_is(expected, "approximately") || gg_str_starts(expected, "refused: "),
              "line %u: yes, approximately, no or refused: is expected", spec->line);
    if (spec->section.len)
        expect_shown(spec, block, expected);
    const char *verdict = verdict_of(spec, block);
    cr_expect(strncmp(verdict, expected.ptr, expected.len) == 0 &&
                  (verdict[expected.len] == '\0' || verdict[0] == 'r'),
              "suppressions.txt:%u: %s", line, verdict);
    spec->tried++;
}

Test(spec, suppressions)
{
    struct gg_arena arena;
    struct gg_error err = {0};
    gg_arena_init(&arena);
    struct spec spec = {.arena = &arena};
    cr_assert(gg_fs_read(&arena, GG_TESTS "/spec/suppressions.txt", 1 << 20, &spec.rest, &err),
              "%s", err.text);
    cr_assert(gg_fs_read(&arena, GG_TESTS "/../docs/suppressions.md", 1 << 20, &spec.manual, &err),
              "%s", err.text);
    struct gg_str line;
    while (gg_str_line(&spec.rest, &line)) {
        spec.line++;
        if (gg_str_starts(line, "# ---- "))
            begin_section(&spec, line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        if (line.ptr[0] != '{')
            add_to_error(&spec, line);
        if (gg_str_starts(line, "error "))
            read_error(&spec, line);
        else if (gg_str_starts(line, "options "))
            *gg_vec_push(&arena, &spec.options) = copy(&spec, gg_str_n(line.ptr + 8, line.len - 8));
        else if (gg_str_starts(line, "arguments "))
            read_arguments(&spec, line);
        else if (gg_str_starts(line, "  ") || gg_str_starts(line, "^ "))
            read_frame(&spec, line);
        else if (line.ptr[0] == '{')
            try_block(&spec, line);
        else
            cr_assert_fail("suppressions.txt:%u: cannot be understood", spec.line);
    }
    cr_expect_gt(spec.tried, 100);
    cr_expect_gt(spec.sections, 8);
    gg_arena_free(&arena);
}
