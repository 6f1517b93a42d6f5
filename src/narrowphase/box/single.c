/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One pair of boxes alone: the float stage and, for boxes that are not turned, all of it. */
#include "narrowphase/box/single.h"
#include "base/dd.h"
#include "base/lanes/xyz.h"
#include "base/spatial.h"
#include "narrowphase/feature.h"
#include "narrowphase/tolerance.h"
#include <math.h>
#include <stddef.h>

/* --- the float stage: the 15 axes of axes.inc for a single pair, three axes in one register. The sums are those of the
 * kernels, up to their order, so their slack covers the rounding here; what it leaves open, the other stages decide.
 *
 * With indices modulo 3, lane i of diagonal[k] is entry (i, i + k) of the rotation of b in the frame of a: with its
 * lanes moved on by one or two, every row, column and minor is a register of these. */

typedef abut_xyz xyz;

typedef struct pair {
    xyz diagonal[3], size[3]; /* size: magnitudes of `diagonal` */
    xyz t, a, b;              /* centre of b in the frame of a, half extents */
    xyz s;                    /* S of separation.h */
    xyz n, n_a;               /* squared lengths of the relative quaternion and of a's */
} pair;

static inline xyz sum(xyz a, xyz b) {
    return abut_xyz_add(a, b);
}

static inline xyz minus(xyz a, xyz b) {
    return abut_xyz_sub(a, b);
}

static inline xyz times(xyz a, xyz b) {
    return abut_xyz_mul(a, b);
}

static inline xyz next(xyz a) {
    return abut_xyz_next(a);
}

static inline xyz after(xyz a) {
    return abut_xyz_after(a);
}

static inline xyz absolute(xyz a) {
    return abut_xyz_abs(a);
}

static inline xyz sum3(xyz a, xyz b, xyz c) {
    return sum(sum(a, b), c);
}

static inline xyz cross(xyz a, xyz b) {
    return minus(times(next(a), after(b)), times(after(a), next(b)));
}

/* The quaternion of b in the frame of a, and its w in all lanes: see relative_quaternion in lanes/vector.h. */
static inline xyz relative(xyz a, xyz b, xyz *w) {
    xyz along = minus(times(abut_xyz_fourth(a), b), times(a, abut_xyz_fourth(b)));
    *w = abut_xyz_sum_of_four(times(a, b));
    return sum(along, minus(times(after(a), next(b)), times(next(a), after(b))));
}

static inline void set_rotation(xyz v, xyz w, pair *p) {
    xyz scaled = times(v, abut_xyz_div(abut_xyz_set(2), p->n));
    xyz square = times(v, scaled), across = times(v, next(scaled)), about = times(w, after(scaled));
    p->diagonal[0] = minus(abut_xyz_set(1), sum(next(square), after(square)));
    p->diagonal[1] = minus(across, about);
    p->diagonal[2] = after(sum(across, about));
    for (int k = 0; k < 3; k++) {
        p->size[k] = absolute(p->diagonal[k]);
    }
}

/* d in the frame that q rotates: see unrotate in axes.inc. */
static inline xyz unrotate(xyz q, xyz n, xyz d) {
    xyz s = abut_xyz_div(abut_xyz_set(2), n), c = cross(q, d);
    return sum(d, times(s, minus(cross(q, c), times(abut_xyz_fourth(q), c))));
}

/* Where the members of a box are among its ten floats. */
enum { CENTER = 0, ROTATION = 3, W = 6, HALF = 7, FLOATS = 10 };
_Static_assert(offsetof(abut_obb, rotation) == ROTATION * sizeof(float) &&
                   offsetof(abut_obb, half) == HALF * sizeof(float),
               "ten floats in a row");

static inline void relate(const float *a, const float *b, pair *p) {
    xyz q_a = abut_xyz_load(a + ROTATION), q_b = abut_xyz_load(b + ROTATION), w;
    xyz d = minus(abut_xyz_load(b + CENTER), abut_xyz_load(a + CENTER));
    xyz v = relative(q_a, q_b, &w);
    p->a = abut_xyz_last_three(abut_xyz_load(a + W)); /* w and the half extents */
    p->b = abut_xyz_last_three(abut_xyz_load(b + W));
    p->n = sum(abut_xyz_sum(times(v, v)), times(w, w));
    p->n_a = abut_xyz_sum_of_four(times(q_a, q_a));
    p->s = abut_xyz_sum(sum3(absolute(d), p->a, p->b));
    p->t = unrotate(q_a, p->n_a, d);
    set_rotation(v, w, p);
}

