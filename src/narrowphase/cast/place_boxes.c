/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis by which a moving box and another enter their touch, among the same 15 as in boxes.c. */
#include "narrowphase/cast/cast.h"

/* Both boxes in the frame of the moving one. */
typedef struct box_pair {
    double m[3][3]; /* column j: axis j of the moving box in the world */
    double r[3][3]; /* column j: axis j of the other in that frame */
    abut_d3 a, b;   /* half extents */
    abut_d3 t, v;   /* the centre of the other; the translation of the moving box */
    double slack;
} box_pair;

typedef struct entry {
    double time;
    abut_d3 normal; /* from the other towards the moving box, of any length */
} entry;

static void place_pair(const abut_np_cast *cast, const abut_collider *body, box_pair *p) {
    const abut_collider *box = &cast->start;
    const abut_d3 d = abut_d3_sub(abut_d3_from(body->center), abut_d3_from(box->center));
    abut_dquat q = abut_dquat_from(box->rotation);
    abut_dquat_matrix_quick(q, p->m);
    abut_dquat_matrix_quick(abut_dquat_multiply(abut_dquat_conjugate(q), abut_dquat_from(body->rotation)), p->r);
    p->a = abut_d3_from(box->half);
    p->b = abut_d3_from(body->half);
    p->t = abut_d3_unrotate(p->m, d);
    p->v = abut_d3_unrotate(p->m, abut_d3_load(cast->translation));
    p->slack = ABUT_NP_CAST_SLACK * (abut_d3_norm1(d) + abut_d3_norm1(p->a) + abut_d3_norm1(p->b));
}

static abut_d3 axis_of(const box_pair *p, int j) {
    return (abut_d3){{p->r[0][j], p->r[1][j], p->r[2][j]}};
}

/* Keeps the latest entry. Of axes that enter together the first stays: faces come before edges, which have to be later
 * by more than rounding, `handicap` slacks. */
static void consider(const box_pair *p, abut_d3 n, double handicap, entry *latest) {
    double radius = 0, length = abut_d3_norm1(n), speed = abut_d3_dot(n, p->v);
    for (int i = 0; i < 3; i++) {
        radius += p->a.x[i] * fabs(n.x[i]) + p->b.x[i] * fabs(abut_d3_dot(n, axis_of(p, i)));
    }
    double at = abut_d3_dot(n, p->t);
    at = speed < 0 ? -at : at;
    double time = (at - radius - handicap * p->slack * length) / fabs(speed);
    if (speed != 0 && time > latest->time) {
        latest->time = time;
        latest->normal = speed > 0 ? abut_d3_negate(n) : n;
    }
}

bool abut_np_cast_normal_of_boxes(const abut_np_cast *cast, const abut_collider *body, abut_d3 *normal) {
    box_pair p;
    entry latest = {.time = -INFINITY};
    place_pair(cast, body, &p);
    for (int i = 0; i < 3; i++) {
        abut_d3 n = {{0, 0, 0}};
        n.x[i] = 1;
        consider(&p, n, 0, &latest);
    }
    for (int j = 0; j < 3; j++) {
        consider(&p, axis_of(&p, j), 0, &latest);
    }
    for (int e = 0; e < 9; e++) {
        int k = (e / 3 + 1) % 3, l = (e / 3 + 2) % 3;
        abut_d3 n = {{0, 0, 0}};
        n.x[k] = -p.r[l][e % 3];
        n.x[l] = p.r[k][e % 3];
        consider(&p, n, 4, &latest);
    }
    *normal = abut_d3_rotate(p.m, latest.normal);
    return latest.time > -INFINITY && abut_d3_normalise_scaled(normal) > 0;
}
