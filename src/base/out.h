/*
 * Out: a sink for text that keeps its first failure to itself until it is closed.
 *
 * Writers write and never ask; gg_out_close says whether everything arrived. A file is written
 * under a temporary name beside its target and renamed at the end, so it is there whole or not at
 * all (an existing target stays as it was).
 */
#ifndef GG_BASE_OUT_H
#define GG_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "grindgate/error.h"

struct gg_out;

/* To a descriptor that stays open (standard output). */
struct gg_out *gg_out_fd(int fd, const char *name);

/* To a file, replaced when closed; a link is replaced itself, for it may lead anywhere. Devices,
 * pipes and /dev/stdout are written in place. NULL on error. */
struct gg_out *gg_out_file(const char *path, struct gg_error *err);

/* To memory; gg_out_take gives the text (free it) and closes the sink. */
struct gg_out *gg_out_memory(void);
char *gg_out_take(struct gg_out *out, size_t *len);

void gg_out_write(struct gg_out *out, const char *ptr, size_t len);
void gg_out_str(struct gg_out *out, struct gg_str text);
void gg_out_text(struct gg_out *out, const char *text);
void gg_out_char(struct gg_out *out, char c);
void gg_out_repeat(struct gg_out *out, char c, size_t times);
void gg_out_printf(struct gg_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Finishes and frees the sink. false with an error when any write failed; the target of a file
 * sink is then untouched. */
bool gg_out_close(struct gg_out *out, struct gg_error *err);

/* Frees the sink and leaves the target untouched. */
void gg_out_abandon(struct gg_out *out);

#endif
