/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sides of rounded boxes: known cases, and against the exact oracle on bodies whose radius is nearly the distance of
 * frustum and core. */

#include "culling/kernels.h"
#include "culling/made.h"
#include "support/eights.h"
#include "support/made_frusta.h"
#include "support/near_frusta.h"
#include "support/test.h"
#include <abut/isa.h>
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* By how much more than its radius a body may be away from the frustum and kept, relative to the distances and to 1 and
 * the frustum's spread, which is large where its rays are nearly opposite; by how much it may be inside without being
 * reported, or stick out, relative to the distances. */
static const double UNDECIDED = 1e-12, UNDECIDED_INSIDE = 1e-12;

static abut_cull_round round_of(abut_vec3 center, abut_vec3 half, float radius) {
    return (abut_cull_round){{center, {0, 0, 0, 1}, half}, radius};
}

/* Looks along -z; 90 degrees wide and high, from 1 to `far`. */
static abut_frustum square_frustum(double far) {
    static const abut_pose at_origin = {{0, 0, 0}, {0, 0, 0, 1}};
    return made_frustum_perspective(&at_origin, 1, 1, 1, far);
}

static abut_side together(const abut_frustum *frustum, const abut_cull_round *x, uint32_t *kept) {
    static const uint32_t first = 0;
    abut_cull_view view = abut_cull_view_of(frustum);
    abut_cull_boxes only = {x, sizeof *x, &first, 1, true};
    uint8_t side;
    const eights_verdict found = eights_ask(&view, x);
    *kept = found.inside || found.open;
    abut_cull_sides_of_views(&view, 1, &only, NULL, &side, 1);
    assert_true(!found.inside || side == ABUT_INSIDE);
    return (abut_side)side;
}

/* All stages together and the last alone give `side`. */
static void expect(const abut_frustum *frustum, abut_cull_round x, abut_side side) {
    uint32_t kept;
    assert_int_equal(together(frustum, &x, &kept), side);
    assert_true(kept || side == ABUT_OUTSIDE);
    assert_int_equal(abut_cull_side_of_round(frustum, &x.core, x.radius), side);
}

static void rounded_boxes_are_where_they_should_be(void **state) {
    (void)state;
    const abut_vec3 point = {0, 0, 0};
    abut_frustum f = square_frustum(10);
    expect(&f, round_of((abut_vec3){0, 0, -5}, point, 2), ABUT_INSIDE);
    expect(&f, round_of((abut_vec3){0, 0, -5}, point, 100), ABUT_INTERSECTS);
    expect(&f, round_of((abut_vec3){0, 0, -12}, point, 2), ABUT_INTERSECTS); /* touches the far plane */
    expect(&f, round_of((abut_vec3){0, 0, -12}, point, nextafterf(2, 1)), ABUT_OUTSIDE);
    expect(&f, round_of((abut_vec3){0, 0, -7}, point, 3), ABUT_INSIDE);
    expect(&f, round_of((abut_vec3){0, 0, -7}, point, nextafterf(3, 4)), ABUT_INTERSECTS);
    expect(&f, round_of((abut_vec3){13, 14, -10}, point, 5), ABUT_INTERSECTS); /* a corner */
    expect(&f, round_of((abut_vec3){13, 14, -10}, point, nextafterf(5, 4)), ABUT_OUTSIDE);
    expect(&f, round_of((abut_vec3){13, 0, -14}, point, 5), ABUT_INTERSECTS); /* an edge */
    expect(&f, round_of((abut_vec3){13, 0, -14}, point, nextafterf(5, 4)), ABUT_OUTSIDE);
    expect(&f, round_of((abut_vec3){13, 0, -14}, (abut_vec3){0, 100, 0}, 5), ABUT_INTERSECTS);
    expect(&f, round_of((abut_vec3){13, 0, -14}, (abut_vec3){0, 100, 0}, nextafterf(5, 4)), ABUT_OUTSIDE);
    expect(&f, round_of((abut_vec3){16, 0, -15}, (abut_vec3){3, 7, 1}, 5), ABUT_INTERSECTS);
    expect(&f, round_of((abut_vec3){16, 0, -15}, (abut_vec3){3, 7, 1}, nextafterf(5, 4)), ABUT_OUTSIDE);
    f = square_frustum(INFINITY);
    for (float z = 10; z < 1e30f; z *= 10) {
        expect(&f, round_of((abut_vec3){0, 0, -z}, point, 1), ABUT_INSIDE);
        expect(&f, round_of((abut_vec3){2 * z, 0, -z}, point, 0.75f * z), ABUT_INTERSECTS);
        expect(&f, round_of((abut_vec3){2 * z, 0, -z}, point, 0.7f * z), ABUT_OUTSIDE);
        expect(&f, round_of((abut_vec3){2 * z, 2 * z, -z}, point, 0.82f * z), ABUT_INTERSECTS); /* sqrt(2/3) */
        expect(&f, round_of((abut_vec3){2 * z, 2 * z, -z}, point, 0.81f * z), ABUT_OUTSIDE);
    }
    expect(&(abut_frustum){0}, round_of(point, point, 1e30f), ABUT_INSIDE);
}

