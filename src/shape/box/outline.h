/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A hull as seen along some directions at once, and the rectangles around it. */
#ifndef ABUT_SHAPE_BOX_OUTLINE_H
#define ABUT_SHAPE_BOX_OUTLINE_H

#include "base/spatial.h"

/* Vertices of an outline; and directions, which are lanes: whole registers of every instruction set, told from each
 * other by the bits of a byte. */
enum { ABUT_OUTLINE_MAX = 96, ABUT_OUTLINE_TOGETHER = 8 };

/* What is known of a vertex of an outline: its coordinates along two axes perpendicular to the direction of the view,
 * and the direction of the edge that begins there; later that of one side of the rectangle along this edge, in these
 * coordinates as a unit vector, and the depth times that side times the other. */
enum {
    ABUT_OUTLINE_X,
    ABUT_OUTLINE_Y,
    ABUT_OUTLINE_ALONG, /* three */
    ABUT_OUTLINE_COSINE = ABUT_OUTLINE_ALONG,
    ABUT_OUTLINE_SINE,
    ABUT_OUTLINE_VOLUME,
    ABUT_OUTLINE_PARTS
};

/* Numbers of each direction d. Vertices are evenly chosen where an outline has more than ABUT_OUTLINE_MAX. */
typedef struct abut_outlines {
    uint32_t directions; /* those beyond are in unused lanes */
    uint32_t count[ABUT_OUTLINE_TOGETHER];
    double plane[4][ABUT_OUTLINE_TOGETHER];   /* n and w: the direction, and how far the hull reaches along it */
    double depth[ABUT_OUTLINE_TOGETHER];      /* how deep the hull is behind that plane */
    double axis[2][3][ABUT_OUTLINE_TOGETHER]; /* of the coordinates */
    double least[ABUT_OUTLINE_TOGETHER];      /* volume */
    double vertex[ABUT_OUTLINE_MAX][ABUT_OUTLINE_PARTS][ABUT_OUTLINE_TOGETHER];
} abut_outlines;

#endif
