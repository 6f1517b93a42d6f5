/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The stages of the box test, each by itself against the exact oracle: a stage may leave a pair undecided, but must
 * never be wrong. */

#include "narrowphase/box/separation.h"
#include "base/spatial.h"
#include "narrowphase/box/single.h"
#include "support/near_touch.h"
#include "support/oracle.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const stage_names[] = {"float", "double", "double-double", "shared axes", "a single pair"};

static abut_np_verdict verdict_of(abut_np_axes open) {
    return open == 0 ? ABUT_NP_TOUCHING : open == ABUT_NP_AXES_APART ? ABUT_NP_APART : ABUT_NP_UNDECIDED;
}

typedef struct stage_tally {
    unsigned long verdicts[3]; /* by abut_np_verdict */
    unsigned long wrong;
} stage_tally;

static void check_stage(int stage, abut_np_verdict verdict, const near_touch *pair, const oracle_gap *truth,
                        stage_tally *t) {
    t->verdicts[verdict]++;
    if ((verdict == ABUT_NP_APART && truth->touch) || (verdict == ABUT_NP_TOUCHING && truth->gap > 1e-12)) {
        if (t->wrong++ < 3) {
            fprintf(stderr, "seed 0x%llx: stage %s says %s, but the gap is %g\n", (unsigned long long)test_seed(),
                    stage_names[stage], verdict == ABUT_NP_APART ? "apart" : "touching", truth->gap);
            print_obb("a", &pair->a);
            print_obb("b", &pair->b);
        }
    }
}

static void no_stage_is_ever_wrong(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(200000), needed_touching = 0, needed_apart = 0;
    stage_tally stages[5] = {{{0}, 0}};
    for (unsigned long i = 0; i < pairs; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        oracle_gap truth = oracle_obb_pair(&pair.a, &pair.b);
        abut_collider a, b;
        assert_true(abut_collider_from_obb(&pair.a, &a) && abut_collider_from_obb(&pair.b, &b));
        check_stage(0, abut_np_box_float_verdict(&a, &b, 0), &pair, &truth, &stages[0]);
        check_stage(4, abut_np_box_single_verdict(&pair.a, &pair.b, false), &pair, &truth, &stages[4]);
        abut_np_axes undecided = abut_np_box_double_axes(&a, &b, 0);
        abut_np_verdict verdict = verdict_of(undecided);
        check_stage(1, verdict, &pair, &truth, &stages[1]);
        needed_touching += verdict == ABUT_NP_UNDECIDED && truth.touch;
        needed_apart += verdict == ABUT_NP_UNDECIDED && truth.gap > 1e-12;
        bool apart = abut_np_box_separated_dd(&a, &b, 0, ABUT_NP_AXES_ALL);
        check_stage(2, apart ? ABUT_NP_APART : ABUT_NP_TOUCHING, &pair, &truth, &stages[2]);
        if (verdict == ABUT_NP_UNDECIDED) {
            assert_int_equal(abut_np_box_separated_dd(&a, &b, 0, undecided), apart);
            abut_np_axes left = abut_np_box_shared_axes(&a, &b, 0, undecided);
            check_stage(3, verdict_of(left), &pair, &truth, &stages[3]);
            assert_int_equal(left == ABUT_NP_AXES_APART || abut_np_box_separated_dd(&a, &b, 0, left), apart);
        }
    }
    for (int s = 0; s < 5; s++) {
        printf("%s: %lu apart, %lu touching, %lu undecided\n", stage_names[s], stages[s].verdicts[ABUT_NP_APART],
               stages[s].verdicts[ABUT_NP_TOUCHING], stages[s].verdicts[ABUT_NP_UNDECIDED]);
        assert_int_equal(stages[s].wrong, 0);
        /* A single pair is tested as it comes, also with quaternions of any length. */
        assert_true(s == 3 || stages[s].verdicts[ABUT_NP_APART] > pairs / (s == 4 ? 15 : 10));
        assert_true(stages[s].verdicts[ABUT_NP_TOUCHING] > pairs / 50);
    }
    /* Without these, a last stage that always gave the same answer would pass. */
    assert_true(needed_touching > pairs / 100);
    assert_true(needed_apart > pairs / 10000);
}

