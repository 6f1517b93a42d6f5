/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Judges of what moves: each asks about every pair by itself, with the functions of the narrow phase that the world
 * uses, and puts the answers together by the rules of abut/cast.h, to the bit. */
#ifndef ABUT_TESTS_CAST_JUDGE_H
#define ABUT_TESTS_CAST_JUDGE_H

#include "world/query/questions_histories.h"

void judge_casts(subject *s);  /* cast_shapes, shape_hits */
void judge_sweeps(subject *s); /* sweep; also a failing allocator */

/* How much they found. */
typedef struct cast_tally {
    size_t hits, misses, errors;
    size_t touched, closing; /* at the start: hit without a normal, and with one */
    size_t ties;             /* at one fraction in double */
    size_t both;             /* sweeps: hits of two movers */
    size_t attached;         /* sweeps: hits of what is attached to the body in question */
    size_t failed, full;     /* sweeps: calls without memory, and without capacity */
} cast_tally;
extern cast_tally judged_casts;

#endif
