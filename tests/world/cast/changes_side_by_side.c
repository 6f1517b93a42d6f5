/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Calls that change a world, or need its memory, on several workers: many bodies created, many poses set, sweeps. What
 * comes of them has the bits that it has without workers. */

#include "support/failing_allocator.h"
#include "world/query/side_by_side.h"
#include <math.h>
#include <stdlib.h>

enum { BODIES = 6000, SWEPT = 1000 };

/* --- poses --- */

static abut_body_id ids[BODIES];
static abut_pose poses[BODIES], read[2][BODIES];

/* What may happen to a batch: nothing, ids in any order, the same id twice, something wrong. */
typedef enum trouble { NO_TROUBLE, SHUFFLED, TWICE, STALE_ID, NAN_POSE, FAR_POSE, TROUBLES } trouble;

static void make_poses(side_worlds *s, size_t n, trouble what) {
    rng *r = &s->r;
    size_t at = rng_below(r, (uint32_t)n), other = rng_below(r, (uint32_t)n);
    for (size_t k = 0; k < n; k++) {
        ids[k] = s->ids[k];
        poses[k] = (abut_pose){rng_vec3(r, s->scene.low.x, s->scene.high.x), rng_rotation(r)};
        if (rng_chance(r, 0.25)) { /* where it was */
            assert_int_equal(abut_body_get_pose(s->world[0], ids[k], &poses[k]), ABUT_OK);
        }
    }
    for (size_t k = n; k > 1 && what == SHUFFLED; k--) {
        size_t j = rng_below(r, (uint32_t)k);
        abut_body_id id = ids[j];
        ids[j] = ids[k - 1];
        ids[k - 1] = id;
    }
    if (what == TWICE) {
        ids[at] = ids[other];
    } else if (what == STALE_ID) {
        ids[at].generation++;
    } else if (what == NAN_POSE) {
        poses[at].position.y = poses[other].rotation.x = NAN;
    } else if (what == FAR_POSE) {
        poses[at].position.y = poses[other].position.x = rng_chance(r, 0.5) ? ABUT_MAX_COORDINATE : 0;
    }
}

static void check_worlds(side_worlds *s, int k, uint64_t stream, unsigned long step) {
    size_t n = s->living;
    assert_int_equal(abut_bodies_get_world_poses(s->world[0], s->ids, read[0], n), ABUT_OK);
    assert_int_equal(abut_bodies_get_world_poses(s->world[k], s->ids, read[1], n), ABUT_OK);
    check_case(bits_equal(read[0], read[1], n * sizeof *read[0]), "poses", stream, step);
    check_case(abut_world_hash(s->world[0]) == abut_world_hash(s->world[k]), "hash", stream, step);
    assert_int_equal(abut_world_validate(s->world[k]), ABUT_OK);
}

static void set_poses(uint64_t stream, bool plain) {
    static const size_t sizes[] = {1, 2048, 2049, 5000, BODIES};
    static side_worlds s;
    side_begin(&s, SCENE_TUMBLING, BODIES, plain, stream);
    for (unsigned long step = 0; step < 5 * TROUBLES; step++) {
        size_t n = sizes[step % 5] < s.living ? sizes[step % 5] : s.living, bad[2] = {0, 0};
        make_poses(&s, n, (trouble)(step / 5));
        abut_result result = abut_bodies_set_poses_strided(s.world[0], ids, 0, poses, 0, n, &bad[0]);
        for (int k = 1; k < SIDE_WORLDS; k++) {
            s.schedule[k].kind = (schedule_kind)((step + (unsigned)k) % SCHEDULE_KINDS);
            bad[1] = 0;
            check_case(abut_bodies_set_poses_strided(s.world[k], ids, 0, poses, 0, n, &bad[1]) == result &&
                           bad[0] == bad[1],
                       "set_poses", stream, step);
            check_worlds(&s, k, stream, step);
        }
    }
    for (int k = 0; k < SIDE_WORLDS; k++) { /* questions and steps see all that moved */
        size_t contacts = step_world(s.world[k]);
        check_case(contacts == step_world(s.world[0]), "contacts", stream, 0);
        check_case(abut_world_hash(s.world[0]) == abut_world_hash(s.world[k]), "hash", stream, 0);
    }
    side_end(&s);
}

static void poses_of_plain_bodies(void **state) {
    (void)state;
    set_poses(1, true);
}

static void poses_of_all_kinds(void **state) {
    (void)state;
    set_poses(2, false);
}

