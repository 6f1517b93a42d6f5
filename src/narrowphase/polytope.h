/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A convex polytope as the pair tests read it: the arrays of a hull, or those of a box made on the stack. And two of
 * them, each as the other's frame sees it. */
#ifndef ABUT_NARROWPHASE_POLYTOPE_H
#define ABUT_NARROWPHASE_POLYTOPE_H

#include "base/spatial.h"
#include "hull/hull.h"
#include "narrowphase/narrowphase.h"

/* The arrays are those that hull.h describes under the same names. */
typedef struct abut_np_polytope {
    const float *coordinate[3], *rough[4];
    const abut_hull_plane *plane;
    const abut_hull_edge *edges;
    const abut_hull_face *faces;
    const uint16_t *loop, *sides, *face_of;
    const uint16_t *rim_first, *rim;
    uint32_t vertex_count, facet_count, edge_count, face_count;
    abut_d3 center; /* of mass, in its own frame */
    double radius;  /* no vertex is farther from the origin of its frame */
    double extent;  /* the sum of the half extents of a box around it */
} abut_np_polytope;

/* Storage behind the polytope of a box. */
typedef struct abut_np_box_arrays {
    float coordinate[3][ABUT_HULL_PAD], rough[4][ABUT_HULL_PAD];
    abut_hull_plane plane[6];
    abut_hull_face faces[6];
} abut_np_box_arrays;

/* `arrays` must live as long as the result is used when the row is a box. Vertex and face numbers of a box: feature.h.
 */
abut_np_polytope abut_np_polytope_of(const abut_np_row *row, abut_np_box_arrays *arrays);

/* One polytope's facets against the other's vertices. */
typedef struct abut_np_side {
    const abut_np_polytope *own, *other;
    double turn[3][3]; /* turns a direction of own's frame into other's */
    abut_d3 origin;    /* of other's frame, in own's */
} abut_np_side;

typedef struct abut_np_polytope_pair {
    abut_np_side side[2]; /* 0: the facets of a, 1: those of b */
    double size;          /* S: |D|_1 plus both radii */
} abut_np_polytope_pair;

void abut_np_polytope_pair_build(const abut_np_row *row_a, const abut_np_polytope *a, const abut_np_row *row_b,
                                 const abut_np_polytope *b, abut_np_polytope_pair *pair);

static inline abut_d3 abut_np_vertex(const abut_np_polytope *p, uint32_t v) {
    return (abut_d3){{p->coordinate[0][v], p->coordinate[1][v], p->coordinate[2][v]}};
}

static inline abut_d3 abut_np_turned(const abut_np_side *side, abut_d3 d) {
    return (abut_d3){{side->turn[0][0] * d.x[0] + side->turn[0][1] * d.x[1] + side->turn[0][2] * d.x[2],
                      side->turn[1][0] * d.x[0] + side->turn[1][1] * d.x[1] + side->turn[1][2] * d.x[2],
                      side->turn[2][0] * d.x[0] + side->turn[2][1] * d.x[1] + side->turn[2][2] * d.x[2]}};
}

/* The way back: from the other's frame into own's. */
static inline abut_d3 abut_np_turned_back(const abut_np_side *side, abut_d3 d) {
    return (abut_d3){{side->turn[0][0] * d.x[0] + side->turn[1][0] * d.x[1] + side->turn[2][0] * d.x[2],
                      side->turn[0][1] * d.x[0] + side->turn[1][1] * d.x[1] + side->turn[2][1] * d.x[2],
                      side->turn[0][2] * d.x[0] + side->turn[1][2] * d.x[1] + side->turn[2][2] * d.x[2]}};
}

/* A point of the other's frame, in own's. */
static inline abut_d3 abut_np_point_back(const abut_np_side *side, abut_d3 p) {
    return abut_d3_along(side->origin, 1, abut_np_turned_back(side, p));
}

#endif
