/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/wild_ground.h"
#include "support/test.h"
#include <math.h>

/* --- the families that need functions of libm elsewhere --- */

static uint32_t add_vertex(soup *s, double x, double y, double z) {
    s->vertex[s->vertex_count] = (abut_vec3){(float)x, (float)y, (float)z};
    return s->vertex_count++;
}

static void add_triangle(soup *s, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *at = s->index[s->triangle_count++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

/* Each of the eight faces of an octahedron is cut into 16, whose corners are brought to the sphere. */
static void make_ball(rng *r, soup *s) {
    enum { PARTS = 4 };
    const bool inward = rng_chance(r, 0.3);
    for (int face = 0; face < 8; face++) {
        const double sx = face & 1 ? -1 : 1, sy = face & 2 ? -1 : 1, sz = face & 4 ? -1 : 1;
        uint32_t v[PARTS + 1][PARTS + 1];
        for (int i = 0; i <= PARTS; i++) {
            for (int j = 0; i + j <= PARTS; j++) {
                const double x = sx * i, y = sy * j, z = sz * (PARTS - i - j), length = sqrt(x * x + y * y + z * z);
                v[i][j] = add_vertex(s, 5 * x / length, 5 * y / length, 5 * z / length);
            }
        }
        const bool turned = (sx * sy * sz < 0) != inward;
        for (int i = 0; i < PARTS; i++) {
            for (int j = 0; i + j < PARTS; j++) {
                add_triangle(s, v[i][j], turned ? v[i][j + 1] : v[i + 1][j], turned ? v[i + 1][j] : v[i][j + 1]);
                if (i + j + 2 <= PARTS) {
                    add_triangle(s, v[i + 1][j], turned ? v[i][j + 1] : v[i + 1][j + 1],
                                 turned ? v[i + 1][j + 1] : v[i][j + 1]);
                }
            }
        }
    }
}

/* Random triangles, half of them at an edge of an earlier one, in whatever direction. */
static void make_loose(rng *r, soup *s) {
    for (uint32_t i = 0; i < 40; i++) {
        const double x = floor(rng_range(r, -1280, 1280)), y = floor(rng_range(r, -768, 768)),
                     z = floor(rng_range(r, -1280, 1280));
        add_vertex(s, ldexp(x, -8), ldexp(y, -8), ldexp(z, -8));
    }
    for (uint32_t i = 0; i < 60; i++) {
        uint32_t a = rng_below(r, 40), b = rng_below(r, 40), c = rng_below(r, 40);
        if (i % 2 && s->triangle_count > 0) {
            const uint32_t *t = s->index[rng_below(r, s->triangle_count)];
            a = t[0];
            b = t[1];
        }
        add_triangle(s, a, b, c);
    }
}

static void make_needles(rng *r, soup *s) {
    for (uint32_t i = 0; i < 60; i++) {
        const double x = rng_range(r, -6, 6), y = rng_range(r, -1, 1), z = rng_range(r, -6, 6);
        const double thin = wild_size(r, -18, -3);
        const uint32_t a = add_vertex(s, x, y, z);
        const double beside = thin * rng_unit(r), above = thin * rng_unit(r);
        const uint32_t b = add_vertex(s, x + beside, y + above, z + thin);
        const double far = rng_range(r, 2, 8), aside = rng_range(r, -1, 1);
        const uint32_t c = add_vertex(s, x + far, y, z + aside);
        add_triangle(s, a, b, c);
        if (i % 2) {
            const double back = rng_range(r, 2, 8), other = rng_range(r, -1, 1);
            add_triangle(s, b, a, add_vertex(s, x - back, y, z + other));
        }
    }
}

/* Hills that are small, but far from the origin of their frame, where heights are rough. */
static void make_far(rng *r, soup *s) {
    enum { CELLS = 8 };
    for (uint32_t k = 0; k < (CELLS + 1) * (CELLS + 1); k++) {
        add_vertex(s, 4096 + 2 * (double)(k % (CELLS + 1)), 512 + rng_unit(r), -8192 + 2 * (double)(k / (CELLS + 1)));
    }
    for (uint32_t k = 0; k < CELLS * CELLS; k++) {
        const uint32_t v = k / CELLS * (CELLS + 1) + k % CELLS, w = v + CELLS + 1;
        add_triangle(s, v, w, v + 1);
        add_triangle(s, v + 1, w, w + 1);
    }
}

typedef void make_soup(rng *r, soup *s);

static void make_own(rng *r, uint32_t family, soup *s) {
    static make_soup *const own[] = {make_ball, make_loose, make_needles, make_far};
    s->vertex_count = s->triangle_count = s->ghost_count = 0;
    s->two_sided = rng_chance(r, 0.4);
    own[family](r, s);
    if (family != 0 && family != 3) {
        soup_shuffle(r, s);
        s->ghost_count = rng_chance(r, 0.4) ? s->triangle_count / 4 : 0;
    }
}

/* --- grounds --- */

void wild_ground_create(uint32_t k, wild_ground *g) {
    static const soup_family families[] = {SOUP_FLAT, SOUP_SLOPE, SOUP_RIDGES, SOUP_STEPS, SOUP_FLAT, SOUP_RIDGES};
    rng r = rng_make(21, k);
    if (k % 10 < 6) {
        soup_make(22, k, families[k % 10], &g->soup);
    } else {
        make_own(&r, k % 10 - 6, &g->soup);
    }
    const int exponent = k < 20 ? 0 : (int)rng_below(&r, 25) - 12;
    g->unit = ldexp(1, exponent);
    soup_scale(&g->soup, ldexpf(1, exponent));
    g->mesh = soup_mesh(&g->soup);
    g->pose = (abut_pose){{0, 0, 0}, {0, 0, 0, 1}};
    if (k % 3 != 0) {
        g->pose.rotation = wild_rotation(&r);
        const double away = g->unit * wild_size(&r, -2, 10);
        const abut_vec3 to = rng_direction(&r);
        g->pose.position =
            (abut_vec3){(float)(away * (double)to.x), (float)(away * (double)to.y), (float)(away * (double)to.z)};
    }
    const abut_shape shape = {.mesh = g->mesh};
    assert_true(abut_collider_from_shape_or_mesh(&shape, &g->pose, &g->collider));
}

void wild_ground_destroy(wild_ground *ground) {
    abut_mesh_destroy(&ground->mesh);
}

static abut_d3 corner_of(const wild_ground *g, uint32_t part, int k) {
    return abut_d3_from(g->soup.vertex[g->soup.index[part][k]]);
}

abut_d3 wild_ground_point(rng *r, const wild_ground *g, uint32_t *part) {
    *part = rng_below(r, g->soup.triangle_count);
    const abut_d3 a = corner_of(g, *part, 0), b = corner_of(g, *part, 1), c = corner_of(g, *part, 2);
    double u = rng_unit(r), v = (1 - u) * rng_unit(r);
    switch (rng_below(r, 6)) {
    case 0:
        u = v = 0;
        break;
    case 1:
        v = 0;
        break;
    case 2:
        u = 1 - v;
        break;
    case 3:
        u = rng_range(r, -0.5, 1.5);
        break;
    case 4: /* a hair inside a corner or a side, or outside */
        u = (double)rng_sign(r) * wild_size(r, -30, -8);
        v = rng_chance(r, 0.5) ? rng_unit(r) : (double)rng_sign(r) * wild_size(r, -30, -8);
        break;
    default:
        break;
    }
    return abut_d3_along(abut_d3_along(a, u, abut_d3_sub(b, a)), v, abut_d3_sub(c, a));
}

abut_d3 wild_ground_normal(const wild_ground *g, uint32_t part) {
    const abut_d3 a = corner_of(g, part, 0);
    abut_d3 n = abut_d3_cross(abut_d3_sub(corner_of(g, part, 1), a), abut_d3_sub(corner_of(g, part, 2), a));
    const double length = sqrt(abut_d3_dot(n, n));
    for (int i = 0; i < 3; i++) {
        n.x[i] = length > 0 ? n.x[i] / length : 0;
    }
    return n;
}

abut_d3 wild_ground_turn(const wild_ground *g, abut_d3 direction) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(g->collider.rotation), m);
    return abut_d3_rotate(m, direction);
}

