// A list loses its head; what the head holds is lost with it.
#include <stdlib.h>

struct node {
    struct node *next;
    char *text;
};

static struct node *list;

int main(void)
{
    list = calloc(1, sizeof *list); // expect: Leak_DefinitelyLost
    list->text = malloc(20);        // expect: Leak_IndirectlyLost
    list = NULL;
    return 0;
}
