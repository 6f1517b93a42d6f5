/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh_ray/made_mesh_rays.h"
#include <math.h>
#include <string.h>

const char *const made_mesh_names[MADE_MESHES] = {"flat", "steps", "terrain", "soup", "needles", "far"};
const char *const made_ray_names[MADE_RAYS] = {"vertex", "edge",    "face", "plane", "axis",
                                               "at",     "distant", "huge", "short", "any"};

/* --- meshes --- */

static void make_grid(made_mesh kind, rng *r, made_mesh_ray *m) {
    size_t n = 0;
    for (uint32_t j = 0; j < MADE_SIDE; j++) {
        for (uint32_t i = 0; i < MADE_SIDE; i++) {
            float y = kind == MADE_FLAT ? 0 : kind == MADE_STEPS ? (float)rng_below(r, 3) : (float)rng_range(r, 0, 1.5);
            m->vertex[j * MADE_SIDE + i] = (abut_vec3){(float)i, y, (float)j};
        }
    }
    for (uint32_t j = 0; j + 1 < MADE_SIDE; j++) {
        for (uint32_t i = 0; i + 1 < MADE_SIDE; i++) {
            uint32_t a = j * MADE_SIDE + i, b = a + MADE_SIDE;
            const uint32_t two[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(m->index + n, two, sizeof two);
            n += 6;
        }
    }
    m->vertex_count = MADE_VERTICES;
    m->triangle_count = n / 3;
}

static void make_soup(made_mesh kind, rng *r, made_mesh_ray *m) {
    abut_vec3 center = {0, 0, 0};
    if (kind == MADE_FAR) {
        double away = rng_log_range(r, 1, 1e5);
        center = rng_vec3(r, -away, away);
    }
    m->triangle_count = 1 + rng_below(r, MADE_VERTICES / 3);
    m->vertex_count = 3 * m->triangle_count;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        abut_vec3 *v = &m->vertex[3 * t];
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = rng_vec3(r, -1, 1);
            m->index[3 * t + k] = 3 * t + k;
        }
        if (kind == MADE_NEEDLES) {
            float thin = (float)rng_log_range(r, 1e-9, 0.1), at = (float)rng_range(r, -0.2, 1.2);
            float *p = &v[2].x;
            for (int i = 0; i < 3; i++) {
                p[i] = (&v[0].x)[i] + at * ((&v[1].x)[i] - (&v[0].x)[i]) + thin * p[i];
            }
            uint32_t turn = rng_below(r, 3);
            for (uint32_t k = 0; k < 3; k++) {
                m->index[3 * t + k] = 3 * t + (k + turn) % 3;
            }
        }
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = (abut_vec3){v[k].x + center.x, v[k].y + center.y, v[k].z + center.z};
        }
    }
}

/* --- rays --- */

