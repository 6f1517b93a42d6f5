/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random view-projection matrices, and their planes and corners in arithmetic of 113 bits. */
#ifndef ABUT_TESTS_CULLING_MATRICES_H
#define ABUT_TESTS_CULLING_MATRICES_H

#include "support/quad.h"
#include "support/rng.h"
#include <abut/frustum.h>

typedef enum matrix_kind {
    MATRIX_PERSPECTIVE,  /* off-centre by up to all of its width */
    MATRIX_INFINITE,     /* the same without a far plane */
    MATRIX_ORTHOGRAPHIC, /* the eye is at infinity */
    MATRIX_OBLIQUE, /* a tilted near plane; the far plane goes through where that meets the eye's plane, and cuts to
                       infinity at times (Lengyel, "Oblique view frustum depth projection and clipping", 2005) */
    MATRIX_KINDS
} matrix_kind;

typedef struct matrix {
    float m[16];
    abut_clip clip;
    matrix_kind kind;
} matrix;

/* from_origin: the distance of the eye; near distances are shortest to 1000 times that, far/near is at most ratio. */
matrix matrix_random(rng *r, matrix_kind kind, double from_origin, double shortest, double ratio);

/* Planes in the order of the frustum's: -x, +x, -y, +y, near, far; those at infinity (see abut/frustum.h) left out.
 * Heights of origin + x over them, in lengths. Returns how many there are. */
uint32_t matrix_heights(const matrix *given, const float origin[3], const double x[3], double height[6]);

#endif
