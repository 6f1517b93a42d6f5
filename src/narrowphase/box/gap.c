/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "narrowphase/box/box.h"

/* A box at the origin, and its axes. */
typedef struct placed_box {
    double axis[3][3]; /* by row: axis k is where the box's own axis k points */
    const float *half;
} placed_box;

static void place(const abut_collider *box, placed_box *out) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(box->rotation), m);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            out->axis[k][i] = m[i][k];
        }
    }
    out->half = &box->half.x;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The axis of the box that the direction is, rounded to floats; -1 for none. *sign becomes its sense. */
static int axis_along(const placed_box *box, abut_d3 n, double *sign) {
    for (int k = 0; k < 3; k++) {
        double s = dot(box->axis[k], n.x) < 0 ? -1 : 1, most = 0;
        for (int i = 0; i < 3; i++) {
            most = abut_max_d(most, fabs(s * box->axis[k][i] - n.x[i]));
        }
        if (most <= 0x1p-24) {
            *sign = s;
            return k;
        }
    }
    return -1;
}

/* Whether n is the normal of a face of `own`, and the corner of `other` that is nearest to the face, along n, lies over
 * it, no higher than `height`: n may be that of a face of `other`, too, to within rounding, and `height` what that face
 * shows. `to`: from the centre of `own` to that of `other`. */
static bool corner_over_face(const placed_box *own, const placed_box *other, abut_d3 n, abut_d3 to, double height) {
    double sign, corner[3] = {to.x[0], to.x[1], to.x[2]};
    int k = axis_along(own, n, &sign);
    if (k < 0) {
        return false;
    }
    for (int j = 0; j < 3; j++) {
        double down = sign * dot(own->axis[k], other->axis[j]) > 0 ? -other->half[j] : other->half[j];
        for (int i = 0; i < 3; i++) {
            corner[i] += down * other->axis[j][i];
        }
    }
    int u = (k + 1) % 3, v = (k + 2) % 3;
    return sign * dot(own->axis[k], corner) - own->half[k] <= height &&
           fabs(dot(own->axis[u], corner)) <= own->half[u] && fabs(dot(own->axis[v], corner)) <= own->half[v];
}

bool abut_np_box_gap_by_face(const abut_collider *a, const abut_collider *b, const abut_manifold *manifold,
                             float separation) {
    placed_box x, y;
    place(a, &x);
    place(b, &y);
    const abut_d3 n = abut_d3_from(manifold->normal);
    const abut_d3 to_b = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    const double height = separation * (1 + 0x1p-22);
    return corner_over_face(&x, &y, n, to_b, height) ||
           corner_over_face(&y, &x, abut_d3_negate(n), abut_d3_negate(to_b), height);
}

double abut_np_box_gap_height(const abut_collider *a, const abut_collider *b, const abut_manifold *manifold,
                              uint32_t point) {
    placed_box x, y;
    place(a, &x);
    place(b, &y);
    abut_d3 n = abut_d3_from(manifold->normal);
    double sign;
    bool on_a = axis_along(&x, n, &sign) >= 0;
    n = on_a ? n : abut_d3_negate(n);
    const placed_box *own = on_a ? &x : &y, *other = on_a ? &y : &x;
    const abut_d3 center = abut_d3_from((on_a ? a : b)->center), far = abut_d3_from((on_a ? b : a)->center);
    int k = axis_along(own, n, &sign), facing = 0;
    if (k < 0) {
        return INFINITY;
    }
    for (int j = 1; j < 3; j++) {
        facing = fabs(dot(other->axis[j], n.x)) > fabs(dot(other->axis[facing], n.x)) ? j : facing;
    }
    /* The foot of the point on the face of `own`, and the way from there to the plane of the other's face. */
    const abut_d3 at = abut_d3_sub(abut_d3_from(manifold->points[point].position), center);
    const abut_d3 foot = abut_d3_along(at, (double)own->half[k] - abut_d3_dot(at, n), n);
    const abut_d3 to_other = abut_d3_sub(abut_d3_sub(far, center), foot);
    const double along = dot(other->axis[facing], n.x), half = along > 0 ? other->half[facing] : -other->half[facing];
    return (dot(other->axis[facing], to_other.x) - half) / along;
}
