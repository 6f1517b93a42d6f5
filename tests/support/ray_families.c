/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/ray_families.h"
#include "support/rng.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ray_family_names[RAY_FAMILIES] = {
    "vertex", "edge", "facet", "along edge", "in a facet's plane", "grazing", "axis", "point", "inside",
    "ending", "far",  "huge",  "tiny",       "denormal",           "whole",   "any"};

/* A case while it is being made. Points are relative to the position of the body unless said otherwise. */
typedef struct sketch {
    rng r;
    ray_family family;
    ray_case *out;
    double size;      /* of core and radius */
    double m[3][3];   /* columns are the body's axes */
    double target[3]; /* what is aimed at */
    double normal[3]; /* outward there, unit */
    double edge[3];   /* of an edge there, or any */
    double way[3];    /* the chosen direction, unit */
    bool along_axis;  /* some parts of `way` are exactly 0 */
} sketch;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *u, const double *v, double *out) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = u[l] * v[m] - u[m] * v[l];
    }
}

static void make_unit(double *v) {
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] = length > 0 ? v[k] / length : k == 0;
    }
}

static void matrix_of(abut_quat q, double m[3][3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    if (!(n > 0)) {
        w = n = 1;
    }
    const double matrix[3][3] = {
        {(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n},
    };
    memcpy(m, matrix, sizeof matrix);
}

static void turn(const sketch *s, const double *v, double *out) {
    const double from[3] = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; k++) {
        out[k] = dot(s->m[k], from);
    }
}

/* Hulls */

static uint32_t rings(rng *r, abut_vec3 *out) {
    uint32_t sides = 3 + rng_below(r, 60);
    double height = rng_log_range(r, 1e-4, 10);
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        out[i] = (abut_vec3){(float)cos(angle), (float)height, (float)sin(angle)};
        out[sides + i] = (abut_vec3){out[i].x, (float)-height, out[i].z};
    }
    return 2 * sides;
}

static uint32_t hull_points(rng *r, uint32_t index, abut_vec3 *out) {
    static const uint32_t counts[] = {5, 6, 8, 12, 16, 24, 32, 64, 128, 500};
    uint32_t n = counts[index % 10], kind = index % 4;
    if (index >= RAY_WHOLE_HULLS && kind == 0) {
        return rings(r, out);
    }
    const float flat[3] = {1, (float)rng_log_range(r, 1e-3, 1), (float)(kind == 2 ? rng_log_range(r, 1e-3, 1) : 1)};
    for (uint32_t i = 0; i < n; i++) {
        abut_vec3 p = kind == 1 ? rng_vec3(r, -1, 1) : rng_direction(r);
        out[i] = (abut_vec3){p.x * flat[0], p.y * flat[1], p.z * flat[2]};
        if (index < RAY_WHOLE_HULLS) {
            out[i] = (abut_vec3){(float)rng_below(r, 7) - 3, (float)rng_below(r, 7) - 3, (float)rng_below(r, 7) - 3};
        }
    }
    return n;
}

ray_hulls *ray_hulls_make(uint64_t seed) {
    ray_hulls *out = malloc(sizeof *out);
    if (!out) {
        abort();
    }
    uint64_t stream = 0;
    for (uint32_t i = 0; i < RAY_HULLS; stream++) {
        abut_vec3 points[RAY_POINTS];
        rng r = rng_make(seed ^ 0x4a75, stream);
        uint32_t n = hull_points(&r, i, points);
        double scale = i < RAY_WHOLE_HULLS ? 1
                       : i % 3             ? rng_log_range(&r, 0.1, 10)
                                           : ldexp(1, (int)rng_below(&r, 50) - 30);
        abut_vec3 away = i >= RAY_WHOLE_HULLS && i % 7 == 0 ? rng_direction(&r) : (abut_vec3){0, 0, 0};
        double far = rng_log_range(&r, 1, 300), thin = i >= RAY_WHOLE_HULLS && i % 9 == 5 ? 1e-4 : 1; /* needles */
        for (uint32_t k = 0; k < n; k++) {
            abut_vec3 p = points[k];
            points[k] = (abut_vec3){(float)(scale * (p.x + far * away.x)), (float)(scale * (p.y * thin + far * away.y)),
                                    (float)(scale * (p.z * thin + far * away.z))};
        }
        if (ray_core_of_points(points, n, &out->core[i])) {
            if (abut_hull_create(points, n, NULL, &out->hull[i])) {
                abort();
            }
            i++;
        }
    }
    return out;
}

