/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Attached bodies: their poses, how they move, what they inherit from their parent, how they are destroyed. */

#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

/* --- composition in double, written independently of the library --- */

typedef struct frame {
    double p[3], m[3][3]; /* the columns of m are the local axes */
    double size;          /* sum of all lengths that were added up in p: rounding errors scale with it */
} frame;

static frame frame_of(const abut_pose *pose) {
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double n = x * x + y * y + z * z + w * w;
    frame f = {.p = {pose->position.x, pose->position.y, pose->position.z},
               .m = {{(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
                     {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
                     {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n}}};
    f.size = fabs(f.p[0]) + fabs(f.p[1]) + fabs(f.p[2]);
    return f;
}

static frame compose(const frame *outer, const frame *inner) {
    frame f = {.size = outer->size + inner->size};
    for (int i = 0; i < 3; i++) {
        f.p[i] = outer->p[i];
        for (int k = 0; k < 3; k++) {
            f.p[i] += outer->m[i][k] * inner->p[k];
            for (int j = 0; j < 3; j++) {
                f.m[i][j] += outer->m[i][k] * inner->m[k][j];
            }
        }
    }
    return f;
}

/* Whether it is within one unit in the last place of the float nearest to `wanted`, plus the error of double. */
static bool within_an_ulp(float got, double wanted, double size) {
    float nearest = (float)wanted;
    float step = nextafterf(fabsf(nearest), INFINITY) - fabsf(nearest);
    return fabs((double)got - wanted) <= (double)step + 1e-14 * size;
}

static bool is_at(const abut_world *world, abut_body_id id, const frame *wanted) {
    abut_pose pose;
    assert_int_equal(abut_body_get_world_pose(world, id, &pose), ABUT_OK);
    frame got = frame_of(&pose);
    bool ok = within_an_ulp(pose.position.x, wanted->p[0], wanted->size) &&
              within_an_ulp(pose.position.y, wanted->p[1], wanted->size) &&
              within_an_ulp(pose.position.z, wanted->p[2], wanted->size);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ok = ok && fabs(got.m[i][j] - wanted->m[i][j]) <= 0x1p-21;
        }
    }
    return ok;
}

/* --- a forest of compounds, and its model --- */

enum { MANY = 120 };

typedef struct forest {
    size_t count;
    abut_body_id id[MANY];
    size_t parent[MANY]; /* SIZE_MAX: none; always a lower index */
    size_t root[MANY], depth[MANY];
    abut_vec3 half[MANY];
} forest;

static void grow_forest(abut_world *world, forest *f, rng *r, double attach, double extent) {
    for (f->count = 0; f->count < MANY; f->count++) {
        size_t i = f->count;
        abut_body_def def = random_box(r, extent);
        bool attached = i > 0 && rng_chance(r, attach);
        f->parent[i] = attached ? rng_below(r, (uint32_t)i) : SIZE_MAX;
        if (attached) {
            def.parent = f->id[f->parent[i]];
            def.pose.position = rng_vec3(r, -2, 2);
        }
        f->root[i] = attached ? f->root[f->parent[i]] : i;
        f->depth[i] = attached ? f->depth[f->parent[i]] + 1 : 0;
        f->half[i] = def.half;
        def.user = i;
        f->id[i] = add_body(world, &def);
    }
}

static void check_places(const abut_world *world, const forest *f, uint64_t stream, unsigned long step) {
    frame at[MANY];
    for (size_t i = 0; i < f->count; i++) {
        abut_pose pose;
        assert_int_equal(abut_body_get_pose(world, f->id[i], &pose), ABUT_OK);
        at[i] = frame_of(&pose);
        if (f->parent[i] != SIZE_MAX) {
            at[i] = compose(&at[f->parent[i]], &at[i]);
        }
        check_case(is_at(world, f->id[i], &at[i]), "world pose differs from the composition", stream, step);
    }
}

static void attached_bodies_stand_where_the_chain_puts_them(void **state) {
    (void)state;
    size_t deepest = 0;
    for (uint64_t stream = 0; stream < 60; stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_world *world = make_world(NULL);
        forest f;
        grow_forest(world, &f, &r, 0.8, stream % 2 == 0 ? 5 : 1e6);
        check_places(world, &f, stream, 0);
        for (unsigned long step = 1; step < 20; step++) {
            size_t i = rng_below(&r, MANY);
            abut_pose pose = random_pose(&r, 3);
            assert_int_equal(abut_body_set_pose(world, f.id[i], &pose), ABUT_OK);
            check_places(world, &f, stream, step);
        }
        for (size_t i = 0; i < f.count; i++) {
            deepest = f.depth[i] > deepest ? f.depth[i] : deepest;
        }
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
    assert_true(deepest >= 5);
}

static void world_pose_of_a_body_without_parent_is_its_pose(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 100);
    abut_world *world = make_world(NULL);
    for (unsigned long i = 0; i < 2000; i++) {
        abut_body_def def = random_box(&r, 100);
        def.box = i % 2 == 0 ? random_pose(&r, 3) : (abut_pose){0};
        abut_body_id id = add_body(world, &def);
        abut_pose pose, world_pose;
        assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
        assert_int_equal(abut_body_get_world_pose(world, id, &world_pose), ABUT_OK);
        check_case(bits_equal(&pose, &world_pose, sizeof pose), "pose", 100, i);
    }
    abut_world_destroy(&world);
}

static void contacts_with_compounds_equal_brute_force(void **state) {
    (void)state;
    size_t contacts = 0, held_back = 0;
    for (uint64_t stream = 200; stream < 220; stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_world *world = make_world(NULL);
        forest f;
        model_body models[MANY];
        grow_forest(world, &f, &r, 0.7, 4);
        for (size_t i = 0; i < MANY; i++) {
            models[i] = (model_body){f.id[i], f.half[i], (uint32_t)f.root[i], NULL, 0};
        }
        for (unsigned long step = 0; step < 10; step++) {
            abut_pose pose = random_pose(&r, 3);
            assert_int_equal(abut_body_set_pose(world, f.id[rng_below(&r, MANY)], &pose), ABUT_OK);
            contacts += step_world(world);
            body_now *bodies = read_bodies(world, models, MANY);
            pair_list pairs = brute_pairs(bodies, MANY, 0);
            check_case(contacts_are(world, bodies, &pairs, 0), "contacts", stream, step);
            for (size_t i = 0; i < MANY; i++) {
                size_t p = f.parent[i];
                held_back += p != SIZE_MAX && abut_obb_overlap(&bodies[i].box, &bodies[p].box);
            }
            free_pairs(&pairs);
            free(bodies);
        }
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
    assert_true(contacts > 1000 && held_back > 1000);
}

static void shuffle(size_t *order, size_t n, rng *r) {
    for (size_t i = n; i > 1; i--) {
        size_t j = rng_below(r, (uint32_t)i), keep = order[i - 1];
        order[i - 1] = order[j];
        order[j] = keep;
    }
}

static bool same_world_poses(const abut_world *a, const abut_world *b, const forest *f) {
    for (size_t i = 0; i < f->count; i++) {
        abut_pose p, q;
        abut_aabb bounds_p, bounds_q;
        assert_int_equal(abut_body_get_world_pose(a, f->id[i], &p), ABUT_OK);
        assert_int_equal(abut_body_get_world_pose(b, f->id[i], &q), ABUT_OK);
        assert_int_equal(abut_body_get_bounds(a, f->id[i], &bounds_p), ABUT_OK);
        assert_int_equal(abut_body_get_bounds(b, f->id[i], &bounds_q), ABUT_OK);
        if (!bits_equal(&p, &q, sizeof p) || !bits_equal(&bounds_p, &bounds_q, sizeof bounds_p)) {
            return false;
        }
    }
    return true;
}

static void batch_in_any_order_equals_single_calls(void **state) {
    (void)state;
    for (uint64_t stream = 300; stream < 320; stream++) {
        rng r = rng_make(test_seed(), stream), again = r;
        abut_world *single = make_world(NULL), *batch = make_world(NULL);
        forest f;
        grow_forest(single, &f, &again, 0.8, 5);
        grow_forest(batch, &f, &r, 0.8, 5);
        for (unsigned long step = 0; step < 20; step++) {
            size_t order[MANY], n = 1 + rng_below(&r, MANY);
            abut_body_id ids[MANY];
            abut_pose poses[MANY], given[MANY];
            for (size_t i = 0; i < MANY; i++) {
                order[i] = i;
                poses[i] = random_pose(&r, 3);
            }
            shuffle(order, MANY, &r);
            for (size_t i = 0; i < n; i++) {
                ids[i] = f.id[order[i]];
                given[i] = poses[order[i]];
            }
            assert_int_equal(abut_bodies_set_poses(batch, ids, given, n), ABUT_OK);
            shuffle(order, n, &r);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(abut_body_set_pose(single, f.id[order[i]], &poses[order[i]]), ABUT_OK);
            }
            check_case(same_world_poses(single, batch, &f), "world poses", stream, step);
            check_case(abut_world_hash(single) == abut_world_hash(batch), "hash", stream, step);
        }
        assert_true(step_world(single) == step_world(batch));
        assert_true(same_contacts(single, batch));
        assert_int_equal(abut_world_validate(batch), ABUT_OK);
        abut_world_destroy(&single);
        abut_world_destroy(&batch);
    }
}

static void motion_comes_from_the_root_and_cannot_be_set_below(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id root = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .motion = ABUT_STATIC});
    abut_body_def def = {.half = {1, 1, 1}, .parent = root, .motion = ABUT_MOVING};
    abut_body_id child = add_body(world, &def);
    def.parent = child;
    abut_body_id grandchild = add_body(world, &def);
    (void)add_body(world, &(abut_body_def){.half = {1, 1, 1}, .motion = ABUT_STATIC});
    abut_motion motion = ABUT_MOVING;
    assert_int_equal(abut_body_get_motion(world, grandchild, &motion), ABUT_OK);
    assert_int_equal(motion, ABUT_STATIC);
    assert_int_equal(step_world(world), 0);
    picture before = picture_take(world);
    assert_int_equal(abut_body_set_motion(world, child, ABUT_MOVING), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_motion(world, grandchild, ABUT_STATIC), ABUT_ERROR_ARGUMENT);
    picture_close(&before, world);
    assert_int_equal(abut_body_set_motion(world, root, ABUT_MOVING), ABUT_OK);
    assert_int_equal(abut_body_get_motion(world, child, &motion), ABUT_OK);
    assert_int_equal(motion, ABUT_MOVING);
    assert_int_equal(abut_body_get_motion(world, grandchild, &motion), ABUT_OK);
    assert_int_equal(motion, ABUT_MOVING);
    assert_int_equal(step_world(world), 3);
    assert_int_equal(abut_body_set_motion(world, root, ABUT_STATIC), ABUT_OK);
    assert_int_equal(step_world(world), 0);
    assert_int_equal(count_events(world, ABUT_END), 3);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static bool is_below(const forest *f, size_t i, size_t top) {
    while (i != SIZE_MAX && i != top) {
        i = f->parent[i];
    }
    return i == top;
}

