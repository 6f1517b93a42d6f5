/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/move_families.h"
#include "support/rng.h"
#include <math.h>
#include <string.h>

const char *const move_family_names[MOVE_FAMILIES] = {"towards", "grazing", "fine", "ending", "starting", "bullet",
                                                      "rod",     "far",     "huge", "tiny",   "whole",    "any"};

typedef struct sketch {
    rng r;
    move_family family;
    move_case *out;
    double size;   /* of both, where they touch */
    double n[3];   /* from a to b there, unit */
    double way[3]; /* of a */
    double at;     /* the fraction of the way at which they touch */
} sketch;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void load(abut_vec3 v, double out[3]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void random_unit(rng *r, double out[3]) {
    load(rng_direction(r), out);
}

static void make_unit(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] = length > 0 ? v[k] / length : k == 0;
    }
}

static void cross(const double *u, const double *v, double *out) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = u[l] * v[m] - u[m] * v[l];
    }
}

/* Bodies */

static void set_box(round_body *body, double x, double y, double z, double radius) {
    abut_quat rotation = body->pose.rotation;
    *body = (round_body){.shape = {.half = {(float)x, (float)y, (float)z}, .radius = (float)radius}};
    body->pose.rotation = rotation;
    body->kind = radius > 0 ? ROUND_ROUNDED_BOX : ROUND_BOX;
    core_of_box(body->shape.half, &body->own);
    body->core = &body->own;
}

/* The pair, `factor` times as large, but for hulls. */
static void scale_pair(round_pair *p, float factor) {
    if (p->a.shape.hull || p->b.shape.hull) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        round_body *body = side ? &p->b : &p->a;
        abut_vec3 at = body->pose.position, half = body->shape.half;
        set_box(body, (double)half.x * factor, (double)half.y * factor, (double)half.z * factor,
                (double)body->shape.radius * factor);
        body->pose.position = (abut_vec3){at.x * factor, at.y * factor, at.z * factor};
    }
}

/* A point of the core, relative to the position of the body: `spread` of the way from its middle to its bounds. */
static void random_place(sketch *s, const round_body *body, double spread, double out[3]) {
    quad_pose pose = quad_pose_of(&body->pose);
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = body->core->middle[k] + spread * rng_range(&s->r, -1, 1) * body->core->half[k];
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (double)(pose.m[k][0] * p[0] + pose.m[k][1] * p[1] + pose.m[k][2] * p[2]);
    }
}

static void make_bullet(sketch *s) {
    rng *r = &s->r;
    round_pair *p = &s->out->pair;
    double size = rng_log_range(r, 1e-3, 1e3), small = size * rng_log_range(r, 1e-6, 1e-2), x[3];
    double thin = rng_chance(r, 0.3) ? 0 : size * rng_log_range(r, 1e-7, 1e-2);
    p->a.pose = p->b.pose = (abut_pose){{0, 0, 0}, rng_rotation(r)};
    p->b.pose.rotation = rng_chance(r, 0.3) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
    p->b.pose.position = rng_chance(r, 0.5) ? (abut_vec3){0, 0, 0} : rng_vec3(r, -size * 10, size * 10);
    bool round = rng_chance(r, 0.5);
    set_box(&p->b, size, thin, size * rng_log_range(r, 1e-2, 1), rng_chance(r, 0.2) ? size * 1e-4 : 0);
    set_box(&p->a, round ? 0 : small, round && rng_chance(r, 0.5) ? 0 : small * rng_unit(r),
            round ? 0 : small * rng_unit(r), round ? small : 0);
    random_place(s, &p->b, rng_chance(r, 0.8) ? 0.99 : 1.0001, x);
    p->a.pose.position = (abut_vec3){(float)(p->b.pose.position.x + x[0]), (float)(p->b.pose.position.y + x[1]),
                                     (float)(p->b.pose.position.z + x[2])};
    s->size = size;
}

static void make_rod(sketch *s) {
    rng *r = &s->r;
    round_pair *p = &s->out->pair;
    double size = rng_log_range(r, 1e-2, 1e2), x[3], y[3];
    p->a.pose = p->b.pose = (abut_pose){{0, 0, 0}, rng_rotation(r)};
    p->b.pose.rotation = rng_chance(r, 0.5) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
    double thick = rng_chance(r, 0.3) ? 0 : size * rng_log_range(r, 1e-5, 1e-2);
    bool round = rng_chance(r, 0.4);
    set_box(&p->a, round ? 0 : thick, size, round ? 0 : thick * rng_unit(r), round ? thick : 0);
    set_box(&p->b, size * rng_log_range(r, 0.01, 3), size * rng_log_range(r, 1e-3, 1), size * rng_unit(r), 0);
    for (int k = 0; k < 3; k++) { /* a corner, or thereabouts */
        x[k] = (double)rng_sign(r) * (&p->b.shape.half.x)[k] * (rng_chance(r, 0.5) ? 1 : rng_range(r, 0.9, 1.1));
    }
    quad_pose pose = quad_pose_of(&p->b.pose);
    random_place(s, &p->a, 1, y);
    for (int k = 0; k < 3; k++) {
        (&p->a.pose.position.x)[k] =
            (float)((double)(pose.m[k][0] * x[0] + pose.m[k][1] * x[1] + pose.m[k][2] * x[2]) - y[k]);
    }
    s->size = size;
}

