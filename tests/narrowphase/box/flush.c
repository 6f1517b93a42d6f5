/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes with flush faces, which share a rectangle, take a shorter path through the manifold kernel: it must give the
 * same contacts as the general path gives for the same boxes after a negligible tilt. And the count of pairs that float
 * does not decide. */

#include "narrowphase/narrowphase.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0},  {0, 1, 0, 1}, {0, 0, 1, -1},
                                  {1, 1, 1, 1}, {1, -1, 1, 1}, {0, 1, 1, 0}, {0.5f, 0, 0, 0.5f}};

/* The half extents along the world's axes, for a box with a quarter turn. */
static void turned_half(const abut_obb *box, float out[3]) {
    abut_obb there = {{0, 0, 0}, box->rotation, box->half};
    abut_aabb bounds = abut_obb_bounds(&there);
    out[0] = bounds.max.x, out[1] = bounds.max.y, out[2] = bounds.max.z;
}

/* One axis shows a small depth or gap, the others a large depth; the faces overlap in any way. */
static uint32_t make_pair(rng *r, float margin, abut_obb *a, abut_obb *b) {
    float half_a[3], half_b[3];
    uint32_t axis = rng_below(r, 3);
    *a = (abut_obb){{0, 0, 0}, turns[rng_below(r, 8)], {0, 0, 0}};
    *b = (abut_obb){{0, 0, 0}, turns[rng_below(r, 8)], {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        (&a->half.x)[i] = 0.25f * (float)(2 + rng_below(r, 4));
        (&b->half.x)[i] = 0.25f * (float)(2 + rng_below(r, 4));
    }
    turned_half(a, half_a);
    turned_half(b, half_b);
    for (uint32_t i = 0; i < 3; i++) {
        float room = half_a[i] + half_b[i] - 0.375f, *at = &b->center.x + i;
        *at = (float)rng_range(r, -room, room);
        *at = margin > 0 ? *at : 0.125f * floorf(8 * *at); /* see ends_are_flush */
        if (i == axis) {
            *at = rng_sign(r) * (half_a[i] + half_b[i] +
                                 (margin > 0           ? 0.5f * margin
                                  : rng_chance(r, 0.5) ? 0
                                                       : -0.03f));
        }
    }
    return axis;
}

/* Whether the tilt may change which box is the first of the two: of equal boxes that is decided by the position along
 * the axis along which they are farthest apart, and two axes are alike. The features are then those of the other order.
 */
static bool order_is_a_tie(const abut_obb *a, const abut_obb *b) {
    const float x = fabsf(b->center.x), y = fabsf(b->center.y), z = fabsf(b->center.z);
    const float most = fmaxf(x, fmaxf(y, z)), near = most - 1e-5f;
    return memcmp(&a->half, &b->half, sizeof a->half) == 0 && (x >= near) + (y >= near) + (z >= near) > 1;
}

/* Whether faces that look across a gap end at one place, to within what counts as flush: either face may then give the
 * ends their features, and the tilt decides which. */
static bool ends_are_flush(const abut_obb *a, const abut_obb *b, uint32_t axis) {
    const abut_aabb x = abut_obb_bounds(a), y = abut_obb_bounds(b);
    bool flush = false;
    for (uint32_t i = 0; i < 3; i++) {
        const float low = fabsf((&x.min.x)[i] - (&y.min.x)[i]), high = fabsf((&x.max.x)[i] - (&y.max.x)[i]);
        flush = flush || (i != axis && fminf(low, high) < 1e-5f);
    }
    return flush;
}

static const abut_contact_point *with_feature(const abut_manifold *m, uint32_t feature) {
    for (uint32_t k = 0; k < m->count; k++) {
        if (m->points[k].feature == feature) {
            return &m->points[k];
        }
    }
    return NULL;
}

static float distance(abut_vec3 p, abut_vec3 q) {
    return fabsf(p.x - q.x) + fabsf(p.y - q.y) + fabsf(p.z - q.z);
}

static bool alike(const abut_manifold *m, const abut_manifold *n) {
    bool good = m->count == 4 && n->count == 4 && distance(m->normal, n->normal) < 1e-6f;
    for (uint32_t k = 0; good && k < 4; k++) {
        const abut_contact_point *p = &m->points[k], *q = with_feature(n, p->feature);
        good = q && distance(p->position, q->position) < 1e-5f && fabsf(p->separation - q->separation) < 1e-5f;
    }
    return good;
}

static void aligned_boxes_have_the_contacts_of_tilted_ones(void **state) {
    (void)state;
    static const float margins[] = {0, 0.03f};
    for (unsigned long i = 0; i < test_count(50000); i++) {
        rng r = rng_make(test_seed(), i);
        float margin = margins[i % 2];
        abut_obb a, b, tilted;
        abut_manifold straight, other;
        uint32_t axis = make_pair(&r, margin, &a, &b);
        if (order_is_a_tie(&a, &b) || (margin > 0 && ends_are_flush(&a, &b, axis))) {
            continue;
        }
        tilted = b;
        float *part = &tilted.rotation.x, sign = rng_sign(&r);
        uint32_t zero = rng_below(&r, 4);
        part[zero] += sign * (part[zero] == 0 ? 1e-9f : 2e-7f);
        (&tilted.center.x)[axis] *= margin > 0 ? 1 : 1 - 1e-6f; /* still an overlap */
        assert_true(abut_obb_collide(&a, &b, margin, &straight));
        bool found = abut_obb_collide(&a, &tilted, 0.03f, &other);
        if (!found || !alike(&straight, &other)) {
            fprintf(stderr, "pair %lu, margin %g\n", i, (double)margin);
            print_obb("a", &a);
            print_obb("b", &b);
            print_manifold("straight", &straight);
            print_manifold("tilted", &other);
            fail();
        }
    }
}

static void pairs_that_float_leaves_open_are_counted(void **state) {
    (void)state;
    enum { N = 300 };
    static abut_collider collider[N + 1];
    static uint32_t a[N], b[N];
    static uint8_t hit[N];
    static abut_manifold manifold[N];
    for (uint32_t k = 0; k <= N; k++) {
        abut_obb box = {{(float)k, 0, 0}, {0, 0, 0, 1}, {0.5f, 0.5f, 0.5f}};
        assert_true(abut_collider_from_obb(&box, &collider[k]));
    }
    for (uint32_t k = 0; k < N; k++) { /* a third touches exactly, a third is apart, a third the same box */
        a[k] = k;
        b[k] = k % 3 == 0 ? k + 1 : k % 3 == 1 ? (k + 7) % N : k;
    }
    size_t count = 5;
    const abut_np_pairs pairs = {
        .collider = collider, .other = collider, .a = a, .b = b, .n = N, .second_stage = &count};
    abut_np_overlap_many(&pairs, hit);
    assert_int_equal(count, 5 + N / 3);
    abut_np_collide_many(&pairs, 0, manifold, hit);
    assert_int_equal(count, 5 + 2 * (N / 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_boxes_have_the_contacts_of_tilted_ones),
        cmocka_unit_test(pairs_that_float_leaves_open_are_counted),
    };
    return test_run(tests);
}
