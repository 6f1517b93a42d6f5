/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contests on the terrain. */
#ifndef ABUT_BENCH_GROUND_H
#define ABUT_BENCH_GROUND_H

#include "contest.h"
#include "terrain.h"

/* Our mesh of the terrain, made as a grid or of its triangles. */
abut_mesh *ground_mesh(const mesh_terrain *terrain, bool grid);

/* Bodies that slide, rest, or stand on a mesh that moves. */
void ground_hold_bodies(const mesh_terrain *terrain, bool quick, contest_list *list);

void ground_hold_rays(const mesh_terrain *terrain, bool quick, contest_list *list);

#endif
