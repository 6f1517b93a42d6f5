/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What cameras see of worlds, and of how many bodies the own boxes were tested for it, as numbers. Other tests judge
 * what is seen; tests of bodies that blocks had decided show only in time, so nothing in it may change unnoticed. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/cull/cull.h"
#include "world/story.h"
#include <math.h>
#include <string.h>

enum { ROOM = 2500 };

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 12},
    {.extent = 6, .round = 0.3, .hulls = 0.3, .meshes = 0.1, .filtered = 0.4, .attached = 0.2},
    {.extent = 20, .round = 0.5},
    {.extent = 10, .aligned = true, .filtered = 0.2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A camera with or without a far plane, a box, or a view that is cut off obliquely. */
static void make_frustum(story *s, abut_frustum *frustum) {
    const abut_pose at = story_pose(s);
    const float width = (float)wild_size(&s->r, -6, 1),
                far = rng_chance(&s->r, 0.3) ? INFINITY : (float)wild_size(&s->r, 0, 6);
    const abut_obb box = {at.position, at.rotation, wild_half(&s->r, 8)};
    abut_result made = ABUT_ERROR_ARGUMENT;
    if (rng_chance(&s->r, 0.6)) {
        made = abut_frustum_camera(&at, width, width / 2, 0x1p-4f, far, frustum);
    }
    if (made != ABUT_OK && abut_frustum_orthographic(&box, frustum) != ABUT_OK) {
        const abut_obb cube = {{0, 0, 0}, {0, 0, 0, 1}, {4, 4, 4}};
        assert_int_equal(abut_frustum_orthographic(&cube, frustum), ABUT_OK);
    }
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void digest_visible(uint64_t *digest, const abut_visible *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, abut_body_id_pack(list[k].body));
        digest_number(digest, list[k].user);
        digest_number(digest, (uint64_t)list[k].views << 32 | list[k].inside);
    }
}

static void cull(story *s) {
    static abut_visible list[ROOM];
    abut_frustum frusta[ABUT_W_VIEWS];
    abut_w_cull_work work;
    const uint32_t counts[] = {1, 1, 2, 3, 1 + rng_below(&s->r, ABUT_W_VIEWS)}, count = counts[rng_below(&s->r, 5)];
    const size_t rooms[] = {0, 1, 2 + rng_below(&s->r, 100), ROOM, ROOM}, room = rooms[rng_below(&s->r, 5)];
    const abut_filter filter = story_filter(s);
    const abut_filter *whom = rng_chance(&s->r, 0.5) ? &filter : NULL;
    const bool nowhere = rng_chance(&s->r, 0.1);
    for (uint32_t k = 0; k < count; k++) {
        make_frustum(s, &frusta[k]);
    }
    memset(list, 0, sizeof list);
    size_t n = abut_world_cull(s->world, frusta, count, whom, nowhere ? NULL : list, room);
    digest_number(s->digest, n);
    digest_visible(s->digest, list, nowhere ? 0 : least(n, room));
    n = abut_w_cull(s->world, frusta, count, whom, list, ROOM, &work);
    digest_number(s->digest, n);
    digest_number(s->digest, work.tested);
    digest_visible(s->digest, list, least(n, ROOM));
}

static void cull_worlds(uint64_t *digest, uint32_t bodies, uint32_t culls, const abut_world_def *def) {
    static story s;
    for (uint32_t k = 0; k < KINDS; k++) {
        story_begin(&s, def, &shapes, &kinds[k], bodies + k, digest);
        for (uint32_t left = bodies; left > 0; left -= left < 300 ? left : 300) {
            story_create(&s, left < 300 ? left : 300);
        }
        for (uint32_t c = 0; c < culls; c++) {
            cull(&s);
            if (c % 4 == 3) {
                story_move(&s, 0.3);
                story_change(&s);
            }
        }
        story_end(&s);
    }
}

static void few_bodies(uint64_t *digest) {
    for (uint32_t bodies = 0; bodies < 80; bodies += 9) {
        cull_worlds(digest, bodies, 24, NULL);
    }
}

