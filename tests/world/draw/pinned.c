/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All that is drawn of worlds of every kind of body, in its order, as numbers. */
#include "support/test.h"
#include "world/story.h"
#include <math.h>

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 2.5},
    {.extent = 2.5, .round = 0.3, .hulls = 0.3, .meshes = 0.1, .filtered = 0.4, .attached = 0.3, .coarse = 0.3},
    {.extent = 2, .round = 0.9},
    {.extent = 3, .aligned = true, .filtered = 0.2, .coarse = 0.5, .bounds_only = 0.5},
    {.extent = 3, .meshes = 0.3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void digest_item(uint64_t *digest, const abut_draw_item *item) {
    digest_number(digest, (uint64_t)item->kind << 8 | (uint64_t)item->motion);
    digest_number(digest, abut_body_id_pack(item->body));
    digest_number(digest, abut_body_id_pack(item->other));
    digest_number(digest, item->user);
    digest_number(digest, item->user_other);
    digest_number(digest, item->contact ? item->contact->previous1 + UINT64_C(1) : 0);
    digest_number(digest, item->index);
}

static void on_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    digest_vec3(user, from);
    digest_vec3(user, to);
    digest_item(user, item);
}

static void on_point(abut_vec3 position, const abut_draw_item *item, void *user) {
    digest_vec3(user, position);
    digest_item(user, item);
}

static void on_box(const abut_obb *box, const abut_draw_item *item, void *user) {
    digest_words(user, box, sizeof *box);
    digest_item(user, item);
}

/* A camera, or a box; cameras may see without end. */
static void make_frustum(story *s, abut_frustum *frustum) {
    const abut_pose at = story_pose(s);
    const abut_obb box = {at.position, at.rotation, {2, 3, 4}};
    const float far = rng_chance(&s->r, 0.5) ? INFINITY : 10;
    assert_int_equal(rng_chance(&s->r, 0.7) ? abut_frustum_camera(&at, 0.25f, 0.125f, 0.5f, far, frustum)
                                            : abut_frustum_orthographic(&box, frustum),
                     ABUT_OK);
}

static void draw(story *s) {
    abut_frustum frusta[3];
    static const float lengths[] = {0, 0, 0.5f, 3e38f};
    const abut_filter filter = story_filter(s);
    abut_draw to = {.user = s->digest, .frusta = frusta};
    to.line = rng_chance(&s->r, 0.9) ? on_line : NULL;
    to.point = rng_chance(&s->r, 0.7) ? on_point : NULL;
    to.box = rng_chance(&s->r, 0.3) ? on_box : NULL;
    to.kinds = rng_chance(&s->r, 0.4) ? 0 : rng_chance(&s->r, 0.2) ? 1u << ABUT_DRAW_CANDIDATE : rng_below(&s->r, 32);
    to.normal_length = lengths[rng_below(&s->r, 4)];
    to.frustum_length = lengths[rng_below(&s->r, 4)];
    to.filter = rng_chance(&s->r, 0.3) ? &filter : NULL;
    to.frustum_count = rng_below(&s->r, 4);
    for (uint32_t k = 0; k < 3; k++) {
        make_frustum(s, &frusta[k]);
    }
    digest_number(s->digest, (uint64_t)(int64_t)abut_world_draw(s->world, &to));
}

static void draw_worlds(uint64_t *digest, uint32_t bodies, uint32_t rounds, float margin) {
    static story s;
    const abut_world_def def = {.contact_margin = margin};
    for (uint32_t k = 0; k < KINDS; k++) {
        story_begin(&s, &def, &shapes, &kinds[k], bodies + k, digest);
        story_create(&s, bodies);
        for (uint32_t round = 0; round < rounds; round++) {
            draw(&s);
            if (round % 3 == 0) {
                story_step(&s);
            } else {
                story_move(&s, 0.1);
                story_change(&s);
            }
        }
        story_end(&s);
    }
}

static void worlds(uint64_t *digest) {
    draw_worlds(digest, 0, 10, 0);
    draw_worlds(digest, 1, 16, 0);
    draw_worlds(digest, 2, 16, 0);
    draw_worlds(digest, 12, 80, 0.25f);
    draw_worlds(digest, 60, 50, 0);
}

static void count_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)from;
    (void)to;
    digest_number(user, (uint64_t)item->body.index1 << 32 | item->other.index1);
}

/* One body near more others than are drawn at a time. */
static void crowds(uint64_t *digest) {
    abut_world *world;
    abut_body_id id;
    rng r = rng_make(41, 0);
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    for (uint32_t k = 0; k < 2600; k++) {
        const abut_vec3 at = rng_vec3(&r, -100, 100);
        const bool wide = k == 3 || k == 1400;
        const float half = wide ? 101 : 0.5f;
        const abut_body_def def = {.pose = {at, {0, 0, 0, 1}}, .half = {half, half, half}};
        assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    }
    const abut_draw to = {.line = count_line, .user = digest, .kinds = 1u << ABUT_DRAW_CANDIDATE};
    digest_number(digest, (uint64_t)(int64_t)abut_world_draw(world, &to));
    abut_world_destroy(&world);
}

static void wrong_arguments(uint64_t *digest) {
    static story s;
    const abut_filter wrong = {.category = ABUT_MASK_NONE};
    const abut_draw draws[] = {
        {.kinds = 32},          {.kinds = 31},           {.normal_length = -1}, {.normal_length = INFINITY},
        {.frustum_length = -1}, {.frustum_length = NAN}, {.filter = &wrong},    {.frustum_count = 1},
    };
    story_begin(&s, NULL, &shapes, &kinds[0], 5, digest);
    story_create(&s, 10);
    for (size_t k = 0; k < sizeof draws / sizeof *draws; k++) {
        digest_number(digest, (uint64_t)(int64_t)abut_world_draw(s.world, &draws[k]));
    }
    digest_number(digest, (uint64_t)(int64_t)abut_world_draw(s.world, NULL));
    digest_number(digest, (uint64_t)(int64_t)abut_world_draw(NULL, &draws[1]));
    story_end(&s);
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"worlds", worlds, UINT64_C(0x8f2ba07ee2b902e3)},
        {"crowds", crowds, UINT64_C(0x6921888e097c10e5)},
        {"wrong arguments", wrong_arguments, UINT64_C(0xb0f0f9818c1e60ed)},
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
