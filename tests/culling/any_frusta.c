/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/any_frusta.h"
#include "base/spatial.h"
#include "support/wild.h"
#include <math.h>

double any_signed(rng *r, int low, int high) {
    const double sign = (double)rng_sign(r);
    return sign * wild_size(r, low, high);
}

void any_put(rng *r, float *x, uint32_t n, float value) {
    x[rng_below(r, n)] = value;
}

/* --- cameras --- */

typedef struct camera {
    abut_pose pose;
    double axis[3][3]; /* where x, y and z of the camera point */
    double half_width, half_height, near, far;
} camera;

static void set_axes(camera *c) {
    const abut_quat given = c->pose.rotation;
    const double q[4] = {(double)given.x, (double)given.y, (double)given.z, (double)given.w};
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        c->axis[i][i] = 1 - 2 * (q[k] * q[k] + q[l] * q[l]) / n;
        c->axis[k][i] = 2 * (q[i] * q[k] - q[3] * q[l]) / n;
        c->axis[i][k] = 2 * (q[i] * q[k] + q[3] * q[l]) / n;
    }
}

static camera any_camera(rng *r) {
    camera c;
    const double size = wild_size(r, -8, 8), away = rng_chance(r, 0.4) ? 0 : wild_size(r, -4, 14);
    for (int i = 0; i < 3; i++) {
        (&c.pose.position.x)[i] = (float)(away * any_signed(r, -1, 1));
    }
    c.pose.rotation = wild_rotation(r);
    c.near = size;
    c.half_width = size * wild_size(r, -5, 5);
    c.half_height = c.half_width * wild_size(r, -3, 3);
    c.far = rng_chance(r, 0.25) ? (double)INFINITY : size * (1 + wild_size(r, -8, 14));
    set_axes(&c);
    return c;
}

/* Now and then a number that is refused. */
static float or_wrong(rng *r, double value) {
    static const float wrong[] = {0, -1, NAN, INFINITY};
    return rng_chance(r, 0.01) ? wrong[rng_below(r, 4)] : (float)value;
}

static abut_result by_axes(rng *r, const camera *c, abut_frustum *frustum) {
    abut_vec3 v[3];
    const double tilt = rng_chance(r, 0.5) ? 0 : rng_chance(r, 0.9) ? wild_size(r, -24, -12) : wild_size(r, -12, -8);
    for (int k = 0; k < 3; k++) { /* left, up, ahead: x and z point the other way */
        const double length = rng_chance(r, 0.5) ? 1 : wild_size(r, -30, 30);
        for (int i = 0; i < 3; i++) {
            const double along = c->axis[k][i] * (k == 1 ? 1 : -1) + tilt * rng_range(r, -1, 1);
            (&v[k].x)[i] = (float)(length * along);
        }
    }
    abut_vec3 eye = c->pose.position;
    eye.x = rng_chance(r, 0.02) ? NAN : rng_chance(r, 0.02) ? -0.0f : eye.x;
    const float width = or_wrong(r, c->half_width), height = or_wrong(r, c->half_height), near = or_wrong(r, c->near),
                far = or_wrong(r, c->far);
    return abut_frustum_perspective(eye, v[0], v[1], v[2], width, height, near, far, frustum);
}

static abut_result by_pose(rng *r, const camera *c, abut_frustum *frustum) {
    abut_pose pose = c->pose;
    if (rng_chance(r, 0.03)) {
        any_put(r, &pose.position.x, 7, NAN);
    }
    if (rng_chance(r, 0.03)) {
        pose.rotation = (abut_quat){0, 0, 0, 0};
    }
    const float width = or_wrong(r, c->half_width), height = or_wrong(r, c->half_height), near = or_wrong(r, c->near),
                far = or_wrong(r, c->far);
    return abut_frustum_camera(&pose, width, height, near, far, frustum);
}

static abut_result by_box(rng *r, const camera *c, abut_frustum *frustum) {
    abut_obb box = {c->pose.position, c->pose.rotation, wild_half(r, c->near)};
    box.half.y = or_wrong(r, (double)box.half.y);
    if (rng_chance(r, 0.05)) {
        any_put(r, &box.center.x, 10, rng_chance(r, 0.5) ? -0.0f : -INFINITY);
    }
    return abut_frustum_orthographic(&box, frustum);
}

/* --- matrices --- */

typedef double rows[4][4];