void ray_hulls_release(ray_hulls *hulls) {
    for (uint32_t i = 0; i < RAY_HULLS; i++) {
        abut_hull_destroy(&hulls->hull[i]);
    }
    free(hulls);
}

/* Bodies */

static double core_size(const ray_core *c) {
    return fmax(c->half[0], fmax(c->half[1], c->half[2]));
}

static void choose_half(sketch *s, double size, float half[3]) {
    rng *r = &s->r;
    double way = rng_unit(r);
    for (int k = 0; k < 3; k++) {
        half[k] = (float)(size * rng_range(r, 0.1, 1));
        if (s->family == RAY_WHOLE) {
            half[k] = (float)(size * (rng_below(r, 5) + 1.0));
        }
    }
    if (way < 0.2) {
        half[0] = half[1] = half[2];
    } else if (way < 0.35) {
        half[rng_below(r, 3)] *= 1e-4f;
    } else if (way < 0.5) {
        half[rng_below(r, 3)] = 0;
        half[rng_below(r, 3)] *= rng_chance(r, 0.5) ? 0.0f : 1.0f;
    } else if (way < 0.52) {
        half[0] = half[1] = half[2] = 0;
    }
}

static double choose_radius(sketch *s, double size) {
    rng *r = &s->r;
    if (s->family == RAY_WHOLE) {
        return size * (rng_below(r, 4) + 1.0);
    }
    double way = rng_unit(r);
    return size * (way < 0.6   ? rng_log_range(r, 0.05, 5)
                   : way < 0.8 ? rng_log_range(r, 1e-6, 1e-2)
                               : rng_log_range(r, 1e-9, 1e6));
}

static double choose_scale(sketch *s) {
    rng *r = &s->r;
    if (s->family == RAY_DENORMAL) {
        return ldexp(rng_range(r, 1, 2), -(int)rng_below(r, 25) - 125);
    }
    if (s->family == RAY_WHOLE) {
        return ldexp(1, (int)rng_below(r, 30) - 20);
    }
    return rng_chance(r, 0.4) ? rng_log_range(r, 0x1p-40, 0x1p24) : rng_log_range(r, 0.01, 100);
}

static void choose_shape(sketch *s) {
    rng *r = &s->r;
    ray_case *c = s->out;
    float half[3] = {0, 0, 0};
    double size = choose_scale(s);
    c->kind = (ray_kind)rng_below(r, s->family == RAY_DENORMAL ? RAY_HULL : RAY_KINDS);
    c->shape = abut_point();
    c->hull = 0;
    if (c->kind >= RAY_HULL) {
        c->hull = rng_below(r, s->family == RAY_WHOLE ? RAY_WHOLE_HULLS : RAY_HULLS);
        if (c->hull % 10 >= 8 && rng_chance(r, 0.8)) { /* those of many vertices take the oracle long */
            c->hull -= 4;
        }
    } else if (c->kind == RAY_CAPSULE) {
        half[rng_chance(r, 0.8) ? 1 : rng_below(r, 3)] =
            (float)(size * (s->family == RAY_WHOLE ? 1 + rng_below(r, 4) : 1));
    } else if (c->kind != RAY_SPHERE) {
        choose_half(s, size, half);
    }
    c->shape.half = (abut_vec3){half[0], half[1], half[2]};
}

static abut_quat choose_rotation(sketch *s) {
    static const abut_quat turns[] = {{0, 0, 0, 1}, {0, 0, 0, 0}, {1, 0, 0, 0},  {0, 1, 0, 0},
                                      {0, 0, 1, 0}, {1, 0, 0, 1}, {0, 1, 0, 1},  {0, 0, 1, 1},
                                      {1, 1, 1, 1}, {1, 1, 0, 0}, {-1, 1, 1, 1}, {0, 1, 0, -1}};
    rng *r = &s->r;
    double way = rng_unit(r), factor = 1;
    abut_quat q = turns[rng_below(r, sizeof turns / sizeof turns[0])];
    if (s->family == RAY_WHOLE) {
        return q;
    }
    if (way < 0.2) {
        return turns[0];
    }
    if (way < 0.35) { /* an eighth of a turn */
        float sine = sinf(0.39269908f), cosine = cosf(0.39269908f);
        q = (abut_quat){0, 0, 0, cosine};
        *(&q.x + rng_below(r, 3)) = sine * rng_sign(r);
    } else if (way > 0.5) {
        q = rng_rotation(r);
    }
    if (rng_chance(r, 0.25)) {
        factor = rng_chance(r, 0.8) ? rng_log_range(r, 1e-3, 1e3) : rng_log_range(r, 1e-17, 1e17);
    }
    return (abut_quat){(float)(q.x * factor), (float)(q.y * factor), (float)(q.z * factor), (float)(q.w * factor)};
}

