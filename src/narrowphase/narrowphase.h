/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The narrow phase: two shapes and their poses in, yes or no or a manifold out. It never sees the broad phase or the
 * world. */
#ifndef ABUT_NARROWPHASE_NARROWPHASE_H
#define ABUT_NARROWPHASE_NARROWPHASE_H

#include "base/bits.h"
#include "base/dd.h"
#include <abut/contact.h>
#include <abut/footprint.h>
#include <abut/hull.h>
#include <abut/obb.h>
#include <stddef.h>

typedef enum abut_np_shape { ABUT_NP_BOX, ABUT_NP_HULL, ABUT_NP_SHAPE_COUNT } abut_np_shape;

/* All that the narrow phase reads of a body, in one cache line. The floats define the shape exactly: the rotation is
 * R(q)/|q|^2. All finite, |q| within 2^+-20 of 1, half extents >= 0. */
typedef struct abut_np_row {
    _Alignas(64) abut_vec3 center;
    abut_quat rotation;
    abut_vec3 half;
    uint32_t shape;        /* abut_np_shape */
    const abut_hull *hull; /* NULL for a box */
} abut_np_row;
_Static_assert(sizeof(abut_np_row) == 64, "a row is one cache line");
_Static_assert(offsetof(abut_np_row, rotation) == offsetof(abut_obb, rotation) &&
                   offsetof(abut_np_row, half) == offsetof(abut_obb, half),
               "a row starts as a box does: kernels read both");

/* False, and the row untouched, when the box is invalid (see abut/obb.h). */
bool abut_np_row_from_obb(const abut_obb *box, abut_np_row *row);

/* The same for a hull at a pose. */
bool abut_np_row_from_hull(const abut_hull *hull, const abut_pose *pose, abut_np_row *row);

/* What an affine map makes of a box: all center + t0 edge[0] + t1 edge[1] + t2 edge[2] with |t| <= 1. Every coordinate
 * is good to its error; 0 means exact. */
typedef struct abut_np_parallelepiped {
    abut_dd center[3], edge[3][3];
    double center_error[3], edge_error[3][3];
} abut_np_parallelepiped;

/* The box with these axes (of any length > 0) that contains the parallelepiped, for certain: centre and half extents
 * are rounded to floats, the latter upward. Where nothing needs to be rounded nothing grows. Extents stay below 2^127.
 */
abut_obb abut_np_box_around(const abut_np_parallelepiped *of, abut_quat rotation);

/* Contains the exact shape. */
abut_aabb abut_np_bounds(const abut_np_row *row);

/* The bounds of many: box[index[k]] becomes min x y z, max x y z of row[index[k]], every end moved outward by `more`
 * (>= 0) and rounded outward. Where `more` is 0 the same bits as from abut_np_bounds. */
void abut_np_bounds_many(const abut_np_row *row, const uint32_t *index, size_t n, double more, float (*box)[6]);

/* Whether the closed shapes share a point. */
bool abut_np_overlap(const abut_np_row *a, const abut_np_row *b);

/* Whether no axis shows a gap over `margin` (>= 0), and the manifold if so; normal from a to b. Unused bytes of the
 * manifold are zero. Swapping a and b negates the normal and changes nothing else, unless both are the
 * same in every bit. */
bool abut_np_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold);

/* Where to look first when a pair with a hull in it is resolved: what was found there the last time. Numbers + 1 of the
 * two bodies' features, 0 for unknown. Makes the search shorter and changes no answer; any values will do. */
enum { ABUT_NP_HINT_VERTICES = 4 };
typedef struct abut_np_hint {
    uint16_t facet1[2];
    uint16_t edge1[2];
    uint16_t vertex1[2][ABUT_NP_HINT_VERTICES]; /* of b some that are deep in a, of a some that are deep in b */
} abut_np_hint;

/* n pairs: row[a[k]] and row[b[k]]. */
typedef struct abut_np_pairs {
    const abut_np_row *row;
    const uint32_t *a, *b;
    abut_np_hint *const *hint; /* hint[k] is read and written, or NULL; `hint` itself may be NULL */
    size_t n;
    size_t *second_stage; /* grows by the number of pairs that single precision did not settle, or NULL; all pairs with
                             a hull are among them, as their search begins in double */
} abut_np_pairs;

/* The same answers, bit for bit, for many pairs: hit[k] becomes 0 or 1, and manifold[k] is written where it is 1. */
void abut_np_overlap_many(const abut_np_pairs *pairs, uint8_t *hit);
void abut_np_collide_many(const abut_np_pairs *pairs, float margin, abut_manifold *manifold, uint8_t *hit);

/* The same of boxes alone, but that there are no gaps between the manifolds: they are written one after the other, each
 * `stride` bytes after the last. */
void abut_np_collide_boxes(const abut_np_pairs *pairs, float margin, abut_manifold *first, size_t stride, uint8_t *hit);

/* Finite, and no extent is negative. */
static inline bool abut_np_rectangle_valid(const abut_obb2 *r) {
    return abut_bits_finite(r->center.x) && abut_bits_finite(r->center.y) && abut_bits_finite(r->axis.x) &&
           abut_bits_finite(r->axis.y) && abut_bits_finite(r->half.x) && abut_bits_finite(r->half.y) &&
           r->half.x >= 0 && r->half.y >= 0;
}

/* A rectangle on the ground, ready to be tested against the shadows of many rows. The floats define it exactly: the
 * half extents are half + clearance, not rounded. */
typedef struct abut_np_footprint {
    abut_obb2 rectangle; /* its axis is not zero */
    float clearance;
    abut_touch touch;
    int ground[2];           /* the world's axes that the rectangle's x and y lie along */
    double axis[2], half[2]; /* the unit axis, and the half extents with the clearance, rounded */
} abut_np_footprint;

/* False, and *out untouched, when anything is invalid: NaN, infinity, a negative extent or clearance, an unknown rule.
 * `ground` holds two different axes, 0 to 2. */
bool abut_np_footprint_of(const abut_obb2 *rectangle, float clearance, abut_touch touch, const int ground[2],
                          abut_np_footprint *out);

/* Closed, and a little too large: by 2^-22 of all that is added up. Ends beyond the largest float are the largest. */
void abut_np_footprint_bounds(const abut_np_footprint *plot, float min[2], float max[2]);

/* Whether it overlaps the shadow of a row, by its rule. Exact. */
bool abut_np_footprint_meets(const abut_np_footprint *plot, const abut_np_row *row);

/* n rectangles and rows: plot[which[k]] and row[index[k]]. All rectangles have the same ground. */
typedef struct abut_np_footprint_pairs {
    const abut_np_footprint *plot;
    const abut_np_row *row;
    const uint32_t *which, *index;
    size_t n;
} abut_np_footprint_pairs;

/* The same for many: hit[k] becomes 0 or 1. */
void abut_np_footprint_meets_many(const abut_np_footprint_pairs *pairs, uint8_t *hit);

/* The shortest way out of the shadow of a row that it overlaps, rounded outward: with its centre moved by this, one
 * float addition for each coordinate, it does not overlap it. Of ways that are equally short the first wins: along the
 * rectangle's axis, across it, then along the normals of the shadow's sides in their stored order; and the positive
 * sense. {0, 0} where they do not overlap. Only where the way out leads beyond the largest float it is cut there. */
abut_vec2 abut_np_footprint_push(const abut_np_footprint *plot, const abut_np_row *row);

#endif
