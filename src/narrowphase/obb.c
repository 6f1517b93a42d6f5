/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb.h"
#include "base/sharp.h"
#include "narrowphase/obb_manifold.h"
#include "narrowphase/obb_separation.h"

static abut_vec3 without_negative_zero(abut_vec3 v) {
    return (abut_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

bool abut_np_row_from_obb(const abut_obb *box, abut_np_row *row) {
    if (!box || !abut_vec3_finite(box->center) || !abut_vec3_finite(box->half) || !abut_quat_finite(box->rotation) ||
        box->half.x < 0 || box->half.y < 0 || box->half.z < 0) {
        return false;
    }
    *row = (abut_np_row){.center = without_negative_zero(box->center),
                         .half = without_negative_zero(box->half),
                         .rotation = abut_sharp_quat_in_range(abut_quat_or_identity(box->rotation)),
                         .shape = ABUT_NP_BOX};
    return true;
}

abut_aabb abut_np_obb_bounds(const abut_np_row *row) {
    double m[3][3], error = abut_sharp_is_quarter_turn(row->rotation) ? 0 : 0x1p-49;
    abut_sharp_matrix(abut_dquat_from(row->rotation), m);
    abut_d3 half = abut_d3_from(row->half), center = abut_d3_from(row->center);
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double size = fabs(m[i][0]) * half.x[0] + fabs(m[i][1]) * half.x[1] + fabs(m[i][2]) * half.x[2];
        low[i] = abut_sharp_lower_end(center.x[i], -size, error * size);
        high[i] = 0.0f - abut_sharp_lower_end(-center.x[i], -size, error * size);
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

/* Which of two boxes lies further down the axis along which their centres lie farthest apart. */
static int compare_places(const abut_vec3 *a, const abut_vec3 *b) {
    const double d[3] = {(double)b->x - a->x, (double)b->y - a->y, (double)b->z - a->z};
    int widest = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    widest = fabs(d[2]) > fabs(d[widest]) ? 2 : widest;
    return d[widest] > 0 ? -1 : d[widest] < 0;
}

/* An order of any two boxes by their own data, so that it does not matter which is called a. What jitters least comes
 * first: which one is "first" should not change while they rest on each other. */
static bool stands_before(const abut_np_row *a, const abut_np_row *b) {
    int order = compare(&a->half.x, &b->half.x, 3);
    order = order ? order : compare_places(&a->center, &b->center);
    order = order ? order : compare(&a->rotation.x, &b->rotation.x, 4);
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
