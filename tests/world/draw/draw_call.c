/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Debug draw: which functions are called for which kinds, when it may be called, and invalid arguments. */

#include "draw_log.h"
#include "support/failing_allocator.h"
#include <math.h>
#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

/* --- the call --- */

/* Two that touch, one apart; a static one under the first; a camera. */
static abut_world *small_world(abut_body_id id[4]) {
    abut_world *world = make_world(NULL);
    id[0] = add_cube(world, 0, 0, 0, 1);
    id[1] = add_cube(world, 1.5f, 0, 0, 1);
    id[2] = add_cube(world, 10, 0, 0, 1);
    id[3] = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose_at(0, -1.5f, 0), .motion = ABUT_STATIC});
    assert_int_equal(step_world(world), 3);
    return world;
}

static void errors_draw_nothing(void **state) {
    (void)state;
    abut_body_id id[4];
    abut_world *world = small_world(id);
    draw_log log = {.count = 0};
    const abut_filter bad = {.category = ABUT_MASK_NONE};
    const abut_draw good = {.line = any_line, .point = any_point, .box = any_box, .user = &log};
    abut_draw wrong[10];
    for (int i = 0; i < 10; i++) {
        wrong[i] = good;
    }
    wrong[0].kinds = 2 * FRUSTA;
    wrong[1].kinds = UINT32_MAX;
    wrong[2].normal_length = NAN;
    wrong[3].normal_length = -1;
    wrong[4].normal_length = INFINITY;
    wrong[5].frustum_length = NAN;
    wrong[6].frustum_length = -0.5f;
    wrong[7].frustum_length = INFINITY;
    wrong[8].filter = &bad;
    wrong[9].frustum_count = 1;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(abut_world_draw(world, &wrong[i]), ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_world_draw(NULL, &good), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_draw(world, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(log.count, 0);
    assert_int_equal(abut_world_draw(world, &good), ABUT_OK);
    assert_true(log.count > 0);
    log_free(&log);
    abut_world_destroy(&world);
}

static void an_empty_world_is_empty(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    for (int k = 0; k < 3; k++) {
        draw_log log = log_kinds(world, SHAPES | BOUNDS | CANDIDATES | CONTACTS | FRUSTA);
        assert_int_equal(log.count, 0);
        (void)step_world(world);
        abut_body_id id = add_cube(world, 0, 0, 0, 1);
        assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    }
    abut_world_destroy(&world);
}

static size_t kinds_in(const draw_log *log) {
    size_t kinds = 0;
    for (size_t i = 0; i < log->count; i++) {
        kinds |= (size_t)1 << log->mark[i].item.kind;
        assert_true(i == 0 || log->mark[i].item.kind >= log->mark[i - 1].item.kind);
    }
    return kinds;
}

static void zero_is_shapes_contacts_and_frusta(void **state) {
    (void)state;
    abut_body_id id[4];
    abut_world *world = small_world(id);
    const abut_frustum f = camera_at(0, 5);
    draw_log log = {.count = 0};
    abut_draw draw = {.line = any_line, .point = any_point, .box = any_box};
    log_draw(world, &draw, &log);
    assert_int_equal(kinds_in(&log), SHAPES | CONTACTS);
    draw.frusta = &f;
    draw.frustum_count = 1;
    log_draw(world, &draw, &log);
    assert_int_equal(kinds_in(&log), SHAPES | CONTACTS | FRUSTA);
    draw.kinds = SHAPES | BOUNDS | CANDIDATES | CONTACTS | FRUSTA;
    log_draw(world, &draw, &log);
    assert_int_equal(kinds_in(&log), draw.kinds);
    for (uint32_t kind = 0; kind <= ABUT_DRAW_FRUSTUM; kind++) {
        draw.kinds = 1u << kind;
        log_draw(world, &draw, &log);
        assert_int_equal(kinds_in(&log), draw.kinds);
    }
    log_free(&log);
    abut_world_destroy(&world);
}

/* Each function is called as often as when the others are given, except that edges replace boxes. */
static void functions_may_be_missing(void **state) {
    (void)state;
    abut_body_id id[4];
    abut_world *world = small_world(id);
    const uint32_t all = SHAPES | BOUNDS | CANDIDATES | CONTACTS;
    draw_log whole = log_kinds(world, all), log = {.count = 0};
    const size_t lines = log_count(&whole, MARK_LINE), points = log_count(&whole, MARK_POINT),
                 boxes = log_count(&whole, MARK_BOX);
    assert_true(boxes == 8 && points == 12 && lines == 12 + 3);
    for (int which = 0; which < 8; which++) {
        const abut_draw draw = {.line = which & 1 ? any_line : NULL,
                                .point = which & 2 ? any_point : NULL,
                                .box = which & 4 ? any_box : NULL,
                                .kinds = all};
        log_draw(world, &draw, &log);
        size_t edges = which & 4 ? 0 : 12 * boxes;
        assert_int_equal(log_count(&log, MARK_LINE), which & 1 ? lines + edges : 0);
        assert_int_equal(log_count(&log, MARK_POINT), which & 2 ? points : 0);
        assert_int_equal(log_count(&log, MARK_BOX), which & 4 ? boxes : 0);
    }
    log_free(&whole);
    log_free(&log);
    abut_world_destroy(&world);
}

static void filters_say_who_is_drawn(void **state) {
    (void)state;
    abut_body_id id[4];
    abut_world *world = small_world(id);
    const abut_filter second = {.category = 2}, only_second = {.mask = 2}, not_second = {.mask = 1};
    assert_int_equal(abut_body_set_filter(world, id[1], &second), ABUT_OK);
    assert_int_equal(step_world(world), 3);
    draw_log log = {.count = 0};
    abut_draw draw = {.box = any_box, .line = any_line, .kinds = SHAPES | BOUNDS | CANDIDATES | CONTACTS};
    draw.filter = &only_second;
    log_draw(world, &draw, &log);
    assert_int_equal(log.count, 2);
    assert_true(abut_body_id_equal(log.mark[0].item.body, id[1]));
    draw.filter = &not_second;
    log_draw(world, &draw, &log);
    assert_int_equal(log_count(&log, MARK_BOX), 6);
    assert_int_equal(log_count(&log, MARK_LINE), 1 + 4); /* the one pair without it */
    for (size_t i = 0; i < log.count; i++) {
        assert_false(abut_body_id_equal(log.mark[i].item.body, id[1]) ||
                     abut_body_id_equal(log.mark[i].item.other, id[1]));
    }
    log_free(&log);
    abut_world_destroy(&world);
}

/* --- when --- */

typedef struct redraw {
    abut_world *world;
    size_t calls;
} redraw;

static void draw_all(redraw *t) {
    draw_log log = log_kinds(t->world, SHAPES | BOUNDS | CANDIDATES | CONTACTS);
    assert_int_equal(log_count(&log, MARK_BOX), 2 * abut_world_body_count(t->world));
    t->calls++;
    log_free(&log);
}

static bool ask(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)b, (void)user_a, (void)user_b;
    draw_all(user);
    return true;
}

static void draw_in_listener(const abut_contact *contact, void *user) {
    redraw *t = user;
    draw_all(t);
    if (contact->phase == ABUT_BEGIN && abut_body_is_valid(t->world, contact->a)) { /* lists are stale from now on */
        assert_int_equal(abut_body_destroy(t->world, contact->a), ABUT_OK);
        (void)add_cube(t->world, (float)t->calls, 0, 0, 1);
        draw_all(t);
    }
}

static void callbacks_may_draw(void **state) {
    (void)state;
    redraw t = {.calls = 0};
    t.world = make_world(&(abut_world_def){.should_collide = ask, .user = &t});
    const abut_listener listener = {draw_in_listener, draw_in_listener, draw_in_listener, &t};
    for (int i = 0; i < 8; i++) {
        (void)add_cube(t.world, (float)i, 0, 0, 1);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(abut_world_step(t.world, &listener, NULL), ABUT_OK);
    }
    assert_true(t.calls > 30);
    abut_world_destroy(&t.world);
}

static void draw_again(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)from, (void)to, (void)item;
    draw_all(user);
}

