/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/distance_oracle.h"
#include <math.h>
#include <string.h>

enum { CANDIDATES = 96 };

/* A core in the world, relative to the position of a: in double at once, in full when asked for. */
typedef struct placed {
    const core *core;
    quad m[3][3], shift[3];
    bool ready[CORE_POINTS];
    quad exact[CORE_POINTS][3];
    double point[CORE_POINTS][3], middle[CORE_EDGES][3], length[CORE_EDGES];
    double normal[CORE_FACETS][3]; /* unit */
} placed;

/* Two features that may be the closest. */
typedef enum pair_kind { VERTEX_A, VERTEX_B, EDGES } pair_kind; /* whose vertex, against the other's facet */
typedef struct candidate {
    pair_kind kind;
    uint32_t i, j;
    double distance;
} candidate;

typedef struct oracle {
    placed body[2];
    double size;
    candidate list[CANDIDATES];
    uint32_t count;
    double best; /* of the list, and of what did not fit into it */
    bool any;    /* the truth holds a pair of points */
    bool proven; /* ... and a lower bound */
    distance_truth truth;
} oracle;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static quad dotq(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const quad a[3], const quad b[3], quad out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
    }
}

static void cross(const quad a[3], const quad b[3], quad out[3]) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[l] * b[m] - a[m] * b[l];
    }
}

static quad length_of(const quad v[3]) {
    quad square = dotq(v, v);
    return quad_sqrt(square, sqrt((double)square));
}

/* Columns are the body's axes in the world: R(q)/|q|^2. */
static void matrix_from(abut_quat q, quad m[3][3]) {
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        q.w = 1;
    }
    quad x = q.x, y = q.y, z = q.z, w = q.w, scale = 2 / (x * x + y * y + z * z + w * w);
    m[0][0] = 1 - scale * (y * y + z * z);
    m[1][1] = 1 - scale * (x * x + z * z);
    m[2][2] = 1 - scale * (x * x + y * y);
    m[0][1] = scale * (x * y - w * z);
    m[1][0] = scale * (x * y + w * z);
    m[0][2] = scale * (x * z + w * y);
    m[2][0] = scale * (x * z - w * y);
    m[1][2] = scale * (y * z - w * x);
    m[2][1] = scale * (y * z + w * x);
}

static void turn(const placed *p, const quad v[3], quad out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = dotq(p->m[i], v);
    }
}

static const quad *exact_point(placed *p, uint32_t i) {
    if (!p->ready[i]) {
        const quad v[3] = {p->core->point[i].x, p->core->point[i].y, p->core->point[i].z};
        turn(p, v, p->exact[i]);
        for (int k = 0; k < 3; k++) {
            p->exact[i][k] += p->shift[k];
        }
        p->ready[i] = true;
    }
    return p->exact[i];
}

static void place_edges(placed *out) {
    for (uint32_t e = 0; e < out->core->edge_count; e++) {
        const double *p = out->point[out->core->edge[e][0]], *q = out->point[out->core->edge[e][1]];
        double length2 = 0;
        for (int k = 0; k < 3; k++) {
            out->middle[e][k] = (p[k] + q[k]) / 2;
            length2 += (p[k] - q[k]) * (p[k] - q[k]);
        }
        out->length[e] = sqrt(length2);
    }
}

