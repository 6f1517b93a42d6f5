/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/draw/draw.h"
#include "base/workers/fpmode.h"

static bool length_valid(float length) {
    return length >= 0 && abut_bits_finite(length);
}

static bool valid(const abut_draw *draw) {
    return draw->kinds < 2u << ABUT_DRAW_FRUSTUM && length_valid(draw->normal_length) &&
           length_valid(draw->frustum_length) && (!draw->filter || abut_w_filter_valid(draw->filter)) &&
           (draw->frusta || draw->frustum_count == 0);
}

static abut_result draw_world(const abut_world *world, const abut_draw *draw) {
    enum { USUAL = 1 << ABUT_DRAW_SHAPE | 1 << ABUT_DRAW_CONTACT | 1 << ABUT_DRAW_FRUSTUM };
    if (!world || !draw || !valid(draw)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_w_drawing d = {.world = world, .to = *draw, .filter = abut_w_query_filter_of(world, draw->filter)};
    uint32_t kinds = draw->kinds ? draw->kinds : USUAL;
    if (kinds & 1u << ABUT_DRAW_SHAPE) {
        abut_w_draw_shapes(&d);
    }
    if (kinds & 1u << ABUT_DRAW_BOUNDS) {
        abut_w_draw_bounds(&d);
    }
    if (kinds & 1u << ABUT_DRAW_CANDIDATE) {
        abut_w_draw_candidates(&d);
    }
    if (kinds & 1u << ABUT_DRAW_CONTACT) {
        abut_w_draw_contacts(&d);
    }
    if (kinds & 1u << ABUT_DRAW_FRUSTUM) {
        abut_w_draw_frusta(&d);
    }
    return ABUT_OK;
}

abut_result abut_world_draw(const abut_world *world, const abut_draw *draw) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = draw_world(world, draw);
    abut_fpmode_leave(mode);
    return result;
}
