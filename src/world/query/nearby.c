/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/nearby.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "base/spatial.h"
#include <math.h>

/* Shorter beside boxes around eight bodies a slant does not pay: making it costs as much as tests of some bodies. */
static const float LONG = 2;

static bool within(const float *x, int n) {
    bool all = true;
    for (int k = 0; k < n; k++) {
        all = all && fabsf(x[k]) <= ABUT_MAX_COORDINATE;
    }
    return all;
}

/* Shapes touch, and are within a margin, by a slack of up to 1e-12 S, although their bounds may not touch. Of such a
 * pair the centres are no farther apart than both extents and the margin, so that S is below three times their sum. */
static double reach_of(const abut_world *world, const abut_collider *collider, float margin) {
    double extent = abut_shape_of(collider)->extent(collider) + world->extent;
    return margin + 0x1p-38 * (extent + margin);
}

abut_result abut_w_probe_of(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float margin,
                            abut_w_probe *probe) {
    if (!abut_collider_from_shape(shape, pose, &probe->collider)) {
        return ABUT_ERROR_ARGUMENT;
    }
    const abut_aabb bounds = abut_collider_bounds(&probe->collider);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    double reach = probe->reach = reach_of(world, &probe->collider, margin);
    for (int k = 0; k < 3; k++) {
        probe->box.min[k] = abut_bits_round_down((double)low[k] - reach);
        probe->box.max[k] = abut_bits_round_up((double)high[k] + reach);
    }
    return within(&pose->position.x, 3) && within(low, 3) && within(high, 3) ? ABUT_OK : ABUT_ERROR_LIMIT;
}

/* What the exact tests let a probe meet is within its reach of it, so of its OBB. */
static ABUT_NOINLINE bool slant_of(const abut_w_probe *probe, abut_slant *slant) {
    const abut_obb obb = abut_collider_obb(&probe->collider);
    const abut_d3 center = abut_d3_from(obb.center), half = abut_d3_from(obb.half);
    double m[3][3];
    abut_dquat_matrix_quick(abut_dquat_from(obb.rotation), m);
    return abut_slant_of(center.x, m[0], half.x, probe->reach, probe->box.min, probe->box.max, slant);
}

uint32_t abut_w_nearby_meshes(const abut_world *world, uint32_t *slot, uint32_t n, abut_w_meet_mesh *mesh,
                              void *context) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t body = slot[k];
        if (abut_w_is_mesh(world, body)) {
            mesh(context, body);
        } else {
            slot[kept++] = body;
        }
    }
    return kept;
}

void abut_w_nearby(const abut_w_whom *whom, const abut_bp_box *box, const abut_w_probe *probe, abut_w_meet *meet,
                   abut_w_meet_mesh *mesh, void *context) {
    const abut_bp_tree *tree = abut_w_tree(whom->world);
    abut_bp_walk walk;
    abut_slant slant;
    uint32_t slot[ABUT_W_QUERY_SLOTS];
    abut_w_tree_prepare(whom->world);
    abut_bp_walk_begin(tree, &walk);
    walk.classes = whom->filter.classes;
    bool slanted = probe && abut_bp_tree_is_long(tree, box, LONG) && slant_of(probe, &slant);
    const abut_slant *beyond = slanted ? &slant : NULL;
    for (uint32_t n; (n = abut_bp_walk_box(tree, box, beyond, &walk, slot, ABUT_W_QUERY_SLOTS)) > 0;) {
        uint32_t kept = abut_w_whom_keep(whom, slot, n);
        if (mesh && whom->world->mesh_count > 0) {
            kept = abut_w_nearby_meshes(whom->world, slot, kept, mesh, context);
        }
        if (kept > 0) {
            meet(context, slot, kept);
        }
    }
}
