/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is under the cursor, or in a rectangle that it drew. */
#ifndef ABUT_WEB_PICK_H
#define ABUT_WEB_PICK_H

#include "stage.h"

/* Fills s->picked. Two corners, x and y of each, in normalised device coordinates. */
void pick(stage *s, const float matrix[16], const float corners[4]);
/* Tells of one of them. false: there is no such, or it is gone. */
bool pick_tell(const stage *s, uint32_t i, testbed_body *told);

#endif
