/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/edges.h"
#include "base/bits.h"
#include "base/radix.h"
#include "shape/hull/orient.h"

static inline abut_vec3 corner(const abut_soup *soup, uint32_t triangle, uint32_t k) {
    return soup->vertex[soup->corner[3 * (size_t)triangle + k]];
}

static inline abut_orient_plane plane_of(const abut_soup *soup, uint32_t t) {
    return abut_orient_plane_of(corner(soup, t, 0), corner(soup, t, 1), corner(soup, t, 2));
}

bool abut_edges_has_area(const abut_soup *soup, uint32_t t) {
    const uint32_t *v = soup->corner + 3 * (size_t)t;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
        return false;
    }
    const abut_orient_plane plane = plane_of(soup, t);
    for (int i = 0; i < 3; i++) {
        if (fabs(plane.n[i]) > plane.slack[i]) {
            return true;
        }
    }
    return !abut_orient_collinear(plane.a, plane.b, plane.c);
}

/* The sign of the area of three points without their coordinate `axis`, exactly. */
static int flat_sign(abut_vec3 a, abut_vec3 b, abut_vec3 c, int axis) {
    const float *p = &a.x, *q = &b.x, *r = &c.x;
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    double plus = ((double)q[j] - p[j]) * ((double)r[k] - p[k]);
    double minus = ((double)q[k] - p[k]) * ((double)r[j] - p[j]);
    if (fabs(plus - minus) > (fabs(plus) + fabs(minus)) * 0x1p-49) {
        return plus > minus ? 1 : -1;
    }
    /* That of the volume with a point beside the first, where all are flat. */
    abut_vec3 beside = a;
    (&a.x)[axis] = (&b.x)[axis] = (&c.x)[axis] = 0;
    (&beside.x)[axis] = 1;
    return abut_orient_exact(a, b, c, beside);
}

/* Whether c and d, in one plane with a and b, lie on the same side of the line through a and b. Seen along the axis
 * where that is clearest: `n` is the direction of the plane, up to rounding. */
static bool is_fold(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, const double n[3]) {
    int axis = abut_d3_greatest_axis(abut_d3_load(n)), sign = flat_sign(a, b, c, axis);
    while (sign == 0) { /* not along all axes: a, b and c are not on a line */
        axis = (axis + 1) % 3;
        sign = flat_sign(a, b, c, axis);
    }
    return sign == flat_sign(a, b, d, axis);
}

enum { NO_DIGITS = 1000 };

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The exponent of the largest power of two of which x is a multiple; NO_DIGITS for 0. */
static int unit_exponent(float x) {
    uint32_t bits = abut_bits_of_float(x), exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    mantissa |= exponent ? 0x800000 : 0;
    return mantissa ? (int)(exponent ? exponent : 1) - 150 + (int)ABUT_LOWEST_BIT(mantissa) : NO_DIGITS;
}

/* Whether the volume of a, b, c and d, computed as `value` with at most `error`, must be 0: all volumes of points with
 * so few digits are multiples of something larger. Often so for terrains and what was drawn on a grid, for which the
 * exact sign would take long. The error is not 0, as it is where all four have no digits along an axis. */
static bool is_surely_flat(const abut_orient_plane *plane, abut_vec3 d, double value, double error) {
    int sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float x[4] = {(&plane->a.x)[axis], (&plane->b.x)[axis], (&plane->c.x)[axis], (&d.x)[axis]};
        int least = unit_exponent(x[0]);
        for (int i = 1; i < 4; i++) {
            int unit = unit_exponent(x[i]);
            least = unit < least ? unit : least;
        }
        sum += least;
    }
    return fabs(value) + error < power_of_two(sum);
}

/* The sign of the height of d above the plane, exactly. */
static int side_of(const abut_orient_plane *plane, abut_vec3 d) {
    const double x[3] = {(double)d.x - plane->a.x, (double)d.y - plane->a.y, (double)d.z - plane->a.z};
    double value = plane->n[0] * x[0] + plane->n[1] * x[1] + plane->n[2] * x[2];
    double error = plane->slack[0] * fabs(x[0]) + plane->slack[1] * fabs(x[1]) + plane->slack[2] * fabs(x[2]);
    if (fabs(value) > error) {
        return value > 0 ? 1 : -1;
    }
    return error == 0 || is_surely_flat(plane, d, value, error) ? 0
                                                                : abut_orient_exact(plane->a, plane->b, plane->c, d);
}

