/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes against frusta along all axes that can separate them, in
 * double: the normals of the planes, those of the box and the products of edges, after Eberly, "Intersection of
 * Orthogonal View Frustum and Oriented Bounding Box using Separation Axis Testing" (2001). docs/numerics.md, "Culling",
 * derives the constants and proves that nothing visible is ever outside. */
#include "base/lanes/vector_double.h"
#include "culling/kernels.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES, ALL = (1 << LANES) - 1 };

/* Along a unit vector, ROUNDED times all lengths bounds the rounding of a gap. SPREAD times them and the frustum's
 * spread bounds the contribution of runs that are perpendicular to the vector to within ACROSS, which are left out. */
static const double ROUNDED = 64 * 0x1p-53, SPREAD = 32 * 0x1p-53, ACROSS = 16 * 0x1p-53;

static ABUT_INLINE void set_all(const double x[3], vd v[3]) {
    v[0] = constant(x[0]), v[1] = constant(x[1]), v[2] = constant(x[2]);
}

/* A register full of boxes. */
typedef struct box_lanes {
    vd c[3];       /* centres, relative to the frustum's origin */
    vd axis[3][3]; /* axis[j]: the direction of local axis j */
    vd half[3];
    vd size; /* |c|_1 + |h|_1 */
} box_lanes;

/* A quaternion of zeros is the identity. */
static ABUT_INLINE void load_boxes(const abut_frustum *frustum, const abut_cull_boxes *of, const uint32_t *index,
                                   box_lanes *x) {
    vd v[10], r[3][3], *q = v + 3;
    abut_vd_load10(of->boxes, of->stride, index, v);
    vd n = squared_norm4(q);
    md zero = equal(n, constant(0));
    q[3] = choose(zero, constant(1), q[3]);
    rotation_matrix(q, choose(zero, constant(1), n), r);
    for (int i = 0; i < 3; i++) {
        x->c[i] = minus(v[i], constant(frustum->origin[i]));
        x->half[i] = v[7 + i];
        for (int j = 0; j < 3; j++) {
            x->axis[j][i] = r[i][j];
        }
    }
    x->size = sum(norm1(x->c), norm1(x->half));
}

/* The boxes that planes alone decide. */
typedef struct verdicts {
    md outside, inside, cut; /* cut: not inside, but certain to share a point */
} verdicts;

/* A box intersects the frustum if its centre is inside, or if it is inside all planes but one, which cuts it. The least
 * depths over all planes decide: of the corner that is farthest out (and the second least), of the centre, and of the
 * corner that is farthest in. */
static ABUT_INLINE verdicts planes(const abut_frustum *frustum, const box_lanes *x) {
    vd all = constant(INFINITY), nearest = all, sure = all, second = all, center = all, farthest = all, most = all;
    vd slack = times(constant(ROUNDED), x->size), negative = negated(slack);
    for (uint32_t p = 0; p < frustum->plane_count; p++) {
        vd n[3], d = constant(frustum->plane[p][3]), unsure = times(absolute(d), constant(ROUNDED));
        set_all(frustum->plane[p], n);
        vd radius =
            sum3(times(absolute(dot(n, x->axis[0])), x->half[0]), times(absolute(dot(n, x->axis[1])), x->half[1]),
                 times(absolute(dot(n, x->axis[2])), x->half[2]));
        vd depth = sum(dot(n, x->c), d), low = minus(depth, unsure);
        nearest = smaller(nearest, minus(depth, radius));
        second = smaller(second, larger(sure, minus(low, radius)));
        sure = smaller(sure, minus(low, radius));
        center = smaller(center, low);
        farthest = smaller(farthest, sum(low, radius));
        most = smaller(most, sum(sum(depth, unsure), radius));
        if (LANES == 1 && bits_of(less(most, negative))) {
            break;
        }
    }
    verdicts k = {.outside = less(most, negative), .inside = at_most(constant(0), nearest)};
    md across = both(less(slack, second), less(slack, farthest));
    k.cut = but_not(either(across, less(slack, center)), k.inside);
    return k;
}

/* The gap between boxes and frustum along n, whose length is at most `length`; negative where they overlap. `radius` is
 * half of the box's extent along n. A run perpendicular to n adds nothing, however long it is. */
