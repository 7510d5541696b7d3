/* Readdump: what the read stage makes of reports, as lines for scripts.
 *
 *     readdump REPORT...
 *
 *     run END ERRORS REPAIRED FORKED PID <TAB> detail
 *     finding COUNT KIND <TAB> message
 *     note KIND INCOMPLETE <TAB> text <TAB> where
 *
 * The runs of a file stand in its order; "file NAME" before them. Line breaks become blanks. */
#include "model/collate.h"
#include "read/readers.h"

#include <stdio.h>

static void put_text(const char *text)
{
    for (; text && *text; text++)
        putchar(*text == '\n' || *text == '\t' || *text == '\r' ? ' ' : *text);
}

static void put_run(const struct gg_run *run)
{
    printf("run %s%s %llu %llu %d %lld\t", gg_end_name(run->end),
           run->end == GG_END_REPLACED ? "-replaced" : "", (unsigned long long)run->errors,
           (unsigned long long)run->repaired, run->forked, (long long)run->pid);
    put_text(run->detail);
    putchar('\n');
}

static void put_report(const struct gg_report *report)
{
    for (size_t i = 0; i < report->run_count; i++)
        put_run(&report->runs[i]);
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct gg_finding *finding = &report->findings[i];
        printf("finding %llu %s\t", (unsigned long long)finding->count, finding->kind_name);
        put_text(finding->message);
        putchar('\n');
    }
    for (size_t i = 0; i < report->note_count; i++) {
        const struct gg_note *note = &report->notes[i];
        printf("note %s %d\t", note->kind, note->incomplete);
        put_text(note->text);
        putchar('\t');
        put_text(note->where);
        putchar('\n');
    }
}

static bool dump(const char *path)
{
    struct gg_arena arena;
    struct gg_atoms atoms;
    gg_arena_init(&arena);
    gg_atoms_init(&atoms, &arena);
    struct gg_collate *collate = gg_collate_new(&arena, &atoms);
    struct gg_error err = {0};
    printf("file %s\n", path);
    bool ok = gg_read(collate, path, path, &err);
    if (!ok)
        printf("error %s\n", err.text);
    struct gg_report report = {0};
    gg_collate_finish(collate, &report);
    put_report(&report);
    gg_collate_close(collate);
    gg_atoms_free(&atoms);
    gg_arena_free(&arena);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok = true;
    for (int i = 1; i < argc; i++)
        ok = dump(argv[i]) && ok;
    return ok ? 0 : 1;
}
