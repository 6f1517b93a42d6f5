/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Batches of questions on several workers: the answers have the bits that they have without. */

#include "world/query/side_by_side.h"
#include <abut/cull.h>
#include <abut/placement.h>
#include <math.h>
#include <stdlib.h>

enum { BODIES = 3000, MOST = 900, NEAR = 3, ROOM = 20000 };

/* What is asked, and how. */
typedef struct questions {
    abut_ray ray[MOST];
    abut_cast cast[MOST];
    abut_shape shape[MOST];
    abut_pose pose[MOST];
    abut_vec3 point[MOST];
    abut_obb2 rectangle[MOST];
    size_t n, room; /* of each; of ids */
    abut_query query;
} questions;

typedef struct answers {
    abut_hit hit[MOST], met[MOST];
    uint8_t blocked[MOST];
    abut_near near[MOST * NEAR];
    uint32_t counts[MOST];
    size_t ends[MOST];
    abut_body_id touched[ROOM];
    abut_placement placement[MOST];
    abut_result result[6];
} answers;

static questions asked;

/* By body and element, so that it is pure. */
static bool accept_most(const abut_candidate *candidate, void *context) {
    (void)context;
    return (candidate->body.index1 + candidate->element) % 5 != 0;
}

static void make_questions(side_worlds *s, size_t n) {
    rng *r = &s->r;
    const abut_vec3 low = s->scene.low, high = s->scene.high;
    double side = high.x - (double)low.x;
    asked.n = n;
    asked.query = (abut_query){.ignore = s->ids, .ignore_count = rng_below(r, 3)};
    asked.query.accept = rng_chance(r, 0.5) ? accept_most : NULL;
    asked.query.filter.mask = rng_chance(r, 0.5) ? 7 : 0;
    for (size_t k = 0; k < n; k++) {
        const abut_vec3 from = rng_vec3(r, low.x, high.x);
        asked.ray[k] = (abut_ray){.origin = from, .translation = rng_vec3(r, -side, side)};
        asked.ray[k].ignore[0] = s->ids[rng_below(r, BODIES)];
        asked.shape[k] = k % 2 ? abut_sphere((float)rng_range(r, 0.1, 1)) : abut_box(0.5f, 1, 0.75f);
        asked.pose[k] = (abut_pose){from, rng_rotation(r)};
        asked.point[k] = from;
        asked.cast[k] = (abut_cast){asked.shape[k], asked.pose[k], rng_vec3(r, -side / 4, side / 4), {{0}}};
        asked.rectangle[k] = (abut_obb2){{from.x, from.z}, {from.y, 1}, {0.25f, 0.125f}};
        if (n > 1 && rng_chance(r, 2.0 / MOST)) { /* often none of a call */
            asked.ray[k].origin.x = rng_chance(r, 0.5) ? NAN : 2 * ABUT_MAX_COORDINATE;
            asked.cast[k].from.position.x = asked.pose[k].position.x = asked.point[k].x = asked.ray[k].origin.x;
        }
    }
}

static void ask(const abut_world *world, answers *out) {
    const questions *q = &asked;
    const abut_placement_rules rules = {.filter = q->query.filter, .clearance = 0.01f};
    memset(out, 0xee, sizeof *out);
    out->result[0] = abut_world_cast_rays(world, q->ray, q->n, &q->query, out->hit);
    out->result[1] = abut_world_test_rays(world, q->ray, q->n, &q->query, out->blocked);
    out->result[2] = abut_world_cast_shapes(world, q->cast, q->n, &q->query, out->met);
    out->result[3] = abut_world_nearest_many(world, q->point, q->n, 3, &q->query, out->near, NEAR, out->counts);
    out->result[4] =
        abut_world_overlaps_many(world, q->shape, q->pose, q->n, &q->query, out->touched, q->room, out->ends);
    out->result[5] = abut_world_test_placements(world, q->rectangle, q->n, &rules, out->placement);
}

