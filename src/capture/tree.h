/*
 * Tree: the processes a program under valgrind became, to signal them all.
 *
 * They stay in grindgate's own process group: one of their own would lose the terminal. So they are
 * found in /proc: children of those known, and any process that holds its report open, whoever its
 * parent is by now. A process is known by its pid and the moment it was born, and never taken for
 * another that got its pid later.
 */
#ifndef GG_CAPTURE_TREE_H
#define GG_CAPTURE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/vec.h"

struct gg_member {
    pid_t pid;
    unsigned long long born; /* clock ticks after the machine's start */
};

struct gg_tree {
    struct gg_arena *arena;
    const char *directory;            /* of the reports */
    pid_t root;                       /* the program; 0 once it has been waited for */
    GG_VEC(struct gg_member) members; /* all that were ever seen */
};

/* Looks for new members. How many of all are alive, zombies not counted. */
size_t gg_tree_look(struct gg_tree *tree);

/* Looks, then sends the signal to every living member. */
void gg_tree_signal(struct gg_tree *tree, int signal);

/* Sends KILL, also to what is born meanwhile. */
void gg_tree_kill(struct gg_tree *tree);

/* Is there a living process, other than the program, whose report has no end yet? */
bool gg_tree_is_writing(const struct gg_tree *tree);

#endif
