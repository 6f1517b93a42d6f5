/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Distances of many shapes from one: the bits of abut_shape_distance on every instruction set, in batches of any size,
 * whatever the limit; 0 exactly where shapes overlap. */

#include "narrowphase/narrowphase.h"
#include "support/near_round.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 24, BODIES = 2 * MOST };

/* A shape and bodies around it, some of which nearly touch it. */
typedef struct scene {
    round_body query, body[BODIES];
    abut_collider shape, collider[BODIES];
    uint32_t index[MOST];
    size_t n;
} scene;

static void make_scene(const round_hulls *hulls, uint64_t number, scene *s) {
    rng r = rng_make(test_seed(), number);
    round_pair p;
    bool points = rng_chance(&r, 0.6);
    double size = 0;
    for (uint32_t k = 0; k < BODIES; k++) {
        do {
            near_round_pair(hulls, test_seed() + 5, number * 4096 + rng_below(&r, 4096),
                            rng_chance(&r, 0.5) ? ROUND_APART : ROUND_NEAR, &p);
        } while (points && p.a.kind != ROUND_SPHERE);
        if (points && k == 0 && rng_chance(&r, 0.5)) { /* a point */
            p.b.shape.radius += p.a.shape.radius;
            p.a.shape.radius = 0;
        }
        if (k == 0) {
            s->query = p.a;
            size = p.a.shape.radius + p.a.core->half[0] + p.b.core->half[1];
        }
        s->body[k] = p.b;
        if (k > 0 && rng_chance(&r, 0.9)) { /* brings others near; some of them hold the shape */
            abut_vec3 to = s->query.pose.position, by = rng_vec3(&r, -1, 1);
            float far = (float)(size * rng_log_range(&r, 1e-2, 1e2));
            s->body[k].pose.position = (abut_vec3){to.x + far * by.x, to.y + far * by.y, to.z + far * by.z};
        }
        assert_true(abut_collider_from_shape(&s->body[k].shape, &s->body[k].pose, &s->collider[k]));
    }
    assert_true(abut_collider_from_shape(&s->query.shape, &s->query.pose, &s->shape));
    s->n = rng_below(&r, MOST + 1);
    for (size_t k = 0; k < s->n; k++) {
        s->index[k] = k == 0 ? 0 : rng_below(&r, BODIES);
    }
}

static double check_one(const scene *s, uint32_t body, double distance) {
    const round_body *b = &s->body[body];
    abut_vec3 on_a, on_b, position, normal;
    float d = abut_shape_distance(&s->query.shape, &s->query.pose, &b->shape, &b->pose, &on_a, &on_b);
    double near = abut_np_nearest_point(&s->shape, &s->collider[body], &position, &normal);
    assert_true(near == distance && abut_np_distance_float(distance) == d);
    assert_true((d == 0) == abut_np_overlap(&s->shape, &s->collider[body]));
    assert_memory_equal(&position, &on_b, sizeof on_b);
    double length = sqrt((double)normal.x * normal.x + (double)normal.y * normal.y + (double)normal.z * normal.z);
    assert_true(d == 0 ? length == 0 : fabs(length - 1) <= 1e-6);
    if (d > 0) { /* the normal leads from one point to the other, which are sums of numbers as large as the body */
        double S = fabs((double)on_a.x) + fabs((double)on_a.y) + fabs((double)on_a.z) + d;
        double off = fabs((double)on_b.x + d * (double)normal.x - on_a.x) +
                     fabs((double)on_b.y + d * (double)normal.y - on_a.y) +
                     fabs((double)on_b.z + d * (double)normal.z - on_a.z);
        const abut_aabb all = abut_shape_bounds(&b->shape, &b->pose);
        double size = (double)all.max.x - all.min.x + all.max.y - all.min.y + all.max.z - all.min.z;
        assert_true(off <= 1e-6 * S + 0x1p-48 * size);
    }
    return distance;
}

static size_t check_limits(const scene *s, const double *distance) {
    size_t left_out = 0;
    for (size_t j = 0; j < s->n; j += 5) {
        double limited[MOST], limit = distance[j];
        abut_np_distance_many(&s->shape, s->collider, s->index, s->n, limit, limited);
        for (size_t k = 0; k < s->n; k++) {
            assert_true(limited[k] == distance[k] || (isinf(limited[k]) && distance[k] > limit));
            left_out += limited[k] != distance[k];
        }
    }
    return left_out;
}

