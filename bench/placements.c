/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Building placement: thousands of candidates against thousands of buildings, measured in tests of two rectangles that
 * run in the same rounds. */

#include "groups.h"
#include "scene_rng.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { seed = 1, yardstick = 500000 };

/* A rectangle as McGuire stores it: "2D OBB intersection" (flipcode 2003). */
typedef struct plain_rectangle {
    float corner[4][2];
    float axis[2][2], origin[2]; /* axis: a side over its squared length; origin: corner 0 along both */
} plain_rectangle;

typedef struct town {
    size_t building_count, candidate_count;
    abut_world *world;
    abut_obb2 *buildings, *candidates;
    plain_rectangle *plain_buildings, *plain_candidates;
    abut_placement *answers;
    abut_placement_rules rules;
    size_t free, sink;
} town;

/* --- plain rectangles --- */

static plain_rectangle plain_rectangle_of(const abut_obb2 *from) {
    plain_rectangle r;
    float length = sqrtf(from->axis.x * from->axis.x + from->axis.y * from->axis.y);
    float x = from->axis.x / length, y = from->axis.y / length;
    for (int k = 0; k < 4; ++k) {
        float along = k == 0 || k == 3 ? -from->half.x : from->half.x, across = k < 2 ? -from->half.y : from->half.y;
        r.corner[k][0] = from->center.x + along * x - across * y;
        r.corner[k][1] = from->center.y + along * y + across * x;
    }
    for (int k = 0; k < 2; ++k) {
        const float *to = r.corner[k == 0 ? 1 : 3];
        r.axis[k][0] = to[0] - r.corner[0][0];
        r.axis[k][1] = to[1] - r.corner[0][1];
        float square = r.axis[k][0] * r.axis[k][0] + r.axis[k][1] * r.axis[k][1];
        r.axis[k][0] /= square;
        r.axis[k][1] /= square;
        r.origin[k] = r.corner[0][0] * r.axis[k][0] + r.corner[0][1] * r.axis[k][1];
    }
    return r;
}

/* Whether the projections of b overlap those of a on the axes of a. */
static bool overlaps_along(const plain_rectangle *a, const plain_rectangle *b) {
    for (int k = 0; k < 2; ++k) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 4; ++i) {
            float t = b->corner[i][0] * a->axis[k][0] + b->corner[i][1] * a->axis[k][1];
            low = t < low ? t : low;
            high = t > high ? t : high;
        }
        if (low > 1.0f + a->origin[k] || high < a->origin[k]) {
            return false;
        }
    }
    return true;
}

static bool plain_overlap(const plain_rectangle *a, const plain_rectangle *b) {
    return overlaps_along(a, b) && overlaps_along(b, a);
}

/* --- the town --- */

static abut_obb2 random_rectangle(uint64_t *rng, float side, float low, float high) {
    abut_quat q = scene_rng_rotation(rng);
    abut_obb2 r = {.axis = {q.x, q.y}};
    r.center = (abut_vec2){scene_rng_range(rng, 0.0f, side), scene_rng_range(rng, 0.0f, side)};
    r.half = (abut_vec2){scene_rng_range(rng, low, high), scene_rng_range(rng, low, high)};
    return r;
}

/* A rotation about y that takes x to (axis.x, 0, axis.y), of any length: by half-vectors. */
static abut_quat turn_of(abut_vec2 axis) {
    float length = sqrtf(axis.x * axis.x + axis.y * axis.y);
    float x = axis.x / length, y = axis.y / length;
    return x > -0.5f ? (abut_quat){0.0f, -y, 0.0f, 1.0f + x} : (abut_quat){0.0f, 1.0f - x, 0.0f, -y};
}

/* Every building's footprint is its rectangle, unless it is tilted. */
static void build(town *t, bool tilted) {
    for (size_t i = 0; i < t->building_count; ++i) {
        const abut_obb2 *plot = &t->buildings[i];
        abut_quat turn = turn_of(plot->axis);
        turn.x = tilted && i % 2 == 0 ? 0.25f : 0.0f;
        const abut_body_def def = {.pose = {{plot->center.x, 5.0f, plot->center.y}, turn},
                                   .half = {plot->half.x, 5.0f, plot->half.y},
                                   .motion = ABUT_STATIC};
        abut_body_id id;
        bench_check(abut_body_create(t->world, &def, &id), "abut_body_create");
    }
    bench_check(abut_world_step(t->world, NULL, NULL), "abut_world_step");
}

