/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Of which matrices rounding may have changed the corners: where it may, only planes are trusted, which the spread
 * shows; of all others every edge is. Judged by determinants in 113 bits and the sums of their terms' magnitudes. */
#include "culling/build.h"
#include "culling/matrices.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row or a plane, relative to the frustum's origin, and the magnitudes of what adds up to its numbers. */
typedef struct sum {
    quad x[4], size[4];
} sum;

static const int DEPTH[3][2][2] = {{{1, 1}, {1, -1}}, {{0, 1}, {1, -1}}, {{1, -1}, {0, 1}}};

static sum row_of(const matrix *given, const float origin[3], int r) {
    sum row;
    row.x[3] = given->m[12 + r];
    row.size[3] = quad_abs(row.x[3]);
    for (int k = 0; k < 3; k++) {
        row.x[k] = given->m[4 * k + r];
        row.size[k] = quad_abs(row.x[k]);
        row.x[3] += row.x[k] * origin[k];
        row.size[3] += row.size[k] * quad_abs(origin[k]);
    }
    return row;
}

/* w + b times a row, or b times the row. The plane is at infinity where its normal vanishes but for a float's rounding.
 */
static sum plane_of(const sum *w, int a, const sum *row, int b) {
    sum plane;
    quad largest = 0, of_rows = 0;
    for (int k = 0; k < 4; k++) {
        plane.x[k] = a * w->x[k] + b * row->x[k];
        plane.size[k] = w->size[k] + row->size[k];
        const quad x = quad_abs(plane.x[k]), y = a ? quad_abs(w->x[k]) : 0, z = quad_abs(row->x[k]);
        largest = k < 3 && x > largest ? x : largest;
        of_rows = k < 3 && y > of_rows ? y : of_rows;
        of_rows = k < 3 && z > of_rows ? z : of_rows;
    }
    for (int k = 0; k < 3 && largest <= of_rows * 0x1p-22; k++) {
        plane.x[k] = plane.size[k] = 0;
    }
    return plane;
}

/* Of the columns beside `left_out`: the determinant, or the same with all signs plus. */
static quad determinant(const quad *a, const quad *b, const quad *c, int left_out, int sign) {
    const int i = (left_out + 1) % 4, j = (left_out + 2) % 4, k = (left_out + 3) % 4;
    return a[i] * (b[j] * c[k] + sign * b[k] * c[j]) + sign * a[j] * (b[i] * c[k] + sign * b[k] * c[i]) +
           a[k] * (b[i] * c[j] + sign * b[j] * c[i]);
}

/* How much rounding in double-double may change a corner, in parts of what is harmless, of a frustum whose runs begin
 * within `extent`: the largest over all corners. */
static double worst_of(const matrix *given, const float origin[3], quad extent) {
    const sum row[4] = {row_of(given, origin, 0), row_of(given, origin, 1), row_of(given, origin, 2),
                        row_of(given, origin, 3)};
    sum plane[6];
    quad corner[8][4], size[8][4], worst = 0;
    for (int k = 0; k < 6; k++) {
        const int *part = DEPTH[given->clip][k & 1];
        plane[k] =
            k < 4 ? plane_of(&row[3], 1, &row[k / 2], k & 1 ? -1 : 1) : plane_of(&row[3], part[0], &row[2], part[1]);
    }
    for (int i = 0; i < 8; i++) {
        const sum *a = &plane[i & 1], *b = &plane[2 + (i >> 1 & 1)], *c = &plane[4 + (i >> 2)];
        for (int k = 0; k < 4; k++) {
            corner[i][k] = quad_abs(determinant(a->x, b->x, c->x, k, -1));
            size[i][k] = determinant(a->size, b->size, c->size, k, 1);
        }
    }
    for (int i = 0; i < 8; i++) {
        const quad reach = corner[i][0] + corner[i][1] + corner[i][2], across = extent * corner[i][3];
        for (int k = 0; k < 4; k++) {
            const quad allowed = k == 3 ? corner[i][3] : reach > across ? reach : across;
            const quad share = allowed > 0 ? size[i][k] * 0x1p-44 / allowed : 0;
            worst = share > worst ? share : worst;
        }
    }
    return (double)worst;
}

