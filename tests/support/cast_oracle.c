/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/cast_oracle.h"
#include <math.h>
#include <stdio.h>

enum { STEPS = 400 };

static quad dotq(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct search {
    const grown_core *a, *b;
    abut_vec3 translation;
    quad v[3], at;
    quad_pose still;
    cast_truth truth;
} search;

quad_pose cast_pose(const grown_core *a, abut_vec3 translation, quad fraction) {
    quad_pose out = quad_pose_of(&a->pose);
    const float *v = &translation.x;
    for (int k = 0; k < 3; k++) {
        out.at[k] += fraction * v[k];
    }
    return out;
}

static distance_truth measure(search *s) {
    quad_pose pose = cast_pose(s->a, s->translation, s->at);
    distance_truth d = distance_between(s->a->core, &pose, s->b->core, &s->still);
    s->truth.sure &= d.sure;
    return d;
}

/* Takes s->at to the first fraction at which the cores are no farther apart than `target`. */
static bool advance(search *s, quad target) {
    quad enough = target + (quad)(1e-29 * s->truth.size);
    for (int i = 0; i < STEPS; i++) {
        distance_truth d = measure(s);
        quad slope = dotq(d.proof, s->v);
        if (d.distance <= enough) {
            return true;
        }
        if (!(slope > 0) || !s->truth.sure) {
            return false;
        }
        quad next = s->at + (d.low - target) / slope;
        if (next > 1 + (quad)1e-28) {
            return false;
        }
        next = next > 1 ? 1 : next;
        if (!(next > s->at)) {
            return d.low <= enough;
        }
        s->at = next;
    }
    s->truth.sure = false;
    return false;
}

double grown_diagonal(const grown_core *a) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double extent = 2 * (a->core->half[k] + a->radius);
        square += extent * extent;
    }
    return sqrt(square);
}

static double centres_apart(const grown_core *a, const quad_pose *p, const grown_core *b, const quad_pose *q) {
    double largest = 0, square = 0, d[3];
    for (int k = 0; k < 3; k++) {
        quad x = p->at[k] - q->at[k];
        for (int l = 0; l < 3; l++) {
            x += p->m[k][l] * a->core->middle[l] - q->m[k][l] * b->core->middle[l];
        }
        d[k] = (double)x;
        largest = fmax(largest, fabs(d[k]));
    }
    for (int k = 0; k < 3 && largest > 0; k++) {
        square += d[k] / largest * (d[k] / largest);
    }
    return sqrt(square) * largest;
}

cast_truth cast_oracle(const grown_core *a, abut_vec3 translation, const grown_core *b) {
    search s = {.a = a, .b = b, .translation = translation, .still = quad_pose_of(&b->pose)};
    const float *v = &translation.x;
    quad radii = (quad)a->radius + b->radius, square = 0;
    for (int k = 0; k < 3; k++) {
        s.v[k] = v[k];
        square += s.v[k] * s.v[k];
    }
    quad_pose start = cast_pose(a, translation, 0), end = cast_pose(a, translation, 1);
    cast_truth *t = &s.truth;
    t->sure = true;
    t->size = grown_diagonal(a) + grown_diagonal(b) +
              fmax(centres_apart(a, &start, b, &s.still), centres_apart(a, &end, b, &s.still));
    t->length = sqrt((double)square);
    t->e = 1e-9 * (t->size + t->length);
    double huge = t->size;
    t->size = grown_diagonal(a) + grown_diagonal(b) + centres_apart(a, &start, b, &s.still); /* what is near */
    distance_truth d = measure(&s);
    t->apart = d.distance - radii;
    t->cores = d.distance;
    t->approach = dotq(d.proof, s.v);
    t->touched = d.distance <= radii;
    t->near_touched = d.distance <= radii + t->e;
    t->near_meets = t->near_touched || advance(&s, radii + t->e);
    t->near_first = s.at;
    t->meets = t->touched || (t->near_meets && advance(&s, radii));
    t->first = s.at;
    t->size = huge;
    return *t;
}

const char *cast_fraction_fault(const cast_truth *t, double f) {
    if (f < 0) {
        return t->apart > (quad)(1e-12 * t->size) ? "a touch at the start is invented" : NULL;
    }
    if (t->touched && t->apart < (quad)(-1e-28 * t->size)) {
        return "a touch at the start is missed";
    }
    if (!(f <= 1)) {
        return f < INFINITY || t->meets ? "missed" : NULL;
    }
    if (!t->near_meets) {
        return "invented";
    }
    if (t->apart > 0 && t->near_touched &&
        t->approach < -(quad)t->length * ((quad)1e-6 + (quad)(1e-12 * t->size) / t->cores)) {
        return "met though it only goes away";
    }
    if (t->meets && (quad)f > t->first) {
        return "too late";
    }
    return (quad)f < t->near_first * (1 - (quad)0x1p-40) ? "too early" : NULL;
}