/* Each building has some 900 square metres; about half of the candidates are free. */
static town town_create(size_t building_count, size_t candidate_count, bool tilted) {
    town t = {.building_count = building_count, .candidate_count = candidate_count};
    uint64_t rng = seed;
    float side = 30.0f * sqrtf((float)building_count);
    bench_check(abut_world_create(NULL, &t.world), "abut_world_create");
    t.buildings = bench_alloc(building_count, sizeof *t.buildings);
    t.candidates = bench_alloc(candidate_count, sizeof *t.candidates);
    t.plain_buildings = bench_alloc(building_count, sizeof *t.plain_buildings);
    t.plain_candidates = bench_alloc(candidate_count, sizeof *t.plain_candidates);
    t.answers = bench_alloc(candidate_count, sizeof *t.answers);
    for (size_t i = 0; i < building_count; ++i) {
        t.buildings[i] = random_rectangle(&rng, side, 4.0f, 10.0f);
        t.plain_buildings[i] = plain_rectangle_of(&t.buildings[i]);
    }
    for (size_t i = 0; i < candidate_count; ++i) {
        t.candidates[i] = random_rectangle(&rng, side, 3.0f, 8.0f);
        t.plain_candidates[i] = plain_rectangle_of(&t.candidates[i]);
    }
    build(&t, tilted);
    return t;
}

static void town_destroy(town *t) {
    abut_world_destroy(&t->world);
    free(t->buildings);
    free(t->candidates);
    free(t->plain_buildings);
    free(t->plain_candidates);
    free(t->answers);
}

/* --- methods --- */

static void run_placements(void *state, uint8_t *answers) {
    (void)answers;
    town *t = state;
    bench_check(abut_world_test_placements(t->world, t->candidates, t->candidate_count, &t->rules, t->answers),
                "abut_world_test_placements");
    t->free = 0;
    for (size_t i = 0; i < t->candidate_count; ++i) {
        t->free += t->answers[i].free;
    }
}

/* A fixed number of tests, of each candidate in turn against the next buildings. */
static void run_plain(void *state, uint8_t *answers) {
    (void)answers;
    town *t = state;
    for (size_t i = 0, a = 0, b = 0; i < yardstick; ++i) {
        t->sink += plain_overlap(&t->plain_candidates[a], &t->plain_buildings[b]);
        a = a + 1 == t->candidate_count ? 0 : a + 1;
        b = b + 1 == t->building_count ? 0 : b + 1;
    }
}

static void run_exact(void *state, uint8_t *answers) {
    (void)answers;
    town *t = state;
    for (size_t i = 0, a = 0, b = 0; i < yardstick; ++i) {
        t->sink += abut_obb2_overlap(&t->candidates[a], &t->buildings[b], ABUT_TOUCH_IS_OVERLAP);
        a = a + 1 == t->candidate_count ? 0 : a + 1;
        b = b + 1 == t->building_count ? 0 : b + 1;
    }
}

/* The answer of a loop over all buildings, which may differ where the rotation of a building was rounded. */
static void compare(const town *t) {
    size_t free = 0;
    for (size_t a = 0; a < t->candidate_count; ++a) {
        size_t b = 0;
        while (b < t->building_count && !plain_overlap(&t->plain_candidates[a], &t->plain_buildings[b])) {
            ++b;
        }
        free += b == t->building_count;
    }
    if (free > t->free + 2 || t->free > free + 2) {
        fprintf(stderr, "abut-bench: placements: %zu candidates are free, but a plain loop finds %zu\n", t->free, free);
        bench_fail("they must agree");
    }
}

static void hold(size_t buildings, size_t candidates, bool tilted, size_t rounds, contest_list *list) {
    town t = town_create(buildings, candidates, tilted);
    contest c = contest_of_frames("placements", NULL, NULL);
    char name[CONTEST_NAME_SIZE];
    c.counted = "free";
    snprintf(c.input, sizeof c.input, "%zu candidates, %zu buildings%s", candidates, buildings,
             tilted ? ", half of them tilted" : "");
    contest_add(&c, "abut_world_test_placements", &t, run_placements)->found = &t.free;
    contest_refer(&c);
    snprintf(name, sizeof name, "plain rectangle test, %d times", yardstick);
    contest_add(&c, name, &t, run_plain);
    contest_refer(&c);
    snprintf(name, sizeof name, "abut_obb2_overlap, %d times", yardstick);
    contest_add(&c, name, &t, run_exact);
    contest_hold(&c, rounds, list);
    if (!tilted) {
        compare(&t);
    }
    town_destroy(&t);
}

void bench_placements(bool quick, contest_list *list) {
    size_t few = quick ? 500 : 10000, rounds = quick ? 3 : 21;
    hold(few, few, false, rounds, list);
    hold(few, few, true, rounds, list);
    hold(10 * few, few, true, rounds, list);
}
