/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/made_frusta.h"
#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = a[k] * b[l] - a[l] * b[k];
    }
}

/* Returns how long it was. */
static double make_unit(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length;
}

/* axis[j]: where local axis j points. */
static void axes_of(abut_quat q, double axis[3][3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    if (n == 0) {
        w = n = 1;
    }
    const double columns[3][3] = {
        {(w * w + x * x - y * y - z * z) / n, 2 * (x * y + w * z) / n, 2 * (x * z - w * y) / n},
        {2 * (x * y - w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z + w * x) / n},
        {2 * (x * z + w * y) / n, 2 * (y * z - w * x) / n, (w * w - x * x - y * y + z * z) / n},
    };
    memcpy(axis, columns, sizeof columns);
}

static void set_plane(abut_frustum *f, const double n[3], double d) {
    double *plane = f->plane[f->plane_count++];
    memcpy(plane, n, 3 * sizeof *n);
    plane[3] = d / make_unit(plane);
}

static void set_edge(abut_frustum *f, const double e[3]) {
    memcpy(f->edge[f->edge_count++], e, 3 * sizeof *e);
}

static void set_run(abut_frustum *f, const double b[3], const double r[3], double length) {
    double *run = f->run[f->run_count++];
    memcpy(run, b, 3 * sizeof *b);
    memcpy(run + 3, r, 3 * sizeof *r);
    run[6] = length;
    f->extent = fmax(f->extent, (fabs(b[0]) + fabs(b[1]) + fabs(b[2])) * (1 + 1e-15));
}

abut_frustum made_frustum_perspective(const abut_pose *pose, double half_width, double half_height, double near,
                                      double far) {
    abut_frustum f = {.origin = {pose->position.x, pose->position.y, pose->position.z}};
    double axis[3][3], ahead[3], n[3];
    axes_of(pose->rotation, axis);
    for (int i = 0; i < 3; i++) {
        ahead[i] = -axis[2][i];
    }
    set_plane(&f, ahead, -near);
    if (far < INFINITY) {
        set_plane(&f, axis[2], far);
    }
    for (int side = 0; side < 4; side++) {
        double half = side < 2 ? half_width : half_height;
        for (int i = 0; i < 3; i++) {
            n[i] = half * ahead[i] + (side % 2 ? near : -near) * axis[side / 2][i];
        }
        set_plane(&f, n, 0);
    }
    set_edge(&f, axis[0]);
    set_edge(&f, axis[1]);
    for (int corner = 0; corner < 4; corner++) {
        double b[3], r[3];
        for (int i = 0; i < 3; i++) {
            b[i] = near * ahead[i] + (corner & 1 ? half_width : -half_width) * axis[0][i] +
                   (corner & 2 ? half_height : -half_height) * axis[1][i];
        }
        memcpy(r, b, sizeof r);
        double length = make_unit(r);
        set_run(&f, b, r, far < INFINITY ? (far - near) / near * length : INFINITY);
        set_edge(&f, r);
        f.spread = fmax(f.spread, (1 + 1e-15) / dot(r, ahead));
    }
    return f;
}

abut_frustum made_frustum_box(const abut_obb *box) {
    abut_frustum f = {.origin = {box->center.x, box->center.y, box->center.z}, .spread = 1};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    double axis[3][3], n[3];
    axes_of(box->rotation, axis);
    for (int side = 0; side < 6; side++) {
        for (int i = 0; i < 3; i++) {
            n[i] = side % 2 ? axis[side / 2][i] : -axis[side / 2][i];
        }
        set_plane(&f, n, half[side / 2]);
    }
    for (int corner = 0; corner < 4; corner++) {
        double b[3];
        for (int i = 0; i < 3; i++) {
            b[i] = (corner & 1 ? half[0] : -half[0]) * axis[0][i] + (corner & 2 ? half[1] : -half[1]) * axis[1][i] -
                   half[2] * axis[2][i];
        }
        set_run(&f, b, axis[2], 2 * half[2]);
    }
    for (int j = 0; j < 3; j++) {
        set_edge(&f, axis[j]);
    }
    return f;
}

static abut_vec3 random_place(rng *r) {
    double far = rng_chance(r, 0.3) ? 1e5 : rng_chance(r, 0.2) ? 0 : 10;
    return rng_vec3(r, -far, far);
}

abut_frustum made_frustum_random(rng *r) {
    if (rng_chance(r, 0.02)) {
        return (abut_frustum){0};
    }
    if (rng_chance(r, 0.3)) {
        abut_obb box = {random_place(r), rng_rotation(r), rng_vec3(r, 0.01, rng_log_range(r, 0.1, 100))};
        return made_frustum_box(&box);
    }
    abut_pose pose = {random_place(r), rng_rotation(r)};
    double near = rng_log_range(r, 1e-3, 10), half_height = near * rng_log_range(r, 0.01, 20);
    double far = rng_chance(r, 0.3) ? INFINITY : near * rng_log_range(r, 1.1, 1e4);
    return made_frustum_perspective(&pose, half_height * rng_log_range(r, 0.3, 3), half_height, near, far);
}

/* A candidate for a separating axis, unit. */
static void random_axis(const abut_frustum *f, double axis[3][3], rng *r, double n[3]) {
    uint32_t which = rng_below(r, 4);
    memcpy(n, axis[rng_below(r, 3)], 3 * sizeof *n);
    if (which == 0 && f->plane_count > 0) {
        memcpy(n, f->plane[rng_below(r, f->plane_count)], 3 * sizeof *n);
    } else if (which > 1 && f->edge_count > 0) {
        double product[3];
        cross(n, f->edge[rng_below(r, f->edge_count)], product);
        memcpy(n, product, sizeof product);
    }
    double sign = rng_sign(r);
    for (int i = 0; i < 3; i++) {
        n[i] *= sign;
    }
    make_unit(n);
}

/* The farthest point of the frustum along n, or one of several; false where it is at infinity. */
static bool support(const abut_frustum *f, const double n[3], double out[3]) {
    double best = -INFINITY;
    for (uint32_t k = 0; k < f->run_count; k++) {
        const double *run = f->run[k];
        double slope = dot(n, run + 3), length = slope > 1e-14 ? run[6] : 0;
        if (length == INFINITY) {
            return false;
        }
        if (dot(n, run) + length * slope > best) {
            best = dot(n, run) + length * slope;
            for (int i = 0; i < 3; i++) {
                out[i] = run[i] + length * run[3 + i];
            }
        }
    }
    return best > -INFINITY;
}

static abut_quat random_turn(rng *r) {
    abut_quat q = rng_rotation(r);
    float length = rng_chance(r, 0.7) ? 1.0f : (float)rng_log_range(r, 1e-8, 1e8);
    if (rng_chance(r, 0.05)) {
        length = 0;
    }
    return (abut_quat){q.x * length, q.y * length, q.z * length, q.w * length};
}

abut_obb made_frustum_near(const abut_frustum *frustum, rng *r) {
    double most = rng_log_range(r, 1e-3, 100), axis[3][3], n[3], at[3];
    abut_obb box = {{frustum->origin[0], frustum->origin[1], frustum->origin[2]}, random_turn(r), {0, 0, 0}};
    float *half = &box.half.x, *center = &box.center.x;
    for (int j = 0; j < 3; j++) {
        half[j] = rng_chance(r, 0.1) ? 0 : (float)(most * rng_log_range(r, 1e-2, 1));
    }
    axes_of(box.rotation, axis);
    random_axis(frustum, axis, r, n);
    if (rng_chance(r, 0.3) || !support(frustum, n, at)) {
        abut_vec3 away = rng_vec3(r, -3 * most, 3 * most);
        box.center = (abut_vec3){center[0] + away.x, center[1] + away.y, center[2] + away.z};
        return box;
    }
    double gap = rng_chance(r, 0.2) ? 0 : rng_sign(r) * most * rng_log_range(r, 1e-16, 1e-2);
    for (int i = 0; i < 3; i++) { /* the box's farthest corner against n is at the point, apart from the gap */
        double offset = gap * n[i];
        for (int j = 0; j < 3; j++) {
            double along = dot(n, axis[j]), sign = fabs(along) < 1e-12 ? 2 * rng_unit(r) - 1 : along > 0 ? 1 : -1;
            offset += sign * (double)half[j] * axis[j][i];
        }
        center[i] = (float)((double)frustum->origin[i] + at[i] + offset);
    }
    return box;
}
