/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes around what is asked about, in a mesh's frame: at rest, moving in a straight line, and going round where the
 * mesh turns. */
#ifndef ABUT_NARROWPHASE_MESH_WAY_TRAVEL_H
#define ABUT_NARROWPHASE_MESH_WAY_TRAVEL_H

#include "narrowphase/mesh/seat.h"
#include "narrowphase/mesh_way/descent.h"

/* Where a shape is at some time of its way, seen from some place of the world. */
typedef struct abut_np_placed {
    abut_d3 origin, center; /* of the frame that moves and turns; of the shape */
    double axes[3][3];
} abut_np_placed;

void abut_np_placed_of(const abut_np_way *way, double time, abut_d3 from, abut_np_placed *out);

/* A box that is parallel to a shape's own axes: of a long shape that is parallel to no axis of the mesh, most of the
 * box around it is empty. */
typedef struct abut_np_slanted {
    bool holds; /* else the shape fills much of that box, and this one is not to be asked */
    abut_d3 center, axis[3];
    double half[3];
} abut_np_slanted;

/* `around` is the other box; this one is grown by the slack. */
void abut_np_slanted_of(const abut_np_seat *seat, const abut_np_bounds *around, double slack, abut_np_slanted *slanted);

/* How far the slanted box may move along its axis k until it meets bounds, and until it leaves them. */
void abut_np_slanted_span(const abut_np_slanted *slanted, int k, const abut_np_bounds *bounds, double *low,
                          double *high);

typedef struct abut_np_travel {
    abut_np_bounds box; /* at the start */
    double way[3];
    double share, grown;
    abut_np_slanted slanted; /* does not hold, unless it is set */
} abut_np_travel;

/* The box is grown by `share` of its size, of the length of its way, and of the size of what it meets. */
void abut_np_travel_of(const float min[3], const float max[3], abut_d3 way, double share, abut_np_travel *travel);

/* No later than the fraction at which it first touches the other box; INFINITY if it does not, on its way. */
double abut_np_travel_enters(const abut_np_travel *travel, const abut_np_bounds *bounds);

enum { ABUT_NP_ORBIT_BOXES = 64 };

/* What holds a convex shape as a mesh sees it that turns on its way. */
typedef struct abut_np_orbit {
    uint32_t count;
    abut_np_bounds all;                      /* around all boxes */
    abut_np_bounds box[ABUT_NP_ORBIT_BOXES]; /* box k holds the shape from k / count to (k + 1) / count of the way */
} abut_np_orbit;

/* With the tolerance of sweeps, and rounding. */
void abut_np_orbit_of(const abut_np_way *mesh, const abut_np_way *convex, abut_np_orbit *orbit);

/* No later than the fraction at which the shape first touches something in these bounds; INFINITY: never. */
double abut_np_orbit_enters(const abut_np_orbit *orbit, const abut_np_bounds *bounds);

#endif