/* A rotation of any length that keeps axis `up` upright, or swaps and flips all axes. */
static abut_quat aligned_rotation(rng *r, int up, bool swap) {
    float v[4] = {0}, size = (float)rng_log_range(r, 1e-2, 1e2);
    if (swap) { /* one, two or four equal parts */
        uint32_t parts = 1u << rng_below(r, 3), first = rng_below(r, 4), step = 1 + rng_below(r, 3);
        for (uint32_t i = 0; i < parts; i++) {
            v[parts == 4 ? i : (first + i * step) % 4] = size * rng_sign(r);
        }
    } else {
        v[up] = size * (float)rng_range(r, -1, 1);
        v[3] = size * (float)rng_range(r, -1, 1);
    }
    return (abut_quat){v[0], v[1], v[2], v[3]};
}

/* The half extent, a whole number, along an axis of the world that is parallel to one of the box. */
static float world_half(const abut_obb *box, int axis) {
    abut_aabb bounds = abut_obb_bounds(&(abut_obb){{0, 0, 0}, box->rotation, box->half});
    return floorf((&bounds.max.x)[axis] + 0.5f);
}

/* Boxes that stand on or beside each other, turned about the axis between them or by quarter turns, with a gap or an
 * overlap of 2^-60 or none. Only the exact stages see that; they need no double-double. */
static void shared_axes_are_exact(void **state) {
    (void)state;
    for (unsigned long n = 0; n < test_count(20000); n++) {
        rng r = rng_make(test_seed(), n);
        int up = (int)rng_below(&r, 3);
        abut_obb a = {.rotation = aligned_rotation(&r, up, rng_chance(&r, 0.5))};
        abut_obb b = {.rotation = aligned_rotation(&r, up, rng_chance(&r, 0.5))};
        for (int i = 0; i < 3; i++) {
            (&a.half.x)[i] = (float)(1 + rng_below(&r, 8));
            (&b.half.x)[i] = (float)(1 + rng_below(&r, 8));
            (&b.center.x)[i] = (float)rng_range(&r, -0.5, 0.5);
        }
        int way = (int)rng_below(&r, 3) - 1;
        float side = rng_sign(&r);
        (&b.center.x)[up] = side * (world_half(&a, up) + world_half(&b, up));
        (&a.center.x)[up] = side * (float)-way * 0x1p-60f;
        abut_collider collider_a, collider_b;
        assert_true(abut_collider_from_obb(&a, &collider_a) && abut_collider_from_obb(&b, &collider_b));
        abut_np_axes open = abut_np_box_double_axes(&collider_a, &collider_b, 0);
        assert_int_equal(verdict_of(open), ABUT_NP_UNDECIDED);
        abut_np_axes left = abut_np_box_shared_axes(&collider_a, &collider_b, 0, open);
        if (left != (way > 0 ? (abut_np_axes)ABUT_NP_AXES_APART : 0)) {
            fprintf(stderr, "case %lu: axes %x, then %x\n", n, open, left);
            print_obb("a", &a);
            print_obb("b", &b);
        }
        assert_int_equal(left, way > 0 ? ABUT_NP_AXES_APART : 0);
        bool aligned = abut_quat_is_quarter_turn(a.rotation) && abut_quat_is_quarter_turn(b.rotation);
        abut_np_verdict certain = way > 0 ? ABUT_NP_APART : ABUT_NP_TOUCHING;
        assert_int_equal(abut_np_box_aligned_verdict(&collider_a, &collider_b, 0),
                         aligned ? certain : ABUT_NP_UNDECIDED);
        assert_int_equal(abut_obb_overlap(&a, &b), way <= 0);
    }
}

/* Boxes of any size at any position, which touch but for the rounding of a float or two. */
static void aligned_boxes_are_decided_as_in_the_last_stage(void **state) {
    (void)state;
    unsigned long apart = 0, pairs = test_count(50000);
    for (unsigned long n = 0; n < pairs; n++) {
        rng r = rng_make(test_seed(), n);
        double low = rng_log_range(&r, 1e-12, 1);
        float margin = rng_chance(&r, 0.5) ? 0 : (float)rng_log_range(&r, 1e-12, 1);
        abut_obb a = {.rotation = aligned_rotation(&r, 0, true)}, b = {.rotation = aligned_rotation(&r, 0, true)};
        for (int i = 0; i < 3; i++) {
            (&a.center.x)[i] = rng_sign(&r) * (float)rng_log_range(&r, low, 1);
            (&a.half.x)[i] = rng_chance(&r, 0.1) ? 0 : (float)rng_log_range(&r, low, 1);
            (&b.half.x)[i] = rng_chance(&r, 0.1) ? 0 : (float)rng_log_range(&r, low, 1);
        }
        abut_aabb of_a = abut_obb_bounds(&a), of_b = abut_obb_bounds(&b);
        for (int i = 0; i < 3; i++) {
            float half_b = (&of_b.max.x)[i], part = rng_chance(&r, 0.5) ? 1 : (float)rng_range(&r, 0, 1);
            (&b.center.x)[i] = rng_chance(&r, 0.5) ? (&of_a.max.x)[i] + part * half_b + part * margin
                                                   : (&of_a.min.x)[i] - part * half_b - part * margin;
        }
        abut_collider collider_a, collider_b;
        assert_true(abut_collider_from_obb(&a, &collider_a) && abut_collider_from_obb(&b, &collider_b));
        bool parted = abut_np_box_separated_dd(&collider_a, &collider_b, margin, ABUT_NP_AXES_ALL);
        apart += parted;
        assert_int_equal(abut_np_box_aligned_verdict(&collider_a, &collider_b, margin),
                         parted ? ABUT_NP_APART : ABUT_NP_TOUCHING);
        assert_int_equal(abut_np_box_aligned_verdict(&collider_b, &collider_a, margin),
                         parted ? ABUT_NP_APART : ABUT_NP_TOUCHING);
    }
    assert_true(apart >= pairs / 10 && apart <= pairs - pairs / 10);
}

