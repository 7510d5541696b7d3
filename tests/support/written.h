/*
 * Written: a sample report in one format, as text.
 */
#ifndef GG_TESTS_WRITTEN_H
#define GG_TESTS_WRITTEN_H

#include "sample_report.h"

#include "base/out.h"
#include "write/writers.h"

/* Free it. */
static inline char *written(const struct sample *sample, const char *format,
                            const struct gg_write_options *options, size_t *len)
{
    static const struct gg_write_options plain = {0};
    struct gg_out *out = gg_out_memory();
    gg_writer_find(format)->write(&sample->report, &sample->verdict, options ? options : &plain,
                                  out);
    return gg_out_take(out, len);
}

#endif
