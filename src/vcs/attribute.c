/*
 * Attribute: from the lines asked to the answers given.
 *
 * The lines of one file set out together; those of a submodule are asked of its own repository.
 */
#include "base/fs.h"
#include "vcs/commit.h"
#include "vcs/lineage.h"
#include "vcs/linemap.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAILMAP_LIMIT ((size_t)16 * 1024 * 1024)

static const char beyond_history[] = "older than this clone's history; run: git fetch --unshallow";

/* One round of questions to one repository. */
struct inquiry {
    struct gg_repo *repo;
    struct gg_blame_query *queries;
    size_t count;
    struct gg_arena scratch;
    struct gg_objects objects;
    struct gg_top top;
    struct gg_lineage *lineage;
    struct gg_line *lines; /* one for each query */
    bool *elsewhere;       /* the query is for a submodule's own repository */
    struct gg_mailmap mailmap;
    struct gg_map authorships; /* by commit */
};

static void settle(struct gg_line *lines, enum gg_blame_state state, const char *why)
{
    for (struct gg_line *line = lines; line; line = line->next) {
        line->state = state;
        line->why = why;
    }
}

/* Settles the lines the text has not, and gives back the others. */
static struct gg_line *drop_beyond(struct inquiry *inquiry, const char *path, struct gg_str text,
                                   struct gg_line *lines)
{
    uint64_t count = gg_linemap_lines(text);
    struct gg_line *kept = NULL;
    for (struct gg_line *line = lines, *next; line; line = next) {
        next = line->next;
        if (line->line && line->line <= count) {
            line->next = kept;
            kept = line;
            continue;
        }
        line->next = NULL;
        settle(line, GG_BLAME_UNKNOWN,
               gg_arena_printf(&inquiry->scratch, "%s has %" PRIu64 " line%s and no line %" PRIu32,
                               path, count, count == 1 ? "" : "s", line->line));
    }
    return kept;
}

/* Sets the lines of one file on their way, or settles them at once. */
static void follow(struct inquiry *inquiry, const char *path, struct gg_line *lines)
{
    struct gg_error err = {0};
    struct gg_top_file file;
    struct gg_arena arena;
    gg_arena_init(&arena);
    if (gg_top_file(&inquiry->top, &arena, path, &file, &err)) {
        lines = drop_beyond(inquiry, path, file.text, lines);
        if (lines && file.tracked)
            gg_lineage_follow(inquiry->lineage, path, &file, lines);
        else
            settle(lines, GG_BLAME_UNCOMMITTED, NULL);
        gg_object_release(&file.object);
    } else {
        settle(lines, GG_BLAME_UNKNOWN, gg_arena_strdup(&inquiry->scratch, err.text));
    }
    gg_arena_free(&arena);
}

struct file {
    const char *path;
    struct gg_line *lines;
};

/* The queries this repository answers itself, file by file. */
static void follow_files(struct inquiry *inquiry)
{
    struct gg_map by_path = {0};
    GG_VEC(struct file) files = {0};
    for (size_t i = 0; i < inquiry->count; i++) {
        struct gg_line *line = &inquiry->lines[i];
        const char *path = inquiry->queries[i].path;
        if (line->state != GG_BLAME_NONE || inquiry->elsewhere[i])
            continue;
        line->line = inquiry->queries[i].line;
        void **place = gg_map_put(&by_path, path, strlen(path));
        if (!*place) {
            gg_vec_push(&inquiry->scratch, &files)->path = path;
            *place = (void *)(uintptr_t)files.len;
        }
        struct file *file = &files.at[(uintptr_t)*place - 1];
        line->next = file->lines;
        file->lines = line;
    }
    for (size_t i = 0; i < files.len; i++)
        follow(inquiry, files.at[i].path, files.at[i].lines);
    gg_map_free(&by_path);
}

/* Who wrote a commit, by the mailmap. */
static const struct gg_authorship *authorship_of(struct inquiry *inquiry, const git_oid *id,
                                                 struct gg_error *err)
{
    void **known = gg_map_find(&inquiry->authorships, id, GG_ID_SIZE);
    if (known)
        return *known;
    struct gg_object object;
    if (!gg_objects_read(&inquiry->objects, id, GIT_OBJECT_COMMIT, &object, err))
        return NULL;
    struct gg_arena *arena = inquiry->repo->arena;
    struct gg_authorship *authorship = gg_arena_alloc(arena, sizeof *authorship);
    gg_commit_authorship(arena, object.text, authorship);
    gg_object_release(&object);
    gg_mailmap_resolve(&inquiry->mailmap, &authorship->author);
    *gg_map_put(&inquiry->authorships, id, GG_ID_SIZE) = authorship;
    return authorship;
}