static void place(const core *c, const quad_pose *pose, const quad shift[3], placed *out) {
    double m[3][3], s[3];
    out->core = c;
    memset(out->ready, 0, sizeof out->ready);
    memcpy(out->m, pose->m, sizeof out->m);
    for (int k = 0; k < 3; k++) {
        out->shift[k] = shift[k];
        s[k] = (double)shift[k];
        for (int l = 0; l < 3; l++) {
            m[k][l] = (double)out->m[k][l];
        }
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const double v[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        for (int k = 0; k < 3; k++) {
            out->point[i][k] = dot(m[k], v) + s[k];
        }
    }
    for (uint32_t f = 0; f < c->facet_count; f++) {
        double n[3] = {(double)c->normal[f][0], (double)c->normal[f][1], (double)c->normal[f][2]};
        double length = sqrt(dot(n, n));
        for (int k = 0; k < 3; k++) {
            out->normal[f][k] = dot(m[k], n) / length;
        }
    }
    place_edges(out);
}

/* Ericson, "Real-Time Collision Detection" (2004), 5.1.9: parameters of the closest points of p + s u and q + t v. */
static void closest_on_segments(const quad u[3], const quad v[3], const quad r[3], quad *s, quad *t) {
    quad a = dotq(u, u), e = dotq(v, v), f = dotq(v, r), c = dotq(u, r), b = dotq(u, v), det = a * e - b * b;
    *s = a > 0 && det > 0 ? (b * f - c * e) / det : 0;
    *s = *s < 0 ? 0 : *s > 1 ? 1 : *s;
    *t = e > 0 ? (b * *s + f) / e : 0;
    if (*t < 0 || *t > 1 || !(e > 0)) {
        *t = *t < 0 ? 0 : *t > 1 ? 1 : *t;
        *s = a > 0 ? (b * *t - c) / a : 0;
        *s = *s < 0 ? 0 : *s > 1 ? 1 : *s;
    }
}

/* The same distance in double, roughly. */
static double rough_segments(const double *p, const double *p2, const double *q, const double *q2) {
    double u[3], v[3], r[3], s, t, square = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = p2[k] - p[k];
        v[k] = q2[k] - q[k];
        r[k] = p[k] - q[k];
    }
    double a = dot(u, u), e = dot(v, v), f = dot(v, r), c = dot(u, r), b = dot(u, v), det = a * e - b * b;
    s = a > 0 && det > 0 ? fmin(1, fmax(0, (b * f - c * e) / det)) : 0;
    t = e > 0 ? (b * s + f) / e : 0;
    if (t < 0 || t > 1 || !(e > 0)) {
        t = fmin(1, fmax(0, t));
        s = a > 0 ? fmin(1, fmax(0, (b * t - c) / a)) : 0;
    }
    for (int k = 0; k < 3; k++) {
        double d = r[k] + s * u[k] - t * v[k];
        square += d * d;
    }
    return sqrt(square);
}

static void keep(oracle *o, pair_kind kind, uint32_t i, uint32_t j, double distance) {
    double slack = 1e-13 * o->size;
    if (distance > o->best * (1 + 1e-9) + slack) {
        return;
    }
    o->best = fmin(o->best, distance);
    if (o->count == CANDIDATES) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < o->count; k++) {
            if (o->list[k].distance <= o->best * (1 + 1e-9) + slack) {
                o->list[kept++] = o->list[k];
            }
        }
        o->count = kept;
    }
    if (o->count < CANDIDATES) {
        o->list[o->count++] = (candidate){kind, i, j, distance};
    }
}

/* Whether the point x, on the plane of facet f, lies within its sides; all in double. */
static bool roughly_within(const placed *p, uint32_t f, const double x[3]) {
    const core *c = p->core;
    for (uint32_t s = c->side_first[f]; s < c->side_first[f + 1]; s++) {
        const uint32_t *e = c->edge[c->side[s]];
        const double *from = p->point[e[0]], *to = p->point[e[1]], *n = p->normal[f];
        double out = 0;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            out += (n[l] * (to[m] - from[m]) - n[m] * (to[l] - from[l])) * (x[k] - from[k]);
        }
        if ((c->side_flipped[s] ? -out : out) > 1e-9 * p->length[c->side[s]] * p->length[c->side[s]]) {
            return false;
        }
    }
    return true;
}

static void rough_vertices(oracle *o, int side) {
    const placed *p = &o->body[side], *q = &o->body[1 - side];
    for (uint32_t f = 0; f < q->core->facet_count; f++) {
        const double *n = q->normal[f], *on = q->point[q->core->corner[f]];
        for (uint32_t i = 0; i < p->core->count; i++) {
            double h = 0, x[3];
            for (int k = 0; k < 3; k++) {
                h += n[k] * (p->point[i][k] - on[k]);
            }
            if (fabs(h) > o->best * (1 + 1e-9) + 1e-13 * o->size) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                x[k] = p->point[i][k] - h * n[k];
            }
            if (roughly_within(q, f, x)) {
                keep(o, side ? VERTEX_B : VERTEX_A, i, f, fabs(h));
            }
        }
    }
}

static void rough_edges(oracle *o) {
    const placed *p = &o->body[0], *q = &o->body[1];
    for (uint32_t i = 0; i < p->core->edge_count; i++) {
        for (uint32_t j = 0; j < q->core->edge_count; j++) {
            double d2 = 0, far = o->best * (1 + 1e-9) + 2e-13 * o->size + (p->length[i] + q->length[j]) / 2;
            for (int k = 0; k < 3; k++) {
                double d = p->middle[i][k] - q->middle[j][k];
                d2 += d * d;
            }
            if (d2 <= far * far) {
                const uint32_t *e = p->core->edge[i], *f = q->core->edge[j];
                keep(o, EDGES, i, j, rough_segments(p->point[e[0]], p->point[e[1]], q->point[f[0]], q->point[f[1]]));
            }
        }
    }
}

