/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is seen of the stage: arrays that a page hands to its graphics card as they are. */
#ifndef ABUT_WEB_DRAW_H
#define ABUT_WEB_DRAW_H

#include "stage.h"

abut_result draw_stage(stage *s, void (*scene)(stage *s), uint32_t overlays);

#endif
