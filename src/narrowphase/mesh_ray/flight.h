/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray at a mesh. place.c brings it into the mesh's frame, fly_kernel.c walks the tree and decides most triangles,
 * exact.c the few that rounding leaves open. docs/numerics.md, "Rays at triangles", has the proofs. */
#ifndef ABUT_NARROWPHASE_MESH_RAY_FLIGHT_H
#define ABUT_NARROWPHASE_MESH_RAY_FLIGHT_H

#include "base/isa.h"
#include "narrowphase/narrowphase.h"

/* A ray in the frame of a mesh. */
typedef struct abut_np_mesh_placed {
    double origin[3], rest[3]; /* the origin is the sum of both: as exact as double-double */
    double along[3];           /* good to 18 units of its length; exact where the mesh is not turned */
    double norm1;              /* |along|_1 */
    double along_error;        /* times two edges: of a product of translation and normal; see fly_kernel.c */
} abut_np_mesh_placed;

/* Nodes on the way: how far they are (high 32 bits: a float >= 0, so its bits are in order), the level, and the index
 * in the level. Leaves have level 0, nodes one more than their own. */
enum { ABUT_NP_FLIGHT_INDEX_BITS = 28, ABUT_NP_FLIGHT_NODES = ABUT_MESH_WIDE * (ABUT_MESH_LEVELS + 1) };
#define ABUT_NP_NOT_CERTAIN (-1.0)

typedef struct abut_np_mesh_flight {
    const abut_mesh *mesh;
    abut_np_mesh_placed ray;
    /* For boxes: the origin moved back and forward, the inverses made smaller and larger. */
    float near_origin[3], far_origin[3], near_inverse[3], far_inverse[3];
    uint32_t near_side[3];       /* 24 where the ray enters by the max side, else 0 */
    double scale;                /* the translation was divided by this */
    bool only_first;             /* of the triangles that are certainly met, only the first matters: the limit is its */
    double limit;                /* nothing beyond it matters; not NaN */
    uint32_t first, first_place; /* its number and place; ABUT_MESH_NONE: none yet */
    /* What a leaf has shown: places of triangles that are met (ABUT_NP_NOT_CERTAIN: perhaps). */
    uint32_t found, place[ABUT_MESH_LEAF];
    double fraction[ABUT_MESH_LEAF];
    uint32_t count;
    uint64_t node[ABUT_NP_FLIGHT_NODES];
} abut_np_mesh_flight;

void abut_np_mesh_place_ray(const abut_np_ray *ray, const abut_collider *mesh, abut_np_mesh_placed *out);

/* False: nothing is met. */
bool abut_np_mesh_flight_begin(const abut_np_ray *ray, const abut_collider *mesh, double limit,
                               abut_np_mesh_flight *flight);

/* Goes on until a leaf shows something, or to the end: found == 0. */
typedef struct abut_np_mesh_ray_kernels {
    void (*fly)(abut_np_mesh_flight *flight);
} abut_np_mesh_ray_kernels;
ABUT_KERNEL_TABLES(abut_np_mesh_ray_kernels)

/* Where the ray meets a triangle, slowly: INFINITY where it does not. */
double abut_np_mesh_ray_exact(const abut_np_ray *ray, const abut_collider *mesh, const abut_np_mesh_placed *placed,
                              uint32_t part);
/* abut_np_mesh_ray_normal of the triangle in a place of the leaves, which is in the cache already. */
abut_vec3 abut_np_mesh_ray_normal_at(const abut_np_ray *ray, const abut_collider *mesh, uint32_t place);

#endif
