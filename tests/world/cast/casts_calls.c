/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts with answers that are known beforehand; errors; large worlds. */

#include "narrowphase/narrowphase.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

static abut_cast cast_of(abut_shape shape, abut_vec3 from, abut_vec3 way) {
    return (abut_cast){.shape = shape, .from = {.position = from}, .translation = way};
}

static abut_hit first_hit(const abut_world *world, const abut_cast *cast, const abut_query *query) {
    abut_hit hit;
    memset(&hit, 0xee, sizeof hit);
    assert_int_equal(abut_world_cast_shapes(world, cast, 1, query, &hit), ABUT_OK);
    return hit;
}

static bool is_close(float x, double to) {
    return fabs((double)x - to) <= 1e-6;
}

static bool is_vector(abut_vec3 v, double x, double y, double z) {
    return is_close(v.x, x) && is_close(v.y, y) && is_close(v.z, z);
}

/* --- known answers --- */

static void all_shapes_meet_a_wall_where_they_must(void **state) {
    (void)state;
    static const abut_vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    abut_hull *hull = NULL;
    assert_int_equal(abut_hull_create(corners, 6, NULL, &hull), ABUT_OK);
    abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.25f}); /* plays no part */
    const abut_body_id wall = add_body(world, &(abut_body_def){.half = {0, 50, 50}, .user = 7});
    const struct {
        abut_shape shape;
        double reach; /* along x */
    } all[6] = {
        {abut_point(), 0},
        {abut_sphere(0.5f), 0.5},
        {{.half = {2, 0, 0}, .radius = 0.5f}, 2.5}, /* a capsule along x */
        {abut_box(1, 2, 3), 1},
        {{.half = {1, 2, 3}, .radius = 0.25f}, 1.25},
        {abut_convex(hull, 0.5f), 1.5},
    };
    for (int i = 0; i < 6; i++) {
        for (float side = -1; side <= 1; side += 2) {
            const abut_cast cast = cast_of(all[i].shape, (abut_vec3){8 * side, 1, 2}, (abut_vec3){-16 * side, 0, 0});
            const abut_hit hit = first_hit(world, &cast, NULL);
            assert_true(abut_body_id_equal(hit.body, wall) && hit.user == 7 && hit.mover.index1 == 0);
            assert_true(is_close(hit.fraction, (8 - all[i].reach) / 16) && is_vector(hit.normal, (double)side, 0, 0));
            assert_true(is_close(hit.position.x, 0));
            const abut_cast short_one = cast_of(all[i].shape, (abut_vec3){8 * side, 1, 2},
                                                (abut_vec3){(float)(7.99 - all[i].reach) * -side, 0, 0});
            assert_int_equal(first_hit(world, &short_one, NULL).body.index1, 0);
        }
    }
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

/* The segment is closed. */
static void the_end_of_the_way_counts(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    for (int axis = 0; axis < 3; axis++) {
        for (float side = -1; side <= 1; side += 2) {
            abut_cast cast = cast_of(abut_box(1, 1, 1), (abut_vec3){0, 0, 0}, (abut_vec3){0, 0, 0});
            (&cast.from.position.x)[axis] = 4 * side;
            (&cast.translation.x)[axis] = -2 * side;
            const abut_hit hit = first_hit(world, &cast, NULL);
            assert_true(hit.body.index1 == 1 && is_close(hit.fraction, 1));
            (&cast.translation.x)[axis] = -1.999f * side;
            assert_int_equal(first_hit(world, &cast, NULL).body.index1, 0);
        }
    }
    abut_world_destroy(&world);
}

