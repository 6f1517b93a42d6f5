/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/accurate.h"
#include "narrowphase/footprint/footprint.h"

/* A rectangle against the shadow of a box, or against another rectangle: zonogons with three generators and with two.
 * Neither is grown. */

/* The error bound of the double stage, times S: docs/numerics.md, "Footprints". */
static const double SLACK = 0x1p-43;

enum { SEPARATED = 1 << 30 };

/* The axes that double precision cannot decide, one bit each; 0 if the two certainly overlap, SEPARATED if one axis
 * certainly shows a gap over `grow`. */
static ABUT_INLINE uint32_t axes_of(const abut_np_shadow *s, const double half[2], const double *extent, int count,
                                    double grow) {
    double size = fabs(s->base[0]) + fabs(s->base[1]) + half[0] + half[1] + grow, rx = half[0], ry = half[1];
    double ax[3], ay[3];
    for (int k = 0; k < count; k++) {
        ax[k] = fabs(s->x[k]);
        ay[k] = fabs(s->y[k]);
        rx += extent[k] * ax[k];
        ry += extent[k] * ay[k];
        size += extent[k] * (ax[k] + ay[k]);
    }
    double slack = SLACK * size;
    double gap_x = fabs(s->base[0]) - rx, gap_y = fabs(s->base[1]) - ry;
    if (gap_x - grow > slack || gap_y - grow > slack) {
        return SEPARATED;
    }
    uint32_t open = (uint32_t)(gap_x >= -slack) | (uint32_t)(gap_y >= -slack) << 1;
    for (int k = 0; k < count; k++) {
        double x = s->x[k], y = s->y[k], radius = half[0] * ay[k] + half[1] * ax[k], own = slack * (ax[k] + ay[k]);
        for (int l = 0; l < count; l++) {
            radius += l == k ? 0 : extent[l] * fabs(s->x[l] * y - s->y[l] * x);
        }
        double gap = fabs(s->base[0] * y - s->base[1] * x) - radius;
        if ((grow > 0 ? gap - grow * sqrt(x * x + y * y) : gap) > own) {
            return SEPARATED;
        }
        open |= (uint32_t)(gap >= -own && own > 0) << (k + 2);
    }
    return open;
}

/* Two rectangles whose sides are parallel to the ground's axes: `offset` is the vector from centre to centre, `half`
 * and `extent` are their half extents along these axes. The gaps are sums of a few floats, computed so that their signs
 * are exact.
 */
static void aligned_gaps(const abut_dd offset[2], const float half[2], const float extent[2], abut_dd gap[2]) {
    for (int i = 0; i < 2; i++) {
        abut_dd sum = abut_dd_add(abut_dd_from(half[i]), abut_dd_from(extent[i]));
        gap[i] = abut_dd_sub(abut_dd_abs(offset[i]), sum);
    }
}

static bool aligned_free(const abut_dd gap[2], abut_touch touch) {
    return abut_np_clear(gap[0].hi, 0, touch) || abut_np_clear(gap[1].hi, 0, touch);
}

static bool is_aligned(abut_vec2 axis) {
    return axis.x == 0 || axis.y == 0;
}

/* The half extents of an aligned rectangle along the ground's axes. */
static abut_vec2 aligned_half(const abut_obb2 *r) {
    return r->axis.y == 0 ? r->half : (abut_vec2){r->half.y, r->half.x};
}

/* The half extent along the world's axis i of a box whose rotation is a quarter turn. */
static float extent_along(const abut_collider *collider, double m[3][3], int i) {
    const float *half = &collider->half.x;
    return m[i][0] != 0 ? half[0] : m[i][1] != 0 ? half[1] : half[2];
}

bool abut_np_footprint_aligned_gaps(const abut_np_footprint *footprint, const abut_collider *collider, abut_dd gap[2]) {
    const abut_vec3 shape = collider->half;
    bool is_point = shape.x == 0 && shape.y == 0 && shape.z == 0;
    if (!is_aligned(footprint->rectangle.axis) || !(is_point || abut_quat_is_quarter_turn(collider->rotation))) {
        return false;
    }
    const float *center = &collider->center.x;
    int i = footprint->ground[0], j = footprint->ground[1];
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(collider->rotation), m);
    abut_vec2 own = aligned_half(&footprint->rectangle);
    const abut_dd offset[2] = {abut_dd_two_sum(center[i], -(double)footprint->rectangle.center.x),
                               abut_dd_two_sum(center[j], -(double)footprint->rectangle.center.y)};
    const float half[2] = {own.x, own.y};
    const float extent[2] = {extent_along(collider, m, i), extent_along(collider, m, j)};
    aligned_gaps(offset, half, extent, gap);
    return true;
}

