/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/box/check.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct frame {
    double axes[3][3], half[3], center[3]; /* axes are columns */
} frame;

static frame frame_of(const abut_obb *box) {
    double x = box->rotation.x, y = box->rotation.y, z = box->rotation.z, w = box->rotation.w;
    double square = x * x + y * y + z * z + w * w;
    if (!(square > 0)) {
        w = square = 1;
    }
    frame f = {.axes = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
    for (int i = 0; i < 9; i++) {
        f.axes[i / 3][i % 3] /= square;
    }
    for (int i = 0; i < 3; i++) {
        f.center[i] = *(&box->center.x + i);
        f.half[i] = *(&box->half.x + i);
    }
    return f;
}

static double along(const frame *f, int axis, const double n[3]) {
    return f->axes[0][axis] * n[0] + f->axes[1][axis] * n[1] + f->axes[2][axis] * n[2];
}

/* The half extent along n. */
static double extent(const frame *f, const double n[3]) {
    return f->half[0] * fabs(along(f, 0, n)) + f->half[1] * fabs(along(f, 1, n)) + f->half[2] * fabs(along(f, 2, n));
}

/* The distance of a point from the box along the worst of its axes; negative inside. */
static double outside(const frame *f, const double p[3]) {
    double d[3] = {p[0] - f->center[0], p[1] - f->center[1], p[2] - f->center[2]}, worst = -INFINITY;
    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, fabs(along(f, k, d)) - f->half[k]);
    }
    return worst;
}

static bool is_face_normal(const frame *f, const double n[3]) {
    for (int k = 0; k < 3; k++) {
        if (fabs(along(f, (k + 1) % 3, n)) < 1e-6 && fabs(along(f, (k + 2) % 3, n)) < 1e-6) {
            return true;
        }
    }
    return false;
}

bool manifold_has_face_normal(const abut_obb *a, const abut_obb *b, const abut_manifold *m) {
    frame fa = frame_of(a), fb = frame_of(b);
    double n[3] = {m->normal.x, m->normal.y, m->normal.z};
    return is_face_normal(&fa, n) || is_face_normal(&fb, n);
}

float manifold_least(const abut_manifold *m) {
    float least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fminf(least, m->points[i].separation);
    }
    return least;
}

bool manifold_is_swapped(const abut_manifold *x, const abut_manifold *y) {
    abut_manifold z = *y;
    z.normal = (abut_vec3){0.0f - y->normal.x, 0.0f - y->normal.y, 0.0f - y->normal.z};
    return memcmp(x, &z, sizeof z) == 0;
}

static bool finite_and_unused_zero(const abut_manifold *m) {
    static const abut_contact_point unused;
    float sum = m->normal.x + m->normal.y + m->normal.z;
    for (uint32_t i = 0; i < 4; i++) {
        const abut_contact_point *p = &m->points[i];
        if (i >= m->count && memcmp(p, &unused, sizeof unused) != 0) {
            return false;
        }
        sum += p->position.x * 0 + p->position.y * 0 + p->position.z * 0 + p->separation * 0;
    }
    return isfinite(sum);
}

static bool features_differ(const abut_manifold *m) {
    for (uint32_t i = 0; i < m->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (m->points[i].feature == m->points[j].feature) {
                return false;
            }
        }
    }
    return true;
}

/* Faces are preferred to edges that are less deep by less than 5 %, or by less than this share of the least positive
 * half extent. */
static const double FACE_OVER_EDGE = 0.05, FACE_OVER_EDGE_EXTENT = 0x1p-10;

static double least_extent(const frame *a, const frame *b) {
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        least = a->half[k] > 0 ? fmin(least, a->half[k]) : least;
        least = b->half[k] > 0 ? fmin(least, b->half[k]) : least;
    }
    return isfinite(least) ? least : 0;
}

/* The depth that the points show is the depth along the normal, and that is the least depth, but for this preference.
 */
static const char *depth_fault(const frame *a, const frame *b, const oracle_gap *truth, const double n[3],
                               const abut_manifold *m) {
    double d[3] = {b->center[0] - a->center[0], b->center[1] - a->center[1], b->center[2] - a->center[2]};
    double centers = n[0] * d[0] + n[1] * d[1] + n[2] * d[2], tiny = 2e-6 * truth->size;
    double depth = extent(a, n) + extent(b, n) - centers, best = -truth->gap * truth->size;
    double by_extent = FACE_OVER_EDGE_EXTENT * least_extent(a, b);
    if (centers < -tiny) {
        return "the normal does not point from a to b";
    }
    if (fabs(-(double)manifold_least(m) - depth) > tiny) {
        return "the least separation is not the depth along the normal";
    }
    double spare = FACE_OVER_EDGE / (1 - FACE_OVER_EDGE) * 1.02;
    if (depth > best + fmax(spare * fabs(best), 1.001 * by_extent) + tiny) {
        return "the depth is not the least of all axes";
    }
    bool face = is_face_normal(a, n) || is_face_normal(b, n);
    double face_depth = -truth->face, edge_depth = -truth->edge;
    double preference = fmax(0.98 * FACE_OVER_EDGE * fabs(face_depth), 0.999 * by_extent);
    if (!face && edge_depth > face_depth - preference + tiny) {
        return "an edge axis won over a face that is hardly deeper";
    }
    if (fabs(depth - face_depth) > tiny && (face || fabs(depth - edge_depth) > tiny)) {
        return "the depth is that of no axis";
    }
    return NULL;
}

