/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two spheres, two capsules, or one of each, as spheres.c and segments.c relate them, operation for operation, so that
 * the bits are the same. What is known of such a pair alone is left out: a capsule has an extent along one axis only,
 * and shapes whose centers are far apart are not turned. Registers of two doubles hold what is computed for both
 * shapes, or for both ends of one. */
#include "narrowphase/round/single.h"
#include "base/lanes/two.h"
#include "narrowphase/feature.h"
#include "narrowphase/tolerance.h"
#include <math.h>

typedef abut_two two;

static inline two sum(two a, two b) {
    return abut_two_add(a, b);
}

static inline two minus(two a, two b) {
    return abut_two_sub(a, b);
}

static inline two times(two a, two b) {
    return abut_two_mul(a, b);
}

static inline two constant(double x) {
    return abut_two_set(x);
}

static inline two clamp(two x) {
    return abut_two_max(abut_two_min(x, constant(1)), constant(-1));
}

static inline two dot(const two a[3], const two b[3]) {
    return sum(sum(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static inline two firsts(two a) {
    return abut_two_firsts(a);
}

static inline two seconds(two a) {
    return abut_two_seconds(a);
}

/* As in segments.c: the sine, squared, of 2 degrees. */
static const double PARALLEL = 0x1.3f48e8f00098cp-10;

/* Two segments, the first of which may be a point: see lane_segments in segments.c. All but `both` is the same in both
 * places. */
typedef struct segments {
    two both[3]; /* half of each segment */
    two a[3], b[3], apart[3];
    two aa, bb, ab, over_aa, over_bb, a_apart, b_apart;
} segments;

/* As lane_limits in contact.inc. */
typedef struct limits {
    double radii, overlap, limit, nearest, margin;
} limits;

/* Candidates for the closest points, s and t in -1 .. 1: of the lines, of the ends of the first segment, of those of
 * the second. */
typedef struct candidates {
    two s, t, ends_t, ends_s;
    two square, square_t, square_s;
} candidates;

/* Where axis k of a rotation is written, counted from the own axis of a segment. */
static const uint8_t after[6] = {0, 1, 2, 0, 1, 2};

/* Half of both segments: their own axes, turned. */
static ABUT_INLINE void set_both(const abut_np_rod *a, const abut_np_rod *b, two norm2, two out[3]) {
    const uint8_t *i = after + a->axis, *j = after + b->axis;
    const float *p = a->at + 3, *q = b->at + 3;
    two half = abut_two_of_floats(a->half, b->half), s = abut_two_div(constant(2), norm2);
    two k = abut_two_of_floats(p[i[0]], q[j[0]]), l = abut_two_of_floats(p[i[1]], q[j[1]]);
    two m = abut_two_of_floats(p[i[2]], q[j[2]]), w = abut_two_of_floats(p[3], q[3]);
    two x = times(m, half), y = times(l, half); /* the cross product of rotation and axis is 0, x, -y */
    double own[2], next[2], last[2], of_a[3], of_b[3];
    abut_two_store(own, minus(half, times(s, sum(times(l, y), times(m, x)))));
    abut_two_store(next, times(s, sum(times(k, y), times(w, x))));
    abut_two_store(last, times(s, minus(times(k, x), times(w, y))));
    of_a[i[0]] = own[0], of_a[i[1]] = next[0], of_a[i[2]] = last[0];
    of_b[j[0]] = own[1], of_b[j[1]] = next[1], of_b[j[2]] = last[1];
    for (int e = 0; e < 3; e++) {
        out[e] = abut_two_of(of_a[e], of_b[e]);
    }
}

static ABUT_INLINE void set_segments(const abut_np_rod *a, const abut_np_rod *b, const abut_d3 *apart, two norm2,
                                     segments *g) {
    set_both(a, b, norm2, g->both);
    for (int i = 0; i < 3; i++) {
        g->apart[i] = constant(apart->x[i]);
        g->a[i] = firsts(g->both[i]);
        g->b[i] = seconds(g->both[i]);
    }
    two square = dot(g->both, g->both), along = dot(g->both, g->apart), over = abut_two_div(constant(1), square);
    g->aa = firsts(square), g->bb = seconds(square), g->ab = dot(g->a, g->b);
    g->over_aa = firsts(over), g->over_bb = seconds(over);
    g->a_apart = firsts(along), g->b_apart = seconds(along);
}

static inline two nearest_t(const segments *g, two s) {
    return times(minus(times(s, g->ab), g->b_apart), g->over_bb);
}

static inline two nearest_s(const segments *g, two t) {
    return times(sum(times(t, g->ab), g->a_apart), g->over_aa);
}

static ABUT_INLINE void between(const segments *g, two s, two t, two out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = sum(g->apart[i], minus(times(t, g->b[i]), times(s, g->a[i])));
    }
}

static ABUT_INLINE two square_at(const segments *g, two s, two t) {
    two d[3];
    between(g, s, t, d);
    return dot(d, d);
}

/* Where the first line is closest to the second, clamped to the segment. */
static ABUT_INLINE two closest_of_lines(const segments *g, double *sine2) {
    two k = times(g->ab, g->over_bb), w[3], r[3];
    for (int i = 0; i < 3; i++) {
        w[i] = minus(g->a[i], times(k, g->b[i]));
    }
    two square = dot(w, w);
    *sine2 = abut_two_first(square);
    if (!(abut_two_first(g->aa) * 0x1p-100 < *sine2)) {
        return constant(0);
    }
    two over = abut_two_div(constant(1), square), s = times(dot(g->apart, w), over);
    between(g, s, nearest_t(g, s), r);
    return clamp(sum(s, times(dot(r, w), over)));
}

static ABUT_INLINE void set_candidates(const segments *g, double *sine2, candidates *c) {
    two ends = abut_two_of(1, -1);
    c->s = closest_of_lines(g, sine2);
    c->t = clamp(nearest_t(g, c->s));
    c->square = square_at(g, c->s, c->t);
    c->ends_t = clamp(nearest_t(g, ends));
    c->square_t = square_at(g, ends, c->ends_t);
    c->ends_s = clamp(nearest_s(g, ends));
    c->square_s = square_at(g, c->ends_s, ends);
}

static ABUT_INLINE two least_of(const candidates *c) {
    two ends = abut_two_min(c->square_t, c->square_s);
    return abut_two_min(abut_two_min(c->square, firsts(ends)), seconds(ends));
}

/* The first of the nearest candidates. */
static ABUT_INLINE void choose(const candidates *c, two least, two *s, two *t) {
    double all_s[6], all_t[6];
    uint32_t nearest = abut_two_equal(c->square, least) | abut_two_equal(c->square_t, least) << 2 |
                       abut_two_equal(c->square_s, least) << 4;
    uint32_t i = abut_bits_lowest(nearest);
    abut_two_store(all_s, c->s), abut_two_store(all_t, c->t);
    abut_two_store(all_s + 2, abut_two_of(1, -1)), abut_two_store(all_t + 2, c->ends_t);
    abut_two_store(all_s + 4, c->ends_s), abut_two_store(all_t + 4, abut_two_of(1, -1));
    *s = constant(all_s[i]);
    *t = constant(all_t[i]);
}

/* Point by point: as one block it would take compilers' slow way. */
static inline void clear(abut_manifold *manifold) {
    static const abut_contact_point none;
    manifold->points[1] = manifold->points[2] = manifold->points[3] = none;
}

static inline float positive_zero(double x) {
    return (float)x + 0.0f;
}

static inline double separation_of(double distance, const limits *l) {
    double s = abut_min_d(distance - l->radii, l->margin);
    return distance <= l->overlap ? abut_min_d(s, 0) : s;
}

/* The feature of a segment at x, -1 .. 1: see segment_feature in contact.inc. */
static inline uint32_t feature_at(const abut_np_rod *rod, double x) {
    static const uint8_t feature[4][3] = {{0, 8, 1}, {0, 12, 2}, {0, 16, 4}, {0, 0, 0}};
    return feature[rod->axis][1 + (int32_t)x];
}

static ABUT_INLINE void write_point(const abut_np_rod *a, const abut_np_rod *b, const segments *g, two s, two t,
                                    const two normal[3], double separation, abut_contact_point *out) {
    float position[3];
    double st[2] = {abut_two_first(s), abut_two_first(t)};
    two at = abut_two_of(st[0], st[1]), radii = abut_two_of_floats(a->radius, -b->radius);
    for (int i = 0; i < 3; i++) {
        two core = sum(abut_two_of_floats(a->at[i], b->at[i]), times(at, g->both[i]));
        two on = sum(core, times(radii, normal[i]));
        position[i] = positive_zero(abut_two_first(times(sum(on, seconds(on)), constant(0.5))));
    }
    out->position = (abut_vec3){position[0], position[1], position[2]};
    out->separation = positive_zero(separation);
    out->feature = abut_np_feature_pair(feature_at(a, st[0]), feature_at(b, st[1]), true);
}

/* An end of the stretch that two parallel segments share: see stretch_end in segments.c. */
static two stretch_end(const segments *g, double end, double other, double near, two *t) {
    double t_end = abut_two_first(g->ab) > 0 ? end : -end;
    bool first = end > 0 ? end <= other + near : other - near <= end;
    bool second = end > 0 ? other - near <= end : end <= other + near;
    two s = constant(first ? end : other);
    *t = second ? constant(t_end) : clamp(nearest_t(g, s));
    return s;
}

/* Capsules that lie along each other have two points, if both ends of what they share are near enough. */
static ABUT_NOINLINE bool write_two(const abut_np_rod *a, const abut_np_rod *b, const segments *g, const limits *l,
                                    double distance, const two normal[3], abut_manifold *manifold) {
    double length_a = sqrt(abut_two_first(g->aa));
    double tolerance = (length_a + sqrt(abut_two_first(g->bb))) * ABUT_NP_RESTING, near = tolerance * (1 / length_a);
    double up = abut_two_first(nearest_s(g, constant(1))), down = abut_two_first(nearest_s(g, constant(-1)));
    double along[2], limit = l->limit * l->limit;
    two s[2], t[2];
    s[0] = stretch_end(g, -1, abut_min_d(up, down), near, &t[0]);
    s[1] = stretch_end(g, 1, abut_max_d(up, down), near, &t[1]);
    if (!(tolerance < abut_two_first(minus(s[1], s[0])) * length_a)) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        two d[3];
        between(g, s[k], t[k], d);
        if (!(abut_two_first(dot(d, d)) <= limit)) {
            return false;
        }
        along[k] = abut_two_first(dot(d, normal));
    }
    double shift = distance - abut_min_d(along[0], along[1]);
    for (int k = 0; k < 2; k++) {
        write_point(a, b, g, s[k], t[k], normal, separation_of(along[k] + shift, l), &manifold->points[k]);
    }
    return true;
}

/* |rotation|^2, but 1 where it stands for the identity or does not matter. False where it is of unusual length (see
 * abut_collider_keeps) or not finite. */
static ABUT_INLINE bool norm2_of(const abut_np_rod *rod, double *norm2) {
    double x = rod->at[3], y = rod->at[4], z = rod->at[5], w = rod->at[6];
    *norm2 = (x * x + y * y) + (z * z + w * w);
    if (*norm2 > 0x1.01p-18 && *norm2 < 0x1.fep17) {
        return true;
    }
    bool any = rod->half > 0 ? *norm2 == 0 : *norm2 < HUGE_VAL;
    *norm2 = 1;
    return any;
}

/* Whether cores touch whose distance has this square. */
static inline abut_np_round_verdict verdict_of(double square, limits l) {
    if (square > l.limit * l.limit) {
        return ABUT_NP_ROUND_APART;
    }
    return square > l.nearest * l.nearest ? ABUT_NP_ROUND_TOUCHING : ABUT_NP_ROUND_CORES; /* so, too, NaN */
}

static inline void write_normal(const abut_d3 *normal, bool swapped, abut_manifold *manifold) {
    manifold->normal = abut_vec3_round(swapped ? abut_d3_negate(*normal) : *normal);
}

/* Two capsules, in order. */
static ABUT_INLINE abut_np_round_verdict capsules(const abut_np_rod *a, const abut_np_rod *b, const abut_d3 *apart,
                                                  limits l, bool swapped, abut_manifold *manifold) {
    segments g;
    candidates c;
    double sine2, norm2_a, norm2_b;
    if (!norm2_of(a, &norm2_a) || !norm2_of(b, &norm2_b)) {
        return ABUT_NP_ROUND_CORES;
    }
    set_segments(a, b, apart, abut_two_of(norm2_a, norm2_b), &g);
    set_candidates(&g, &sine2, &c);
    two least = least_of(&c), s, t, normal[3];
    double square = abut_two_first(least), distance = sqrt(square);
    abut_np_round_verdict verdict = verdict_of(square, l);
    if (verdict != ABUT_NP_ROUND_TOUCHING || !manifold) {
        return verdict;
    }
    two over = constant(1 / distance);
    choose(&c, least, &s, &t);
    between(&g, s, t, normal);
    for (int i = 0; i < 3; i++) {
        normal[i] = times(normal[i], over);
    }
    clear(manifold);
    manifold->count = 1;
    if (sine2 <= abut_two_first(g.aa) * PARALLEL && write_two(a, b, &g, &l, distance, normal, manifold)) {
        manifold->count = 2;
    } else {
        write_point(a, b, &g, s, t, normal, separation_of(distance, &l), &manifold->points[0]);
    }
    const abut_d3 n = {{abut_two_first(normal[0]), abut_two_first(normal[1]), abut_two_first(normal[2])}};
    write_normal(&n, swapped, manifold);
    return ABUT_NP_ROUND_TOUCHING;
}

/* Half of one segment, as set_both. */
static ABUT_INLINE abut_d3 along_of(const abut_np_rod *rod, double norm2) {
    const uint8_t *i = after + rod->axis;
    const float *q = rod->at + 3;
    double half = rod->half, s = 2 / norm2, k = q[i[0]], l = q[i[1]], m = q[i[2]], w = q[3], x = m * half, y = l * half;
    abut_d3 out;
    out.x[i[0]] = half - s * (l * y + m * x);
    out.x[i[1]] = s * (k * y + w * x);
    out.x[i[2]] = s * (k * x - w * y);
    return out;
}

/* The point of the segment t = -1 .. 1 that is nearest to a point. */
static ABUT_INLINE double nearest_of_point(const abut_d3 *apart, const abut_d3 *b, double *square) {
    double ends[2] = {1, -1}, t = (0 - abut_d3_dot(*b, *apart)) * (1 / abut_d3_dot(*b, *b));
    t = abut_two_first(clamp(constant(t)));
    const abut_d3 d = abut_d3_along(*apart, t, *b);
    *square = abut_d3_dot(d, d);
    for (int i = 0; i < 2; i++) { /* an end is nearer only by rounding */
        const abut_d3 e = abut_d3_along(*apart, ends[i], *b);
        double other = abut_d3_dot(e, e);
        if (other < *square) {
            *square = other;
            t = ends[i];
        }
    }
    return t;
}

/* A sphere and a capsule, in order. */
static ABUT_INLINE abut_np_round_verdict sphere_and_capsule(const abut_np_rod *a, const abut_np_rod *b,
                                                            const abut_d3 *apart, limits l, bool swapped,
                                                            abut_manifold *manifold) {
    double any, norm2, square;
    if (!norm2_of(a, &any) || !norm2_of(b, &norm2)) {
        return ABUT_NP_ROUND_CORES;
    }
    const abut_d3 along = along_of(b, norm2);
    double t = nearest_of_point(apart, &along, &square), distance = sqrt(square), over = 1 / distance;
    abut_np_round_verdict verdict = verdict_of(square, l);
    if (verdict != ABUT_NP_ROUND_TOUCHING || !manifold) {
        return verdict;
    }
    double radius_a = a->radius, radius_b = b->radius;
    abut_d3 normal = abut_d3_along(*apart, t, along), middle;
    for (int i = 0; i < 3; i++) {
        normal.x[i] *= over;
        double on_a = a->at[i] + radius_a * normal.x[i];
        double on_b = (b->at[i] + t * along.x[i]) - radius_b * normal.x[i];
        middle.x[i] = (on_a + on_b) * 0.5;
    }
    clear(manifold);
    manifold->count = 1;
    manifold->points[0] = (abut_contact_point){abut_vec3_round(middle), positive_zero(separation_of(distance, &l)),
                                               abut_np_feature_pair(0, feature_at(b, t), true)};
    write_normal(&normal, swapped, manifold);
    return ABUT_NP_ROUND_TOUCHING;
}

bool abut_np_spheres_collide(const abut_vec3 *center_a, float radius_a, const abut_vec3 *center_b, float radius_b,
                             double margin, abut_manifold *manifold) {
    const abut_d3 p = abut_d3_from(*center_a), q = abut_d3_from(*center_b), apart = abut_d3_sub(q, p);
    double distance = abut_d3_length(apart), of_a = radius_a, of_b = radius_b, radii = of_a + of_b;
    double slack = (abut_d3_norm1(apart) + radii) * ABUT_NP_ROUND_SLACK;
    if (!(distance - ((radii + margin) + slack) <= 0)) { /* so, too, where a center is not finite */
        return false;
    }
    if (!manifold) {
        return true;
    }
    double over = 1 / (distance == 0 ? 1 : distance), gap = abut_min_d(distance - radii, margin);
    const abut_d3 normal = {{apart.x[0] * over, apart.x[1] * over, apart.x[2] * over}};
    float position[3];
    for (int i = 0; i < 3; i++) {
        position[i] = positive_zero(((p.x[i] + of_a * normal.x[i]) + (q.x[i] - of_b * normal.x[i])) * 0.5);
    }
    clear(manifold);
    manifold->normal = abut_vec3_round(normal);
    manifold->normal.y = distance == 0 ? 1 : manifold->normal.y;
    manifold->count = 1;
    manifold->points[0] = (abut_contact_point){{position[0], position[1], position[2]},
                                               positive_zero(distance <= radii + slack ? abut_min_d(gap, 0) : gap),
                                               0};
    return true;
}

/* Centers so far apart need no more: rounding takes far less than 2^-20. */
static inline bool far_apart(const abut_d3 *apart, double reach) {
    return abut_d3_dot(*apart, *apart) > reach * reach * (1 + 0x1p-20);
}

abut_np_round_verdict abut_np_rods_collide(const abut_np_rod *a, const abut_np_rod *b, double margin,
                                           abut_manifold *manifold) {
    const abut_d3 p = {{a->at[0], a->at[1], a->at[2]}}, q = {{b->at[0], b->at[1], b->at[2]}};
    abut_d3 apart = abut_d3_sub(q, p);
    double halves = (double)a->half + b->half, radii = (double)a->radius + b->radius;
    double size = (halves + abut_d3_norm1(apart)) + radii, slack = size * ABUT_NP_ROUND_SLACK;
    limits l = {radii, radii + slack, (radii + margin) + slack, size * ABUT_NP_ROUND_NEAREST, margin};
    if (far_apart(&apart, l.limit + halves)) {
        return ABUT_NP_ROUND_APART;
    }
    bool swapped = b->half < a->half;
    if (b->half == a->half) {
        swapped = apart.x[abut_d3_greatest_axis(apart)] < 0;
    }
    apart = swapped ? abut_d3_negate(apart) : apart;
    const abut_np_rod *first = swapped ? b : a, *second = swapped ? a : b;
    return first->half > 0 ? capsules(first, second, &apart, l, swapped, manifold)
                           : sphere_and_capsule(first, second, &apart, l, swapped, manifold);
}
