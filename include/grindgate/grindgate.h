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

/* Lists are NULL-terminated; NULL is an empty list. Borrowed for the session's life. */
struct gg_options {
    /* what to judge: reports that exist, or a program to run under valgrind */
    const char *const *reports; /* files, directories (their *.xml), "-" */
    const char *const *command; /* program and arguments; not NULL: run it */

    /* capture */
    const char *valgrind;             /* the program; "valgrind" */
    const char *const *valgrind_args; /* passed to it after our own */
    unsigned timeout;                 /* seconds; 0: none */
    uint64_t max_report_size;         /* bytes of all reports of the run together; 0: none */
    const char *keep;                 /* directory that gets the reports; NULL: temporary */

    /* locate */
    const char *repo;             /* a directory of the work tree; NULL: the current one's */
    const char *const *path_maps; /* "FROM=TO" */
    const char *const *wrappers;  /* functions that only pass allocations on */

    /* match */
    const char *const *suppressions; /* valgrind suppression files */

    /* attribute */
    bool blame;

    /* decide */
    enum gg_fail_on fail_on;
    enum gg_external_policy external;
    enum gg_auxiliary_policy auxiliary;
    bool allow_incomplete;
    bool ignore_exit;
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

/* The root of the work tree around `start` (NULL: the current directory), where grindgate.json is
 * looked for. false when there is no repository. */
bool gg_repository_root(const char *start, char *root, size_t size, struct gg_error *err);

/* The formats, ended by NULL. */
const struct gg_writer *const *gg_writers(void);

/* "libxml2 2.9.14, ..." : the libraries in use, one line, for --version. */
void gg_libraries(char *text, size_t size);

#endif
