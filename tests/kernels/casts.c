/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A moving shape against many colliders: each instruction set gives the bits of the portable one, and each collider the
 * bits that it has alone, whatever else is in the call and whatever the limit. The fraction agrees with the distance of
 * the shapes there. */

#include "narrowphase/narrowphase.h"
#include "support/near_round.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 67, CANARY = 3 };

/* Bodies around the origin, and a shape that moves towards one of them, some of the time from its side. */
static abut_np_cast random_scene(const round_hulls *hulls, rng *r, uint64_t index, bool mixed,
                                 abut_collider collider[MOST]) {
    round_kind kind = (round_kind)rng_below(r, ROUND_KINDS);
    round_body body;
    for (uint32_t k = 0; k < MOST; k++) {
        near_round_body(hulls, test_seed() + 2, index * MOST + k, mixed ? (round_kind)rng_below(r, ROUND_KINDS) : kind,
                        1, &body);
        body.pose.position = rng_vec3(r, -1, 1);
        assert_true(abut_collider_from_shape(&body.shape, &body.pose, &collider[k]));
    }
    abut_collider start;
    near_round_body(hulls, test_seed() + 5, index, (round_kind)rng_below(r, ROUND_KINDS), 1, &body);
    float away = rng_chance(r, 0.2) ? 1.5f : 6;
    const abut_vec3 to = rng_vec3(r, -2, 2), from = rng_vec3(r, -away, away);
    body.pose.position = from;
    assert_true(abut_collider_from_shape(&body.shape, &body.pose, &start));
    float by = rng_chance(r, 0.1) ? 1e20f : 2;
    return abut_np_cast_of(&start, (abut_vec3){(to.x - from.x) * by, (to.y - from.y) * by, (to.z - from.z) * by});
}

/* How far both shapes go from the origin, and at least 100. A few hulls are thousands long: where floats place them is
 * known to 2^-24 of that only. */
static double size_of(const abut_collider *one, const abut_collider *other) {
    const abut_aabb box[2] = {abut_collider_bounds(one), abut_collider_bounds(other)};
    double size = 100;
    for (int i = 0; i < 6; i++) {
        const float *min = &box[i % 2].min.x, *max = &box[i % 2].max.x;
        size = fmax(size, fmax(fabs((double)min[i / 2]), fabs((double)max[i / 2])));
    }
    return size;
}

/* Whether the shapes are as near as the fraction says. */
static void assert_near(const abut_np_cast *cast, const abut_collider *body, double fraction) {
    abut_np_cast there = *cast;
    abut_vec3 position, normal;
    float *c = &there.start.center.x;
    double distance;
    static const uint32_t first = 0;
    for (int i = 0; i < 3; i++) {
        c[i] = (float)((double)c[i] + fraction * cast->translation[i]);
    }
    const double size = size_of(&there.start, body);
    abut_np_distance_many(&there.start, body, &first, 1, INFINITY, &distance);
    assert_true(distance <= 1e-6 * size);
    abut_np_cast_place(cast, body, fraction, &position, &normal);
    double length2 = (double)normal.x * normal.x + (double)normal.y * normal.y + (double)normal.z * normal.z;
    assert_true(fabs(length2 - 1) < 1e-6);
    assert_true(abut_d3_dot(abut_d3_from(normal), abut_d3_load(cast->translation)) <= 0);
    const abut_shape point = {.half = {0, 0, 0}};
    abut_collider at;
    assert_true(abut_collider_from_shape(&point, &(abut_pose){position, {0, 0, 0, 1}}, &at));
    abut_np_distance_many(&at, body, &first, 1, INFINITY, &distance);
    assert_true(distance <= 1e-6 * size);
    abut_np_distance_many(&at, &there.start, &first, 1, INFINITY, &distance);
    assert_true(distance <= 1e-6 * size);
}

static void sets_and_batches_change_no_bit(void **state) {
    (void)state;
    round_hulls *hulls = round_hulls_make(test_seed());
    unsigned long hits = 0, misses = 0, touched = 0;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        rng r = rng_make(test_seed() + 3, i);
        static abut_collider collider[MOST];
        double alone[MOST], many[MOST + CANARY], least = INFINITY;
        uint32_t index[MOST];
        size_t n = rng_chance(&r, 0.5) ? 1 + rng_below(&r, 9) : 1 + rng_below(&r, MOST);
        const abut_np_cast cast = random_scene(hulls, &r, i, i & 1, collider);
        assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
        for (size_t k = 0; k < n; k++) {
            index[k] = rng_below(&r, MOST);
            const abut_collider *body = &collider[index[k]];
            abut_np_cast_many(&cast, collider, &index[k], 1, 1, &alone[k]);
            bool touch = alone[k] == ABUT_NP_CAST_TOUCHED, meet = alone[k] >= 0 && alone[k] <= 1;
            assert_true(touch || meet || alone[k] == INFINITY);
            assert_int_equal(touch, abut_np_overlap(&cast.start, body));
            assert_false(!touch && signbit(alone[k]));
            if (meet) {
                assert_near(&cast, body, alone[k]);
            }
            hits += meet;
            touched += touch;
            misses += alone[k] > 1;
            least = meet && k % 3 == 0 ? alone[k] : least;
        }
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                memset(many, 0x77, sizeof many);
                abut_np_cast_many(&cast, collider, index, n, 1, many);
                assert_memory_equal(many, alone, n * sizeof *many);
                for (size_t k = n * sizeof *many; k < sizeof many; k++) {
                    assert_int_equal(((unsigned char *)many)[k], 0x77);
                }
                abut_np_cast_many(&cast, collider, index, n, least, many);
                for (size_t k = 0; k < n; k++) {
                    assert_true(many[k] == alone[k] || (many[k] == INFINITY && alone[k] > least));
                }
            }
        }
    }
    printf("%lu hits, %lu misses, %lu touched\n", hits, misses, touched);
    assert_true(hits > (hits + misses) / 8 && misses > (hits + misses) / 8 && touched > 100);
    round_hulls_release(hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_and_batches_change_no_bit),
    };
    return test_run(tests);
}
