/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/check.h"
#include <float.h>
#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

float hull_manifold_least(const abut_manifold *m) {
    float least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fminf(least, m->points[i].separation);
    }
    return least;
}

bool hull_manifold_is_swapped(const abut_manifold *x, const abut_manifold *y) {
    abut_manifold z = *y;
    z.normal = (abut_vec3){0.0f - y->normal.x, 0.0f - y->normal.y, 0.0f - y->normal.z};
    return memcmp(x, &z, sizeof z) == 0;
}

static const char *form_fault(const abut_manifold *m) {
    static const abut_contact_point unused;
    float sum = m->normal.x + m->normal.y + m->normal.z;
    if (m->count < 1 || m->count > 4) {
        return "the count is not 1 to 4";
    }
    for (uint32_t i = 0; i < 4; i++) {
        const abut_contact_point *p = &m->points[i];
        if (i >= m->count && memcmp(p, &unused, sizeof unused) != 0) {
            return "an unused point is not zero";
        }
        for (uint32_t j = 0; j < i && i < m->count; j++) {
            if (p->feature == m->points[j].feature) {
                return "two points have the same feature";
            }
        }
        sum += p->position.x * 0 + p->position.y * 0 + p->position.z * 0 + p->separation * 0;
    }
    return isfinite(sum) ? NULL : "a value is not finite";
}

/* The rotation's matrix. */
static void turn_of(const abut_pose *pose, double m[3][3]) {
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double n = x * x + y * y + z * z + w * w;
    n = n > 0 ? n : (w = 1);
    const double full[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m[i][k] = full[i][k] / n;
        }
    }
}

