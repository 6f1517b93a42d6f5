/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

bool abut_np_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                   abut_np_met *met) {
    (void)a;
    (void)b;
    (void)initial;
    (void)allowance;
    (void)limit;
    (void)met;
    return false;
}
