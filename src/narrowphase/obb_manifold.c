/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb_manifold.h"
#include "base/spatial.h"
#include "narrowphase/feature.h"
#include "narrowphase/obb_clip.h"
#include "narrowphase/obb_separation.h"
#include "narrowphase/reduce.h"
#include <string.h>

/* Edges closer to parallel than this (the sine) name no axis: where the boxes overlap, a face is then within 1.5 times
 * this times S of the least depth. */
static const double PARALLEL = 1e-7;

/* NOISE times S covers the rounding of a face's separation in double, EDGE_NOISE times S over the sine that of an edge
 * pair's. */
static const double NOISE = 1e-12, EDGE_NOISE = 0x1p-48;

/* RESTING times the size of the smaller box covers what float poses jitter by. Points that close to touching count,
 * corners that close to a side plane are on it, faces that much deeper are as good: or a resting contact would flicker.
 */
static const double RESTING = 32 * 0x1p-24;

/* The axis of least depth (or widest gap). */
typedef struct axis_choice {
    double separation;
    double noise;    /* what its rounding may have added or taken */
    int i, j;        /* face: i of its box; edges: i of a, j of b */
    bool edge, on_b; /* on_b: a face of b */
} axis_choice;

/* What all the steps below work on. */
typedef struct touching_pair {
    abut_np_obb_pair pair;
    const abut_np_row *a, *b;
    double margin, resting; /* resting: RESTING times the size of the smaller box */
} touching_pair;

static double face_separation(const abut_np_obb_pair *p, bool on_b, int i) {
    double reach = on_b ? p->b[i] : p->a[i], along = on_b ? 0 : p->t[i];
    for (int k = 0; k < 3; k++) {
        along += on_b ? p->t[k] * p->r[k][i] : 0;
        reach += on_b ? p->a[k] * fabs(p->r[k][i]) : p->b[k] * fabs(p->r[i][k]);
    }
    return fabs(along) - reach;
}

/* -INFINITY for edges that name no axis. *length is the sine between the edges. */
static double edge_separation(const abut_np_obb_pair *p, int i, int j, double *length) {
    int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    double rk = p->r[k][j], rl = p->r[l][j];
    *length = sqrt(rk * rk + rl * rl);
    if (*length < PARALLEL) {
        return -INFINITY;
    }
    double reach = p->a[k] * fabs(rl) + p->a[l] * fabs(rk) + p->b[m] * fabs(p->r[i][n]) + p->b[n] * fabs(p->r[i][m]);
    return (fabs(p->t[l] * rk - p->t[k] * rl) - reach) / *length;
}

static axis_choice choose_face(const abut_np_obb_pair *p, bool on_b) {
    axis_choice best = {.separation = -INFINITY};
    for (int i = 0; i < 3; i++) {
        double s = face_separation(p, on_b, i);
        best = s > best.separation ? (axis_choice){s, NOISE * p->size, i, 0, false, on_b} : best;
    }
    return best;
}

/* Edges are judged by the worse end of what rounding leaves open, which grows as they near parallel. */
static axis_choice choose_edges(const abut_np_obb_pair *p) {
    axis_choice best = {.separation = -INFINITY};
    for (int e = 0; e < 9; e++) {
        double length, s = edge_separation(p, e / 3, e % 3, &length), noise = EDGE_NOISE * p->size / length;
        bool better = s > -INFINITY && s - noise > best.separation - best.noise;
        best = better ? (axis_choice){s, noise, e / 3, e % 3, true, false} : best;
    }
    return best;
}

/* The least depth over all axes counts; but a face wins over edges less than 5 % shorter, so that resting contacts do
 * not flicker. */
static bool edges_win(const axis_choice *edges, double face, double size) {
    return edges->separation - edges->noise > face + 0.05 * fabs(face) + NOISE * size;
}

/* The frame of a box, to carry points and directions from it into the world. */
typedef struct frame {
    double axes[3][3];
    abut_d3 origin;
} frame;

static frame frame_of(const abut_np_row *row) {
    frame out = {.origin = abut_d3_from(row->center)};
    abut_dquat_matrix(abut_dquat_from(row->rotation), out.axes);
    return out;
}

static abut_vec3 place_point(frame *from, const double x[3]) {
    abut_d3 local = {{x[0], x[1], x[2]}};
    return abut_vec3_round(abut_d3_along(from->origin, 1, abut_d3_rotate(from->axes, local)));
}

static abut_vec3 place_direction(frame *from, const double x[3], double sign) {
    abut_d3 local = {{sign * x[0], sign * x[1], sign * x[2]}};
    return abut_vec3_round(abut_d3_rotate(from->axes, local));
}

