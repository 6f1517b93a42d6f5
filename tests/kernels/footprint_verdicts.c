/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles against the shadows of boxes in float: each instruction set returns the bits of the portable one, its
 * verdicts agree with the exact test under both touch rules, and most pairs get one. Prints the speed. */

#include "narrowphase/box/separation.h"
#include "narrowphase/kernels.h"
#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 67, CANARY = 0x77 };

typedef struct pairs {
    int ground[2];
    abut_np_footprint *footprint;
    abut_collider *collider;
    uint32_t *index_footprint, *index_collider;
    size_t n;
    bool grown;
} pairs;

/* Upright, a little tilted, or any rotation. */
static abut_quat rotation(rng *r, int up) {
    abut_quat q = rng_rotation(r);
    uint32_t kind = rng_below(r, 4);
    if (kind < 3) {
        double angle = kind == 0 ? rng_below(r, 5) * 0.78539816339744831 : rng_range(r, 0, 7);
        double tilt = kind == 2 ? rng_log_range(r, 1e-9, 0.3) : 0;
        float *part = &q.x;
        q = (abut_quat){0, 0, 0, (float)cos(angle)};
        part[(up + 1) % 3] = (float)tilt;
        part[up] = (float)sin(angle);
    }
    return q;
}

static float size_of(rng *r) {
    return rng_chance(r, 0.1) ? 0 : rng_chance(r, 0.2) ? (float)rng_log_range(r, 1e-4, 1e3) : (float)rng_range(r, 0, 2);
}

static float random_growth(rng *r) {
    return rng_chance(r, 0.3) ? 0 : rng_chance(r, 0.3) ? (float)rng_log_range(r, 1e-6, 10) : size_of(r);
}

/* Near each other, far from the origin, exactly side by side, of any size, or closer than float can resolve. */
static void random_pair(rng *r, const int ground[2], bool grown, abut_np_footprint *footprint,
                        abut_collider *collider) {
    int up = 3 - ground[0] - ground[1];
    abut_obb2 c = {{(float)rng_range(r, -3, 3), (float)rng_range(r, -3, 3)},
                   {(float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1)},
                   {size_of(r), size_of(r)}};
    abut_obb box = {rng_vec3(r, -1, 1), rotation(r, up), {size_of(r), size_of(r), size_of(r)}};
    float *at = &box.center.x;
    uint32_t kind = rng_below(r, 6);
    if (kind == 0) {
        float far = (float)rng_log_range(r, 1e3, 1e9);
        c.center.x += far;
        at[ground[0]] += far;
    } else if (kind == 1) {
        c.center = (abut_vec2){(float)rng_below(r, 4), (float)rng_below(r, 4)};
        c.axis = (abut_vec2){rng_sign(r), 0};
        c.half = (abut_vec2){0.5f, 1};
        box = (abut_obb){{1, 1, 1}, {0, 0, 0, 1}, {0.5f, 1.5f, 0.5f}};
    } else if (kind == 2) {
        float scale = (float)rng_log_range(r, 1e-38, 1e30);
        c.center.x *= scale, c.center.y *= scale, c.half.x *= scale, c.half.y *= scale;
    } else if (kind == 3) {
        float scale = (float)rng_log_range(r, 1e-38, 1e38);
        c.axis.x *= scale, c.axis.y *= scale;
    }
    abut_shape shape = {.half = box.half, .radius = grown ? random_growth(r) : 0};
    if (grown && rng_chance(r, 0.3)) { /* spheres and capsules */
        shape.half.x = shape.half.y = 0;
        shape.half.z = rng_chance(r, 0.5) ? 0 : shape.half.z;
    }
    assert_true(abut_collider_from_shape(&shape, &(abut_pose){box.center, box.rotation}, collider));
    float clearance = grown ? random_growth(r) : 0;
    assert_true(abut_np_footprint_of(&c, clearance, ABUT_TOUCH_IS_FREE, ground, footprint));
    if (kind == 4 && abut_np_footprint_meets(footprint, collider)) { /* just separated, or just not */
        abut_vec2 translation = abut_np_footprint_translation(footprint, collider);
        footprint->rectangle.center.x += translation.x;
        footprint->rectangle.center.y += translation.y;
        if (rng_chance(r, 0.5)) {
            footprint->rectangle.center.x = nextafterf(footprint->rectangle.center.x, at[ground[0]]);
            footprint->rectangle.center.y = nextafterf(footprint->rectangle.center.y, at[ground[1]]);
        }
    }
}