static void drawing_may_draw(void **state) {
    (void)state;
    abut_body_id id[4];
    redraw t = {.world = small_world(id)};
    const abut_draw draw = {.line = draw_again, .kinds = CANDIDATES | CONTACTS, .user = &t};
    assert_int_equal(abut_world_draw(t.world, &draw), ABUT_OK);
    assert_int_equal(t.calls, 3 + 12);
    abut_world_destroy(&t.world);
}

static void nothing_is_allocated(void **state) {
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        failing_allocator books = {0};
        rng r = rng_make(test_seed(), (uint64_t)fixed);
        const abut_world_def def = {.allocator = failing_allocator_of(&books),
                                    .fixed_capacity = fixed,
                                    .body_capacity = 200,
                                    .pair_capacity = 20000,
                                    .contact_margin = 0.1f};
        abut_world *world = make_world(&def);
        for (int i = 0; i < 200; i++) {
            const abut_body_def box = random_box(&r, 5);
            (void)add_body(world, &box);
        }
        for (int i = 0; i < 4; i++) {
            size_t before = books.calls, bytes = books.live_bytes;
            failing_allocator_fail_from(&books, 1);
            draw_log log = log_kinds(world, SHAPES | BOUNDS | CANDIDATES | CONTACTS);
            assert_true(log_count(&log, MARK_LINE) > 100);
            assert_true(books.calls == before && books.live_bytes == bytes);
            failing_allocator_fail_never(&books);
            log_free(&log);
            (void)step_world(world);
        }
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
}

