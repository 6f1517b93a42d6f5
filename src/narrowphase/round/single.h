/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One pair of spheres or capsules alone, with the bits of the kernels but without their lists: see single.c. */
#ifndef ABUT_NARROWPHASE_ROUND_SINGLE_H
#define ABUT_NARROWPHASE_ROUND_SINGLE_H

#include "narrowphase/narrowphase.h"
#include "narrowphase/round/kernels.h"

/* A sphere or a capsule where it is. */
typedef struct abut_np_rod {
    const float *at; /* center x y z, rotation x y z w */
    float half;      /* 0: a sphere */
    float radius;
    uint32_t axis; /* along which it has an extent; 3: none */
} abut_np_rod;

/* Not two spheres. ABUT_NP_ROUND_CORES: another method must decide; so, too, where a rotation is not valid, or of
 * unusual length. Pairs of which a center is not finite are that or APART. `manifold` may be NULL. */
abut_np_round_verdict abut_np_rods_collide(const abut_np_rod *a, const abut_np_rod *b, double margin,
                                           abut_manifold *manifold);

/* Whether two spheres touch; false where a center is not finite. */
bool abut_np_spheres_collide(const abut_vec3 *center_a, float radius_a, const abut_vec3 *center_b, float radius_b,
                             double margin, abut_manifold *manifold);

/* Of a collider that is a sphere or a capsule. */
static inline abut_np_rod abut_np_rod_of(const abut_collider *c) {
    const abut_vec3 half = c->half;
    return (abut_np_rod){.at = (const float *)(const void *)c,
                         .half = half.x + half.y + half.z,
                         .radius = c->radius,
                         .axis = half.x > 0   ? 0
                                 : half.y > 0 ? 1
                                 : half.z > 0 ? 2
                                              : 3};
}

/* Whether floats are finite and not negative, or are positive: by their bits. */
static inline bool abut_np_rod_extent_valid(uint32_t bits) {
    return bits <= UINT32_C(0x7f7fffff);
}

static inline bool abut_np_rod_radius_valid(float radius) {
    return abut_bits_of_float(radius) - 1 < UINT32_C(0x7f7fffff);
}

/* The same of a shape at a pose; false where the shape is something else or not valid. */
static inline bool abut_np_rod_of_shape(const abut_shape *shape, const abut_pose *pose, abut_np_rod *rod) {
    const uint32_t x = abut_bits_of_float(shape->half.x), y = abut_bits_of_float(shape->half.y);
    const uint32_t z = abut_bits_of_float(shape->half.z), extent = x | y | z;
    *rod = (abut_np_rod){.at = (const float *)(const void *)pose,
                         .half = abut_bits_to_float(extent),
                         .radius = shape->radius,
                         .axis = !extent    ? 3
                                 : !(x | z) ? 1
                                 : !(x | y) ? 2
                                            : 0};
    return !shape->hull && !shape->mesh && abut_np_rod_radius_valid(shape->radius) &&
           abut_np_rod_extent_valid(extent) && (rod->axis > 0 || !(y | z));
}

/* Whether a shape is certainly a sphere. */
static inline bool abut_np_is_sphere(const abut_shape *shape) {
    const abut_vec3 h = shape->half;
    return !(abut_bits_of_float(h.x) | abut_bits_of_float(h.y) | abut_bits_of_float(h.z)) && !shape->hull &&
           !shape->mesh && abut_np_rod_radius_valid(shape->radius);
}

#endif