static void make_pair(sketch *s, const round_hulls *hulls, uint64_t seed, uint64_t index) {
    round_pair *p = &s->out->pair;
    if (s->family == MOVE_BULLET) {
        make_bullet(s);
    } else if (s->family == MOVE_ROD) {
        make_rod(s);
    } else {
        near_round_pair(hulls, seed, index, s->family == MOVE_ANY ? ROUND_APART : ROUND_NEAR, p);
        for (uint64_t more = 1; s->family == MOVE_WHOLE && !p->exact; more++) {
            near_round_pair(hulls, seed ^ more << 40, index, ROUND_NEAR, p);
        }
    }
    if (s->family == MOVE_TINY && rng_chance(&s->r, 0.2)) {
        scale_pair(p, ldexpf(1, -100 - (int)rng_below(&s->r, 40)));
    }
    if (s->family == MOVE_FAR) {
        abut_vec3 far = rng_vec3(&s->r, -4e5, 4e5);
        for (int k = 0; k < 3; k++) {
            (&p->a.pose.position.x)[k] += (&far.x)[k];
            (&p->b.pose.position.x)[k] += (&far.x)[k];
        }
    }
    s->out->a = (grown_core){p->a.core, p->a.shape.radius, p->a.pose};
    s->out->b = (grown_core){p->b.core, p->b.shape.radius, p->b.pose};
    distance_truth d = distance_oracle(p->a.core, &p->a.pose, p->b.core, &p->b.pose);
    if (d.overlap) {
        random_unit(&s->r, s->n);
    } else {
        memcpy(s->n, d.normal, sizeof d.normal);
    }
    if (s->family != MOVE_BULLET && s->family != MOVE_ROD) {
        s->size = distance_size(p->a.core, p->a.shape.radius, &p->a.pose, p->b.core, p->b.shape.radius, &p->b.pose);
    }
}

/* Ways */

/* Along the surface, `inward` times as much against it. */
static void slide(sketch *s, double inward, double out[3]) {
    double any[3];
    random_unit(&s->r, any);
    cross(s->n, any, out);
    make_unit(out);
    for (int k = 0; k < 3; k++) {
        out[k] += inward * s->n[k];
    }
    make_unit(out);
}

static void choose_direction(sketch *s) {
    rng *r = &s->r;
    double choice = rng_unit(r);
    random_unit(r, s->way);
    if (s->family == MOVE_GRAZING || s->family == MOVE_FINE || (s->family == MOVE_STARTING && choice < 0.4)) {
        double off = rng_chance(r, 0.2) ? 0 : (double)rng_sign(r) * rng_log_range(r, 1e-12, 1e-3);
        slide(s, off, s->way);
    } else if (s->family == MOVE_STARTING && choice < 0.7) {
        for (int k = 0; k < 3; k++) {
            s->way[k] = (choice < 0.55 ? 1 : -1) * s->n[k];
        }
    } else if (dot(s->way, s->n) < 0 && s->family != MOVE_STARTING) {
        for (int k = 0; k < 3; k++) {
            s->way[k] = -s->way[k];
        }
    }
    if (s->family != MOVE_STARTING && choice < 0.15) { /* straight at it, or along an axis */
        uint32_t axis = rng_below(r, 3);
        for (uint32_t k = 0; k < 3; k++) {
            s->way[k] = choice < 0.05 ? s->n[k] : k == axis ? (s->n[k] < 0 ? -1 : 1) : 0;
        }
    }
}

static double choose_length(sketch *s, bool sweep) {
    rng *r = &s->r;
    switch (s->family) {
    case MOVE_HUGE:
        return sweep ? s->size * rng_log_range(r, 1e2, 1e5) : rng_log_range(r, 1e6 * s->size, 1e30);
    case MOVE_TINY:
        return rng_chance(r, 0.1)   ? 0
               : rng_chance(r, 0.1) ? rng_log_range(r, 1e-45, 1e-37)
                                    : s->size * rng_log_range(r, 1e-14, 1e-3);
    case MOVE_BULLET:
        return s->size * rng_log_range(r, 1, 1e4);
    default:
        return s->size * rng_log_range(r, 0.01, 30);
    }
}

