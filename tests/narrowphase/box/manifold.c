/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb_collide on many pairs: the manifold keeps every promise of abut/contact.h. */

#include "narrowphase/box/check.h"
#include "support/distance_oracle.h"
#include "support/near_touch.h"
#include "support/oracle.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct pair {
    abut_obb a, b;
} pair;

typedef pair generator(unsigned long index);

static pair near_touching(unsigned long index) {
    near_touch p = near_touch_pair(test_seed(), index);
    return (pair){p.a, p.b};
}

static pair ordinary(unsigned long index) {
    rng r = rng_make(test_seed(), index);
    double size = rng_log_range(&r, 1e-3, 1e3);
    abut_vec3 at = rng_vec3(&r, -1, 1), by = rng_vec3(&r, -1, 1);
    pair p = {{.rotation = rng_rotation(&r), .half = rng_vec3(&r, 0.1, 1)},
              {.rotation = rng_rotation(&r), .half = rng_vec3(&r, 0.1, 1)}};
    float scale = (float)size;
    abut_obb *boxes[2] = {&p.a, &p.b};
    for (int i = 0; i < 2; i++) {
        abut_vec3 c = i ? by : at, h = boxes[i]->half;
        boxes[i]->center = (abut_vec3){c.x * scale, c.y * scale, c.z * scale};
        boxes[i]->half = (abut_vec3){h.x * scale, h.y * scale, h.z * scale};
    }
    return p;
}

/* b lies on the top face of a, sunk in or lifted by up to 1e-3, tilted by up to 1e-3 and turned by any angle. */
static pair resting(unsigned long index) {
    rng r = rng_make(test_seed(), index);
    pair p = {{.rotation = {0, 0, 0, 1}, .half = rng_vec3(&r, 0.2, 2)}, {.half = rng_vec3(&r, 0.2, 2)}};
    double yaw = rng_chance(&r, 0.3) ? 0 : rng_range(&r, -3, 3), tilt = rng_chance(&r, 0.3) ? 0 : 1e-3;
    double tip_x = rng_range(&r, -tilt, tilt), tip_z = rng_range(&r, -tilt, tilt);
    p.b.rotation = (abut_quat){(float)tip_x, (float)sin(yaw / 2), (float)tip_z, (float)cos(yaw / 2)};
    abut_vec3 extent = p.a.half;
    double sunk = rng_chance(&r, 0.2) ? 0 : rng_range(&r, -1e-3, 1e-4);
    p.b.center.x = (float)rng_range(&r, -(double)extent.x, (double)extent.x);
    p.b.center.y = (float)((double)(p.a.half.y + p.b.half.y) + sunk);
    p.b.center.z = (float)rng_range(&r, -(double)extent.z, (double)extent.z);
    return p;
}

typedef struct tally {
    unsigned long touching, edge, points[5], reduced_preference;
} tally;

static void report(unsigned long index, const char *fault, const pair *p, const oracle_gap *truth, float margin,
                   const abut_manifold *m) {
    fprintf(stderr, "seed 0x%llx pair %lu: %s; margin %a, face %g, edge %g, slope %g, size %g\n",
            (unsigned long long)test_seed(), index, fault, (double)margin, truth->face, truth->edge, truth->slope,
            truth->size);
    print_obb("a", &p->a);
    print_obb("b", &p->b);
    print_manifold("manifold", m);
}

