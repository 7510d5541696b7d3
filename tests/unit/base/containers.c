/* arena, vec, map, atom: what the rest stands on. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/atom.h"
#include "base/vec.h"

static int closed[3];
static int closings;

static void note_close(void *object)
{
    closed[closings++] = *(int *)object;
}

Test(arena, closers_run_newest_first)
{
    static int first = 1, second = 2, third = 3;
    struct gg_arena arena;
    gg_arena_init(&arena);
    gg_arena_defer(&arena, note_close, &first);
    gg_arena_defer(&arena, note_close, &second);
    gg_arena_defer(&arena, note_close, &third);
    gg_arena_free(&arena);
    cr_assert_eq(closings, 3);
    cr_assert(closed[0] == 3 && closed[1] == 2 && closed[2] == 1);
}

Test(arena, memory_is_zeroed_aligned_and_apart)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    unsigned char *pieces[64];
    for (size_t i = 0; i < 64; i++) {
        size_t size = i * 700 + 1; /* small ones share a block, those above 16 KiB have their own */
        pieces[i] = gg_arena_alloc(&arena, size);
        cr_assert_eq((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t b = 0; b < size; b++)
            cr_assert_eq(pieces[i][b], 0);
        memset(pieces[i], (int)i + 1, size);
    }
    for (size_t i = 0; i < 64; i++) {
        cr_assert_eq(pieces[i][0], i + 1);
        cr_assert_eq(pieces[i][i * 700], i + 1);
    }
    gg_arena_free(&arena);
}

Test(arena, printf_takes_any_length)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    char *text = gg_arena_printf(&arena, "%05000d", 7);
    cr_assert_eq(strlen(text), 5000);
    cr_assert_str_eq(text + 4998, "07");
    gg_arena_free(&arena);
}

Test(vec, elements_survive_growth)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    GG_VEC(int) numbers = {0};
    for (int i = 0; i < 1000; i++)
        *gg_vec_push(&arena, &numbers) = i;
    cr_assert_eq(numbers.len, 1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(numbers.at[i], i);
    gg_arena_free(&arena);
}

Test(map, finds_what_was_put_and_nothing_else)
{
    struct gg_arena arena;
    gg_arena_init(&arena);
    struct gg_map map = {0};
    cr_assert_null(gg_map_find(&map, "0", 1));
    for (uintptr_t i = 0; i < 5000; i++) {
        char *key = gg_arena_printf(&arena, "%zu", (size_t)i);
        *gg_map_put(&map, key, strlen(key)) = (void *)(i + 1);
    }
    cr_assert_eq(map.count, 5000);
    for (uintptr_t i = 0; i < 5000; i++) {
        char key[24];
        int len = snprintf(key, sizeof key, "%zu", (size_t)i);
        void **value = gg_map_find(&map, key, (size_t)len);
        cr_assert(value && *value == (void *)(i + 1));
    }
    cr_assert_null(gg_map_find(&map, "5000", 4));
    cr_assert_null(gg_map_find(&map, "49", 1 + 2), "a longer key with the same start is another");
    gg_map_free(&map);
    gg_arena_free(&arena);
}

Test(map, keys_are_bytes)
{
    struct gg_map map = {0};
    *gg_map_put(&map, "a\0b", 3) = "with";
    *gg_map_put(&map, "a", 1) = "without";
    cr_assert_str_eq(*gg_map_find(&map, "a\0b", 3), "with");
    cr_assert_str_eq(*gg_map_find(&map, "a", 1), "without");
    cr_assert_null(gg_map_find(&map, "", 0));
    *gg_map_put(&map, "", 0) = "empty";
    cr_assert_str_eq(*gg_map_find(&map, "", 0), "empty");
    gg_map_free(&map);
}

Test(atom, equal_text_is_one_pointer)
{
    struct gg_arena arena;
    struct gg_atoms atoms;
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    char buffer[] = "main.c";
    const char *a = gg_atom(&atoms, "main.c");
    const char *b = gg_atom_n(&atoms, buffer, 6);
    cr_assert_eq(a, b);
    cr_assert_neq(a, gg_atom(&atoms, "main.cc"));
    buffer[0] = 'x';
    cr_assert_str_eq(a, "main.c", "the table keeps a copy");
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
}
