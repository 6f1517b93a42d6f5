/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/box/fit.h"
#include "base/accurate.h"
#include "base/bytes.h"
#include "shape/kernels.h"

/* A box of least volume has two adjacent faces flush with edges of the hull (O'Rourke, "Finding minimal enclosing
 * boxes", 1985). This search tries boxes with one face flush with a face of the hull: for each of the largest faces,
 * the rectangles flush with an edge of the outline seen along the face's normal (Freeman and Shapira, "Determining the
 * minimum-area encasing rectangle", 1975). */
enum { FACES_TRIED = 16 };

/* Three perpendicular unit vectors: the axes of a box. */
typedef struct frame {
    abut_d3 axis[3];
} frame;

/* The dimension that the points span decides which measure is minimised: a volume, an area or a length. */
typedef enum span { SPAN_LINE, SPAN_FLAT, SPAN_SOLID } span;

typedef struct search {
    const abut_vec3 *point;
    uint32_t count;
    span kind;
    frame best;
    double measure; /* of the best; < 0: there is none yet */
} search;

static const frame world_axes = {{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}};

/* b - a */
static abut_d3 from_to(abut_vec3 a, abut_vec3 b) {
    return abut_d3_sub(abut_d3_from(b), abut_d3_from(a));
}

/* The least and greatest coordinate along each axis, relative to the first point. */
static void extents(const abut_vec3 *point, uint32_t count, const frame *f, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        abut_d3 p = from_to(point[0], point[i]);
        for (int k = 0; k < 3; k++) {
            double x = abut_d3_dot(f->axis[k], p);
            low[k] = abut_min_d(x, low[k]);
            high[k] = abut_max_d(x, high[k]);
        }
    }
}

/* The measure of a box with edges of lengths e. */
static double measure(span kind, const double e[3]) {
    if (kind == SPAN_LINE) {
        return e[0] + e[1] + e[2];
    }
    return kind == SPAN_FLAT ? e[0] * e[1] + e[1] * e[2] + e[2] * e[0] : e[0] * e[1] * e[2];
}

/* A box is better than the best so far if its measure is less than this; of boxes that are equal up to rounding, the
 * first stays. */
static double better(const search *s) {
    return s->measure < 0 ? INFINITY : s->measure * (1 - 0x1p-20);
}