quad separation_along(const grown_core *a, const quad_pose *pose_a, const grown_core *b, const quad_pose *pose_b,
                      const double n[3]) {
    quad apart = 0;
    for (int k = 0; k < 3; k++) {
        apart += n[k] * (pose_a->at[k] - pose_b->at[k]);
    }
    for (int side = 0; side < 2; side++) {
        const core *c = side ? b->core : a->core;
        const quad_pose *pose = side ? pose_b : pose_a;
        quad turned[3], best = 0;
        for (int k = 0; k < 3; k++) {
            turned[k] = (pose->m[0][k] * n[0] + pose->m[1][k] * n[1] + pose->m[2][k] * n[2]) * (side ? -1 : 1);
        }
        for (uint32_t i = 0; i < c->count; i++) {
            quad h = turned[0] * c->point[i].x + turned[1] * c->point[i].y + turned[2] * c->point[i].z;
            best = i == 0 || h < best ? h : best;
        }
        apart += best;
    }
    return apart - a->radius - b->radius;
}

quad outside_of(const grown_core *a, const quad_pose *pose, abut_vec3 point) {
    core dot;
    quad_pose at = {.at = {point.x, point.y, point.z}};
    for (int k = 0; k < 3; k++) {
        at.m[k][k] = 1;
    }
    core_of_box((abut_vec3){0, 0, 0}, &dot);
    return distance_between(a->core, pose, &dot, &at).distance - a->radius;
}

/* Where the cores of round shapes lie well apart, the normal is known. */
static bool is_normal_wrong(const grown_core *a, const quad_pose *pose_a, const grown_core *b, const quad_pose *pose_b,
                            double slack, double shift, const double n[3]) {
    distance_truth d = distance_between(a->core, pose_a, b->core, pose_b);
    double distance = (double)d.distance, off = 0;
    for (int k = 0; k < 3; k++) {
        double x = n[k] + (double)d.proof[k];
        off += x * x;
    }
    return d.sure && distance > 1e-6 * (grown_diagonal(a) + grown_diagonal(b)) &&
           sqrt(off) > 1e-6 + (2 * slack + shift) / distance;
}

const char *touch_fault(const grown_core *a, const quad_pose *pose_a, const grown_core *b, const quad_pose *pose_b,
                        double slack, double shift, abut_vec3 position, abut_vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double rounding = (fabs((double)position.x) + fabs((double)position.y) + fabs((double)position.z)) * 0x1p-24;
    quad off = (quad)(slack + rounding + 0x1p-148);
    if (!(fabs(length - 1) <= 3e-7)) {
        return "the normal is not unit";
    }
    quad turned = (quad)(2e-7 * (grown_diagonal(a) + grown_diagonal(b)));
    if (separation_along(a, pose_a, b, pose_b, n) < -(quad)slack - turned) {
        return "the normal does not separate";
    }
    if (is_normal_wrong(a, pose_a, b, pose_b, slack, shift, n)) {
        return "the normal is not that of the closest points";
    }
    if (!(outside_of(a, pose_a, position) <= off)) {
        return "the position lies outside of a";
    }
    return outside_of(b, pose_b, position) <= off ? NULL : "the position lies outside of b";
}

const char *cast_place_fault(const cast_truth *truth, const grown_core *a, abut_vec3 translation, const grown_core *b,
                             double fraction, abut_vec3 position, abut_vec3 normal) {
    quad_pose at = cast_pose(a, translation, fraction), still = quad_pose_of(&b->pose);
    const float *v = &translation.x, *n = &normal.x;
    double along = 0;
    for (int k = 0; k < 3; k++) {
        along += (double)v[k] * n[k];
    }
    if (along > 1e-5 * truth->length) {
        return "the normal leads along the way";
    }
    double shift = truth->length * (double)(truth->first - truth->near_first);
    return touch_fault(a, &at, b, &still, truth->e, shift, position, normal);
}

void grown_core_print(const char *name, const grown_core *a) {
    const abut_pose *p = &a->pose;
    fprintf(stderr, "%s: radius %a, at {%a, %a, %a}, turned {%a, %a, %a, %a}, core:", name, (double)a->radius,
            (double)p->position.x, (double)p->position.y, (double)p->position.z, (double)p->rotation.x,
            (double)p->rotation.y, (double)p->rotation.z, (double)p->rotation.w);
    for (uint32_t i = 0; i < a->core->count; i++) {
        const abut_vec3 *x = &a->core->point[i];
        fprintf(stderr, " {%a, %a, %a}", (double)x->x, (double)x->y, (double)x->z);
    }
    fprintf(stderr, "\n");
}
