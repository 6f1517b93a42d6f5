/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A camera in every form that the culling methods need. */
#ifndef ABUT_BENCH_CULL_VIEW_H
#define ABUT_BENCH_CULL_VIEW_H

#include <abut/frustum.h>

typedef struct cull_camera {
    abut_vec3 eye, direction;                                   /* of any length, not along y, which is up */
    float half_width, half_height, near_distance, far_distance; /* half sizes at distance 1 */
} cull_camera;

typedef struct cull_view {
    float plane[6][4]; /* unit n and d: n . p + d >= 0 inside */
    float eye[3];
    float axis[3][3];                    /* left, up, direction; unit */
    float half[2], near_distance, ratio; /* half sizes of the near plane; far over near */
    abut_frustum frustum;
} cull_view;

/* Column-major, depth -w..w. */
void cull_camera_matrix(const cull_camera *camera, float matrix[16]);
/* Of a symmetric perspective matrix. */
cull_view cull_view_of_matrix(const float matrix[16]);
cull_view cull_view_of_camera(const cull_camera *camera);

#endif
