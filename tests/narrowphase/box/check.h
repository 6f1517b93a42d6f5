/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Checks what must hold for every manifold of two boxes, in double and with the depths of the exact oracle. */
#ifndef ABUT_TESTS_NARROWPHASE_MANIFOLD_CHECK_H
#define ABUT_TESTS_NARROWPHASE_MANIFOLD_CHECK_H

#include "support/oracle.h"
#include <abut/obb.h>

/* NULL if the manifold is right, else what is wrong with it. `truth`: the oracle's answer for the pair. */
const char *manifold_fault(const abut_obb *a, const abut_obb *b, const oracle_gap *truth, float margin,
                           const abut_manifold *manifold);

/* Whether the normal is that of a face of a or of b, to 1e-6. */
bool manifold_has_face_normal(const abut_obb *a, const abut_obb *b, const abut_manifold *manifold);

/* Whether x and y differ as they must when a and b are swapped: the normal is negated, every other bit is the same. */
bool manifold_is_swapped(const abut_manifold *x, const abut_manifold *y);

/* The least separation of its points. */
float manifold_least(const abut_manifold *manifold);

#endif
