/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes eight by eight, as culling reads them. */
#ifndef ABUT_TESTS_SUPPORT_EIGHTS_H
#define ABUT_TESTS_SUPPORT_EIGHTS_H

#include "culling/culling.h"
#include <abut/obb.h>
#include <math.h>

/* Floats that k boxes take up. */
#define EIGHTS(k) (((k) + 7) / 8 * ABUT_CULL_EIGHT)

static inline void eights_put(float *eights, size_t k, const abut_aabb *box) {
    float *at = eights + k / 8 * ABUT_CULL_EIGHT + k % 8;
    for (int i = 0; i < 3; i++) {
        at[8 * i] = (&box->min.x)[i];
        at[8 * i + 24] = (&box->max.x)[i];
    }
}

/* The box and the sphere that the search tree would have of a rounded box. */
static inline void eights_put_round(float *eights, size_t k, const abut_cull_round *x) {
    const float *c = &x->core.center.x, *h = &x->core.half.x;
    abut_aabb box = abut_obb_bounds(&x->core);
    float size = 0;
    for (int i = 0; i < 3; i++) {
        float *min = &box.min.x + i, *max = &box.max.x + i;
        *min = nextafterf(*min - x->radius, -INFINITY);
        *max = nextafterf(*max + x->radius, INFINITY);
        size += fabsf(c[i]) + h[i] + x->radius;
    }
    eights_put(eights, k, &box);
    eights[k / 8 * ABUT_CULL_EIGHT + k % 8 + 56] =
        (sqrtf(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) + x->radius) * (1 + 0x1p-20f) + 0x1p-20f * size;
}

/* What they say of one body. */
typedef struct eights_verdict {
    bool inside, open;
} eights_verdict;

static inline eights_verdict eights_ask(const abut_cull_view *view, const abut_cull_round *x) {
    static const float none[1];
    static const uint32_t first[1];
    const uint8_t all = (uint8_t)((1u << view->plane_count) - 1);
    float eights[ABUT_CULL_EIGHT] = {0};
    uint8_t inside, open;
    eights_put_round(eights, 5, x);
    abut_cull_bodies_of_nodes(view, &(abut_cull_nodes){eights, none, first, &all, 1}, &inside, &open);
    return (eights_verdict){inside >> 5 & 1, open >> 5 & 1};
}

#endif