/* Whether a face lies along edges that have this normal: within 1 degree, and a little. */
static bool lies_along(const frame *f, const double n[3]) {
    double most = fmax(fmax(fabs(along(f, 0, n)), fabs(along(f, 1, n))), fabs(along(f, 2, n)));
    return !is_face_normal(f, n) && most > 0.99984;
}

/* What is wrong with a contact point of boxes that overlap, or NULL. It must lie midway between a point of a and a
 * point of b that are `separation` apart along the normal; where a face lies along edges, along that of the face. Where
 * a face was preferred, one of these may lie outside its box, but no farther than the depth. */
static const char *overlap_point_fault(const frame *a, const frame *b, const double n[3], const double at[3], double s,
                                       double depth, double tolerance) {
    double on_a[3], on_b[3], from_a = extent(a, n), from_b = extent(b, n);
    for (int k = 0; k < 3; k++) {
        on_a[k] = at[k] - n[k] * s / 2;
        on_b[k] = at[k] + n[k] * s / 2;
        from_a -= n[k] * (on_a[k] - a->center[k]);
        from_b += n[k] * (on_b[k] - b->center[k]);
    }
    const bool leans = !is_face_normal(a, n) && !is_face_normal(b, n) && (lies_along(a, n) || lies_along(b, n));
    tolerance += leans ? 0.018 * depth : 0;
    if (outside(a, on_a) > tolerance && outside(b, on_b) > tolerance) {
        return "a point lies on neither box";
    }
    if (outside(a, on_a) > depth + tolerance || outside(b, on_b) > depth + tolerance) {
        return "a point lies beside a box, farther away than the boxes are deep in each other";
    }
    /* Measured along the normal, one of the two is on the surface: the reference face, or both edges. */
    return !leans && fmin(fabs(from_a), fabs(from_b)) > tolerance ? "a point is not midway between the surfaces" : NULL;
}

static const char *point_fault(const frame *a, const frame *b, const oracle_gap *truth, float margin, const double n[3],
                               const abut_manifold *m) {
    double far = 0, depth = fmax(0, -(double)manifold_least(m));
    for (int k = 0; k < 3; k++) {
        far = fmax(far, fmax(fabs(a->center[k]) + a->half[k], fabs(b->center[k]) + b->half[k]));
    }
    double tolerance = 1e-5 * truth->size + 2 * FLT_EPSILON * far;
    for (uint32_t i = 0; i < m->count; i++) {
        const abut_contact_point *point = &m->points[i];
        double s = point->separation, at[3] = {point->position.x, point->position.y, point->position.z};
        if (s > (double)margin + tolerance) {
            return "a point is farther apart than the margin";
        }
        const char *fault = overlap_point_fault(a, b, n, at, s, depth, tolerance);
        if (fault) {
            return fault;
        }
    }
    return NULL;
}

const char *manifold_fault(const abut_obb *box_a, const abut_obb *box_b, const oracle_gap *truth, float margin,
                           const abut_manifold *m) {
    if (m->count < 1 || m->count > 4) {
        return "the count is not 1 to 4";
    }
    if (!finite_and_unused_zero(m)) {
        return "a value is not finite, or an unused point is not zero";
    }
    double n[3] = {m->normal.x, m->normal.y, m->normal.z};
    if (fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) > 5e-7) {
        return "the normal is no unit vector";
    }
    if (!features_differ(m)) {
        return "two points have the same feature";
    }
    if (truth->gap > 0) { /* the closest points decide; tests/narrowphase/round measures them */
        double tiny = 2e-6 * truth->size, least = manifold_least(m);
        return least < truth->gap * truth->size - tiny ? "closer than an axis shows"
               : least > (double)margin + tiny         ? "farther apart than the margin"
                                                       : NULL;
    }
    frame a = frame_of(box_a), b = frame_of(box_b);
    const char *fault = depth_fault(&a, &b, truth, n, m);
    return fault ? fault : point_fault(&a, &b, truth, margin, n, m);
}
