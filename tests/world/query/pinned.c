/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What worlds of every kind of body answer to questions of every kind, and whom they ask `accept` about, in which
 * order, as numbers: rays, shapes that overlap, touch or are near, boxes, shapes that move. Other tests judge the
 * answers; how much is looked at shows only in time, so nothing in it may change unnoticed. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/story.h"
#include <math.h>
#include <string.h>

enum { MANY = 400, ROOM = 300, IGNORED = 5 };

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 4},
    {.extent = 4, .round = 0.3, .hulls = 0.3, .meshes = 0.15, .filtered = 0.3, .attached = 0.3, .coarse = 0.3},
    {.extent = 3, .round = 0.5, .hulls = 0.5},
    {.extent = 4, .meshes = 0.4},
    {.extent = 4, .aligned = true, .meshes = 0.1},
    {.extent = 5, .filtered = 0.7, .attached = 0.5, .round = 0.2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Where questions are asked: not all arguments are right. */
static const story_kind asking = {.extent = 4, .round = 0.4, .hulls = 0.2, .meshes = 0.02, .wrong = 0.004};
static const story_kind asking_on_grid = {.extent = 4, .aligned = true, .wrong = 0.004};

/* --- whom --- */

static bool accept(const abut_candidate *candidate, void *context) {
    uint64_t *digest = context;
    digest_number(digest, abut_body_id_pack(candidate->body));
    digest_number(digest, candidate->user);
    digest_number(digest, (uint64_t)candidate->part << 32 | candidate->mover.index1);
    digest_number(digest, candidate->element);
    return (candidate->user + candidate->part) % 3 != 0;
}

/* A question, and memory for what it names. */
typedef struct whom {
    abut_query query;
    abut_body_id ignored[IGNORED];
} whom;

/* NULL now and then. `accepting`: it may have `accept`, whose calls are counted. */
static const abut_query *make_query(story *s, whom *w, bool accepting) {
    memset(w, 0, sizeof *w);
    abut_query *q = &w->query;
    if (rng_chance(&s->r, 0.25)) {
        return NULL;
    }
    if (rng_chance(&s->r, 0.5)) {
        q->filter = story_filter(s);
    }
    q->ignore = w->ignored;
    q->ignore_count = rng_chance(&s->r, 0.5) ? rng_below(&s->r, IGNORED + 1) : 0;
    for (uint32_t k = 0; k < q->ignore_count; k++) {
        w->ignored[k] = story_body(s);
    }
    if (accepting && rng_chance(&s->r, 0.4)) {
        q->accept = accept;
        q->context = s->digest;
    }
    q->initial = (abut_initial)rng_below(&s->r, rng_chance(&s->r, 0.02) ? 4 : 3);
    q->every_part = rng_chance(&s->r, 0.4);
    q->allowance = rng_chance(&s->r, 0.3) ? 0.125f : rng_chance(&s->r, 0.02) ? -1.0f : 0;
    return q;
}

/* --- answers --- */

static void digest_float(uint64_t *digest, float value) {
    const float kept = isnan(value) ? -7.0f : value; /* of the bits of NaN nothing is said */
    digest_words(digest, &kept, sizeof kept);
}

static void digest_hits(uint64_t *digest, const abut_hit *hit, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, abut_body_id_pack(hit[k].body));
        digest_number(digest, hit[k].user);
        digest_float(digest, hit[k].fraction);
        digest_vec3(digest, hit[k].position);
        digest_vec3(digest, hit[k].normal);
        digest_number(digest, hit[k].part);
        digest_number(digest, abut_body_id_pack(hit[k].mover));
    }
}

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

static void answer(story *s, abut_result result) {
    digest_number(s->digest, (uint64_t)(int64_t)result);
}

/* Room for none, some or all. */
static size_t make_room(story *s) {
    const size_t rooms[] = {0, 1, 2, 1 + rng_below(&s->r, 30), ROOM};
    return rooms[rng_below(&s->r, 5)];
}

/* --- rays --- */

/* Through a body, along an axis, from one place to another, or none; some begin in bodies, some in corners. */
static abut_ray make_ray(story *s) {
    const abut_pose from = story_pose(s), to = story_pose(s);
    abut_ray ray = {.origin = from.position};
    ray.translation =
        (abut_vec3){to.position.x - from.position.x, to.position.y - from.position.y, to.position.z - from.position.z};
    const uint32_t what = rng_below(&s->r, 8);
    if (what == 0) {
        ray.translation.x = ray.translation.z = 0;
    } else if (what == 1) {
        ray.translation = (abut_vec3){0, 0, 0};
    } else if (what == 2) {
        ray.translation = (abut_vec3){ray.translation.x * 100, ray.translation.y * 100, ray.translation.z * 100};
    }
    if (rng_chance(&s->r, 0.2)) {
        ray.ignore[0] = story_body(s);
        ray.ignore[1] = story_body(s);
    }
    return ray;
}

