/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Triangle meshes, as they are stored: one block, whose arrays are found by offsets. Every byte of it follows from the
 * vertices and triangles. Bytes to be saved are little-endian: see hull.h. */
#ifndef ABUT_SHAPE_MESH_MESH_H
#define ABUT_SHAPE_MESH_MESH_H

#include "base/bytes.h"
#include "base/slant.h"
#include "base/spatial.h"
#include <abut/mesh.h>

enum { ABUT_MESH_VERSION = 1 };              /* of the layout */
#define ABUT_MESH_MAGIC UINT32_C(0x73656d61) /* "ames" where the least byte comes first */

/* Triangles in a leaf of the search tree, and children of a node. */
enum { ABUT_MESH_LEAF = 4, ABUT_MESH_WIDE = 8, ABUT_MESH_LEVELS = 10 };

/* What an edge of a triangle is: by the exact sign of the volume between the triangle and its neighbour. */
typedef enum abut_mesh_edge {
    ABUT_MESH_OUTER,  /* it has no neighbour, or more than one, or one folded back onto the triangle; the side is 0 */
    ABUT_MESH_CONVEX, /* the neighbour falls away, seen from the front */
    ABUT_MESH_FLAT,
    ABUT_MESH_HOLLOW
} abut_mesh_edge;

/* A side of a triangle, from corner k to corner (k + 1) % 3, as one number: the neighbour's number in the lowest 27
 * bits, which of the neighbour's sides it is (2 bits), whether the neighbour's front is on the other side (1 bit; only
 * where two_sided), and its abut_mesh_edge (2 bits), seen from the front of the side's own triangle. Triangles without
 * area have outer sides. */
static inline uint32_t abut_mesh_side(uint32_t neighbour, uint32_t side, bool turned, abut_mesh_edge edge) {
    return neighbour | side << 27 | (uint32_t)turned << 29 | (uint32_t)edge << 30;
}
static inline uint32_t abut_mesh_neighbour(uint32_t side) {
    return side & ((UINT32_C(1) << 27) - 1);
}
static inline uint32_t abut_mesh_side_of_neighbour(uint32_t side) {
    return side >> 27 & 3;
}
static inline bool abut_mesh_is_turned(uint32_t side) {
    return side >> 29 & 1;
}
static inline abut_mesh_edge abut_mesh_edge_of(uint32_t side) {
    return (abut_mesh_edge)(side >> 30);
}

/* A leaf: triangles beside each other, as kernels read them. Unused places repeat the first triangle, with the number
 * ABUT_MESH_NONE. */
#define ABUT_MESH_NONE UINT32_MAX
typedef struct abut_mesh_leaf {
    float corner[3][3][ABUT_MESH_LEAF]; /* corner k, axis i, of each triangle */
    uint32_t number[ABUT_MESH_LEAF];
} abut_mesh_leaf;

/* The boxes of eight children: of leaves at level 0, of nodes of the level below otherwise. Unused places hold +FLT_MAX
 * as min and -FLT_MAX as max, so no finite box meets them. */
typedef struct abut_mesh_node {
    float min[3][ABUT_MESH_WIDE], max[3][ABUT_MESH_WIDE];
} abut_mesh_node;

struct abut_mesh {
    uint32_t magic, version; /* ABUT_MESH_MAGIC, ABUT_MESH_VERSION */
    uint64_t size;           /* of the block in bytes, this header included; a multiple of 64 */
    uint64_t digest;         /* of all bytes but these: equal meshes have equal digests */
    uint32_t vertex_count, triangle_count;
    uint32_t ghost_count; /* triangles with area that are ghosts */
    uint32_t solid_count; /* triangles in the tree: with area, and no ghosts */
    uint32_t two_sided;   /* 0 or 1 */
    uint32_t levels;      /* of the tree, 1 .. ABUT_MESH_LEVELS - 1; the highest has one node */
    uint32_t leaf_count;
    uint32_t level_first[ABUT_MESH_LEVELS]; /* the first node of each level. Child k of node j of level l, counted from
                                               there, is node 8 j + k of level l - 1, or leaf 8 j + k */
    abut_aabb bounds;                       /* of what can be touched */
    float radius;                           /* none of that is farther from the origin: rounded up */
    float reserved[2];
    /* Offsets of the arrays. */
    uint64_t vertices; /* abut_vec3[vertex_count], no two equal, no negative zeros */
    uint64_t indices;  /* uint32_t[3 triangle_count]; ABUT_MESH_NONE three times for a hole */
    uint64_t sides;    /* uint32_t[3 triangle_count]: see abut_mesh_side */
    uint64_t solid;    /* uint32_t[triangle_count / 32, rounded up]: a bit for each triangle that is in the tree */
    uint64_t nodes;    /* abut_mesh_node[] */
    uint64_t leaves;   /* abut_mesh_leaf[leaf_count]: sorted in some way, each leaf by number */
};