static ABUT_INLINE vd gap_along(const abut_frustum *frustum, const box_lanes *x, const vd n[3], vd length, vd radius) {
    vd low = constant(INFINITY), high = constant(-INFINITY), at = dot(n, x->c);
    vd across = times(length, constant(ACROSS));
    for (uint32_t k = 0; k < frustum->run_count; k++) {
        vd b[3], r[3];
        set_all(frustum->run[k], b);
        set_all(frustum->run[k] + 3, r);
        vd begin = dot(n, b), slope = dot(n, r), more = times(slope, constant(frustum->run[k][6]));
        low = smaller(low, abut_vd_add_where(less(slope, negated(across)), begin, more));
        high = larger(high, abut_vd_add_where(less(across, slope), begin, more));
    }
    return larger(minus(minus(at, radius), high), minus(minus(low, at), radius));
}

/* Whether there is a gap along a product n = a x e of edge e and an axis a of the box, beyond `least` times the length
 * of n. The box's radius along n follows from e's components along the other two axes. Its rounding is bounded by
 * `lost`; all other rounding shrinks with n, once n is made perpendicular to e: so nearly parallel edges separate boxes
 * as reliably as others. */
static ABUT_INLINE md separated_by_products(const abut_frustum *frustum, const box_lanes *x, const double e[3],
                                            vd least) {
    vd edge[3], part[3], lost = times(constant(ROUNDED), norm1(x->half));
    md apart = less(lost, constant(0));
    set_all(e, edge);
    for (int j = 0; j < 3; j++) {
        part[j] = absolute(dot(edge, x->axis[j]));
    }
    for (int j = 0; j < 3; j++) {
        int k = (j + 1) % 3, l = (j + 2) % 3;
        const vd *a = x->axis[j];
        vd n[3] = {minus(times(a[1], edge[2]), times(a[2], edge[1])), minus(times(a[2], edge[0]), times(a[0], edge[2])),
                   minus(times(a[0], edge[1]), times(a[1], edge[0]))};
        vd along = dot(n, edge);
        for (int i = 0; i < 3; i++) {
            n[i] = minus(n[i], times(along, edge[i]));
        }
        vd length = norm1(n), radius = sum(times(part[l], x->half[k]), times(part[k], x->half[l]));
        vd gap = gap_along(frustum, x, n, length, radius);
        apart = either(apart, less(sum(times(length, least), lost), gap));
    }
    return apart;
}

/* Which boxes have a gap along an axis that is not the normal of a plane. The answers for `decided` boxes are not used.
 */
static ABUT_NOINLINE md separated(const abut_frustum *frustum, const box_lanes *x, md decided) {
    vd least = sum(times(constant(ROUNDED), x->size), constant(ROUNDED * frustum->extent));
    least = sum(least, times(constant(SPREAD * frustum->spread), sum(x->size, constant(frustum->extent))));
    vd one = constant(1), gap = constant(-INFINITY);
    for (int j = 0; j < 3; j++) {
        gap = larger(gap, gap_along(frustum, x, x->axis[j], one, x->half[j]));
    }
    md apart = less(least, gap);
    for (uint32_t e = 0; e < frustum->edge_count && bits_of(either(apart, decided)) != ALL; e++) {
        apart = either(apart, separated_by_products(frustum, x, frustum->edge[e], least));
    }
    return apart;
}

static ABUT_INLINE void decide(const abut_frustum *frustum, const abut_cull_boxes *of, const uint32_t *index,
                               double *side) {
    box_lanes x;
    load_boxes(frustum, of, index, &x);
    verdicts k = planes(frustum, &x);
    md decided = either(either(k.outside, k.inside), k.cut);
    if (bits_of(decided) != ALL) {
        k.outside = either(k.outside, but_not(separated(frustum, &x, decided), decided));
    }
    vd out = choose(k.outside, constant(ABUT_OUTSIDE), constant(ABUT_INTERSECTS));
    abut_vd_store(side, choose(k.inside, constant(ABUT_INSIDE), out));
}

void ABUT_KERNEL(abut_cull_axes)(const abut_frustum *frustum, const abut_cull_boxes *of, uint8_t *side) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        double out[LANES];
        size_t left = of->n - k;
        decide(frustum, of, padded(of->index + k, left, LANES, last), out);
        for (size_t l = 0; l < LANES && l < left; l++) {
            side[k + l] = (uint8_t)out[l];
        }
    }
    abut_lanes_done();
}
