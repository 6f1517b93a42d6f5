/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_collide and abut_obb_hull_collide: the manifold keeps every promise of abut/contact.h. */

#include "narrowphase/convex/check.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static abut_vec3 moved(abut_vec3 p, abut_vec3 n, double by) {
    return (abut_vec3){(float)(p.x + n.x * by), (float)(p.y + n.y * by), (float)(p.z + n.z * by)};
}

/* Moves b out by the depth, and a little more for rounding. */
static bool parted_by_depth(const hull_pair *pair, const hull_truth *truth, const abut_manifold *m) {
    hull_body b = pair->b;
    double far = 0;
    for (int k = 0; k < 3; k++) {
        far = fmax(far, fabs((double)*(&b.pose.position.x + k)));
    }
    b.pose.position =
        moved(b.pose.position, m->normal, -(double)hull_manifold_least(m) + 2e-6 * truth->size + 4 * FLT_EPSILON * far);
    return !hull_body_overlap(&pair->a, &b);
}

static const char *overlap_fault(const hull_pair *pair, const hull_truth *truth, abut_manifold *m,
                                 hull_errors *errors) {
    abut_manifold swapped;
    memset(m, 0x5b, sizeof *m);
    memset(&swapped, 0xa4, sizeof swapped);
    bool touching = hull_body_collide(&pair->a, &pair->b, 0, m);
    if (hull_body_overlap(&pair->a, &pair->b) != touching) {
        return "collide and overlap disagree";
    }
    if (hull_body_collide(&pair->b, &pair->a, 0, &swapped) != touching) {
        return "the answer changes when a and b are swapped";
    }
    if (!touching) {
        return NULL;
    }
    const char *fault = hull_manifold_fault(pair, truth, 0, m, errors);
    if (!fault && !hull_manifold_is_swapped(m, &swapped)) {
        fault = "swapping a and b does more than negate the normal";
    }
    if (!fault && !parted_by_depth(pair, truth, m)) {
        fault = "moving b by the depth does not part the bodies";
    }
    return fault;
}

static void manifolds_keep_the_contract(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long pairs = test_count(10000), wrong = 0, touching = 0, points[5] = {0}, deep = 0;
    hull_errors errors = {0, 0};
    for (unsigned long i = 0; i < pairs && wrong < 5; i++) {
        hull_pair pair;
        abut_manifold m = {.count = 0};
        hull_pair_make(test_seed() + 1, i, &pair);
        hull_truth truth = hull_truth_of(&pair.made.a, &pair.a.pose, &pair.made.b, &pair.b.pose);
        const char *fault = overlap_fault(&pair, &truth, &m, &errors);
        if (fault) {
            wrong++;
            hull_pair_report(i, fault, &pair, &truth);
            print_manifold("manifold", &m);
        }
        if (m.count >= 1 && m.count <= 4) {
            touching++;
            points[m.count]++;
            deep += truth.gap < -1e-3 * truth.size;
        }
        hull_pair_release(&pair);
    }
    printf(
        "%lu pairs: %lu touching, %lu deeply, points %lu %lu %lu %lu; depth off by %.2g S, deeper than 5 %% over the "
        "least by %.2g S\n",
        pairs, touching, deep, points[1], points[2], points[3], points[4], errors.depth, errors.least);
    assert_int_equal(wrong, 0);
    assert_true(touching > pairs / 3 && deep > pairs / 20);
    assert_true(points[1] > pairs / 20 && points[2] > pairs / 100 && points[3] > pairs / 100 &&
                points[4] > pairs / 100);
}

/* Whether the bounds, widened by half the margin and a little for rounding, overlap. */
static bool bounds_meet(const hull_pair *pair, double margin) {
    abut_aabb a = pair->hull[0] ? abut_hull_bounds_tight(pair->hull[0], &pair->a.pose) : abut_obb_bounds(&pair->a.box);
    abut_aabb b = abut_hull_bounds_tight(pair->hull[1], &pair->b.pose);
    const float *low[2] = {&a.min.x, &b.min.x}, *high[2] = {&a.max.x, &b.max.x};
    for (int k = 0; k < 3; k++) {
        double gap = fmax((double)low[1][k] - high[0][k], (double)low[0][k] - high[1][k]);
        if (gap > margin) {
            return false;
        }
    }
    return true;
}

