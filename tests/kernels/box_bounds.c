/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bounds of many bodies with each instruction set: the same bits as for each body alone with the first set, for every
 * number of bodies and whatever the other bodies are; and nothing else is written. Prints the speed. */

#include "base/bits.h"
#include "narrowphase/narrowphase.h"
#include "support/near_touch.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 67, POOL = 4 * MOST };

typedef void make_function(rng *r, abut_obb *box);

static void make_random(rng *r, abut_obb *box) {
    *box = (abut_obb){rng_vec3(r, -10, 10), rng_rotation(r), rng_vec3(r, 0, 2)};
}

static void make_near_touch(rng *r, abut_obb *box) {
    *box = near_touch_pair(test_seed(), rng_u64(r) >> 20).a;
}

static void make_far(rng *r, abut_obb *box) {
    *box = (abut_obb){rng_vec3(r, -1e9, 1e9), rng_rotation(r), rng_vec3(r, 0, 1e3)};
}

static float any_size(rng *r) {
    static const float special[] = {0, 0x1p-149f, 0x1.fp-130f, FLT_MIN, 0x1p-100f, 1, 0x1p+100f, FLT_MAX};
    return rng_chance(r, 0.5) ? special[rng_below(r, 8)] : (float)rng_log_range(r, 1e-44, 3e38);
}

static void make_any_size(rng *r, abut_obb *box) {
    box->rotation = rng_rotation(r);
    for (int k = 0; k < 3; k++) {
        (&box->center.x)[k] = any_size(r) * rng_sign(r);
        (&box->half.x)[k] = any_size(r);
    }
}

/* A quarter turn or half of one, of any length, and sometimes off by a tiny amount. */
static abut_quat near_quarter_turn(rng *r) {
    float length = rng_chance(r, 0.5) ? 1 : (float)rng_range(r, 0.5, 2), part[4];
    for (int k = 0; k < 4; k++) {
        part[k] = rng_chance(r, 0.5) ? 0 : length * rng_sign(r);
    }
    if (rng_chance(r, 0.5)) {
        float *some = &part[rng_below(r, 4)];
        *some = rng_chance(r, 0.5) ? nextafterf(*some, 4) : *some + (float)rng_log_range(r, 1e-12, 1e-2);
    }
    return (abut_quat){part[0], part[1], part[2], part[3]};
}

/* Boxes, plates, rods and points near quarter turns: sums on the diagonal cancel. */
static void make_near_quarter_turn(rng *r, abut_obb *box) {
    if (rng_chance(r, 0.5)) {
        make_random(r, box);
    } else {
        make_any_size(r, box);
    }
    box->rotation = near_quarter_turn(r);
    for (int k = 0; k < 3; k++) {
        (&box->half.x)[k] *= rng_chance(r, 0.3) ? 0.0f : 1.0f;
    }
}

static void make_crate(rng *r, abut_obb *box) {
    *box = (abut_obb){rng_vec3(r, -10, 10), {0, 0, 0, 1}, {0.5f, 0.25f, 1}};
}

static make_function *const makers[] = {make_random,   make_near_touch,        make_far,
                                        make_any_size, make_near_quarter_turn, make_crate};

enum { KINDS = sizeof makers / sizeof makers[0], MIXED = KINDS, WITH_HULLS, ONLY_HULLS, LISTS };

typedef struct pool {
    abut_collider collider[POOL];
    abut_obb box[POOL];
    float expected[POOL][6];
} pool;

enum { HULLS = 12 };

/* A hull of 4 to 60 vertices, of any size and not around its origin; or of small whole numbers. */
static abut_hull *make_hull(rng *r) {
    abut_vec3 points[60];
    uint32_t count = 4 + rng_below(r, 57);
    abut_hull *hull = NULL;
    while (!hull) {
        bool whole = rng_chance(r, 0.3);
        float scale = (float)rng_log_range(r, 1e-6, 1e6);
        for (uint32_t k = 0; k < count; k++) {
            abut_vec3 v = rng_direction(r);
            points[k] = whole ? (abut_vec3){roundf(3 * v.x), roundf(3 * v.y), roundf(3 * v.z)}
                              : (abut_vec3){scale * (v.x + 1), scale * v.y, scale * v.z};
        }
        if (abut_hull_create(points, count, NULL, &hull) != ABUT_OK) {
            hull = NULL;
        }
    }
    return hull;
}

static void place_hull(rng *r, const abut_hull *hull, abut_collider *collider) {
    const abut_pose pose = {rng_vec3(r, -10, 10), rng_chance(r, 0.3) ? near_quarter_turn(r) : rng_rotation(r)};
    assert_true(abut_collider_from_hull(hull, &pose, collider));
    collider->radius = rng_chance(r, 0.3) ? (float)rng_log_range(r, 1e-6, 10) : 0;
    collider->type = collider->radius > 0 ? ABUT_SHAPE_ROUND_HULL : ABUT_SHAPE_HULL;
}

/* Gives a box a radius now and then, or makes a sphere of it. */
static void grow(rng *r, abut_collider *box) {
    static const float radius[] = {0x1p-149f, 1e-12f, 0.25f, 0.1f, 3, 1e9f};
    if (rng_chance(r, 0.5)) {
        const bool sphere = rng_chance(r, 0.3);
        box->half = sphere ? (abut_vec3){0, 0, 0} : box->half;
        box->radius = radius[rng_below(r, sizeof radius / sizeof *radius)];
        box->type = sphere ? ABUT_SHAPE_SPHERE : ABUT_SHAPE_ROUND_BOX;
    }
}