/* Whether the manifold of the pair is right; counts the pair. */
static bool check(unsigned long index, const pair *p, tally *t) {
    oracle_gap truth = oracle_obb_pair(&p->a, &p->b);
    abut_manifold m, swapped;
    memset(&m, 0x5b, sizeof m);
    memset(&swapped, 0xa4, sizeof swapped);
    bool touching = abut_obb_collide(&p->a, &p->b, 0, &m);
    bool backwards = abut_obb_collide(&p->b, &p->a, 0, &swapped);
    const char *fault = NULL;
    if (touching != abut_obb_overlap(&p->a, &p->b) || touching != backwards) {
        fault = "collide and overlap disagree";
    } else if (touching) {
        fault = manifold_fault(&p->a, &p->b, &truth, 0, &m);
        if (!fault && memcmp(&p->a, &p->b, sizeof p->a) != 0 && !manifold_is_swapped(&m, &swapped)) {
            fault = "swapping a and b does more than negate the normal";
        }
        t->touching++;
        t->points[m.count < 5 ? m.count : 0]++;
        t->edge += !manifold_has_face_normal(&p->a, &p->b, &m);
        t->reduced_preference +=
            truth.edge > truth.face + 1e-5 * truth.size && manifold_has_face_normal(&p->a, &p->b, &m);
    }
    if (fault) {
        report(index, fault, p, &truth, 0, &m);
    }
    return !fault;
}

static tally check_all(generator *generate, unsigned long pairs) {
    tally t = {0};
    unsigned long wrong = 0;
    for (unsigned long i = 0; i < pairs && wrong < 5; i++) {
        pair p = generate(i);
        wrong += !check(i, &p, &t);
    }
    printf("%lu pairs: %lu touching, %lu by edges, %lu where a face was preferred, points %lu %lu %lu %lu\n", pairs,
           t.touching, t.edge, t.reduced_preference, t.points[1], t.points[2], t.points[3], t.points[4]);
    assert_int_equal(wrong, 0);
    return t;
}

static void ordinary_overlaps_keep_the_contract(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(200000);
    tally t = check_all(ordinary, pairs);
    assert_true(t.touching > pairs / 4 && t.edge > pairs / 20 && t.reduced_preference > pairs / 200);
    assert_true(t.points[1] > pairs / 20 && t.points[2] > pairs / 100 && t.points[3] > pairs / 100);
    assert_true(t.points[4] > pairs / 20);
}

static void near_touches_keep_the_contract(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(300000);
    tally t = check_all(near_touching, pairs);
    assert_true(t.touching > pairs / 3 && t.edge > pairs / 50 && t.points[4] > pairs / 50);
}

static void resting_boxes_keep_the_contract(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(100000);
    tally t = check_all(resting, pairs);
    assert_true(t.touching > pairs / 2 && t.points[4] > t.touching / 4);
}

/* Thin plates, a face of one of which is preferred to an equally good one of the other but has no point of it over
 * itself: the other face has the points. */
static void a_preferred_face_without_points_gives_way(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    static const pair pairs[] = {
        {{{0, 0, 0},
          {0x1.33110ap-1f, -0x1.1ec992p-1f, 0x1.238952p-1f, 0x1.8c58ep-5f},
          {0, 0x1.71d6bap-2f, 0x1.922f48p-17f}},
         {{0x1.c2a186p-2f, 0x1.0effc6p-3f, 0x1.ace438p-3f},
          {0, 0, 0, 1},
          {0x1.6b8776p-3f, 0x1.0e7804p-11f, 0x1.ac053ep-20f}}},
        {{{0, 0, 0},
          {-0x1.ebae7cp-1f, -0x1.321154p-3f, -0x1.9e4b48p-3f, -0x1.eddc8ap-4f},
          {0x1.62a368p-1f, 0, 0x1.1004f4p-19f}},
         {{0x1.a84654p-2f, 0x1.b9049p-3f, 0x1.789efcp-2f},
          {-0x1.33b04ap-3f, -0x1.d0fbb2p-2f, 0x1.664bf2p-2f, 0x1.9c688p-1f},
          {0, 0x1.767c74p-19f, 0x1.d2c7bep-3f}}},
        {{{0, 0, 0}, {-0x1.afd188p-1f, -0x1.992b2ep-3f, -0x1.90b8e2p-2f, -0x1.3ca93p-2f}, {0, 0x1.49d0a6p-1f, 0}},
         {{-0x1.86dd34p-5f, -0x1.62efacp-6f, 0x1.16e89ap+0f},
          {-0x1.939282p-5f, -0x1.dd2838p-2f, 0x1.c38d98p-1f, -0x1.a3a242p-5f},
          {0x1.8cdea6p-18f, 0x1.9921dp-1f, 0}}}};
    tally t = {0};
    for (unsigned long i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(check(i, &pairs[i], &t));
    }
    assert_int_equal(t.touching, sizeof pairs / sizeof pairs[0]);
}