/* The largest n . p over the body, in full. Doubles say which points can be it. */
static quad support(oracle *o, int side, const quad n[3], double sign) {
    placed *p = &o->body[side];
    const double d[3] = {(double)n[0] * sign, (double)n[1] * sign, (double)n[2] * sign};
    double height[CORE_POINTS], best = -INFINITY, slack = 1e-13 * o->size * sqrt(dot(d, d));
    for (uint32_t i = 0; i < p->core->count; i++) {
        height[i] = dot(p->point[i], d);
        best = fmax(best, height[i]);
    }
    quad most = 0;
    bool any = false;
    for (uint32_t i = 0; i < p->core->count; i++) {
        if (height[i] >= best - slack) {
            quad h = dotq(exact_point(p, i), n) * sign;
            most = !any || h > most ? h : most;
            any = true;
        }
    }
    return most;
}

/* Takes the lower bound of the distance along n, from a to b, if it is the best so far. */
static void prove(oracle *o, const quad n[3]) {
    quad length = length_of(n), low = length > 0 ? (-support(o, 1, n, -1) - support(o, 0, n, 1)) / length : 0;
    if (!o->proven || low > o->truth.low) {
        o->proven = true;
        o->truth.low = low;
        for (int k = 0; k < 3; k++) {
            o->truth.proof[k] = length > 0 ? n[k] / length : 0;
        }
    }
}

/* Takes the pair of points if they are the closest so far, and tries to prove them with the given direction, if any. */
static void propose(oracle *o, const quad x[3], const quad y[3], const quad *other) {
    quad n[3];
    subtract(y, x, n);
    quad distance = length_of(n);
    prove(o, n);
    if (other) {
        quad turned[3], cosine = dotq(other, n);
        for (int k = 0; k < 3; k++) {
            turned[k] = cosine < 0 ? -other[k] : other[k];
        }
        prove(o, turned);
    }
    if (!o->any || distance < o->truth.distance) {
        o->truth.distance = distance;
        for (int k = 0; k < 3; k++) {
            o->truth.on_a[k] = (double)x[k];
            o->truth.on_b[k] = (double)y[k];
            o->truth.normal[k] = distance > 0 ? (double)(n[k] / distance) : 0;
        }
    }
    o->any = true;
    o->truth.sure = o->truth.distance - o->truth.low <= (quad)(1e-17 * o->size);
}

/* The height of x over facet f times the length of its normal n; the foot of x, and whether it lies on the facet. */
static bool foot_on_facet(placed *p, uint32_t f, const quad x[3], quad n[3], quad foot[3]) {
    const core *c = p->core;
    quad d[3];
    turn(p, c->normal[f], n);
    subtract(x, exact_point(p, c->corner[f]), d);
    quad scale = dotq(n, d) / dotq(n, n);
    for (int k = 0; k < 3; k++) {
        foot[k] = x[k] - scale * n[k];
    }
    for (uint32_t s = c->side_first[f]; s < c->side_first[f + 1]; s++) {
        const uint32_t *e = c->edge[c->side[s]];
        quad along[3], across[3], from[3];
        subtract(exact_point(p, e[1]), exact_point(p, e[0]), along);
        subtract(foot, exact_point(p, e[0]), from);
        cross(n, along, across);
        quad out = dotq(across, from);
        if (c->side_flipped[s] ? out < 0 : out > 0) {
            return false;
        }
    }
    return true;
}

static void refine(oracle *o, const candidate *c) {
    quad x[3], y[3], n[3];
    if (c->kind == EDGES) {
        placed *p = &o->body[0], *q = &o->body[1];
        const uint32_t *e = p->core->edge[c->i], *f = q->core->edge[c->j];
        quad u[3], v[3], r[3], s, t;
        subtract(exact_point(p, e[1]), exact_point(p, e[0]), u);
        subtract(exact_point(q, f[1]), exact_point(q, f[0]), v);
        subtract(exact_point(p, e[0]), exact_point(q, f[0]), r);
        closest_on_segments(u, v, r, &s, &t);
        for (int k = 0; k < 3; k++) {
            x[k] = exact_point(p, e[0])[k] + s * u[k];
            y[k] = exact_point(q, f[0])[k] + t * v[k];
        }
        cross(u, v, n);
        propose(o, x, y, s > 0 && s < 1 && t > 0 && t < 1 ? n : NULL);
        return;
    }
    int side = c->kind == VERTEX_B;
    memcpy(x, exact_point(&o->body[side], c->i), sizeof x);
    if (foot_on_facet(&o->body[1 - side], c->j, x, n, y)) {
        propose(o, side ? y : x, side ? x : y, n);
    }
}

