/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts of shapes: bad input, what is touched at the start, and whom a cast is put to. */

#include "world/world_test.h"
#include <math.h>

enum { ROW = 6 };

/* Unit cubes with gaps of one along x, number i from x = 2 i to 2 i + 1; body number i in slot i. */
static abut_world *world_of_row(abut_body_id ids[ROW]) {
    abut_world *world = make_world(NULL);
    for (int i = 0; i < ROW; i++) {
        ids[i] = add_cube(world, 2 * (float)i + 0.5f, 0, 0, 0.5f);
        assert_int_equal(abut_body_set_user(world, ids[i], 1000 + (uint64_t)i), ABUT_OK);
    }
    return world;
}

/* A ball of radius 1/4. */
static abut_cast ball(float x, float y, float to_x, float to_y) {
    return (abut_cast){.shape = abut_sphere(0.25f), .from = pose_at(x, y, 0), .translation = {to_x, to_y, 0}};
}

static abut_hit cast_one(const abut_world *world, const abut_cast *cast, const abut_query *query) {
    abut_hit hit, first;
    memset(&hit, 0x55, sizeof hit);
    assert_int_equal(abut_world_cast_shapes(world, cast, 1, query, &hit), ABUT_OK);
    assert_int_equal(abut_world_shape_hits(world, cast, query, &first, 1) > 0, hit.body.index1 > 0);
    assert_true(hit.body.index1 == 0 || bits_equal(&hit, &first, sizeof hit));
    return hit;
}

static void assert_nothing(abut_hit hit) {
    const abut_hit nothing = {.fraction = 1};
    assert_memory_equal(&hit, &nothing, sizeof hit);
}

/* --- bad input --- */

static void bad_calls_are_refused(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    const abut_cast cast = ball(0.5f, 0, 1, 0);
    const abut_query bad[] = {{.allowance = -1}, {.allowance = NAN}, {.initial = (abut_initial)3}, {.ignore_count = 1}};
    abut_hit hit;
    memset(&hit, 0x55, sizeof hit);
    const abut_hit untouched = hit;
    assert_int_equal(abut_world_cast_shapes(NULL, &cast, 1, NULL, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, NULL, 1, NULL, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, &cast, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, NULL, 0, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_shape_hits(NULL, &cast, NULL, &hit, 1), 0);
    assert_int_equal(abut_world_shape_hits(world, NULL, NULL, &hit, 1), 0);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(abut_world_cast_shapes(world, &cast, 1, &bad[k], &hit), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_shape_hits(world, &cast, &bad[k], &hit, 1), 0);
    }
    assert_memory_equal(&hit, &untouched, sizeof hit);
    abut_world_destroy(&world);
}

enum { BAD_CASTS = 7, LIMITS = 3 };

/* The first are invalid, the others beyond the limit. */
static abut_cast bad_cast(int k) {
    const float most = ABUT_MAX_COORDINATE;
    abut_cast cast = ball(0.5f, 0, 1, 0);
    switch (k) {
    case 0:
        cast.translation.y = NAN;
        break;
    case 1:
        cast.translation.z = INFINITY;
        break;
    case 2:
        cast.shape = abut_sphere(-1);
        break;
    case 3:
        cast.from.position.x = NAN;
        break;
    case 4:
        cast.from.position.x = 2 * most;
        break;
    case 5: /* its bounds */
        cast.from.position.y = most;
        break;
    default:
        cast.shape = abut_sphere(2 * most);
        break;
    }
    return cast;
}

