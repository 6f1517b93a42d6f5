/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_overlap against the oracle of distance, beside a textbook test in floats that the same oracle must find
 * wrong; and shapes without a radius against boxes and hulls. */

#include "narrowphase/round/check.h"
#include "support/near_touch.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many pairs of each class the generator made: without them a passed run would mean nothing. */
typedef struct tally {
    unsigned long touching, apart, exact, just_in, just_apart, close, kinds[ROUND_KINDS * ROUND_KINDS];
} tally;

static void count_pair(tally *t, const round_pair *p, const round_truth *truth) {
    double gap = truth->gap / truth->size;
    t->touching += gap <= 0;
    t->apart += gap > 0;
    t->exact += p->exact;
    t->just_in += gap < -1e-14 && gap > -1e-9;
    t->just_apart += gap > 1e-12 && gap < 1e-9;
    t->close += fabs(gap) < 1e-7;
    t->kinds[(int)p->a.kind * ROUND_KINDS + (int)p->b.kind]++;
}

static void assert_tally(const tally *t, unsigned long pairs) {
    printf(
        "%lu pairs: %lu touching (%lu exactly, %lu by less than 1e-9), %lu apart (%lu by less than 1e-9), %lu closer "
        "than 1e-7\n",
        pairs, t->touching, t->exact, t->just_in, t->apart, t->just_apart, t->close);
    assert_true(t->touching > pairs / 4 && t->apart > pairs / 5 && t->exact > pairs / 10);
    assert_true(t->just_in > pairs / 100 && t->just_apart > pairs / 100 && t->close > pairs / 5);
    for (int i = 0; i < ROUND_KINDS * ROUND_KINDS; i++) {
        assert_true(t->kinds[i] > pairs / 300);
    }
}

static void near_touching_shapes_are_judged_exactly(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long pairs = test_count(30000), wrong = 0;
    tally t = {0};
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < pairs && wrong < 10; i++) {
        round_pair p;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        round_truth truth = round_truth_of(&p);
        const char *fault = round_overlap_fault(&p, &truth);
        count_pair(&t, &p, &truth);
        if (fault) {
            wrong++;
            round_report(i, fault, &p, &truth, 0);
        }
    }
    round_hulls_release(hulls);
    assert_int_equal(wrong, 0);
    assert_tally(&t, pairs);
}

/* One step of the smaller radius below an exact touch, the shapes are apart. */
static void the_next_smaller_radius_does_not_touch(void **state) {
    (void)state;
    unsigned long exact = 0;
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < test_count(30000); i++) {
        round_pair p;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        round_body *small = p.a.shape.radius < p.b.shape.radius ? &p.a : &p.b, *large = small == &p.a ? &p.b : &p.a;
        round_body *smaller = small->shape.radius > 0 ? small : large;
        double size = distance_size(p.a.core, p.a.shape.radius, &p.a.pose, p.b.core, p.b.shape.radius, &p.b.pose);
        float radius = smaller->shape.radius, next = nextafterf(radius, 0);
        if (p.exact && radius > 0) {
            exact++;
            assert_true(abut_shape_overlap(&p.a.shape, &p.a.pose, &p.b.shape, &p.b.pose));
            smaller->shape.radius = next;
            assert_true((double)radius - next > 1e-12 * size);
            assert_false(abut_shape_overlap(&p.a.shape, &p.a.pose, &p.b.shape, &p.b.pose));
        }
    }
    round_hulls_release(hulls);
    assert_true(exact > 0);
}

/* What programs do without this library: centres, axes and clamps in floats. Spheres against boxes. */
static bool textbook_overlap(const round_pair *p) {
    const abut_quat q = p->b.pose.rotation;
    const abut_vec3 *from = &p->b.pose.position, *to = &p->a.pose.position, *half = &p->b.shape.half;
    float s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w), square = 0;
    const float d[3] = {to->x - from->x, to->y - from->y, to->z - from->z}, h[3] = {half->x, half->y, half->z};
    const float m[3][3] = {{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y + q.w * q.z), s * (q.x * q.z - q.w * q.y)},
                           {s * (q.x * q.y - q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z + q.w * q.x)},
                           {s * (q.x * q.z + q.w * q.y), s * (q.y * q.z - q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y)}};
    float r = p->a.shape.radius + p->b.shape.radius;
    for (int k = 0; k < 3; k++) {
        float local = m[k][0] * d[0] + m[k][1] * d[1] + m[k][2] * d[2], beyond = fmaxf(fabsf(local) - h[k], 0);
        square += beyond * beyond;
    }
    return square <= r * r;
}

static void the_judge_finds_textbook_floats_wrong(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long spheres = 0, missed = 0, invented = 0;
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < test_count(30000); i++) {
        round_pair p;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        if (p.a.kind == ROUND_SPHERE && p.b.kind <= ROUND_ROUNDED_BOX) {
            round_truth truth = round_truth_of(&p);
            bool answer = textbook_overlap(&p);
            spheres++;
            missed += !answer && (p.exact || truth.gap < 0);
            invented += answer && truth.gap > 1e-12 * truth.size;
        }
    }
    round_hulls_release(hulls);
    printf("of %lu spheres textbook floats miss %lu and invent %lu\n", spheres, missed, invented);
    assert_true(missed > spheres / 100 && invented > spheres / 100);
}

/* Without radii all answers are those of boxes and hulls, bit for bit. */
static void without_radii_nothing_changes(void **state) {
    (void)state;
    unsigned long sharp = 0, count = test_count(100000);
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < count; i++) {
        round_pair p;
        abut_manifold m, expected;
        memset(&m, 0x5b, sizeof m);
        expected = m;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        if (p.a.shape.radius + p.b.shape.radius > 0 || (p.a.core->count == 1 && p.b.core->count == 1)) {
            continue;
        }
        bool answer = round_sharp_collide(&p.a, &p.b, 0, &expected);
        sharp++;
        assert_int_equal(abut_shape_overlap(&p.a.shape, &p.a.pose, &p.b.shape, &p.b.pose), answer);
        assert_int_equal(abut_shape_collide(&p.a.shape, &p.a.pose, &p.b.shape, &p.b.pose, 0, &m), answer);
        assert_memory_equal(&m, &expected, sizeof m);
    }
    for (unsigned long i = 0; i < count; i++) {
        near_touch p = near_touch_pair(test_seed(), i);
        abut_shape a = abut_box(p.a.half.x, p.a.half.y, p.a.half.z), b = abut_box(p.b.half.x, p.b.half.y, p.b.half.z);
        abut_pose pose_a = {p.a.center, p.a.rotation}, pose_b = {p.b.center, p.b.rotation};
        assert_int_equal(abut_shape_overlap(&a, &pose_a, &b, &pose_b), abut_obb_overlap(&p.a, &p.b));
    }
    round_hulls_release(hulls);
    assert_true(sharp > count / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_touching_shapes_are_judged_exactly),
        cmocka_unit_test(the_next_smaller_radius_does_not_touch),
        cmocka_unit_test(the_judge_finds_textbook_floats_wrong),
        cmocka_unit_test(without_radii_nothing_changes),
    };
    return test_run(tests);
}
