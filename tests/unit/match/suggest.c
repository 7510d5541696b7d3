#include "base/str.h"
#include "match/suggest.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { FINDINGS = 8, FRAMES = 32 };

/* A report of findings that are made of lines of text. */
struct scene {
    struct gg_arena arena;
    struct gg_finding findings[FINDINGS];
    size_t count;
    struct gg_run run;
    struct gg_witness witness;
    struct gg_report report;
};

static void begin(struct scene *scene)
{
    static const char *const none[] = {NULL};
    *scene = (struct scene){.run = {.source = "in.xml", .command = none, .options = none}};
    scene->run.mangled = true;
    scene->witness = (struct gg_witness){.count = 1};
}

static void end(struct scene *scene)
{
    gg_arena_free(&scene->arena);
}

/* "malloc", "make", "@/lib/libx.so.1" (an object without a function), "?" (nothing is known) */
static struct gg_frame *frame_of(struct scene *scene, const char *text)
{
    struct gg_frame *frame = gg_arena_alloc(&scene->arena, sizeof *frame);
    static uint64_t ip;
    *frame = (struct gg_frame){.ip = ++ip, .object = "/build/prog", .zone = GG_ZONE_OWN};
    if (text[0] == '@')
        frame->object = gg_arena_strdup(&scene->arena, text + 1);
    else if (strcmp(text, "?") == 0)
        frame->object = NULL;
    else
        frame->symbol = frame->function = gg_arena_strdup(&scene->arena, text);
    if (strcmp(text, "malloc") == 0 || strcmp(text, "calloc") == 0)
        frame->zone = GG_ZONE_TOOL;
    return frame;
}

/* Frames between blanks, the innermost first. Returns the finding's index. */
static size_t add(struct scene *scene, enum gg_kind kind, const char *message, const char *stack)
{
    size_t index = scene->count++;
    struct gg_frame **frames = gg_arena_alloc(&scene->arena, FRAMES * sizeof *frames);
    struct gg_stack *own = gg_arena_alloc(&scene->arena, sizeof *own);
    struct gg_str rest = gg_str(stack), word;
    bool more = true;
    *own = (struct gg_stack){.frames = frames};
    while (more) {
        more = gg_str_cut(rest, ' ', &word, &rest);
        frames[own->len++] = frame_of(scene, gg_arena_strndup(&scene->arena, word.ptr, word.len));
    }
    scene->findings[index] =
        (struct gg_finding){.id = gg_arena_printf(&scene->arena, "id%zu", index),
                            .fingerprint = gg_arena_printf(&scene->arena, "print%zu", index),
                            .kind = kind,
                            .kind_name = gg_kind_table[kind].name,
                            .message = message,
                            .is_leak = gg_kind_table[kind].group == GG_GROUP_leak,
                            .stacks = own,
                            .stack_count = 1,
                            .witnesses = &scene->witness,
                            .witness_count = 1};
    return index;
}

#define LOST GG_KIND_Leak_DefinitelyLost, "8 bytes in 1 block are definitely lost"
#define MAYBE GG_KIND_Leak_PossiblyLost, "8 bytes in 1 block are possibly lost"

/* Everything that is suggested for the first `wanted` findings, "!WHY" where there is nothing;
 * comments and names left out. */
static const char *suggest(struct scene *scene, size_t wanted, bool one)
{
    const struct gg_finding *list[FINDINGS];
    size_t count;
    const char *all = "";
    scene->report = (struct gg_report){.runs = &scene->run,
                                       .run_count = 1,
                                       .findings = scene->findings,
                                       .finding_count = scene->count};
    for (size_t i = 0; i < wanted; i++)
        list[i] = &scene->findings[i];
    struct gg_suggestion *found =
        gg_suggest_blocks(&scene->arena, &scene->report, list, wanted, one, &count);
    for (size_t i = 0; i < count; i++) {
        struct gg_str rest = gg_str(found[i].text ? found[i].text : ""), line;
        if (!found[i].text)
            all = gg_arena_printf(&scene->arena, "%s!%s", all, found[i].why);
        for (int in = 0; gg_str_line(&rest, &line);) {
            if (gg_str_is(line, "{"))
                in = 1;
            else if (in && in++ > 1)
                all = gg_arena_printf(&scene->arena, "%s%.*s ", all, (int)gg_str_trim(line).len,
                                      gg_str_trim(line).ptr);
        }
    }
    return all;
}

