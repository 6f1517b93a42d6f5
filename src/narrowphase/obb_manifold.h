/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where two boxes touch, once it is known that they do. */
#ifndef ABUT_NARROWPHASE_OBB_MANIFOLD_H
#define ABUT_NARROWPHASE_OBB_MANIFOLD_H

#include "narrowphase/narrowphase.h"

/* For a pair with no gap over `margin`. The normal points from a to b. */
void abut_np_obb_manifold(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold);

#endif
