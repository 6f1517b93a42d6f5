/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "judge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- hulls --- */

static int compare_points(const void *a, const void *b) {
    const abut_vec3 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return (p->z > q->z) - (p->z < q->z);
}

/* Ascending, and each an input point. */
static const char *check_vertices(const specimen *of) {
    const abut_vec3 *v = abut_hull_vertices(of->hull);
    abut_vec3 *sorted = malloc(of->point_count * sizeof *sorted);
    const char *wrong = sorted == NULL ? "out of memory" : NULL;
    if (sorted != NULL) {
        memcpy(sorted, of->points, of->point_count * sizeof *sorted);
        qsort(sorted, of->point_count, sizeof *sorted, compare_points);
    }
    for (size_t i = 0; wrong == NULL && i < abut_hull_vertex_count(of->hull); ++i) {
        if (i > 0 && compare_points(&v[i - 1], &v[i]) >= 0) {
            wrong = "its vertices are out of order";
        } else if (bsearch(&v[i], sorted, of->point_count, sizeof *sorted, compare_points) == NULL) {
            wrong = "a vertex is no input point";
        }
    }
    free(sorted);
    return wrong;
}

static const char *check_numbers(const specimen *of, const surface *s) {
    const abut_hull *hull = of->hull;
    size_t vertices = abut_hull_vertex_count(hull);
    double volume = surface_volume(s), said = abut_hull_volume(hull);
    if (vertices + abut_hull_face_count(hull) != abut_hull_edge_count(hull) + 2) {
        return "Euler's formula does not hold";
    }
    if (!(fabs(said - volume) <= 1e-6 * volume)) {
        return "its volume is wrong";
    }
    const abut_pose here = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    abut_aabb tight = abut_hull_bounds_tight(hull, &here), exact = {s->points[0], s->points[0]};
    for (size_t i = 1; i < vertices; ++i) {
        abut_vec3 p = s->points[i];
        exact.min = (abut_vec3){fminf(exact.min.x, p.x), fminf(exact.min.y, p.y), fminf(exact.min.z, p.z)};
        exact.max = (abut_vec3){fmaxf(exact.max.x, p.x), fmaxf(exact.max.y, p.y), fmaxf(exact.max.z, p.z)};
    }
    bool same = compare_points(&tight.min, &exact.min) == 0 && compare_points(&tight.max, &exact.max) == 0;
    return same ? NULL : "its bounds are wrong";
}

const char *judge_hull(const specimen *of, surface *s) {
    const char *wrong = surface_make(s, abut_hull_vertices(of->hull), abut_hull_vertex_count(of->hull));
    wrong = wrong == NULL ? surface_check(s, of->points, of->point_count) : wrong;
    wrong = wrong == NULL ? check_vertices(of) : wrong;
    return wrong == NULL ? check_numbers(of, s) : wrong;
}

/* --- pairs --- */

static const double rounding = 1e-10;      /* relative to the pair's size: closer cases may be decided either way */
static const double float_rounding = 2e-6; /* relative to the pair's size: more than the rounding of contact points */
static const size_t work_max = 50000000;   /* projections; a pair that needs more of them is not judged */

judge_body judge_body_at(const surface *s, const abut_pose *pose) {
    judge_body body = {.surface = s, .position = pose->position};
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double f = 2.0 / (x * x + y * y + z * z + w * w);
    const double turn[3][3] = {{1.0 - f * (y * y + z * z), f * (x * y - z * w), f * (x * z + y * w)},
                               {f * (x * y + z * w), 1.0 - f * (x * x + z * z), f * (y * z - x * w)},
                               {f * (x * z - y * w), f * (y * z + x * w), 1.0 - f * (x * x + y * y)}};
    memcpy(body.turn, turn, sizeof turn);
    double middle[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->point_count; ++i) {
        const float *p = &s->points[i].x;
        for (int axis = 0; axis < 3; ++axis) {
            middle[axis] += p[axis] / (double)s->point_count;
        }
    }
    for (size_t i = 0; i < s->point_count; ++i) {
        double px = s->points[i].x - middle[0], py = s->points[i].y - middle[1], pz = s->points[i].z - middle[2];
        body.radius = fmax(body.radius, sqrt(px * px + py * py + pz * pz));
    }
    const float *at = &body.position.x;
    for (int k = 0; k < 3; ++k) {
        body.center[k] = at[k] + (turn[k][0] * middle[0] + turn[k][1] * middle[1] + turn[k][2] * middle[2]);
    }
    return body;
}

/* Both with the origin at a's position. */
typedef struct placed {
    const surface *surface;
    double (*corner)[3];
} placed;

static bool place(const judge_body *body, const abut_vec3 *origin, placed *p) {
    size_t n = body->surface->point_count;
    const double at[3] = {(double)body->position.x - origin->x, (double)body->position.y - origin->y,
                          (double)body->position.z - origin->z};
    *p = (placed){body->surface, malloc(n * sizeof *p->corner)};
    for (size_t i = 0; p->corner != NULL && i < n; ++i) {
        abut_vec3 v = body->surface->points[i];
        for (int k = 0; k < 3; ++k) {
            p->corner[i][k] = at[k] + (body->turn[k][0] * v.x + body->turn[k][1] * v.y + body->turn[k][2] * v.z);
        }
    }
    return p->corner != NULL;
}

