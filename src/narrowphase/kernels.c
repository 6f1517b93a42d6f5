/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/kernels.h"

static const abut_np_box_kernels *const box_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_box_kernels)};
static const abut_np_cast_kernels *const cast_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_cast_kernels)};
static const abut_np_convex_kernels *const convex_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_convex_kernels)};
static const abut_np_distance_kernels *const distance_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_distance_kernels)};
static const abut_np_faces_kernels *const faces_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_faces_kernels)};
static const abut_np_footprint_kernels *const footprint_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_footprint_kernels)};
static const abut_np_mesh_ray_kernels *const mesh_ray_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_mesh_ray_kernels)};
static const abut_np_mesh_kernels *const mesh_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_mesh_kernels)};
static const abut_np_patch_kernels *const patch_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_patch_kernels)};
static const abut_np_ray_kernels *const ray_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_ray_kernels)};
static const abut_np_round_kernels *const round_kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_np_round_kernels)};

/* Hulls of so few vertices have facets for a register or two of eight lanes, and wider ones would wait half empty. */
enum { FEW_VERTICES = 12 };

const abut_np_box_kernels *abut_np_box_kernels_active(void) {
    return box_kernels[abut_isa_active()];
}

const abut_np_box_kernels *abut_np_box_kernels_of_one(void) {
    unsigned int active = abut_isa_active(), isa = 0;
    while (isa < active && !(box_kernels[isa] && box_kernels[isa]->lanes >= 4)) {
        isa++;
    }
    return box_kernels[isa];
}

const abut_np_convex_kernels *abut_np_convex_kernels_active(void) {
    return convex_kernels[abut_isa_active()];
}

const abut_np_convex_kernels *abut_np_convex_kernels_for(uint32_t of_a, uint32_t of_b) {
    const bool few = of_a <= FEW_VERTICES && of_b <= FEW_VERTICES;
    unsigned int active = abut_isa_active(), isa = few ? 0 : active;
    while (isa < active && !(convex_kernels[isa] && convex_kernels[isa]->lanes >= 8)) {
        isa++;
    }
    return convex_kernels[isa];
}

const abut_np_distance_kernels *abut_np_distance_kernels_active(void) {
    return distance_kernels[abut_isa_active()];
}

const abut_np_faces_kernels *abut_np_faces_kernels_active(void) {
    return faces_kernels[abut_isa_active()];
}

const abut_np_footprint_kernels *abut_np_footprint_kernels_active(void) {
    return footprint_kernels[abut_isa_active()];
}

const abut_np_mesh_ray_kernels *abut_np_mesh_ray_kernels_active(void) {
    return mesh_ray_kernels[abut_isa_active()];
}

const abut_np_mesh_kernels *abut_np_mesh_kernels_active(void) {
    return mesh_kernels[abut_isa_active()];
}

const abut_np_mesh_kernels *abut_np_mesh_kernels_of_few(void) {
    unsigned int active = abut_isa_active(), isa = 0;
    while (isa < active && !(mesh_kernels[isa] && mesh_kernels[isa]->lanes >= ABUT_NP_FEW)) {
        isa++;
    }
    return mesh_kernels[isa];
}

const abut_np_patch_kernels *abut_np_patch_kernels_active(void) {
    return patch_kernels[abut_isa_active()];
}

const abut_np_ray_kernels *abut_np_ray_kernels_for(size_t n) {
    unsigned int active = abut_isa_active(), isa = 0;
    while (isa < active && !(ray_kernels[isa] && ray_kernels[isa]->lanes >= n)) {
        isa++;
    }
    return ray_kernels[isa];
}

const abut_np_cast_kernels *abut_np_cast_kernels_for(size_t n) {
    unsigned int active = abut_isa_active(), isa = 0;
    while (isa < active && !(cast_kernels[isa] && cast_kernels[isa]->lanes >= n)) {
        isa++;
    }
    return cast_kernels[isa];
}

const abut_np_round_kernels *abut_np_round_kernels_active(void) {
    return round_kernels[abut_isa_active()];
}

const abut_np_round_kernels *abut_np_round_kernels_of_one(void) {
#if defined(ABUT_HAVE_SSE2)
    return &abut_np_round_kernels_sse2;
#elif defined(ABUT_HAVE_NEON)
    return &abut_np_round_kernels_neon;
#else
    return &ABUT_KERNEL(abut_np_round_kernels);
#endif
}
