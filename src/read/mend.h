/*
 * Mend: lines that valgrind itself writes and no XML parser takes.
 *
 * valgrind escapes most text but not all: thread names, the paths and sentences of file descriptor
 * errors, descriptions of client-defined blocks, the user's comment. It writes one element a line,
 * so a line that begins with the start tag of a text element and ends it again can be mended
 * without understanding it: what stands between the first tag and the last is text.
 *
 *     <what>Open AF_INET socket 3: 127.0.0.1:80 <-> <unbound></what>
 *     <threadname>a&b<c></threadname>
 *
 * The text of <rawtext> (a suppression whose parts are there as elements too) is left out: a symbol
 * with ]]> in it ends its CDATA early. valgrind 3.26.0 forgets </still_reachable>; it is put back.
 * Text that holds a tag of valgrind's own is not mended: there something is cut out.
 */
#ifndef GG_READ_MEND_H
#define GG_READ_MEND_H

#include <stdbool.h>

#include "base/str.h"
#include "read/buffer.h"

struct gg_mend {
    unsigned open;   /* tag of a text that goes on over several lines; 0: none */
    size_t open_len; /* bytes of it so far */
    bool in_rawtext;
    bool still_reachable; /* open */
};

/* Before the first line of an item: *mend = (struct gg_mend){0}. Appends the line (with its line
 * break, if it has one) to `out`, mended where needed; returns whether it was. */
bool gg_mend_line(struct gg_mend *mend, struct gg_str line, struct gg_buffer *out);

#endif
