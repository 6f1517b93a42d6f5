/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what pairs of every kind answer to every call, as numbers. What other tests judge leaves room
 * (any point of a face, a distance to within its slack); nothing in it may change unnoticed. No more than public calls:
 * it runs on platforms where only the single file is compiled. */
#include "support/digest.h"
#include "support/lattice.h"
#include "support/test.h"
#include "support/wild.h"
#include <abut/cast.h>
#include <abut/hull.h>
#include <abut/obb.h>
#include <math.h>

enum { PAIRS = 4000 };

static wild_hulls hulls;
static lattice_hulls lattice;

typedef abut_shape make_shape(rng *r, const wild_hulls *hulls, double size);

static abut_shape any_box(rng *r, const wild_hulls *all, double size) {
    (void)all;
    return (abut_shape){.half = wild_half(r, size)};
}

static abut_shape any_hull(rng *r, const wild_hulls *all, double size) {
    (void)size;
    return abut_convex(all->hull[rng_below(r, WILD_HULLS)], 0);
}

static wild_pair pair_of(rng *r, make_shape *of_a, make_shape *of_b) {
    const double size = wild_size(r, -12, 12);
    const abut_shape a = of_a(r, &hulls, size), b = of_b(r, &hulls, size * wild_size(r, -2, 2));
    wild_pair p;
    wild_pair_make(r, &a, &b, &p);
    return p;
}

/* Without a margin, with one as wide as the body, and with one that is just reached. */
static void collide(const wild_pair *p, uint64_t *digest) {
    const float apart = abut_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, NULL, NULL);
    const float margins[] = {0, (float)(p->size / 4), apart, nextafterf(apart, 0)};
    for (size_t k = 0; k < sizeof margins / sizeof *margins; k++) {
        abut_manifold m = {0};
        digest_number(digest, abut_shape_collide(&p->a, &p->pose_a, &p->b, &p->pose_b, margins[k], &m));
        digest_manifold(digest, &m);
    }
}

static void measure(const wild_pair *p, uint64_t *digest) {
    abut_vec3 on[2] = {{0}};
    const float apart = abut_shape_distance(&p->a, &p->pose_a, &p->b, &p->pose_b, &on[0], &on[1]);
    digest_words(digest, &apart, sizeof apart);
    digest_words(digest, on, sizeof on);
    digest_number(digest, abut_shape_overlap(&p->a, &p->pose_a, &p->b, &p->pose_b));
}

static void of_pairs(uint64_t *digest, make_shape *of_a, make_shape *of_b, uint64_t stream) {
    rng r = rng_make(1, stream);
    for (int k = 0; k < PAIRS; k++) {
        const wild_pair p = pair_of(&r, of_a, of_b);
        collide(&p, digest);
        measure(&p, digest);
    }
}

static void boxes(uint64_t *digest) {
    of_pairs(digest, any_box, any_box, 1);
}

static void of_hulls(uint64_t *digest) {
    of_pairs(digest, any_hull, any_hull, 2);
}

static void boxes_and_hulls(uint64_t *digest) {
    of_pairs(digest, any_box, any_hull, 3);
}

static void shapes(uint64_t *digest) {
    of_pairs(digest, wild_shape, wild_shape, 4);
}

/* Shapes of whole numbers, which touch exactly, or are exactly as far apart as the margin. */
static void whole_shapes(uint64_t *digest) {
    rng r = rng_make(1, 6);
    for (int k = 0; k < PAIRS; k++) {
        const abut_shape a = lattice_shape(&r, &lattice), b = lattice_shape(&r, &lattice);
        wild_pair p;
        lattice_pair_make(&r, &a, &b, &p);
        p.size = 2 + 2 * (double)rng_below(&r, 3);
        collide(&p, digest);
        measure(&p, digest);
    }
}

static void boxes_alone(uint64_t *digest) {
    rng r = rng_make(1, 5);
    for (int k = 0; k < PAIRS; k++) {
        const wild_pair p = pair_of(&r, any_box, any_box);
        const abut_obb a = {p.pose_a.position, p.pose_a.rotation, p.a.half},
                       b = {p.pose_b.position, p.pose_b.rotation, p.b.half};
        abut_manifold m = {0};
        digest_number(digest, abut_obb_overlap(&a, &b));
        digest_number(digest, abut_obb_collide(&a, &b, k % 2 ? 0 : (float)p.size, &m));
        digest_manifold(digest, &m);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"boxes", boxes, UINT64_C(0xc3234b2cd9a397c7)},
        {"hulls", of_hulls, UINT64_C(0xee3fc7db44602f7e)},
        {"boxes and hulls", boxes_and_hulls, UINT64_C(0xece4d4b7e970dba7)},
        {"shapes", shapes, UINT64_C(0x0aa831af34c73338)},
        {"whole shapes", whole_shapes, UINT64_C(0xbab0ab78e9d4c37f)},
        {"boxes alone", boxes_alone, UINT64_C(0xbf388b21b564aa5d)},
    };
    wild_hulls_create(&hulls);
    lattice_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    lattice_hulls_destroy(&lattice);
    wild_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
