/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes eight by eight, as culling reads them. */
#ifndef ABUT_TESTS_SUPPORT_EIGHTS_H
#define ABUT_TESTS_SUPPORT_EIGHTS_H

#include "culling/culling.h"

/* Floats that k boxes take up. */
#define EIGHTS(k) (((k) + 7) / 8 * ABUT_CULL_EIGHT)

static inline void eights_put(float *eights, size_t k, const abut_aabb *box) {
    float *at = eights + k / 8 * ABUT_CULL_EIGHT + k % 8;
    for (int i = 0; i < 3; i++) {
        at[8 * i] = (&box->min.x)[i];
        at[8 * i + 24] = (&box->max.x)[i];
    }
}

#endif
