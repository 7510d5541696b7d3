#include "match/wildcard.h"

bool gg_wildcard_match(struct gg_str pattern, struct gg_str name)
{
    /* What the last `*` stands for grows by one byte at each failure; those before it need not be
     * tried again, because a shorter beginning leaves no less for the rest. */
    size_t p = 0, n = 0, after_star = 0, retry = 0;
    bool star = false;
    while (n < name.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = true;
            after_star = ++p;
            retry = n;
        } else if (p < pattern.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == name.ptr[n])) {
            p++;
            n++;
        } else if (star) {
            p = after_star;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}
