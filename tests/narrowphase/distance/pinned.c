/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: the closest points of cores, the corners that they are combinations of, and the certified
 * bounds, also where a search stops early or begins with given corners. Other tests judge these to within rounding. */
#include "narrowphase/distance/cores.h"
#include "narrowphase/distance/kernels.h"
#include "narrowphase/kernels.h"
#include "support/digest_d3.h"
#include "support/lattice.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>

enum { PAIRS = 8000 };

static wild_hulls wild;
static lattice_hulls lattice;

/* Half of the pairs consist of whole numbers. */
static double make_pair(rng *r, abut_collider *a, abut_collider *b) {
    wild_pair p;
    if (rng_chance(r, 0.5)) {
        const abut_shape x = lattice_shape(r, &lattice), y = lattice_shape(r, &lattice);
        lattice_pair_make(r, &x, &y, &p);
    } else {
        const double size = wild_size(r, -3, 3);
        const abut_shape x = wild_shape(r, &wild, size), y = wild_shape(r, &wild, size);
        wild_pair_make(r, &x, &y, &p);
    }
    if (!abut_collider_from_shape(&p.a, &p.pose_a, a) || !abut_collider_from_shape(&p.b, &p.pose_b, b)) {
        abort();
    }
    return p.size;
}

static void digest_closest(uint64_t *digest, const abut_np_closest *c) {
    digest_double(digest, c->distance);
    digest_double(digest, c->lower);
    digest_d3(digest, c->on_a);
    digest_d3(digest, c->on_b);
    digest_d3(digest, c->normal);
    digest_number(digest, c->count);
    digest_number(digest, c->overlap);
    digest_double(digest, c->size);
    for (int i = 0; i < c->count_a; i++) {
        digest_number(digest, c->corner_a[i]);
    }
    for (int i = 0; i < c->count_b; i++) {
        digest_number(digest, c->corner_b[i]);
    }
}

/* Limits that are just reached, and others. */
static void closest_points(uint64_t *digest) {
    rng r = rng_make(4, 1);
    for (int k = 0; k < PAIRS; k++) {
        abut_collider a, b;
        abut_np_closest c;
        make_pair(&r, &a, &b);
        abut_np_closest_points(&a, &b, &c);
        digest_closest(digest, &c);
        const double d = c.distance, limits[] = {0, d / 2, d * (1 - 0x1p-30), c.lower, d, d * (1 + 0x1p-30), 2 * d};
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            abut_np_closest early = {.distance = -1};
            const bool farther = abut_np_farther_than(&a, &b, abut_max_d(limits[i], 0), &early);
            digest_number(digest, farther);
            digest_double(digest, early.lower);
            digest_double(digest, early.size);
            if (!farther && i % 3 == 2) {
                digest_closest(digest, &early);
            }
        }
    }
}

static void digest_nearest(uint64_t *digest, const abut_np_nearest *s) {
    digest_number(digest, s->count);
    digest_d3(digest, s->point);
    digest_double(digest, s->lower);
    digest_number(digest, s->overlap);
    for (uint32_t i = 0; i < s->count; i++) {
        digest_d3(digest, s->corner[i].p);
        digest_double(digest, s->corner[i].distance2);
        digest_number(digest, s->corner[i].of_a);
        digest_number(digest, s->corner[i].of_b);
        digest_double(digest, s->count > 1 && !s->overlap ? s->weight[i] : 1);
    }
    if (!s->overlap) {
        digest_d3(digest, s->along);
    }
}

/* A search at this place that begins with the first corners of another one; `reverse`: in the other order. */
static void search_again(const abut_np_cores *cores, const abut_np_nearest *with, bool reverse, double limit,
                         uint64_t *digest) {
    for (uint32_t count = 1; count <= 3 && count <= with->count; count++) {
        abut_np_nearest s = *with;
        s.count = count;
        for (uint32_t i = 0; reverse && i < count; i++) {
            s.corner[i] = with->corner[count - 1 - i];
        }
        const bool over = abut_np_distance_kernels_active()->nearest_again(cores, limit, &s);
        digest_number(digest, over);
        if (over) {
            digest_double(digest, s.lower);
        } else {
            digest_nearest(digest, &s);
        }
    }
}

