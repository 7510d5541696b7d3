/*
 * Pack table: what cmake/Packs.cmake makes of the files in rules/, by name.
 */
#ifndef GG_MATCH_PACK_TABLE_H
#define GG_MATCH_PACK_TABLE_H

#include "match/packs.h"

extern const struct gg_pack gg_pack_table[];
extern const size_t gg_pack_count;

#endif
