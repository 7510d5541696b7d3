/*
 * Concerns: what is wrong with rules, written for people (a line each) or programs (JSON).
 */
#ifndef GG_CLI_CONCERNS_H
#define GG_CLI_CONCERNS_H

#include "base/out.h"
#include "cli/opt.h"
#include "grindgate/grindgate.h"

struct gg_concern_list {
    const struct gg_concern *at;
    size_t count;
    /* Text for people that stands before the lines; NULL: none. */
    void (*begin)(void *self, struct gg_out *out);
    void *self;
    size_t rule_count;                    /* that were looked at, for the last line */
    const struct gg_usable_block *usable; /* for JSON; the text of a refusal names some */
    size_t usable_count;
};

/* Writes it as -o says; text to standard output unless something else goes there. false when an
 * output has no such format, which is found before anything is written, or cannot be written:
 * *status is what to exit with then. */
bool gg_concerns_write(const struct gg_opts *opts, const struct gg_concern_list *list, int *status);

/* "FILE:LINE: KIND: [ID] TEXT" */
void gg_concerns_put(struct gg_out *out, const struct gg_concern *concern);

size_t gg_concerns_faults(const struct gg_concern_list *list);
bool gg_concerns_refuse(const struct gg_concern *concern);

#endif
