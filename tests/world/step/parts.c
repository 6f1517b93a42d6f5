/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts with meshes, step after step: which parts there are, and what they were before. */

#include "support/failing_allocator.h"
#include "world/grounds.h"

/* A step whose lists follow from those before; these become the new ones. */
static void step_and_follow(abut_world *world, step_lists *lists, abut_body_id other) {
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    step_lists now = lists_take(world);
    assert_true(lists_follow(lists, &now, other));
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    lists_free(lists);
    *lists = now;
}

static const abut_body_id nobody = {0, 0};

/* The contact of two bodies, or NULL. */
static const abut_contact *contact_of(const abut_world *world, abut_body_id a, abut_body_id b) {
    size_t count;
    const abut_contact *c = contacts_of(world, &count);
    for (size_t k = 0; k < count; k++) {
        if (abut_body_id_equal(c[k].a, a) && abut_body_id_equal(c[k].b, b)) {
            return &c[k];
        }
    }
    return NULL;
}

/* --- one body --- */

static void normals_lead_from_a_to_b_whichever_is_the_mesh(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(8, 1, 0, 1);
    for (int mesh_first = 0; mesh_first < 2; mesh_first++) {
        abut_world *world = make_world(NULL);
        abut_body_id a = mesh_first ? add_ground(world, mesh, 0, 0, 0) : add_cube(world, 0.3f, 0.5f, 0.2f, 0.5f);
        abut_body_id b = mesh_first ? add_cube(world, 0.3f, 0.5f, 0.2f, 0.5f) : add_ground(world, mesh, 0, 0, 0);
        assert_int_equal(step_world(world), 1);
        size_t count;
        const abut_contact_part *part = parts_of(world, &count);
        const abut_contact *c = contact_of(world, a, b);
        assert_non_null(c);
        assert_int_equal(c->part_first, 0);
        assert_int_equal(c->part_count, count);
        assert_true(count >= 1);
        for (size_t k = 0; k < count; k++) {
            assert_true(part[k].manifold.normal.y == (mesh_first ? 1 : -1));
            assert_int_equal(part[k].previous1, 0);
        }
        assert_true(c->manifold.normal.y == (mesh_first ? 1 : -1) && c->manifold.count > 0);
        assert_true(parts_are_collided(world, c, 0));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
    abut_mesh_destroy(&mesh);
}

static void a_pair_begins_persists_and_ends_once(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(8, 1, 0.2f, 2);
    abut_world *world = make_world(NULL);
    (void)add_ground(world, mesh, 0, 0, 0);
    abut_body_id box = add_cube(world, -3, 0.4f, 0, 0.5f);
    step_lists lists = {0};
    size_t begun = 0, changed = 0;
    for (int k = 0; k <= 30; k++) {
        move_to(world, box, -3 + 0.2f * (float)k, 0.4f, 0.1f);
        step_and_follow(world, &lists, nobody);
        begun += count_events(world, ABUT_BEGIN);
        assert_int_equal(lists.contacts, 1);
        assert_true(lists.contact[0].part_count > 0 && parts_are_collided(world, lists.contact, 0));
        for (size_t i = 0; i < lists.parts; i++) {
            changed += lists.part[i].previous1 == 0;
        }
    }
    assert_int_equal(begun, 1);
    assert_true(changed > 5); /* it has moved over edges */
    move_to(world, box, 0, 3, 0);
    step_and_follow(world, &lists, nobody);
    assert_int_equal(lists.parts, 0);
    size_t count;
    const abut_contact *events = events_of(world, &count);
    assert_int_equal(count, 1);
    assert_true(events[0].phase == ABUT_END && events[0].part_count == 0 && events[0].part_first == 0);
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* --- many bodies, of which some rest --- */

enum { BOXES = 48 };

static bool refuses_odd(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)b, (void)user;
    return (user_a | user_b) % 2 == 0;
}

typedef struct rows {
    abut_world *world;
    abut_mesh *mesh;
    abut_body_id box[BOXES];
    step_lists lists;
} rows;

/* Boxes on two grounds, one with a low index and one with a high one. Every fourth box has an odd number as its user
 * data. */
static rows make_rows(abut_world_def def) {
    rows r = {.world = make_world(&def), .mesh = make_ground(12, 1, 0.1f, 3)};
    (void)add_ground(r.world, r.mesh, -5, 0, 0);
    for (int k = 0; k < BOXES; k++) {
        abut_body_def box = {.half = {0.3f, 0.3f, 0.3f}, .user = k % 4 == 3};
        box.pose = pose_at(-9.5f + 1.6f * (float)(k % 12), 0.3f, -3 + 1.7f * (float)(k / 12));
        r.box[k] = add_body(r.world, &box);
    }
    (void)add_ground(r.world, r.mesh, 6, 0, 0);
    return r;
}

static void free_rows(rows *r) {
    lists_free(&r->lists);
    abut_world_destroy(&r->world);
    abut_mesh_destroy(&r->mesh);
}

static void jiggle(rows *r, int which, int k) {
    const abut_pose pose =
        pose_at(-9.5f + 1.6f * (float)(which % 12) + 0.01f * (float)k, 0.3f, -3 + 1.7f * (float)(which / 12));
    assert_int_equal(abut_body_set_pose(r->world, r->box[which], &pose), ABUT_OK);
}

static void parts_of_resting_bodies_come_along(void **state) {
    (void)state;
    for (int asks = 0; asks < 2; asks++) {
        rows r = make_rows((abut_world_def){.should_collide = asks ? refuses_odd : NULL});
        step_and_follow(r.world, &r.lists, nobody);
        assert_true(r.lists.contacts >= (asks ? BOXES * 3 / 4 : BOXES));
        size_t parts = r.lists.parts;
        for (int k = 0; k < 60; k++) {
            /* From time to time one moves, some move, one jumps up and comes back, nothing happens. */
            if (k % 5 < 2) {
                jiggle(&r, k % BOXES, k);
            }
            if (k % 10 == 7) {
                move_to(r.world, r.box[k % BOXES], 0, 10 + (float)k, 0);
            }
            if (k % 20 > 16) {
                for (int i = 0; i < BOXES; i += 2) {
                    jiggle(&r, i, k);
                }
            }
            step_and_follow(r.world, &r.lists, nobody);
        }
        assert_true(r.lists.parts > parts / 2);
        free_rows(&r);
    }
}

static void unread_steps_in_between_change_nothing(void **state) {
    (void)state;
    rows r = make_rows((abut_world_def){0}), twin = make_rows((abut_world_def){0});
    for (int k = 0; k < 40; k++) {
        if (k % 8 < 3) {
            jiggle(&r, k % BOXES, k);
            jiggle(&twin, k % BOXES, k);
        }
        assert_int_equal(abut_world_step(r.world, NULL, NULL), ABUT_OK);
        step_and_follow(twin.world, &twin.lists, nobody);
        if (k % 8 == 6) { /* first of the lists what nobody has read for some steps */
            lists_free(&r.lists);
            r.lists = lists_take(r.world);
            assert_true(r.lists.parts > 0 && lists_equal(&r.lists, &twin.lists));
        }
    }
    free_rows(&r);
    free_rows(&twin);
}

static void refused_pairs_leave_no_gaps(void **state) {
    (void)state;
    rows r = make_rows((abut_world_def){.should_collide = refuses_odd}), all = make_rows((abut_world_def){0});
    step_and_follow(r.world, &r.lists, nobody);
    step_and_follow(all.world, &all.lists, nobody);
    assert_true(r.lists.contacts < all.lists.contacts && r.lists.parts < all.lists.parts);
    size_t next = 0, part = 0;
    for (size_t k = 0; k < all.lists.contacts; k++) {
        const abut_contact *c = &all.lists.contact[k];
        if ((c->user_a | c->user_b) % 2 == 0) {
            const abut_contact *kept = &r.lists.contact[next++];
            assert_true(abut_body_id_equal(kept->a, c->a) && abut_body_id_equal(kept->b, c->b));
            assert_int_equal(kept->part_count, c->part_count);
            assert_memory_equal(r.lists.part + part, all.lists.part + c->part_first,
                                c->part_count * sizeof *r.lists.part);
            part += c->part_count;
        }
    }
    assert_int_equal(next, r.lists.contacts);
    assert_int_equal(part, r.lists.parts);
    free_rows(&r);
    free_rows(&all);
}

/* --- rules --- */

static bool must_not_be_asked(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)user_a, (void)b, (void)user_b;
    ++*(size_t *)user;
    return true;
}

