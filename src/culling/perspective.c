/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta from cameras: the points s (n D + x w L + y h U) from the eye, with |x| <= 1, |y| <= 1 and 1 <= s <= far/near,
 * for near distance n, half sizes w and h, and unit axes D, L and U. The caller's floats make these perpendicular only
 * roughly, so normals come from the reciprocal basis: planes and corners then agree. */
#include "base/spatial.h"
#include "culling/build.h"

typedef struct camera {
    abut_vec3 eye;
    abut_d3 left, up, direction; /* unit length */
    double half_width, half_height, near_distance, far_distance;
} camera;

/* False for a vector without a direction. */
static bool normalise(abut_vec3 given, abut_d3 *unit) {
    *unit = abut_d3_from(given);
    return abut_vec3_finite(given) && abut_d3_normalise(unit);
}

static bool perpendicular(abut_d3 a, abut_d3 b) {
    return fabs(abut_d3_dot(a, b)) <= 1e-3;
}

static bool valid(const camera *c) {
    const double sizes[3] = {c->half_width, c->half_height, c->near_distance};
    for (int k = 0; k < 3; k++) {
        if (!(sizes[k] > 0 && sizes[k] < INFINITY)) {
            return false;
        }
    }
    return abut_vec3_finite(c->eye) && c->far_distance > c->near_distance && perpendicular(c->left, c->up) &&
           perpendicular(c->left, c->direction) && perpendicular(c->up, c->direction) &&
           abut_d3_dot(abut_d3_cross(c->left, c->up), c->direction) > 0;
}

static void set_corners(const camera *c, abut_cull_cube *cube) {
    bool infinite = c->far_distance == INFINITY;
    double ratio = infinite ? 1 : c->far_distance / c->near_distance;
    for (int i = 0; i < 8; i++) {
        abut_d3 p = {{0, 0, 0}};
        p = abut_d3_along(p, c->near_distance, c->direction);
        p = abut_d3_along(p, i & 1 ? c->half_width : -c->half_width, c->left);
        p = abut_d3_along(p, i & 2 ? c->half_height : -c->half_height, c->up);
        for (int k = 0; k < 3; k++) {
            cube->corner[i][k] = i & 4 ? p.x[k] * ratio : p.x[k];
        }
        cube->corner[i][3] = i & 4 && infinite ? 0 : 1;
    }
}

/* Plane k has the normal a + b and passes through the eye. */
static void set_side(abut_cull_cube *cube, int k, double scale_a, abut_d3 a, double scale_b, abut_d3 b) {
    for (int i = 0; i < 3; i++) {
        cube->plane[k][i] = scale_a * a.x[i] + scale_b * b.x[i];
    }
    cube->plane[k][3] = 0;
}

static void set_planes(const camera *c, abut_cull_cube *cube) {
    abut_d3 ahead = abut_d3_cross(c->left, c->up);
    abut_d3 aside = abut_d3_cross(c->up, c->direction), above = abut_d3_cross(c->direction, c->left);
    double depth = abut_d3_dot(ahead, c->direction);
    for (int end = 0; end < 2; end++) {
        double sense = end ? -1 : 1;
        set_side(cube, end, c->half_width, ahead, sense * c->near_distance, aside);
        set_side(cube, 2 + end, c->half_height, ahead, sense * c->near_distance, above);
        set_side(cube, 4 + end, sense, ahead, 0, ahead);
    }
    cube->plane[4][3] = -c->near_distance * depth;
    cube->plane[5][3] = c->far_distance * depth;
}

static abut_result build(const camera *c, abut_frustum *frustum) {
    if (!valid(c)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_cull_cube cube = {.origin = {c->eye.x + 0.0f, c->eye.y + 0.0f, c->eye.z + 0.0f}};
    set_corners(c, &cube);
    set_planes(c, &cube);
    return abut_cull_build(&cube, frustum);
}

abut_result abut_frustum_perspective(abut_vec3 eye, abut_vec3 left, abut_vec3 up, abut_vec3 direction, float half_width,
                                     float half_height, float near_distance, float far_distance,
                                     abut_frustum *frustum) {
    if (!frustum) {
        return ABUT_ERROR_ARGUMENT;
    }
    *frustum = (abut_frustum){.plane_count = 0};
    camera c = {.eye = eye,
                .half_width = half_width,
                .half_height = half_height,
                .near_distance = near_distance,
                .far_distance = far_distance};
    if (!normalise(left, &c.left) || !normalise(up, &c.up) || !normalise(direction, &c.direction)) {
        return ABUT_ERROR_ARGUMENT;
    }
    return build(&c, frustum);
}

abut_result abut_frustum_camera(const abut_pose *pose, float half_width, float half_height, float near_distance,
                                float far_distance, abut_frustum *frustum) {
    if (!frustum) {
        return ABUT_ERROR_ARGUMENT;
    }
    *frustum = (abut_frustum){.plane_count = 0};
    if (!pose || !abut_quat_finite(pose->rotation)) {
        return ABUT_ERROR_ARGUMENT;
    }
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(abut_quat_or_identity(pose->rotation)), m);
    camera c = {.eye = pose->position,
                .left = {{-m[0][0], -m[1][0], -m[2][0]}},
                .up = {{m[0][1], m[1][1], m[2][1]}},
                .direction = {{-m[0][2], -m[1][2], -m[2][2]}},
                .half_width = half_width,
                .half_height = half_height,
                .near_distance = near_distance,
                .far_distance = far_distance};
    return build(&c, frustum);
}
