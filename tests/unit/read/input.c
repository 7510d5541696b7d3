#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/input.h"

Test(input, bytes_arrive_in_order_with_what_was_kept)
{
    enum { SIZE = 200000 };
    char path[] = "/tmp/gg-input-XXXXXX";
    int fd = mkstemp(path);
    char *bytes = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    cr_assert_eq(write(fd, bytes, SIZE), SIZE);
    close(fd);
    struct gg_input *input = malloc(sizeof *input);
    struct gg_error err = {0};
    cr_assert(gg_input_open(input, path, "name", &err));
    cr_expect_eq(input->len, GG_INPUT_CHUNK);
    size_t at = 0; /* of input->bytes in the file */
    while (!input->eof) {
        cr_assert_eq(memcmp(input->bytes, bytes + at, input->len), 0);
        at += input->len - 5;
        cr_assert(gg_input_more(input, 5, &err));
    }
    cr_expect_eq(at + input->len, SIZE);
    cr_expect_eq(memcmp(input->bytes, bytes + at, input->len), 0);
    gg_input_close(input);
    free(input);
    free(bytes);
    unlink(path);
}

Test(input, a_pipe_is_read_to_its_end)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    struct gg_input *input = malloc(sizeof *input);
    struct gg_error err = {0};
    cr_assert(gg_input_open(input, "-", "-", &err));
    cr_expect(input->eof);
    cr_expect_eq(input->len, 3);
    gg_input_close(input);
    free(input);
}
