/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which keys are compared with which: keys of one group are neighbours in their column, so that the sweep can leave out
 * two groups of which no two keys make a pair. */
#ifndef ABUT_BROADPHASE_GROUPS_H
#define ABUT_BROADPHASE_GROUPS_H

#include "broadphase/broadphase.h"

/* What keys of two groups make. */
typedef enum abut_bp_relation {
    ABUT_BP_NO_PAIRS,
    ABUT_BP_SOME_PAIRS, /* the roles of each two keys decide */
    ABUT_BP_ALL_PAIRS
} abut_bp_relation;

/* A kind is the class of a key, and whether it is static. */
enum { ABUT_BP_KINDS = 2 * ABUT_BP_CLASSES, ABUT_BP_GROUPS_MOST = 5, ABUT_BP_NO_GROUP = 255 };

typedef struct abut_bp_groups {
    uint32_t count;                                             /* at least 1 */
    uint8_t of_kind[ABUT_BP_KINDS];                             /* ABUT_BP_NO_GROUP: makes no pair with any key */
    uint8_t relation[ABUT_BP_GROUPS_MOST][ABUT_BP_GROUPS_MOST]; /* abut_bp_relation */
    bool any_idle;                                              /* active keys may have no group */
} abut_bp_groups;

static inline uint32_t abut_bp_kind_of(uint8_t role) {
    return role / ABUT_BP_STATIC;
}

/* Groups for all keys that are present. Cost: reads their roles. */
void abut_bp_choose_groups(const abut_bp *bp, abut_bp_groups *groups);

#endif
