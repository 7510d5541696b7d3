/*
 * Fingerprint: what makes a finding the same finding tomorrow.
 *
 * grindgate/v1 is the SHA-256 of the kind's group and the functions of the error's own stack down
 * to main (with the name of the file where that is one of the repository), each without what a
 * compiler, linker or another build changes: clone suffixes
 * (.isra.0, .part.1, .constprop.2, .cold, [clone ...]), symbol versions, Rust hashes. No line
 * numbers, no addresses, no process: moving code or leaking one byte more changes nothing.
 */
#ifndef GG_MODEL_FINGERPRINT_H
#define GG_MODEL_FINGERPRINT_H

#include "base/arena.h"
#include "base/str.h"
#include "grindgate/model.h"

void gg_fingerprint(struct gg_arena *arena, struct gg_finding *findings, size_t count);

/* One frame's part: the function without the suffixes above; for a frame without a function the
 * file's, else the object's last name, else "?". Points into the frame or to a constant. */
struct gg_str gg_fingerprint_frame(const struct gg_frame *frame);

/* The code below main: the C library's and the kernel's start of a process or thread. */
bool gg_fingerprint_below_main(const struct gg_frame *frame);

#endif
