/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Histories of worlds: what changes between the questions of a judge. Each stream is another random case. */
#ifndef ABUT_TESTS_QUESTIONS_HISTORIES_H
#define ABUT_TESTS_QUESTIONS_HISTORIES_H

#include "world/query/questions_judge.h"

typedef void (*judge)(subject *s);

/* A world of each kind, `rounds` times: asked before any step, then after anything that may happen. */
void history_of_all_kinds(judge ask, uint64_t stream, unsigned long rounds);

/* Hundreds of single changes, each followed by a question: most are poses. */
void history_of_single_changes(judge ask, uint64_t stream, unsigned long rounds);

/* From nothing to thousands of bodies and back, several times, asked on the way. */
void history_of_growth(judge ask, uint64_t stream, unsigned long rounds);

/* One body after another comes where the number of bodies passes a power of two, up to 4096. */
void history_of_slow_growth(judge ask, uint64_t stream, unsigned long rounds);

/* All that lives has gone far away from the origin, where floats are coarse. */
void history_of_far_places(judge ask, uint64_t stream, unsigned long rounds);

/* For cmocka: the histories pick instruction sets. */
int restore_isa(void **state);

#endif
