/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/digest_doubles.h"
#include <string.h>

void digest_double(uint64_t *digest, double value) {
    uint64_t bits = UINT64_C(0x7ff8) << 48;
    const double plain = value + 0.0;
    if (value == value) {
        memcpy(&bits, &plain, sizeof bits);
    }
    digest_number(digest, bits);
}

void digest_doubles(uint64_t *digest, const double *value, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_double(digest, value[i]);
    }
}

void digest_d3(uint64_t *digest, abut_d3 v) {
    digest_doubles(digest, v.x, 3);
}

void digest_matrix(uint64_t *digest, double m[3][3]) {
    for (int i = 0; i < 3; i++) {
        digest_doubles(digest, m[i], 3);
    }
}