static void consider_measured(search *s, const frame *f) {
    double low[3], high[3];
    extents(s->point, s->count, f, low, high);
    const double e[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    double value = measure(s->kind, e);
    if (value < better(s)) {
        s->best = *f;
        s->measure = value;
    }
}

/* Two axes perpendicular to the unit vector n and to each other: as those of the kernel for outlines. */
static void find_axes(abut_d3 n, abut_d3 axis[2]) {
    static const abut_d3 unit[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    axis[0] = abut_d3_cross(n, unit[abut_d3_least_axis(n)]);
    (void)abut_d3_normalise(&axis[0]);
    axis[1] = abut_d3_cross(n, axis[0]);
}

static abut_d3 direction_of(abut_vec3 a, abut_vec3 b) {
    abut_d3 along = from_to(a, b);
    (void)abut_d3_normalise(&along);
    return along;
}

/* Considers the boxes with one axis along n, which is direction d, and another along an edge of the outline. */
static void try_direction(search *s, abut_d3 n, const abut_outlines *o, uint32_t d) {
    double limit = better(s);
    if (!(o->least[d] < limit)) { /* as for most directions */
        return;
    }
    for (uint32_t i = 0; i < o->count[d]; i++) {
        double volume = o->vertex[i][ABUT_OUTLINE_VOLUME][d];
        if (!(volume < limit)) {
            continue;
        }
        s->measure = volume;
        limit = better(s);
        s->best.axis[0] = n;
        double c = o->vertex[i][ABUT_OUTLINE_COSINE][d], sine = o->vertex[i][ABUT_OUTLINE_SINE][d];
        for (int k = 0; k < 3; k++) {
            s->best.axis[1].x[k] = c * o->axis[0][k][d] + sine * o->axis[1][k][d];
        }
        s->best.axis[2] = abut_d3_cross(n, s->best.axis[1]);
    }
}

/* A number that is certainly not below |axis . (p - c)|, nor much above. Differences, the matrix, products and sums are
 * each good to a few units in the last place of their parts; what is exactly zero has no error. `exact`: the axis has
 * none. */
static double half_extent(abut_d3 axis, abut_vec3 p, abut_vec3 c, bool exact) {
    double sum = 0, size = 0;
    const abut_dd x[3] = {abut_dd_two_sum(p.x, -c.x), abut_dd_two_sum(p.y, -c.y), abut_dd_two_sum(p.z, -c.z)};
    for (int k = 0; k < 3; k++) {
        double part = axis.x[k] * x[k].hi;
        sum += part;
        size += fabs(part);
        exact = exact && x[k].lo == 0;
    }
    return exact ? fabs(sum) : fabs(sum) + size * 0x1p-48;
}

/* The box with the best axes, rounded to floats, that contains all points. */
static abut_obb box_of(const search *s) {
    frame f;
    double m[3][3], low[3], high[3];
    abut_obb box = {.rotation = abut_quat_of_axes(s->best.axis)};
    abut_accurate_matrix(abut_dquat_from(box.rotation), m);
    for (int k = 0; k < 3; k++) {
        f.axis[k] = (abut_d3){{m[0][k], m[1][k], m[2][k]}};
    }
    extents(s->point, s->count, &f, low, high);
    abut_d3 center = abut_d3_from(s->point[0]);
    for (int k = 0; k < 3; k++) {
        center = abut_d3_along(center, (low[k] + high[k]) / 2, f.axis[k]);
    }
    box.center = abut_vec3_round(center);
    bool exact = abut_quat_is_quarter_turn(box.rotation);
    double half[3] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) {
            half[k] = abut_max_d(half[k], half_extent(f.axis[k], s->point[i], box.center, exact));
        }
    }
    box.half = (abut_vec3){abut_bits_round_up(half[0]), abut_bits_round_up(half[1]), abut_bits_round_up(half[2])};
    return box;
}

/* All faces, by how many are before each: no branch depends on their sizes. */
static void order_all(const abut_faces *faces, uint32_t largest[FACES_TRIED]) {
    uint32_t place[FACES_TRIED];
    for (uint32_t i = 0; i < faces->count; i++) {
        place[i] = i;
        for (uint32_t k = 0; k < i; k++) {
            const bool after = faces->face_area[i] > faces->face_area[k];
            place[i] -= after;
            place[k] += after;
        }
    }
    for (uint32_t i = 0; i < faces->count; i++) {
        largest[place[i]] = i;
    }
}

/* The largest faces, by insertion: of equal ones the earlier first. Returns how many. */
static uint32_t find_largest(const abut_faces *faces, uint32_t largest[FACES_TRIED]) {
    uint32_t count = 0;
    double size[FACES_TRIED];
    if (faces->count <= FACES_TRIED) {
        order_all(faces, largest);
        return faces->count;
    }
    for (uint32_t i = 0; i < faces->count; i++) {
        double area = faces->face_area[i];
        if (count == FACES_TRIED && !(area > size[count - 1])) {
            continue;
        }
        uint32_t at = count < FACES_TRIED ? count++ : count - 1;
        for (; at > 0 && area > size[at - 1]; at--) {
            size[at] = size[at - 1];
            largest[at] = largest[at - 1];
        }
        size[at] = area;
        largest[at] = i;
    }
    return count;
}

/* The box along the axes of the world, as consider_measured measures it: rounding a difference keeps the order of
 * coordinates, so the least difference is that of the least coordinate. */
static void consider_bounds(search *s, const abut_faces *faces) {
    const abut_d3 first = abut_d3_from(s->point[0]);
    double e[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (faces->high[k] - first.x[k]) - (faces->low[k] - first.x[k]);
    }
    s->best = world_axes;
    s->measure = measure(s->kind, e);
}