/* Whether the pointer may be one to a mesh: it is aligned and has a header of this version. */
static inline bool abut_mesh_plausible(const abut_mesh *mesh) {
    return (uintptr_t)mesh % _Alignof(abut_mesh) == 0 && mesh->magic == ABUT_MESH_MAGIC &&
           mesh->version == ABUT_MESH_VERSION;
}

static inline const void *abut_mesh_at(const abut_mesh *mesh, uint64_t offset) {
    return (const unsigned char *)mesh + offset;
}
static inline const abut_vec3 *abut_mesh_vertices(const abut_mesh *mesh) {
    return abut_mesh_at(mesh, mesh->vertices);
}
static inline const uint32_t *abut_mesh_indices(const abut_mesh *mesh) {
    return abut_mesh_at(mesh, mesh->indices);
}
static inline const uint32_t *abut_mesh_sides(const abut_mesh *mesh) {
    return abut_mesh_at(mesh, mesh->sides);
}
static inline const abut_mesh_node *abut_mesh_nodes(const abut_mesh *mesh, uint32_t level) {
    return (const abut_mesh_node *)abut_mesh_at(mesh, mesh->nodes) + mesh->level_first[level];
}
static inline const abut_mesh_leaf *abut_mesh_leaves(const abut_mesh *mesh) {
    return abut_mesh_at(mesh, mesh->leaves);
}

/* A corner of a triangle that is no hole. */
static inline abut_d3 abut_mesh_corner(const abut_mesh *mesh, uint32_t triangle, uint32_t k) {
    return abut_d3_from(abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)triangle + k]]);
}

/* Whether a triangle, below triangle_count, can be touched: it has area and is no ghost. O(1). */
static inline bool abut_mesh_is_solid(const abut_mesh *mesh, uint32_t triangle) {
    const uint32_t *bits = abut_mesh_at(mesh, mesh->solid);
    return bits[triangle / 32] >> triangle % 32 & 1;
}

/* The bytes that the block takes: there is a little-endian copy of it behind it where the machine has another order. */
static inline uint64_t abut_mesh_copies_size(const abut_mesh *mesh) {
    return (abut_bytes_little_endian() ? 1 : 2) * mesh->size;
}

/* Whether a ghost may have a corner at a vertex; of meshes with ghosts. The bits stand behind the block and are none of
 * its bytes, from which they follow. Most triangles are far from a seam, and need no walk around their corners. */
static inline bool abut_mesh_has_ghost_at(const abut_mesh *mesh, uint32_t vertex) {
    const uint32_t *bits = abut_mesh_at(mesh, abut_mesh_copies_size(mesh));
    return bits[vertex / 32] >> vertex % 32 & 1;
}

/* A place in the leaves: 4 * leaf + lane. */
static inline uint32_t abut_mesh_number(const abut_mesh *mesh, uint32_t place) {
    return abut_mesh_leaves(mesh)[place / ABUT_MESH_LEAF].number[place % ABUT_MESH_LEAF];
}

/* A walk along the triangles near a box, in the order of the leaves. Where these are few they may be looked up ahead.
 */
enum { ABUT_MESH_OPENED = 16 + ABUT_MESH_WIDE };
typedef struct abut_mesh_walk {
    float min[3], max[3];               /* the closed box, in the mesh's frame; made finite */
    uint32_t child[ABUT_MESH_LEVELS];   /* by level: the node whose children are being visited, */
    uint32_t pending[ABUT_MESH_LEVELS]; /* and the bits of those that are left */
    uint32_t level;                     /* the walk is there: mesh->levels above all nodes, one more at the end */
    const abut_slant *slant;            /* NULL, or triangles beyond it may be left out */
    bool looked;                        /* ahead: once is enough where there are too many leaves */
    bool opened;                        /* the leaves below are all there is, and it has not begun */
    uint32_t leaf_count, leaf[ABUT_MESH_OPENED];
} abut_mesh_walk;

/* The box may be infinite. */
void abut_mesh_walk_begin(const abut_mesh *mesh, const float min[3], const float max[3], abut_mesh_walk *walk);
/* Looks up the leaves of a walk that has not begun, if they are few, and has them fetched: for a walk that comes soon.
 */
void abut_mesh_walk_open(const abut_mesh *mesh, abut_mesh_walk *walk);
/* Writes the next places of triangles whose bounds touch the box, at most `capacity` (>= ABUT_MESH_LEAF); returns how
 * many, 0 at the end. */
uint32_t abut_mesh_walk_next(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity);

#endif
