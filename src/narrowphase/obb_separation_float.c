/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "narrowphase/obb_separation.h"

/* The first stage. `SLACK` times S bounds the rounding error of every separation below. */
static const float SLACK = 64 * 0x1p-24f;

/* Outside these sizes products could lose bits to the denormal range, or overflow. */
static const float SMALLEST = 0x1p-80f, LARGEST = 0x1p+100f;

typedef struct pair {
    float r[3][3], f[3][3]; /* f: |r| */
    float t[3], a[3], b[3];
    float size, slack, margin;
} pair;

static void quat_matrix(float x, float y, float z, float w, float m[3][3]) {
    float s = 2 / (x * x + y * y + z * z + w * w);
    float xs = x * s, ys = y * s, zs = z * s;
    float xx = x * xs, yy = y * ys, zz = z * zs;
    float xy = x * ys, xz = x * zs, yz = y * zs;
    float wx = w * xs, wy = w * ys, wz = w * zs;
    m[0][0] = 1 - (yy + zz);
    m[0][1] = xy - wz;
    m[0][2] = xz + wy;
    m[1][0] = xy + wz;
    m[1][1] = 1 - (xx + zz);
    m[1][2] = yz - wx;
    m[2][0] = xz - wy;
    m[2][1] = yz + wx;
    m[2][2] = 1 - (xx + yy);
}

static void build(const abut_np_row *a, const abut_np_row *b, float margin, pair *p) {
    abut_quat qa = a->rotation, qb = b->rotation;
    quat_matrix(qa.w * qb.x - qa.x * qb.w - qa.y * qb.z + qa.z * qb.y,
                qa.w * qb.y + qa.x * qb.z - qa.y * qb.w - qa.z * qb.x,
                qa.w * qb.z - qa.x * qb.y + qa.y * qb.x - qa.z * qb.w,
                qa.w * qb.w + qa.x * qb.x + qa.y * qb.y + qa.z * qb.z, p->r);
    float m[3][3];
    quat_matrix(qa.x, qa.y, qa.z, qa.w, m);
    float dx = b->center.x - a->center.x, dy = b->center.y - a->center.y, dz = b->center.z - a->center.z;
    for (int i = 0; i < 3; i++) {
        p->t[i] = m[0][i] * dx + m[1][i] * dy + m[2][i] * dz;
        for (int j = 0; j < 3; j++) {
            p->f[i][j] = fabsf(p->r[i][j]);
        }
    }
    p->a[0] = a->half.x, p->a[1] = a->half.y, p->a[2] = a->half.z;
    p->b[0] = b->half.x, p->b[1] = b->half.y, p->b[2] = b->half.z;
    p->margin = margin;
    p->size = fabsf(dx) + fabsf(dy) + fabsf(dz) + (p->a[0] + p->a[1] + p->a[2]) + (p->b[0] + p->b[1] + p->b[2]);
    p->slack = SLACK * (p->size + margin);
}

/* The largest gap over the six face normals. */
static float face_separation(const pair *p) {
    float largest = -INFINITY;
    for (int i = 0; i < 3; i++) {
        float radius_b = p->b[0] * p->f[i][0] + p->b[1] * p->f[i][1] + p->b[2] * p->f[i][2];
        largest = abut_max_f(largest, fabsf(p->t[i]) - p->a[i] - radius_b);
        float along = p->t[0] * p->r[0][i] + p->t[1] * p->r[1][i] + p->t[2] * p->r[2][i];
        float radius_a = p->a[0] * p->f[0][i] + p->a[1] * p->f[1][i] + p->a[2] * p->f[2][i];
        largest = abut_max_f(largest, fabsf(along) - p->b[i] - radius_a);
    }
    return largest;
}

/* The gap over edge i of a x edge j of b, less the margin, times the length of that cross product. */
static float edge_separation(const pair *p, int i, int j) {
    int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    float along = p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j];
    float radius_a = p->a[k] * p->f[l][j] + p->a[l] * p->f[k][j];
    float radius_b = p->b[m] * p->f[i][n] + p->b[n] * p->f[i][m];
    float length = p->margin > 0 ? sqrtf(p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j]) : 0;
    return fabsf(along) - radius_a - radius_b - p->margin * length;
}

/* Nearly parallel edges never show more than their sine times S beyond what the faces show, so faces that overlap by
 * more than that settle them: resting stacks end here. */
static bool parallel_edges_covered(const pair *p, int i, int j, float face) {
    float sine = p->f[(i + 1) % 3][j] + p->f[(i + 2) % 3][j];
    return -face > 1.5f * sine * p->size + 2 * p->slack;
}

abut_np_verdict abut_np_obb_verdict_float(const abut_np_row *a, const abut_np_row *b, float margin) {
    pair p;
    build(a, b, margin, &p);
    if (!(p.size > SMALLEST && p.size < LARGEST)) {
        return ABUT_NP_UNDECIDED;
    }
    float face = face_separation(&p);
    if (face - margin > p.slack) {
        return ABUT_NP_APART;
    }
    bool decided = face - margin < -p.slack;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            float edge = edge_separation(&p, i, j);
            if (edge > p.slack) {
                return ABUT_NP_APART;
            }
            decided = decided && (edge < -p.slack || parallel_edges_covered(&p, i, j, face));
        }
    }
    return decided ? ABUT_NP_TOUCHING : ABUT_NP_UNDECIDED;
}
