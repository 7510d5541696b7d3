#include "match/near.h"
#include "match/rules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { TODAY = 20000 }; /* 2024-10-04 */

/* A finding whose stack is "malloc make run main", in a report of its own. */
struct scene {
    struct gg_arena arena;
    struct gg_finding finding;
    struct gg_report report;
    struct gg_rules *rules;
    struct gg_stack stack;
    struct gg_witness witness;
    struct gg_run run;
};

static void begin(struct scene *scene, enum gg_kind kind, const char *message,
                  const char *const *functions)
{
    *scene = (struct scene){.witness = {.count = 1, .bytes = 16, .blocks = 1, .final = true}};
    struct gg_frame **frames = gg_arena_alloc(&scene->arena, 16 * sizeof *frames);
    for (; functions[scene->stack.len]; scene->stack.len++) {
        struct gg_frame *frame = gg_arena_alloc(&scene->arena, sizeof *frame);
        const char *name = functions[scene->stack.len];
        *frame = (struct gg_frame){.ip = 16 + scene->stack.len,
                                   .symbol = name,
                                   .function = name,
                                   .object = "/build/prog",
                                   .zone = strcmp(name, "malloc") ? GG_ZONE_OWN : GG_ZONE_TOOL};
        frames[scene->stack.len] = frame;
    }
    scene->stack.frames = frames;
    static const char *const none[] = {NULL};
    scene->run = (struct gg_run){.source = "in.xml", .command = none, .options = none};
    scene->finding = (struct gg_finding){.kind = kind,
                                         .kind_name = gg_kind_table[kind].name,
                                         .message = message,
                                         .is_leak = gg_kind_table[kind].group == GG_GROUP_leak,
                                         .leak_bytes = 16,
                                         .leak_blocks = 1,
                                         .stacks = &scene->stack,
                                         .stack_count = 1,
                                         .witnesses = &scene->witness,
                                         .witness_count = 1,
                                         .count = 1};
    scene->report = (struct gg_report){
        .runs = &scene->run, .run_count = 1, .findings = &scene->finding, .finding_count = 1};
    struct gg_rules_context context = {.today = TODAY};
    scene->rules = gg_rules_new(&scene->arena, &context);
}

#define STACK(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LEAK STACK("malloc", "make", "run", "main")

static void end(struct scene *scene)
{
    gg_arena_free(&scene->arena);
}

static void supp(struct scene *scene, const char *text)
{
    struct gg_error err = {0};
    cr_assert(gg_rules_add_supp(scene->rules, "t.supp", gg_str(text), &err), "%s", err.text);
}

/* The closest rule's name and why, "NAME: WHY"; "none". */
static const char *near(struct scene *scene)
{
    size_t count;
    const char *why = NULL;
    struct gg_entry **entries = gg_rules_entries(scene->rules, &count);
    struct gg_condition_context context = {.report = &scene->report};
    const struct gg_entry *entry =
        gg_near(&scene->arena, entries, count, &scene->report, &scene->finding, &context, &why);
    return entry ? gg_arena_printf(&scene->arena, "%s: %s", entry->rule.id, why) : "none";
}

static void expect(enum gg_kind kind, const char *message, const char *const *stack,
                   const char *rules, const char *said)
{
    struct scene scene;
    begin(&scene, kind, message, stack);
    supp(&scene, rules);
    cr_expect_str_eq(near(&scene), said);
    end(&scene);
}

#define LOST GG_KIND_Leak_DefinitelyLost, "16 bytes in 1 block are definitely lost"
#define READ GG_KIND_InvalidRead, "Invalid read of size 8"

Test(near, says_which_frame_failed)
{
    expect(LOST, LEAK, "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:foo\n}\n",
           "a: frame 3: fun:foo against run");
    expect(LOST, STACK("malloc", "make", "foo.isra.0", "main"),
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:foo\n}\n",
           "a: frame 3: fun:foo against foo.isra.0");
    expect(LOST, LEAK, "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n obj:/usr/lib/x.so\n}\n",
           "a: frame 3: obj:/usr/lib/x.so against /build/prog");
}

Test(near, says_what_is_nowhere)
{
    expect(LOST, LEAK, "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n ...\n fun:foo\n}\n",
           "a: fun:foo in no frame from 3 on");
}

Test(near, says_where_the_stack_ended)
{
    expect(LOST, STACK("malloc", "make", "thread"),
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:thread\n fun:foo\n}\n",
           "a: frame 4: fun:foo against nothing: the stack has 3");
}

/* A rule for Cond errors at these frames. */
static void expect_frames(const char *const *stack, const char *frames, const char *said)
{
    char rule[256];
    snprintf(rule, sizeof rule, "{\n a\n Memcheck:Cond\n%s}\n", frames);
    expect(GG_KIND_UninitCondition, "Conditional jump or move depends on uninitialised value(s)",
           stack, rule, said);
}

