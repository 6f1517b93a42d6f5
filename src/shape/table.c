/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/table.h"

const abut_shape_class *const abut_shape_table[] = {
    [ABUT_SHAPE_BOX] = &abut_shape_box,
    [ABUT_SHAPE_HULL] = &abut_shape_hull,
    [ABUT_SHAPE_SPHERE] = &abut_shape_round_box,
    [ABUT_SHAPE_CAPSULE] = &abut_shape_round_box,
    [ABUT_SHAPE_ROUND_BOX] = &abut_shape_round_box,
    [ABUT_SHAPE_ROUND_HULL] = &abut_shape_hull,
    [ABUT_SHAPE_MESH] = &abut_shape_mesh,
};
_Static_assert(sizeof abut_shape_table / sizeof abut_shape_table[0] == ABUT_SHAPE_TYPES, "one entry per shape");