typedef struct margin_tally {
    unsigned long contact, gaps, close, far, none;
} margin_tally;

static const char *margin_fault(const hull_pair *pair, const hull_truth *truth, float margin, abut_manifold *m,
                                margin_tally *t) {
    hull_placed placed = hull_place(&pair->made.a, &pair->a.pose, &pair->made.b, &pair->b.pose);
    double distance = hull_distance_at_most(&placed), most = margin, tiny = 1e-12 * truth->size;
    abut_manifold swapped;
    hull_errors errors = {0, 0};
    bool contact = hull_body_collide(&pair->a, &pair->b, margin, m);
    t->close += truth->gap > 0 && distance < most;
    t->far += truth->own > most + tiny && truth->own < 4 * most;
    t->contact += contact;
    t->none += !contact;
    t->gaps += contact && truth->gap > tiny;
    if (contact && truth->own > most + tiny) {
        return "an axis shows a gap over the margin";
    }
    if (!contact && (distance < most || truth->gap <= 0)) {
        return "closer than the margin, but not in contact";
    }
    if (hull_body_collide(&pair->b, &pair->a, margin, &swapped) != contact) {
        return "the answer changes when a and b are swapped";
    }
    if (!contact) {
        return NULL;
    }
    if (!bounds_meet(pair, most + tiny)) {
        return "in contact, but bounds widened by the margin do not meet";
    }
    const char *fault = hull_manifold_fault(pair, truth, margin, m, &errors);
    return fault                                   ? fault
           : hull_manifold_is_swapped(m, &swapped) ? NULL
                                                   : "swapping a and b does more than negate the normal";
}

static void margins_find_what_is_close(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long pairs = test_count(5000), wrong = 0;
    margin_tally t = {0, 0, 0, 0, 0};
    for (unsigned long i = 0; i < pairs && wrong < 5; i++) {
        hull_pair pair;
        rng r = rng_make(test_seed() + 2, i);
        hull_pair_make(test_seed() + 2, i, &pair);
        hull_truth truth = hull_truth_of(&pair.made.a, &pair.a.pose, &pair.made.b, &pair.b.pose);
        abut_vec3 way = {(float)truth.normal[0], (float)truth.normal[1], (float)truth.normal[2]};
        float margin = (float)(truth.size * rng_log_range(&r, 1e-4, 0.3));
        if (rng_chance(&r, 0.5)) { /* any way at all: corners come to face corners */
            way = rng_direction(&r);
        }
        if (rng_chance(&r, 0.7)) { /* the others stay as near as they are */
            pair.b.pose.position = moved(pair.b.pose.position, way, rng_range(&r, 0, 2.5) * (double)margin);
        }
        truth = hull_truth_of(&pair.made.a, &pair.a.pose, &pair.made.b, &pair.b.pose);
        abut_manifold m = {.count = 0};
        const char *fault = margin_fault(&pair, &truth, margin, &m, &t);
        if (fault) {
            wrong++;
            fprintf(stderr, "margin %a\n", (double)margin);
            hull_pair_report(i, fault, &pair, &truth);
            print_manifold("manifold", &m);
        }
        hull_pair_release(&pair);
    }
    printf("%lu pairs: %lu in contact, %lu across a gap, %lu closer than the margin, %lu a little too far\n", pairs,
           t.contact, t.gaps, t.close, t.far);
    assert_int_equal(wrong, 0);
    assert_true(t.gaps > pairs / 10 && t.close > pairs / 10 && t.far > pairs / 20 && t.none > pairs / 10);
}