/* How far outside a body a point lies, along the worst of its facet normals; the point is relative to its position. */
static double outside(const convex *c, const abut_pose *pose, const double at[3]) {
    double m[3][3], local[3], worst = -INFINITY;
    turn_of(pose, m);
    for (int i = 0; i < 3; i++) {
        local[i] = m[0][i] * at[0] + m[1][i] * at[1] + m[2][i] * at[2];
    }
    for (uint32_t f = 0; f < c->facet_count; f++) {
        double support = -INFINITY;
        for (uint32_t i = 0; i < c->count; i++) {
            const double p[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
            support = c->corners[f] >> i & 1 ? fmax(support, dot(c->normal[f], p)) : support;
        }
        worst = fmax(worst, dot(c->normal[f], local) - support);
    }
    return worst;
}

/* The highest point of a and the lowest of b along n. */
static void surfaces_along(const hull_placed *p, const double n[3], double *a, double *b) {
    *a = -INFINITY;
    *b = INFINITY;
    for (uint32_t i = 0; i < p->count[0]; i++) {
        *a = fmax(*a, dot(p->point[0][i], n));
    }
    for (uint32_t i = 0; i < p->count[1]; i++) {
        *b = fmin(*b, dot(p->point[1][i], n));
    }
}

/* Whether one of the lowest points of the other body along a facet's normal lies in front of the facet. */
static bool is_met(const hull_pair *pair, const hull_placed *placed, int own, const double n[3], double tolerance) {
    const convex *c[2] = {&pair->made.a, &pair->made.b};
    const abut_pose *pose[2] = {&pair->a.pose, &pair->b.pose};
    double low = INFINITY, top = -INFINITY;
    bool met = false;
    for (uint32_t i = 0; i < placed->count[1 - own]; i++) {
        low = fmin(low, dot(n, placed->point[1 - own][i]));
    }
    for (uint32_t i = 0; i < placed->count[own]; i++) {
        top = fmax(top, dot(n, placed->point[own][i]));
    }
    for (uint32_t i = 0; i < placed->count[1 - own]; i++) {
        const double *p = placed->point[1 - own][i], h = dot(n, p);
        double foot[3];
        for (int k = 0; k < 3; k++) {
            double origin = own ? (double)(&pair->b.pose.position.x)[k] - (&pair->a.pose.position.x)[k] : 0;
            foot[k] = p[k] - (h - top) * n[k] - origin;
        }
        met = met || (h <= low + tolerance && outside(c[own], pose[own], foot) <= 0);
    }
    return met;
}

/* Whether a facet that shows as much as any has nothing of the other body in front of it. */
static bool misses(const hull_pair *pair, const hull_placed *placed, double most, double tolerance) {
    const convex *c[2] = {&pair->made.a, &pair->made.b};
    const abut_pose *pose[2] = {&pair->a.pose, &pair->b.pose};
    for (int own = 0; own < 2; own++) {
        double m[3][3];
        turn_of(pose[own], m);
        for (uint32_t f = 0; f < c[own]->facet_count; f++) {
            double n[3], out[3];
            for (int k = 0; k < 3; k++) {
                n[k] = dot(m[k], c[own]->normal[f]);
                out[k] = own ? -n[k] : n[k];
            }
            if (hull_separation(placed, out) >= most - tolerance && !is_met(pair, placed, own, n, tolerance)) {
                return true;
            }
        }
    }
    return false;
}

/* The least positive half extent of the bodies, of hulls: of their OBBs. */
static double least_extent(const hull_pair *pair) {
    const hull_body *body[2] = {&pair->a, &pair->b};
    double least = INFINITY;
    for (int i = 0; i < 2; i++) {
        abut_vec3 half = body[i]->hull ? abut_hull_obb(body[i]->hull).half : body[i]->box.half;
        for (int k = 0; k < 3; k++) {
            double x = (double)(&half.x)[k];
            least = x > 0 ? fmin(least, x) : least;
        }
    }
    return isfinite(least) ? least : 0;
}

/* Whether a face lies along edges that have this normal, within 1 degree, and a little; not if it is that of a face. */
static bool lies_along(const hull_pair *pair, const double n[3]) {
    const convex *c[2] = {&pair->made.a, &pair->made.b};
    const abut_pose *pose[2] = {&pair->a.pose, &pair->b.pose};
    double most = -1;
    for (int own = 0; own < 2; own++) {
        double m[3][3];
        turn_of(pose[own], m);
        for (uint32_t f = 0; f < c[own]->facet_count; f++) {
            const double facet[3] = {dot(m[0], c[own]->normal[f]), dot(m[1], c[own]->normal[f]),
                                     dot(m[2], c[own]->normal[f])};
            most = fmax(most, own ? -dot(facet, n) : dot(facet, n));
        }
    }
    return most > 0.99984 && most < 1 - 1e-12;
}

static const char *point_fault(const hull_pair *pair, const hull_truth *truth, const hull_placed *placed, float margin,
                               const double n[3], const abut_contact_point *point, double depth) {
    const float *from = &pair->a.pose.position.x, *to = &pair->b.pose.position.x, *at = &point->position.x;
    double s = point->separation, far = 0, a, b, on_a[3], on_b[3], middle[3], d[3];
    for (int k = 0; k < 3; k++) {
        far = fmax(far, fabs((double)at[k]));
        d[k] = (double)to[k] - from[k];
        middle[k] = (double)at[k] - from[k];
        on_a[k] = middle[k] - n[k] * s / 2;
        on_b[k] = middle[k] + n[k] * s / 2 - d[k];
    }
    double tolerance = 1e-5 * truth->size + 2 * FLT_EPSILON * far;
    if (s > (double)margin + tolerance) {
        return "a point is farther apart than the margin";
    }
    surfaces_along(placed, n, &a, &b);
    double height = dot(n, middle);
    const bool leans = lies_along(pair, n);
    tolerance += leans ? 0.018 * depth : 0;
    if (!leans && fmin(fabs(height - s / 2 - a), fabs(height + s / 2 - b)) > tolerance) {
        return "a point is not midway between the surfaces";
    }
    double off_a = outside(&pair->made.a, &pair->a.pose, on_a), off_b = outside(&pair->made.b, &pair->b.pose, on_b);
    if (fmin(off_a, off_b) > tolerance) {
        return "a point lies on neither body";
    }
    return fmax(off_a, off_b) > depth + tolerance ? "a point lies beside a body, farther than they are deep" : NULL;
}

const char *hull_manifold_fault(const hull_pair *pair, const hull_truth *truth, float margin, const abut_manifold *m,
                                hull_errors *errors) {
    const char *fault = form_fault(m);
    if (fault) {
        return fault;
    }
    double n[3] = {m->normal.x, m->normal.y, m->normal.z}, least = hull_manifold_least(m), spare = 0.05 * 1.02;
    if (fabs(dot(n, n) - 1) > 5e-7) {
        return "the normal is no unit vector";
    }
    if (truth->gap > 1e-12 * truth->size) { /* the closest points decide; tests/narrowphase/round measures them */
        double tiny = 1e-6 * truth->size;
        return least < truth->gap - tiny       ? "closer than an axis shows"
               : least > (double)margin + tiny ? "farther apart than the margin"
                                               : NULL;
    }
    hull_placed placed = hull_place(&pair->made.a, &pair->a.pose, &pair->made.b, &pair->b.pose);
    double by_extent = least_extent(pair) * 0x1p-10, along = hull_separation(&placed, n);
    double allowed = truth->own - fmax(spare * fabs(truth->own), 1.001 * by_extent);
    double preferred = fmax(0.047 * fabs(truth->face), 0.999 * by_extent) - 1e-5 * truth->size;
    errors->depth = fmax(errors->depth, fabs(least - along) / truth->size);
    errors->least = fmax(errors->least, (allowed - along) / truth->size);
    /* Where a preferred face shows a depth, but another axis none, 0 is reported; how much it may show is below. */
    bool hidden = least == 0 && along < 0 && truth->own > -1e-12 * truth->size;
    if (!hidden && fabs(least - along) > 1e-6 * truth->size) {
        return "the least separation is not that along the normal";
    }
    if (along < allowed - 1e-5 * truth->size) {
        return "another axis shows more, by over 5 %";
    }
    if (along > truth->face + 1e-6 * truth->size && along < truth->face + preferred &&
        !misses(pair, &placed, truth->face, 1e-6 * truth->size)) {
        return "an edge axis won over a face that is hardly deeper";
    }
    if (truth->gap < -1e-12 * truth->size && least > 0) {
        return "an overlap is reported as a gap";
    }
    for (uint32_t i = 0; i < m->count && !fault; i++) {
        fault = point_fault(pair, truth, &placed, margin, n, &m->points[i], fmax(0, hidden ? -along : -least));
    }
    return fault;
}

/* Gilbert 1966: from a point of the difference body x - y towards the vertex of it that is lowest along the point, as
 * long as the distance decreases. */
double hull_distance_at_most(const hull_placed *p) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = p->point[1][0][k] - p->point[0][0][k];
    }
    for (int step = 0; step < 3000; step++) {
        uint32_t low = 0, high = 0;
        for (uint32_t i = 0; i < p->count[0]; i++) {
            high = dot(p->point[0][i], x) > dot(p->point[0][high], x) ? i : high;
        }
        for (uint32_t i = 0; i < p->count[1]; i++) {
            low = dot(p->point[1][i], x) < dot(p->point[1][low], x) ? i : low;
        }
        double to[3];
        for (int k = 0; k < 3; k++) {
            to[k] = p->point[1][low][k] - p->point[0][high][k] - x[k];
        }
        double fall = -dot(x, to), length2 = dot(to, to);
        if (!(fall > 1e-9 * dot(x, x)) || !(length2 > 0)) {
            break;
        }
        double t = fmin(1, fall / length2);
        for (int k = 0; k < 3; k++) {
            x[k] += t * to[k];
        }
    }
    return sqrt(dot(x, x));
}
