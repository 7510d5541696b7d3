#include "capture/tree.h"

#include "base/proc.h"
#include "base/str.h"
#include "capture/inbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KILL_PATIENCE = 1000 /* ms for what was killed to be gone */ };

enum whose { UNKNOWN, OURS, FOREIGN };

struct process {
    pid_t pid, parent;
    unsigned long long born;
    bool living; /* not a zombie */
    enum whose whose;
};

struct table {
    struct gg_arena arena;
    GG_VEC(struct process) list; /* by pid */
};

/* "4711-1.xml" is a report of process 4711; 0: no report, or nobody to signal. */
static pid_t report_pid(const char *name)
{
    struct gg_image image;
    if (!gg_image_parse(name, &image) || image.pid <= 1 || image.pid > INT_MAX)
        return 0;
    return (pid_t)image.pid == getpid() ? 0 : (pid_t)image.pid;
}

/* "4711 (a) name) S 42 ...": the command may hold blanks and brackets; field 4 is the parent,
 * 22 the time of birth. */
static bool read_process(int proc, const char *name, struct process *process)
{
    char path[NAME_MAX + 8], text[1024];
    snprintf(path, sizeof path, "%s/stat", name);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *rest = strrchr(text, ')');
    char state;
    int parent;
    if (!rest || sscanf(rest + 1,
                        " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                        "%*s %llu",
                        &state, &parent, &process->born) != 3)
        return false;
    process->pid = atoi(name);
    process->parent = parent;
    process->living = state != 'Z' && state != 'X';
    process->whose = process->pid <= 1 || process->pid == getpid() ? FOREIGN : UNKNOWN;
    return true;
}

static int by_pid(const void *a, const void *b)
{
    pid_t left = ((const struct process *)a)->pid, right = ((const struct process *)b)->pid;
    return (left > right) - (left < right);
}

static void read_table(struct table *table)
{
    *table = (struct table){0};
    gg_arena_init(&table->arena);
    DIR *dir = opendir("/proc");
    if (!dir)
        return;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        struct process process;
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            read_process(dirfd(dir), entry->d_name, &process))
            *gg_vec_push(&table->arena, &table->list) = process;
    }
    closedir(dir);
    if (table->list.len)
        qsort(table->list.at, table->list.len, sizeof *table->list.at, by_pid);
}

static struct process *find(const struct table *table, pid_t pid)
{
    struct process key = {.pid = pid};
    return table->list.len ? bsearch(&key, table->list.at, table->list.len, sizeof key, by_pid)
                           : NULL;
}

/* Has this process the report open? By the file, not its name: that may be another in there. */
static bool holds(pid_t pid, const struct stat *report)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(path);
    bool found = false;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry && !found; entry = readdir(dir)) {
        struct stat st;
        found = fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && st.st_dev == report->st_dev &&
                st.st_ino == report->st_ino;
    }
    if (dir)
        closedir(dir);
    return found;
}

/* Who writes a report is ours even when its parents are gone. */
static void claim_writers(const struct gg_tree *tree, struct table *table)
{
    DIR *dir = opendir(tree->directory);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        pid_t pid = report_pid(entry->d_name);
        struct process *process = pid ? find(table, pid) : NULL;
        struct stat report;
        if (process && process->whose == UNKNOWN && process->living &&
            fstatat(dirfd(dir), entry->d_name, &report, AT_SYMLINK_NOFOLLOW) == 0 &&
            holds(pid, &report))
            process->whose = OURS;
    }
    if (dir)
        closedir(dir);
}

/* Climbs to the first ancestor that is known and gives its answer to all on the way, so that a
 * long chain is walked once. Pids reused during the scan can make a ring: the count ends it. */
static void settle(const struct table *table, struct process *process)
{
    struct process *top = process;
    for (size_t i = 0; top && top->whose == UNKNOWN && i < table->list.len; i++)
        top = find(table, top->parent);
    enum whose whose = top && top->whose == OURS ? OURS : FOREIGN;
    while (process && process->whose == UNKNOWN) {
        process->whose = whose;
        process = find(table, process->parent);
    }
}

size_t gg_tree_look(struct gg_tree *tree)
{
    struct table table;
    read_table(&table);
    struct process *process = tree->root ? find(&table, tree->root) : NULL;
    if (process)
        process->whose = OURS;
    for (size_t i = 0; i < tree->members.len; i++) {
        process = find(&table, tree->members.at[i].pid);
        if (process && process->born == tree->members.at[i].born)
            process->whose = OURS;
    }
    claim_writers(tree, &table);
    tree->members.len = 0;
    size_t living = 0;
    for (size_t i = 0; i < table.list.len; i++) {
        process = &table.list.at[i];
        settle(&table, process);
        if (process->whose != OURS)
            continue;
        *gg_vec_push(tree->arena, &tree->members) =
            (struct gg_member){.pid = process->pid, .born = process->born};
        living += process->living;
    }
    gg_arena_free(&table.arena);
    return living;
}

void gg_tree_signal(struct gg_tree *tree, int signal)
{
    gg_tree_look(tree);
    if (tree->root)
        kill(tree->root, signal); /* also where there is no /proc */
    for (size_t i = 0; i < tree->members.len; i++) {
        if (tree->members.at[i].pid != tree->root)
            kill(tree->members.at[i].pid, signal);
    }
}

void gg_tree_kill(struct gg_tree *tree)
{
    long long deadline = gg_proc_now() + KILL_PATIENCE;
    do {
        gg_tree_signal(tree, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    } while (gg_tree_look(tree) > 0 && gg_proc_now() < deadline);
}

static bool has_end(int directory, const char *name, const struct stat *report)
{
    char tail[64];
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return false;
    off_t from = report->st_size - (off_t)sizeof tail;
    ssize_t n = pread(fd, tail, sizeof tail, from > 0 ? from : 0);
    close(fd);
    return n > 0 && gg_str_find(gg_str_n(tail, (size_t)n), "</valgrindoutput>") != SIZE_MAX;
}

bool gg_tree_is_writing(const struct gg_tree *tree)
{
    DIR *dir = opendir(tree->directory);
    bool found = false;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry && !found; entry = readdir(dir)) {
        pid_t pid = report_pid(entry->d_name);
        struct stat report;
        found = pid && (kill(pid, 0) == 0 || errno == EPERM) &&
                fstatat(dirfd(dir), entry->d_name, &report, AT_SYMLINK_NOFOLLOW) == 0 &&
                !has_end(dirfd(dir), entry->d_name, &report) && holds(pid, &report);
    }
    if (dir)
        closedir(dir);
    return found;
}
