/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls of so many facets that the search takes them some at a time, and that the marks of two take turns: the same
 * axes as those of all facets and all edge pairs, measured one by one. */

#include "narrowphase/convex/kernels.h"
#include "narrowphase/kernels.h"
#include "narrowphase/tolerance.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 3000, SOME = 1150, FEW = 40 };

static abut_vec3 on_ellipsoid(rng *r) {
    const abut_vec3 p = rng_direction(r);
    return (abut_vec3){p.x, 1.5f * p.y, 0.75f * p.z};
}

/* Two caps that meet in a sharp edge around z. */
static abut_vec3 on_lens(rng *r) {
    const abut_vec3 p = rng_direction(r);
    const float square = rng_chance(r, 0.1) ? 1 : p.x * p.x + p.y * p.y;
    const float length = sqrtf(square / (p.x * p.x + p.y * p.y));
    return (abut_vec3){p.x * length, p.y * length, copysignf(0.3f * (1 - square), p.z)};
}

/* Nearly all points are vertices. */
static abut_hull *random_hull(rng *r, bool lens, size_t n) {
    abut_vec3 *points = calloc(n, sizeof *points);
    abut_hull *hull;
    assert_non_null(points);
    for (size_t i = 0; i < n; i++) {
        points[i] = lens ? on_lens(r) : on_ellipsoid(r);
    }
    assert_int_equal(abut_hull_create(points, n, NULL, &hull), ABUT_OK);
    free(points);
    return hull;
}

/* --- all axes --- */

static double lowest_along(const abut_hull *hull, abut_d3 d) {
    double least = INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        least = fmin(least, abut_d3_dot(d, abut_np_vertex(hull, v)));
    }
    return least;
}

/* The separation that a facet shows. */
static double separation_of_facet(const abut_np_side *side, uint32_t f) {
    const abut_hull_plane *plane = &abut_hull_planes(side->own)[f];
    const abut_d3 n = abut_d3_load(plane->n);
    return abut_d3_dot(n, side->origin) + lowest_along(side->other, abut_np_turned(side, n)) - plane->w;
}

static double best_facet(const abut_np_side *side) {
    double best = -INFINITY;
    for (uint32_t f = 0; f < side->own->facet_count; f++) {
        best = fmax(best, separation_of_facet(side, f));
    }
    return best;
}

typedef struct edge {
    abut_d3 p, along, n[2]; /* in a's frame; an end, the edge, the normals of its facets */
} edge;

static edge *edges_of(const abut_np_convex_pair *pair, int k) {
    const abut_hull *hull = pair->side[k].own;
    const abut_np_side *of_a = &pair->side[0];
    edge *edges = calloc(hull->edge_count, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t i = 0; i < hull->edge_count; i++) {
        const abut_hull_edge *e = &abut_hull_edges(hull)[i];
        const abut_d3 p = abut_np_vertex(hull, e->v[0]), q = abut_np_vertex(hull, e->v[1]);
        edge *out = &edges[i];
        *out = (edge){p, abut_d3_sub(q, p), {{{0, 0, 0}}, {{0, 0, 0}}}};
        for (int j = 0; j < 2; j++) {
            out->n[j] = abut_d3_load(abut_hull_planes(hull)[e->f[j]].n);
            out->n[j] = k == 1 ? abut_d3_negate(abut_np_turned_back(of_a, out->n[j])) : out->n[j];
        }
        out->p = k == 1 ? abut_np_point_back(of_a, out->p) : out->p;
        out->along = k == 1 ? abut_np_turned_back(of_a, out->along) : out->along;
    }
    return edges;
}

/* The separation along the common normal of two edges, if they are extreme along it; else -INFINITY. */
static double separation_of(const edge *a, const edge *b) {
    double s = abut_d3_dot(a->n[0], b->along), t = abut_d3_dot(a->n[1], b->along);
    double u = abut_d3_dot(b->n[0], a->along), v = abut_d3_dot(b->n[1], a->along);
    if (s * t > 0 || u * v > 0) {
        return -INFINITY;
    }
    abut_d3 n = abut_d3_cross(a->along, b->along);
    double length = sqrt(abut_d3_dot(n, n)), side = abut_d3_dot(n, abut_d3_along(a->n[0], 1, a->n[1]));
    if (!(length > 0) || (side > 0) != (abut_d3_dot(n, abut_d3_along(b->n[0], 1, b->n[1])) > 0)) {
        return -INFINITY;
    }
    return (side > 0 ? 1 : -1) * abut_d3_dot(n, abut_d3_sub(b->p, a->p)) / length;
}

static double best_edges(const abut_np_convex_pair *pair) {
    edge *a = edges_of(pair, 0), *b = edges_of(pair, 1);
    double best = -INFINITY;
    for (uint32_t i = 0; i < pair->side[0].own->edge_count; i++) {
        for (uint32_t j = 0; j < pair->side[1].own->edge_count; j++) {
            best = fmax(best, separation_of(&a[i], &b[j]));
        }
    }
    free(a);
    free(b);
    return best;
}

/* --- pairs --- */

/* A rotation that is nearly this one. */
static abut_quat near_rotation(rng *r, abut_quat q) {
    const abut_vec3 v = rng_vec3(r, -0.1, 0.1);
    return (abut_quat){q.x + v.x, q.y + v.y, q.z + v.z, q.w};
}

/* One that touches or nearly does, lenses with their sharp edges across each other; or, for many edges to be looked at,
 * one deep in the other. */
