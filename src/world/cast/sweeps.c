/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/workers/fpmode.h"
#include "world/cast/sweep.h"
#include "world/state/state.h"

/* Clears the marks of the first n roots. */
static void unmark_roots(const abut_w_sweep_call *call, size_t n) {
    for (size_t k = 0; k < n; k++) {
        call->world->sweep.moving_plus_one[call->ids[k].index1 - 1] = 0;
    }
}

/* Checks all ids, and leaves a mark on each. */
static abut_result check_ids(const abut_w_sweep_call *call) {
    uint32_t *mark = call->world->sweep.moving_plus_one;
    abut_result result = abut_w_all_living(call->world, call->ids, call->n);
    for (size_t k = 0; k < call->n && !result; k++) {
        uint32_t slot = call->ids[k].index1 - 1;
        if (mark[slot] || abut_w_parent_plus_one(call->world, slot)) {
            unmark_roots(call, k);
            return ABUT_ERROR_ARGUMENT;
        }
        mark[slot] = 1;
    }
    return result;
}

/* Checks what is wrong with the whole call, and makes room. Then all roots are marked. */
static abut_result begin(abut_w_sweep_call *call) {
    abut_result result = abut_w_reserve_sweep(call->world, 0, false); /* for the marks */
    result = result ? result : check_ids(call);
    if (result) {
        return result;
    }
    result = abut_w_reserve_sweep(call->world, abut_w_sweep_count(call), call->n > 1);
    if (result) {
        unmark_roots(call, call->n);
    }
    return result;
}

/* Ids and fractions as callers see them; clears all marks. */
static void finish(const abut_w_sweep_call *call) {
    const abut_world *world = call->world;
    const abut_w_sweep *sweep = &world->sweep;
    for (size_t k = 0; k < call->n; k++) {
        abut_hit *hit = &call->hits[k];
        if (hit->body.index1) {
            hit->user = world->body_user[hit->body.index1 - 1];
            hit->body = abut_w_id(world, hit->body.index1 - 1);
            hit->mover = abut_w_id(world, hit->mover.index1 - 1);
            hit->fraction = abut_np_ray_fraction(sweep->first[k]);
        }
    }
    for (uint32_t i = 0; i < call->moving; i++) {
        sweep->moving_plus_one[sweep->moving[i].slot] = 0;
    }
}

static abut_result sweep_bodies(abut_world *world, const abut_body_id *ids, const abut_pose *targets, size_t n,
                                const abut_query *query, abut_hit *hits) {
    abut_w_sweep_call call;
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    if ((n > 0 && (!ids || !targets || !hits)) || !abut_w_whom_of(world, query, &call.whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    call.world = world, call.ids = ids, call.targets = targets, call.n = n, call.hits = hits;
    call.moving = call.compounds = 0, call.result = ABUT_OK;
    abut_result result = n > 0 ? begin(&call) : ABUT_OK;
    if (result || n == 0) {
        return result;
    }
    const abut_w_state before = world->state; /* a listener may ask */
    world->state = ABUT_W_FROZEN;
    abut_w_tree_prepare_wide(world);
    abut_w_sweep_list(&call);
    abut_w_sweep_meet_still(&call);
    abut_w_sweep_meet_moving(&call);
    finish(&call);
    world->state = before;
    return call.result;
}

abut_result abut_world_sweep(abut_world *world, const abut_body_id *ids, const abut_pose *targets, size_t n,
                             const abut_query *query, abut_hit *hits) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = sweep_bodies(world, ids, targets, n, query, hits);
    abut_fpmode_leave(mode);
    return result;
}
