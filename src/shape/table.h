/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The shape table: all that depends on the type of one shape by itself. docs/adding-a-shape.md has the steps. */
#ifndef ABUT_SHAPE_TABLE_H
#define ABUT_SHAPE_TABLE_H

#include "base/spatial.h"
#include "shape/collider.h"

/* Called with both ends of a line, in the shape's frame. */
typedef void abut_shape_edge(abut_d3 from, abut_d3 to, void *context);

/* One shape. All functions read a valid collider, except `valid`, which may read any of its type. Points and directions
 * are in the shape's frame: before the collider's rotation and centre are applied. */
typedef struct abut_shape_class {
    /* Whether a body may have it. */
    bool (*valid)(const abut_collider *collider);
    /* What abut_collider_bounds and abut_collider_bounds_many return. The latter may be NULL: then the former is called
     * for each collider. */
    abut_aabb (*bounds)(const abut_collider *collider);
    void (*bounds_many)(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]);
    /* No point of the shape is farther from the origin of its frame. */
    double (*extent)(const abut_collider *collider);
    /* A point of the core that lies farthest along a direction, to within rounding. */
    abut_d3 (*support)(const abut_collider *collider, abut_d3 direction);
    /* The core is the convex hull of its corners, which are exact. */
    uint32_t (*corner_count)(const abut_collider *collider);
    abut_d3 (*corner)(const abut_collider *collider, uint32_t i);
    /* For drawing: visits lines of the surface, each once. Without a radius these are the edges. With one, the sides of
     * faces, moved out by the radius, and arcs (arc.h) between them at the corners. NULL where is_obb: the edges are
     * those of the OBB. */
    void (*edges)(const abut_collider *collider, abut_shape_edge *visit, void *context);
    /* Mixes into a hash the part of the shape that is not in the collider itself, such as a hull's content. */
    uint64_t (*hash)(const abut_collider *collider, uint64_t hash);
    /* An order of shapes of this type: negative, 0 where they are equal, or positive. Scaling both by the same power of
     * two keeps it. */
    int (*compare)(const abut_collider *a, const abut_collider *b);
    /* A tight box, in the shape's frame, around the core; see abut_collider_obb. */
    abut_obb (*local_obb)(const abut_collider *collider);
    bool is_obb;        /* the shape is its OBB, with the collider's pose and half extents */
    bool has_body_pose; /* abut_body_def::box says where the shape is in the body's frame; else it is ignored */
} abut_shape_class;

/* box/collider.c, hull/collider.c, mesh/collider.c. Shapes with a radius share the functions of their cores. */
extern const abut_shape_class abut_shape_box, abut_shape_round_box, abut_shape_hull, abut_shape_mesh;

/* By abut_shape_type. */
extern const abut_shape_class *const abut_shape_table[ABUT_SHAPE_TYPES];

static inline const abut_shape_class *abut_shape_of(const abut_collider *collider) {
    return abut_shape_table[collider->type];
}

#endif
