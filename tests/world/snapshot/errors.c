/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What a restore refuses, and that the world is then as before: damaged bytes, shapes that are not found, no memory, no
 * room. */

#include "support/failing_allocator.h"
#include "world/snapshot/format.h"
#include "world/snapshot/lives.h"
#include <math.h>
#include <stdlib.h>

/* A life that has seen everything: compounds, filters, hulls, meshes, contacts with parts, free slots, changes. */
static void make_rich(life *l, const abut_world_def *def, size_t bodies, uint64_t stream) {
    life_begin(l, def, stream);
    const abut_world *w = l->world;
    size_t contacts = 0, parts = 0, events = 0;
    for (int tries = 0; tries < 200 && (contacts == 0 || parts == 0 || contacts == events); tries++) {
        while (abut_world_body_count(w) < bodies) {
            life_act(l);
        }
        for (int i = 0; i < 5; i++) {
            life_act(l);
        }
        life_step(l);
        (void)contacts_of(w, &contacts);
        (void)parts_of(w, &parts);
        (void)events_of(w, &events);
    }
    assert_true(contacts > 0 && parts > 0 && events > contacts);
    for (int i = 0; i < 5; i++) {
        life_act(l);
    }
}

/* --- bytes --- */

static void null_is_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    saved s = save_world(world);
    assert_int_equal(abut_world_save(NULL, s.bytes, s.size), 0);
    assert_int_equal(abut_world_restore(NULL, s.bytes, s.size, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_restore(world, NULL, s.size, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_restore(world, NULL, 0, NULL), ABUT_ERROR_ARGUMENT);
    saved_free(&s);
    abut_world_destroy(&world);
}

static void every_other_length_is_refused(void **state) {
    (void)state;
    life l;
    make_rich(&l, NULL, 20, 1);
    saved s = save_world(l.world);
    const abut_shape_finder finder = life_finder(&l);
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 1, 2, 3, 1);
    picture before = picture_take(world);
    for (size_t size = 0; size < s.size; size++) {
        unsigned char *copy = malloc(size + 1); /* so that sanitizers see what is read beyond the end */
        assert_non_null(copy);
        memcpy(copy, s.bytes, size);
        assert_int_equal(abut_world_restore(world, copy, size, &finder), ABUT_ERROR_FORMAT);
        free(copy);
    }
    unsigned char *more = calloc(s.size + 64, 1);
    assert_non_null(more);
    memcpy(more, s.bytes, s.size);
    for (size_t size = s.size + 1; size <= s.size + 64; size++) {
        assert_int_equal(abut_world_restore(world, more, size, &finder), ABUT_ERROR_FORMAT);
    }
    picture_close(&before, world);
    /* Bytes need not be aligned. */
    memmove(more + 1, s.bytes, s.size);
    assert_int_equal(abut_world_restore(world, more + 1, s.size, &finder), ABUT_OK);
    assert_true(is_saved(world, &s));
    free(more);
    saved_free(&s);
    abut_world_destroy(&world);
    life_end(&l);
}

/* Damage may go unseen where any number would do, as in a position; but the world lives on, and can go back. */
static void every_flipped_bit_is_refused_or_survived(void **state) {
    (void)state;
    life l;
    make_rich(&l, NULL, 12, 2);
    saved s = save_world(l.world);
    const abut_shape_finder finder = life_finder(&l);
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 1, 2, 3, 1);
    saved before = save_world(world);
    size_t accepted = 0, step = 1 + (size_t)(20000 / test_count(20000));
    for (size_t bit = 0; bit < 8 * s.size; bit += step) {
        s.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        abut_result result = abut_world_restore(world, s.bytes, s.size, &finder);
        if (result == ABUT_OK) {
            accepted++;
            assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
            (void)abut_world_validate(world);
            assert_int_equal(abut_world_restore(world, before.bytes, before.size, NULL), ABUT_OK);
        } else {
            check_case(result == ABUT_ERROR_FORMAT || result == ABUT_ERROR_HANDLE, "result", 2, (unsigned long)bit);
        }
        check_case(is_saved(world, &before), "is as before", 2, (unsigned long)bit);
        s.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(accepted > 0);
    saved_free(&s);
    saved_free(&before);
    abut_world_destroy(&world);
    life_end(&l);
}

