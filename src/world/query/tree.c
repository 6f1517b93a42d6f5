/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/tree.h"
#include "base/workers/fpmode.h"
#include "world/body/body.h"
#include <abut/query.h>
#include <float.h>
#include <string.h>

/* Hulls and meshes are culled by their OBBs, which may extend beyond their bounds: by how much. More than 0, which says
 * that the radii of their spheres are not those of their OBBs. */
static float surplus_of(const abut_collider *collider, const abut_bp_box *box) {
    const abut_obb obb = abut_collider_obb(collider);
    const abut_aabb bounds = abut_obb_bounds(&obb);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    double most = FLT_MIN;
    for (int i = 0; i < 3; i++) {
        most = abut_max_d(most, abut_max_d((double)box->min[i] - low[i], (double)high[i] - box->max[i]));
    }
    return abut_bits_round_up(most);
}

static void find_surpluses(const abut_world *world, const uint32_t *slot, uint32_t n, const abut_bp_box *box,
                           float *surplus) {
    memset(surplus, 0, n * sizeof *surplus);
    for (uint32_t k = 0; k < n && world->non_box_count > 0; k++) {
        const abut_collider *collider = &world->collider[slot[k]];
        if (collider->hull || collider->mesh) {
            surplus[k] = surplus_of(collider, &box[k]);
        }
    }
}

/* The radius of a sphere about the middle of a body's bounds that contains it: that of the OBB, as its centre is the
 * middle but for rounding; of a hull, that about the origin of its frame, and how far it is from there to the middle;
 * of a mesh, that of the bounds. */
static float radius_of(const abut_collider *collider, const abut_bp_box *box) {
    const abut_hull *hull = collider->hull;
    const float *center = &collider->center.x, *half = &collider->half.x;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double x = hull ? ((double)box->min[i] + box->max[i]) / 2 - center[i] : half[i];
        x = collider->mesh ? ((double)box->max[i] - box->min[i]) / 2 : x;
        sum += x * x;
    }
    return abut_bits_round_up(sqrt(sum) + (hull ? hull->radius : 0) + collider->radius);
}

/* Those of the broad phase if they are all up to date, else all anew. */
void abut_w_tree_boxes(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box) {
    uint8_t flags = 0;
    for (uint32_t k = 0; k < n; k++) {
        flags |= world->flags[slot[k]];
    }
    if (flags & ABUT_W_STALE) {
        abut_w_bounds_of(world, slot, n, box);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        box[k] = *abut_bp_box_of(&world->bp, slot[k]);
    }
}

/* Bodies are in the order of the tree, so each is far from the last in memory. */
static void boxes_of(const void *context, const uint32_t *slot, uint32_t n, abut_bp_box *box, float *surplus,
                     float *radius) {
    const abut_world *world = context;
    for (uint32_t k = 0; k < n; k++) {
        ABUT_PREFETCH(&world->collider[slot[k]]);
    }
    abut_w_tree_boxes(world, slot, n, box);
    for (uint32_t k = 0; k < n && radius; k++) {
        radius[k] = radius_of(&world->collider[slot[k]], &box[k]);
    }
    if (surplus) {
        find_surpluses(world, slot, n, box, surplus);
    }
}

static void prepare(abut_world *own, abut_workers *workers) {
    if (abut_once_begin(&own->tree_made)) {
        abut_bp_tree_update(&own->bp, abut_w_key_end(own), own->ids.live_count, boxes_of, own, workers);
        abut_once_end(&own->tree_made);
    }
}

/* Without workers: other threads may wait for the tree, and a caller's `run` may call one of their questions, which
 * would wait for ever. */
void abut_w_tree_prepare(const abut_world *world) {
    prepare((abut_world *)world, NULL); /* const to the caller, but the tree is made on demand */
}

void abut_w_tree_prepare_wide(abut_world *world) {
    prepare(world, &world->workers);
}

static abut_result refresh_world(abut_world *world) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    (void)abut_w_refresh_bounds(world);
    abut_w_tree_prepare_wide(world);
    return ABUT_OK;
}

abut_result abut_world_refresh(abut_world *world) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = refresh_world(world);
    abut_fpmode_leave(mode);
    return result;
}