/* --- what questions find after poses were set: every body is marked for the tree --- */

static void questions_see_what_moved(void **state) {
    static side_worlds s;
    (void)state;
    side_begin(&s, SCENE_TUMBLING, BODIES, true, 3);
    for (unsigned long step = 0; step < 6; step++) {
        make_poses(&s, BODIES, NO_TROUBLE);
        for (int k = 0; k < SIDE_WORLDS; k++) {
            s.schedule[k].kind = (schedule_kind)((step + (unsigned)k) % SCHEDULE_KINDS);
            assert_int_equal(abut_world_refresh(s.world[k]), ABUT_OK);
            assert_int_equal(abut_bodies_set_poses(s.world[k], ids + step, poses + step, BODIES - step), ABUT_OK);
            assert_int_equal(abut_world_validate(s.world[k]), ABUT_OK);
        }
        for (int k = 0; k < SIDE_WORLDS; k++) {
            for (size_t i = 0; i < BODIES; i += 7) {
                const abut_shape point = abut_point();
                abut_body_id found[2][16];
                size_t n = abut_world_overlaps(s.world[0], &point, &poses[i], NULL, found[0], 16);
                check_case(abut_world_overlaps(s.world[k], &point, &poses[i], NULL, found[1], 16) == n, "overlaps", 3,
                           step);
                check_case(i < step || n > 0, "it is where it was put", 3, step);
            }
        }
    }
    side_end(&s);
}

/* --- creation --- */

static void creation(void **state) {
    static side_worlds s;
    static abut_body_id made[2][BODIES];
    (void)state;
    side_begin(&s, SCENE_ROUND, BODIES, false, 4);
    for (unsigned long step = 0; step < 12; step++) {
        size_t n = 1 + rng_below(&s.r, BODIES - 1), bad = step % 2 ? n - 1 : rng_below(&s.r, BODIES);
        const abut_body_def good = s.scene.defs[bad];
        s.scene.defs[bad].half.x = step % 3 == 1 ? -1 : good.half.x;
        s.scene.defs[bad].pose.position.x = step % 3 == 2 ? 2 * ABUT_MAX_COORDINATE : good.pose.position.x;
        s.scene.defs[bad].parent = step % 4 == 1 ? s.ids[0] : good.parent;
        abut_result result = abut_bodies_create(s.world[0], s.scene.defs, n, made[0]);
        for (int k = 1; k < SIDE_WORLDS; k++) {
            s.schedule[k].kind = (schedule_kind)((step + (unsigned)k) % SCHEDULE_KINDS);
            check_case(abut_bodies_create(s.world[k], s.scene.defs, n, made[1]) == result &&
                           bits_equal(made[0], made[1], n * sizeof *made[0]) &&
                           abut_world_hash(s.world[0]) == abut_world_hash(s.world[k]),
                       "create", 4, step);
            assert_int_equal(abut_world_validate(s.world[k]), ABUT_OK);
            if (!result) {
                assert_int_equal(abut_bodies_destroy(s.world[k], made[1], n), ABUT_OK);
            }
        }
        if (!result) {
            assert_int_equal(abut_bodies_destroy(s.world[0], made[0], n), ABUT_OK);
        }
        s.scene.defs[bad] = good;
    }
    side_end(&s);
}

/* The first hulls and meshes get room for hints and parts, which is the same with however many workers, but for a piece
 * of the list of parts for each worker. */
