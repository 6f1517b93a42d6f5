/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Chooses vertices, each time those farthest outside the hull of the ones chosen so far, and grows that hull about its
 * centroid until it contains the rest. */

#include "base/radix.h"
#include "shape/hull/mass.h"
#include "shape/hull/simplify.h"

typedef struct chooser {
    abut_simplify_job *job;
    abut_vec3 *chosen;
    uint32_t count;
    abut_hull_plane *plane; /* by facet of the hull of the chosen vertices */
    uint32_t *farthest;     /* by facet: the vertex farthest in front */
    double *height;         /* by facet: how far that is; later the factor of find_growth */
    abut_radix_item *items, *spare;
    abut_d3 *corner;
    void *memory;
    size_t bytes;
} chooser;

static bool chooser_alloc(chooser *c, abut_simplify_job *job) {
    size_t facets = 2 * (size_t)job->most;
    *c = (chooser){.job = job};
    c->bytes = facets * (sizeof *c->plane + sizeof *c->height + sizeof *c->farthest + 2 * sizeof *c->items) +
               job->most * (sizeof *c->corner + sizeof *c->chosen);
    c->memory = abut_memory_alloc(job->p->allocator, c->bytes);
    if (!c->memory) {
        return false;
    }
    c->plane = c->memory;
    c->height = (double *)(void *)(c->plane + facets);
    c->corner = (abut_d3 *)(void *)(c->height + facets);
    c->items = (abut_radix_item *)(void *)(c->corner + job->most);
    c->spare = c->items + facets;
    c->farthest = (uint32_t *)(void *)(c->spare + facets);
    c->chosen = (abut_vec3 *)(void *)(c->farthest + facets);
    return true;
}

/* Chooses four vertices that span a volume. */
static void begin(chooser *c) {
    const abut_polyhedron *p = c->job->p;
    abut_cloud cloud = {.point = p->vertex, .count = p->vertex_count};
    uint32_t last = p->vertex_count - 1, third = abut_cloud_third(&cloud), fourth = 0;
    abut_orient_plane plane = abut_orient_plane_of(p->vertex[0], p->vertex[last], p->vertex[third]);
    double most = -1;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        double height;
        if (abut_orient_side(&plane, p->vertex[i], &height) != 0 && fabs(height) > most) {
            most = fabs(height);
            fourth = i;
        }
    }
    c->chosen[0] = p->vertex[0];
    c->chosen[1] = p->vertex[last];
    c->chosen[2] = p->vertex[third];
    c->chosen[3] = p->vertex[fourth];
    c->count = 4;
}

/* Chooses the vertices farthest in front of the facets of `now`, one more than an eighth of those chosen. False when
 * none is in front, or there is no room. */
static bool extend(chooser *c, const abut_polyhedron *now) {
    const abut_polyhedron *p = c->job->p;
    uint32_t room = c->job->most - c->count, batch = 1 + c->count / 8, count = 0;
    batch = batch < room ? batch : room;
    for (uint32_t f = 0; f < now->facet_count; f++) {
        c->height[f] = 0;
    }
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        abut_d3 v = abut_d3_from(p->vertex[i]);
        uint32_t facet = 0;
        double most = 0;
        for (uint32_t f = 0; f < now->facet_count; f++) {
            const abut_hull_plane *plane = &c->plane[f];
            double height = abut_d3_dot(abut_d3_load(plane->n), v) - plane->w;
            if (height > most) {
                most = height;
                facet = f;
            }
        }
        if (most > c->height[facet]) {
            c->height[facet] = most;
            c->farthest[facet] = i;
        }
    }
    for (uint32_t f = 0; f < now->facet_count; f++) {
        if (c->height[f] > 0) {
            c->items[count++] = (abut_radix_item){~abut_bits_ordered((float)c->height[f]), c->farthest[f]};
        }
    }
    abut_radix_sort(c->items, c->spare, count);
    for (uint32_t i = 0; i < count && i < batch; i++) {
        c->chosen[c->count++] = p->vertex[c->items[i].value];
    }
    return count > 0 && batch > 0;
}

/* The segment from the center to each vertex of p passes through one facet, which must move out to that vertex:
 * height[f] becomes the factor by which facet f must move. False when the center is not inside. */
static bool find_growth(chooser *c, const abut_polyhedron *now, abut_d3 center) {
    const abut_polyhedron *p = c->job->p;
    for (uint32_t f = 0; f < now->facet_count; f++) {
        abut_hull_plane *plane = &c->plane[f];
        double distance = plane->w - abut_d3_dot(abut_d3_load(plane->n), center);
        if (!(distance > 0)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            plane->n[k] /= distance;
        }
        c->height[f] = 1;
    }
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        abut_d3 v = abut_d3_sub(abut_d3_from(p->vertex[i]), center);
        uint32_t facet = 0;
        double most = 0;
        for (uint32_t f = 0; f < now->facet_count; f++) {
            double ratio = abut_d3_dot(abut_d3_load(c->plane[f].n), v);
            if (ratio > most) {
                most = ratio;
                facet = f;
            }
        }
        c->height[facet] = abut_max_d(c->height[facet], most);
    }
    return true;
}

/* Every vertex moves out by the largest factor among its facets. Each facet then moves out by at least its own factor,
 * and the hull of the moved vertices contains all of p. */
static abut_result propose(chooser *c, const abut_polyhedron *now) {
    abut_d3 center = abut_mass_of(now).centroid;
    if (!find_growth(c, now, center)) {
        return ABUT_OK;
    }
    for (uint32_t i = 0; i < now->vertex_count; i++) {
        double factor = 1;
        for (uint32_t e = 0; e < now->edge_count; e++) {
            if (now->edge[e].v[0] == i || now->edge[e].v[1] == i) {
                factor = abut_max_d(factor, c->height[now->edge[e].f[0]]);
                factor = abut_max_d(factor, c->height[now->edge[e].f[1]]);
            }
        }
        c->corner[i] = abut_d3_along(center, factor, abut_d3_sub(abut_d3_from(now->vertex[i]), center));
    }
    return abut_simplify_propose(c->job, c->corner, now->vertex_count, center);
}

abut_result abut_simplify_by_vertices(abut_simplify_job *job) {
    chooser c;
    if (!chooser_alloc(&c, job)) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = ABUT_OK;
    begin(&c);
    for (bool more = true; result == ABUT_OK && more;) {
        abut_polyhedron now;
        result = abut_polyhedron_make(&now, c.chosen, c.count, job->p->allocator);
        for (uint32_t f = 0; result == ABUT_OK && f < now.facet_count; f++) {
            c.plane[f] = abut_polyhedron_plane(&now, f);
        }
        if (result == ABUT_OK) {
            more = extend(&c, &now);
            result = more ? ABUT_OK : propose(&c, &now);
        }
        abut_polyhedron_release(&now);
    }
    abut_memory_release(job->p->allocator, c.memory, c.bytes);
    return result;
}
