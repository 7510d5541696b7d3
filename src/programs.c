#include "programs.h"

#include "base/binary.h"
#include "base/fs.h"
#include "gate/launcher.h"
#include "model/flag.h"
#include "model/note.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define STATIC                                                                         \
    "%s is linked statically, so that valgrind cannot see what it allocates: link it " \
    "dynamically for the memory test"

static bool is_inside(const struct gg_session *session, const char *path)
{
    const char *root = session->worktree.root;
    size_t len = root ? strlen(root) : 0;
    return len && strncmp(path, root, len) == 0 && path[len] == '/';
}

/* --- one launch ------------------------------------------------------------------------- */

struct launched {
    struct gg_session *session;
    const struct gg_capture *capture;
    const char *where;
    bool here;
};

/* Where the file of a run is; NULL: who knows. A relative name is one from the directory the
 * process was in, which is known of the program itself, and is this one when it was run just now.
 */
static const char *file_of(const struct launched *launched, const struct gg_run *run)
{
    const char *program = run->command[0];
    if (strcmp(program, launched->capture->program[0]) == 0)
        return launched->capture->identity.path;
    return program[0] == '/' || (launched->here && strchr(program, '/'))
               ? gg_fs_real(&launched->session->arena, program)
               : NULL;
}

/* What was run and is no ELF file was run by a shell, as any shell would do. */
static bool is_elf(const char *file)
{
    char magic[SELFMAG] = "";
    FILE *in = fopen(file, "re");
    bool elf = !in || (fread(magic, 1, sizeof magic, in) == sizeof magic &&
                       memcmp(magic, ELFMAG, sizeof magic) == 0);
    if (in)
        fclose(in);
    return elf;
}

/* It is neither ELF nor begins with #!, so that valgrind gives it to a shell. */
static bool is_no_program(struct gg_arena *arena, const char *file)
{
    const char *interpreter;
    return gg_fs_is_regular(file) && gg_binary_of(arena, file, &interpreter) == GG_BINARY_UNKNOWN &&
           !is_elf(file);
}

/* What it is that was run: the program, or what the system took to run the script. */
static const char *runs_as(const struct launched *launched, const struct gg_run *run)
{
    const char *interpreter = NULL, *file = file_of(launched, run);
    if (file && gg_binary_of(&launched->session->arena, file, &interpreter) == GG_BINARY_SCRIPT &&
        interpreter[0])
        return interpreter;
    return file && is_no_program(&launched->session->arena, file) ? "/bin/sh" : run->command[0];
}

/* A launcher may start the system's own tools all the day, it still tests nothing. What is started
 * directly is meant, whatever it is, and an interpreter may have loaded what is tested. */
static bool is_own(const struct launched *launched, const struct gg_run *run)
{
    const char *as = runs_as(launched, run);
    switch (gg_launcher_of(as)) {
    case GG_LAUNCHER_ONLY:
        return false;
    case GG_LAUNCHER_INTERPRETER:
        return true;
    default:
        return run->root || !gg_launcher_is_system(as);
    }
}

static void note_static(const struct launched *launched, const struct gg_run *run)
{
    const char *interpreter, *file = file_of(launched, run);
    struct gg_session *session = launched->session;
    if (file && (run->root || is_inside(session, file)) &&
        gg_binary_of(&session->arena, file, &interpreter) == GG_BINARY_STATIC)
        gg_collate_note(session->collate, "static-program", launched->where, true, STATIC,
                        gg_fs_basename(file));
}

/* An exit status that fails the gate anyhow says better what is wrong. */
static bool has_failed(const struct launched *launched)
{
    return launched->here && !launched->session->options.ignore_exit &&
           launched->capture->exit_code > 0;
}

