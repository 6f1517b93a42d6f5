/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls of wild clouds: none of the points lies outside any face, Euler's formula holds, the bytes load again, and what
 * is queried about it is sound. */
#include "fuzz/input.h"

enum { MOST = 200 };

static void check_faces(const abut_hull *hull) {
    const abut_vec3 *v = abut_hull_vertices(hull);
    const size_t vertices = abut_hull_vertex_count(hull), faces = abut_hull_face_count(hull);
    fuzz_check(vertices + faces == abut_hull_edge_count(hull) + 2);
    for (size_t f = 0; f < faces; f++) {
        uint32_t index[MOST];
        float plane[4];
        const size_t n = abut_hull_face(hull, f, index, MOST, plane);
        fuzz_check(n >= 3 && n <= vertices);
        for (size_t i = 0; i < n; i++) {
            fuzz_check(index[i] < vertices);
        }
        const double length = sqrt((double)plane[0] * (double)plane[0] + (double)plane[1] * (double)plane[1] +
                                   (double)plane[2] * (double)plane[2]);
        fuzz_check(fabs(length - 1) < 1e-5);
        for (size_t i = 0; i < vertices; i++) {
            const double at = (double)plane[0] * (double)v[i].x + (double)plane[1] * (double)v[i].y +
                              (double)plane[2] * (double)v[i].z;
            const double size = fabs((double)v[i].x) + fabs((double)v[i].y) + fabs((double)v[i].z);
            fuzz_check(at <= (double)plane[3] + 1e-15 * size);
        }
    }
}

static void check_queries(const abut_hull *hull) {
    const abut_pose pose = {.rotation = {0, 0, 0, 1}};
    const abut_shape shape = abut_convex(hull, 0), point = abut_point();
    const abut_vec3 *v = abut_hull_vertices(hull);
    for (size_t i = 0; i < abut_hull_vertex_count(hull); i += 7) {
        const abut_pose at = {v[i], {0, 0, 0, 1}};
        abut_vec3 a, b;
        fuzz_check(abut_shape_overlap(&shape, &pose, &point, &at));
        fuzz_check(abut_shape_distance(&shape, &pose, &point, &at, &a, &b) <= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    abut_vec3 points[MOST];
    abut_hull *hull, *again;
    const uint8_t kind = take_u8(&in);
    const abut_hull_def def = {.max_vertices = kind & 1 ? 4u + take_u8(&in) % 60u : 0,
                               .coplanar_tolerance = kind & 2 ? fabsf(take_number(&in)) : 0};
    size_t n = 0;
    while (in.size > 0 && n < MOST) {
        points[n].x = kind & 4 ? take_float(&in) : take_number(&in);
        points[n].y = kind & 4 ? take_float(&in) : take_number(&in);
        points[n++].z = kind & 4 ? take_float(&in) : take_number(&in);
    }
    const abut_result result = abut_hull_create(points, n, &def, &hull);
    fuzz_check((result == ABUT_OK) == (hull != NULL));
    if (hull) {
        size_t bytes;
        const void *saved = abut_hull_data(hull, &bytes);
        fuzz_check(abut_hull_load(saved, bytes, NULL, &again) == ABUT_OK);
        fuzz_check(abut_hull_digest(hull) == abut_hull_digest(again));
        check_faces(hull);
        check_queries(hull);
        abut_hull_destroy(&again);
    }
    abut_hull_destroy(&hull);
    return 0;
}
