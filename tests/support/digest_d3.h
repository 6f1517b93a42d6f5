/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The library's own vectors and matrices in digests. */
#ifndef ABUT_TESTS_SUPPORT_DIGEST_D3_H
#define ABUT_TESTS_SUPPORT_DIGEST_D3_H

#include "base/spatial.h"
#include "support/digest.h"

static inline void digest_d3(uint64_t *digest, abut_d3 v) {
    digest_doubles(digest, v.x, 3);
}

static inline void digest_matrix(uint64_t *digest, double m[3][3]) {
    for (int i = 0; i < 3; i++) {
        digest_doubles(digest, m[i], 3);
    }
}

#endif
