/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sides of boxes against the exact oracle, on pairs that nearly touch: nothing visible is outside, nothing that is
 * clearly separate is kept, and inside means inside. */

#include "culling/culling.h"
#include "culling/made.h"
#include "support/near_frusta.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

/* The largest gap at which a box may be kept, and the largest depth at which it may be missed as inside: relative to
 * the oracle's `scale`, where nearly parallel edges show only the root of a rounding error, and to the distance of box
 * and frustum from the origin. */
static const double UNDECIDED = 2e-7, UNDECIDED_BY_DISTANCE = 1e-12;

/* How far a box that is reported as inside may stick out, relative to both. */
static const double STICKS_OUT = 1e-12;

/* The answer of all stages together, and of the test of one box. */
static abut_side side_of(const abut_frustum *frustum, const abut_obb *box, bool *agree) {
    static const uint32_t first = 0;
    abut_cull_view view = abut_cull_view_of(frustum);
    abut_cull_boxes only = {box, sizeof *box, &first, 1, false};
    abut_side side = abut_frustum_test_obb(frustum, box);
    uint8_t together[16];
    abut_cull_sides_of_views(&view, 1, &only, NULL, together, 1);
    *agree = together[0] == side && abut_frustum_cull_obbs(frustum, box, 1, NULL) == (side != ABUT_OUTSIDE);
    return side;
}

/* The distance of the box from the frustum's origin, or that of the frustum's own points. */
static double distance_of(const near_frusta *pair, const frustum_gap *gap, const abut_frustum *frustum) {
    const abut_vec3 c = pair->box.center;
    double away = fabs((double)c.x - (double)frustum->origin[0]) + fabs((double)c.y - (double)frustum->origin[1]) +
                  fabs((double)c.z - (double)frustum->origin[2]) + gap->size;
    return fmax(pair->truth.reach, away);
}

typedef struct tally {
    unsigned long pairs, refused, touching, inside, kept;
    double kept_gap, kept_of_size; /* the largest gap of those kept, relative to scale and distance, and to the size */
    double outside_gap;            /* the least gap of those outside */
    double sticks_out, not_inside; /* how far boxes inside stick out; the depth of boxes missed as inside */
} tally;

static void report(unsigned long i, const near_frusta *pair, const frustum_gap *gap, abut_side side) {
    fprintf(stderr, "seed 0x%llx pair %lu: side %d, gap %g inside %g size %g scale %g, touch %d\n",
            (unsigned long long)test_seed(), i, (int)side, gap->gap, gap->inside, gap->size, gap->scale,
            (int)gap->touch);
    near_frusta_print(pair);
    fail();
}

static void count_pair(const frustum_gap *gap, double distance, abut_side side, tally *t) {
    double scale = gap->scale + distance;
    t->pairs++;
    t->touching += gap->touch;
    t->inside += side == ABUT_INSIDE;
    if (side == ABUT_OUTSIDE) {
        t->outside_gap = fmin(t->outside_gap, gap->gap / scale);
    } else if (!gap->touch) {
        t->kept++;
        t->kept_gap = fmax(t->kept_gap, gap->gap / scale);
        t->kept_of_size = fmax(t->kept_of_size, gap->gap / gap->size);
    }
    if (side == ABUT_INSIDE) {
        t->sticks_out = fmax(t->sticks_out, -gap->inside / scale);
    } else {
        t->not_inside = fmax(t->not_inside, gap->inside / scale);
    }
}

static bool is_right(const frustum_gap *gap, double distance, abut_side side) {
    double undecided = UNDECIDED * gap->scale + UNDECIDED_BY_DISTANCE * distance,
           out = STICKS_OUT * (gap->scale + distance);
    return (side == ABUT_OUTSIDE ? !gap->touch : gap->gap <= undecided) &&
           (side == ABUT_INSIDE ? gap->inside >= -out : gap->inside <= undecided);
}

static void sides_are_those_of_the_oracle(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    near_frusta pair;
    tally t[FRUSTUM_KINDS] = {{.outside_gap = INFINITY}};
    for (int k = 1; k < FRUSTUM_KINDS; k++) {
        t[k] = t[0];
    }
    unsigned long unknown = 0, count = test_count(20000);
    for (unsigned long i = 0; i < count; i++) {
        abut_frustum frustum;
        near_frusta_pair(test_seed(), i, &pair);
        if (made_of_spec(&pair.spec, &frustum) != ABUT_OK) {
            t[pair.spec.kind].refused++;
            continue;
        }
        bool agree;
        abut_side side = side_of(&frustum, &pair.box, &agree);
        frustum_gap gap = frustum_oracle(&pair.truth, &pair.box);
        if (!gap.known) {
            unknown++;
            continue;
        }
        double distance = distance_of(&pair, &gap, &frustum);
        count_pair(&gap, distance, side, &t[pair.spec.kind]);
        if (!agree || !is_right(&gap, distance, side)) {
            report(i, &pair, &gap, side);
        }
    }
    assert_true(unknown <= 2 + count / 50000);
    static const char *const name[FRUSTUM_KINDS] = {"perspective", "camera", "orthographic", "matrix"};
    for (int k = 0; k < FRUSTUM_KINDS; k++) {
        printf("%s: %lu pairs, %lu touch, %lu inside, %lu refused; kept %lu, gaps to %.3g (%.3g of the box); outside "
               "from %.3g; inside sticks out %.3g, not inside within %.3g\n",
               name[k], t[k].pairs, t[k].touching, t[k].inside, t[k].refused, t[k].kept, t[k].kept_gap,
               t[k].kept_of_size, t[k].outside_gap, t[k].sticks_out, t[k].not_inside);
        bool many = t[k].pairs >= 500, mixed = t[k].touching > t[k].pairs / 4 && t[k].touching < t[k].pairs;
        assert_true(!many || (mixed && t[k].inside > t[k].pairs / 50));
        assert_true(t[k].refused <= t[k].pairs / 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_those_of_the_oracle),
    };
    return test_run(tests);
}
