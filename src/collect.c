/* Running a program for its reports alone. It stands by itself, so that what launches every test of
 * a suite links nothing that it does not need. */
#include "capture/run.h"
#include "capture/within.h"
#include "vcs/head.h"

bool gg_collect(const struct gg_options *options, struct gg_collected *collected,
                struct gg_error *err)
{
    struct gg_arena arena;
    struct gg_checkout checkout;
    struct gg_capture capture;
    gg_arena_init(&arena);
    gg_head_read(&arena, options->repo, &checkout);
    bool ok = gg_capture_collect(&arena, options, &checkout, &capture, err);
    *collected = (struct gg_collected){capture.exit_code, capture.signal};
    gg_arena_free(&arena);
    return ok;
}

bool gg_is_collected(void)
{
    return gg_within_run();
}
