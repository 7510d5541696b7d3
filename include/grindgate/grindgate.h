/*
 * grindgate, as a library: one session, from reports (or a program to run) to a verdict.
 *
 *     struct gg_options options = {0};
 *     gg_options_default(&options);
 *     options.reports = (const char *const[]){"out.xml", NULL};
 *     struct gg_error err = {0};
 *     struct gg_session *session = gg_session_new(&options);
 *     if (gg_session_judge(session, &err)) {
 *         const struct gg_verdict *verdict = gg_session_verdict(session);
 *         gg_session_write(session, "sarif", "report.sarif", &write_options, &err);
 *     }
 *     gg_session_free(session);
 *
 * The library never prints and never exits. Everything reachable from a session lives until
 * gg_session_free. A session is used by one thread at a time.
 */
#ifndef GRINDGATE_GRINDGATE_H
#define GRINDGATE_GRINDGATE_H

#include <stddef.h>
#include <stdint.h>

#include "grindgate/error.h"
#include "grindgate/model.h"
#include "grindgate/seams.h"

#define GG_VERSION "0.1.0"

enum gg_external_policy { GG_EXTERNAL_IGNORE, GG_EXTERNAL_WARN, GG_EXTERNAL_FAIL };

/* The severity a finding must have to fail the gate; GG_FAIL_NEVER: none has. */
enum gg_fail_on { GG_FAIL_ON_NOTE, GG_FAIL_ON_WARNING, GG_FAIL_ON_ERROR, GG_FAIL_NEVER };

/* What a finding counts as whose own stack passes no line of this repository while its freed,
 * origin or allocated stack does: this repository's (open), or not (external). */
enum gg_auxiliary_policy { GG_AUXILIARY_OPEN, GG_AUXILIARY_EXTERNAL };

enum gg_phase {
    GG_PHASE_RUN,  /* the program or the suite runs */
    GG_PHASE_READ, /* its reports, or those that were named, are read */
    GG_PHASE_BLAME /* git is asked */
};

/* What a session is doing; 0 where a number is not known. */
struct gg_progress {
    enum gg_phase phase;
    size_t tests, tests_done, tests_running; /* of a CTest suite */
    size_t reports;                          /* written, or read, so far */
    uint64_t errors;                         /* different ones, before any is set aside */
    const char *said;                        /* further lines of CTest's own output; NULL: none */
    size_t said_len;
};

/* Which lists of the options come from a settings file (grindgate.json), which may be a part of the
 * change that is judged. */
struct gg_configured {
    const char *file; /* which need not be there; NULL: none is looked for */
    bool rules, suppressions, packs;
};

/* Lists are NULL-terminated; NULL is an empty list. Borrowed for the session's life. */
struct gg_options {
    /* what to judge: reports that exist, a program to run under valgrind, or a CTest suite */
    const char *const *reports; /* files, directories (their *.xml and kept runs), "-" */
    const char *const *command; /* program and arguments; not NULL: run it */
    const char *ctest;          /* a build directory; `command` holds further arguments of ctest */
    unsigned jobs;              /* tests side by side; 0: as many as CTest takes by itself */
    unsigned timeout_factor;    /* what the tests' own timeouts are multiplied by; 0: 1 */
    const char *launcher;       /* the grindgate program that runs each test (its `wrap`) */

    /* capture */
    const char *valgrind;             /* the program; "valgrind" */
    const char *const *valgrind_args; /* passed to it after our own */
    unsigned timeout;                 /* seconds; 0: none */
    uint64_t max_report_size;         /* bytes of all reports of the run together; 0: none */
    const char *keep;                 /* directory that gets the reports; NULL: temporary */
    const char *test;                 /* name of the test that the program is; NULL: none */

    /* what has to be there for a run to be complete */
    uint64_t expect;                  /* programs that must have run, at least */
    const char *const *require_kinds; /* kinds of errors that must have been seen, whatever their
                                         fate */
    bool selftest;                    /* prove first that errors are seen here (with a program) */

    /* locate */
    const char *repo;             /* a directory of the work tree; NULL: the current one's */
    const char *const *path_maps; /* "FROM=TO" */
    const char *const *wrappers;  /* functions that only pass allocations on */

    /* match */
    const char *const *rules;        /* JSON rule files */
    const char *const *suppressions; /* valgrind suppression files */
    const char *const *packs;        /* names of packs that grindgate brings along; "auto": those
                                        whose objects the reports name */
    const char *branch; /* the branch at hand, for rules that hold for some; NULL: that of HEAD */
    int64_t today;      /* days since 1970-01-01, UTC, for rules that end one day; 0: the clock's */
    const char *base;   /* the revision that this change is compared with; NULL: none */
    bool strict_rules;  /* what only this change's edits of rule files set aside counts */
    struct gg_configured configured;

    /* attribute */
    bool blame;

    /* decide */
    enum gg_fail_on fail_on;
    enum gg_external_policy external;
    enum gg_auxiliary_policy auxiliary;
    bool allow_incomplete;
    bool ignore_exit;

    /* Called about every second while something takes long, and when CTest says something; NULL:
     * nobody wants to know. `progress_self` is handed back. */
    void (*progress)(void *self, const struct gg_progress *progress);
    void *progress_self;
};

/* The contract's defaults. */
void gg_options_default(struct gg_options *options);

struct gg_session;

struct gg_session *gg_session_new(const struct gg_options *options);

/* All stages in order: capture (with a command), read, collate, locate, fingerprint, match,
 * attribute, decide. false when nothing was judged: bad options, no such suppression file, not a
 * repository (exit status 2). Everything else, a report that is not there among it, is in the
 * verdict. */
