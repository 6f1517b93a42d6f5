/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * May this building stand here? Rectangles against the shadows that all bodies of a world cast on the ground. */
#ifndef ABUT_PLACEMENT_H
#define ABUT_PLACEMENT_H

#include <abut/body.h>
#include <abut/footprint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Zero: closed shapes, no clearance, all bodies count. */
typedef struct abut_placement_rules {
    abut_touch touch;   /**< whether sharing a border is in the way */
    float clearance;    /**< >= 0: so wide a strip around the candidate must be free as well: both its half extents are
                             taken so much larger */
    abut_filter filter; /**< what the candidate is and what stands in its way, as between two bodies; a zero category is
                             every bit, a zero mask everything */
    const abut_body_id *ignore; /**< bodies that do not count, in any order; of a compound each one by itself */
    size_t ignore_count;        /**< of ids in `ignore` */
} abut_placement_rules;

/** Whether a candidate may stand, and if not, why. */
typedef struct abut_placement {
    bool free;                  /**< nothing is in the way */
    size_t blocker_count;       /**< bodies in the way */
    abut_body_id first_blocker; /**< of those in the way the one with the lowest index1; {0} when free */
    abut_vec2 push;             /**< the shortest way out of it, rounded outward: the candidate with its centre moved by
                                     this (one float addition for each coordinate) is free of first_blocker under the
                                     same rules, unless the way leads beyond the largest float; {0, 0} when free */
} abut_placement;

/** Tests n candidates; out[k] tells of candidates[k]. Nothing is inserted, and candidates do not see each other. A
 * body's shadow is its exact one: of a box tilted in any way a hexagon, of a hull its outline. `up` of the world's
 * definition must lie along one of the world's axes. Ground coordinates (x, y) are then the world's (x, z) for an up
 * along y, either way, (x, y) for z, and (y, z) for x. Poses set since the last step are seen.
 *
 * Errors, with `out` as it was: ABUT_ERROR_ARGUMENT for null pointers, an invalid candidate or rule, and another up;
 * ABUT_ERROR_HANDLE for an id in `ignore` that names no living body. Some 100 ns for each candidate and each body near
 * it. */
ABUT_API abut_result abut_world_test_placements(const abut_world *world, const abut_obb2 *candidates, size_t n,
                                                const abut_placement_rules *rules, abut_placement *out);

#ifdef __cplusplus
}
#endif
#endif
