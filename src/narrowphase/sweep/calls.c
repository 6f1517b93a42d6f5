/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

bool abut_shape_sweep(const abut_shape *a, const abut_pose *from_a, const abut_pose *to_a, const abut_shape *b,
                      const abut_pose *from_b, const abut_pose *to_b, abut_initial initial, abut_hit *hit) {
    (void)a;
    (void)from_a;
    (void)to_a;
    (void)b;
    (void)from_b;
    (void)to_b;
    (void)initial;
    (void)hit;
    return false;
}