/* What is behind the answers' ends may have been written to, but for what does not belong to `out`. */
static void check_same(const answers *a, const answers *b, uint64_t stream, unsigned long step) {
    size_t n = asked.n, total = n ? a->ends[n - 1] : 0, kept = total < asked.room ? total : asked.room;
    for (int k = 0; k < 6; k++) {
        check_case(a->result[k] == b->result[k], "a result", stream, step);
    }
    check_case(bits_equal(a->hit, b->hit, n * sizeof *a->hit), "cast_rays", stream, step);
    check_case(bits_equal(a->blocked, b->blocked, n), "test_rays", stream, step);
    check_case(bits_equal(a->met, b->met, n * sizeof *a->met), "cast_shapes", stream, step);
    check_case(bits_equal(a->counts, b->counts, n * sizeof *a->counts), "nearest_many: counts", stream, step);
    check_case(bits_equal(a->ends, b->ends, n * sizeof *a->ends), "overlaps_many: ends", stream, step);
    check_case(bits_equal(a->touched, b->touched, kept * sizeof *a->touched), "overlaps_many", stream, step);
    for (size_t k = asked.room; k < ROOM; k++) {
        check_case(b->touched[k].index1 == 0xeeeeeeee, "overlaps_many: beyond its room", stream, step);
    }
    for (size_t k = 0; k < n; k++) {
        const abut_placement *p = &a->placement[k], *q = &b->placement[k];
        check_case(bits_equal(&a->near[k * NEAR], &b->near[k * NEAR], a->counts[k] * sizeof *a->near), "nearest_many",
                   stream, step);
        check_case(p->free == q->free && p->blocker_count == q->blocker_count &&
                       abut_body_id_equal(p->first_blocker, q->first_blocker) &&
                       bits_equal(&p->push, &q->push, sizeof p->push),
                   "test_placements", stream, step);
    }
}

/* How much was found: answers of each kind that are not empty. */
static void count_found(const answers *a, size_t found[6]) {
    for (size_t k = 0; k < asked.n; k++) {
        found[0] += a->hit[k].body.index1 > 0;
        found[1] += a->blocked[k];
        found[2] += a->met[k].body.index1 > 0;
        found[3] += a->counts[k] > 0;
        found[4] += a->ends[k] > (k > 0 ? a->ends[k - 1] : 0);
        found[5] += !a->placement[k].free;
    }
}

static void batches(scene_kind kind, uint64_t stream) {
    static const size_t sizes[] = {0, 1, 64, 65, 300, MOST};
    static side_worlds s;
    static answers alone, other;
    size_t found[6] = {0};
    side_begin(&s, kind, BODIES, false, stream);
    for (unsigned long step = 0; step < sizeof sizes / sizeof *sizes; step++) {
        make_questions(&s, sizes[step]);
        asked.room = 0;
        ask(s.world[0], &alone);
        size_t total = asked.n ? alone.ends[asked.n - 1] : 0;
        assert_in_range(total, 0, ROOM);
        count_found(&alone, found);
        const size_t rooms[] = {ROOM, total, total / 2, total + total / 4, 3};
        for (int world = 1; world < SIDE_WORLDS; world++) {
            asked.room = rooms[((unsigned)world + step) % 5];
            ask(s.world[0], &alone);
            for (int order = 0; order < SCHEDULE_KINDS; order++) {
                s.schedule[world].kind = (schedule_kind)order;
                ask(s.world[world], &other);
                check_same(&alone, &other, stream, step);
            }
        }
    }
    side_end(&s);
    for (int k = 0; k < 6; k++) {
        assert_true(found[k] > MOST / 8 || kind == SCENE_CLUSTERS); /* which is sparse */
    }
}

static void batches_of_boxes(void **state) {
    (void)state;
    batches(SCENE_TUMBLING, 1);
    batches(SCENE_CLUSTERS, 2);
}

static void batches_of_hulls(void **state) {
    (void)state;
    batches(SCENE_HULLS, 3);
}

static void batches_of_round(void **state) {
    (void)state;
    batches(SCENE_ROUND, 4);
}

/* --- culling --- */

enum { CROWD = 20000, ROOMY = 2 * CROWD, VIEWS = 5 };

/* Boxes and cameras anywhere, of any size, sometimes all that there is. */
static size_t make_views(side_worlds *s, abut_frustum view[VIEWS]) {
    size_t n = rng_chance(&s->r, 0.5) ? 1 : 1 + rng_below(&s->r, VIEWS);
    const float low = s->scene.low.x, high = s->scene.high.x;
    for (size_t k = 0; k < n; k++) {
        const abut_pose eye = {rng_vec3(&s->r, low, high), rng_rotation(&s->r)};
        const float half = (high - low) * (float)rng_range(&s->r, 0.1, 1.2);
        const abut_obb box = {eye.position, eye.rotation, {half, half, half}};
        assert_int_equal(k % 2 ? abut_frustum_camera(&eye, 0.1f, 0.1f, 0.1f, INFINITY, &view[k])
                               : abut_frustum_orthographic(&box, &view[k]),
                         ABUT_OK);
    }
    return n;
}