static void creation_makes_the_same_room(void **state) {
    enum { MANY = 700 };
    static const abut_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t index[3] = {0, 1, 2};
    static abut_body_def defs[MANY];
    const abut_mesh_def triangle = {.vertices = points, .vertex_count = 3, .indices = index, .triangle_count = 1};
    abut_mesh *mesh;
    abut_hull *hull;
    (void)state;
    assert_int_equal(abut_mesh_create(&triangle, &mesh), ABUT_OK);
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    for (int kind = 0; kind < 3; kind++) {
        size_t bytes[SCHEDULE_KINDS + 1];
        for (size_t k = 0; k < MANY; k++) { /* odd ones in the first block and in the last */
            bool odd = k == 3 || k == 7 || k == MANY - 2;
            defs[k] = (abut_body_def){.half = {1, 1, 1}};
            defs[k].hull = odd && kind == 1 ? hull : NULL;
            defs[k].mesh = odd && kind == 2 ? mesh : NULL;
            defs[k].half = defs[k].mesh ? (abut_vec3){0, 0, 0} : defs[k].half;
        }
        for (int k = 0; k <= SCHEDULE_KINDS; k++) {
            failing_allocator books = {0};
            schedule s = {.kind = (schedule_kind)(k % SCHEDULE_KINDS), .workers = 3, .seed = 1};
            abut_world_def def = {.allocator = failing_allocator_of(&books), .pair_capacity = 5000};
            def.parallel = k < SCHEDULE_KINDS ? schedule_parallel(&s) : def.parallel;
            abut_world *world = make_world(&def);
            size_t before = books.live_bytes;
            assert_int_equal(abut_bodies_create(world, defs, MANY, ids), ABUT_OK);
            bytes[k] = books.live_bytes - before;
            assert_true(k == SCHEDULE_KINDS || bytes[k] == bytes[0]);
            abut_world_destroy(&world);
        }
        assert_true(bytes[SCHEDULE_KINDS] > 0);
        assert_true(kind == 2 ? bytes[SCHEDULE_KINDS] < bytes[0] : bytes[SCHEDULE_KINDS] == bytes[0]);
    }
    abut_mesh_destroy(&mesh);
    abut_hull_destroy(&hull);
}

/* --- sweeps --- */

static bool accept_most(const abut_candidate *candidate, void *context) {
    (void)context;
    return (candidate->body.index1 + candidate->mover.index1) % 5 != 0;
}

static void sweep(scene_kind kind, bool plain, uint64_t stream) {
    static const size_t sizes[] = {1, 64, 65, 500, SWEPT};
    static abut_hit hits[2][SWEPT];
    static side_worlds s;
    size_t swept = 0, met = 0;
    side_begin(&s, kind, 2 * SWEPT, plain, stream);
    for (unsigned long step = 0; step < 15; step++) {
        abut_query query = {.initial = (abut_initial)(step % 3), .accept = step % 2 ? accept_most : NULL};
        size_t n = 0;
        for (size_t k = 0; k < s.living && n < sizes[step % 5]; k++) {
            abut_body_id parent;
            if (!abut_body_get_parent(s.world[0], s.ids[k], &parent) && !parent.index1) {
                abut_body_get_pose(s.world[0], s.ids[k], &poses[n]);
                const abut_vec3 by = rng_vec3(&s.r, -2, 2);
                poses[n].position.x += by.x, poses[n].position.y += by.y, poses[n].position.z += by.z;
                poses[n].rotation = rng_chance(&s.r, 0.5) ? rng_rotation(&s.r) : poses[n].rotation;
                poses[n].position.x = rng_chance(&s.r, 2.0 / SWEPT) ? NAN : poses[n].position.x;
                poses[n].position.y = rng_chance(&s.r, 2.0 / SWEPT) ? 2 * ABUT_MAX_COORDINATE : poses[n].position.y;
                ids[n++] = s.ids[k];
            }
        }
        abut_result result = abut_world_sweep(s.world[0], ids, poses, n, &query, hits[0]);
        swept += n;
        for (size_t i = 0; i < n; i++) {
            met += hits[0][i].body.index1 > 0;
        }
        for (int k = 1; k < SIDE_WORLDS; k++) {
            s.schedule[k].kind = (schedule_kind)((step + (unsigned)k) % SCHEDULE_KINDS);
            check_case(abut_world_sweep(s.world[k], ids, poses, n, &query, hits[1]) == result, "result", stream, step);
            for (size_t i = 0; i < n; i++) {
                hits[0][i].fraction = isnan(hits[0][i].fraction) ? -1 : hits[0][i].fraction;
                hits[1][i].fraction = isnan(hits[1][i].fraction) ? -1 : hits[1][i].fraction;
            }
            check_case(bits_equal(hits[0], hits[1], n * sizeof *hits[0]), "sweep", stream, step);
            assert_int_equal(abut_world_validate(s.world[k]), ABUT_OK);
        }
    }
    side_end(&s);
    assert_true(met > swept / 16);
}

static void sweeps(void **state) {
    (void)state;
    sweep(SCENE_TUMBLING, true, 5);
    sweep(SCENE_TUMBLING, false, 6);
    sweep(SCENE_HULLS, false, 7);
    sweep(SCENE_ROUND, true, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_of_plain_bodies),        cmocka_unit_test(poses_of_all_kinds),
        cmocka_unit_test(questions_see_what_moved),     cmocka_unit_test(creation),
        cmocka_unit_test(creation_makes_the_same_room), cmocka_unit_test(sweeps),
    };
    return test_run(tests);
}
