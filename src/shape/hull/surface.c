/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/surface.h"

#define NONE ABUT_SURFACE_NONE

/* Makes room for `more` further triangles, in which the unused ones count as room. */
static abut_result reserve(abut_surface *s, uint32_t more) {
    uint64_t needed = (uint64_t)s->used - s->unused_count + more;
    if (needed <= s->capacity) {
        return ABUT_OK;
    }
    uint64_t grown = needed + needed / 2;
    if (grown > UINT32_MAX / 4 || grown > SIZE_MAX / sizeof(abut_triangle)) {
        return ABUT_ERROR_MEMORY;
    }
    abut_triangle *triangle = abut_memory_alloc(s->allocator, (size_t)grown * sizeof *triangle);
    if (!triangle) {
        return ABUT_ERROR_MEMORY;
    }
    if (s->triangle) {
        memcpy(triangle, s->triangle, s->used * sizeof *triangle);
        abut_memory_release(s->allocator, s->triangle, s->capacity * sizeof *triangle);
    }
    s->triangle = triangle;
    s->capacity = (uint32_t)grown;
    return ABUT_OK;
}

/* Reuses an unused triangle, or takes one that was reserved. A triangle that is still in the pending list stays in it.
 */
static uint32_t add_triangle(abut_surface *s, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t t = s->unused;
    if (t != NONE) {
        s->unused = s->triangle[t].next;
        s->unused_count--;
    } else {
        t = s->used++;
        s->triangle[t].is_pending = false;
    }
    abut_triangle *triangle = &s->triangle[t];
    triangle->plane = abut_orient_plane_of(s->point[a], s->point[b], s->point[c]);
    triangle->v[0] = a;
    triangle->v[1] = b;
    triangle->v[2] = c;
    triangle->points = triangle->next = NONE;
    triangle->mark = 0;
    return t;
}

static void remove_triangle(abut_surface *s, uint32_t t) {
    s->triangle[t].v[0] = NONE;
    s->triangle[t].points = NONE;
    s->triangle[t].next = s->unused;
    s->unused = t;
    s->unused_count++;
}

static void join(abut_surface *s, uint32_t h, uint32_t twin) {
    s->triangle[h >> 2].link[h & 3] = twin;
    s->triangle[twin >> 2].link[twin & 3] = h;
}

/* Whether the point lies in front of the triangle; if so, it joins the triangle's list. */
static bool assign_point(abut_surface *s, uint32_t t, uint32_t p) {
    abut_triangle *triangle = &s->triangle[t];
    double height;
    if (abut_orient_side(&triangle->plane, s->point[p], &height) <= 0) {
        return false;
    }
    if (triangle->points == NONE || height > triangle->farthest) {
        s->next_point[p] = triangle->points;
        triangle->points = p;
        triangle->farthest = height;
    } else {
        s->next_point[p] = s->next_point[triangle->points];
        s->next_point[triangle->points] = p;
    }
    if (!triangle->is_pending) {
        triangle->is_pending = true;
        triangle->pending = s->pending;
        s->pending = t;
    }
    return true;
}

/* The point farthest from the plane of three points, up to rounding, and its side; NONE when all points lie in it,
 * exactly. The three are in it, which only exact arithmetic would find. */
static uint32_t find_fourth(const abut_surface *s, const uint32_t v[3], int *side) {
    abut_orient_plane plane = abut_orient_plane_of(s->point[v[0]], s->point[v[1]], s->point[v[2]]);
    uint32_t best = NONE;
    double farthest = -1;
    for (uint32_t i = 0; i < s->point_count; i++) {
        double height;
        int sign = i == v[0] || i == v[1] || i == v[2] ? 0 : abut_orient_side(&plane, s->point[i], &height);
        if (sign != 0 && fabs(height) > farthest) {
            farthest = fabs(height);
            best = i;
            *side = sign;
        }
    }
    return best;
}

/* Makes the first tetrahedron, and puts every point outside of it into the list of a triangle that it lies in front of.
 */
static abut_result make_tetrahedron(abut_surface *s, const abut_cloud *cloud) {
    uint32_t a = 0, b = s->point_count - 1, c = abut_cloud_third(cloud), d = NONE;
    if (c == cloud->count) {
        return ABUT_ERROR_DEGENERATE;
    }
    int side = 0;
    d = find_fourth(s, (const uint32_t[3]){a, b, c}, &side);
    if (d == NONE) {
        return ABUT_ERROR_DEGENERATE;
    }
    if (side > 0) {
        uint32_t swap = b;
        b = c;
        c = swap;
    }
    if (reserve(s, s->point_count < 256 ? 2 * s->point_count : 512) != ABUT_OK) {
        return ABUT_ERROR_MEMORY;
    }
    uint32_t base = 4 * add_triangle(s, a, b, c), ab = 4 * add_triangle(s, b, a, d), bc = 4 * add_triangle(s, c, b, d),
             ca = 4 * add_triangle(s, a, c, d);
    join(s, base, ab);
    join(s, base + 1, bc);
    join(s, base + 2, ca);
    join(s, ab + 1, ca + 2);
    join(s, bc + 1, ab + 2);
    join(s, ca + 1, bc + 2);
    for (uint32_t p = 0; p < s->point_count; p++) {
        bool is_corner = p == a || p == b || p == c || p == d; /* in front of none */
        for (uint32_t t = 0; t < 4 && !is_corner && !assign_point(s, t, p); t++) {
        }
    }
    return ABUT_OK;
}

