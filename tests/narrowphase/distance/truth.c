/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The closest points of random pairs of cores against the 113-bit oracle: what distance.h promises, that the corners
 * are those of the points, and that scaling by a power of two, the instruction set and a limit change no bit. */

#include "narrowphase/distance/distance.h"
#include "support/near_round.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

enum { STREAM_HULLS = 77 };

static round_hulls *hulls;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed() + STREAM_HULLS);
    return 0;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    return 0;
}

static void colliders(const round_pair *pair, abut_collider *a, abut_collider *b) {
    assert_true(abut_collider_from_shape(&pair->a.shape, &pair->a.pose, a));
    assert_true(abut_collider_from_shape(&pair->b.shape, &pair->b.pose, b));
}

static double norm(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool has_edge_below(const core *c, double length) {
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const abut_vec3 *p = &c->point[i], *q = &c->point[j];
            const double apart[3] = {(double)p->x - q->x, (double)p->y - q->y, (double)p->z - q->z};
            if (norm(apart) < length) {
                return true;
            }
        }
    }
    return false;
}

/* Beside an edge shorter than 1e-10 S the search may end at the wrong end of it, where that makes no difference to the
 * distance but rounding: see docs/numerics.md. */
static bool is_normal_off(const round_pair *pair, double off, double size, double distance) {
    const double bar = 1e-6 + 1e-12 * size / distance, end = 2 * sqrt(0x1p-53 * size / distance);
    return off > bar && (off > bar + end ||
                         !(has_edge_below(pair->a.core, 1e-10 * size) || has_edge_below(pair->b.core, 1e-10 * size)));
}

/* NULL, or what is wrong. */
static const char *fault_of(const round_pair *pair, const abut_np_closest *c) {
    distance_truth truth = distance_oracle(pair->a.core, &pair->a.pose, pair->b.core, &pair->b.pose);
    double d = (double)truth.distance, bar = 0x1p-46 * c->size, error[3];
    if (!truth.sure) {
        return "the oracle does not know";
    }
    if (c->overlap) {
        return truth.distance > bar / 2 ? "invented overlap" : NULL;
    }
    double off = (double)(truth.distance - (quad)c->distance);
    if (!(off <= bar && off >= -bar)) {
        return "distance";
    }
    if (!(truth.distance >= (quad)c->lower && c->distance - c->lower <= bar)) {
        return "lower bound";
    }
    const float *pa = &pair->a.pose.position.x, *pb = &pair->b.pose.position.x;
    double on_b[3];
    for (int i = 0; i < 3; i++) {
        error[i] = c->normal.x[i] - truth.normal[i];
        on_b[i] = c->on_b.x[i] - ((double)pb[i] - pa[i]);
    }
    if (d > bar && is_normal_off(pair, norm(error), c->size, d)) {
        return "normal";
    }
    if (distance_of_point(pair->a.core, pair->a.pose.rotation, c->on_a.x) > bar) {
        return "point of a";
    }
    if (distance_of_point(pair->b.core, pair->b.pose.rotation, on_b) > bar) {
        return "point of b";
    }
    return NULL;
}

static void compare(round_spread spread, unsigned long count) {
    for (unsigned long i = 0; i < test_count(count); i++) {
        round_pair pair;
        abut_collider a, b;
        abut_np_closest c;
        near_round_pair(hulls, test_seed(), i, spread, &pair);
        colliders(&pair, &a, &b);
        abut_np_closest_points(&a, &b, &c);
        const char *fault = fault_of(&pair, &c);
        if (fault) {
            fail_msg("pair %lu: %s: distance %.17g, lower %.17g, S %g", i, fault, c.distance, c.lower, c.size);
        }
    }
}

static void near_pairs(void **state) {
    (void)state;
    compare(ROUND_NEAR, 20000);
}

static void pairs_apart(void **state) {
    (void)state;
    compare(ROUND_APART, 20000);
}

