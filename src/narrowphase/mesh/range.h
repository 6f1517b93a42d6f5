/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which normals a contact with a triangle may have. All is in the mesh's frame; normals are unit vectors that lead away
 * from the mesh. `back`: the triangle is touched from its back, which only two-sided meshes allow. */
#ifndef ABUT_NARROWPHASE_MESH_RANGE_H
#define ABUT_NARROWPHASE_MESH_RANGE_H

#include "narrowphase/mesh/fan.h"

/* A middle that is behind a plane by at most this times its distance counts as not behind. */
static const double ABUT_NP_MESH_BEHIND = 0x1p-46;

/* Points whose distance from an edge is at most this times the size of the shape that touches them are on it. */
static const double ABUT_NP_MESH_NEAR_EDGE = 0x1p-19;

/* Whether a point is behind a triangle's plane. */
bool abut_np_mesh_behind(const abut_mesh *mesh, uint32_t part, abut_d3 middle);

/* The nearest normal to this one that is allowed on side k, or at corner k: on an inner edge those between the two
 * faces where they form a ridge, else the triangle's own; at an inner corner those between the faces around. Outer
 * edges and their corners allow all, and so do corners of more than ABUT_NP_CORNER_MAX triangles. `known` saves time,
 * as triangles of one contact are neighbours; for edges it may be NULL.
 */
abut_d3 abut_np_mesh_range_of_edge(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part, bool back,
                                   uint32_t k, abut_d3 normal);
abut_d3 abut_np_mesh_range_near(const abut_mesh *mesh, abut_np_normals *known, uint32_t part, bool back, uint32_t k,
                                double nearly, abut_d3 normal); /* where no allowed normal has a cosine of `nearly` > 0
                                                                   with this one, any that is allowed may come */
static inline abut_d3 abut_np_mesh_range_of_corner(const abut_mesh *mesh, abut_np_normals *known, uint32_t part,
                                                   bool back, uint32_t k, abut_d3 normal) {
    return abut_np_mesh_range_near(mesh, known, part, back, k, 0, normal);
}

/* Whether a side, as stored, is a fold to a body that sees a face from its back, or not. Its edge is hollow then, but
 * the body's middle is before the other side of the face beyond: it is outside, where the edge is a ridge. Of two-sided
 * meshes. */
bool abut_np_mesh_is_fold(const abut_mesh *mesh, bool back, uint32_t side, abut_d3 middle);

/* The same at a point of the triangle; within `near` of an edge it is on it. Elsewhere the triangle's own normal. */
abut_d3 abut_np_mesh_in_range(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point, double near,
                              abut_d3 normal);

/* What a point of the triangle is for that: on the border, where all normals are allowed (an outer edge, a corner of
 * one, a corner of too many triangles); on a ridge, or a corner of one; or elsewhere, where only its own normal is. */
typedef enum abut_np_mesh_region { ABUT_NP_MESH_BORDER, ABUT_NP_MESH_RIDGE, ABUT_NP_MESH_EVEN } abut_np_mesh_region;
abut_np_mesh_region abut_np_mesh_region_of(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point, double near);

/* The same where *back says only on which side the middle of the shape is, and becomes the side that is touched: that
 * one, but beside a sharp ridge of a two-sided mesh the middle may be behind the far face though all of the shape is
 * before the ridge. There the side counts whose range is nearer to the normal. */
abut_d3 abut_np_mesh_in_range_of_side(const abut_mesh *mesh, uint32_t part, abut_d3 point, double near, abut_d3 normal,
                                      bool *back);

/* Sides near a point of a triangle, as bits: whether it is one, which, and the corner in which two meet: sides 0 and 1
 * in corner 1, sides 1 and 2 in corner 2, sides 2 and 0 in corner 0. */
static inline bool abut_np_is_one_side(uint32_t on) {
    return on == 1 || on == 2 || on == 4;
}
static inline uint32_t abut_np_side_of(uint32_t on) {
    return on == 4 ? 2 : on - 1;
}
static inline uint32_t abut_np_corner_of(uint32_t on) {
    return on == 3 ? 1 : on == 6 ? 2 : 0;
}

/* A walk over the triangles around corner k, without the triangle itself, at most ABUT_NP_CORNER_MAX; then comes
 * ABUT_MESH_NONE, beyond which nobody goes. */
typedef struct abut_np_around {
    abut_np_turn turn;
    uint32_t part, k, left;
    bool other_way;
} abut_np_around;
static inline abut_np_around abut_np_around_begin(uint32_t part, uint32_t k) {
    return (abut_np_around){{{part, false}, k, true}, part, k, ABUT_NP_CORNER_MAX, false};
}
uint32_t abut_np_around_next(const abut_mesh *mesh, abut_np_around *around);

/* All of them; returns how many. */
uint32_t abut_np_mesh_around(const abut_mesh *mesh, uint32_t part, uint32_t k, uint32_t *out);

#endif