static void other_versions_are_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    saved s = save_world(world);
    for (size_t byte = 0; byte < 16; byte++) { /* what it is, and which version */
        for (unsigned change = 1; change < 256; change++) {
            s.bytes[byte] ^= (unsigned char)change;
            assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_ERROR_FORMAT);
            s.bytes[byte] ^= (unsigned char)change;
        }
    }
    assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_OK);
    saved_free(&s);
    abut_world_destroy(&world);
}

/* Bytes that a header describes: its size and checksum are made to fit. */
static saved with_header(const saved *s, abut_w_snap_header header) {
    const abut_w_snap_layout layout = abut_w_snap_layout_of(&header);
    saved out = {.size = (size_t)layout.at[ABUT_W_SNAP_SECTIONS]};
    out.bytes = calloc(out.size, 1);
    assert_non_null(out.bytes);
    memcpy(out.bytes, s->bytes, s->size < out.size ? s->size : out.size);
    header.size = out.size;
    header.checksum = abut_w_snap_checksum(&header);
    memcpy(out.bytes, &header, sizeof header);
    return out;
}

static void expect_refused(abut_world *world, const saved *s, abut_w_snap_header header) {
    saved other = with_header(s, header);
    assert_int_equal(abut_world_restore(world, other.bytes, other.size, NULL), ABUT_ERROR_FORMAT);
    saved_free(&other);
}

/* The checksum is right, and so is the size: each number by itself is not. */
static void headers_that_contradict_themselves_are_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 1, 2, 3, 1);
    saved s = save_world(world);
    abut_w_snap_header header, bad;
    memcpy(&header, s.bytes, sizeof header);
    saved same = with_header(&s, header);
    assert_true(saved_equal(&s, &same));
    bad = header, bad.margin = -1;
    expect_refused(world, &s, bad);
    bad = header, bad.margin = NAN;
    expect_refused(world, &s, bad);
    bad = header, bad.up = (abut_vec3){0, 0, 0};
    expect_refused(world, &s, bad);
    bad = header, bad.flags = ABUT_W_SNAP_FLAGS + 1;
    expect_refused(world, &s, bad);
    bad = header, bad.reserved[1] = 1;
    expect_refused(world, &s, bad);
    bad = header, bad.attachments = 2; /* of one body */
    expect_refused(world, &s, bad);
    bad = header, bad.filters = 2;
    expect_refused(world, &s, bad);
    bad = header, bad.shapes = 2;
    expect_refused(world, &s, bad);
    bad = header, bad.candidates = UINT64_C(1) << 32;
    expect_refused(world, &s, bad);
    assert_true(is_saved(world, &s));
    saved_free(&same);
    saved_free(&s);
    abut_world_destroy(&world);
}

/* Where a body has only moved, it is looked at again if it could reach beyond the limit. */
static void bodies_near_the_limit_are_checked(void **state) {
    (void)state;
    enum { HALF = 1000 };
    const float limit = ABUT_MAX_COORDINATE;
    for (int axis = 0; axis < 3; axis++) {
        abut_world *far_off = make_world(NULL), *world = make_world(NULL);
        const float near = limit - HALF - 64; /* a sphere around it would reach beyond */
        const float over = limit - HALF / 2;
        const abut_vec3 at = {axis == 0 ? near : 0, axis == 1 ? near : 0, axis == 2 ? near : 0};
        const abut_vec3 beyond = {axis == 0 ? over : 0, axis == 1 ? over : 0, axis == 2 ? over : 0};
        (void)add_cube(far_off, at.x, at.y, at.z, HALF);
        (void)add_cube(world, 0, 0, 0, HALF);
        saved s = save_world(far_off), before = save_world(world);
        assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_OK);
        assert_true(is_saved(world, &s));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        assert_int_equal(abut_world_restore(world, before.bytes, before.size, NULL), ABUT_OK);
        abut_w_snap_header header;
        memcpy(&header, s.bytes, sizeof header);
        unsigned char *center = s.bytes + abut_w_snap_layout_of(&header).at[ABUT_W_SNAP_COLLIDERS];
        assert_memory_equal(center + offsetof(abut_collider, center), &at, sizeof at);
        memcpy(center + offsetof(abut_collider, center), &beyond, sizeof beyond);
        assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_ERROR_FORMAT);
        assert_true(is_saved(world, &before));
        saved_free(&s);
        saved_free(&before);
        abut_world_destroy(&far_off);
        abut_world_destroy(&world);
    }
}