static void count_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)from, (void)to, (void)item;
    ++*(size_t *)user;
}

static void two_meshes_never_collide(void **state) {
    (void)state;
    static const abut_detail details[] = {ABUT_DETAIL_MANIFOLD, ABUT_DETAIL_OVERLAP, ABUT_DETAIL_BOUNDS};
    abut_mesh *mesh = make_ground(4, 1, 0.5f, 4);
    size_t asked = 0;
    for (int k = 0; k < 6; k++) {
        abut_world *world = make_world(
            &(abut_world_def){.should_collide = must_not_be_asked, .user = &asked, .contact_margin = k % 2 ? 0.5f : 0});
        abut_body_def def = {.mesh = mesh, .detail = details[k / 2]};
        (void)add_ground(world, mesh, 0, 0, 0);
        (void)add_body(world, &def);
        def.filter.group = 1; /* pairs with filters take another way */
        (void)add_body(world, &def);
        (void)add_body(world, &def);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(step_world(world), 0);
            assert_int_equal(abut_world_validate(world), ABUT_OK);
        }
        size_t drawn = 0;
        const abut_draw draw = {.line = count_line, .user = &drawn, .kinds = 1u << ABUT_DRAW_CANDIDATE};
        assert_int_equal(abut_world_draw(world, &draw), ABUT_OK);
        assert_int_equal(drawn, 0);
        abut_world_destroy(&world);
    }
    assert_int_equal(asked, 0);
    abut_mesh_destroy(&mesh);
}

