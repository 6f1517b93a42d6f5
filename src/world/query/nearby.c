/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/nearby.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "base/spatial.h"
#include <math.h>

/* A slant costs as much as the tests of some bodies, and in each node as one. */
static const float LONG = 2, LOOSE = 1.5f;

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

/* What the exact tests let a probe meet is within its reach of it, so of its OBB. NULL where a slant does not pay:
 * where the probe's box is not much longer than those of nodes, or its OBB fits little better than the box. */
static ABUT_NOINLINE const abut_bp_slant *slant_of(const abut_w_probe *probe, abut_bp_slant *slant) {
    const abut_bp_box *box = &probe->box;
    double m[3][3], extents = 0, volume = 1;
    const abut_obb obb = abut_collider_obb(&probe->collider);
    const float *center = &obb.center.x, *half = &obb.half.x;
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->max[k] - box->min[k];
        extents += extent;
        volume *= extent / 2;
    }
    if ((double)LOOSE * half[0] * half[1] * half[2] > volume) {
        return NULL;
    }
    abut_dquat_matrix_quick(abut_dquat_from(obb.rotation), m);
    for (int k = 0; k < 3; k++) {
        slant->center[k] = center[k];
        slant->reach[k] = (float)(2 * (half[k] + probe->reach) + 0x1p-16 * extents + 0x1p-120);
        for (int axis = 0; axis < 3; axis++) {
            slant->axis[k][axis] = (float)m[axis][k];
        }
    }
    return slant;
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
    abut_w_query query;
    abut_bp_slant slant;
    uint32_t slot[ABUT_W_QUERY_SLOTS];
    abut_w_tree_prepare(whom->world);
    abut_w_query_begin(&query, whom->world, &whom->filter, box);
    if (probe && abut_bp_tree_is_long(abut_w_tree(whom->world), box, LONG)) {
        query.slant = slant_of(probe, &slant);
    }
    for (uint32_t n; (n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0;) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n; k++) {
            slot[kept] = slot[k];
            kept += abut_w_whom_counts(whom, slot[k]);
        }
        if (mesh && whom->world->mesh_count > 0) {
            kept = abut_w_nearby_meshes(whom->world, slot, kept, mesh, context);
        }
        if (kept > 0) {
            meet(context, slot, kept);
        }
    }
}
