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

double abut_np_sweep_tolerance(const abut_np_way *a, const abut_np_way *b) {
    abut_np_couple couple;
    abut_np_couple_of(a, b, &couple);
    return couple.tolerance;
}

/* The gap along a direction at some time. */
static double gap_along(const abut_np_couple *couple, abut_d3 direction, double time) {
    const abut_d3 still = {{0, 0, 0}};
    abut_np_instant instant;
    abut_np_instant_begin(couple, time, &instant);
    const abut_np_front front = abut_np_front_of(couple, &instant, direction, still);
    return abut_np_front_gap(&front);
}

/* Whether there is no gap along a direction from the start to some time. Of shapes that turn this is looked at now and
 * then; else the gap grows evenly. */
static bool stay_together(const abut_np_couple *couple, abut_d3 direction, double time) {
    enum { LOOKS = 32 };
    const int looks = couple->turned > 0 ? LOOKS : 1;
    for (int k = 0; k < looks; k++) {
        if (gap_along(couple, direction, time * k / looks) > couple->tolerance) {
            return false;
        }
    }
    return true;
}

bool abut_np_sweep_slide(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, bool since_start, float allowance,
                         double limit, abut_np_met *met) {
    const abut_d3 direction = abut_d3_negate(normal);
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_gap gap;
    double begin, end;
    abut_np_couple_of(a, b, &couple);
    if (!abut_np_couple_times(&couple, &begin, &end) || !stay_together(&couple, direction, met->fraction)) {
        return true;
    }
    double deeper = gap_along(&couple, direction, 0) - gap_along(&couple, direction, met->fraction);
    abut_np_instant_begin(&couple, met->fraction, &instant);
    (void)abut_np_gap_at(&couple, &instant, INFINITY, false, &gap);
    return abut_np_close_in(&couple, &instant, &gap, &normal,
                            allowance - (since_start ? deeper : abut_max_d(deeper, 0)), end, limit, met);
}
