/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Numbers in digests that may be NaN, of which no two machines have the same bits, or doubles, of which the halves lie
 * in either order. */
#ifndef ABUT_TESTS_SUPPORT_DIGEST_FLOATS_H
#define ABUT_TESTS_SUPPORT_DIGEST_FLOATS_H

#include "support/digest.h"
#include <string.h>

static inline void digest_float(uint64_t *digest, float value) {
    uint32_t bits = UINT32_C(0x7fc00000);
    if (value == value) {
        memcpy(&bits, &value, sizeof bits);
    }
    digest_number(digest, bits);
}

static inline void digest_floats(uint64_t *digest, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_float(digest, values[i]);
    }
}

static inline void digest_double(uint64_t *digest, double value) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value) {
        memcpy(&bits, &value, sizeof bits);
    }
    digest_number(digest, bits ^ bits >> 32);
}

static inline void digest_doubles(uint64_t *digest, const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_double(digest, values[i]);
    }
}

static inline void digest_box(uint64_t *digest, const abut_obb *box) {
    digest_floats(digest, &box->center.x, 3);
    digest_floats(digest, &box->rotation.x, 4);
    digest_floats(digest, &box->half.x, 3);
}

static inline void digest_bounds(uint64_t *digest, const abut_aabb *bounds) {
    digest_floats(digest, &bounds->min.x, 3);
    digest_floats(digest, &bounds->max.x, 3);
}

#endif
