/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls and meshes that targets use, made once. */
#ifndef ABUT_FUZZ_SHAPES_H
#define ABUT_FUZZ_SHAPES_H

#include "fuzz/input.h"

enum { FUZZ_HULLS = 3, FUZZ_MESHES = 2 };

typedef struct fuzz_shapes {
    abut_hull *hull[FUZZ_HULLS];
    abut_mesh *mesh[FUZZ_MESHES];
} fuzz_shapes;

const fuzz_shapes *fuzz_shapes_get(void);

/* Finds them for snapshots. */
abut_shape_finder fuzz_finder(void);

#endif