/* One thing of up to three stacks. */
static void expect(const char *a, const char *b, const char *c, const char *block)
{
    struct scene scene;
    const char *stacks[] = {a, b, c};
    begin(&scene);
    for (size_t i = 0; i < 3 && stacks[i]; i++)
        add(&scene, LOST, stacks[i]);
    cr_expect_str_eq(suggest(&scene, scene.count, true), block);
    end(&scene);
}

#define HEAD "Memcheck:Leak match-leak-kinds: definite "

Test(suggest, one_sighting_is_its_stack_down_to_main)
{
    expect("malloc make run main", NULL, NULL, HEAD "fun:malloc fun:make fun:run fun:main } ");
    expect("malloc make run main __libc_start_main _start", NULL, NULL,
           HEAD "fun:malloc fun:make fun:run fun:main } ");
    expect("malloc make work start_thread clone", NULL, NULL,
           HEAD "fun:malloc fun:make fun:work } ");
    expect("malloc main", NULL, NULL, HEAD "fun:malloc fun:main } ");
}

Test(suggest, what_differs_in_the_middle_is_left_out)
{
    expect("malloc make a run main", "malloc make b c run main", NULL,
           HEAD "fun:malloc fun:make ... fun:run fun:main } ");
    expect("malloc make walk walk run main", "malloc make walk walk walk run main",
           "malloc make walk run main",
           HEAD "fun:malloc fun:make fun:walk ... fun:run fun:main } ");
}

Test(suggest, what_differs_at_the_end_is_left_out)
{
    expect("malloc make a main", "malloc make b main", NULL, HEAD "fun:malloc fun:make } ");
    expect("malloc make a x", "malloc make b", NULL, HEAD "fun:malloc fun:make } ");
}

Test(suggest, what_differs_in_front_is_any_frame_where_it_is_one)
{
    expect("malloc make run", "calloc make run", NULL, HEAD "obj:* fun:make fun:run } ");
    expect("malloc make run", "malloc calloc make run", NULL,
           HEAD "fun:malloc ... fun:make fun:run } ");
    expect("calloc make run", "malloc xmalloc make run", NULL, HEAD "... fun:make fun:run } ");
}

Test(suggest, a_frame_without_a_name_is_its_object)
{
    expect("malloc @/usr/lib/libx.so.1.2 run main", "malloc @/lib64/libx.so.1.3 run main", NULL,
           HEAD "fun:malloc obj:*/libx.so.* fun:run fun:main } ");
    expect("malloc inner run main", "malloc @/build/prog run main", NULL,
           HEAD "fun:malloc obj:*/prog fun:run fun:main } ");
    expect("malloc ? run main", NULL, NULL, HEAD "fun:malloc ... fun:run fun:main } ");
}

Test(suggest, builds_give_wildcards)
{
    expect("malloc make.isra.0 run main", "malloc make.constprop.1 run main", NULL,
           HEAD "fun:malloc fun:make.* fun:run fun:main } ");
}

Test(suggest, kinds_of_leaks_are_one_block_and_other_kinds_are_not)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make run");
    add(&scene, MAYBE, "malloc make run");
    add(&scene, GG_KIND_InvalidRead, "Invalid read of size 4", "make run");
    add(&scene, GG_KIND_InvalidWrite, "Invalid write of size 4", "make run");
    add(&scene, GG_KIND_InvalidRead, "Invalid read of size 8", "make run");
    cr_expect_str_eq(suggest(&scene, 5, true),
                     "Memcheck:Leak match-leak-kinds: definite,possible fun:malloc fun:make "
                     "fun:run } Memcheck:Addr4 fun:make fun:run } Memcheck:Addr8 fun:make "
                     "fun:run } ");
    end(&scene);
}

