/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Convex hulls as the library sees them: one block of memory without pointers.
 *
 * Layout. The block begins with the header, struct abut_hull below. Arrays follow, in the order in which the header
 * lists their offsets. An offset counts bytes from the start of the block; the block and every array are aligned to 64
 * bytes, and all bytes between arrays are zero. Numbers have the order of bytes of the machine; a machine that is not
 * little-endian keeps a little-endian copy behind the block, which abut_hull_data gives to be saved.
 *
 * The block holds one surface twice:
 * - Facets are exact: the polygons of the convex hull of the vertices. Two triangles belong to one facet only if they
 *   are coplanar to the last bit. Facets and the edges between them decide yes and no, and depths.
 * - Faces are facets merged within coplanar_tolerance: the polygons that contact points lie on. Every edge of a face is
 *   an edge of a facet; an edge inside a face belongs to no face.
 *
 * Indices. A vertex, facet, edge or face is its index in the arrays of its kind. `vertices` and `coordinate` hold the
 * same points, as structures and as one array per axis; `plane` and `plane_floats` the same planes, in double for
 * answers and as floats, one array per component, for kernels that only need bounds. Polygons are counter-clockwise
 * seen from outside and begin with their least vertex.
 *
 * Construction. Each stage has a file: points -> cloud.c (checked, sorted, without duplicates) -> surface.c (triangles
 * of the convex hull) -> polyhedron.c (extreme points and facets in their final order) -> simplify*.c (only where fewer
 * vertices were asked for) -> faces.c (planes, merged faces) -> assemble.c (the block). */
#ifndef ABUT_SHAPE_HULL_HULL_H
#define ABUT_SHAPE_HULL_HULL_H

#include <abut/hull.h>
#include <abut/obb.h>

/* Coordinate and plane arrays are padded to a multiple of this with copies of their first element: wide loads read past
 * the end without harm, and a repeated element changes no minimum. */
enum { ABUT_HULL_PAD = 16 };

enum { ABUT_HULL_VERSION = 1 };              /* of the layout */
#define ABUT_HULL_MAGIC UINT32_C(0x6c756861) /* "ahul" where the least byte comes first */

/* Outward unit normal and offset: n.p <= w for every vertex p, up to rounding. */
typedef struct abut_hull_plane {
    double n[3], w;
} abut_hull_plane;

/* Between two vertices (v[0] < v[1]) and two facets: seen from outside with v[0] below and v[1] above, f[0] lies to the
 * left, f[1] to the right. */
typedef struct abut_hull_edge {
    uint16_t v[2], f[2];
} abut_hull_edge;

/* A face. Its vertices are loop[first] .. loop[first + count - 1]; its side i runs from vertex i to the next one, and
 * sides[first + i] is the edge on which that side lies. */
typedef struct abut_hull_polygon {
    abut_hull_plane plane; /* w is the support: no vertex of the hull lies in front by more than rounding */
    uint32_t first, count;
} abut_hull_polygon;

struct abut_hull {
    uint32_t magic, version;                        /* ABUT_HULL_MAGIC, ABUT_HULL_VERSION */
    uint32_t size;                                  /* of the block in bytes, this header included; a multiple of 64 */
    uint32_t vertex_count, facet_count, edge_count; /* of the exact surface; Euler's formula holds */
    uint32_t face_count, face_edge_count, loop_count; /* after merging; loop_count == 2 face_edge_count */
    float volume;                                     /* > 0, may be infinite */
    abut_vec3 centroid;
    abut_obb obb;             /* a tight box that contains every vertex */
    float radius;             /* no vertex is farther from the origin of the hull's frame: rounded up */
    uint64_t digest;          /* of all bytes but these: equal hulls have equal digests. 0: a box written as a hull */
    float coplanar_tolerance; /* as the caller gave it: 0 is the default */
    uint32_t reserved;        /* 0 */
    /* Offsets of the arrays. "Padded" is a count rounded up by abut_hull_padded. */
    uint32_t vertices;        /* abut_vec3[vertex_count], ascending by x, y, z */
    uint32_t coordinate[3];   /* float[padded vertex_count] each: x, y and z of the vertices */
    uint32_t plane;           /* abut_hull_plane[facet_count], ascending by the first two vertices of the facet */
    uint32_t plane_floats[4]; /* float[padded facet_count] each: n[0], n[1], n[2] and w, rounded to nearest */
    uint32_t edges;           /* abut_hull_edge[edge_count], ascending by v */
    uint32_t faces;           /* abut_hull_polygon[face_count], ascending by the first two vertices of the face */
    uint32_t loop;            /* uint16_t[loop_count]: the vertices of all faces, face by face */
    uint32_t sides;           /* uint16_t[loop_count]: the edges of all faces, face by face */
    uint32_t face_of;         /* uint16_t[facet_count]: the face that a facet was merged into */
    /* Facet f has the edges facet_edges[facet_edges_first[f]] .. facet_edges[facet_edges_first[f + 1] - 1], ascending;
     * vertex v those of vertex_edges in the same way. */
    uint32_t facet_edges_first;  /* uint16_t[facet_count + 1] */
    uint32_t facet_edges;        /* uint16_t[2 edge_count] */
    uint32_t vertex_edges_first; /* uint16_t[vertex_count + 1] */
    uint32_t vertex_edges;       /* uint16_t[2 edge_count] */
};

/* Whether the pointer may be one to a hull: it is aligned and has a header of this version. */
static inline bool abut_hull_plausible(const abut_hull *hull) {
    return (uintptr_t)hull % _Alignof(abut_hull) == 0 && hull->magic == ABUT_HULL_MAGIC &&
           hull->version == ABUT_HULL_VERSION;
}

/* The bounds of all vertices at a finite pose, grown by a radius, rounded outward. O(vertices). */
abut_aabb abut_hull_bounds(const abut_hull *hull, abut_vec3 position, abut_quat rotation, float radius);

static inline const void *abut_hull_at(const abut_hull *hull, uint32_t offset) {
    return (const unsigned char *)hull + offset;
}

static inline const float *abut_hull_coordinate(const abut_hull *hull, int axis) {
    return abut_hull_at(hull, hull->coordinate[axis]);
}

/* component 0 to 2: of the normals; 3: the offsets. */
static inline const float *abut_hull_plane_floats(const abut_hull *hull, int component) {
    return abut_hull_at(hull, hull->plane_floats[component]);
}

static inline const abut_hull_plane *abut_hull_planes(const abut_hull *hull) {
    return abut_hull_at(hull, hull->plane);
}

static inline const abut_hull_edge *abut_hull_edges(const abut_hull *hull) {
    return abut_hull_at(hull, hull->edges);
}

static inline const abut_hull_polygon *abut_hull_faces(const abut_hull *hull) {
    return abut_hull_at(hull, hull->faces);
}

/* One of the arrays of uint16_t, by its offset: abut_hull_indices(hull, hull->loop). */
static inline const uint16_t *abut_hull_indices(const abut_hull *hull, uint32_t offset) {
    return abut_hull_at(hull, offset);
}

/* Rounded up to whole wide loads. */
static inline uint32_t abut_hull_padded(uint32_t count) {
    return (count + ABUT_HULL_PAD - 1) / ABUT_HULL_PAD * ABUT_HULL_PAD;
}

#endif
