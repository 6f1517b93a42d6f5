/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two worlds with one history, of which one is asked between any two calls: whatever a step reports is the same. */

#include "world/cast/judge.h"

typedef struct heard {
    size_t count;
    uint64_t sum; /* of what was heard, in its order */
} heard;

static void hear(const abut_contact *contact, void *user) {
    heard *h = user;
    h->count++;
    h->sum = h->sum * 31 + contact->a.index1 * UINT64_C(1000003) + contact->b.index1 + (uint64_t)contact->phase;
}

static void check_lists(const subject *s, const abut_world *twin) {
    size_t n, m;
    const abut_contact *a = contacts_of(s->world, &n), *b = contacts_of(twin, &m);
    check_case(n == m && bits_equal(a, b, n * sizeof *a), "contacts", s->stream, s->step);
    a = events_of(s->world, &n);
    b = events_of(twin, &m);
    check_case(n == m && bits_equal(a, b, n * sizeof *a), "events", s->stream, s->step);
    check_case(abut_world_hash(s->world) == abut_world_hash(twin), "hash", s->stream, s->step);
}

static void step_both(const subject *s, abut_world *twin) {
    heard one = {0}, other = {0};
    const abut_listener first = {hear, hear, hear, &one}, second = {hear, hear, hear, &other};
    abut_step_report a, b;
    abut_result result = abut_world_step(s->world, &first, &a);
    check_case(abut_world_step(twin, &second, &b) == result, "result of a step", s->stream, s->step);
    check_case(one.count == other.count && one.sum == other.sum, "what listeners hear", s->stream, s->step);
    if (result == ABUT_OK) {
        check_case(a.bodies == b.bodies && a.moved == b.moved && a.candidates == b.candidates &&
                       a.contacts == b.contacts && a.begun == b.begun && a.ended == b.ended,
                   "report of a step", s->stream, s->step);
    }
    check_lists(s, twin);
}

/* The same change of both worlds. */
static void change_both(subject *s, abut_world *twin) {
    rng *r = &s->r;
    abut_body_id id = subject_any(s);
    const abut_shape shape = subject_shape(s);
    const abut_filter filter = {1 + rng_below(r, 3), 1 + rng_below(r, 3), 0};
    abut_pose pose = {.position = subject_spot(s), .rotation = rng_rotation(r)};
    const abut_body_def def = {.pose = pose,
                               .half = shape.half,
                               .hull = shape.hull,
                               .radius = shape.radius,
                               .parent = rng_chance(r, 0.2) && abut_body_is_valid(twin, id) ? id : (abut_body_id){0}};
    abut_body_id a = {0}, b = {0};
    abut_result x, y;
    switch (rng_below(r, 10)) {
    case 0:
        x = abut_body_set_shape(s->world, id, &shape, NULL), y = abut_body_set_shape(twin, id, &shape, NULL);
        break;
    case 1:
        x = abut_body_set_filter(s->world, id, &filter), y = abut_body_set_filter(twin, id, &filter);
        break;
    case 2:
        x = abut_body_destroy(s->world, id), y = abut_body_destroy(twin, id);
        break;
    case 3:
    case 4:
    case 5:
        x = abut_body_create(s->world, &def, &a), y = abut_body_create(twin, &def, &b);
        if (x == ABUT_OK && s->id_count < SUBJECT_MOST) {
            s->id[s->id_count++] = a;
        }
        break;
    case 6:
        x = abut_world_refresh(s->world), y = ABUT_OK; /* of one only */
        break;
    default:
        x = abut_body_set_pose(s->world, id, &pose), y = abut_body_set_pose(twin, id, &pose);
        break;
    }
    check_case(x == y && abut_body_id_equal(a, b), "result of a change", s->stream, s->step);
}

static void ask_something(subject *s) {
    static const judge all[5] = {judge_rays, judge_shapes, judge_nearest, judge_casts, judge_sweeps};
    if (rng_chance(&s->r, 0.7)) {
        all[rng_below(&s->r, 5)](s);
    }
}

static void questions_change_nothing_that_a_step_reports(void **state) {
    (void)state;
    for (unsigned long round = 0; round < test_count(2 * WORLD_KINDS); round++) {
        subject s;
        subject_begin(&s, (world_kind)(round % WORLD_KINDS), 60000000 + round);
        s.scale = 1;
        abut_world_destroy(&s.world);
        abut_world_def def = {.contact_margin = round % 3 ? 0 : 0.2f, .allocator = failing_allocator_of(&s.books)};
        s.world = make_world(&def);
        def.allocator = (abut_allocator){0};
        abut_world *twin = make_world(&def);
        for (s.step = 0; s.step < 120; s.step++) {
            subject_read(&s);
            for (uint32_t i = rng_below(&s.r, s.step % 40 ? 3 : 100); i > 0; i--) {
                change_both(&s, twin);
            }
            ask_something(&s);
            if (rng_chance(&s.r, 0.6)) {
                step_both(&s, twin);
            }
        }
        assert_int_equal(abut_world_validate(s.world), ABUT_OK);
        abut_world_destroy(&twin);
        subject_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_change_nothing_that_a_step_reports),
    };
    return test_run(tests);
}
