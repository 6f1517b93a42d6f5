/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that touch at the start are hit where their depth along the normal of the start has grown too far, unless they
 * part before.
 *
 * What is moved as far as it gets, again and again, must not sink. So a depth within the tolerance e counts as none: it
 * is not allowed once more from each start. And where the growth is too much, the answer is the time when it began, so
 * that the next start is no deeper than this one. */
#include "narrowphase/sweep/sweep.h"

/* Shares of e: the growth is aimed at, and is enough. Both lie below 1, so that the answer is not late. */
static const double AIM = 0.75, ENOUGH = 0.625;

/* Whether turning shapes have parted is looked at after strides. These are as long as the depth needs to fall to zero,
 * but at least as abut_np_couple_stride says. Shapes that only move in a straight line part once: their distance is
 * convex. */

/* Halvings of the stride in which they have parted. */
enum { HALVINGS = 24 };

/* A stride is as long as all steps in it together, and those that end at the level are few. */
enum { STEPS_MAX = 65536 };

typedef struct closing {
    const abut_np_couple *couple;
    abut_d3 direction; /* from a to b, at the start */
    abut_vec3 normal;  /* of b, towards a */
    double level;      /* of the gap along the direction, that counts as a hit */
    double kept;       /* the gap at which that growth begins */
    double last_kept;  /* the last time when it was more, or the start; and the gap then */
    double gap_then;
    bool turns;
    int shallow; /* strides before the depth is asked for again */
} closing;

static bool has_parted(const abut_np_couple *couple, const abut_np_instant *instant) {
    abut_np_gap gap;
    return !abut_np_gap_at(couple, instant, couple->tolerance, false, &gap) || gap.distance > couple->tolerance;
}

/* A shape, rounded. */
static abut_collider placed(const abut_np_way *way, const abut_np_instant *instant, abut_d3 arm) {
    const abut_dquat rotation = abut_dquat_multiply(abut_turn_at(&way->turn, instant->time), way->turned);
    const abut_d3 origin = abut_d3_along(way->from, instant->time, way->translation);
    const abut_dpose pose = {abut_d3_along(origin, 1, arm), rotation};
    const abut_pose rounded = abut_pose_round(pose);
    abut_collider out = way->shape;
    out.center = rounded.position;
    out.rotation = rounded.rotation;
    return out;
}

static bool collide(const abut_np_couple *couple, const abut_np_instant *instant, abut_manifold *m) {
    const abut_collider a = placed(couple->way[0], instant, instant->arm[0]);
    const abut_collider b = placed(couple->way[1], instant, instant->arm[1]);
    return abut_np_collide(&b, &a, abut_bits_round_up(couple->tolerance), m);
}

/* The normal given, or the one that abut_np_collide gives at the start; where rounding decides whether it finds the
 * pair, that of the closest points. */
static bool begin(const abut_np_couple *couple, const abut_np_instant *start, const abut_np_gap *gap,
                  const abut_d3 *normal, double allowance, closing *c) {
    const abut_d3 still = {{0, 0, 0}};
    abut_manifold m;
    *c = (closing){.couple = couple, .direction = gap->direction};
    if (normal) {
        c->direction = abut_d3_negate(*normal);
    } else if (collide(couple, start, &m)) {
        c->direction = abut_d3_negate(abut_d3_from(m.normal));
    }
    if (!(abut_d3_normalise_scaled(&c->direction) > 0)) {
        return false;
    }
    c->normal = abut_vec3_round(abut_d3_negate(c->direction));
    const abut_np_front front = abut_np_front_of(couple, start, c->direction, still);
    const double now = abut_np_front_gap(&front), none = abut_min_d(now, 0);
    c->level = (none >= -ENOUGH * couple->tolerance ? now - none : now) - allowance - AIM * couple->tolerance;
    c->kept = none - allowance;
    c->last_kept = start->time, c->gap_then = now;
    c->turns = couple->way[0]->turn.angle + couple->way[1]->turn.angle > 0;
    return true;
}

static double least_stride(const abut_np_couple *couple, const abut_np_instant *instant) {
    return abut_max_d(0x1p-11, abut_np_couple_span(couple, instant, 0x1p-9 * couple->smaller));
}

/* After a stride that the depth did not lengthen so many follow before it is asked for again. */
enum { SHALLOW = 7 };

