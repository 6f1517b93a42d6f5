/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Conservative advancement (Mirtich, "Impulse-based dynamic simulation", 1996; Zhang, Lee and Kim, "Interactive
 * continuous collision detection for non-convex polyhedra", 2006): the closest points give a direction, along which the
 * shapes certainly stay apart for a while; then it is done again from there. */
#include "narrowphase/sweep/sweep.h"

/* Shapes that come this near, as a share of e, have met: first so near that the time and the normal are good; where
 * many steps have not decided, as where they pass just beyond that, what the contract allows. A step leads up to AIM,
 * so that the closest points still show a direction. */
static const double NEAR = 0x1p-6, AIM = 0x1p-8, NEAR_ENOUGH = 0.5;
enum { STEPS_FINE = 24 };

/* With NEAR_ENOUGH a direction that stays as it is leads on by 1.7e-7 at least (docs/numerics.md, "Sweeps"), so that
 * this is never reached. */
enum { STEPS_MAX = 10000000 };

static void report(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap,
                   abut_np_met *met) {
    met->deeper = false;
    met->fraction = instant->time;
    met->position = abut_np_point_at(couple, instant, gap);
    met->normal = abut_vec3_round(abut_d3_negate(gap->direction));
}

/* How long they certainly stay apart along a direction that goes with what is nearest; or, if `both`, along one that
 * stays as it is, if that is longer. */
static double span_from(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap,
                        double most, bool both) {
    const double level = AIM * couple->tolerance;
    const abut_d3 spin = abut_np_gap_spin(couple, instant, gap), still = {{0, 0, 0}};
    const abut_np_front front = abut_np_front_of(couple, instant, gap->direction, spin);
    double span = abut_np_front_span(&front, level, most);
    if (both) {
        const abut_np_front fixed = abut_np_front_of(couple, instant, gap->direction, still);
        span = abut_max_d(span, abut_np_front_span(&fixed, level, most));
    }
    return span;
}

bool abut_np_first_step(const abut_np_couple *couple, double end, abut_np_instant *instant) {
    const abut_d3 still = {{0, 0, 0}};
    abut_d3 direction = abut_np_couple_middles(couple, instant);
    if (!(abut_d3_normalise_scaled(&direction) > 0)) {
        return true;
    }
    const abut_np_front front = abut_np_front_of(couple, instant, direction, still);
    if (abut_np_front_gap(&front) > couple->tolerance) {
        double left = end - instant->time, span = abut_np_front_span(&front, AIM * couple->tolerance, left);
        abut_np_instant_move(couple, instant->time + span, instant);
        return span < left;
    }
    return true;
}

bool abut_np_approach(const abut_np_couple *couple, abut_np_instant *instant, abut_np_gap *gap, double end,
                      double limit, abut_np_met *met) {
    for (int step = 0; step < STEPS_MAX; step++) {
        if (gap->distance <= (step < STEPS_FINE ? NEAR : NEAR_ENOUGH) * couple->tolerance) {
            report(couple, instant, gap, met);
            return true;
        }
        double left = end - instant->time, span = span_from(couple, instant, gap, left, step >= STEPS_FINE);
        if (!(span < left) || instant->time + span > limit) {
            return false;
        }
        abut_np_instant_move(couple, instant->time + span, instant);
        left = abut_min_d(end, limit) - instant->time;
        if (!abut_np_gap_at(couple, instant, left * couple->travel + couple->tolerance, true, gap)) {
            return false;
        }
    }
    return false;
}