/* Views so wide, so far away, or so thin that rounding matters to some of them. *wide: by how many powers of two. */
static matrix hard_matrix(uint64_t stream, int *wide) {
    rng r = rng_make(test_seed(), stream);
    const double shortest = rng_chance(&r, 0.5) ? rng_log_range(&r, 1e-9, 1) : rng_log_range(&r, 1e-25, 1);
    const double from_origin = rng_chance(&r, 0.5) ? rng_log_range(&r, 1, 1e12) : shortest;
    matrix given = matrix_random(&r, (matrix_kind)(stream % MATRIX_KINDS), from_origin, shortest, 1e6);
    *wide = 0;
    for (int i = 0; i < 2; i++) {
        const int more = rng_chance(&r, 0.4) ? 0 : (int)rng_below(&r, 50);
        *wide = more > *wide ? more : *wide;
        for (int k = 0; k < 4; k++) {
            given.m[4 * k + i] = ldexpf(given.m[4 * k + i], -more);
        }
    }
    return given;
}

/* A ray may have the opposite direction where its sign is lost, which is another reason to trust planes alone. */
static bool is_infinite(const abut_frustum *f) {
    bool infinite = false;
    for (uint32_t k = 0; k < f->run_count; k++) {
        infinite = infinite || isinf(f->run[k][6]);
    }
    return infinite;
}

static void only_what_rounding_may_change_is_left_to_planes(void **state) {
    (void)state;
    unsigned long vague = 0, certain = 0, near = 0;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0; i < test_count(4000); i++) {
        int wide;
        const matrix given = hard_matrix(i, &wide);
        abut_frustum f;
        if (abut_frustum_from_matrix(given.m, given.clip, &f) != ABUT_OK) {
            continue;
        }
        const double worst = worst_of(&given, f.origin, f.extent);
        if (worst > 1.01 || worst < 0.99) {
            vague += worst > 1;
            certain += worst < 1;
            near += worst > 0.01 && worst < 100;
            const bool widest = f.spread == 0x1p+100;
            const bool usual = given.kind != MATRIX_OBLIQUE && wide < 12;
            if (widest != (worst > 1) && (usual || worst > 1 || !is_infinite(&f))) {
                fail_msg("seed 0x%llx matrix %lu: %g of what is harmless, spread %g", (unsigned long long)test_seed(),
                         i, worst, f.spread);
            }
        }
    }
    printf("%lu certain, %lu not, %lu of them nearly so or nearly not\n", certain, vague, near);
    assert_true(test_count(4000) < 500 || (vague > test_count(4000) / 20 && certain > test_count(4000) / 20));
}

/* Looks along one axis from far along the next, from a third of 2^40, which is no float: what a normal of the far plane
 * would be worth does not matter, as it has none. */
static void a_plane_at_infinity_has_no_normal_to_lose(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const int across = 4 * ((axis + 1) % 3), up = 4 * ((axis + 2) % 3), ahead = 4 * axis;
        for (int k = 0; k < 3; k++) {
            matrix given = {.clip = (abut_clip)k};
            abut_frustum f;
            given.m[across] = 3;
            given.m[up + 1] = given.m[ahead + 3] = 1;
            given.m[12] = -0x1p+40f;
            given.m[ahead + 2] = given.clip == ABUT_CLIP_REVERSED ? 0 : 1;
            given.m[14] = given.clip == ABUT_CLIP_REVERSED ? 0x1p-10f : -0x1p-10f;
            assert_int_equal(abut_frustum_from_matrix(given.m, given.clip, &f), ABUT_OK);
            assert_true(is_infinite(&f) && f.spread < 3);
        }
    }
}

/* From -1 to 1 along each axis. */
static abut_cull_cube plain_cube(void) {
    abut_cull_cube cube = {.origin = {0, 0, 0}};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            cube.corner[i][k] = i >> k & 1 ? 1 : -1;
        }
        cube.corner[i][3] = 1;
    }
    for (int k = 0; k < 6; k++) {
        cube.plane[k][k / 2] = k & 1 ? -1 : 1;
        cube.plane[k][3] = 1;
    }
    return cube;
}

static bool is_incomplete(const abut_cull_cube *cube, uint32_t *edges) {
    abut_frustum f;
    assert_int_equal(abut_cull_build(cube, &f), ABUT_OK);
    *edges = f.edge_count;
    return (f.run_corners & ABUT_CULL_INCOMPLETE) != 0;
}

/* The ends of an edge or its faces show where it leads. Only where both ends are one point and both faces one plane
 * nothing does. */
static void an_edge_without_a_direction_is_told(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        abut_cull_cube cube = plain_cube();
        uint32_t edges;
        if (k & 1) {
            cube.corner[0][0] = cube.corner[1][0] = 0;
        }
        if (k & 2) {
            cube.plane[4][1] = 1;
            cube.plane[4][2] = 0;
        }
        assert_int_equal(is_incomplete(&cube, &edges), k == 3);
    }
}

