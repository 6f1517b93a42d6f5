/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/query.h"

/* Who has a place, and where. A body without a flag of ABUT_W_DIRTY was there in the last find, successful or not, and
 * its box has not changed since. It is settled, in settled columns; or active, in the columns of that find, or without
 * any where keys were settled afterwards or all were made active. */

void abut_w_query_prepare(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* the world is const to the caller, not in itself */
    if (abut_once_begin(&own->query_prepared)) {
        abut_lock_take(&own->scratch);
        abut_bp_query_prepare(&own->bp);
        abut_lock_release(&own->scratch);
        abut_once_end(&own->query_prepared);
    }
}

void abut_w_query_reset(abut_world *world) {
    abut_once_reset(&world->query_prepared);
}
