/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/convex.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"

bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    abut_np_ordered_pair o;
    abut_np_order(a, b, &o);
    return abut_np_convex_kernels_active()->touch(&o.pair, hint);
}

bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold) {
    abut_np_ordered_pair o;
    abut_np_axis axis;
    abut_np_order(a, b, &o);
    if (!abut_np_convex_kernels_active()->find_axis(&o.pair, margin, hint, &axis)) {
        return false;
    }
    abut_np_convex_manifold(&o.pair, o.collider[0], o.collider[1], margin, &axis, manifold);
    if (o.swapped) {
        abut_vec3 n = manifold->normal;
        manifold->normal = (abut_vec3){0.0f - n.x, 0.0f - n.y, 0.0f - n.z};
    }
    return true;
}
