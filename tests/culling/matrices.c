/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/matrices.h"
#include <math.h>

typedef double rows[4][4];

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Rows 0 to 2 are right, up and ahead, relative to the eye. */
static void random_frame(rng *r, double frame[3][3]) {
    abut_vec3 d = rng_direction(r), a = rng_direction(r);
    const double ahead[3] = {d.x, d.y, d.z}, other[3] = {a.x, a.y, a.z};
    cross(ahead, other, frame[0]);
    double size = sqrt(dot(frame[0], frame[0])), length = sqrt(dot(ahead, ahead));
    for (int k = 0; k < 3; k++) {
        frame[0][k] /= size;
        frame[2][k] = ahead[k] / length;
    }
    cross(frame[0], frame[2], frame[1]);
}

/* Rows for points of the camera: x to the right, y up, z ahead. Row 2 is the near plane, to be combined with w. */
static void set_projection(rng *r, matrix_kind kind, double near_distance, double ratio, rows p) {
    double half[2] = {rng_log_range(r, 0.1, 5), rng_log_range(r, 0.1, 5)};
    double shift[2] = {rng_range(r, -1, 1), rng_range(r, -1, 1)}, depth = near_distance * (ratio - 1);
    for (int k = 0; k < 2; k++) {
        bool flat = kind == MATRIX_ORTHOGRAPHIC;
        p[k][k] = 1 / half[k] / (flat ? near_distance : 1);
        p[k][flat ? 3 : 2] = shift[k];
    }
    if (kind == MATRIX_ORTHOGRAPHIC) {
        p[3][3] = 1;
        p[2][2] = 1 / depth;
        p[2][3] = -near_distance / depth;
        return;
    }
    p[3][2] = 1;
    p[2][2] = kind == MATRIX_INFINITE ? 1 : ratio / (ratio - 1);
    p[2][3] = -near_distance * p[2][2];
    if (kind == MATRIX_OBLIQUE) {
        p[2][0] = rng_range(r, -0.5, 0.5) / half[0];
        p[2][1] = rng_range(r, -0.5, 0.5) / half[1];
        double share = rng_log_range(r, 0.3, 1.5);
        for (int k = 0; k < 4; k++) {
            p[2][k] *= share;
        }
    }
}

/* Row 2 is the near plane n, scaled so that w - n is the far one. */
static void set_clip(abut_clip clip, rows p) {
    for (int k = 0; k < 4; k++) {
        double n = p[2][k], w = p[3][k];
        p[2][k] = clip == ABUT_CLIP_ZERO_TO_ONE ? n : clip == ABUT_CLIP_REVERSED ? w - n : 2 * n - w;
    }
}

matrix matrix_random(rng *r, matrix_kind kind, double from_origin, double shortest, double ratio) {
    matrix out = {.clip = (abut_clip)rng_below(r, 3), .kind = kind};
    double frame[3][3], near_distance = rng_log_range(r, shortest, 1e3 * shortest), scale = rng_log_range(r, 1e-3, 1e3);
    rows p = {{0}};
    abut_vec3 at = rng_vec3(r, -from_origin, from_origin);
    const double eye[3] = {at.x, at.y, at.z};
    random_frame(r, frame);
    double far_over_near = rng_log_range(r, 1.01, ratio);
    set_projection(r, kind, near_distance, far_over_near, p);
    set_clip(out.clip, p);
    if (kind == MATRIX_INFINITE && out.clip == ABUT_CLIP_REVERSED) {
        p[2][2] = 0; /* what is left of w - n by rounding */
    }
    for (int i = 0; i < 4; i++) {
        double sum = p[i][3];
        for (int k = 0; k < 3; k++) {
            double turned = p[i][0] * frame[0][k] + p[i][1] * frame[1][k] + p[i][2] * frame[2][k];
            out.m[4 * k + i] = (float)(scale * turned);
            sum -= turned * eye[k];
        }
        out.m[12 + i] = (float)(scale * sum);
    }
    return out;
}

/* a row 3 + b row k. False, and a zero normal, where the normal vanishes to within rounding. */
static bool plane_of(const matrix *given, int a, int b, int k, quad plane[4]) {
    quad largest = 0, rows_largest = 0;
    for (int c = 0; c < 4; c++) {
        quad x = (quad)a * given->m[4 * c + 3], y = (quad)b * given->m[4 * c + k];
        plane[c] = x + y;
        quad size = quad_abs(plane[c]), size_x = quad_abs(x), size_y = quad_abs(y);
        if (c < 3) {
            largest = size > largest ? size : largest;
            rows_largest = size_x > rows_largest ? size_x : rows_largest;
            rows_largest = size_y > rows_largest ? size_y : rows_largest;
        }
    }
    return largest > 0 && (a == 0 || largest > rows_largest / 4194304);
}

uint32_t matrix_heights(const matrix *given, const float origin[3], const double x[3], double height[6]) {
    static const int depth[3][2][2] = {{{1, 1}, {1, -1}}, {{0, 1}, {1, -1}}, {{1, -1}, {0, 1}}};
    uint32_t count = 0;
    for (int k = 0; k < 6; k++) {
        quad plane[4];
        int a = k < 4 ? 1 : depth[given->clip][k - 4][0], b = k < 4 ? (k & 1 ? -1 : 1) : depth[given->clip][k - 4][1];
        if (!plane_of(given, a, b, k / 2, plane)) {
            continue;
        }
        quad sum = plane[3], square = 0;
        for (int i = 0; i < 3; i++) {
            sum += plane[i] * ((quad)origin[i] + x[i]);
            square += plane[i] * plane[i];
        }
        height[count++] = (double)(sum / quad_sqrt(square, sqrt((double)square)));
    }
    return count;
}