/* Boxes that nearly touch, which the two last stages do not decide alike. */
static void without_a_radius_answers_are_those_of_boxes(void **state) {
    (void)state;
    unsigned long differ = 0, count = test_count(20000);
    for (unsigned long i = 0; i < count && QUAD_AVAILABLE; i++) {
        near_frusta pair;
        abut_frustum frustum;
        uint32_t kept;
        near_frusta_pair(test_seed(), i, &pair);
        if (made_of_spec(&pair.spec, &frustum) == ABUT_OK) {
            const abut_cull_round x = {pair.box, 0};
            abut_side side = abut_frustum_test_obb(&frustum, &x.core);
            assert_int_equal(together(&frustum, &x, &kept), side);
            differ += abut_cull_side_of_round(&frustum, &x.core, 0) != side;
        }
    }
    printf("the two stages differ about %lu of %lu boxes\n", differ, count);
}

typedef struct tally {
    unsigned long bodies, visible, inside, kept;
    double kept_beyond, outside_from, sticks_out, not_inside; /* the largest, least, largest, largest; of the scale */
} tally;

static void report(unsigned long i, const near_frusta *pair, const frustum_gap *gap, float radius, abut_side side) {
    fprintf(stderr, "seed 0x%llx pair %lu: side %d, radius %a, distance - radius %g .. %g, inside %g, scale %g\n",
            (unsigned long long)test_seed(), i, (int)side, (double)radius, gap->gap - (double)radius,
            gap->at_most - (double)radius, gap->inside - (double)radius, gap->scale);
    near_frusta_print(pair);
    fail();
}

static void check(unsigned long i, const near_frusta *pair, const abut_frustum *frustum, const frustum_gap *gap,
                  float radius, tally *t) {
    const abut_cull_round x = {pair->box, radius};
    const abut_vec3 c = pair->box.center;
    const float *o = frustum->origin;
    uint32_t kept;
    abut_side side = abut_cull_side_of_round(frustum, &x.core, radius);
    bool agree = together(frustum, &x, &kept) == side && (kept || side == ABUT_OUTSIDE);
    double away =
        fabs((double)c.x - (double)o[0]) + fabs((double)c.y - (double)o[1]) + fabs((double)c.z - (double)o[2]);
    double scale = gap->scale + away + pair->truth.reach + (double)radius, inside = gap->inside - (double)radius;
    bool visible = gap->at_most <= (double)radius;
    double beyond = (gap->gap - (double)radius) / scale / (1 + frustum->spread);
    t->bodies++;
    t->visible += visible;
    t->inside += side == ABUT_INSIDE;
    t->kept += side != ABUT_OUTSIDE && beyond > 0;
    if (side == ABUT_OUTSIDE) {
        t->outside_from = fmin(t->outside_from, beyond);
    } else {
        t->kept_beyond = fmax(t->kept_beyond, beyond);
    }
    if (side == ABUT_INSIDE) {
        t->sticks_out = fmax(t->sticks_out, -inside / scale);
    } else {
        t->not_inside = fmax(t->not_inside, inside / scale);
    }
    bool right = side == ABUT_OUTSIDE ? !visible : beyond <= UNDECIDED;
    right = right && (side == ABUT_INSIDE ? inside >= -UNDECIDED_INSIDE * scale : inside <= UNDECIDED_INSIDE * scale);
    if (!agree || !right) {
        report(i, pair, gap, radius, side);
    }
}

