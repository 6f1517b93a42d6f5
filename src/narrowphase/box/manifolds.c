/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the manifolds of boxes that touch. box.h lists its parts, the .inc
 * files. One round computes the manifolds of one pair per lane. */
#include "base/bits.h"
#include "narrowphase/along.h"
#include "narrowphase/box/kernels.h"
#include "narrowphase/box/manifold_alone.inc"
#include "narrowphase/box/manifold_axis.inc"
#include "narrowphase/box/manifold_edge.inc"
#include "narrowphase/box/manifold_flush.inc"
#include "narrowphase/box/manifold_reduce.inc"
#include "narrowphase/box/separation.h"
#include "narrowphase/feature.h"
#include <string.h>

/* Where the manifold of each lane is written: to `nowhere` for lanes that a function must not write. */
typedef struct lane_outputs {
    void *of[LANES];
    abut_manifold nowhere;
} lane_outputs;

static inline void select_outputs(abut_manifold *const all[LANES], uint32_t which, lane_outputs *out) {
    for (uint32_t l = 0; l < LANES; l++) {
        out->of[l] = which >> l & 1 ? all[l] : &out->nowhere;
    }
}

/* Four floats of each lane's manifold. */
static inline void store_four(const lane_outputs *out, size_t offset, const vd xyz[3], vd w) {
    const vd v[4] = {xyz[0], xyz[1], xyz[2], w};
    abut_vd_store4(out->of, offset, v);
}

static inline size_t point_offset(int k) {
    return offsetof(abut_manifold, points) + (size_t)k * sizeof(abut_contact_point);
}

/* The normal, from the caller's first box to the second; the count becomes zero. */
static inline void store_normal(const lane_pair *p, const vd n[3], const lane_outputs *out) {
    const vd turned[3] = {positive_where(p->swapped, negated(n[0])), positive_where(p->swapped, negated(n[1])),
                          positive_where(p->swapped, negated(n[2]))};
    store_four(out, offsetof(abut_manifold, normal), turned, constant(0));
}

/* x is a whole number. */
static inline uint32_t to_u32(double x) {
    return (uint32_t)(int32_t)x;
}

/* One coordinate, on the reference face, of the points that were picked. */
typedef union lane_slot {
    vd v[SLOTS];
    double x[SLOTS * LANES];
} lane_slot;

/* Picks the points of a lane's set from the lane's candidates. */
static inline void pick_points(const lane_candidates *all, uint32_t set, uint32_t l, lane_slot at[2],
                               abut_manifold *m) {
    enum { NONE = (1 << SLOTS) - 1 };
    set = set % ONE_MORE | NONE << CANDIDATES;
    for (uint32_t k = 0; k < SLOTS; k++, set &= set - 1) {
        const double *from = candidate_at(all, abut_bits_lowest(set), l);
        at[0].x[k * LANES + l] = from[COLUMN_U];
        at[1].x[k * LANES + l] = from[COLUMN_V];
        m->points[k].feature = low_bits(from[COLUMN_FEATURE]);
    }
}

/* What is stored of a point over (u, v): its position and separation; zero where it is not used. */
static inline void set_point(const lane_faces *f, vd u, vd v, vd separation, md used, vd out[4]) {
    vd zero = constant(0);
    const vd local[3] = {times(f->sign, sum(f->half[0], times(separation, constant(0.5)))), u, v};
    point_to_world(&f->frame, local, out);
    out[3] = separation;
    for (int i = 0; i < 4; i++) {
        out[i] = choose(used, out[i], zero);
    }
}

/* empty: the lanes with a stand-in point. */
static inline void store_points(const lane_faces *f, const lane_slot at[2], vd set, const lane_heights *of, md empty,
                                const lane_outputs *out) {
    for (int k = 0; k < SLOTS; k++) {
        vd u = at[0].v[k], v = at[1].v[k], separation = separation_kept(of, height_at(f, u, v)), point[4];
        set_point(f, u, v, choose(empty, of->depth, separation), at_most(constant((k + 1) * ONE_MORE), set), point);
        abut_vd_store4(out->of, point_offset(k), point);
    }
}

/* Edges that lie on a face, nearly: the points are those of the face, along the normal of the edges. */
typedef struct lane_lying {
    md lanes; /* in which it is so */
    const vd *normal;
} lane_lying;