/* A box that rests on the floor may slide, rise and not sink. */
static void the_start_goes_by_initial(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id floor = add_body(world, &(abut_body_def){.half = {50, 1, 50}, .motion = ABUT_STATIC});
    const abut_body_id crate = add_cube(world, 10, 2, 0, 1);
    const abut_vec3 at = {0, 2, 0}, along = {20, 0, 0}, up = {0, 5, 0}, down = {0, -5, 0}, none = {0, 0, 0};
    const abut_query hit = {.initial = ABUT_INITIAL_HIT}, skip = {.initial = ABUT_INITIAL_SKIP};
    const abut_shape cube = abut_box(1, 1, 1);
    abut_cast cast = cast_of(cube, at, along);
    abut_hit h = first_hit(world, &cast, NULL);
    assert_true(abut_body_id_equal(h.body, crate) && is_close(h.fraction, 8.0 / 20) && is_vector(h.normal, -1, 0, 0));
    h = first_hit(world, &cast, &skip);
    assert_true(abut_body_id_equal(h.body, crate) && is_close(h.fraction, 8.0 / 20));
    h = first_hit(world, &cast, &hit);
    assert_true(abut_body_id_equal(h.body, floor) && h.fraction == 0 && is_vector(h.normal, 0, 0, 0));
    assert_true(is_close(h.position.y, 1) && fabsf(h.position.x) <= 1 && fabsf(h.position.z) <= 1);
    assert_int_equal(abut_world_shape_hits(world, &cast, &hit, NULL, 0), 2);
    cast = cast_of(cube, at, up);
    assert_int_equal(first_hit(world, &cast, NULL).body.index1, 0);
    assert_true(abut_body_id_equal(first_hit(world, &cast, &hit).body, floor));
    cast = cast_of(cube, at, down);
    h = first_hit(world, &cast, NULL);
    assert_true(abut_body_id_equal(h.body, floor) && h.fraction == 0 && is_vector(h.normal, 0, 1, 0));
    assert_int_equal(first_hit(world, &cast, &skip).body.index1, 0);
    cast = cast_of(cube, at, none); /* the start alone */
    assert_int_equal(first_hit(world, &cast, NULL).body.index1, 0);
    assert_int_equal(first_hit(world, &cast, &skip).body.index1, 0);
    assert_true(abut_body_id_equal(first_hit(world, &cast, &hit).body, floor));
    abut_world_destroy(&world);
}

/* Where floats are one apart: the middle of a hull is none of them. It slides along a slab that it just touches. */
static void a_hull_far_away(void **state) {
    (void)state;
    abut_vec3 corners[8];
    for (int k = 0; k < 8; k++) {
        corners[k] = (abut_vec3){k & 1 ? 2 : -1, k & 2 ? 2 : -1, k & 4 ? 2 : -1};
    }
    abut_hull *hull = NULL;
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    for (float far = 0x1p23f; far < 0x1p23f + 4; far++) {
        for (int way = 0; way < 6; way++) {
            const int axis = way / 2;
            const float side = way % 2 ? 1 : -1;
            abut_world *world = make_world(NULL);
            abut_body_def slab = {.pose = pose_at(far, far, far), .half = {1, 1, 1}};
            (&slab.pose.position.x)[axis] += side > 0 ? 3 : -2; /* from far + 2 on, or up to far - 1 */
            (void)add_body(world, &slab);
            abut_cast cast = cast_of(abut_convex(hull, 0), (abut_vec3){far, far, far}, (abut_vec3){0, 0, 0});
            (&cast.from.position.x)[(axis + 1) % 3] -= 10;
            (&cast.translation.x)[(axis + 1) % 3] = 20;
            assert_true(is_close(first_hit(world, &cast, NULL).fraction, 7.0 / 20));
            abut_world_destroy(&world);
        }
    }
    abut_hull_destroy(&hull);
}

