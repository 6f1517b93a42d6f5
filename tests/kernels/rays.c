/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray against many colliders: each instruction set gives the bits of the portable one, and each collider the bits
 * that it has alone, whatever else is in the call. */

#include "narrowphase/narrowphase.h"
#include "support/aimed_rays.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

enum { MOST = 67, CANARY = 3 };

/* Bodies around the origin, and a ray at one of them. */
static abut_np_ray random_scene(const round_hulls *hulls, rng *r, uint64_t index, bool mixed,
                                abut_collider collider[MOST]) {
    round_kind kind = (round_kind)rng_below(r, ROUND_KINDS);
    abut_np_ray ray = {{0}, {0}};
    uint32_t target = rng_below(r, MOST);
    for (uint32_t k = 0; k < MOST; k++) {
        round_body body;
        near_round_body(hulls, test_seed() + 2, index * MOST + k, mixed ? (round_kind)rng_below(r, ROUND_KINDS) : kind,
                        1, &body);
        body.pose.position = rng_vec3(r, -1, 1);
        assert_true(abut_collider_from_shape(&body.shape, &body.pose, &collider[k]));
        if (k == target) {
            const abut_ray aimed = aimed_ray(&body, r);
            ray = abut_np_ray_of(&aimed);
        }
    }
    return ray;
}

static void sets_and_batches_change_no_bit(void **state) {
    (void)state;
    round_hulls *hulls = round_hulls_make(test_seed());
    unsigned long hits = 0, misses = 0;
    for (unsigned long i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed() + 3, i);
        static abut_collider collider[MOST];
        double alone[MOST], many[MOST + CANARY];
        uint32_t index[MOST];
        size_t n = rng_chance(&r, 0.5) ? 1 + rng_below(&r, 9) : 1 + rng_below(&r, MOST);
        const abut_np_ray ray = random_scene(hulls, &r, i, i & 1, collider);
        assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
        for (size_t k = 0; k < n; k++) {
            index[k] = rng_below(&r, MOST);
            abut_np_cast_ray_many(&ray, collider, &index[k], 1, 1, &alone[k]);
            assert_true((alone[k] >= 0 && alone[k] <= 1) || alone[k] == INFINITY);
            assert_false(signbit(alone[k]));
            hits += alone[k] <= 1;
            misses += alone[k] > 1;
        }
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                memset(many, 0x77, sizeof many);
                abut_np_cast_ray_many(&ray, collider, index, n, 1, many);
                assert_memory_equal(many, alone, n * sizeof *many);
                for (size_t k = n * sizeof *many; k < sizeof many; k++) {
                    assert_int_equal(((unsigned char *)many)[k], 0x77);
                }
            }
        }
    }
    assert_true(hits > (hits + misses) / 8 && misses > (hits + misses) / 8);
    round_hulls_release(hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_and_batches_change_no_bit),
    };
    return test_run(tests);
}