static void fill(pool *p, rng *r, int kind, abut_hull *const hull[HULLS]) {
    memset(p, 0, sizeof *p);
    for (uint32_t k = 0; k < POOL; k++) {
        makers[kind < KINDS ? (uint32_t)kind : rng_below(r, KINDS)](r, &p->box[k]);
        if (kind == ONLY_HULLS || (kind == WITH_HULLS && rng_chance(r, 0.3))) {
            place_hull(r, hull[rng_below(r, HULLS)], &p->collider[k]);
        } else {
            assert_true(abut_collider_from_obb(&p->box[k], &p->collider[k]));
            grow(r, &p->collider[k]);
        }
    }
}

/* The bounds of one body, by the function for one. */
static void expect(const abut_collider *collider, double more, float box[6]) {
    abut_aabb bounds = abut_collider_bounds(collider);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    for (int i = 0; i < 3; i++) {
        box[i] = abut_bits_round_down(low[i] - more);
        box[i + 3] = abut_bits_round_up(high[i] + more);
    }
}

/* The first n numbers of an ascending list, in memory of just that size at an odd multiple of 4 bytes. */
static void check_list(const pool *p, const uint32_t *number, uint32_t n, double more) {
    static float expected[POOL][6];
    uint32_t *memory = malloc((n + 1) * sizeof *memory), *index = memory + 1;
    float *all = malloc((6 * POOL + 1) * sizeof *all);
    assert_true(memory && all);
    float(*box)[6] = (float(*)[6])(void *)(all + 1);
    memcpy(index, number, n * sizeof *index);
    memset(box, 0x5b, sizeof expected);
    memset(expected, 0x5b, sizeof expected);
    for (uint32_t i = 0; i < n; i++) {
        memcpy(expected[number[i]], p->expected[number[i]], sizeof *expected);
    }
    abut_collider_bounds_many(p->collider, index, n, more, box);
    for (uint32_t k = 0; k < POOL; k++) {
        if (memcmp(box[k], expected[k], sizeof *expected) != 0) {
            fprintf(stderr, "%s: body %lu among %lu, more %a\n", abut_isa_name(abut_isa_active()), (unsigned long)k,
                    (unsigned long)n, more);
            print_obb("box", &p->box[k]);
            for (int i = 0; i < 6; i++) {
                fprintf(stderr, "  %a, alone %a\n", (double)box[k][i], (double)expected[k][i]);
            }
            fail();
        }
    }
    free(memory);
    free(all);
}

static void check_pool(pool *p, rng *r) {
    static const double margins[] = {0, 0x1p-149, 1e-3 * 0.8661, 0.25, 1e30};
    double more = margins[rng_below(r, 5)];
    bool first = true;
    uint32_t number[POOL], skipped = rng_below(r, POOL - MOST);
    for (uint32_t n = 0, k = 0; n <= MOST; n++) {
        number[n] = k++;
        for (; skipped > 0 && rng_chance(r, 0.6); skipped--) {
            k++;
        }
    }
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        for (uint32_t k = 0; k < POOL; k++) {
            float alone[6];
            expect(&p->collider[k], more, alone);
            assert_true(first || memcmp(alone, p->expected[k], sizeof alone) == 0);
            memcpy(p->expected[k], alone, sizeof alone);
        }
        first = false;
        for (uint32_t n = 0; n <= MOST; n++) {
            check_list(p, number, n, more);
        }
    }
}

static void many_bodies_have_the_bounds_of_each_alone(void **state) {
    (void)state;
    pool *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    rng r = rng_make(test_seed(), 0);
    abut_hull *hull[HULLS];
    assert_non_null(p);
    for (int k = 0; k < HULLS; k++) {
        hull[k] = make_hull(&r);
    }
    for (unsigned long round = 0; round < test_count(4); round++) {
        for (int kind = 0; kind < LISTS; kind++) {
            fill(p, &r, kind, hull);
            check_pool(p, &r);
        }
    }
    for (int k = 0; k < HULLS; k++) {
        abut_hull_destroy(&hull[k]);
    }
    free(p);
}

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static double best_time(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]) {
    double best = 1;
    for (int run = 0; run < 6; run++) {
        double start = seconds();
        abut_collider_bounds_many(collider, index, n, more, box);
        best = fmin(best, seconds() - start);
    }
    return best / (double)n * 1e9;
}

static void print_speed(void **state) {
    (void)state;
    enum { N = 100000 };
    static abut_collider collider[N];
    static uint32_t index[N];
    static float box[N][6];
    static const char *const names[] = {"turned", "aligned", "almost aligned"};
    for (int kind = 0; kind < 3; kind++) {
        rng r = rng_make(test_seed(), 0);
        for (uint32_t k = 0; k < N; k++) {
            abut_obb one;
            makers[kind == 1 ? KINDS - 1 : 0](&r, &one);
            one.rotation = kind == 2 ? (abut_quat){(float)rng_range(&r, -1e-3, 1e-3), 0.7f, 0, 0.7f} : one.rotation;
            assert_true(abut_collider_from_obb(&one, &collider[k]));
            index[k] = k;
        }
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                printf("%-8s  %-14s %5.2f ns of 10000, %5.2f of 100000, widened %5.2f\n", abut_isa_name((abut_isa)isa),
                       names[kind], best_time(collider, index, N / 10, 0, box), best_time(collider, index, N, 0, box),
                       best_time(collider, index, N, 0.125, box));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_bodies_have_the_bounds_of_each_alone),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