/* --- shapes --- */

enum { SHAPES = 200 };

typedef struct cabinet {
    abut_hull *hull[SHAPES];
    size_t asked[SHAPES], unknown;
    abut_world *restored; /* asked for its contacts by the finder, if not NULL */
    bool empty;           /* the finder has nothing */
} cabinet;

static const abut_hull *from_cabinet(uint64_t digest, void *user) {
    cabinet *c = user;
    if (c->restored) {
        (void)abut_body_contacts(c->restored, id_of(1, 1), NULL, 0);
        assert_int_equal(abut_world_step(c->restored, NULL, NULL), ABUT_ERROR_BUSY);
    }
    for (size_t i = 0; i < SHAPES; i++) {
        if (abut_hull_digest(c->hull[i]) == digest) {
            c->asked[i]++;
            return c->empty ? NULL : c->hull[i];
        }
    }
    c->unknown++;
    return NULL;
}

static void fill_cabinet(cabinet *c) {
    *c = (cabinet){.unknown = 0};
    for (int i = 0; i < SHAPES; i++) {
        const float h = 0.5f + 0.01f * (float)i;
        const abut_vec3 points[4] = {{0, 0, 0}, {h, 0, 0}, {0, h, 0}, {0, 0, h}};
        assert_int_equal(abut_hull_create(points, 4, NULL, &c->hull[i]), ABUT_OK);
    }
}

static abut_world *world_of_cabinet(const cabinet *c) {
    abut_world *world = make_world(NULL);
    for (size_t i = 0; i < 3 * SHAPES; i++) { /* each three times, far apart in the list */
        (void)add_body(world, &(abut_body_def){.hull = c->hull[i * 7 % SHAPES], .pose = pose_at((float)i / 8, 0, 0)});
    }
    (void)step_world(world);
    return world;
}

static void finder_is_asked_once_for_each_shape(void **state) {
    (void)state;
    static cabinet c;
    fill_cabinet(&c);
    abut_world *world = world_of_cabinet(&c), *twin = world_of_cabinet(&c);
    saved s = save_world(world);
    const abut_shape_finder finder = {.hull = from_cabinet, .user = &c};
    for (int round = 0; round < 4; round++) { /* from the second time on while the finder reads the world */
        c.empty = round % 2 == 1;
        assert_int_equal(abut_world_restore(twin, s.bytes, s.size, &finder), c.empty ? ABUT_ERROR_HANDLE : ABUT_OK);
        assert_int_equal(c.unknown, 0);
        for (size_t i = 0; i < SHAPES; i++) {
            assert_int_equal(c.asked[i], 1);
            c.asked[i] = 0;
        }
        assert_true(c.empty != is_saved(twin, &s));
        assert_int_equal(abut_world_validate(twin), ABUT_OK);
        move_to(twin, id_of(1, 1), 1, 1, (float)round);
        (void)step_world(twin);
        c.restored = twin;
    }
    saved_free(&s);
    abut_world_destroy(&world);
    abut_world_destroy(&twin);
    for (size_t i = 0; i < SHAPES; i++) {
        abut_hull_destroy(&c.hull[i]);
    }
}

static const abut_hull *another_hull(uint64_t digest, void *user) {
    life *l = user;
    return l->hull[abut_hull_digest(l->hull[0]) == digest];
}

