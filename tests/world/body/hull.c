/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that are hulls: a world reports the same as the pair functions, however the hulls were made and destroyed. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { SHAPES = 40, MOST = 160 };

/* Shapes with little in common: bricks, needles, leaves, crystals of few corners, pebbles of many. */
static abut_hull *random_hull(rng *r) {
    abut_vec3 points[64];
    abut_hull *hull = NULL;
    do {
        uint32_t kind = rng_below(r, 5), n = kind < 3 ? 8 : kind == 3 ? 4 + rng_below(r, 4) : 64;
        const abut_vec3 sizes[5] = {
            rng_vec3(r, 0.2, 1), {0.02f, 0.03f, 2}, {1, 0.8f, 1e-4f}, {1, 1, 1}, {1, 0.7f, 0.5f}};
        abut_vec3 size = sizes[kind], off = rng_vec3(r, -0.5, 0.5);
        for (uint32_t i = 0; i < n; i++) {
            abut_vec3 p = rng_direction(r);
            if (kind == 0) {
                p = (abut_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
            }
            points[i] = (abut_vec3){off.x + p.x * size.x, off.y + p.y * size.y, off.z + p.z * size.z};
        }
        assert_true(abut_hull_create(points, n, NULL, &hull) != ABUT_ERROR_ARGUMENT);
    } while (!hull);
    return hull;
}

static abut_hull *cube_hull(float half) {
    abut_hull *hull;
    abut_vec3 corners[8];
    abut_obb_corners(&(abut_obb){.half = {half, half, half}}, corners);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_hull *copy_of(const abut_hull *hull) {
    size_t size;
    abut_hull *copy;
    const void *bytes = abut_hull_data(hull, &size);
    assert_int_equal(abut_hull_load(bytes, size, NULL, &copy), ABUT_OK);
    assert_ptr_not_equal(copy, hull);
    return copy;
}

static void make_shapes(abut_hull *shapes[SHAPES], rng *r) {
    for (int i = 0; i < SHAPES; i++) {
        shapes[i] = random_hull(r);
    }
}

static void drop_shapes(abut_hull *shapes[SHAPES]) {
    for (int i = 0; i < SHAPES; i++) {
        abut_hull_destroy(&shapes[i]);
    }
}

/* --- a crowd of hulls and boxes, some attached to others --- */

typedef struct crowd {
    abut_world *world;
    size_t count;
    abut_body_def def[MOST];
    uint8_t shape_plus_one[MOST]; /* index into the shapes; 0: a box */
    model_body model[MOST];
} crowd;

static abut_body_def random_def(crowd *c, rng *r, abut_hull *shapes[SHAPES], double extent) {
    abut_body_def def = random_box(r, extent);
    size_t i = c->count;
    c->shape_plus_one[i] = (uint8_t)(rng_chance(r, 0.7) ? 1 + rng_below(r, SHAPES) : 0);
    if (c->shape_plus_one[i]) {
        def.hull = shapes[c->shape_plus_one[i] - 1];
        def.half = (abut_vec3){0};
    }
    def.detail = (abut_detail)(rng_chance(r, 0.6) ? 0 : rng_below(r, 3));
    def.motion = rng_chance(r, 0.2) ? ABUT_STATIC : ABUT_MOVING;
    def.filter.group = (int32_t)rng_below(r, 8) - 4;
    def.filter.mask = rng_chance(r, 0.2) ? 2 : 0;
    def.user = rng_u64(r);
    return def;
}

static void add_to(crowd *c, const abut_body_def *def, uint32_t root) {
    size_t i = c->count++;
    c->def[i] = *def;
    c->model[i] = (model_body){add_body(c->world, def), def->half, root, def->hull, def->radius};
}

static void fill(crowd *c, rng *r, abut_hull *shapes[SHAPES], size_t n, double attach, float margin) {
    *c = (crowd){.world = make_world(&(abut_world_def){.contact_margin = margin})};
    while (c->count < n) {
        abut_body_def def = random_def(c, r, shapes, 3);
        size_t parent = c->count ? rng_below(r, (uint32_t)c->count) : 0;
        bool attached = c->count > 0 && rng_chance(r, attach);
        if (attached) {
            def.parent = c->model[parent].id;
            def.pose.position = rng_vec3(r, -1.5, 1.5);
        }
        add_to(c, &def, attached ? c->model[parent].root : (uint32_t)c->count);
    }
}

static void stir(crowd *c, rng *r) {
    for (size_t k = 0; k < c->count / 4; k++) {
        size_t i = rng_below(r, (uint32_t)c->count);
        abut_pose pose = random_pose(r, c->def[i].parent.index1 ? 1.5 : 3);
        assert_int_equal(abut_body_set_pose(c->world, c->model[i].id, &pose), ABUT_OK);
    }
}

/* The same bodies, of copies of the hulls, in a new world. */
static abut_world *remade(const crowd *c, abut_hull *copies[SHAPES], float margin) {
    abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
    for (size_t i = 0; i < c->count; i++) {
        abut_body_def def = c->def[i];
        assert_int_equal(abut_body_get_pose(c->world, c->model[i].id, &def.pose), ABUT_OK);
        def.hull = c->shape_plus_one[i] ? copies[c->shape_plus_one[i] - 1] : NULL;
        assert_true(abut_body_id_equal(add_body(world, &def), c->model[i].id));
    }
    return world;
}

static void check_bounds(const body_now *bodies, size_t n, uint64_t stream) {
    for (size_t i = 0; i < n; i++) {
        if (bodies[i].hull) {
            abut_pose pose = {bodies[i].box.center, bodies[i].box.rotation};
            abut_aabb bounds = abut_hull_bounds_tight(bodies[i].hull, &pose);
            check_case(bits_equal(&bounds, &bodies[i].bounds, sizeof bounds), "bounds", stream, i);
        }
    }
}

/* Contacts of each kind of pair. */
static void count_kinds(const crowd *c, size_t kinds[3]) {
    size_t count;
    const abut_contact *contacts = contacts_of(c->world, &count);
    for (size_t i = 0; i < count; i++) {
        kinds[(c->model[contacts[i].a.index1 - 1].hull != NULL) + (c->model[contacts[i].b.index1 - 1].hull != NULL)]++;
    }
}

static void live_on(uint64_t stream, double attach, float margin, size_t kinds[3]) {
    rng r = rng_make(test_seed(), stream);
    abut_hull *shapes[SHAPES], *copies[SHAPES];
    make_shapes(shapes, &r);
    for (int i = 0; i < SHAPES; i++) {
        copies[i] = copy_of(shapes[i]);
    }
    static crowd c;
    fill(&c, &r, shapes, MOST, attach, margin);
    for (unsigned long step = 0; step < 8; step++) {
        (void)step_world(c.world);
        count_kinds(&c, kinds);
        body_now *bodies = read_bodies(c.world, c.model, c.count);
        pair_list pairs = brute_pairs(bodies, c.count, margin);
        check_case(contacts_are(c.world, bodies, &pairs, margin), "contacts", stream, step);
        check_bounds(bodies, c.count, stream);
        free_pairs(&pairs);
        free(bodies);
        abut_world *fresh = remade(&c, copies, margin);
        (void)step_world(fresh);
        check_case(same_contacts(c.world, fresh), "history", stream, step);
        check_case(abut_world_hash(c.world) == abut_world_hash(fresh), "hash", stream, step);
        abut_world_destroy(&fresh);
        check_case(abut_world_validate(c.world) == ABUT_OK, "validate", stream, step);
        stir(&c, &r);
    }
    abut_world_destroy(&c.world);
    drop_shapes(shapes);
    drop_shapes(copies);
}

static void worlds_of_hulls_equal_brute_force_and_fresh_worlds(void **state) {
    (void)state;
    size_t kinds[3] = {0};
    for (uint64_t stream = 0; stream < 10; stream++) {
        live_on(stream, 0, stream % 2 ? 0.1f : 0, kinds);
    }
    assert_true(kinds[0] > 500 && kinds[1] > 3000 && kinds[2] > 3000);
}

static void compounds_of_hulls_equal_brute_force_and_fresh_worlds(void **state) {
    (void)state;
    size_t kinds[3] = {0};
    for (uint64_t stream = 100; stream < 110; stream++) {
        live_on(stream, 0.7, stream % 2 ? 0.1f : 0, kinds);
    }
    assert_true(kinds[0] > 500 && kinds[1] > 3000 && kinds[2] > 3000);
}

/* --- definitions --- */

static void half_and_box_are_ignored_beside_a_hull(void **state) {
    (void)state;
    abut_hull *hull = cube_hull(1);
    uint64_t hash[3];
    const abut_body_def defs[3] = {
        {.hull = hull},
        {.hull = hull, .half = {5, 5, 5}, .box = {{9, 9, 9}, {1, 2, 3, 4}}},
        {.hull = hull, .half = {-1, NAN, INFINITY}, .box = {{NAN, INFINITY, 1e30f}, {NAN, 0, 0, 0}}},
    };
    for (int i = 0; i < 3; i++) {
        abut_world *world = make_world(NULL);
        abut_body_id id = add_body(world, &defs[i]);
        abut_aabb bounds;
        assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
        assert_true(bounds.min.x == -1 && bounds.max.y == 1 && bounds.max.z == 1);
        hash[i] = abut_world_hash(world);
        abut_world_destroy(&world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    abut_hull_destroy(&hull);
}

static void what_is_no_hull_is_refused(void **state) {
    (void)state;
    abut_hull *hull = cube_hull(1);
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    (void)add_body(world, &(abut_body_def){.hull = hull});
    assert_int_equal(step_world(world), 1);
    size_t size;
    const void *bytes = abut_hull_data(hull, &size);
    unsigned char *block = aligned_alloc(64, size + 64);
    assert_non_null(block);
    picture before = picture_take(world);
    for (int kind = 0; kind < 5; kind++) {
        abut_body_def def = {.half = {1, 1, 1}, .hull = (const abut_hull *)(const void *)block};
        memcpy(block, bytes, size);
        if (kind == 0) {
            memset(block, 0, size);
        } else if (kind < 3) {
            block[kind == 1 ? 0 : 4] ^= 1; /* the magic number, the version */
        } else if (kind == 3) {
            memmove(block + 1, block, size); /* a hull, but misaligned */
            def.hull = (const abut_hull *)(const void *)(block + 1);
        } else {
            def.hull = (const abut_hull *)(const void *)&def;
        }
        abut_body_id id = id_of(7, 7);
        assert_int_equal(abut_body_create(world, &def, &id), ABUT_ERROR_ARGUMENT);
        assert_true(id.index1 == 0 && id.generation == 0);
        assert_true(picture_matches(&before, world));
    }
    picture_close(&before, world);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
    free(block);
}

/* The limit is that of the bounds, not of a sphere or a box round the hull. */
static void hulls_have_the_limit_of_boxes(void **state) {
    (void)state;
    const float far = ABUT_MAX_COORDINATE;
    abut_hull *hull = cube_hull(1024);
    abut_world *world = make_world(NULL);
    abut_body_def def = {.hull = hull, .pose = pose_at(far - 1024, 1024 - far, 0)};
    abut_body_id id = add_body(world, &def);
    picture before = picture_take(world);
    for (int i = 0; i < 3; i++) {
        abut_pose pose = pose_at(far - 1024, 1024 - far, 0);
        float *at = &pose.position.x;
        at[i] = i == 1 ? 960 - far : far - 960;
        def.pose = pose;
        abut_body_id none = id_of(1, 1);
        assert_int_equal(abut_body_create(world, &def, &none), ABUT_ERROR_LIMIT);
        assert_int_equal(none.index1, 0);
        assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_ERROR_LIMIT);
    }
    abut_pose turned = {{far - 1024, 0, 0},
                        {0, 0, 0.38268343f, 0.92387953f}}; /* by an eighth: its corners exceed the limit */
    assert_int_equal(abut_body_set_pose(world, id, &turned), ABUT_ERROR_LIMIT);
    picture_close(&before, world);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

/* --- what a hull is, not where --- */

static uint64_t hash_of(const abut_hull *hull) {
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.hull = hull});
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(&world);
    return hash;
}

static void content_enters_the_hash_and_addresses_do_not(void **state) {
    (void)state;
    abut_hull *cube = cube_hull(1), *same = copy_of(cube), *other = cube_hull(nextafterf(1, 2)), *coarse;
    const abut_hull_def def = {.coplanar_tolerance = 0.5f};
    assert_int_equal(abut_hull_create(abut_hull_vertices(cube), abut_hull_vertex_count(cube), &def, &coarse), ABUT_OK);
    assert_true(hash_of(cube) == hash_of(same));
    assert_true(hash_of(cube) != hash_of(other));
    assert_true(hash_of(cube) != hash_of(coarse)); /* its contact points may differ */
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    assert_true(hash_of(cube) != abut_world_hash(world));
    abut_world_destroy(&world);
    abut_hull_destroy(&cube);
    abut_hull_destroy(&same);
    abut_hull_destroy(&other);
    abut_hull_destroy(&coarse);
}

/* --- lifetimes --- */

/* Once no body uses it a hull may be destroyed: lists, ENDs, a reused slot and validation do not read it. */
static void hulls_may_go_once_their_last_body_has_gone(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_hull *cube = cube_hull(1), *hull;
    const abut_hull_def def = {.allocator = failing_allocator_of(&books)}; /* wipes released memory */
    assert_int_equal(abut_hull_create(abut_hull_vertices(cube), 8, &def, &hull), ABUT_OK);
    abut_world *world = make_world(NULL);
    abut_body_id ground = add_cube(world, 0, 0, 0, 1);
    abut_body_id a = add_body(world, &(abut_body_def){.hull = hull, .pose = pose_at(0.5f, 1, 0), .user = 11});
    abut_body_id b = add_body(world, &(abut_body_def){.hull = hull, .pose = pose_at(0, 0.25f, 0.5f), .user = 12});
    assert_int_equal(step_world(world), 3);
    assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
    abut_hull_destroy(&hull);
    assert_true(failing_allocator_clean(&books));
    size_t count;
    const abut_contact *contacts = contacts_of(world, &count);
    assert_true(count == 1 && contacts[0].user_b == 12 && contacts[0].manifold.count > 0);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(step_world(world), 0);
    const abut_contact *events = events_of(world, &count);
    assert_true(count == 1 && events[0].phase == ABUT_END && events[0].user_b == 12);
    assert_true(abut_body_id_equal(events[0].a, ground) && abut_body_id_equal(events[0].b, b));
    for (int i = 0; i < 2; i++) {
        (void)add_cube(world, 0.5f, 0, 0, 1); /* reuses the slots of hulls */
    }
    assert_int_equal(step_world(world), 3);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    abut_hull_destroy(&cube);
}

/* A hull that many worlds share needs no memory of a world of fixed capacity. */
static void steps_of_hulls_allocate_nothing_in_fixed_worlds(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_hull *hull = cube_hull(1);
    abut_world *world = make_world(&(abut_world_def){
        .allocator = failing_allocator_of(&books), .body_capacity = 40, .pair_capacity = 800, .fixed_capacity = true});
    failing_allocator_fail_from(&books, 1);
    size_t calls = books.calls;
    for (int i = 0; i < 40; i++) {
        (void)add_body(
            world,
            &(abut_body_def){.half = {1, 1, 1}, .hull = i % 4 ? hull : NULL, .pose = pose_at(0.01f * (float)i, 0, 0)});
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(step_world(world), 40 * 39 / 2);
    }
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
    abut_hull_destroy(&hull);
}

/* --- hulls and boxes --- */

/* A cube as a hull touches what the box touches, exactly, and at the coarser detail of the two. */
static void cubes_as_hulls_are_cubes(void **state) {
    (void)state;
    abut_hull *hull = cube_hull(1);
    for (int detail = ABUT_DETAIL_MANIFOLD; detail <= ABUT_DETAIL_BOUNDS; detail++) {
        for (int kinds = 0; kinds < 4; kinds++) {
            abut_world *world = make_world(NULL);
            abut_body_def def = {.half = {1, 1, 1}, .hull = kinds & 1 ? hull : NULL, .detail = (abut_detail)detail};
            (void)add_body(world, &def);
            def.hull = kinds & 2 ? hull : NULL;
            def.pose = pose_at(2, 0, 0);
            def.detail = ABUT_DETAIL_MANIFOLD;
            abut_body_id b = add_body(world, &def);
            assert_int_equal(step_world(world), 1);
            size_t count;
            const abut_manifold *m = &contacts_of(world, &count)[0].manifold;
            assert_int_equal(m->count, detail == ABUT_DETAIL_MANIFOLD ? 4 : 0);
            assert_true(detail != ABUT_DETAIL_MANIFOLD || (m->normal.x == 1 && m->points[0].separation == 0));
            move_to(world, b, nextafterf(2, 3), 0, 0);
            assert_int_equal(step_world(world), 0);
            move_to(world, b, 1, 0, 0);
            assert_int_equal(step_world(world), 1);
            m = &contacts_of(world, &count)[0].manifold;
            assert_true(detail != ABUT_DETAIL_MANIFOLD || m->points[0].separation == -1);
            abut_world_destroy(&world);
        }
    }
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_of_hulls_equal_brute_force_and_fresh_worlds),
        cmocka_unit_test(compounds_of_hulls_equal_brute_force_and_fresh_worlds),
        cmocka_unit_test(half_and_box_are_ignored_beside_a_hull),
        cmocka_unit_test(what_is_no_hull_is_refused),
        cmocka_unit_test(hulls_have_the_limit_of_boxes),
        cmocka_unit_test(content_enters_the_hash_and_addresses_do_not),
        cmocka_unit_test(hulls_may_go_once_their_last_body_has_gone),
        cmocka_unit_test(steps_of_hulls_allocate_nothing_in_fixed_worlds),
        cmocka_unit_test(cubes_as_hulls_are_cubes),
    };
    return test_run(tests);
}
