/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_mesh_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                        abut_np_met_visit *visit, void *context) {
    (void)a, (void)b, (void)initial, (void)allowance, (void)limit, (void)visit, (void)context;
}
