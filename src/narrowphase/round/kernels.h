/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The round kernels: spheres and capsules against each other and against boxes, many pairs at once. */
#ifndef ABUT_NARROWPHASE_ROUND_KERNELS_H
#define ABUT_NARROWPHASE_ROUND_KERNELS_H

#include "base/isa.h"
#include "narrowphase/box/kernels.h"
#include "narrowphase/distance/distance.h"

/* CORES: the cores overlap, or are so near each other that rounding decides the direction between them. */
typedef enum abut_np_round_verdict {
    ABUT_NP_ROUND_APART,
    ABUT_NP_ROUND_TOUCHING,
    ABUT_NP_ROUND_CORES
} abut_np_round_verdict;

/* Pairs of abut_collider. */
typedef struct abut_np_round_job {
    abut_np_box_pairs pairs;
    float margin;
    bool flip;                  /* normals are to point from the second of a pair to the first */
    abut_np_manifold_output to; /* `first` may be NULL: verdicts alone are wanted */
    uint8_t *verdict; /* of pair k becomes an abut_np_round_verdict; where it is TOUCHING there is a manifold */
} abut_np_round_job;

/* Swapping the two of a pair negates the normal and changes nothing else. */
typedef struct abut_np_round_kernels {
    void (*spheres)(const abut_np_round_job *job);     /* two spheres; never CORES */
    void (*segments)(const abut_np_round_job *job);    /* two shapes of which each is a sphere or a capsule */
    void (*sphere_box)(const abut_np_round_job *job);  /* a sphere and a box with any radius; never CORES */
    void (*capsule_box)(const abut_np_round_job *job); /* a capsule and a box with any radius */
    /* The distances of boxes with any extents and radius from a point or a sphere: 0 where they certainly touch, -1
     * where they are so near a touch that abut_np_overlap must decide. Shapes with a hull count as their centres. */
    void (*point_boxes)(const abut_collider *point, const abut_collider *boxes, const uint32_t *index, size_t n,
                        double *distance);
} abut_np_round_kernels;

ABUT_KERNEL_TABLES(abut_np_round_kernels)
void ABUT_KERNEL(abut_np_round_spheres)(const abut_np_round_job *job);
void ABUT_KERNEL(abut_np_round_segments)(const abut_np_round_job *job);
void ABUT_KERNEL(abut_np_round_sphere_box)(const abut_np_round_job *job);
void ABUT_KERNEL(abut_np_round_capsule_box)(const abut_np_round_job *job);

void ABUT_KERNEL(abut_np_round_point_boxes)(const abut_collider *point, const abut_collider *boxes,
                                            const uint32_t *index, size_t n, double *distance);

#endif
