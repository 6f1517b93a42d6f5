/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies over a terrain in other libraries, and rays at it. */
#ifndef ABUT_BENCH_MESH_PEER_H
#define ABUT_BENCH_MESH_PEER_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vertex (i, j) is (i, heights[j side + i], j); cells have the triangles of abut_mesh_create_grid. */
typedef struct mesh_terrain {
    uint32_t side;
    const float *heights;
    float lowest, highest;
    const abut_vec3 *vertices; /* the same as triangles */
    const uint32_t *indices;
    size_t triangle_count;
} mesh_terrain;

/* All alike: a box; with a radius a sphere or a capsule along z; or a hull. */
typedef struct mesh_bodies {
    size_t count;
    abut_vec3 half;
    float radius;
    const abut_hull *hull;
} mesh_bodies;

typedef struct mesh_peer {
    const char *name;
    bool hulls, grid; /* whether it takes hulls; whether it knows that the terrain is a grid */
    void *(*create)(const mesh_terrain *terrain, const mesh_bodies *bodies);
    /* Sets all poses; returns how many bodies touch the terrain, and how many contact points there are. */
    size_t (*frame)(void *state, const abut_pose *poses, size_t *points);
    void (*destroy)(void *state);
} mesh_peer;

typedef struct mesh_ray_peer {
    const char *name;
    const char *scene; /* what making it makes */
    void *(*create)(const mesh_terrain *terrain);
    void (*cast)(void *state, const abut_ray *rays, size_t n, float *fractions); /* 2: nothing is met */
    void (*destroy)(void *state);
} mesh_ray_peer;

typedef struct mesh_library {
    const mesh_peer *peers;
    size_t peer_count;
    const mesh_ray_peer *rays;
    size_t ray_count;
} mesh_library;

extern const mesh_library mesh_library_bullet, mesh_library_embree, mesh_library_ode;

/* Those that this was built with, NULL at the end. */
extern const mesh_library *const mesh_libraries[];

#ifdef __cplusplus
}
#endif
#endif