/* The rows of clip space over view space. */
static void set_projection(rng *r, const camera *c, abut_clip clip, bool parallel, rows p) {
    const double n = c->near, f = c->far, depth = f - n;
    for (int i = 0; i < 16; i++) {
        p[i / 4][i % 4] = 0;
    }
    p[0][0] = parallel ? 1 / c->half_width : n / c->half_width;
    p[1][1] = parallel ? 1 / c->half_height : n / c->half_height;
    p[3][parallel ? 3 : 2] = parallel ? 1 : -1;
    if (rng_chance(r, 0.3)) { /* off-centre */
        p[0][parallel ? 3 : 2] += rng_range(r, -2, 2);
        p[1][parallel ? 3 : 2] += rng_range(r, -2, 2);
    }
    if (parallel) {
        const double to = f < (double)INFINITY ? depth : 16 * n;
        p[2][2] = (clip == ABUT_CLIP_NEG_ONE_TO_ONE ? -2 : clip == ABUT_CLIP_ZERO_TO_ONE ? -1 : 1) / to;
        p[2][3] = clip == ABUT_CLIP_REVERSED ? 1 : 0;
        return;
    }
    const double share = f < (double)INFINITY ? f / depth : 1, rest = f < (double)INFINITY ? n / depth : 0;
    p[2][2] = clip == ABUT_CLIP_NEG_ONE_TO_ONE ? -share - rest : clip == ABUT_CLIP_ZERO_TO_ONE ? -share : rest;
    p[2][3] = n * share * (clip == ABUT_CLIP_NEG_ONE_TO_ONE ? -2 : clip == ABUT_CLIP_ZERO_TO_ONE ? -1 : 1);
}

static void set_view(const camera *c, rows v) {
    const float *eye = &c->pose.position.x;
    for (int i = 0; i < 3; i++) {
        v[i][3] = 0;
        for (int k = 0; k < 3; k++) {
            v[i][k] = c->axis[i][k];
            v[i][3] -= c->axis[i][k] * (double)eye[k];
        }
        v[3][i] = 0;
    }
    v[3][3] = 1;
}

/* Columns of the product, as floats. */
static void multiply(rows a, rows b, float m[16]) {
    for (int i = 0; i < 16; i++) {
        const int row = i % 4, column = i / 4;
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            sum += a[row][k] * b[k][column];
        }
        m[i] = (float)sum;
    }
}

static void spoil(rng *r, float m[16]) {
    static const float wrong[] = {0, NAN, INFINITY, -1, 1e30f, 1e-30f};
    const uint32_t kind = rng_below(r, 20);
    if (kind == 0) {
        any_put(r, m, 16, wrong[rng_below(r, 6)]);
    } else if (kind == 1) { /* singular */
        const uint32_t row = rng_below(r, 3);
        for (uint32_t k = 0; k < 4; k++) {
            m[4 * k + row] = 2 * m[4 * k + 3];
        }
    } else if (kind == 2) { /* all of it larger, or seen from behind */
        const float by = (float)any_signed(r, -30, 30);
        for (int i = 0; i < 16; i++) {
            m[i] *= by;
        }
    }
}

static abut_result by_matrix(rng *r, const camera *c, abut_clip clip, uint32_t kind, abut_frustum *frustum) {
    rows p, v;
    float m[16];
    set_projection(r, c, clip, kind == 1, p);
    for (int k = 0; kind == 2 && k < 4; k++) { /* oblique */
        p[2][k] += any_signed(r, -6, 0) * (k == 3 ? c->near : 1);
    }
    set_view(c, v);
    multiply(p, v, m);
    for (int i = 0; kind == 3 && i < 16; i++) {
        m[i] = rng_chance(r, 0.3) ? (float)rng_below(r, 3) - 1 : (float)any_signed(r, -3, 3);
    }
    spoil(r, m);
    return abut_frustum_from_matrix(m, clip, frustum);
}

abut_result any_frustum(rng *r, uint32_t kind, abut_frustum *frustum) {
    camera c = any_camera(r);
    kind %= ANY_FRUSTA;
    switch (kind) {
    case 0:
    case 1:
        return by_axes(r, &c, frustum);
    case 2:
        return by_pose(r, &c, frustum);
    case 3:
        return by_box(r, &c, frustum);
    default:
        return by_matrix(r, &c, (abut_clip)((int)kind % 3), rng_below(r, 4), frustum);
    }
}

/* --- boxes --- */

/* A point of the frustum, relative to its origin: of a run, or between two. */
static void point_in(rng *r, const abut_frustum *f, double p[3]) {
    const uint32_t kind = rng_below(r, 4), runs = kind == 0 ? 1 : kind == 1 ? 2 : 4;
    double weight = 0;
    p[0] = p[1] = p[2] = 0;
    for (uint32_t k = 0; k < runs && f->run_count > 0; k++) {
        const double *run = f->run[rng_below(r, f->run_count)];
        const double most = run[6] < (double)INFINITY ? run[6] : 4 * (f->extent + 1), w = 0.0625 + rng_unit(r);
        const double t = rng_chance(r, 0.4) ? (rng_chance(r, 0.5) ? 0 : most) : most * rng_unit(r);
        for (int i = 0; i < 3; i++) {
            p[i] += w * (run[i] + t * run[i + 3]);
        }
        weight += w;
    }
    for (int i = 0; i < 3 && weight > 0; i++) {
        p[i] /= weight;
    }
}