static void distances_are_those_of_two_shapes_everywhere(void **state) {
    (void)state;
    abut_isa active = abut_isa_active();
    round_hulls *hulls = round_hulls_make(test_seed());
    size_t touching = 0, apart = 0, left_out = 0;
    for (unsigned long i = 0; i < test_count(4000); i++) {
        scene s;
        double plain[MOST + 1], distance[MOST + 1];
        make_scene(hulls, i, &s);
        assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
        plain[s.n] = -7;
        abut_np_distance_many(&s.shape, s.collider, s.index, s.n, INFINITY, plain);
        for (size_t k = 0; k < s.n; k++) {
            double d = check_one(&s, s.index[k], plain[k]);
            touching += d == 0;
            apart += d > 0;
        }
        for (int isa = 1; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                distance[s.n] = -7;
                abut_np_distance_many(&s.shape, s.collider, s.index, s.n, INFINITY, distance);
                assert_memory_equal(distance, plain, (s.n + 1) * sizeof *plain);
                left_out += check_limits(&s, plain);
            }
        }
        assert_int_equal(abut_isa_select(active), ABUT_OK);
    }
    round_hulls_release(hulls);
    printf("%zu touching, %zu apart, %zu left out\n", touching, apart, left_out);
    assert_true(touching > apart / 4 && apart > touching / 4 && left_out > apart / 20);
}

/* A shape against bodies of another array, as pairs. */
static void pairs_of_two_arrays(void **state) {
    (void)state;
    static const uint32_t first[MOST] = {0};
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < test_count(2000); i++) {
        scene s;
        uint8_t hit[MOST];
        abut_manifold m, manifold[MOST];
        make_scene(hulls, i, &s);
        const abut_np_pairs pairs = {.collider = s.collider, .other = &s.shape, .a = s.index, .b = first, .n = s.n};
        abut_np_overlap_many(&pairs, hit);
        for (size_t k = 0; k < s.n; k++) {
            assert_int_equal(hit[k], abut_np_overlap(&s.collider[s.index[k]], &s.shape));
        }
        float margin = i & 1 ? s.query.shape.radius : 0;
        abut_np_collide_many(&pairs, margin, manifold, hit);
        for (size_t k = 0; k < s.n; k++) {
            assert_int_equal(hit[k], abut_np_collide(&s.collider[s.index[k]], &s.shape, margin, &m));
            assert_true(!hit[k] || memcmp(&m, &manifold[k], sizeof m) == 0);
        }
    }
    round_hulls_release(hulls);
}

/* No direction between the cores is certain, and yet they do not touch: there is a normal all the same. */
static void next_to_nothing(void **state) {
    (void)state;
    abut_vec3 position, normal;
    abut_shape box = abut_box(1, 1, 1), point = abut_point();
    abut_pose at = {{0, 0, 0}, {0, 0, 0, 1}}, above = {{0.25f, 1 + 0x1p-23f, 0}, {0, 0, 0, 1}};
    abut_collider a, b;
    assert_true(abut_collider_from_shape(&point, &above, &a) && abut_collider_from_shape(&box, &at, &b));
    assert_true(abut_np_nearest_point(&a, &b, &position, &normal) == 0x1p-23);
    assert_true(position.x == 0.25f && position.y == 1 && normal.y == 1 && normal.x == 0);
    above.position.y = 1;
    assert_true(abut_collider_from_shape(&point, &above, &a));
    assert_true(abut_np_nearest_point(&a, &b, &position, &normal) == 0);
    assert_true(position.x == 0.25f && position.y == 1 && normal.y == 0);
    /* From the least float on the x axis to a rod that rises 16 degrees from there: less than half of it. */
    const abut_shape rod = {.half = {0, 0, 0x1p-100f}};
    const abut_pose risen = {.rotation = {0, 0.6f, 0, 0.8f}}, beside = {{FLT_TRUE_MIN, 0, 0}, {0, 0, 0, 1}};
    assert_true(abut_shape_distance(&rod, &risen, &point, &beside, NULL, NULL) == FLT_TRUE_MIN);
    assert_true(abut_np_distance_float(1e-60) == FLT_TRUE_MIN && abut_np_distance_float(0) == 0);
    assert_true(isinf(abut_np_distance_float(INFINITY)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_two_shapes_everywhere),
        cmocka_unit_test(pairs_of_two_arrays),
        cmocka_unit_test(next_to_nothing),
    };
    return test_run(tests);
}
