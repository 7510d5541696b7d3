/*
 * Record: what a run's directory says of the run, in run.json.
 *
 *     {"version": 1, "time": "2026-03-09T14:15:03Z", "test": "parser", "command": ["./t", "-x"],
 *      "program": {"path": "/src/build/t", "size": 48120, "mtime": 1773065642123456789,
 *                  "build_id": "6c1ff7f2..."},
 *      "repository": {"root": "/src", "head": "91bc04e5..."},
 *      "valgrind": "3.19.0", "argv": ["valgrind", ...], "timeout": 0, "failure": null,
 *      "end": {"pid": 4711, "exit": 0, "signal": 0, "stop": "none", "stop_signal": 0,
 *              "unsure": null, "reports": ["4711-1.xml"]}}
 *
 * It is written before valgrind starts, without an end, and again when the program has ended. So a
 * run whose watcher was killed is known by it, and can never be taken for one that was whole.
 */
#ifndef GG_CAPTURE_RECORD_H
#define GG_CAPTURE_RECORD_H

#include <time.h>

#include "base/arena.h"
#include "capture/run.h"

#define GG_RECORD "run.json"

/* Writes it whole, or leaves the one before; the end only when capture->ended. */
bool gg_record_write(struct gg_arena *arena, const struct gg_capture *capture, time_t begun,
                     struct gg_error *err);

/* Fills what was asked for, and how it went. What is no regular file itself, or what no run could
 * have written, is an error, which begins with the path of the record. */
bool gg_record_read(struct gg_arena *arena, const char *directory, struct gg_capture *capture,
                    struct gg_error *err);

/* The program that argv[0] stands for, as it is now. */
void gg_identity_take(struct gg_arena *arena, const char *program, struct gg_identity *identity);

#endif
