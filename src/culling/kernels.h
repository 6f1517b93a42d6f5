/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What culling does to many boxes at once. Each function is compiled for every instruction set; all of them return the
 * same bits. */
#ifndef ABUT_CULLING_KERNELS_H
#define ABUT_CULLING_KERNELS_H

#include "base/isa.h"
#include "culling/culling.h"

/* Boxes on their way through the stages, by number. All three arrays have room for n + 15. */
typedef struct abut_cull_sieve {
    uint32_t *kept; /* not certainly outside; ascending */
    uint32_t *open; /* of those, not certainly visible */
    uint8_t *side;  /* by box, for those kept: ABUT_INTERSECTS if certainly visible (it may even be inside), else
                       ABUT_CULL_UNDECIDED */
    size_t kept_count, open_count;
} abut_cull_sieve;

/* A frustum with a finite reach, as floats. */
typedef struct abut_cull_solid {
    float corner[8][3], edge[12][3]; /* from the origin on; directions */
    uint32_t edge_count;
} abut_cull_solid;

abut_cull_solid abut_cull_solid_of(const abut_frustum *frustum);

typedef struct abut_cull_kernels {
    /* abut_cull_planes_of_bounds */
    void (*bounds)(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                   uint8_t *crossed);
    /* abut_cull_bodies_of_nodes */
    void (*bodies)(const abut_cull_view *view, const abut_cull_nodes *nodes, uint8_t *inside, uint8_t *open);
    /* The answers of centres and spheres: see abut_cull_sieve. The n boxes need not be valid. */
    void (*spheres)(const abut_cull_view *view, const abut_obb *boxes, size_t n, abut_cull_sieve *sieve);
    /* The planes in float: a certain abut_side, ABUT_CULL_CUT, or ABUT_CULL_UNDECIDED, which invalid boxes always get.
     * side[v * pitch + k] for box k and each view whose bit v is set. */
    void (*planes)(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes, const uint8_t *crossed,
                   uint8_t *side, size_t pitch);
    /* For valid boxes that are certainly not inside: ABUT_INTERSECTS or ABUT_OUTSIDE where that is certain, else
     * ABUT_CULL_CUT. It ends after so many turns. */
    void (*search)(const abut_cull_view *view, const abut_cull_boxes *boxes, uint32_t turns, uint8_t *side);
    /* The box's own axes and all products of edges in float, for views with a finite reach. The boxes and the answers
       are as in a search, but none may have a radius, or be outside of a plane. */
    void (*overlaps)(const abut_cull_view *view, const abut_cull_solid *solid, const abut_cull_boxes *boxes,
                     uint8_t *side);
    /* All axes in double, for valid boxes without a radius: the abut_side. */
    void (*axes)(const abut_frustum *frustum, const abut_cull_boxes *boxes, uint8_t *side);
} abut_cull_kernels;

ABUT_KERNEL_TABLES(abut_cull_kernels)
void ABUT_KERNEL(abut_cull_axes)(const abut_frustum *frustum, const abut_cull_boxes *boxes, uint8_t *side);
void ABUT_KERNEL(abut_cull_search)(const abut_cull_view *view, const abut_cull_boxes *boxes, uint32_t turns,
                                   uint8_t *side);
void ABUT_KERNEL(abut_cull_overlaps)(const abut_cull_view *view, const abut_cull_solid *solid,
                                     const abut_cull_boxes *boxes, uint8_t *side);
void ABUT_KERNEL(abut_cull_bounds)(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                   uint8_t *crossed);
void ABUT_KERNEL(abut_cull_bodies)(const abut_cull_view *view, const abut_cull_nodes *nodes, uint8_t *inside,
                                   uint8_t *open);

const abut_cull_kernels *abut_cull_kernels_active(void);

#endif
