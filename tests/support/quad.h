/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* 113 bits under the name `quad`, where the compiler has them: + - * / and comparisons only, so that no libquadmath is
 * needed. QUAD_AVAILABLE: whether they are real; otherwise everything compiles, but results are meaningless. */
#ifndef ABUT_TESTS_SUPPORT_QUAD_H
#define ABUT_TESTS_SUPPORT_QUAD_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
#  define QUAD_AVAILABLE 1
typedef long double quad;
#elif defined(__SIZEOF_FLOAT128__)
#  define QUAD_AVAILABLE 1
__extension__ typedef __float128 quad;
#else
#  define QUAD_AVAILABLE 0
typedef long double quad;
#endif

static inline quad quad_abs(quad x) {
    return x < 0 ? -x : x;
}

/* Newton's steps from the double root; 0 for x <= 0. */
static inline quad quad_sqrt(quad x, double start) {
    if (!(x > 0)) {
        return 0;
    }
    quad root = start;
    for (int i = 0; i < 3; i++) {
        root = (root + x / root) / 2;
    }
    return root;
}

#endif