/* Radii that are the distance, or how deep the core is inside, to a float's precision and to less. */
static void check_radii(unsigned long i, const near_frusta *pair, const abut_frustum *frustum, tally *t) {
    const frustum_gap gap = frustum_oracle(&pair->truth, &pair->box);
    rng r = rng_make(test_seed() + 1, i);
    double target = gap.inside > 0 ? gap.inside : gap.at_most;
    if (!gap.known || !(target > 0x1p-100)) {
        return;
    }
    float near = (float)target, below = nextafterf(near, 0), above = nextafterf(near, INFINITY);
    double more = rng_log_range(&r, 1e-7, 1e3);
    const float radii[] = {near, below, above, (float)(target * (1 + more)), (float)(target / (1 + more))};
    for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++) {
        check(i, pair, frustum, &gap, radii[k], t);
    }
}

static void sides_are_those_of_the_oracle(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    tally t[FRUSTUM_KINDS];
    unsigned long refused = 0, count = test_count(20000);
    for (int k = 0; k < FRUSTUM_KINDS; k++) {
        t[k] = (tally){.outside_from = INFINITY};
    }
    for (unsigned long i = 0; i < count; i++) {
        near_frusta pair;
        abut_frustum frustum;
        if (i % 5 == 0) {
            near_frusta_pair(test_seed(), i, &pair); /* cores in the frustum, too */
        } else {
            near_frusta_core(test_seed(), i, &pair);
        }
        if (made_of_spec(&pair.spec, &frustum) == ABUT_OK) {
            check_radii(i, &pair, &frustum, &t[pair.spec.kind]);
        } else {
            refused++;
        }
    }
    assert_true(refused <= count / 100);
    static const char *const name[FRUSTUM_KINDS] = {"perspective", "camera", "orthographic", "matrix"};
    for (int k = 0; k < FRUSTUM_KINDS; k++) {
        printf("%s: %lu bodies, %lu visible, %lu inside; kept %lu, beyond the radius by up to %.3g; outside from %.3g; "
               "inside sticks out %.3g, not inside within %.3g\n",
               name[k], t[k].bodies, t[k].visible, t[k].inside, t[k].kept, t[k].kept_beyond, t[k].outside_from,
               t[k].sticks_out, t[k].not_inside);
        bool many = t[k].bodies >= 500;
        assert_true(!many || (t[k].visible > t[k].bodies / 4 && t[k].visible < t[k].bodies - t[k].bodies / 4));
    }
}

/* Where rounding ends the search, what it has found beside the nearest point may show the gap, and nothing else does:
 * found among millions of bodies whose radius is just below the distance. */
static void any_direction_that_was_found_may_decide(void **state) {
    (void)state;
    static const struct {
        frustum_spec spec;
        abut_obb core;
        float radius;
    } cases[] = {
        {{.kind = FRUSTUM_ORTHOGRAPHIC,
          .box = {{0x1.b8c2ecp-8f, 0x1.31f0a2p-7f, -0x1.7b5bd6p-7f},
                  {-0x1.ead1e6p-2f, -0x1.bc4b56p-3f, 0x1.8a1a92p-1f, 0x1.723452p-2f},
                  {0x1.7d2e66p-1f, 0x1.49fd16p-1f, 0x1.c91802p+2f}}},
         {{-0x1.978cd6p+2f, 0x1.15c4b6p+0f, 0x1.9777p+1f},
          {-0x1.ead1dep-2f, -0x1.bc4b3cp-3f, 0x1.8a1a94p-1f, 0x1.72345ap-2f},
          {0x1.9e432p-11f, 0x1.2c1b68p-10f, 0x1.d08f52p-10f}},
         0x1.f66366p-38f},
        {{.kind = FRUSTUM_CAMERA,
          .camera = {{-0x1.442412p+7f, -0x1.2ef576p+7f, 0x1.c9cc52p+7f}, {0, 0x1.567e8ep-2f, 0, -0x1.e2833ap-1f}},
          .half_width = 0x1.405adp-10f,
          .half_height = 0x1.a61c92p-7f,
          .near_distance = 0x1.29fc5ep-7f,
          .far_distance = 0x1.5584d6p-4f},
         {{-0x1.440d1p+7f, -0x1.2f3334p+7f, 0x1.c9a2fcp+7f},
          {0x1.74657ap-1f, 0x1.9e5a5cp-2f, -0x1.412b84p-2f, -0x1.d3ff3ap-2f},
          {0x1.d18902p-11f, 0x1.52c76p-7f, 0x1.a668b6p-8f}},
         0x1.3d499cp-36f},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const float below = cases[k].radius, above = 2 * below;
        abut_frustum f;
        assert_int_equal(made_of_spec(&cases[k].spec, &f), ABUT_OK);
        if (QUAD_AVAILABLE) {
            frustum_truth truth;
            frustum_truth_of(&cases[k].spec, &truth);
            const frustum_gap gap = frustum_oracle(&truth, &cases[k].core);
            assert_true(gap.known && gap.gap > (double)below && gap.at_most < (double)above);
        }
        assert_int_equal(abut_cull_side_of_round(&f, &cases[k].core, below), ABUT_OUTSIDE);
        assert_int_equal(abut_cull_side_of_round(&f, &cases[k].core, above), ABUT_INTERSECTS);
    }
}