/* Whatever the details are, exact shapes count: here a turned box that its bounds do not fill. */
static void details_play_no_part(void **state) {
    (void)state;
    const abut_quat turned = {0, 0, 0.38268343f, 0.92387953f};
    for (int detail = ABUT_DETAIL_MANIFOLD; detail <= ABUT_DETAIL_BOUNDS; detail++) {
        abut_world *world = make_world(NULL);
        const abut_body_def def = {
            .pose = {.rotation = turned}, .half = {1, 1, 1}, .detail = (abut_detail)detail, .motion = ABUT_STATIC};
        (void)add_body(world, &def);
        const abut_cast past = cast_of(abut_sphere(0.1f), (abut_vec3){1.2f, 9, 0}, (abut_vec3){0, -18, 0});
        const abut_cast onto = cast_of(abut_sphere(0.1f), (abut_vec3){0, 9, 0}, (abut_vec3){0, -18, 0});
        assert_true(is_close(first_hit(world, &onto, NULL).fraction, (8.9 - sqrt(2)) / 18));
        const abut_hit h = first_hit(world, &past, NULL);
        assert_true(h.body.index1 == 1 && h.fraction > (9 - sqrtf(2)) / 18); /* below the top of its bounds */
        /* through its bounds */
        const abut_cast beside = cast_of(abut_sphere(0.1f), (abut_vec3){1.2f, 1.2f, -9}, (abut_vec3){0, 0, 18});
        assert_int_equal(first_hit(world, &beside, NULL).body.index1, 0);
        abut_world_destroy(&world);
    }
}

/* --- errors --- */

static void errors_of_casts(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id cube = add_cube(world, 0, 0, 0, 1);
    static const float not_a_mesh[64];
    const abut_cast good = cast_of(abut_sphere(1), (abut_vec3){0, 5, 0}, (abut_vec3){0, -10, 0});
    abut_cast casts[4] = {good, good, good, good};
    abut_hit hits[4];
    assert_int_equal(abut_world_cast_shapes(NULL, casts, 1, NULL, hits), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, NULL, 1, NULL, hits), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, casts, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_shapes(world, NULL, 0, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_shape_hits(NULL, casts, NULL, hits, 4), 0);
    assert_int_equal(abut_world_shape_hits(world, NULL, NULL, hits, 4), 0);
    assert_int_equal(abut_world_shape_hits(world, casts, NULL, NULL, 0), 1);
    casts[1].from.position.y = 1e9f; /* begins there, but reaches farther */
    assert_int_equal(abut_world_cast_shapes(world, casts, 4, NULL, hits), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_world_shape_hits(world, &casts[1], NULL, hits, 4), 0);
    casts[2].shape.mesh = (const abut_mesh *)(const void *)not_a_mesh;
    assert_int_equal(abut_world_cast_shapes(world, casts, 4, NULL, hits), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_shape_hits(world, &casts[2], NULL, hits, 4), 0);
    for (int i = 0; i < 4; i++) {
        bool valid = i == 0 || i == 3;
        assert_true(valid ? abut_body_id_equal(hits[i].body, cube) : hits[i].body.index1 == 0);
        assert_true(valid ? is_close(hits[i].fraction, 0.3) : isnan(hits[i].fraction));
    }
    casts[2] = casts[1], casts[1] = good;
    casts[0].translation.z = NAN; /* before the limit, and after it */
    assert_int_equal(abut_world_cast_shapes(world, casts, 4, NULL, hits), ABUT_ERROR_ARGUMENT);
    casts[0].translation.z = INFINITY;
    assert_int_equal(abut_world_cast_shapes(world, casts, 4, NULL, hits), ABUT_ERROR_ARGUMENT);
    casts[0] = good, casts[0].translation.z = 3e38f;
    casts[2] = good;
    assert_int_equal(abut_world_cast_shapes(world, casts, 4, NULL, hits), ABUT_OK);
    abut_world_destroy(&world);
}

/* --- large worlds --- */

enum { LARGE = 20000, EXTENT = 60, LONG_CASTS = 40 };

static size_t calls;

static bool count_calls(const abut_candidate *candidate, void *context) {
    (void)candidate;
    (void)context;
    calls++;
    return true;
}