ABUT_NOINLINE abut_obb abut_fit_hull(const abut_polyhedron *p, const abut_faces *faces) {
    search s = {.point = p->vertex, .count = p->vertex_count, .kind = SPAN_SOLID, .measure = -1};
    const abut_shape_kernels *kernels = abut_shape_kernels_active();
    abut_outlines o;
    uint32_t tried[FACES_TRIED], count = find_largest(faces, tried);
    consider_bounds(&s, faces);
    kernels->along(p, faces->along);
    for (uint32_t i = 0; i < count; i += o.directions) {
        o.directions = count - i < ABUT_OUTLINE_TOGETHER ? count - i : ABUT_OUTLINE_TOGETHER;
        for (uint32_t d = 0; d < ABUT_OUTLINE_TOGETHER; d++) {
            const abut_hull_plane *plane = &faces->face[tried[d < o.directions ? i + d : i]].plane;
            for (int k = 0; k < 3; k++) {
                o.plane[k][d] = plane->n[k];
            }
            o.plane[3][d] = plane->w;
        }
        kernels->outlines(p, faces, &o);
        kernels->rectangles(&o);
        for (uint32_t d = 0; d < o.directions; d++) {
            try_direction(&s, abut_d3_load(faces->face[tried[i + d]].plane.n), &o, d);
        }
    }
    return box_of(&s);
}

/* A point outside the plane of a flat cloud: its middle, moved along the axis that the plane faces most. With the cloud
 * it makes a pyramid, which has a hull. Of slivers the axis is not known, since n may have lost all digits: others are
 * tried as well. */
static abut_vec3 tip_of(const search *s, const abut_orient_plane *plane) {
    double low[3], high[3], tip[3], most = 0;
    int axis = abut_d3_greatest_axis(abut_d3_load(plane->n));
    extents(s->point, s->count, &world_axes, low, high);
    for (int k = 0; k < 3; k++) {
        tip[k] = abut_d3_from(s->point[0]).x[k] + (low[k] + high[k]) / 2;
        most = abut_max_d(most, high[k] - low[k]);
    }
    for (double step = 0.25 * most;; step *= 2) {
        for (int i = 0; i < 3; i++) {
            int k = (axis + i) % 3;
            abut_d3 moved = abut_d3_load(tip);
            moved.x[k] += tip[k] > 0 ? -step : step;
            abut_vec3 rounded = abut_vec3_round(moved);
            if (abut_orient_exact(plane->a, plane->b, plane->c, rounded) != 0) {
                return rounded;
            }
        }
    }
}

static bool has_vertex(const abut_polyhedron *p, uint32_t facet, abut_vec3 v) {
    for (uint32_t h = p->first[facet]; h < p->first[facet + 1]; h++) {
        abut_vec3 u = p->vertex[p->loop[h]];
        if (u.x == v.x && u.y == v.y && u.z == v.z) {
            return true;
        }
    }
    return false;
}

/* The base of a pyramid over a flat cloud is the cloud's outline, exactly. Its outlines and those of a solid, 37 KB
 * each, must not lie on the stack of one function. */
