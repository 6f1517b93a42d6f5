/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All answers of a random life have the same bits under every schedule of its loops, and in every floating-point mode
 * of the caller and of the workers, which stays as it was. */
#include "base/workers/fpmode.h"
#include "support/schedules.h"
#include "world/calls.h"

enum { MODES = 6 };

/* Flush to zero and denormals are zeros; the three other directions of rounding; both; the usual one. */
static uint64_t mode_of(int k) {
#if defined(__SSE2__)
    static const uint64_t modes[MODES] = {0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0, 0x1f80};
#elif defined(__aarch64__)
    static const uint64_t modes[MODES] = {1u << 24, 1u << 22, 2u << 22, 3u << 22, 7u << 22, 0};
#else
    static const uint64_t modes[MODES] = {0};
#endif
    return modes[k];
}

static void set_mode(void *mode) {
    abut_control_write(*(uint64_t *)mode);
}

static void check_mode(const uint64_t *mode) {
    uint64_t now = abut_control_read();
    if (mode && (now & ABUT_CONTROL_BITS) != (*mode & ABUT_CONTROL_BITS)) {
        abut_control_write(ABUT_CONTROL_USUAL);
        assert_int_equal(now & ABUT_CONTROL_BITS, *mode);
    }
}

static bool refuse_some(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)user_a, (void)user_b, (void)user;
    return (a.index1 * 31 + b.index1) % 7 != 0;
}

/* The number that stands for all answers. In `mode` if it is not NULL, except where numbers are drawn. */
static uint64_t live(uint64_t stream, uint32_t bodies, double extent, const calls_shapes *shapes, schedule *s,
                     uint64_t *mode) {
    static calls c;
    void (*const call[])(calls *) = {calls_change, calls_step, calls_ask};
    c = (calls){.shapes = shapes, .r = rng_make(test_seed(), stream), .most = CALLS_BODIES, .extent = extent};
    abut_world_def def = {.contact_margin = stream % 3 ? 0 : 0.03f * shapes->scale};
    def.should_collide = stream % 4 == 1 ? refuse_some : NULL;
    def.parallel = s ? schedule_parallel(s) : def.parallel;
    c.world = make_world(&def);
    calls_create(&c, bodies);
    for (int i = 0; i < 12; i++) {
        int which = i % 3 == 2 ? (i % 2 ? 2 : 1) : i % 6 == 0 ? 1 : 0;
        if (mode) {
            set_mode(mode);
        }
        call[which](&c);
        check_mode(mode);
        abut_control_write(ABUT_CONTROL_USUAL);
    }
    assert_int_equal(abut_world_validate(c.world), ABUT_OK);
    abut_world_destroy(&c.world);
    return c.log;
}

static void no_schedule_changes_a_bit(void **state) {
    (void)state;
    calls_shapes shapes;
    calls_make_shapes(&shapes, 1);
    for (uint64_t k = 0; k < test_count(16); k++) {
        rng r = rng_make(test_seed(), ~k);
        uint32_t bodies = k % 2 ? 1100 : 80;
        double extent = k % 2 ? 6 : 2;
        uint64_t alone = live(k, bodies, extent, &shapes, NULL, NULL);
        for (int i = 0; i < 4; i++) {
            schedule s = schedule_random(&r);
            uint64_t log = live(k, bodies, extent, &shapes, &s, NULL);
            check_case(log == alone, schedule_name(s.kind), k, s.workers);
            assert_int_equal(s.wrong, 0);
        }
    }
    calls_free_shapes(&shapes);
}

static void no_mode_changes_a_bit(void **state) {
    (void)state;
    for (uint64_t k = 0; k < test_count(8); k++) {
        calls_shapes shapes;
        calls_make_shapes(&shapes, k % 2 ? 0x1p-128f : 1);
        uint64_t usual = live(k, 100, 2, &shapes, NULL, NULL);
        for (int m = 0; m < MODES; m++) {
            uint64_t mode = mode_of(m), other = mode_of((m + 1) % MODES);
            schedule s = {
                .kind = SCHEDULE_THREADS, .workers = 3, .seed = test_seed(), .prepare = set_mode, .data = &other};
            check_case(live(k, 100, 2, &shapes, m % 2 ? &s : NULL, &mode) == usual, "mode", k, (unsigned long)m);
        }
        calls_free_shapes(&shapes);
    }
}

/* Their points are computed before hulls are made of them. */
static void no_mode_changes_a_solid(void **state) {
    (void)state;
    for (uint32_t sides = 3; sides < 40; sides++) {
        uint64_t usual[2] = {0, 0};
        for (int m = MODES - 1; m >= 0; m--) { /* the usual one first */
            uint64_t mode = mode_of(m), digest[2];
            abut_hull *cylinder, *cone;
            set_mode(&mode);
            abut_result result = abut_hull_create_cylinder(1, 0.3f, sides, NULL, &cylinder);
            result = result ? result : abut_hull_create_cone(1, 0.3f, sides, NULL, &cone);
            check_mode(&mode);
            abut_control_write(ABUT_CONTROL_USUAL);
            assert_int_equal(result, ABUT_OK);
            digest[0] = abut_hull_digest(cylinder), digest[1] = abut_hull_digest(cone);
            abut_hull_destroy(&cylinder);
            abut_hull_destroy(&cone);
            memcpy(usual, m == MODES - 1 ? digest : usual, sizeof usual);
            check_case(digest[0] == usual[0] && digest[1] == usual[1], "mode", sides, (unsigned long)m);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_mode_changes_a_solid),
        cmocka_unit_test(no_schedule_changes_a_bit),
        cmocka_unit_test(no_mode_changes_a_bit),
    };
    return test_run(tests);
}
