/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of this room.
 *
 * - way.c: the way of one shape, and the box that moves with it.
 * - piece.c: a piece of a way, and what is certainly not near it.
 * - couple.c: two ways, and both shapes at one time.
 * - closest.c: what is nearest then, and how that moves.
 * - front.c: how long two shapes certainly stay apart along a direction.
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
    double turned;    /* the part of it that the turning makes */
    double smaller;   /* the size of the smaller shape */
    int small;        /* which shape has less reach from its middle, */
    double extent;    /* and how much */
    double radii;
    double tolerance; /* e of abut/cast.h, or a little less */
} abut_np_couple;

void abut_np_couple_of(const abut_np_way *a, const abut_np_way *b, abut_np_couple *couple);

/* What turns is looked at after strides at least this long: turning then moves points by 2^-9 of the smaller shape, or
 * they are 2^-11 of the way. */
double abut_np_couple_stride(const abut_np_couple *couple);

/* Between which times spheres around both shapes touch; false: never. */
bool abut_np_couple_times(const abut_np_couple *couple, double *begin, double *end);

/* Both shapes at one time. */
typedef struct abut_np_instant {
    double time;
    double axes[2][3][3]; /* the rotations of the shapes */
    abut_d3 arm[2];       /* from the frame's origin to the shape's centre */
} abut_np_instant;

/* The first instant; then others. */
void abut_np_instant_begin(const abut_np_couple *couple, double time, abut_np_instant *instant);
void abut_np_instant_move(const abut_np_couple *couple, double time, abut_np_instant *instant);

/* A time span from an instant on in which no point of the smaller shape moves by more than this, as seen by the other
 * shape: little where one rides on the other. */
double abut_np_couple_span(const abut_np_couple *couple, const abut_np_instant *instant, double by);

/* From the middle of a to that of b. */
abut_d3 abut_np_couple_middles(const abut_np_couple *couple, const abut_np_instant *instant);

/* What of two shapes is nearest at one time. */
typedef struct abut_np_gap {
    double distance;   /* of the grown shapes; negative where only these overlap */
    abut_d3 direction; /* a unit vector from the core of a to that of b; zero where the cores overlap */
    abut_np_cores cores;
    abut_np_nearest nearest; /* the corners of the cores that the closest points are made of */
} abut_np_gap;

/* With `again` *gap is that of a time shortly before, and the search goes on from its corners. False: the distance is
 * certainly over `limit`; nothing else is then known. */
bool abut_np_gap_at(const abut_np_couple *couple, const abut_np_instant *instant, double limit, bool again,
                    abut_np_gap *gap);

/* How the direction turns with what is nearest, which is a feature of each shape. */
abut_d3 abut_np_gap_spin(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap);

/* A point midway between the closest points of both grown shapes, or, where the cores overlap, one that they share. */
abut_vec3 abut_np_point_at(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap);

/* A direction, and both shapes from one time on. */
typedef struct abut_np_front {
    const abut_np_couple *couple;
    const abut_np_instant *instant;
    double apart, rate;   /* of the frames' origins along the direction, less the radii; and how it grows */
    double square, twist; /* bounds of what the terms below leave out: times the square and the third power of time */
    abut_d3 along[2];     /* a unit vector from a to b; and the opposite */
    abut_d3 tilt[2];      /* how the speed of a point along it grows with its place */
    abut_d3 bend[2];      /* and how its acceleration does */
    abut_d3 first[2];     /* the points farthest along each, from their frames' origins */
    bool still[2];        /* the shape does not move in the frame that turns with the direction */
} abut_np_front;

/* Of a direction that turns as the spin says from now on. */
abut_np_front abut_np_front_of(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction,
                               abut_d3 spin);

/* The gap of the grown shapes along the direction at the front's own time; negative where they overlap along it. */
double abut_np_front_gap(const abut_np_front *front);

/* A time span, at most `most`, in all of which the gap along the direction stays at least `level`, and nearly as
 * long as the bounds allow; 0 if it is no more than the level already at the front's own time. */
double abut_np_front_span(const abut_np_front *front, double level, double most);

/* Goes on to where the line of the middles no longer shows that the shapes are apart; stays where it does not show more
 * than the tolerance. False: it does to the end. */
bool abut_np_first_step(const abut_np_couple *couple, double end, abut_np_instant *instant);

/* Where shapes first meet after an instant at which they are apart; *instant and *gap go on with the search. False: not
 * before `end`, or certainly after `limit`, which changes no other answer. */
bool abut_np_approach(const abut_np_couple *couple, abut_np_instant *instant, abut_np_gap *gap, double end,
                      double limit, abut_np_met *met);

/* What becomes of shapes that touch at the start, in ABUT_INITIAL_CLOSING. `normal` is that of b, towards a, at the
 * start; NULL: the one that abut_np_collide gives. */
bool abut_np_close_in(const abut_np_couple *couple, const abut_np_instant *start, const abut_np_gap *gap,
                      const abut_d3 *normal, double allowance, double end, double limit, abut_np_met *met);

#endif