/* As size_in_range and square_in_range in lanes/vector_float.h. */
static inline bool in_range(xyz x, float low, float high) {
    float value = abut_xyz_first(x);
    return low < value && value < high;
}

static bool valid(const float *a, const float *b, const pair *p) {
    a += HALF, b += HALF;
    return in_range(p->n, 0x1p-40f, 0x1p+40f) && in_range(p->n_a, 0x1p-40f, 0x1p+40f) &&
           in_range(p->s, 0x1p-60f, 0x1p+60f) && a[0] >= 0 && a[1] >= 0 && a[2] >= 0 && b[0] >= 0 && b[1] >= 0 &&
           b[2] >= 0;
}

/* The largest gap along a face normal of a or b. */
static inline float largest_of_faces(const pair *p) {
    xyz u = after(p->diagonal[1]), e = next(p->diagonal[2]); /* column j: entries (j + 2, j), (j + 1, j) */
    xyz along = sum3(times(p->t, p->diagonal[0]), times(after(p->t), u), times(next(p->t), e));
    xyz of_b = sum3(times(p->b, p->size[0]), times(next(p->b), p->size[1]), times(after(p->b), p->size[2]));
    xyz of_a = sum3(times(p->a, p->size[0]), times(after(p->a), absolute(u)), times(next(p->a), absolute(e)));
    xyz by_a = minus(minus(absolute(p->t), p->a), of_b), by_b = minus(minus(absolute(along), p->b), of_a);
    return abut_xyz_largest(abut_xyz_max(by_a, by_b));
}

/* Edges i of a and i + k of b, in lane i. */
typedef struct edges {
    xyz gap;     /* along their cross product, times its length */
    xyz sine;    /* as `sine` in axes.inc */
    xyz squared; /* the squared length of the cross product */
} edges;

static ABUT_INLINE void set_edges(const pair *p, int k, edges *out) {
    xyz above = next(p->diagonal[(k + 2) % 3]), below = after(p->diagonal[(k + 1) % 3]); /* rows i + 1, i + 2 */
    xyz size_above = absolute(above), size_below = absolute(below);
    xyz b = k == 0 ? p->b : k == 1 ? next(p->b) : after(p->b); /* lane i: half extent i + k */
    xyz along = minus(times(after(p->t), above), times(next(p->t), below));
    xyz of_a = sum(times(next(p->a), size_below), times(after(p->a), size_above));
    xyz of_b = sum(times(next(b), p->size[(k + 2) % 3]), times(after(b), p->size[(k + 1) % 3]));
    out->gap = minus(minus(absolute(along), of_a), of_b);
    out->sine = sum(size_above, size_below);
    out->squared = sum(times(above, above), times(below, below));
}

static inline float largest_of_edges(const edges e[3]) {
    return abut_xyz_largest(abut_xyz_max(abut_xyz_max(e[0].gap, e[1].gap), e[2].gap));
}

/* The largest gap over edges that the faces do not decide: see largest_undecided in separation_float.c. */
static float largest_undecided(const pair *p, const edges e[3], float face, float slack) {
    xyz room = abut_xyz_set(-face - (slack + slack)), none = abut_xyz_set(-INFINITY), scale = abut_xyz_set(1.5f);
    edges left[3];
    for (int k = 0; k < 3; k++) {
        left[k].gap = abut_xyz_choose_less(times(times(scale, e[k].sine), p->s), room, none, e[k].gap);
    }
    return largest_of_edges(left);
}

/* Whether no pair of edges can be preferred to the faces: see separation_float.c. */
static bool faces_win(const edges e[3], float most, float face, float slack) {
    float least = 0.951f * (slack - face), worst = -INFINITY;
    xyz square = abut_xyz_set(least * least), twice = abut_xyz_set(slack + slack);
    for (int k = 0; k < 3; k++) {
        xyz x = sum(e[k].gap, twice);
        float of_these = abut_xyz_largest(minus(times(square, e[k].squared), times(x, x)));
        worst = of_these > worst ? of_these : worst;
    }
    return most + (slack + slack) < 0 && worst < -0x1p-120f;
}

