/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta of matrices: a box whose middle is plainly inside all planes of the matrix is not outside, one with a corner
 * plainly behind a plane is not inside, and boxes in a list are as each alone. Plainly: by more than rounding. */
#include "fuzz/input.h"

enum { BOXES = 24 };

typedef struct camera {
    float m[16];
    abut_clip clip;
} camera;

/* The plane of a side of the clip volume: n . p + d >= 0 inside. */
typedef struct side {
    long double n[3], d;
    bool vague; /* n is what cancels of a difference of rows: the library may take it as zero */
} side;

static side side_of(const camera *c, int axis, bool high) {
    const bool from_zero = axis == 2 && !high && c->clip != ABUT_CLIP_NEG_ONE_TO_ONE;
    side s;
    long double length = 0, before = 0;
    for (int k = 0; k < 4; k++) {
        const long double x = c->m[4 * k + axis], w = from_zero ? 0 : c->m[4 * k + 3], sum = high ? w - x : w + x;
        *(k < 3 ? &s.n[k] : &s.d) = sum;
        length += k < 3 ? fabsl(sum) : 0;
        before += k < 3 ? fabsl(x) + fabsl(w) : 0;
    }
    s.vague = length < 0x1p-20L * before;
    return s;
}

/* By how much a point of a box, center + sign * half, is inside the side that it is least inside of, in parts of all
 * distances along its normal that are added up: of the plane, of the box and of the frustum's origin. Negative:
 * outside. The box is not turned. */
static long double inside(const camera *c, const abut_frustum *frustum, const abut_obb *box, const int sign[3],
                          bool all) {
    const float *center = &box->center.x, *half = &box->half.x;
    long double least = 1;
    for (int k = 0; k < 6; k++) {
        const side s = side_of(c, k / 2, k % 2);
        long double depth = s.d, size = fabsl(s.d);
        for (int i = 0; i < 3; i++) {
            depth += s.n[i] * ((long double)center[i] + sign[i] * (long double)half[i]);
            size += fabsl(s.n[i]) * ((long double)fabsf(center[i]) + half[i] + fabsf(frustum->origin[i]));
        }
        const long double part = size > 0 && (all || !s.vague) ? depth / size : 1;
        least = part < least ? part : least;
    }
    return least;
}

static void check_box(const camera *c, const abut_frustum *frustum, const abut_obb *box, abut_side found) {
    static const int middle[3] = {0, 0, 0};
    const long double plain = 0x1p-40L;
    if (inside(c, frustum, box, middle, true) > plain) {
        fuzz_check(found != ABUT_OUTSIDE);
    }
    for (int k = 0; k < 8; k++) {
        const int corner[3] = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
        fuzz_check(found != ABUT_INSIDE || inside(c, frustum, box, corner, false) >= -plain);
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
        const abut_side found = abut_frustum_test_obb(&frustum, &box[i]);
        const bool listed = next < count && visible[next] == i;
        next += listed;
        fuzz_check(listed == (found != ABUT_OUTSIDE));
        if (is_valid(&box[i])) {
            check_box(&c, &frustum, &box[i], found);
        }
    }
    fuzz_check(next == count);
    return 0;
}
