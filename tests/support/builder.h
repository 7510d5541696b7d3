/* Builds raw errors and findings by hand, for tests of the stages behind the readers. */
#ifndef GG_TESTS_BUILDER_H
#define GG_TESTS_BUILDER_H

#include <stdio.h>
#include <string.h>

#include "model/collate.h"

/* "fn file line" -> the blob of a frame in /build/prog with source /src/FILE. */
static inline struct gg_frame *build_frame(struct gg_collate *collate, const char *ip,
                                           const char *function, const char *file, unsigned line)
{
    char blob[512];
    int len = snprintf(blob, sizeof blob, "\1%s\2/build/prog\3%s\4/src\5%s\6%u", ip, function, file,
                       line);
    return gg_frames_intern(gg_collate_frames(collate), blob, (size_t)len);
}

static inline struct gg_raw_error build_error(const char *kind, const char *message,
                                              const struct gg_raw_stack *stacks, size_t count)
{
    return (struct gg_raw_error){
        .kind = gg_str(kind), .message = gg_str(message), .stacks = stacks, .stack_count = count};
}

#endif
