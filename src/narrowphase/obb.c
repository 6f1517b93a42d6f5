/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb.h"
#include "base/dd.h"
#include "base/spatial.h"
#include "narrowphase/kernels.h"
#include "narrowphase/obb_separation.h"

/* Lengths are brought near 1, so that squares neither overflow nor vanish in floats. A power of two changes no
 * rotation, but for parts that are 2^100 times smaller than the largest. */
static abut_quat quat_in_range(abut_quat q) {
    for (;;) {
        float largest = abut_max_f(abut_max_f(fabsf(q.x), fabsf(q.y)), abut_max_f(fabsf(q.z), fabsf(q.w)));
        float factor = largest < 0x1p-10f ? 0x1p+19f : largest > 0x1p+10f ? 0x1p-19f : 1.0f;
        if (factor == 1.0f) {
            return q;
        }
        q = (abut_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
    }
}

static abut_vec3 without_negative_zero(abut_vec3 v) {
    return (abut_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

bool abut_np_row_from_obb(const abut_obb *box, abut_np_row *row) {
    if (!box || !abut_vec3_finite(box->center) || !abut_vec3_finite(box->half) || !abut_quat_finite(box->rotation) ||
        box->half.x < 0 || box->half.y < 0 || box->half.z < 0) {
        return false;
    }
    *row = (abut_np_row){.center = without_negative_zero(box->center),
                         .half = without_negative_zero(box->half),
                         .rotation = quat_in_range(abut_quat_or_identity(box->rotation)),
                         .shape = ABUT_NP_BOX};
    return true;
}

/* An interval end: the exact sum of `center` and `offset` is moved down by `error` (a bound of what offset is off by)
 * and rounded down. Without error it is the nearest float at or below the exact sum. */
static float lower_end(double center, double offset, double error) {
    abut_dd sum = abut_dd_two_sum(center, offset);
    double rest = sum.lo - error;
    return abut_bits_round_down(rest < 0 ? sum.hi + (2 * rest - fabs(sum.hi) * 0x1p-52) : sum.hi);
}

/* p - q + r - s, good to a few units in the last place of the result however much cancels. */
static double balance(double p, double q, double r, double s) {
    return abut_dd_add(abut_dd_two_sum(p, -q), abut_dd_two_sum(r, -s)).hi;
}

/* R(q) with every entry good to 2^-51 of itself: off the diagonal one difference of exact products is rounded, on it
 * the sum of four is kept exact. So a plate or rod that ends up in an axis plane stays as thin as it is. */
static void sharp_matrix(abut_dquat q, double m[3][3]) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w, n = (xx + yy) + (zz + ww);
    abut_dquat_matrix(q, m);
    m[0][0] = balance(ww, zz, xx, yy) / n;
    m[1][1] = balance(ww, xx, yy, zz) / n;
    m[2][2] = balance(ww, yy, zz, xx) / n;
}

abut_aabb abut_np_obb_bounds(const abut_np_row *row) {
    double m[3][3], error = abut_quat_is_quarter_turn(row->rotation) ? 0 : 0x1p-49;
    sharp_matrix(abut_dquat_from(row->rotation), m);
    abut_d3 half = abut_d3_from(row->half), center = abut_d3_from(row->center);
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double size = fabs(m[i][0]) * half.x[0] + fabs(m[i][1]) * half.x[1] + fabs(m[i][2]) * half.x[2];
        low[i] = lower_end(center.x[i], -size, error * size);
        high[i] = 0.0f - lower_end(-center.x[i], -size, error * size);
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

bool abut_np_obb_overlap(const abut_np_row *a, const abut_np_row *b) {
    return !abut_np_obb_separated(a, b, 0);
}

enum { BLOCK = 128 };

/* At most BLOCK pairs. */
static void collide_block(const abut_np_obb_pairs *of, float margin, const uint32_t *where, abut_manifold *manifold,
                          uint8_t *hit) {
    uint32_t index_a[BLOCK], index_b[BLOCK], to[BLOCK];
    uint8_t apart[BLOCK];
    abut_np_obb_pairs touching = *of;
    touching.index_a = index_a, touching.index_b = index_b, touching.n = 0;
    abut_np_obb_separated_many(of, margin, apart);
    for (size_t k = 0; k < of->n; k++) {
        index_a[touching.n] = of->index_a[k];
        index_b[touching.n] = of->index_b[k];
        to[touching.n] = where[k];
        hit[where[k]] = !apart[k];
        touching.n += !apart[k];
    }
    abut_np_obb_kernels_active()->manifolds(&touching, margin, to, manifold);
}

void abut_np_obb_collide_many(const abut_np_obb_pairs *pairs, float margin, const uint32_t *where,
                              abut_manifold *manifold, uint8_t *hit) {
    abut_np_obb_pairs block = *pairs;
    for (size_t done = 0; done < pairs->n; done += BLOCK) {
        block.index_a = pairs->index_a + done;
        block.index_b = pairs->index_b + done;
        block.n = pairs->n - done < BLOCK ? pairs->n - done : BLOCK;
        collide_block(&block, margin, where + done, manifold, hit);
    }
}

bool abut_np_obb_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold) {
    static const uint32_t first = 0;
    const abut_np_obb_pairs pair = {.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
    if (abut_np_obb_separated(a, b, margin)) {
        return false;
    }
    abut_np_obb_kernels_portable.manifolds(&pair, margin, &first, manifold);
    return true;
}

abut_aabb abut_obb_bounds(const abut_obb *box) {
    abut_np_row row;
    if (!abut_np_row_from_obb(box, &row)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_np_bounds(&row);
}

void abut_obb_corners(const abut_obb *box, abut_vec3 out[8]) {
    abut_np_row row;
    if (!out) {
        return;
    }
    if (!abut_np_row_from_obb(box, &row)) {
        for (int i = 0; i < 8; i++) {
            out[i] = (abut_vec3){NAN, NAN, NAN};
        }
        return;
    }
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(row.rotation), m);
    abut_d3 half = abut_d3_from(row.half), center = abut_d3_from(row.center);
    for (int i = 0; i < 8; i++) {
        abut_d3 local = {
            {i & 1 ? half.x[0] : -half.x[0], i & 2 ? half.x[1] : -half.x[1], i & 4 ? half.x[2] : -half.x[2]}};
        out[i] = abut_vec3_round(abut_d3_along(center, 1, abut_d3_rotate(m, local)));
    }
}

bool abut_obb_overlap(const abut_obb *a, const abut_obb *b) {
    abut_np_row row_a, row_b;
    return abut_np_row_from_obb(a, &row_a) && abut_np_row_from_obb(b, &row_b) && abut_np_overlap(&row_a, &row_b);
}

/* At most BLOCK pairs, of which index lists the numbers. What the kernel leaves undecided includes all that is not
 * valid. */
static size_t overlap_block(const abut_obb *a, const abut_obb *b, const uint32_t *index, size_t n, uint8_t *overlap) {
    abut_np_row row_a[BLOCK], row_b[BLOCK];
    uint8_t at[BLOCK], apart[BLOCK];
    size_t count = 0;
    abut_np_obb_pairs all = {a, b, sizeof *a, sizeof *b, index, index, n};
    abut_np_obb_pairs open = {row_a, row_b, sizeof *row_a, sizeof *row_b, index, index, 0};
    abut_np_obb_kernels_active()->verdicts(&all, 0, overlap);
    for (size_t k = 0; k < n; k++) {
        if (overlap[k] == ABUT_NP_UNDECIDED) {
            overlap[k] = 0;
            at[open.n] = (uint8_t)k;
            open.n += abut_np_row_from_obb(&a[k], &row_a[open.n]) && abut_np_row_from_obb(&b[k], &row_b[open.n]);
        }
        count += overlap[k];
    }
    abut_np_obb_separated_many(&open, 0, apart);
    for (size_t k = 0; k < open.n; k++) {
        overlap[at[k]] = !apart[k];
        count += !apart[k];
    }
    return count;
}

size_t abut_obb_overlap_many(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap) {
    uint32_t index[BLOCK];
    size_t count = 0;
    if (!a || !b || !overlap) {
        return 0;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        index[i] = i;
    }
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t part = n - done < BLOCK ? n - done : BLOCK;
        count += overlap_block(a + done, b + done, index, part, overlap + done);
    }
    return count;
}

bool abut_obb_collide(const abut_obb *a, const abut_obb *b, float margin, abut_manifold *manifold) {
    abut_np_row row_a, row_b;
    if (!manifold || !(margin >= 0) || !abut_bits_finite(margin) || !abut_np_row_from_obb(a, &row_a) ||
        !abut_np_row_from_obb(b, &row_b)) {
        return false;
    }
    return abut_np_collide(&row_a, &row_b, margin, manifold);
}