static ABUT_NOINLINE abut_result fit_flat(search *s, const abut_cloud *cloud, const abut_orient_plane *plane,
                                          const abut_allocator *allocator) {
    abut_polyhedron p;
    abut_outlines o;
    size_t bytes = (cloud->count + (size_t)1) * sizeof *cloud->point;
    abut_vec3 *points = abut_memory_alloc(allocator, bytes);
    if (!points) {
        return ABUT_ERROR_MEMORY;
    }
    memcpy(points, cloud->point, cloud->count * sizeof *points);
    abut_vec3 tip = points[cloud->count] = tip_of(s, plane);
    abut_result result = abut_polyhedron_make(&p, points, cloud->count + (size_t)1, allocator);
    abut_memory_release(allocator, points, bytes);
    if (result != ABUT_OK) {
        return result;
    }
    uint32_t base = 0;
    while (has_vertex(&p, base, tip)) {
        base++;
    }
    uint32_t first = p.first[base], count = p.first[base + 1] - first;
    abut_hull_plane flat = abut_polyhedron_plane(&p, base);
    abut_d3 n = abut_d3_load(flat.n), axis[2];
    find_axes(n, axis);
    o.directions = 1;
    o.count[0] = 0;
    for (int d = 0; d < ABUT_OUTLINE_TOGETHER; d++) {
        o.depth[d] = 1; /* areas instead of volumes */
        for (int k = 0; k < 3; k++) {
            o.axis[0][k][d] = axis[0].x[k];
            o.axis[1][k][d] = axis[1].x[k];
        }
    }
    for (uint32_t i = 0, stride = (count + ABUT_OUTLINE_MAX - 1) / ABUT_OUTLINE_MAX; i < count; i += stride) {
        abut_vec3 next = p.vertex[p.loop[first + (i + 1) % count]];
        abut_vec3 vertex = p.vertex[p.loop[first + i]];
        abut_d3 at = from_to(cloud->point[0], vertex), along = direction_of(vertex, next);
        const uint32_t k = o.count[0]++;
        o.vertex[k][ABUT_OUTLINE_X][0] = abut_d3_dot(axis[0], at);
        o.vertex[k][ABUT_OUTLINE_Y][0] = abut_d3_dot(axis[1], at);
        for (int j = 0; j < 3; j++) {
            o.vertex[k][ABUT_OUTLINE_ALONG + j][0] = along.x[j];
        }
    }
    abut_shape_kernels_active()->rectangles(&o);
    try_direction(s, n, &o, 0);
    abut_polyhedron_release(&p);
    return ABUT_OK;
}

/* Points in one plane, on one line, or one point. */
static abut_result fit_degenerate(const abut_cloud *cloud, const abut_allocator *allocator, abut_obb *box) {
    search s = {.point = cloud->point, .count = cloud->count, .kind = SPAN_LINE, .measure = -1};
    uint32_t last = cloud->count - 1, third = abut_cloud_third(cloud);
    abut_result result = ABUT_OK;
    s.kind = third < cloud->count ? SPAN_FLAT : SPAN_LINE;
    consider_measured(&s, &world_axes);
    if (third < cloud->count) {
        abut_orient_plane plane = abut_orient_plane_of(cloud->point[0], cloud->point[last], cloud->point[third]);
        result = fit_flat(&s, cloud, &plane, allocator);
    } else if (last > 0) {
        abut_d3 along = from_to(cloud->point[0], cloud->point[last]);
        frame f;
        (void)abut_d3_normalise(&along);
        f.axis[0] = along;
        find_axes(along, f.axis + 1);
        consider_measured(&s, &f);
    }
    if (result == ABUT_OK) {
        *box = box_of(&s);
    }
    return result;
}

static abut_result fit_cloud(const abut_cloud *cloud, const abut_allocator *allocator, abut_obb *box) {
    abut_polyhedron p;
    abut_faces faces;
    abut_result result = abut_polyhedron_make(&p, cloud->point, cloud->count, allocator);
    if (result != ABUT_OK) {
        return result;
    }
    result = abut_faces_make(&faces, &p, 0);
    if (result == ABUT_OK) {
        *box = abut_fit_hull(&p, &faces);
        abut_faces_release(&faces, allocator);
    }
    abut_polyhedron_release(&p);
    return result;
}

abut_result abut_obb_fit_with(const abut_vec3 *points, size_t n, const abut_allocator *wanted, abut_obb *box) {
    static const abut_allocator none = {0};
    abut_allocator allocator;
    abut_cloud cloud;
    if (!box || !abut_memory_init(&allocator, wanted ? wanted : &none)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_result result = abut_cloud_make(&cloud, points, n, &allocator);
    if (result != ABUT_OK) {
        return result;
    }
    result = fit_cloud(&cloud, &allocator, box);
    if (result == ABUT_ERROR_DEGENERATE) {
        result = fit_degenerate(&cloud, &allocator, box);
    }
    abut_cloud_release(&cloud, &allocator);
    return result;
}

abut_result abut_obb_fit(const abut_vec3 *points, size_t n, abut_obb *box) {
    return abut_obb_fit_with(points, n, NULL, box);
}
