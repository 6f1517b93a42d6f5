/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/radix.h"
#include "narrowphase/box/box.h"
#include "narrowphase/convex/convex.h"
#include "narrowphase/narrowphase.h"
#include "narrowphase/round/round.h"
#include <string.h>

/* A cell of the pair table. The functions for many pairs may be NULL: then each pair is resolved by itself. */
typedef struct pair_functions {
    bool (*overlap)(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
    bool (*collide)(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                    abut_manifold *manifold);
    /* The results of pair k are written to hit[where[k]] and manifold[where[k]]. */
    void (*overlap_many)(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit);
    void (*collide_many)(const abut_np_pairs *pairs, float margin, const uint32_t *where, abut_manifold *manifold,
                         uint8_t *hit);
    bool uses_hint;
} pair_functions;

#define BOXES                                                                                                          \
  { abut_np_box_overlap, abut_np_box_collide, abut_np_box_overlap_many, abut_np_box_collide_many, false }
#define CONVEX                                                                                                         \
  { abut_np_convex_overlap, abut_np_convex_collide, NULL, NULL, true }
#define ROUND                                                                                                          \
  { abut_np_round_overlap, abut_np_round_collide, abut_np_round_overlap_many, abut_np_round_collide_many, false }
#define CORES                                                                                                          \
  { abut_np_cores_overlap, abut_np_cores_collide, NULL, NULL, false }

/* Box, hull, sphere, capsule, round box, round hull. Pairs with a mesh, which has functions of its own, have cells
 * without functions: they use no hint. */
static const pair_functions pair_table[ABUT_SHAPE_TYPES][ABUT_SHAPE_TYPES] = {
    [ABUT_SHAPE_BOX] = {BOXES, CONVEX, ROUND, ROUND, CORES, CORES},
    [ABUT_SHAPE_HULL] = {CONVEX, CONVEX, CORES, CORES, CORES, CORES},
    [ABUT_SHAPE_SPHERE] = {ROUND, CORES, ROUND, ROUND, ROUND, CORES},
    [ABUT_SHAPE_CAPSULE] = {ROUND, CORES, ROUND, ROUND, ROUND, CORES},
    [ABUT_SHAPE_ROUND_BOX] = {CORES, CORES, ROUND, ROUND, CORES, CORES},
    [ABUT_SHAPE_ROUND_HULL] = {CORES, CORES, CORES, CORES, CORES, CORES},
};

static const pair_functions *cell_of(const abut_collider *a, const abut_collider *b) {
    return &pair_table[a->type][b->type];
}

bool abut_np_overlap(const abut_collider *a, const abut_collider *b) {
    return cell_of(a, b)->overlap(a, b, NULL);
}

static uint32_t deepest_point(const abut_manifold *manifold) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < manifold->count; i++) {
        best = manifold->points[i].separation < manifold->points[best].separation ? i : best;
    }
    return best;
}

/* Drops the points beyond the margin, which may be as far beyond it as bodies at rest jitter. */
static void drop_beyond(float margin, uint32_t deepest, abut_manifold *manifold) {
    static const abut_contact_point unused;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < manifold->count; i++) {
        if (i == deepest || manifold->points[i].separation <= margin) {
            manifold->points[kept++] = manifold->points[i];
        }
    }
    while (manifold->count > kept) {
        manifold->points[--manifold->count] = unused;
    }
}

/* The separating axes find the pairs without a gap over the margin along any axis. Those that do not overlap count only
 * if their distance is within the margin, and the contact points are those of the gap. */
static bool across_gap(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    uint32_t deepest = deepest_point(manifold);
    float least = manifold->points[deepest].separation;
    /* 0: they touch, or the preferred axis does not show the gap. */
    if (a->radius > 0 || b->radius > 0 || least < 0 || (least == 0 && abut_np_overlap(a, b))) {
        return true;
    }
    bool boxes = a->type == ABUT_SHAPE_BOX && b->type == ABUT_SHAPE_BOX;
    if (boxes && least > 0 && least <= margin && abut_np_box_gap_by_face(a, b, manifold, least)) {
        drop_beyond(margin, deepest, manifold);
        return true;
    }
    bool near = abut_np_gap_collide(a, b, margin, manifold);
    if (near) {
        drop_beyond(margin, deepest_point(manifold), manifold);
    }
    return near;
}

bool abut_np_collide(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    abut_manifold found;
    if (margin == 0) {
        return cell_of(a, b)->collide(a, b, 0, NULL, manifold);
    }
    bool touch = cell_of(a, b)->collide(a, b, margin, NULL, &found) && across_gap(a, b, margin, &found);
    *manifold = touch ? found : *manifold;
    return touch;
}

bool abut_np_uses_hint(const abut_collider *a, const abut_collider *b) {
    return cell_of(a, b)->uses_hint;
}

static void count_second_stage(const abut_np_pairs *pairs) {
    if (pairs->second_stage) {
        *pairs->second_stage += pairs->n;
    }
}

static abut_np_hint *hint_of(const abut_np_pairs *pairs, size_t k) {
    return pairs->hint ? pairs->hint[k] : NULL;
}

/* Where the results are written. */
typedef struct output {
    float margin;
    abut_manifold *manifold; /* NULL: only whether they overlap */
    uint8_t *hit;
} output;

