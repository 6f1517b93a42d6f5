/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What worlds of every kind of body answer to questions of every kind, and whom they ask `accept` about, in which
 * order, as numbers: rays, shapes that overlap, touch or are near, boxes. Other tests judge the answers; how much is
 * looked at shows only in time, so nothing in it may change unnoticed. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/asked.h"
#include <math.h>
#include <string.h>

enum { MANY = 400 };

static story_shapes shapes;

static void digest_nears(uint64_t *digest, const abut_near *near, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, abut_body_id_pack(near[k].body));
        digest_number(digest, near[k].user);
        digest_float(digest, near[k].distance);
        digest_vec3(digest, near[k].position);
        digest_vec3(digest, near[k].normal);
        digest_number(digest, near[k].part);
    }
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void ask_rays(story *s) {
    static abut_ray ray[MANY];
    static abut_hit hit[ASKED_ROOM + MANY];
    static uint8_t blocked[MANY];
    asked_whom w;
    const uint32_t n = rng_chance(&s->r, 0.2) ? MANY : rng_below(&s->r, 20);
    for (uint32_t k = 0; k < n; k++) {
        ray[k] = asked_ray(s);
    }
    const abut_query *query = asked_query(s, &w);
    memset(hit, 0, sizeof hit);
    memset(blocked, 7, sizeof blocked);
    digest_result(s->digest, abut_world_cast_rays(s->world, ray, n, query, hit));
    digest_hits(s->digest, hit, n);
    digest_result(s->digest, abut_world_test_rays(s->world, ray, n, query, blocked));
    digest_bytes(s->digest, blocked, sizeof blocked);
    for (uint32_t k = 0; k < n && k < 6; k++) {
        const size_t room = asked_room(s);
        memset(hit, 0, sizeof hit);
        digest_number(s->digest, abut_world_ray_hits(s->world, &ray[k], query, room > 0 ? hit : NULL, room));
        digest_hits(s->digest, hit, room);
    }
}

/* --- shapes --- */

static void ask_shape(story *s) {
    static abut_touching touching[ASKED_ROOM];
    static abut_near near[ASKED_ROOM];
    abut_body_id id[ASKED_ROOM];
    asked_whom w;
    abut_shape shape = story_shape(s, true);
    if (rng_chance(&s->r, 0.15)) { /* around all */
        shape = (abut_shape){.half = {5, 6, 7}};
    }
    const abut_pose pose = story_pose(s);
    const abut_query *query = asked_query(s, &w);
    const float margin = rng_chance(&s->r, 0.5) ? (float)rng_range(&s->r, 0, 0.5) : 0;
    const float distance = rng_chance(&s->r, 0.5) ? (float)rng_range(&s->r, 0, 3) : INFINITY;
    size_t room = asked_room(s);
    memset(touching, 0, sizeof touching);
    memset(near, 0, sizeof near);
    memset(id, 0, sizeof id);
    digest_number(s->digest, abut_world_overlaps(s->world, &shape, &pose, query, room > 0 ? id : NULL, room));
    digest_words(s->digest, id, sizeof id);
    size_t n = abut_world_collide(s->world, &shape, &pose, margin, query, touching, room);
    digest_number(s->digest, n);
    for (size_t k = 0; k < least(n, room); k++) {
        digest_number(s->digest, abut_body_id_pack(touching[k].body));
        digest_number(s->digest, touching[k].user);
        digest_number(s->digest, touching[k].part);
        digest_manifold(s->digest, &touching[k].manifold);
    }
    room = asked_room(s);
    n = abut_world_nearest(s->world, &shape, &pose, distance, query, near, room);
    digest_number(s->digest, n);
    digest_nears(s->digest, near, n);
}

static void ask_box(story *s) {
    abut_body_id id[ASKED_ROOM];
    asked_whom w;
    const abut_pose at = story_pose(s);
    const abut_vec3 half = rng_vec3(&s->r, -0.1, 3);
    abut_aabb box = {at.position, {at.position.x + half.x, at.position.y + half.y, at.position.z + half.z}};
    if (rng_chance(&s->r, 0.1)) {
        box.max.x = INFINITY;
    } else if (rng_chance(&s->r, 0.2)) {
        box.min = (abut_vec3){-5, -5, -5};
    }
    const abut_query *query = asked_query(s, &w);
    const size_t room = asked_room(s);
    memset(id, 0, sizeof id);
    digest_number(s->digest, abut_world_in_bounds(s->world, &box, query, id, room));
    digest_words(s->digest, id, sizeof id);
}

