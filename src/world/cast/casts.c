/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/whom.h"

abut_result abut_world_cast_shapes(const abut_world *world, const abut_cast *casts, size_t n, const abut_query *query,
                                   abut_hit *hits) {
    (void)casts;
    (void)n;
    (void)query;
    (void)hits;
    return world ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

size_t abut_world_shape_hits(const abut_world *world, const abut_cast *cast, const abut_query *query, abut_hit *out,
                             size_t capacity) {
    (void)world;
    (void)cast;
    (void)query;
    (void)out;
    (void)capacity;
    return 0;
}
