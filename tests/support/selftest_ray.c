/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tests of the oracle of rays: rays known by hand, and against the oracle of distance. */

#include "support/distance_oracle.h"
#include "support/ray_families.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const abut_quat quarter = {0, 0, 1, 1}, eighth = {0, 0, 0x1.87de2ap-2f, 0x1.d906bcp-1f};
static const double NEVER = -1;

typedef struct hand {
    abut_vec3 half;
    float radius;
    abut_quat rotation;
    abut_vec3 origin, translation;
    double first; /* or NEVER */
    double normal[3];
} hand;

static const hand hands[] = {
    /* a cube: faces, an edge, a corner, beside it, ending on it, before it, away from it */
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 1, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 1, -1}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0x1.000002p0f, 0}, {4, 0, 0}, -1, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {2, 0, 0}, 1, {-1, 0, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {0x1.fffffep0f, 0, 0}, -1, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {-2, 0, 0}, -1, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {0, 2, 0}, {4, -4, 0}, 0.25, {0, 1, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {0, 3, 0}, {4, -4, 0}, -1, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {2, 2, 2}, {-2, -2, -2}, 0.5, {1, 0, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {0.5f, 0, 0}, {4, 4, 4}, 0, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {1, 1, 1}, {4, 4, 4}, 0, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {1, 1, 1}, {0, 0, 0}, 0, {0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {1, 1, 0x1.000002p0f}, {0, 0, 0}, -1, {0}},
    {{1, 2, 3}, 0, {0, 0, 1, 1}, {-4, 0, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{1, 2, 3}, 0, {0, 0, 3, 3}, {0, -4, 0}, {0, 4, 0}, 0.75, {0, -1, 0}},
    {{1, 1, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {0x1p100f, 0, 0}, 0x1p-99, {-1, 0, 0}},
    /* a plate, a rod, a point */
    {{1, 0, 1}, 0, {0, 0, 0, 0}, {0, 1, 0}, {0, -4, 0}, 0.25, {0, 1, 0}},
    {{1, 0, 1}, 0, {0, 0, 0, 0}, {0, -1, 0}, {0, 4, 0}, 0.25, {0, -1, 0}},
    {{1, 0, 1}, 0, {0, 0, 0, 0}, {-3, 0, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{1, 0, 1}, 0, {0, 0, 0, 0}, {-3, 0x1p-20f, 0}, {4, 0, 0}, -1, {0}},
    {{0, 2, 0}, 0, {0, 0, 0, 0}, {-1, 1, 0}, {4, 0, 0}, 0.25, {-1, 0, 0}},
    {{0, 2, 0}, 0, {0, 0, 0, 0}, {0, 4, 0}, {0, -4, 0}, 0.5, {0, 1, 0}},
    {{0, 2, 0}, 0, {0, 0, 0, 0}, {0, 4, 0}, {0, 4, 0}, -1, {0}},
    {{0, 0, 0}, 0, {0, 0, 0, 0}, {-3, -3, -3}, {4, 4, 4}, 0.75, {-1, 0, 0}},
    {{0, 0, 0}, 0, {0, 0, 0, 0}, {-3, -3, -3}, {4, 4, 0x1.000002p2f}, -1, {0}},
    /* a sphere, also grazed; a capsule, its caps and its side; a rounded cube and its edge */
    {{0, 0, 0}, 2, {0, 0, 0, 0}, {-4, 0, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{0, 0, 0}, 2, {0, 0, 0, 0}, {-4, 2, 0}, {8, 0, 0}, 0.5, {0, 1, 0}},
    {{0, 0, 0}, 5, {0, 0, 0, 0}, {-11, 3, 0}, {14, 0, 0}, 0.5, {-0.8, 0.6, 0}},
    {{0, 2, 0}, 1, {0, 0, 0, 0}, {0, 7, 0}, {0, -8, 0}, 0.5, {0, 1, 0}},
    {{0, 2, 0}, 1, {0, 0, 0, 0}, {-3, 1, 0}, {4, 0, 0}, 0.5, {-1, 0, 0}},
    {{0, 2, 0}, 1, {0, 0, 0, 0}, {-1, 7, 0}, {0, -8, 0}, 0.625, {-1, 0, 0}},
    {{0, 2, 0}, 5, {0, 0, 0, 0}, {-5, 6, 0}, {4, 0, 0}, 0.5, {-0.6, 0.8, 0}},
    {{1, 1, 1}, 1, {0, 0, 0, 0}, {-3, 2, 0}, {4, 0, 0}, 0.5, {0, 1, 0}},
    {{1, 1, 1}, 5, {0, 0, 0, 0}, {-6, 4, 0}, {4, 0, 0}, 0.25, {-0.8, 0.6, 0}},
    {{1, 1, 1}, 1, {0, 0, 0, 0}, {-1.75f, 1.75f, 0}, {0, 0, 0}, -1, {0}},
    {{1, 1, 1}, 1, {0, 0, 0, 0}, {-1.625f, 1.625f, 0}, {1, 0, 0}, 0, {0}},
};

/* An answer that is right, made of what is known. */
static abut_hit answer_of(const hand *h) {
    abut_hit hit;
    memset(&hit, 0, sizeof hit);
    hit.fraction = (float)h->first;
    hit.normal = (abut_vec3){(float)h->normal[0], (float)h->normal[1], (float)h->normal[2]};
    hit.position = (abut_vec3){(float)(h->origin.x + h->first * h->translation.x),
                               (float)(h->origin.y + h->first * h->translation.y),
                               (float)(h->origin.z + h->first * h->translation.z)};
    return hit;
}

static void expect_fault(const ray_core *solid, const hand *h, const ray_truth *t, const abut_hit *hit,
                         const char *fault) {
    abut_ray ray = {h->origin, h->translation, {{0, 0}, {0, 0}}};
    const abut_pose pose = {{0, 0, 0}, h->rotation};
    const char *given = ray_fault(solid, h->radius, &pose, &ray, t, hit != NULL, hit);
    if ((given == NULL) != (fault == NULL) || (fault && strcmp(given, fault) != 0)) {
        fail_msg("ray %td: %s instead of %s", h - hands, given ? given : "right", fault ? fault : "right");
    }
}

static void rays_known_by_hand(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    static ray_core solid;
    for (size_t i = 0; i < sizeof hands / sizeof hands[0]; i++) {
        const hand *h = &hands[i];
        abut_ray ray = {h->origin, h->translation, {{0, 0}, {0, 0}}};
        const abut_pose pose = {{0, 0, 0}, h->rotation};
        ray_core_of_box(h->half, &solid);
        ray_truth t = ray_oracle(&solid, h->radius, &pose, &ray);
        if (t.meets != (h->first != NEVER) || t.near_meets != t.meets) {
            fail_msg("ray %zu: meets %d, near %d", i, t.meets, t.near_meets);
        }
        abut_hit hit = answer_of(h);
        if (t.meets) {
            double late = (double)t.latest - h->first, early = h->first - (double)t.first;
            assert_true(t.holds == (h->first == 0) && t.near_first <= t.first && t.first <= t.latest);
            if (!(late >= 0 && late <= 1e-14 && early >= 0 && early <= 1e-14)) {
                fail_msg("ray %zu: %g late, %g early", i, late, early);
            }
            assert_true((double)t.near_first >= h->first * (1 - 1e-5) - 1e-11);
        }
        const char *fault = ray_fault(&solid, h->radius, &pose, &ray, &t, t.meets, &hit);
        if (fault) {
            ray_print(&solid, h->radius, &pose, &ray, &t, t.meets, &hit);
            fail_msg("ray %zu: %s", i, fault);
        }
        expect_fault(&solid, h, &t, NULL, t.meets ? "missed" : NULL);
    }
}

/* What is a little wrong is seen. */
static void wrong_answers_are_faults(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    static ray_core solid;
    for (size_t i = 0; i < sizeof hands / sizeof hands[0]; i++) {
        const hand *h = &hands[i];
        abut_ray ray = {h->origin, h->translation, {{0, 0}, {0, 0}}};
        const abut_pose pose = {{0, 0, 0}, h->rotation};
        ray_core_of_box(h->half, &solid);
        ray_truth t = ray_oracle(&solid, h->radius, &pose, &ray);
        abut_hit hit = answer_of(h), wrong = hit;
        if (!t.meets) {
            wrong.fraction = 0.5f;
            expect_fault(&solid, h, &t, &wrong, "invented");
            continue;
        }
        wrong.normal.x = wrong.normal.x * 0.9f + 0.3f;
        assert_non_null(ray_fault(&solid, h->radius, &pose, &ray, &t, true, &wrong));
        wrong = hit;
        wrong.position.y = nextafterf(wrong.position.y, 9);
        expect_fault(&solid, h, &t, &wrong, "the position is not that of the fraction");
        wrong = hit;
        wrong.part = 1;
        expect_fault(&solid, h, &t, &wrong, "names a body");
        wrong = hit;
        wrong.fraction = h->first > 0 ? nextafterf(hit.fraction, 2) : 0.5f;
        const char *late = wrong.fraction > 1 ? "the fraction is none"
                           : h->first > 0     ? "too late"
                                              : "a zero normal away from the start";
        expect_fault(&solid, h, &t, &wrong, late);
        wrong.fraction = hit.fraction * 0.9999f;
        expect_fault(&solid, h, &t, &wrong, h->first > 0 ? "too early" : NULL);
        wrong = hit;
        wrong.fraction = 0;
        wrong.position = h->origin;
        wrong.normal = (abut_vec3){0, 0, 0};
        expect_fault(&solid, h, &t, &wrong, h->first > 0 ? "a zero normal away from the start" : NULL);
    }
}

static void known_rotations(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    static ray_core solid;
    ray_core_of_box((abut_vec3){1, 1, 1}, &solid);
    abut_ray ray = {{-4, 0, 0}, {8, 0, 0}, {{0, 0}, {0, 0}}};
    const abut_pose turned = {{0, 0, 0}, eighth}, straight = {{0, 0, 0}, quarter};
    ray_truth t = ray_oracle(&solid, 0, &turned, &ray), u = ray_oracle(&solid, 0, &straight, &ray);
    assert_true(t.meets && fabs((double)t.first - (4 - sqrt(2)) / 8) < 1e-7);
    assert_true(u.meets && (double)u.latest == 0.375);
    ray_truth v = ray_oracle(&solid, 2, &turned, &ray);
    assert_true(v.meets && fabs((double)v.first - (2 - sqrt(2)) / 8) < 1e-7);
    assert_true(fabs(t.size - (sqrt(12) + 4)) < 1e-12 && fabs(v.size - (sqrt(12) * 3 + 4)) < 1e-12);
}

static double distance_at(const ray_case *c, const core *points, quad fraction) {
    quad p[3];
    double rough[3];
    const float *o = &c->ray.origin.x, *d = &c->ray.translation.x, *at = &c->pose.position.x;
    for (int k = 0; k < 3; k++) {
        p[k] = (quad)o[k] - at[k] + fraction * d[k];
        rough[k] = (double)p[k];
    }
    return distance_of_point(points, c->pose.rotation, rough);
}

/* Where the body and the grown body are said to be met first, the distance is what it should be; before, it is more.
 * The distance is asked for at doubles. */
static void it_agrees_with_the_oracle_of_distance(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long count = test_count(4000), met[RAY_FAMILIES] = {0}, near[RAY_FAMILIES] = {0};
    ray_hulls *hulls = ray_hulls_make(test_seed());
    ray_case *c = malloc(sizeof *c);
    core *points = malloc(sizeof *points);
    assert_true(c && points);
    for (unsigned long i = 0; i < count; i++) {
        ray_family family = (ray_family)(i % RAY_FAMILIES);
        ray_family_case(hulls, family, test_seed(), i, c);
        if (c->core->count > 24 || family == RAY_DENORMAL || family == RAY_HUGE) {
            continue;
        }
        ray_truth t = ray_oracle(c->core, c->shape.radius, &c->pose, &c->ray);
        if (c->shape.hull) {
            assert_true(core_of_points(c->core->point, c->core->count, points));
        } else {
            core_of_box(c->shape.half, points);
        }
        double radius = c->shape.radius, slack = 1e-14 * t.size, least = INFINITY;
        quad end = t.near_meets ? t.near_first : 1;
        for (int k = 0; k < 9; k++) {
            least = fmin(least, distance_at(c, points, end * k / 8));
        }
        met[family] += t.meets;
        near[family] += t.near_meets && !t.meets;
        double first = t.meets ? distance_at(c, points, t.first) : radius;
        double last = t.meets ? distance_at(c, points, t.latest) : radius;
        if (least < radius + 1e-12 * t.size - slack && !t.near_holds) {
            fail_msg("ray %lu: closer before it is met", i);
        }
        if (first > radius + slack || last > radius + slack || (!t.holds && first < radius - slack)) {
            ray_print(c->core, c->shape.radius, &c->pose, &c->ray, &t, false, NULL);
            fail_msg("ray %lu: not met where it is said to be: %g, %g", i, (first - radius) / t.size,
                     (last - radius) / t.size);
        }
    }
    for (int k = 0; k < RAY_FAMILIES; k++) {
        printf("%s: met %lu, only within e %lu of %lu\n", ray_family_names[k], met[k], near[k], count / RAY_FAMILIES);
    }
    free(points);
    free(c);
    ray_hulls_release(hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_known_by_hand),
        cmocka_unit_test(wrong_answers_are_faults),
        cmocka_unit_test(known_rotations),
        cmocka_unit_test(it_agrees_with_the_oracle_of_distance),
    };
    return test_run(tests);
}
