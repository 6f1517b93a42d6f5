/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* History does not matter: a long-lived world and a fresh one agree bit for bit. */

#include "scenes.h"
#include "world/world_test.h"
#include <stdlib.h>

/* A fresh world with the same bodies made in the same order, as the old one has them now. `defs` hold what cannot be
 * read back: extents, boxes, parents. */
static abut_world *remake(const abut_world *old, const abut_body_id *ids, const abut_body_def *defs, size_t n,
                          float margin) {
    abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
    for (size_t i = 0; i < n; i++) {
        abut_body_def def = defs[i];
        assert_int_equal(abut_body_get_pose(old, ids[i], &def.pose), ABUT_OK);
        assert_int_equal(abut_body_get_filter(old, ids[i], &def.filter), ABUT_OK);
        assert_int_equal(abut_body_get_motion(old, ids[i], &def.motion), ABUT_OK);
        assert_int_equal(abut_body_get_detail(old, ids[i], &def.detail), ABUT_OK);
        assert_int_equal(abut_body_get_user(old, ids[i], &def.user), ABUT_OK);
        assert_true(abut_body_id_equal(add_body(world, &def), ids[i]));
    }
    return world;
}

static void change_rules(abut_world *world, const abut_body_id *ids, const abut_body_def *defs, size_t n, rng *r) {
    for (size_t k = 0; k < n / 10 + 1; k++) {
        size_t i = rng_below(r, (uint32_t)n);
        abut_filter filter = {UINT64_C(1) << rng_below(r, 4), rng_u64(r) | 1, (int32_t)rng_below(r, 5) - 2};
        assert_int_equal(abut_body_set_filter(world, ids[i], &filter), ABUT_OK);
        assert_int_equal(abut_body_set_detail(world, ids[i], (abut_detail)rng_below(r, 3)), ABUT_OK);
        assert_int_equal(abut_body_set_user(world, ids[i], rng_u64(r)), ABUT_OK);
        if (defs[i].parent.index1 == 0) {
            assert_int_equal(abut_body_set_motion(world, ids[i], (abut_motion)rng_below(r, 2)), ABUT_OK);
        }
    }
}

/* One world through many frames against a fresh one at every frame. Returns the contacts seen. */
static size_t live_on(scene_kind kind, size_t n, int frames, float margin, bool rules, uint64_t stream) {
    scene s;
    rng r = rng_make(test_seed(), stream);
    assert_true(scene_create(&s, kind, n, rng_u64(&r)));
    abut_body_id *ids = malloc(n * sizeof *ids);
    assert_non_null(ids);
    abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
    assert_int_equal(abut_bodies_create(world, s.defs, n, ids), ABUT_OK);
    size_t contacts = 0, persisting = 0;
    for (int frame = 0; frame < frames; frame++) {
        contacts += step_world(world);
        persisting += count_events(world, ABUT_PERSIST);
        abut_world *fresh = remake(world, ids, s.defs, n, margin);
        (void)step_world(fresh);
        check_case(same_contacts(world, fresh), scene_name(kind), stream, (unsigned long)frame);
        check_case(abut_world_hash(world) == abut_world_hash(fresh), "hash", stream, (unsigned long)frame);
        abut_world_destroy(&fresh);
        scene_advance(&s);
        assert_int_equal(abut_bodies_set_poses(world, ids, s.poses, s.mover_count), ABUT_OK);
        if (rules) {
            change_rules(world, ids, s.defs, n, &r);
        }
    }
    assert_true(kind == SCENE_TELEPORT || persisting > 0);
    abut_world_destroy(&world);
    scene_destroy(&s);
    free(ids);
    return contacts;
}

static void moving_bodies_leave_no_trace(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        size_t n = kind == SCENE_COINCIDENT ? 60 : 400;
        assert_true(live_on((scene_kind)kind, n, 12, 0, false, (uint64_t)kind) > 100);
    }
}

static void changed_filters_details_and_motions_leave_no_trace(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        size_t n = kind == SCENE_COINCIDENT ? 60 : 300;
        assert_true(live_on((scene_kind)kind, n, 12, 0.1f, true, 100 + (uint64_t)kind) > 100);
    }
}

/* Compounds with shifted boxes too. */
static void moving_compounds_leave_no_trace(void **state) {
    (void)state;
    enum { N = 150 };
    size_t contacts = 0;
    for (uint64_t stream = 200; stream < 205; stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_world *world = make_world(NULL);
        abut_body_def defs[N];
        abut_body_id ids[N];
        for (size_t i = 0; i < N; i++) {
            defs[i] = random_box(&r, 4);
            defs[i].box = rng_chance(&r, 0.3) ? random_pose(&r, 1) : (abut_pose){0};
            defs[i].parent = i > 0 && rng_chance(&r, 0.6) ? ids[rng_below(&r, (uint32_t)i)] : id_of(0, 0);
            ids[i] = add_body(world, &defs[i]);
        }
        for (unsigned long step = 0; step < 30; step++) {
            contacts += step_world(world);
            abut_world *fresh = remake(world, ids, defs, N, 0);
            (void)step_world(fresh);
            check_case(same_contacts(world, fresh), "contacts", stream, step);
            check_case(abut_world_hash(world) == abut_world_hash(fresh), "hash", stream, step);
            abut_world_destroy(&fresh);
            for (int k = 0; k < 40; k++) {
                abut_pose pose = random_pose(&r, 2);
                assert_int_equal(abut_body_set_pose(world, ids[rng_below(&r, N)], &pose), ABUT_OK);
            }
            change_rules(world, ids, defs, N, &r);
        }
        abut_world_destroy(&world);
    }
    assert_true(contacts > 3000);
}

