/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What may be placed in worlds of every kind of body, and why not, as numbers. */
#include "support/schedules.h"
#include "support/test.h"
#include "world/story.h"
#include <math.h>
#include <string.h>

enum { PLOTS = 300, IGNORED = 40 };

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 6, .wrong = 0.0002},
    {.extent = 4, .round = 0.3, .hulls = 0.3, .meshes = 0.1, .filtered = 0.4, .attached = 0.4, .wrong = 0.0002},
    {.extent = 8, .aligned = true, .filtered = 0.2, .wrong = 0.0002},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static abut_obb2 make_plot(story *s) {
    const abut_vec3 at = story_pose(s).position, axis = rng_vec3(&s->r, -1, 1), half = wild_half(&s->r, 1);
    if (s->kind->aligned) {
        const float side = 0.5f * (float)rng_below(&s->r, 5);
        return (abut_obb2){{at.x, at.z}, {rng_chance(&s->r, 0.5) ? 1.0f : 0.0f, 0}, {side, 1}};
    }
    return (abut_obb2){{at.x, at.z}, {axis.x, axis.z}, {half.x, half.z}};
}

static void digest_answers(uint64_t *digest, const abut_placement *answer, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, answer[k].free);
        digest_number(digest, answer[k].blocker_count);
        digest_number(digest, abut_body_id_pack(answer[k].first_blocker));
        digest_words(digest, &answer[k].push, sizeof answer[k].push);
    }
}

static void place(story *s) {
    static abut_obb2 plot[PLOTS];
    static abut_placement answer[PLOTS];
    abut_body_id ignored[IGNORED];
    static const float clearances[] = {0, 0, 0.5f, 0.3f};
    abut_placement_rules rules = {.touch = (abut_touch)rng_below(&s->r, 2)};
    const uint32_t n = rng_chance(&s->r, 0.3) ? PLOTS : rng_below(&s->r, 70);
    rules.clearance = clearances[rng_below(&s->r, 4)];
    rules.ignore = ignored;
    rules.ignore_count = rng_chance(&s->r, 0.5) ? rng_below(&s->r, IGNORED + 1) : 0;
    for (uint32_t k = 0; k < rules.ignore_count; k++) {
        ignored[k] = story_body(s);
        ignored[k].generation += rng_chance(&s->r, 0.1);
    }
    if (rng_chance(&s->r, 0.4)) {
        rules.filter = story_filter(s);
    }
    for (uint32_t k = 0; k < n; k++) {
        plot[k] = make_plot(s);
    }
    memset(answer, 0, sizeof answer);
    const bool with_rules = rng_chance(&s->r, 0.8);
    digest_number(s->digest,
                  (uint64_t)(int64_t)abut_world_test_placements(s->world, plot, n, with_rules ? &rules : NULL, answer));
    digest_answers(s->digest, answer, n);
}

static void place_in_worlds(uint64_t *digest, abut_world_def def, uint32_t bodies, uint32_t rounds) {
    static const abut_vec3 ups[] = {{0, 0, 0}, {0, 0, -3}, {0.5f, 0, 0}, {0, 1, 0}, {0, 1, 1}};
    static story s;
    for (uint32_t k = 0; k < 5 * KINDS; k++) {
        def.up = ups[k % 5];
        story_begin(&s, &def, &shapes, &kinds[k % KINDS], k, digest);
        story_create(&s, bodies);
        for (uint32_t round = 0; round < rounds; round++) {
            place(&s);
            story_move(&s, 0.2);
            story_change(&s);
        }
        story_end(&s);
    }
}

static void one_by_one(uint64_t *digest) {
    place_in_worlds(digest, (abut_world_def){.body_capacity = 10}, 60, 16);
    place_in_worlds(digest, (abut_world_def){.body_capacity = 300}, 250, 5);
}

static void side_by_side(uint64_t *digest) {
    schedule order = {.kind = SCHEDULE_DESCENDING, .workers = 2};
    place_in_worlds(digest, (abut_world_def){.parallel = schedule_parallel(&order)}, 60, 6);
}

static void refuse(uint64_t *digest, const abut_world *world, const abut_obb2 *plot,
                   const abut_placement_rules *rules) {
    abut_placement answer = {.free = false};
    digest_number(digest, (uint64_t)(int64_t)abut_world_test_placements(world, plot, 1, rules, &answer));
    digest_answers(digest, &answer, 1);
}

static void wrong_arguments(uint64_t *digest) {
    static const abut_placement_rules rules[] = {
        {.touch = (abut_touch)2}, {.clearance = -1}, {.clearance = INFINITY}, {.filter = {.category = ABUT_MASK_NONE}},
        {.ignore_count = 1},      {.clearance = 0},  {.clearance = NAN},
    };
    const abut_obb2 plot[] = {{{0, 0}, {1, 0}, {1, 1}}, {{NAN, 0}, {1, 0}, {1, 1}}, {{0, 0}, {0, 0}, {1, -1}}};
    static story s;
    story_begin(&s, NULL, &shapes, &kinds[0], 9, digest);
    story_create(&s, 20);
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        refuse(digest, s.world, &plot[0], &rules[k]);
    }
    for (size_t k = 0; k < sizeof plot / sizeof *plot; k++) {
        refuse(digest, s.world, &plot[k], NULL);
    }
    refuse(digest, NULL, plot, NULL);
    refuse(digest, s.world, NULL, NULL);
    digest_number(digest, (uint64_t)(int64_t)abut_world_test_placements(s.world, plot, 1, NULL, NULL));
    digest_number(digest, (uint64_t)(int64_t)abut_world_test_placements(s.world, NULL, 0, NULL, NULL));
    story_end(&s);
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"one by one", one_by_one, UINT64_C(0x679c401c53d61479)},
        {"side by side", side_by_side, UINT64_C(0xd46c331aa2beac16)},
        {"wrong arguments", wrong_arguments, UINT64_C(0xa2a39322391021ae)},
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
