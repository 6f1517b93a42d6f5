/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "base/dd.h"
#include "base/spatial.h"
#include "shape/box/usual.h"
#include "shape/collider.h"
#include "shape/kernels.h"

static ABUT_NOINLINE abut_aabb bounds_of_collider(const abut_obb *box) {
    abut_collider collider;
    if (!abut_collider_from_obb(box, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}

/* A single box takes the usual path of the kernel in bounds.c, operation for operation, without being made a collider.
 */
abut_aabb abut_obb_bounds(const abut_obb *box) {
#if defined(ABUT_LANES_WASM) /* goes without the quick way, for its size */
    return bounds_of_collider(box);
#else
    abut_aabb bounds = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    if (box) {
        bounds = abut_box_usual_bounds(box, 0);
        if (isnan(bounds.min.x)) {
            bounds = bounds_of_collider(box);
        }
    }
    return bounds;
#endif
}

/* Whether the kernel may read the box as it is. */
static bool is_plain(const abut_obb *box) {
    return abut_box_valid(box) && abut_collider_keeps(box->rotation);
}

abut_result abut_obb_bounds_many(const abut_obb *boxes, size_t n, abut_aabb *bounds) {
    enum { BLOCK = 256 };
    uint32_t index[BLOCK];
    if (n > 0 && (!boxes || !bounds)) {
        return ABUT_ERROR_ARGUMENT;
    }
    for (size_t first = 0; first < n; first += BLOCK) {
        uint32_t all = n - first < BLOCK ? (uint32_t)(n - first) : BLOCK, plain = 0;
        for (uint32_t k = 0; k < all; k++) {
            index[plain] = k;
            plain += is_plain(&boxes[first + k]);
        }
        abut_shape_kernels_active()->obb_bounds(boxes + first, index, plain, (float(*)[6])(void *)(bounds + first));
        for (uint32_t k = 0, next = 0; k < all && plain < all; k++) {
            if (next < plain && index[next] == k) {
                next++;
            } else {
                bounds[first + k] = bounds_of_collider(&boxes[first + k]);
            }
        }
    }
    return ABUT_OK;
}
_Static_assert(sizeof(abut_aabb) == 6 * sizeof(float), "six floats in a row");

/* The float nearest to a sum of two doubles. The first is made odd if it is not all, so that it is no tie of floats. */
static float nearest_float(abut_dd x) {
    uint64_t bits;
    memcpy(&bits, &x.hi, sizeof bits);
    if (x.lo != 0 && bits % 2 == 0) {
        bits += (x.lo > 0) == (x.hi > 0) ? 1 : UINT64_MAX;
        memcpy(&x.hi, &bits, sizeof bits);
    }
    return (float)x.hi + 0.0f;
}

/* Coordinate i of the corner whose half extents have these signs. |q|^2 times it is a sum of products of three floats.
 */
static ABUT_NOINLINE float careful_coordinate(const abut_collider *box, abut_d3 half, int i) {
    const double q[3] = {box->rotation.x, box->rotation.y, box->rotation.z}, w = box->rotation.w;
    const double c = (&box->center.x)[i];
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double ww = w * w, ii = q[i] * q[i], jj = q[j] * q[j], kk = q[k] * q[k];
    const double factor[12][2] = {{ww, c},
                                  {ii, c},
                                  {jj, c},
                                  {kk, c},
                                  {ww, half.x[i]},
                                  {ii, half.x[i]},
                                  {-jj, half.x[i]},
                                  {-kk, half.x[i]},
                                  {2 * q[i] * q[j], half.x[j]},
                                  {-2 * w * q[k], half.x[j]},
                                  {2 * q[i] * q[k], half.x[k]},
                                  {2 * w * q[j], half.x[k]}};
    double term[24], error;
    for (int t = 0; t < 12; t++) {
        const abut_dd product = abut_dd_two_product(factor[t][0], factor[t][1]);
        term[2 * t] = product.lo;
        term[2 * t + 1] = product.hi;
    }
    const abut_dd sum = abut_dd_distil(term, 24, &error);
    return nearest_float(abut_dd_div(sum, abut_dd_sum4(ww, ii, jj, kk)));
}

/* In double, where that certainly rounds to the same floats, as the sum of two floats always does: along an axis of the
 * world that is one of the box. */
void abut_obb_corners(const abut_obb *box, abut_vec3 out[8]) {
    abut_collider collider;
    if (!out) {
        return;
    }
    if (!abut_collider_from_obb(box, &collider)) {
        for (int i = 0; i < 8; i++) {
            out[i] = (abut_vec3){NAN, NAN, NAN};
        }
        return;
    }
    double m[3][3], doubt[3];
    abut_dquat_matrix(abut_dquat_from(collider.rotation), m);
    abut_d3 half = abut_d3_from(collider.half), center = abut_d3_from(collider.center);
    bool aligned = abut_quat_is_quarter_turn(collider.rotation);
    for (int k = 0; k < 3; k++) {
        bool exact = aligned || (m[k][(k + 1) % 3] == 0 && m[k][(k + 2) % 3] == 0);
        doubt[k] = exact ? 0 : abut_d3_norm1(half) * 0x1p-49 + fabs(center.x[k]) * 0x1p-52;
    }
    for (int i = 0; i < 8; i++) {
        abut_d3 local = {
            {i & 1 ? half.x[0] : -half.x[0], i & 2 ? half.x[1] : -half.x[1], i & 4 ? half.x[2] : -half.x[2]}};
        abut_d3 at = abut_d3_along(center, 1, abut_d3_rotate(m, local));
        out[i] = abut_vec3_round(at);
        for (int k = 0; k < 3; k++) {
            if ((float)(at.x[k] - doubt[k]) != (float)(at.x[k] + doubt[k])) {
                (&out[i].x)[k] = careful_coordinate(&collider, local, k);
            }
        }
    }
}
