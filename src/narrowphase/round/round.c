/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/round.h"
#include "narrowphase/kernels.h"
#include "narrowphase/points.h"
#include "narrowphase/tolerance.h"

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

#if !defined(ABUT_LANES_WASM)
/* Two spheres, as their kernel relates them, operation for operation. `manifold` may be NULL. WebAssembly goes without
 * this, for its size. */
static bool two_spheres(const abut_collider *a, const abut_collider *b, double margin, abut_manifold *manifold) {
    const abut_d3 p = abut_d3_from(a->center), q = abut_d3_from(b->center), apart = abut_d3_sub(q, p);
    double distance = abut_d3_length(apart), radii = (double)a->radius + b->radius;
    double slack = (abut_d3_norm1(apart) + radii) * ABUT_NP_ROUND_SLACK;
    if (!(distance <= (radii + margin) + slack) || !manifold) {
        return distance <= (radii + margin) + slack;
    }
    double over = 1 / (distance == 0 ? 1 : distance), gap = abut_min_d(distance - radii, margin);
    abut_np_points points = {.normal = {{apart.x[0] * over, apart.x[1] * over, apart.x[2] * over}}, .count = 1};
    abut_np_point *only = &points.point[0];
    const abut_d3 on_a = abut_d3_along(p, a->radius, points.normal), on_b = abut_d3_along(q, -b->radius, points.normal);
    for (int i = 0; i < 3; i++) {
        only->position.x[i] = (on_a.x[i] + on_b.x[i]) * 0.5;
    }
    points.normal.x[1] = distance == 0 ? 1 : points.normal.x[1];
    only->separation = distance <= radii + slack ? abut_min_d(gap, 0) : gap;
    only->feature = 0;
    abut_np_points_round(&points, manifold);
    return true;
}
#endif

/* One pair, as a list. `manifold` may be NULL. */
static bool one(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    static const uint32_t first = 0;
    uint8_t verdict;
#if !defined(ABUT_LANES_WASM)
    if (a->type == ABUT_SHAPE_SPHERE && b->type == ABUT_SHAPE_SPHERE) {
        return two_spheres(a, b, (double)margin, manifold);
    }
#endif
    const choice with = kernel_of(abut_np_round_kernels_of_one(), a, b);
    const abut_np_box_pairs pair = {.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
    const abut_np_manifold_output to = {manifold, 0, &first};
    const abut_np_round_job job = job_of(pair, margin, with.flip, to, &verdict);
    with.run(&job);
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
