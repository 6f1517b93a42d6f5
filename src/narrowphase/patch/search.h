/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The walk along the triangles that a convex shape touches. */
#ifndef ABUT_NARROWPHASE_PATCH_SEARCH_H
#define ABUT_NARROWPHASE_PATCH_SEARCH_H

#include "narrowphase/mesh/sift.h"
#include "narrowphase/patch/notes.h"
#include "narrowphase/patch/patch.h"

/* A convex shape at a mesh. */
typedef struct abut_np_place {
    abut_np_seat seat;
    abut_np_sieve sieve;
    abut_mesh_walk walk; /* along the triangles within reach */
    abut_slant slant;    /* to which `walk` may point: a place must not be copied */
} abut_np_place;

/* Points to the room for hulls, which must stay. */
void abut_np_place_of(const abut_collider *mesh, const abut_collider *convex, float margin, abut_np_hull_room *room,
                      abut_np_place *p);

enum { ABUT_NP_FOUND = 64 };
/* A walk along the triangles that are touched. */
typedef struct abut_np_search {
    abut_mesh_walk walk;
    uint32_t part[ABUT_NP_FOUND], place[ABUT_NP_FOUND];
    uint8_t known[ABUT_NP_FOUND]; /* as sift.h says */
    uint32_t found;               /* how many may be touched */
    uint32_t next;                /* those below this have had their facings made */
    uint32_t first, waiting;      /* bit k of `waiting`: the patch of number first + k has still to be made, */
    abut_np_facing *facing;       /* of which this is the facing, at k */
    abut_np_normals *normals;
    const abut_np_notes *notes; /* only of those that may be noted; NULL: of all */
} abut_np_search;

/* Begins where the place's walk begins. */
void abut_np_search_begin(const abut_np_place *p, abut_np_facing *facing, abut_np_normals *normals, abut_np_search *s);

/* The patch of the next triangle that is touched, or only whether there is one; false at the end. */
bool abut_np_search_next(const abut_np_place *p, abut_np_search *s, abut_np_patch *patch);

#endif
