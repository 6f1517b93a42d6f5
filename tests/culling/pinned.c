/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: frusta of every kind, as numbers: their planes, runs, edges and spreads. What other tests
 * judge leaves room (an origin, an order, a spread that is large enough); nothing in it may change unnoticed. */
#include "culling/any_frusta.h"
#include "culling/build.h"
#include "culling/culling.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>

enum { FRUSTA = 16000, CUBES = 16000 };

static void digest_frustum(uint64_t *digest, const abut_frustum *f) {
    digest_floats(digest, f->origin, 3);
    digest_number(digest, f->plane_count);
    digest_number(digest, f->run_count);
    digest_number(digest, f->edge_count);
    digest_doubles(digest, f->plane[0], 4 * (size_t)f->plane_count);
    digest_doubles(digest, f->run[0], 7 * (size_t)f->run_count);
    digest_doubles(digest, f->edge[0], 3 * (size_t)f->edge_count);
    digest_double(digest, f->extent);
    digest_double(digest, f->spread);
    digest_number(digest, f->run_corners);
}

static void digest_drawn(uint64_t *digest, const abut_frustum *f, double depth) {
    abut_cull_edge edge[ABUT_CULL_EDGES];
    const uint32_t n = abut_cull_edges(f, depth, edge);
    digest_number(digest, n);
    digest_double(digest, abut_cull_depth(f));
    for (uint32_t i = 0; i < n; i++) {
        digest_doubles(digest, edge[i].from.x, 3);
        digest_doubles(digest, edge[i].to.x, 3);
    }
}

static void digest_view(uint64_t *digest, const abut_frustum *f) {
    const abut_cull_view view = abut_cull_view_of(f);
    digest_number(digest, view.plane_count);
    digest_floats(digest, view.origin, 3);
    for (uint32_t p = 0; p < view.plane_count; p++) {
        digest_floats(digest, view.normal[p], 3);
        digest_floats(digest, view.size[p], 3);
    }
    digest_floats(digest, view.low, view.plane_count);
    digest_floats(digest, view.high, view.plane_count);
    digest_float(digest, view.unsure);
    digest_float(digest, view.vague);
    digest_float(digest, view.vague_extent);
}

static void frusta(uint64_t *digest) {
    for (uint32_t k = 0; k < FRUSTA; k++) {
        rng r = rng_make(41, k);
        abut_frustum f = {.plane_count = 5};
        digest_number(digest, (uint64_t)any_frustum(&r, k, &f));
        digest_frustum(digest, &f);
        if (f.run_count > 0 && f.extent < 0x1p100) {
            digest_drawn(digest, &f, wild_size(&r, -8, 8));
            digest_view(digest, &f);
        }
    }
}

/* Of whole numbers: an eye that is just as far away as it may be to be the origin, or a little farther; normals that
 * nearly vanish. */
static void exact(uint64_t *digest) {
    for (int k = 0; k < 3 * 64; k++) {
        const double n = 1024 + (k / 3 % 3 - 1) * 0.5, f = n + 1;
        const float whole[] = {(float)-(f + n), (float)(-2 * f * n), (float)-f, (float)(-f * n),
                               (float)n,        (float)(f * n)};
        float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, whole[2 * (k % 3)], -1, 0, 0, whole[2 * (k % 3) + 1], 0};
        if (k / 9 > 0) {
            m[0] = (float)(k / 9);
            m[12] = (float)(k / 9 % 4) * 64;
            m[8] = (float)ldexp(k % 4, -k / 9);
            m[3] = (float)ldexp(1, -k / 9);
        }
        abut_frustum frustum;
        digest_number(digest, (uint64_t)abut_frustum_from_matrix(m, (abut_clip)(k % 3), &frustum));
        digest_frustum(digest, &frustum);
    }
}