static double distance_of(const pair *p) {
    core a, b;
    const abut_pose at_a = {p->a.center, p->a.rotation}, at_b = {p->b.center, p->b.rotation};
    core_of_box(p->a.half, &a);
    core_of_box(p->b.half, &b);
    return (double)distance_oracle(&a, &at_a, &b, &at_b).distance;
}

/* There is a contact exactly if the distance is at most the margin. */
static void a_pair_has_a_manifold_if_its_distance_is_within_the_margin(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(20000), wrong = 0, within = 0, beyond = 0;
    for (unsigned long i = 0; i < pairs && wrong < 5; i++) {
        pair p = i % 2 ? ordinary(i) : near_touching(i);
        oracle_gap truth = oracle_obb_pair(&p.a, &p.b);
        rng r = rng_make(~test_seed(), i);
        double distance = truth.gap > 0 ? distance_of(&p) : 0;
        bool tight = distance > 0 && rng_chance(&r, 0.5);
        float margin =
            (float)(tight ? distance * rng_range(&r, 0.99, 1.01) : truth.size * rng_log_range(&r, 1e-6, 0.1));
        abut_manifold m, swapped;
        memset(&m, 0x5b, sizeof m);
        bool contact = abut_obb_collide(&p.a, &p.b, margin, &m);
        const char *fault = NULL;
        if (fabs(distance - margin) > 1e-10 * truth.size && contact != (distance < margin)) {
            fault = contact ? "contact beyond the margin" : "no contact within the margin";
        } else if (contact) {
            fault = manifold_fault(&p.a, &p.b, &truth, margin, &m);
            abut_obb_collide(&p.b, &p.a, margin, &swapped);
            fault = fault || memcmp(&p.a, &p.b, sizeof p.a) == 0 || manifold_is_swapped(&m, &swapped)
                        ? fault
                        : "swapping a and b does more than negate the normal";
        }
        within += contact && distance > 0;
        beyond += !contact;
        if (fault) {
            wrong++;
            report(i, fault, &p, &truth, margin, &m);
        }
    }
    printf("%lu pairs: %lu apart and within the margin, %lu beyond\n", pairs, within, beyond);
    assert_int_equal(wrong, 0);
    assert_true(within > pairs / 10 && beyond > pairs / 10);
}

/* Touching boxes have the same contact with any margin, but for points that the margin adds. */
static void a_margin_does_not_change_normal_or_depth(void **state) {
    (void)state;
    unsigned long compared = 0;
    for (unsigned long i = 0; i < test_count(50000); i++) {
        pair p = i % 2 ? ordinary(i) : resting(i);
        abut_manifold m, wide;
        if (!abut_obb_collide(&p.a, &p.b, 0, &m)) {
            continue;
        }
        assert_true(abut_obb_collide(&p.a, &p.b, p.a.half.x * 0.1f, &wide));
        assert_memory_equal(&m.normal, &wide.normal, sizeof m.normal);
        assert_true(manifold_least(&m) == manifold_least(&wide));
        compared++;
    }
    assert_true(compared > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_overlaps_keep_the_contract),
        cmocka_unit_test(near_touches_keep_the_contract),
        cmocka_unit_test(resting_boxes_keep_the_contract),
        cmocka_unit_test(a_preferred_face_without_points_gives_way),
        cmocka_unit_test(a_pair_has_a_manifold_if_its_distance_is_within_the_margin),
        cmocka_unit_test(a_margin_does_not_change_normal_or_depth),
    };
    return test_run(tests);
}