abut_np_verdict abut_np_box_single_verdict(const void *box_a, const void *box_b, bool kinds) {
    const float *a = box_a, *b = box_b;
    pair p;
    edges e[3];
    relate(a, b, &p);
    if (!valid(a, b, &p)) {
        return ABUT_NP_UNDECIDED;
    }
    float slack = ABUT_NP_SLACK_FLOAT * abut_xyz_first(p.s), face = largest_of_faces(&p);
    if (face > slack) {
        return ABUT_NP_APART;
    }
    for (int k = 0; k < 3; k++) {
        set_edges(&p, k, &e[k]);
    }
    float most = largest_of_edges(e);
    if (most > slack) {
        return ABUT_NP_APART;
    }
    if (face >= -slack) {
        return ABUT_NP_UNDECIDED;
    }
    if (most < -slack) {
        return kinds && faces_win(e, most, face, slack) ? ABUT_NP_TOUCHING_BY_FACE : ABUT_NP_TOUCHING;
    }
    return largest_undecided(&p, e, face, slack) < -slack ? ABUT_NP_TOUCHING : ABUT_NP_UNDECIDED;
}

/* --- boxes that are not turned at all, such as crates, bricks and tiles: whether they touch, and the rectangle that
 * their faces share. The verdict is that of separation_aligned.c, and the points are those that manifolds.c finds for
 * such boxes, to the bit: there every product has a factor of 0 or 1. --- */

/* Beyond this times the size of a pair, a gap in double is certain. */
static const double CERTAIN = 0x1p-40;

/* Box b is at `apart` from box a, which is the first in the order of manifold_pair.inc. */
typedef struct unturned {
    const float *a, *b;
    double apart[3], half_a[3], half_b[3], size_a, size_b, size;
    bool swapped;
} unturned;

/* What the faces share along one of their tangents, from its low end (0) to its high end (1). Each end is one of the
 * face of a or of that of b, and counts there for a feature as in abut_np_feature_of_box. */
typedef struct overlap {
    float at[2];
    int32_t on_a[2], on_b[2];
} overlap;

/* All zero stands for the identity. */
static inline bool is_unturned(const float *box) {
    const uint32_t one = UINT32_C(0x3f800000), w = abut_bits_of_float(box[W]);
    return !(abut_bits_of_float(box[ROTATION]) | abut_bits_of_float(box[ROTATION + 1]) |
             abut_bits_of_float(box[ROTATION + 2])) &&
           (w == one || w == 0);
}

/* Not what is negative or -0. */
static inline bool has_positive_halves(const float *box) {
    return !((abut_bits_of_float(box[HALF]) | abut_bits_of_float(box[HALF + 1]) | abut_bits_of_float(box[HALF + 2])) >>
             31);
}

/* As in manifold_pair.inc. */
static ABUT_INLINE bool comes_after(const float *a, const float *b, const double apart[3]) {
    for (int i = HALF; i < FLOATS; i++) {
        if (a[i] != b[i]) {
            return b[i] < a[i];
        }
    }
    const abut_d3 d = abut_d3_load(apart);
    return d.x[abut_d3_greatest_axis(d)] < 0;
}

static ABUT_INLINE void set_pair(const float *a, const float *b, unturned *p) {
    double apart[3];
    for (int i = 0; i < 3; i++) {
        apart[i] = (double)b[CENTER + i] - a[CENTER + i];
    }
    p->swapped = comes_after(a, b, apart);
    p->a = p->swapped ? b : a;
    p->b = p->swapped ? a : b;
    for (int i = 0; i < 3; i++) {
        p->apart[i] = p->swapped ? -apart[i] : apart[i];
        p->half_a[i] = p->a[HALF + i];
        p->half_b[i] = p->b[HALF + i];
    }
    p->size_a = (p->half_a[0] + p->half_a[1]) + p->half_a[2];
    p->size_b = (p->half_b[0] + p->half_b[1]) + p->half_b[2];
    p->size = (abut_d3_norm1(abut_d3_load(apart)) + p->size_a) + p->size_b;
}

/* As gap_along in separation_aligned.c. */
static ABUT_NOINLINE bool are_apart(const unturned *p) {
    double size = 0, widest = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const abut_dd offset = abut_dd_two_sum(p->b[CENTER + i], -(double)p->a[CENTER + i]);
        const abut_dd halves = abut_dd_two_sum(p->half_a[i], p->half_b[i]);
        const abut_dd gap = abut_dd_two_sum(fabs(offset.hi), -halves.hi);
        size += fabs(offset.hi) + halves.hi;
        widest = abut_max_d(widest, gap.hi + (gap.lo + ((offset.hi < 0 ? -offset.lo : offset.lo) - halves.lo)));
    }
    return size * ABUT_NP_SLACK_DD < widest;
}