/* How long they certainly touch on: the depth of a manifold is good to a few hundredths. */
static double next_stride(closing *c, const abut_np_instant *instant) {
    const double least = c->turns ? least_stride(c->couple, instant) : 1;
    abut_manifold m;
    double depth = 0;
    if (!c->turns || c->shallow > 0) {
        c->shallow -= c->turns;
        return least;
    }
    if (collide(c->couple, instant, &m)) {
        for (uint32_t k = 0; k < m.count; k++) {
            depth = abut_max_d(-(double)m.points[k].separation, depth);
        }
    }
    const double stride = abut_np_couple_span(c->couple, instant, 0.9 * depth);
    c->shallow = stride <= least ? SHALLOW : 0;
    return abut_max_d(least, stride);
}

/* The time just after which they have parted, between one when they had not and one when they had. */
static double parting(const abut_np_couple *couple, double before, double after) {
    for (int k = 0; k < HALVINGS; k++) {
        abut_np_instant instant;
        double middle = before + (after - before) / 2;
        abut_np_instant_begin(couple, middle, &instant);
        if (has_parted(couple, &instant)) {
            after = middle;
        } else {
            before = middle;
        }
    }
    return after;
}

/* After they have parted. */
static bool approach_after(const abut_np_couple *couple, double before, double after, double end, double limit,
                           abut_np_met *met) {
    abut_np_instant instant;
    abut_np_gap gap;
    abut_np_instant_begin(couple, parting(couple, before, after), &instant);
    (void)abut_np_gap_at(couple, &instant, INFINITY, false, &gap);
    return abut_np_approach(couple, &instant, &gap, end, limit, met);
}

static double gap_along(const closing *c, const abut_np_instant *instant) {
    const abut_d3 still = {{0, 0, 0}};
    const abut_np_front front = abut_np_front_of(c->couple, instant, c->direction, still);
    return abut_np_front_gap(&front);
}

/* When, before it became `gap` at an instant, the gap was last as much as is kept, or less by a small share of e.
 * Between two times this is looked for where it would be if the gap fell evenly, and in the middle by turns. */
static double end_of_kept(const closing *c, const abut_np_instant *instant, double gap) {
    const double close = (1 - AIM) / 8 * c->couple->tolerance;
    double before = c->last_kept, after = instant->time, high = c->gap_then, low = gap;
    for (int k = 0; k < HALVINGS && high > c->kept && low < c->kept - close; k++) {
        abut_np_instant there;
        const double share = k % 2 ? 0.5 : (high - c->kept + close / 2) / (high - low);
        const double time = before + (after - before) * share;
        abut_np_instant_begin(c->couple, time, &there);
        const double now = gap_along(c, &there);
        if (now > c->kept) {
            before = time, high = now;
        } else {
            after = time, low = now;
        }
    }
    return high > c->kept ? after : before;
}

static void report(const closing *c, const abut_np_instant *grown, double gap_now, abut_np_met *met) {
    abut_np_instant instant;
    abut_np_gap gap;
    abut_np_instant_begin(c->couple, end_of_kept(c, grown, gap_now), &instant);
    (void)abut_np_gap_at(c->couple, &instant, INFINITY, false, &gap);
    *met = (abut_np_met){instant.time, abut_np_point_at(c->couple, &instant, &gap), c->normal, true};
}

bool abut_np_close_in(const abut_np_couple *couple, const abut_np_instant *start, const abut_np_gap *gap,
                      const abut_d3 *normal, double allowance, double end, double limit, abut_np_met *met) {
    const abut_d3 still = {{0, 0, 0}};
    abut_np_instant instant = *start;
    closing c;
    bool follows = begin(couple, start, gap, normal, allowance, &c);
    double touching = 0; /* the last time when they were seen to touch */
    for (int step = 0; follows && step < STEPS_MAX; step++) {
        const abut_np_front front = abut_np_front_of(couple, &instant, c.direction, still);
        const double now = abut_np_front_gap(&front);
        bool grown = now - c.level <= (AIM - ENOUGH) * couple->tolerance;
        if (step > 0 && (grown || c.turns) && has_parted(couple, &instant)) {
            return c.turns && approach_after(couple, touching, instant.time, end, limit, met);
        }
        if (grown) {
            report(&c, &instant, now, met);
            return met->fraction <= limit;
        }
        touching = instant.time;
        if (now > c.kept) {
            c.last_kept = touching, c.gap_then = now;
        }
        if (touching >= end || c.last_kept > limit) {
            return false;
        }
        double left = end - touching,
               span = abut_np_front_span(&front, c.level, abut_min_d(next_stride(&c, &instant), left));
        abut_np_instant_move(couple, span < left ? touching + span : end, &instant);
    }
    return false;
}