static void extent(const placed *p, const double axis[3], double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < p->surface->point_count; ++i) {
        double at = axis[0] * p->corner[i][0] + axis[1] * p->corner[i][1] + axis[2] * p->corner[i][2];
        *least = at < *least ? at : *least;
        *most = at > *most ? at : *most;
    }
}

/* Along an axis of any length, from a to b or back, whichever is wider; -INFINITY for no axis. */
static double gap_along(const placed *a, const placed *b, const double axis[3], double shortest) {
    double low[2], high[2], length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > shortest)) {
        return -INFINITY;
    }
    extent(a, axis, &low[0], &high[0]);
    extent(b, axis, &low[1], &high[1]);
    return fmax(low[1] - high[0], low[0] - high[1]) / length;
}

static void difference(const double p[3], const double q[3], double out[3]) {
    for (int k = 0; k < 3; ++k) {
        out[k] = p[k] - q[k];
    }
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void cross(const double u[3], const double v[3], double out[3]) {
    for (int k = 0; k < 3; ++k) {
        out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
}

/* Over the facets of `of`; stops at a gap beyond `enough`. */
static double widest_over_facets(const placed *of, const placed *a, const placed *b, double enough) {
    double widest = -INFINITY;
    for (size_t i = 0; i < of->surface->triangle_count && !(widest > enough); ++i) {
        const uint16_t *v = of->surface->triangles[i].v;
        double u[3], w[3], axis[3];
        difference(of->corner[v[1]], of->corner[v[0]], u);
        difference(of->corner[v[2]], of->corner[v[0]], w);
        cross(u, w, axis);
        widest = fmax(widest, gap_along(a, b, axis, 0.0));
    }
    return widest;
}

static double widest_over_edges(const placed *a, const placed *b, double enough) {
    double widest = -INFINITY;
    for (size_t i = 0; i < a->surface->edge_count && !(widest > enough); ++i) {
        for (size_t j = 0; j < b->surface->edge_count && !(widest > enough); ++j) {
            const uint16_t *p = a->surface->edges[i].v, *q = b->surface->edges[j].v;
            double u[3], w[3], axis[3];
            difference(a->corner[p[1]], a->corner[p[0]], u);
            difference(b->corner[q[1]], b->corner[q[0]], w);
            cross(u, w, axis); /* nearly parallel edges define no axis */
            widest = fmax(widest, gap_along(a, b, axis, 1e-9 * length_of(u) * length_of(w)));
        }
    }
    return widest;
}

static bool contact_is_right(const abut_contact *contact, const placed *a, const placed *b, double depth, double size) {
    double said = 0.0;
    const double normal[3] = {contact->manifold.normal.x, contact->manifold.normal.y, contact->manifold.normal.z};
    for (uint32_t i = 0; i < contact->manifold.count; ++i) {
        said = fmax(said, -(double)contact->manifold.points[i].separation);
    }
    double along = -gap_along(a, b, normal, 0.0), slack = float_rounding * size;
    return contact->manifold.count > 0 && fabs(length_of(normal) - 1.0) < 1e-6 && fabs(said - along) <= slack &&
           said >= depth - slack && said <= depth / 0.95 + slack;
}

judge_finding judge_pair(const judge_body *a, const judge_body *b, const abut_contact *contact) {
    judge_finding finding = {.verdict = JUDGE_FAR};
    double between[3];
    difference(a->center, b->center, between);
    double size = length_of(between) + a->radius + b->radius, slack = rounding * size;
    if (length_of(between) > (a->radius + b->radius) * (1.0 + 1e-9)) {
        finding.wrong = contact != NULL;
        return finding;
    }
    size_t corners = a->surface->point_count + b->surface->point_count;
    if (a->surface->edge_count * b->surface->edge_count > work_max / corners) {
        finding.verdict = JUDGE_TOO_LARGE;
        return finding;
    }
    placed p = {0}, q = {0};
    if (!place(a, &a->position, &p) || !place(b, &a->position, &q)) {
        finding.verdict = JUDGE_TOO_LARGE;
    } else {
        double gap = fmax(widest_over_facets(&p, &p, &q, slack), widest_over_facets(&q, &p, &q, slack));
        gap = gap > slack ? gap : fmax(gap, widest_over_edges(&p, &q, slack));
        finding.verdict = gap > slack ? JUDGE_APART : gap < -slack ? JUDGE_TOUCHING : JUDGE_EITHER;
        finding.depth = gap < 0.0 ? -gap : 0.0;
        finding.wrong = finding.verdict != JUDGE_EITHER && (finding.verdict == JUDGE_TOUCHING) != (contact != NULL);
        if (contact != NULL && !finding.wrong) {
            finding.wrong = !contact_is_right(contact, &p, &q, finding.depth, size);
        }
    }
    free(p.corner);
    free(q.corner);
    return finding;
}
