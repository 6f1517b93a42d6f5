/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_mesh_overlaps(const abut_collider *mesh, const abut_collider *convex, abut_np_triangle_visit *visit,
                           void *context) {
    (void)mesh, (void)convex, (void)visit, (void)context;
}
