/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Edges of frusta of all kinds: they bound the same polyhedron as the planes and the runs. */

#include "culling/culling.h"
#include "culling/matrices.h"
#include "culling/shape.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>

typedef struct wire {
    const abut_frustum *f;
    abut_cull_edge edge[ABUT_CULL_EDGES];
    uint32_t edges, rays, corners;
    abut_d3 corner[2 * ABUT_CULL_EDGES];
    uint32_t degree[2 * ABUT_CULL_EDGES];
} wire;

static bool equal(const double *a, abut_d3 b) {
    return a[0] == b.x[0] && a[1] == b.x[1] && a[2] == b.x[2];
}

static void count_corner(wire *w, abut_d3 at) {
    uint32_t k = 0;
    while (k < w->corners && !equal(w->corner[k].x, at)) {
        k++;
    }
    if (k == w->corners) {
        w->corner[w->corners++] = at;
        w->degree[k] = 0;
    }
    w->degree[k]++;
}

static wire wire_of(const abut_frustum *f, double depth) {
    wire w = {.f = f};
    w.edges = abut_cull_edges(f, depth, w.edge);
    assert_true(w.edges <= ABUT_CULL_EDGES);
    for (uint32_t k = 0; k < f->run_count; k++) {
        w.rays += f->run[k][6] == INFINITY;
    }
    for (uint32_t k = 0; k < w.edges; k++) {
        count_corner(&w, w.edge[k].from);
        if (k < w.edges - w.rays) {
            count_corner(&w, w.edge[k].to);
        }
    }
    return w;
}

static double size_of(abut_d3 at) {
    return fabs(at.x[0]) + fabs(at.x[1]) + fabs(at.x[2]);
}

/* Neither end is behind a plane, and both lie on two of the planes. */
static void check_edge(const abut_frustum *f, const abut_cull_edge *edge) {
    uint32_t holding = 0;
    for (uint32_t k = 0; k < f->plane_count; k++) {
        double from = shape_height(f->plane[k], edge->from.x) / (size_of(edge->from) + f->extent);
        double to = shape_height(f->plane[k], edge->to.x) / (size_of(edge->to) + f->extent);
        assert_true(from >= -1e-12 && to >= -1e-12);
        holding += from <= 1e-12 && to <= 1e-12;
    }
    assert_true(holding >= 2);
}

/* Rays start at corners and have the directions of their runs. */
static void check_ray(const abut_cull_edge *edge, const double run[7]) {
    assert_true(equal(run, edge->from));
    abut_d3 along = abut_d3_sub(edge->to, edge->from), r = {{run[3], run[4], run[5]}};
    double length = sqrt(abut_d3_dot(along, along));
    assert_true(length > 0 && abut_d3_dot(along, r) >= length * (1 - 1e-9));
}

/* Three edges leave every corner, and runs have no others: so the edges are the skeleton of the cube, except for the
 * parts at or beyond infinity. */
static void check_wire(const abut_frustum *f, double depth) {
    const wire w = wire_of(f, depth);
    uint32_t ray = w.edges - w.rays;
    for (uint32_t k = 0; k < w.edges; k++) {
        check_edge(f, &w.edge[k]);
    }
    for (uint32_t k = 0; k < w.corners; k++) {
        assert_int_equal(w.degree[k], 3);
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < w.corners; k++) {
            known = known || equal(f->run[i], w.corner[k]);
        }
        assert_true(known);
        if (f->run[i][6] == INFINITY) {
            check_ray(&w.edge[ray++], f->run[i]);
        }
    }
    assert_true(w.rays > 0 || (w.edges == 12 && w.corners == 8));
    assert_true(isinf(abut_cull_depth(f)) == (w.rays > 0));
}

