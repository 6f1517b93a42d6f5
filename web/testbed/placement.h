/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The pointer's actions in the placement scene. */
#ifndef ABUT_WEB_PLACEMENT_H
#define ABUT_WEB_PLACEMENT_H

#include "stage.h"

void placement_hold(stage *s, float x, float z, int32_t turn, float half_x, float half_z);
testbed_building placement_held(void);
bool placement_build(stage *s);

#endif
