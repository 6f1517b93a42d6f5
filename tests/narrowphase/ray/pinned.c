/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what rays say of shapes of every kind, alone and in mixed lists, as numbers; and what the
 * parts of this room say on the way there. */
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/whole.h"
#include "support/wild.h"
#include <abut/query.h>
#include <math.h>

enum { SCENES = 240, BODIES = 75, AIMS = 16, SINGLES = 12000 };

static wild_hulls hulls;
static whole_hulls lattice;

/* --- bodies and rays --- */

typedef struct body {
    abut_shape shape;
    abut_pose pose;
    abut_collider collider;
    double size;
} body;

static void body_make(rng *r, double size, double room, body *out) {
    const double away = size * room * rng_unit(r);
    const abut_vec3 to = rng_direction(r);
    out->shape = wild_shape(r, &hulls, size);
    if (rng_chance(r, 0.1)) { /* some are far from the origin of their frame */
        const uint32_t hull = rng_below(r, WHOLE_HULLS);
        out->shape = abut_convex(lattice.hull[hull], rng_chance(r, 0.5) ? 0 : 0.25F);
    }
    out->size = wild_reach(&out->shape) + 0x1p-40;
    out->pose.rotation = wild_rotation(r);
    out->pose.position =
        (abut_vec3){(float)(away * (double)to.x), (float)(away * (double)to.y), (float)(away * (double)to.z)};
    assert_true(abut_collider_from_shape(&out->shape, &out->pose, &out->collider));
}

/* A point of the body, or one on the box around it: a corner, on an edge, on a face, inside. */
static abut_d3 target_of(rng *r, const body *b) {
    const abut_obb box = abut_collider_obb(&b->collider);
    double m[3][3];
    abut_d3 local = {{0, 0, 0}};
    const uint32_t kind = rng_below(r, 4);
    for (uint32_t i = 0; i < 3; i++) {
        const double half = (double)(&box.half.x)[i] + (rng_chance(r, 0.5) ? (double)b->collider.radius : 0);
        local.x[i] = half * (i < kind ? (double)rng_sign(r) : rng_range(r, -1, 1));
    }
    abut_dquat_matrix(abut_dquat_from(box.rotation), m);
    return abut_d3_along(abut_d3_from(box.center), 1, abut_d3_rotate(m, local));
}

/* Along an axis of the body or of the world, or anywhere. */
static abut_d3 direction_of(rng *r, const body *b) {
    double m[3][3];
    abut_d3 axis = {{0, 0, 0}};
    uint32_t i;
    if (rng_chance(r, 0.5)) {
        return abut_d3_from(rng_direction(r));
    }
    i = rng_below(r, 3);
    axis.x[i] = (double)rng_sign(r);
    if (rng_chance(r, 0.3)) {
        i = rng_below(r, 3);
        axis.x[i] += rng_chance(r, 0.5) ? 1 : wild_size(r, -60, 0);
    }
    abut_dquat_matrix(abut_dquat_from(b->collider.rotation), m);
    return rng_chance(r, 0.5) ? axis : abut_d3_rotate(m, axis);
}

static abut_ray ray_of(rng *r, const body *b) {
    const abut_d3 at = target_of(r, b), d = direction_of(r, b);
    const double length = b->size * (rng_chance(r, 0.1)   ? wild_size(r, 20, 50)
                                     : rng_chance(r, 0.1) ? wild_size(r, -50, -20)
                                                          : wild_size(r, -4, 8));
    const double share = rng_chance(r, 0.1) ? 0 : rng_chance(r, 0.1) ? 1 : rng_range(r, -0.1, 1.2);
    const abut_d3 zero = {{0, 0, 0}};
    return (abut_ray){.origin = abut_vec3_round(abut_d3_along(at, -share * length, d)),
                      .translation = abut_vec3_round(abut_d3_along(zero, rng_chance(r, 0.03) ? 0 : length, d))};
}

/* --- many --- */

static double limit_of(rng *r) {
    return rng_chance(r, 0.6) ? 1 : rng_unit(r);
}

/* All bodies, in any order and some twice; then those of one kind alone, in lists of any length. */
static void ask_scene(rng *r, const body *b, const abut_collider *collider, uint64_t *digest) {
    uint32_t index[2 * BODIES], alike[BODIES];
    double fraction[2 * BODIES];
    size_t count = 0;
    const size_t n = 1 + rng_below(r, 2 * BODIES);
    const abut_ray ray = ray_of(r, &b[rng_below(r, BODIES)]);
    const abut_np_ray given = abut_np_ray_of(&ray);
    for (size_t k = 0; k < n; k++) {
        index[k] = rng_below(r, BODIES);
    }
    abut_np_cast_ray_many(&given, collider, index, n, limit_of(r), fraction);
    digest_doubles(digest, fraction, n);
    for (size_t k = 0; k < n; k++) {
        if (fraction[k] <= 1) {
            digest_vec3(digest, abut_np_ray_normal(&given, &collider[index[k]], fraction[k]));
        }
    }
    for (uint32_t k = 0; k < BODIES; k++) {
        alike[count] = k;
        count += collider[k].type == collider[index[0]].type;
    }
    count = 1 + rng_below(r, (uint32_t)count);
    abut_np_cast_ray_many(&given, collider, alike, count, 1, fraction);
    digest_doubles(digest, fraction, count);
}

