/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes, and the spheres around them, against the planes of frusta,
 * in float. It answers only where the answer is certain; docs/numerics.md, "Culling", derives the constants. */
#include "base/lanes/vector_float.h"
#include "culling/kernels.h"
#include <math.h>

enum { LANES = ABUT_VF_LANES };

/* SLACK times |c'|_1 + |h|_1 bounds the rounding of distances from planes, except that of d, which the view contains.
 */
static const float SLACK = 32 * 0x1p-24f;

/* --- spheres --- */

/* Whether all numbers of LANES boxes are finite: only then is each of them times zero zero. */
static ABUT_INLINE bool all_finite(const abut_obb *box) {
    vf zeros = constant(0);
    for (int i = 0; i < 10; i++) {
        zeros = sum(zeros, times(abut_vf_load((const float *)(const void *)box + i * LANES), constant(0)));
    }
    return bits_of(equal(zeros, constant(0))) == bits_of(abut_mf_first(LANES));
}

/* An upper bound of the least depth of a point behind the planes. */
static ABUT_INLINE vf depth(const abut_cull_view *view, const vf c[3]) {
    vf d = constant(INFINITY);
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const vf n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        d = smaller(d, sum(dot(n, c), constant(view->high[p])));
    }
    return d;
}

/* LANES boxes, of which only centres, half extents and radii are read. *visible becomes those that are certainly
 * visible, never an invalid one. Returns those that are not certainly outside. */
static ABUT_INLINE mf sift(const abut_cull_view *view, const abut_obb *box, size_t stride, const uint32_t *index,
                           bool rounded, mf *visible) {
    vf head[4], tail[5];
    abut_vf_load4(&box->center, stride, index, head);
    abut_vf_load4(&box->rotation.w + rounded, stride, index, tail + rounded);
    const vf c[3] = {minus(head[0], constant(view->origin[0])), minus(head[1], constant(view->origin[1])),
                     minus(head[2], constant(view->origin[2]))};
    const vf *half = tail + 1;
    vf d = depth(view, c), slack = times(constant(SLACK), norm1(c)), away = minus(negated(d), slack);
    if (rounded) { /* what is left for the core's own sphere */
        away = minus(away, times(tail[4], constant(1 + 0x1p-20f)));
    }
    /* Squares are compared, which saves a root. The denormal range costs them less than 2^-126. */
    vf radius2 = sum(times(dot(half, half), constant(1 + 0x1p-20f)), constant(0x1p-126f));
    mf outside = both(less(constant(0), away), less(radius2, times(away, away)));
    mf valid = at_most(constant(0), smaller(smaller(half[0], half[1]), half[2]));
    *visible = both(valid, less(sum(slack, constant(view->unsure + 0x1p-80f)), d));
    return but_not(abut_mf_first(LANES), outside);
}

static void spheres(const abut_cull_view *view, const abut_obb *boxes, size_t n, abut_cull_sieve *sieve) {
    static const uint32_t each[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    abut_obb last[LANES];
    size_t kept = 0, open = 0;
    for (size_t k = 0; k < n; k += LANES) {
        const abut_obb *from = boxes + k;
        mf visible;
        if (n - k < LANES) {
            memset(last, 0, sizeof last);
            from = memcpy(last, from, (n - k) * sizeof *from);
        }
        mf stay = sift(view, from, sizeof *from, each, false, &visible);
        if (n - k < LANES) {
            stay = both(stay, abut_mf_first((uint32_t)(n - k)));
        }
        if (bits_of(stay)) {
            visible = all_finite(from) ? visible : abut_mf_first(0);
            vf side = choose(visible, constant(ABUT_INTERSECTS), constant(ABUT_CULL_UNDECIDED));
            abut_vf_store_bytes(sieve->side + k, side);
            kept += abut_lanes_pack((uint32_t)k, stay, sieve->kept + kept);
            open += abut_lanes_pack((uint32_t)k, but_not(stay, visible), sieve->open + open);
        }
    }
    sieve->kept_count = kept;
    sieve->open_count = open;
    abut_lanes_done();
}

static ABUT_INLINE size_t near_of(const abut_cull_view *view, const abut_cull_boxes *of, bool rounded, uint32_t *kept) {
    size_t count = 0;
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        size_t left = of->n - k;
        const uint32_t *index = padded(of->index + k, left, LANES, last);
        mf visible, stay = sift(view, of->boxes, of->stride, index, rounded, &visible);
        if (left < LANES) {
            stay = both(stay, abut_mf_first((uint32_t)left));
        }
        count += abut_lanes_pack((uint32_t)k, stay, kept + count);
    }
    abut_lanes_done();
    return count;
}

/* By itself, which leaves sharp boxes their registers. */
static ABUT_NOINLINE size_t near_of_rounded(const abut_cull_view *view, const abut_cull_boxes *of, uint32_t *kept) {
    return near_of(view, of, true, kept);
}

