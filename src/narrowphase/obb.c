/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb.h"
#include "base/dd.h"
#include "base/spatial.h"
#include "narrowphase/obb_manifold.h"
#include "narrowphase/obb_separation.h"

/* Lengths are brought near 1, so that squares neither overflow nor vanish in floats. A power of two changes no
 * rotation.
 */
static abut_quat quat_in_range(abut_quat q) {
    for (;;) {
        float largest = abut_max_f(abut_max_f(fabsf(q.x), fabsf(q.y)), abut_max_f(fabsf(q.z), fabsf(q.w)));
        float factor = largest < 0x1p-10f ? 0x1p+19f : largest > 0x1p+10f ? 0x1p-19f : 1.0f;
        if (factor == 1.0f) {
            return q;
        }
        q = (abut_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
    }
}

bool abut_np_row_from_obb(const abut_obb *box, abut_np_row *row) {
    if (!box || !abut_vec3_finite(box->center) || !abut_vec3_finite(box->half) || !abut_quat_finite(box->rotation) ||
        box->half.x < 0 || box->half.y < 0 || box->half.z < 0) {
        return false;
    }
    *row = (abut_np_row){.center = box->center,
                         .half = box->half,
                         .rotation = quat_in_range(abut_quat_or_identity(box->rotation)),
                         .shape = ABUT_NP_BOX};
    return true;
}

/* An interval end: the exact sum of `center` and `offset` is moved down by `error` (a bound of what offset is off by)
 * and rounded down. Without error it is the nearest float at or below the exact sum. */
static float lower_end(double center, double offset, double error) {
    abut_dd sum = abut_dd_two_sum(center, offset);
    double rest = sum.lo - error;
    return abut_bits_round_down(rest < 0 ? sum.hi + (2 * rest - fabs(sum.hi) * 0x1p-52) : sum.hi);
}

/* What the entries of R(q) are sums of. The rounding error of an entry follows these terms, so an axis-aligned box,
 * whose terms are zero, gets bounds that are exact to the last bit. */
static void matrix_terms(abut_dquat q, double terms[3][3]) {
    double s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    double xy = s * fabs(q.x * q.y), xz = s * fabs(q.x * q.z), yz = s * fabs(q.y * q.z);
    double wx = s * fabs(q.w * q.x), wy = s * fabs(q.w * q.y), wz = s * fabs(q.w * q.z);
    terms[0][0] = yy + zz;
    terms[1][1] = xx + zz;
    terms[2][2] = xx + yy;
    terms[0][1] = terms[1][0] = xy + wz;
    terms[0][2] = terms[2][0] = xz + wy;
    terms[1][2] = terms[2][1] = yz + wx;
}

abut_aabb abut_np_obb_bounds(const abut_np_row *row) {
    abut_dquat q = abut_dquat_from(row->rotation);
    double m[3][3], terms[3][3];
    abut_dquat_matrix(q, m);
    matrix_terms(q, terms);
    abut_d3 half = abut_d3_from(row->half), center = abut_d3_from(row->center);
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double size = 0, magnitude = 0;
        for (int j = 0; j < 3; j++) {
            size += fabs(m[i][j]) * half.x[j];
            magnitude += terms[i][j] * half.x[j];
        }
        double error = magnitude > 0 ? 0x1p-49 * magnitude + 0x1p-51 * size : 0;
        low[i] = lower_end(center.x[i], -size, error);
        high[i] = 0.0f - lower_end(-center.x[i], -size, error);
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

bool abut_np_obb_overlap(const abut_np_row *a, const abut_np_row *b) {
    return !abut_np_obb_separated(a, b, 0);
}

static int compare(const float *a, const float *b, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* A total order of boxes by their own data, so that it does not matter which of the two is called a. */
static bool stands_before(const abut_np_row *a, const abut_np_row *b) {
    int order = compare(&a->half.x, &b->half.x, 3);
    order = order ? order : compare(&a->rotation.x, &b->rotation.x, 4);
    order = order ? order : compare(&a->center.x, &b->center.x, 3);
    return order <= 0;
}

bool abut_np_obb_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold) {
    if (abut_np_obb_separated(a, b, margin)) {
        return false;
    }
    if (stands_before(a, b)) {
        abut_np_obb_manifold(a, b, margin, manifold);
    } else {
        abut_np_obb_manifold(b, a, margin, manifold);
        abut_vec3 n = manifold->normal;
        manifold->normal = (abut_vec3){0.0f - n.x, 0.0f - n.y, 0.0f - n.z};
    }
    return true;
}

abut_aabb abut_obb_bounds(const abut_obb *box) {
    abut_np_row row;
    if (!abut_np_row_from_obb(box, &row)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_np_bounds(&row);
}

void abut_obb_corners(const abut_obb *box, abut_vec3 out[8]) {
    abut_np_row row;
    if (!out) {
        return;
    }
    if (!abut_np_row_from_obb(box, &row)) {
        for (int i = 0; i < 8; i++) {
            out[i] = (abut_vec3){NAN, NAN, NAN};
        }
        return;
    }
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(row.rotation), m);
    abut_d3 half = abut_d3_from(row.half), center = abut_d3_from(row.center);
    for (int i = 0; i < 8; i++) {
        abut_d3 local = {
            {i & 1 ? half.x[0] : -half.x[0], i & 2 ? half.x[1] : -half.x[1], i & 4 ? half.x[2] : -half.x[2]}};
        out[i] = abut_vec3_round(abut_d3_along(center, 1, abut_d3_rotate(m, local)));
    }
}

bool abut_obb_overlap(const abut_obb *a, const abut_obb *b) {
    abut_np_row row_a, row_b;
    return abut_np_row_from_obb(a, &row_a) && abut_np_row_from_obb(b, &row_b) && abut_np_overlap(&row_a, &row_b);
}

size_t abut_obb_overlap_many(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap) {
    size_t count = 0;
    for (size_t i = 0; a && b && overlap && i < n; i++) {
        overlap[i] = abut_obb_overlap(&a[i], &b[i]);
        count += overlap[i];
    }
    return count;
}

bool abut_obb_collide(const abut_obb *a, const abut_obb *b, float margin, abut_manifold *manifold) {
    abut_np_row row_a, row_b;
    if (!manifold || !(margin >= 0) || !abut_bits_finite(margin) || !abut_np_row_from_obb(a, &row_a) ||
        !abut_np_row_from_obb(b, &row_b)) {
        return false;
    }
    return abut_np_collide(&row_a, &row_b, margin, manifold);
}
