/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A walk down a mesh's tree in the order of some measure of boxes, nearest first: a distance, or when a moving box
 * meets them. */
#ifndef ABUT_NARROWPHASE_MESH_WAY_DESCENT_H
#define ABUT_NARROWPHASE_MESH_WAY_DESCENT_H

#include "narrowphase/narrowphase.h"

/* A box in double. */
typedef struct abut_np_bounds {
    double min[3], max[3];
} abut_np_bounds;

typedef struct abut_np_descent {
    const abut_mesh *mesh;
    /* No triangle in the box has a smaller measure; INFINITY: none matters. */
    double (*measure)(const abut_np_bounds *bounds, const void *context);
    /* Looks at a triangle; returns the limit from now on. */
    double (*visit)(uint32_t part, double limit, void *context);
    void *context;
} abut_np_descent;

/* Visits the triangles whose measure is at most the limit. */
void abut_np_descend(const abut_np_descent *descent, double limit);

#endif
