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
    met->position = abut_np_point_at(couple, instant);
    met->normal = abut_vec3_round(abut_d3_negate(direction));
}

/* The time span in which the shapes certainly stay apart. A direction that turns with the features that are nearest
 * keeps them nearest, and shows how fast they close in: good for short ways. On long ones its coarse bounds count. */
static double span_from(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap,
                        double most) {
    const double level = AIM * couple->tolerance, closing = gap->closing, distance = gap->distance;
    const abut_np_front turning = abut_np_front_turning(couple, instant, gap->direction, gap->turning);
    double root = sqrt(closing * closing + 4 * turning.square * distance), hope = 2 * distance / (closing + root);
    if (!(4 * turning.square * distance < closing * fabs(closing))) {
        const abut_np_front fixed = abut_np_front_fixed(couple, instant, gap->direction);
        double span = abut_np_front_span(&fixed, level, most);
        if (!(span < most && 4 * span < 3 * hope)) {
            return span;
        }
        return abut_max_d(span, abut_np_front_span(&turning, level, most));
    }
    return abut_np_front_span(&turning, level, most);
}

bool abut_np_approach(const abut_np_couple *couple, double begin, double end, double limit, abut_np_met *met) {
    const double e = couple->tolerance;
    abut_np_instant instant;
    for (int step = 0; step < STEPS_MAX && begin <= limit; step++) {
        double left = abut_min_d(end, limit) - begin, near = (step < STEPS_FINE ? NEAR : NEAR_ENOUGH) * e;
        abut_np_gap gap;
        abut_np_instant_at(couple, begin, &instant);
        if (!abut_np_gap_at(couple, &instant, left * couple->travel + e, &gap)) {
            return false;
        }
        double span = gap.distance > near ? span_from(couple, &instant, &gap, end - begin) : 0;
        if (!(span > 0)) {
            report(couple, &instant, gap.direction, met);
            return true;
        }
        if (!(span < end - begin)) {
            return false;
        }
        begin += span;
    }
    return false;
}