static void answer(struct inquiry *inquiry, const struct gg_line *line,
                   struct gg_blame_query *query)
{
    struct gg_arena *arena = inquiry->repo->arena;
    struct gg_blame *blame = &query->answer;
    struct gg_error err = {0};
    *blame = (struct gg_blame){.state = line->state};
    if (line->state == GG_BLAME_UNKNOWN)
        blame->why = gg_arena_strdup(arena, line->why);
    if (line->state != GG_BLAME_COMMIT && line->state != GG_BLAME_BOUNDARY)
        return;
    git_oid_tostr(blame->commit, sizeof blame->commit, &line->commit);
    blame->orig_path = gg_arena_strdup(arena, line->path);
    blame->orig_line = line->line;
    if (line->state == GG_BLAME_BOUNDARY) {
        blame->why = beyond_history;
        return;
    }
    const struct gg_authorship *authorship = authorship_of(inquiry, &line->commit, &err);
    if (!authorship) {
        *blame =
            (struct gg_blame){.state = GG_BLAME_UNKNOWN, .why = gg_arena_strdup(arena, err.text)};
        return;
    }
    blame->author_name = authorship->author.name;
    blame->author_email = authorship->author.email;
    blame->time = authorship->time;
    blame->offset = authorship->offset;
    blame->summary = authorship->summary;
}

static void add_mailmap_file(struct inquiry *inquiry, const char *path)
{
    struct gg_error ignored = {0};
    struct gg_str text;
    if (gg_fs_read(inquiry->repo->arena, path, MAILMAP_LIMIT, &text, &ignored))
        gg_mailmap_add(&inquiry->mailmap, text);
}

/* As git does: the work tree's .mailmap unless it is a symbolic link, then what mailmap.blob and
 * mailmap.file of the configuration name. */
static void load_mailmap(struct inquiry *inquiry)
{
    struct gg_repo *repo = inquiry->repo;
    git_config *config = NULL;
    const char *blob = NULL;
    git_buf file = {0};
    const char *own = gg_repo_locate(&inquiry->scratch, repo, ".mailmap");
    gg_mailmap_init(&inquiry->mailmap, repo->arena);
    if (own)
        add_mailmap_file(inquiry, own);
    if (git_repository_config_snapshot(&config, repo->git) != 0)
        return;
    git_object *object = NULL;
    if (git_config_get_string(&blob, config, "mailmap.blob") == 0 &&
        git_revparse_single(&object, repo->git, blob) == 0 &&
        git_object_type(object) == GIT_OBJECT_BLOB)
        gg_mailmap_add(&inquiry->mailmap, gg_str_n(git_blob_rawcontent((git_blob *)object),
                                                   (size_t)git_blob_rawsize((git_blob *)object)));
    if (git_config_get_path(&file, config, "mailmap.file") == 0)
        add_mailmap_file(inquiry, file.ptr);
    git_buf_dispose(&file);
    git_object_free(object);
    git_config_free(config);
}

static bool attribute(void *self, struct gg_blame_query *queries, size_t count,
                      struct gg_error *err);

/* A query about a file inside a submodule. */
struct inner {
    const struct gg_submodule *submodule;
    const char *path;
    size_t query;
};

static int by_submodule(const void *a, const void *b)
{
    const struct inner *x = a, *y = b;
    int order = strcmp(x->submodule->path, y->submodule->path);
    return order ? order : (x->query > y->query) - (x->query < y->query);
}

static void ask_submodule(struct inquiry *inquiry, const struct inner *inners, size_t count)
{
    struct gg_error err = {0};
    struct gg_blame_query *queries = gg_arena_alloc(&inquiry->scratch, count * sizeof *queries);
    for (size_t i = 0; i < count; i++)
        queries[i] = (struct gg_blame_query){.path = inners[i].path,
                                             .line = inquiry->queries[inners[i].query].line};
    inners[0].submodule->repo->beat = inquiry->repo->beat;
    bool ok = attribute(inners[0].submodule->repo, queries, count, &err);
    for (size_t i = 0; i < count; i++) {
        struct gg_blame *blame = &inquiry->queries[inners[i].query].answer;
        *blame = queries[i].answer;
        if (!ok)
            *blame = (struct gg_blame){.state = GG_BLAME_UNKNOWN,
                                       .why = gg_arena_strdup(inquiry->repo->arena, err.text)};
    }
}

