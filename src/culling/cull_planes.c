/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes, and the spheres around them, against the planes of frusta,
 * in float. It answers only where the answer is certain; docs/numerics.md, "Culling", derives the constants. */
#include "base/lanes/vector_float.h"
#include "culling/arms.h"
#include "culling/kernels.h"
#include <math.h>

enum { LANES = ABUT_VF_LANES };

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

/* LANES boxes, of which only centres and half extents are read. *visible becomes those that are certainly visible,
 * never an invalid one. Returns those that are not certainly outside. */
static ABUT_INLINE mf sift(const abut_cull_view *view, const abut_obb *box, const uint32_t *index, mf *visible) {
    vf head[4], tail[4];
    abut_vf_load4(&box->center, sizeof *box, index, head);
    abut_vf_load4(&box->rotation.w, sizeof *box, index, tail);
    const vf c[3] = {minus(head[0], constant(view->origin[0])), minus(head[1], constant(view->origin[1])),
                     minus(head[2], constant(view->origin[2]))};
    const vf *half = tail + 1;
    vf d = depth(view, c), slack = times(constant(ABUT_CULL_SLACK), norm1(c)), away = minus(negated(d), slack);
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
        mf stay = sift(view, from, each, &visible);
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

/* --- planes --- */

/* The least depths over all planes. All but the last are lower bounds, to within ABUT_CULL_SLACK. */
typedef struct depths {
    vf nearest, second; /* of the corner that is farthest out: the least, and the second least */
    vf center;
    vf farthest; /* of the corner that is farthest in */
    vf at_most;  /* an upper bound of the same */
} depths;

static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t crossed, const vf c[3], const abut_cull_arms *x,
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

/* A box that is certainly cut by a plane certainly intersects the frustum if its centre is inside, or if it is inside
 * all other planes. */
static ABUT_INLINE void decide(const abut_cull_view *view, uint32_t crossed, const abut_cull_arms *x, bool rounded,
                               uint8_t *side) {
    const vf c[3] = {minus(x->center[0], constant(view->origin[0])), minus(x->center[1], constant(view->origin[1])),
                     minus(x->center[2], constant(view->origin[2]))};
    vf size = sum(norm1(c), x->half), slack = times(constant(ABUT_CULL_SLACK), size), negative = negated(slack);
    mf valid = both(x->valid, size_in_range(size));
    depths m;
    measure(view, crossed, c, x, rounded, &m);
    mf beside = less(times(constant(ABUT_CULL_BESIDE), sum(size, constant(view->reach))),
                     abut_cull_gap_beside(view, c, x->wide));
    mf outside = either(beside, less(m.at_most, negative)), inside = less(slack, m.nearest);
    mf across = both(less(slack, m.second), less(slack, m.farthest));
    /* Depths are too small by up to a slack for the error of d; those of a plane whose d is above `size` are positive.
     */
    mf cut = both(less(m.nearest, times(constant(3), negative)), less(times(constant(5), slack), m.farthest));
    mf meets = either(across, less(slack, m.center));
    vf out = choose(meets, constant(ABUT_INTERSECTS), constant(ABUT_CULL_CUT));
    out = choose(cut, out, constant(ABUT_CULL_UNDECIDED));
    out = choose(inside, constant(ABUT_INSIDE), out);
    out = choose(outside, constant(ABUT_OUTSIDE), out);
    abut_vf_store_bytes(side, choose(valid, out, constant(ABUT_CULL_UNDECIDED)));
}

/* Planes that some of n boxes may cross. */
static ABUT_INLINE uint32_t planes_of(const abut_cull_view *view, const uint8_t *crossed, size_t n) {
    uint32_t all = (UINT32_C(1) << view->plane_count) - 1;
    uint64_t some = 0, eight;
    for (size_t l = 0; crossed && l < n;) {
        if (n - l >= sizeof eight) {
            memcpy(&eight, crossed + l, sizeof eight);
            l += sizeof eight;
        } else {
            eight = crossed[l++];
        }
        some |= eight;
    }
    some |= some >> 32;
    some |= some >> 16;
    return crossed ? (uint32_t)(some | some >> 8) & all : all;
}

static ABUT_INLINE void planes_of_boxes(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *of,
                                        bool rounded, const uint8_t *crossed, uint8_t *side, size_t pitch) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        uint8_t bytes[LANES];
        size_t left = of->n - k;
        abut_cull_arms x;
        abut_cull_load_arms(of, padded(of->index + k, left, LANES, last), rounded, &x);
        for (uint32_t bits = views; bits; bits &= bits - 1) {
            uint32_t v = ABUT_LOWEST_BIT(bits);
            uint8_t *to = side + v * pitch + k;
            uint32_t some = planes_of(view + v, crossed ? crossed + v * pitch + k : NULL, left < LANES ? left : LANES);
            if (crossed && some == 0) { /* within bounds that are inside */
                memset(to, ABUT_INSIDE, left < LANES ? left : LANES);
                continue;
            }
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
                                                          .bodies = ABUT_KERNEL(abut_cull_bodies),
                                                          .spheres = spheres,
                                                          .planes = planes,
                                                          .overlaps = ABUT_KERNEL(abut_cull_overlaps),
                                                          .search = ABUT_KERNEL(abut_cull_search),
                                                          .axes = ABUT_KERNEL(abut_cull_axes)};
