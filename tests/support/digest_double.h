/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Numbers in double as part of a digest (digest.h). Both zeros count as one, and all NaN: inside the library they may
 * differ where no answer does. */
#ifndef ABUT_TESTS_SUPPORT_DIGEST_DOUBLE_H
#define ABUT_TESTS_SUPPORT_DIGEST_DOUBLE_H

#include "base/spatial.h"
#include "support/digest.h"
#include <string.h>

static inline void digest_double(uint64_t *digest, double x) {
    uint64_t bits = UINT64_C(0x7ff8) << 48;
    const double positive = x + 0.0;
    if (x == x) {
        memcpy(&bits, &positive, sizeof bits);
    }
    digest_number(digest, bits);
}

static inline void digest_doubles(uint64_t *digest, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_double(digest, x[i]);
    }
}

static inline void digest_d3(uint64_t *digest, abut_d3 v) {
    digest_doubles(digest, v.x, 3);
}

#endif
