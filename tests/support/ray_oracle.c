/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/ray_oracle.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The radii that a core is grown by: a little less than the body's, the body's, a little more, and e more. */
enum { LESS, SAME, MORE, NEAR, RADII };

typedef enum piece { BALL, CYLINDER, SLAB } piece;

typedef struct stretch {
    bool any;
    quad low, high;
    piece piece; /* where `low` is */
    uint32_t index;
} stretch;

/* A line in the frame of the core, from the point on it that is closest to the core's middle; lengths count from there.
 */
typedef struct search {
    const ray_core *core;
    quad from[3], along[3];
    double rough_from[3], rough_along[3];
    quad radius[RADII]; /* negative: not asked for */
    quad far;           /* beyond all that the line can share with the body */
    double slack;       /* of the rough numbers, generously */
    stretch body[RADII];
} search;

static quad dotq(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static quad root(quad square) {
    return quad_sqrt(square, sqrt((double)square));
}

static quad length_of(const quad v[3]) {
    quad largest = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        largest = quad_abs(v[k]) > largest ? quad_abs(v[k]) : largest;
    }
    for (int k = 0; k < 3 && largest > 0; k++) {
        square += v[k] / largest * (v[k] / largest);
    }
    return root(square) * largest;
}

static void from_point(const search *s, const abut_vec3 *p, quad out[3]) {
    const float *x = &p->x;
    for (int k = 0; k < 3; k++) {
        out[k] = s->from[k] - x[k];
    }
}

static void join(search *s, int r, quad low, quad high, piece which, uint32_t index) {
    stretch *b = &s->body[r];
    if (!b->any || low < b->low) {
        b->low = low;
        b->piece = which;
        b->index = index;
    }
    b->high = !b->any || high > b->high ? high : b->high;
    b->any = true;
}

static void meet_ball(search *s, uint32_t i) {
    quad w[3];
    from_point(s, &s->core->point[i], w);
    quad middle = -dotq(w, s->along);
    for (int k = 0; k < 3; k++) {
        w[k] += middle * s->along[k];
    }
    quad distance = length_of(w);
    for (int r = 0; r < RADII; r++) {
        if (distance <= s->radius[r]) {
            quad half = root((s->radius[r] - distance) * (s->radius[r] + distance));
            join(s, r, middle - half, middle + half, BALL, i);
        }
    }
}

/* Keeps the part where a + b s >= 0. */
static void cut(quad a, quad b, quad *low, quad *high) {
    quad at = b == 0 ? 0 : -a / b;
    if (b == 0) {
        *high = a >= 0 ? *high : *low - 1;
    } else if (b > 0) {
        *low = at > *low ? at : *low;
    } else {
        *high = at < *high ? at : *high;
    }
}

static void meet_cylinder(search *s, uint32_t i) {
    const ray_edge *e = &s->core->edge[i];
    quad w[3], u[3];
    from_point(s, &s->core->point[e->end[0]], w);
    quad start = dotq(w, e->along), cosine = dotq(s->along, e->along);
    for (int k = 0; k < 3; k++) {
        w[k] -= start * e->along[k];
        u[k] = s->along[k] - cosine * e->along[k];
    }
    quad sine = length_of(u), middle = 0;
    bool parallel = sine <= (quad)1e-32;
    if (!parallel) {
        middle = -dotq(w, u) / sine / sine;
        for (int k = 0; k < 3; k++) {
            w[k] += middle * u[k];
        }
    }
    quad distance = length_of(w);
    for (int r = 0; r < RADII; r++) {
        if (distance <= s->radius[r]) {
            quad half = root((s->radius[r] - distance) * (s->radius[r] + distance));
            quad high = parallel ? s->far : middle + half / sine, low = parallel ? -high : middle - half / sine;
            cut(start, cosine, &low, &high);
            cut(e->length - start, -cosine, &low, &high);
            if (low <= high) {
                join(s, r, low, high, CYLINDER, i);
            }
        }
    }
}

