/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/oracle.h"
#include "support/quad.h"
#include <math.h>

bool oracle_available(void) {
    return QUAD_AVAILABLE;
}

/* Columns are the box's axes in the world. The products of floats are exact in double. */
static void matrix_from(abut_quat q, quad m[3][3]) {
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        q.w = 1;
    }
    double x = q.x, y = q.y, z = q.z, w = q.w;
    quad xx = x * x, yy = y * y, zz = z * z, ww = w * w;
    quad xy = 2 * x * y, xz = 2 * x * z, yz = 2 * y * z, wx = 2 * w * x, wy = 2 * w * y, wz = 2 * w * z;
    quad wx_sum = ww + xx, wx_diff = ww - xx, yz_sum = yy + zz, yz_diff = yy - zz;
    quad scale = 1 / (wx_sum + yz_sum);
    m[0][0] = (wx_sum - yz_sum) * scale;
    m[1][1] = (wx_diff + yz_diff) * scale;
    m[2][2] = (wx_diff - yz_diff) * scale;
    m[0][1] = (xy - wz) * scale;
    m[1][0] = (xy + wz) * scale;
    m[0][2] = (xz + wy) * scale;
    m[2][0] = (xz - wy) * scale;
    m[1][2] = (yz - wx) * scale;
    m[2][1] = (yz + wx) * scale;
}

typedef struct pair_data {
    quad ra[3][3], rb[3][3];
    quad a[3], b[3], d[3]; /* half extents; centre of b less centre of a */
    quad t[3];             /* d along the axes of a */
    quad c[3][3], abs[3][3];
    double size;
} pair_data;

static quad along(quad m[3][3], int axis, const quad *v) {
    return m[0][axis] * v[0] + m[1][axis] * v[1] + m[2][axis] * v[2];
}

static void read_pair(const abut_obb *a, const abut_obb *b, pair_data *p) {
    const float *ca = &a->center.x, *cb = &b->center.x, *ha = &a->half.x, *hb = &b->half.x;
    p->size = 0;
    for (int i = 0; i < 3; i++) {
        p->a[i] = ha[i];
        p->b[i] = hb[i];
        p->d[i] = (quad)cb[i] - (quad)ca[i];
        p->size += fabs((double)p->d[i]) + (double)ha[i] + (double)hb[i];
    }
    matrix_from(a->rotation, p->ra);
    matrix_from(b->rotation, p->rb);
    for (int i = 0; i < 3; i++) {
        p->t[i] = along(p->ra, i, p->d);
        for (int j = 0; j < 3; j++) {
            quad column[3] = {p->rb[0][j], p->rb[1][j], p->rb[2][j]};
            p->c[i][j] = along(p->ra, i, column);
            p->abs[i][j] = quad_abs(p->c[i][j]);
        }
    }
}

static quad face_of_a(const pair_data *p, int i) {
    quad radius = p->a[i];
    for (int j = 0; j < 3; j++) {
        radius += p->b[j] * p->abs[i][j];
    }
    return quad_abs(p->t[i]) - radius;
}

static quad face_of_b(pair_data *p, int j) {
    quad radius = p->b[j];
    for (int i = 0; i < 3; i++) {
        radius += p->a[i] * p->abs[i][j];
    }
    return quad_abs(along(p->rb, j, p->d)) - radius;
}

/* Along a_i x b_j, not divided by its length. */
static quad edges(const pair_data *p, int i, int j) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    quad reach_a = p->a[i1] * p->abs[i2][j] + p->a[i2] * p->abs[i1][j];
    quad reach_b = p->b[j1] * p->abs[i][j2] + p->b[j2] * p->abs[i][j1];
    return quad_abs(p->t[i2] * p->c[i1][j] - p->t[i1] * p->c[i2][j]) - (reach_a + reach_b);
}

/* |a_i x b_j|: the two other entries of the column, so that nothing cancels. */
static double edges_length(const pair_data *p, int i, int j) {
    double u = (double)p->c[(i + 1) % 3][j], v = (double)p->c[(i + 2) % 3][j];
    return sqrt(u * u + v * v);
}

#define TOUCHING 1e-30

bool oracle_obb_touch(const abut_obb *a, const abut_obb *b) {
    pair_data p;
    read_pair(a, b, &p);
    quad slack = (quad)p.size * TOUCHING;
    for (int i = 0; i < 3; i++) {
        if (face_of_a(&p, i) > slack || face_of_b(&p, i) > slack) {
            return false;
        }
    }
    for (int i = 0; i < 9; i++) {
        if (edges(&p, i / 3, i % 3) > slack) {
            return false;
        }
    }
    return true;
}

oracle_gap oracle_obb_pair(const abut_obb *a, const abut_obb *b) {
    pair_data p;
    read_pair(a, b, &p);
    oracle_gap out = {.face = -INFINITY, .edge = -INFINITY, .size = p.size};
    quad slack = (quad)p.size * TOUCHING;
    bool apart = false;
    for (int i = 0; i < 6; i++) {
        quad s = i < 3 ? face_of_a(&p, i) : face_of_b(&p, i - 3);
        apart |= s > slack;
        out.face = fmax(out.face, (double)s);
    }
    for (int i = 0; i < 9; i++) {
        double length = edges_length(&p, i / 3, i % 3);
        if (!(length > 1e-25)) {
            continue;
        }
        quad s = edges(&p, i / 3, i % 3);
        apart |= s > slack;
        double separation = (double)s / length;
        if (separation > out.edge) {
            out.edge = separation;
            out.slope = length;
        }
    }
    out.touch = !apart;
    out.gap = p.size > 0 ? fmax(out.face, out.edge) / p.size : 0;
    return out;
}

void oracle_obb_bounds_excess(const abut_obb *box, const abut_aabb *bounds, double excess[6]) {
    quad m[3][3];
    matrix_from(box->rotation, m);
    const float *c = &box->center.x, *h = &box->half.x, *low = &bounds->min.x, *high = &bounds->max.x;
    for (int i = 0; i < 3; i++) {
        quad radius = 0;
        for (int j = 0; j < 3; j++) {
            radius += quad_abs(m[i][j]) * (quad)h[j];
        }
        excess[i] = (double)((quad)c[i] - radius - (quad)low[i]);
        excess[i + 3] = (double)((quad)high[i] - ((quad)c[i] + radius));
    }
}

void oracle_obb_corner_error(const abut_obb *box, int corner, abut_vec3 given, double error[3]) {
    quad m[3][3];
    matrix_from(box->rotation, m);
    const float *c = &box->center.x, *h = &box->half.x, *at = &given.x;
    for (int i = 0; i < 3; i++) {
        quad x = c[i];
        for (int j = 0; j < 3; j++) {
            quad step = m[i][j] * (quad)h[j];
            x += corner >> j & 1 ? step : -step;
        }
        error[i] = (double)((quad)at[i] - x);
    }
}