static void turn(abut_quat q, const double v[3], double out[3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, s = 2 / (x * x + y * y + z * z + w * w);
    out[0] = v[0] - s * ((y * y + z * z) * v[0] - (x * y - w * z) * v[1] - (x * z + w * y) * v[2]);
    out[1] = v[1] - s * (-(x * y + w * z) * v[0] + (x * x + z * z) * v[1] - (y * z - w * x) * v[2]);
    out[2] = v[2] - s * (-(x * z - w * y) * v[0] - (y * z + w * x) * v[1] + (x * x + y * y) * v[2]);
}

/* A point with these weights on a triangle, in the world. */
static void point_of(const made_mesh_ray *m, uint32_t t, const double weight[3], double out[3]) {
    const float *at = &m->pose.position.x;
    double local[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const float *v = &m->vertex[m->index[3 * t + (uint32_t)k]].x;
        for (int i = 0; i < 3; i++) {
            local[i] += weight[k] * v[i];
        }
    }
    turn(m->pose.rotation, local, out);
    for (int i = 0; i < 3; i++) {
        out[i] += at[i];
    }
}

static void choose_weights(made_ray kind, rng *r, double weight[3]) {
    uint32_t k = rng_below(r, 3);
    double x = rng_chance(r, 0.3) ? 0.5 : rng_unit(r), y = rng_unit(r) * (1 - x);
    weight[0] = weight[1] = weight[2] = 0;
    if (kind == MADE_VERTEX || (kind != MADE_EDGE && kind != MADE_FACE && rng_chance(r, 0.3))) {
        weight[k] = 1;
    } else if (kind == MADE_EDGE || (kind != MADE_FACE && rng_chance(r, 0.4))) {
        weight[k] = x;
        weight[(k + 1) % 3] = 1 - x;
    } else {
        weight[0] = x;
        weight[1] = y;
        weight[2] = 1 - x - y;
    }
}

static float limited(double x) {
    return (float)fmin(fmax(x, -1e9), 1e9);
}

/* Through a point, from some way off. */
static void aim(made_ray kind, rng *r, const double at[3], made_mesh_ray *m) {
    double off[3], times = rng_chance(r, 0.3) ? 1 : rng_range(r, 0.8, 3), s = 1;
    float *o = &m->ray.origin.x, *d = &m->ray.translation.x;
    bool whole = rng_chance(r, 0.4);
    for (int i = 0; i < 3; i++) {
        off[i] = rng_range(r, -3, 3);
        off[i] = whole ? floor(off[i]) : off[i];
    }
    s = kind == MADE_DISTANT ? rng_log_range(r, 10, 1e5) : kind == MADE_SHORT ? rng_log_range(r, 1e-30, 1e-4) : 1;
    if (kind == MADE_AXIS || (kind == MADE_AT && rng_chance(r, 0.4))) {
        uint32_t axis = rng_below(r, 3);
        off[(axis + 1) % 3] = off[(axis + 2) % 3] = 0;
    }
    for (int i = 0; i < 3; i++) {
        o[i] = limited(at[i] + off[i] * m->size * s);
        d[i] = (float)((at[i] - o[i]) * times);
    }
    if (kind == MADE_AT) { /* from there, or exactly to there */
        for (int i = 0; i < 3 && rng_chance(r, 0.9); i++) {
            o[i] = limited(at[i]);
            d[i] = (float)(-off[i] * m->size);
        }
    } else if (kind == MADE_HUGE) {
        float most = fmaxf(fabsf(d[0]), fmaxf(fabsf(d[1]), fabsf(d[2])));
        float factor = most > 0 ? (float)rng_log_range(r, 1e10, 3e38) / most : 1;
        for (int i = 0; i < 3; i++) {
            d[i] *= isfinite(factor) ? factor : 1;
        }
    } else if (kind == MADE_SHORT && rng_chance(r, 0.3)) {
        d[0] = ldexpf(d[0], -100);
        d[1] = d[2] = 0;
    }
}

/* In the plane of a triangle, from one of its points to another, or a little off. */
static void aim_in_plane(rng *r, uint32_t t, made_mesh_ray *m) {
    double a[3], b[3];
    const double x = rng_range(r, -2, 2), y = rng_range(r, -2, 2), z = rng_unit(r), slope = rng_log_range(r, 1e-18, 1);
    const double first[3] = {x, y, 1 - x - y}, second[3] = {z, 0, 1 - z};
    float *o = &m->ray.origin.x, *d = &m->ray.translation.x;
    point_of(m, t, first, a);
    point_of(m, t, second, b);
    bool off = rng_chance(r, 0.6);
    for (int i = 0; i < 3; i++) {
        o[i] = limited(a[i]);
        d[i] = (float)(2 * (b[i] - o[i]) + (off ? rng_range(r, -1, 1) * slope * m->size : 0));
    }
    if (rng_chance(r, 0.3)) { /* between vertices */
        const float *p = &m->vertex[m->index[3 * t]].x, *q = &m->vertex[m->index[3 * t + 1]].x;
        const float *at = &m->pose.position.x;
        for (int i = 0; i < 3; i++) {
            o[i] = limited(p[i] + at[i]);
            d[i] = q[i] - p[i];
        }
    }
}

static void place(rng *r, made_mesh_ray *m) {
    static const abut_quat some[4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0.5f, 0, 0.5f}, {0.5f, 0.5f, 0.5f, 0.5f}};
    m->pose = (abut_pose){{0, 0, 0}, {0, 0, 0, 1}};
    if (rng_chance(r, 0.6)) {
        m->pose.position = rng_vec3(r, -5, 5);
        if (rng_chance(r, 0.5)) {
            m->pose.position = (abut_vec3){floorf(m->pose.position.x), 2, floorf(m->pose.position.z)};
        }
    }
    if (rng_chance(r, 0.5)) {
        m->pose.rotation = rng_chance(r, 0.5) ? some[rng_below(r, 4)] : rng_rotation(r);
    }
}

void made_mesh_ray_of(made_mesh mesh, made_ray ray, rng *r, made_mesh_ray *m) {
    double weight[3], at[3];
    memset(m, 0, sizeof *m);
    m->size = 1;
    m->two_sided = rng_chance(r, 0.4);
    if (mesh <= MADE_TERRAIN) {
        make_grid(mesh, r, m);
    } else {
        make_soup(mesh, r, m);
    }
    place(r, m);
    uint32_t t = rng_below(r, (uint32_t)m->triangle_count);
    choose_weights(ray, r, weight);
    point_of(m, t, weight, at);
    if (ray == MADE_PLANE) {
        aim_in_plane(r, t, m);
    } else if (ray == MADE_ANY) {
        m->ray.origin = rng_vec3(r, -2, 4);
        m->ray.translation = rng_vec3(r, -6, 6);
    } else {
        aim(ray, r, at, m);
    }
    if (rng_chance(r, 0.5)) {
        made_mesh_ray_scale(m, ldexpf(1, (int)rng_below(r, ray == MADE_HUGE ? 10 : 60) - (ray == MADE_HUGE ? 20 : 50)));
    }
}

static abut_vec3 scaled(abut_vec3 v, float factor) {
    return (abut_vec3){v.x * factor, v.y * factor, v.z * factor};
}

void made_mesh_ray_scale(made_mesh_ray *m, float factor) {
    for (size_t i = 0; i < m->vertex_count; i++) {
        m->vertex[i] = scaled(m->vertex[i], factor);
    }
    m->pose.position = scaled(m->pose.position, factor);
    m->ray.origin = scaled(m->ray.origin, factor);
    m->ray.translation = scaled(m->ray.translation, factor);
    m->size *= factor;
}

static bool is_normal(abut_vec3 v) {
    for (int i = 0; i < 3; i++) {
        float x = fabsf((&v.x)[i]);
        if (x != 0 && !(x > 1e-25f && x < 1e25f)) {
            return false;
        }
    }
    return true;
}

bool made_mesh_ray_scales(const made_mesh_ray *m) {
    bool normal = is_normal(m->pose.position) && is_normal(m->ray.origin) && is_normal(m->ray.translation);
    for (size_t i = 0; i < m->vertex_count; i++) {
        normal = normal && is_normal(m->vertex[i]);
    }
    return normal;
}
