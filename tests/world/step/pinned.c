/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Lives of worlds as numbers: what every call answers, and all that the world holds afterwards. Other tests judge the
 * answers; whether a step takes the short way, where lists are kept and when they are made shows only in time and
 * memory, so nothing in it may change unnoticed. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/inside.h"
#include "world/story.h"

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 3, .wrong = 0.01}, /* boxes */
    {.extent = 2.5,
     .wrong = 0.01,
     .round = 0.2,
     .hulls = 0.3,
     .meshes = 0.06,
     .filtered = 0.2,
     .attached = 0.2,
     .coarse = 0.2,
     .bounds_only = 0.5},
    {.extent = 2.5, .round = 0.3, .hulls = 0.4},
    {.extent = 3, .meshes = 0.12, .hulls = 0.2},
    {.extent = 3, .coarse = 1, .bounds_only = 1}, /* bounds alone */
    {.extent = 3, .coarse = 0.8, .bounds_only = 0.3, .wrong = 0.05},
    {.extent = 3, .filtered = 0.8, .wrong = 0.02},
    {.extent = 2.5, .attached = 0.7, .wrong = 0.02},
    {.extent = 2.5, .aligned = true, .wrong = 0.01},
    {.extent = 3, .coarse = 1, .bounds_only = 1, .filtered = 0.5, .attached = 0.2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Steps after many changes, after a few, after some that change no bit, and after none. */
static void live(story *s, uint32_t bodies, uint32_t steps) {
    story_create(s, bodies / 2);
    story_create(s, bodies - bodies / 2);
    for (uint32_t k = 0; k < steps; k++) {
        const uint32_t how = rng_below(&s->r, 6);
        const uint32_t calls = how == 0 ? 12 : how < 4 ? rng_below(&s->r, 3) : 0;
        for (uint32_t call = 0; call < calls; call++) {
            story_change(s);
            if (rng_chance(&s->r, 0.25)) {
                digest_inside(s->digest, s->world);
            }
        }
        story_step(s);
        if (how == 5) {
            story_step(s);
            story_read(s);
        }
    }
    story_end(s);
}

static void tell(uint64_t *digest, const abut_world_def *def, uint32_t kind, uint32_t bodies, uint32_t steps) {
    static story s;
    story_begin(&s, def, &shapes, &kinds[kind % KINDS], kind, digest);
    live(&s, bodies, steps);
}

static void plain(uint64_t *digest) {
    for (uint32_t k = 0; k < KINDS; k++) {
        tell(digest, NULL, k, 90, 50);
    }
}

static void with_margin(uint64_t *digest) {
    const abut_world_def def = {.contact_margin = 0.25f, .body_capacity = 20, .pair_capacity = 100};
    for (uint32_t k = 0; k < KINDS; k++) {
        tell(digest, &def, k, 60, 30);
    }
}

static void of_fixed_capacity(uint64_t *digest) {
    abut_world_def def = {.fixed_capacity = true, .up = {0, 0, 2}};
    for (uint32_t k = 0; k < KINDS; k++) {
        def.body_capacity = 50 + 5 * k;
        def.pair_capacity = 250 + 50 * k;
        tell(digest, &def, k, 50, 30);
    }
}

/* Room for fewer candidates than there are, for just as many, and for more. */
static void of_exact_capacity(uint64_t *digest) {
    static const story_kind dense = {.extent = 0.8}, resting = {.extent = 1.2, .coarse = 0.5};
    static story s;
    abut_world_def def = {.fixed_capacity = true, .body_capacity = 14};
    for (def.pair_capacity = 30; def.pair_capacity < 92; def.pair_capacity++) {
        story_begin(&s, &def, &shapes, def.pair_capacity % 2 ? &dense : &resting, 17, digest);
        story_create(&s, 14);
        for (int step = 0; step < 5; step++) {
            story_step(&s);
            story_move(&s, step < 3 ? 0.15 : 1);
        }
        story_end(&s);
    }
}

static void of_few_bodies(uint64_t *digest) {
    for (uint32_t k = 0; k < 2 * KINDS; k++) {
        const abut_world_def def = {.fixed_capacity = true, .body_capacity = 1 + k % 11, .pair_capacity = k % 17};
        tell(digest, NULL, k, 1 + k % 7, 30);
        tell(digest, &def, k, 1 + k % 7, 30);
    }
}

/* Long rest, in which bodies are put to rest, and wake now and then. */
static void at_rest(uint64_t *digest) {
    static story s;
    for (uint32_t k = 0; k < KINDS; k++) {
        story_begin(&s, NULL, &shapes, &kinds[k], 100 + k, digest);
        story_create(&s, 110);
        for (uint32_t step = 0; step < 40; step++) {
            story_step(&s);
            if (step % 5 == 4) {
                story_move(&s, step % 4 == 0 ? 0.02 : 0.1);
            } else if (step % 7 == 6) {
                story_change(&s);
            }
        }
        story_end(&s);
    }
}

/* --- a filter of the caller --- */

typedef struct asked {
    uint64_t *digest;
    abut_world *world;
} asked;

static bool should_collide(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    const asked *to = user;
    const uint64_t mixed = (user_a ^ user_b) + a.index1;
    digest_number(to->digest, abut_body_id_pack(a));
    digest_number(to->digest, abut_body_id_pack(b));
    digest_number(to->digest, user_a ^ user_b);
    if (to->world && mixed % 16 == 0) { /* what may be called meanwhile, and what may not */
        size_t n = 0;
        (void)abut_world_contacts(to->world, &n);
        digest_number(to->digest, n);
        (void)abut_world_events(to->world, &n);
        digest_number(to->digest, n);
        digest_number(to->digest, (uint64_t)(int64_t)abut_body_set_user(to->world, a, 1));
        digest_number(to->digest, (uint64_t)(int64_t)abut_world_step(to->world, NULL, NULL));
    }
    return mixed % 4 != 0;
}

static void with_filter(uint64_t *digest) {
    static story s;
    asked to = {.digest = digest};
    const abut_world_def def = {.should_collide = should_collide, .user = &to};
    for (uint32_t k = 0; k < KINDS; k++) {
        story_begin(&s, &def, &shapes, &kinds[k], 200 + k, digest);
        to.world = s.world;
        live(&s, 60, 30);
    }
}

/* --- workers: on the caller, the first or the last task does everything --- */

static void side_by_side(uint64_t *digest) {
    for (uint32_t k = 0; k < KINDS; k++) {
        schedule order = {.kind = k % 2 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2 + k % 3};
        const abut_world_def def = {.parallel = schedule_parallel(&order), .contact_margin = k % 3 == 0 ? 0.125f : 0};
        tell(digest, &def, k, 140, 14);
    }
}

/* More candidates than a wave of the most workers takes. */
static void many_workers(uint64_t *digest) {
    static const story_kind dense = {.extent = 0.3};
    static story s;
    schedule order = {.kind = SCHEDULE_ASCENDING, .workers = ABUT_WORKERS_MAX};
    const abut_world_def def = {.parallel = schedule_parallel(&order)};
    story_begin(&s, &def, &shapes, &dense, 300, digest);
    story_create(&s, 170);
    story_step(&s);
    story_move(&s, 0.9);
    story_step(&s);
    story_end(&s);
}

static void side_by_side_and_fixed(uint64_t *digest) {
    for (uint32_t k = 0; k < KINDS; k++) {
        schedule order = {.kind = k % 2 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = 2};
        asked to = {.digest = digest};
        const abut_world_def def = {.parallel = schedule_parallel(&order),
                                    .body_capacity = 160,
                                    .pair_capacity = 3000,
                                    .fixed_capacity = true,
                                    .should_collide = k % 2 ? should_collide : NULL,
                                    .user = &to};
        tell(digest, &def, k, 140, 10);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"plain", plain, UINT64_C(0x00e85900fbe2584a)},
        {"with margin", with_margin, UINT64_C(0x91e738cb3cfe12e1)},
        {"of fixed capacity", of_fixed_capacity, UINT64_C(0xdde901ccd361e561)},
        {"of exact capacity", of_exact_capacity, UINT64_C(0x0cd5b6aa86f1be4e)},
        {"of few bodies", of_few_bodies, UINT64_C(0xd923d1fdfdd7f544)},
        {"at rest", at_rest, UINT64_C(0x8313994d681c5f25)},
        {"with filter", with_filter, UINT64_C(0xe94238b438685ecf)},
        {"side by side", side_by_side, UINT64_C(0xab6be574752359b0)},
        {"many workers", many_workers, UINT64_C(0x0929082584a8614b)},
        {"side by side and fixed", side_by_side_and_fixed, UINT64_C(0xd0cbb3e811334753)},
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
