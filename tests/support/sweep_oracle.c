/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/sweep_oracle.h"
#include <math.h>

enum { STEPS = 8000, SINE_TERMS = 14, SAMPLES = 120 };

static quad dotq(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static quad length_of(const quad v[3]) {
    quad square = dotq(v, v);
    return quad_sqrt(square, sqrt((double)square));
}

/* 0 <= x <= 4: series at a quarter, and the double angle twice. */
static void sine_and_cosine(quad x, quad *sine, quad *cosine) {
    static quad of_sine[SINE_TERMS + 1], of_cosine[SINE_TERMS + 1]; /* ratios of neighbouring terms */
    for (int n = 1; n <= SINE_TERMS && of_sine[SINE_TERMS] == 0; n++) {
        of_sine[n] = (quad)1 / (2 * n * (2 * n + 1));
        of_cosine[n] = (quad)1 / ((2 * n - 1) * 2 * n);
    }
    quad y = x / 4, yy = y * y, s = 1, c = 1;
    for (int n = x > 0 ? SINE_TERMS : 0; n > 0; n--) {
        s = 1 - s * yy * of_sine[n];
        c = 1 - c * yy * of_cosine[n];
    }
    s *= y;
    for (int i = 0; i < 2; i++) {
        quad twice = 2 * s * c;
        c = 1 - 2 * s * s;
        s = twice;
    }
    *sine = s;
    *cosine = c;
}

/* to * conjugate(from): x, y, z, w. */
static void turn_between(abut_quat from, abut_quat to, quad out[4]) {
    quad px = to.x, py = to.y, pz = to.z, pw = to.w, qx = -from.x, qy = -from.y, qz = -from.z, qw = from.w;
    out[0] = pw * qx + px * qw + py * qz - pz * qy;
    out[1] = pw * qy - px * qz + py * qw + pz * qx;
    out[2] = pw * qz + px * qy - py * qx + pz * qw;
    out[3] = pw * qw - px * qx - py * qy - pz * qz;
}

static abut_quat or_identity(abut_quat q) {
    q.w = q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0 ? 1 : q.w;
    return q;
}

/* Half the angle comes from doubles and is corrected by one step of Newton's: sin(x - y) for a small difference. */
static void measure_turn(quad_way *way, const abut_pose *to) {
    quad t[4], sine, cosine;
    turn_between(or_identity(way->body.pose.rotation), or_identity(to->rotation), t);
    quad sign = t[3] < 0 ? -1 : 1, s = length_of(t), w = sign * t[3];
    const quad both[3] = {s, w, 0};
    quad whole = length_of(both), half = (quad)atan2((double)(s / whole), (double)(w / whole));
    sine_and_cosine(half, &sine, &cosine);
    half += (s * cosine - w * sine) / whole;
    way->angle = s > 0 ? 2 * half : 0;
    for (int k = 0; k < 3; k++) {
        way->axis[k] = s > 0 ? sign * t[k] / s : k == 0;
    }
}

quad_way quad_way_of(const grown_core *body, const abut_pose *to) {
    quad_way out = {.body = *body, .start = quad_pose_of(&body->pose)};
    for (int k = 0; k < 3; k++) {
        out.along[k] = (quad)(&to->position.x)[k] - (&body->pose.position.x)[k];
    }
    measure_turn(&out, to);
    for (uint32_t i = 0; i < body->core->count; i++) {
        const abut_vec3 *p = &body->core->point[i];
        const double x[3] = {p->x, p->y, p->z};
        out.reach = fmax(out.reach, sqrt(dot(x, x)));
    }
    return out;
}

quad_pose quad_way_at(const quad_way *way, quad fraction) {
    quad_pose out = way->start;
    quad s, c;
    const quad *u = way->axis;
    sine_and_cosine(way->angle * fraction, &s, &c);
    for (int j = 0; j < 3; j++) { /* Rodrigues' formula for each axis of the body */
        const quad v[3] = {way->start.m[0][j], way->start.m[1][j], way->start.m[2][j]};
        quad along = dotq(u, v) * (1 - c);
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            out.m[k][j] = c * v[k] + s * (u[l] * v[m] - u[m] * v[l]) + along * u[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        out.at[k] += fraction * way->along[k];
    }
    return out;
}

/* Heights of the vertices of a core along a direction, and how fast they change, per way. */
typedef struct heights {
    uint32_t count;
    double h[CORE_POINTS], rate[CORE_POINTS], best;
} heights;

/* `sign` -1: the lowest are the best, which become the highest. */
static void measure_heights(const quad_way *way, const quad_pose *pose, const double n[3], double sign, heights *out) {
    const core *c = way->body.core;
    double m[3][3], u[3], along = 0, angle = (double)way->angle, spin[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)way->axis[k];
        along += sign * n[k] * (double)way->along[k];
        for (int l = 0; l < 3; l++) {
            m[k][l] = (double)pose->m[k][l];
        }
    }
    for (int k = 0; k < 3; k++) { /* n . (u x y) = (n x u) . y */
        int l = (k + 1) % 3, o = (k + 2) % 3;
        spin[k] = n[l] * u[o] - n[o] * u[l];
    }
    out->count = c->count;
    out->best = -INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        const double x[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        const double y[3] = {dot(m[0], x), dot(m[1], x), dot(m[2], x)};
        out->h[i] = sign * dot(n, y);
        out->rate[i] = along + sign * angle * dot(spin, y);
        out->best = fmax(out->best, out->h[i]);
    }
}

static double highest_after(const heights *v, double time) {
    double best = -INFINITY;
    for (uint32_t i = 0; i < v->count; i++) {
        best = fmax(best, v->h[i] - v->best + v->rate[i] * time);
    }
    return best;
}

/* What a distance of 0 now, along one direction, may have become. */
typedef struct bound {
    heights a, b;
    double curve;
} bound;

static void make_bound(const quad_way *a, const quad_pose *p, const quad_way *b, const quad_pose *q, const double n[3],
                       bound *out) {
    double wa = (double)a->angle, wb = (double)b->angle;
    measure_heights(a, p, n, 1, &out->a);
    measure_heights(b, q, n, -1, &out->b);
    out->curve = (wa * wa * a->reach + wb * wb * b->reach) * (0.5 + 1e-9);
}

static double change_after(const bound *v, double time) {
    return -highest_after(&v->a, time) - highest_after(&v->b, time) - v->curve * time * time;
}

/* The longest time, to within a hundredth, after which the distance is certainly not less than `spare` less. */
static double safe_time(const bound *v, double spare, double most) {
    double time = most;
    if (change_after(v, most) >= -spare) {
        return most;
    }
    for (int i = 0; i < 1100 && change_after(v, time) < -spare; i++) {
        time /= 2;
    }
    double low = time, high = fmin(most, 2 * time);
    for (int i = 0; i < 7; i++) {
        double middle = (low + high) / 2;
        *(change_after(v, middle) < -spare ? &high : &low) = middle;
    }
    return low;
}

static distance_truth measure(const quad_way *a, const quad_pose *p, const quad_way *b, const quad_pose *q) {
    return distance_between(a->body.core, p, b->body.core, q);
}

/* Takes *at to the first fraction at which the cores are no farther apart than target + hair. False: never. */
static bool advance(const quad_way *a, const quad_way *b, double target, double *at, sweep_truth *t) {
    for (int i = 0; i < STEPS; i++, t->steps++) {
        quad_pose p = quad_way_at(a, *at), q = quad_way_at(b, *at);
        distance_truth d = measure(a, &p, b, &q);
        if (!d.sure || d.distance <= (quad)(target + t->hair)) {
            t->sure &= d.sure;
            return d.sure;
        }
        if (*at >= 1) {
            return false;
        }
        const double n[3] = {(double)d.proof[0], (double)d.proof[1], (double)d.proof[2]};
        bound v;
        make_bound(a, &p, b, &q, n, &v);
        double next = *at + safe_time(&v, (double)(d.low - target) - t->hair / 2, 1 - *at);
        if (!(next > *at)) {
            break;
        }
        *at = next;
    }
    t->sure = false;
    return false;
}

static void centre(const quad_way *way, const quad_pose *pose, double out[3]) {
    for (int k = 0; k < 3; k++) {
        quad x = pose->at[k];
        for (int l = 0; l < 3; l++) {
            x += pose->m[k][l] * way->body.core->middle[l];
        }
        out[k] = (double)x;
    }
}

/* S, a little too large, and L. */
static void measure_ways(const quad_way *a, const quad_way *b, sweep_truth *t) {
    double farthest = 0, p[3], q[3];
    t->length = (double)(length_of(a->along) + length_of(b->along)) + (double)a->angle * (a->reach + a->body.radius) +
                (double)b->angle * (b->reach + b->body.radius);
    for (int i = 0; i <= 16; i++) {
        quad_pose at_a = quad_way_at(a, (quad)i / 16), at_b = quad_way_at(b, (quad)i / 16);
        centre(a, &at_a, p);
        centre(b, &at_b, q);
        const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        farthest = fmax(farthest, sqrt(dot(d, d)));
    }
    t->size = grown_diagonal(&a->body) + grown_diagonal(&b->body) + farthest + t->length / 32;
    t->e = 1e-6 * (t->size + t->length);
    t->hair = 1e-13 * (t->size + t->length);
    double turning = (double)a->angle * (a->reach + a->body.radius) + (double)b->angle * (b->reach + b->body.radius);
    double smaller = fmin(grown_diagonal(&a->body), grown_diagonal(&b->body));
    t->notice = 2 * fmax(0x1p-11, 0x1p-9 * smaller / turning);
}

sweep_truth sweep_oracle(const quad_way *a, const quad_way *b) {
    sweep_truth t = {.sure = true};
    double radii = (double)a->body.radius + b->body.radius, at = 0;
    measure_ways(a, b, &t);
    distance_truth d = measure(a, &a->start, b, &b->start);
    t.sure = d.sure;
    t.apart = (double)(d.distance - a->body.radius - b->body.radius);
    t.touched = t.apart <= 0;
    t.near_touched = t.apart <= t.e;
    t.near_meets = t.near_touched || advance(a, b, radii + t.e, &at, &t);
    t.near_first = at;
    t.meets = t.touched || (t.near_meets && advance(a, b, radii, &at, &t));
    t.first = at;
    return t;
}

const char *sweep_fraction_fault(const sweep_truth *t, double f) {
    if (!(f <= 1)) {
        return f < INFINITY || t->meets ? "missed" : NULL;
    }
    if (f < 0 || !t->near_meets) {
        return "invented";
    }
    if (t->meets && f > t->first * (1 + 1e-12)) {
        return "too late";
    }
    return f < t->near_first * (1 - 0x1p-22) - 0x1p-149 ? "too early" : NULL;
}

/* How they stand at a fraction: separation along n, in double, and the distance less the radii, which is not measured
 * where the separation is more than `enough`. */
static double stand(const quad_way *a, const quad_way *b, const double n[3], double at, double enough, double *along) {
    quad_pose p = quad_way_at(a, at), q = quad_way_at(b, at);
    heights low, high;
    measure_heights(a, &p, n, -1, &low);
    measure_heights(b, &q, n, 1, &high);
    *along = -low.best - high.best - a->body.radius - b->body.radius;
    for (int k = 0; k < 3; k++) {
        *along += n[k] * (double)(p.at[k] - q.at[k]);
    }
    return *along > enough ? *along : (double)(measure(a, &p, b, &q).distance - a->body.radius - b->body.radius);
}

/* The last fractions are those of the way up to `end`; the first half lies near 0. */
static double sample(int i, double end) {
    int late = i - SAMPLES / 2;
    return end * (late < 0 ? ldexp(1, i / 2 - SAMPLES / 4) * (1 + 0.4 * (i % 2)) : (double)late / (SAMPLES / 2));
}

/* Whether, from a fraction on, the depth grows by more than the allowance and half of e, counted from the start or, if
 * it is within e there, from none. */
static bool grows(const sweep_truth *t, const quad_way *a, const quad_way *b, const double n[3], double allowance,
                  double start, double f) {
    double along, from = start < 0 && start >= -t->e ? 0 : start;
    for (int i = 1; i <= SAMPLES; i++) {
        (void)stand(a, b, n, f + sample(i, 1 - f), -INFINITY, &along);
        if (from - along >= allowance + t->e / 2) {
            return true;
        }
    }
    return false;
}

const char *sweep_closing_fault(const sweep_truth *t, const quad_way *a, const quad_way *b, const double n[3],
                                double allowance, double f, bool *deeper) {
    double along, start, deep = allowance + t->e * (1 + 1e-3), end = f <= 1 ? f * (1 - 1e-9) : 1, parted = 2;
    double far = t->e * (1 + 1e-3);
    bool apart = t->apart > 0, surely = false; /* within e only: may count as not touched */
    (void)stand(a, b, n, 0, -INFINITY, &start);
    for (int i = 1; i <= SAMPLES; i++) {
        bool early = i <= SAMPLES / 2; /* only the depth counts */
        double at = sample(i, end), d = stand(a, b, n, at, early ? start - deep : far, &along);
        if (start - along > deep && d <= 0) {
            return "missed, or too late: the depth had grown";
        }
        if (early) {
            continue;
        }
        if (surely && d <= -t->hair) {
            return "missed, or too late: it had come apart and touches again";
        }
        apart |= d > t->hair;
        parted = d > far ? fmin(parted, at) : 2;
        surely |= at - parted > t->notice;
    }
    *deeper = false;
    if (!(f <= 1)) {
        return NULL;
    }
    double d = stand(a, b, n, f, INFINITY, &along);
    *deeper = start - along >= allowance - 1e-3 * t->e && d <= t->e && grows(t, a, b, n, allowance, start, f);
    return *deeper || (apart && d <= t->e) ? NULL : "too early: neither deeper nor touching again";
}

const char *sweep_place_fault(const sweep_truth *t, const quad_way *a, const quad_way *b, double f, abut_vec3 position,
                              abut_vec3 normal) {
    quad_pose p = quad_way_at(a, f), q = quad_way_at(b, f);
    return touch_fault(&a->body, &p, &b->body, &q, t->e + 1.2e-7 * t->length, t->length * (t->first - t->near_first),
                       position, normal);
}