static void destroy_takes_all_below_and_nothing_else(void **state) {
    (void)state;
    size_t taken = 0, alone = 0;
    for (uint64_t stream = 400; stream < 440; stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_world *world = make_world(NULL);
        forest f;
        bool dead[MANY] = {false};
        grow_forest(world, &f, &r, 0.85, 5);
        for (unsigned long step = 0; step < 30; step++) {
            size_t top = rng_below(&r, MANY), before = abut_world_body_count(world), gone = 0;
            abut_result wanted = dead[top] ? ABUT_ERROR_HANDLE : ABUT_OK;
            assert_int_equal(abut_body_destroy(world, f.id[top]), wanted);
            for (size_t i = 0; i < MANY && wanted == ABUT_OK; i++) {
                bool goes = !dead[i] && is_below(&f, i, top);
                dead[i] = dead[i] || goes;
                gone += goes;
            }
            taken += gone > 1;
            alone += gone == 1;
            for (size_t i = 0; i < MANY; i++) {
                check_case(abut_body_is_valid(world, f.id[i]) == !dead[i], "who is alive", stream, step);
            }
            check_case(abut_world_body_count(world) == before - gone, "count", stream, step);
            check_case(abut_world_validate(world) == ABUT_OK, "validate", stream, step);
        }
        abut_world_destroy(&world);
    }
    assert_true(taken > 50 && alone > 50);
}

