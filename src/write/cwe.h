/*
 * Cwe: which entry of the Common Weakness Enumeration a finding is, by its kind and by what the
 * report says of the block concerned. The SARIF writer asks.
 */
#ifndef GG_WRITE_CWE_H
#define GG_WRITE_CWE_H

#include "grindgate/model.h"

struct gg_cwe {
    unsigned number;
    const char *name;     /* MITRE's */
    const char *severity; /* 0.1 to 10.0 for weaknesses that attackers use; NULL for others */
};

/* By number, ascending; ended by number 0. */
extern const struct gg_cwe gg_cwe_table[];

/* 0: none fits. A read after free is 416, while its kind alone is 125. */
unsigned gg_cwe_of(const struct gg_finding *finding);

#endif
