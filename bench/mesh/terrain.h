/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A hilly terrain and bodies that slide over it: the same for all libraries. */
#ifndef ABUT_BENCH_TERRAIN_H
#define ABUT_BENCH_TERRAIN_H

#include "peers/mesh_peer.h"

/* `side` vertices along x and along z, a unit apart. Rows of heights are copied; all is freed by the other function. */
void terrain_create(mesh_terrain *terrain, uint32_t side);
void terrain_destroy(mesh_terrain *terrain);

double terrain_height(double x, double z);

/* Bodies and where they are in the current frame: a little deeper than where their lowest points would touch. */
typedef struct slide {
    mesh_bodies bodies;
    const mesh_terrain *terrain;
    abut_pose *poses;
    float *lift; /* of each body's origin over the terrain */
    float *way;  /* x and z of each body's way in a frame */
} slide;

void slide_create(slide *s, const mesh_terrain *terrain, const mesh_bodies *bodies, uint64_t seed);
void slide_advance(slide *s);
void slide_destroy(slide *s);

#endif
