#include "match/rule_value.h"
#include "base/suggest.h"
#include "match/glob.h"
#include "match/rule_file.h"

#include <string.h>

static const enum gg_action actions[] = {GG_ACTION_SUPPRESS, GG_ACTION_DOWNGRADE, GG_ACTION_UPGRADE,
                                         GG_ACTION_FAIL};

static enum gg_action action_of(struct gg_str text, struct gg_error *err)
{
    struct gg_suggest suggest;
    gg_suggest_begin(&suggest, text);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        gg_suggest_offer(&suggest, gg_action_name(actions[i]));
    enum gg_action action = GG_ACTION_FAIL;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (suggest.best && gg_str_is(gg_str(suggest.best), gg_action_name(actions[i])))
            action = actions[i];
    }
    if (gg_str_is(text, gg_action_name(action)))
        return action;
    if (suggest.best)
        gg_error_set(err, "\"%.*s\" is no action: did you mean \"%s\"?", (int)text.len, text.ptr,
                     suggest.best);
    else
        gg_error_set(err, "\"%.*s\" is no action: write suppress, downgrade, upgrade or fail",
                     (int)text.len, text.ptr);
    return action;
}

static void set_action(struct gg_entry *entry, enum gg_action action)
{
    entry->rule.action = action;
    entry->condition.any = action == GG_ACTION_UPGRADE || action == GG_ACTION_FAIL;
}

void gg_rule_set_action(struct gg_entry *entry, struct gg_str text, struct gg_error *err)
{
    struct gg_error fault = {0};
    set_action(entry, action_of(text, &fault));
    if (!fault.set)
        return;
    entry->rule.unclear = true;
    gg_error_set(err, "%s", fault.text);
}

void gg_rule_set_unclear_action(struct gg_entry *entry)
{
    set_action(entry, GG_ACTION_FAIL);
    entry->rule.unclear = true;
}

bool gg_rule_is_story(const char *key)
{
    static const char *const keys[] = {"id", "reason", "owner", "ticket", "expires"};
    bool found = false;
    for (size_t i = 0; key && i < sizeof keys / sizeof *keys; i++)
        found = found || strcmp(key, keys[i]) == 0;
    return found;
}

/* Days since 1970-01-01, years beginning in March, so that a leap day is a year's last. */
static int64_t day_number(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t months = (month + 9) % 12;
    return year * 365 + year / 4 - year / 100 + year / 400 + (months * 153 + 2) / 5 + day - 1 -
           719468;
}

static int64_t month_length(uint64_t year, uint64_t month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : lengths[month - 1];
}

bool gg_rule_day(struct gg_str text, int64_t *day)
{
    uint64_t y, m, d;
    if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-' ||
        !gg_str_u64(gg_str_n(text.ptr, 4), false, &y) ||
        !gg_str_u64(gg_str_n(text.ptr + 5, 2), false, &m) ||
        !gg_str_u64(gg_str_n(text.ptr + 8, 2), false, &d))
        return false;
    if (y == 0 || m == 0 || m > 12 || d == 0 || (int64_t)d > month_length(y, m))
        return false;
    *day = day_number((int64_t)y, (int64_t)m, (int64_t)d);
    return true;
}

void gg_rule_set_expires(struct gg_arena *arena, struct gg_rule *rule, struct gg_str text,
                         struct gg_error *err)
{
    int64_t day;
    if (gg_rule_day(text, &day))
        rule->expires = gg_arena_strndup(arena, text.ptr, text.len);
    else
        gg_error_set(err,
                     "\"expires\": \"%.*s\" is no day: write YYYY-MM-DD, the last day it holds",
                     (int)text.len, text.ptr);
}

bool gg_rule_check_glob(const char *key, struct gg_str glob, struct gg_error *err)
{
    const char *fault = gg_glob_fault(glob);
    if (fault)
        gg_error_set(err, "\"%s\": the glob \"%.*s\" %s", key, (int)glob.len, glob.ptr, fault);
    return !fault;
}

/* --- limits ----------------------------------------------------------------------------- */

static bool gave_up(const struct gg_regex *regex)
{
    return regex && gg_regex_gave_up(regex);
}

bool gg_rule_gave_up(const struct gg_entry *entry)
{
    const struct gg_condition *condition = &entry->condition;
    bool any =
        gave_up(condition->message) || gave_up(condition->test) || gave_up(condition->command);
    for (size_t i = 0; i < entry->step_count; i++) {
        for (size_t j = 0; j < entry->steps[i].count; j++)
            any = any || gave_up(entry->steps[i].patterns[j].regex);
    }
    return any;
}
