/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of contacts with meshes, in arithmetic of 113 bits: which triangles a convex body truly touches, which
 * normals their contacts may have, and whether a list of parts is right. It reads triangles and nothing else of a mesh,
 * finds neighbours by comparing all corners, and shares no code with the library. */
#ifndef ABUT_TESTS_SUPPORT_MESH_ORACLE_H
#define ABUT_TESTS_SUPPORT_MESH_ORACLE_H

#include "support/mesh_families.h"
#include "support/near_round.h"
#include <abut/contact.h>

typedef enum facts_edge { EDGE_OUTER, EDGE_CONVEX, EDGE_FLAT, EDGE_HOLLOW } facts_edge;

/* What is known of a mesh by itself. */
typedef struct facts {
    uint32_t count;
    bool two_sided;
    abut_vec3 corner[SOUP_TRIANGLES][3];
    bool area[SOUP_TRIANGLES], solid[SOUP_TRIANGLES]; /* solid: with area and no ghost */
    uint8_t edge[SOUP_TRIANGLES][3];                  /* facts_edge, from corner k to the next, seen from the front */
    uint32_t other[SOUP_TRIANGLES][3];                /* the neighbour at an inner edge */
    bool turned[SOUP_TRIANGLES][3];                   /* its front is on the other side */
    double normal[SOUP_TRIANGLES][3];                 /* unit */
    core core[SOUP_TRIANGLES];
} facts;

facts *facts_make(const soup *s); /* free() it */

typedef enum touch_truth { TOUCH_NO, TOUCH_MAYBE, TOUCH_YES } touch_truth;

/* A body against a mesh. */
typedef struct mesh_scene {
    const facts *facts;
    abut_pose pose; /* of the mesh */
    const round_body *body;
    double middle[3]; /* of the body, relative to the mesh's position */
    float margin;
    touch_truth touch[SOUP_TRIANGLES];
    bool behind[SOUP_TRIANGLES];     /* the middle is */
    bool level[SOUP_TRIANGLES];      /* so close to the plane that rounding may decide whether it is */
    double distance[SOUP_TRIANGLES]; /* of the surfaces; INFINITY where they are far apart */
    double size[SOUP_TRIANGLES];     /* S; only where the distance is finite */
} mesh_scene;

void mesh_scene_make(const facts *f, const abut_pose *pose, const round_body *body, float margin, mesh_scene *out);

/* NULL, or what is wrong with an answer. Normals lead from the mesh to the body. *part becomes the triangle that is
 * concerned. */
const char *mesh_scene_fault(const mesh_scene *s, const abut_contact_part *parts, size_t count,
                             const abut_manifold *manifold, uint32_t *part);

/* How far apart: the least of n . p over the body, less its radius, relative to the mesh's position. */
double mesh_scene_support(const mesh_scene *s, const double n[3]);

#endif
