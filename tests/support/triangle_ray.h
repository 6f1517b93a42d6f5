/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of rays at one triangle of a mesh: that of a thin core (ray_oracle.h), and on which side of the triangle
 * the ray is, in 113 bits. */
#ifndef ABUT_TESTS_SUPPORT_TRIANGLE_RAY_H
#define ABUT_TESTS_SUPPORT_TRIANGLE_RAY_H

#include "support/ray_oracle.h"

typedef struct triangle_truth {
    ray_truth ray;
    double normal[3]; /* of the face, unit, in the world */
    int side;         /* the sign of translation . normal */
    bool side_known;  /* no rounding of 113 bits plays a part */
} triangle_truth;

/* `core` becomes that of the triangle: it is large, so the caller keeps one. */
triangle_truth triangle_ray_oracle(const abut_vec3 corner[3], const abut_pose *pose, const abut_ray *ray,
                                   ray_core *core);

/* NULL, or what is wrong: the laws of rays at meshes in <abut/query.h>. `fraction` is the float; only read where one is
 * reported, and the normal may be NULL. */
const char *triangle_ray_fault(const triangle_truth *truth, bool two_sided, const abut_ray *ray, bool reported,
                               float fraction, const abut_vec3 *normal);

#endif