/* --- stages --- */

/* Anywhere near the frustum, of any core and radius. */
static abut_cull_round some_body(const abut_frustum *frustum, rng *r) {
    abut_cull_round x = {made_frustum_near(frustum, r), 0};
    const abut_vec3 h = x.core.half;
    x.radius = rng_chance(r, 0.1) ? 0 : (h.x + h.y + h.z) * (float)rng_log_range(r, 1e-3, rng_chance(r, 0.2) ? 1e4 : 1);
    for (int k = 0; k < 3; k++) {
        (&x.core.half.x)[k] *= rng_chance(r, 0.4) ? 0 : 1;
    }
    return x;
}

static abut_side last_stage(const abut_frustum *frustum, const abut_cull_round *x) {
    return x->radius > 0 ? abut_cull_side_of_round(frustum, &x->core, x->radius)
                         : abut_frustum_test_obb(frustum, &x->core);
}

/* How many bodies each stage decided: the comparison must cover all of them. */
typedef struct stages {
    unsigned long planes[5], found[5], bounds[4], dropped, by_distance;
} stages;

static uint8_t side_of_bounds(const abut_cull_view *view, const abut_cull_round *x) {
    const abut_aabb b = abut_obb_bounds(&x->core);
    float eights[EIGHTS(16)] = {0};
    abut_aabb grown;
    for (int i = 0; i < 3; i++) {
        (&grown.min.x)[i] = nextafterf((&b.min.x)[i] - x->radius, -INFINITY);
        (&grown.max.x)[i] = nextafterf((&b.max.x)[i] + x->radius, INFINITY);
    }
    eights_put(eights, 0, &grown);
    const abut_cull_bounds bounds = {eights};
    uint8_t crossed[16];
    abut_cull_planes_of_bounds(view, &bounds, 0, 1, crossed);
    return crossed[0] == 0 ? ABUT_INSIDE : crossed[0] == ABUT_CULL_BEYOND ? ABUT_OUTSIDE : ABUT_CULL_UNDECIDED;
}

static void every_stage_says_what_the_last_says(void **state) {
    (void)state;
    stages t = {.dropped = 0};
    static const uint32_t first = 0;
    for (unsigned long round = 0; round < test_count(20000); round++) {
        rng r = rng_make(test_seed(), round);
        abut_frustum f = made_frustum_random(&r);
        abut_cull_view view = abut_cull_view_of(&f);
        for (int k = 0; k < 10; k++) {
            const abut_cull_round x = some_body(&f, &r);
            const abut_cull_boxes only = {&x, sizeof x, &first, 1, true};
            uint32_t kept;
            uint8_t plane, found = ABUT_CULL_CUT, bound = side_of_bounds(&view, &x);
            abut_side side = last_stage(&f, &x);
            abut_cull_kernels_portable.planes(&view, 1, &only, NULL, &plane, 1);
            if (plane == ABUT_CULL_CUT) {
                abut_cull_kernels_portable.search(&view, &only, (uint32_t)t.planes[ABUT_CULL_CUT] % 12, &found);
                assert_true(side != ABUT_INSIDE && (found == ABUT_CULL_CUT || found == side));
            }
            assert_true(plane >= ABUT_CULL_UNDECIDED || plane == side);
            assert_true(bound == ABUT_CULL_UNDECIDED || bound == side);
            assert_true(together(&f, &x, &kept) == side && (kept || side == ABUT_OUTSIDE));
            t.planes[plane]++;
            t.found[found]++;
            t.bounds[bound]++;
            t.dropped += !kept;
            t.by_distance += plane >= ABUT_CULL_UNDECIDED && found == ABUT_CULL_CUT && side == ABUT_OUTSIDE;
        }
    }
    for (int side = 0; side < 4; side++) {
        assert_true(t.planes[side] > 30);
        assert_true(side == ABUT_INTERSECTS || t.bounds[side] > 30);
    }
    assert_true(t.planes[ABUT_CULL_CUT] > 30 && t.found[ABUT_OUTSIDE] > 30 && t.found[ABUT_INTERSECTS] > 30);
    assert_true(t.dropped > 30 && t.by_distance > 30);
}