/* The triangles visible from a point, as a list, and the horizon around them. */
typedef struct view {
    uint32_t first, last;   /* triangles */
    uint32_t start, length; /* of the horizon: a point on it, and how many edges */
} view;

/* Whether triangle t is visible from point p; computes it once per step. */
static bool is_visible(abut_surface *s, uint32_t t, uint32_t p) {
    abut_triangle *triangle = &s->triangle[t];
    if (triangle->mark >> 1 != s->step) {
        double height;
        bool visible = abut_orient_side(&triangle->plane, s->point[p], &height) > 0;
        triangle->mark = 2 * s->step + visible;
    }
    return triangle->mark & 1;
}

/* All triangles visible from p, of which t is one, and their horizon. */
static view find_visible(abut_surface *s, uint32_t t, uint32_t p) {
    view visible = {.first = t, .last = t};
    s->triangle[t].mark = 2 * s->step + 1;
    s->triangle[t].next = NONE;
    for (uint32_t at = t; at != NONE; at = s->triangle[at].next) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t twin = s->triangle[at].link[k], other = twin >> 2;
            bool known = s->triangle[other].mark >> 1 == s->step;
            if (!is_visible(s, other, p)) {
                visible.start = s->triangle[at].v[k];
                visible.length++;
                s->horizon[visible.start] = (abut_horizon){s->triangle[at].v[k == 2 ? 0 : k + 1], twin};
            } else if (!known) {
                s->triangle[other].next = NONE;
                s->triangle[visible.last].next = other;
                visible.last = other;
            }
        }
    }
    return visible;
}

/* Removes the visible triangles; returns the points in their lists, except p, as one list. */
static uint32_t remove_visible(abut_surface *s, const view *visible, uint32_t p) {
    uint32_t points = NONE;
    for (uint32_t t = visible->first, next; t != NONE; t = next) {
        next = s->triangle[t].next;
        for (uint32_t q = s->triangle[t].points, after; q != NONE; q = after) {
            after = s->next_point[q];
            if (q != p) {
                s->next_point[q] = points;
                points = q;
            }
        }
        remove_triangle(s, t);
    }
    return points;
}

/* Adds a triangle from each horizon edge to p; returns the first of the list of new triangles. */
static uint32_t add_cone(abut_surface *s, const view *visible, uint32_t p) {
    uint32_t first = NONE, last = NONE, v = visible->start;
    for (uint32_t i = 0; i < visible->length; i++) {
        abut_horizon edge = s->horizon[v];
        uint32_t t = add_triangle(s, v, edge.end, p);
        join(s, 4 * t, edge.beyond);
        if (last == NONE) {
            first = t;
        } else {
            join(s, 4 * last + 1, 4 * t + 2);
            s->triangle[last].next = t;
        }
        last = t;
        v = edge.end;
    }
    join(s, 4 * last + 1, 4 * first + 2);
    return first;
}

/* Adds the farthest point in front of triangle t to the hull. */
static abut_result add_point(abut_surface *s, uint32_t t) {
    uint32_t p = s->triangle[t].points;
    s->step++;
    view visible = find_visible(s, t, p);
    if (reserve(s, visible.length) != ABUT_OK) {
        return ABUT_ERROR_MEMORY;
    }
    uint32_t points = remove_visible(s, &visible, p);
    uint32_t first = add_cone(s, &visible, p);
    for (uint32_t next; points != NONE; points = next) {
        next = s->next_point[points];
        for (t = first; t != NONE && !assign_point(s, t, points); t = s->triangle[t].next) {
        }
    }
    return ABUT_OK;
}

abut_result abut_surface_make(abut_surface *s, const abut_cloud *cloud, const abut_allocator *allocator) {
    *s = (abut_surface){
        .point = cloud->point, .point_count = cloud->count, .unused = NONE, .pending = NONE, .allocator = allocator};
    if (cloud->count < 4) {
        return ABUT_ERROR_DEGENERATE;
    }
    s->bytes = cloud->count * (sizeof *s->horizon + sizeof *s->next_point);
    s->memory = abut_memory_alloc(allocator, s->bytes);
    abut_result result = ABUT_ERROR_MEMORY;
    if (!s->memory) {
        goto fail;
    }
    s->horizon = s->memory;
    s->next_point = (uint32_t *)(void *)(s->horizon + cloud->count);
    result = make_tetrahedron(s, cloud);
    while (result == ABUT_OK && s->pending != NONE) {
        uint32_t t = s->pending;
        s->pending = s->triangle[t].pending;
        s->triangle[t].is_pending = false;
        if (s->triangle[t].points != NONE) {
            result = add_point(s, t);
        }
    }
    if (result == ABUT_OK) {
        return ABUT_OK;
    }
fail:
    abut_surface_release(s);
    return result;
}

void abut_surface_release(abut_surface *s) {
    abut_memory_release(s->allocator, s->triangle, s->capacity * sizeof *s->triangle);
    abut_memory_release(s->allocator, s->memory, s->bytes);
    *s = (abut_surface){.unused = NONE};
}