/* Arrays of exactly n + 1 elements, so that a sanitizer sees an access beyond. */
static pairs make_pairs(rng *r, size_t n, bool grown) {
    static const int grounds[6][2] = {{0, 2}, {0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}};
    pairs p = {.n = n, .grown = grown};
    memcpy(p.ground, grounds[rng_below(r, 6)], sizeof p.ground);
    p.footprint = malloc((n + 1) * sizeof *p.footprint);
    p.collider = aligned_alloc(_Alignof(abut_collider), (n + 1) * sizeof *p.collider);
    p.index_footprint = malloc((n + 1) * sizeof *p.index_footprint);
    p.index_collider = malloc((n + 1) * sizeof *p.index_collider);
    assert_true(p.footprint && p.collider && p.index_footprint && p.index_collider);
    for (size_t k = 0; k < n; k++) {
        random_pair(r, p.ground, grown, &p.footprint[k], &p.collider[n - 1 - k]);
        p.index_footprint[k] = (uint32_t)k;
        p.index_collider[k] = (uint32_t)(n - 1 - k);
    }
    return p;
}

static void free_pairs(pairs *p) {
    free(p->footprint);
    free(p->collider);
    free(p->index_footprint);
    free(p->index_collider);
}

static void ask(const pairs *p, uint8_t verdict[MOST + 1]) {
    const abut_np_footprint_kernel_pairs of = {.rectangle = p->footprint,
                                               .collider = p->collider,
                                               .rectangle_stride = sizeof *p->footprint,
                                               .collider_stride = sizeof *p->collider,
                                               .index_rectangle = p->index_footprint,
                                               .index_collider = p->index_collider,
                                               .ground = {p->ground[0], p->ground[1]},
                                               .n = p->n};
    memset(verdict, CANARY, MOST + 1);
    const abut_np_footprint_kernels *kernels = abut_np_footprint_kernels_active();
    (p->grown ? kernels->grown_verdicts : kernels->verdicts)(&of, verdict);
    assert_int_equal(verdict[p->n], CANARY);
}

static void check_verdicts(const pairs *p, const uint8_t *verdict, size_t seen[3]) {
    for (size_t k = 0; k < p->n; k++) {
        abut_np_footprint footprint = p->footprint[p->index_footprint[k]];
        for (int touch = 0; touch < 2; touch++) {
            footprint.touch = (abut_touch)touch;
            bool meets = abut_np_footprint_meets(&footprint, &p->collider[p->index_collider[k]]);
            assert_true(verdict[k] == ABUT_NP_UNDECIDED || meets == (verdict[k] == ABUT_NP_TOUCHING));
        }
        seen[verdict[k]]++;
    }
}

static void check_everywhere(bool grown, uint64_t first) {
    size_t seen[3] = {0};
    for (unsigned long round = 0; round < test_count(300); round++) {
        rng r = rng_make(test_seed(), first + round);
        pairs p = make_pairs(&r, rng_below(&r, MOST + 1), grown);
        uint8_t plain[MOST + 1], verdict[MOST + 1];
        assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
        ask(&p, plain);
        check_verdicts(&p, plain, seen);
        for (int isa = 1; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                ask(&p, verdict);
                assert_memory_equal(verdict, plain, sizeof plain);
            }
        }
        free_pairs(&p);
    }
    size_t all = seen[0] + seen[1] + seen[2];
    printf("%zu apart, %zu overlap, %zu undecided\n", seen[0], seen[1], seen[2]);
    assert_true(seen[ABUT_NP_APART] > all / 5 && seen[ABUT_NP_TOUCHING] > all / 5);
    assert_true(seen[ABUT_NP_UNDECIDED] > all / 50 && seen[ABUT_NP_UNDECIDED] < all / 3);
}

static void verdicts_are_exact_and_the_same_everywhere(void **state) {
    (void)state;
    check_everywhere(false, 0);
}

static void verdicts_of_grown_shadows_are_exact_and_the_same_everywhere(void **state) {
    (void)state;
    check_everywhere(true, UINT64_C(1) << 32);
}

