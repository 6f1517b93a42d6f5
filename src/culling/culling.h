/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes against frusta. This room sees arrays of boxes, never a body or the world.
 *
 * A box is settled in one of four ways, each of which says only what is certain, so that all of them agree: by a box
 * around it (bounds, for whole groups), by its centre and the sphere round it (for arrays), by the frustum's planes in
 * float, or by all axes in double. All are wide; docs/numerics.md, "Culling". */
#ifndef ABUT_CULLING_CULLING_H
#define ABUT_CULLING_CULLING_H

#include "base/spatial.h"
#include <abut/frustum.h>

/* What a stage could not settle: an abut_side more. */
enum { ABUT_CULL_UNDECIDED = 3 };

/* A frustum as the wide stages read it: planes rounded to floats. */
typedef struct abut_cull_view {
    const abut_frustum *exact;
    uint32_t plane_count;
    float origin[3];
    float normal[6][3], size[6][3]; /* n, |n| by component */
    float low[6], high[6];          /* d, less and more by what the rounding of d and of sums with it may be off by */
    float unsure;                   /* how far low and high are apart at most */
} abut_cull_view;

abut_cull_view abut_cull_view_of(const abut_frustum *frustum);

/* Boxes with their faces along the world's axes, as six columns. */
typedef struct abut_cull_bounds {
    const float *min[3], *max[3];
} abut_cull_bounds;

/* crossed[k] becomes which planes bounds first + k may cross, as seen in float, bit by bit: 0 where they are certainly
 * inside, ABUT_CULL_BEYOND where they are certainly outside. So is everything in them, and with planes that they do not
 * cross it is inside. May read and write up to 15 more. */
enum { ABUT_CULL_BEYOND = 128 };
void abut_cull_planes_of_bounds(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                uint8_t *crossed);

/* Box k is what starts `stride` * index[k] bytes from `boxes`, and starts as an abut_obb does: abut_obb and
 * abut_collider fit. All are valid. */
typedef struct abut_cull_boxes {
    const void *boxes;
    size_t stride;
    const uint32_t *index;
    size_t n;
} abut_cull_boxes;

/* Writes which of the boxes are not certainly outside, as seen from their centres and sizes alone, and returns how
 * many: numbers below n, ascending. Quick. `kept` has room for 15 more. */
size_t abut_cull_near(const abut_cull_view *view, const abut_cull_boxes *boxes, uint32_t *kept);

/* side[v * pitch + k] becomes the abut_side of box k and view[v], for each view whose bit v is set in `views`: what
 * abut_frustum_test_obb says. pitch >= boxes->n unless there is one view. Boxes are read once for all views. crossed[v
 * * pitch + k] says of which planes box k may not be inside altogether, bit by bit, as abut_cull_planes_of_bounds does;
 * NULL: of all. */
void abut_cull_sides_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes,
                              const uint8_t *crossed, uint8_t *side, size_t pitch);

/* How far a frustum reaches along the middle of the edges that lead away from the eye: from its near to its far plane;
 * infinity without a far one, 0 without faces. */
double abut_cull_depth(const abut_frustum *frustum);

/* From where to where an edge leads, counted from the frustum's origin. */
typedef struct abut_cull_edge {
    abut_d3 from, to;
} abut_cull_edge;

/* Writes the edges of a frustum and returns how many: 12 of one with six faces, 0 of one without. Edges that reach to
 * infinity come last and end `depth` (> 0) farther along their middle than where they start. */
enum { ABUT_CULL_EDGES = 12 };
uint32_t abut_cull_edges(const abut_frustum *frustum, double depth, abut_cull_edge edge[ABUT_CULL_EDGES]);

#endif
