/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A convex shape over a mesh, and one triangle under it. Unless a comment says otherwise, all is in the frame of the
 * convex shape. "Core": without its radius. */
#ifndef ABUT_NARROWPHASE_MESH_SEAT_H
#define ABUT_NARROWPHASE_MESH_SEAT_H

#include "narrowphase/distance/cores.h"
#include "narrowphase/mesh/edges.h"
#include "narrowphase/mesh/planes.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/tolerance.h"

/* What is read of a hull's first faces and edges, once for a contact, when they are first asked for. */
typedef struct abut_np_hull_room {
    abut_np_planes planes;
    abut_np_edges edges[ABUT_NP_EDGES_KEPT];
} abut_np_hull_room;

/* Nothing has been read. */
static inline void abut_np_hull_room_begin(abut_np_hull_room *room) {
    room->planes.count = 0;
    for (int i = 0; i < ABUT_NP_EDGES_KEPT; i++) {
        room->edges[i].count = 0;
    }
}

typedef struct abut_np_seat {
    const abut_collider *ground, *convex; /* ground: the mesh's collider */
    const abut_mesh *mesh;
    const struct abut_np_mesh_kernels *kernels, *few_kernels; /* those for up to ABUT_NP_FEW triangles */
    const struct abut_np_patch_kernels *patch_kernels;
    const struct abut_np_faces_kernels *faces_kernels;
    const abut_hull *hull; /* NULL: the core is a box */
    abut_np_core core;
    double half[3];           /* of the box */
    double ground_axes[3][3]; /* the mesh's rotation */
    double world_axes[3][3];  /* the convex shape's rotation */
    double axes[3][3];        /* the same in the mesh's frame: the columns are the axes */
    abut_d3 center;           /* of its frame, in the mesh's frame */
    abut_d3 middle;           /* of the core */
    bool is_rod;              /* the core is a segment, and there is a radius */
    double radius, margin;
    double reach;    /* the sum: a triangle no farther than this from the core is touched */
    double size;     /* the core lies within this distance of its frame's origin, in the L1 norm */
    double smallest; /* least positive half extent of the core; 0: it is a point */
    double extent;   /* the sum of its half extents */
    double thin;     /* of a plate or a needle: the least half extent, which may be 0; of others INFINITY */
    double hollow; /* at most this much within a face the core is hollow: faces are merged facets. 0: there are none */
    double skin; /* what is that little outside of the core counts as within it: else what rests on a vertex would lose
                    the normals around it whenever rounding lifts it */
    abut_np_hull_room *room; /* of the hull */
} abut_np_seat;

/* `room`, which the seat keeps, may be NULL where no triangle is asked. */
void abut_np_seat_of(const abut_collider *ground, const abut_collider *convex, float margin, abut_np_hull_room *room,
                     abut_np_seat *seat);

/* A box around the core that is parallel to the core's own axes: the OBB of a hull. In the mesh's frame. */
void abut_np_seat_box(const abut_np_seat *seat, abut_d3 *center, abut_d3 axis[3], double half[3]);

/* A box in the mesh's frame that holds all that is within reach. */
void abut_np_seat_bounds(const abut_np_seat *seat, float min[3], float max[3]);

/* The corner of the core that lies lowest along a direction. */
abut_d3 abut_np_seat_lowest(const abut_np_seat *seat, abut_d3 direction, uint32_t *vertex);

/* How low the core lies along a direction. */
static inline double abut_np_seat_low(const abut_np_seat *seat, abut_d3 n) {
    uint32_t vertex;
    return seat->hull ? abut_d3_dot(n, abut_np_seat_lowest(seat, n, &vertex))
                      : -(fabs(n.x[0]) * seat->half[0] + fabs(n.x[1]) * seat->half[1] + fabs(n.x[2]) * seat->half[2]);
}

/* A direction of the mesh's frame in that of the convex shape, and back. */
static inline abut_d3 abut_np_seat_into(const abut_np_seat *seat, abut_d3 v) {
    abut_d3 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = seat->axes[0][i] * v.x[0] + seat->axes[1][i] * v.x[1] + seat->axes[2][i] * v.x[2];
    }
    return out;
}
static inline abut_d3 abut_np_seat_out(const abut_np_seat *seat, abut_d3 v) {
    abut_d3 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = seat->axes[i][0] * v.x[0] + seat->axes[i][1] * v.x[1] + seat->axes[i][2] * v.x[2];
    }
    return out;
}

