// Branches on a field that only one of two paths sets.
#include <stdlib.h>

struct option {
    int set, value;
};

static struct option *option_new(int with_value)
{
    struct option *option = malloc(sizeof *option);
    option->set = 1;
    if (with_value)
        option->value = 7;
    return option;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct option *option = option_new(argc > 1);
    int status = 0;
    if (option->value == 12345) // expect: UninitCondition
        status = 1;
    free(option);
    return status;
}