/* What side k of triangle t is, seen from its front, where the next triangle has `far` as its third corner. */
static abut_mesh_edge edge_of(const abut_soup *soup, uint32_t t, uint32_t k, abut_vec3 far) {
    const abut_orient_plane plane = plane_of(soup, t);
    int sign = side_of(&plane, far);
    if (sign != 0) {
        return sign > 0 ? ABUT_MESH_HOLLOW : ABUT_MESH_CONVEX;
    }
    bool fold = is_fold(corner(soup, t, k), corner(soup, t, (k + 1) % 3), corner(soup, t, (k + 2) % 3), far, plane.n);
    return fold ? ABUT_MESH_OUTER : ABUT_MESH_FLAT;
}

/* From corner and to corner of side 3 t + k. */
static void ends_of(const abut_soup *soup, uint32_t side, uint32_t end[2]) {
    uint32_t first = side / 3 * 3;
    end[0] = soup->corner[side];
    end[1] = soup->corner[first + (side - first + 1) % 3];
}

/* Joins two sides with the same ends: 3 t + k and the like. */
static void join(const abut_soup *soup, uint32_t a, uint32_t b, uint32_t *sides) {
    uint32_t end_a[2], end_b[2], ta = a / 3, tb = b / 3, ka = a % 3, kb = b % 3;
    ends_of(soup, a, end_a);
    ends_of(soup, b, end_b);
    bool turned = end_a[0] == end_b[0];
    if (turned && !soup->two_sided) {
        return;
    }
    abut_mesh_edge edge = edge_of(soup, ta, ka, corner(soup, tb, (kb + 2) % 3)), back = edge;
    if (edge == ABUT_MESH_OUTER) {
        return;
    }
    if (turned && edge != ABUT_MESH_FLAT) {
        back = edge == ABUT_MESH_CONVEX ? ABUT_MESH_HOLLOW : ABUT_MESH_CONVEX;
    }
    sides[a] = abut_mesh_side(tb, kb, turned, edge);
    sides[b] = abut_mesh_side(ta, ka, turned, back);
}

/* Joins the sides that have the lower end in common: sorted by their higher end, partners lie beside each other. */
static void join_list(const abut_soup *soup, const abut_radix_item *item, size_t n, uint32_t *sides) {
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && item[end].key == item[i].key; end++) {
        }
        if (end - i == 2) {
            join(soup, item[i].value, item[i + 1].value, sides);
        }
    }
}

/* first[v] becomes where the list of lower end v begins; returns the length of the longest. */
static uint32_t count_lists(const abut_soup *soup, const uint32_t *area, uint32_t *first) {
    uint32_t end[2], longest = 0;
    memset(first, 0, ((size_t)soup->vertex_count + 1) * sizeof *first);
    for (uint32_t side = 0; side < 3 * soup->triangle_count; side++) {
        if (abut_soup_bit(area, side / 3)) {
            ends_of(soup, side, end);
            uint32_t *count = &first[end[0] < end[1] ? end[0] : end[1]];
            longest = ++*count > longest ? *count : longest;
        }
    }
    (void)abut_radix_starts(first, (size_t)soup->vertex_count + 1);
    return longest;
}

/* Afterwards first[v] is where the list of v ends. */
static void fill_lists(const abut_soup *soup, const uint32_t *area, uint32_t *first, abut_radix_item *item) {
    uint32_t end[2];
    for (uint32_t side = 0; side < 3 * soup->triangle_count; side++) {
        if (abut_soup_bit(area, side / 3)) {
            ends_of(soup, side, end);
            uint32_t low = end[0] < end[1] ? end[0] : end[1];
            item[first[low]++] = (abut_radix_item){end[0] + end[1] - low, side};
        }
    }
}

abut_result abut_edges_make(const abut_soup *soup, const uint32_t *area, uint32_t *sides) {
    size_t lists = (size_t)soup->vertex_count + 1, count = 3 * (size_t)soup->triangle_count;
    uint32_t *first = abut_memory_alloc(soup->allocator, lists * sizeof *first);
    if (!first) {
        return ABUT_ERROR_MEMORY;
    }
    memset(sides, 0, count * sizeof *sides);
    uint32_t longest = count_lists(soup, area, first);
    uint64_t bytes = ((uint64_t)count + longest) * sizeof(abut_radix_item);
    abut_radix_item *item = bytes > SIZE_MAX ? NULL : abut_memory_alloc(soup->allocator, (size_t)bytes);
    if (item) {
        fill_lists(soup, area, first, item);
        for (uint32_t v = 0, start = 0; v < soup->vertex_count; start = first[v++]) {
            abut_radix_sort(item + start, item + count, first[v] - start);
            join_list(soup, item + start, first[v] - start, sides);
        }
        abut_memory_release(soup->allocator, item, (size_t)bytes);
    }
    abut_memory_release(soup->allocator, first, lists * sizeof *first);
    return item ? ABUT_OK : ABUT_ERROR_MEMORY;
}
