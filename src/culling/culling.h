/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes against frusta. This room gets arrays of boxes and depends on neither bodies nor the world.
 *
 * A box is decided by one of six stages: by a box around it (bounds, for whole groups), by its centre and the sphere
 * around it (for arrays), by the frustum's planes in float, by a search for a shared point or a separating plane in
 * float, by all axes in float, or by all axes in double. All but the last answer only where the answer is certain, so
 * all of them agree with the last. All six are kernels; docs/numerics.md, "Culling".
 *
 * A rounded box is all points within a radius of a box, its core. Its last stage is the distance between frustum and
 * core, in double; the others are the same. */
#ifndef ABUT_CULLING_CULLING_H
#define ABUT_CULLING_CULLING_H

#include "base/spatial.h"
#include <abut/frustum.h>

/* More abut_sides: the stage cannot decide; or only that the box is valid, not inside, and not outside of a
 * plane. */
enum { ABUT_CULL_UNDECIDED = 3, ABUT_CULL_CUT = 4 };

/* A frustum as the wide stages read it: planes rounded to floats. */
typedef struct abut_cull_view {
    const abut_frustum *exact;
    uint32_t plane_count;
    float origin[3];
    float normal[6][3], size[6][3]; /* n, |n| by component */
    float low[6], high[6];          /* d minus and plus a bound of the error of d as a float and of sums with it */
    float unsure;                   /* high - low is at most this for every plane */
    float vague, vague_extent; /* the last stage does not trust a gap below vague * size of the box + vague_extent */
    float middle[3], half[3];  /* the frustum is within this box, from `origin` on, which may be infinite */
    float reach; /* |corner|_1 is at most this; infinity: there are not eight corners, or one is far away, or
                    the last stage does not trust gaps that floats can tell */
} abut_cull_view;

abut_cull_view abut_cull_view_of(const abut_frustum *frustum);

/* Boxes with their faces along the world's axes, eight by eight: the eight min of x, of y, of z, the max, by how much
 * each box is to be larger, then eight floats more. Empty boxes (min = infinity, max = -infinity) have any answer. */
enum { ABUT_CULL_EIGHT = 64 };
typedef struct abut_cull_bounds {
    const float *eights;
} abut_cull_bounds;

/* crossed[k] becomes the set of planes that bounds first + k may cross, one bit each: 0 where the bounds are certainly
 * inside of all planes, ABUT_CULL_BEYOND where they are certainly outside of one. Every box within the bounds is then
 * inside or outside, too, and inside of each plane that the bounds do not cross. `first` is a multiple of 8. May read
 * and write up to 15 elements past the end. */
enum { ABUT_CULL_BEYOND = 128 };
void abut_cull_planes_of_bounds(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                uint8_t *crossed);

/* Boxes around single bodies, in nodes of eight as above, but the seventh eight floats are not read, and the last are
 * radii of spheres about the middles of the boxes that contain the bodies, too. */
typedef struct abut_cull_nodes {
    const float *eights, *surplus; /* of all nodes; by how much the eight boxes of a node are to be larger: where that
                                      is more than 0 the spheres are not used */
    const uint32_t *node;          /* n of them, */
    const uint8_t *planes;         /* and for each the planes that may cross its boxes, at least one */
    size_t n;
} abut_cull_nodes;

/* Bit l of inside[k] and of open[k]: the body in box l of the k-th node is certainly inside of the planes; neither that
 * nor certainly outside. */
void abut_cull_bodies_of_nodes(const abut_cull_view *view, const abut_cull_nodes *nodes, uint8_t *inside,
                               uint8_t *open);

/* Box k starts `stride` * index[k] bytes after `boxes`, with the layout of an abut_obb: an abut_collider has it, too.
 * All boxes are valid. */
typedef struct abut_cull_boxes {
    const void *boxes;
    size_t stride;
    const uint32_t *index;
    size_t n;
    bool rounded; /* each box is followed by its radius, a float >= 0, as in an abut_collider and an abut_cull_round.
                     Where that is 0 the answer is the same without it */
} abut_cull_boxes;

typedef struct abut_cull_round {
    abut_obb core;
    float radius;
} abut_cull_round;

/* The last stage for a valid rounded box with a radius > 0. */
abut_side abut_cull_side_of_round(const abut_frustum *frustum, const abut_obb *core, float radius);

/* side[v * pitch + k] becomes the abut_side of box k and view[v], for each view whose bit v is set in `views`: the
 * answer of abut_frustum_test_obb, or of abut_cull_side_of_round. pitch >= boxes->n unless there is one view. Boxes are
 * read once for all views. crossed[v * pitch + k] is the set of planes that box k may cross, from
 * abut_cull_planes_of_bounds for bounds around it; NULL: all planes. */
void abut_cull_sides_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes,
                              const uint8_t *crossed, uint8_t *side, size_t pitch);

/* The same in two parts, for callers who collect what planes leave open: first the planes alone, which may answer
 * ABUT_CULL_UNDECIDED or ABUT_CULL_CUT, then the later stages for these. The second reads and writes side[k] of each
 * box; those that are decided stay. It is the quicker the more boxes come together. */
void abut_cull_planes_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes,
                               const uint8_t *crossed, uint8_t *side, size_t pitch);
void abut_cull_finish(const abut_cull_view *view, const abut_cull_boxes *boxes, uint8_t *side);

/* The depth of a frustum along the mean direction of the edges that lead away from the eye: from its near to its far
 * plane; infinity without a far plane, 0 without faces. */
double abut_cull_depth(const abut_frustum *frustum);

/* The ends of an edge, relative to the frustum's origin. */
typedef struct abut_cull_edge {
    abut_d3 from, to;
} abut_cull_edge;

/* Writes the edges of a frustum and returns how many: 12 with six faces, 0 without faces. Infinite edges come last, and
 * are cut off `depth` (> 0) beyond the farthest of their starts, along their mean direction. */
enum { ABUT_CULL_EDGES = 12 };
uint32_t abut_cull_edges(const abut_frustum *frustum, double depth, abut_cull_edge edge[ABUT_CULL_EDGES]);

#endif
