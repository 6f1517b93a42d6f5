/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/whom.h"

abut_result abut_world_sweep(abut_world *world, const abut_body_id *ids, const abut_pose *targets, size_t n,
                             const abut_query *query, abut_hit *hits) {
    (void)ids;
    (void)targets;
    (void)n;
    (void)query;
    (void)hits;
    return world ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}