Test(near, another_builds_name_is_near)
{
    expect_frames(STACK("foo.constprop.0", "main"), " fun:foo\n fun:main\n",
                  "a: frame 1: fun:foo against foo.constprop.0");
    expect_frames(STACK("foo.constprop.0", "main"), " fun:foo\n",
                  "a: frame 1: fun:foo against foo.constprop.0");
    expect_frames(STACK("foo.constprop.0", "main"), " fun:foo.isra.*\n",
                  "a: frame 1: fun:foo.isra.* against foo.constprop.0");
    expect_frames(STACK("get@@V_2", "main"), " fun:get@V_1\n",
                  "a: frame 1: fun:get@V_1 against get@@V_2");
    expect_frames(STACK("x", "foo.cold", "main"), " ...\n fun:foo\n",
                  "a: frame 2: fun:foo against foo.cold");
    expect(LOST, STACK("malloc", "cache_get", "main"),
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:cache_get.part.0\n fun:main\n}\n",
           "a: frame 2: fun:cache_get.part.0 against cache_get");
}

Test(near, frames_that_fit_further_out_are_near)
{
    expect(LOST, STACK("malloc", "cache_get", "main"),
           "{\n a\n Memcheck:Leak\n fun:calloc\n fun:cache_get\n}\n",
           "a: frame 1: fun:calloc against malloc");
    expect_frames(STACK("foo", "call_foo", "main"), " fun:zzz\n fun:call_foo\n",
                  "a: frame 1: fun:zzz against foo");
    expect(LOST, STACK("malloc", "wrapper", "make", "main"),
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:main\n}\n",
           "a: frame 2: fun:make against wrapper");
}

Test(near, frames_that_tell_nothing_are_not_near)
{
    expect_frames(STACK("foo", "main"), " fun:zzz\n fun:*\n", "none");
    expect_frames(STACK("foo", "main"), " fun:*.part.0\n", "none");
    expect_frames(STACK("foo", "main"), " fun:zzz\n obj:/build/prog\n", "none");
    expect_frames(STACK("foo", "main", "__libc_start_main"), " fun:zzz\n fun:__libc_start_main\n",
                  "none");
    expect_frames(STACK("foo", "main"), " fun:fo\n fun:main\n", "none");
}

Test(near, main_tells_where_there_is_nothing_else)
{
    expect(LOST, STACK("malloc", "main"),
           "{\n a\n Memcheck:Leak\n match-leak-kinds: possible\n fun:malloc\n fun:main\n}\n",
           "a: match-leak-kinds: possible, the leak is definite");
}

Test(near, another_line_of_the_file_is_near)
{
    struct scene scene;
    begin(&scene, READ, STACK("foo", "main"));
    scene.stack.frames[0]->file = "lib.c";
    scene.stack.frames[0]->line = 7;
    supp(&scene, "{\n other\n Memcheck:Addr8\n src:bil.c:7\n}\n"
                 "{\n a\n Memcheck:Addr8\n src:lib.c:8\n}\n");
    cr_expect_str_eq(near(&scene), "a: frame 1: src:lib.c:8 against lib.c:7");
    end(&scene);
}

Test(near, prefers_one_suffix_to_another_function)
{
    expect(LOST, STACK("malloc", "foo.isra.0", "run", "loop", "main"),
           "{\n far\n Memcheck:Leak\n fun:malloc\n fun:x\n fun:y\n fun:run\n fun:loop\n}\n"
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:foo\n}\n",
           "a: frame 2: fun:foo against foo.isra.0");
}

Test(near, says_which_kind_is_wrong)
{
    expect(READ, STACK("get", "main"), "{\n a\n Memcheck:Addr4\n fun:get\n}\n",
           "a: kind: Memcheck:Addr4, the error is Addr8");
    expect(READ, STACK("get", "main"), "{\n a\n Memcheck:Cond\n fun:get\n}\n",
           "a: kind: Memcheck:Cond, the error is Addr8");
    expect(GG_KIND_Leak_PossiblyLost, "16 bytes in 1 block are possibly lost", LEAK,
           "{\n a\n Memcheck:Leak\n match-leak-kinds: definite\n fun:malloc\n fun:make\n}\n",
           "a: match-leak-kinds: definite, the leak is possible");
    expect(GG_KIND_SyscallParam, "Syscall param writev(vector[1]) points to uninitialised byte(s)",
           STACK("writev", "send"), "{\n a\n Memcheck:Param\n write(buf)\n fun:writev\n}\n",
           "a: write(buf) against writev(vector[1])");
    expect(GG_KIND_FishyValue,
           "Argument 'size' of function malloc has a fishy (possibly negative) value: -1",
           STACK("malloc", "make"),
           "{\n a\n Memcheck:FishyValue\n calloc(n)\n fun:malloc\n fun:make\n}\n",
           "a: calloc(n) against malloc(size)");
}

