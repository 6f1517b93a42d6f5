/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two cores in the frame of the first. */
#ifndef ABUT_NARROWPHASE_DISTANCE_CORES_H
#define ABUT_NARROWPHASE_DISTANCE_CORES_H

#include "narrowphase/distance/distance.h"

typedef struct abut_np_core {
    uint32_t vertex_count;  /* 0: a box */
    uint32_t extended;      /* of a box: bit k: axis k has an extent */
    const float *vertex[3]; /* of a hull: its coordinates, as it stores them */
} abut_np_core;

typedef struct abut_np_cores {
    abut_np_core core[2];
    double half_a[3];    /* of a, if it is a box */
    double turn[3][3];   /* the rotation of b in the frame of a */
    abut_d3 half_b[3];   /* b's half axes, if it is a box */
    abut_d3 offset;      /* b's centre */
    abut_d3 between;     /* from the middle of a to that of b */
    double size;         /* S */
    double axes_a[3][3]; /* a's rotation in the world */
} abut_np_cores;

void abut_np_cores_place(const abut_collider *a, const abut_collider *b, abut_np_cores *cores);

/* The same with rotation matrices in place of the rotations of the colliders, and `apart` from the centre of a to that
 * of b. As good as the matrices. */
void abut_np_cores_place_at(const abut_collider *a, double axes_a[3][3], const abut_collider *b, double axes_b[3][3],
                            abut_d3 apart, abut_np_cores *cores);

/* abut_np_farther_than, of cores that have been placed. */
bool abut_np_cores_farther_than(const abut_np_cores *cores, double limit, abut_np_closest *out);

#endif