/* Targets */

static void point_of(const ray_core *c, uint32_t i, double out[3]) {
    out[0] = c->point[i].x;
    out[1] = c->point[i].y;
    out[2] = c->point[i].z;
}

static void aim_at_vertex(sketch *s) {
    const ray_core *c = s->out->core;
    abut_vec3 n = rng_direction(&s->r);
    double best = -INFINITY, p[3];
    s->normal[0] = n.x;
    s->normal[1] = n.y;
    s->normal[2] = n.z;
    for (uint32_t i = 0; i < c->count; i++) {
        point_of(c, i, p);
        if (dot(p, s->normal) > best) {
            best = dot(p, s->normal);
            memcpy(s->target, p, sizeof p);
        }
    }
}

static void aim_at_edge(sketch *s) {
    const ray_core *c = s->out->core;
    if (c->edge_count == 0) {
        aim_at_vertex(s);
        return;
    }
    const ray_edge *e = &c->edge[rng_below(&s->r, c->edge_count)];
    double p[3], q[3], part = rng_chance(&s->r, 0.5) ? 0.5 : rng_unit(&s->r);
    abut_vec3 any = rng_direction(&s->r);
    point_of(c, e->end[0], p);
    point_of(c, e->end[1], q);
    for (int k = 0; k < 3; k++) {
        s->target[k] = p[k] + part * (q[k] - p[k]);
        s->edge[k] = (double)e->along[k];
        s->normal[k] = c->solid ? e->middle[k] - c->middle[k] : (double)*(&any.x + k);
    }
    double along = dot(s->normal, s->edge);
    for (int k = 0; k < 3; k++) {
        s->normal[k] -= along * s->edge[k];
    }
    make_unit(s->normal);
}

static void aim_at_facet(sketch *s) {
    const ray_core *c = s->out->core;
    if (c->facet_count == 0) {
        aim_at_edge(s);
        return;
    }
    const ray_facet *f = &c->facet[rng_below(&s->r, c->facet_count)];
    uint32_t first = rng_below(&s->r, f->corners);
    double p[3], q[3], part = rng_chance(&s->r, 0.7) ? rng_unit(&s->r) : rng_log_range(&s->r, 1e-9, 1);
    point_of(c, f->corner[first], p);
    point_of(c, f->corner[(first + 1) % f->corners], q);
    for (int k = 0; k < 3; k++) {
        s->target[k] = p[k] + part * (f->middle[k] - p[k]);
        s->normal[k] = (double)f->normal[k];
        s->edge[k] = q[k] - p[k];
    }
    make_unit(s->edge);
}

static void choose_target(sketch *s) {
    static void (*const aims[])(sketch *) = {aim_at_vertex, aim_at_edge, aim_at_facet};
    abut_vec3 any = rng_direction(&s->r);
    memcpy(s->edge, (const double[3]){any.x, any.y, any.z}, sizeof s->edge);
    aims[s->family <= RAY_FACE         ? (uint32_t)s->family
         : s->family == RAY_ALONG_EDGE ? 1
         : s->family == RAY_ALONG_FACE ? 2
                                       : rng_below(&s->r, 3)](s);
    double out = s->out->shape.radius;
    if (s->family <= RAY_ALONG_FACE && rng_chance(&s->r, 0.3)) {
        out = 0;
    } else if (s->family == RAY_GRAZING || s->family == RAY_POINT || s->family == RAY_INSIDE) {
        out += rng_chance(&s->r, 0.3) ? 0 : s->size * rng_log_range(&s->r, 1e-17, 1e-3) * rng_sign(&s->r);
    }
    if (s->family == RAY_INSIDE && rng_chance(&s->r, 0.3)) {
        out *= rng_unit(&s->r);
    }
    for (int k = 0; k < 3; k++) {
        s->target[k] += out * s->normal[k];
    }
}

/* The body, and the target in the world, relative to the position. */
static void place_body(sketch *s) {
    rng *r = &s->r;
    ray_case *c = s->out;
    float *p = &c->pose.position.x;
    c->pose.rotation = choose_rotation(s);
    matrix_of(c->pose.rotation, s->m);
    turn(s, s->target, s->target);
    turn(s, s->normal, s->normal);
    turn(s, s->edge, s->edge);
    double way = rng_unit(r), far = s->size * rng_log_range(r, 0.1, 1e6);
    for (int k = 0; k < 3; k++) {
        p[k] = way < 0.2 ? 0 : way < 0.6 ? (float)-s->target[k] : (float)rng_range(r, -far, far);
        if (s->family == RAY_WHOLE) {
            p[k] = (float)(ldexp(1, ilogb(s->size) - 3) * ((double)rng_below(r, 65) - 32));
        }
        p[k] = fabsf(p[k]) < 1e8f ? p[k] : 0;
    }
}

