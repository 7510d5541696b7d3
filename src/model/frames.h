/*
 * Frames: the table of distinct frames of all reports.
 *
 * A reader hands a frame over as one blob, each field behind its tag byte, in the order of the
 * report: "\1" "0x10A3B3" "\2" "/obj" "\3" "fn" "\4" "dir" "\5" "file" "\6" "12". Tags are
 * control characters, which no repaired report text contains. One look-up a frame; the fields are
 * only taken apart (and the symbol demangled) when the frame is new: in a gigabyte of reports with
 * three million frames about twenty thousand are.
 */
#ifndef GG_MODEL_FRAMES_H
#define GG_MODEL_FRAMES_H

#include "base/atom.h"
#include "base/vec.h"
#include "grindgate/model.h"

enum gg_frame_tag {
    GG_FRAME_IP = 1,
    GG_FRAME_OBJ,
    GG_FRAME_FN,
    GG_FRAME_DIR,
    GG_FRAME_FILE,
    GG_FRAME_LINE
};

struct gg_frames {
    struct gg_arena *arena;
    struct gg_atoms *atoms;
    struct gg_arena keys; /* of the maps: needed only while reports are read */
    struct gg_map by_blob;
    struct gg_map by_place;
    struct gg_map demangled; /* symbol -> function */
    GG_VEC(struct gg_frame *) all;
};

void gg_frames_init(struct gg_frames *frames, struct gg_arena *arena, struct gg_atoms *atoms);

/* All reports are read: frees what look-ups needed. The frames stay. */
void gg_frames_close(struct gg_frames *frames);

/* The frame of this blob, the same pointer for the same blob. Never NULL. */
struct gg_frame *gg_frames_intern(struct gg_frames *frames, const char *blob, size_t len);

#endif
