/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that touch at the start are hit where their depth along the normal of the start has grown too far, unless they
 * part before. */
#include "narrowphase/sweep/sweep.h"

/* Shares of e: the growth is aimed at, and is enough. Both lie below 1, so that the answer is not late. */
static const double AIM = 0.75, ENOUGH = 0.625;

/* Whether turning shapes have parted is looked at after strides of at most this share of their sizes, and of the way.
 * Those that only move in a straight line part once: their distance is convex. */
static const double STRIDE = 0x1p-6, STRIDE_MOST = 0x1p-3, STRIDE_LEAST = 0x1p-8;

/* Halvings of the stride in which they have parted. */
enum { HALVINGS = 24 };

/* A stride is as long as all steps in it together, and those that end at the level are few. */
enum { STEPS_MAX = 4096 };

typedef struct closing {
    const abut_np_couple *couple;
    abut_d3 direction; /* from a to b, at the start */
    abut_vec3 normal;  /* of b, towards a */
    double level;      /* of the gap along the direction, that counts as a hit */
    double stride;
} closing;

static bool has_parted(const abut_np_couple *couple, const abut_np_instant *instant) {
    abut_np_gap gap;
    return !abut_np_gap_at(couple, instant, couple->tolerance, &gap) || gap.distance > couple->tolerance;
}

static void place(const abut_np_couple *couple, const abut_np_instant *instant, int i, abut_collider *out) {
    const abut_np_way *way = couple->way[i];
    const abut_dpose pose = {abut_d3_along(way->from, 1, instant->arm[i]), instant->rotation[i]};
    const abut_pose rounded = abut_pose_round(pose);
    *out = way->shape;
    out->center = rounded.position;
    out->rotation = rounded.rotation;
}

/* The normal that abut_np_collide gives at the start; where rounding decides whether it finds the pair, that of the
 * closest points. */
static bool begin(const abut_np_couple *couple, float allowance, closing *c) {
    *c = (closing){.couple = couple};
    abut_np_instant instant;
    abut_collider a, b;
    abut_manifold m;
    abut_np_gap gap;
    abut_np_instant_at(couple, 0, &instant);
    place(couple, &instant, 0, &a);
    place(couple, &instant, 1, &b);
    if (abut_np_collide(&b, &a, abut_bits_round_up(couple->tolerance), &m)) {
        c->direction = abut_d3_negate(abut_d3_from(m.normal));
    } else if (abut_np_gap_at(couple, &instant, INFINITY, &gap)) {
        c->direction = gap.direction;
    }
    if (!abut_d3_normalise_scaled(&c->direction)) {
        return false;
    }
    c->normal = abut_vec3_round(abut_d3_negate(c->direction));
    const abut_np_front front = abut_np_front_fixed(couple, &instant, c->direction);
    c->level = abut_np_front_gap(&front) - allowance - AIM * couple->tolerance;
    double size = couple->tolerance * 1e6, turns = couple->way[0]->turn.angle + couple->way[1]->turn.angle;
    c->stride = turns > 0 ? abut_max_d(STRIDE_LEAST, abut_min_d(STRIDE_MOST, STRIDE * size / couple->travel)) : 1;
    return true;
}

/* The time just after which they have parted, between one when they had not and one when they had. */
static double parting(const abut_np_couple *couple, double before, double after) {
    for (int k = 0; k < HALVINGS; k++) {
        abut_np_instant instant;
        double middle = before + (after - before) / 2;
        abut_np_instant_at(couple, middle, &instant);
        if (has_parted(couple, &instant)) {
            after = middle;
        } else {
            before = middle;
        }
    }
    return after;
}

bool abut_np_close_in(const abut_np_couple *couple, float allowance, double end, double limit, abut_np_met *met) {
    closing c;
    double time = 0, last_seen = 0;
    bool follows = begin(couple, allowance, &c);
    for (int step = 0; follows && step < STEPS_MAX; step++) {
        abut_np_instant instant;
        abut_np_instant_at(couple, time, &instant);
        const abut_np_front front = abut_np_front_fixed(couple, &instant, c.direction);
        double above = abut_np_front_gap(&front) - c.level;
        bool grown = above <= (AIM - ENOUGH) * couple->tolerance;
        if (grown || c.stride < 1) {
            if (step > 0 && has_parted(couple, &instant)) {
                return c.stride < 1 && abut_np_approach(couple, parting(couple, last_seen, time), end, limit, met);
            }
            last_seen = time;
        }
        if (grown) {
            *met = (abut_np_met){time, abut_np_point_at(couple, &instant), c.normal};
            return true;
        }
        if (time >= end || time > limit) {
            return false;
        }
        double most = abut_min_d(c.stride, end - time), span = abut_np_front_span(&front, c.level, most);
        time = span < end - time ? time + span : end;
    }
    return false;
}