/* Ways */

static void choose_way(sketch *s) {
    rng *r = &s->r;
    abut_vec3 any = rng_direction(r);
    double across[3], w[3] = {any.x, any.y, any.z}, mix = rng_range(r, -1, 1), kind = rng_unit(r);
    cross(s->normal, s->edge, across);
    if (s->family == RAY_ALONG_EDGE) {
        memcpy(w, s->edge, sizeof w);
    } else if (s->family == RAY_ALONG_FACE || s->family == RAY_GRAZING) {
        for (int k = 0; k < 3; k++) {
            w[k] = s->edge[k] + (kind < 0.5 ? mix : 0) * across[k];
        }
        if (s->family == RAY_GRAZING && kind > 0.7) {
            memcpy(w, (const double[3]){any.x, any.y, any.z}, sizeof w);
            double along = dot(w, s->normal);
            for (int k = 0; k < 3; k++) {
                w[k] -= along * s->normal[k];
            }
        }
    } else if (s->family == RAY_AXIS || s->family == RAY_WHOLE || kind < 0.2) {
        s->along_axis = true;
        uint32_t zero = rng_below(r, 3);
        w[zero] = rng_chance(r, 0.5) ? 0 : -0.0;
        if (rng_chance(r, 0.6)) {
            w[(zero + 1) % 3] = rng_chance(r, 0.5) ? 0 : -0.0;
        }
        s->along_axis = true;
    } else if (kind < 0.35) { /* short numbers: multiples are floats */
        for (int k = 0; k < 3; k++) {
            w[k] = (double)rng_below(r, 9) - 4;
        }
    }
    if (s->family != RAY_ALONG_EDGE && s->family != RAY_INSIDE && dot(w, s->normal) > 0) {
        w[0] = -w[0];
        w[1] = -w[1];
        w[2] = -w[2];
    }
    memcpy(s->way, w, sizeof w);
    make_unit(s->way);
}

static float nudged(rng *r, float x) {
    int steps = rng_chance(r, 0.6) ? 0 : (int)rng_below(r, 5) - 2;
    for (; steps > 0; steps--) {
        x = nextafterf(x, INFINITY);
    }
    for (; steps < 0; steps++) {
        x = nextafterf(x, -INFINITY);
    }
    return x;
}

static double distance_back(sketch *s) {
    rng *r = &s->r;
    switch (s->family) {
    case RAY_INSIDE:
    case RAY_POINT:
        return 0;
    case RAY_FAR:
        return s->size * rng_log_range(r, 1e3, 1e6);
    case RAY_TINY:
        return s->size * rng_log_range(r, 1e-12, 1e-6);
    case RAY_ALONG_EDGE:
    case RAY_ALONG_FACE:
        return s->size * rng_log_range(r, 0.5, 1e2);
    default:
        return s->size * (rng_chance(r, 0.5) ? rng_log_range(r, 0.5, 20) : rng_log_range(r, 1e-8, 1e4));
    }
}

/* How many times as long as the way to the target the ray is. */
static double stretch_of(sketch *s, double back) {
    rng *r = &s->r;
    double most = 3e38 / fmax(back, 1e-37);
    switch (s->family) {
    case RAY_ENDING:
        return 1;
    case RAY_HUGE:
        return rng_chance(r, 0.2) ? most : rng_log_range(r, 1e3, fmin(1e30 / fmax(back, 1e-7), most));
    default:
        return rng_chance(r, 0.8) ? rng_range(r, 1, 4) : rng_chance(r, 0.5) ? rng_range(r, 0.1, 1) : 1;
    }
}

/* A translation along d: of several lengths the one whose direction suffers least from rounding. */
static void choose_translation(sketch *s, const double d[3], double factor) {
    float *out = &s->out->ray.translation.x;
    uint32_t tries = s->family != RAY_ENDING && factor > 1 && rng_chance(&s->r, 0.4) ? 40 : 1;
    double least = INFINITY;
    for (uint32_t i = 0; i < tries; i++) {
        double f = i ? factor * rng_range(&s->r, 0.5, 1) : factor, v[3], off[3];
        float rounded[3];
        for (int k = 0; k < 3; k++) {
            double x = fmax(-3.4e38, fmin(3.4e38, f * d[k]));
            rounded[k] = (float)x;
            v[k] = rounded[k];
        }
        cross(v, d, off);
        double miss = sqrt(dot(off, off)) / sqrt(dot(v, v));
        if (i == 0 || miss < least) {
            least = miss;
            memcpy(out, rounded, sizeof rounded);
        }
    }
}

