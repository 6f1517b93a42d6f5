/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a moving box against others, by the times at which the 15
 * separating axes enter and leave their overlap. For two convex bodies in translation these decide exactly: the latest
 * entry is the touch, if no axis has been left by then. With radii it is a bound: where faces, or two edges, touch. */
#include "base/compiler.h"
#include "base/lanes/vector_double.h"
#include "narrowphase/cast/kernels.h"
#include <math.h>
#include <stdbool.h>

enum { LANES = ABUT_VD_LANES };

/* A box in each lane. */
typedef struct lane_box {
    vd center[3], q[4], half[3], radius;
} lane_box;

/* The same in the frame of the moving box, which stands still here: the others move by -v. */
typedef struct lane_cast {
    vd a[3], v[3]; /* half extents and translation of the moving box */
    vd r[3][3];    /* column j: axis j of the other */
    vd f[3][3];    /* |r| */
    vd t[3], b[3]; /* centre and half extents of the other */
    vd radii, slack;
    vd start, end; /* all axes so far overlap in between */
} lane_cast;

/* One matrix from the relative quaternion: docs/numerics.md, "One rotation, not two". */
static ABUT_INLINE void place_boxes(const abut_np_cast_box *box, const lane_box *other, bool round, lane_cast *c) {
    const vd q[4] = {constant(box->rotation[0]), constant(box->rotation[1]), constant(box->rotation[2]),
                     constant(box->rotation[3])};
    vd relative[4];
    relative_quaternion(q, other->q, relative);
    rotation_matrix(relative, squared_norm4(relative), c->r);
    const vd d[3] = {minus(other->center[0], constant(box->center[0])),
                     minus(other->center[1], constant(box->center[1])),
                     minus(other->center[2], constant(box->center[2]))};
    for (int i = 0; i < 3; i++) {
        c->t[i] =
            dot3(constant(box->axes[0][i]), d[0], constant(box->axes[1][i]), d[1], constant(box->axes[2][i]), d[2]);
        c->v[i] = constant(box->along[i]);
        c->a[i] = constant(box->half[i]);
        c->b[i] = other->half[i];
        for (int j = 0; j < 3; j++) {
            c->f[i][j] = absolute(c->r[i][j]);
        }
    }
    vd size = sum(sum(norm1(d), norm1(c->b)), sum3(c->a[0], c->a[1], c->a[2]));
    c->radii = round ? sum(constant(box->radius), other->radius) : constant(0);
    c->slack = round ? times(sum(size, c->radii), constant(ABUT_NP_CAST_ROUND_SLACK))
                     : times(size, constant(ABUT_NP_CAST_SLACK));
    c->start = constant(0);
    c->end = constant(1);
}

/* When the centre's coordinate, `at` - time `along`, lies within -reach .. reach. Where `along` is 0 the quotients are
 * infinite with the signs that they need; 0 / 0, at the very end of the longer reach and along no axis at all, is NaN,
 * which the last comparisons let pass or reject: either is right, as the box itself is not there. */
static ABUT_INLINE void meet_axis(lane_cast *c, vd at, vd along, vd reach) {
    vd over = quotient(constant(1), along);
    vd x = times(minus(at, reach), over), y = times(sum(at, reach), over);
    c->start = larger(smaller(x, y), c->start);
    c->end = smaller(larger(x, y), c->end);
}

static ABUT_INLINE void meet_faces(lane_cast *c, bool round) {
    vd more = round ? sum(c->radii, c->slack) : c->slack;
    for (int i = 0; i < 3; i++) {
        vd radius = dot3(c->b[0], c->f[i][0], c->b[1], c->f[i][1], c->b[2], c->f[i][2]);
        meet_axis(c, c->t[i], c->v[i], sum(sum(c->a[i], more), radius));
    }
    for (int j = 0; j < 3; j++) {
        const vd axis[3] = {c->r[0][j], c->r[1][j], c->r[2][j]};
        vd radius = dot3(c->a[0], c->f[0][j], c->a[1], c->f[1][j], c->a[2], c->f[2][j]);
        meet_axis(c, dot(c->t, axis), dot(c->v, axis), sum(sum(c->b[j], more), radius));
    }
}

