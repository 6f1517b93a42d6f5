/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Just enough vectors for a character. */

#ifndef EXAMPLE_VECTORS_H
#define EXAMPLE_VECTORS_H

#include <abut/abut.h>
#include <math.h>

static inline abut_vec3 add(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline abut_vec3 sub(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline abut_vec3 scale(abut_vec3 a, float by) {
    return (abut_vec3){a.x * by, a.y * by, a.z * by};
}

static inline float dot(abut_vec3 a, abut_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline abut_vec3 cross(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float length(abut_vec3 a) {
    return sqrtf(dot(a, a));
}

/* Along the ground, of length 1. `a` must not be vertical. */
static inline abut_vec3 flat(abut_vec3 a) {
    return scale((abut_vec3){a.x, 0, a.z}, 1 / sqrtf(a.x * a.x + a.z * a.z));
}

#endif
