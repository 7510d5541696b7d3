#include "write/sarif_rules.h"

#include "write/cwe.h"

#include "grindgate/grindgate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct gg_cwe *cwe_at(unsigned number, size_t *at)
{
    for (*at = 0; gg_cwe_table[*at].number; ++*at) {
        if (gg_cwe_table[*at].number == number)
            return &gg_cwe_table[*at];
    }
    return NULL;
}

void gg_sarif_rules_need(struct gg_sarif_rules *rules, const struct gg_finding *finding)
{
    size_t at;
    rules->used[finding->kind] = true;
    if (cwe_at(gg_kind_table[finding->kind].cwe, &at))
        rules->cwe_used[at] = true;
    if (cwe_at(gg_cwe_of(finding), &at))
        rules->cwe_used[at] = true;
}

void gg_sarif_rules_number(struct gg_sarif_rules *rules)
{
    unsigned next = 0;
    for (unsigned kind = 0; kind < GG_KINDS; kind++)
        rules->index[kind] = rules->used[kind] ? next++ : 0;
    next = 0;
    for (size_t at = 0; gg_cwe_table[at].number; at++)
        rules->cwe_index[at] = rules->cwe_used[at] ? next++ : 0;
}

static void put_text(struct gg_json *json, const char *key, const char *text)
{
    gg_json_key(json, key);
    gg_json_object_inline(json);
    gg_json_put_string(json, "text", text);
    gg_json_end_object(json);
}

static void put_printf(struct gg_json *json, const char *format, unsigned number)
{
    char text[80];
    snprintf(text, sizeof text, format, number);
    gg_json_string(json, text);
}

void gg_sarif_rules_put_cwe(struct gg_json *json, const struct gg_sarif_rules *rules, unsigned cwe)
{
    size_t at;
    cwe_at(cwe, &at);
    gg_json_object_inline(json);
    gg_json_key(json, "id");
    put_printf(json, "CWE-%u", cwe);
    gg_json_put_uint(json, "index", rules->cwe_index[at]);
    gg_json_key(json, "toolComponent");
    gg_json_object(json);
    gg_json_put_string(json, "name", "CWE");
    gg_json_put_uint(json, "index", 0);
    gg_json_end_object(json);
    gg_json_end_object(json);
}

static const char *const group_tags[] = {
    [GG_GROUP_access] = "memory",    [GG_GROUP_value] = "uninitialised",
    [GG_GROUP_leak] = "leak",        [GG_GROUP_free] = "memory",
    [GG_GROUP_call] = "argument",    [GG_GROUP_fd] = "file-descriptor",
    [GG_GROUP_race] = "concurrency", [GG_GROUP_crash] = "crash",
    [GG_GROUP_other] = "other"};

/* How often a report of this kind is right. */
static const char *precision(const struct gg_kind_info *info)
{
    if (info->group == GG_GROUP_race || info->severity != GG_ERROR)
        return "medium";
    return info->group == GG_GROUP_value ? "high" : "very-high";
}

static void put_properties(struct gg_json *json, const struct gg_kind_info *info)
{
    size_t at;
    const struct gg_cwe *cwe = cwe_at(info->cwe, &at);
    gg_json_key(json, "properties");
    gg_json_object(json);
    gg_json_key(json, "tags");
    gg_json_array_inline(json);
    gg_json_string(json, group_tags[info->group]);
    if (cwe && cwe->severity)
        gg_json_string(json, "security");
    if (cwe)
        put_printf(json, "external/cwe/cwe-%u", cwe->number);
    gg_json_end_array(json);
    gg_json_put_string(json, "precision", precision(info));
    gg_json_put_string(json, "problem.severity",
                       info->severity == GG_NOTE ? "recommendation"
                                                 : gg_severity_name(info->severity));
    if (cwe && cwe->severity)
        gg_json_put_string(json, "security-severity", cwe->severity);
    gg_json_end_object(json);
}

/* A name has to be an identifier and not the id. */
static void put_name(struct gg_json *json, const struct gg_kind_info *info)
{
    char name[80] = "Grindgate";
    size_t len = strlen(name);
    for (const char *c = info->name; *c && len + 1 < sizeof name; c++) {
        if (isalnum((unsigned char)*c))
            name[len++] = *c;
    }
    name[len] = '\0';
    gg_json_put_string(json, "name", name);
}

