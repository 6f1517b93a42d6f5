/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How all frusta are built: from the planes and corners of the cube whose image they are. */
#ifndef ABUT_CULLING_BUILD_H
#define ABUT_CULLING_BUILD_H

#include <abut/frustum.h>

/* A frustum is the image of a cube under a projection: this is that image, as homogeneous points and planes. Corner i
 * is at the positive end of axis k where bit k of i is set; axis 2 leads away from the eye. Planes 2 k and 2 k + 1 are
 * those at the negative and the positive end of axis k. Everything is relative to `origin`. */
typedef struct abut_cull_cube {
    float origin[3];
    double corner[8][4]; /* x, y, z, w: the point (x, y, z) / w; w = 0: at infinity; w < 0: beyond it */
    double plane[6][4];  /* n, d, of any length; a plane whose n is zero or d infinite is at infinity */
} abut_cull_cube;

/* The corner of the cube from which a run starts. */
static inline uint32_t abut_cull_run_corner(const abut_frustum *frustum, uint32_t run) {
    return (uint32_t)(frustum->run_corners >> 3 * run) & 7;
}

/* In run_corners: an edge has no direction of its own, or a run leads out of the planes, so the axes may miss a gap
 * that a search finds. */
#define ABUT_CULL_INCOMPLETE (UINT64_C(1) << 63)

/* ABUT_ERROR_DEGENERATE, and a frustum without faces, if no part of the cube has w > 0. */
abut_result abut_cull_build(const abut_cull_cube *cube, abut_frustum *frustum);

/* Afterwards only its planes separate it from boxes: for corners that rounding may have changed much. */
void abut_cull_trust_only_planes(abut_frustum *frustum);

#endif
