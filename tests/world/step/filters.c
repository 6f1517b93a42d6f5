/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Filters are asked while candidates are found: contacts are those of every pair that filters let pass, and pairs that
 * they keep apart cost no memory. */
#include "support/schedules.h"
#include "world/world_test.h"
#include <stdlib.h>

enum { BODIES = 160 };

/* Of the first few of a list of filters, or of all: far more than there are classes, with many groups. Few have only
 * groups that the search for candidates knows. */
static abut_filter random_filter(rng *r, uint32_t variety) {
    uint32_t which = rng_below(r, variety);
    rng own = rng_make(which, variety);
    abut_filter f = {.category = (uint64_t)1 << rng_below(&own, 6), .mask = 1 + rng_below(&own, 126)};
    uint32_t groups = variety > 4 ? 20 : 8;
    f.group = rng_chance(&own, 0.3) ? (int32_t)rng_below(&own, 2 * groups + 1) - (int32_t)groups : 0;
    return rng_chance(&own, 0.1) ? (abut_filter){.mask = ABUT_MASK_NONE}
           : which % 3 == 0      ? (abut_filter){.category = f.category, .mask = f.mask}
                                 : f;
}

static bool pass(const abut_filter *a, const abut_filter *b) {
    return a->group == b->group && a->group != 0 ? a->group > 0
                                                 : (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* How many pairs of bounds touch and pass filters. */
static size_t count_pairs(const abut_world *world, const abut_body_id *id) {
    size_t n = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        for (uint32_t j = 0; j < i; j++) {
            abut_aabb a, b;
            abut_filter f, g;
            abut_motion m, o;
            assert_int_equal(abut_body_get_bounds(world, id[i], &a), ABUT_OK);
            assert_int_equal(abut_body_get_bounds(world, id[j], &b), ABUT_OK);
            assert_int_equal(abut_body_get_filter(world, id[i], &f), ABUT_OK);
            assert_int_equal(abut_body_get_filter(world, id[j], &g), ABUT_OK);
            assert_int_equal(abut_body_get_motion(world, id[i], &m), ABUT_OK);
            assert_int_equal(abut_body_get_motion(world, id[j], &o), ABUT_OK);
            n += a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
                 a.min.z <= b.max.z && b.min.z <= a.max.z && pass(&f, &g) && (m == ABUT_MOVING || o == ABUT_MOVING);
        }
    }
    return n;
}

static abut_body_def random_def(rng *r, uint32_t variety) {
    abut_body_def def = random_box(r, 4);
    def.detail = ABUT_DETAIL_BOUNDS;
    def.filter = rng_chance(r, 0.2) ? (abut_filter){0} : random_filter(r, variety);
    def.motion = rng_chance(r, 0.2) ? ABUT_STATIC : ABUT_MOVING;
    return def;
}

/* Changes filters, places and motions of some bodies; replaces some. */
static void change(abut_world *world, rng *r, uint32_t variety, abut_body_id *id) {
    uint32_t times = rng_chance(r, 0.2) ? BODIES : rng_below(r, 4);
    for (uint32_t k = 0; k < times; k++) {
        uint32_t i = rng_below(r, BODIES), what = rng_below(r, 8);
        abut_filter filter = random_filter(r, variety);
        abut_pose pose = random_pose(r, 4);
        if (what < 4) {
            assert_int_equal(abut_body_set_filter(world, id[i], &filter), ABUT_OK);
        } else if (what == 4) {
            assert_int_equal(abut_body_set_filter(world, id[i], &(abut_filter){0}), ABUT_OK);
        } else if (what == 5) {
            assert_int_equal(abut_body_set_pose(world, id[i], &pose), ABUT_OK);
        } else if (what == 6) {
            assert_int_equal(abut_body_set_motion(world, id[i], (abut_motion)rng_below(r, 2)), ABUT_OK);
        } else {
            abut_body_def def = random_def(r, variety);
            assert_int_equal(abut_body_destroy(world, id[i]), ABUT_OK);
            id[i] = add_body(world, &def);
        }
    }
}

/* At ABUT_DETAIL_BOUNDS candidates are contacts, unless filters are decided only later: then there are no fewer. */
static void contacts_are_those_that_filters_let_pass(void **state) {
    (void)state;
    static const uint32_t varieties[] = {1, 2, 4, 12, 20, 60, 400};
    size_t all = 0, later = 0;
    for (uint32_t stream = 0; stream < 14 * test_scale(); stream++) {
        rng r = rng_make(test_seed(), stream);
        uint32_t variety = varieties[stream % 7];
        abut_world *world = make_world(NULL);
        abut_body_id id[BODIES];
        for (uint32_t i = 0; i < BODIES; i++) {
            abut_body_def def = random_def(&r, variety);
            id[i] = add_body(world, &def);
        }
        for (uint32_t step = 0; step < 40; step++) {
            abut_step_report report;
            assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
            size_t pairs = count_pairs(world, id);
            check_case(report.contacts == pairs, "contacts", stream, step);
            check_case(report.candidates >= pairs && (variety > 4 || report.candidates == pairs), "candidates", stream,
                       step);
            check_case(abut_world_validate(world) == ABUT_OK, "valid", stream, step);
            all += pairs;
            later += report.candidates - pairs;
            if (step % 4 > 1) { /* they come to rest between changes */
                change(world, &r, variety, id);
            }
        }
        abut_world_destroy(&world);
    }
    assert_true(all > 1000 && later > 0);
}

static void restored_worlds_have_the_filters_of_the_saved_one(void **state) {
    (void)state;
    for (uint32_t stream = 0; stream < 6 * test_scale(); stream++) {
        rng r = rng_make(test_seed(), 1000 + stream);
        uint32_t variety = stream % 2 ? 5 : 100;
        abut_world *world = make_world(NULL);
        abut_body_id id[BODIES], saved_id[BODIES];
        for (uint32_t i = 0; i < BODIES; i++) {
            abut_body_def def = random_def(&r, variety);
            id[i] = add_body(world, &def);
        }
        for (uint32_t round = 0; round < 8; round++) {
            for (uint32_t step = 0; step < 4; step++) {
                (void)step_world(world);
            }
            size_t size = abut_world_save(world, NULL, 0), bytes;
            void *saved = malloc(size);
            assert_non_null(saved);
            bytes = abut_world_save(world, saved, size);
            assert_int_equal(bytes, size);
            memcpy(saved_id, id, sizeof id);
            for (uint32_t step = 0; step < 5; step++) {
                change(world, &r, variety, id);
                (void)step_world(world);
            }
            assert_int_equal(abut_world_restore(world, saved, size, NULL), ABUT_OK);
            memcpy(id, saved_id, sizeof id);
            free(saved);
            for (uint32_t step = 0; step < 3; step++) {
                check_case(abut_world_validate(world) == ABUT_OK, "valid", stream, round);
                check_case(step_world(world) == count_pairs(world, id), "contacts", stream, round);
                assert_int_equal(abut_body_set_pose(world, id[step], &(abut_pose){.rotation = {0, 0, 0, 1}}), ABUT_OK);
            }
        }
        abut_world_destroy(&world);
    }
}

static abut_world *make_heap(uint32_t n, uint32_t others, abut_filter filter, const abut_world_def *def) {
    abut_world *world = make_world(def);
    rng r = rng_make(test_seed(), n);
    for (uint32_t i = 0; i < n + others; i++) {
        abut_body_def body = random_box(&r, 3);
        body.filter = i < n ? filter : (abut_filter){0};
        (void)add_body(world, &body);
    }
    return world;
}

/* A heap of debris that ignores itself would have millions of pairs. */
static void pairs_of(abut_filter filter) {
    enum { N = 3000, OTHERS = 4 };
    size_t before, after;
    abut_step_report report;
    abut_world *world = make_heap(N, 0, filter, NULL);
    abut_world_memory(world, NULL, &before);
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    abut_world_memory(world, NULL, &after);
    assert_true(report.candidates == 0 && report.sweep_tests == 0 && after == before);
    abut_world_destroy(&world);

    abut_world_def fixed = {
        .body_capacity = N + OTHERS, .pair_capacity = (N + OTHERS) * OTHERS, .fixed_capacity = true};
    world = make_heap(N, OTHERS, filter, &fixed);
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    assert_true(report.candidates > N / 10 && report.candidates <= (N + OTHERS) * OTHERS && report.contacts > 0);
    assert_true(report.sweep_tests <= (size_t)2 * (N + OTHERS) * OTHERS);
    abut_world_destroy(&world);
}

static void pairs_kept_apart_take_no_memory(void **state) {
    (void)state;
    pairs_of((abut_filter){.category = 2, .mask = ~UINT64_C(2)});
    pairs_of((abut_filter){.group = -8});
    pairs_of((abut_filter){.group = INT32_MIN});
}

static void workers_find_the_same(void **state) {
    (void)state;
    enum { N = 12000 };
    schedule shuffled = {.kind = SCHEDULE_SHUFFLED, .workers = 3, .seed = test_seed()};
    abut_world *world[2];
    for (int k = 0; k < 2; k++) {
        abut_world_def def = {.parallel = k ? schedule_parallel(&shuffled) : (abut_parallel){0}};
        rng r = rng_make(test_seed(), 5);
        world[k] = make_world(&def);
        for (uint32_t i = 0; i < N; i++) {
            abut_body_def body = random_box(&r, 20);
            body.filter = random_filter(&r, 60);
            (void)add_body(world[k], &body);
        }
    }
    for (uint32_t step = 0; step < 4; step++) {
        abut_step_report report[2];
        size_t count[2];
        const abut_contact *contact[2];
        for (int k = 0; k < 2; k++) {
            rng r = rng_make(test_seed(), 100 + step);
            for (uint32_t i = 0; i < N / 8; i++) {
                abut_filter filter = random_filter(&r, 60);
                abut_body_id id = {rng_below(&r, N) + 1, 1};
                (void)abut_body_set_filter(world[k], id, &filter);
            }
            assert_int_equal(abut_world_step(world[k], NULL, &report[k]), ABUT_OK);
            contact[k] = contacts_of(world[k], &count[k]);
        }
        assert_true(report[0].candidates == report[1].candidates && count[0] == count[1] && count[0] > 100);
        assert_memory_equal(contact[0], contact[1], count[0] * sizeof *contact[0]);
    }
    abut_world_destroy(&world[0]);
    abut_world_destroy(&world[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_that_filters_let_pass),
        cmocka_unit_test(restored_worlds_have_the_filters_of_the_saved_one),
        cmocka_unit_test(pairs_kept_apart_take_no_memory),
        cmocka_unit_test(workers_find_the_same),
    };
    return test_run(tests);
}
