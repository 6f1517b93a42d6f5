/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/check.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A point of the world relative to the position of a body; the largest error that its rounding to floats can cause. */
static double relative_to(const abut_pose *pose, abut_vec3 at, double out[3]) {
    const float *p = &at.x, *from = &pose->position.x;
    double rounding = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = (double)p[k] - from[k];
        rounding += fabs((double)p[k]);
    }
    return rounding * 0x1p-24 + 0x1p-149;
}

round_truth round_truth_of(const round_pair *pair) {
    const round_body *a = &pair->a, *b = &pair->b;
    round_truth out = {.cores = distance_oracle(a->core, &a->pose, b->core, &b->pose)};
    assert_true(out.cores.sure);
    out.radii = (double)a->shape.radius + b->shape.radius;
    out.gap = (double)(out.cores.distance - a->shape.radius - b->shape.radius);
    out.size = distance_size(a->core, a->shape.radius, &a->pose, b->core, b->shape.radius, &b->pose);
    return out;
}

const char *round_overlap_fault(const round_pair *pair, const round_truth *truth) {
    const round_body *a = &pair->a, *b = &pair->b;
    bool answer = abut_shape_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    abut_manifold m;
    if (!answer && (pair->exact || truth->gap <= -1e-28 * truth->size)) {
        return "a touch is missed";
    }
    if (answer && truth->gap > 1e-12 * truth->size) {
        return "a touch is invented";
    }
    if (abut_shape_overlap(&b->shape, &b->pose, &a->shape, &a->pose) != answer) {
        return "the answer changes when a and b are swapped";
    }
    if ((abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, NULL, NULL) == 0) != answer) {
        return "the distance is 0, or not, against the answer of overlap";
    }
    if (abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, 0, &m) != answer) {
        return "collide answers otherwise";
    }
    return NULL;
}

static bool same_point(const abut_vec3 *a, const abut_vec3 *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* How far the point is from the surface of a grown body; `inside`: points inside are right, too. */
static double off_surface(const round_body *body, abut_vec3 at, bool inside, double *rounding) {
    double p[3];
    *rounding = relative_to(&body->pose, at, p);
    double off = distance_of_point(body->core, body->pose.rotation, p) - body->shape.radius;
    return inside ? fmax(0, off) : fabs(off);
}

const char *round_distance_fault(const round_pair *pair, const round_truth *truth, round_errors *errors) {
    const round_body *a = &pair->a, *b = &pair->b;
    abut_vec3 p, q, p2, q2;
    float d = abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, &p, &q);
    float back = abut_shape_distance(&b->shape, &b->pose, &a->shape, &a->pose, &q2, &p2);
    float alone = abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, NULL, NULL);
    if (memcmp(&d, &back, sizeof d) != 0 || memcmp(&d, &alone, sizeof d) != 0) {
        return "the distance changes when a and b are swapped, or nobody asks for points";
    }
    if (!same_point(&p, &p2) || !same_point(&q, &q2)) {
        return "the points are not swapped with a and b";
    }
    double gap = fmax(0, truth->gap), allowed = 1e-6 * gap + 1e-12 * truth->size, ra, rb, apart = 0;
    if (!(d >= 0) || !isfinite(d)) {
        return "the distance is no length";
    }
    if (d == 0 && !same_point(&p, &q)) {
        return "at distance 0 the two points differ";
    }
    double off_a = off_surface(a, p, d == 0, &ra), off_b = off_surface(b, q, d == 0, &rb);
    const float *x = &p.x, *y = &q.x;
    for (int k = 0; k < 3; k++) {
        apart += ((double)x[k] - y[k]) * ((double)x[k] - y[k]);
    }
    errors->distance = fmax(errors->distance, fabs(d - gap) / allowed);
    errors->on_surface = fmax(errors->on_surface, fmax((off_a - ra) / allowed, (off_b - rb) / allowed));
    errors->apart = fmax(errors->apart, (fabs(sqrt(apart) - gap) - ra - rb) / allowed);
    if (fabs(d - gap) > allowed) {
        return "the distance is wrong";
    }
    if (off_a - ra > allowed || off_b - rb > allowed) {
        return "a closest point is not on its surface";
    }
    return fabs(sqrt(apart) - gap) - ra - rb > allowed ? "the points are not that far apart" : NULL;
}