static void a_mesh_may_be_a_part_of_a_compound_and_move(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(4, 1, 0, 5);
    abut_world *world = make_world(NULL);
    abut_body_id boat = add_cube(world, 0, 0, 0, 1);
    abut_body_id deck = add_body(world, &(abut_body_def){.mesh = mesh, .pose = pose_at(0, 0.5f, 0), .parent = boat});
    abut_body_id box = add_cube(world, 1.5f, 1, 0.2f, 0.5f);
    step_lists lists = {0};
    step_and_follow(world, &lists, nobody);
    assert_int_equal(lists.contacts, 2); /* not of boat and deck */
    const abut_contact *c = contact_of(world, deck, box);
    assert_true(c && c->part_count > 0 && parts_are_collided(world, c, 0));
    c = contact_of(world, boat, box);
    assert_true(c && c->part_count == 0 && c->part_first == 0);
    for (int k = 1; k < 10; k++) { /* the boat moves, not the box */
        move_to(world, boat, 0.11f * (float)k, 0, 0);
        step_and_follow(world, &lists, nobody);
        c = contact_of(world, deck, box);
        assert_true(c && c->phase == ABUT_PERSIST && parts_are_collided(world, c, 0));
    }
    move_to(world, boat, 0, -1, 0);
    step_and_follow(world, &lists, nobody);
    assert_null(contact_of(world, deck, box));
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

static void a_body_may_change_between_a_mesh_and_a_box(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(4, 1, 0, 6), *same = make_ground(4, 1, 0, 6), *other = make_ground(4, 1.5f, 0, 7);
    abut_world *world = make_world(NULL);
    abut_body_id box = add_cube(world, 0.2f, 0.5f, 0.3f, 0.5f), ground = add_ground(world, mesh, 0, 0, 0);
    const abut_shape shapes[] = {{.mesh = mesh}, abut_box(2, 0, 2), {.mesh = mesh}, {.mesh = same}, {.mesh = other}};
    const abut_shape cube = abut_box(0.5f, 0.5f, 0.5f);
    step_lists lists = {0};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(abut_body_set_shape(world, ground, &shapes[k], NULL), ABUT_OK);
        abut_shape got;
        assert_int_equal(abut_body_get_shape(world, ground, &got, NULL), ABUT_OK);
        assert_ptr_equal(got.mesh, shapes[k].mesh);
        step_and_follow(world, &lists, k == 4 ? ground : nobody);
        const abut_contact *c = contact_of(world, box, ground);
        assert_true(c && c->phase == (k == 0 ? ABUT_BEGIN : ABUT_PERSIST));
        assert_int_equal(c->part_count > 0, shapes[k].mesh != NULL);
        move_to(world, box, 0.2f + 0.01f * (float)k, 0.5f, 0.3f);
        assert_int_equal(abut_body_set_shape(world, box, &shapes[0], NULL), ABUT_OK); /* and back: nothing is other */
        assert_int_equal(abut_body_set_shape(world, box, &cube, NULL), ABUT_OK);
        step_and_follow(world, &lists, nobody);
        for (size_t i = 0; i < lists.parts; i++) {
            assert_true(lists.part[i].previous1 > 0);
        }
    }
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&same);
    abut_mesh_destroy(&mesh);
    abut_mesh_destroy(&other);
}

