/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/tree.h"
#include "world/step/step.h"

/* Hulls are culled by their OBBs, which may extend beyond the bounds of their vertices: by how much. */
static float overhang_of(const abut_collider *collider, const abut_bp_box *box) {
    const abut_obb obb = abut_collider_obb(collider);
    const abut_aabb bounds = abut_obb_bounds(&obb);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    double most = 0;
    for (int i = 0; i < 3; i++) {
        most = abut_max_d(most, abut_max_d((double)box->min[i] - low[i], (double)high[i] - box->max[i]));
    }
    return abut_bits_round_up(most);
}

static void find_overhangs(const abut_world *world, const uint32_t *slot, uint32_t n, const abut_bp_box *box,
                           float *overhang) {
    memset(overhang, 0, n * sizeof *overhang);
    for (uint32_t k = 0; k < n && world->non_box_count > 0; k++) {
        const abut_collider *collider = &world->collider[slot[k]];
        if (collider->hull) {
            overhang[k] = overhang_of(collider, &box[k]);
        }
    }
}

/* The boxes of the broad phase where they are up to date, all others anew. */
static void boxes_of(const void *context, const uint32_t *slot, uint32_t n, abut_bp_box *box, float *overhang) {
    const abut_world *world = context;
    uint8_t stale = 0;
    for (uint32_t k = 0; k < n; k++) {
        box[k] = *abut_bp_box_of(&world->bp, slot[k]);
        stale |= world->flags[slot[k]];
    }
    if (stale & ABUT_W_STALE) {
        abut_w_bounds_of(world, slot, n, box);
    }
    find_overhangs(world, slot, n, box, overhang);
}

void abut_w_tree_prepare(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* const to the caller, but the tree is made on demand */
    if (abut_once_begin(&own->tree_made)) {
        abut_bp_tree_update(&own->bp, own->ids.used, own->ids.live_count, boxes_of, own);
        abut_once_end(&own->tree_made);
    }
}