abut_vec3 wild_ground_out(const wild_ground *g, abut_d3 at) {
    return abut_vec3_round(abut_d3_along(abut_d3_from(g->collider.center), 1, wild_ground_turn(g, at)));
}

/* --- bodies --- */

static abut_shape body_of(rng *r, const wild_hulls *hulls, double *size) {
    abut_shape shape = wild_shape(r, hulls, *size);
    if (shape.hull) { /* hulls have the size that they have, which may be far from the ground's */
        const double reach = wild_reach(&shape);
        if (reach > 16 * *size || reach < *size / 16) {
            shape = (abut_shape){.half = wild_half(r, *size), .radius = shape.radius};
        }
    }
    return shape;
}

/* Upright on the ground, or anyhow. */
static abut_quat stand_how(rng *r, const wild_ground *g) {
    const abut_quat q = g->pose.rotation;
    switch (rng_below(r, 4)) {
    case 0:
        return q;
    case 1: /* about its own vertical axis */
        return (abut_quat){0.8F * q.x - 0.6F * q.z, 0.8F * q.y + 0.6F * q.w, 0.8F * q.z + 0.6F * q.x,
                           0.8F * q.w - 0.6F * q.y};
    default:
        return wild_rotation(r);
    }
}

/* How far the shape reaches down along the ground's vertical axis, upright: exactly touching there. */
static double foot_of(const abut_shape *shape) {
    return shape->hull ? wild_reach(shape) : (double)shape->half.y + (double)shape->radius;
}

