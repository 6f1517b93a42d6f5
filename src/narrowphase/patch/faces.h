/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What all faces, edges or vertices of a hull are asked, a few at a time. The answers are those of the plain loops over
 * them; where a function returns bits, a plain loop goes on with these alone. */
#ifndef ABUT_NARROWPHASE_PATCH_FACES_H
#define ABUT_NARROWPHASE_PATCH_FACES_H

#include "base/isa.h"
#include "narrowphase/mesh/seat.h"

typedef struct abut_np_faces_kernels {
    /* Whether a point lies more than `by` below all faces. */
    bool (*within)(const abut_np_seat *seat, abut_d3 at, double by);
    /* How far along a line the hull begins; INFINITY where the line misses it, or runs along a face, more than `by`
     * above it. Zero may have either sign. */
    double (*along)(const abut_np_seat *seat, abut_d3 from, abut_d3 way, double by);
    /* Of up to 64 faces, from this one on, those that corner k of the triangle is less than `depth` below, and no other
     * corner farther than that one, as bits. None that looks along the triangle's normal. */
    uint64_t (*behind)(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t k, double depth,
                       uint32_t first);
    /* Of up to 64 edges those of which a point between the planes through the triangle's sides lies lower than `height`
     * over its plane. */
    uint64_t (*under)(const abut_np_seat *seat, const abut_np_facing *facing, double height, uint32_t first);
    /* Whether the hull is seen to be more than `by` from the triangle, along a normal between the triangle's own and
     * the way out of it across a side. It may be that far without being seen to be. */
    bool (*apart)(const abut_np_seat *seat, const abut_np_facing *facing, double by);
} abut_np_faces_kernels;

ABUT_KERNEL_TABLES(abut_np_faces_kernels)

#endif
