#include "list.h"

#include <stdlib.h>

int list_pop(struct list *list)
{
    struct node *head = list->head;
    if (!head)
        return -1;
    free(head);
    list->head = head->next;
    list->length--;
    return 0;
}

void list_push(struct list *list, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list->head;
    list->head = node;
    list->length++;
}