static size_t near(const abut_cull_view *view, const abut_cull_boxes *of, uint32_t *kept) {
    return of->rounded ? near_of_rounded(view, of, kept) : near_of(view, of, false, kept);
}

/* --- planes --- */

/* A box, as tests against planes need it. */
typedef struct arms {
    vf center[3], arm[3][3]; /* arm[j]: from the centre to the middle of a face */
    vf half;                 /* |h|_1, and the radius */
    vf extent[3];            /* h */
    vf radius;               /* only of rounded boxes: added to the extent along every direction */
    mf valid;                /* the quaternion is in range, and no half extent is negative */
} arms;

static ABUT_INLINE void load_arms(const abut_cull_boxes *of, const uint32_t *index, bool rounded, arms *x) {
    vf v[10], r[3][3];
    abut_vf_load10(of->boxes, of->stride, index, v);
    vf n = squared_norm4(v + 3);
    rotation_matrix(v + 3, n, r);
    for (int j = 0; j < 3; j++) {
        x->center[j] = v[j];
        x->extent[j] = v[7 + j];
        for (int i = 0; i < 3; i++) {
            x->arm[j][i] = times(r[i][j], v[7 + j]);
        }
    }
    x->half = sum3(v[7], v[8], v[9]);
    if (rounded) {
        vf end[4]; /* the half extents again */
        abut_vf_load4(&((const abut_obb *)of->boxes)->half, of->stride, index, end);
        x->radius = end[3];
        x->half = sum(x->half, x->radius);
    }
    x->valid = both(square_in_range(n), at_most(constant(0), smaller(smaller(v[7], v[8]), v[9])));
}

/* The least depths over all planes. All but the last are lower bounds, to within SLACK. */
typedef struct depths {
    vf nearest, second; /* of the corner that is farthest out: the least, and the second least */
    vf center;
    vf farthest; /* of the corner that is farthest in */
    vf at_most;  /* an upper bound of the same */
} depths;

static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t crossed, const vf c[3], const arms *x,
                                bool rounded, depths *least_of) {
    vf all = constant(INFINITY);
    depths m = {all, all, all, all, all};
    for (; crossed; crossed &= crossed - 1) {
        uint32_t p = ABUT_LOWEST_BIT(crossed);
        const vf n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        vf along = dot(n, c), low = sum(along, constant(view->low[p])), high = sum(along, constant(view->high[p]));
        vf extent = sum3(absolute(dot(n, x->arm[0])), absolute(dot(n, x->arm[1])), absolute(dot(n, x->arm[2])));
        if (rounded) {
            extent = sum(extent, x->radius);
        }
        vf out = minus(low, extent);
        m.second = smaller(m.second, larger(m.nearest, out));
        m.nearest = smaller(m.nearest, out);
        m.center = smaller(m.center, low);
        m.farthest = smaller(m.farthest, sum(low, extent));
        m.at_most = smaller(m.at_most, sum(high, extent));
    }
    *least_of = m;
}

/* The least depth of the point c + v behind the planes: a lower bound, to within SLACK. `out` becomes v, mirrored by
 * the planes that the point lies in front of. */
static ABUT_INLINE vf depth_of_point(const abut_cull_view *view, const vf c[3], const vf v[3], vf out[3]) {
    const vf at[3] = {sum(c[0], v[0]), sum(c[1], v[1]), sum(c[2], v[2])};
    vf most = constant(INFINITY);
    out[0] = v[0], out[1] = v[1], out[2] = v[2];
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const vf n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        vf d = sum(dot(n, at), constant(view->low[p]));
        vf back = times(constant(-2), smaller(d, constant(0)));
        most = smaller(most, d);
        for (int i = 0; i < 3; i++) {
            out[i] = sum(out[i], times(n[i], back));
        }
    }
    return most;
}

/* Moves the point v of the core towards `to`, by the radius at most. */
static ABUT_INLINE void approach(const arms *x, const vf to[3], vf v[3]) {
    const vf way[3] = {minus(to[0], v[0]), minus(to[1], v[1]), minus(to[2], v[2])};
    vf length = root(sum(dot(way, way), constant(0x1p-126f)));
    vf share = smaller(constant(1), times(quotient(x->radius, length), constant(1 - 0x1p-20f)));
    for (int i = 0; i < 3; i++) {
        v[i] = sum(v[i], times(way[i], share));
    }
}

/* Whether a point is found that is certainly in the box and in the frustum. The point is alternately mirrored by the
 * planes that it lies in front of and moved to the nearest point of the box (reflected projections onto convex sets,
 * which end inside after a few turns). The sum of arms with any shares in -1 .. 1 is in the box, so rounding the shares
 * is harmless. */
