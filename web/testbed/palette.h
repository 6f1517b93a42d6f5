/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Colours on a dark background that colour-blind people can distinguish as well: after Okabe and Ito, "Color Universal
 * Design" (2008). Their lightness differs as well. */
#ifndef ABUT_WEB_PALETTE_H
#define ABUT_WEB_PALETTE_H

#include "testbed.h"

static const testbed_colour palette_ground = {34, 40, 49, 255}, palette_plot = {44, 52, 63, 255},
                            palette_dim = {62, 72, 88, 255}, palette_slate = {98, 116, 140, 255},
                            palette_orange = {230, 159, 0, 255}, palette_sky = {86, 180, 233, 255},
                            palette_green = {0, 158, 115, 255}, palette_yellow = {240, 228, 66, 255},
                            palette_blue = {32, 116, 190, 255}, palette_vermilion = {213, 94, 0, 255},
                            palette_pink = {255, 112, 196, 255}, palette_white = {255, 255, 255, 255};

/* a where t is 0, b where it is `whole`. */
static inline testbed_colour palette_mix(testbed_colour a, testbed_colour b, uint32_t t, uint32_t whole) {
    uint32_t rest = whole - t;
    return (testbed_colour){(uint8_t)((a.r * rest + b.r * t) / whole), (uint8_t)((a.g * rest + b.g * t) / whole),
                            (uint8_t)((a.b * rest + b.b * t) / whole), (uint8_t)((a.a * rest + b.a * t) / whole)};
}

#endif