/* lying: NULL if no edges do. */
static inline void store_face_normal(const lane_pair *p, const lane_faces *f, md on_b, const lane_lying *lying,
                                     const lane_outputs *out) {
    vd sign = positive_where(on_b, negated(f->sign));
    vd normal[3] = {times(sign, f->frame.axes[0][0]), times(sign, f->frame.axes[1][0]),
                    times(sign, f->frame.axes[2][0])};
    for (int i = 0; lying && i < 3; i++) {
        normal[i] = choose(lying->lanes, lying->normal[i], normal[i]);
    }
    store_normal(p, normal, out);
}

/* The normal and the points that are kept. */
static ABUT_INLINE void write_faces(const lane_pair *p, const lane_faces *f, const lane_reference *at,
                                    const lane_candidates *all, md empty, uint32_t which, const lane_lying *lying,
                                    abut_manifold *const outputs[LANES]) {
    lane_outputs out;
    lane_slot at_slot[2] = {{.x = {0}}, {.x = {0}}};
    vd least = all->least, kept = all_set(all);
    uint32_t many = bits_of(at_most(constant((SLOTS + 1) * ONE_MORE), kept));
    double set[LANES];
    select_outputs(outputs, which, &out);
    if (many & which) {
        md up = less(constant(0), positive_where(at->on_b, negated(f->sign)));
        kept = reduce(p, at, up, all, kept, &least);
    }
    abut_vd_store(set, sum(kept, constant(IN_BITS)));
    for (uint32_t rest = which; rest; rest &= rest - 1) {
        uint32_t l = abut_bits_lowest(rest);
        pick_points(all, low_bits(set[l]), l, at_slot, out.of[l]);
    }
    /* between the loops, because narrow stores do not forward to wide loads */
    store_face_normal(p, f, at->on_b, lying, &out);
    for (uint32_t rest = which; rest; rest &= rest - 1) {
        uint32_t l = abut_bits_lowest(rest);
        abut_manifold *m = out.of[l];
        m->count = low_bits(set[l]) / ONE_MORE;
    }
    const lane_heights heights = heights_of(least, all->least, at->separation);
    store_points(f, at_slot, kept, &heights, empty, &out);
}