/* Tilts the edges along axis 0 of the face at the end of axis 1. */
static void tilt_edges(abut_cull_cube *cube, double by) {
    cube->plane[3][0] = by;
    for (int i = 0; i < 8; i++) {
        cube->corner[i][1] += i & 2 ? by * cube->corner[i][0] : 0;
    }
}

/* Edges that are parallel but for rounding are one; those that are not are two; what may be either is told. */
static void edges_that_are_nearly_parallel_are_told(void **state) {
    (void)state;
    for (int digits = 36; digits < 54; digits++) {
        abut_cull_cube cube = plain_cube();
        uint32_t edges;
        tilt_edges(&cube, ldexp(1.5, -digits));
        assert_int_equal(is_incomplete(&cube, &edges), digits > 44 && digits < 50);
        assert_int_equal(edges, digits > 44 ? 3 : 4);
    }
}

/* What planes show together the axes show only where no run is in front of a plane: by more than rounding where it
 * starts, where it ends, or in the direction of one that does not end. */
static void runs_in_front_of_a_plane_are_told(void **state) {
    (void)state;
    static const int most[3] = {44, 43, 45};
    for (int k = 0; k < 3; k++) {
        for (int digits = 38; digits < 52; digits++) {
            abut_cull_cube cube = plain_cube();
            double by = ldexp(1, -digits);
            uint32_t edges;
            for (int i = 4; i < 8 && k == 2; i++) { /* runs along axis 2 have no end */
                memcpy(cube.corner[i], (double[4]){0, 0, 1, 0}, sizeof cube.corner[i]);
                memcpy(cube.plane[5], (double[4]){0, 0, 0, 1}, sizeof cube.plane[5]);
            }
            cube.plane[k == 2 ? 1 : 4 + k][k == 2 ? 2 : 3] -= by;
            assert_int_equal(is_incomplete(&cube, &edges), digits <= most[k]);
        }
    }
}

/* The spread of four rays along z, from where x is `off`: their direction follows from points that lie 2 apart, or from
 * faces that meet at an angle with this sine. */
static double spread_of_rays(double off, double sine) {
    abut_cull_cube cube = plain_cube();
    abut_frustum f;
    for (int i = 0; i < 8; i++) {
        cube.corner[i][0] += off;
        for (int k = 0; k < 4 && i >= 4; k++) { /* of a point below, seen beyond infinity */
            cube.corner[i][k] = k < 3 ? -(cube.corner[i - 4][k] - (k == 2 ? 2 : 0)) : -1;
        }
    }
    for (int side = 0; side < 2; side++) {
        cube.plane[side][3] += side ? off : -off;
        cube.plane[2 + side][0] = sqrt(1 - sine * sine) * cube.plane[2 + side][1];
        cube.plane[2 + side][1] *= sine;
    }
    memcpy(cube.plane[5], (double[4]){0, 0, 0, 1}, sizeof cube.plane[5]);
    assert_int_equal(abut_cull_build(&cube, &f), ABUT_OK);
    assert_true(f.run_count == 4 && is_infinite(&f) && fabs(f.run[0][5]) > 0.999);
    return f.spread;
}

/* Rays whose direction has lost digits both ways count as spread out: as much wider as digits are lost, but for four
 * bits. */
static void rays_without_a_sharp_direction_spread(void **state) {
    (void)state;
    for (int far_off = 1; far_off < 30; far_off++) {
        for (int flat = 0; flat < 30; flat++) {
            const int lost = far_off - 1 < flat ? far_off - 1 : flat;
            const double spread = spread_of_rays(ldexp(1, far_off), ldexp(1, -flat));
            const double expected = lost > 4 ? ldexp(1, lost - 4) : 1;
            if (!(spread > 0.999 * expected && spread < 2 * expected)) { /* points are up to 3 farther */
                fail_msg("2^%d away, sine 2^-%d: %g instead of %g", far_off, flat, spread, expected);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_rounding_may_change_is_left_to_planes),
                                       cmocka_unit_test(a_plane_at_infinity_has_no_normal_to_lose),
                                       cmocka_unit_test(an_edge_without_a_direction_is_told),
                                       cmocka_unit_test(edges_that_are_nearly_parallel_are_told),
                                       cmocka_unit_test(runs_in_front_of_a_plane_are_told),
                                       cmocka_unit_test(rays_without_a_sharp_direction_spread)};
    return test_run(tests);
}