static void scenes(uint64_t *digest) {
    static body b[BODIES];
    static abut_collider collider[BODIES];
    for (uint32_t s = 0; s < SCENES; s++) {
        rng r = rng_make(61, s);
        const double size = s % 3 ? 1 : wild_size(&r, -12, 12);
        for (uint32_t k = 0; k < BODIES; k++) {
            body_make(&r, size, 4, &b[k]);
            collider[k] = b[k].collider;
        }
        for (int k = 0; k < AIMS; k++) {
            ask_scene(&r, b, collider, digest);
        }
    }
}

/* --- one by one --- */

static void singles(uint64_t *digest) {
    for (uint32_t k = 0; k < SINGLES; k++) {
        rng r = rng_make(62, k);
        body b;
        const double size = k % 4 ? 1 : wild_size(&r, -12, 12);
        body_make(&r, size, wild_size(&r, -2, 10), &b);
        abut_ray ray = ray_of(&r, &b);
        abut_hit hit = {.part = 0};
        ray.origin.x = k % 500 == 7 ? NAN : k % 500 == 8 ? nextafterf(ABUT_MAX_COORDINATE, INFINITY) : ray.origin.x;
        ray.origin.y = k % 500 == 9 ? -INFINITY : ray.origin.y;
        ray.translation.z = k % 500 == 11 ? INFINITY : ray.translation.z;
        const bool met = abut_shape_cast_ray(&b.shape, &b.pose, &ray, &hit);
        digest_number(digest, met);
        digest_words(digest, &hit.fraction, sizeof hit.fraction);
        digest_vec3(digest, hit.position);
        digest_vec3(digest, hit.normal);
        digest_number(digest, met == abut_shape_cast_ray(&b.shape, &b.pose, &ray, NULL));
    }
}

/* --- parts --- */

static void mix_placed(const abut_np_placed_ray *p, uint64_t *digest) {
    digest_matrix(digest, (double(*)[3])p->m);
    digest_d3(digest, p->origin);
    digest_d3(digest, p->along);
    digest_double(digest, p->size);
    digest_double(digest, p->slack);
}

static void clip(rng *r, const abut_np_placed_ray *p, const abut_hull *hull, uint64_t *digest) {
    const abut_d3 o = p->origin, d = p->along;
    const abut_np_ray local = {{o.x[0], o.x[1], o.x[2]}, {d.x[0], d.x[1], d.x[2]}};
    abut_np_ray_clipped c;
    const uint32_t count = rng_chance(r, 0.7) ? hull->facet_count : 1 + rng_below(r, hull->facet_count);
    abut_np_ray_kernels_for(count)->clip(&local, abut_hull_planes(hull), count, rng_chance(r, 0.5) ? 0 : 0.125, &c);
    digest_number(digest, c.start <= c.end); /* else: nowhere, and nothing is said */
    if (c.start <= c.end) {
        digest_double(digest, c.start);
        digest_double(digest, c.end);
        digest_number(digest, c.facet);
    }
}

static void parts(uint64_t *digest) {
    for (uint32_t k = 0; k < SINGLES; k++) {
        rng r = rng_make(63, k);
        body b;
        const double size = k % 4 ? 1 : wild_size(&r, -12, 12);
        body_make(&r, size, wild_size(&r, -2, 20), &b);
        const abut_ray ray = ray_of(&r, &b);
        const abut_np_ray given = abut_np_ray_of(&ray);
        const abut_np_ray_growth growth = {rng_chance(&r, 0.5) ? 0 : b.size * rng_unit(&r), b.size * 0x1p-40};
        abut_np_placed_ray placed;
        abut_np_place_ray(&given, &b.collider, &placed);
        mix_placed(&placed, digest);
        if (b.collider.hull) {
            double distance;
            clip(&r, &placed, b.collider.hull, digest);
            digest_double(digest, abut_np_cast_hull(&given, &growth, &b.collider, limit_of(&r)));
            const abut_d3 at = abut_np_point_of_ray(&placed, rng_unit(&r));
            digest_d3(digest, abut_np_direction_from_hull(b.collider.hull, at, &distance));
            digest_double(digest, distance);
        }
        /* normals of fractions that are not the ones found, too */
        digest_vec3(digest, abut_np_ray_normal(&given, &b.collider, k % 8 ? rng_unit(&r) : 0));
    }
}