static void scale_points(const convex *c, float by, abut_vec3 *out) {
    for (uint32_t i = 0; i < c->count; i++) {
        out[i] = (abut_vec3){c->point[i].x * by, c->point[i].y * by, c->point[i].z * by};
    }
}

static abut_vec3 scaled(abut_vec3 v, float by) {
    return (abut_vec3){v.x * by, v.y * by, v.z * by};
}

static void a_power_of_two_scales_every_answer(void **state) {
    (void)state;
    unsigned long pairs = test_count(2500), contacts = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        hull_pair pair, large;
        rng r = rng_make(test_seed() + 3, i);
        abut_vec3 points[CONVEX_POINTS];
        abut_manifold m, n;
        hull_pair_make(test_seed() + 3, i, &pair);
        large = pair;
        float by = ldexpf(1, -(int)rng_below(&r, 14)), margin = ldexpf(1, (int)rng_below(&r, 20) - 20);
        for (int k = 0; k < 2; k++) {
            hull_body *body = k ? &large.b : &large.a;
            body->pose.position = scaled(body->pose.position, by);
            body->box.center = body->pose.position;
            body->box.half = scaled(body->box.half, by);
            large.hull[k] = NULL;
            if (body->hull) {
                const convex *shape = k ? &pair.made.b : &pair.made.a;
                scale_points(shape, by, points);
                assert_int_equal(abut_hull_create(points, shape->count, NULL, &large.hull[k]), ABUT_OK);
                body->hull = large.hull[k];
            }
        }
        bool contact = hull_body_collide(&pair.a, &pair.b, margin, &m);
        assert_int_equal(hull_body_collide(&large.a, &large.b, margin * by, &n), contact);
        assert_int_equal(hull_body_overlap(&pair.a, &pair.b), hull_body_overlap(&large.a, &large.b));
        for (uint32_t k = 0; contact && k < m.count; k++) {
            m.points[k].position = scaled(m.points[k].position, by);
            m.points[k].separation *= by;
        }
        if (contact) {
            assert_memory_equal(&m, &n, sizeof m);
        }
        contacts += contact;
        hull_pair_release(&pair);
        hull_pair_release(&large);
    }
    assert_true(contacts > pairs / 4);
}

/* A hull so small that its vertices are one point in the frame of a box, beside an edge of the box. */
static void specks_beside_an_edge_have_contacts(void **state) {
    (void)state;
    const abut_obb box = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    unsigned long of_edges = 0, specks = test_count(5000);
    for (unsigned long i = 0; i < specks; i++) {
        rng r = rng_make(test_seed(), i);
        const float size = ldexpf(1, -48 - (int)rng_below(&r, 30));
        abut_vec3 points[8];
        for (int k = 0; k < 8; k++) {
            points[k] = rng_vec3(&r, -size, size);
        }
        abut_hull *hull;
        assert_int_equal(abut_hull_create(points, 8, NULL, &hull), ABUT_OK);
        const abut_vec3 apart = rng_vec3(&r, 1e-7, 4e-7);
        const abut_pose pose = {{1 + apart.x, 1 + apart.y, apart.z * 1e6f}, rng_rotation(&r)};
        abut_manifold m;
        assert_true(abut_obb_hull_collide(&box, hull, &pose, 1e-5f, &m));
        assert_true(m.count > 0);
        for (uint32_t k = 0; k < m.count; k++) {
            for (int axis = 0; axis < 3; axis++) { /* midway between the speck and the edge, and a rounding */
                assert_true(fabsf((&m.points[k].position.x)[axis] - (&pose.position.x)[axis]) <= 6e-7f);
            }
        }
        of_edges += m.count == 1;
        abut_hull_destroy(&hull);
    }
    assert_true(of_edges > specks / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manifolds_keep_the_contract),
        cmocka_unit_test(margins_find_what_is_close),
        cmocka_unit_test(a_power_of_two_scales_every_answer),
        cmocka_unit_test(specks_beside_an_edge_have_contacts),
    };
    return test_run(tests);
}