bool round_manifold_is_swapped(const abut_manifold *x, const abut_manifold *y) {
    abut_manifold z = *y;
    z.normal = (abut_vec3){0.0f - y->normal.x, 0.0f - y->normal.y, 0.0f - y->normal.z};
    return memcmp(x, &z, sizeof z) == 0;
}

float round_manifold_least(const abut_manifold *m) {
    float least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fminf(least, m->points[i].separation);
    }
    return least;
}

static const char *form_fault(const abut_manifold *m) {
    static const abut_contact_point unused;
    double sum = 0, n[3] = {m->normal.x, m->normal.y, m->normal.z};
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
        sum += (double)p->position.x * 0 + (double)p->position.y * 0 + (double)p->position.z * 0 +
               (double)p->separation * 0;
    }
    if (!isfinite(sum)) {
        return "a value is not finite";
    }
    return fabs(dot(n, n) - 1) > 5e-7 ? "the normal is no unit vector" : NULL;
}

bool round_sharp_collide(const round_body *a, const round_body *b, float margin, abut_manifold *out) {
    abut_obb box_a = {a->pose.position, a->pose.rotation, a->shape.half};
    abut_obb box_b = {b->pose.position, b->pose.rotation, b->shape.half};
    const abut_hull *hull_a = a->shape.hull, *hull_b = b->shape.hull;
    if (hull_a && hull_b) {
        return abut_hull_collide(hull_a, &a->pose, hull_b, &b->pose, margin, out);
    }
    if (!hull_a && !hull_b) {
        return abut_obb_collide(&box_a, &box_b, margin, out);
    }
    bool touch = hull_a ? abut_obb_hull_collide(&box_b, hull_a, &a->pose, margin, out)
                        : abut_obb_hull_collide(&box_a, hull_b, &b->pose, margin, out);
    if (touch && hull_a) {
        out->normal = (abut_vec3){0.0f - out->normal.x, 0.0f - out->normal.y, 0.0f - out->normal.z};
    }
    return touch;
}

/* Overlapping cores: what they have without radii, less both. */
static const char *overlap_manifold_fault(const round_pair *pair, const round_truth *truth, float margin,
                                          const abut_manifold *m) {
    abut_manifold sharp;
    if (!round_sharp_collide(&pair->a, &pair->b, margin, &sharp)) {
        return "overlapping cores do not touch without radii";
    }
    if (truth->radii == 0) {
        return memcmp(&sharp, m, sizeof sharp) != 0 ? "without radii the manifold is not that of boxes and hulls"
                                                    : NULL;
    }
    bool points = pair->a.core->count == 1 && pair->b.core->count == 1;
    if (points && pair->a.shape.radius > 0 && pair->b.shape.radius > 0) { /* of two spheres with one centre */
        return m->normal.x == 0 && m->normal.y == 1 && m->normal.z == 0 ? NULL : "spheres with one centre part upwards";
    }
    double expected = (double)round_manifold_least(&sharp) - truth->radii, least = round_manifold_least(m);
    return fabs(least - expected) > 2e-6 * truth->size ? "the depth of overlapping cores" : NULL;
}

/* The half extents of a core, of a hull: of its OBB. */
static double extent_of(const round_body *body) {
    const abut_vec3 half = body->shape.hull ? abut_hull_obb(body->shape.hull).half : body->shape.half;
    return (double)half.x + half.y + half.z;
}

/* Half of the sine of the angle up to which a face faces the gap: 2 degrees. */
static const double ASIDE = 0.0175;

/* Cores that lie apart: the deepest point is midway between the closest points, or as deep to within 2^-16 of the half
 * extents of the smaller core if it is one of several, and the normal is along them. One of several is midway between
 * surfaces that lie above each other along the normal of a face, which is not quite that of the closest points. */
