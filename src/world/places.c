/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"

/* Who has a place, and where. A body without a flag of ABUT_W_ASTRAY was there in the last find, successful or not, and
 * its box has not changed since. It is settled, in settled columns; or active, in the columns of that find, or without
 * any where keys were settled afterwards or all were made active. */

void abut_w_enclose(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* the world is const to the caller, not in itself */
    if (abut_once_begin(&own->places_made)) {
        abut_lock_take(&own->scratch);
        abut_bp_enclose(&own->bp);
        abut_lock_give_back(&own->scratch);
        abut_once_end(&own->places_made);
    }
}

void abut_w_forget_places(abut_world *world) {
    abut_once_reset(&world->places_made);
}