static void coarser_details_have_no_parts(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(4, 1, 0, 8);
    abut_world *world = make_world(NULL);
    abut_body_id ground = add_ground(world, mesh, 0, 0, 0), box = add_cube(world, 0.2f, 0.4f, 0.3f, 0.5f);
    static const abut_detail details[] = {ABUT_DETAIL_MANIFOLD, ABUT_DETAIL_OVERLAP, ABUT_DETAIL_BOUNDS,
                                          ABUT_DETAIL_OVERLAP, ABUT_DETAIL_MANIFOLD};
    step_lists lists = {0};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(abut_body_set_detail(world, k % 2 ? box : ground, details[k]), ABUT_OK);
        assert_int_equal(abut_body_set_detail(world, k % 2 ? ground : box, ABUT_DETAIL_MANIFOLD), ABUT_OK);
        step_and_follow(world, &lists, nobody);
        assert_int_equal(lists.contacts, 1);
        assert_int_equal(lists.contact[0].manifold.count > 0, details[k] == ABUT_DETAIL_MANIFOLD);
        assert_int_equal(lists.parts > 0, details[k] == ABUT_DETAIL_MANIFOLD);
    }
    /* From behind only bounds touch, above the ground only those of a body that is turned. */
    move_to(world, box, 0.2f, -0.4f, 0.3f);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(abut_body_set_detail(world, box, details[k]), ABUT_OK);
        step_and_follow(world, &lists, nobody);
        assert_int_equal(lists.contacts, details[k] == ABUT_DETAIL_BOUNDS);
        assert_int_equal(lists.parts, 0);
    }
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

static void the_margin_counts_for_meshes(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(4, 1, 0, 9);
    abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.25f});
    abut_body_id ground = add_ground(world, mesh, 0, 0, 0), box = add_cube(world, 0.2f, 0.75f, 0.3f, 0.5f);
    step_lists lists = {0};
    step_and_follow(world, &lists, nobody);
    assert_int_equal(lists.contacts, 1);
    assert_true(lists.parts > 0 && lists.part[0].manifold.points[0].separation == 0.25f);
    assert_true(parts_are_collided(world, lists.contact, 0.25f));
    move_to(world, box, 0.2f, 0.7501f, 0.3f);
    step_and_follow(world, &lists, nobody);
    assert_int_equal(lists.contacts, 0);
    move_to(world, box, 0.2f, 0.7f, 0.3f); /* others know no margin */
    assert_int_equal(abut_body_set_detail(world, ground, ABUT_DETAIL_OVERLAP), ABUT_OK);
    step_and_follow(world, &lists, nobody);
    assert_int_equal(lists.contacts, 0);
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* --- histories --- */

enum { CROWD = 40, GROUNDS = 3 };

typedef struct crowd {
    abut_world *world;
    abut_mesh *mesh[GROUNDS];
    abut_body_id body[CROWD]; /* every eighth is a mesh */
    rng r;
} crowd;

static void make_member(crowd *c, int k) {
    const abut_vec3 half = rng_vec3(&c->r, 0.1, 0.8);
    abut_body_def def = {.pose.position = rng_vec3(&c->r, -4, 4), .pose.rotation = rng_rotation(&c->r), .half = half};
    def.pose.position.y = (float)rng_range(&c->r, -0.5, 1.5);
    def.radius = rng_chance(&c->r, 0.3) ? half.y : 0;
    def.user = rng_below(&c->r, 8) == 0;
    def.motion = rng_chance(&c->r, 0.2) ? ABUT_STATIC : ABUT_MOVING;
    if (k % 8 == 0) {
        def.mesh = c->mesh[rng_below(&c->r, GROUNDS)];
        def.radius = 0;
        def.pose.rotation = (abut_quat){0, 0, 0, 1};
    }
    c->body[k] = add_body(c->world, &def);
}