/* The axis along edge i of the moving box x edge j of the other, of any length: (i, k, l) is cyclic. `minor` holds the
 * parts of the other's axes along it: products, so that their error shrinks with the length of the axis. */
static ABUT_INLINE void meet_edges(lane_cast *c, int k, int l, int j, const vd minor[2], const vd extent[2],
                                   bool round) {
    vd x = c->r[k][j], y = c->r[l][j], fx = c->f[k][j], fy = c->f[l][j];
    vd at = difference(c->t[l], x, c->t[k], y), along = difference(c->v[l], x, c->v[k], y);
    vd of_a = sum(times(c->a[k], fy), times(c->a[l], fx));
    vd of_b = sum(times(extent[0], minor[0]), times(extent[1], minor[1]));
    vd more = times(c->slack, sum(fx, fy));
    more = round ? sum(more, times(c->radii, root(sum(times(x, x), times(y, y))))) : more;
    meet_axis(c, at, along, sum(sum(of_a, of_b), more));
}

static ABUT_INLINE vd minor_of(const lane_cast *c, int k, int l, int m, int n) {
    return absolute(difference(c->r[k][m], c->r[l][n], c->r[l][m], c->r[k][n]));
}

static ABUT_INLINE void meet_edges_of(lane_cast *c, int k, int l, bool round) {
    vd m01 = minor_of(c, k, l, 0, 1), m12 = minor_of(c, k, l, 1, 2), m20 = minor_of(c, k, l, 2, 0);
    const vd minor[3][2] = {{m01, m20}, {m01, m12}, {m20, m12}};
    const vd extent[3][2] = {{c->b[1], c->b[2]}, {c->b[0], c->b[2]}, {c->b[0], c->b[1]}};
    for (int j = 0; j < 3; j++) {
        meet_edges(c, k, l, j, minor[j], extent[j], round);
    }
}

static ABUT_INLINE void store_first(vd fraction, size_t n, double *out) {
    double all[LANES];
    if (n >= LANES) {
        abut_vd_store(out, fraction);
        return;
    }
    abut_vd_store(all, fraction);
    for (size_t l = 0; l < n; l++) {
        out[l] = all[l];
    }
}

static ABUT_INLINE void cast_at(const abut_np_cast_box *box, const abut_collider *collider, const uint32_t *index,
                                size_t n, bool round, double *fraction) {
    uint32_t last[LANES];
    for (size_t first = 0; first < n; first += LANES) {
        vd v[10], half[4];
        lane_cast c;
        const uint32_t *at = padded(index + first, n - first, LANES, last);
        abut_vd_load10(collider, sizeof *collider, at, v);
        lane_box other = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}, constant(0)};
        if (round) {
            abut_vd_load4(&collider->half, sizeof *collider, at, half);
            other.radius = half[3];
        }
        place_boxes(box, &other, round, &c);
        meet_faces(&c, round);
        if (bits_of(at_most(c.start, c.end))) {
            meet_edges_of(&c, 1, 2, round);
            meet_edges_of(&c, 2, 0, round);
            meet_edges_of(&c, 0, 1, round);
        }
        store_first(choose(at_most(c.start, c.end), c.start, constant(INFINITY)), n - first, fraction + first);
    }
    abut_lanes_done();
}

static void cast_at_boxes(const abut_np_cast_box *box, const abut_collider *collider, const uint32_t *index, size_t n,
                          double *fraction) {
    cast_at(box, collider, index, n, false, fraction);
}

static void cast_at_rounds(const abut_np_cast_box *box, const abut_collider *collider, const uint32_t *index, size_t n,
                           double *fraction) {
    cast_at(box, collider, index, n, true, fraction);
}

const abut_np_cast_kernels ABUT_KERNEL(abut_np_cast_kernels) = {LANES, cast_at_boxes, cast_at_rounds};