static void place(rng *r, bool lens, const abut_hull *a, const abut_hull *b, abut_np_convex_pair *pair) {
    abut_collider of_a = {.rotation = rng_rotation(r)}, of_b = {.rotation = rng_rotation(r)};
    abut_vec3 way = rng_direction(r);
    float distance = 10;
    if (lens) {
        const float s = (float)rng_range(r, -1, 1),
                    c = sqrtf(1 - s * s); /* first turned about z, so any edge may meet */
        of_a.rotation = near_rotation(r, (abut_quat){0, 0, s, c});
        of_b.rotation = near_rotation(r, (abut_quat){0.7f * s, 0.7f * c, 0.7f * s, 0.7f * c});
        way = (abut_vec3){0, 1, 0};
    }
    const abut_pose at_a = {{0, 0, 0}, of_a.rotation};
    for (int k = 0; k < 20; k++) { /* until they are just apart */
        abut_vec3 on[2];
        const abut_shape x = abut_convex(a, 0), y = abut_convex(b, 0);
        of_b.center = (abut_vec3){way.x * distance, way.y * distance, way.z * distance};
        const abut_pose at_b = {of_b.center, of_b.rotation};
        distance -= (float)abut_shape_distance(&x, &at_a, &y, &at_b, &on[0], &on[1]);
    }
    distance *= rng_chance(r, 0.5) ? (float)rng_range(r, lens ? 0.7 : 0.2, 0.95) : 1;
    distance += (float)(rng_chance(r, 0.5) ? rng_range(r, -0.1, 0.05) : rng_range(r, -1e-3, 1e-3));
    of_b.center = (abut_vec3){way.x * distance, way.y * distance, way.z * distance};
    abut_np_convex_pair_build(&of_a, a, &of_b, b, pair);
}

/* The axis is that of the best facet (along the face that it was merged into) or of the best edges, and these are not
 * worse than the law of preference lets them be. */
static void check_axis(const abut_np_convex_pair *pair, const abut_np_axis *axis, const double facet[2], double edges) {
    const double near = 1e-11 * pair->size, face = fmax(facet[0], facet[1]);
    const double least = fmin(abut_np_extent(pair->side[0].own), abut_np_extent(pair->side[1].own));
    const double share = ABUT_NP_FACE_PREFERENCE_OF_HULLS * fabs(face) + ABUT_NP_RESTING * least;
    if (axis->kind == ABUT_NP_EDGES) {
        assert_true(fabs(axis->separation - edges) <= near);
        assert_true(edges >= face + share - near);
    } else {
        int k = axis->kind == ABUT_NP_FACET_OF_B;
        assert_true(separation_of_facet(&pair->side[k], k == 0 ? axis->of_a : axis->of_b) >= facet[k] - near);
        assert_true(face <= facet[k] + ABUT_NP_RESTING * least + near);
        assert_true(edges <= face + fmax(share, ABUT_NP_FACE_PREFERENCE_OF_EXTENT * least) + near);
    }
}

static bool same_bits(const abut_np_axis *x, const abut_np_axis *y) {
    return memcmp(&x->separation, &y->separation, sizeof x->separation) == 0 && x->kind == y->kind &&
           x->of_a == y->of_a && x->of_b == y->of_b && memcmp(&x->normal, &y->normal, sizeof x->normal) == 0;
}

static void check_pair(const abut_np_convex_pair *pair, unsigned long count[2]) {
    const double facet[2] = {best_facet(&pair->side[0]), best_facet(&pair->side[1])}, edges = best_edges(pair);
    const double gap = fmax(fmax(facet[0], facet[1]), edges);
    const abut_isa best = abut_isa_active();
    abut_np_axis first = {0};
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        const abut_np_convex_kernels *kernels = abut_np_convex_kernels_active();
        abut_np_hint hint = {.facet_plus_one = {0, 0}};
        for (int again = 0; again < 2; again++) {
            abut_np_axis axis = {0};
            bool touch = kernels->find_axis(pair, 0, again ? &hint : NULL, &axis);
            assert_true(touch == kernels->touch(pair, again ? &hint : NULL));
            assert_true(fabs(gap) <= 1e-11 * pair->size || touch == (gap < 0));
            first = isa == 0 && again == 0 ? axis : first;
            assert_true(same_bits(&axis, &first));
            (void)kernels->find_axis(pair, 0, &hint, &axis);
        }
        count[0] += first.separation != 0;
        count[1]++;
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    if (gap < -1e-11 * pair->size) {
        check_axis(pair, &first, facet, edges);
    }
}

static void run(size_t points_a, size_t points_b, uint32_t facets_least, unsigned long pairs) {
    unsigned long count[2] = {0, 0};
    for (unsigned long i = 0; i < pairs; i++) {
        rng r = rng_make(test_seed(), i);
        const bool lens = i % 4 != 0;
        abut_hull *a = random_hull(&r, lens, points_a), *b = random_hull(&r, lens, points_b);
        abut_np_convex_pair pair;
        assert_true(a->facet_count + b->facet_count > facets_least);
        place(&r, lens, a, b, &pair);
        check_pair(&pair, count);
        abut_hull_destroy(&a);
        abut_hull_destroy(&b);
    }
    assert_true(pairs < 20 || (count[0] > 0 && count[0] < count[1]));
}

/* Either side may have more facets than there are bounds at a time. */
static void large_hulls_and_small_ones(void **state) {
    (void)state;
    run(SOME, FEW, 2048, test_count(40));
    run(FEW, MANY, 2048, test_count(20));
}

static void two_large_hulls(void **state) {
    (void)state;
    run(MANY, SOME, 8192, test_count(20));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_hulls_and_small_ones), cmocka_unit_test(two_large_hulls)};
    return test_run(tests);
}
