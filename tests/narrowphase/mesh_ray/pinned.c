/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what rays at meshes of every kind find, in which order, and what a flight remembers on its
 * way, as numbers. */
#include "narrowphase/kernels.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild_ground.h"
#include <abut/query.h>
#include <math.h>

enum { RAYS = 400 };

static wild_ground ground[WILD_GROUNDS];

/* --- rays --- */

/* Towards a point of a triangle or nearly so, in its plane, along an axis, or anywhere. */
static abut_d3 direction_of(rng *r, const wild_ground *g, uint32_t part, abut_d3 at) {
    uint32_t other;
    const abut_d3 n = wild_ground_normal(g, part), anywhere = abut_d3_from(rng_direction(r));
    abut_d3 axis = {{0, 0, 0}};
    switch (rng_below(r, 5)) {
    case 0:
        other = rng_below(r, 3);
        axis.x[other] = (double)rng_sign(r);
        return axis;
    case 1: /* in the plane, or a little beside it */
        axis = wild_ground_point(r, g, &other);
        return abut_d3_along(abut_d3_sub(axis, at), rng_chance(r, 0.5) ? 0 : g->unit * wild_size(r, -60, 0), n);
    case 2: /* along a side */
        return abut_d3_sub(abut_d3_from(g->soup.vertex[g->soup.index[part][1]]), at);
    case 3:
        return abut_d3_along(anywhere, -wild_size(r, -3, 8), n);
    default:
        return anywhere;
    }
}

/* How much of the way lies before the point that it is aimed at: some begin there, some end there. */
static double share_of(rng *r) {
    double sign;
    switch (rng_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        sign = (double)rng_sign(r);
        return 1 + sign * wild_size(r, -40, -1);
    default:
        return rng_unit(r) * 1.25;
    }
}

/* From and to whole multiples of the unit: through corners, along sides, ending on a face. */
static abut_ray whole_ray(rng *r, const wild_ground *g, uint32_t *part) {
    abut_d3 at = wild_ground_point(r, g, part), way;
    for (int i = 0; i < 3; i++) {
        at.x[i] = g->unit * (floor(at.x[i] / g->unit) + (double)rng_below(r, 7) - 3);
        way.x[i] = rng_chance(r, 0.3) ? 0 : g->unit * ((double)rng_below(r, 13) - 6);
    }
    return (abut_ray){.origin = wild_ground_out(g, at), .translation = abut_vec3_round(wild_ground_turn(g, way))};
}

static abut_ray ray_of(rng *r, const wild_ground *g, uint32_t *part) {
    if (rng_chance(r, 0.25)) {
        return whole_ray(r, g, part);
    }
    const abut_d3 at = wild_ground_point(r, g, part), d = direction_of(r, g, *part, at);
    const double length = g->unit * (rng_chance(r, 0.1)   ? wild_size(r, 20, 60)
                                     : rng_chance(r, 0.1) ? wild_size(r, -60, -20)
                                                          : wild_size(r, -6, 10));
    const double share = share_of(r);
    abut_ray ray = {.origin = wild_ground_out(g, abut_d3_along(at, -share * length, d))};
    const abut_d3 along = wild_ground_turn(g, d);
    if (!rng_chance(r, 0.02)) {
        ray.translation = abut_vec3_round(abut_d3_along((abut_d3){{0, 0, 0}}, length, along));
    }
    return ray;
}

static double limit_of(rng *r) {
    return rng_chance(r, 0.5) ? 1 : rng_chance(r, 0.5) ? rng_unit(r) : rng_chance(r, 0.5) ? INFINITY : 0;
}

typedef void ask_ray(rng *r, const wild_ground *g, const abut_np_ray *ray, uint32_t part, uint64_t *digest);

static void of_rays(uint64_t *digest, ask_ray *ask, uint64_t stream, uint32_t count) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(stream, k);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t part;
            const abut_ray ray = ray_of(&r, &ground[k], &part);
            if (abut_vec3_finite(ray.origin) && abut_vec3_finite(ray.translation)) {
                const abut_np_ray given = abut_np_ray_of(&ray);
                ask(&r, &ground[k], &given, part, digest);
            }
        }
    }
}

/* --- all, and the first --- */

typedef struct ear {
    uint64_t *digest;
    double limit;
    bool first;
} ear;

static double hear(uint32_t part, double fraction, void *context) {
    ear *e = context;
    digest_number(e->digest, part);
    digest_double(e->digest, fraction);
    e->limit = e->first ? fmin(e->limit, fraction) : e->limit;
    return e->limit;
}