bool gg_session_judge(struct gg_session *session, struct gg_error *err);

/* After gg_session_judge. */
const struct gg_report *gg_session_report(const struct gg_session *session);
const struct gg_verdict *gg_session_verdict(const struct gg_session *session);

/* Writes the report in a format ("text", "json", ...) to a file, or to standard output when path
 * is NULL or "-". A file is written whole or stays as it was. */
bool gg_session_write(struct gg_session *session, const char *format, const char *path,
                      const struct gg_write_options *options, struct gg_error *err);

/* An output could not be written: what would have passed does not (exit status 3). */
void gg_session_output_failed(struct gg_session *session, const char *reason);

void gg_session_free(struct gg_session *session);

/* How a program ended that was run for its reports alone. */
struct gg_collected {
    int exit_code; /* the program's own; -1: killed */
    int signal;    /* that killed it; 0: none */
};

/* Runs options->command under valgrind and leaves its reports, and a record of the run, in a
 * directory of its own below options->keep, for a later check of that directory. Judges nothing.
 * false when the program could not be run; the record then says so, if there could be one. True
 * with *err set when it ran, but its end could not be recorded: a later check will be undecided. */
bool gg_collect(const struct gg_options *options, struct gg_collected *collected,
                struct gg_error *err);

/* Is this very process under the valgrind of a run of grindgate's? Then what it becomes (exec) is
 * in that run already, and valgrind cannot be started in it. */
bool gg_is_collected(void);

/* An error that is planted in the canary, a small program that grindgate carries along. */
struct gg_selftest_fault {
    enum gg_kind kind;
    const char *title; /* "a leak" */
    const char *path;  /* "canary.c" */
    uint32_t line;
    const char *function;
    const char *why; /* a sentence: it was not found as it is, why and what to do; NULL: it was */
};

/* Are errors seen on this machine, with this configuration? */
struct gg_selftest {
    bool proved;         /* each was found, named, laid to its line, and would count */
    bool applies;        /* false: they are not what the tool that is asked for looks for */
    bool stopped;        /* grindgate was told to stop */
    const char *version; /* valgrind's; NULL: it could not be asked */
    const char *failure; /* why none could be found, a sentence; NULL: see the faults */
    struct gg_selftest_fault *faults;
    size_t fault_count;
};

/* Runs the canary as a program would be run with these options, and remembers for later runs that
 * it was proved. NULL when nothing can be run with them (exit status 2). Give it to
 * gg_selftest_free. */
struct gg_selftest *gg_selftest_new(const struct gg_options *options, struct gg_error *err);
void gg_selftest_free(struct gg_selftest *selftest);

/* After gg_session_judge: what is wrong with the rules, told from their text and from what they
 * did; by file and line, good as long as the session. */
const struct gg_concern *gg_session_concerns(struct gg_session *session, size_t *count);

/* A block without faults in a suppression file that is refused. */
struct gg_usable_block {
    const char *file;
    uint32_t line; /* of its name */
    const char *id;
};

/* What a look at rules found that were not applied. */
struct gg_rule_check {
    const struct gg_concern *concerns; /* by file and line; of kind "refused": valgrind, or for
                                          JSON grindgate, would not take the file */
    size_t concern_count;
    size_t rule_count;                    /* that can be used */
    const struct gg_usable_block *usable; /* file by file, from top to bottom */
    size_t usable_count;
};

/* Looks at `files`, JSON rules when the name ends in ".json", else suppressions; when that is NULL
 * at those of the options. Give it to gg_rule_check_free. */
struct gg_rule_check *gg_rule_check_new(const struct gg_options *options, const char *const *files);

/* The same, and asks one thing only: would the valgrind of the options load the files? Each concern
 * is of kind "refused". Where valgrind cannot be asked for its version the newest is taken. */
struct gg_rule_check *gg_rule_check_syntax(const struct gg_options *options,
                                           const char *const *files);
void gg_rule_check_free(struct gg_rule_check *check);

/* After gg_session_judge: the finding of this id, or the only one whose id begins so; NULL with an
 * error that names those it may be. */
const struct gg_finding *gg_session_find(struct gg_session *session, const char *id,
                                         struct gg_error *err);

/* Writes all that is known of a finding of the session, from where it was read to the verdict, as
 * text for people. */
void gg_session_explain(struct gg_session *session, const struct gg_finding *finding,
                        struct gg_out *out);

/* After gg_session_judge: suppressions for the findings of these ids, which are sightings of one
 * thing; NULL: for every open finding. NULL with an error when an id is none. Good as long as the
 * session. */
const struct gg_suggestion *gg_session_suggest(struct gg_session *session, const char *const *ids,
                                               size_t *count, struct gg_error *err);

/* Suppressions that grindgate brings along. */
struct gg_pack_info {
    const char *name;
    const char *summary;
    const char *const *objects; /* wildcards for those it is for; ended by NULL */
};

/* The packs by name, from 0; false behind the last. */
bool gg_pack_at(size_t index, struct gg_pack_info *info);

/* The root of the work tree around `start` (NULL: the current directory), where grindgate.json is
 * looked for. false when there is no repository. */
bool gg_repository_root(const char *start, char *root, size_t size, struct gg_error *err);

/* The formats, ended by NULL. */
const struct gg_writer *const *gg_writers(void);

/* "libxml2 2.9.14, ..." : the libraries in use, one line, for --version. */
void gg_libraries(char *text, size_t size);

#endif