static near_touch random_pair(rng *r) {
    near_touch pair = {.kind = 0};
    pair.a = (abut_obb){rng_vec3(r, -1, 1), rng_rotation(r), rng_vec3(r, 0.1, 1)};
    pair.b = (abut_obb){rng_vec3(r, -2, 2), rng_rotation(r), rng_vec3(r, 0.1, 1)};
    return pair;
}

static void float_decides_nearly_all_ordinary_pairs(void **state) {
    (void)state;
    unsigned long pairs = test_count(50000), undecided = 0, alone = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        rng r = rng_make(test_seed(), i);
        near_touch pair = random_pair(&r);
        abut_collider a, b;
        assert_true(abut_collider_from_obb(&pair.a, &a) && abut_collider_from_obb(&pair.b, &b));
        undecided += abut_np_box_float_verdict(&a, &b, 0) == ABUT_NP_UNDECIDED;
        alone += abut_np_box_single_verdict(&pair.a, &pair.b, false) == ABUT_NP_UNDECIDED;
    }
    printf("%lu of %lu undecided, %lu of single pairs\n", undecided, pairs, alone);
    assert_true(undecided < pairs / 1000 + 5 && alone < pairs / 1000 + 5);
}

/* Zeros of either sign, rotations of any length and by quarter turns, all sizes, and now and then a number that is not
 * valid. */
static void make_wild(rng *r, abut_obb *box) {
    static const float any[] = {-0.0f, 0, -0.0f, 1, -1, 0x1p-149f, 0x1p-70f, -0x1p+70f, INFINITY, NAN};
    float *part = &box->center.x, scale = (float)rng_log_range(r, 1e-25, 1e18);
    scale = rng_chance(r, 0.7) ? (float)rng_log_range(r, 1e-6, 1e6) : scale;
    if (rng_chance(r, 0.3)) {
        box->rotation = (abut_quat){0, 0, 0, 1};
        box->half.x = box->center.x = -0.0f;
    }
    for (int k = 0; k < 10; k++) {
        part[k] *= k >= 3 && k < 7 ? scale : 1;
        part[k] = rng_chance(r, 0.1) ? -0.0f : part[k];
    }
    if (rng_chance(r, 0.3)) {
        part[rng_below(r, 10)] = any[rng_below(r, sizeof any / sizeof *any)];
    }
}

/* Single calls have a path of their own; a step takes the other one. */
static void single_calls_have_the_bits_of_lists(void **state) {
    (void)state;
    unsigned long pairs = test_count(100000), touching = 0, by_face = 0, invalid = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        rng r = rng_make(test_seed(), i);
        near_touch pair = i % 2 ? near_touch_pair(test_seed(), i) : random_pair(&r);
        abut_manifold alone, listed;
        abut_collider a, b;
        uint8_t many;
        if (i % 4 > 1) {
            make_wild(&r, &pair.a);
            make_wild(&r, &pair.b);
            pair.b.half = rng_chance(&r, 0.3) ? pair.a.half : pair.b.half;
            pair.b.center = rng_chance(&r, 0.3) ? pair.a.center : pair.b.center;
        }
        memset(&alone, 0x5a, sizeof alone);
        memset(&listed, 0x5a, sizeof listed);
        bool valid = abut_collider_from_obb(&pair.a, &a) && abut_collider_from_obb(&pair.b, &b);
        bool touch = valid && abut_np_collide(&a, &b, 0, &listed);
        abut_obb_overlap_many(&pair.a, &pair.b, 1, &many);
        invalid += !valid;
        if (abut_obb_collide(&pair.a, &pair.b, 0, &alone) != touch || abut_obb_overlap(&pair.a, &pair.b) != touch ||
            many != touch || memcmp(&alone, &listed, sizeof alone) != 0) {
            print_obb("a", &pair.a);
            print_obb("b", &pair.b);
            fail();
        }
        touching += touch;
        by_face += abut_np_box_single_verdict(&pair.a, &pair.b, true) == ABUT_NP_TOUCHING_BY_FACE;
    }
    assert_true(touching > pairs / 8 && by_face > pairs / 50 && invalid > pairs / 50);
}