/* Of many launches some may well be scripts that try the system's tools on something. */
static void note_idle(const struct launched *launched)
{
    gg_collate_note(launched->session->collate, "only-a-launcher", launched->where,
                    launched->here && !has_failed(launched),
                    "only %s was run under valgrind, no program of its own that is tested: did it "
                    "find the tests, and are they left alone (valgrind's --trace-children-skip)?",
                    gg_fs_basename(launched->capture->program[0]));
}

/* No launch is of such a file on purpose. Returns whether it was one. */
static bool note_no_program(const struct launched *launched)
{
    const char *file = launched->capture->identity.path;
    if (!file || !is_no_program(&launched->session->arena, file))
        return false;
    gg_collate_note(launched->session->collate, "no-program", launched->where,
                    !has_failed(launched),
                    "%s is no program: it is neither ELF nor begins with #!, so that a shell was "
                    "run on it: build it again, or name the right file",
                    launched->capture->program[0]);
    return true;
}

void gg_programs_note_idle(struct gg_session *session)
{
    if (session->launches && session->launches == session->idle_launches)
        gg_collate_note(session->collate, "only-launchers", NULL, true,
                        "nothing but shells and the like was run under valgrind, no program that "
                        "is tested: did they find the tests, and are they left alone "
                        "(valgrind's --trace-children-skip)?");
}

void gg_programs_note(struct gg_session *session, const struct gg_capture *capture, uint32_t first,
                      const char *where, bool here)
{
    struct launched launched = {session, capture, where, here};
    struct gg_collate *collate = session->collate;
    bool own = false;
    for (uint32_t i = first; i < gg_collate_run_count(collate); i++) {
        const struct gg_run *run = gg_collate_run_at(collate, i);
        if (!run->command[0])
            continue;
        own = own || is_own(&launched, run);
        note_static(&launched, run);
    }
    session->launches++;
    if (own || note_no_program(&launched))
        return;
    session->idle_launches++;
    note_idle(&launched);
}

bool gg_programs_are_privileged(const struct gg_capture *capture)
{
    struct stat st;
    const char *path = capture->identity.path;
    return path && stat(path, &st) == 0 &&
           ((st.st_mode & (S_ISUID | S_ISGID)) ||
            getxattr(path, "security.capability", NULL, 0) > 0);
}

/* --- reports of others ------------------------------------------------------------------ */

static void note_script(struct gg_session *session, const struct gg_run *run,
                        const char *interpreter)
{
    const char *trace = gg_flag(run, "trace-children");
    if (!run->options[0] || (trace && strcmp(trace, "yes") == 0) ||
        gg_launcher_of(interpreter) == GG_LAUNCHER_NONE)
        return;
    struct gg_note note = {
        .kind = "valgrind-options",
        .text = gg_arena_printf(&session->arena,
                                "a script (%s) was checked instead of the programs it starts: use "
                                "--trace-children=yes, with %%p in --xml-file",
                                gg_fs_basename(run->command[0])),
        .where = run->source,
        .incomplete = true};
    gg_report_note(&session->arena, &session->report, &note);
}

static void look_at_file(struct gg_session *session, const struct gg_run *run)
{
    const char *interpreter, *file = run->command[0];
    enum gg_binary binary = gg_binary_of(&session->arena, file, &interpreter);
    if (binary == GG_BINARY_SCRIPT)
        note_script(session, run, interpreter);
    if (binary != GG_BINARY_STATIC)
        return;
    struct gg_note note = {.kind = "static-program",
                           .text = gg_arena_printf(&session->arena, STATIC, gg_fs_basename(file)),
                           .where = run->source,
                           .incomplete = true};
    gg_report_note(&session->arena, &session->report, &note);
}

/* A relative name may be that of another file here, so it is not looked for. */
void gg_programs_note_others(struct gg_session *session)
{
    for (size_t i = 0; i < session->report.run_count; i++) {
        const struct gg_run *run = &session->report.runs[i];
        if (!run->launched && run->command[0] && is_inside(session, run->command[0]))
            look_at_file(session, run);
    }
}