static void put_relationships(struct gg_json *json, const struct gg_sarif_rules *rules,
                              const struct gg_kind_info *info)
{
    size_t at;
    if (!cwe_at(info->cwe, &at))
        return;
    gg_json_key(json, "relationships");
    gg_json_array(json);
    gg_json_object(json);
    gg_json_key(json, "target");
    gg_sarif_rules_put_cwe(json, rules, info->cwe);
    gg_json_key(json, "kinds");
    gg_json_array_inline(json);
    gg_json_string(json, "superset");
    gg_json_end_array(json);
    gg_json_end_object(json);
    gg_json_end_array(json);
}

static void put_rule(struct gg_json *json, const struct gg_sarif_rules *rules,
                     const struct gg_kind_info *info)
{
    char title[120], markdown[600];
    snprintf(title, sizeof title, "%s.", info->title);
    snprintf(markdown, sizeof markdown, "**%s.** %s", info->title, info->advice);
    gg_json_object(json);
    gg_json_put_string(json, "id", info->name);
    put_name(json, info);
    put_text(json, "shortDescription", title);
    put_text(json, "fullDescription", info->advice);
    gg_json_key(json, "help");
    gg_json_object(json);
    gg_json_put_string(json, "text", info->advice);
    gg_json_put_string(json, "markdown", markdown);
    gg_json_end_object(json);
    gg_json_key(json, "defaultConfiguration");
    gg_json_object_inline(json);
    gg_json_put_string(json, "level", gg_severity_name(info->severity));
    gg_json_end_object(json);
    put_properties(json, info);
    put_relationships(json, rules, info);
    gg_json_end_object(json);
}

static bool any_cwe(const struct gg_sarif_rules *rules)
{
    for (size_t at = 0; gg_cwe_table[at].number; at++) {
        if (rules->cwe_used[at])
            return true;
    }
    return false;
}

void gg_sarif_rules_put_tool(struct gg_json *json, const struct gg_sarif_rules *rules)
{
    gg_json_key(json, "tool");
    gg_json_object(json);
    gg_json_key(json, "driver");
    gg_json_object(json);
    gg_json_put_string(json, "name", "grindgate");
    gg_json_put_string(json, "version", GG_VERSION);
    gg_json_put_string(json, "semanticVersion", GG_VERSION);
    if (any_cwe(rules)) {
        gg_json_key(json, "supportedTaxonomies");
        gg_json_array_inline(json);
        gg_json_object(json);
        gg_json_put_string(json, "name", "CWE");
        gg_json_put_uint(json, "index", 0);
        gg_json_end_object(json);
        gg_json_end_array(json);
    }
    gg_json_key(json, "rules");
    gg_json_array(json);
    for (unsigned kind = 0; kind < GG_KINDS; kind++) {
        if (rules->used[kind])
            put_rule(json, rules, &gg_kind_table[kind]);
    }
    gg_json_end_array(json);
    gg_json_end_object(json);
    gg_json_end_object(json);
}

static void put_taxon(struct gg_json *json, const struct gg_cwe *cwe)
{
    char name[120];
    snprintf(name, sizeof name, "%s.", cwe->name);
    gg_json_object(json);
    gg_json_key(json, "id");
    put_printf(json, "CWE-%u", cwe->number);
    gg_json_put_string(json, "name", cwe->name);
    put_text(json, "shortDescription", name);
    gg_json_key(json, "helpUri");
    put_printf(json, "https://cwe.mitre.org/data/definitions/%u.html", cwe->number);
    gg_json_end_object(json);
}

void gg_sarif_rules_put_taxonomies(struct gg_json *json, const struct gg_sarif_rules *rules)
{
    if (!any_cwe(rules))
        return;
    gg_json_key(json, "taxonomies");
    gg_json_array(json);
    gg_json_object(json);
    gg_json_put_string(json, "name", "CWE");
    gg_json_put_string(json, "organization", "MITRE");
    put_text(json, "shortDescription", "The MITRE Common Weakness Enumeration.");
    gg_json_put_string(json, "informationUri", "https://cwe.mitre.org/data/");
    gg_json_put_bool(json, "isComprehensive", false);
    gg_json_key(json, "taxa");
    gg_json_array(json);
    for (size_t at = 0; gg_cwe_table[at].number; at++) {
        if (rules->cwe_used[at])
            put_taxon(json, &gg_cwe_table[at]);
    }
    gg_json_end_array(json);
    gg_json_end_object(json);
    gg_json_end_array(json);
}
