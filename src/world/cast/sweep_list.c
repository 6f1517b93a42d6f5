/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "world/cast/sweep.h"
#include "world/query/blocks.h"
#include <math.h>

static uint32_t root_of(const abut_w_sweep_call *call, size_t element) {
    return call->ids[element].index1 - 1;
}

uint64_t abut_w_sweep_count(const abut_w_sweep_call *call) {
    uint64_t count = call->n;
    for (size_t k = 0; k < call->n && call->world->attachments.live > 0; k++) {
        uint32_t top = root_of(call, k);
        for (uint32_t slot = top; (slot = abut_w_next_below(call->world, top, slot)) != top;) {
            count++;
        }
    }
    return count;
}

/* Whether all of a compound may be where its root's target takes it, as when poses are set. */
static abut_result check_target(const abut_w_sweep_call *call, size_t element) {
    const abut_world *world = call->world;
    if (!abut_vec3_finite(call->targets[element].position) || !abut_quat_finite(call->targets[element].rotation)) {
        return ABUT_ERROR_ARGUMENT;
    }
    const abut_pose target = abut_pose_normal(&call->targets[element]);
    abut_result result = ABUT_OK;
    uint32_t top = root_of(call, element), slot = top;
    do {
        abut_collider collider;
        abut_w_frame frame = abut_w_frame_of(world, slot);
        frame.root_pose = &target;
        frame.pose = slot == top ? target : frame.pose;
        result = abut_w_compose_collider(world, &frame, &collider);
        slot = abut_w_next_below(world, top, slot);
    } while (slot != top && !result);
    return result;
}

void abut_w_sweep_way(const abut_w_sweep_call *call, const abut_w_moving *moving, abut_np_way *way) {
    const abut_world *world = call->world;
    const abut_pose from = abut_w_pose_of(world, root_of(call, moving->element));
    const abut_pose to = abut_pose_normal(&call->targets[moving->element]);
    const abut_collider *shape = &world->collider[moving->slot];
    if (world->attachment_plus_one[moving->slot]) {
        const abut_dpose local = abut_w_pose_in_root(world, moving->slot);
        abut_np_way_of(shape, &local, &from, &to, way);
    } else {
        abut_np_way_of(shape, NULL, &from, &to, way);
    }
}

void abut_w_sweep_round(const abut_np_line *line, abut_bp_mover *bounds) {
    float *origin = &bounds->origin.x, *translation = &bounds->translation.x;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        origin[k] = (float)line->origin[k];
        translation[k] = (float)line->translation[k];
        double off = fabs(line->origin[k] - origin[k]) + fabs(line->translation[k] - translation[k]);
        double more = 0x1p-40 * (fabs(line->origin[k]) + fabs(line->translation[k]) + line->half[k]);
        bounds->half[k] = abut_bits_round_up(line->half[k] + off + more);
        square += (double)bounds->half[k] * bounds->half[k];
    }
    bounds->radius = abut_bits_round_up(sqrt(square));
}

static void describe(const abut_w_sweep_call *call, uint32_t slot, size_t element, abut_w_moving *moving) {
    abut_np_way way;
    abut_np_line line;
    moving->slot = slot;
    moving->element = (uint32_t)element;
    abut_w_sweep_way(call, moving, &way);
    abut_np_way_line(&way, call->world->extent, 0, 1, &line);
    abut_w_sweep_round(&line, &moving->bounds);
}

/* Lists a body. */
static void add(abut_w_sweep_call *call, uint32_t slot, size_t element) {
    abut_w_sweep *sweep = &call->world->sweep;
    describe(call, slot, element, &sweep->moving[call->moving++]);
    sweep->moving_plus_one[slot] = call->moving;
}

/* --- side by side: where nothing is attached, each element has one body --- */

/* A block takes some 30 microseconds. */
enum { ELEMENTS_AT_ONCE = 64 };

/* Describes each element at its own place, and prepares its answer; a fraction of NaN: the element is invalid. */
static abut_result describe_elements(const void *context, size_t first, size_t end) {
    const abut_w_sweep_call *call = context;
    abut_w_sweep *sweep = &call->world->sweep;
    abut_result worst = ABUT_OK;
    for (size_t k = first; k < end; k++) {
        abut_result valid = check_target(call, k);
        sweep->first[k] = INFINITY;
        call->hits[k] = (abut_hit){.fraction = valid ? NAN : 1};
        worst = abut_w_worse(worst, valid);
        if (!valid) {
            describe(call, root_of(call, k), k, &sweep->moving[k]);
        }
    }
    return worst;
}

static void list_wide(abut_w_sweep_call *call) {
    abut_w_sweep *sweep = &call->world->sweep;
    call->result = abut_w_in_blocks(call->world, call->n, ELEMENTS_AT_ONCE, describe_elements, call);
    for (size_t k = 0; k < call->n; k++) {
        uint32_t *plus_one = &sweep->moving_plus_one[root_of(call, k)];
        *plus_one = 0;
        if (!isnan(call->hits[k].fraction)) {
            sweep->moving[call->moving++] = sweep->moving[k];
            *plus_one = call->moving;
        }
    }
    call->compounds = call->moving;
}

void abut_w_sweep_list(abut_w_sweep_call *call) {
    abut_w_sweep *sweep = &call->world->sweep;
    if (call->world->attachments.live == 0 && abut_w_has_blocks(call->world, call->n, ELEMENTS_AT_ONCE)) {
        list_wide(call);
        return;
    }
    for (size_t k = 0; k < call->n; k++) {
        abut_result valid = check_target(call, k);
        uint32_t top = root_of(call, k), slot = top;
        sweep->first[k] = INFINITY;
        sweep->moving_plus_one[top] = 0;
        call->hits[k] = (abut_hit){.fraction = valid ? NAN : 1};
        call->result = abut_w_worse(call->result, valid);
        call->compounds += !valid;
        do {
            if (!valid) {
                add(call, slot, k);
            }
            slot = abut_w_next_below(call->world, top, slot);
        } while (slot != top);
    }
}