static const abut_mesh *another_mesh(uint64_t digest, void *user) {
    life *l = user;
    return l->mesh[abut_mesh_digest(l->mesh[0]) == digest];
}

/* With all shapes of a life. */
static void add_all_shapes(abut_world *world, life *l) {
    for (int i = 0; i < LIFE_HULLS; i++) {
        (void)add_body(world, &(abut_body_def){.hull = l->hull[i]});
    }
    for (int i = 0; i < LIFE_MESHES; i++) {
        (void)add_ground(world, l->mesh[i], 0, 0, 0);
    }
}

static void shapes_must_be_found(void **state) {
    (void)state;
    life l;
    make_rich(&l, NULL, 40, 3);
    add_all_shapes(l.world, &l);
    saved s = save_world(l.world);
    abut_shape_finder f[6];
    for (int i = 0; i < 6; i++) {
        f[i] = life_finder(&l);
    }
    f[1].hull = NULL;
    f[2].mesh = NULL;
    f[3].hull = another_hull;
    f[4].mesh = another_mesh;
    f[5] = (abut_shape_finder){0};
    for (int own = 0; own < 2; own++) {
        abut_world *world = make_world(NULL);
        (void)add_cube(world, 0, 0, 0, 1);
        if (own) {
            add_all_shapes(world, &l);
        }
        picture before = picture_take(world);
        for (int i = 1; i < 6; i++) { /* where there is a finder, own bodies are not asked */
            assert_int_equal(abut_world_restore(world, s.bytes, s.size, &f[i]), ABUT_ERROR_HANDLE);
            assert_true(picture_matches(&before, world));
        }
        if (!own) {
            assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_ERROR_HANDLE);
        }
        picture_close(&before, world);
        assert_int_equal(abut_world_restore(world, s.bytes, s.size, own ? NULL : &f[0]), ABUT_OK);
        assert_true(is_saved(world, &s));
        abut_world_destroy(&world);
    }
    saved_free(&s);
    life_end(&l);
}

/* --- memory --- */

static void restore_survives_every_failure(void **state) {
    (void)state;
    life l;
    make_rich(&l, NULL, 80, 4);
    saved s = save_world(l.world);
    const abut_shape_finder finder = life_finder(&l);
    size_t failures = 0;
    for (int mode = 0; mode < 4; mode++) { /* once or for good; an empty world or one that has stepped */
        for (size_t n = 1;; n++) {
            failing_allocator books = {0};
            const abut_world_def def = {.allocator = failing_allocator_of(&books)};
            abut_world *world = make_world(&def);
            if (mode >= 2) {
                (void)add_cube(world, 0, 0, 0, 1);
                (void)add_cube(world, 1, 0, 0, 1);
                assert_int_equal(step_world(world), 1);
            }
            picture before = picture_take(world);
            if (mode % 2) {
                failing_allocator_fail_from(&books, n);
            } else {
                failing_allocator_fail_once(&books, n);
            }
            abut_result result = abut_world_restore(world, s.bytes, s.size, &finder);
            bool done = books.failed == 0;
            failing_allocator_fail_never(&books);
            if (result) {
                assert_int_equal(result, ABUT_ERROR_MEMORY);
                assert_true(picture_matches(&before, world));
                assert_int_equal(abut_world_validate(world), ABUT_OK);
                assert_int_equal(abut_world_restore(world, s.bytes, s.size, &finder), ABUT_OK);
                failures++;
            }
            picture_free(&before);
            assert_true(is_saved(world, &s));
            assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
            assert_int_equal(abut_world_validate(world), ABUT_OK);
            abut_world_destroy(&world);
            assert_true(failing_allocator_clean(&books));
            if (done) {
                assert_true(n > 3);
                break;
            }
        }
    }
    assert_true(failures > 12);
    saved_free(&s);
    life_end(&l);
}

