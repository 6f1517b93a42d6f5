/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "cull_loops.h"
#include <math.h>

static float dot(const float u[3], const float v[3]) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

/* --- six planes --- */

static bool planes_keep_bounds(const cull_view *view, const abut_aabb *box) {
    for (int k = 0; k < 6; ++k) {
        const float *n = view->plane[k];
        float x = n[0] > 0.0f ? box->max.x : box->min.x;
        float y = n[1] > 0.0f ? box->max.y : box->min.y;
        float z = n[2] > 0.0f ? box->max.z : box->min.z;
        if (n[0] * x + n[1] * y + n[2] * z + n[3] < 0.0f) {
            return false;
        }
    }
    return true;
}

size_t cull_plain_bounds(const cull_view *view, const abut_aabb *boxes, size_t n, uint32_t *visible) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        visible[count] = (uint32_t)i;
        count += planes_keep_bounds(view, &boxes[i]);
    }
    return count;
}

static bool planes_keep(const cull_view *view, const scalar_box *box) {
    for (int k = 0; k < 6; ++k) {
        const float *n = view->plane[k];
        float reach = box->half[0] * fabsf(dot(n, box->axis[0])) + box->half[1] * fabsf(dot(n, box->axis[1])) +
                      box->half[2] * fabsf(dot(n, box->axis[2]));
        if (dot(n, box->center) + n[3] + reach < 0.0f) {
            return false;
        }
    }
    return true;
}

size_t cull_plain_planes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        visible[count] = (uint32_t)i;
        count += planes_keep(view, &boxes[i]);
    }
    return count;
}

/* --- all axes; m, center and axes[i] are in the camera's frame, relative to its eye --- */

/* The frustum's projection on m. The far plane's corners are `ratio` times as far out as those of the near plane, on
 * either side of the eye. */
static bool parted(const cull_view *view, const float m[3], float center, float reach) {
    float across = view->half[0] * fabsf(m[0]) + view->half[1] * fabsf(m[1]), along = view->near_distance * m[2];
    float low = along - across, high = along + across;
    low = low < 0.0f ? low * view->ratio : low;
    high = high > 0.0f ? high * view->ratio : high;
    return center + reach < low || center - reach > high;
}

static bool parted_by(const cull_view *view, const float m[3], const float center[3], float axes[3][3],
                      const float half[3]) {
    float reach =
        half[0] * fabsf(dot(m, axes[0])) + half[1] * fabsf(dot(m, axes[1])) + half[2] * fabsf(dot(m, axes[2]));
    return parted(view, m, dot(m, center), reach);
}

static bool parted_by_sides(const cull_view *view, int k, const float center[3], float axes[3][3],
                            const float half[3]) {
    float m[3] = {0.0f, 0.0f, -view->half[k]};
    m[k] = view->near_distance;
    if (parted_by(view, m, center, axes, half)) {
        return true;
    }
    m[k] = -view->near_distance;
    return parted_by(view, m, center, axes, half);
}

static bool parted_by_edges(const cull_view *view, const float center[3], float axes[3][3], const float half[3]) {
    const float l = view->half[0], u = view->half[1], n = view->near_distance;
    const float edges[6][3] = {{1, 0, 0}, {0, 1, 0}, {l, u, n}, {-l, u, n}, {l, -u, n}, {-l, -u, n}};
    for (int i = 0; i < 3; ++i) {
        const float *a = axes[i];
        for (int k = 0; k < 6; ++k) {
            const float *e = edges[k];
            const float m[3] = {a[1] * e[2] - a[2] * e[1], a[2] * e[0] - a[0] * e[2], a[0] * e[1] - a[1] * e[0]};
            if (parted_by(view, m, center, axes, half)) {
                return true;
            }
        }
    }
    return false;
}

/* Products with the camera's axes are computed when they are first needed: most boxes are behind the camera or beside
 * it. */
static bool axes_keep(const cull_view *view, const scalar_box *box) {
    const float from[3] = {box->center[0] - view->eye[0], box->center[1] - view->eye[1], box->center[2] - view->eye[2]};
    float center[3] = {0}, axes[3][3] = {{0}};
    for (int k = 2; k >= 0; --k) {
        center[k] = dot(view->axis[k], from);
        for (int i = 0; i < 3; ++i) {
            axes[i][k] = dot(view->axis[k], box->axis[i]);
        }
        const float ahead[3] = {0.0f, 0.0f, 1.0f};
        if (k == 2 ? parted_by(view, ahead, center, axes, box->half)
                   : parted_by_sides(view, k, center, axes, box->half)) {
            return false;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (parted(view, axes[i], dot(axes[i], center), box->half[i])) {
            return false;
        }
    }
    return !parted_by_edges(view, center, axes, box->half);
}

size_t cull_plain_axes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        visible[count] = (uint32_t)i;
        count += axes_keep(view, &boxes[i]);
    }
    return count;
}