static void choose_way(sketch *s, bool sweep) {
    rng *r = &s->r;
    choose_direction(s);
    double length = choose_length(s, sweep);
    for (int k = 0; k < 3; k++) {
        s->way[k] *= length;
    }
    s->at = s->family == MOVE_ENDING     ? 1
            : s->family == MOVE_STARTING ? 0
            : rng_chance(r, 0.1)         ? rng_log_range(r, 1e-9, 1)
                                         : rng_unit(r);
    if (s->family == MOVE_HUGE && !sweep) {
        s->at = rng_log_range(r, 1, 1e3) * s->size / length;
    }
    if (s->family == MOVE_ANY) { /* from a to b */
        const round_pair *p = &s->out->pair;
        double x[3], y[3];
        random_place(s, &p->a, 0.9, x);
        random_place(s, &p->b, 0.9, y);
        s->at = 0;
        double much = rng_range(r, 0.5, 3);
        for (int k = 0; k < 3; k++) {
            s->way[k] = much * ((double)(&p->b.pose.position.x)[k] + y[k] - (&p->a.pose.position.x)[k] - x[k]);
        }
    }
}

static void whole_way(sketch *s) {
    rng *r = &s->r;
    move_case *c = s->out;
    float unit = 1;
    for (const float *h = &c->pair.a.shape.half.x; h < &c->pair.a.shape.half.x + 3; h++) {
        unit = *h > 0 ? fminf(unit, ldexpf(1, (int)floorf(log2f(*h)) - 2)) : unit;
    }
    int steps = 1 << rng_below(r, 5), before = (int)rng_below(r, (uint32_t)steps + 1);
    for (int k = 0; k < 3; k++) {
        float step = (float)((int)rng_below(r, 9) - 4) * unit;
        if (rng_chance(r, 0.4)) {
            step = rng_chance(r, 0.5) ? 0 : step;
        }
        (&c->way.x)[k] = step * (float)steps;
        (&c->a.pose.position.x)[k] -= step * (float)before;
    }
    c->exact = true;
}

/* Casts */

/* Whether it meets with one component of the way changed. */
static bool meets_with(move_case *c, int axis, float value) {
    (&c->way.x)[axis] = value;
    return cast_oracle(&c->a, c->way, &c->b).meets;
}

/* Changes one component of the way until the last float that hits and the first that misses are neighbours, or close
 * to each other. */
static bool bisect_way(move_case *c, int axis, float low, float high) {
    bool first = meets_with(c, axis, low);
    if (first == meets_with(c, axis, high)) {
        return false;
    }
    for (int i = 0; i < 40; i++) {
        float middle = low + (high - low) / 2;
        if (middle == low || middle == high) {
            break;
        }
        *(meets_with(c, axis, middle) == first ? &low : &high) = middle;
    }
    (&c->way.x)[axis] = low;
    return true;
}

/* A long way along one axis; another component of it is small, so that it is fine. */
static void refine_way(sketch *s) {
    move_case *c = s->out;
    int axis = 0, along;
    for (int k = 1; k < 3; k++) {
        axis = fabs(s->n[k]) > fabs(s->n[axis]) ? k : axis;
    }
    along = (axis + 1 + (int)rng_below(&s->r, 2)) % 3;
    float length = (float)(s->size * rng_log_range(&s->r, 0.3, 10)), *from = &c->a.pose.position.x;
    *from = c->pair.a.pose.position.x;
    c->a.pose.position = c->pair.a.pose.position;
    c->way = (abut_vec3){0, 0, 0};
    (&c->way.x)[along] = length;
    from[along] -= length / 2;
    float far = (float)(s->size * 2);
    if (!bisect_way(c, axis, s->n[axis] > 0 ? -far : far, 0)) {
        return;
    }
    cast_truth t = cast_oracle(&c->a, c->way, &c->b);
    from[axis] += (float)((double)t.first * (&c->way.x)[axis]);
    float some = (float)(1e-4 * s->size);
    if (!bisect_way(c, axis, -some, some)) {
        return;
    }
    if (rng_chance(&s->r, 0.7)) {
        (&c->way.x)[axis] += rng_sign(&s->r) * (float)(s->size * rng_log_range(&s->r, 1e-16, 1e-5));
    }
}

void move_cast_case(const round_hulls *hulls, move_family family, uint64_t seed, uint64_t index, move_case *out) {
    sketch s = {.r = rng_make(seed ^ 0xca57, index * MOVE_FAMILIES + family), .family = family, .out = out};
    out->exact = false;
    make_pair(&s, hulls, seed + family, index);
    if (family == MOVE_WHOLE) {
        whole_way(&s);
        return;
    }
    choose_way(&s, false);
    for (int k = 0; k < 3; k++) {
        (&out->way.x)[k] = (float)s.way[k];
        (&out->a.pose.position.x)[k] -= (float)(s.at * s.way[k]);
    }
    if (family == MOVE_FINE) {
        refine_way(&s);
    }
}

