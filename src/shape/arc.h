/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Lines that show a surface grown by a radius. */
#ifndef ABUT_SHAPE_ARC_H
#define ABUT_SHAPE_ARC_H

#include "shape/table.h"

/* Visits an arc about `center` from one unit direction to another that is not opposite, as lines that turn by at most
 * 15 degrees each; a quarter is eight of them. Directions closer than 2^-20 give none. */
void abut_shape_arc(abut_d3 center, double radius, abut_d3 from, abut_d3 to, abut_shape_edge *visit, void *context);

#endif
