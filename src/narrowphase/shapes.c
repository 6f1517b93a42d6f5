/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/hull_pair.h"
#include "narrowphase/narrowphase.h"
#include "narrowphase/obb.h"

/* A shape is a row of one table, a pair of shapes a cell of the other. */

typedef abut_aabb bounds_function(const abut_np_row *row);

typedef struct pair_functions {
    bool (*overlap)(const abut_np_row *a, const abut_np_row *b);
    bool (*collide)(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold);
} pair_functions;

static bounds_function *const shape_bounds[] = {
    [ABUT_NP_BOX] = abut_np_obb_bounds,
    [ABUT_NP_HULL] = abut_np_hull_bounds,
};
_Static_assert(sizeof shape_bounds / sizeof shape_bounds[0] == ABUT_NP_SHAPE_COUNT, "one row per shape");

static const pair_functions pairs[][ABUT_NP_SHAPE_COUNT] = {
    [ABUT_NP_BOX] = {[ABUT_NP_BOX] = {abut_np_obb_overlap, abut_np_obb_collide},
                     [ABUT_NP_HULL] = {abut_np_polytope_overlap, abut_np_polytope_collide}},
    [ABUT_NP_HULL] = {[ABUT_NP_BOX] = {abut_np_polytope_overlap, abut_np_polytope_collide},
                      [ABUT_NP_HULL] = {abut_np_polytope_overlap, abut_np_polytope_collide}},
};
_Static_assert(sizeof pairs / sizeof pairs[0] == ABUT_NP_SHAPE_COUNT, "one cell per pair of shapes");

abut_aabb abut_np_bounds(const abut_np_row *row) {
    return shape_bounds[row->shape](row);
}

bool abut_np_overlap(const abut_np_row *a, const abut_np_row *b) {
    return pairs[a->shape][b->shape].overlap(a, b);
}

bool abut_np_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold) {
    return pairs[a->shape][b->shape].collide(a, b, margin, manifold);
}
