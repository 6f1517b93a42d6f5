/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A box that moves in a straight line, in a mesh's frame. */
#ifndef ABUT_NARROWPHASE_MESH_TRAVEL_H
#define ABUT_NARROWPHASE_MESH_TRAVEL_H

#include "narrowphase/mesh/descent.h"

typedef struct abut_np_travel {
    abut_np_bounds box; /* at the start */
    double way[3];
    double share;
} abut_np_travel;

/* The box is grown by `share` of its size, of the length of its way, and of the size of what it meets. */
void abut_np_travel_of(const float min[3], const float max[3], abut_d3 way, double share, abut_np_travel *travel);

/* No later than the fraction at which it first touches the other box; INFINITY if it does not, on its way. */
double abut_np_travel_enters(const abut_np_travel *travel, const abut_np_bounds *bounds);

#endif