static void culls(scene_kind kind, uint64_t stream) {
    static side_worlds s;
    static abut_visible visible[2][ROOMY];
    size_t seen = 0, hidden = 0;
    side_begin(&s, kind, CROWD, stream % 2 == 0, stream);
    for (unsigned long step = 0; step < 12; step++) {
        abut_frustum view[VIEWS];
        const abut_filter some = {.mask = 3}, *filter = step % 3 == 2 ? &some : NULL;
        size_t n = make_views(&s, view), all = abut_world_cull(s.world[0], view, n, filter, NULL, 0);
        seen += all > 0;
        hidden += all < s.living;
        const size_t rooms[] = {ROOMY, all, all + 1, all > 0 ? all - 1 : 0, all + s.living / 2, CROWD / 2 + 500};
        for (int k = 1; k < SIDE_WORLDS; k++) {
            size_t room = rooms[(step + (unsigned)k) % 6], kept = all < room ? all : room;
            s.schedule[k].kind = (schedule_kind)((step + (unsigned)k) % SCHEDULE_KINDS);
            memset(visible, 0xee, sizeof visible);
            (void)abut_world_cull(s.world[0], view, n, filter, visible[0], room);
            check_case(abut_world_cull(s.world[k], view, n, filter, visible[1], room) == all &&
                           bits_equal(visible[0], visible[1], kept * sizeof *visible[0]),
                       "cull", stream, step);
            check_case(room == ROOMY || visible[1][room].views == 0xeeeeeeee, "beyond its room", stream, step);
        }
    }
    side_end(&s);
    assert_true(seen > 3 && hidden > 3);
}

static void culls_of_all_kinds(void **state) {
    (void)state;
    culls(SCENE_TUMBLING, 5);
    culls(SCENE_TUMBLING, 6);
    culls(SCENE_HULLS, 7);
    culls(SCENE_ROUND, 8);
}

/* More bodies than one look at the tree's groups takes in, all of them visible, and in each view half of them. */
static void culls_of_many_groups(void **state) {
    (void)state;
    enum { MANY = 34000, ROW = 200 };
    static abut_body_def defs[MANY];
    static abut_body_id made[MANY];
    static abut_visible visible[2][MANY + MANY / 2]; /* with room for lists of several workers */
    schedule s = {.kind = SCHEDULE_SHUFFLED, .workers = 3, .seed = 1};
    abut_world *alone = make_world(NULL), *other = make_world(&(abut_world_def){.parallel = schedule_parallel(&s)});
    abut_frustum view[2];
    for (uint32_t k = 0; k < MANY; k++) {
        defs[k] =
            (abut_body_def){.half = {0.25f, 0.25f, 0.25f}, .pose = pose_at((float)(k % ROW), 0, (float)(k / ROW))};
    }
    for (int k = 0; k < 2; k++) {
        const abut_obb half = {{k ? 150.25f : 49.25f, 0, 100}, {0, 0, 0, 1}, {50, 1, 200}};
        assert_int_equal(abut_frustum_orthographic(&half, &view[k]), ABUT_OK);
    }
    assert_int_equal(abut_bodies_create(alone, defs, MANY, made), ABUT_OK);
    assert_int_equal(abut_bodies_create(other, defs, MANY, made), ABUT_OK);
    assert_int_equal(abut_world_refresh(other), ABUT_OK);
    uint32_t loops = abut_atomic_load(&s.loops);
    assert_int_equal(abut_world_cull(alone, view, 2, NULL, visible[0], MANY), MANY);
    assert_int_equal(abut_world_cull(other, view, 2, NULL, visible[1], MANY + MANY / 2), MANY);
    assert_memory_equal(visible[0], visible[1], MANY * sizeof visible[0][0]);
    for (uint32_t k = 0; k < MANY; k++) {
        assert_int_equal(visible[0][k].views, k % ROW < ROW / 2 ? 1 : 2);
    }
    assert_true(abut_atomic_load(&s.loops) > loops && abut_atomic_load(&s.wrong) == 0);
    abut_world_destroy(&alone);
    abut_world_destroy(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_boxes),     cmocka_unit_test(batches_of_hulls),
        cmocka_unit_test(batches_of_round),     cmocka_unit_test(culls_of_all_kinds),
        cmocka_unit_test(culls_of_many_groups),
    };
    return test_run(tests);
}
