/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Worlds of all kinds to put questions to, what may happen to them between two questions, and what lives in them, read
 * through the public API. */
#ifndef ABUT_TESTS_QUESTIONS_WORLDS_H
#define ABUT_TESTS_QUESTIONS_WORLDS_H

#include "support/failing_allocator.h"
#include "world/world_test.h"

typedef enum world_kind {
    KIND_SPARSE,
    KIND_DENSE,
    KIND_CLUSTERS,
    KIND_HUGE,     /* a few huge bodies among many small ones */
    KIND_PLANE,    /* all at one height */
    KIND_LINE,     /* all on one axis */
    KIND_POINT,    /* all at one place, many alike in every bit */
    KIND_GRID,     /* cubes that touch exactly */
    KIND_OUTLIERS, /* a crowd, and some bodies far away */
    KIND_COMPOUNDS,
    KIND_HULLS,
    KIND_ROUNDED,
    KIND_MIXED, /* each body of another kind */
    WORLD_KINDS
} world_kind;

enum { SUBJECT_HULLS = 8, SUBJECT_MOST = 4200, SUBJECT_SLOTS = SUBJECT_MOST + 64 };

/* A living body as it is now. */
typedef struct living {
    abut_body_id id, root;
    abut_shape shape;
    abut_pose pose; /* of the shape, in the world */
    abut_aabb bounds;
    abut_filter filter;
    uint64_t user;
} living;

/* A world that questions are put to. */
typedef struct subject {
    abut_world *world;
    world_kind kind;
    rng r;
    bool fixed;  /* capacity */
    float scale; /* all lengths are multiplied by this power of two */
    abut_hull *hull[SUBJECT_HULLS];
    abut_body_id *id; /* some that were given out, dead ones too */
    size_t id_count;
    living *body; /* ascending by index, as of the last subject_read */
    size_t count;
    abut_body_id recent; /* a body that has changed lately */
    failing_allocator books;
    uint64_t stream;
    unsigned long step; /* for messages */
} subject;

/* An empty world, all random choices from this stream. */
void subject_begin(subject *s, world_kind kind, uint64_t stream);
/* Checks that nothing leaks. */
void subject_end(subject *s);

/* Tries to add n bodies. */
void subject_add(subject *s, size_t n);
/* Destroys about this share of the bodies. */
void subject_thin(subject *s, double share);
/* Moves one body, far or near; false if there is none. */
bool subject_move_one(subject *s);
/* One thing that may happen to a world: bodies come, go, move, change; a step; a call that fails; nothing. */
void subject_stir(subject *s);

/* Reads all living bodies. */
void subject_read(subject *s);

/* An id, mostly of a living body; {0} if there never was one. */
abut_body_id subject_any(subject *s);
/* A point where something may be met. */
abut_vec3 subject_spot(subject *s);
/* A shape and a pose to ask with. Rotations have any length. */
abut_shape subject_shape(subject *s);
abut_pose subject_pose(subject *s);
/* A length between the smallest and the largest that matters. */
float subject_length(subject *s);

/* One of the instruction sets that there are, for all calls from now on. */
void subject_pick_isa(subject *s);

#endif
