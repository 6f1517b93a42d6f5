/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Worlds of tumbled bodies that fill 2 % of a cube, and questions to them. */
#ifndef ABUT_BENCH_QUERY_SCENE_H
#define ABUT_BENCH_QUERY_SCENE_H

#include "inputs.h"
#include "peers/query_peer.h"

enum { QUERY_HULL_SIZES = 17, QUERY_HULLS_EACH = 4, QUERY_HULLS = QUERY_HULL_SIZES * QUERY_HULLS_EACH };

typedef struct query_scene {
    query_world world;
    float side; /* of the cube from 0 to side */
    abut_body_def *defs;
    abut_shape *shapes;
    abut_pose *poses, *other_poses; /* as of now; and every body a little moved and turned */
    abut_aabb *bounds, *other_bounds;
    const abut_hull *hulls[QUERY_HULLS];
    hull_set hull_sets[QUERY_HULL_SIZES]; /* of 16 to 32 vertices */
    /* A grid over the cube: the bodies of a cell are cell_bodies[cell_starts[cell] .. cell_starts[cell + 1] - 1]. */
    size_t cells;
    uint32_t *cell_starts, *cell_bodies;
} query_scene;

/* Boxes of half extents 0.25 to 0.75; `mixed`: every second body is a hull of that size. */
void query_scene_create(query_scene *s, size_t count, bool mixed);
void query_scene_move(query_scene *s); /* to the other poses, and back */
void query_scene_destroy(query_scene *s);

/* --- questions: all free what they hold with query_set_destroy --- */

query_set query_rays_across(const query_scene *s, size_t count); /* from one face of the cube to another */
query_set query_rays_of_camera(const query_scene *s, size_t width);
query_set query_rays_of_length(const query_scene *s, size_t count, float length);
query_set query_shapes(const query_scene *s, size_t count, abut_shape shape);
query_set query_boxes(const query_scene *s, size_t count, float half);
query_set query_points(const query_scene *s, size_t count, size_t k);
/* Every shape, turned somehow, starts where it touches nothing; it is no larger than the bodies. */
query_set query_casts(const query_scene *s, size_t count, abut_shape shape, float length);
/* The first `count` bodies that touch nobody, if there are so many, in random directions; with `turn` > 0 they turn, at
 * 0.5 by 0.8 radians on average. */
query_set query_sweeps(const query_scene *s, size_t count, float length, float turn);
void query_set_destroy(query_set *set);

#endif
