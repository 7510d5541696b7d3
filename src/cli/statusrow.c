#include "cli/statusrow.h"

enum { ROWS_LEAST = 4 };

#define SAVE "\0337" /* the cursor and its colours */
#define RESTORE "\0338"
#define PLAIN "\033[m"
#define WHOLE "\033[r" /* no region; moves the cursor */
/* The row below the cursor's is free. A newline would take the cursor to the first column. */
#define MAKE_ROOM "\033D\033[A"
#define ERASE_BELOW SAVE PLAIN "\033[B\r\033[J" RESTORE

bool gg_statusrow_fits(struct gg_term_size size)
{
    return size.rows >= ROWS_LEAST && size.columns;
}

/* Terminals drop the region when their size changes, and move the rows as each of them sees fit:
 * the old status is somewhere below the cursor. */
static void settle(struct gg_statusrow *row, struct gg_out *out, struct gg_term_size size)
{
    if (row->set && row->size.rows == size.rows && row->size.columns == size.columns)
        return;
    gg_out_text(out, row->set ? SAVE WHOLE RESTORE MAKE_ROOM ERASE_BELOW : MAKE_ROOM);
    *row = (struct gg_statusrow){true, size};
}

/* The region is said each time, for a program may have reset the terminal. */
void gg_statusrow_put(struct gg_statusrow *row, struct gg_out *out, struct gg_term_size size,
                      struct gg_str text)
{
    settle(row, out, size);
    gg_out_printf(out, SAVE "\033[1;%ur\033[%u;1H" PLAIN "\033[2K", size.rows - 1, size.rows);
    gg_out_str(out, text);
    gg_out_text(out, RESTORE);
}

void gg_statusrow_leave(struct gg_statusrow *row, struct gg_out *out, struct gg_term_size size)
{
    settle(row, out, size);
    gg_out_text(out, GG_STATUSROW_LEAVE);
    row->set = false;
}