/* One random change. */
static void change(crowd *c) {
    static const abut_detail details[] = {ABUT_DETAIL_MANIFOLD, ABUT_DETAIL_MANIFOLD, ABUT_DETAIL_OVERLAP,
                                          ABUT_DETAIL_BOUNDS};
    int k = (int)rng_below(&c->r, CROWD);
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(c->world, c->body[k], &pose), ABUT_OK);
    switch (rng_below(&c->r, 8)) {
    case 0:
        assert_int_equal(abut_body_destroy(c->world, c->body[k]), ABUT_OK);
        make_member(c, k);
        break;
    case 1:
        assert_int_equal(abut_body_set_detail(c->world, c->body[k], details[rng_below(&c->r, 4)]), ABUT_OK);
        break;
    case 2:
        assert_int_equal(abut_body_set_filter(c->world, c->body[k], &(abut_filter){.group = -(int)rng_below(&c->r, 2)}),
                         ABUT_OK);
        break;
    default:
        pose.position.x += (float)rng_range(&c->r, -0.2, 0.2);
        pose.position.y += (float)rng_range(&c->r, -0.1, 0.1);
        assert_int_equal(abut_body_set_pose(c->world, c->body[k], &pose), ABUT_OK);
    }
}

/* A mesh changes, into another one or the same. Returns the body if it became another one. */
static abut_body_id change_mesh(crowd *c) {
    abut_shape shape, old;
    abut_body_id id = c->body[8 * rng_below(&c->r, CROWD / 8)];
    assert_int_equal(abut_body_get_shape(c->world, id, &old, NULL), ABUT_OK);
    shape = (abut_shape){.mesh = c->mesh[rng_below(&c->r, GROUNDS)]};
    assert_int_equal(abut_body_set_shape(c->world, id, &shape, NULL), ABUT_OK);
    return shape.mesh == old.mesh ? nobody : id;
}

static void lists_follow_from_each_other_whatever_happens(void **state) {
    (void)state;
    crowd c;
    size_t parts = 0, kept = 0;
    for (uint64_t stream = 0; stream < test_count(16); stream++) {
        c.r = rng_make(test_seed(), 500 + stream);
        c.world = make_world(&(abut_world_def){.should_collide = stream % 4 == 1 ? refuses_odd : NULL,
                                               .contact_margin = stream % 4 == 2 ? 0.1f : 0});
        for (int k = 0; k < GROUNDS; k++) {
            c.mesh[k] = make_ground(6, 1 + 0.25f * (float)k, 0.4f * (float)k, 500 + stream);
        }
        for (int k = 0; k < CROWD; k++) {
            make_member(&c, k);
        }
        step_lists lists = {0};
        for (int step = 0; step < 60; step++) {
            abut_body_id other = nobody;
            for (uint32_t n = rng_chance(&c.r, 0.4) ? rng_below(&c.r, 6) : 0; n > 0; n--) {
                change(&c);
            }
            if (step % 8 == 5) {
                other = change_mesh(&c);
            }
            step_and_follow(c.world, &lists, other);
            for (size_t k = 0; k < lists.contacts; k++) {
                const abut_contact *contact = &lists.contact[k];
                if (contact->part_count > 0) {
                    assert_true(parts_are_collided(c.world, contact, stream % 4 == 2 ? 0.1f : 0));
                }
            }
            for (size_t k = 0; k < lists.parts; k++) {
                kept += lists.part[k].previous1 > 0;
            }
            parts += lists.parts;
        }
        lists_free(&lists);
        abut_world_destroy(&c.world);
        for (int k = 0; k < GROUNDS; k++) {
            abut_mesh_destroy(&c.mesh[k]);
        }
    }
    assert_true(parts > 1000 && kept > parts / 2 && kept < parts);
}

/* --- memory --- */