static void ask_rays(story *s) {
    static abut_ray ray[MANY];
    static abut_hit hit[ROOM + MANY];
    static uint8_t blocked[MANY];
    whom w;
    const uint32_t n = rng_chance(&s->r, 0.2) ? MANY : rng_below(&s->r, 20);
    for (uint32_t k = 0; k < n; k++) {
        ray[k] = make_ray(s);
    }
    const abut_query *query = make_query(s, &w, true);
    memset(hit, 0, sizeof hit);
    memset(blocked, 7, sizeof blocked);
    answer(s, abut_world_cast_rays(s->world, ray, n, query, hit));
    digest_hits(s->digest, hit, n);
    answer(s, abut_world_test_rays(s->world, ray, n, query, blocked));
    digest_bytes(s->digest, blocked, sizeof blocked);
    for (uint32_t k = 0; k < n && k < 6; k++) {
        const size_t room = make_room(s);
        memset(hit, 0, sizeof hit);
        digest_number(s->digest, abut_world_ray_hits(s->world, &ray[k], query, room > 0 ? hit : NULL, room));
        digest_hits(s->digest, hit, room);
    }
}

/* --- shapes --- */

static void ask_shape(story *s) {
    static abut_touching touching[ROOM];
    static abut_near near[ROOM];
    abut_body_id id[ROOM];
    whom w;
    const abut_shape shape = story_shape(s, true);
    const abut_pose pose = story_pose(s);
    const abut_query *query = make_query(s, &w, true);
    const float margin = rng_chance(&s->r, 0.5) ? (float)rng_range(&s->r, 0, 0.5) : 0;
    const float distance = rng_chance(&s->r, 0.5) ? (float)rng_range(&s->r, 0, 3) : INFINITY;
    size_t room = make_room(s);
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
    room = make_room(s);
    n = abut_world_nearest(s->world, &shape, &pose, distance, query, near, room);
    digest_number(s->digest, n);
    digest_nears(s->digest, near, n);
}

static void ask_box(story *s) {
    abut_body_id id[ROOM];
    whom w;
    const abut_pose at = story_pose(s);
    const abut_vec3 half = rng_vec3(&s->r, -0.1, 3);
    abut_aabb box = {at.position, {at.position.x + half.x, at.position.y + half.y, at.position.z + half.z}};
    if (rng_chance(&s->r, 0.1)) {
        box.max.x = INFINITY;
    }
    const abut_query *query = make_query(s, &w, true);
    const size_t room = make_room(s);
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
    whom w;
    const uint32_t n = rng_chance(&s->r, 0.5) ? MANY : rng_below(&s->r, 30), k = rng_below(&s->r, 5);
    for (uint32_t i = 0; i < n; i++) {
        shape[i] = story_shape(s, false);
        pose[i] = story_pose(s);
        point[i] = story_pose(s).position;
    }
    const abut_query *query = make_query(s, &w, true);
    const size_t room = rng_below(&s->r, 8 * MANY);
    memset(id, 0, sizeof id);
    memset(near, 0, sizeof near);
    memset(end, 0, sizeof end);
    memset(count, 0, sizeof count);
    answer(s, abut_world_overlaps_many(s->world, shape, pose, n, query, id, room, end));
    for (uint32_t i = 0; i < n; i++) {
        digest_number(s->digest, end[i]);
    }
    digest_words(s->digest, id, sizeof id);
    const float distance = rng_chance(&s->r, 0.5) ? 1.5f : INFINITY;
    answer(s, abut_world_nearest_many(s->world, point, n, distance, query, near, k, count));
    digest_words(s->digest, count, sizeof count);
    digest_nears(s->digest, near, (size_t)n * k);
}

/* --- shapes that move --- */

static void ask_casts(story *s) {
    static abut_cast cast[MANY];
    static abut_hit hit[ROOM + MANY];
    whom w;
    const uint32_t n = rng_chance(&s->r, 0.1) ? MANY / 2 : rng_below(&s->r, 12);
    for (uint32_t k = 0; k < n; k++) {
        const abut_ray ray = make_ray(s);
        cast[k] = (abut_cast){.shape = story_shape(s, false), .translation = ray.translation};
        cast[k].from = story_pose(s);
        cast[k].ignore[0] = ray.ignore[0];
        cast[k].ignore[1] = ray.ignore[1];
    }
    const abut_query *query = make_query(s, &w, true);
    memset(hit, 0, sizeof hit);
    answer(s, abut_world_cast_shapes(s->world, cast, n, query, hit));
    digest_hits(s->digest, hit, n);
    for (uint32_t k = 0; k < n && k < 4; k++) {
        const size_t room = make_room(s);
        memset(hit, 0, sizeof hit);
        digest_number(s->digest, abut_world_shape_hits(s->world, &cast[k], query, room > 0 ? hit : NULL, room));
        digest_hits(s->digest, hit, room);
    }
}

