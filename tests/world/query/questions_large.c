/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to a world of tens of thousands of bodies, of which few are met, while it grows, moves and shrinks. */

#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { LARGE = 34000, EXTENT = 60, QUESTIONS = 3 };

typedef struct large {
    abut_world *world;
    abut_body_id *id;
    size_t count;        /* of ids, some dead */
    abut_body_id recent; /* the body that changed last */
    rng r;
    unsigned long step;
} large;

/* Of all bodies, one by one. */
typedef struct expected {
    size_t hits, touching;
    float fraction, distance;
    abut_body_id first; /* of those at `fraction`, the lowest */
} expected;

static expected ask_each(const large *l, const abut_ray *ray, const abut_shape *shape, const abut_pose *pose) {
    expected e = {.fraction = 1, .distance = INFINITY};
    for (size_t i = 0; i < l->count; i++) {
        abut_shape body;
        abut_pose at;
        abut_hit hit;
        if (abut_body_get_shape(l->world, l->id[i], &body, &at) != ABUT_OK) {
            continue;
        }
        if (abut_shape_cast_ray(&body, &at, ray, &hit)) {
            e.hits++;
            if (e.first.index1 == 0 || hit.fraction < e.fraction) {
                e.fraction = hit.fraction;
                e.first = l->id[i];
            }
        }
        e.touching += abut_shape_overlap(&body, &at, shape, pose);
        e.distance = fminf(e.distance, abut_shape_distance(&body, &at, shape, pose, NULL, NULL));
    }
    return e;
}

static size_t most_calls;

/* Counts itself: nothing but what is met may be asked about, however large the world is. */
static bool count_calls(const abut_candidate *candidate, void *context) {
    (void)candidate;
    ++*(size_t *)context;
    return true;
}

static void ask(large *l) {
    for (int i = 0; i < QUESTIONS; i++) {
        const abut_vec3 from = rng_vec3(&l->r, -EXTENT, EXTENT);
        abut_vec3 to = rng_vec3(&l->r, -EXTENT, EXTENT);
        abut_pose pose = random_pose(&l->r, EXTENT), recent;
        if (i > 0 && abut_body_get_pose(l->world, l->recent, &recent) == ABUT_OK) {
            to = pose.position = recent.position;
        }
        const abut_ray ray = {.origin = from, .translation = {to.x - from.x, to.y - from.y, to.z - from.z}};
        const abut_shape box = abut_box(2, 1, 1);
        const expected e = ask_each(l, &ray, &box, &pose);
        size_t calls = 0;
        const abut_query query = {.accept = count_calls, .context = &calls};
        abut_hit hit;
        abut_near near = {.distance = INFINITY};
        assert_int_equal(abut_world_cast_rays(l->world, &ray, 1, NULL, &hit), ABUT_OK);
        check_case(hit.fraction == e.fraction && (hit.body.index1 != 0) == (e.hits > 0), "the first hit", 1, l->step);
        check_case(abut_world_ray_hits(l->world, &ray, &query, NULL, 0) == e.hits, "how many hits", 1, l->step);
        check_case(abut_world_overlaps(l->world, &box, &pose, &query, NULL, 0) == e.touching, "overlaps", 1, l->step);
        check_case(calls <= 2 * (e.hits + e.touching), "accept is asked too often", 1, l->step);
        check_case(abut_world_nearest(l->world, &box, &pose, INFINITY, NULL, &near, 1) == 1 &&
                       near.distance == e.distance,
                   "the nearest", 1, l->step);
        most_calls = calls > most_calls ? calls : most_calls;
    }
    l->step++;
}

static void add(large *l, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const abut_body_def def = {.pose = random_pose(&l->r, EXTENT),
                                   .half = {0.4f, 0.3f, rng_chance(&l->r, 0.01) ? 9 : 0.5f},
                                   .radius = rng_chance(&l->r, 0.3) ? 0.1f : 0};
        l->recent = l->id[l->count++] = add_body(l->world, &def);
    }
}

static void large_worlds(void **state) {
    (void)state;
    for (unsigned long round = 0; round < test_count(1); round++) {
        large l = {.world = make_world(NULL), .r = rng_make(test_seed(), 800 + round)};
        l.id = malloc(LARGE * sizeof *l.id);
        assert_non_null(l.id);
        while (l.count + 6000 < LARGE) {
            add(&l, 6000);
            ask(&l);
        }
        add(&l, 32760 - l.count); /* and then past a power of eight one by one */
        for (int i = 0; i < 12; i++) {
            ask(&l);
            add(&l, 1);
        }
        for (int i = 0; i < 12; i++) { /* a few move, then many */
            for (size_t k = 0; k < (i < 8 ? 50 : l.count / 2); k++) {
                const abut_pose pose = random_pose(&l.r, EXTENT);
                l.recent = l.id[rng_below(&l.r, (uint32_t)l.count)];
                assert_int_equal(abut_body_set_pose(l.world, l.recent, &pose), ABUT_OK);
            }
            ask(&l);
        }
        for (size_t k = 0; k < l.count; k++) {
            (void)(k % 5 == 0 ? ABUT_OK : abut_body_destroy(l.world, l.id[k]));
        }
        ask(&l);
        assert_true(most_calls > 0 && most_calls < LARGE / 10);
        abut_world_destroy(&l.world);
        free(l.id);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_worlds),
    };
    return test_run(tests);
}
