/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Finds the bodies under the cursor, or in a rectangle drawn with it. */
#ifndef ABUT_WEB_PICK_H
#define ABUT_WEB_PICK_H

#include "stage.h"

/* Fills s->picked. Two corners, x and y of each, in normalised device coordinates. */
void pick(stage *s, const float matrix[16], const float corners[4]);
/* The nearest body at a place. false: there is none. */
bool pick_first(const stage *s, const float matrix[16], double x, double y, abut_body_id *first);
/* Reports one of them. false: it does not exist, or no longer. */
bool pick_report(const stage *s, uint32_t i, testbed_body *report);

#endif
