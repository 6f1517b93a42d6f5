/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that many bodies of a heap share, each with a mesh of its own on the stage and its mass. */
#ifndef ABUT_WEB_STONE_H
#define ABUT_WEB_STONE_H

#include "heap.h"

typedef struct stone {
    abut_shape shape;
    abut_hull *hull, *drawn; /* owned; NULL: a box; shown as its own hull */
    uint32_t mesh;           /* on the stage */
    abut_vec3 centre;
    float volume, reach; /* reach: the square of a mean half extent */
} stone;

/* Shows a stone whose shape, and whose hull if it has one, is set. */
abut_result stone_finish(stage *s, stone *st);
/* Adds a mover with its centre there. */
abut_result stone_add(stage *s, heap *h, const stone *st, abut_vec3 at, abut_quat rotation);
void stone_forget(stone *st);

#endif
