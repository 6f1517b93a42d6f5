/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

/* Shapes that touch at the start. */
static bool touching(const abut_np_couple *couple, const abut_np_instant *start, const abut_np_gap *gap,
                     abut_initial initial, const abut_d3 *normal, float allowance, double end, double limit,
                     abut_np_met *met) {
    switch (initial) {
    case ABUT_INITIAL_HIT:
        *met = (abut_np_met){.position = abut_np_point_at(couple, start, gap)};
        return true;
    case ABUT_INITIAL_CLOSING:
        return abut_np_close_in(couple, start, gap, normal, allowance, end, limit, met);
    default:
        return false;
    }
}

static bool sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, const abut_d3 *normal,
                  float allowance, double limit, abut_np_met *met) {
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_gap gap;
    double begin, end;
    abut_np_couple_of(a, b, &couple);
    if (!abut_np_couple_times(&couple, &begin, &end) || begin > limit) {
        return false;
    }
    abut_np_instant_begin(&couple, begin, &instant);
    if (!abut_np_first_step(&couple, end, &instant) || instant.time > limit) {
        return false;
    }
    double left = abut_min_d(end, limit) - instant.time;
    if (!abut_np_gap_at(&couple, &instant, left * couple.travel + couple.tolerance, false, &gap)) {
        return false;
    }
    if (instant.time == 0 && gap.distance <= couple.tolerance) {
        return touching(&couple, &instant, &gap, initial, normal, allowance, end, limit, met);
    }
    return abut_np_approach(&couple, &instant, &gap, end, limit, met);
}

bool abut_np_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                   abut_np_met *met) {
    return sweep(a, b, initial, NULL, allowance, limit, met);
}

bool abut_np_sweep_along(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, float allowance, double limit,
                         abut_np_met *met) {
    return sweep(a, b, ABUT_INITIAL_CLOSING, &normal, allowance, limit, met);
}
