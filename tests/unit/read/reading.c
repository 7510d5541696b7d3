#include "reading.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/readers.h"

static void begin(struct reading *reading)
{
    *reading = (struct reading){0};
    gg_arena_init(&reading->arena);
    gg_atoms_init(&reading->atoms, &reading->arena);
    reading->collate = gg_collate_new(&reading->arena, &reading->atoms);
}

static void finish(struct reading *reading, const char *path)
{
    reading->ok = gg_read(reading->collate, path, "in.xml", &reading->err);
    gg_collate_finish(reading->collate, &reading->report);
}

void read_bytes(struct reading *reading, const char *bytes, size_t len)
{
    begin(reading);
    strcpy(reading->path, "/tmp/gg-read-XXXXXX");
    int fd = mkstemp(reading->path);
    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
    close(fd);
    finish(reading, reading->path);
    unlink(reading->path);
}

void read_text(struct reading *reading, const char *text)
{
    read_bytes(reading, text, strlen(text));
}

void read_path(struct reading *reading, const char *path)
{
    begin(reading);
    finish(reading, path);
}

void reading_free(struct reading *reading)
{
    gg_collate_close(reading->collate);
    gg_atoms_free(&reading->atoms);
    gg_arena_free(&reading->arena);
}

const struct gg_note *note_of(const struct reading *reading, const char *kind)
{
    const struct gg_note *found = NULL;
    for (size_t i = 0; i < reading->report.note_count; i++) {
        if (strcmp(reading->report.notes[i].kind, kind) != 0)
            continue;
        cr_assert_null(found, "two notes of kind %s", kind);
        found = &reading->report.notes[i];
    }
    return found;
}

const struct gg_finding *finding_of(const struct reading *reading, const char *kind)
{
    const struct gg_finding *found = NULL;
    for (size_t i = 0; i < reading->report.finding_count; i++) {
        if (strcmp(reading->report.findings[i].kind_name, kind) != 0)
            continue;
        cr_assert_null(found, "two findings of kind %s", kind);
        found = &reading->report.findings[i];
    }
    cr_assert_not_null(found, "no finding of kind %s", kind);
    return found;
}

void expect_stack(const struct gg_stack *stack, enum gg_role role, const char *text,
                  const char *function)
{
    cr_expect_eq(stack->role, role);
    if (text)
        cr_expect_str_eq(stack->text, text);
    else
        cr_expect_null(stack->text);
    cr_assert_gt(stack->len, 0);
    cr_expect_str_eq(stack->frames[0]->function, function);
}
