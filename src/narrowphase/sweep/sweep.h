/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of this room.
 *
 * - way.c: the way of one shape, and the box that moves with it.
 * - couple.c: two ways, and both shapes at one time.
 * - front.c: how long two shapes certainly stay apart along a fixed direction.
 * - approach.c: shapes that are apart: steps from one front to the next.
 * - start.c: shapes that touch at the start.
 * - sweep.c: which of these, and the public call. */
#ifndef ABUT_NARROWPHASE_SWEEP_SWEEP_H
#define ABUT_NARROWPHASE_SWEEP_SWEEP_H

#include "narrowphase/distance/kernels.h"
#include "narrowphase/narrowphase.h"

/* Two shapes on their ways; shape 0 is a, shape 1 is b. Times are fractions of the way. */
typedef struct abut_np_couple {
    const abut_np_way *way[2];
    abut_d3 apart;    /* from the origin of a's frame to that of b's, at the start */
    abut_d3 velocity; /* of b's origin seen from a's */
    abut_d3 spin[2];  /* the axis times the angle */
    double travel;    /* no two points of the shapes come nearer, or get farther, by more, on the whole way */
    double radii;
    double tolerance; /* e of abut/cast.h, or a little less */
} abut_np_couple;

void abut_np_couple_of(const abut_np_way *a, const abut_np_way *b, abut_np_couple *couple);

/* Between which times spheres around both shapes touch; false: never. */
bool abut_np_couple_times(const abut_np_couple *couple, double *begin, double *end);

/* Both shapes at one time. */
typedef struct abut_np_instant {
    double time;
    abut_dquat rotation[2]; /* of the shapes */
    double axes[2][3][3];   /* the same as matrices */
    abut_d3 arm[2];         /* from the frame's origin to the shape's centre */
} abut_np_instant;

void abut_np_instant_at(const abut_np_couple *couple, double time, abut_np_instant *instant);

/* How far the grown shapes are apart then, and the unit direction from the core of a to that of b; a gap <= 0 where
 * they touch. The direction is unknown (zero) where the cores overlap. False: the gap is certainly over `limit`;
 * nothing else is then known. */
bool abut_np_instant_gap(const abut_np_couple *couple, const abut_np_instant *instant, double limit, double *gap,
                         abut_d3 *direction);

/* A point midway between the closest points of both grown shapes, or, where the cores overlap, one that they share. */
abut_vec3 abut_np_instant_point(const abut_np_couple *couple, const abut_np_instant *instant);

/* A fixed direction, and both shapes from one time on. */
typedef struct abut_np_front {
    const abut_np_couple *couple;
    const abut_np_instant *instant;
    abut_d3 direction;  /* a unit vector from a to b */
    abut_d3 tilt[2];    /* direction x spin: how the speed of a point along the direction grows with its place */
    double apart, rate; /* of the frames' origins, along the direction */
    double bend;        /* a bound on half the acceleration of points along the direction, of both together */
} abut_np_front;

abut_np_front abut_np_front_of(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction);

/* The gap of the grown shapes along the direction at the front's own time; negative where they overlap along it. */
double abut_np_front_gap(const abut_np_front *front);

/* A time span, at most `most`, in all of which the gap along the direction stays at least `level`, which it is above at
 * the front's own time. Nearly as long as there is one. */
double abut_np_front_span(const abut_np_front *front, double level, double most);

/* Where shapes first meet that are apart at the time `begin`; false: not before `end`, or certainly after `limit`. The
 * limit changes no other answer. */
bool abut_np_approach(const abut_np_couple *couple, double begin, double end, double limit, abut_np_met *met);

/* What becomes of shapes that touch at the start, in ABUT_INITIAL_CLOSING. */
bool abut_np_close_in(const abut_np_couple *couple, float allowance, double end, double limit, abut_np_met *met);

#endif
