/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many pairs at once, with each instruction set: the same bits as for each pair alone, whatever the other pairs are,
 * for every number of pairs; and nothing else is written. */

#include "narrowphase/narrowphase.h"
#include "support/near_touch.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 67 };

static const float margins[] = {0, 1e-3f, 0.25f};

typedef void make_function(rng *r, unsigned long index, abut_obb *a, abut_obb *b);

static void make_random(rng *r, unsigned long index, abut_obb *a, abut_obb *b) {
    (void)index;
    *a = (abut_obb){rng_vec3(r, -1, 1), rng_rotation(r), rng_vec3(r, 0.1, 1)};
    *b = (abut_obb){rng_vec3(r, -1, 1), rng_rotation(r), rng_vec3(r, 0.1, 1)};
}

static void make_near_touch(rng *r, unsigned long index, abut_obb *a, abut_obb *b) {
    (void)r;
    near_touch p = near_touch_pair(test_seed(), index);
    *a = p.a;
    *b = p.b;
}

/* One on top of the other, sometimes tilted, turned or sunk in a little. */
static void make_resting(rng *r, unsigned long index, abut_obb *a, abut_obb *b) {
    (void)index;
    double tilt = rng_chance(r, 0.5) ? 0 : rng_log_range(r, 1e-7, 1e-3), turn = rng_chance(r, 0.5) ? 0 : 1;
    *a = (abut_obb){.rotation = {0, 0, 0, 1}, .half = rng_vec3(r, 0.25, 1)};
    *b = (abut_obb){.rotation = {(float)tilt, (float)(turn * rng_range(r, -1, 1)), (float)-tilt, 1}, .half = a->half};
    b->center = (abut_vec3){(float)rng_range(r, -0.5, 0.5), a->half.y + b->half.y, rng_chance(r, 0.5) ? 0 : 0.25f};
    b->center.y -= rng_chance(r, 0.5) ? 0 : (float)rng_log_range(r, 1e-7, 1e-2);
}

/* Cubes, plates, rods and points on a grid; many are equal. */
static void make_aligned(rng *r, unsigned long index, abut_obb *a, abut_obb *b) {
    static const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 1}, {0, 1, 1, 0}};
    (void)index;
    abut_obb *box[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        *box[i] = (abut_obb){.rotation = turns[rng_below(r, 4)], .half = {0.5f, 0.5f, 0.5f}};
        float *center = &box[i]->center.x, *half = &box[i]->half.x;
        for (int k = 0; k < 3; k++) {
            center[k] = (float)rng_below(r, 3) - 1;
            half[k] = rng_chance(r, 0.2) ? 0 : half[k];
        }
    }
}

static make_function *const makers[] = {make_random, make_near_touch, make_resting, make_aligned};

enum { KINDS = sizeof makers / sizeof makers[0], POOL = 4096 };

/* The pool of pairs: pair k is collider 2 k and 2 k + 1; and the result of each pair alone. */
typedef struct pool {
    abut_collider collider[2 * POOL];
    abut_manifold manifold[POOL];
    uint8_t overlap[POOL], hit[POOL];
} pool;

static void fill(pool *p, int kind, float margin) {
    memset(p, 0, sizeof *p);
    for (uint32_t k = 0; k < POOL; k++) {
        rng r = rng_make(test_seed(), (uint64_t)kind * POOL + k);
        abut_obb a, b;
        makers[kind](&r, k, &a, &b);
        assert_true(abut_collider_from_obb(&a, &p->collider[2 * k]) &&
                    abut_collider_from_obb(&b, &p->collider[2 * k + 1]));
        p->overlap[k] = abut_np_overlap(&p->collider[2 * k], &p->collider[2 * k + 1]);
        p->hit[k] = abut_np_collide(&p->collider[2 * k], &p->collider[2 * k + 1], margin, &p->manifold[k]);
    }
}

/* With a margin, the place of a pair that is too far apart may have been written. */
static void check_answers(const pool *p, float margin, const uint32_t *number, uint32_t n,
                          const abut_manifold *manifold, const uint8_t *hit, const uint8_t *overlap,
                          const abut_manifold *untouched) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = number[i];
        const abut_manifold *expected = p->hit[k] ? &p->manifold[k] : untouched;
        bool same = memcmp(&manifold[i], expected, sizeof *expected) == 0 || (!p->hit[k] && margin > 0);
        bool right = hit[i] == p->hit[k] && overlap[i] == p->overlap[k] && same;
        if (!right) {
            fprintf(stderr, "%s: pair %lu of %lu, number %lu\n", abut_isa_name(abut_isa_active()), (unsigned long)i,
                    (unsigned long)n, (unsigned long)k);
            print_manifold("alone", expected);
            print_manifold("among others", &manifold[i]);
            fail();
        }
    }
}

/* n pairs of the pool, in arrays of just that size. */
static void check_list(const pool *p, float margin, uint32_t n, rng *r) {
    uint32_t *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b), number[MOST];
    abut_manifold *manifold = malloc((n + 1) * sizeof *manifold), untouched;
    uint8_t *hit = malloc(n + 1), *overlap = malloc(n + 1);
    assert_true(a && b && manifold && hit && overlap);
    memset(&untouched, 0x5b, sizeof untouched);
    memset(manifold, 0x5b, (n + 1) * sizeof *manifold);
    memset(hit, 0x5b, n + 1);
    memset(overlap, 0x5b, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        number[i] = rng_below(r, POOL);
        a[i] = 2 * number[i];
        b[i] = 2 * number[i] + 1;
    }
    const abut_np_pairs pairs = {.collider = p->collider, .other = p->collider, .a = a, .b = b, .n = n};
    abut_np_collide_many(&pairs, margin, manifold, hit);
    abut_np_overlap_many(&pairs, overlap);
    check_answers(p, margin, number, n, manifold, hit, overlap, &untouched);
    assert_int_equal(hit[n], 0x5b);
    assert_int_equal(overlap[n], 0x5b);
    assert_memory_equal(&manifold[n], &untouched, sizeof untouched);
    free(a);
    free(b);
    free(manifold);
    free(hit);
    free(overlap);
}

static void many_pairs_have_the_answers_of_each_alone(void **state) {
    (void)state;
    pool *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    assert_non_null(p);
    for (int kind = 0; kind < KINDS * 3; kind++) {
        float margin = margins[kind / KINDS];
        fill(p, kind % KINDS, margin);
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
                continue;
            }
            rng r = rng_make(test_seed(), (uint64_t)kind);
            for (uint32_t n = 0; n <= MOST; n++) {
                check_list(p, margin, n, &r);
            }
            for (unsigned long round = 0; round < test_count(150); round++) {
                check_list(p, margin, MOST, &r);
            }
        }
    }
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_pairs_have_the_answers_of_each_alone)};
    return test_run(tests);
}
