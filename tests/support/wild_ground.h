/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes of every kind and bodies beside them, made with nothing but + - * / and sqrt, so that they are the same on
 * every machine: for answers that are pinned. A few bodies truly touch, or miss by rounding. */
#ifndef ABUT_TESTS_SUPPORT_WILD_GROUND_H
#define ABUT_TESTS_SUPPORT_WILD_GROUND_H

#include "shape/shape.h"
#include "support/mesh_families.h"
#include "support/wild.h"

enum { WILD_GROUNDS = 30 };

typedef struct wild_ground {
    soup soup;
    abut_mesh *mesh;
    abut_pose pose;
    abut_collider collider;
    double unit; /* the ground is 16 of these across */
} wild_ground;

void wild_ground_create(uint32_t k, wild_ground *ground); /* k < WILD_GROUNDS */
void wild_ground_destroy(wild_ground *ground);

/* A point of a triangle, in the mesh's frame: a corner, on a side, inside or a little outside. */
abut_d3 wild_ground_point(rng *r, const wild_ground *ground, uint32_t *part);
abut_d3 wild_ground_normal(const wild_ground *ground, uint32_t part); /* unit; zero for one without area */

/* The same point in the world, and back. */
abut_vec3 wild_ground_out(const wild_ground *ground, abut_d3 at);
abut_d3 wild_ground_turn(const wild_ground *ground, abut_d3 direction);

typedef struct wild_stand {
    abut_shape shape;
    abut_pose pose;
    abut_collider collider;
    uint32_t part; /* near this triangle */
    double size;
} wild_stand;

/* A body that stands on or near a triangle, or in it, or beneath. */
void wild_ground_stand(rng *r, const wild_ground *ground, const wild_hulls *hulls, wild_stand *out);

#endif
