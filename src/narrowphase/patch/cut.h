/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Polygons: faces of a core, and what a triangle cuts out of them. */
#ifndef ABUT_NARROWPHASE_PATCH_CUT_H
#define ABUT_NARROWPHASE_PATCH_CUT_H

#include "base/isa.h"
#include "narrowphase/mesh/seat.h"

/* Of a face with more corners only this many are used, evenly chosen. Three more come from cutting by a triangle, one
 * may be added afterwards, and kernels use whole vectors. */
enum { ABUT_NP_CUT_SIDES = 32, ABUT_NP_CUT_MAX = ABUT_NP_CUT_SIDES + 8 };

/* Features of a core are numbered through: vertices, edges, faces. Those of a triangle: corners 0 to 2, sides 3 to 5,
 * its face 6. */
enum { ABUT_NP_TRIANGLE_SIDE = 3, ABUT_NP_TRIANGLE_FACE = 6, ABUT_NP_BOX_FACE = 20 };

typedef struct abut_np_cut_corner {
    uint32_t feature;  /* of the core */
    uint16_t edge;     /* on which feature the way to the next corner runs: of the core, or, */
    bool edge_is_side; /* if this is set, a side of the triangle */
    uint8_t meets;     /* of the triangle */
} abut_np_cut_corner;

typedef struct abut_np_cut_face {
    double at[3][ABUT_NP_CUT_MAX]; /* where the corners are, by axis */
    abut_np_cut_corner corner[ABUT_NP_CUT_MAX];
    uint32_t count;
    uint32_t face; /* feature number of the core's face */
    /* Over a triangle: how high the corners lie over its plane, and near which of its sides that is, as bits. */
    double height[ABUT_NP_CUT_MAX];
    uint8_t sides[ABUT_NP_CUT_MAX];
} abut_np_cut_face;

static inline abut_d3 abut_np_cut_at(const abut_np_cut_face *face, uint32_t i) {
    return (abut_d3){{face->at[0][i], face->at[1][i], face->at[2][i]}};
}

/* A plane that cuts: what is at most `near` above it stays. */
typedef struct abut_np_cut {
    abut_d3 normal;
    double offset, near;
    uint16_t edge; /* the feature that makes it: a side of the triangle, or an edge of the core */
    bool edge_is_side;
} abut_np_cut;

struct abut_np_summary;

typedef struct abut_np_patch_kernels {
    /* Cuts an outline by n planes, one after another. There is room for one more corner then, whatever the outline is.
     */
    void (*cut)(const abut_np_cut *cuts, uint32_t n, abut_np_cut_face *outline);
    /* Writes the heights over a triangle, and the sides; `near` is how far from a side a point is still on it. */
    void (*lower)(const abut_np_facing *facing, double near, abut_np_cut_face *face);
    /* Both for out->face of a box, whose corners these are. */
    void (*over_box)(const abut_np_seat *seat, const abut_np_facing *facing, double near,
                     const abut_np_cut_corner *corner, abut_np_cut_face *out);
    /* The deepest point of a summary, and those that lie farthest out, by their places; of several the first. One may
     * be among them more than once. `at` has room for ABUT_NP_OUTERMOST + 1. */
    void (*outermost)(const struct abut_np_summary *summary, uint32_t *at);
} abut_np_patch_kernels;

ABUT_KERNEL_TABLES(abut_np_patch_kernels)

void ABUT_KERNEL(abut_np_over_box)(const abut_np_seat *seat, const abut_np_facing *facing, double near,
                                   const abut_np_cut_corner *corner, abut_np_cut_face *out);

/* What of the face that looks at a triangle lies over it, between the planes through its sides along its normal. It is
 * cut when it is first asked for: of cores that are apart it often is not. */
typedef struct abut_np_over {
    const abut_np_facing *facing;
    double near;            /* corners up to this far beyond a side stay */
    abut_d3 lowest;         /* of the core over the triangle's plane, */
    uint32_t vertex;        /* as a feature, */
    double height;          /* and how high it is */
    abut_np_cut_face *face; /* `room`; NULL: it was not asked for */
    abut_np_cut_face room;
} abut_np_over;

void abut_np_over_begin(const abut_np_seat *seat, const abut_np_facing *facing, double near, abut_np_over *over);
const abut_np_cut_face *abut_np_over_face(const abut_np_seat *seat, abut_np_over *over);

/* Whether the lowest corner of that is the lowest point of all of the core that lies between these planes. */
bool abut_np_over_has_lowest(const abut_np_seat *seat, abut_np_over *over);

/* A face of a core with its outward normal: 0 to 5 of a box (2 k + 1: the positive end of axis k), or that of a hull.
 */
static inline uint32_t abut_np_face_count(const abut_np_seat *seat) {
    return seat->hull ? seat->hull->face_count : 6;
}

static inline abut_d3 abut_np_face_normal(const abut_np_seat *seat, uint32_t face, double *offset) {
    if (seat->hull) {
        const abut_hull_plane *plane = &abut_hull_faces(seat->hull)[face].plane;
        *offset = plane->w;
        return abut_d3_load(plane->n);
    }
    abut_d3 n = {{0, 0, 0}};
    n.x[face / 2] = face & 1 ? 1 : -1;
    *offset = seat->half[face / 2];
    return n;
}

/* The edges of a core, of a box those along each axis. */
static inline uint32_t abut_np_edge_count(const abut_np_seat *seat) {
    return seat->hull ? seat->hull->edge_count : 12;
}

static inline void abut_np_edge_ends(const abut_np_seat *seat, uint32_t edge, abut_d3 end[2]) {
    if (seat->hull) {
        const uint16_t *v = abut_hull_edges(seat->hull)[edge].v;
        for (int k = 0; k < 3; k++) {
            end[0].x[k] = seat->core.vertex[k][v[0]], end[1].x[k] = seat->core.vertex[k][v[1]];
        }
        return;
    }
    const uint32_t axis = edge / 4, one = (axis + 1) % 3, other = (axis + 2) % 3;
    end[0].x[one] = seat->half[one] * (2 * (int)(edge & 1) - 1); /* nobody predicts the sign */
    end[0].x[other] = seat->half[other] * (2 * (int)(edge >> 1 & 1) - 1);
    end[1] = end[0];
    end[0].x[axis] = -seat->half[axis], end[1].x[axis] = seat->half[axis];
}

/* The part of the triangle that lies over a face of the core: `feature` is then always the face or one of its edges.
 * Seen along a normal that leans, if it is not NULL, over that face moved out by `by`. */
void abut_np_cut_triangle(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t face, const abut_d3 *along,
                          double by, abut_np_cut_face *out);

#endif
