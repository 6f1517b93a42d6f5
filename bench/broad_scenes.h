/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The inputs of the broad phase benchmarks: scenes of axis-aligned boxes, and their boxes as abut stores them. */
#ifndef ABUT_BENCH_BROAD_SCENES_H
#define ABUT_BENCH_BROAD_SCENES_H

#include "peers/broad_peer.h"
#include "scenes.h"

typedef enum broad_kind {
    BROAD_UNIFORM,      /* a: scenes.h, tumbling */
    BROAD_CITY,         /* b: every tenth moves, the others are static */
    BROAD_MIXED,        /* c: sizes that differ 50 times */
    BROAD_CLUSTERS,     /* d */
    BROAD_TELEPORT,     /* e: every body is in a new place */
    BROAD_FEW_MOVING,   /* f: as a, 1 % move, the others are static */
    BROAD_MOST_RESTING, /* g: as f, but the others are ABUT_MOVING as well, and rest */
    BROAD_RODS,         /* h: rods as long as the world, in three directions: each touches one in a hundred others */
    BROAD_DEBRIS,       /* i: as a in a sixteenth of the space; all but 2 % are debris, which ignores debris */
    BROAD_ONLY_DEBRIS   /* j: as i, but all are */
} broad_kind;

typedef struct broad_scene {
    scene scene;      /* mover_count, defs and poses are those of the kind; no body is turned */
    box_frame frame;  /* what the peers see */
    abut_aabb *boxes; /* per body */
} broad_scene;

/* The name is "a uniform" and so on. Fails when memory runs out. */
void broad_scene_create(broad_scene *s, broad_kind kind, size_t count);
void broad_scene_advance(broad_scene *s);
void broad_scene_destroy(broad_scene *s);
const char *broad_scene_name(broad_kind kind);

#endif