/* The faces that meet, seen from the box that has the reference face. */
static void choose_faces(const touching_pair *s, const axis_choice *axis, abut_np_faces *faces) {
    const abut_np_obb_pair *p = &s->pair;
    faces->reference_second = axis->on_b;
    faces->on_plane = s->resting;
    for (int i = 0; i < 3; i++) {
        faces->t[i] = p->t[i];
        for (int j = 0; j < 3; j++) {
            faces->r[i][j] = axis->on_b ? p->r[j][i] : p->r[i][j];
        }
        faces->reference_half[i] = axis->on_b ? p->b[i] : p->a[i];
        faces->incident_half[i] = axis->on_b ? p->a[i] : p->b[i];
    }
    for (int i = 0; i < 3 && axis->on_b; i++) {
        faces->t[i] = -(p->r[0][i] * p->t[0] + p->r[1][i] * p->t[1] + p->r[2][i] * p->t[2]);
    }
    /* The same way for both boxes when the centres coincide along the axis: from a to b. */
    faces->reference_axis = axis->i;
    faces->reference_sign = axis->on_b ? faces->t[axis->i] > 0 : faces->t[axis->i] >= 0;
    const double *along = faces->r[axis->i];
    int incident = 0;
    for (int j = 1; j < 3; j++) {
        incident = fabs(along[j]) > fabs(along[incident]) ? j : incident;
    }
    faces->incident_axis = incident;
    faces->incident_sign = (along[incident] > 0) != faces->reference_sign;
}

/* Adds a point `separation` before the reference face, halfway between the surfaces. */
static void add_point(const abut_np_faces *faces, frame *reference, const abut_np_clip_point *point, double separation,
                      abut_np_candidates *out) {
    abut_np_candidate *c = &out->candidate[out->count++];
    int axis = faces->reference_axis, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double middle[3] = {point->x[0], point->x[1], point->x[2]};
    middle[axis] = faces->reference_half[axis] + separation / 2;
    middle[axis] = faces->reference_sign ? middle[axis] : -middle[axis];
    c->across[0] = point->x[u];
    c->across[1] = point->x[v];
    c->point = (abut_contact_point){place_point(reference, middle), 0, point->feature};
    c->separation = separation;
}

/* The points of the clipped face that touch. The deepest of them carries the depth along the normal even where the
 * deepest corner of all was clipped away (a face may have won over shorter edges). */
static void collect_points(const touching_pair *s, const abut_np_faces *faces, double depth_separation,
                           frame *reference, abut_np_candidates *out) {
    abut_np_polygon polygon;
    abut_np_obb_clip(faces, &polygon);
    int axis = faces->reference_axis, deepest = -1;
    double separation[ABUT_NP_CLIP_MAX], reach = s->margin + s->resting;
    for (int p = 0; p < polygon.count; p++) {
        double along = faces->reference_sign ? polygon.point[p].x[axis] : -polygon.point[p].x[axis];
        separation[p] = along - faces->reference_half[axis];
        bool deeper = deepest < 0 || separation[p] < separation[deepest];
        deepest = separation[p] <= reach && deeper ? p : deepest;
    }
    for (int p = 0; p < polygon.count; p++) {
        if (separation[p] <= reach) {
            add_point(faces, reference, &polygon.point[p], p == deepest ? depth_separation : separation[p], out);
        }
    }
}

static double clamp(double value, double half) {
    return value > half ? half : value < -half ? -half : value;
}

/* Halfway between the points where two edges, given by their middles p and q and directions e_i and d, come closest.
 * One edge's point is clamped to its ends before the other edge's point nearest to it is looked for, and once back. */