static void the_margin_means_the_same_in_every_stage(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(50000), within = 0, beyond = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        oracle_gap truth = oracle_obb_pair(&pair.a, &pair.b);
        rng r = rng_make(~test_seed(), i);
        float margin = (float)(truth.size * rng_log_range(&r, 1e-9, 1e-1));
        abut_collider a, b;
        assert_true(abut_collider_from_obb(&pair.a, &a) && abut_collider_from_obb(&pair.b, &b));
        abut_np_verdict verdicts[4] = {
            abut_np_box_float_verdict(&a, &b, margin), verdict_of(abut_np_box_double_axes(&a, &b, margin)),
            abut_np_box_separated_dd(&a, &b, margin, ABUT_NP_AXES_ALL) ? ABUT_NP_APART : ABUT_NP_TOUCHING,
            abut_np_box_aligned_verdict(&a, &b, margin)};
        double excess = truth.gap * truth.size - margin, band = 1e-12 * (truth.size + margin);
        within += excess < -band;
        beyond += excess > band;
        for (int s = 0; s < 4; s++) {
            bool wrong =
                (excess < -band && verdicts[s] == ABUT_NP_APART) || (excess > band && verdicts[s] == ABUT_NP_TOUCHING);
            if (wrong) {
                fprintf(stderr, "stage %s, margin %a, gap beyond it %g\n", stage_names[s], (double)margin, excess);
                print_obb("a", &pair.a);
                print_obb("b", &pair.b);
            }
            assert_false(wrong);
        }
    }
    assert_true(within > pairs / 4);
    assert_true(beyond > pairs / 100);
}

/* Boxes that touch exactly, but for a hair that becomes as wide as the slack of the last stage: whoever comes first,
 * the verdict is the same. */
static void order_decides_no_hair(void **state) {
    (void)state;
    static const abut_obb pairs[][2] = {
        {{{0, 0, 0}, {0, 0, 2, 1}, {0x1.ep+24f, 0x1.ep+24f, 0x1.ep+24f}},
         {{0x1.24p+25f, -0x1.fcp+26f, -0x1.ccp+26f}, {-1, 0, 1, 2}, {0, 0x1.ep+22f, 0x1.fep+26f}}},
        {{{0, 0, 0}, {2, -2, 1, 1}, {0x1.18p+11f, 0x1.ep+10f, 0x1.4p+11f}},
         {{0x1.7cp+11f, -0x1.1p+12f, -0x1.5cp+11f}, {0, -1, 1, 0}, {0x1.18p+10f, 0x1.7cp+11f, 0x1.ep+9f}}}};
    static const double hair[] = {0x1p-63, -0x1p-79};
    uint32_t apart = 0;
    const uint32_t rounds = (uint32_t)test_count(4000);
    for (uint32_t i = 0; i < rounds; i++) {
        rng r = rng_make(test_seed() + 6, i);
        abut_obb a = pairs[i % 2][0], b = pairs[i % 2][1];
        a.center.x = (float)(hair[i % 2] * rng_log_range(&r, 0.25, 4));
        const bool touch = abut_obb_overlap(&a, &b);
        assert_true(abut_obb_overlap(&b, &a) == touch);
        apart += !touch;
    }
    assert_true(apart > rounds / 8 && apart < rounds - rounds / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_stage_is_ever_wrong),
        cmocka_unit_test(single_calls_have_the_bits_of_lists),
        cmocka_unit_test(shared_axes_are_exact),
        cmocka_unit_test(aligned_boxes_are_decided_as_in_the_last_stage),
        cmocka_unit_test(float_decides_nearly_all_ordinary_pairs),
        cmocka_unit_test(the_margin_means_the_same_in_every_stage),
        cmocka_unit_test(order_decides_no_hair),
    };
    return test_run(tests);
}
