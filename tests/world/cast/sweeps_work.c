/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pellets of one shot: they fly from one place, and filters keep them apart. In one call each meets what it meets by
 * itself; that no pair of them is looked at, tests/work sees. */

#include "support/rng.h"
#include "world/world_test.h"
#include <abut/cast.h>

enum { TARGETS = 400, PELLETS = 600 };

static void pellets_of_one_call_meet_what_each_meets_alone(void **state) {
    static abut_body_id ids[PELLETS];
    static abut_pose to[PELLETS];
    static abut_hit hits[PELLETS];
    rng r = rng_make(test_seed(), 0);
    abut_world *world = make_world(NULL);
    uint32_t met = 0;
    (void)state;
    for (uint32_t i = 0; i < TARGETS; i++) {
        (void)add_cube(world, (float)rng_range(&r, -20, 20), (float)rng_range(&r, 2, 20), (float)rng_range(&r, -20, 20),
                       0.8f);
    }
    for (uint32_t i = 0; i < PELLETS; i++) {
        const abut_body_def def = {
            .pose = pose_at(0, 0, 0), .radius = 0.05f, .filter = {.category = 2, .mask = ~(uint64_t)2}};
        assert_int_equal(abut_body_create(world, &def, &ids[i]), ABUT_OK);
        to[i] = pose_at((float)rng_range(&r, -20, 20), 20, (float)rng_range(&r, -20, 20));
    }
    assert_int_equal(abut_world_sweep(world, ids, to, PELLETS, NULL, hits), ABUT_OK);
    for (uint32_t i = 0; i < PELLETS; i++) {
        abut_hit alone;
        assert_int_equal(abut_world_sweep(world, &ids[i], &to[i], 1, NULL, &alone), ABUT_OK);
        assert_memory_equal(&hits[i], &alone, sizeof alone);
        met += alone.body.index1 != 0;
    }
    assert_true(met > PELLETS / 4 && met < PELLETS);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pellets_of_one_call_meet_what_each_meets_alone),
    };
    return test_run(tests);
}
