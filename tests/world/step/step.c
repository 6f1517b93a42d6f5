/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What a step finds equals brute force over all pairs, for every family of scenes. */

#include "scenes.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

typedef struct trial {
    size_t n;
    int frames;
    bool mixed; /* details of all three kinds, else manifolds everywhere */
    float margin;
} trial;

typedef struct tally {
    size_t contacts, points, bare, begun, ended;
} tally;

/* Body 0 keeps its manifolds: in SCENE_HUGE every pair is one of its pairs. */
static void mix_details(scene *s, rng *r) {
    for (size_t i = 1; i < s->count; i++) {
        s->defs[i].detail = (abut_detail)(rng_chance(r, 0.5) ? 0 : rng_below(r, 3));
    }
}

static model_body *add_scene(abut_world *world, const scene *s) {
    abut_body_id *ids = malloc(s->count * sizeof *ids);
    model_body *models = malloc(s->count * sizeof *models);
    assert_true(ids != NULL && models != NULL);
    assert_int_equal(abut_bodies_create(world, s->defs, s->count, ids), ABUT_OK);
    for (size_t i = 0; i < s->count; i++) {
        models[i] = (model_body){ids[i], s->defs[i].half, (uint32_t)i, s->defs[i].hull, s->defs[i].radius};
    }
    free(ids);
    return models;
}

static void advance(abut_world *world, scene *s, const model_body *models) {
    scene_advance(s);
    assert_int_equal(
        abut_bodies_set_poses_strided(world, &models[0].id, sizeof models[0], s->poses, 0, s->mover_count, NULL),
        ABUT_OK);
}

static void check_report(const abut_step_report *r, const scene *s, const pair_list *pairs, int frame, size_t before) {
    assert_int_equal(r->bodies, s->count);
    assert_int_equal(r->moved, frame == 0 ? s->count : s->mover_count);
    assert_int_equal(r->contacts, pairs->count);
    assert_true(r->candidates >= r->contacts);
    assert_true(before + r->begun - r->ended == r->contacts);
    assert_true(r->seconds_bounds >= 0 && r->seconds_broad >= 0 && r->seconds_narrow >= 0 && r->seconds_events >= 0);
}

static void count_contacts(const abut_world *world, tally *t) {
    size_t count;
    const abut_contact *contacts = contacts_of(world, &count);
    t->contacts += count;
    for (size_t i = 0; i < count; i++) {
        t->points += contacts[i].manifold.count;
        t->bare += contacts[i].manifold.count == 0;
    }
}

static void try_scene(scene_kind kind, const trial *how, uint64_t stream, tally *t) {
    scene s;
    rng r = rng_make(test_seed(), stream);
    assert_true(scene_create(&s, kind, how->n, rng_u64(&r)));
    if (how->mixed) {
        mix_details(&s, &r);
    }
    abut_world *world = make_world(&(abut_world_def){.contact_margin = how->margin});
    model_body *models = add_scene(world, &s);
    size_t before = 0;
    for (int frame = 0; frame < how->frames; frame++) {
        abut_step_report report;
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        body_now *bodies = read_bodies(world, models, s.count);
        pair_list pairs = brute_pairs(bodies, s.count, how->margin);
        check_case(contacts_are(world, bodies, &pairs, how->margin), scene_name(kind), stream, (unsigned long)frame);
        check_report(&report, &s, &pairs, frame, before);
        before = pairs.count;
        count_contacts(world, t);
        t->begun += report.begun;
        t->ended += report.ended;
        free_pairs(&pairs);
        free(bodies);
        advance(world, &s, models);
    }
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    scene_destroy(&s);
    free(models);
}

/* Dense scenes stay small: every contact is compared. */
static trial sized(trial t, scene_kind kind) {
    if (kind == SCENE_COINCIDENT) {
        t.n /= 4;
    }
    return t;
}

static void manifolds_of_every_family_equal_brute_force(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        tally t = {0};
        trial tr = sized((trial){.n = 600, .frames = 4}, (scene_kind)kind);
        try_scene((scene_kind)kind, &tr, (uint64_t)kind, &t);
        assert_true(t.contacts > 50 && t.bare == 0 && t.points >= t.contacts);
    }
}

static void mixed_details_of_every_family_equal_brute_force(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        tally t = {0};
        trial tr = sized((trial){.n = 1500, .frames = 2, .mixed = true}, (scene_kind)kind);
        try_scene((scene_kind)kind, &tr, 100 + (uint64_t)kind, &t);
        assert_true(t.contacts > 100 && t.bare > 50 && t.points > 50);
    }
}

