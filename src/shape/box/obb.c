/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
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
    abut_aabb bounds;
    return box && abut_box_usual_bounds(box, &bounds) ? bounds : bounds_of_collider(box);
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
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(collider.rotation), m);
    abut_d3 half = abut_d3_from(collider.half), center = abut_d3_from(collider.center);
    for (int i = 0; i < 8; i++) {
        abut_d3 local = {
            {i & 1 ? half.x[0] : -half.x[0], i & 2 ? half.x[1] : -half.x[1], i & 4 ? half.x[2] : -half.x[2]}};
        out[i] = abut_vec3_round(abut_d3_along(center, 1, abut_d3_rotate(m, local)));
    }
}
