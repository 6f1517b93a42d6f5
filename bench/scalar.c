/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "scalar.h"
#include <math.h>

scalar_box scalar_box_of(const abut_obb *box) {
    float x = box->rotation.x, y = box->rotation.y, z = box->rotation.z, w = box->rotation.w;
    return (scalar_box){
        .center = {box->center.x, box->center.y, box->center.z},
        .axis = {{1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y + w * z), 2.0f * (x * z - w * y)},
                 {2.0f * (x * y - w * z), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z + w * x)},
                 {2.0f * (x * z + w * y), 2.0f * (y * z - w * x), 1.0f - 2.0f * (x * x + y * y)}},
        .half = {box->half.x, box->half.y, box->half.z},
    };
}

abut_aabb scalar_bounds(const abut_obb *box) {
    scalar_box b = scalar_box_of(box);
    float low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        float extent = 0.0f;
        for (int k = 0; k < 3; ++k) {
            extent += fabsf(b.axis[k][i]) * b.half[k];
        }
        low[i] = b.center[i] - extent;
        high[i] = b.center[i] + extent;
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static float dot(const float u[3], const float v[3]) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* r[i][j]: axis i of a along axis j of b; s: its absolute value, with the usual small number added so that the cross
 * product of parallel edges, which is only rounding error, separates nothing. t: from centre to centre, along the axes
 * of a. */
static bool parted_by_edges(const float a[3], const float b[3], const float t[3], float r[3][3], float s[3][3]) {
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            float reach = a[i1] * s[i2][j] + a[i2] * s[i1][j] + b[j1] * s[i][j2] + b[j2] * s[i][j1];
            if (fabsf(t[i2] * r[i1][j] - t[i1] * r[i2][j]) > reach) {
                return true;
            }
        }
    }
    return false;
}

bool scalar_overlap(const scalar_box *a, const scalar_box *b) {
    float r[3][3], s[3][3], t[3];
    const float d[3] = {b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2]};
    for (int i = 0; i < 3; ++i) {
        t[i] = dot(d, a->axis[i]);
        for (int j = 0; j < 3; ++j) {
            r[i][j] = dot(a->axis[i], b->axis[j]);
            s[i][j] = fabsf(r[i][j]) + 1e-6f;
        }
        if (fabsf(t[i]) > a->half[i] + dot(b->half, s[i])) {
            return false;
        }
    }
    for (int j = 0; j < 3; ++j) {
        float reach = b->half[j] + a->half[0] * s[0][j] + a->half[1] * s[1][j] + a->half[2] * s[2][j];
        if (fabsf(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j]) > reach) {
            return false;
        }
    }
    return !parted_by_edges(a->half, b->half, t, r, s);
}

void scalar_overlap_boxes(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap) {
    for (size_t i = 0; i < n; ++i) {
        scalar_box box_a = scalar_box_of(&a[i]), box_b = scalar_box_of(&b[i]);
        overlap[i] = scalar_overlap(&box_a, &box_b);
    }
}

void scalar_overlap_matrices(const scalar_box *a, const scalar_box *b, size_t n, uint8_t *overlap) {
    for (size_t i = 0; i < n; ++i) {
        overlap[i] = scalar_overlap(&a[i], &b[i]);
    }
}
