/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two colliders whose cores are seen as hulls, in an order that does not depend on the caller's. */
#ifndef ABUT_NARROWPHASE_CONVEX_ORDERED_H
#define ABUT_NARROWPHASE_CONVEX_ORDERED_H

#include "narrowphase/convex/box_as_hull.h"
#include "narrowphase/convex/pair.h"

typedef struct abut_np_ordered_pair {
    const abut_collider *collider[2];
    bool swapped;               /* collider[0] is the caller's second */
    abut_np_box_as_hull box[2]; /* of the cores that are boxes */
    abut_np_convex_pair pair;
} abut_np_ordered_pair;

/* Whether a comes first: by the colliders' own data alone. */
bool abut_np_comes_first(const abut_collider *a, const abut_collider *b);

/* The colliders must live as long as *out. */
void abut_np_order(const abut_collider *a, const abut_collider *b, abut_np_ordered_pair *out);

#endif