static void bad_elements_have_no_answer(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    abut_cast casts[BAD_CASTS + 2] = {ball(0.5f, 0, 1, 0), ball(2.5f, 0, 1, 0)};
    abut_hit hits[BAD_CASTS + 2];
    const abut_query query = {.initial = ABUT_INITIAL_HIT};
    for (int k = 0; k < BAD_CASTS; k++) {
        const abut_result result = k < BAD_CASTS - LIMITS ? ABUT_ERROR_ARGUMENT : ABUT_ERROR_LIMIT;
        const abut_cast bad = bad_cast(k);
        memset(hits, 0x55, sizeof hits);
        assert_int_equal(abut_world_cast_shapes(world, &bad, 1, &query, hits), result);
        assert_true(isnan(hits[0].fraction) && hits[0].body.index1 == 0 && hits[0].normal.x == 0);
        assert_int_equal(abut_world_shape_hits(world, &bad, &query, hits, 1), 0);
        casts[k + 2] = bad;
    }
    casts[1] = casts[BAD_CASTS], casts[BAD_CASTS] = ball(2.5f, 0, 1, 0); /* a limit comes first */
    assert_int_equal(abut_world_cast_shapes(world, casts, BAD_CASTS + 2, &query, hits), ABUT_ERROR_ARGUMENT);
    for (int k = 0; k < BAD_CASTS + 2; k++) {
        bool good = k == 0 || k == BAD_CASTS;
        assert_int_equal(hits[k].body.index1, k == 0 ? 1 : good ? 2 : 0);
        assert_true(good ? hits[k].fraction == 0 : isnan(hits[k].fraction));
    }
    abut_world_destroy(&world);
}

/* The way may be as long as floats are. */
static void far_ways_are_valid(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    const abut_cast up = ball(0.5f, 5, 0, 3e38f), still = ball(0.5f, 5, 0, 0), tiny = ball(0.5f, 5, 0, -1e-45f);
    assert_nothing(cast_one(world, &up, NULL));
    assert_nothing(cast_one(world, &still, NULL));
    assert_nothing(cast_one(world, &tiny, NULL));
    abut_world_destroy(&world);
}

/* --- at the start --- */

static void the_start_is_treated_by_initial(void **state) {
    (void)state;
    static const struct {
        float x, y;
        bool closes;
    } ways[] = {{0, -1, true}, {0, 1, false}, {1, 0, false}, {0, 0, false}, {1, -1e-6f, true}, {1, 1e-6f, false}};
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        /* it rests on number 1, and touches only that */
        const abut_cast cast = ball(2.5f, 0.75f, 0.125f * ways[k].x, 0.125f * ways[k].y);
        const abut_query hit = {.initial = ABUT_INITIAL_HIT}, skip = {.initial = ABUT_INITIAL_SKIP};
        abut_hit h = cast_one(world, &cast, &hit);
        assert_true(h.body.index1 == 2 && h.user == 1001 && h.fraction == 0 && h.part == 0 && h.mover.index1 == 0);
        assert_true(h.normal.x == 0 && h.normal.y == 0 && h.normal.z == 0);
        assert_true(h.position.x == 2.5f && h.position.y == 0.5f && h.position.z == 0);
        assert_nothing(cast_one(world, &cast, &skip));
        h = cast_one(world, &cast, NULL);
        if (ways[k].closes) {
            assert_true(h.body.index1 == 2 && h.fraction == 0 && h.normal.y == 1);
            assert_true(h.position.x == 2.5f && h.position.y == 0.5f && h.position.z == 0);
        } else {
            assert_nothing(h);
        }
    }
    abut_world_destroy(&world);
}

/* Each body by itself: of two that are touched, only one is closed on. */
static void each_is_judged_by_itself(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 2, 2, 0, 1);
    const abut_query hit = {.initial = ABUT_INITIAL_HIT};
    abut_cast cast = {.shape = abut_box(1, 1, 1), .from = pose_at(0, 2, 0), .translation = {0.5f, 0, 0}};
    assert_int_equal(cast_one(world, &cast, &hit).body.index1, 1);
    abut_hit h = cast_one(world, &cast, NULL);
    assert_true(h.body.index1 == 2 && h.normal.x == -1);
    cast.translation = (abut_vec3){-0.5f, 0.5f, 0};
    assert_nothing(cast_one(world, &cast, NULL));
    assert_int_equal(abut_world_shape_hits(world, &cast, &hit, NULL, 0), 2);
    assert_int_equal(abut_world_shape_hits(world, &cast, NULL, NULL, 0), 0);
    abut_world_destroy(&world);
}

/* --- whom --- */