static ABUT_INLINE uint32_t axes_in_double(const abut_np_footprint *footprint, const abut_collider *collider,
                                           const abut_np_shadow *shadow, double grow) {
    const double extent[3] = {collider->half.x, collider->half.y, collider->half.z};
    return axes_of(shadow, footprint->half, extent, 3, grow);
}

abut_np_verdict abut_np_footprint_verdict_box(const abut_np_footprint *footprint, const abut_collider *collider,
                                              const abut_np_shadow *shadow, double grow) {
    uint32_t open = axes_in_double(footprint, collider, shadow, grow);
    return open == 0 ? ABUT_NP_TOUCHING : open == SEPARATED ? ABUT_NP_APART : ABUT_NP_UNDECIDED;
}

bool abut_np_footprint_meets_box(const abut_np_footprint *footprint, const abut_collider *collider) {
    abut_np_shadow shadow;
    abut_np_shadow_of(footprint, collider, &shadow);
    uint32_t open = axes_in_double(footprint, collider, &shadow, 0);
    if (open == 0 || open == SEPARATED) {
        return open == 0;
    }
    abut_dd gap[2];
    if (abut_np_footprint_aligned_gaps(footprint, collider, gap)) {
        return !aligned_free(gap, footprint->touch);
    }
    abut_np_shadow_dd accurate;
    abut_np_shadow_dd_of(footprint, collider, &accurate);
    return !abut_np_zonogon_free(&accurate, &collider->half.x, open, footprint->touch);
}

static ABUT_NOINLINE bool rectangles_overlap_exactly(const abut_obb2 *given_a, const abut_obb2 *given_b, uint32_t open,
                                                     abut_touch touch) {
    abut_obb2 a = *given_a, b = *given_b;
    a.axis.x = a.axis.x == 0 && a.axis.y == 0 ? 1 : a.axis.x;
    b.axis.x = b.axis.x == 0 && b.axis.y == 0 ? 1 : b.axis.x;
    if (is_aligned(a.axis) && is_aligned(b.axis)) {
        abut_vec2 ha = aligned_half(&a), hb = aligned_half(&b);
        const abut_dd offset[2] = {abut_dd_two_sum(b.center.x, -(double)a.center.x),
                                   abut_dd_two_sum(b.center.y, -(double)a.center.y)};
        const float half[2] = {ha.x, ha.y}, extent[2] = {hb.x, hb.y};
        abut_dd gap[2];
        aligned_gaps(offset, half, extent, gap);
        return !aligned_free(gap, touch);
    }
    abut_np_shadow_dd accurate;
    abut_np_shadow_dd_of_rectangle(&a, &b, &accurate);
    const float extent[3] = {b.half.x, b.half.y, 0};
    return !abut_np_zonogon_free(&accurate, extent, open, touch);
}

bool abut_obb2_overlap(const abut_obb2 *a, const abut_obb2 *b, abut_touch touch) {
    if (!a || !b || (touch != ABUT_TOUCH_IS_OVERLAP && touch != ABUT_TOUCH_IS_FREE) || !abut_np_rectangle_valid(a) ||
        !abut_np_rectangle_valid(b)) {
        return false;
    }
    double u[2], v[2];
    abut_np_footprint_axis(a->axis, u);
    abut_np_footprint_axis(b->axis, v);
    double dx = (double)b->center.x - a->center.x, dy = (double)b->center.y - a->center.y;
    double c = u[0] * v[0] + u[1] * v[1], s = u[0] * v[1] - u[1] * v[0];
    const abut_np_shadow shadow = {.base = {u[0] * dx + u[1] * dy, u[0] * dy - u[1] * dx}, .x = {c, -s}, .y = {s, c}};
    const double half[2] = {a->half.x, a->half.y}, extent[2] = {b->half.x, b->half.y};
    uint32_t open = axes_of(&shadow, half, extent, 2, 0);
    if (open == 0 || open == SEPARATED) {
        return open == 0;
    }
    return rectangles_overlap_exactly(a, b, open, touch);
}