static void midway(const double p[3], int i, double half_p, const double q[3], const double d[3], double half_q,
                   double out[3]) {
    double w[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    double along_d = w[0] * d[0] + w[1] * d[1] + w[2] * d[2], cosine = d[i];
    double on_p = clamp((w[i] - cosine * along_d) / (1 - cosine * cosine), half_p);
    double on_q = clamp(cosine * on_p - along_d, half_q);
    on_p = clamp(w[i] + cosine * on_q, half_p);
    for (int k = 0; k < 3; k++) {
        out[k] = (p[k] + (k == i ? on_p : 0) + q[k] + on_q * d[k]) / 2;
    }
}

static void edge_manifold(const touching_pair *s, const axis_choice *axis, abut_manifold *out) {
    const abut_np_obb_pair *pair = &s->pair;
    int i = axis->i, j = axis->j, k = (i + 1) % 3, l = (i + 2) % 3;
    double rk = pair->r[k][j], rl = pair->r[l][j], length = sqrt(rk * rk + rl * rl);
    double n[3] = {0}, sign = pair->t[l] * rk - pair->t[k] * rl < 0 ? -1 : 1;
    n[k] = -sign * rl / length;
    n[l] = sign * rk / length;
    double p[3] = {0}, q[3] = {pair->t[0], pair->t[1], pair->t[2]};
    uint32_t signs_a = 0, signs_b = 0;
    for (int m = 0; m < 3; m++) {
        double along = n[0] * pair->r[0][m] + n[1] * pair->r[1][m] + n[2] * pair->r[2][m];
        signs_a |= (uint32_t)(n[m] > 0) << m;
        signs_b |= (uint32_t)(along < 0) << m;
        p[m] = m == i ? 0 : n[m] > 0 ? pair->a[m] : -pair->a[m];
        for (int x = 0; x < 3 && m != j; x++) {
            q[x] += (along < 0 ? pair->b[m] : -pair->b[m]) * pair->r[x][m];
        }
    }
    const double d[3] = {pair->r[0][j], pair->r[1][j], pair->r[2][j]};
    double middle[3];
    midway(p, i, pair->a[i], q, d, pair->b[j], middle);
    uint32_t feature = abut_np_feature_pair(abut_np_feature_edge(i, signs_a), abut_np_feature_edge(j, signs_b), false);
    frame a = frame_of(s->a);
    out->normal = place_direction(&a, n, 1);
    out->count = 1;
    out->points[0] = (abut_contact_point){place_point(&a, middle), (float)axis->separation + 0.0f, feature};
}

/* False when nothing of the other box lies before that face. */
static bool face_manifold(const touching_pair *s, const axis_choice *axis, bool stand_in, abut_manifold *out) {
    abut_np_faces faces;
    choose_faces(s, axis, &faces);
    frame reference = frame_of(axis->on_b ? s->b : s->a);
    int i = faces.reference_axis;
    double unit[3] = {i == 0, i == 1, i == 2};
    out->normal = place_direction(&reference, unit, axis->on_b == (faces.reference_sign != 0) ? -1 : 1);
    abut_np_candidates candidates = {.count = 0, .same_place = NOISE * s->pair.size};
    collect_points(s, &faces, axis->separation, &reference, &candidates);
    if (candidates.count == 0 && stand_in) {
        abut_np_clip_point point = abut_np_obb_stand_in(&faces);
        add_point(&faces, &reference, &point, axis->separation, &candidates);
    }
    abut_np_reduce(&candidates, out);
    return out->count > 0;
}

/* Rounding may not turn an overlap into a gap, or the other way round. */
static axis_choice with_certain_sign(const touching_pair *s, axis_choice axis) {
    bool overlap = s->margin == 0 || axis.separation < -axis.noise ||
                   (axis.separation <= axis.noise && !abut_np_obb_separated(s->a, s->b, 0));
    axis.separation = overlap == (axis.separation > 0) ? 0 : axis.separation;
    return axis;
}

/* Where the boxes overlap, a face of a is taken before one of b that is as good, again so that nothing flickers. A face
 * preferred so, or over edges across a gap, may have nothing before it; then what it was preferred to speaks. */
static void choose_and_fill(const touching_pair *s, abut_manifold *out) {
    const abut_np_obb_pair *p = &s->pair;
    axis_choice on_a = with_certain_sign(s, choose_face(p, false)), on_b = with_certain_sign(s, choose_face(p, true));
    axis_choice edges = choose_edges(p), best = on_b.separation > on_a.separation ? on_b : on_a;
    bool prefer_a = best.on_b && best.separation <= 0 && best.separation <= on_a.separation + s->resting;
    bool edges_wider = best.separation > 0 && edges.separation - edges.noise > best.separation + NOISE * p->size;
    if (edges_win(&edges, best.separation, p->size)) {
        edges = with_certain_sign(s, edges);
        edge_manifold(s, &edges, out);
    } else if (!(prefer_a && face_manifold(s, &on_a, false, out)) && !face_manifold(s, &best, !edges_wider, out)) {
        edge_manifold(s, &edges, out);
    }
}

void abut_np_obb_manifold(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold) {
    touching_pair s = {.a = a, .b = b, .margin = margin};
    abut_np_obb_pair_build(a, b, &s.pair);
    double size_a = s.pair.a[0] + s.pair.a[1] + s.pair.a[2], size_b = s.pair.b[0] + s.pair.b[1] + s.pair.b[2];
    s.resting = RESTING * (size_a < size_b ? size_a : size_b);
    memset(manifold, 0, sizeof *manifold);
    choose_and_fill(&s, manifold);
}
