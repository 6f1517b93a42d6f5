/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random pairs of shapes on ways that are hard to judge: casts and sweeps, in families. The shapes and how they nearly
 * touch somewhere on the way come from support/near_round.h: all kinds in all pairs, face to corner, edge to edge,
 * nearly parallel, size ratios to 1e6. */
#ifndef ABUT_TESTS_SUPPORT_MOVE_FAMILIES_H
#define ABUT_TESTS_SUPPORT_MOVE_FAMILIES_H

#include "support/cast_oracle.h"
#include "support/near_round.h"

typedef enum move_family {
    MOVE_TOWARDS,  /* against the surface, anywhere on the way */
    MOVE_GRAZING,  /* along the surface, up to 1e-3 of the way off it */
    MOVE_FINE,     /* casts: the last that hits or the first that misses, to 1e-14 of the size */
    MOVE_ENDING,   /* touches at the end of the way, or nearly */
    MOVE_STARTING, /* at rest, sliding, leaving, entering; within e at the start */
    MOVE_BULLET,   /* small and fast through a plate */
    MOVE_ROD,      /* long and thin past a corner */
    MOVE_FAR,      /* up to 1e6 from the origin */
    MOVE_HUGE,     /* casts: ways to 1e30; sweeps: 1e5 sizes */
    MOVE_TINY,     /* no way at all, denormals, to 1e-3 of the size; bodies of denormals */
    MOVE_WHOLE,    /* whole numbers: touches are exact */
    MOVE_ANY,
    MOVE_FAMILIES
} move_family;

extern const char *const move_family_names[MOVE_FAMILIES];

typedef struct move_case {
    round_pair pair; /* `a` moves; the poses are those where they nearly touch */
    grown_core a, b; /* at the start */
    abut_vec3 way;   /* of casts */
    abut_pose to[2]; /* of sweeps: the ends of both */
    float allowance; /* of sweeps */
    bool exact;      /* casts: whole numbers only */
} move_case;

/* Both depend on their arguments alone, but for the rounding of libm. The case points into itself: do not copy it. */
void move_cast_case(const round_hulls *hulls, move_family family, uint64_t seed, uint64_t index, move_case *out);
void move_sweep_case(const round_hulls *hulls, move_family family, uint64_t seed, uint64_t index, move_case *out);

#endif