static void contacts_within_a_margin_of_every_family_equal_brute_force(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        tally with = {0}, without = {0};
        trial tr = sized((trial){.n = 400, .frames = 3, .mixed = true, .margin = 0.25f}, (scene_kind)kind);
        try_scene((scene_kind)kind, &tr, 200 + (uint64_t)kind, &with);
        tr.margin = 0;
        try_scene((scene_kind)kind, &tr, 200 + (uint64_t)kind, &without);
        assert_true(with.contacts >= without.contacts);
        if (kind == SCENE_TUMBLING || kind == SCENE_TELEPORT || kind == SCENE_CLUSTERS) {
            assert_true(with.contacts > without.contacts + without.contacts / 20);
        }
    }
}

static void small_worlds_of_every_size_equal_brute_force(void **state) {
    (void)state;
    tally t = {0};
    for (size_t n = 1; n <= 70; n++) {
        trial tr = {.n = n, .frames = 3, .mixed = n % 2 == 0};
        try_scene(SCENE_TELEPORT, &tr, 300 + n, &t);
        try_scene(SCENE_MIXED, &tr, 400 + n, &t);
        try_scene(SCENE_COINCIDENT, &tr, 500 + n, &t);
    }
    assert_true(t.contacts > 1000 && t.begun > 1000 && t.ended > 500);
}

/* Growing and shrinking worlds: bodies come and go in random places between steps. */
static void churning_worlds_equal_brute_force(void **state) {
    (void)state;
    enum { MOST = 400 };
    for (uint64_t stream = 600; stream < 604; stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_world *world = make_world(NULL);
        static model_body models[MOST];
        size_t n = 0, contacts = 0;
        for (unsigned long step = 0; step < 60; step++) {
            for (int k = 0; k < 60; k++) {
                if (n < MOST && rng_chance(&r, step % 20 < 10 ? 0.8 : 0.2)) {
                    abut_body_def def = random_box(&r, 5);
                    models[n] =
                        (model_body){add_body(world, &def), def.half, (uint32_t)(step * 100) + (uint32_t)k, NULL, 0};
                    n++;
                } else if (n > 0) {
                    size_t i = rng_below(&r, (uint32_t)n);
                    assert_int_equal(abut_body_destroy(world, models[i].id), ABUT_OK);
                    models[i] = models[--n];
                }
            }
            assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
            body_now *bodies = read_bodies(world, models, n);
            pair_list pairs = brute_pairs(bodies, n, 0);
            check_case(contacts_are(world, bodies, &pairs, 0), "contacts", stream, step);
            contacts += pairs.count;
            free_pairs(&pairs);
            free(bodies);
        }
        assert_true(contacts > 1000);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
}

/* All pairs of 1,500, in order, without a gap. */
static void complete_graph(abut_detail detail, uint32_t points) {
    enum { N = 1500 };
    abut_world *world = make_world(NULL);
    for (int i = 0; i < N; i++) {
        (void)add_body(world, &(abut_body_def){.half = {1, 2, 3}, .detail = detail, .pose = {{5, 5, 5}, {1, 2, 3, 4}}});
    }
    abut_step_report report;
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    const size_t all = (size_t)N * (N - 1) / 2;
    assert_int_equal(all, 1124250);
    assert_int_equal(report.candidates, all);
    assert_int_equal(report.contacts, all);
    assert_int_equal(report.begun, all);
    size_t count, k = 0;
    const abut_contact *contacts = contacts_of(world, &count);
    assert_int_equal(count, all);
    for (uint32_t a = 1; a <= N; a++) {
        for (uint32_t b = a + 1; b <= N; b++, k++) {
            const abut_contact *c = &contacts[k];
            if (c->a.index1 != a || c->b.index1 != b || (points == 0) != (c->manifold.count == 0)) {
                fail_msg("contact %zu is (%u, %u)", k, c->a.index1, c->b.index1);
            }
        }
    }
    abut_world_destroy(&world);
}

static void coincident_boxes_all_touch_each_other(void **state) {
    (void)state;
    complete_graph(ABUT_DETAIL_OVERLAP, 0);
    complete_graph(ABUT_DETAIL_BOUNDS, 0);
}

static void coincident_boxes_all_have_manifolds(void **state) {
    (void)state;
    complete_graph(ABUT_DETAIL_MANIFOLD, 1);
}

/* The coarser detail of the two decides: boxes whose bounds touch but not their shapes. */
static void pair_is_resolved_at_the_coarser_detail(void **state) {
    (void)state;
    const abut_quat eighth = {0, 0, 0.38268343f, 0.92387953f};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            abut_world *world = make_world(NULL);
            abut_body_def def = {.half = {1, 1, 1}, .detail = (abut_detail)a, .pose = {{0, 0, 0}, eighth}};
            (void)add_body(world, &def);
            def.detail = (abut_detail)b;
            def.pose.position = (abut_vec3){2.5f, 2.5f, 0};
            (void)add_body(world, &def);
            bool bounds = a == ABUT_DETAIL_BOUNDS || b == ABUT_DETAIL_BOUNDS;
            assert_int_equal(step_world(world), bounds ? 1 : 0);
            def.pose.position = (abut_vec3){1, 1, 0};
            abut_body_id ids[2];
            (void)abut_world_bodies(world, ids, 2);
            assert_int_equal(abut_body_set_pose(world, ids[1], &def.pose), ABUT_OK);
            assert_int_equal(step_world(world), 1);
            size_t count;
            const abut_contact *c = contacts_of(world, &count);
            assert_true((c->manifold.count > 0) == (a == ABUT_DETAIL_MANIFOLD && b == ABUT_DETAIL_MANIFOLD));
            assert_int_equal(abut_world_validate(world), ABUT_OK);
            abut_world_destroy(&world);
        }
    }
}

