/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray at a mesh. place.c brings it into the mesh's frame, fly_kernel.c walks the tree and decides most triangles,
 * exact.c the few that rounding leaves open. docs/numerics.md, "Rays at triangles", has the proofs. */
#ifndef ABUT_NARROWPHASE_MESH_RAY_FLIGHT_H
#define ABUT_NARROWPHASE_MESH_RAY_FLIGHT_H

#include "base/bits.h"
#include "base/isa.h"
#include "narrowphase/narrowphase.h"

#define ABUT_NP_NOT_CERTAIN (-1.0)

/* Whether the mesh is not turned. */
static inline bool abut_np_mesh_is_upright(const abut_collider *mesh) {
    return mesh->rotation.x == 0 && mesh->rotation.y == 0 && mesh->rotation.z == 0;
}

static inline void abut_np_mesh_flight_limit(abut_np_mesh_flight *flight, double limit) {
    double scaled = limit * flight->scale;
    flight->limit = limit;
    flight->box_limit = scaled < FLT_MAX ? abut_bits_round_up_positive(scaled) : FLT_MAX;
}

void abut_np_mesh_place_ray(const abut_np_ray *ray, const abut_collider *mesh, abut_np_mesh_placed *out);

/* False: nothing is met. */
bool abut_np_mesh_flight_begin(const abut_np_ray *ray, const abut_collider *mesh, double limit,
                               abut_np_mesh_flight *flight);

/* Goes on until a leaf shows something (found > 0), or to the end (count == 0), or to where it pauses. */
typedef struct abut_np_mesh_ray_kernels {
    void (*fly)(abut_np_mesh_flight *flight);
    /* The same where only the first triangle matters: the limit falls to those that are certainly met, and only the
       others are shown. */
    void (*fly_first)(abut_np_mesh_flight *flight);
} abut_np_mesh_ray_kernels;
ABUT_KERNEL_TABLES(abut_np_mesh_ray_kernels)

/* Where the ray meets a triangle, slowly: INFINITY where it does not. */
double abut_np_mesh_ray_exact(const abut_np_ray *ray, const abut_collider *mesh, const abut_np_mesh_placed *placed,
                              uint32_t part);
/* abut_np_mesh_ray_normal of the triangle in a place of the leaves, which is in the cache already. */
abut_vec3 abut_np_mesh_ray_normal_at(const abut_np_ray *ray, const abut_collider *mesh, uint32_t place);

#endif
