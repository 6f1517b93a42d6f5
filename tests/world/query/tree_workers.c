/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Who brings the search tree up to date side by side: calls that change the world. A question must not: others may wait
 * for it, and a `run` that helps with other jobs while it waits may ask the next question. */

#include "support/rng.h"
#include "world/world.h"
#include "world/world_test.h"
#include <abut/cast.h>
#include <abut/query.h>

enum { BODIES = 20000, RAYS = 600 };

typedef struct jobs {
    abut_world *world;
    bool asks; /* a const call is under way: run asks questions of its own */
    uint32_t loops, early;
} jobs;

static void run(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    jobs *j = user;
    abut_hit hit;
    j->loops++;
    if (j->asks && !abut_once_is_made(&j->world->tree_made)) {
        j->early++; /* the next line would wait for ever */
    } else if (j->asks) {
        const abut_ray ray = {.translation = {1, 2, 3}};
        (void)abut_world_cast_rays(j->world, &ray, 1, NULL, &hit);
    }
    for (uint32_t i = count; i > 0; i--) {
        task(data, i - 1);
    }
}

static abut_world *fill(jobs *j, const abut_world_def *def, abut_body_id *ids) {
    rng r = rng_make(test_seed(), 0);
    abut_world *world = make_world(def);
    for (uint32_t i = 0; i < BODIES; i++) {
        ids[i] = add_cube(world, (float)rng_range(&r, -40, 40), (float)rng_range(&r, -40, 40),
                          (float)rng_range(&r, -40, 40), 0.5f);
    }
    if (j) {
        j->world = world;
    }
    return world;
}

static void only_calls_that_change_the_world_use_workers_for_the_tree(void **state) {
    static abut_body_id ids[2][BODIES];
    static abut_ray ray[RAYS];
    static abut_hit hit[2][RAYS];
    static abut_pose pose[BODIES];
    (void)state;
    jobs j = {.world = NULL};
    abut_world *world[2] = {fill(NULL, &(abut_world_def){.body_capacity = 0}, ids[0]),
                            fill(&j, &(abut_world_def){.parallel = {run, 3, &j}}, ids[1])};
    rng r = rng_make(test_seed(), 1);
    for (int round = 0; round < 6; round++) {
        bool refreshes = round % 2;
        for (uint32_t i = 0; i < BODIES; i++) {
            pose[i] =
                pose_at((float)rng_range(&r, -40, 40), (float)rng_range(&r, -40, 40), (float)rng_range(&r, -40, 40));
        }
        for (uint32_t k = 0; k < RAYS; k++) {
            ray[k] =
                (abut_ray){.origin = pose[k].position, .translation = rng_vec3(&r, -60, 60), .ignore = {ids[0][k]}};
        }
        for (int k = 0; k < 2; k++) {
            assert_int_equal(abut_bodies_set_poses(world[k], ids[k], pose, BODIES), ABUT_OK);
            if (refreshes) {
                uint32_t before = j.loops;
                assert_int_equal(abut_world_refresh(world[k]), ABUT_OK);
                assert_true(k == 0 || j.loops - before > 5); /* more than bounds */
            }
            uint32_t before = j.loops;
            j.asks = k == 1;
            assert_int_equal(abut_world_cast_rays(world[k], ray, RAYS, NULL, hit[k]), ABUT_OK);
            j.asks = false;
            assert_true(k == 0 || j.loops == before + 1);
        }
        assert_true(bits_equal(hit[0], hit[1], sizeof hit[0]));
        size_t met = 0;
        for (uint32_t k = 0; k < RAYS; k++) {
            met += hit[0][k].body.index1 > 0;
        }
        assert_true(met > RAYS / 8);
    }
    assert_int_equal(j.early, 0);
    abut_world_destroy(&world[0]);
    abut_world_destroy(&world[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_calls_that_change_the_world_use_workers_for_the_tree)};
    return test_run(tests);
}