/* Whether edge e of one body passes through facet f of the other; then where. */
static bool pierces(oracle *o, int side, uint32_t e, uint32_t f, quad where[3]) {
    placed *p = &o->body[side], *q = &o->body[1 - side];
    const uint32_t *end = p->core->edge[e];
    const double *n = q->normal[f], *on = q->point[q->core->corner[f]];
    double h[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        h[0] += n[k] * (p->point[end[0]][k] - on[k]);
        h[1] += n[k] * (p->point[end[1]][k] - on[k]);
    }
    double slack = 1e-13 * o->size;
    if ((h[0] > slack && h[1] > slack) || (h[0] < -slack && h[1] < -slack)) {
        return false;
    }
    quad normal[3], d[3], height[2], foot[3];
    turn(q, q->core->normal[f], normal);
    for (int i = 0; i < 2; i++) {
        subtract(exact_point(p, end[i]), exact_point(q, q->core->corner[f]), d);
        height[i] = dotq(normal, d);
    }
    if ((height[0] > 0) == (height[1] > 0)) {
        return false;
    }
    quad t = height[0] / (height[0] - height[1]);
    const quad *from = exact_point(p, end[0]), *to = exact_point(p, end[1]);
    for (int k = 0; k < 3; k++) {
        where[k] = from[k] + t * (to[k] - from[k]);
    }
    return foot_on_facet(q, f, where, normal, foot);
}

/* Whether the body holds the first point of the other. */
static bool holds(oracle *o, int side) {
    placed *p = &o->body[side], *q = &o->body[1 - side];
    if (p->core->facet_count < 4) {
        return false;
    }
    for (uint32_t f = 0; f < p->core->facet_count; f++) {
        quad d[3], normal[3];
        const double *n = p->normal[f], *on = p->point[p->core->corner[f]];
        if (dot(n, q->point[0]) - dot(n, on) > 1e-13 * o->size) {
            return false;
        }
        turn(p, p->core->normal[f], normal);
        subtract(exact_point(q, 0), exact_point(p, p->core->corner[f]), d);
        if (dotq(normal, d) > 0) {
            return false;
        }
    }
    return true;
}

