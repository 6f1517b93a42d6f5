/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Const functions in several threads on one world. Some of them build a cache in their first call. */

#include "world/world_test.h"
#include <abut/cull.h>
#include <abut/placement.h>
#include <stdlib.h>
#include <string.h>

#ifdef ABUT_TEST_THREADS
#  include <pthread.h>

enum { ROW = 400, THREADS = 2 };

#  include <abut/cull.h>

typedef struct reader {
    const abut_world *world;
    const abut_body_id *ids;
    size_t seen_ends;
    size_t sum; /* of the indices of all bodies' contacts */
    size_t persisting;
    size_t pairs, in_use, reserved;
    bool sorted;
    size_t visible[2], counted; /* of one view and of two; the sum of index1 of all visible bodies */
} reader;

/* Culls the left half of the row, then both halves. */
static void look(reader *r) {
    abut_visible out[ROW];
    abut_frustum halves[2];
    for (int k = 0; k < 2; k++) {
        abut_obb half = {{k == 0 ? ROW / 4.0f - 0.8f : ROW * 0.75f - 0.2f, 5, 0}, {0, 0, 0, 1}, {ROW / 4.0f, 20, 2}};
        (void)abut_frustum_orthographic(&half, &halves[k]);
    }
    for (size_t views = 1; views <= 2; views++) {
        size_t n = abut_world_cull(r->world, halves, views, NULL, out, ROW);
        r->visible[views - 1] = n;
        for (size_t i = 0; i < n; i++) {
            r->counted += out[i].body.index1 * views;
        }
    }
}

static void *read_all(void *user) {
    reader *r = user;
    look(r);
    size_t count;
    abut_world_memory(r->world, &r->in_use, &r->reserved); /* while another thread may make lists */
    (void)abut_world_pairs(r->world, &r->pairs);
    const abut_contact *events = abut_world_events(r->world, &count);
    r->sorted = true;
    for (size_t i = 0; i < count; i++) {
        r->seen_ends += events[i].phase == ABUT_END;
        r->sorted = r->sorted && (i == 0 || abut_body_id_pack(events[i - 1].a) <= abut_body_id_pack(events[i].a));
    }
    const abut_contact *contacts = abut_world_contacts(r->world, &count);
    for (size_t i = 0; i < count; i++) {
        r->persisting += contacts[i].phase == ABUT_PERSIST && contacts[i].previous1 > 0;
    }
    for (int i = 0; i < ROW; i++) {
        uint32_t indices[4];
        size_t n = abut_body_contacts(r->world, r->ids[i], indices, 4);
        for (size_t k = 0; k < n; k++) {
            r->sum += indices[k];
        }
    }
    return NULL;
}

static void readers_see_one_list(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = make_world(NULL);
    for (int i = 0; i < ROW; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.6f);
    }
    abut_body_id far = add_cube(world, 0, 0, 1000, 1);
    assert_int_equal(step_world(world), ROW - 1);
    for (int round = 0; round < 200; round++) {
        size_t moved = 1 + (size_t)(round % 7) * 20; /* away, and back in the next round */
        for (size_t i = 0; i < moved; i++) {
            move_to(world, ids[i], (float)i, round % 2 == 0 ? 10 : 0, 0);
        }
        abut_step_report report;
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        bool rests = round % 3 == 2;
        if (rests) { /* its contacts say so when they are asked for */
            assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        }
        if (round % 4 == 1) { /* then there are notes of bodies */
            assert_int_equal(abut_body_set_user(world, ids[round], (uint64_t)round), ABUT_OK);
            assert_int_equal(abut_body_destroy(world, far), ABUT_OK);
            far = add_cube(world, 0, 0, 1000, 1);
        }
        reader r[THREADS] = {{.world = world, .ids = ids}, {.world = world, .ids = ids}};
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_create(&thread[k], NULL, read_all, &r[k]), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(r[k].seen_ends, report.ended);
            assert_true(r[k].pairs == report.contacts && r[k].reserved == report.bytes && r[k].in_use <= report.bytes);
            assert_int_equal(r[k].persisting, report.contacts - report.begun);
            assert_true(!rests || report.begun + report.ended == 0);
            assert_int_equal(r[k].visible[1], ROW);
            assert_true(r[k].visible[0] > ROW / 3 && r[k].visible[0] < ROW && r[k].counted == r[0].counted);
            assert_true(r[k].sorted && r[k].sum == report.contacts * (report.contacts - 1));
        }
    }
    abut_world_destroy(&world);
}

/* --- functions that use the same scratch memory --- */

enum { CULLS = 14, VIEWS = 3 };

typedef struct watcher {
    const abut_world *world;
    abut_frustum views[VIEWS];
    abut_visible visible[ROW], expected[ROW];
    size_t views_used, count;
    int wrong, blocked;
} watcher;

static abut_frustum look_along_row(float from, float width) {
    abut_frustum frustum;
    const abut_obb box = {{from, 0, 0}, {0, 0, 0, 1}, {width, 5, 5}};
    assert_int_equal(abut_frustum_orthographic(&box, &frustum), ABUT_OK);
    return frustum;
}

/* One of the threads makes the tree, and all use it. */
static void *watch(void *user) {
    watcher *w = user;
    for (int i = 0; i < CULLS; i++) {
        size_t n = abut_world_cull(w->world, w->views, w->views_used, NULL, w->visible, ROW);
        w->wrong += n != w->count || memcmp(w->visible, w->expected, n * sizeof *w->visible) != 0;
        abut_placement placement;
        const abut_obb2 candidate = {.center = {(float)(i * 20), 0}, .axis = {1, 0}, .half = {0.2f, 0.2f}};
        w->blocked +=
            abut_world_test_placements(w->world, &candidate, 1, NULL, &placement) == ABUT_OK && !placement.free;
    }
    return NULL;
}

/* By itself, before the others: in a world of the same bodies. */
static void expect(watcher *w, const abut_world *like) {
    w->count = abut_world_cull(like, w->views, w->views_used, NULL, w->expected, ROW);
    assert_true(w->count > 0 && w->count < ROW);
}

static void watchers_see_what_is_there(void **state) {
    (void)state;
    static watcher w[THREADS];
    for (int round = 0; round < 60; round++) {
        abut_world *worlds[2];
        for (int k = 0; k < 2; k++) {
            worlds[k] = make_world(NULL);
            abut_body_id first = add_cube(worlds[k], 0, 0, 0, 0.4f);
            for (int i = 1; i < ROW; i++) {
                (void)add_cube(worlds[k], (float)i, 0, 0, 0.4f);
            }
            step_world(worlds[k]);
            if (round % 2 == 1) {
                move_to(worlds[k], first, 0.1f, 0, 0);
            }
        }
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            w[k].world = worlds[0];
            w[k].views_used = (size_t)(round + k) % 2 == 0 ? 1 : VIEWS;
            w[k].wrong = w[k].blocked = 0;
            for (int v = 0; v < VIEWS; v++) {
                w[k].views[v] = look_along_row((float)(60 * round % 300 + 30 * v), 20);
            }
            expect(&w[k], worlds[1]);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_create(&thread[k], NULL, watch, &w[k]), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(w[k].wrong, 0);
            assert_int_equal(w[k].blocked, CULLS);
        }
        abut_world_destroy(&worlds[0]);
        abut_world_destroy(&worlds[1]);
    }
}

#else

static void readers_see_one_list(void **state) {
    (void)state;
    skip();
}

static void watchers_see_what_is_there(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_see_one_list),
        cmocka_unit_test(watchers_see_what_is_there),
    };
    return test_run(tests);
}
