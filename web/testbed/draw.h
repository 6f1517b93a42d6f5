/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The visible part of the stage: arrays that a page passes to the graphics card unchanged. */
#ifndef ABUT_WEB_DRAW_H
#define ABUT_WEB_DRAW_H

#include "stage.h"

abut_result draw_stage(stage *s, void (*scene)(stage *s), uint32_t overlays);

#endif
