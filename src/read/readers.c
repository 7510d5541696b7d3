#include "read/readers.h"
#include "base/arena.h"
#include "model/collate.h"
#include "read/input.h"

#include <stdlib.h>

static const struct gg_reader *const readers[] = {&gg_reader_memcheck, &gg_reader_own_json};

static const struct gg_reader *best_reader(const struct gg_input *input)
{
    const struct gg_reader *best = NULL;
    int highest = 0;
    size_t len = input->len < GG_INPUT_PEEK ? input->len : GG_INPUT_PEEK;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        int bid = readers[i]->bid(input->bytes, len);
        if (bid > highest) {
            highest = bid;
            best = readers[i];
        }
    }
    return best;
}

/* Nothing can be said of this process, which is not the same as nothing to say. */
static void no_report(struct gg_collate *collate, const struct gg_input *input)
{
    struct gg_run *run = gg_collate_run_at(collate, gg_collate_run(collate));
    run->source = gg_atom(gg_collate_atoms(collate), input->name);
    run->end = GG_END_TRUNCATED;
    run->detail = input->len ? "it is not a report that grindgate knows: valgrind writes one with "
                               "--xml=yes --xml-file=NAME"
                             : "the file is empty: the tool cannot write XML (memcheck, helgrind "
                               "and drd can), could not start, or the disk was full";
}

bool gg_read(struct gg_collate *collate, const char *path, const char *name, struct gg_error *err)
{
    struct gg_input *input = gg_alloc(sizeof *input);
    if (!gg_input_open(input, path, name, err)) {
        free(input);
        return false;
    }
    input->beat = gg_collate_beat(collate);
    gg_beat(input->beat);
    const struct gg_reader *reader = best_reader(input);
    bool ok = true;
    if (reader)
        ok = reader->read(input, collate, err);
    else
        no_report(collate, input);
    gg_input_close(input);
    free(input);
    return ok;
}