static void find(rng *r, const wild_ground *g, const abut_np_ray *ray, uint32_t part, uint64_t *digest) {
    for (int first = 0; first < 2; first++) {
        ear e = {digest, first ? 1 : INFINITY, first};
        abut_np_mesh_ray(ray, &g->collider, limit_of(r), hear, &e);
    }
    uint32_t met = 0;
    abut_vec3 normal = {0, 0, 0};
    digest_double(digest, abut_np_mesh_ray_first(ray, &g->collider, limit_of(r), &met, &normal));
    digest_number(digest, met);
    digest_vec3(digest, normal);
    (void)part;
}

static void found(uint64_t *digest) {
    of_rays(digest, find, 51, RAYS);
}

/* --- flights --- */

static void mix_start(const abut_np_mesh_flight *f, uint64_t *digest) {
    digest_doubles(digest, f->ray.origin, 3);
    digest_doubles(digest, f->ray.rest, 3);
    digest_doubles(digest, f->ray.along, 3);
    digest_double(digest, f->ray.norm1);
    digest_double(digest, f->ray.along_error);
    digest_number(digest, (uint64_t)f->ray.has_rest << 1 | f->pauses);
    for (int i = 0; i < 3; i++) {
        const double numbers[] = {(double)f->near_origin[i], (double)f->far_origin[i], (double)f->near_inverse[i],
                                  (double)f->far_inverse[i]};
        digest_doubles(digest, numbers, 4);
        digest_number(digest, f->near_side[i]);
    }
    digest_double(digest, f->scale);
}

static void mix_state(const abut_np_mesh_flight *f, uint64_t *digest) {
    digest_double(digest, f->limit);
    digest_double(digest, (double)f->box_limit);
    digest_number(digest, (uint64_t)f->first << 32 | f->first_place);
    digest_number(digest, (uint64_t)f->found << 32 | f->count);
    for (uint32_t k = 0; k < f->found; k++) {
        digest_number(digest, f->place[k]);
        digest_double(digest, f->fraction[k]);
    }
    for (uint32_t k = 0; k < f->count; k++) {
        digest_number(digest, f->node[k]);
    }
}

/* With and without pauses: where the flight is after each turn. */
static void fly(rng *r, const wild_ground *g, const abut_np_ray *ray, uint32_t part, uint64_t *digest) {
    abut_np_mesh_flight f;
    const double limit = limit_of(r);
    const bool begun = abut_np_mesh_flight_begin(ray, &g->collider, limit, &f);
    digest_number(digest, begun);
    if (!begun) {
        return;
    }
    f.found = 0;
    mix_start(&f, digest);
    mix_state(&f, digest);
    do {
        abut_np_mesh_ray_kernels_active()->fly(&f);
        mix_state(&f, digest);
    } while (f.found > 0);
    uint32_t met = 0;
    abut_vec3 normal = {0, 0, 0};
    if (abut_np_mesh_first_begin(ray, &g->collider, limit, &f)) {
        while (abut_np_mesh_first_go_on(&f)) {
            mix_state(&f, digest);
        }
    }
    digest_double(digest, abut_np_mesh_first_end(&f, &met, &normal));
    digest_number(digest, met);
    digest_vec3(digest, normal);
    (void)part;
}

static void flights(uint64_t *digest) {
    of_rays(digest, fly, 52, RAYS);
}

/* --- what lanes leave open --- */

static void decide(rng *r, const wild_ground *g, const abut_np_ray *ray, uint32_t part, uint64_t *digest) {
    abut_np_mesh_placed placed;
    abut_np_mesh_place_ray(ray, &g->collider, &placed);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t place = rng_below(r, g->mesh->solid_count), other = abut_mesh_number(g->mesh, place);
        const uint32_t asked = k == 0 && abut_mesh_is_solid(g->mesh, part) ? part : other;
        digest_double(digest, abut_np_mesh_ray_exact(ray, &g->collider, &placed, asked));
        digest_vec3(digest, abut_np_mesh_ray_normal(ray, &g->collider, asked));
        digest_vec3(digest, abut_np_mesh_ray_normal_at(ray, &g->collider, place));
    }
}

static void decisions(uint64_t *digest) {
    of_rays(digest, decide, 53, RAYS);
}

