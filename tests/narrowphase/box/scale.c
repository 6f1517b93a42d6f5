/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The library assumes no unit: multiplying all lengths by a power of two changes no answer and no bit. */

#include "support/near_touch.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static abut_vec3 scaled(abut_vec3 v, int power) {
    return (abut_vec3){ldexpf(v.x, power), ldexpf(v.y, power), ldexpf(v.z, power)};
}

static abut_obb scaled_box(abut_obb box, int power) {
    box.center = scaled(box.center, power);
    box.half = scaled(box.half, power);
    return box;
}

static abut_manifold scaled_manifold(abut_manifold m, int power) {
    for (int i = 0; i < 4; i++) {
        m.points[i].position = scaled(m.points[i].position, power);
        m.points[i].separation = ldexpf(m.points[i].separation, power);
    }
    return m;
}

/* Whether a value keeps all its bits when it is scaled. Differences that cancel to almost nothing may become denormal.
 */
static bool fits(float value, int power) {
    float moved = ldexpf(value, power);
    return value == 0 || (isfinite(moved) && fabsf(moved) >= 0x1p-126f);
}

static bool box_fits(const abut_obb *box, int power) {
    const float *c = &box->center.x, *h = &box->half.x;
    for (int i = 0; i < 3; i++) {
        if (!fits(c[i], power) || !fits(h[i], power)) {
            return false;
        }
    }
    return true;
}

static bool manifold_fits(const abut_manifold *m, int power) {
    bool all = true;
    for (int i = 0; i < 4; i++) {
        const abut_contact_point *p = &m->points[i];
        all = all && fits(p->separation, power) && fits(p->position.x, power) && fits(p->position.y, power) &&
              fits(p->position.z, power);
    }
    return all;
}

typedef struct answers {
    bool overlap, collide, near;
    abut_manifold touching, nearby;
} answers;

static answers ask(const abut_obb *a, const abut_obb *b, float margin) {
    answers out;
    memset(&out, 0, sizeof out);
    out.overlap = abut_obb_overlap(a, b);
    out.collide = abut_obb_collide(a, b, 0, &out.touching);
    out.near = abut_obb_collide(a, b, margin, &out.nearby);
    return out;
}

static bool same(const abut_manifold *a, const abut_manifold *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void powers_of_two_scale_every_answer_exactly(void **state) {
    (void)state;
    static const int powers[] = {-1, 1, 7, -13, 24, -24, 40, -40, 60, -60, 80, -80};
    unsigned long pairs = test_count(20000), compared = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        rng r = rng_make(~test_seed(), i);
        float margin = (pair.a.half.x + pair.a.half.y + pair.b.half.z) * (float)rng_log_range(&r, 1e-8, 1);
        answers original = ask(&pair.a, &pair.b, margin);
        for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
            int power = powers[k];
            if (!box_fits(&pair.a, power) || !box_fits(&pair.b, power) || !fits(margin, power)) {
                continue;
            }
            abut_obb a = scaled_box(pair.a, power), b = scaled_box(pair.b, power);
            answers moved = ask(&a, &b, ldexpf(margin, power));
            bool right =
                moved.overlap == original.overlap && moved.collide == original.collide && moved.near == original.near;
            if (manifold_fits(&original.touching, power) && manifold_fits(&original.nearby, power)) {
                abut_manifold touching = scaled_manifold(original.touching, power);
                abut_manifold nearby = scaled_manifold(original.nearby, power);
                right = right && same(&touching, &moved.touching) && same(&nearby, &moved.nearby);
                compared++;
            }
            if (!right) {
                fprintf(stderr, "seed 0x%llx pair %lu changes when scaled by 2^%d, margin %a\n",
                        (unsigned long long)test_seed(), i, power, (double)margin);
                print_obb("a", &pair.a);
                print_obb("b", &pair.b);
                print_manifold("touching", &original.touching);
                print_manifold("touching, scaled", &moved.touching);
                print_manifold("near", &original.nearby);
                print_manifold("near, scaled", &moved.nearby);
                fail();
            }
        }
    }
    printf("%lu manifolds compared\n", compared);
    assert_true(compared > 5 * pairs);
}

static void powers_of_two_scale_bounds_exactly(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(50000); i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        abut_aabb bounds = abut_obb_bounds(&pair.a);
        for (int power = -40; power <= 40; power += 20) {
            abut_obb a = scaled_box(pair.a, power);
            abut_aabb moved = abut_obb_bounds(&a);
            const float *x = &bounds.min.x, *y = &moved.min.x, *u = &bounds.max.x, *v = &moved.max.x;
            for (int k = 0; k < 3 && box_fits(&pair.a, power); k++) {
                assert_true(!fits(x[k], power) || ldexpf(x[k], power) == y[k]);
                assert_true(!fits(u[k], power) || ldexpf(u[k], power) == v[k]);
            }
        }
    }
}

/* A quaternion times a power of two is the same rotation to the last bit, and so is the negated quaternion. */
static void the_length_of_a_quaternion_does_not_matter(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        rng r = rng_make(test_seed(), i);
        pair.a.rotation = rng_rotation(&r);
        pair.b.rotation = rng_rotation(&r);
        answers original = ask(&pair.a, &pair.b, 0.25f);
        abut_aabb bounds = abut_obb_bounds(&pair.a);
        for (int power = -80; power <= 80; power += 20) {
            abut_obb a = pair.a;
            float sign = power % 40 ? -1.0f : 1.0f;
            abut_quat q = a.rotation;
            a.rotation = (abut_quat){sign * ldexpf(q.x, power), sign * ldexpf(q.y, power), sign * ldexpf(q.z, power),
                                     sign * ldexpf(q.w, power)};
            answers longer = ask(&a, &pair.b, 0.25f);
            abut_aabb moved = abut_obb_bounds(&a);
            assert_int_equal(longer.overlap, original.overlap);
            assert_memory_equal(&longer.touching, &original.touching, sizeof original.touching);
            assert_memory_equal(&longer.nearby, &original.nearby, sizeof original.nearby);
            assert_memory_equal(&moved, &bounds, sizeof bounds);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_scale_every_answer_exactly),
        cmocka_unit_test(powers_of_two_scale_bounds_exactly),
        cmocka_unit_test(the_length_of_a_quaternion_does_not_matter),
    };
    return test_run(tests);
}
