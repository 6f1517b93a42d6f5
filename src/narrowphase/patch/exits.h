/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The ways out of a contact: what leaves one triangle along its normal also leaves those that lie behind the plane
 * where that ends. So a triangle that reaches a ridge, or a border, with no more than a corner is no deeper than those
 * that reach it with a side. */
#ifndef ABUT_NARROWPHASE_PATCH_EXITS_H
#define ABUT_NARROWPHASE_PATCH_EXITS_H

#include "narrowphase/mesh/sift.h"
#include "narrowphase/patch/axis.h"
#include "narrowphase/patch/patch.h"
#include <string.h>

/* Of each triangle how long its way out is at least, where there are many: a code that ascends with it. Triangles that
 * share a place have the least of theirs. */
enum { ABUT_NP_OUTS = 1024, ABUT_NP_NO_OUT = UINT8_MAX };
typedef struct abut_np_outs {
    uint8_t least[ABUT_NP_OUTS];
} abut_np_outs;

/* The ways out that were asked last, rounded, each at a place that its number says: enough to tell of most that a patch
 * cannot be turned to them. As many as fit where patches are made again later (collide.c). */
enum { ABUT_NP_SEEN = 220 };
typedef struct abut_np_seen {
    uint32_t part_plus_one; /* 0: nothing */
    float normal[3], plane; /* as those of an abut_np_exit */
    float out;              /* INFINITY: there is none */
} abut_np_seen;

/* The shortest of many: those of a contact with more patches than can be kept, and of ghosts. */
enum { ABUT_NP_EXITS = 8, ABUT_NP_EXITS_BITS = 256 };
typedef struct abut_np_exits {
    abut_np_outs *outs;                       /* NULL: all are tried */
    abut_np_seen *seen;                       /* NULL: nothing is remembered */
    uint64_t of[ABUT_NP_EXITS_BITS / 64];     /* of which triangles there are some: a bit for many numbers */
    uint64_t turned[ABUT_NP_EXITS_BITS / 64]; /* which may have been turned to one that there was no room for */
    uint32_t count;
    bool asked;                       /* no others are */
    abut_np_exit exit[ABUT_NP_EXITS]; /* ascending by `out`; of those that are the same that of the lowest triangle */
} abut_np_exits;

static inline void abut_np_exits_begin(abut_np_exits *exits) {
    exits->outs = NULL;
    exits->seen = NULL;
    memset(exits->of, 0, sizeof exits->of);
    memset(exits->turned, 0, sizeof exits->turned);
    exits->asked = false;
    exits->count = 0;
}

/* From here on it is known of each triangle that is added how long its way out is. */
static inline void abut_np_exits_begin_outs(abut_np_exits *exits, abut_np_outs *outs) {
    exits->outs = outs;
    memset(outs->least, ABUT_NP_NO_OUT, sizeof outs->least);
}

/* What is over a plane by less than this is on it: the jitter of float poses. */
static inline double abut_np_exits_near(const abut_np_seat *seat) {
    return ABUT_NP_RESTING * abut_max_d(seat->smallest, seat->radius);
}

/* Whether a patch has a way out for others. Where a margin keeps them apart there is none to go. */
static inline bool abut_np_exits_has(const abut_np_patch *patch, double near, double limit) {
    return patch->out >= -near && patch->out < limit;
}

/* A patch is turned to ways out that are shorter than this. */
static inline double abut_np_exits_limit(const abut_np_seat *seat, const abut_np_patch *patch) {
    const double depth = -patch->separation;
    return patch->shortest ? -INFINITY : patch->leans ? depth : abut_np_mesh_preferred(seat, depth);
}

/* Adds the way out of a patch, if it has one. */
void abut_np_exits_add(const abut_np_seat *seat, const abut_np_patch *patch, abut_np_exits *exits);

/* Remembers ABUT_NP_SEEN ways out from here on. */
void abut_np_exits_begin_seen(abut_np_exits *exits, abut_np_seen *seen);

/* Remembers that of a triangle; `patch`: NULL if it is not touched. */
void abut_np_exits_see(const abut_np_seat *seat, uint32_t part, const abut_np_patch *patch, abut_np_exits *exits);

/* Whether a ghost lies beyond a side of the triangle. */
bool abut_np_exits_is_at_ghost(const abut_mesh *mesh, uint32_t part);

/* Whether a patch may be turned to a way out, of whatever triangle. */
bool abut_np_exits_may_turn(const abut_np_seat *seat, const abut_np_patch *patch);

/* Ghosts around triangles, gathered to be asked at once. */
enum { ABUT_NP_GHOSTS = 24 };
typedef struct abut_np_ghosts {
    const abut_np_seat *seat;
    const abut_np_sieve *sieve;
    abut_np_facing *facing; /* room for ABUT_NP_FACINGS */
    abut_np_normals *known;
    abut_np_patch *scratch; /* room for a patch */
    abut_np_exits *exits;
    uint32_t count, part[ABUT_NP_GHOSTS];
} abut_np_ghosts;

/* Gathers those around a triangle; asks what was gathered where there is no room. */
void abut_np_ghosts_gather(abut_np_ghosts *ghosts, uint32_t part);

/* Adds the ways out of those that are touched. */
void abut_np_ghosts_ask(abut_np_ghosts *ghosts);

/* Turns a patch to the first way out that it can take: its triangle lies behind the plane where that ends, and its
 * normal is allowed at a corner of the triangle in that plane. Of those that there was no room for the neighbours' are
 * tried. Returns whether there is one. */
bool abut_np_exits_turn(const abut_np_seat *seat, abut_np_exits *exits, abut_np_facing *facing, abut_np_normals *known,
                        abut_np_patch *scratch, abut_np_patch *patch);

/* Turns n patches, to their own ways out and those listed. `limit`: the greatest of theirs, `least`: the shortest way
 * out of all. */
enum { ABUT_NP_EXITS_PATCHES = 36 };
void abut_np_exits_turn_all(const abut_np_seat *seat, abut_np_exits *exits, double limit, double least,
                            abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch,
                            abut_np_patch *patch, uint32_t n);

#endif