static inline double clamp(double x, double half) {
    return abut_max_d(abut_min_d(x, half), -half);
}

/* As overlap_along in manifold_flush.inc. `step`: what an end of the axis counts. */
static ABUT_INLINE void set_overlap(const unturned *p, int axis, int32_t step, double on_plane, overlap *out) {
    double half = p->half_a[axis], wide = half + on_plane, middle = p->apart[axis], extent = p->half_b[axis];
    double low = middle - extent, high = middle + extent, origin = p->a[CENTER + axis];
    bool low_of_b = -wide <= low, high_of_b = high <= wide;
    out->at[0] = (float)(origin + clamp(low, half)) + 0.0f;
    out->at[1] = (float)(origin + clamp(high, half)) + 0.0f;
    out->on_b[0] = low_of_b ? -step : 0, out->on_a[0] = -step - out->on_b[0];
    out->on_b[1] = high_of_b ? step : 0, out->on_a[1] = step - out->on_b[1];
}

/* Face a looks along `axis`, face b against it. */
static ABUT_INLINE void write_rectangle(const unturned *p, int axis, double separation, double resting,
                                        abut_manifold *manifold) {
    static const uint8_t after[5] = {0, 1, 2, 0, 1};
    static const int32_t step[3] = {1, 3, 9};
    const int l = after[axis + 1], m = after[axis + 2];
    bool up = p->apart[axis] >= 0;
    double height = p->half_a[axis] + separation * 0.5;
    float at = (float)(p->a[CENTER + axis] + (up ? height : -height)) + 0.0f, depth = (float)separation + 0.0f;
    int32_t face = up ? step[axis] : -step[axis];
    overlap u, v;
    set_overlap(p, l, step[l], resting, &u);
    set_overlap(p, m, step[m], resting, &v);
    for (int k = 0; k < 4; k++) { /* high high, low high, low low, high low */
        const int i = k == 0 || k == 3, j = k < 2;
        abut_contact_point *point = &manifold->points[k];
        float *position = &point->position.x;
        position[axis] = at, position[l] = u.at[i], position[m] = v.at[j];
        point->separation = depth;
        point->feature = abut_np_feature_pair(abut_np_feature_of_box(face + u.on_a[i] + v.on_a[j]),
                                              abut_np_feature_of_box(-face + u.on_b[i] + v.on_b[j]), false);
    }
    manifold->normal = (abut_vec3){0, 0, 0};
    (&manifold->normal.x)[axis] = up == p->swapped ? -1.0f : 1.0f;
    manifold->count = 4;
}

abut_np_verdict abut_np_box_unturned_collide(const void *box_a, const void *box_b, abut_manifold *manifold) {
    const float *a = box_a, *b = box_b;
    unturned p;
    if (!is_unturned(a) || !is_unturned(b) || !has_positive_halves(a) || !has_positive_halves(b)) {
        return ABUT_NP_UNDECIDED;
    }
    set_pair(a, b, &p);
    double gap[3], certain = CERTAIN * p.size, noise = ABUT_NP_RESTING_NOISE * p.size;
    for (int i = 0; i < 3; i++) {
        gap[i] = (fabs(p.apart[i]) - p.half_a[i]) - p.half_b[i];
    }
    int axis = gap[0] < gap[1] ? 1 : 0;
    axis = gap[axis] < gap[2] ? 2 : axis;
    if (gap[axis] > certain || !(p.size < HUGE_VAL)) {
        return ABUT_NP_APART;
    }
    if (!(gap[axis] < -certain) && are_apart(&p)) {
        return ABUT_NP_APART;
    }
    double thinnest = HUGE_VAL, least = ABUT_NP_RESTING * abut_min_d(p.size_a, p.size_b);
    for (int i = 0; i < 3; i++) {
        thinnest = i == axis ? thinnest : abut_min_d(thinnest, abut_min_d(p.half_a[i], p.half_b[i]));
    }
    if (!(noise < thinnest)) {
        return ABUT_NP_UNDECIDED;
    }
    write_rectangle(&p, axis, abut_min_d(gap[axis], 0), abut_max_d(least, noise), manifold);
    return ABUT_NP_TOUCHING_BY_FACE;
}