Test(suggest, findings_that_are_not_one_thing_get_a_block_each)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make run");
    add(&scene, MAYBE, "malloc make run");
    add(&scene, LOST, "malloc other run");
    cr_expect_str_eq(suggest(&scene, 3, false), HEAD
                     "fun:malloc fun:make fun:run } "
                     "Memcheck:Leak match-leak-kinds: possible fun:malloc fun:make fun:run } " HEAD
                     "fun:malloc fun:other fun:run } ");
    end(&scene);
}

/* The names of what is suggested for all findings, each a thing of its own, between "|". */
static void expect_names(struct scene *scene, const char *names)
{
    const struct gg_finding *list[FINDINGS];
    size_t count;
    const char *all = "";
    scene->report = (struct gg_report){.runs = &scene->run,
                                       .run_count = 1,
                                       .findings = scene->findings,
                                       .finding_count = scene->count};
    for (size_t i = 0; i < scene->count; i++)
        list[i] = &scene->findings[i];
    struct gg_suggestion *found =
        gg_suggest_blocks(&scene->arena, &scene->report, list, scene->count, false, &count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_not_null(found[i].text, "%s", found[i].why);
        const char *name = strstr(found[i].text, "{\n   ") + 5;
        all = gg_arena_printf(&scene->arena, "%s%.*s|", all, (int)strcspn(name, "\n"), name);
    }
    cr_expect_str_eq(all, names);
}

#define COND GG_KIND_UninitCondition, "Conditional jump or move depends on uninitialised value(s)"

Test(suggest, no_two_blocks_have_one_name)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make a run");
    add(&scene, LOST, "malloc make b run");
    add(&scene, MAYBE, "malloc make b run");
    add(&scene, LOST, "calloc main");
    add(&scene, LOST, "malloc main");
    add(&scene, LOST, "malloc other run");
    expect_names(&scene, "make Leak|make Leak (b)|make Leak (b) 2|calloc Leak|malloc Leak|"
                         "other Leak|");
    end(&scene);
}

Test(suggest, what_was_called_tells_uses_of_values_apart)
{
    struct scene scene;
    begin(&scene);
    static const char *const stacks[] = {"main", "calloc main", "malloc main", "malloc x main"};
    for (size_t i = 0; i < 4; i++) {
        struct gg_finding *finding = &scene.findings[add(&scene, COND, stacks[i])];
        finding->has_site = true;
        finding->site = (struct gg_site){.path = "m.c", .function = "main", .line = 3};
    }
    expect_names(&scene, "main Cond|main Cond (calloc)|main Cond (malloc)|main Cond (malloc) 2|");
    end(&scene);
}

Test(suggest, what_has_the_same_frames_is_one_block)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make run"); /* another line of make */
    add(&scene, LOST, "malloc make run");
    cr_expect_str_eq(suggest(&scene, 2, false), HEAD "fun:malloc fun:make fun:run } ");
    end(&scene);
}

Test(suggest, what_no_suppression_can_tell_apart_is_meant_with_it)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make run");
    add(&scene, LOST, "malloc make run");
    scene.findings[1].fingerprint = scene.findings[0].fingerprint;
    cr_expect_str_eq(suggest(&scene, 1, true), HEAD "fun:malloc fun:make fun:run } ");
    end(&scene);
}

