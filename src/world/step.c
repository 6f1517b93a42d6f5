/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/clock.h"
#include "world/world.h"

/* One frame: boxes, candidates, contacts, events. Until abut_w_merge has succeeded nothing that a caller can see has
 * changed. */

static double lap(double *since) {
    double now = abut_clock_seconds(), elapsed = now - *since;
    *since = now;
    return elapsed > 0 ? elapsed : 0; /* somebody may have set the clock */
}

static size_t count_moved(abut_world *world) {
    size_t moved = 0;
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        moved += (world->flags[slot] & ABUT_W_MOVED) != 0;
        world->flags[slot] &= (uint8_t) ~(ABUT_W_MOVED | ABUT_W_NEW);
    }
    return moved;
}

abut_result abut_world_step(abut_world *world, const abut_listener *listener, abut_step_report *report) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state != ABUT_W_IDLE) {
        return ABUT_ERROR_BUSY;
    }
    abut_step_report r = {.bodies = world->ids.live_count};
    double since = abut_clock_seconds();
    abut_w_refresh_reach(world);
    r.seconds_bounds = lap(&since);
    uint32_t candidates = 0;
    abut_result result = abut_w_find_candidates(world, &candidates);
    r.candidates = candidates;
    r.seconds_broad = lap(&since);
    result = result ? result : abut_w_resolve(world, candidates);
    r.seconds_narrow = lap(&since);
    result = result ? result : abut_w_merge(world, &r);
    if (result) {
        return result;
    }
    abut_w_keep_hints(world);
    r.moved = count_moved(world);
    world->changed = false;
    if (listener) {
        abut_w_tell(world, listener);
    }
    r.seconds_events = lap(&since);
    if (report) {
        *report = r;
    }
    return ABUT_OK;
}
