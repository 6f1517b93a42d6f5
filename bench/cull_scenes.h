/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The inputs of the culling benchmarks: oriented boxes and cameras. */
#ifndef ABUT_BENCH_CULL_SCENES_H
#define ABUT_BENCH_CULL_SCENES_H

#include "cull_view.h"

typedef enum cull_kind {
    CULL_GAME,        /* a wide flat map of small things; the camera sees some 5 % of them */
    CULL_GAME_SORTED, /* the same, neighbours side by side in the array */
    CULL_GAME_FAR,    /* some 20 % */
    CULL_LARGE,       /* large, long and flat things, some 20 % */
    CULL_SHORT,       /* a lamp's short frustum among things of its own size */
    CULL_CORNERS,     /* the same close together: it sees a quarter of them, many at its corners and edges */
    CULL_ALL,         /* everything is visible, nearly all of it inside */
    CULL_NOTHING,     /* nothing is: the camera looks away from the map */
    CULL_KIND_COUNT
} cull_kind;

typedef struct cull_scene {
    char name[32];
    size_t count, view_count;
    float side; /* of the map; 0: invalid */
    abut_obb *boxes;
    cull_view *views;
} cull_scene;

/* Fails when memory runs out. */
void cull_scene_create(cull_scene *s, cull_kind kind, size_t count);
/* Boxes and cameras of a folder: boxes.csv (px,py,pz,qx,qy,qz,qw,half_x,half_y,half_z) and cameras.csv (frame and a
 * symmetric perspective view-projection matrix, column-major, depth -w..w). Fails with a message if it cannot read
 * them. */
void cull_scene_read(cull_scene *s, const char *folder);
void cull_scene_destroy(cull_scene *s);

/* The camera of generated scenes, so far back from the middle of the map. */
cull_view cull_scene_view(float back, float far);

/* As many frusta as abut_world_cull takes: four players' cameras with four shadow cascades each, and the faces of two
 * cube maps. For generated scenes only. */
enum { CULL_MANY_VIEWS = 32 };
void cull_scene_many_views(const cull_scene *s, abut_frustum frusta[CULL_MANY_VIEWS]);

#endif
