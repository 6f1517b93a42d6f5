/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Faces around inner corners of a mesh, and their normals, which are worked out once for all triangles of a contact. */
#ifndef ABUT_NARROWPHASE_MESH_FAN_H
#define ABUT_NARROWPHASE_MESH_FAN_H

#include "narrowphase/narrowphase.h"
#include <string.h>

/* A triangle and the side of it that is seen. */
typedef struct abut_np_face {
    uint32_t part;
    bool back;
} abut_np_face;

/* Both in one number. */
static inline uint32_t abut_np_face_pack(abut_np_face f) {
    return f.part | (uint32_t)f.back << 31;
}
static inline abut_np_face abut_np_face_unpack(uint32_t packed) {
    return (abut_np_face){packed & ((UINT32_C(1) << 31) - 1), packed >> 31};
}

static inline uint32_t abut_np_face_side(const abut_mesh *mesh, abut_np_face f, uint32_t k) {
    return abut_mesh_sides(mesh)[3 * (size_t)f.part + k];
}

/* A ridge between two faces: from the back, what is hollow is one. */
static inline bool abut_np_face_is_ridge(abut_np_face f, uint32_t side) {
    return abut_mesh_edge_of(side) == (f.back ? ABUT_MESH_HOLLOW : ABUT_MESH_CONVEX);
}

/* A walk around a corner, from face to face: over which side it leaves the next one, and whether that begins there. */
typedef struct abut_np_turn {
    abut_np_face f;
    uint32_t leave;
    bool begins;
} abut_np_turn;

/* Goes on beyond a side, which is the one over which the walk leaves. In the next face the corner is an end of the same
 * side, which has another number there, and of one more, over which the walk goes on. Neighbours run along their side
 * in opposite directions, unless one of them is turned. */
static inline void abut_np_turn_on(abut_np_turn *t, uint32_t side) {
    static const uint8_t beyond[2][3] = {{1, 2, 0}, {2, 0, 1}};
    const bool turned = abut_mesh_is_turned(side), at_begin = t->begins == turned;
    t->f = (abut_np_face){abut_mesh_neighbour(side), t->f.back != turned};
    t->leave = beyond[at_begin][abut_mesh_side_of_neighbour(side)];
    t->begins = !at_begin;
}

/* Normals of fronts that have been worked out, and fans. A fan's faces stand in the order of a walk around its corner;
 * with `ridge` there is one between face i of all and the next. Normals are those of the fan's side, and only of the
 * first faces: corners of more are rare. */
enum { ABUT_NP_NORMALS = 8, ABUT_NP_CORNER_MAX = 256, ABUT_NP_FANS = 8 };
enum { ABUT_NP_FAN_FACES = ABUT_NP_CORNER_MAX + 32, ABUT_NP_FAN_NORMALS = 48 };
typedef struct abut_np_fan {
    uint32_t vertex; /* ABUT_MESH_NONE: it serves one triangle only */
    bool ridge;      /* there is one between some of its faces */
    double together; /* the least cosine of the normal of a face and of the first one */
    uint32_t first, count;
} abut_np_fan;
typedef struct abut_np_normals {
    uint32_t part[ABUT_NP_NORMALS]; /* ABUT_MESH_NONE: nothing is known here */
    abut_d3 normal[ABUT_NP_NORMALS];
    uint32_t fan_count, face_count;
    abut_np_fan fan[ABUT_NP_FANS];
    uint32_t face[ABUT_NP_FAN_FACES]; /* packed */
    bool ridge[ABUT_NP_FAN_FACES];
    abut_d3 face_normal[ABUT_NP_FAN_NORMALS];
} abut_np_normals;

/* Of one mesh. */
static inline void abut_np_normals_begin(abut_np_normals *known) {
    memset(known->part, 0xff, sizeof known->part);
    known->fan_count = known->face_count = 0;
}

/* abut_np_mesh_normal, and the same seen from a side. `known` may be NULL. */
abut_d3 abut_np_known_normal(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part);
abut_d3 abut_np_face_normal_of(const abut_mesh *mesh, const abut_np_normals *known, abut_np_face f);

/* The fan around corner k of a triangle, which is face `at` of it, counted from its first; NULL if a side at the corner
 * is outer, or there are too many faces. Valid until the next call. */
const abut_np_fan *abut_np_fan_at(const abut_mesh *mesh, abut_np_normals *known, abut_np_face f, uint32_t k,
                                  uint32_t *at);

/* The normal of face i of all. */
static inline abut_d3 abut_np_fan_normal(const abut_mesh *mesh, const abut_np_normals *known, uint32_t i) {
    return i < ABUT_NP_FAN_NORMALS ? known->face_normal[i]
                                   : abut_np_face_normal_of(mesh, known, abut_np_face_unpack(known->face[i]));
}

#endif
