/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb_separation.h"
#include "base/spatial.h"
#include "narrowphase/kernels.h"

/* The second stage, and the order of the three. SLACK times S bounds the rounding error of a separation. */
static const double SLACK = 64 * 0x1p-53;

/* Edges closer to parallel than this (the sine) show no gap over 1e-12 S beyond what the faces show: they are no axis.
 */
static const double PARALLEL = 0x1p-44;

void abut_np_obb_pair_build(const abut_np_row *a, const abut_np_row *b, abut_np_obb_pair *pair) {
    abut_dquat qa = abut_dquat_from(a->rotation), qb = abut_dquat_from(b->rotation);
    abut_dquat_matrix(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), pair->r);
    double m[3][3];
    abut_dquat_matrix(qa, m);
    abut_d3 d = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    abut_d3 t = abut_d3_unrotate(m, d), half_a = abut_d3_from(a->half), half_b = abut_d3_from(b->half);
    pair->size = 0;
    for (int i = 0; i < 3; i++) {
        pair->t[i] = t.x[i];
        pair->a[i] = half_a.x[i];
        pair->b[i] = half_b.x[i];
        pair->size += fabs(d.x[i]) + pair->a[i] + pair->b[i];
    }
}

static double face_separation_a(const abut_np_obb_pair *p, int i) {
    return fabs(p->t[i]) - p->a[i] -
           (p->b[0] * fabs(p->r[i][0]) + p->b[1] * fabs(p->r[i][1]) + p->b[2] * fabs(p->r[i][2]));
}

static double face_separation_b(const abut_np_obb_pair *p, int j) {
    return fabs(p->t[0] * p->r[0][j] + p->t[1] * p->r[1][j] + p->t[2] * p->r[2][j]) - p->b[j] -
           (p->a[0] * fabs(p->r[0][j]) + p->a[1] * fabs(p->r[1][j]) + p->a[2] * fabs(p->r[2][j]));
}

/* The gap times *length, the length of the cross product. */
static double edge_separation(const abut_np_obb_pair *p, int i, int j, double *length) {
    int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    double rk = p->r[k][j], rl = p->r[l][j];
    *length = sqrt(rk * rk + rl * rl);
    return fabs(p->t[l] * rk - p->t[k] * rl) - (p->a[k] * fabs(rl) + p->a[l] * fabs(rk)) -
           (p->b[m] * fabs(p->r[i][n]) + p->b[n] * fabs(p->r[i][m]));
}

abut_np_verdict abut_np_obb_verdict_double(const abut_np_obb_pair *p, double margin, abut_np_axes *undecided) {
    double slack = SLACK * (p->size + margin), face = -INFINITY;
    *undecided = 0;
    for (int i = 0; i < 6; i++) {
        double s = i < 3 ? face_separation_a(p, i) : face_separation_b(p, i - 3);
        face = abut_max_d(face, s);
        *undecided |= s - margin < -slack ? 0 : UINT32_C(1) << i;
    }
    if (face - margin > slack) {
        return ABUT_NP_APART;
    }
    for (int e = 0; e < 9; e++) {
        double length, s = edge_separation(p, e / 3, e % 3, &length);
        if (s - margin * length > slack) {
            return ABUT_NP_APART;
        }
        /* As in the float stage: faces that overlap by more than the sine times S settle nearly parallel edges. */
        bool covered = length < PARALLEL || -face > 1.5 * length * p->size + 2 * slack;
        *undecided |= covered || s - margin * length < -slack ? 0 : UINT32_C(1) << (6 + e);
    }
    return *undecided ? ABUT_NP_UNDECIDED : ABUT_NP_TOUCHING;
}

abut_np_verdict abut_np_obb_verdict_float(const abut_np_row *a, const abut_np_row *b, float margin) {
    const uint32_t index = 0;
    uint8_t verdict;
    abut_np_obb_kernels_portable.verdicts(
        &(abut_np_obb_pairs){.a = a, .b = b, .index_a = &index, .index_b = &index, .n = 1}, margin, &verdict);
    return (abut_np_verdict)verdict;
}

bool abut_np_obb_separated(const abut_np_row *a, const abut_np_row *b, float margin) {
    abut_np_verdict verdict = abut_np_obb_verdict_float(a, b, margin);
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict == ABUT_NP_APART;
    }
    abut_np_obb_pair pair;
    abut_np_axes undecided;
    abut_np_obb_pair_build(a, b, &pair);
    verdict = abut_np_obb_verdict_double(&pair, margin, &undecided);
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict == ABUT_NP_APART;
    }
    return abut_np_obb_separated_dd(a, b, margin, undecided);
}

void abut_np_obb_separated_many(const abut_np_obb_pairs *pairs, float margin, uint8_t *apart) {
    abut_np_obb_kernels_active()->verdicts(pairs, margin, apart);
    for (size_t k = 0; k < pairs->n; k++) {
        if (apart[k] == ABUT_NP_UNDECIDED) {
            const char *a = (const char *)pairs->a + pairs->stride_a * pairs->index_a[k];
            const char *b = (const char *)pairs->b + pairs->stride_b * pairs->index_b[k];
            apart[k] = abut_np_obb_separated((const abut_np_row *)(const void *)a, (const abut_np_row *)(const void *)b,
                                             margin);
        } else {
            apart[k] = apart[k] == ABUT_NP_APART;
        }
    }
}
