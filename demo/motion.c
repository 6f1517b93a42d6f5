/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "motion.h"
#include <math.h>
#include <stdlib.h>

static float extent_of(const abut_vec3 *points, size_t n) {
    abut_vec3 low = points[0], high = points[0];
    for (size_t i = 1; i < n; ++i) {
        low = (abut_vec3){fminf(low.x, points[i].x), fminf(low.y, points[i].y), fminf(low.z, points[i].z)};
        high = (abut_vec3){fmaxf(high.x, points[i].x), fmaxf(high.y, points[i].y), fmaxf(high.z, points[i].z)};
    }
    return fmaxf(fmaxf(high.x - low.x, high.y - low.y), high.z - low.z);
}

abut_result motion_hull(const abut_hull *of, abut_hull **hull) {
    const abut_vec3 *vertices = abut_hull_vertices(of);
    size_t n = abut_hull_vertex_count(of);
    abut_vec3 *points = malloc(n * sizeof *points);
    if (points == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    int exponent;
    frexpf(extent_of(vertices, n), &exponent);
    for (size_t i = 0; i < n; ++i) {
        abut_vec3 v = vertices[i];
        points[i] = (abut_vec3){ldexpf(v.x, 1 - exponent), ldexpf(v.y, 1 - exponent), ldexpf(v.z, 1 - exponent)};
    }
    abut_result result = abut_hull_create(points, n, NULL, hull);
    free(points);
    return result;
}

abut_quat motion_turned(abut_quat q, abut_vec3 half_turn) {
    abut_quat r = q;
    abut_vec3 w = half_turn;
    r.x += w.x * q.w + w.y * q.z - w.z * q.y;
    r.y += w.y * q.w + w.z * q.x - w.x * q.z;
    r.z += w.z * q.w + w.x * q.y - w.y * q.x;
    r.w -= w.x * q.x + w.y * q.y + w.z * q.z;
    float scale = 1.0f / sqrtf(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    return (abut_quat){r.x * scale, r.y * scale, r.z * scale, r.w * scale};
}

abut_pose motion_pose(const abut_hull *hull, abut_vec3 at, abut_quat rotation) {
    abut_vec3 c = abut_hull_centroid(hull), v = at;
    abut_quat q = rotation;
    abut_vec3 t = {2.0f * (q.y * c.z - q.z * c.y), 2.0f * (q.z * c.x - q.x * c.z), 2.0f * (q.x * c.y - q.y * c.x)};
    v.x -= c.x + q.w * t.x + (q.y * t.z - q.z * t.y);
    v.y -= c.y + q.w * t.y + (q.z * t.x - q.x * t.z);
    v.z -= c.z + q.w * t.z + (q.x * t.y - q.y * t.x);
    return (abut_pose){v, q};
}