static const char *deepest_fault(const round_pair *pair, const round_truth *truth, const abut_manifold *m,
                                 round_errors *errors) {
    double d = (double)truth->cores.distance, size = truth->size, least = round_manifold_least(m), off = 0;
    double allowed = 1e-6 * d + 1e-12 * size + 0x1p-23 * fabs(truth->gap);
    /* Then the normal may be that of an overlap, and a face is preferred by 2^-10 of the least extent. */
    double near = d < 2e-6 * size ? 5e-4 * size : 0;
    errors->separation = fmax(errors->separation, fabs(least - truth->gap) / (allowed + near));
    if (fabs(least - truth->gap) > allowed + near) {
        return "the least separation is not the distance less the radii";
    }
    if (near > 0) {
        return NULL;
    }
    double tilt = 1e-6 + 1e-12 * size / d + 0x1p-23;
    const double n[3] = {m->normal.x, m->normal.y, m->normal.z};
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(n[k] - truth->cores.normal[k]));
    }
    errors->normal = fmax(errors->normal, off / tilt);
    if (off > tilt) {
        return "the normal does not point along the closest points";
    }
    const double aside = ASIDE * d + 0x1p-16 * fmin(extent_of(&pair->a), extent_of(&pair->b));
    double best = INFINITY, slack = m->count > 1 ? aside : 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const abut_contact_point *c = &m->points[i];
        if ((double)c->separation > least + allowed) {
            continue;
        }
        double p[3], q[3], rounding = relative_to(&pair->a.pose, c->position, p), s = c->separation;
        relative_to(&pair->b.pose, c->position, q);
        for (int k = 0; k < 3; k++) {
            p[k] -= n[k] * s / 2;
            q[k] += n[k] * s / 2;
        }
        double reach = fmax(pair->a.shape.radius, pair->b.shape.radius) + fabs(s);
        double off_a = fabs(distance_of_point(pair->a.core, pair->a.pose.rotation, p) - pair->a.shape.radius);
        double off_b = fabs(distance_of_point(pair->b.core, pair->b.pose.rotation, q) - pair->b.shape.radius);
        best = fmin(best, (fmax(off_a, off_b) - rounding) / (allowed + tilt * reach + 1e-7 * size + slack));
    }
    errors->middle = fmax(errors->middle, best);
    return best > 1 ? "the deepest point is not midway between the closest points" : NULL;
}

/* Every other point: within the margin, and on one of the surfaces. */
static const char *points_fault(const round_pair *pair, const round_truth *truth, const abut_manifold *m,
                                float margin) {
    double tolerance = 1e-5 * truth->size, beside = 1e-2 * truth->size; /* faces that are nearly parallel */
    for (uint32_t i = 0; i < m->count; i++) {
        const abut_contact_point *c = &m->points[i];
        double p[3], q[3], rounding = relative_to(&pair->a.pose, c->position, p), s = c->separation;
        const double n[3] = {m->normal.x, m->normal.y, m->normal.z};
        relative_to(&pair->b.pose, c->position, q);
        /* without radii, points of overlaps may be as far apart as their tolerance */
        bool loose = truth->cores.distance < 2e-6 * truth->size;
        if (s > margin * (1 + 1e-6) + (loose ? tolerance : 1e-12 * truth->size)) {
            return "a point is farther apart than the margin";
        }
        for (int k = 0; k < 3; k++) {
            p[k] -= n[k] * s / 2;
            q[k] += n[k] * s / 2;
        }
        double off_a = distance_of_point(pair->a.core, pair->a.pose.rotation, p) - pair->a.shape.radius;
        double off_b = distance_of_point(pair->b.core, pair->b.pose.rotation, q) - pair->b.shape.radius;
        if (truth->cores.distance > 2e-6 * truth->size && fmin(fabs(off_a), fabs(off_b)) > beside + rounding) {
            return "a point is on no surface";
        }
    }
    return NULL;
}

