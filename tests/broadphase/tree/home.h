/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A broad phase whose keys have boxes for the search tree, in families; and a check of the whole tree. */
#ifndef ABUT_TESTS_BROADPHASE_TREE_HOME_H
#define ABUT_TESTS_BROADPHASE_TREE_HOME_H

#include "broadphase/broadphase.h"
#include "support/failing_allocator.h"
#include "support/rng.h"
#include "support/test.h"

typedef enum family {
    SPREAD,
    CITY,
    LATTICE,
    HUGE_AND_TINY,
    RODS,
    POINTS,
    DECADES,
    COINCIDENT,
    FAR,
    LINE,
    PLANE,
    OUTLIERS,
    TINY,
    DENORMAL,
    FAMILY_COUNT
} family;

enum { HOME_MOST = 5000 };

typedef struct home {
    failing_allocator books;
    abut_allocator allocator;
    abut_bp bp;
    family kind;
    uint32_t keys, live; /* all keys are below `keys`; so many are present */
    bool present[HOME_MOST];
    abut_bp_box box[HOME_MOST];
    float surplus[HOME_MOST];
    bool has_surplus;          /* boxes are given one */
    bool touched[HOME_MOST];   /* since the last update */
    uint32_t asked[HOME_MOST]; /* by the last update: how often the box was asked for */
    uint32_t updates, orders;  /* how many, and how many of them made the order anew */
} home;

home *home_make(family kind);
void home_release(home *h);

abut_bp_box home_random_box(rng *r, family kind, uint32_t key);

/* Adds keys, with more memory where that is needed. */
void home_add(home *h, rng *r, uint32_t n);
void home_remove(home *h, uint32_t key);
/* Gives a key another box: one of its family, or its own a little farther. Adds it if it is absent. */
void home_teleport(home *h, rng *r, uint32_t key);
void home_nudge(home *h, rng *r, uint32_t key);
void home_set(home *h, uint32_t key, const abut_bp_box *box);
void home_set_class(home *h, uint32_t key, uint32_t new_class);

/* Brings the tree up to date and checks all of it, and whose boxes it asked for. */
void home_update(home *h);

/* Some changes: few or many keys move a little, go elsewhere, come or go. */
void home_change(home *h, rng *r);

#endif
