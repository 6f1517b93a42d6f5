/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random lives of a world with all that a snapshot must hold: every kind of shape, compounds, filters, slots that are
 * free or were used again, changes that no step has seen yet. A life may go on in two worlds at once, which must then
 * answer alike. */
#ifndef ABUT_TESTS_SNAPSHOT_LIVES_H
#define ABUT_TESTS_SNAPSHOT_LIVES_H

#include "world/grounds.h"
#include <abut/snapshot.h>

enum { LIFE_HULLS = 4, LIFE_MESHES = 2, LIFE_IDS = 4096 };

typedef struct life {
    abut_world *world, *twin; /* the same calls go to both; `twin` may be NULL */
    rng r;
    abut_hull *hull[LIFE_HULLS];
    abut_mesh *mesh[LIFE_MESHES];
    abut_body_id id[LIFE_IDS]; /* all that were given out */
    size_t ids;
    size_t asked; /* how often `finder` was called */
    uint64_t stream;
    unsigned long step; /* for messages */
} life;

/* An empty world, made as `def` says. */
void life_begin(life *l, const abut_world_def *def, uint64_t stream);
void life_end(life *l);

/* A random call, the same to both worlds. */
void life_act(life *l);
/* A step of both worlds, whose reports and lists must be alike. */
void life_step(life *l);
/* Some calls, and then perhaps steps: leaves a world in one of the states that snapshots are taken in. */
void life_pass(life *l);

/* Finds the hulls and meshes of this life, and counts. */
abut_shape_finder life_finder(life *l);

/* --- snapshots --- */

typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

/* Checks what is promised of sizes and of what is written; free it with saved_free. */
saved save_world(const abut_world *world);
void saved_free(saved *s);
bool saved_equal(const saved *a, const saved *b);
/* Whether the world's snapshot is this one, bit for bit. */
bool is_saved(const abut_world *world, const saved *s);

/* Whether all answers that can be asked for without a step are the same. */
bool same_answers(const abut_world *a, const abut_world *b);

#endif
