/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of this room, one table for each instruction set. A file of kernels is compiled once for each and defines
 * the table that its macro names. */
#ifndef ABUT_NARROWPHASE_KERNELS_H
#define ABUT_NARROWPHASE_KERNELS_H

#include "narrowphase/box/kernels.h"
#include "narrowphase/cast/kernels.h"
#include "narrowphase/convex/kernels.h"
#include "narrowphase/distance/kernels.h"
#include "narrowphase/footprint/kernels.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/mesh_ray/flight.h"
#include "narrowphase/patch/cut.h"
#include "narrowphase/patch/faces.h"
#include "narrowphase/ray/kernels.h"
#include "narrowphase/round/kernels.h"

/* The tables of the instruction set in use. */
const abut_np_box_kernels *abut_np_box_kernels_active(void);
const abut_np_convex_kernels *abut_np_convex_kernels_active(void);
const abut_np_distance_kernels *abut_np_distance_kernels_active(void);
const abut_np_faces_kernels *abut_np_faces_kernels_active(void);
const abut_np_footprint_kernels *abut_np_footprint_kernels_active(void);
const abut_np_mesh_ray_kernels *abut_np_mesh_ray_kernels_active(void);
const abut_np_mesh_kernels *abut_np_mesh_kernels_active(void);
const abut_np_patch_kernels *abut_np_patch_kernels_active(void);
const abut_np_round_kernels *abut_np_round_kernels_active(void);

/* Those for a single pair: with the narrowest vectors that every processor of the architecture has, because they select
 * without branches where portable code may branch. */
const abut_np_round_kernels *abut_np_round_kernels_of_one(void);

/* The narrowest with four lanes, for the edges of a face, or the active ones. */
const abut_np_box_kernels *abut_np_box_kernels_of_one(void);

/* Those for up to ABUT_NP_FEW triangles: the narrowest with a lane for each, or the active ones. */
const abut_np_mesh_kernels *abut_np_mesh_kernels_of_few(void);

/* Those for a pair of hulls with these numbers of vertices: the narrowest with eight lanes where both are few, or the
 * active ones. */
const abut_np_convex_kernels *abut_np_convex_kernels_for(uint32_t of_a, uint32_t of_b);

/* Those for n bodies: the narrowest that takes all at once, or the active ones. */
const abut_np_ray_kernels *abut_np_ray_kernels_for(size_t n);
const abut_np_cast_kernels *abut_np_cast_kernels_for(size_t n);

#endif
