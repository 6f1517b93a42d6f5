/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/clock.h"
#include "base/workers/fpmode.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

static double lap(double *since) {
    double now = abut_clock_seconds(), elapsed = now - *since;
    *since = now;
    return elapsed > 0 ? elapsed : 0; /* the clock may have been set back */
}

/* Turns candidates into contacts: the new list is world->next until abut_w_merge_end swaps it in. */
static abut_result make_contacts(abut_world *world, abut_step_report *report) {
    abut_bp_pair merged[ABUT_W_BLOCK];
    abut_w_candidates candidates = {0, 0};
    abut_w_last last = {0, 0};
    abut_w_merge merge;
    abut_result result = ABUT_OK;
    const abut_bp_pair *pair;
    size_t done = 0;
    world->blocks = world->moved_blocks = 0;
    abut_w_begin_hints(world);
    abut_w_merge_begin(world, &merge);
    if (abut_w_bounds_suffice(world)) {
        result = abut_w_make_keys(world, &merge);
    } else if (abut_w_waves_pay(world)) {
        result = abut_w_make_waves(world, &merge, &report->second_stage);
    } else {
        for (uint32_t n;
             !result && (n = abut_w_next_candidates(world, &candidates, ABUT_W_BLOCK, merged, &pair)) > 0;) {
            result = abut_w_make_contacts_of(world, pair, n, &last, &merge, &done, &report->second_stage);
        }
    }
    return result ? result : abut_w_merge_end(world, &merge, report);
}

/* Turns boxes into contacts. Until abut_w_merge_end has succeeded, nothing that a caller can see has changed. */
static abut_result find_contacts(abut_world *world, abut_step_report *report, double *since) {
    abut_result result = abut_w_find_candidates(world);
    report->sweep_tests = (size_t)abut_bp_tests(&world->bp);
    report->candidates = abut_bp_pair_count(&world->bp);
    report->seconds_broad = lap(since);
    result = result ? result : make_contacts(world, report);
    report->seconds_narrow = lap(since);
    if (!result) {
        abut_w_swap_hints(world);
        abut_bp_put_to_rest(&world->bp, world->flags, ABUT_W_CHANGED);
        report->seconds_broad += lap(since);
        world->candidates = report->candidates;
    }
    return result;
}

/* Clears the flags that mean "since the last successful step". Returns how many bodies had moved. */
static size_t clear_flags(abut_world *world) {
    enum { EIGHT = sizeof(uint64_t) };
    const uint64_t each = UINT64_C(0x0101010101010101), news = each * (ABUT_W_MOVED | ABUT_W_CHANGED | ABUT_W_CREATED);
    size_t moved = 0;
    for (uint32_t first = 0; first < world->ids.used; first += EIGHT) { /* columns end at whole cache lines */
        uint64_t flags;
        memcpy(&flags, &world->flags[first], sizeof flags);
        if (flags & news) {
            moved += (size_t)((flags & each * ABUT_W_MOVED) / ABUT_W_MOVED * each >> 56); /* adds up the eight bytes */
            flags &= ~news;
            memcpy(&world->flags[first], &flags, sizeof flags);
        }
    }
    return moved;
}

static void clear_other_meshes(abut_world *world) {
    for (uint32_t slot = 0; slot < world->ids.used && world->new_meshes; slot++) {
        world->traits[slot].marks &= (uint8_t)~ABUT_W_OTHER_MESH;
    }
    world->new_meshes = false;
}

/* Whether any contact may differ from the last step's in more than phase and previous1. */
static bool contacts_may_change(const abut_world *world, uint8_t dirty) {
    return world->should_collide || world->had_destroy || world->new_users || dirty & ABUT_W_CHANGED;
}

/* The whole step except its events. If no bit has changed, it looks for no candidates; if nothing was even set, it
 * reads no body. */
static abut_result advance(abut_world *world, abut_step_report *report, double *since) {
    bool any_set = world->changed || world->should_collide;
    uint8_t dirty = any_set ? abut_w_refresh_bounds(world) : 0;
    report->seconds_bounds = any_set ? lap(since) : 0;
    if (contacts_may_change(world, dirty)) {
        abut_result result = find_contacts(world, report, since);
        if (result) {
            return result;
        }
    } else {
        abut_w_persist_all(world);
        report->candidates = world->candidates;
        report->contacts = world->current.count;
    }
    report->moved = any_set ? clear_flags(world) : 0;
    clear_other_meshes(world);
    world->changed = world->had_destroy = world->new_users = false;
    return ABUT_OK;
}

static abut_result step_world(abut_world *world, const abut_listener *listener, abut_step_report *report) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state != ABUT_W_IDLE) {
        return ABUT_ERROR_BUSY;
    }
    abut_step_report filled = {.bodies = world->ids.live_count};
    double since = abut_clock_seconds();
    abut_result result = advance(world, &filled, &since);
    if (result) {
        return result;
    }
    if (listener) {
        const abut_listener copy = *listener; /* a callback may change the original */
        abut_w_dispatch(world, &copy, &filled);
    }
    filled.seconds_events = lap(&since);
    filled.bytes = abut_w_reserved(world);
    if (report) {
        *report = filled;
    }
    return ABUT_OK;
}

abut_result abut_world_step(abut_world *world, const abut_listener *listener, abut_step_report *report) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = step_world(world, listener, report);
    abut_fpmode_leave(mode);
    return result;
}