/* The second core moves on a little, and a good way, between searches. */
static void searches_that_go_on(uint64_t *digest) {
    rng r = rng_make(4, 2);
    for (int k = 0; k < PAIRS; k++) {
        abut_collider a, b;
        abut_np_cores cores;
        abut_np_nearest first;
        const double size = make_pair(&r, &a, &b);
        abut_np_cores_place(&a, &b, &cores);
        (void)abut_np_distance_kernels_active()->nearest(&cores, INFINITY, &first);
        digest_nearest(digest, &first);
        search_again(&cores, &first, k % 2 == 0, INFINITY, digest);
        b.center.x += (float)(size * (k % 3 ? 0x1p-7 : 0.5));
        b.center.z -= (float)(size * 0x1p-8);
        abut_np_cores_place(&a, &b, &cores);
        search_again(&cores, &first, k % 2 == 1, k % 5 ? (double)INFINITY : size / 4, digest);
    }
}

static void digest_cores(uint64_t *digest, const abut_np_cores *c) {
    digest_doubles(digest, c->half_a, 3);
    digest_doubles(digest, &c->turn[0][0], 9);
    for (int k = 0; k < 3; k++) {
        digest_d3(digest, c->half_b[k]);
    }
    digest_d3(digest, c->offset);
    digest_d3(digest, c->between);
    digest_double(digest, c->size);
    digest_doubles(digest, &c->axes_a[0][0], 9);
    for (int k = 0; k < 2; k++) {
        digest_number(digest, c->core[k].vertex_count);
        digest_number(digest, c->core[k].vertex_count ? 0 : c->core[k].extended);
    }
}

static void places(uint64_t *digest) {
    rng r = rng_make(4, 3);
    for (int k = 0; k < PAIRS / 4; k++) {
        abut_collider a, b;
        abut_np_cores cores;
        double axes_a[3][3], axes_b[3][3];
        make_pair(&r, &a, &b);
        abut_np_cores_place(&a, &b, &cores);
        digest_cores(digest, &cores);
        abut_dquat_matrix(abut_dquat_from(a.rotation), axes_a);
        abut_dquat_matrix(abut_dquat_from(b.rotation), axes_b);
        const abut_d3 apart = abut_d3_sub(abut_d3_from(b.center), abut_d3_from(a.center));
        abut_np_cores_place_at(&a, axes_a, &b, axes_b, apart, &cores);
        digest_cores(digest, &cores);
        abut_np_closest c = {.distance = -1};
        if (!abut_np_cores_farther_than(&cores, k % 2 ? INFINITY : 1, &c)) {
            digest_closest(digest, &c);
        }
    }
}

/* Along directions in which several vertices lie exactly as low, and any. */
static void lowest_vertices(uint64_t *digest) {
    rng r = rng_make(4, 4);
    for (int k = 0; k < 4 * PAIRS; k++) {
        abut_collider a;
        abut_np_cores cores;
        const abut_shape shape =
            abut_convex(k % 2 ? lattice.hull[rng_below(&r, LATTICE_HULLS)] : wild.hull[rng_below(&r, WILD_HULLS)], 0);
        if (!abut_collider_from_shape(&shape, &(abut_pose){{0, 0, 0}, {0, 0, 0, 1}}, &a)) {
            abort();
        }
        abut_np_cores_place(&a, &a, &cores);
        abut_d3 d = abut_d3_from(rng_direction(&r));
        for (int i = 0; i < 3 && k % 3; i++) {
            d.x[i] = (double)rng_below(&r, 3) - 1;
        }
        digest_number(digest, abut_np_distance_kernels_active()->lowest(&cores.core[0], d));
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"closest points", closest_points, UINT64_C(0x35ba752e19283cef)},
        {"searches that go on", searches_that_go_on, UINT64_C(0x82de24df2699a5f1)},
        {"places", places, UINT64_C(0x3de961f791df0584)},
        {"lowest vertices", lowest_vertices, UINT64_C(0x5eae5bd3418e65eb)},
    };
    wild_hulls_create(&wild);
    lattice_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    lattice_hulls_destroy(&lattice);
    wild_hulls_destroy(&wild);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
