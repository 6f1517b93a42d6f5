/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many triangles against one box around a core, a few at a time: most of those that are only near are passed over. */
#ifndef ABUT_NARROWPHASE_MESH_SIFT_H
#define ABUT_NARROWPHASE_MESH_SIFT_H

#include "base/isa.h"
#include "narrowphase/mesh/seat.h"

typedef struct abut_np_sieve {
    double axes[3][3]; /* of the box, in the mesh's frame: the columns */
    double center[3];  /* in the mesh's frame */
    double half[3];
    double middle[3]; /* of the core, in the frame of the box */
    double reach;
    double size;  /* of the box, and what rounding of its place may count */
    double place; /* a bound of coordinates in the mesh's frame, in which triangles are placed: the rest of S */
    bool two_sided;
} abut_np_sieve;

/* What is certain of a triangle, as bits. */
enum {
    ABUT_NP_SIFTED = 1, /* it is farther than `reach` from the box, or it is seen from its back */
    ABUT_NP_SHARED = 2  /* it shares a point with the box */
};

/* For up to this many triangles the widest registers would be half empty, and slower. */
enum { ABUT_NP_FEW = 4 };

typedef struct abut_np_mesh_kernels {
    uint32_t lanes; /* of doubles */
    /* known[i]: what is certain of the triangle at place[i] of the leaves. */
    void (*sift)(const abut_mesh_leaf *leaves, const abut_np_sieve *sieve, const uint32_t *place, uint32_t n,
                 uint8_t *known);
    /* Writes the numbers of facings of up to ABUT_NP_FACINGS triangles; there is room for that many. Returns which are
     * seen from their back, as bits, those beyond n of no meaning. */
    uint32_t (*face)(const abut_np_seat *seat, const uint32_t *part, const uint32_t *place, uint32_t n,
                     abut_np_facing *facing);
    /* What a hull does to the corners and sides of a triangle; `pierced`: also which sides pierce it, and where. */
    void (*pass)(const abut_np_seat *seat, const abut_np_facing *facing, bool pierced, abut_np_passage *out);
    /* Of up to 64 edges of a hull, from this one on, those whose ends do not lie on one side of the plane across every
     * normal between two, as bits. */
    uint64_t (*span)(const abut_np_seat *seat, uint32_t first, const abut_d3 normal[2]);
} abut_np_mesh_kernels;

ABUT_KERNEL_TABLES(abut_np_mesh_kernels)
uint32_t ABUT_KERNEL(abut_np_mesh_face)(const abut_np_seat *seat, const uint32_t *part, const uint32_t *place,
                                        uint32_t n, abut_np_facing *facing);
void ABUT_KERNEL(abut_np_mesh_pass)(const abut_np_seat *seat, const abut_np_facing *facing, bool pierced,
                                    abut_np_passage *out);
uint64_t ABUT_KERNEL(abut_np_mesh_span)(const abut_np_seat *seat, uint32_t first, const abut_d3 normal[2]);

void abut_np_sieve_of(const abut_np_seat *seat, abut_np_sieve *sieve);

/* Opens a walk; if it meets too many leaves, it gets a slant, which it keeps, where that pays. */
void abut_np_sieve_open(const abut_np_sieve *sieve, const abut_mesh *mesh, abut_mesh_walk *walk, abut_slant *slant);

#endif
