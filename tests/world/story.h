/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A random life of a world that is the same on every machine, for answers that are pinned: bodies of every kind, legal
 * and illegal calls. All that the calls answer goes into a digest. */
#ifndef ABUT_TESTS_WORLD_STORY_H
#define ABUT_TESTS_WORLD_STORY_H

#include "support/digest.h"
#include "support/rng.h"
#include "support/wild.h"
#include <abut/abut.h>

enum { STORY_BODIES = 600, STORY_MESHES = 3 };

/* Shapes that stories share; story_shapes_make comes first. */
typedef struct story_shapes {
    wild_hulls hulls;
    abut_mesh *mesh[STORY_MESHES];
} story_shapes;
void story_shapes_make(story_shapes *shapes);
void story_shapes_free(story_shapes *shapes);
abut_shape_finder story_finder(story_shapes *shapes);

/* What bodies are like. */
typedef struct story_kind {
    double extent;               /* they are in a cube of this half extent */
    double round, hulls, meshes; /* shares of shapes; the others are boxes */
    double filtered, attached;   /* shares of bodies */
    double coarse, bounds_only;  /* shares of those with a detail other than manifolds */
    double wrong;                /* share of calls with a wrong argument */
    bool aligned;                /* boxes are not turned, and their corners are at whole coordinates */
} story_kind;

typedef struct story {
    abut_world *world;
    const story_shapes *shapes;
    const story_kind *kind;
    rng r;
    double wrong; /* as in kind, or less, while the arguments of many are made: one is enough */
    uint64_t *digest;
    uint32_t n; /* ids given out and not known to be destroyed */
    abut_body_id id[STORY_BODIES];
} story;

/* Makes the world; the test fails if that fails. */
void story_begin(story *s, const abut_world_def *def, const story_shapes *shapes, const story_kind *kind,
                 uint64_t stream, uint64_t *digest);
void story_end(story *s);

/* Random arguments. */
abut_pose story_pose(story *s);
abut_shape story_shape(story *s, bool mesh);
abut_filter story_filter(story *s);
abut_body_id story_body(story *s); /* now and then none that lives */
abut_body_def story_def(story *s);

void story_create(story *s, uint32_t n); /* one by one or many at once */
void story_move(story *s, double share); /* sets poses of a share of the bodies, some of them equal to the old ones */
void story_change(story *s);             /* a call of any kind that changes the world */
void story_step(story *s); /* with or without a listener; what is read of it, and in which order, is left to chance */
void story_read(story *s); /* all that can be read of each body */

#endif