/* Sweeps */

static abut_quat turned(const double axis[3], double angle, abut_quat q) {
    double h = angle / 2, c = cos(h), x = sin(h) * axis[0], y = sin(h) * axis[1], z = sin(h) * axis[2];
    return (abut_quat){(float)(c * q.x + x * q.w + y * q.z - z * q.y), (float)(c * q.y - x * q.z + y * q.w + z * q.x),
                       (float)(c * q.z + x * q.y - y * q.x + z * q.w), (float)(c * q.w - x * q.x - y * q.y - z * q.z)};
}

static double choose_angle(rng *r) {
    const double half = 3.14159265358979324;
    switch (rng_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return rng_log_range(r, 1e-9, 1e-3);
    case 2:
        return half / 2;
    case 3:
        return half - rng_log_range(r, 1e-5, 1e-1);
    case 4:
        return half - 1e-3 * half / 180;
    default:
        return rng_range(r, 0, half * 0.99);
    }
}

/* The ends of a way that passes the pose at a fraction of it. */
static void choose_ends(sketch *s, const abut_pose *there, const double way[3], abut_pose *from, abut_pose *to) {
    rng *r = &s->r;
    double angle = choose_angle(r), axis[3];
    random_unit(r, axis);
    if (rng_chance(r, 0.2)) {
        uint32_t k = rng_below(r, 3);
        axis[0] = k == 0;
        axis[1] = k == 1;
        axis[2] = k == 2;
    }
    abut_quat q = there->rotation;
    if (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w < 0.5f && s->family == MOVE_TINY) {
        q = (abut_quat){0, 0, 0, 1};
    }
    *from = (abut_pose){there->position, turned(axis, -s->at * angle, q)};
    *to = (abut_pose){there->position, turned(axis, (1 - s->at) * angle, q)};
    for (int k = 0; k < 3; k++) {
        (&from->position.x)[k] = (float)((&there->position.x)[k] - s->at * way[k]);
        (&to->position.x)[k] = (float)((&there->position.x)[k] + (1 - s->at) * way[k]);
    }
    if (rng_chance(r, 0.06)) { /* exactly opposite */
        abut_quat f = from->rotation;
        to->rotation = rng_chance(r, 0.5) ? (abut_quat){f.w, f.z, -f.y, -f.x} : (abut_quat){-f.y, f.x, f.w, -f.z};
    }
    if (rng_chance(r, 0.1)) { /* the longer way around, of another length */
        abut_quat *t = &to->rotation;
        *t = (abut_quat){-2 * t->x, -2 * t->y, -2 * t->z, -2 * t->w};
    }
}

void move_sweep_case(const round_hulls *hulls, move_family family, uint64_t seed, uint64_t index, move_case *out) {
    sketch s = {.r = rng_make(seed ^ 0x53ee9, index * MOVE_FAMILIES + family), .family = family, .out = out};
    rng *r = &s.r;
    const double still[3] = {0, 0, 0};
    out->exact = false;
    make_pair(&s, hulls, seed + family, index);
    choose_way(&s, true);
    uint32_t who = rng_below(r, 5);
    double other[3];
    abut_pose at_a = out->pair.a.pose, at_b = out->pair.b.pose;
    random_unit(r, other);
    for (int k = 0; k < 3; k++) {
        other[k] = who == 4 ? s.way[k] : other[k] * rng_unit(r) * sqrt(dot(s.way, s.way));
    }
    if (who == 1) { /* b alone */
        choose_ends(&s, &at_b, s.way, &out->b.pose, &out->to[1]);
        out->to[0] = out->a.pose;
    } else {
        choose_ends(&s, &at_a, rng_chance(r, 0.2) && who ? still : s.way, &out->a.pose, &out->to[0]);
        out->to[1] = out->b.pose;
        if (who == 2 || who == 3) {
            choose_ends(&s, &at_b, other, &out->b.pose, &out->to[1]);
        } else if (who == 4) { /* the same motion for both, but for the turning */
            out->b.pose.position = at_b.position;
            for (int k = 0; k < 3; k++) {
                (&out->b.pose.position.x)[k] = (float)((&at_b.position.x)[k] - s.at * s.way[k]);
                (&out->to[1].position.x)[k] = (float)((&at_b.position.x)[k] + (1 - s.at) * s.way[k]);
            }
        }
    }
    out->allowance = rng_chance(r, 0.5) ? 0 : (float)(s.size * rng_log_range(r, 1e-9, 1e-1));
}