static void meet_slab(search *s, uint32_t i) {
    const ray_facet *f = &s->core->facet[i];
    quad w[3], side[4], slope[4];
    from_point(s, &s->core->point[f->corner[0]], w);
    quad height = dotq(w, f->normal), cosine = dotq(s->along, f->normal);
    for (uint32_t k = 0; k < f->corners; k++) {
        from_point(s, &s->core->point[f->corner[k]], w);
        side[k] = dotq(w, f->inward[k]);
        slope[k] = dotq(s->along, f->inward[k]);
    }
    for (int r = 0; r < RADII; r++) {
        quad high = s->far, low = -high;
        cut(s->radius[r] - height, -cosine, &low, &high);
        cut(s->radius[r] + height, cosine, &low, &high);
        for (uint32_t k = 0; k < f->corners; k++) {
            cut(side[k], slope[k], &low, &high);
        }
        if (low <= high && s->radius[r] >= 0) {
            join(s, r, low, high, SLAB, i);
        }
    }
}

/* Whether the ball around a feature, grown, may lengthen any of the stretches. */
static bool matters(const search *s, const double middle[3], double reach) {
    double w[3], square = 0, ahead = 0, grown = reach + (double)s->radius[NEAR] + s->slack;
    for (int k = 0; k < 3; k++) {
        w[k] = middle[k] - s->rough_from[k];
        ahead += w[k] * s->rough_along[k];
    }
    for (int k = 0; k < 3; k++) {
        double d = w[k] - ahead * s->rough_along[k];
        square += d * d;
    }
    if (square > grown * grown) {
        return false;
    }
    double half = sqrt(grown * grown - square) + s->slack;
    for (int r = 0; r < RADII; r++) {
        const stretch *b = &s->body[r];
        if (s->radius[r] >= 0 && !(b->any && ahead - half > (double)b->low && ahead + half < (double)b->high)) {
            return true;
        }
    }
    return false;
}