/* A triangle, seen from the side that is touched: corners run counter-clockwise. */
typedef struct abut_np_facing {
    abut_np_normals *known; /* those of the triangles around it that were placed at once with it, and of corners */
    uint32_t part;
    bool back;
    bool plain;   /* no side is a ridge or outer, nor one at a corner that a ghost shares: its only normal is its own */
    uint8_t open; /* the sides that are ridges or outer, as bits */
    /* Sides that are hollow from where it is seen, while the face beyond is seen from its other side, as bits: the
     * core's middle is outside of such a fold, which is a ridge to it. Of two-sided meshes. */
    uint8_t fold;
    /* Of a box: which corners lie in it and which sides pass through it, as bits; it is grown by its skin. Of a rod
     * only where the triangle comes near. */
    uint8_t within, crossed;
    uint32_t corner_of[3];         /* of the mesh's triangle: corner k here is that corner there, */
    uint32_t side_of[3];           /* and side k here (from corner k to the next) that side there */
    uint32_t side[3];              /* as stored */
    _Alignas(8) abut_d3 corner[3]; /* aligned, as kernels write all that follows as one array of doubles */
    abut_d3 normal;                /* unit */
    abut_d3 in_mesh;               /* the same in the mesh's frame */
    double height;                 /* normal . corner */
    abut_d3 out[3];                /* from side k, along the plane, outward; as long as the side */
    double outline[3];             /* out . corner */
    double length[3];              /* of the sides */
    double least;                  /* of the heights of the triangle */
    double size;                   /* S of the pair, but for factors near 1 */
    abut_d3 on, from; /* closest points of the triangle and of the core, and their distance: of points and rods */
    double distance;
} abut_np_facing;

/* Whether rounding of the corners leaves open what lies inside of the sides. */
static inline bool abut_np_facing_is_thin(const abut_np_facing *f) {
    return !(f->least > 0x1p-30 * f->size);
}

/* Nothing passes through a rod that is farther than this times S: its skin is far thinner, and what rounds far less. */
static const double ABUT_NP_ROD_NEAR = 0x1p-10;

/* Whether a point or a rod is within reach. */
static inline bool abut_np_facing_is_near(const abut_np_seat *seat, const abut_np_facing *f) {
    return f->distance <= seat->reach + ABUT_NP_ROUND_SLACK * f->size;
}

/* What a core does to a triangle. */
typedef struct abut_np_passage {
    uint32_t within, crossed; /* corners that lie in it, and sides that pass through it, grown by its skin; as bits */
    uint32_t pierced;         /* sides that pass through it as it is; this and what follows: of hulls */
    bool beyond;              /* the triangle lies wholly beyond a face, and out of reach: all bits are 0 */
    double first[3], last[3]; /* where a side that pierces it enters and leaves, as shares of the side's length */
} abut_np_passage;

/* Of up to this many triangles. Returns those that may be touched, as bits; only their facings are complete. Not those
 * that are seen from their back, if the mesh is not two-sided, and of a point, of which that is known here, only those
 * that are touched. `place` are their places in the leaves, or ABUT_MESH_NONE where they are not known. There is room
 * for ABUT_NP_FACINGS of them, whatever n is. */
enum { ABUT_NP_FACINGS = ABUT_NP_NORMALS };
uint32_t abut_np_facings_of(const abut_np_seat *seat, const uint32_t *part, const uint32_t *place, uint32_t n,
                            abut_np_facing *facing, abut_np_normals *known);

/* The same as abut_np_mesh_range_of_edge, _of_corner and _near, for normals of the convex shape's frame and sides as
 * they are numbered here. */
abut_d3 abut_np_facing_edge_range(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t side,
                                  abut_d3 normal);
abut_d3 abut_np_facing_corner_near(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t corner,
                                   double nearly, abut_d3 normal);
static inline abut_d3 abut_np_facing_corner_range(const abut_np_seat *seat, const abut_np_facing *facing,
                                                  uint32_t corner, abut_d3 normal) {
    return abut_np_facing_corner_near(seat, facing, corner, 0, normal);
}

#endif