/* Sharp and rounded ones mixed, 64 bytes each, as a world's colliders are. */
static void sides_of_many_views_are_those_of_each_on_every_set(void **state) {
    (void)state;
    enum { N = 700, VIEWS = 32, PITCH = 710 };
    static struct {
        abut_cull_round body;
        char more[20];
    } record[N];
    static uint32_t index[N];
    static uint8_t side[VIEWS * PITCH];
    static abut_frustum frustum[VIEWS];
    static abut_cull_view view[VIEWS];
    rng r = rng_make(test_seed(), 0);
    for (int v = 0; v < VIEWS; v++) {
        frustum[v] = made_frustum_random(&r);
        view[v] = abut_cull_view_of(&frustum[v]);
    }
    for (uint32_t k = 0; k < N; k++) {
        record[k].body = some_body(&frustum[k % VIEWS], &r);
        index[k] = N - 1 - k;
    }
    const abut_cull_boxes boxes = {record, sizeof *record, index, N, true};
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        memset(side, 0x77, sizeof side);
        abut_cull_sides_of_views(view, UINT32_MAX, &boxes, NULL, side, PITCH);
        for (uint32_t v = 0; v < VIEWS; v++) {
            for (uint32_t k = 0; k < PITCH; k++) {
                abut_side expected = k < N ? last_stage(&frustum[v], &record[index[k]].body) : ABUT_OUTSIDE;
                assert_int_equal(side[v * PITCH + k], k < N ? (int)expected : 0x77);
            }
        }
    }
}

static abut_vec3 scaled(abut_vec3 v, float by) {
    return (abut_vec3){v.x * by, v.y * by, v.z * by};
}

/* All lengths times a power of two. */
static void lengths_scale(void **state) {
    (void)state;
    static const float powers[] = {0x1p-30f, 0x1p-7f, 0x1p+5f, 0x1p+40f};
    unsigned long seen = 0;
    for (unsigned long round = 0; round < test_count(3000); round++) {
        rng r = rng_make(test_seed(), round);
        abut_pose eye = {rng_vec3(&r, -10, 10), rng_rotation(&r)};
        float wide = (float)rng_log_range(&r, 0.01, 1), far = rng_chance(&r, 0.3) ? INFINITY : 50;
        abut_frustum f;
        assert_int_equal(abut_frustum_camera(&eye, wide, 0.5f, 0.25f, far, &f), ABUT_OK);
        const abut_cull_round x = some_body(&f, &r);
        abut_side side = last_stage(&f, &x);
        seen += side != ABUT_OUTSIDE;
        for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
            float by = powers[k];
            abut_pose pose = {scaled(eye.position, by), eye.rotation};
            abut_cull_round y = {{scaled(x.core.center, by), x.core.rotation, scaled(x.core.half, by)}, x.radius * by};
            uint32_t kept;
            assert_int_equal(abut_frustum_camera(&pose, wide * by, 0.5f * by, 0.25f * by, far * by, &f), ABUT_OK);
            assert_int_equal(last_stage(&f, &y), side);
            assert_int_equal(together(&f, &y, &kept), side);
        }
    }
    assert_true(seen > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_boxes_are_where_they_should_be),
        cmocka_unit_test(without_a_radius_answers_are_those_of_boxes),
        cmocka_unit_test(every_stage_says_what_the_last_says),
        cmocka_unit_test(sides_of_many_views_are_those_of_each_on_every_set),
        cmocka_unit_test(lengths_scale),
        cmocka_unit_test(any_direction_that_was_found_may_decide),
        cmocka_unit_test(sides_are_those_of_the_oracle),
    };
    return test_run(tests);
}