typedef struct refusal {
    abut_body_id body;
    size_t element, asked;
} refusal;

static bool refuses(const abut_candidate *candidate, void *context) {
    refusal *r = context;
    r->asked++;
    assert_int_equal(candidate->element, r->element);
    assert_int_equal(candidate->user, 999 + candidate->body.index1);
    assert_true(candidate->mover.index1 == 0 && candidate->part == 0);
    return candidate->body.index1 != r->body.index1;
}

static void who_does_not_count_is_passed_over(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    abut_cast rod = {.shape = abut_box(1.5f, 0, 0), .from = pose_at(1.5f, 0, 0)}; /* it touches numbers 0 and 1 */
    refusal r = {.body = ids[0]};
    const abut_query hit = {.initial = ABUT_INITIAL_HIT},
                     ignore = {.initial = ABUT_INITIAL_HIT, .ignore = ids, .ignore_count = 1},
                     filter = {.initial = ABUT_INITIAL_HIT, .filter = {.category = 2}},
                     accept = {.initial = ABUT_INITIAL_HIT, .accept = refuses, .context = &r};
    assert_int_equal(abut_body_set_filter(world, ids[0], &(abut_filter){.category = 1, .mask = 1}), ABUT_OK);
    assert_int_equal(cast_one(world, &rod, &hit).body.index1, 1);
    assert_int_equal(cast_one(world, &rod, &ignore).body.index1, 2);
    assert_int_equal(cast_one(world, &rod, &filter).body.index1, 2);
    assert_int_equal(cast_one(world, &rod, &accept).body.index1, 2);
    assert_true(r.asked >= 2);
    rod.ignore[1] = ids[0];
    assert_int_equal(cast_one(world, &rod, &hit).body.index1, 2);
    rod.ignore[0] = ids[1];
    assert_nothing(cast_one(world, &rod, &hit));
    abut_world_destroy(&world);
}

/* Elements are counted, whatever came before them. */
static void elements_are_told(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    abut_cast casts[40];
    abut_hit hits[40];
    for (size_t k = 0; k < 40; k++) { /* one meets a body */
        for (size_t i = 0; i < 40; i++) {
            casts[i] = i == k ? ball(4.5f, 0, 0, 0) : i % 3 == 0 ? bad_cast((int)(i % BAD_CASTS)) : ball(0, 50, 1, 1);
        }
        refusal r = {.element = k};
        const abut_query query = {.initial = ABUT_INITIAL_HIT, .accept = refuses, .context = &r};
        assert_int_equal(abut_world_cast_shapes(world, casts, 40, &query, hits), ABUT_ERROR_ARGUMENT);
        assert_true(r.asked >= 1);
        for (size_t i = 0; i < 40; i++) {
            assert_int_equal(hits[i].body.index1, i == k ? 3 : 0);
        }
    }
    abut_world_destroy(&world);
}

/* --- lists --- */

static void lists_are_cut(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    const abut_query hit = {.initial = ABUT_INITIAL_HIT};
    const abut_cast rod = {.shape = abut_box(2.5f, 0, 0), .from = pose_at(4.5f, 0, 0)}; /* numbers 1, 2 and 3 */
    abut_hit out[5];
    for (size_t room = 0; room <= 4; room++) {
        memset(out, 0x55, sizeof out);
        assert_int_equal(abut_world_shape_hits(world, &rod, &hit, out, room), 3);
        for (size_t k = 0; k < 5; k++) {
            assert_int_equal(out[k].body.index1, k < room && k < 3 ? k + 2 : 0x55555555);
        }
    }
    assert_int_equal(abut_world_shape_hits(world, &rod, &hit, NULL, 4), 3);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_refused),    cmocka_unit_test(bad_elements_have_no_answer),
        cmocka_unit_test(far_ways_are_valid),       cmocka_unit_test(the_start_is_treated_by_initial),
        cmocka_unit_test(each_is_judged_by_itself), cmocka_unit_test(who_does_not_count_is_passed_over),
        cmocka_unit_test(elements_are_told),        cmocka_unit_test(lists_are_cut),
    };
    return test_run(tests);
}