static void grown(uint64_t *digest) {
    static abut_collider collider[BODIES];
    static uint32_t index[BODIES];
    for (uint32_t s = 0; s < SCENES; s++) {
        rng r = rng_make(64, s);
        double fraction[BODIES];
        body b;
        for (uint32_t k = 0; k < BODIES; k++) {
            do {
                body_make(&r, 1, 4, &b);
            } while (b.shape.hull);
            collider[k] = b.collider;
            index[k] = (7 * k) % BODIES;
        }
        const abut_ray ray = ray_of(&r, &b);
        const abut_np_ray given = abut_np_ray_of(&ray);
        const double grown = rng_chance(&r, 0.3) ? 0 : rng_unit(&r);
        const abut_np_ray_growth growth = {grown, wild_size(&r, -48, -10)};
        const size_t n = 1 + rng_below(&r, BODIES);
        const abut_np_ray_kernels *kernels = abut_np_ray_kernels_for(n);
        kernels->rounds(&given, &growth, collider, index, n, fraction);
        digest_doubles(digest, fraction, n);
        kernels->spheres(&given, &growth, collider, index, n, fraction);
        digest_doubles(digest, fraction, n);
        kernels->boxes(&given, collider, index, n, fraction);
        digest_doubles(digest, fraction, n);
    }
}

/* Fractions that are floats, or lie beside one; the least and the largest. */
static void fractions(uint64_t *digest) {
    rng r = rng_make(65, 0);
    const double fixed[] = {0, 1, 0x1p-149, 0x1p-150, 0x1p-126, 1 - 0x1p-53, 0x1.fffffep-1, 0.1};
    for (uint32_t k = 0; k < 2000; k++) {
        double at = k < 8 ? fixed[k] : wild_size(&r, k % 3 ? -10 : -150, 0);
        at = k % 5 == 0 ? (double)(float)at : at;
        const abut_vec3 from = rng_vec3(&r, -100, 100), along = rng_vec3(&r, -1, 1);
        const abut_np_ray ray = {{(double)from.x, (double)from.y, (double)from.z},
                                 {(double)along.x, (double)along.y, (double)along.z}};
        const float rounded = abut_np_ray_fraction(at);
        digest_words(digest, &rounded, sizeof rounded);
        digest_vec3(digest, abut_np_ray_position(&ray, rounded));
    }
}

/* --- exact touches --- */

static void mix_one(rng *r, const abut_ray *ray, const abut_collider *c, uint64_t *digest) {
    static const uint32_t first = 0;
    const abut_np_ray given = abut_np_ray_of(ray);
    abut_np_placed_ray placed;
    double fraction;
    abut_np_place_ray(&given, c, &placed);
    mix_placed(&placed, digest);
    abut_np_cast_ray_many(&given, c, &first, 1, rng_chance(r, 0.5) ? 1 : 0.5, &fraction);
    digest_double(digest, fraction);
    digest_vec3(digest, abut_np_ray_normal(&given, c, fraction <= 1 ? fraction : 1));
}

/* Along edges, through corners, in planes of faces, tangent, or ending where they begin to touch. */
static void whole_numbers(uint64_t *digest) {
    for (uint32_t k = 0; k < 2 * SINGLES; k++) {
        rng r = rng_make(66, k);
        const abut_shape shape = whole_shape(&r, &lattice);
        const abut_pose pose = whole_pose_of(&r, &shape, 3);
        const abut_ray ray = {.origin = whole_vec3(&r, 6), .translation = whole_vec3(&r, 8)};
        abut_collider c;
        assert_true(abut_collider_from_shape(&shape, &pose, &c));
        mix_one(&r, &ray, &c, digest);
    }
}

/* From beside a face, nearer than rounding tells, or within it. */
static void hairs(uint64_t *digest) {
    for (uint32_t k = 0; k < SINGLES; k++) {
        rng r = rng_make(67, k);
        whole_hair hair;
        abut_collider c;
        whole_hair_make(&r, &lattice, &hair);
        const bool of_large = rng_chance(&r, 0.7);
        assert_true(abut_collider_from_shape(of_large ? &hair.large : &hair.small,
                                             of_large ? &hair.pose_large : &hair.pose_small, &c));
        abut_ray ray = {.origin = hair.pose_small.position, .translation = whole_vec3(&r, 2)};
        ray.origin.x = (float)hair.hair;
        ray.translation.x = (float)(rng_chance(&r, 0.5) ? (double)ray.translation.x : hair.hair * rng_unit(&r));
        mix_one(&r, &ray, &c, digest);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"whole numbers", whole_numbers, UINT64_C(0xd71d257b02a63b03)},
        {"hairs", hairs, UINT64_C(0x8dca69e6b2e9a147)},
        {"scenes", scenes, UINT64_C(0xc9c9c75d3b142c75)},
        {"singles", singles, UINT64_C(0xb83ceb89dacb9640)},
        {"parts", parts, UINT64_C(0x0c7c791f425a814e)},
        {"grown", grown, UINT64_C(0x886d4656d2fbc618)},
        {"fractions", fractions, UINT64_C(0x7581f9e5c81a63ff)},
    };
    wild_hulls_create(&hulls);
    whole_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    whole_hulls_destroy(&lattice);
    wild_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
