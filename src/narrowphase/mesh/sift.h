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
    double size; /* of the box, and what rounding of its place may count */
    bool two_sided;
} abut_np_sieve;

/* What is certain of a triangle. */
enum { ABUT_NP_SIFTED, ABUT_NP_NEAR, ABUT_NP_SHARED, ABUT_NP_OWN };

typedef struct abut_np_mesh_kernels {
    /* verdict[i]: SIFTED where the triangle at place[i] is farther than `reach` from the box, or is seen from its back;
     * SHARED where they share a point; OWN where, besides, no other normal than the triangle's own pushes the box out
     * of it by a smaller depth: see axis.h. */
    void (*sift)(const abut_mesh *mesh, const abut_np_sieve *sieve, const uint32_t *place, uint32_t n,
                 uint8_t *verdict);
} abut_np_mesh_kernels;

ABUT_KERNEL_TABLES(abut_np_mesh_kernels)

void abut_np_sieve_of(const abut_np_seat *seat, abut_np_sieve *sieve);

#endif
