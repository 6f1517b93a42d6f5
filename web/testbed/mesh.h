/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes of the stage: triangles of the cube and of hulls. */
#ifndef ABUT_WEB_MESH_H
#define ABUT_WEB_MESH_H

#include "stage.h"

abut_result mesh_add_cube(stage *s); /* mesh 0, first of all */
abut_result mesh_add_hull(stage *s, const abut_hull *hull);

#endif
