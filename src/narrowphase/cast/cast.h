/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of this room.
 *
 * - cast.c: many colliders, sorted by type; in which order the stages decide.
 * - stepped.c: any two shapes, from one supporting plane to the next.
 * - place.c: where the answer is one body: position and normal. */
#ifndef ABUT_NARROWPHASE_CAST_CAST_H
#define ABUT_NARROWPHASE_CAST_CAST_H

#include "narrowphase/distance/cores.h"
#include "narrowphase/distance/kernels.h"
#include "narrowphase/narrowphase.h"

/* This times S bounds what rounding does to a distance of shapes on their way: docs/numerics.md, "Casts". */
static const double ABUT_NP_CAST_SLACK = 0x1p-46;

/* The moving shape in the frame of a body. */
typedef struct abut_np_moving {
    abut_np_cores cores; /* a: the body, b: the moving shape, at its start */
    abut_d3 along;       /* the translation */
    double radii;
    double slack; /* bounds what rounding does to a distance, beside the error of the search for it */
    double near;  /* cores that are no farther apart than this count as met */
    double end;   /* the shapes do not touch after this fraction; at most 1 */
} abut_np_moving;

void abut_np_moving_place(const abut_np_cast *cast, const abut_collider *collider, abut_np_moving *out);

/* The closest points of the cores at a fraction. */
void abut_np_moving_nearest(const abut_np_moving *m, double fraction, abut_np_nearest *out);

/* The fraction at which the shapes first touch, if they do not before `from`; INFINITY: never, or certainly after
 * `limit`. What cannot be told from touching counts as touching. `plane`, unless NULL, becomes the unit normal of the
 * last plane, in the frame of the body, that was seen between the two, towards the moving shape; it stays as it is
 * where there is none. */
double abut_np_cast_stepped(const abut_np_moving *m, double from, double limit, abut_d3 *plane);

#endif