static void many_bodies(uint64_t *digest) {
    cull_worlds(digest, 500, 40, NULL);
    cull_worlds(digest, 2400, 16, NULL);
}

/* On the caller, the first or the last task does everything. */
static void side_by_side(uint64_t *digest) {
    for (uint32_t k = 0; k < 2; k++) {
        schedule order = {.kind = k == 1 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2 + k};
        const abut_world_def def = {.parallel = schedule_parallel(&order)};
        cull_worlds(digest, 1500 + 800 * k, 6, &def);
    }
}

/* So many that lists are cut into several pieces. Room for all, for just enough of them to be listed side by side, and
 * for fewer. */
static void cull_crowd(story *s) {
    enum { MOST = 9400 };
    static abut_visible list[MOST];
    abut_frustum frusta[4];
    abut_w_cull_work work;
    const size_t living = abut_world_body_count(s->world);
    const size_t rooms[] = {MOST, living, living / 2 + 1, living / 2, living / 3, 40};
    for (uint32_t k = 0; k < 12; k++) {
        const uint32_t count = k < 8 ? 2 + k % 3 : 1;
        const size_t room = rooms[k % 6];
        for (uint32_t view = 0; view < count; view++) {
            const abut_obb box = {rng_vec3(&s->r, -20, 20), {0, 0, 0, 1}, {12 + 9 * (float)(k % 4), 20, 16}};
            assert_int_equal(abut_frustum_orthographic(&box, &frusta[view]), ABUT_OK);
        }
        memset(list, 0, sizeof list);
        const size_t n = abut_w_cull(s->world, frusta, count, NULL, list, room, &work);
        digest_number(s->digest, n);
        digest_number(s->digest, work.tested);
        digest_visible(s->digest, list, least(n, room));
    }
}

static void crowds(uint64_t *digest) {
    static const story_kind wide = {.extent = 30};
    static story s;
    for (uint32_t k = 0; k < 3; k++) {
        schedule order = {.kind = k == 1 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 1 + k};
        const abut_world_def def = {.parallel = schedule_parallel(&order)};
        story_begin(&s, &def, &shapes, &wide, 7, digest);
        for (uint32_t left = 8600 + 300 * k; left > 0; left -= left < 300 ? left : 300) {
            story_create(&s, left < 300 ? left : 300);
        }
        cull_crowd(&s);
        story_move(&s, 0.5);
        cull_crowd(&s);
        story_end(&s);
    }
}

static void wrong_arguments(uint64_t *digest) {
    static story s;
    abut_frustum frusta[ABUT_W_VIEWS + 1];
    abut_visible list[20];
    const abut_filter wrong = {.category = ABUT_MASK_NONE};
    story_begin(&s, NULL, &shapes, &kinds[0], 1, digest);
    story_create(&s, 20);
    for (uint32_t k = 0; k <= ABUT_W_VIEWS; k++) {
        make_frustum(&s, &frusta[k]);
    }
    digest_number(digest, abut_world_cull(NULL, frusta, 1, NULL, list, 20));
    digest_number(digest, abut_world_cull(s.world, NULL, 1, NULL, list, 20));
    digest_number(digest, abut_world_cull(s.world, frusta, 0, NULL, list, 20));
    digest_number(digest, abut_world_cull(s.world, frusta, 1, &wrong, list, 20));
    digest_number(digest, abut_world_cull(s.world, frusta, ABUT_W_VIEWS, NULL, list, 20));
    digest_number(digest, abut_world_cull(s.world, frusta, ABUT_W_VIEWS + 1, NULL, list, 20));
    story_end(&s);
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"few bodies", few_bodies, UINT64_C(0x8d5a6ac521c1aeaa)},
        {"many bodies", many_bodies, UINT64_C(0xa2183ab9ae4eee8e)},
        {"side by side", side_by_side, UINT64_C(0xc11a839566fa8117)},
        {"crowds", crowds, UINT64_C(0x0c0d70ac9158c587)},
        {"wrong arguments", wrong_arguments, UINT64_C(0xdfdcb16ee76a19bd)},
    };
    story_shapes_make(&shapes);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    story_shapes_free(&shapes);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
