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

double abut_np_sweep_gap(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double time) {
    abut_np_couple couple;
    abut_np_couple_of(a, b, &couple);
    return gap_along(&couple, abut_d3_negate(normal), time);
}

static bool touch_at(const abut_np_couple *couple, double time) {
    abut_np_instant instant;
    abut_np_gap gap;
    abut_np_instant_begin(couple, time, &instant);
    return abut_np_gap_at(couple, &instant, couple->tolerance, false, &gap) && gap.distance <= couple->tolerance;
}

bool abut_np_sweep_touch_at(const abut_np_way *a, const abut_np_way *b, double time) {
    abut_np_couple couple;
    abut_np_couple_of(a, b, &couple);
    return touch_at(&couple, time);
}

/* What comes nearer slowly has touched for a while. */
double abut_np_sweep_before(const abut_np_way *a, const abut_np_way *b, double time) {
    abut_np_couple couple;
    abut_np_couple_of(a, b, &couple);
    const double moment = 2 * couple.tolerance / couple.travel;
    double apart = abut_max_d(time - moment, 0), touching = apart;
    for (double step = moment; apart > 0 && touch_at(&couple, apart); step *= 2) {
        touching = apart;
        apart = abut_max_d(apart - step, 0);
    }
    while (touching - apart > moment) {
        const double middle = (apart + touching) / 2;
        *(touch_at(&couple, middle) ? &touching : &apart) = middle;
    }
    return apart;
}

/* As long as the depth lasts there can be no gap. Of shapes that do not turn the gap grows evenly. */
bool abut_np_sweep_together(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double time) {
    abut_np_couple couple;
    abut_np_couple_of(a, b, &couple);
    const double stride = couple.turned > 0 ? abut_np_couple_stride(&couple) : 1;
    for (double now = 0, room; now < time; now += abut_max_d(stride, room / couple.travel)) {
        room = couple.tolerance - gap_along(&couple, abut_d3_negate(normal), now);
        if (room < 0) {
            return false;
        }
    }
    return true;
}

bool abut_np_sweep_slide(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double level, double limit,
                         abut_np_met *met) {
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_gap gap;
    double begin, end;
    abut_np_couple_of(a, b, &couple);
    if (!abut_np_couple_times(&couple, &begin, &end)) {
        return true;
    }
    double room = gap_along(&couple, abut_d3_negate(normal), met->fraction) - level;
    abut_np_instant_begin(&couple, met->fraction, &instant);
    (void)abut_np_gap_at(&couple, &instant, INFINITY, false, &gap);
    return abut_np_close_in(&couple, &instant, &gap, &normal, room, end, limit, met);
}