Test(suggest, nothing_else_may_be_hit)
{
    struct scene scene;
    begin(&scene);
    add(&scene, LOST, "malloc make a run");
    add(&scene, LOST, "malloc make b run");
    add(&scene, LOST, "malloc make c run");
    const char *said = suggest(&scene, 2, true);
    cr_expect_eq(said[0], '!', "%s", said);
    cr_expect_not_null(strstr(said, "also fits id2"));
    cr_expect_str_eq(suggest(&scene, 3, true), HEAD "fun:malloc fun:make ... fun:run } ");
    cr_expect_str_eq(suggest(&scene, 1, true), HEAD "fun:malloc fun:make fun:a fun:run } ");
    end(&scene);
}

Test(suggest, what_every_stack_has_is_not_enough)
{
    expect("malloc a main", "malloc b main", NULL,
           "!their stacks have no frame in common but those that nearly every stack has");
    expect("a b", "c d", NULL, "!their stacks have no frame in common");
}

Test(suggest, demangled_names_are_refused)
{
    struct scene scene;
    begin(&scene);
    scene.run.mangled = false;
    add(&scene, LOST, "malloc ns::make() main");
    cr_expect_not_null(strstr(suggest(&scene, 1, true), "--demangle=no"));
    end(&scene);
    begin(&scene);
    scene.run.mangled = false;
    add(&scene, LOST, "malloc make main");
    cr_expect_str_eq(suggest(&scene, 1, true), HEAD "fun:malloc fun:make fun:main } ");
    end(&scene);
}

Test(suggest, one_sighting_with_the_linkers_names_is_enough)
{
    static const char *const stacks[] = {"malloc ns::make() main", "malloc _ZN2ns4makeEv main",
                                         "malloc ns::other() main"};
    for (size_t first = 0; first < 2; first++) {
        struct scene scene;
        begin(&scene);
        scene.run.mangled = false;
        add(&scene, LOST, stacks[first]);
        add(&scene, LOST, stacks[1 - first]);
        cr_expect_str_eq(suggest(&scene, 2, true), HEAD "fun:malloc fun:_ZN2ns4makeEv fun:main } ");
        add(&scene, LOST, stacks[2]);
        cr_expect_str_eq(suggest(&scene, 2, true), HEAD "fun:malloc fun:_ZN2ns4makeEv fun:main } ");
        const char *said = suggest(&scene, 3, true);
        cr_expect_eq(said[0], '!', "%s", said);
        end(&scene);
    }
}

Test(suggest, what_valgrind_cannot_suppress_is_told)
{
    struct scene scene;
    begin(&scene);
    add(&scene, GG_KIND_FatalSignal, "Killed by SIGSEGV", "make main");
    cr_expect_str_eq(suggest(&scene, 1, true),
                     "!valgrind has no suppressions for errors of this kind");
    end(&scene);
}

Test(suggest, a_block_has_no_more_lines_than_callers)
{
    static const char *const options[] = {"--num-callers=3", NULL};
    struct scene scene;
    begin(&scene);
    scene.run.options = options;
    add(&scene, LOST, "malloc make a run");
    cr_expect_str_eq(suggest(&scene, 1, true), HEAD "fun:malloc fun:make fun:a } ");
    add(&scene, LOST, "malloc make b run");
    cr_expect_str_eq(suggest(&scene, 2, true), HEAD "fun:malloc fun:make } ");
    end(&scene);
}

Test(suggest, the_extra_line_is_the_errors_own)
{
    struct scene scene;
    begin(&scene);
    add(&scene, GG_KIND_SyscallParam, "Syscall param write(buf) points to uninitialised byte(s)",
        "write send main");
    cr_expect_str_eq(suggest(&scene, 1, true),
                     "Memcheck:Param write(buf) fun:write fun:send fun:main } ");
    end(&scene);
    begin(&scene);
    add(&scene, GG_KIND_FishyValue,
        "Argument 'size' of function malloc has a fishy (possibly negative) value: -1",
        "malloc make main");
    cr_expect_str_eq(suggest(&scene, 1, true),
                     "Memcheck:FishyValue malloc(size) fun:malloc fun:make fun:main } ");
    end(&scene);
}
