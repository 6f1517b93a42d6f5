/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tests of the oracle of culling: pairs whose answer is known by hand, and its two methods against each other on pairs
 * that nearly touch. */

#include "support/near_frusta.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

static const abut_quat none = {0, 0, 0, 1};

/* 90 degrees along +z, near 1, far 3. */
static const frustum_spec square = {.kind = FRUSTUM_PERSPECTIVE,
                                    .eye = {10, 20, 30},
                                    .left = {2, 0, 0},
                                    .up = {0, 1, 0},
                                    .direction = {0, 0, 5},
                                    .half_width = 1,
                                    .half_height = 1,
                                    .near_distance = 1,
                                    .far_distance = 3};

static void expect(const frustum_spec *spec, abut_obb box, double gap, double inside) {
    frustum_truth truth;
    frustum_truth_of(spec, &truth);
    frustum_gap found = frustum_oracle(&truth, &box);
    assert_true(found.known && found.touch == (gap == 0) && found.touch == frustum_oracle_touch(&truth, &box));
    assert_true(fabs(found.gap - gap) <= 1e-9 * gap);
    assert_true(fabs(found.inside - inside) <= 1e-14 * (1 + fabs(inside)));
}

static void gaps_are_those_known_by_hand(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    double slope = sqrt(0.5);
    expect(&square, (abut_obb){{10, 20, 30}, none, {1, 1, 1}}, 0, -2); /* the near plane */
    expect(&square, (abut_obb){{10, 20, 30}, none, {1, 1, 0.75f}}, 0.25, -1.75);
    expect(&square, (abut_obb){{10, 20, 34}, none, {9, 9, 1}}, 0, -6 * slope); /* the far plane, and sides */
    expect(&square, (abut_obb){{10, 20, 32}, none, {0.5f, 0.5f, 0.5f}}, 0, 0.5);
    expect(&square, (abut_obb){{12, 20, 32}, none, {0, 0, 0}}, 0, 0); /* a point on a side */
    expect(&square, (abut_obb){{13, 20, 32}, none, {0, 0, 0}}, slope, -slope);
    expect(&square, (abut_obb){{13, 23, 34}, none, {0, 0, 0}}, 1, -1); /* beyond a far corner */
    expect(&square, (abut_obb){{14, 24, 34}, none, {0, 0, 0}}, sqrt(3), -1);
    expect(&square, (abut_obb){{14, 20, 34}, none, {0, 9, 0}}, sqrt(2), -5 * slope); /* a rod beside an edge */
    frustum_spec endless = square;
    endless.far_distance = INFINITY;
    expect(&endless, (abut_obb){{1011, 20, 1030}, none, {0, 0, 0}}, slope, -slope);
    expect(&endless, (abut_obb){{10, 20, 1e6f}, none, {9, 9, 9}}, 0, (1e6 - 30 - 9 - 9) * slope);
}

/* The same frustum four times. */
static void descriptions_of_one_frustum_agree(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    frustum_spec camera = square, gl = {.kind = FRUSTUM_MATRIX, .clip = ABUT_CLIP_NEG_ONE_TO_ONE}, zero = gl, back;
    camera.kind = FRUSTUM_CAMERA;
    camera.camera = (abut_pose){{10, 20, 30}, {0, 1, 0, 0}};
    /* x = -(X - 10), y = Y - 20, w = Z - 30; z = 2 w - 3, 1.5 w - 1.5, -0.5 w + 1.5. */
    const float with_gl[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 1, 10, -20, -63, -30};
    for (int i = 0; i < 16; i++) {
        gl.matrix[i] = zero.matrix[i] = with_gl[i];
    }
    zero.clip = ABUT_CLIP_ZERO_TO_ONE;
    zero.matrix[10] = 1.5f;
    zero.matrix[14] = -46.5f;
    back = zero;
    back.clip = ABUT_CLIP_REVERSED;
    back.matrix[10] = -0.5f;
    back.matrix[14] = 16.5f;
    const frustum_spec *all[5] = {&square, &camera, &gl, &zero, &back};
    frustum_truth truth[5];
    unsigned long touching = 0;
    for (int k = 0; k < 5; k++) {
        frustum_truth_of(all[k], &truth[k]);
        assert_true(truth[k].plane_count == 6 && truth[k].vertex_count == 8 && truth[k].ray_count == 0);
    }
    for (unsigned long i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 at = rng_vec3(&r, -4, 4);
        abut_obb box = {{10 + at.x, 20 + at.y, 32 + at.z}, rng_rotation(&r), rng_vec3(&r, 0, 2)};
        frustum_gap first = frustum_oracle(&truth[0], &box);
        touching += first.touch;
        for (int k = 1; k < 5; k++) {
            frustum_gap gap = frustum_oracle(&truth[k], &box);
            assert_true(gap.touch == first.touch && fabs(gap.gap - first.gap) <= 1e-9 * first.gap);
            assert_true(fabs(gap.inside - first.inside) <= 1e-14);
        }
    }
    assert_true(touching > 0 || test_count(300) < 30);
}

static void both_methods_agree(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    near_frusta pair;
    unsigned long touching[FRUSTUM_KINDS] = {0}, count[FRUSTUM_KINDS] = {0}, inside = 0, near_misses = 0;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        near_frusta_pair(test_seed(), i, &pair);
        frustum_gap gap = frustum_oracle(&pair.truth, &pair.box);
        bool touch = frustum_oracle_touch(&pair.truth, &pair.box);
        count[pair.spec.kind]++;
        touching[pair.spec.kind] += touch;
        inside += gap.inside >= 0;
        near_misses += gap.gap > 0 && gap.gap < 1e-6 * gap.size;
        if (!gap.known || gap.touch != touch || (gap.inside >= 0 && !touch)) {
            fprintf(stderr, "seed 0x%llx pair %lu: gap %g inside %g size %g scale %g, known %d touch %d and %d\n",
                    (unsigned long long)test_seed(), i, gap.gap, gap.inside, gap.size, gap.scale, (int)gap.known,
                    (int)gap.touch, (int)touch);
            near_frusta_print(&pair);
            fail();
        }
    }
    for (int k = 0; k < FRUSTUM_KINDS; k++) {
        printf("kind %d: %lu pairs, %lu touch\n", k, count[k], touching[k]);
        assert_true(count[k] < 50 || (touching[k] > count[k] / 5 && touching[k] < count[k]));
    }
    printf("%lu inside, %lu near misses\n", inside, near_misses);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_those_known_by_hand),
        cmocka_unit_test(descriptions_of_one_frustum_agree),
        cmocka_unit_test(both_methods_agree),
    };
    return test_run(tests);
}