/* The points of a pair alone, one in each lane; those beyond the fourth are written nowhere. */
static ABUT_INLINE void store_points_alone(const lane_faces *f, const alone_columns *at, uint32_t set, uint32_t count,
                                           const lane_heights *of, abut_manifold *m) {
    static const double number[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    abut_contact_point nowhere;
    void *const point_of[8] = {&m->points[0], &m->points[1], &m->points[2], &m->points[3],
                               &nowhere,      &nowhere,      &nowhere,      &nowhere};
    double u[8] = {0}, v[8] = {0};
    set |= ((1 << SLOTS) - 1) << CANDIDATES;
    for (int k = 0; k < SLOTS; k++, set &= set - 1) {
        uint32_t from = column_of(abut_bits_lowest(set));
        u[k] = at->u[from];
        v[k] = at->v[from];
        m->points[k].feature = low_bits(at->feature[from]);
    }
    for (int first = 0; first < SLOTS; first += PART) {
        vd u_of = abut_vd_load(u + first), v_of = abut_vd_load(v + first), point[4];
        vd separation = separation_kept(of, height_at(f, u_of, v_of));
        set_point(f, u_of, v_of, separation, less(abut_vd_load(number + first), constant(count)), point);
        abut_vd_store4(point_of + first, offsetof(abut_contact_point, position), point);
    }
}

/* The manifold of the faces of a pair alone; false in the rare cases that manifold_alone.inc leaves out. */
static ABUT_NOINLINE bool write_alone(const lane_pair *p, const lane_faces *f, const lane_reference *at, vd margin,
                                      abut_manifold *const outputs[LANES]) {
    alone_candidates all;
    lane_outputs out;
    if (bits_of(at_most(least_width(f), p->noise))) {
        return false;
    }
    clip_alone(f, p->resting, times(p->relative.size, constant(0x1p-60)), sum(margin, p->resting), &all);
    uint32_t set = set_of(all.valid), count = abut_bits_count(set);
    if (!set) {
        return false;
    }
    vd least = constant(abut_vd_least(all.least)), least_kept = least;
    if (count > SLOTS) {
        md up = less(constant(0), positive_where(at->on_b, negated(f->sign)));
        set = reduce_alone(p, at, up, &all, least, &least_kept);
        count = abut_bits_count(set);
    }
    select_outputs(outputs, 1, &out);
    store_face_normal(p, f, at->on_b, NULL, &out);
    outputs[0]->count = count;
    const lane_heights heights = heights_of(least_kept, least, at->separation);
    store_points_alone(f, &all.at, set, count, &heights, outputs[0]);
    return true;
}

/* The corners of the rectangle that two flush faces share, all of the same depth. */
static ABUT_INLINE void write_rectangle(const lane_pair *p, const lane_faces *f, const lane_reference *at,
                                        const lane_rectangle *r, uint32_t which, abut_manifold *const outputs[LANES]) {
    lane_outputs out;
    double feature[4][LANES];
    vd height = times(f->sign, sum(f->half[0], times(at->separation, constant(0.5))));
    select_outputs(outputs, which, &out);
    store_face_normal(p, f, at->on_b, NULL, &out);
    for (int k = 0; k < 4; k++) {
        const vd local[3] = {height, r->u.at[k == 0 || k == 3], r->v.at[k < 2]};
        vd world[3];
        point_to_world(&f->frame, local, world);
        store_four(&out, point_offset(k), world, at->separation);
        abut_vd_store(feature[k], r->feature[k]);
    }
    for (; which; which &= which - 1) {
        uint32_t l = abut_bits_lowest(which);
        abut_manifold *m = out.of[l];
        m->count = 4;
        for (int k = 0; k < 4; k++) {
            m->points[k].feature = to_u32(feature[k][l]);
        }
    }
}

/* Writes the manifolds of flush faces that have some width and overlap. Returns the lanes that were written. */
static ABUT_INLINE uint32_t flush_manifolds(const lane_pair *p, const lane_faces *f, const lane_reference *at,
                                            uint32_t which, abut_manifold *const outputs[LANES]) {
    lane_rectangle r;
    md wide = less(p->noise, least_width(f)), overlap = share_rectangle(f, p->resting, &r);
    uint32_t flush = which & bits_of(both(wide, overlap));
    if (flush) {
        write_rectangle(p, f, at, &r, flush, outputs);
    }
    return flush;
}

/* Whether a face looks along the normal of edges. */
static inline md is_along(const lane_faces *f, md on_b, const vd normal[3]) {
    vd sign = positive_where(on_b, negated(f->sign)), cosine = constant(0);
    for (int i = 0; i < 3; i++) {
        cosine = sum(cosine, times(normal[i], f->frame.axes[i][0]));
    }
    return at_most(constant(ABUT_NP_EDGE_ALONG), times(sign, cosine));
}

/* Whether what is over a face is less deep than the edges that lie along it. (Heights over it are a little larger.) */
static inline md is_less_deep(const lane_pair *p, vd separation, vd least) {
    vd slack = sum(times(larger(separation, constant(0)), constant(0x1p-10)), p->resting);
    return less(sum(separation, slack), least);
}

/* Lanes in which no point touches get a stand-in point; those of them that are in `may_fail` are returned instead of
 * written, and so are those in which edges do not lie on the face. lying: NULL if none do. */
static uint32_t face_manifolds(const lane_pair *p, const lane_reference *at, vd margin, uint32_t may_fail,
                               uint32_t which, md parallel, const lane_lying *lying,
                               abut_manifold *const outputs[LANES]) {
    lane_faces f;
    lane_candidates all;
    uint32_t beside = 0;
    find_faces(p, at, &f);
    if (lying) {
        beside = which & bits_of(but_not(lying->lanes, is_along(&f, at->on_b, lying->normal)));
        which &= ~beside;
    }
    if (bits_of(parallel) & which) {
        which &= ~flush_manifolds(p, &f, at, bits_of(parallel) & which, outputs);
    }
    if (!which) {
        return beside;
    }
    if (ALONE && p->alone && !lying && write_alone(p, &f, at, margin, outputs)) {
        return 0;
    }
    clip(&f, p->resting, times(p->relative.size, constant(0x1p-60)), sum(margin, p->resting), &all);
    drop_repeated(&f, p->noise, at->separation, &all);
    md empty = at_most(constant(HUGE_VAL), all.least);
    if (lying) {
        md too_high = is_less_deep(p, at->separation, all.least);
        empty = either(both(lying->lanes, too_high), but_not(empty, lying->lanes));
    }
    uint32_t none = bits_of(empty) & which, left = none & may_fail;
    if (none) {
        stand_in(&f, empty, &all);
    }
    if (which & ~left) {
        write_faces(p, &f, at, &all, empty, which & ~left, lying, outputs);
    }
    return left | beside;
}

/* The points where edges cross, one in each lane. */
static void edge_points(const lane_pair *p, const lane_edge_contact *c, vd separation, uint32_t which,
                        abut_manifold *const all[LANES]) {
    lane_outputs out;
    double a[LANES], b[LANES];
    select_outputs(all, which, &out);
    abut_vd_store(a, c->feature_a);
    abut_vd_store(b, c->feature_b);
    store_normal(p, c->normal, &out);
    store_four(&out, point_offset(0), c->middle, separation);
    for (; which; which &= which - 1) {
        uint32_t l = abut_bits_lowest(which);
        abut_manifold *m = out.of[l];
        m->count = 1;
        m->points[0].feature = abut_np_feature_pair(to_u32(a[l]), to_u32(b[l]), false);
        memset(&m->points[1], 0, sizeof m->points - sizeof m->points[0]);
    }
}

/* The pairs of one round. */
typedef struct lane_input {
    const abut_np_box_pairs *pairs;
    uint32_t index_a[LANES], index_b[LANES];
    uint32_t used; /* a set of lanes */
    bool alone;    /* it is one pair, in all lanes; no lane may come to differ from another */
    bool by_face;  /* it is known that no edges are preferred */
} lane_input;

static inline abut_manifold *manifold_at(const abut_np_manifold_output *to, size_t k) {
    return (abut_manifold *)(void *)((char *)to->first + to->stride * to->where[k]);
}

/* Manifolds of later rounds are prefetched, which may not be in the caches: this many pairs ahead. */
enum { AHEAD = 2 * LANES, LINE = 64 };

static inline void prefetch_manifold(const abut_np_manifold_output *to, size_t k, size_t n) {
    if (k < n) {
        ABUT_PREFETCH_TO_WRITE(manifold_at(to, k));
        ABUT_PREFETCH_TO_WRITE((char *)manifold_at(to, k) + LINE);
    }
}

/* The exact test of the lanes in `ask`. Boxes aligned with the world's axes, such as crates that touch exactly, are
 * tested together. swapped: as in lane_pair. */
static void test_exactly(const lane_input *in, uint32_t swapped, uint32_t ask, double overlap[LANES]) {
    abut_np_box_pairs asked = *in->pairs;
    uint8_t verdict[LANES];
    asked.index_a = in->index_a, asked.index_b = in->index_b, asked.n = LANES;
    ABUT_KERNEL(abut_np_box_aligned_verdicts)(&asked, 0, verdict);
    for (; ask; ask &= ask - 1) {
        uint32_t l = abut_bits_lowest(ask);
        const abut_collider *a = abut_np_box_collider_at(asked.a, asked.stride_a, in->index_a[l]);
        const abut_collider *b = abut_np_box_collider_at(asked.b, asked.stride_b, in->index_b[l]);
        bool apart = verdict[l] == ABUT_NP_APART;
        if (verdict[l] == ABUT_NP_UNDECIDED) {
            apart = swapped >> l & 1 ? abut_np_box_separated(b, a, 0) : abut_np_box_separated(a, b, 0);
        }
        overlap[l] = apart ? 0 : 1;
    }
}

/* Whether the boxes overlap. Where rounding leaves that open (`open`), the exact test decides. */
static md certain_overlap(const lane_input *in, md swapped, md open, md overlap) {
    double yes[LANES];
    uint32_t ask = bits_of(open) & in->used;
    if (!ask) {
        return overlap;
    }
    abut_vd_store(yes, choose(overlap, constant(1), constant(0)));
    test_exactly(in, bits_of(swapped), ask, yes);
    return less(constant(0), in->alone ? constant(yes[0]) : abut_vd_load(yes));
}

/* The separation with the sign that it must have: rounding may not turn an overlap into a gap, or a gap into an
 * overlap. */
static inline vd with_sign(md overlap, vd separation) {
    vd zero = constant(0);
    return choose(overlap, smaller(separation, zero), larger(separation, zero));
}

/* The features that the manifold of a pair may be computed from. */
typedef struct lane_choices {
    lane_reference preferred, best; /* faces */
    lane_edges edges;
    md overlap;
    md edges_preferred;   /* to all faces; */
    uint32_t by_edges;    /* the same as a set */
    uint32_t other_face;  /* preferred is not best */
    uint32_t edges_wider; /* the edges show a wider gap than the faces */
    md parallel;          /* each axis of a box is parallel to one of the other box; never by_edges */
} lane_choices;

/* By how much edges must be less deep than a face to be preferred to it; across a gap, and without edges, extents do
 * not count. */
static ABUT_INLINE vd edge_handicap(const lane_pair *p, vd face, vd edges, double margin) {
    vd share = larger(times(constant(ABUT_NP_FACE_PREFERENCE), absolute(face)), sum(p->resting, p->resting));
    vd most = times(constant(ABUT_NP_FACE_PREFERENCE_OF_EXTENT), least_extent(p));
    if (margin > 0) {
        md near = at_most(edges, times(constant(ABUT_NP_GAP_NEAREST), p->relative.size));
        most = choose(near, most, share);
    }
    return larger(share, most);
}

/* Whether a half extent is 0 (or all are tiny). */
static ABUT_INLINE md is_flat(const lane_pair *p) {
    const vd *a = p->a.half, *b = p->b.half;
    return equal(times(times(times(a[0], a[1]), a[2]), times(times(b[0], b[1]), b[2])), constant(0));
}

/* The axis of least depth counts; but a face is preferred to edges that are little less deep (tolerance.h), so that
 * resting contacts do not flicker. Where the boxes overlap, a face of a is preferred to an equally good one of b, for
 * the same reason; across a gap it is if one is a plate or a rod, which may stand on an edge that has many names. */
static void choose_axes(const lane_input *in, const lane_pair *p, double margin, lane_choices *out) {
    vd gap[2][3];
    lane_face on_a, on_b;
    faces(&p->relative, gap);
    on_a.axis = widest(gap[0], &on_a.separation);
    on_b.axis = widest(gap[1], &on_b.separation);
    out->parallel =
        in->by_face ? no_lane() : axes_parallel(p); /* their edges are never by_face: float is not sure of them */
    out->edges = in->by_face || bits_of(out->parallel) == ALL ? no_edges() : best_edges(p);
    md b_better = less(on_a.separation, on_b.separation);
    vd face = choose(b_better, on_b.separation, on_a.separation), noise = p->noise;
    vd edges = out->edges.separation, edges_least = minus(edges, out->edges.noise), zero = constant(0);
    out->overlap = equal(zero, zero);
    if (margin > 0) {
        md apart = either(less(noise, face), less(zero, edges_least));
        out->overlap = both(less(face, negated(noise)), less(edges, negated(out->edges.noise)));
        md doubtful = less(times(constant(-2 * PARALLEL), p->relative.size), face);
        if (bits_of(both(doubtful, out->overlap))) { /* edges that are nearly parallel may show a gap all the same */
            doubtful = both(doubtful, but_not(edges_may_part(p), out->parallel));
            out->overlap = but_not(out->overlap, doubtful);
        }
        md decided = either(apart, out->overlap);
        out->overlap = certain_overlap(in, p->swapped, but_not(equal(zero, zero), decided), out->overlap);
    }
    out->edges_preferred = no_lane();
    if (!in->by_face) {
        vd handicap = edge_handicap(p, face, edges, margin);
        out->edges_preferred = less(sum(sum(face, handicap), noise), edges_least);
    }
    out->by_edges = bits_of(out->edges_preferred);
    out->edges_wider = bits_of(but_not(less(sum(face, noise), edges_least), out->overlap));
    md alike = margin > 0 ? either(out->overlap, is_flat(p)) : out->overlap;
    md a_good_enough = both(alike, at_most(on_b.separation, sum(on_a.separation, p->resting)));
    a_good_enough = both(a_good_enough, b_better);
    out->other_face = bits_of(a_good_enough);
    out->best.on_b = b_better;
    out->best.separation = with_sign(out->overlap, face);
    out->best.axis.one = either(both(b_better, on_b.axis.one), but_not(on_a.axis.one, b_better));
    out->best.axis.two = either(both(b_better, on_b.axis.two), but_not(on_a.axis.two, b_better));
    md b_preferred = but_not(b_better, a_good_enough);
    out->preferred.on_b = b_preferred;
    out->preferred.separation = with_sign(out->overlap, choose(b_preferred, on_b.separation, on_a.separation));
    out->preferred.axis.one = either(both(b_preferred, on_b.axis.one), but_not(on_a.axis.one, b_preferred));
    out->preferred.axis.two = either(both(b_preferred, on_b.axis.two), but_not(on_a.axis.two, b_preferred));
}

/* The manifolds of edges that are preferred to a face which clips away every point: where they lie on it nearly, all
 * that is over it, unless it is less deep; else where they cross. */
static void fall_back_to_edges(const lane_pair *p, const lane_choices *c, vd margin, uint32_t which,
                               abut_manifold *const outputs[LANES]) {
    lane_edge_contact contact;
    lane_reference at = c->preferred;
    at.separation = with_sign(c->overlap, c->edges.separation);
    edge_contact(p, &c->edges, &contact);
    const lane_lying lying = {at_most(constant(ABUT_NP_EDGE_ALONG), contact.along), contact.normal};
    uint32_t lie = which & bits_of(lying.lanes), left = which & ~lie;
    if (lie) {
        left |= face_manifolds(p, &at, margin, lie, lie, no_lane(), &lying, outputs);
    }
    if (left) {
        edge_points(p, &contact, at.separation, left, outputs);
    }
}

/* The same for faces and edges at once, in the lanes in which each is preferred. Returns the lanes of faces that have
 * clipped away every point. */
static uint32_t faces_and_edges(const lane_pair *p, const lane_choices *c, vd margin, uint32_t faces, uint32_t edges,
                                abut_manifold *const outputs[LANES]) {
    const uint32_t may_fail = faces & (c->other_face | c->edges_wider);
    lane_edge_contact contact;
    lane_reference at = c->preferred;
    vd separation = with_sign(c->overlap, c->edges.separation);
    edge_contact(p, &c->edges, &contact);
    const lane_lying lying = {both(c->edges_preferred, at_most(constant(ABUT_NP_EDGE_ALONG), contact.along)),
                              contact.normal};
    uint32_t lie = edges & bits_of(lying.lanes), left = 0;
    at.separation = choose(lying.lanes, separation, at.separation);
    if (faces | lie) {
        left = face_manifolds(p, &at, margin, may_fail | lie, faces | lie, c->parallel, lie ? &lying : NULL, outputs);
    }
    edges &= ~lie | left;
    if (edges) {
        edge_points(p, &contact, separation, edges, outputs);
    }
    return left & faces;
}

/* A face that is preferred to a better one, or to edges across a gap, may clip away every point; then the manifold is
 * computed from the face or the edges that it was preferred to. */
static void fill_round(const lane_input *in, float margin, abut_manifold *const outputs[LANES]) {
    lane_pair p;
    lane_choices c;
    p.alone = in->alone;
    build_pair(in->pairs, in->index_a, in->index_b, &p);
    choose_axes(in, &p, margin, &c);
    vd limit = constant(margin);
    uint32_t edges = in->used & c.by_edges, faces = in->used & ~edges;
    uint32_t empty =
        edges ? faces_and_edges(&p, &c, limit, faces, edges, outputs)
              : face_manifolds(&p, &c.preferred, limit, c.other_face | c.edges_wider, faces, c.parallel, NULL, outputs);
    uint32_t again = empty & c.other_face, by_edges = empty & ~c.other_face;
    if (again) {
        by_edges |= face_manifolds(&p, &c.best, limit, c.edges_wider, again, c.parallel, NULL, outputs);
    }
    if (by_edges) {
        fall_back_to_edges(&p, &c, limit, by_edges, outputs);
    }
}

void ABUT_KERNEL(abut_np_box_manifolds)(const abut_np_box_pairs *pairs, float margin, bool by_face,
                                        const abut_np_manifold_output *to) {
    abut_manifold nowhere;
    for (size_t first = 0; first < pairs->n; first += LANES) {
        size_t count = pairs->n - first < LANES ? pairs->n - first : LANES;
        lane_input in = {
            .pairs = pairs, .used = (UINT32_C(1) << count) - 1, .alone = ALONE && count == 1, .by_face = by_face};
        abut_manifold *outputs[LANES];
        for (size_t l = 0; l < LANES; l++) {
            size_t k = l < count ? first + l : first; /* the last round is filled with copies of its first pair */
            in.index_a[l] = pairs->index_a[k];
            in.index_b[l] = pairs->index_b[k];
            outputs[l] = l < count ? manifold_at(to, k) : &nowhere;
            prefetch_manifold(to, first + l + AHEAD, pairs->n);
        }
        fill_round(&in, margin, outputs);
    }
    abut_lanes_done();
}