#ifdef ABUT_TEST_THREADS
typedef struct drawer {
    const abut_world *world;
    draw_log log;
} drawer;

static void *draw_in_thread(void *user) {
    drawer *d = user;
    d->log = log_kinds(d->world, SHAPES | BOUNDS | CANDIDATES | CONTACTS);
    return NULL;
}

static void threads_may_draw_together(void **state) {
    (void)state;
    enum { THREADS = 3 };
    abut_world *world = make_world(NULL);
    rng r = rng_make(test_seed(), 0);
    abut_body_id id[100];
    for (int i = 0; i < 100; i++) {
        const abut_body_def box = random_box(&r, 4);
        id[i] = add_body(world, &box);
    }
    for (int round = 0; round < 50; round++) {
        move_to(world, id[round], 0, 0, 0);
        (void)step_world(world);
        drawer d[THREADS];
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            d[k] = (drawer){.world = world};
            assert_int_equal(pthread_create(&thread[k], NULL, draw_in_thread, &d[k]), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
            assert_true(d[k].log.count > 100 && d[k].log.count == d[0].log.count);
        }
        for (int k = 0; k < THREADS; k++) {
            log_free(&d[k].log);
        }
    }
    abut_world_destroy(&world);
}
#else
static void threads_may_draw_together(void **state) {
    (void)state;
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_draw_nothing),
        cmocka_unit_test(an_empty_world_is_empty),
        cmocka_unit_test(zero_is_shapes_contacts_and_frusta),
        cmocka_unit_test(functions_may_be_missing),
        cmocka_unit_test(filters_say_who_is_drawn),
        cmocka_unit_test(callbacks_may_draw),
        cmocka_unit_test(drawing_may_draw),
        cmocka_unit_test(nothing_is_allocated),
        cmocka_unit_test(threads_may_draw_together),
    };
    return test_run(tests);
}
