#include "lab.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc.h"

void lab_open(struct lab *lab)
{
    *lab = (struct lab){0};
    gg_arena_init(&lab->arena);
    lab->dir = gg_fs_temp_dir(&lab->arena, &lab->err);
    cr_assert(lab->dir, "%s", lab->err.text);
    lab->options.valgrind = "valgrind";
}

void lab_close(struct lab *lab)
{
    gg_capture_forget(&lab->capture);
    gg_fs_remove_tree(lab->dir);
    gg_arena_free(&lab->arena);
}

const char *lab_path(struct lab *lab, const char *name)
{
    return gg_fs_join(&lab->arena, lab->dir, name);
}

const char *lab_build(struct lab *lab, const char *source)
{
    const char *file = lab_path(lab, "program.c"), *program = lab_path(lab, "program");
    FILE *out = fopen(file, "w");
    cr_assert(out && fputs(source, out) >= 0 && fclose(out) == 0);
    const char *const cc[] = {"cc", "-g", "-O0", "-o", program, file, NULL};
    struct gg_str said;
    cr_assert_eq(gg_proc_hear(&lab->arena, cc, 65536, 120, &said), 0);
    cr_assert_eq(access(program, X_OK), 0, "%s", said.ptr);
    return program;
}

bool lab_run(struct lab *lab, const char *const *command)
{
    lab->options.command = command;
    return gg_capture_run(&lab->arena, &lab->options, &lab->checkout, &lab->capture, &lab->usage,
                          &lab->err);
}

bool lab_sh(struct lab *lab, const char *script)
{
    return lab_run(lab, (const char *const[]){"/bin/sh", "-c", script, NULL});
}

char *lab_read(struct lab *lab, const char *path)
{
    struct gg_str text;
    cr_assert(gg_fs_read(&lab->arena, path, 1 << 26, &text, &lab->err), "%s", lab->err.text);
    return (char *)text.ptr;
}

char *lab_report(struct lab *lab, size_t index)
{
    cr_assert_lt(index, lab_report_count(lab));
    return lab_read(lab,
                    gg_fs_join(&lab->arena, lab->capture.directory, lab->capture.reports[index]));
}

size_t lab_report_count(const struct lab *lab)
{
    size_t count = 0;
    while (lab->capture.reports[count])
        count++;
    return count;
}

void lab_redirect(struct lab *lab, int fd, const char *name)
{
    int file = open(lab_path(lab, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert(file > 2 && dup2(file, fd) == fd);
    close(file);
}

void lab_block_stdin(void)
{
    int ends[2];
    cr_assert(pipe(ends) == 0 && dup2(ends[0], 0) == 0);
}

bool lab_is_alive(long pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *in = fopen(path, "r");
    if (in && fscanf(in, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    if (in)
        fclose(in);
    return state != 'X' && state != 'Z';
}

char *lab_python(struct lab *lab, const char *program, const char *file)
{
    const char *const python[] = {"python3", "-c", program, file, NULL};
    struct gg_str said;
    cr_assert_eq(gg_proc_hear(&lab->arena, python, 65536, 120, &said), 0);
    return (char *)said.ptr;
}
