/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Which bodies of a world the cameras see. */
#ifndef ABUT_CULL_H
#define ABUT_CULL_H

#include <abut/body.h>
#include <abut/frustum.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body that at least one frustum sees. */
typedef struct abut_visible {
    abut_body_id body; /**< who is seen */
    uint64_t user;     /**< its user data, as it is now */
    uint32_t views;    /**< bit i: not outside frustum i */
    uint32_t inside;   /**< bit i: inside frustum i altogether */
} abut_visible;

/** The bodies that are not outside all of the frusta (at most 32: cascades, faces of a cube map, split screens, cones
 * of vision), sorted by id: the same as from abut_frustum_test_obb for every body and every frustum, but that whole
 * groups of bodies are seen or passed over at once. Boxes are tested as they are, hulls by their abut_hull_obb. With a
 * filter, only the bodies that it and they let pass: as between two bodies, but that a zero category is every bit.
 *
 * Returns how many there are, and writes the first `capacity` of them; `out` may be NULL to count. 0 for null pointers,
 * more than 32 frusta, and a filter whose category has bit 63. Poses set since the last step are seen; until the next
 * one such bodies are looked at one by one, about 5 ns each and frustum. So are all bodies once more than a quarter of
 * them have moved, until that has cost as much as an index: after some eight calls one makes it, for about 20 ns a
 * body, in memory that the world has reserved. Quickest when `out` has room for all. */
ABUT_API size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count,
                                const abut_filter *filter, abut_visible *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
