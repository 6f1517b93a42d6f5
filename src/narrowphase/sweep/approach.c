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

/* With NEAR_ENOUGH every step leads on by 2e-7 at least (docs/numerics.md), so this is never reached; 300 steps are the
 * most that were seen. */
enum { STEPS_MAX = 5000000 };

static void report(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction, abut_np_met *met) {
    met->fraction = instant->time;
    met->position = abut_np_instant_point(couple, instant);
    met->normal = abut_vec3_round(abut_d3_negate(direction));
}

bool abut_np_approach(const abut_np_couple *couple, double begin, double end, double limit, abut_np_met *met) {
    const double e = couple->tolerance;
    double near = NEAR * e;
    abut_np_instant instant;
    for (int step = 0; step < STEPS_MAX && begin <= limit; step++) {
        double gap;
        abut_d3 direction;
        abut_np_instant_at(couple, begin, &instant);
        double left = abut_min_d(end, limit) - begin;
        if (!abut_np_instant_gap(couple, &instant, left * couple->travel + e, &gap, &direction)) {
            return false;
        }
        const abut_np_front front = abut_np_front_of(couple, &instant, direction);
        near = step < STEPS_FINE ? near : NEAR_ENOUGH * e;
        if (gap <= near || abut_np_front_gap(&front) <= AIM * e) {
            report(couple, &instant, direction, met);
            return true;
        }
        double span = abut_np_front_span(&front, AIM * e, end - begin);
        if (!(span < end - begin)) {
            return false;
        }
        begin += span;
    }
    return false;
}