static void child_made_in_a_freed_place_belongs_to_its_new_parent(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}};
    abut_body_id a = add_body(world, &def), b = add_body(world, &def);
    def.parent = a;
    abut_body_id old = add_body(world, &def);
    assert_int_equal(step_world(world), 2);
    assert_int_equal(abut_body_destroy(world, old), ABUT_OK);
    def.parent = b;
    abut_body_id new = add_body(world, &def);
    assert_int_equal(new.index1, old.index1);
    assert_int_equal(step_world(world), 2);
    size_t count;
    const abut_contact *contacts = contacts_of(world, &count);
    assert_true(abut_body_id_equal(contacts[0].a, a) && abut_body_id_equal(contacts[0].b, b));
    assert_true(abut_body_id_equal(contacts[1].a, a) && abut_body_id_equal(contacts[1].b, new));
    assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
    assert_true(abut_body_is_valid(world, new));
    abut_world_destroy(&world);
}

/* A very deep chain: no call may need stack for every level. */
static void deep_chain_moves_and_goes_as_one(void **state) {
    (void)state;
    enum { DEPTH = 3000 };
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at(1, 0, 0)};
    abut_body_id root = add_body(world, &def), last = root;
    for (int i = 1; i < DEPTH; i++) {
        def.parent = last;
        last = add_body(world, &def);
    }
    abut_body_id bystander = add_cube(world, 100, 0, 0, 1);
    assert_int_equal(step_world(world), 5);
    abut_pose pose = pose_at(1000, 0, 0);
    assert_int_equal(abut_body_set_pose(world, root, &pose), ABUT_OK);
    assert_int_equal(abut_body_get_world_pose(world, last, &pose), ABUT_OK);
    assert_true(pose.position.x == 1000 + DEPTH - 1);
    assert_int_equal(step_world(world), 0);
    assert_int_equal(abut_body_destroy(world, root), ABUT_OK);
    assert_int_equal(abut_world_body_count(world), 1);
    assert_true(abut_body_is_valid(world, bystander));
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attached_bodies_stand_where_the_chain_puts_them),
        cmocka_unit_test(world_pose_of_a_body_without_parent_is_its_pose),
        cmocka_unit_test(contacts_with_compounds_equal_brute_force),
        cmocka_unit_test(batch_in_any_order_equals_single_calls),
        cmocka_unit_test(motion_comes_from_the_root_and_cannot_be_set_below),
        cmocka_unit_test(destroy_takes_all_below_and_nothing_else),
        cmocka_unit_test(deep_chain_moves_and_goes_as_one),
        cmocka_unit_test(child_made_in_a_freed_place_belongs_to_its_new_parent),
    };
    return test_run(tests);
}
