/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/mesh_oracle.h"
#include <math.h>
#include <stdlib.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double norm(const double v[3]) {
    return sqrt(dot(v, v));
}

static bool same(abut_vec3 a, abut_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* --- the mesh by itself --- */

static void cross_of(const abut_vec3 p[3], quad out[3]) {
    const float *a = &p[0].x, *b = &p[1].x, *c = &p[2].x;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = ((quad)b[l] - a[l]) * ((quad)c[m] - a[m]) - ((quad)b[m] - a[m]) * ((quad)c[l] - a[l]);
    }
}

static void measure(facts *f, uint32_t t) {
    quad n[3];
    cross_of(f->corner[t], n);
    f->area[t] = n[0] != 0 || n[1] != 0 || n[2] != 0;
    quad most = 0;
    for (int k = 0; k < 3; k++) {
        most = quad_abs(n[k]) > most ? quad_abs(n[k]) : most;
    }
    double v[3] = {0, 0, 0};
    for (int k = 0; k < 3 && f->area[t]; k++) {
        v[k] = (double)(n[k] / most);
    }
    for (int k = 0; k < 3; k++) {
        f->normal[t][k] = f->area[t] ? v[k] / norm(v) : 0;
    }
    core_of_triangle(f->corner[t], &f->core[t]);
}

/* The sign of the height of the neighbour's third corner over a triangle: exact but for what 113 bits round. */
static facts_edge kind_of(const facts *f, uint32_t t, uint32_t k, uint32_t o, uint32_t m, bool turned) {
    quad n[3], height = 0, terms = 0;
    cross_of(f->corner[t], n);
    const float *apex = &f->corner[o][(m + 2) % 3].x, *from = &f->corner[t][k].x;
    for (int i = 0; i < 3; i++) {
        quad term = n[i] * ((quad)apex[i] - from[i]);
        height += term;
        terms += quad_abs(term);
    }
    if (quad_abs(height) > 1e-31 * terms) {
        return height > 0 ? EDGE_HOLLOW : EDGE_CONVEX;
    }
    double facing = dot(f->normal[t], f->normal[o]) * (turned ? -1 : 1);
    return facing > 0 ? EDGE_FLAT : EDGE_OUTER;
}

static void find_neighbour(facts *f, uint32_t t, uint32_t k) {
    uint32_t found = 0;
    abut_vec3 a = f->corner[t][k], b = f->corner[t][(k + 1) % 3];
    facts_edge kind = EDGE_OUTER;
    for (uint32_t o = 0; o < f->count; o++) {
        for (uint32_t m = 0; m < 3 && o != t && f->area[o]; m++) {
            abut_vec3 c = f->corner[o][m], d = f->corner[o][(m + 1) % 3];
            bool against = same(a, d) && same(b, c), along = same(a, c) && same(b, d);
            if (against || along) {
                found++;
                f->other[t][k] = o;
                f->turned[t][k] = along;
                kind = along && !f->two_sided ? EDGE_OUTER : kind_of(f, t, k, o, m, along);
            }
        }
    }
    f->edge[t][k] = (uint8_t)(found == 1 ? kind : EDGE_OUTER);
}

facts *facts_make(const soup *s) {
    facts *f = calloc(1, sizeof *f);
    if (!f) {
        return NULL;
    }
    f->count = s->triangle_count;
    f->two_sided = s->two_sided;
    for (uint32_t t = 0; t < f->count; t++) {
        for (int k = 0; k < 3; k++) {
            f->corner[t][k] = s->vertex[s->index[t][k]];
        }
        measure(f, t);
        f->solid[t] = f->area[t] && t < s->triangle_count - s->ghost_count;
    }
    for (uint32_t t = 0; t < f->count; t++) {
        for (uint32_t k = 0; k < 3 && f->area[t]; k++) {
            find_neighbour(f, t, k);
        }
    }
    return f;
}

/* --- who touches whom --- */

static void turn_into_world(const mesh_scene *s, const double v[3], double out[3]) {
    quad_pose p = quad_pose_of(&s->pose);
    for (int i = 0; i < 3; i++) {
        out[i] = (double)(p.m[i][0] * (quad)v[0] + p.m[i][1] * (quad)v[1] + p.m[i][2] * (quad)v[2]);
    }
}