/* Lengths near both ends of the range of floats, where squares leave it. */
static void verdicts_of_tiny_and_huge_pairs_are_exact(void **state) {
    (void)state;
    size_t seen[3] = {0};
    for (unsigned long round = 0; round < test_count(300); round++) {
        rng r = rng_make(test_seed(), (UINT64_C(2) << 32) + round);
        pairs p = make_pairs(&r, MOST, true);
        uint8_t verdict[MOST + 1];
        for (size_t k = 0; k < MOST; k++) {
            float scale = (float)rng_log_range(&r, 1e-22, 1e-14), other = rng_chance(&r, 0.5) ? scale : 1 / scale;
            abut_obb2 c = {{(float)rng_range(&r, -2, 2) * other, (float)rng_range(&r, -2, 2) * other},
                           {(float)rng_range(&r, -1, 1), (float)rng_range(&r, -1, 1)},
                           {size_of(&r) * other, size_of(&r) * other}};
            abut_collider *box = &p.collider[MOST - 1 - k];
            float *of_box = &box->half.x;
            box->center = (abut_vec3){scale, scale, scale};
            for (int i = 0; i < 4; i++) { /* and the radius */
                of_box[i] = size_of(&r) * other;
            }
            float clearance = other * size_of(&r);
            if (rng_chance(&r, 0.3)) { /* a disc at the corner of a rectangle, nearer than a root of the least float */
                const abut_vec3 none = {0, 0, 0};
                c = (abut_obb2){{0, 0}, {1, 0}, {0x1p-60f, 0x1p-60f}};
                *box = abut_collider_unplaced(NULL, NULL, none, (float)rng_log_range(&r, 5e-24, 1e-22));
                box->rotation.w = 1;
                *(&box->center.x + p.ground[0]) = c.half.x + (float)rng_log_range(&r, 5e-24, 1e-22);
                *(&box->center.x + p.ground[1]) = c.half.y + (float)rng_log_range(&r, 5e-24, 1e-22);
                clearance = 0;
            }
            assert_true(abut_np_footprint_of(&c, clearance, ABUT_TOUCH_IS_FREE, p.ground, &p.footprint[k]));
        }
        ask(&p, verdict);
        check_verdicts(&p, verdict, seen);
        free_pairs(&p);
    }
    assert_true(seen[ABUT_NP_APART] > 0 && seen[ABUT_NP_TOUCHING] > 0 && seen[ABUT_NP_UNDECIDED] > 0);
}

/* Upright boxes, slabs and towers, with and without a radius and a clearance: float decides a whole city. */
static void a_city_is_decided(void **state) {
    (void)state;
    static const int ground[2] = {0, 2};
    size_t seen[3] = {0};
    for (unsigned long round = 0; round < test_count(200); round++) {
        rng r = rng_make(test_seed(), 5000 + round);
        bool grown = round % 2;
        pairs p = make_pairs(&r, MOST, grown);
        uint8_t verdict[MOST + 1];
        for (size_t k = 0; k < MOST; k++) {
            float angle = (float)rng_range(&r, 0, 3);
            const abut_pose pose = {rng_vec3(&r, round % 4 < 2 ? -2 : -6, round % 4 < 2 ? 2 : 6),
                                    {0, sinf(angle), 0, cosf(angle)}};
            abut_shape shape = {.half = rng_vec3(&r, 0.5, 2), .radius = grown ? (float)rng_range(&r, 0, 1) : 0};
            abut_obb2 c = {{0, 0}, {(float)rng_range(&r, -1, 1), (float)rng_range(&r, -1, 1)}, {1, 2}};
            shape.half.y = (float)rng_log_range(&r, 0.01, 100);
            assert_true(abut_collider_from_shape(&shape, &pose, &p.collider[k]));
            assert_true(abut_np_footprint_of(&c, grown ? 0.5f : 0, ABUT_TOUCH_IS_FREE, ground, &p.footprint[k]));
        }
        memcpy(p.ground, ground, sizeof ground);
        ask(&p, verdict);
        check_verdicts(&p, verdict, seen);
        free_pairs(&p);
    }
    printf("%zu apart, %zu overlap, %zu undecided\n", seen[0], seen[1], seen[2]);
    assert_true(seen[ABUT_NP_UNDECIDED] < (seen[0] + seen[1]) / 100);
}

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static void print_speed(void **state) {
    (void)state;
    enum { ROUNDS = 200 };
    for (int grown = 0; grown < 2; grown++) {
        rng r = rng_make(test_seed(), 1);
        pairs p = make_pairs(&r, MOST - 3, grown);
        uint8_t verdict[MOST + 1];
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            double best = 1;
            for (int time = 0; abut_isa_select((abut_isa)isa) == ABUT_OK && time < 20; time++) {
                double from = seconds();
                for (int i = 0; i < ROUNDS; i++) {
                    ask(&p, verdict);
                }
                best = fmin(best, seconds() - from);
            }
            if (best < 1) {
                printf("%-8s  a footprint and a %s: %5.2f ns\n", abut_isa_name((abut_isa)isa),
                       grown ? "grown box" : "box", best / ROUNDS / (double)p.n * 1e9);
            }
        }
        free_pairs(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_exact_and_the_same_everywhere),
        cmocka_unit_test(verdicts_of_grown_shadows_are_exact_and_the_same_everywhere),
        cmocka_unit_test(verdicts_of_tiny_and_huge_pairs_are_exact),
        cmocka_unit_test(a_city_is_decided),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
