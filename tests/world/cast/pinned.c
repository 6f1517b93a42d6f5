/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What shapes and bodies meet that move through worlds of every kind of body, and whom `accept` is asked about, in
 * which order, as numbers. Other tests judge the answers; how much is looked at shows only in time, so nothing in it
 * may change unnoticed. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/asked.h"
#include <string.h>

enum { MANY = 400 };

static story_shapes shapes;

static void ask_casts(story *s) {
    static abut_cast cast[MANY];
    static abut_hit hit[ASKED_ROOM + MANY];
    asked_whom w;
    const uint32_t n = rng_chance(&s->r, 0.1) ? MANY / 2 : rng_below(&s->r, 12);
    for (uint32_t k = 0; k < n; k++) {
        const abut_ray ray = asked_ray(s);
        cast[k] = (abut_cast){.shape = story_shape(s, false), .translation = ray.translation};
        cast[k].from = story_pose(s);
        cast[k].ignore[0] = ray.ignore[0];
        cast[k].ignore[1] = ray.ignore[1];
    }
    const abut_query *query = asked_query(s, &w);
    memset(hit, 0, sizeof hit);
    digest_result(s->digest, abut_world_cast_shapes(s->world, cast, n, query, hit));
    digest_hits(s->digest, hit, n);
    for (uint32_t k = 0; k < n && k < 4; k++) {
        const size_t room = asked_room(s);
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
    asked_whom w;
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
    const abut_query *query = asked_query(s, &w);
    memset(hit, 0, sizeof hit);
    digest_result(s->digest, abut_world_sweep(s->world, id, to, n, query, hit));
    digest_hits(s->digest, hit, n);
}

/* --- worlds --- */

static void casts(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 10, 110, 20, 0.004, ask_casts);
}

static void sweeps(uint64_t *digest) {
    asked_worlds(digest, &shapes, NULL, 11, 110, 24, 0.004, ask_sweep);
}

/* On the caller, the first or the last task does everything. */
static void side_by_side(uint64_t *digest) {
    for (uint32_t k = 0; k < 4; k++) {
        schedule order = {.kind = k % 2 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2 + k % 2};
        const abut_world_def def = {.parallel = schedule_parallel(&order)};
        asked_worlds(digest, &shapes, &def, 12 + k, 110, 6, 0.0005, k < 2 ? ask_casts : ask_sweep);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"casts", casts, UINT64_C(0x5a4420c061f03f29)},
        {"sweeps", sweeps, UINT64_C(0x84d830f96e72e1a2)},
        {"side by side", side_by_side, UINT64_C(0x4a3a5be08bd77a33)},
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