static bool find_overlap(oracle *o, quad where[3]) {
    for (int side = 0; side < 2; side++) {
        if (holds(o, side)) {
            memcpy(where, exact_point(&o->body[1 - side], 0), 3 * sizeof where[0]);
            return true;
        }
        for (uint32_t e = 0; e < o->body[side].core->edge_count; e++) {
            for (uint32_t f = 0; f < o->body[1 - side].core->facet_count; f++) {
                if (pierces(o, side, e, f, where)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Every feature in full: where doubles chose the wrong ones. */
static void refine_all(oracle *o) {
    const core *a = o->body[0].core, *b = o->body[1].core;
    for (uint32_t i = 0; i < a->edge_count && !o->truth.sure; i++) {
        for (uint32_t j = 0; j < b->edge_count && !o->truth.sure; j++) {
            refine(o, &(candidate){EDGES, i, j, 0});
        }
    }
    for (int side = 0; side < 2; side++) {
        const core *p = side ? b : a, *q = side ? a : b;
        for (uint32_t i = 0; i < p->count && !o->truth.sure; i++) {
            for (uint32_t f = 0; f < q->facet_count && !o->truth.sure; f++) {
                refine(o, &(candidate){side ? VERTEX_B : VERTEX_A, i, f, 0});
            }
        }
    }
}

static void search(oracle *o) {
    rough_edges(o);
    rough_vertices(o, 0);
    rough_vertices(o, 1);
    bool looked = false;
    double bound = o->best * (1 + 1e-9) + 1e-13 * o->size;
    quad where[3];
    for (uint32_t k = o->count; k-- > 0 && !o->truth.sure;) { /* facets, which prove best, come last in the list */
        if (o->list[k].distance > bound) {
            continue;
        }
        refine(o, &o->list[k]);
        if (!o->truth.sure && !looked) {
            looked = true;
            o->truth.overlap = find_overlap(o, where);
            if (o->truth.overlap) {
                break;
            }
        }
    }
    o->truth.overlap = o->truth.overlap || (!looked && !o->truth.sure && find_overlap(o, where));
    if (!o->truth.sure && !o->truth.overlap) {
        refine_all(o);
    }
    if (o->truth.overlap) {
        for (int k = 0; k < 3; k++) {
            o->truth.on_a[k] = o->truth.on_b[k] = (double)where[k];
        }
    }
    if (o->truth.overlap || o->truth.distance <= (quad)(1e-30 * o->size)) {
        o->truth.distance = o->truth.low = 0;
        o->truth.overlap = o->truth.sure = true;
        memset(o->truth.normal, 0, sizeof o->truth.normal);
        memset(o->truth.proof, 0, sizeof o->truth.proof);
    }
}

static void place_at(oracle *o, const core *a, const quad_pose *pose_a, const core *b, const quad_pose *pose_b) {
    const quad zero[3] = {0, 0, 0};
    quad apart[3];
    subtract(pose_b->at, pose_a->at, apart);
    place(a, pose_a, zero, &o->body[0]);
    place(b, pose_b, apart, &o->body[1]);
    o->count = 0;
    o->any = o->proven = false;
    o->best = INFINITY;
    memset(&o->truth, 0, sizeof o->truth);
    o->size = 0;
    for (int k = 0; k < 3; k++) {
        o->size += fabs(a->middle[k]) + a->half[k] + fabs(b->middle[k]) + b->half[k] + fabs((double)apart[k]);
    }
}

static void place_pair(oracle *o, const core *a, const abut_pose *pose_a, const core *b, const abut_pose *pose_b) {
    quad_pose p = quad_pose_of(pose_a), q = quad_pose_of(pose_b);
    place_at(o, a, &p, b, &q);
}

quad_pose quad_pose_of(const abut_pose *pose) {
    quad_pose out = {.at = {pose->position.x, pose->position.y, pose->position.z}};
    matrix_from(pose->rotation, out.m);
    return out;
}

distance_truth distance_oracle(const core *a, const abut_pose *pose_a, const core *b, const abut_pose *pose_b) {
    oracle o;
    place_pair(&o, a, pose_a, b, pose_b);
    search(&o);
    return o.truth;
}

distance_truth distance_between(const core *a, const quad_pose *pose_a, const core *b, const quad_pose *pose_b) {
    oracle o;
    place_at(&o, a, pose_a, b, pose_b);
    search(&o);
    return o.truth;
}

double distance_along(const core *a, const abut_pose *pose_a, const core *b, const abut_pose *pose_b,
                      const double n[3]) {
    oracle o;
    const quad direction[3] = {n[0], n[1], n[2]};
    place_pair(&o, a, pose_a, b, pose_b);
    return (double)(-support(&o, 1, direction, -1) - support(&o, 0, direction, 1));
}

double distance_of_point(const core *c, abut_quat rotation, const double point[3]) {
    static const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};
    core dot_core;
    oracle o;
    core_of_box((abut_vec3){0, 0, 0}, &dot_core);
    place_pair(&o, c, &(abut_pose){{0, 0, 0}, rotation}, &dot_core, &origin);
    for (int k = 0; k < 3; k++) {
        o.body[1].shift[k] = point[k];
        o.body[1].point[0][k] = o.body[1].middle[0][k] = point[k];
        o.size += fabs(point[k]);
    }
    search(&o);
    return (double)o.truth.distance;
}

static void center_of(const core *c, const abut_pose *pose, double out[3]) {
    quad m[3][3];
    const quad v[3] = {c->middle[0], c->middle[1], c->middle[2]};
    matrix_from(pose->rotation, m);
    for (int k = 0; k < 3; k++) {
        out[k] = (double)dotq(m[k], v);
    }
}

double distance_size(const core *a, float radius_a, const abut_pose *pose_a, const core *b, float radius_b,
                     const abut_pose *pose_b) {
    double p[3], q[3], diagonal_a = 0, diagonal_b = 0, apart = 0;
    const float *from = &pose_a->position.x, *to = &pose_b->position.x;
    center_of(a, pose_a, p);
    center_of(b, pose_b, q);
    for (int k = 0; k < 3; k++) {
        double d = (double)to[k] - from[k] + q[k] - p[k], ea = a->half[k] + radius_a, eb = b->half[k] + radius_b;
        diagonal_a += 4 * ea * ea;
        diagonal_b += 4 * eb * eb;
        apart += d * d;
    }
    return sqrt(diagonal_a) + sqrt(diagonal_b) + sqrt(apart);
}
