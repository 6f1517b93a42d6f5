/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A pair of spheres or capsules alone takes a path of its own: it has every bit that it has in a list, by the public
 * functions and by those of the table. */
#include "narrowphase/round/round.h"
#include "support/test.h"
#include "support/wild.h"
#include <stdio.h>
#include <string.h>

/* A sphere, or a capsule along any axis. */
static abut_shape made_rod(rng *r, double size) {
    const uint32_t axis = rng_below(r, 4);
    abut_shape shape = {.radius = (float)(size * wild_size(r, -8, 2))};
    if (axis < 3) {
        (&shape.half.x)[axis] = (float)(size * wild_size(r, -8, 2));
    }
    return shape;
}

/* Some are parallel, nearly; some have one centre; some are turned by zero. */
static wild_pair made_pair(rng *r) {
    const double size = wild_size(r, -12, 12);
    const abut_shape a = made_rod(r, size), b = rng_chance(r, 0.2) ? a : made_rod(r, size * wild_size(r, -2, 2));
    const uint32_t kind = rng_below(r, 8);
    wild_pair pair;
    wild_pair_make(r, &a, &b, &pair);
    if (kind < 2) {
        pair.pose_b.rotation = pair.pose_a.rotation;
        pair.pose_b.rotation.x += kind == 0 ? 0.0f : (float)rng_range(r, -0.04, 0.04);
    } else if (kind == 2) {
        pair.pose_b.position = pair.pose_a.position;
    } else if (kind == 3) {
        pair.pose_a.rotation = (abut_quat){0, 0, 0, 0};
    }
    return pair;
}

/* As the second of three alike. */
static bool in_list(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold,
                    bool *overlap) {
    static const uint32_t zero[3], where[] = {0, 1, 2};
    const abut_np_pairs pairs = {.collider = a, .other = b, .a = zero, .b = zero, .n = 3};
    abut_manifold m[3];
    uint8_t hit[3], over[3];
    memset(m, 0xa5, sizeof m);
    abut_np_round_collide_many(&pairs, margin, where, m, hit);
    abut_np_round_overlap_many(&pairs, where, over);
    *manifold = m[1];
    *overlap = over[1];
    return hit[1];
}

static const char *fault_of(const wild_pair *p, float margin, uint32_t *points) {
    abut_collider a, b;
    abut_manifold m[3];
    bool overlap;
    memset(m, 0xa5, sizeof m);
    assert_true(abut_collider_from_shape(&p->a, &p->pose_a, &a) && abut_collider_from_shape(&p->b, &p->pose_b, &b));
    const bool hit = in_list(&a, &b, margin, &m[0], &overlap);
    *points = hit ? m[0].count : 0;
    if (abut_np_round_collide(&a, &b, margin, NULL, &m[1]) != hit || memcmp(&m[0], &m[1], sizeof m[0]) != 0) {
        return "by the function of the table";
    }
    if (abut_shape_collide(&p->a, &p->pose_a, &p->b, &p->pose_b, margin, &m[2]) != hit ||
        memcmp(&m[0], &m[2], sizeof m[0]) != 0) {
        return "by the public function";
    }
    if (abut_np_round_overlap(&a, &b, NULL) != overlap ||
        abut_shape_overlap(&p->a, &p->pose_a, &p->b, &p->pose_b) != overlap) {
        return "whether they overlap";
    }
    return NULL;
}

static void a_pair_alone_has_the_bits_that_it_has_in_a_list(void **state) {
    (void)state;
    const unsigned long count = test_count(200000);
    unsigned long of_points[3] = {0};
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        const wild_pair pair = made_pair(&r);
        const float margin = rng_chance(&r, 0.7) ? 0 : (float)(pair.size * wild_size(&r, -8, 0));
        uint32_t points = 0;
        const char *fault = fault_of(&pair, margin, &points);
        if (fault) {
            printf("case %lu, margin %a: %s\n", i, (double)margin, fault);
            fail();
        }
        of_points[points]++;
    }
    assert_true(of_points[0] > count / 10 && of_points[1] > count / 10 && of_points[2] > count / 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pair_alone_has_the_bits_that_it_has_in_a_list)};
    return test_run(tests);
}