/* A margin applies only to pairs at manifold detail, and exactly as far as it says. */
static void margin_counts_at_manifold_detail_only(void **state) {
    (void)state;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.5f});
            abut_body_def def = {.half = {1, 1, 1}, .detail = (abut_detail)a};
            (void)add_body(world, &def);
            def.detail = (abut_detail)b;
            def.pose = pose_at(2.5f, 0, 0);
            abut_body_id id = add_body(world, &def);
            bool manifold = a == ABUT_DETAIL_MANIFOLD && b == ABUT_DETAIL_MANIFOLD;
            assert_int_equal(step_world(world), manifold ? 1 : 0);
            size_t count;
            const abut_contact *c = contacts_of(world, &count);
            assert_true(!manifold || (c->manifold.count == 4 && c->manifold.points[0].separation == 0.5f));
            move_to(world, id, 2.5000002f, 0, 0);
            assert_int_equal(step_world(world), 0);
            move_to(world, id, 2, 0, 0);
            assert_int_equal(step_world(world), 1);
            abut_world_destroy(&world);
        }
    }
}

/* --- where touching begins --- */

/* Moves b's body to its pose and returns whether the world and the pair functions agree; *touching counts contacts. */
static bool agrees_at(abut_world *world, model_body models[2], const abut_pose *pose, float margin, size_t *touching) {
    assert_int_equal(abut_body_set_pose(world, models[1].id, pose), ABUT_OK);
    *touching += step_world(world);
    body_now *bodies = read_bodies(world, models, 2);
    pair_list pairs = brute_pairs(bodies, 2, margin);
    bool same = contacts_are(world, bodies, &pairs, margin);
    free_pairs(&pairs);
    free(bodies);
    return same;
}

/* A slightly turned box near a face in the plane x = 0, a few units in the last place from touching it: bounds that are
 * rounded the wrong way, or a face that is moved, would change the answer. */
static void boxes_within_rounding_of_touching_equal_brute_force(void **state) {
    (void)state;
    const uint64_t stream = 700;
    rng r = rng_make(test_seed(), stream);
    unsigned long cases = test_count(20000);
    size_t touching = 0;
    for (unsigned long i = 0; i < cases; i++) {
        abut_world *world = make_world(NULL);
        float wall = (float)rng_log_range(&r, 1, 1000);
        abut_body_def a = {.half = {wall, wall, wall}, .pose = pose_at(-wall, 0, 0)}, b = {.half = {0, 0, 0}};
        b.half.x = (float)rng_log_range(&r, 1e-6, 1);
        b.half.y = (float)rng_log_range(&r, 1e-3, 1000);
        b.half.z = (float)rng_log_range(&r, 1e-3, 1000);
        b.pose.rotation.y = (float)rng_log_range(&r, 1e-9, 1e-2);
        b.pose.rotation.z = (float)rng_log_range(&r, 1e-9, 1e-2);
        b.pose.rotation.w = 1;
        model_body models[2] = {{add_body(world, &a), a.half, 0, NULL, 0}, {add_body(world, &b), b.half, 1, NULL, 0}};
        abut_aabb bounds;
        assert_int_equal(abut_body_get_bounds(world, models[1].id, &bounds), ABUT_OK);
        b.pose.position.x = nextafterf(nextafterf(-bounds.min.x, 0), 0);
        for (int k = 0; k < 5; k++) {
            check_case(agrees_at(world, models, &b.pose, 0, &touching), "contacts", stream, i);
            b.pose.position.x = nextafterf(b.pose.position.x, 2000);
        }
        abut_world_destroy(&world);
    }
    assert_true(touching > cases && touching < 4 * cases);
}

