/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "narrowphase/box/box.h"
#include "narrowphase/convex/convex.h"
#include "narrowphase/narrowphase.h"

/* A shape is a row of one table, a pair of shapes a cell of the other. */

enum { BLOCK = 256 };

typedef abut_aabb bounds_function(const abut_collider *collider);

/* The functions for many pairs may be NULL: one by one. */
typedef struct pair_functions {
    bool (*overlap)(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
    bool (*collide)(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                    abut_manifold *manifold);
    void (*overlap_many)(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit);
    void (*collide_many)(const abut_np_pairs *pairs, float margin, const uint32_t *where, abut_manifold *manifold,
                         uint8_t *hit);
} pair_functions;

static bounds_function *const shape_bounds[] = {
    [ABUT_SHAPE_BOX] = abut_collider_box_bounds,
    [ABUT_SHAPE_HULL] = abut_collider_hull_bounds,
};
_Static_assert(sizeof shape_bounds / sizeof shape_bounds[0] == ABUT_SHAPE_TYPES, "one row per shape");

static const pair_functions pairs[][ABUT_SHAPE_TYPES] = {
    [ABUT_SHAPE_BOX] = {[ABUT_SHAPE_BOX] = {abut_np_box_overlap, abut_np_box_collide, abut_np_box_overlap_many,
                                            abut_np_box_collide_many},
                        [ABUT_SHAPE_HULL] = {abut_np_convex_overlap, abut_np_convex_collide, NULL, NULL}},
    [ABUT_SHAPE_HULL] = {[ABUT_SHAPE_BOX] = {abut_np_convex_overlap, abut_np_convex_collide, NULL, NULL},
                         [ABUT_SHAPE_HULL] = {abut_np_convex_overlap, abut_np_convex_collide, NULL, NULL}},
};
_Static_assert(sizeof pairs / sizeof pairs[0] == ABUT_SHAPE_TYPES, "one cell per pair of shapes");

abut_aabb abut_collider_bounds(const abut_collider *collider) {
    return shape_bounds[collider->shape](collider);
}

static void bounds_one_by_one(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                              float (*box)[6]) {
    for (size_t k = 0; k < n; k++) {
        abut_aabb bounds = abut_collider_bounds(&collider[index[k]]);
        const float *low = &bounds.min.x, *high = &bounds.max.x;
        for (int i = 0; i < 3; i++) {
            box[index[k]][i] = abut_bits_round_down(low[i] - more);
            box[index[k]][i + 3] = abut_bits_round_up(high[i] + more);
        }
    }
}

/* At most BLOCK bodies, of which some are no boxes. */
static void bounds_of_several(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                              float (*box)[6]) {
    uint32_t boxes[BLOCK] = {0}, others[BLOCK] = {0};
    size_t box_count = 0, other_count = 0;
    for (size_t k = 0; k < n; k++) {
        bool is_box = collider[index[k]].shape == ABUT_SHAPE_BOX;
        boxes[box_count] = others[other_count] = index[k];
        box_count += is_box;
        other_count += !is_box;
    }
    abut_collider_box_bounds_many(collider, boxes, box_count, more, box);
    bounds_one_by_one(collider, others, other_count, more, box);
}

/* Rows are asked for so many elements ahead. */
enum { AHEAD = 24 };

void abut_collider_bounds_many(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                               float (*box)[6]) {
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        uint32_t shapes = 0;
        for (size_t k = first; k < first + count; k++) {
            ABUT_PREFETCH(&collider[index[k + AHEAD < n ? k + AHEAD : k]]);
            shapes |= collider[index[k]].shape ^ ABUT_SHAPE_BOX;
        }
        (shapes ? bounds_of_several : abut_collider_box_bounds_many)(collider, index + first, count, more, box);
    }
}

bool abut_np_overlap(const abut_collider *a, const abut_collider *b) {
    return pairs[a->shape][b->shape].overlap(a, b, NULL);
}

bool abut_np_collide(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    return pairs[a->shape][b->shape].collide(a, b, margin, NULL, manifold);
}

/* Of a block of pairs, those of one cell. */
typedef struct cell_list {
    uint32_t a[BLOCK], b[BLOCK], where[BLOCK];
    abut_np_hint *hint[BLOCK];
    abut_np_pairs pairs;
} cell_list;

static void list_cell(const abut_np_pairs *of, size_t first, size_t end, uint32_t shape_a, uint32_t shape_b,
                      cell_list *list) {
    list->pairs = (abut_np_pairs){
        .collider = of->collider, .a = list->a, .b = list->b, .hint = list->hint, .second_stage = of->second_stage};
    for (size_t k = first; k < end; k++) {
        size_t n = list->pairs.n;
        list->a[n] = of->a[k];
        list->b[n] = of->b[k];
        list->where[n] = (uint32_t)k;
        list->hint[n] = of->hint ? of->hint[k] : NULL;
        list->pairs.n += of->collider[of->a[k]].shape == shape_a && of->collider[of->b[k]].shape == shape_b;
    }
}

static void count_all(const cell_list *list) {
    if (list->pairs.second_stage) {
        *list->pairs.second_stage += list->pairs.n;
    }
}

static void overlap_cell(const pair_functions *cell, const cell_list *list, uint8_t *hit) {
    if (cell->overlap_many) {
        cell->overlap_many(&list->pairs, list->where, hit);
        return;
    }
    count_all(list);
    for (size_t k = 0; k < list->pairs.n; k++) {
        hit[list->where[k]] =
            cell->overlap(&list->pairs.collider[list->a[k]], &list->pairs.collider[list->b[k]], list->hint[k]);
    }
}

static void collide_cell(const pair_functions *cell, const cell_list *list, float margin, abut_manifold *manifold,
                         uint8_t *hit) {
    if (cell->collide_many) {
        cell->collide_many(&list->pairs, margin, list->where, manifold, hit);
        return;
    }
    count_all(list);
    for (size_t k = 0; k < list->pairs.n; k++) {
        const abut_collider *a = &list->pairs.collider[list->a[k]], *b = &list->pairs.collider[list->b[k]];
        hit[list->where[k]] = cell->collide(a, b, margin, list->hint[k], &manifold[list->where[k]]);
    }
}

/* Without `manifold`, whether they overlap. */
static void resolve(const abut_np_pairs *of, float margin, abut_manifold *manifold, uint8_t *hit) {
    cell_list list;
    for (size_t first = 0; first < of->n; first += BLOCK) {
        size_t end = of->n - first < BLOCK ? of->n : first + BLOCK, left = end - first;
        for (uint32_t cell = 0; left > 0 && cell < ABUT_SHAPE_TYPES * ABUT_SHAPE_TYPES; cell++) {
            uint32_t shape_a = cell / ABUT_SHAPE_TYPES, shape_b = cell % ABUT_SHAPE_TYPES;
            list_cell(of, first, end, shape_a, shape_b, &list);
            if (manifold) {
                collide_cell(&pairs[shape_a][shape_b], &list, margin, manifold, hit);
            } else {
                overlap_cell(&pairs[shape_a][shape_b], &list, hit);
            }
            left -= list.pairs.n;
        }
    }
}

void abut_np_overlap_many(const abut_np_pairs *of, uint8_t *hit) {
    resolve(of, 0, NULL, hit);
}

void abut_np_collide_many(const abut_np_pairs *of, float margin, abut_manifold *manifold, uint8_t *hit) {
    resolve(of, margin, manifold, hit);
}
