/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta of matrices: a box with a corner plainly inside is not outside, one that is wholly behind a plane of the
 * matrix is not inside, and boxes in a list are as each alone. Plainly: by more than the rounding of long double. */
#include "fuzz/input.h"

enum { BOXES = 24 };

typedef struct camera {
    float m[16];
    abut_clip clip;
} camera;

/* By how much a point is inside the plane of the clip volume that it is least inside of, in parts of the numbers added
 * up; negative: outside. */
static long double inside(const camera *c, const long double p[3]) {
    long double clip[4], size[4], least = 1;
    for (int row = 0; row < 4; row++) {
        const long double part[4] = {(long double)c->m[row] * p[0], (long double)c->m[4 + row] * p[1],
                                     (long double)c->m[8 + row] * p[2], c->m[12 + row]};
        clip[row] = part[0] + part[1] + part[2] + part[3];
        size[row] = fabsl(part[0]) + fabsl(part[1]) + fabsl(part[2]) + fabsl(part[3]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const bool half = axis == 2 && c->clip != ABUT_CLIP_NEG_ONE_TO_ONE;
        const long double of = size[axis] + size[3];
        const long double low = half ? clip[2] : clip[3] + clip[axis], high = clip[3] - clip[axis];
        const long double worst = low < high ? low : high;
        const long double part = of > 0 ? worst / of : -1;
        least = part < least ? part : least;
    }
    return least;
}

/* A corner of a box that is not turned; `k` 0 to 7. */
static long double inside_at_corner(const camera *c, const abut_obb *box, int k) {
    const long double p[3] = {(long double)box->center.x + (k & 1 ? 1 : -1) * (long double)box->half.x,
                              (long double)box->center.y + (k & 2 ? 1 : -1) * (long double)box->half.y,
                              (long double)box->center.z + (k & 4 ? 1 : -1) * (long double)box->half.z};
    return inside(c, p);
}

static void check_box(const camera *c, const abut_obb *box, abut_side side) {
    const long double certain = 0x1p-40L, center[3] = {box->center.x, box->center.y, box->center.z};
    if (inside(c, center) > certain) {
        fuzz_check(side != ABUT_OUTSIDE);
    }
    for (int k = 0; k < 8; k++) {
        if (inside_at_corner(c, box, k) < -certain) {
            fuzz_check(side != ABUT_INSIDE);
        }
    }
}

static bool is_valid(const abut_obb *box) {
    return isfinite(box->center.x + box->center.y + box->center.z) && isfinite(box->half.x + box->half.y + box->half.z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    camera c;
    abut_obb box[BOXES];
    uint32_t visible[BOXES], n = 0;
    abut_frustum frustum;
    const uint8_t kind = take_u8(&in);
    c.clip = (abut_clip)(kind % 4);
    for (int i = 0; i < 16; i++) {
        c.m[i] = kind & 8 ? take_float(&in) : take_number(&in);
        c.m[i] *= kind & 16 ? ldexpf(1, (int8_t)take_u8(&in) / 4) : 1;
    }
    if (abut_frustum_from_matrix(c.m, c.clip, &frustum) != ABUT_OK) {
        return 0;
    }
    while (n < BOXES && in.size > 0) {
        const float scale = ldexpf(1, (int8_t)take_u8(&in) / 8);
        const abut_vec3 at = take_vec3(&in), half = take_vec3(&in);
        box[n++] = (abut_obb){{at.x * scale, at.y * scale, at.z * scale},
                              {0, 0, 0, 1},
                              {fabsf(half.x) * scale, fabsf(half.y) * scale, fabsf(half.z) * scale}};
    }
    const size_t count = abut_frustum_cull_obbs(&frustum, box, n, visible);
    size_t next = 0;
    for (uint32_t i = 0; i < n; i++) {
        const abut_side side = abut_frustum_test_obb(&frustum, &box[i]);
        const bool listed = next < count && visible[next] == i;
        next += listed;
        fuzz_check(listed == (side != ABUT_OUTSIDE));
        if (is_valid(&box[i])) {
            check_box(&c, &box[i], side);
        }
    }
    fuzz_check(next == count);
    return 0;
}