/* A limit only ends the search early: whatever is farther is, and the rest has the same bits. */
static void limit_is_certain(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(40000); i++) {
        round_pair pair;
        abut_collider a, b;
        abut_np_closest c, limited;
        memset(&c, 0, sizeof c);
        memset(&limited, 0, sizeof limited);
        near_round_pair(hulls, test_seed(), i, i & 1 ? ROUND_NEAR : ROUND_APART, &pair);
        colliders(&pair, &a, &b);
        abut_np_closest_points(&a, &b, &c);
        rng r = rng_make(test_seed(), i);
        double limit = c.distance * rng_range(&r, 0.5, 1.5);
        if (abut_np_farther_than(&a, &b, limit, &limited)) {
            assert_true(limited.lower > limit && limited.lower <= c.distance + 0x1p-46 * c.size);
        } else {
            assert_true(c.lower <= limit);
            assert_memory_equal(&c, &limited, sizeof c);
        }
    }
}

static void assert_scaled(const abut_np_closest *c, const abut_np_closest *s, double factor) {
    assert_true(s->distance == factor * c->distance && s->lower == factor * c->lower && s->size == factor * c->size);
    for (int i = 0; i < 3; i++) {
        assert_true(s->on_a.x[i] == factor * c->on_a.x[i] && s->on_b.x[i] == factor * c->on_b.x[i]);
        assert_true(s->normal.x[i] == c->normal.x[i]);
    }
    assert_true(c->count == s->count && c->overlap == s->overlap);
    assert_memory_equal(c->corner_a, s->corner_a, sizeof c->corner_a);
    assert_memory_equal(c->corner_b, s->corner_b, sizeof c->corner_b);
}

static void scale_body(const round_body *body, abut_collider *collider) {
    abut_shape shape = body->shape;
    abut_pose pose = body->pose;
    const float factor = (float)(1 << ROUND_SCALE);
    shape.half = (abut_vec3){shape.half.x * factor, shape.half.y * factor, shape.half.z * factor};
    shape.radius *= factor;
    shape.hull = shape.hull ? hulls->scaled[body->hull] : NULL;
    pose.position = (abut_vec3){pose.position.x * factor, pose.position.y * factor, pose.position.z * factor};
    assert_true(abut_collider_from_shape(&shape, &pose, collider));
}

static void scale_scales_exactly(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        round_pair pair;
        abut_collider a, b;
        abut_np_closest c, s;
        near_round_pair(hulls, test_seed(), i, i & 1 ? ROUND_NEAR : ROUND_APART, &pair);
        colliders(&pair, &a, &b);
        abut_np_closest_points(&a, &b, &c);
        scale_body(&pair.a, &a);
        scale_body(&pair.b, &b);
        abut_np_closest_points(&a, &b, &s);
        assert_scaled(&c, &s, 1 << ROUND_SCALE);
    }
}

static void instruction_sets_agree(void **state) {
    (void)state;
    abut_isa active = abut_isa_active();
    for (unsigned long i = 0; i < test_count(20000); i++) {
        round_pair pair;
        abut_collider a, b;
        abut_np_closest c, other;
        memset(&c, 0, sizeof c);
        memset(&other, 0, sizeof other);
        near_round_pair(hulls, test_seed(), i, i & 1 ? ROUND_NEAR : ROUND_APART, &pair);
        colliders(&pair, &a, &b);
        abut_np_closest_points(&a, &b, &c);
        for (int isa = 0; isa < (int)active; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                abut_np_closest_points(&a, &b, &other);
                assert_memory_equal(&c, &other, sizeof c);
            }
        }
        assert_int_equal(abut_isa_select(active), ABUT_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_pairs),
        cmocka_unit_test(pairs_apart),
        cmocka_unit_test(limit_is_certain),
        cmocka_unit_test(scale_scales_exactly),
        cmocka_unit_test(instruction_sets_agree),
    };
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
