/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of culling: whether a box and a frustum share a point, and how far apart they are, in arithmetic of at
 * least 113 bits, from the frustum's description and never from abut_frustum. It knows no separating axes: the
 * distance is that of the nearest point of the difference body (Gilbert, Johnson and Keerthi 1988), and a second method
 * looks for a common point among those where three faces meet. */
#ifndef ABUT_TESTS_SUPPORT_FRUSTUM_ORACLE_H
#define ABUT_TESTS_SUPPORT_FRUSTUM_ORACLE_H

#include "support/quad.h"
#include <abut/frustum.h>

typedef enum frustum_kind {
    FRUSTUM_PERSPECTIVE,
    FRUSTUM_CAMERA,
    FRUSTUM_ORTHOGRAPHIC,
    FRUSTUM_MATRIX,
    FRUSTUM_KINDS
} frustum_kind;

/* The arguments of one of the four constructors. */
typedef struct frustum_spec {
    frustum_kind kind;
    abut_vec3 eye, left, up, direction;
    abut_pose camera;
    float half_width, half_height, near_distance, far_distance;
    abut_obb box;
    float matrix[16];
    abut_clip clip;
} frustum_spec;

/* The frustum itself: half-spaces n . p + d >= 0, n of unit length, and the hull of its vertices plus all sums of its
 * rays. All counted from `origin`: the eye, the box's centre, or zero for a matrix. */
enum { FRUSTUM_VERTICES = 20, FRUSTUM_RAYS = 15 };
typedef struct frustum_truth {
    abut_vec3 origin;
    int plane_count, vertex_count, ray_count;
    double reach; /* distance of the eye, or the centre, from the nearest vertex; from all if there are rays */
    quad plane[6][4], vertex[FRUSTUM_VERTICES][3], ray[FRUSTUM_RAYS][3];
} frustum_truth;

typedef struct frustum_gap {
    bool known; /* false if the search did not end: one pair of near_frusta in some 500,000 */
    bool touch; /* the closed sets share a point (or are closer than 1e-24 of `scale`) */
    double gap; /* a lower bound of their distance, to a relative 1e-15; less accurate where that is too little for 113
                   bits; 0 where they touch */
    double at_most; /* an upper bound: the distance of a point of each */
    double inside;  /* how far all corners of the box are inside all planes; negative: how far one is outside */
    double size;    /* the sum of the box's half extents */
    double scale;   /* that, and the distance of its centre from the frustum's nearest vertex */
} frustum_gap;

/* Of a matrix, planes whose normal is at most 2^-22 of the rows' largest entry are at infinity, as the header says. */
void frustum_truth_of(const frustum_spec *spec, frustum_truth *truth);

/* The box is valid. */
frustum_gap frustum_oracle(const frustum_truth *truth, const abut_obb *box);

/* `touch` by the second method. Slow. */
bool frustum_oracle_touch(const frustum_truth *truth, const abut_obb *box);

#endif
