#include "vcs/branch.h"
#include "vcs/handle.h"

#include <string.h>

/* HEAD itself is asked, and not what it leads to: a branch without a commit is one, too. */
const char *gg_repo_branch(struct gg_repo *repo)
{
    static const char branches[] = "refs/heads/";
    git_reference *head = NULL;
    const char *name = NULL;
    if (git_reference_lookup(&head, repo->git, "HEAD") == 0)
        name = git_reference_symbolic_target(head);
    bool is_branch = name && strncmp(name, branches, strlen(branches)) == 0;
    name = is_branch ? gg_arena_strdup(repo->arena, name + strlen(branches)) : NULL;
    git_reference_free(head);
    return name;
}