static void a_failed_step_leaves_the_parts(void **state) {
    (void)state;
    failing_allocator books = {0};
    rows r = make_rows((abut_world_def){.allocator = failing_allocator_of(&books)});
    size_t failures = 0;
    step_and_follow(r.world, &r.lists, nobody);
    for (int k = 0; k < 40; k++) {
        for (int i = 0; i <= k % 5; i++) { /* ever more of them, so that lists must grow */
            abut_body_def def = {.half = {0.9f, 0.9f, 0.9f}, .pose = pose_at(-9 + 0.37f * (float)k, 0.8f, (float)i)};
            (void)add_body(r.world, &def);
        }
        abut_result result = ABUT_ERROR_MEMORY;
        for (size_t n = 1; result; n++) {
            failing_allocator_fail_once(&books, n);
            result = abut_world_step(r.world, NULL, NULL);
            failing_allocator_fail_never(&books);
            if (result) {
                step_lists now = lists_take(r.world);
                assert_int_equal(result, ABUT_ERROR_MEMORY);
                assert_true(lists_equal(&now, &r.lists));
                lists_free(&now);
                failures++;
            }
        }
        step_lists now = lists_take(r.world);
        assert_true(lists_follow(&r.lists, &now, nobody));
        lists_free(&r.lists);
        r.lists = now;
        if (k % 8 == 0) {
            assert_int_equal(abut_world_validate(r.world), ABUT_OK);
        }
    }
    assert_true(failures > 10 && r.lists.parts > 0);
    free_rows(&r);
    assert_true(failing_allocator_clean(&books));
}

static void a_world_of_fixed_capacity_has_room_for_as_many_parts_as_pairs(void **state) {
    (void)state;
    enum { ROOM = 24 };
    failing_allocator books = {0};
    abut_mesh *mesh = make_ground(40, 0.25f, 0.2f, 10);
    abut_world *world = make_world(&(abut_world_def){
        .allocator = failing_allocator_of(&books), .body_capacity = 8, .pair_capacity = ROOM, .fixed_capacity = true});
    size_t calls = books.calls, most = 0, full = 0;
    (void)add_ground(world, mesh, 0, 0, 0);
    abut_body_id box = add_cube(world, 0, 0.15f, 0, 0.15f);
    step_lists lists = {0};
    for (int k = 0; k < 40; k++) {
        abut_shape shape = abut_box(0.02f * (float)(k + 1), 0.15f, 0.02f * (float)(k + 1));
        assert_int_equal(abut_body_set_shape(world, box, &shape, NULL), ABUT_OK);
        const abut_pose pose = pose_at(0, 0.15f, 0);
        const abut_query others = {.ignore = &box, .ignore_count = 1};
        size_t parts = abut_world_collide(world, &shape, &pose, 0, &others, NULL, 0);
        abut_result result = abut_world_step(world, NULL, NULL);
        assert_int_equal(result, parts <= ROOM ? ABUT_OK : ABUT_ERROR_CAPACITY);
        step_lists now = lists_take(world);
        assert_true(result ? lists_equal(&lists, &now) : lists_follow(&lists, &now, nobody));
        lists_free(&lists);
        lists = now;
        most = parts > most && !result ? parts : most;
        full += result != ABUT_OK;
    }
    assert_true(most > 1 && full > 0);
    assert_int_equal(books.calls, calls);
    lists_free(&lists);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
    assert_true(failing_allocator_clean(&books));
}

static void memory_of_parts_is_counted(void **state) {
    (void)state;
    failing_allocator books = {0};
    rows r = make_rows((abut_world_def){.allocator = failing_allocator_of(&books)});
    size_t used[2], reserved;
    abut_world_memory(r.world, &used[0], &reserved);
    step_and_follow(r.world, &r.lists, nobody);
    abut_world_memory(r.world, &used[1], &reserved);
    assert_int_equal(reserved, books.live_bytes);
    assert_true(r.lists.parts > 0 && used[1] - used[0] >= r.lists.parts * sizeof *r.lists.part);
    free_rows(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_lead_from_a_to_b_whichever_is_the_mesh),
        cmocka_unit_test(a_pair_begins_persists_and_ends_once),
        cmocka_unit_test(parts_of_resting_bodies_come_along),
        cmocka_unit_test(unread_steps_in_between_change_nothing),
        cmocka_unit_test(refused_pairs_leave_no_gaps),
        cmocka_unit_test(two_meshes_never_collide),
        cmocka_unit_test(a_mesh_may_be_a_part_of_a_compound_and_move),
        cmocka_unit_test(a_body_may_change_between_a_mesh_and_a_box),
        cmocka_unit_test(coarser_details_have_no_parts),
        cmocka_unit_test(the_margin_counts_for_meshes),
        cmocka_unit_test(lists_follow_from_each_other_whatever_happens),
        cmocka_unit_test(a_failed_step_leaves_the_parts),
        cmocka_unit_test(a_world_of_fixed_capacity_has_room_for_as_many_parts_as_pairs),
        cmocka_unit_test(memory_of_parts_is_counted),
    };
    return test_run(tests);
}