static void meet_all(search *s) {
    const ray_core *c = s->core;
    for (uint32_t i = 0; i < c->count; i++) {
        const double at[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        if (matters(s, at, 0)) {
            meet_ball(s, i);
        }
    }
    for (uint32_t i = 0; i < c->edge_count; i++) {
        if (matters(s, c->edge[i].middle, c->edge[i].reach)) {
            meet_cylinder(s, i);
        }
    }
    for (uint32_t i = 0; i < c->facet_count; i++) {
        if (matters(s, c->facet[i].middle, c->facet[i].reach)) {
            meet_slab(s, i);
        }
    }
}

/* Where the line is behind all planes of a solid core, moved inward a little, that it does not enter in parallel: it
 * has met the core by then, if ever. */
static quad behind_planes(const search *s, quad inward) {
    quad latest = -s->far;
    for (uint32_t i = 0; i < s->core->facet_count; i++) {
        const ray_facet *f = &s->core->facet[i];
        quad w[3], slope = -dotq(s->along, f->normal);
        from_point(s, &s->core->point[f->corner[0]], w);
        quad at = slope > (quad)1e-31 ? (inward + dotq(w, f->normal)) / slope : latest;
        latest = at > latest ? at : latest;
    }
    return latest;
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

/* The outward normal where the stretch begins, in the frame of the core. */
static void normal_at(const search *s, int r, double out[3]) {
    const ray_core *c = s->core;
    const stretch *b = &s->body[r];
    quad n[3] = {0, 0, 0}, w[3];
    if (b->piece == SLAB) {
        const ray_facet *f = &c->facet[b->index];
        quad sign = !c->solid && dotq(f->normal, s->along) > 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            n[k] = sign * f->normal[k];
        }
    } else {
        from_point(s, &c->point[b->piece == BALL ? b->index : c->edge[b->index].end[0]], w);
        for (int k = 0; k < 3; k++) {
            n[k] = w[k] + b->low * s->along[k];
        }
        quad ahead = b->piece == CYLINDER ? dotq(n, c->edge[b->index].along) : 0;
        for (int k = 0; k < 3 && b->piece == CYLINDER; k++) {
            n[k] -= ahead * c->edge[b->index].along[k];
        }
    }
    quad length = length_of(n);
    for (int k = 0; k < 3; k++) {
        out[k] = length > 0 ? (double)(n[k] / length) : 0;
    }
}

/* The line, relative to the core; returns how far its origin lies before its `from`. */
static quad place_line(search *s, const abut_pose *pose, const abut_ray *ray, quad m[3][3], quad length) {
    const float *o = &ray->origin.x, *p = &pose->position.x, *d = &ray->translation.x;
    quad ahead = 0;
    for (int k = 0; k < 3; k++) {
        s->from[k] = s->along[k] = 0;
        for (int l = 0; l < 3; l++) {
            s->from[k] += m[l][k] * ((quad)o[l] - p[l]);
            s->along[k] += length > 0 ? m[l][k] * (d[l] / length) : 0;
        }
        s->from[k] -= s->core->middle[k];
    }
    quad away = length_of(s->from);
    for (int k = 0; k < 3 && length == 0; k++) { /* any direction will do */
        s->along[k] = away > 0 ? s->from[k] / away : k == 0;
    }
    ahead = -dotq(s->from, s->along);
    for (int k = 0; k < 3; k++) {
        s->from[k] += ahead * s->along[k] + s->core->middle[k];
        s->rough_from[k] = (double)s->from[k];
        s->rough_along[k] = (double)s->along[k];
    }
    return ahead;
}

/* S of the contract. */
static double size_of(const ray_core *c, float radius, const abut_pose *pose, const abut_ray *ray, quad m[3][3]) {
    const float *o = &ray->origin.x, *p = &pose->position.x;
    double diagonal = 0, apart = 0;
    for (int k = 0; k < 3; k++) {
        double extent = 2 * (c->half[k] + radius), d = (double)((quad)p[k] - o[k]);
        for (int l = 0; l < 3; l++) {
            d += (double)m[k][l] * c->middle[l];
        }
        diagonal += extent * extent;
        apart += d * d;
    }
    return sqrt(diagonal) + sqrt(apart);
}

/* Where a point, a rod or a plate without a radius is truly met, at the latest. What it is grown by is crossed at the
 * same slope; where the line nearly lies in a plate, it may cross that later. */
static quad latest_of_flat(const search *s, quad grown) {
    double n[3];
    normal_at(s, MORE, n);
    quad slope = (quad)fmax(1e-31, -dot(n, s->rough_along)), late = s->body[MORE].low + 4 * grown / slope;
    if (s->core->facet_count) {
        quad across = quad_abs(dotq(s->core->facet[0].normal, s->along));
        late += across > (quad)1e-31 ? 4 * grown / across : 0;
    }
    return late;
}

/* Where the body is truly met, at the latest, if ever. A tangent meets it where the arithmetic says so, to within the
 * root of its errors. */
static quad latest_of(const search *s, quad grown) {
    const stretch *less = &s->body[LESS], *same = &s->body[SAME], *more = &s->body[MORE];
    quad latest = more->high;
    if (less->any) {
        latest = less->low;
    } else if (same->any) {
        latest = same->low + 4 * (same->low - more->low);
    } else if (more->any && s->radius[SAME] < 0) {
        latest = s->core->solid ? behind_planes(s, grown) : latest_of_flat(s, grown);
    }
    return latest < more->high ? latest : more->high;
}

static quad at_least_0(quad x) {
    return x > 0 ? x : 0;
}

/* The stretches as parts of the segment; `ahead`: from its origin to where they count from. */
static void read_stretches(const search *s, quad ahead, quad length, quad latest, ray_truth *t) {
    const stretch *same = &s->body[MORE], *near = &s->body[NEAR];
    quad unit = length > 0 ? length : 1;
    t->meets = same->any && same->low + ahead <= length && same->high + ahead >= 0;
    t->holds = t->meets && same->low + ahead <= 0;
    t->near_meets = near->any && near->low + ahead <= length && near->high + ahead >= 0;
    t->near_holds = t->near_meets && near->low + ahead <= 0;
    if (t->meets) {
        t->first = at_least_0(same->low + ahead) / unit;
        t->latest = at_least_0(latest + ahead) / unit;
        t->unsure = t->latest > 1 + (quad)1e-9;
        t->latest = t->holds ? 0 : t->latest < 1 ? t->latest : 1;
    }
    if (t->near_meets) {
        t->near_first = at_least_0(near->low + ahead) / unit;
        t->near_last = (near->high + ahead) / unit;
        t->near_last = t->near_last < 1 ? t->near_last : 1;
        t->stretch = (double)(t->meets ? (t->latest - t->near_first) * unit : near->high - near->low);
    }
}

ray_truth ray_oracle(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray) {
    search s;
    ray_truth t;
    quad m[3][3];
    memset(&t, 0, sizeof t);
    memset(&s, 0, sizeof s);
    s.core = core;
    matrix_from(pose->rotation, m);
    t.size = size_of(core, radius, pose, ray, m);
    const float *d = &ray->translation.x;
    const quad way[3] = {d[0], d[1], d[2]};
    quad length = length_of(way), grown = (quad)1e-31 * t.size;
    quad ahead = place_line(&s, pose, ray, m, length);
    s.radius[LESS] = radius > 0 ? (quad)radius - grown : -1;
    s.radius[SAME] = radius > 0 ? radius : -1;
    s.radius[MORE] = radius + grown;
    s.radius[NEAR] = radius + (quad)1.000000001e-12 * t.size;
    double extent = sqrt(dot(core->half, core->half)) + (double)s.radius[NEAR], off[3];
    for (int k = 0; k < 3; k++) {
        off[k] = s.rough_from[k] - core->middle[k];
    }
    double away = sqrt(dot(off, off));
    if (away > extent * (1 + 1e-9)) {
        return t;
    }
    s.far = 16 * (quad)extent;
    s.slack = 1e-12 * (extent + sqrt(dot(core->middle, core->middle)));
    meet_all(&s);
    read_stretches(&s, ahead, length, latest_of(&s, grown), &t);
    if (t.near_meets) {
        double n[3];
        normal_at(&s, t.meets ? MORE : NEAR, n);
        for (int k = 0; k < 3; k++) {
            t.normal[k] = (double)m[k][0] * n[0] + (double)m[k][1] * n[1] + (double)m[k][2] * n[2];
        }
    }
    return t;
}

/* Judging answers */

static bool is_zero(abut_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Whether no vertex lies farther along the normal than the given point of the way, but for e and 1e-6 radians. */
static bool is_supporting(const ray_core *c, float radius, const abut_pose *pose, const abut_ray *ray,
                          const ray_truth *t, const abut_hit *hit) {
    quad m[3][3], s = hit->fraction;
    double p[3], n[3];
    const float *o = &ray->origin.x, *at = &pose->position.x, *d = &ray->translation.x, *given = &hit->normal.x;
    s = t->near_first > s ? t->near_first : s;
    matrix_from(pose->rotation, m);
    for (int k = 0; k < 3; k++) {
        quad along = 0;
        n[k] = 0;
        for (int l = 0; l < 3; l++) {
            along += m[l][k] * ((quad)o[l] - at[l] + s * d[l]);
            n[k] += (double)m[l][k] * given[l];
        }
        p[k] = (double)along;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const float *v = &c->point[i].x;
        const double w[3] = {v[0] - p[0], v[1] - p[1], v[2] - p[2]};
        if (dot(n, w) > 4e-12 * t->size + radius + 1e-6 * sqrt(dot(w, w))) {
            return false;
        }
    }
    return true;
}

static const char *normal_fault(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray,
                                const ray_truth *t, const abut_hit *hit) {
    const double n[3] = {hit->normal.x, hit->normal.y, hit->normal.z};
    const double d[3] = {ray->translation.x, ray->translation.y, ray->translation.z};
    double length = sqrt(dot(d, d)), error = 0, e = 1e-12 * t->size;
    if (!(fabs(dot(n, n) - 1) <= 5e-7)) {
        return "the normal is no unit vector";
    }
    if (!is_supporting(core, radius, pose, ray, t, hit)) {
        return "the normal is none of the body there";
    }
    double allowed = 1e-6;
    if (radius > 0) {
        allowed += (2 * t->stretch + 4 * e) / radius;
        for (int k = 0; k < 3; k++) {
            error += (n[k] - t->normal[k]) * (n[k] - t->normal[k]);
        }
        if (sqrt(error) > allowed) {
            return "the normal of the rounded body is another one";
        }
    }
    return dot(n, d) > fmin(allowed, 1) * length ? "the normal looks along the way" : NULL;
}

static bool is_position(const abut_ray *ray, const abut_hit *hit) {
    const float *o = &ray->origin.x, *d = &ray->translation.x, *p = &hit->position.x;
    for (int k = 0; k < 3; k++) {
        double at = (double)hit->fraction * (double)d[k];
        if (p[k] != (float)((double)o[k] + at)) {
            return false;
        }
    }
    return true;
}

const char *ray_fault(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray,
                      const ray_truth *t, bool reported, const abut_hit *hit) {
    if (!reported) {
        return t->meets && !t->unsure ? "missed" : NULL;
    }
    quad fraction = hit->fraction;
    if (!(hit->fraction >= 0 && hit->fraction <= 1)) {
        return "the fraction is none";
    }
    if (!t->near_meets) {
        return "invented";
    }
    bool zero = is_zero(hit->normal);
    if (zero && (!t->near_holds || hit->fraction != 0)) {
        return "a zero normal away from the start";
    }
    if (t->holds && (!zero || hit->fraction != 0)) {
        return "the body holds the origin";
    }
    if (fraction < t->near_first * (1 - (quad)0x1p-22) - (quad)0x1p-149) {
        return "too early";
    }
    if (fraction > (t->meets ? t->latest : t->near_last)) {
        return "too late";
    }
    if (!is_position(ray, hit)) {
        return "the position is not that of the fraction";
    }
    if (hit->body.index1 || hit->body.generation || hit->user || hit->part || hit->mover.index1 ||
        hit->mover.generation) {
        return "names a body";
    }
    return zero ? NULL : normal_fault(core, radius, pose, ray, t, hit);
}

static void print_vec3(const char *name, abut_vec3 v) {
    fprintf(stderr, "%s{%a, %a, %a}", name, (double)v.x, (double)v.y, (double)v.z);
}

void ray_print(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray, const ray_truth *t,
               bool reported, const abut_hit *hit) {
    abut_quat q = pose->rotation;
    fprintf(stderr, "radius %a, pose {", (double)radius);
    print_vec3("", pose->position);
    fprintf(stderr, ", {%a, %a, %a, %a}}, ray {", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    print_vec3("", ray->origin);
    print_vec3(", ", ray->translation);
    fprintf(stderr, "}\n%u points:", (unsigned)core->count);
    for (uint32_t i = 0; i < core->count; i++) {
        print_vec3(i ? ", " : " ", core->point[i]);
    }
    fprintf(stderr, "\nS %g, meets %d from %.17g (%g later at most), holds %d; near: %d from %.17g to %.17g, %d\n",
            t->size, t->meets, (double)t->first, (double)(t->latest - t->first), t->holds, t->near_meets,
            (double)t->near_first, (double)t->near_last, t->near_holds);
    fprintf(stderr, "normal %.9g %.9g %.9g; reported %d", t->normal[0], t->normal[1], t->normal[2], reported);
    if (reported) {
        fprintf(stderr, " at %.9g (%a)", (double)hit->fraction, (double)hit->fraction);
        print_vec3(", normal ", hit->normal);
        print_vec3(", position ", hit->position);
    }
    fprintf(stderr, "\n");
}