static const char *unreachable(struct inquiry *inquiry, const char *path, const char *inner,
                               const struct gg_submodule *submodule)
{
    if (!inner[0])
        return gg_arena_printf(&inquiry->scratch, "%s is a submodule, not a file", path);
    return gg_arena_printf(&inquiry->scratch,
                           "%s is in the submodule %s, which is not checked out; run: "
                           "git submodule update --init",
                           path, submodule->path);
}

static void ask_submodules(struct inquiry *inquiry)
{
    GG_VEC(struct inner) inners = {0};
    for (size_t i = 0; i < inquiry->count; i++) {
        const char *path = inquiry->queries[i].path, *inner;
        const struct gg_submodule *submodule = gg_repo_submodule(inquiry->repo, path, &inner);
        if (!submodule)
            continue;
        inquiry->elsewhere[i] = submodule->repo && inner[0];
        if (inquiry->elsewhere[i])
            *gg_vec_push(&inquiry->scratch, &inners) =
                (struct inner){.submodule = submodule, .path = inner, .query = i};
        else
            settle(&inquiry->lines[i], GG_BLAME_UNKNOWN,
                   unreachable(inquiry, path, inner, submodule));
    }
    if (inners.len)
        qsort(inners.at, inners.len, sizeof *inners.at, by_submodule);
    for (size_t from = 0, to; from < inners.len; from = to) {
        for (to = from; to < inners.len && inners.at[to].submodule == inners.at[from].submodule;)
            to++;
        ask_submodule(inquiry, &inners.at[from], to - from);
    }
}

static bool start(struct inquiry *inquiry, struct gg_error *err)
{
    struct gg_repo *repo = inquiry->repo;
    gg_arena_init(&inquiry->scratch);
    gg_objects_init(&inquiry->objects, repo->odb);
    inquiry->lines = gg_arena_alloc(&inquiry->scratch, inquiry->count * sizeof *inquiry->lines);
    inquiry->elsewhere = gg_arena_alloc(&inquiry->scratch, inquiry->count);
    if (!gg_top_init(&inquiry->top, &inquiry->scratch, repo, &inquiry->objects, err))
        return false;
    inquiry->lineage = gg_lineage_new(&inquiry->scratch, &inquiry->objects, &repo->shallow,
                                      &inquiry->top, repo->beat);
    load_mailmap(inquiry);
    return true;
}

static void finish(struct inquiry *inquiry)
{
    gg_mailmap_free(&inquiry->mailmap);
    if (inquiry->lineage)
        gg_lineage_free(inquiry->lineage);
    gg_top_free(&inquiry->top);
    gg_map_free(&inquiry->authorships);
    gg_objects_free(&inquiry->objects);
    gg_arena_free(&inquiry->scratch);
}

static bool attribute(void *self, struct gg_blame_query *queries, size_t count,
                      struct gg_error *err)
{
    struct inquiry inquiry = {.repo = self, .queries = queries, .count = count};
    bool ok = start(&inquiry, err);
    if (ok) {
        ask_submodules(&inquiry);
        if (inquiry.top.parent_count)
            follow_files(&inquiry);
        else
            for (size_t i = 0; i < count; i++)
                settle(&inquiry.lines[i], GG_BLAME_UNKNOWN, "nothing is committed here yet");
        gg_lineage_run(inquiry.lineage);
    }
    for (size_t i = 0; i < count && ok; i++) {
        if (!inquiry.elsewhere[i])
            answer(&inquiry, &inquiry.lines[i], &queries[i]);
    }
    finish(&inquiry);
    return ok;
}

/* The repository is closed with its arena. */
static void leave(void *self)
{
    (void)self;
}

void gg_repo_beat(struct gg_repo *repo, struct gg_beat *beat)
{
    repo->beat = beat;
}

struct gg_attributor gg_repo_attributor(struct gg_repo *repo)
{
    return (struct gg_attributor){.self = repo, .attribute = attribute, .close = leave};
}