static void ask_many(story *s) {
    static abut_shape shape[MANY];
    static abut_pose pose[MANY];
    static abut_vec3 point[MANY];
    static abut_near near[4 * MANY];
    static abut_body_id id[8 * MANY];
    static size_t end[MANY];
    static uint32_t count[MANY];
    asked_whom w;
    const uint32_t n = rng_chance(&s->r, 0.5) ? MANY : rng_below(&s->r, 30), k = rng_below(&s->r, 5);
    for (uint32_t i = 0; i < n; i++) {
        shape[i] = story_shape(s, false);
        pose[i] = story_pose(s);
        point[i] = story_pose(s).position;
    }
    const abut_query *query = asked_query(s, &w);
    const size_t room = rng_below(&s->r, 8 * MANY);
    memset(id, 0, sizeof id);
    memset(near, 0, sizeof near);
    memset(end, 0, sizeof end);
    memset(count, 0, sizeof count);
    digest_result(s->digest, abut_world_overlaps_many(s->world, shape, pose, n, query, id, room, end));
    for (uint32_t i = 0; i < n; i++) {
        digest_number(s->digest, end[i]);
    }
    digest_words(s->digest, id, sizeof id);
    const float distance = rng_chance(&s->r, 0.5) ? 1.5f : INFINITY;
    digest_result(s->digest, abut_world_nearest_many(s->world, point, n, distance, query, near, k, count));
    digest_words(s->digest, count, sizeof count);
    digest_nears(s->digest, near, (size_t)n * k);
}

/* --- worlds --- */

static void rays(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 0, 110, 24, 0.004, ask_rays);
}

static void one_shape(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 1, 110, 60, 0.004, ask_shape);
}

static void boxes(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 2, 110, 40, 0.004, ask_box);
}

static void many_shapes(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 3, 110, 5, 0.0002, ask_many);
}

/* So many bodies that they are tested in several lots. */
static void crowds(uint64_t *digest) {
    static asked_ask *const asks[] = {ask_rays, ask_shape, ask_box};
    for (uint32_t k = 0; k < 3; k++) {
        asked_worlds(digest, &shapes, NULL, 30 + k, 520, k == 0 ? 3 : 12, 0.0005, asks[k]);
    }
}

/* Where the tree knows wider bounds. */
static void with_margin(uint64_t *digest) {
    static asked_ask *const asks[] = {ask_rays, ask_shape, ask_box};
    const abut_world_def def = {.contact_margin = 0.5f};
    for (uint32_t k = 0; k < 3; k++) {
        asked_worlds(digest, &shapes, &def, 20 + k, 110, 12, 0.002, asks[k]);
    }
}

/* On the caller, the first or the last task does everything. */
static void side_by_side(uint64_t *digest) {
    static asked_ask *const asks[] = {ask_rays, ask_many, ask_many};
    for (uint32_t k = 0; k < 3; k++) {
        schedule order = {.kind = k % 2 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2 + k % 2};
        const abut_world_def def = {.parallel = schedule_parallel(&order)};
        asked_worlds(digest, &shapes, &def, 5 + k, 110, 5, 0.0005, asks[k]);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"rays", rays, UINT64_C(0x326d1ea9bb246591)},
        {"one shape", one_shape, UINT64_C(0xdebfc90a36a8825e)},
        {"boxes", boxes, UINT64_C(0xc7ba9a65a7a48618)},
        {"many shapes", many_shapes, UINT64_C(0x656d29513909c235)},
        {"crowds", crowds, UINT64_C(0x1dd110e339b27aa0)},
        {"with margin", with_margin, UINT64_C(0xc729e368bec7072b)},
        {"side by side", side_by_side, UINT64_C(0xf460ce2e20b90f9c)},
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
