/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Small meshes, and rays that are hard for one of their triangles. */
#ifndef ABUT_TESTS_NARROWPHASE_MESH_RAY_MADE_MESH_RAYS_H
#define ABUT_TESTS_NARROWPHASE_MESH_RAY_MADE_MESH_RAYS_H

#include "support/rng.h"
#include <abut/mesh.h>
#include <abut/query.h>

typedef enum made_mesh {
    MADE_FLAT,    /* a floor of whole numbers */
    MADE_STEPS,   /* a terrain of whole numbers */
    MADE_TERRAIN, /* a terrain of any heights */
    MADE_SOUP,    /* triangles of any kind */
    MADE_NEEDLES, /* thin ones */
    MADE_FAR,     /* small ones up to 1e5 sizes from the origin of their frame */
    MADE_MESHES
} made_mesh;

typedef enum made_ray {
    MADE_VERTEX,  /* through a vertex, as near as floats allow */
    MADE_EDGE,    /* through a point of an edge */
    MADE_FACE,    /* through the inside */
    MADE_PLANE,   /* in the plane, or a little beside it */
    MADE_AXIS,    /* along an axis */
    MADE_AT,      /* from the surface, or ending there */
    MADE_DISTANT, /* from up to 1e5 sizes away */
    MADE_HUGE,    /* as long as floats can hold */
    MADE_SHORT,   /* down to the least float */
    MADE_ANY,
    MADE_RAYS
} made_ray;

extern const char *const made_mesh_names[MADE_MESHES], *const made_ray_names[MADE_RAYS];

enum { MADE_SIDE = 4, MADE_VERTICES = MADE_SIDE * MADE_SIDE, MADE_TRIANGLES = 2 * (MADE_SIDE - 1) * (MADE_SIDE - 1) };

typedef struct made_mesh_ray {
    abut_vec3 vertex[MADE_VERTICES];
    uint32_t index[3 * MADE_TRIANGLES];
    size_t vertex_count, triangle_count;
    bool two_sided;
    abut_pose pose;
    abut_ray ray;
    double size; /* of a triangle, about */
} made_mesh_ray;

void made_mesh_ray_of(made_mesh mesh, made_ray ray, rng *r, made_mesh_ray *out);

/* All lengths times a power of two. */
void made_mesh_ray_scale(made_mesh_ray *m, float factor);

/* Whether all floats, times that, stay normal. */
bool made_mesh_ray_scales(const made_mesh_ray *m);

#endif