/* On whole multiples of the unit or halves of it, upright: much touches exactly. */
static void stand_whole(rng *r, const wild_ground *g, wild_stand *out) {
    abut_d3 at = wild_ground_point(r, g, &out->part);
    float half[3];
    for (int i = 0; i < 3; i++) {
        half[i] = (float)(g->unit * (double)rng_below(r, 4) / 2);
        at.x[i] = g->unit * (floor(at.x[i] / g->unit) + (double)rng_below(r, 4) - 1);
    }
    out->size = g->unit;
    out->shape = (abut_shape){.half = {half[0], half[1], half[2]}};
    out->shape.radius = rng_chance(r, 0.5) ? 0 : (float)g->unit / 2;
    out->pose = (abut_pose){wild_ground_out(g, at), g->pose.rotation};
}

static void stand_anyhow(rng *r, const wild_ground *g, const wild_hulls *hulls, wild_stand *out) {
    out->size = g->unit * wild_size(r, -5, 4);
    out->shape = body_of(r, hulls, &out->size);
    const abut_d3 at = wild_ground_point(r, g, &out->part), n = wild_ground_normal(g, out->part);
    double lift = wild_reach(&out->shape) * rng_range(r, -0.4, 1.2);
    if (rng_chance(r, 0.6)) {
        lift = foot_of(&out->shape);
        const double sign = (double)rng_sign(r);
        lift += rng_chance(r, 0.4) ? 0 : sign * out->size * wild_size(r, -30, -1);
    }
    out->pose.rotation = stand_how(r, g);
    out->pose.position = wild_ground_out(g, abut_d3_along(at, lift, n));
}

void wild_ground_stand(rng *r, const wild_ground *g, const wild_hulls *hulls, wild_stand *out) {
    if (rng_chance(r, 0.25)) {
        stand_whole(r, g, out);
    } else {
        stand_anyhow(r, g, hulls, out);
    }
    assert_true(abut_collider_from_shape_or_mesh(&out->shape, &out->pose, &out->collider));
}
