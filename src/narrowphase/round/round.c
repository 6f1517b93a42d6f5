/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/round.h"
#include "narrowphase/kernels.h"
#include "narrowphase/round/single.h"

typedef void kernel(const abut_np_round_job *job);

/* The kernel of a cell, and whether it wants the two of a pair in the other order. */
typedef struct choice {
    kernel *run;
    bool flip;
} choice;

static bool is_segment(const abut_collider *c) {
    return c->type == ABUT_SHAPE_SPHERE || c->type == ABUT_SHAPE_CAPSULE;
}

static choice kernel_of(const abut_np_round_kernels *kernels, const abut_collider *a, const abut_collider *b) {
    bool flip = !is_segment(a), sphere = (flip ? b : a)->type == ABUT_SHAPE_SPHERE;
    if (is_segment(a) && is_segment(b)) {
        bool both = sphere && b->type == ABUT_SHAPE_SPHERE;
        return (choice){both ? kernels->spheres : kernels->segments, false};
    }
    return (choice){sphere ? kernels->sphere_box : kernels->capsule_box, flip};
}

static abut_np_round_job job_of(abut_np_box_pairs pairs, float margin, bool flip, abut_np_manifold_output to,
                                uint8_t *verdict) {
    if (flip) {
        pairs = (abut_np_box_pairs){pairs.b,       pairs.a,       pairs.stride_b, pairs.stride_a,
                                    pairs.index_b, pairs.index_a, pairs.n};
    }
    return (abut_np_round_job){pairs, margin, flip, to, verdict};
}

/* One pair: by a way of its own or, else, as a list. `manifold` may be NULL. */
static bool one(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    static const uint32_t first = 0;
    uint8_t verdict = ABUT_NP_ROUND_CORES;
    if (ABUT_NP_SINGLE && a->type == ABUT_SHAPE_SPHERE && b->type == ABUT_SHAPE_SPHERE) {
        return abut_np_spheres_collide(&a->center, a->radius, &b->center, b->radius, (double)margin, manifold);
    }
    if (ABUT_NP_SINGLE && is_segment(a) && is_segment(b)) {
        const abut_np_rod x = abut_np_rod_of(a), y = abut_np_rod_of(b);
        verdict = (uint8_t)abut_np_rods_collide(&x, &y, (double)margin, manifold);
    }
    if (verdict == ABUT_NP_ROUND_CORES) {
        const choice with = kernel_of(abut_np_round_kernels_of_one(), a, b);
        const abut_np_box_pairs pair = {.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
        const abut_np_manifold_output to = {manifold, 0, &first};
        const abut_np_round_job job = job_of(pair, margin, with.flip, to, &verdict);
        with.run(&job);
    }
    if (verdict == ABUT_NP_ROUND_CORES && manifold) {
        return abut_np_cores_collide(a, b, margin, NULL, manifold);
    }
    return verdict != ABUT_NP_ROUND_APART;
}

bool abut_np_round_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    (void)hint;
    return one(a, b, 0, NULL);
}

bool abut_np_round_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                           abut_manifold *manifold) {
    (void)hint;
    return one(a, b, margin, manifold);
}

enum { BLOCK = 256 };

/* At most BLOCK pairs of one cell of the table, from number `first` on. */
static void run_block(const abut_np_pairs *pairs, size_t first, size_t n, float margin, abut_np_manifold_output to,
                      uint8_t *verdict) {
    const abut_collider *a = pairs->collider, *b = pairs->other;
    const size_t stride = sizeof *a;
    const abut_np_box_pairs block = {a, b, stride, stride, pairs->a + first, pairs->b + first, n};
    const choice with = kernel_of(abut_np_round_kernels_active(), &a[pairs->a[0]], &b[pairs->b[0]]);
    const abut_np_round_job job = job_of(block, margin, with.flip, to, verdict);
    with.run(&job);
}

void abut_np_round_overlap_many(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit) {
    uint8_t verdict[BLOCK];
    for (size_t first = 0; first < pairs->n; first += BLOCK) {
        size_t n = pairs->n - first < BLOCK ? pairs->n - first : BLOCK;
        run_block(pairs, first, n, 0, (abut_np_manifold_output){0}, verdict);
        for (size_t k = 0; k < n; k++) {
            hit[where[first + k]] = verdict[k] != ABUT_NP_ROUND_APART;
        }
    }
}

void abut_np_round_collide_many(const abut_np_pairs *pairs, float margin, const uint32_t *where,
                                abut_manifold *manifold, uint8_t *hit) {
    uint8_t verdict[BLOCK];
    for (size_t first = 0; first < pairs->n; first += BLOCK) {
        size_t n = pairs->n - first < BLOCK ? pairs->n - first : BLOCK;
        run_block(pairs, first, n, margin, (abut_np_manifold_output){manifold, sizeof *manifold, where + first},
                  verdict);
        for (size_t k = 0; k < n; k++) {
            size_t at = where[first + k];
            hit[at] = verdict[k] != ABUT_NP_ROUND_APART;
            if (verdict[k] == ABUT_NP_ROUND_CORES) {
                const abut_collider *a = &pairs->collider[pairs->a[first + k]], *b = &pairs->other[pairs->b[first + k]];
                hit[at] = abut_np_cores_collide(a, b, margin, NULL, &manifold[at]);
            }
        }
    }
}