static abut_frustum random_camera(rng *r, float far_distance) {
    abut_frustum f;
    float near_distance = (float)rng_log_range(r, 1e-3, 1e3);
    const abut_pose pose = {rng_vec3(r, -100, 100), rng_rotation(r)};
    assert_int_equal(abut_frustum_camera(&pose, near_distance * (float)rng_log_range(r, 0.05, 5),
                                         near_distance * (float)rng_log_range(r, 0.05, 5), near_distance,
                                         far_distance == INFINITY ? INFINITY : near_distance * far_distance, &f),
                     ABUT_OK);
    return f;
}

static void a_camera_has_twelve_edges(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        float ratio = (float)rng_log_range(&r, 1.01, 1e6);
        abut_frustum f = random_camera(&r, ratio);
        check_wire(&f, 1);
        double d = f.plane[5][3] + f.plane[4][3]; /* from plane to plane */
        assert_true(fabs(abut_cull_depth(&f) - d) <= 1e-9 * d);
    }
}

static void without_a_far_plane_it_has_eight_up_to_the_depth(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_frustum f = random_camera(&r, INFINITY);
        double depth = rng_log_range(&r, 1e-3, 1e6);
        check_wire(&f, depth);
        const wire w = wire_of(&f, depth);
        assert_int_equal(w.edges, 8);
        assert_int_equal(w.rays, 4);
        for (uint32_t k = 4; k < 8; k++) { /* heights over the near plane */
            double height = shape_height(f.plane[4], w.edge[k].to.x);
            assert_true(fabs(height - depth) <= 1e-9 * (depth + f.extent));
        }
    }
}

static void a_box_has_its_own(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        const abut_obb box = {rng_vec3(&r, -10, 10), rng_rotation(&r), rng_vec3(&r, 0.1, 3)};
        abut_frustum f;
        assert_int_equal(abut_frustum_orthographic(&box, &f), ABUT_OK);
        check_wire(&f, 1);
        const wire w = wire_of(&f, 1);
        for (uint32_t k = 0; k < 12; k++) { /* four along each axis */
            abut_d3 along = abut_d3_sub(w.edge[k].to, w.edge[k].from);
            double length = sqrt(abut_d3_dot(along, along)), half = (&box.half.x)[k / 4];
            assert_true(fabs(length - 2 * half) < 1e-12 * (2 * half));
        }
        assert_true(fabs(abut_cull_depth(&f) - 2 * (double)box.half.z) < 1e-12 * (double)box.half.z);
    }
}

static void matrices_have_the_edges_of_their_planes(void **state) {
    (void)state;
    unsigned long more = 0, partly = 0;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        const matrix given = matrix_random(&r, (matrix_kind)(i % MATRIX_KINDS), 1, 1e-3, 1e3);
        abut_frustum f;
        assert_int_equal(abut_frustum_from_matrix(given.m, given.clip, &f), ABUT_OK);
        check_wire(&f, rng_log_range(&r, 1e-3, 1e6));
        uint32_t rays = 0;
        for (uint32_t k = 0; k < f.run_count; k++) {
            rays += f.run[k][6] == INFINITY;
        }
        more += f.run_count > 4;
        partly += rays > 0 && rays < f.run_count;
    }
    printf("%lu with more than four runs, %lu that extend to infinity in part\n", more, partly);
    assert_true(test_count(20000) < 1000 || (more > 0 && partly > 0));
}

static void without_faces_there_are_none(void **state) {
    (void)state;
    const abut_frustum all_of_space = {.plane_count = 0};
    abut_cull_edge edge[ABUT_CULL_EDGES];
    assert_int_equal(abut_cull_edges(&all_of_space, 1, edge), 0);
    assert_true(abut_cull_depth(&all_of_space) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_has_twelve_edges),
        cmocka_unit_test(without_a_far_plane_it_has_eight_up_to_the_depth),
        cmocka_unit_test(a_box_has_its_own),
        cmocka_unit_test(matrices_have_the_edges_of_their_planes),
        cmocka_unit_test(without_faces_there_are_none),
    };
    return test_run(tests);
}