Test(near, says_both_when_kind_and_frames_fail)
{
    expect(
        GG_KIND_Leak_PossiblyLost, "16 bytes in 1 block are possibly lost", LEAK,
        "{\n a\n Memcheck:Leak\n match-leak-kinds: definite\n fun:malloc\n fun:make\n fun:x\n}\n",
        "a: match-leak-kinds: definite, the leak is possible; frame 3: fun:x against run");
}

Test(near, names_none_that_shares_nothing)
{
    expect(LOST, LEAK, "{\n a\n Memcheck:Leak\n fun:malloc\n fun:other\n}\n", "none");
    expect(LOST, LEAK, "{\n a\n Memcheck:Leak\n ...\n fun:main\n fun:x\n}\n", "none");
    expect(LOST, LEAK, "{\n a\n Memcheck:Cond\n fun:malloc\n fun:make\n fun:x\n}\n", "none");
    expect(LOST, LEAK, "{\n a\n Helgrind:Nonsense\n fun:malloc\n fun:make\n}\n", "none");
}

Test(near, prefers_the_kind_then_whole_stacks_then_more_frames)
{
    expect(LOST, LEAK,
           "{\n less\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:x\n}\n"
           "{\n more\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:run\n fun:x\n}\n"
           "{\n other\n Memcheck:Cond\n fun:malloc\n fun:make\n fun:run\n}\n",
           "more: frame 4: fun:x against main");
    expect(LOST, LEAK,
           "{\n part\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:run\n fun:x\n}\n"
           "{\n leaks\n Memcheck:Leak\n match-leak-kinds: possible\n fun:malloc\n fun:make\n}\n",
           "leaks: match-leak-kinds: possible, the leak is definite");
    expect(LOST, LEAK,
           "{\n first\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:x\n}\n"
           "{\n second\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:y\n}\n",
           "first: frame 3: fun:x against run");
    expect(LOST, LEAK,
           "{\n long\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:x\n fun:y\n}\n"
           "{\n short\n Memcheck:Leak\n fun:malloc\n fun:make\n fun:x\n}\n",
           "short: frame 3: fun:x against run");
}

Test(near, says_that_a_rule_is_over)
{
    expect(LOST, LEAK,
           "# gg: reason=r expires=2024-01-31\n{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n}\n",
           "a: the rule ended on 2024-01-31");
}

Test(near, says_why_a_rule_cannot_be_used)
{
    struct scene scene;
    begin(&scene, LOST, LEAK);
    supp(&scene, "# gg: reason=r expires=soon\n{\n a\n Memcheck:Leak\n fun:malloc\n fun:make\n}\n");
    cr_expect_eq(strncmp(near(&scene), "a: the rule cannot be used: ", 28), 0, "%s", near(&scene));
    end(&scene);
}

Test(near, a_slip_of_the_pen_is_near)
{
    expect(LOST, STACK("malloc", "mylib_name", "main"),
           "{\n a\n Memcheck:Leak\n fun:malloc\n fun:mylib_nme\n fun:main\n}\n",
           "a: frame 2: fun:mylib_nme against mylib_name");
    expect_frames(STACK("mylib_name", "main"), " fun:Mylib_name\n",
                  "a: frame 1: fun:Mylib_name against mylib_name");
    expect_frames(STACK("mylib_name", "main"), " fun:mylib_size\n", "none");
    expect_frames(STACK("get", "main"), " fun:set\n", "none");
}

Test(near, tells_conditions_and_expressions_of_rules_in_json)
{
    static const struct {
        const char *match, *said;
    } cases[] = {
        {"\"frames\": [{\"function\": \"^make$\"}], \"kinds\": [\"leak\"], \"bytes\": "
         "{\"min\": 32}",
         "j: the leak has 16 bytes, the rule asks for 32 at least"},
        {"\"frames\": [{\"function\": \"^malloc$\"}, {\"function\": \"^make$\"}, {\"function\": "
         "\"^go\"}]",
         "j: function /^go/ in no frame from 3 on"},
        {"\"frames\": [{\"function\": \"^maken$\"}]",
         "j: frame 2: function /^maken$/ against make"},
        {"\"frames\": [{\"function\": \"^make$\", \"path\": \"src/**\"}]",
         "j: frame 2: path src/** against nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        struct gg_error err = {0};
        begin(&scene, LOST, LEAK);
        const char *text =
            gg_arena_printf(&scene.arena,
                            "{\"version\": 1, \"rules\": [{\"id\": \"j\", \"reason\": \"r\", "
                            "\"match\": {%s}}]}",
                            cases[i].match);
        cr_assert(gg_rules_add_json(scene.rules, "t.json", gg_str(text), &err), "%s", err.text);
        cr_expect_str_eq(near(&scene), cases[i].said);
        end(&scene);
    }
}
