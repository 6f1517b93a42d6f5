/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How far a shape must go until it is apart from a triangle that its core pierces. With a radius the way of the core
 * and the radius are not enough where the core leans over a side of the triangle. */
#ifndef ABUT_NARROWPHASE_PATCH_PARTING_H
#define ABUT_NARROWPHASE_PATCH_PARTING_H

#include "narrowphase/mesh/seat.h"

typedef struct abut_np_parting {
    double way; /* along the normal */
    abut_d3 on; /* the point of the triangle that the shape touches last */
} abut_np_parting;

/* Along a normal of the mesh's frame, along which `enough` parts them certainly. */
void abut_np_parting_of(const abut_np_seat *seat, uint32_t part, abut_d3 in_mesh, double enough, abut_np_parting *out);

#endif
