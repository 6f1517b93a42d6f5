/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Which bodies of a world are visible to cameras. */
#ifndef ABUT_CULL_H
#define ABUT_CULL_H

#include <abut/body.h>
#include <abut/frustum.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body that is visible in at least one frustum. */
typedef struct abut_visible {
    abut_body_id body; /**< the body */
    uint64_t user;     /**< its current user data */
    uint32_t views;    /**< bit i: not outside frustum i */
    uint32_t inside;   /**< bit i: entirely inside frustum i */
} abut_visible;

/** Finds the bodies that are not outside all of `count` frusta, 1 to 32 (cascades, faces of a cube map, split screens,
 * cones of vision), sorted by id. The answers are those of abut_frustum_test_obb for every body and every frustum, but
 * whole groups of bodies are accepted or rejected at once. Boxes are tested as they are, hulls by their abut_hull_obb,
 * meshes by the box abut_mesh_bounds, both placed and rounded outward to floats. A body with a radius is visible where
 * the distance between frustum and core is at most the radius (rounding can only keep a body: about 1e-13 of the
 * distances), and inside where all of it is. `filter`: only bodies that pass, by the body-against-body rule; here a
 * zero category means all bits. NULL: all bodies.
 *
 * Writes the first `capacity` visible bodies to `out`, which may be NULL to count, and returns how many there are in
 * all. On an error it writes nothing and returns 0: a null pointer, no frustum or more than 32, a filter whose category
 * has bit 63.
 *
 * Current poses count, whether or not a step has seen them. Cost: about that of the visible bodies and those along the
 * border of a frustum; some 2 us for 100 visible bodies out of 2,000. The first question of any kind after a change
 * also brings up to date what all questions walk: see abut_world_refresh in query.h. 2,000 bodies that have all moved:
 * 30 us once. Fastest when `out` has room for all visible bodies. It allocates nothing; any number of threads may call
 * it at the same time.
 *
 * With two frusta or more, and some 8,000 bodies or more near them, the call runs on the world's workers (parallel.h).
 * For that `out` must have room for half of all bodies and for all that are visible; it is fastest with room for the
 * visible ones plus half of all. What lies in `out` behind the answer may then be overwritten. */
ABUT_API size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count,
                                const abut_filter *filter, abut_visible *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