static void saving_allocates_nothing(void **state) {
    (void)state;
    failing_allocator books = {0};
    const abut_world_def def = {.allocator = failing_allocator_of(&books)};
    life l;
    make_rich(&l, &def, 60, 5);
    size_t calls = books.calls;
    saved s = save_world(l.world);
    assert_int_equal(books.calls, calls);
    saved_free(&s);
    life_end(&l);
    assert_true(failing_allocator_clean(&books));
}

static uint32_t slots_of(const life *l) {
    uint32_t most = 0;
    for (size_t i = 0; i < l->ids; i++) {
        most = l->id[i].index1 > most ? l->id[i].index1 : most;
    }
    return most;
}

static void fixed_worlds_take_what_fits(void **state) {
    (void)state;
    life l;
    make_rich(&l, NULL, 80, 6);
    saved s = save_world(l.world);
    const abut_shape_finder finder = life_finder(&l);
    const uint32_t slots = slots_of(&l);
    size_t contacts;
    (void)contacts_of(l.world, &contacts);
    for (int lack = 0; lack < 3; lack++) { /* nothing, bodies, pairs */
        failing_allocator books = {0};
        const abut_world_def def = {.allocator = failing_allocator_of(&books),
                                    .body_capacity = lack == 1 ? slots - 1 : slots,
                                    .pair_capacity = lack == 2 ? (uint32_t)contacts - 1 : 4000,
                                    .fixed_capacity = true};
        abut_world *world = make_world(&def);
        (void)add_cube(world, 0, 0, 0, 1);
        (void)add_cube(world, 1, 0, 0, 1);
        assert_int_equal(step_world(world), 1);
        size_t calls = books.calls;
        picture before = picture_take(world);
        for (int again = 0; again < 3; again++) {
            abut_result result = abut_world_restore(world, s.bytes, s.size, &finder);
            assert_int_equal(result, lack ? ABUT_ERROR_CAPACITY : ABUT_OK);
            assert_true(lack ? picture_matches(&before, world) : is_saved(world, &s));
        }
        picture_free(&before);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        assert_int_equal(books.calls, calls);
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
    saved_free(&s);
    life_end(&l);
}

/* Of a snapshot in which all contacts have ended, each of the ENDs needs room. */
static void fixed_worlds_take_no_more_ends_than_pairs(void **state) {
    (void)state;
    enum { ROW = 20 };
    abut_world *world = make_world(NULL);
    abut_body_id id[ROW];
    for (int i = 0; i < ROW; i++) {
        id[i] = add_cube(world, (float)i, 0, 0, 0.6f);
    }
    assert_int_equal(step_world(world), ROW - 1);
    for (int i = 0; i < ROW; i++) {
        move_to(world, id[i], 10 * (float)i, 0, 0);
    }
    assert_int_equal(step_world(world), 0);
    assert_int_equal(count_events(world, ABUT_END), ROW - 1);
    saved s = save_world(world);
    for (uint32_t lack = 0; lack < 2; lack++) {
        abut_world *other = make_world(
            &(abut_world_def){.body_capacity = ROW, .pair_capacity = ROW - 1 - lack, .fixed_capacity = true});
        picture before = picture_take(other);
        assert_int_equal(abut_world_restore(other, s.bytes, s.size, NULL), lack ? ABUT_ERROR_CAPACITY : ABUT_OK);
        assert_true(lack ? picture_matches(&before, other) : is_saved(other, &s));
        picture_free(&before);
        abut_world_destroy(&other);
    }
    saved_free(&s);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(every_other_length_is_refused),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(headers_that_contradict_themselves_are_refused),
        cmocka_unit_test(bodies_near_the_limit_are_checked),
        cmocka_unit_test(every_flipped_bit_is_refused_or_survived),
        cmocka_unit_test(finder_is_asked_once_for_each_shape),
        cmocka_unit_test(shapes_must_be_found),
        cmocka_unit_test(restore_survives_every_failure),
        cmocka_unit_test(saving_allocates_nothing),
        cmocka_unit_test(fixed_worlds_take_what_fits),
        cmocka_unit_test(fixed_worlds_take_no_more_ends_than_pairs),
    };
    return test_run(tests);
}