/* --- another order of insertion --- */

static int by_users(const void *left, const void *right) {
    const abut_contact *p = left, *q = right;
    if (p->user_a != q->user_a) {
        return p->user_a < q->user_a ? -1 : 1;
    }
    return p->user_b < q->user_b ? -1 : p->user_b > q->user_b;
}

static void negate(abut_vec3 *v) {
    *v = (abut_vec3){-v->x, -v->y, -v->z};
}

/* A normal without its sign: all that is defined for two identical boxes, where nothing distinguishes a from b. */
static void forget_sign(abut_vec3 *v) {
    if (v->x < 0 || (v->x == 0 && (v->y < 0 || (v->y == 0 && v->z < 0)))) {
        negate(v);
    }
}

/* The contacts with bodies named by user data only, the lower first, in their order; -0 becomes +0. */
static abut_contact *by_user_key(const abut_world *world, bool signs, size_t *count) {
    abut_contact *list = copy_without_history(world, count);
    for (size_t i = 0; i < *count; i++) {
        abut_contact *c = &list[i];
        abut_vec3 *normal = &c->manifold.normal;
        c->a = c->b = id_of(0, 0);
        if (c->user_a > c->user_b) {
            uint64_t keep = c->user_a;
            c->user_a = c->user_b;
            c->user_b = keep;
            negate(normal);
        }
        if (!signs) {
            forget_sign(normal);
        }
        normal->x += 0.0f;
        normal->y += 0.0f;
        normal->z += 0.0f;
    }
    if (*count > 1) {
        qsort(list, *count, sizeof *list, by_users);
    }
    return list;
}

static abut_world *insert_in_order(const scene *s, const size_t *order, float margin) {
    abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
    for (size_t i = 0; i < s->count; i++) {
        (void)add_body(world, &s->defs[order[i]]);
    }
    return world;
}

static void order_of_insertion_does_not_matter(void **state) {
    (void)state;
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        const size_t n = kind == SCENE_COINCIDENT ? 80 : 500;
        const uint64_t stream = 300 + (uint64_t)kind;
        scene s;
        rng r = rng_make(test_seed(), stream);
        assert_true(scene_create(&s, (scene_kind)kind, n, rng_u64(&r)));
        size_t order[500], contacts = 0, count_a, count_b;
        for (size_t i = 0; i < n; i++) {
            order[i] = i;
        }
        abut_world *straight = insert_in_order(&s, order, 0.125f);
        (void)step_world(straight);
        abut_contact *a = by_user_key(straight, kind != SCENE_COINCIDENT, &count_a);
        for (unsigned long shuffles = 0; shuffles < 4; shuffles++) {
            for (size_t i = n; i > 1; i--) {
                size_t j = rng_below(&r, (uint32_t)i), keep = order[i - 1];
                order[i - 1] = order[j];
                order[j] = keep;
            }
            abut_world *shuffled = insert_in_order(&s, order, 0.125f);
            contacts += step_world(shuffled);
            abut_contact *b = by_user_key(shuffled, kind != SCENE_COINCIDENT, &count_b);
            check_case(count_a == count_b && bits_equal(a, b, count_a * sizeof *a), scene_name((scene_kind)kind),
                       stream, shuffles);
            free(b);
            abut_world_destroy(&shuffled);
        }
        assert_true(contacts > 100);
        free(a);
        abut_world_destroy(&straight);
        scene_destroy(&s);
    }
}

/* More or fewer steps in between change neither contacts nor hash. */
static void number_of_steps_does_not_matter(void **state) {
    (void)state;
    enum { N = 300 };
    scene s;
    assert_true(scene_create(&s, SCENE_TUMBLING, N, 5));
    abut_world *often = make_world(NULL), *once = make_world(NULL);
    abut_body_id ids[N];
    assert_int_equal(abut_bodies_create(often, s.defs, N, ids), ABUT_OK);
    assert_int_equal(abut_bodies_create(once, s.defs, N, ids), ABUT_OK);
    for (int frame = 0; frame < 40; frame++) {
        scene_advance(&s);
        assert_int_equal(abut_bodies_set_poses(often, ids, s.poses, s.mover_count), ABUT_OK);
        assert_int_equal(abut_bodies_set_poses(once, ids, s.poses, s.mover_count), ABUT_OK);
        assert_true(step_world(often) > 0);
        (void)step_world(often);
        assert_int_equal(count_events(often, ABUT_BEGIN) + count_events(often, ABUT_END), 0);
        assert_true(abut_world_hash(often) == abut_world_hash(once));
    }
    assert_true(step_world(once) > 50);
    assert_true(same_contacts(often, once));
    abut_world_destroy(&often);
    abut_world_destroy(&once);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_bodies_leave_no_trace),
        cmocka_unit_test(changed_filters_details_and_motions_leave_no_trace),
        cmocka_unit_test(moving_compounds_leave_no_trace),
        cmocka_unit_test(order_of_insertion_does_not_matter),
        cmocka_unit_test(number_of_steps_does_not_matter),
    };
    return test_run(tests);
}
