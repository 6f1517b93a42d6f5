/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/triangle_ray.h"
#include <math.h>

/* R(q) times |q|^2, without rounding: columns are the mesh's axes in the world. */
static void scaled_matrix(abut_quat q, quad m[3][3]) {
    quad x = q.x, y = q.y, z = q.z, w = q.w;
    m[0][0] = w * w + x * x - y * y - z * z;
    m[1][1] = w * w + y * y - x * x - z * z;
    m[2][2] = w * w + z * z - x * x - y * y;
    m[0][1] = 2 * (x * y - w * z);
    m[1][0] = 2 * (x * y + w * z);
    m[0][2] = 2 * (x * z + w * y);
    m[2][0] = 2 * (x * z - w * y);
    m[1][2] = 2 * (y * z - w * x);
    m[2][1] = 2 * (y * z + w * x);
}

static void area_vector(const abut_vec3 corner[3], quad n[3]) {
    const float *a = &corner[0].x, *b = &corner[1].x, *c = &corner[2].x;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        n[i] = ((quad)b[k] - a[k]) * ((quad)c[l] - a[l]) - ((quad)b[l] - a[l]) * ((quad)c[k] - a[k]);
    }
}

static double unit_of(const quad v[3], double out[3]) {
    quad largest = 0;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        largest = quad_abs(v[i]) > largest ? quad_abs(v[i]) : largest;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = (double)(v[i] / largest);
        square += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= sqrt(square);
    }
    return sqrt(square);
}

triangle_truth triangle_ray_oracle(const abut_vec3 corner[3], const abut_pose *pose, const abut_ray *ray,
                                   ray_core *core) {
    triangle_truth t;
    quad m[3][3], n[3], world[3], product = 0, terms = 0;
    const float *d = &ray->translation.x;
    bool upright = pose->rotation.x == 0 && pose->rotation.y == 0 && pose->rotation.z == 0;
    ray_core_of_triangle(corner, core);
    t.ray = ray_oracle(core, 0, pose, ray);
    scaled_matrix(pose->rotation, m);
    area_vector(corner, n);
    for (int i = 0; i < 3; i++) {
        world[i] = upright ? n[i] : m[i][0] * n[0] + m[i][1] * n[1] + m[i][2] * n[2];
        product += world[i] * d[i];
        terms += quad_abs(world[i] * d[i]);
    }
    (void)unit_of(world, t.normal);
    t.side = product > 0 ? 1 : product < 0 ? -1 : 0;
    t.side_known = quad_abs(product) > (quad)1e-28 * terms || terms == 0 || (upright && product == 0);
    return t;
}

static const char *normal_fault(const triangle_truth *t, const abut_vec3 *normal) {
    const double n[3] = {normal->x, normal->y, normal->z};
    double straight = 0, turned = 0;
    for (int i = 0; i < 3; i++) {
        straight += (n[i] - t->normal[i]) * (n[i] - t->normal[i]);
        turned += (n[i] + t->normal[i]) * (n[i] + t->normal[i]);
    }
    if (t->side_known) {
        return (t->side > 0 ? turned : straight) <= 1e-12 ? NULL : "the normal is not that of the face";
    }
    return fmin(straight, turned) <= 1e-12 ? NULL : "the normal is none of the face";
}

const char *triangle_ray_fault(const triangle_truth *t, bool two_sided, const abut_ray *ray, bool reported,
                               float fraction, const abut_vec3 *normal) {
    bool point = ray->translation.x == 0 && ray->translation.y == 0 && ray->translation.z == 0;
    bool counts = !point && (two_sided ? t->side != 0 : t->side < 0);
    if (!reported) {
        return t->ray.meets && !t->ray.unsure && counts && t->side_known ? "missed" : NULL;
    }
    if (point || (!counts && t->side_known)) {
        return "met from behind or from the side";
    }
    if (!(fraction >= 0 && fraction <= 1)) {
        return "the fraction is none";
    }
    if (!t->ray.near_meets) {
        return "invented";
    }
    if ((quad)fraction < t->ray.near_first * (1 - (quad)0x1p-22) - (quad)0x1p-149) {
        return "too early";
    }
    if ((quad)fraction > (t->ray.meets ? t->ray.latest : t->ray.near_last)) {
        return "too late";
    }
    return normal ? normal_fault(t, normal) : NULL;
}
