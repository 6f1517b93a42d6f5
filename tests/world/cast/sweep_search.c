/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that turn far among many: whom a search near their way finds, and how few; what the sweep then says, against
 * every body by itself. */

#include "world/body/body.h"
#include "world/cast/sweep.h"
#include "world/query/tree.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { CASES = 200, BODIES_MOST = 1500 };

/* A world, a body that is to be swept in it, and where to. */
typedef struct scene {
    rng r;
    uint64_t stream;
    abut_world *world;
    abut_hull *hull;
    abut_body_id mover, arm; /* arm: attached to the mover */
    abut_pose target;
    float size; /* half of the world's */
} scene;

static abut_hull *flat_hull(rng *r) {
    abut_vec3 point[16];
    abut_hull *hull = NULL;
    for (int i = 0; i < 16; i++) {
        point[i] = rng_vec3(r, -1, 1);
        point[i].y *= 0.1f;
    }
    assert_int_equal(abut_hull_create(point, 16, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_vec3 scaled(abut_vec3 v, float x, float y, float z) {
    return (abut_vec3){v.x * x, v.y * y, v.z * z};
}

static void add_bodies(scene *s, abut_vec3 off, float flat) {
    const size_t n = 128 + rng_below(&s->r, BODIES_MOST - 128);
    const float size = (float)rng_log_range(&s->r, 0.01, 0.4);
    for (size_t i = 0; i < n; i++) {
        const abut_vec3 at = scaled(rng_vec3(&s->r, -1, 1), s->size, s->size * flat, s->size);
        abut_body_def def = {.pose = {{off.x + at.x, off.y + at.y, off.z + at.z}, rng_rotation(&s->r)}};
        const uint32_t kind = rng_below(&s->r, 16);
        def.half = scaled(rng_vec3(&s->r, 0.1, 1), size, size, size);
        if (kind == 0) {
            def.half = (abut_vec3){0, 0, 0};
            def.radius = size;
        } else if (kind == 1) {
            def.half.x = s->size * 0.2f;
        } else if (kind < 4 && i % 8 == 0) {
            def.half = (abut_vec3){0, 0, 0};
            def.hull = s->hull;
        }
        (void)add_body(s->world, &def);
    }
}

/* A rod, a plate or a hull, sometimes with an arm; it turns by any angle, and mostly moves a little. */
static void add_mover(scene *s, abut_vec3 off) {
    rng *r = &s->r;
    const float length = s->size;
    const abut_vec3 at = scaled(rng_vec3(r, -0.5, 0.5), length, 0, length), by = rng_vec3(r, -1, 1);
    const float go = rng_chance(r, 0.6) ? length * (float)rng_log_range(r, 1e-3, 1) : 0;
    abut_body_def def = {.half = {length * (float)rng_range(r, 0.3, 1), length * 0.01f, length * 0.02f},
                         .pose = {{off.x + at.x, off.y, off.z + at.z}, rng_rotation(r)}};
    if (rng_chance(r, 0.2)) {
        def.half = (abut_vec3){0, 0, 0};
        def.hull = s->hull;
    }
    if (rng_chance(r, 0.3)) {
        def.half.z = def.half.x;
    }
    def.radius = rng_chance(r, 0.2) ? length * 0.01f : 0;
    s->mover = add_body(s->world, &def);
    s->arm = s->mover;
    if (rng_chance(r, 0.3)) {
        const abut_body_def arm = {.half = {length * 0.3f, length * 0.01f, length * 0.01f},
                                   .pose = {scaled(rng_vec3(r, -1, 1), length, length, length), rng_rotation(r)},
                                   .parent = s->mover};
        s->arm = add_body(s->world, &arm);
    }
    assert_int_equal(abut_body_get_pose(s->world, s->mover, &s->target), ABUT_OK);
    const abut_pose other = {s->target.position, rng_rotation(r)};
    s->target = abut_pose_between(&s->target, &other, (float)rng_log_range(r, 1e-3, 1));
    s->target.position.x += by.x * go;
    s->target.position.y += by.y * go;
    s->target.position.z += by.z * go;
}

static void begin_scene(scene *s, uint64_t stream) {
    s->stream = stream;
    s->r = rng_make(test_seed(), stream);
    s->world = make_world(NULL);
    s->hull = flat_hull(&s->r);
    s->size = (float)rng_log_range(&s->r, 3, 100);
    const float far = rng_chance(&s->r, 0.2) ? (float)rng_log_range(&s->r, 1e2, 1e6) : 0;
    const abut_vec3 off = rng_vec3(&s->r, -far, far);
    add_bodies(s, off, rng_chance(&s->r, 0.3) ? 1 : 0.02f);
    add_mover(s, off);
    if (rng_chance(&s->r, 0.5)) {
        (void)step_world(s->world);
    }
}

static void end_scene(scene *s) {
    abut_world_destroy(&s->world);
    abut_hull_destroy(&s->hull);
}

/* The way of the mover or of its arm. */
static void way_of(const scene *s, abut_body_id id, abut_np_way *way) {
    const abut_world *world = s->world;
    const uint32_t slot = id.index1 - 1;
    const abut_pose from = abut_w_pose_of(world, s->mover.index1 - 1), to = abut_pose_normal(&s->target);
    if (world->attachment_plus_one[slot]) {
        const abut_dpose local = abut_w_pose_in_root(world, slot);
        abut_np_way_of(&world->collider[slot], &local, &from, &to, way);
    } else {
        abut_np_way_of(&world->collider[slot], NULL, &from, &to, way);
    }
}

/* What a way meets, by slot: fractions, INFINITY where nothing is met. Returns the least. */
static double meet_each(const scene *s, const abut_np_way *way, abut_initial initial, abut_np_met *met) {
    double least = INFINITY;
    for (uint32_t slot = 0; slot < s->world->ids.used; slot++) {
        abut_np_way still;
        abut_np_way_still(&s->world->collider[slot], &still);
        const bool other = slot != s->mover.index1 - 1 && slot != s->arm.index1 - 1;
        if (!other || !abut_np_sweep(way, &still, initial, 0, 1, &met[slot])) {
            met[slot].fraction = INFINITY;
        }
        least = abut_min_d(least, met[slot].fraction);
    }
    return least;
}

/* Begins a search for whom the mover meets; the tree is up to date. False: it is not done in pieces. */
static bool begin_search(const abut_world *world, const abut_np_way *way, abut_w_sweep_search *search) {
    abut_np_line line;
    abut_bp_mover bounds;
    abut_np_way_line(way, world->extent, 0, 1, &line);
    abut_w_sweep_round(&line, &bounds);
    return abut_w_sweep_turns_far(world, way) && abut_w_sweep_search_begin(world, way, &bounds, UINT32_MAX, search);
}

/* Searches before a limit, and counts how often it finds whom. */
static bool search_all(const abut_world *world, const abut_np_way *way, double limit, uint8_t *found) {
    abut_w_sweep_search search;
    if (!begin_search(world, way, &search)) {
        return false;
    }
    for (uint32_t n; (n = abut_w_sweep_search_next(&search, limit)) > 0;) {
        for (uint32_t k = 0; k < n; k++) {
            assert_in_range(search.flight.found.key[k], 0, world->ids.used - 1);
            found[search.flight.found.key[k]]++;
        }
    }
    return true;
}

/* --- whom it finds --- */

static void finds_all_who_are_met_once(void **state) {
    size_t met_count = 0, pieces = 0;
    (void)state;
    for (uint64_t i = 0; i < test_count(CASES); i++) {
        static abut_np_met met[BODIES_MOST + 2];
        static uint8_t found[BODIES_MOST + 2];
        scene s;
        abut_np_way way;
        begin_scene(&s, 0x7a00 + i);
        abut_w_tree_prepare(s.world);
        way_of(&s, s.arm, &way);
        const double least = meet_each(&s, &way, ABUT_INITIAL_HIT, met);
        const double limit[3] = {1, abut_min_d(least, 1), rng_range(&s.r, 0, 1)};
        for (int k = 0; k < 3; k++) {
            memset(found, 0, sizeof found);
            if (!search_all(s.world, &way, limit[k], found)) {
                continue;
            }
            pieces++;
            for (uint32_t slot = 0; slot < s.world->ids.used; slot++) {
                check_case(found[slot] <= 1, "found twice", s.stream, slot);
                check_case(met[slot].fraction > limit[k] || found[slot], "met, and not found", s.stream, slot);
                met_count += met[slot].fraction <= limit[k];
            }
        }
        end_scene(&s);
    }
    print_message("%zu met, %zu searches in pieces\n", met_count, pieces);
    assert_true(test_count(CASES) < CASES || (met_count > test_count(CASES) && 5 * pieces > test_count(CASES)));
}

/* The first of the mover and its arm, by the rules of abut/cast.h. */
static abut_hit first_of_each(const scene *s, abut_initial initial) {
    static abut_np_met met[BODIES_MOST + 2];
    abut_hit hit = {.fraction = 1};
    double first = INFINITY;
    const abut_body_id part[2] = {s->mover, s->arm};
    for (int k = 0; k < (abut_body_id_equal(part[0], part[1]) ? 1 : 2); k++) {
        abut_np_way way;
        way_of(s, part[k], &way);
        (void)meet_each(s, &way, initial, met);
        for (uint32_t slot = 0; slot < s->world->ids.used; slot++) {
            const double now = met[slot].fraction;
            const bool tie = now == first && (slot + 1 < hit.body.index1 ||
                                              (slot + 1 == hit.body.index1 && part[k].index1 < hit.mover.index1));
            if (now <= 1 && (now < first || tie)) {
                first = now;
                hit = (abut_hit){.body.index1 = slot + 1,
                                 .mover = part[k],
                                 .fraction = abut_np_ray_fraction(now),
                                 .position = met[slot].position,
                                 .normal = met[slot].normal};
            }
        }
    }
    return hit;
}

static void answers_as_each_body_by_itself(void **state) {
    size_t hits = 0, late = 0;
    (void)state;
    for (uint64_t i = 0; i < test_count(CASES); i++) {
        scene s;
        begin_scene(&s, 0x7b00 + i);
        for (int initial = ABUT_INITIAL_CLOSING; initial <= ABUT_INITIAL_SKIP; initial++) {
            const abut_query query = {.initial = (abut_initial)initial};
            abut_hit hit;
            assert_int_equal(abut_world_sweep(s.world, &s.mover, &s.target, 1, &query, &hit), ABUT_OK);
            const abut_hit expected = first_of_each(&s, (abut_initial)initial);
            check_case(hit.body.index1 == expected.body.index1 && hit.mover.index1 == expected.mover.index1 &&
                           hit.fraction == expected.fraction,
                       "the first", s.stream, (unsigned long)initial);
            check_case(bits_equal(&hit.position, &expected.position, sizeof hit.position) &&
                           hit.normal.x == expected.normal.x && hit.normal.y == expected.normal.y &&
                           hit.normal.z == expected.normal.z,
                       "where, and its normal", s.stream, (unsigned long)initial);
            hits += hit.body.index1 != 0;
            late += hit.body.index1 != 0 && hit.fraction > 0.1f;
        }
        end_scene(&s);
    }
    print_message("%zu hits, %zu of them late\n", hits, late);
    assert_true(test_count(CASES) < CASES || (2 * hits > test_count(CASES) && 20 * late > test_count(CASES)));
}

/* --- how few --- */

/* A rod of length 100 among n small bodies, none of them in its way at first. */
static abut_body_id add_rod(abut_world *world, rng *r, size_t n) {
    const abut_body_id rod = add_body(world, &(abut_body_def){.half = {50, 0.1f, 0.1f}});
    for (size_t i = 0; i < n; i++) {
        const float x = (float)rng_range(r, -50, 50), z = (float)rng_range(r, 0.5, 50) * rng_sign(r);
        (void)add_cube(world, x, 0, z, 0.02f);
    }
    return rod;
}

/* How many are tested against a rod that turns by an angle and meets some early, as a sweep tests them. */
static size_t tested_for(size_t n, float angle) {
    rng r = rng_make(0x7c00, 0);
    scene s = {.world = make_world(NULL)};
    abut_np_way way, still;
    abut_np_met met;
    abut_w_sweep_search search;
    size_t count = 0;
    double limit = 1;
    s.mover = s.arm = add_rod(s.world, &r, n);
    s.target = (abut_pose){{0, 0, 0}, abut_quat_from_axis_angle((abut_vec3){0, 1, 0}, angle)};
    (void)step_world(s.world);
    abut_w_tree_prepare(s.world);
    way_of(&s, s.mover, &way);
    assert_true(begin_search(s.world, &way, &search));
    for (uint32_t found; (found = abut_w_sweep_search_next(&search, limit)) > 0; count += found) {
        for (uint32_t k = 0; k < found; k++) {
            const uint32_t slot = search.flight.found.key[k];
            abut_np_way_still(&s.world->collider[slot], &still);
            if (slot != s.mover.index1 - 1 && abut_np_sweep(&way, &still, ABUT_INITIAL_SKIP, 0, limit, &met)) {
                limit = abut_min_d(limit, met.fraction);
            }
        }
    }
    assert_true(limit * (double)angle < 0.05);
    abut_world_destroy(&s.world);
    return count;
}

/* What is tested follows what is near the way up to the hit: not the angle, and not all that there is. */
static void an_early_hit_spares_the_rest(void **state) {
    static const size_t bodies[] = {1000, 4000, 16000};
    (void)state;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            const float angle = 0.1f * (float)(1 + 5 * k); /* up to 1.6 */
            const size_t count = tested_for(bodies[i], angle);
            print_message("%zu bodies, %.1f radians: %zu tested\n", bodies[i], (double)angle, count);
            assert_true(count <= 16);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_who_are_met_once),
        cmocka_unit_test(answers_as_each_body_by_itself),
        cmocka_unit_test(an_early_hit_spares_the_rest),
    };
    return test_run(tests);
}
