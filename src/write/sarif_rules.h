/*
 * Sarif rules: the part of a SARIF file that describes kinds of findings rather than findings:
 * tool.driver.rules and the CWE taxonomy. Private to the SARIF writer.
 */
#ifndef GG_WRITE_SARIF_RULES_H
#define GG_WRITE_SARIF_RULES_H

#include "base/jsonio.h"
#include "grindgate/model.h"

enum { GG_SARIF_CWES = 64 }; /* room for gg_cwe_table */

struct gg_sarif_rules {
    bool used[GG_KINDS];
    unsigned index[GG_KINDS];     /* in the rules of this file */
    bool cwe_used[GG_SARIF_CWES]; /* by place in gg_cwe_table */
    unsigned cwe_index[GG_SARIF_CWES];
};

/* A result will be written for this finding. */
void gg_sarif_rules_need(struct gg_sarif_rules *rules, const struct gg_finding *finding);

/* After the last need: gives the indexes. */
void gg_sarif_rules_number(struct gg_sarif_rules *rules);

/* The member "tool" of the run. */
void gg_sarif_rules_put_tool(struct gg_json *json, const struct gg_sarif_rules *rules);

/* The member "taxonomies" of the run. */
void gg_sarif_rules_put_taxonomies(struct gg_json *json, const struct gg_sarif_rules *rules);

/* The reference to a CWE from a result or rule, an object; `cwe` is one that is needed. */
void gg_sarif_rules_put_cwe(struct gg_json *json, const struct gg_sarif_rules *rules, unsigned cwe);

#endif