/* With one axis along an edge of the frustum, or along the normal of one of its planes, but for a little. */
static abut_quat rotation_near(rng *r, const abut_frustum *f) {
    const bool plane = rng_chance(r, 0.5);
    if (rng_chance(r, 0.5) || f->edge_count == 0 || f->plane_count == 0) {
        return wild_rotation(r);
    }
    const double *along = plane ? f->plane[rng_below(r, f->plane_count)] : f->edge[rng_below(r, f->edge_count)];
    const abut_d3 other = abut_d3_from(rng_direction(r));
    const double by = rng_chance(r, 0.3) ? 0 : wild_size(r, -50, -3);
    abut_d3 axis[3] = {abut_d3_along(abut_d3_load(along), by, other)};
    (void)abut_d3_normalise(&axis[0]);
    axis[1] = abut_d3_cross(axis[0], other);
    if (!abut_d3_normalise(&axis[1])) {
        return wild_rotation(r);
    }
    axis[2] = abut_d3_cross(axis[0], axis[1]);
    const abut_d3 turned[3] = {axis[1], axis[2], axis[0]};
    return abut_quat_of_axes(rng_chance(r, 0.5) ? axis : turned);
}

/* The sum of the normals of the two planes that meet in a run, outward; zero if there are not two. */
static abut_d3 outward_of(const abut_frustum *f, const double *run) {
    abut_d3 sum = {{0, 0, 0}};
    int count = 0;
    for (uint32_t k = 0; k < f->plane_count; k++) {
        const abut_d3 n = abut_d3_load(f->plane[k]);
        const double off = abut_d3_dot(n, abut_d3_load(run)) + f->plane[k][3];
        if (fabs(abut_d3_dot(n, abut_d3_load(run + 3))) < 0x1p-40 && fabs(off) <= 0x1p-30 * (f->extent + 0x1p-60)) {
            sum = abut_d3_along(sum, -1, n);
            count++;
        }
    }
    return count == 2 && abut_d3_normalise(&sum) ? sum : (abut_d3){{0, 0, 0}};
}

/* A rod that passes an edge of the frustum nearly parallel to it: only the product of both shows the gap. */
static bool box_beside_edge(rng *r, const abut_frustum *f, abut_obb *box) {
    const double *run = f->run[rng_below(r, f->run_count)];
    const double most = run[6] < (double)INFINITY ? run[6] : 8 * (f->extent + 1), angle = wild_size(r, -12, -2);
    const double t = most * (0.25 + 0.5 * rng_unit(r)), length = most * (0.0625 + 0.125 * rng_unit(r));
    const double gap = length * angle * any_signed(r, -10, -1);
    const abut_d3 out = outward_of(f, run), edge = abut_d3_load(run + 3), other = abut_d3_from(rng_direction(r));
    abut_d3 axis[3] = {abut_d3_along(edge, angle, abut_d3_cross(edge, out))};
    (void)abut_d3_normalise(&axis[0]);
    axis[1] = abut_d3_cross(axis[0], other);
    if (abut_d3_dot(out, out) == 0 || !abut_d3_normalise(&axis[1])) {
        return false;
    }
    axis[2] = abut_d3_cross(axis[0], axis[1]);
    const abut_d3 at = abut_d3_along(abut_d3_along(abut_d3_load(run), t, edge), gap, out);
    for (int i = 0; i < 3; i++) {
        (&box->center.x)[i] = (float)((double)f->origin[i] + at.x[i]);
    }
    box->rotation = abut_quat_of_axes(axis);
    box->half = (abut_vec3){(float)length, 0, rng_chance(r, 0.5) ? 0 : (float)(gap * gap / length)};
    return true;
}

abut_obb any_box_near(rng *r, const abut_frustum *f) {
    double p[3], n[3];
    abut_obb beside;
    if (f->run_count > 0 && rng_chance(r, 0.1) && box_beside_edge(r, f, &beside)) {
        return beside;
    }
    point_in(r, f, p);
    const double size = (fabs(p[0]) + fabs(p[1]) + fabs(p[2]) + 0x1p-20) * wild_size(r, -8, 2);
    abut_obb box = {.rotation = rotation_near(r, f)};
    box.half = wild_half(r, size);
    if (rng_chance(r, 0.2)) { /* a rod or a plate, so large that a gap of its floats is below what rounding may hide */
        const float by = (float)wild_size(r, 2, 46);
        const uint32_t thin = 1 + rng_below(r, 6);
        box.half =
            (abut_vec3){thin & 1 ? 0 : box.half.x * by, thin & 2 ? 0 : box.half.y * by, thin & 4 ? 0 : box.half.z * by};
    }
    const double gap = rng_chance(r, 0.3) ? size * any_signed(r, -40, -10) : size * rng_range(r, -2, 2);
    const abut_vec3 any = rng_direction(r);
    const uint32_t plane = f->plane_count > 0 ? rng_below(r, f->plane_count) : 0;
    const bool along_plane = f->plane_count > 0 && rng_chance(r, 0.6);
    for (int i = 0; i < 3; i++) {
        n[i] = along_plane ? -f->plane[plane][i] : (double)(&any.x)[i];
        (&box.center.x)[i] = (float)((double)f->origin[i] + p[i] + gap * n[i]);
    }
    if (rng_chance(r, 0.03)) {
        box.rotation = (abut_quat){0, 0, 0, 0};
    }
    return box;
}