static void overlap_cell(const pair_functions *cell, const abut_np_pairs *of, const uint32_t *where, const output *to) {
    if (cell->overlap_many) {
        cell->overlap_many(of, where, to->hit);
        return;
    }
    count_second_stage(of);
    for (size_t k = 0; k < of->n; k++) {
        to->hit[where[k]] = cell->overlap(&of->collider[of->a[k]], &of->other[of->b[k]], hint_of(of, k));
    }
}

static void collide_cell(const pair_functions *cell, const abut_np_pairs *of, const uint32_t *where, const output *to) {
    if (cell->collide_many) {
        cell->collide_many(of, to->margin, where, to->manifold, to->hit);
    } else {
        count_second_stage(of);
        for (size_t k = 0; k < of->n; k++) {
            to->hit[where[k]] = cell->collide(&of->collider[of->a[k]], &of->other[of->b[k]], to->margin, hint_of(of, k),
                                              &to->manifold[where[k]]);
        }
    }
    for (size_t k = 0; to->margin > 0 && k < of->n; k++) {
        uint32_t at = where[k];
        to->hit[at] =
            to->hit[at] && across_gap(&of->collider[of->a[k]], &of->other[of->b[k]], to->margin, &to->manifold[at]);
    }
}

/* Pairs are sorted by kind a block at a time. */
enum { BLOCK = 256, KINDS = ABUT_SHAPE_CONVEX_TYPES * ABUT_SHAPE_CONVEX_TYPES };
_Static_assert(KINDS <= UINT8_MAX, "a kind fits into a byte");

/* Pairs of one kind: type of a * ABUT_SHAPE_CONVEX_TYPES + type of b. */
static void resolve_kind(uint32_t kind, const abut_np_pairs *of, const uint32_t *where, const output *to) {
    const pair_functions *cell = &pair_table[kind / ABUT_SHAPE_CONVEX_TYPES][kind % ABUT_SHAPE_CONVEX_TYPES];
    if (of->n > 0) {
        (to->manifold ? collide_cell : overlap_cell)(cell, of, where, to);
    }
}

/* A block of several kinds, of->n <= BLOCK; the result of pair k is written at `first` + k. */
static void resolve_by_kind(const abut_np_pairs *of, const uint8_t *kind, size_t first, const output *to) {
    uint32_t a[BLOCK], b[BLOCK], where[BLOCK], end[KINDS] = {0};
    abut_np_hint *hint[BLOCK];
    for (size_t k = 0; k < of->n; k++) {
        end[kind[k]]++;
    }
    (void)abut_radix_starts(end, KINDS);
    for (size_t k = 0; k < of->n; k++) { /* end[i] moves from the start of kind i to its end */
        uint32_t at = end[kind[k]]++;
        a[at] = of->a[k];
        b[at] = of->b[k];
        where[at] = (uint32_t)(first + k);
        hint[at] = hint_of(of, k);
    }
    for (uint32_t i = 0, begin = 0; i < KINDS; begin = end[i++]) {
        const abut_np_pairs bucket = {.collider = of->collider,
                                      .other = of->other,
                                      .a = a + begin,
                                      .b = b + begin,
                                      .hint = hint + begin,
                                      .n = end[i] - begin,
                                      .second_stage = of->second_stage};
        resolve_kind(i, &bucket, where + begin, to);
    }
}

static void resolve(const abut_np_pairs *of, const output *to) {
    for (size_t first = 0; first < of->n; first += BLOCK) {
        abut_np_pairs block = *of;
        uint32_t where[BLOCK], differ = 0;
        uint8_t kind[BLOCK] = {0};
        block.a += first;
        block.b += first;
        block.hint = of->hint ? of->hint + first : NULL;
        block.n = of->n - first < BLOCK ? of->n - first : BLOCK;
        for (size_t k = 0; k < block.n; k++) {
            const abut_collider *a = &of->collider[block.a[k]], *b = &of->other[block.b[k]];
            kind[k] = (uint8_t)(a->type * ABUT_SHAPE_CONVEX_TYPES + b->type);
            where[k] = (uint32_t)(first + k);
            differ |= kind[k] ^ kind[0];
        }
        if (differ) {
            resolve_by_kind(&block, kind, first, to);
        } else {
            resolve_kind(kind[0], &block, where, to);
        }
    }
}

void abut_np_overlap_many(const abut_np_pairs *of, uint8_t *hit) {
    resolve(of, &(output){.hit = hit});
}

void abut_np_collide_many(const abut_np_pairs *of, float margin, abut_manifold *manifold, uint8_t *hit) {
    resolve(of, &(output){margin, manifold, hit});
}

void abut_np_collide_boxes(const abut_np_pairs *pairs, float margin, abut_manifold *first, size_t stride,
                           uint8_t *hit) {
    char *from = (char *)first, *to = from;
    abut_np_box_collide_packed(pairs, margin, first, stride, hit);
    for (size_t k = 0; margin > 0 && k < pairs->n; k++) {
        if (hit[k]) {
            abut_manifold *manifold = (abut_manifold *)(void *)from;
            hit[k] = across_gap(&pairs->collider[pairs->a[k]], &pairs->other[pairs->b[k]], margin, manifold);
            memmove(to, from, sizeof *manifold);
            from += stride;
            to += hit[k] ? stride : 0;
        }
    }
}