static void refused(uint64_t *digest) {
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, zero = {0, 0, 0};
    const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    const abut_obb box = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    abut_frustum f;
    const abut_result results[] = {
        abut_frustum_perspective(zero, x, y, z, 1, 1, 1, 2, NULL),
        abut_frustum_perspective(zero, zero, y, z, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, x, zero, z, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, x, y, zero, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, y, x, z, 1, 1, 1, 2, &f), /* left-handed */
        abut_frustum_perspective(zero, x, y, z, 1, 1, 1, 1, &f),
        abut_frustum_perspective(zero, x, y, (abut_vec3){0.00099f, 0, 1}, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, x, y, (abut_vec3){0.00101f, 0, 1}, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, x, y, (abut_vec3){0, 0.00101f, 1}, 1, 1, 1, 2, &f),
        abut_frustum_perspective(zero, x, (abut_vec3){0.00101f, 1, 0}, z, 1, 1, 1, 2, &f),
        abut_frustum_camera(NULL, 1, 1, 1, 2, &f),
        abut_frustum_camera(&pose, 1, 1, 1, 2, NULL),
        abut_frustum_orthographic(NULL, &f),
        abut_frustum_orthographic(&box, NULL),
        abut_frustum_from_matrix(NULL, ABUT_CLIP_REVERSED, &f),
        abut_frustum_from_matrix(identity, ABUT_CLIP_REVERSED, NULL),
        abut_frustum_from_matrix(identity, (abut_clip)(ABUT_CLIP_REVERSED + 1), &f),
        abut_frustum_from_matrix(identity, ABUT_CLIP_REVERSED, &f),
    };
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        digest_number(digest, (uint64_t)results[k]);
    }
}

/* --- cubes, as they are built from --- */

/* A corner of the box from -1 to 1, moved. */
static void set_corner(rng *r, const double of[3], double dent, int i, double corner[4]) {
    static const double ends[] = {1, 1, 1, 1, 0.5, 0.25, 0, -1};
    for (int k = 0; k < 3; k++) {
        corner[k] = (i >> k & 1 ? of[k] : -of[k]) + dent * rng_range(r, -1, 1);
    }
    corner[3] = i < 4 ? 1 : ends[rng_below(r, 8)];
}

/* Corners with any divisors, of which one face may be a point or a line; faces of any offset, some of them nearly
 * alike. */
static abut_cull_cube any_cube(rng *r) {
    abut_cull_cube cube = {.origin = {0, 1, 2}};
    const double dent = rng_chance(r, 0.4) ? 0 : wild_size(r, -50, -1);
    double of[3];
    for (int k = 0; k < 3; k++) {
        of[k] = rng_chance(r, 0.1) ? 0 : wild_size(r, -20, 4);
    }
    const bool alike = rng_chance(r, 0.7);
    const double far_w = rng_chance(r, 0.4) ? 0 : any_signed(r, -3, 2);
    for (int i = 0; i < 8; i++) {
        set_corner(r, of, dent, i, cube.corner[i]);
        cube.corner[i][3] = alike && i > 3 ? far_w : cube.corner[i][3];
    }
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3; i++) {
            cube.plane[k][i] = (i == k / 2 ? (k % 2 ? -1 : 1) : 0) + dent * rng_range(r, -1, 1);
        }
        cube.plane[k][3] = of[k / 2];
        if (rng_chance(r, 0.04)) {
            const bool none = rng_chance(r, 0.5);
            cube.plane[k][0] *= none ? 0 : 1;
            cube.plane[k][1] *= none ? 0 : 1;
            cube.plane[k][2] *= none ? 0 : 1;
            cube.plane[k][3] = rng_chance(r, 0.3) ? 0 : any_signed(r, 120, 150);
        }
    }
    return cube;
}

static void cubes(uint64_t *digest) {
    for (uint32_t k = 0; k < CUBES; k++) {
        rng r = rng_make(42, k);
        const abut_cull_cube cube = any_cube(&r);
        abut_frustum f;
        digest_number(digest, (uint64_t)abut_cull_build(&cube, &f));
        digest_frustum(digest, &f);
        if (f.run_count > 0) {
            digest_drawn(digest, &f, 4);
            digest_view(digest, &f);
            abut_cull_trust_only_planes(&f);
            digest_double(digest, f.spread);
        }
    }
}

static void frusta_are_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"frusta", frusta, UINT64_C(0x26a889699077ec87)},
        {"exact", exact, UINT64_C(0xd05239f7a73e1886)},
        {"refused", refused, UINT64_C(0x0a5ae2dbad953f3c)},
        {"cubes", cubes, UINT64_C(0x3de577f8b3c750ca)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frusta_are_the_same_everywhere)};
    return test_run(tests);
}
