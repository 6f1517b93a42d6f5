/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Placement tests: whether a building may stand somewhere, as a rectangle on the ground against the footprints of a
 * world's bodies. */
#ifndef ABUT_PLACEMENT_H
#define ABUT_PLACEMENT_H

#include <abut/body.h>
#include <abut/footprint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The rules of a placement test. All zero: closed shapes, no clearance, all bodies count. */
typedef struct abut_placement_rules {
    abut_touch touch; /**< whether a body that shares only a border is in the way */
    float clearance;  /**< >= 0, a distance: a body whose shadow is closer to the candidate than this is in the way; at
                           exactly this distance `touch` decides, as it does for borders without a clearance */
    abut_filter filter; /**< only bodies that pass count, by the body-against-body rule; here a zero category means all
                             bits, as a zero mask does */
    const abut_body_id *ignore; /**< bodies that do not count, and all bodies of their compounds, in any order. Ids that
                                     name no living body are nobody's */
    size_t ignore_count;        /**< number of ids in `ignore` */
} abut_placement_rules;

/** Whether a candidate is free, and if not, why. */
typedef struct abut_placement {
    bool free;                  /**< no body is in the way */
    size_t blocker_count;       /**< number of bodies in the way */
    abut_body_id first_blocker; /**< the body in the way with the lowest index1; {0} when free */
    abut_vec2 push;             /**< the minimum translation away from first_blocker, as far as the clearance demands,
                                     rounded outward: the candidate with its centre moved by this (one float addition
                                     per coordinate) is free of that body under the same rules, unless it ends beyond
                                     the largest float; {0, 0} when free */
} abut_placement;

/** Tests n candidates; out[k] is the answer for candidates[k]. Nothing is inserted, and candidates do not block each
 * other. A body's footprint is its exact projection to the ground: a rectangle of an upright box, a hexagon of a tilted
 * one, the outline of a hull; a radius grows it by a disc, so that of a sphere is a disc; a mesh has none. `up` of the
 * world's definition must lie along one of the world's axes. Ground coordinates (x, y) are then the world's (x, z) for
 * an up along +y or -y, (x, y) for z, and (y, z) for x. Current poses count, whether or not a step has seen them.
 * `rules` may be NULL: all zero.
 *
 * All answers are exact, also at a clearance (a distance that differs from it by less than 1e-28 of the sum of all
 * lengths counts as equal).
 *
 * Error, with `out` unchanged: ABUT_ERROR_ARGUMENT for null pointers, an invalid candidate or rule, and an `up` that
 * lies along no axis. It allocates nothing; any number of threads may call it at the same time. Cost: some 100 ns per
 * candidate and per body near it; the first call after a change also brings up to date what it walks
 * (abut_world_refresh). More than 128 candidates are tested by all workers of the world (parallel.h). */
ABUT_API abut_result abut_world_test_placements(const abut_world *world, const abut_obb2 *candidates, size_t n,
                                                const abut_placement_rules *rules, abut_placement *out);

#ifdef __cplusplus
}
#endif
#endif
