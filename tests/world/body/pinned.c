/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Batches of thousands of bodies, by one worker and by several, and batches of none, as numbers: what calls answer, and
 * all that the world holds afterwards. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/inside.h"
#include "world/story.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 5000 };

static story_shapes shapes;

typedef struct crowd {
    story s; /* makes definitions */
    uint64_t *digest;
    abut_body_def def[BODIES];
    abut_body_id id[BODIES];
    abut_pose pose[BODIES];
} crowd;

static void answer(const crowd *c, abut_result result) {
    digest_number(c->digest, (uint64_t)(int64_t)result);
    digest_inside(c->digest, c->s.world);
}

/* --- changes of poses --- */

static void nudge_all(crowd *c) {
    for (uint32_t k = 0; k < BODIES; k++) {
        const abut_vec3 by = rng_vec3(&c->s.r, -0.25, 0.25);
        const bool moves = rng_chance(&c->s.r, 0.9);
        abut_vec3 *at = &c->pose[k].position;
        *at = moves ? (abut_vec3){at->x + by.x, at->y + by.y, at->z + by.z} : *at;
    }
}

static void exchange(crowd *c, uint32_t a, uint32_t b) {
    const abut_body_id id = c->id[a];
    const abut_pose pose = c->pose[a];
    c->id[a] = c->id[b];
    c->pose[a] = c->pose[b];
    c->id[b] = id;
    c->pose[b] = pose;
}

static void set(crowd *c, uint32_t n) {
    size_t bad = 77777;
    answer(c, abut_bodies_set_poses_strided(c->s.world, c->id, 0, c->pose, 0, n, &bad));
    digest_number(c->digest, bad);
}

/* One element is wrong: an id, a number, a place. */
static void set_wrong(crowd *c, uint32_t at) {
    const abut_body_id id = c->id[at];
    const abut_pose pose = c->pose[at];
    c->id[at].generation++;
    set(c, BODIES);
    c->id[at] = id;
    c->pose[at].rotation.y = NAN;
    set(c, BODIES);
    c->pose[at] = pose;
    c->pose[at].position.z = 1.5e9f;
    set(c, BODIES);
    c->pose[at] = pose;
}

static void move_all(crowd *c) {
    static const uint32_t counts[] = {BODIES, 2047, 2048, 2049, 4096, 4097, BODIES};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        nudge_all(c);
        if (k == 3) { /* no longer in order */
            exchange(c, 2050, 5);
        } else if (k == 5) { /* the same body twice */
            c->id[4000] = c->id[4001];
        }
        set(c, counts[k]);
        digest_number(c->digest, (uint64_t)(int64_t)abut_world_step(c->s.world, NULL, NULL));
        digest_inside(c->digest, c->s.world);
    }
}

/* --- lives --- */

static void make_defs(crowd *c, const story_kind *kind) {
    for (uint32_t k = 0; k < BODIES; k++) {
        c->def[k] = story_def(&c->s);
        c->def[k].half.x += 0x1p-6f;              /* no points */
        if (kind->attached > 0 && k % 50 == 49) { /* parents must exist before */
            c->def[k].parent = c->id[0];
        }
        c->pose[k] = c->def[k].pose;
    }
}

static void read_all(crowd *c) {
    static abut_aabb bounds[BODIES];
    answer(c, abut_bodies_get_poses(c->s.world, c->id, c->pose, BODIES));
    digest_words(c->digest, c->pose, sizeof c->pose);
    answer(c, abut_bodies_get_world_poses(c->s.world, c->id, c->pose, BODIES));
    digest_words(c->digest, c->pose, sizeof c->pose);
    answer(c, abut_bodies_get_bounds(c->s.world, c->id, bounds, BODIES));
    digest_words(c->digest, bounds, sizeof bounds);
}

static void live(uint64_t *digest, const story_kind *kind, const abut_world_def *def, uint64_t stream) {
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    story_begin(&c->s, def, &shapes, kind, stream, digest);
    c->digest = digest;
    make_defs(c, kind);
    if (kind->attached > 0) {
        answer(c, abut_body_create(c->s.world, &c->def[0], &c->id[0]));
        make_defs(c, kind);
    }
    c->def[4321].motion = (abut_motion)7;
    answer(c, abut_bodies_create(c->s.world, c->def, BODIES, c->id));
    c->def[4321].motion = ABUT_MOVING;
    answer(c, abut_bodies_create(c->s.world, c->def, BODIES, c->id));
    digest_words(digest, c->id, sizeof c->id);
    move_all(c);
    set_wrong(c, 4444);
    read_all(c);
    answer(c, abut_world_refresh(c->s.world));
    answer(c, abut_world_shift(c->s.world, (abut_vec3){1, 2, -0.5f}));
    answer(c, abut_bodies_destroy(c->s.world, c->id + 100, 1500));
    answer(c, abut_bodies_destroy(c->s.world, c->id + 1000, 1500));
    answer(c, abut_world_step(c->s.world, NULL, NULL));
    answer(c, abut_bodies_create(c->s.world, c->def, 300, c->id));
    answer(c, abut_world_step(c->s.world, NULL, NULL));
    story_end(&c->s);
    free(c);
}