const char *round_collide_fault(const round_pair *pair, const round_truth *truth, float margin, round_errors *errors) {
    const round_body *a = &pair->a, *b = &pair->b;
    abut_manifold m, back, before;
    memset(&before, 0x5b, sizeof before);
    m = back = before;
    double beyond = (double)(truth->cores.distance - a->shape.radius - b->shape.radius - margin);
    bool touch = abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, margin, &m);
    if (abut_shape_collide(&b->shape, &b->pose, &a->shape, &a->pose, margin, &back) != touch) {
        return "contact changes when a and b are swapped";
    }
    if (!touch) {
        if (memcmp(&m, &before, sizeof m) != 0 || memcmp(&back, &before, sizeof m) != 0) {
            return "no contact, but the manifold is written";
        }
        return beyond <= -1e-28 * truth->size ? "a contact within the margin is missed" : NULL;
    }
    if (beyond > 1e-12 * truth->size) {
        return "a contact beyond the margin is invented";
    }
    const char *fault = form_fault(&m);
    bool twins = truth->cores.overlap && memcmp(&a->pose.position, &b->pose.position, sizeof a->pose.position) == 0;
    if (!fault && !twins && !round_manifold_is_swapped(&m, &back)) {
        return "the manifold changes when a and b are swapped";
    }
    if (!fault && !a->shape.hull && !b->shape.hull && a->core->count == 1 && b->core->count == 1 && m.count != 1) {
        return "spheres touch in one point";
    }
    if (!fault && truth->cores.overlap) {
        fault = overlap_manifold_fault(pair, truth, margin, &m);
    } else if (!fault && (truth->radii > 0 || truth->gap > 0)) {
        fault = deepest_fault(pair, truth, &m, errors);
    }
    return fault ? fault : points_fault(pair, truth, &m, margin);
}

static void print_body(const char *name, const round_body *body) {
    const abut_vec3 *p = &body->pose.position, *h = &body->shape.half;
    const abut_quat *q = &body->pose.rotation;
    fprintf(stderr, "abut_pose pose_%s = {{%a, %a, %a}, {%a, %a, %a, %a}};\n", name, (double)p->x, (double)p->y,
            (double)p->z, (double)q->x, (double)q->y, (double)q->z, (double)q->w);
    fprintf(stderr, "abut_shape %s = {{%a, %a, %a}, %s, NULL, %a};\n", name, (double)h->x, (double)h->y, (double)h->z,
            body->shape.hull ? "hull_of these points" : "NULL", (double)body->shape.radius);
    for (uint32_t i = 0; i < body->core->count && body->shape.hull; i++) {
        const abut_vec3 *v = &body->core->point[i];
        fprintf(stderr, "    {%a, %a, %a},\n", (double)v->x, (double)v->y, (double)v->z);
    }
}

void round_report(uint64_t index, const char *fault, const round_pair *pair, const round_truth *truth, float margin) {
    const round_body *a = &pair->a, *b = &pair->b;
    abut_vec3 p = {0, 0, 0}, q = {0, 0, 0};
    abut_manifold m = {.count = 0};
    float d = abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, &p, &q);
    bool touch = abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, margin, &m);
    fprintf(stderr, "seed 0x%llx pair %llu (kinds %d %d, meeting %d%s): %s\n", (unsigned long long)test_seed(),
            (unsigned long long)index, (int)a->kind, (int)b->kind, (int)pair->meeting, pair->exact ? ", exact" : "",
            fault);
    fprintf(stderr, "truth: cores %.17g%s, radii %.9g, gap %.17g = %g S, S %.9g, normal %.9g %.9g %.9g, margin %a\n",
            (double)truth->cores.distance, truth->cores.overlap ? " (overlap)" : "", truth->radii, truth->gap,
            truth->gap / truth->size, truth->size, truth->cores.normal[0], truth->cores.normal[1],
            truth->cores.normal[2], (double)margin);
    fprintf(stderr, "got: overlap %d, distance %.9g, points %.9g %.9g %.9g and %.9g %.9g %.9g\n",
            abut_shape_overlap(&a->shape, &a->pose, &b->shape, &b->pose), (double)d, (double)p.x, (double)p.y,
            (double)p.z, (double)q.x, (double)q.y, (double)q.z);
    fprintf(stderr, "contact %d, normal %.9g %.9g %.9g\n", touch, (double)m.normal.x, (double)m.normal.y,
            (double)m.normal.z);
    for (uint32_t i = 0; i < m.count; i++) {
        fprintf(stderr, "    at %.9g %.9g %.9g, separation %.9g, feature %08x\n", (double)m.points[i].position.x,
                (double)m.points[i].position.y, (double)m.points[i].position.z, (double)m.points[i].separation,
                (unsigned)m.points[i].feature);
    }
    print_body("a", a);
    print_body("b", b);
}