static ABUT_INLINE mf search(const abut_cull_view *view, const vf c[3], const arms *x, bool rounded, vf slack) {
    enum { TURNS = 2 };
    vf v[3] = {constant(0), constant(0), constant(0)}, to[3], one = constant(1);
    mf found = abut_mf_first(0);
    (void)depth_of_point(view, c, v, to);
    for (int k = 0; k < TURNS; k++) {
        v[0] = v[1] = v[2] = constant(0);
        for (int j = 0; j < 3; j++) {
            vf square = sum(times(x->extent[j], x->extent[j]), constant(0x1p-126f));
            vf share = quotient(dot(x->arm[j], to), square);
            share = smaller(one, larger(negated(one), share));
            for (int i = 0; i < 3; i++) {
                v[i] = sum(v[i], times(x->arm[j][i], share));
            }
        }
        if (rounded) {
            approach(x, to, v);
        }
        found = either(found, less(slack, depth_of_point(view, c, v, to)));
    }
    return found;
}

static ABUT_NOINLINE mf shares_point(const abut_cull_view *view, const vf c[3], const arms *x, vf slack) {
    return search(view, c, x, false, slack);
}

static ABUT_NOINLINE mf shares_point_rounded(const abut_cull_view *view, const vf c[3], const arms *x, vf slack) {
    return search(view, c, x, true, slack);
}

/* A box that is certainly cut by a plane certainly intersects the frustum if its centre is inside, if it is inside all
 * other planes, or if a shared point is found. */
static ABUT_INLINE void decide(const abut_cull_view *view, uint32_t crossed, const arms *x, bool rounded,
                               uint8_t *side) {
    const vf c[3] = {minus(x->center[0], constant(view->origin[0])), minus(x->center[1], constant(view->origin[1])),
                     minus(x->center[2], constant(view->origin[2]))};
    vf size = sum(norm1(c), x->half), slack = times(constant(SLACK), size), negative = negated(slack);
    mf valid = both(x->valid, size_in_range(size));
    depths m;
    measure(view, crossed, c, x, rounded, &m);
    mf outside = less(m.at_most, negative), inside = less(slack, m.nearest);
    mf across = both(less(slack, m.second), less(slack, m.farthest));
    /* Depths are too small by up to a slack for the error of d; those of a plane whose d is above `size` are positive.
     */
    mf cut = less(m.nearest, times(constant(3), negative));
    mf meets = either(across, less(slack, m.center));
    mf open = but_not(both(valid, cut), either(meets, outside));
    if (bits_of(open)) {
        meets = either(meets, rounded ? shares_point_rounded(view, c, x, slack) : shares_point(view, c, x, slack));
    }
    cut = both(cut, meets);
    vf out = choose(cut, constant(ABUT_INTERSECTS), constant(ABUT_CULL_UNDECIDED));
    out = choose(inside, constant(ABUT_INSIDE), out);
    out = choose(outside, constant(ABUT_OUTSIDE), out);
    abut_vf_store_bytes(side, choose(valid, out, constant(ABUT_CULL_UNDECIDED)));
}

/* Planes that some of n boxes may cross. */
static ABUT_INLINE uint32_t planes_of(const abut_cull_view *view, const uint8_t *crossed, size_t n) {
    uint32_t all = (UINT32_C(1) << view->plane_count) - 1, some = 0;
    for (size_t l = 0; crossed && l < n; l++) {
        some |= crossed[l];
    }
    return crossed ? some & all : all;
}

static ABUT_INLINE void planes_of_boxes(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *of,
                                        bool rounded, const uint8_t *crossed, uint8_t *side, size_t pitch) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        uint8_t bytes[LANES];
        size_t left = of->n - k;
        arms x;
        load_arms(of, padded(of->index + k, left, LANES, last), rounded, &x);
        for (uint32_t bits = views; bits; bits &= bits - 1) {
            uint32_t v = ABUT_LOWEST_BIT(bits);
            uint8_t *to = side + v * pitch + k;
            uint32_t some = planes_of(view + v, crossed ? crossed + v * pitch + k : NULL, left < LANES ? left : LANES);
            decide(view + v, some, &x, rounded, left < LANES ? bytes : to);
            if (left < LANES) {
                memcpy(to, bytes, left);
            }
        }
    }
    abut_lanes_done();
}

/* By itself, too. */
static ABUT_NOINLINE void planes_of_rounded(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *of,
                                            const uint8_t *crossed, uint8_t *side, size_t pitch) {
    planes_of_boxes(view, views, of, true, crossed, side, pitch);
}

static void planes(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *of, const uint8_t *crossed,
                   uint8_t *side, size_t pitch) {
    if (of->rounded) {
        planes_of_rounded(view, views, of, crossed, side, pitch);
    } else {
        planes_of_boxes(view, views, of, false, crossed, side, pitch);
    }
}

const abut_cull_kernels ABUT_KERNEL(abut_cull_kernels) = {.bounds = ABUT_KERNEL(abut_cull_bounds),
                                                          .spheres = spheres,
                                                          .near = near,
                                                          .planes = planes,
                                                          .axes = ABUT_KERNEL(abut_cull_axes)};
