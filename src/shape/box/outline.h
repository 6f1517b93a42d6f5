/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A hull as seen along a direction, and the rectangles around it. */
#ifndef ABUT_SHAPE_BOX_OUTLINE_H
#define ABUT_SHAPE_BOX_OUTLINE_H

#include "base/spatial.h"

/* Whole registers of every instruction set; and the numbers in the largest of them. Directions in which outlines are
 * seen are told from each other by the bits of a byte. */
enum { ABUT_OUTLINE_MAX = 96, ABUT_OUTLINE_PAD = 8, ABUT_OUTLINE_TOGETHER = 8 };

/* Vertices of the outline, evenly chosen where there are more than ABUT_OUTLINE_MAX, each with the direction of the
 * edge that begins there. Coordinates are along two axes perpendicular to the direction of the view. Kernels read whole
 * registers: up to a multiple of ABUT_OUTLINE_PAD, the edges beyond `count` are copies of the first. */
typedef struct abut_outline {
    abut_d3 axis[2];
    double x[ABUT_OUTLINE_MAX], y[ABUT_OUTLINE_MAX], dx[ABUT_OUTLINE_MAX], dy[ABUT_OUTLINE_MAX];
    uint32_t count;
} abut_outline;

/* Of each rectangle the direction of one side, as a unit vector, and the lengths of that side and of the other. */
typedef struct abut_rectangles {
    double cosine[ABUT_OUTLINE_MAX], sine[ABUT_OUTLINE_MAX], side[2][ABUT_OUTLINE_MAX];
} abut_rectangles;

#endif
