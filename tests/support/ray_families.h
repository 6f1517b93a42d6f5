/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random rays that are hard for one placed shape, in families.
 *
 * Shapes: spheres, capsules, boxes, rounded boxes, hulls of 5 to 500 vertices (needles, and some up to 300 sizes
 * from the origin of their frame), rounded hulls; plates, rods, points,
 * slabs 1e-4 thin, radii of 1e-6 to 1e6 of the core; sizes 2^-40 to 2^24, at times on small whole numbers; identical,
 * quarter, eighth and any rotations, of any length. Half of the bodies lie so that what is aimed at is close to the
 * origin of the world, where floats are fine. */
#ifndef ABUT_TESTS_SUPPORT_RAY_FAMILIES_H
#define ABUT_TESTS_SUPPORT_RAY_FAMILIES_H

#include "support/ray_oracle.h"
#include <abut/shape.h>

typedef enum ray_family {
    RAY_VERTEX,     /* through a vertex, within a few units in the last place, on either side of it */
    RAY_EDGE,       /* through an edge */
    RAY_FACE,       /* through a facet */
    RAY_ALONG_EDGE, /* along an edge */
    RAY_ALONG_FACE, /* in the plane of a facet, or beside it */
    RAY_GRAZING,    /* past the surface, 0 or +-(1e-17 to 1e-3) of the size away from it */
    RAY_AXIS,       /* with one or two components that are 0 */
    RAY_POINT,      /* of no length: inside, outside, at the surface */
    RAY_INSIDE,     /* from inside, from the surface, from within units in the last place of it */
    RAY_ENDING,     /* ends on the surface, or some units in the last place before or behind it */
    RAY_FAR,        /* from 1e3 to 1e6 sizes away */
    RAY_HUGE,       /* as long as floats can hold */
    RAY_TINY,       /* shorter than 1e-6 of the size, down to the least float */
    RAY_DENORMAL,   /* body and ray below the least normal float */
    RAY_WHOLE,      /* whole numbers: touches are exact */
    RAY_ANY,
    RAY_FAMILIES
} ray_family;

extern const char *const ray_family_names[RAY_FAMILIES];

typedef enum ray_kind {
    RAY_SPHERE,
    RAY_CAPSULE,
    RAY_BOX,
    RAY_ROUNDED_BOX,
    RAY_HULL,
    RAY_ROUNDED_HULL,
    RAY_KINDS
} ray_kind;

/* Hulls to choose from, made once; the first of small whole coordinates. */
enum { RAY_HULLS = 40, RAY_WHOLE_HULLS = 8 };
typedef struct ray_hulls {
    abut_hull *hull[RAY_HULLS];
    ray_core core[RAY_HULLS];
} ray_hulls;

ray_hulls *ray_hulls_make(uint64_t seed);
void ray_hulls_release(ray_hulls *hulls);

typedef struct ray_case {
    ray_kind kind;
    abut_shape shape;
    abut_pose pose;
    abut_ray ray;
    uint32_t hull;        /* index, where the kind is one of hulls */
    const ray_core *core; /* of the hull, or `own`: do not copy */
    ray_core own;
} ray_case;

/* Depends on its arguments alone, but for the rounding of libm. */
void ray_family_case(const ray_hulls *hulls, ray_family family, uint64_t seed, uint64_t index, ray_case *out);

#endif