/* Rays in the planes of triangles, or so near that only exact sums tell the side, at meshes that are turned over. */
static void half_turns(uint64_t *digest) {
    static const abut_quat turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1},
                                      {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {0.6F, 0, 0.8F, 0}};
    static wild_ground g;
    for (uint32_t k = 0; k < WILD_GROUNDS; k += 3) {
        rng r = rng_make(56, k);
        g = ground[k];
        for (uint32_t i = 0; i < 160; i++) {
            const abut_shape shape = {.mesh = g.mesh};
            uint32_t part, other;
            g.pose = (abut_pose){{0, 0, 0}, turns[i % 8]};
            assert_true(abut_collider_from_shape_or_mesh(&shape, &g.pose, &g.collider));
            const abut_d3 from = wild_ground_point(&r, &g, &part), to = wild_ground_point(&r, &g, &other);
            const abut_d3 n = wild_ground_normal(&g, part);
            const double sign = (double)rng_sign(&r),
                         off = rng_chance(&r, 0.3) ? 0 : g.unit * sign * wild_size(&r, -70, -40);
            const abut_d3 way = abut_d3_along(abut_d3_sub(to, from), off, n);
            const abut_vec3 origin = wild_ground_out(&g, from), along = abut_vec3_round(wild_ground_turn(&g, way));
            const abut_ray ray = {.origin = origin, .translation = along};
            const abut_np_ray given = abut_np_ray_of(&ray);
            decide(&r, &g, &given, part, digest);
        }
    }
}

/* Triangles so thin that the cross product of their sides has few good digits left, and thinner. */
static void thin_normals(uint64_t *digest) {
    enum { COUNT = 4000 };
    static abut_vec3 vertex[3 * COUNT];
    static uint32_t index[3 * COUNT];
    rng r = rng_make(55, 0);
    abut_mesh *mesh = NULL;
    for (uint32_t t = 0; t < COUNT; t++) {
        const abut_d3 zero = {{0, 0, 0}},
                      way = abut_d3_from(rng_direction(&r)); /* sides of many more digits than a float */
        const double away = wild_size(&r, -24, 0);
        const abut_d3 a = abut_d3_along(zero, away, abut_d3_from(rng_direction(&r)));
        const abut_d3 aside = abut_d3_from(rng_direction(&r));
        vertex[3 * t] = abut_vec3_round(a);
        vertex[3 * t + 1] = abut_vec3_round(abut_d3_along(a, 1, way));
        const double onward = rng_range(&r, 0.25, 1.5), beside = wild_size(&r, -24, -16);
        vertex[3 * t + 2] = abut_vec3_round(abut_d3_along(abut_d3_along(a, onward, way), beside, aside));
    }
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        index[i] = i;
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = 3 * COUNT, .indices = index, .triangle_count = COUNT, .two_sided = true};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    const abut_shape shape = {.mesh = mesh};
    for (uint32_t t = 0; t < COUNT; t++) {
        const abut_pose pose = {{0, 0, 0}, t % 2 ? wild_rotation(&r) : (abut_quat){0, 0, 0, 1}};
        const double x = rng_unit(&r), y = rng_unit(&r), z = rng_unit(&r);
        const abut_np_ray ray = {{0, 0, 0}, {x, y, -z}};
        abut_collider c;
        assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &c));
        if (abut_mesh_is_solid(mesh, t)) {
            digest_vec3(digest, abut_np_mesh_ray_normal(&ray, &c, t));
        }
    }
    abut_mesh_destroy(&mesh);
}

/* --- as callers ask --- */

static void calls(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(54, k);
        const abut_shape shape = {.mesh = ground[k].mesh};
        for (int i = 0; i < RAYS / 2; i++) {
            uint32_t part;
            const abut_ray ray = ray_of(&r, &ground[k], &part);
            abut_hit hit = {.part = 0};
            digest_number(digest, abut_shape_cast_ray(&shape, &ground[k].pose, &ray, &hit));
            digest_number(digest, hit.part);
            digest_words(digest, &hit.fraction, sizeof hit.fraction);
            digest_vec3(digest, hit.position);
            digest_vec3(digest, hit.normal);
        }
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"found", found, UINT64_C(0xae8cd1c5e7f7aa98)},
        {"flights", flights, UINT64_C(0x4536e157591c1d77)},
        {"decisions", decisions, UINT64_C(0x3eb40e1596c4a4c3)},
        {"half turns", half_turns, UINT64_C(0x994d88a1f2704a70)},
        {"thin normals", thin_normals, UINT64_C(0x0af77f97abad6e56)},
        {"calls", calls, UINT64_C(0xa00318db67e43b75)},
    };
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        wild_ground_create(k, &ground[k]);
    }
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        wild_ground_destroy(&ground[k]);
    }
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