/* Of some bodies, to places nearby or far; parts of one compound among them. */
static void ask_sweep(story *s) {
    static abut_body_id id[STORY_BODIES];
    static abut_pose to[STORY_BODIES];
    static abut_hit hit[STORY_BODIES];
    whom w;
    const double share = rng_chance(&s->r, 0.3) ? 0.7 : 0.08;
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (!rng_chance(&s->r, share)) {
            continue;
        }
        id[n] = s->id[k];
        (void)abut_body_get_pose(s->world, id[n], &to[n]);
        const abut_vec3 by = rng_vec3(&s->r, -1, 1);
        const bool turns = rng_chance(&s->r, 0.3);
        to[n].position = (abut_vec3){to[n].position.x + by.x, to[n].position.y + by.y, to[n].position.z + by.z};
        to[n].rotation = turns ? wild_rotation(&s->r) : to[n].rotation;
        n++;
    }
    const abut_query *query = make_query(s, &w, true);
    memset(hit, 0, sizeof hit);
    answer(s, abut_world_sweep(s->world, id, to, n, query, hit));
    digest_hits(s->digest, hit, n);
}

/* --- worlds --- */

static void ask(story *s, uint32_t kind) {
    switch (kind % 6) {
    case 0:
        ask_rays(s);
        break;
    case 1:
        ask_shape(s);
        break;
    case 2:
        ask_box(s);
        break;
    case 3:
        ask_many(s);
        break;
    case 4:
        ask_casts(s);
        break;
    default:
        ask_sweep(s);
        break;
    }
}

/* Questions of one kind, to a world that changes meanwhile. */
static void ask_worlds(uint64_t *digest, uint32_t kind, uint32_t questions, const abut_world_def *def) {
    static story s;
    for (uint32_t k = 0; k < KINDS; k++) {
        story_begin(&s, def, &shapes, &kinds[k], 10 * kind + k, digest);
        story_create(&s, 110);
        for (uint32_t q = 0; q < questions; q++) {
            s.kind = k == 4 ? &asking_on_grid : &asking;
            s.wrong = s.kind->wrong / (kind == 3 ? 20 : 1);
            ask(&s, kind);
            s.kind = &kinds[k];
            s.wrong = s.kind->wrong;
            if (q % 4 == 3) {
                story_move(&s, q % 8 == 3 ? 0.1 : 0.5);
                story_change(&s);
            }
        }
        story_end(&s);
    }
}

static void rays(uint64_t *digest) {
    ask_worlds(digest, 0, 24, NULL);
}

static void one_shape(uint64_t *digest) {
    ask_worlds(digest, 1, 60, NULL);
}

static void boxes(uint64_t *digest) {
    ask_worlds(digest, 2, 40, NULL);
}

static void many_shapes(uint64_t *digest) {
    ask_worlds(digest, 3, 5, NULL);
}

static void casts(uint64_t *digest) {
    ask_worlds(digest, 4, 20, NULL);
}

static void sweeps(uint64_t *digest) {
    ask_worlds(digest, 5, 24, NULL);
}

/* On the caller, the first or the last task does everything. */
static void side_by_side(uint64_t *digest) {
    for (uint32_t kind = 0; kind < 6; kind++) {
        schedule order = {.kind = kind % 2 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2 + kind % 2};
        const abut_world_def def = {.parallel = schedule_parallel(&order)};
        ask_worlds(digest, kind, 4, &def);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"rays", rays, UINT64_C(0xe8f24234c73bdb4b)},
        {"one shape", one_shape, UINT64_C(0x59c36a2ccc7a30c4)},
        {"boxes", boxes, UINT64_C(0xeb249b1e16af5292)},
        {"many shapes", many_shapes, UINT64_C(0x0e1585a2140d2404)},
        {"casts", casts, UINT64_C(0x93e40c24cefb9f90)},
        {"sweeps", sweeps, UINT64_C(0x3efdf7dbd10c4897)},
        {"side by side", side_by_side, UINT64_C(0xd85cddd79b3cf70f)},
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
