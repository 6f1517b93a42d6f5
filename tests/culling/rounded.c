/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sides of rounded boxes: known cases, and against the exact oracle on bodies whose radius is nearly the distance of
 * frustum and core. */

#include "culling/kernels.h"
#include "culling/made.h"
#include "support/made_frusta.h"
#include "support/near_frusta.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* By how much more than its radius a body may be away from the frustum and kept, relative to the distances and to 1 and
 * the frustum's spread, which is large where its rays are nearly opposite; by how much it may be inside without being
 * reported, or stick out, relative to the distances. */
static const double UNDECIDED = 1e-9, UNDECIDED_INSIDE = 1e-12;

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
    uint32_t near[16];
    *kept = (uint32_t)abut_cull_near(&view, &only, near);
    abut_cull_sides_of_views(&view, 1, &only, NULL, &side, 1);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_boxes_are_where_they_should_be),
        cmocka_unit_test(sides_are_those_of_the_oracle),
    };
    return test_run(tests);
}