static const story_kind boxes = {.extent = 30};
static const story_kind others = {.extent = 30, .round = 0.05, .hulls = 0.05, .meshes = 0.01, .filtered = 0.1};
static const story_kind attached = {.extent = 30, .attached = 0.001, .coarse = 0.2, .bounds_only = 0.5};

static void alone(uint64_t *digest) {
    live(digest, &boxes, NULL, 1);
    live(digest, &attached, NULL, 2);
}

static void side_by_side(uint64_t *digest) {
    const story_kind *const kinds[] = {&boxes, &others, &attached};
    for (uint32_t k = 0; k < 3; k++) {
        schedule order = {.kind = k == 1 ? SCHEDULE_DESCENDING : SCHEDULE_ASCENDING, .workers = 2 + k};
        const abut_world_def def = {.parallel = schedule_parallel(&order), .contact_margin = k == 1 ? 0.125f : 0};
        live(digest, kinds[k], &def, 3 + k);
    }
}

/* --- small lives: many changes, few steps --- */

static const story_kind kinds[] = {
    {.extent = 3, .wrong = 0.01},
    {.extent = 3,
     .wrong = 0.01,
     .round = 0.2,
     .hulls = 0.2,
     .meshes = 0.05,
     .filtered = 0.3,
     .attached = 0.4,
     .coarse = 0.3},
    {.extent = 3, .wrong = 0.02, .filtered = 0.9},
    {.extent = 3, .wrong = 0.02, .attached = 0.9},
    {.extent = 4e8, .wrong = 0.02, .attached = 0.5},
};

static void small(uint64_t *digest) {
    static story s;
    for (uint32_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; k++) {
        const abut_world_def def = {.fixed_capacity = k % 4 == 3, .body_capacity = 60, .pair_capacity = 900};
        story_begin(&s, &def, &shapes, &kinds[k / 2], k, digest);
        story_create(&s, 20);
        story_create(&s, 20);
        for (uint32_t change = 0; change < 260; change++) {
            story_change(&s);
            if (change % 8 == 7) {
                digest_inside(digest, s.world);
            }
            if (change % 20 == 19) {
                story_step(&s);
                story_read(&s);
            }
        }
        story_end(&s);
    }
}

/* --- batches of none --- */

static void none(uint64_t *digest) {
    const abut_world_def defs[] = {{.contact_margin = 0}, {.fixed_capacity = true}, {.body_capacity = 1}};
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        abut_world *world;
        abut_body_id id;
        size_t end = 9;
        const abut_body_def def = {.half = {1, 1, 1}};
        assert_int_equal(abut_world_create(&defs[k], &world), ABUT_OK);
        for (int bodies = 0; bodies < 2; bodies++) {
            const abut_result results[] = {abut_bodies_create(world, NULL, 0, NULL),
                                           abut_bodies_destroy(world, NULL, 0),
                                           abut_bodies_set_poses(world, NULL, NULL, 0),
                                           abut_bodies_set_poses_strided(world, NULL, 0, NULL, 0, 0, &end),
                                           abut_bodies_get_poses(world, NULL, NULL, 0),
                                           abut_bodies_get_world_poses(world, NULL, NULL, 0),
                                           abut_bodies_get_bounds(world, NULL, NULL, 0),
                                           abut_world_sweep(world, NULL, NULL, 0, NULL, NULL),
                                           abut_world_cast_rays(world, NULL, 0, NULL, NULL),
                                           abut_world_cast_shapes(world, NULL, 0, NULL, NULL),
                                           abut_world_overlaps_many(world, NULL, NULL, 0, NULL, NULL, 0, NULL),
                                           abut_world_nearest_many(world, NULL, 0, 1, NULL, NULL, 0, NULL)};
            for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
                digest_number(digest, (uint64_t)(int64_t)results[i]);
            }
            digest_number(digest, end);
            digest_inside(digest, world);
            digest_number(digest, (uint64_t)(int64_t)abut_body_create(world, &def, &id));
        }
        abut_world_destroy(&world);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"alone", alone, UINT64_C(0x08785e4251248a43)},
        {"side by side", side_by_side, UINT64_C(0x05d29fcc75612eb9)},
        {"small", small, UINT64_C(0x074e9b105f64719e)},
        {"none", none, UINT64_C(0xd0ee8ce75c8a5520)},
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
