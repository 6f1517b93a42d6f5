/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/triangle.h"

void abut_np_triangle_make(const abut_collider *mesh, uint32_t part, abut_np_triangle *out) {
    (void)mesh, (void)part, (void)out;
}
