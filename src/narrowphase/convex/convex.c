/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/convex.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"
#include "narrowphase/tolerance.h"
#include <string.h>

static const abut_np_convex_kernels *kernels_for(const abut_np_convex_pair *pair) {
    return abut_np_convex_kernels_for(pair->side[0].own->vertex_count, pair->side[1].own->vertex_count);
}

bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    abut_np_ordered_pair o;
    abut_np_order(a, b, &o);
    return kernels_for(&o.pair)->touch(&o.pair, hint);
}

/* Whether the axis is that of a face with an area: where lines coincide their points would flicker. */
static bool by_face(const abut_np_convex_pair *pair, const abut_np_axis *axis) {
    const bool on_b = axis->kind == ABUT_NP_FACET_OF_B;
    const abut_hull *hull = pair->side[on_b].own;
    return axis->kind != ABUT_NP_EDGES &&
           (hull->digest != 0 || abut_np_box_as_hull_has_area(hull, on_b ? axis->of_b : axis->of_a));
}

/* The closest points, which pairs.c asks for next, decide the normal and the depth: here faces have points with their
 * heights, and edges none. */
static void points_across_gap(const abut_np_ordered_pair *o, float margin, const abut_np_axis *axis,
                              abut_manifold *manifold) {
    abut_np_axis raw = *axis;
    raw.separation = -INFINITY;
    memset(manifold, 0, sizeof *manifold);
    if (by_face(&o->pair, axis)) {
        abut_np_convex_manifold(&o->pair, o->collider[0], o->collider[1], margin, &raw, manifold);
    }
    if (manifold->count == 0) {
        manifold->points[0].separation = (float)axis->separation;
    }
}

bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold) {
    abut_np_ordered_pair o;
    abut_np_axis axis;
    abut_np_order(a, b, &o);
    if (!kernels_for(&o.pair)->find_axis(&o.pair, margin, hint, &axis)) {
        return false;
    }
    if (axis.separation > 2 * o.pair.next) {
        points_across_gap(&o, margin, &axis, manifold);
    } else {
        abut_np_convex_manifold(&o.pair, o.collider[0], o.collider[1], margin, &axis, manifold);
    }
    if (o.swapped) {
        abut_vec3 n = manifold->normal;
        manifold->normal = (abut_vec3){0.0f - n.x, 0.0f - n.y, 0.0f - n.z};
    }
    return true;
}