static void choose_ray(sketch *s) {
    rng *r = &s->r;
    abut_ray *ray = &s->out->ray;
    float *o = &ray->origin.x, *d = &ray->translation.x;
    const float *p = &s->out->pose.position.x;
    double back = distance_back(s), to[3];
    for (int k = 0; k < 3; k++) {
        double at = p[k] + (s->target[k] - back * s->way[k]);
        o[k] = nudged(r, (float)fmax(-9e8, fmin(9e8, at)));
        to[k] = (p[k] - (double)o[k]) + s->target[k];
        if (s->along_axis && s->way[k] == 0) {
            to[k] = s->way[k];
        }
    }
    if (back == 0) {
        for (int k = 0; k < 3; k++) {
            to[k] = s->way[k] * s->size;
        }
    }
    choose_translation(s, to, stretch_of(s, sqrt(dot(to, to))));
    for (int k = 0; k < 3; k++) {
        d[k] = d[k] == 0 || s->family == RAY_HUGE ? d[k] : nudged(r, d[k]);
    }
    if (s->family == RAY_POINT) {
        ray->translation = (abut_vec3){0, rng_chance(r, 0.5) ? -0.0f : 0, 0};
    }
}

/* Along an axis, exactly at the ends of the bounds along the others: a tangent. */
static void graze_whole(sketch *s) {
    rng *r = &s->r;
    const ray_case *c = s->out;
    float *o = &s->out->ray.origin.x, *d = &s->out->ray.translation.x;
    const float *p = &c->pose.position.x;
    uint32_t axis = rng_below(r, 3);
    for (uint32_t k = 0; k < 3; k++) {
        double extent = c->shape.radius, middle = dot(s->m[k], c->core->middle);
        for (int l = 0; l < 3; l++) {
            extent += fabs(s->m[k][l]) * c->core->half[l];
        }
        double side = k == axis ? 1.0 + rng_below(r, 4) : rng_chance(r, 0.3) ? 0 : (double)rng_sign(r);
        o[k] = (float)(p[k] + middle - side * extent);
        d[k] = k == axis ? (float)(side * extent) : 0;
    }
}

/* Everything in multiples of one length; directions of small whole numbers. */
static void make_whole(sketch *s) {
    rng *r = &s->r;
    abut_ray *ray = &s->out->ray;
    float *o = &ray->origin.x, *d = &ray->translation.x;
    const float *p = &s->out->pose.position.x;
    double unit = ldexp(1, ilogb(s->size) - 3), times = 1 + rng_below(r, 20);
    for (int k = 0; k < 3; k++) {
        double step = s->along_axis && s->way[k] == 0 ? 0 : (double)rng_below(r, 9) - 4;
        double at = rint((p[k] + s->target[k]) / unit) * unit;
        o[k] = (float)(at - step * unit * times);
        d[k] = (float)(step * unit * (times + (double)rng_below(r, 2) * rng_below(r, 40)));
    }
    d[0] = d[0] == 0 && d[1] == 0 && d[2] == 0 ? (float)unit : d[0];
    if (rng_chance(r, 0.4)) {
        graze_whole(s);
    }
}

void ray_family_case(const ray_hulls *hulls, ray_family family, uint64_t seed, uint64_t index, ray_case *out) {
    sketch s = {.r = rng_make(seed ^ ((uint64_t)family << 48), index), .family = family, .out = out};
    memset(&out->ray, 0, sizeof out->ray);
    choose_shape(&s);
    if (out->kind >= RAY_HULL) {
        out->core = &hulls->core[out->hull];
        out->shape.hull = hulls->hull[out->hull];
    } else {
        out->core = &out->own;
        ray_core_of_box(out->shape.half, &out->own);
    }
    double size = core_size(out->core);
    if (out->kind != RAY_BOX && out->kind != RAY_HULL) {
        size = size > 0 ? size : choose_scale(&s);
        out->shape.radius = (float)(out->kind == RAY_SPHERE ? size : fmin(1e7, choose_radius(&s, size)));
    }
    s.size = size + out->shape.radius;
    s.size = s.size > 0 ? s.size : choose_scale(&s);
    choose_target(&s);
    place_body(&s);
    choose_way(&s);
    if (family == RAY_WHOLE) {
        make_whole(&s);
    } else {
        choose_ray(&s);
    }
}
