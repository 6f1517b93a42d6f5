/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The contact points of two cores that lie apart. */
#ifndef ABUT_NARROWPHASE_ROUND_GAP_H
#define ABUT_NARROWPHASE_ROUND_GAP_H

#include "narrowphase/convex/ordered.h"
#include "narrowphase/distance/distance.h"
#include "narrowphase/points.h"

/* `closest` is of o->collider[0] and [1], > 0 apart. The normal is that of the closest points. One of the points is
 * midway between them, or as deep to within ABUT_NP_AS_DEEP, with their distance as its separation; the others, if two
 * faces face each other across the gap to within 2 degrees of the normal, are where these faces lie above each other,
 * with heights of at most `limit` as their separations. */
void abut_np_gap_points(const abut_np_ordered_pair *o, const abut_np_closest *closest, double limit,
                        abut_np_points *out);

/* The same for sharp shapes, from what their separating axes have found within the limit, whose normal points from the
 * first to the second: so features are the same across the gap as where the shapes overlap. False, and *out undefined,
 * if that does not show the faces that face each other, or not what is deepest there. */
bool abut_np_gap_from_found(const abut_collider *first, const abut_collider *second, const abut_np_closest *closest,
                            const abut_manifold *found, abut_np_points *out);

#endif