/* The last place along a line from a to b where the boxes are within the margin, found by bisection. */
static double last_within(const abut_obb *a, abut_obb b, const abut_vec3 *way, float margin) {
    double low = 0, high = 100;
    abut_manifold m;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        b.center = (abut_vec3){(float)(way->x * middle), (float)(way->y * middle), (float)(way->z * middle)};
        *(abut_obb_collide(a, &b, margin, &m) ? &low : &high) = middle;
    }
    return low;
}

/* Any two boxes, any direction, at the last place within the margin: corners near corners need the widest bounds. */
static void boxes_at_the_end_of_the_margin_equal_brute_force(void **state) {
    (void)state;
    const uint64_t stream = 800;
    rng r = rng_make(test_seed(), stream);
    unsigned long cases = test_count(20000);
    size_t touching = 0;
    for (unsigned long i = 0; i < cases; i++) {
        const float margin = (float)rng_log_range(&r, 1e-3, 10);
        abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
        abut_body_def a = {.half = rng_vec3(&r, 0.01, 1), .pose = {{0, 0, 0}, rng_rotation(&r)}}, b = a;
        b.half = rng_vec3(&r, 0.01, 1);
        b.pose.rotation = rng_chance(&r, 0.5) ? a.pose.rotation : rng_rotation(&r);
        model_body models[2] = {{add_body(world, &a), a.half, 0, NULL, 0}, {add_body(world, &b), b.half, 1, NULL, 0}};
        body_now *bodies = read_bodies(world, models, 2);
        abut_vec3 way = rng_chance(&r, 0.5) ? rng_direction(&r) : (abut_vec3){0, 1, 0};
        double t = last_within(&bodies[0].box, bodies[1].box, &way, margin);
        free(bodies);
        b.pose.position = (abut_vec3){(float)(way.x * t), (float)(way.y * t), (float)(way.z * t)};
        check_case(agrees_at(world, models, &b.pose, margin, &touching), "contacts", stream, i);
        abut_world_destroy(&world);
    }
    assert_int_equal(touching, cases);
}

static void report_counts_what_moved_and_what_was_near(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_step_report r;
    abut_body_id ids[10];
    for (int i = 0; i < 10; i++) {
        ids[i] = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .filter = {.mask = i < 5 ? 0 : ABUT_MASK_NONE}});
    }
    assert_int_equal(abut_world_step(world, NULL, &r), ABUT_OK);
    assert_true(r.bodies == 10 && r.moved == 10 && r.candidates == 10 && r.contacts == 10 && r.sweep_tests >= 10);
    assert_true(r.begun == 10 && r.ended == 0);
    assert_int_equal(abut_world_step(world, NULL, &r), ABUT_OK);
    assert_true(r.bodies == 10 && r.moved == 0 && r.candidates == 10 && r.contacts == 10);
    assert_true(r.begun == 0 && r.ended == 0);
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(world, ids[3], &pose), ABUT_OK);
    assert_int_equal(abut_body_set_pose(world, ids[3], &pose), ABUT_OK); /* the same pose again */
    assert_int_equal(abut_world_step(world, NULL, &r), ABUT_OK);
    assert_true(r.moved == 1 && r.candidates == 10 && r.contacts == 10 && r.sweep_tests == 0 && r.second_stage == 0);
    assert_int_equal(abut_world_step(world, NULL, &r), ABUT_OK);
    assert_int_equal(r.moved, 0);
    move_to(world, ids[0], 50, 0, 0);
    move_to(world, ids[0], 60, 0, 0);
    move_to(world, ids[9], 70, 0, 0);
    assert_int_equal(abut_body_destroy(world, ids[1]), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, ids[9]), ABUT_OK);
    assert_int_equal(abut_world_step(world, NULL, &r), ABUT_OK);
    assert_true(r.bodies == 8 && r.moved == 1 && r.candidates == 3 && r.contacts == 3);
    assert_true(r.begun == 0 && r.ended == 7);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifolds_of_every_family_equal_brute_force),
        cmocka_unit_test(mixed_details_of_every_family_equal_brute_force),
        cmocka_unit_test(contacts_within_a_margin_of_every_family_equal_brute_force),
        cmocka_unit_test(small_worlds_of_every_size_equal_brute_force),
        cmocka_unit_test(churning_worlds_equal_brute_force),
        cmocka_unit_test(coincident_boxes_all_touch_each_other),
        cmocka_unit_test(coincident_boxes_all_have_manifolds),
        cmocka_unit_test(pair_is_resolved_at_the_coarser_detail),
        cmocka_unit_test(margin_counts_at_manifold_detail_only),
        cmocka_unit_test(boxes_within_rounding_of_touching_equal_brute_force),
        cmocka_unit_test(boxes_at_the_end_of_the_margin_equal_brute_force),
        cmocka_unit_test(report_counts_what_moved_and_what_was_near),
    };
    return test_run(tests);
}
