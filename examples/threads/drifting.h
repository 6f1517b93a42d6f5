/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the examples of threads run: boxes that drift, in a world without workers and in one with. */
#ifndef ABUT_EXAMPLES_DRIFTING_H
#define ABUT_EXAMPLES_DRIFTING_H

#include <abut/abut.h>
#include <stdbool.h>

/* Runs 60 frames of 3,000 boxes in two worlds, of which the second works on `parallel`. Prints how many contacts there
 * were, and whether all lists of both worlds had the same bits. False if they had not. */
bool drifting_compare(abut_parallel parallel);

#endif
