/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A few planes around a hull. It begins with a box or a tetrahedron and cuts off the corner that is farthest outside,
 * each time with the plane of a face. The corners come from the hull of the dual points n / (w - n.c), c the centre. */

#include "base/accurate.h"
#include "base/radix.h"
#include "shape/hull/mass.h"
#include "shape/hull/simplify.h"

/* At most CANDIDATES of the largest faces are tried, only for results of at most MOST vertices, and only until REFUSALS
 * cuts have made too many vertices. */
enum { CANDIDATES = 1024, MOST = 256, REFUSALS = 12 };

typedef struct cutter {
    abut_simplify_job *job;
    abut_d3 center;
    double scale;           /* of the dual points: makes the longest about 1 */
    abut_vec3 *dual;        /* of the planes so far */
    abut_d3 *corner;        /* relative to the center */
    abut_radix_item *order; /* faces, the largest first; the key becomes 1 when a face has been tried */
    uint32_t plane_count, corner_count, candidate_count;
    uint32_t capacity; /* of planes and corners */
    void *memory;
    size_t bytes;
} cutter;

static bool cutter_alloc(cutter *c, abut_simplify_job *job) {
    size_t faces = job->faces.count;
    *c = (cutter){.job = job, .capacity = job->most + 8};
    c->bytes = c->capacity * (sizeof *c->corner + sizeof *c->dual) + 2 * faces * sizeof *c->order;
    c->memory = abut_memory_alloc(job->p->allocator, c->bytes);
    if (!c->memory) {
        return false;
    }
    c->corner = c->memory;
    c->order = (abut_radix_item *)(void *)(c->corner + c->capacity);
    c->dual = (abut_vec3 *)(void *)(c->order + 2 * faces);
    c->candidate_count = job->faces.count < CANDIDATES ? job->faces.count : CANDIDATES;
    for (uint32_t i = 0; i < faces; i++) {
        /* Areas relative to that of face 0: the areas may be too small for floats. */
        float area = (float)(job->faces.face_area[i] / job->faces.face_area[0]);
        c->order[i] = (abut_radix_item){~abut_bits_ordered(area), i};
    }
    abut_radix_sort(c->order, c->order + faces, faces);
    for (uint32_t i = 0; i < faces; i++) {
        c->order[i].key = 0;
    }
    return true;
}

/* The support of the hull along n, from the center. */
static double support(const cutter *c, abut_d3 n) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < c->job->p->vertex_count; i++) {
        most = abut_max_d(most, abut_d3_dot(n, abut_d3_sub(abut_d3_from(c->job->p->vertex[i]), c->center)));
    }
    return most;
}

/* Adds the plane with unit normal n that touches the hull from outside. False if the center is not well inside. */
static bool add_plane(cutter *c, abut_d3 n) {
    double distance = support(c, n);
    if (!(distance > 0)) {
        return false;
    }
    double factor = c->scale / distance;
    c->dual[c->plane_count++] = abut_vec3_round((abut_d3){{n.x[0] * factor, n.x[1] * factor, n.x[2] * factor}});
    return true;
}

/* Computes the corners from the planes. *fits: there are not too many, and the body is bounded. */
static abut_result find_corners(cutter *c, bool *fits) {
    abut_polyhedron dual;
    abut_result result = abut_polyhedron_make(&dual, c->dual, c->plane_count, c->job->p->allocator);
    *fits = result == ABUT_OK && dual.facet_count <= c->job->most;
    c->corner_count = 0;
    for (uint32_t f = 0; *fits && f < dual.facet_count; f++) {
        abut_hull_plane plane = abut_polyhedron_plane(&dual, f);
        double factor = c->scale / plane.w;
        *fits = plane.w > 0x1p-40;
        c->corner[c->corner_count++] = (abut_d3){{plane.n[0] * factor, plane.n[1] * factor, plane.n[2] * factor}};
    }
    abut_polyhedron_release(&dual);
    return result == ABUT_ERROR_MEMORY ? result : ABUT_OK;
}