/* The first hit and the number of all, of all bodies one by one. */
static abut_hit ask_each(const abut_world *world, const abut_body_id *id, const abut_cast *cast, size_t *hits) {
    static const uint32_t zero = 0;
    abut_collider start, body;
    abut_hit first = {.fraction = 1};
    double earliest = INFINITY;
    assert_true(abut_collider_from_shape(&cast->shape, &cast->from, &start));
    const abut_np_cast given = abut_np_cast_of(&start, cast->translation);
    *hits = 0;
    for (size_t i = 0; i < LARGE; i++) {
        abut_shape shape;
        abut_pose pose;
        double fraction;
        if (abut_body_get_shape(world, id[i], &shape, &pose) != ABUT_OK) {
            continue;
        }
        assert_true(abut_collider_from_shape(&shape, &pose, &body));
        abut_np_cast_many(&given, &body, &zero, 1, 1, &fraction);
        *hits += fraction >= 0 && fraction <= 1; /* what is touched at the start is skipped */
        if (fraction >= 0 && fraction <= 1 && fraction < earliest) {
            earliest = fraction;
            first = (abut_hit){.body = id[i], .fraction = abut_np_ray_fraction(fraction)};
            abut_np_cast_place(&given, &body, fraction, &first.position, &first.normal);
        }
    }
    return first;
}

static void large_worlds_and_long_casts(void **state) {
    (void)state;
    static abut_body_id id[LARGE];
    const abut_query query = {.accept = count_calls, .initial = ABUT_INITIAL_SKIP};
    rng r = rng_make(test_seed(), 1);
    abut_world *world = make_world(NULL);
    for (size_t i = 0; i < LARGE; i++) {
        const abut_body_def def = {.pose = random_pose(&r, EXTENT),
                                   .half = {0.4f, 0.3f, rng_chance(&r, 0.01) ? 9 : 0.5f},
                                   .radius = rng_chance(&r, 0.3) ? 0.1f : 0};
        id[i] = add_body(world, &def);
    }
    size_t most = 0;
    for (unsigned long k = 0; k < test_count(LONG_CASTS); k++) {
        const abut_vec3 from = rng_vec3(&r, -EXTENT, EXTENT), to = rng_vec3(&r, -EXTENT, EXTENT);
        const float length = rng_chance(&r, 0.3) ? 1000 : 1;
        abut_cast cast =
            cast_of(k % 2 ? abut_sphere(0.2f) : abut_box(0.3f, 0.2f, 0.1f), from,
                    (abut_vec3){(to.x - from.x) * length, (to.y - from.y) * length, (to.z - from.z) * length});
        cast.from.rotation = rng_rotation(&r);
        size_t hits;
        const abut_hit expected = ask_each(world, id, &cast, &hits);
        calls = 0;
        abut_hit hit = first_hit(world, &cast, &query);
        check_case(calls <= 2 * hits, "accept is asked too often", 1, k);
        hit.user = 0;
        check_case(bits_equal(&hit, &expected, sizeof hit), "the first hit", 1, k);
        check_case(abut_world_shape_hits(world, &cast, &query, NULL, 0) == hits, "how many hits", 1, k);
        most = hits > most ? hits : most;
        if (k % 5 == 0) {
            for (size_t i = 0; i < 60; i++) {
                const abut_pose pose = random_pose(&r, EXTENT);
                assert_int_equal(abut_body_set_pose(world, id[rng_below(&r, LARGE)], &pose), ABUT_OK);
            }
        }
    }
    assert_true((most > 1 || test_count(LONG_CASTS) < 10) && most < LARGE / 10);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shapes_meet_a_wall_where_they_must),
        cmocka_unit_test(the_end_of_the_way_counts),
        cmocka_unit_test(the_start_goes_by_initial),
        cmocka_unit_test(a_hull_far_away),
        cmocka_unit_test(details_play_no_part),
        cmocka_unit_test(errors_of_casts),
        cmocka_unit_test(large_worlds_and_long_casts),
    };
    return test_run(tests);
}