static void place(const abut_pose *pose, abut_vec3 p, const abut_pose *from, double out[3]) {
    quad_pose at = quad_pose_of(pose);
    const float *own = &pose->position.x, *base = &from->position.x;
    for (int i = 0; i < 3; i++) {
        out[i] = (double)(at.m[i][0] * p.x + at.m[i][1] * p.y + at.m[i][2] * p.z + ((quad)own[i] - base[i]));
    }
}

/* The centroid of a hull, by tetrahedra from one corner to each facet's fan around its corners' mean. */
static void centroid(const core *c, double out[3]) {
    quad volume = 0, sum[3] = {0, 0, 0};
    const float *o = &c->point[0].x;
    for (uint32_t f = 0; f < c->facet_count; f++) {
        const float *pivot = &c->point[c->edge[c->side[c->side_first[f]]][0]].x;
        for (uint32_t i = c->side_first[f]; i < c->side_first[f + 1]; i++) {
            const float *p = &c->point[c->edge[c->side[i]][0]].x, *q = &c->point[c->edge[c->side[i]][1]].x;
            quad v = 0;
            for (int k = 0; k < 3; k++) {
                int l = (k + 1) % 3, m = (k + 2) % 3;
                v += ((quad)pivot[k] - o[k]) *
                     (((quad)p[l] - o[l]) * ((quad)q[m] - o[m]) - ((quad)p[m] - o[m]) * ((quad)q[l] - o[l]));
            }
            v = quad_abs(v);
            volume += v;
            for (int k = 0; k < 3; k++) {
                sum[k] += v * ((quad)o[k] + pivot[k] + p[k] + q[k]) / 4;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (double)(sum[k] / volume);
    }
}

static void find_middle(mesh_scene *s) {
    double local[3] = {0, 0, 0};
    const round_body *b = s->body;
    if (b->shape.hull) {
        centroid(b->core, local);
    }
    quad_pose at = quad_pose_of(&b->pose);
    const float *own = &b->pose.position.x, *base = &s->pose.position.x;
    for (int i = 0; i < 3; i++) {
        s->middle[i] = (double)(at.m[i][0] * (quad)local[0] + at.m[i][1] * (quad)local[1] +
                                at.m[i][2] * (quad)local[2] + ((quad)own[i] - base[i]));
    }
}

static double reach_of(const core *c) {
    double most = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double p[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        most = fmax(most, norm(p));
    }
    return most;
}

static bool surely_far(const mesh_scene *s, uint32_t t, double reach) {
    double c[3], d[3], far = 0;
    const float *own = &s->body->pose.position.x, *base = &s->pose.position.x;
    place(&s->pose, s->facts->corner[t][0], &s->pose, c);
    for (int i = 0; i < 3; i++) {
        d[i] = (double)own[i] - base[i] - c[i];
    }
    for (int k = 1; k < 3; k++) {
        const float *p = &s->facts->corner[t][k].x, *q = &s->facts->corner[t][0].x;
        double e[3] = {(double)p[0] - q[0], (double)p[1] - q[1], (double)p[2] - q[2]};
        far = fmax(far, norm(e));
    }
    return norm(d) > (far + reach) * 1.001 + s->margin;
}

/* How high the middle is over a triangle's plane. */
static double height_over(const mesh_scene *s, uint32_t t) {
    double n[3], corner[3];
    turn_into_world(s, s->facts->normal[t], n);
    place(&s->pose, s->facts->corner[t][0], &s->pose, corner);
    return dot(n, s->middle) - dot(n, corner);
}

static void judge_triangle(mesh_scene *s, uint32_t t, double reach) {
    const facts *f = s->facts;
    const round_body *b = s->body;
    s->distance[t] = INFINITY;
    s->touch[t] = TOUCH_NO;
    s->behind[t] = s->level[t] = false;
    if (!f->solid[t] || surely_far(s, t, reach)) {
        return;
    }
    distance_truth truth = distance_oracle(&f->core[t], &s->pose, b->core, &b->pose);
    double size = s->size[t] = distance_size(&f->core[t], 0, &s->pose, b->core, b->shape.radius, &b->pose);
    quad beyond = truth.distance - b->shape.radius - s->margin;
    s->distance[t] = (double)(truth.distance - b->shape.radius);
    s->touch[t] = !truth.sure                    ? TOUCH_MAYBE
                  : beyond <= 0                  ? TOUCH_YES
                  : beyond <= 1e-12 * (quad)size ? TOUCH_MAYBE
                                                 : TOUCH_NO;
    double height = height_over(s, t), band = (b->shape.hull ? 1e-6 : 1e-12) * size;
    s->behind[t] = height < 0;
    s->level[t] = fabs(height) <= band;
    if (!f->two_sided && height < -band) {
        s->touch[t] = TOUCH_NO;
    } else if (!f->two_sided && height < band && (height != 0 || b->shape.hull) && s->touch[t] == TOUCH_YES) {
        /* A box's middle may lie exactly in the plane; a hull's is rounded, and that says nothing. */
        s->touch[t] = TOUCH_MAYBE;
    }
}

void mesh_scene_make(const facts *f, const abut_pose *pose, const round_body *body, float margin, mesh_scene *out) {
    out->facts = f;
    out->pose = *pose;
    out->body = body;
    out->margin = margin;
    find_middle(out);
    double reach = reach_of(body->core) + body->shape.radius;
    for (uint32_t t = 0; t < f->count; t++) {
        judge_triangle(out, t, reach);
    }
}

double mesh_scene_support(const mesh_scene *s, const double n[3]) {
    double least = INFINITY;
    for (uint32_t i = 0; i < s->body->core->count; i++) {
        double p[3];
        place(&s->body->pose, s->body->core->point[i], &s->pose, p);
        least = fmin(least, dot(n, p));
    }
    return least - s->body->shape.radius;
}

/* --- normals --- */

enum { RANGE_MAX = 64 };

/* Unit vectors; allowed is what lies between some of them. */
typedef struct range {
    double n[RANGE_MAX][3];
    uint32_t count;
} range;

static void range_add(range *r, const facts *f, uint32_t t, bool turned) {
    for (int k = 0; k < 3 && r->count < RANGE_MAX; k++) {
        r->n[r->count][k] = turned ? -f->normal[t][k] : f->normal[t][k];
    }
    r->count += r->count < RANGE_MAX;
}

static double volume(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* How far v is from the arc between two unit vectors. */
static double from_arc(const double v[3], const double a[3], const double b[3]) {
    double e[3], d[3], t;
    for (int k = 0; k < 3; k++) {
        e[k] = b[k] - a[k];
    }
    /* The point of the chord whose direction is nearest: the ratio of its ends' heights over the plane square to v. */
    double va = dot(v, a), vb = dot(v, b), ab = dot(a, b);
    double fa = va - ab * vb, fb = vb - ab * va;
    t = fa <= 0 && fb <= 0 ? (va > vb ? 0 : 1) : fa <= 0 ? 1 : fb <= 0 ? 0 : fb / (fa + fb);
    for (int k = 0; k < 3; k++) {
        d[k] = a[k] + t * e[k];
    }
    double length = norm(d);
    for (int k = 0; k < 3; k++) {
        d[k] = v[k] - (length > 0 ? d[k] / length : 0);
    }
    return norm(d);
}

static bool range_has(const range *r, const double v[3], double slack) {
    for (uint32_t i = 0; i < r->count; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            if (from_arc(v, r->n[i], r->n[j]) <= slack) {
                return true;
            }
            for (uint32_t k = 0; k < j; k++) {
                double whole = volume(r->n[i], r->n[j], r->n[k]);
                if (fabs(whole) > 1e-9 && volume(v, r->n[j], r->n[k]) / whole >= 0 &&
                    volume(r->n[i], v, r->n[k]) / whole >= 0 && volume(r->n[i], r->n[j], v) / whole >= 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* The faces around a corner, walking over inner edges in one sense; false at an outer edge. */
static bool around_corner(const facts *f, uint32_t t, uint32_t k, bool back, range *out, bool *ridge) {
    abut_vec3 corner = f->corner[t][k];
    uint32_t now = t;
    bool turned = back;
    for (uint32_t steps = 0; steps < RANGE_MAX; steps++) {
        range_add(out, f, now, turned);
        uint32_t at = 0, edge;
        while (!same(f->corner[now][at], corner)) {
            at++;
        }
        edge = turned == back ? at : (at + 2) % 3;
        facts_edge kind = (facts_edge)f->edge[now][edge];
        if (kind == EDGE_OUTER) {
            return false;
        }
        *ridge |= kind == (turned ? EDGE_HOLLOW : EDGE_CONVEX);
        bool turns = f->turned[now][edge];
        now = f->other[now][edge];
        turned ^= turns;
        if (now == t) {
            return true;
        }
    }
    return false;
}

static bool normal_allowed(const mesh_scene *s, uint32_t t, bool back, const double v[3]) {
    const facts *f = s->facts;
    range face = {.count = 0};
    range_add(&face, f, t, back);
    if (range_has(&face, v, 1e-6)) {
        return true;
    }
    for (uint32_t k = 0; k < 3; k++) {
        if (f->edge[t][k] == EDGE_OUTER) {
            return true; /* at a border anything may be; the tests of floors look closer */
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        range edge = face, corner = {.count = 0};
        bool ridge = false;
        range_add(&edge, f, f->other[t][k], back ^ f->turned[t][k]);
        if (f->edge[t][k] == (back ? EDGE_HOLLOW : EDGE_CONVEX) && range_has(&edge, v, 1e-6)) {
            return true;
        }
        if (!around_corner(f, t, k, back, &corner, &ridge) || (ridge && range_has(&corner, v, 1e-6))) {
            return true;
        }
    }
    return false;
}

/* Whether the middle is outside of a fold at an edge: where it is before this face and, beyond a hollow edge, behind
 * the other one. */
static bool is_fold(const mesh_scene *s, uint32_t t, bool back, uint32_t k) {
    const facts *f = s->facts;
    if (!f->two_sided || f->edge[t][k] != (back ? EDGE_CONVEX : EDGE_HOLLOW)) {
        return false;
    }
    const double height = height_over(s, f->other[t][k]);
    return (back ^ f->turned[t][k] ? -height : height) < 1e-12 * s->size[t];
}

/* There what the faces allow from the other side is allowed as well. */
static bool fold_allows(const mesh_scene *s, uint32_t t, bool back, const double v[3]) {
    for (uint32_t k = 0; k < 3; k++) {
        if (is_fold(s, t, back, k) && normal_allowed(s, t, !back, v)) {
            return true;
        }
    }
    return false;
}

/* --- an answer --- */

static const char *part_of_scene(const mesh_scene *s, const abut_contact_part *p) {
    const abut_manifold *m = &p->manifold;
    double n[3] = {m->normal.x, m->normal.y, m->normal.z}, local[3];
    if (!s->facts->solid[p->part] || s->touch[p->part] == TOUCH_NO) {
        return "a part does not touch";
    }
    if (!(fabs(norm(n) - 1) < 1e-6)) {
        return "a normal is not unit";
    }
    quad_pose at = quad_pose_of(&s->pose);
    for (int k = 0; k < 3; k++) {
        local[k] = (double)(at.m[0][k] * (quad)n[0] + at.m[1][k] * (quad)n[1] + at.m[2][k] * (quad)n[2]);
    }
    bool back = s->facts->two_sided && s->behind[p->part], either = s->facts->two_sided && s->level[p->part];
    if (!normal_allowed(s, p->part, back, local) && !(either && normal_allowed(s, p->part, !back, local)) &&
        !fold_allows(s, p->part, back, local)) {
        return "a normal out of range";
    }
    if (m->count < 1 || m->count > 4) {
        return "a part without points";
    }
    for (uint32_t i = 0; i < m->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (m->points[i].feature == m->points[j].feature) {
                return "features repeat";
            }
        }
    }
    return NULL;
}

static bool has_ghosts(const facts *f) {
    bool any = false;
    for (uint32_t t = 0; t < f->count; t++) {
        any |= f->area[t] && !f->solid[t];
    }
    return any;
}

/* Whether the core meets the line along the normal of a part through a point: distances along a line have one least. */
static bool is_below_core(const mesh_scene *s, const abut_vec3 *normal, const double on_mesh[3], double slack) {
    const double n[3] = {normal->x, normal->y, normal->z};
    double ends[2] = {0, 0}, least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double way = (double)(&s->body->pose.position.x)[k] - (double)(&s->pose.position.x)[k] - on_mesh[k];
        ends[1] += fabs(way) + s->body->core->half[k] + fabs(s->body->core->middle[k]);
    }
    for (int step = 0; step < 96 && least > slack; step++) {
        double distance[2];
        for (int i = 0; i < 2; i++) {
            const double at = ends[0] + (ends[1] - ends[0]) * (i + 1) / 3;
            double point[3];
            for (int k = 0; k < 3; k++) {
                point[k] =
                    on_mesh[k] + at * n[k] + (double)(&s->pose.position.x)[k] - (double)(&s->body->pose.position.x)[k];
            }
            distance[i] = distance_of_point(s->body->core, s->body->pose.rotation, point);
        }
        least = fmin(distance[0], distance[1]);
        const double third = (ends[1] - ends[0]) / 3;
        ends[distance[0] < distance[1]] += distance[0] < distance[1] ? -third : third;
    }
    return least <= slack;
}

/* The mesh's end of a point is on the triangle; with ghosts that of a rounded body may be beyond, but below its core.
 */
static const char *ends_of_point(const mesh_scene *s, const abut_contact_part *p, const abut_contact_point *point) {
    const float *at = &point->position.x, *n = &p->manifold.normal.x;
    const float *mesh = &s->pose.position.x;
    double on_mesh[3], most = 0;
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * point->separation * n[k];
        on_mesh[k] = (double)at[k] - half - mesh[k];
        most = fmax(most, fabs((double)at[k]));
    }
    double slack = 1e-4 * s->size[p->part] + 1e-6 * most;
    if (!(point->separation <= s->margin * (1 + 1e-6) + slack)) {
        return "a point beyond the margin";
    }
    const bool may_be_off = s->body->shape.radius > 0 && has_ghosts(s->facts);
    if (distance_of_point(&s->facts->core[p->part], s->pose.rotation, on_mesh) > slack &&
        !(may_be_off && is_below_core(s, &p->manifold.normal, on_mesh, slack))) {
        return "a point is off the triangle";
    }
    return NULL;
}

static double deepest(const abut_manifold *m) {
    double least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fmin(least, m->points[i].separation);
    }
    return least;
}

/* What is touched is in the list, or its like is: from it one comes to a part by steps to triangles that are touched
 * and share a corner. */
static const char *all_are_stood_for(const mesh_scene *s, const abut_contact_part *parts, size_t count,
                                     uint32_t *part) {
    const facts *f = s->facts;
    static bool reached[SOUP_TRIANGLES];
    bool more = true;
    for (uint32_t t = 0; t < f->count; t++) {
        reached[t] = false;
    }
    for (size_t i = 0; i < count; i++) {
        reached[parts[i].part] = true;
    }
    while (more) {
        more = false;
        for (uint32_t t = 0; t < f->count; t++) {
            for (uint32_t o = 0; o < f->count && s->touch[t] != TOUCH_NO && !reached[t]; o++) {
                for (uint32_t k = 0; k < 9 && reached[o] && !reached[t]; k++) {
                    reached[t] = more |= same(f->corner[t][k / 3], f->corner[o][k % 3]);
                }
            }
        }
    }
    for (uint32_t t = 0; t < f->count; t++) {
        if (s->touch[t] == TOUCH_YES && !reached[t]) {
            *part = t;
            return "a touched triangle is missing";
        }
    }
    return NULL;
}

static const char *summed_up(const abut_contact_part *parts, size_t count, const abut_manifold *manifold) {
    double least = INFINITY;
    bool agrees = false;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, deepest(&parts[i].manifold));
    }
    for (size_t i = 0; i < count; i++) {
        const abut_manifold *m = &parts[i].manifold;
        agrees |= deepest(m) == least && m->normal.x == manifold->normal.x && m->normal.y == manifold->normal.y &&
                  m->normal.z == manifold->normal.z;
    }
    if (!agrees || deepest(manifold) != least) {
        return "the manifold is not that of the deepest part";
    }
    for (uint32_t i = 0; i < manifold->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (manifold->points[i].feature == manifold->points[j].feature) {
                return "features of the manifold repeat";
            }
        }
    }
    return manifold->count > 4 ? "more than four points" : NULL;
}

const char *mesh_scene_fault(const mesh_scene *s, const abut_contact_part *parts, size_t count,
                             const abut_manifold *manifold, uint32_t *part) {
    const char *fault = NULL;
    for (uint32_t t = 0; t < s->facts->count && count == 0; t++) {
        *part = t;
        if (s->touch[t] == TOUCH_YES) {
            return "a contact is missing";
        }
    }
    for (size_t i = 0; i < count; i++) {
        *part = parts[i].part;
        if (parts[i].part >= s->facts->count || (i > 0 && parts[i].part <= parts[i - 1].part)) {
            return "parts out of order";
        }
        fault = part_of_scene(s, &parts[i]);
        for (uint32_t k = 0; k < parts[i].manifold.count && !fault; k++) {
            fault = ends_of_point(s, &parts[i], &parts[i].manifold.points[k]);
        }
        if (fault) {
            return fault;
        }
    }
    fault = all_are_stood_for(s, parts, count, part);
    return fault || count == 0 || !manifold ? fault : summed_up(parts, count, manifold);
}
