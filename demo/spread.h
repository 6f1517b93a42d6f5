/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Statistics of the hulls of a set. */
#ifndef ABUT_DEMO_SPREAD_H
#define ABUT_DEMO_SPREAD_H

#include "specimen.h"

typedef struct spread {
    double least, median, most; /* all 0 without samples */
} spread;

typedef enum set_number { SET_VERTICES, SET_FACES, SET_EDGES, SET_SECONDS, SET_NUMBER_COUNT } set_number;

typedef struct set_summary {
    size_t files, hulls, points;
    spread of[SET_NUMBER_COUNT];
    double volume; /* of all hulls */
} set_summary;

/* Of items first .. end - 1. */
set_summary set_summarise(const collection *c, size_t first, size_t end);

#endif
