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
    abut_body_id body;
    uint64_t user;
    uint32_t views;  /**< bit i: not outside frustum i */
    uint32_t inside; /**< bit i: inside frustum i altogether */
} abut_visible;

/** The bodies that are not outside all of the frusta (at most 32: cascades, faces of a cube map, split screens, cones
 * of vision), sorted by id: the same as from abut_frustum_test_obb for every body and every frustum, but that whole
 * groups of bodies are seen or passed over at once. Boxes are tested as they are, hulls by their abut_hull_obb. With a
 * filter, only the bodies that it and they let pass: as between two bodies, but that a zero category is every bit.
 *
 * Returns how many there are, and writes the first `capacity` of them; `out` may be NULL to count. Poses set since the
 * last step are seen, but cost some 20 ns each and frustum until the next step. 0 for null pointers, more than 32
 * frusta, and a filter whose category has bit 63. Quickest when `out` has room for all. The first call after a step
 * in which bodies moved costs some 15 ns for each of them more. */
ABUT_API size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count,
                                const abut_filter *filter, abut_visible *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