/* The index in `order` of the untried face that cuts deepest; candidate_count when none cuts. */
static uint32_t deepest_cut(const cutter *c) {
    uint32_t best = c->candidate_count;
    double most = 0;
    for (uint32_t i = 0; i < c->candidate_count; i++) {
        const abut_hull_plane *plane = &c->job->faces.face[c->order[i].value].plane;
        abut_d3 n = abut_d3_load(plane->n);
        double w = plane->w - abut_d3_dot(n, c->center), depth = 0;
        for (uint32_t k = 0; c->order[i].key == 0 && k < c->corner_count; k++) {
            depth = abut_max_d(depth, abut_d3_dot(n, c->corner[k]) - w);
        }
        if (depth > most) {
            most = depth;
            best = i;
        }
    }
    return best;
}

/* Adds one plane after the other, and takes back each one that makes too many corners. */
static abut_result cut(cutter *c) {
    bool fits;
    abut_result result = find_corners(c, &fits);
    for (uint32_t refused = 0; result == ABUT_OK && refused < REFUSALS;) {
        uint32_t i = deepest_cut(c);
        if (i == c->candidate_count || c->plane_count == c->capacity) {
            break;
        }
        const double *n = c->job->faces.face[c->order[i].value].plane.n;
        c->order[i].key = 1;
        uint32_t before = c->plane_count;
        if (add_plane(c, abut_d3_load(n))) {
            result = find_corners(c, &fits);
        }
        if (!fits && result == ABUT_OK) {
            refused++;
            c->plane_count = before;
            result = find_corners(c, &fits);
        }
    }
    return result;
}

/* The first planes: those of the box or, for fewer than eight vertices, of a tetrahedron stretched as the box is. No
 * half extent of the box is 0, as p is not flat: the scale is above 0, and the longest of the factors along a normal is
 * 1. */
static bool begin(cutter *c) {
    double m[3][3];
    abut_mass mass = abut_mass_of(c->job->p);
    const float *half = &c->job->box.half.x;
    abut_accurate_matrix(abut_dquat_from(c->job->box.rotation), m);
    c->center = mass.centroid;
    c->scale = abut_min_f(abut_min_f(half[0], half[1]), half[2]);
    uint32_t wanted = c->job->most >= 8 ? 6 : 4;
    for (uint32_t i = 0; i < wanted; i++) {
        abut_d3 n = {{0, 0, 0}};
        for (uint32_t k = 0; k < 3; k++) {
            double box = i / 2 == k ? (i % 2 ? -1 : 1) : 0, tip = i == 0 || i == k + 1 ? 1 : -1;
            double along = wanted == 6 ? box : tip * c->scale / half[k];
            n = abut_d3_along(n, along, (abut_d3){{m[0][k], m[1][k], m[2][k]}});
        }
        (void)abut_d3_normalise(&n);
        if (!add_plane(c, n)) {
            return false;
        }
    }
    return true;
}

abut_result abut_simplify_by_planes(abut_simplify_job *job) {
    cutter c;
    if (job->most > MOST) {
        return ABUT_OK;
    }
    if (!cutter_alloc(&c, job)) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = begin(&c) ? cut(&c) : ABUT_OK;
    /* Rounding has turned the planes a little: the factor by which they must move out to contain the hull. */
    double most = 1;
    for (uint32_t i = 0; i < c.plane_count; i++) {
        most = abut_max_d(most, support(&c, abut_d3_from(c.dual[i])) / c.scale);
    }
    for (uint32_t i = 0; i < c.corner_count; i++) {
        c.corner[i] = abut_d3_along(c.center, most, c.corner[i]);
    }
    if (result == ABUT_OK && c.corner_count >= 4) {
        result = abut_simplify_propose(job, c.corner, c.corner_count, c.center);
    }
    abut_memory_release(job->p->allocator, c.memory, c.bytes);
    return result;
}
