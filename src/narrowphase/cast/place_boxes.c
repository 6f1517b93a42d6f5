/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis by which a moving box and another enter their touch, among the same 15 as in boxes.c, and a point that they
 * share there. */
#include "narrowphase/cast/cast.h"
#include <assert.h>

static void place_pair(const abut_np_cast *cast, const abut_collider *body, abut_np_cast_entry *p) {
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
    p->time = -INFINITY;
}

static abut_d3 axis_of(const abut_np_cast_entry *p, int j) {
    return (abut_d3){{p->r[0][j], p->r[1][j], p->r[2][j]}};
}

/* Keeps the latest entry. Of axes that enter together the first stays: faces come before edges, which have to be later
 * by more than rounding, `handicap` slacks. */
static void consider(abut_np_cast_entry *p, int axis, abut_d3 n, double handicap) {
    double radius = 0, length = abut_d3_norm1(n), speed = abut_d3_dot(n, p->v);
    for (int i = 0; i < 3; i++) {
        radius += p->a.x[i] * fabs(n.x[i]) + p->b.x[i] * fabs(abut_d3_dot(n, axis_of(p, i)));
    }
    double at = abut_d3_dot(n, p->t);
    at = speed < 0 ? -at : at;
    double time = (at - radius - handicap * p->slack * length) / fabs(speed);
    if (speed != 0 && time > p->time) {
        p->time = time;
        p->axis = axis;
        p->normal = speed > 0 ? abut_d3_negate(n) : n;
    }
}

void abut_np_cast_enter_boxes(const abut_np_cast *cast, const abut_collider *body, abut_np_cast_entry *p) {
    place_pair(cast, body, p);
    for (int i = 0; i < 3; i++) {
        abut_d3 n = {{0, 0, 0}};
        n.x[i] = 1;
        consider(p, i, n, 0);
    }
    for (int j = 0; j < 3; j++) {
        consider(p, 3 + j, axis_of(p, j), 0);
    }
    for (int e = 0; e < 9; e++) {
        int k = (e / 3 + 1) % 3, l = (e / 3 + 2) % 3;
        abut_d3 n = {{0, 0, 0}};
        n.x[k] = -p->r[l][e % 3];
        n.x[l] = p->r[k][e % 3];
        consider(p, 6 + e, n, 4);
    }
    assert(p->time > -INFINITY); /* the way is not zero, so some axis of the moving box has a speed */
    (void)abut_d3_normalise_scaled(&p->normal);
}

/* The middle of the corners of a box that lie farthest along a direction of its frame. */
static abut_d3 farthest(abut_d3 half, abut_d3 n) {
    abut_d3 out;
    for (int k = 0; k < 3; k++) {
        double h = fabs(n.x[k]) <= 0x1p-26 ? 0 : half.x[k];
        out.x[k] = n.x[k] < 0 ? -h : h;
    }
    return out;
}

static abut_d3 clamped(abut_d3 p, abut_d3 half) {
    for (int k = 0; k < 3; k++) {
        p.x[k] = abut_max_d(-half.x[k], abut_min_d(p.x[k], half.x[k]));
    }
    return p;
}

/* The nearest point of the other box, whose centre is c. */
static abut_d3 into_other(abut_np_cast_entry *p, abut_d3 c, abut_d3 point) {
    abut_d3 local = abut_d3_unrotate(p->r, abut_d3_sub(point, c));
    return abut_d3_along(c, 1, abut_d3_rotate(p->r, clamped(local, p->b)));
}

/* Where edge i of the moving box, whose middle is p, passes edge j of the other, whose middle is q. */
static abut_d3 crossing(const abut_np_cast_entry *of, int i, int j, abut_d3 p, abut_d3 q) {
    const abut_d3 between = abut_d3_sub(q, p);
    double cosine = of->r[i][j], sine2 = 1 - cosine * cosine;
    double along = between.x[i] - cosine * abut_d3_dot(between, axis_of(of, j));
    p.x[i] = sine2 > 0 ? abut_max_d(-of->a.x[i], abut_min_d(along / sine2, of->a.x[i])) : 0;
    return p;
}

/* More turns help few. */
enum { TURNS_MAX = 3 };

/* As good as the tolerance of casts asks for, and some. */
static const double SHARED = 0x1p11;

bool abut_np_cast_touch_boxes(abut_np_cast_entry *p, double fraction, abut_d3 *from_body) {
    const abut_d3 c = abut_d3_along(p->t, -fraction, p->v);
    abut_d3 x = farthest(p->a, abut_d3_negate(p->normal));
    if (p->axis < 3 || p->axis >= 6) {
        abut_d3 q = farthest(p->b, abut_d3_unrotate(p->r, p->normal));
        q = abut_d3_along(c, 1, abut_d3_rotate(p->r, q));
        x = p->axis < 3 ? q : crossing(p, (p->axis - 6) / 3, (p->axis - 6) % 3, x, q);
    }
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        x = clamped(x, p->a);
        const abut_d3 y = into_other(p, c, x);
        if (abut_d3_norm1(abut_d3_sub(y, x)) <= SHARED * p->slack) {
            *from_body = abut_d3_rotate(p->m, abut_d3_sub(x, c));
            return true;
        }
        x = y;
    }
    return false;
}
