/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/simplify.h"
#include "shape/box/fit.h"
#include "shape/hull/mass.h"

/* No vertex of `inner` lies in front of a facet of `outer`. Three neighbours on a loop are never on one line. */
static bool contains(const abut_polyhedron *outer, const abut_polyhedron *inner) {
    for (uint32_t f = 0; f < outer->facet_count; f++) {
        const uint32_t *loop = outer->loop + outer->first[f];
        abut_orient_plane plane =
            abut_orient_plane_of(outer->vertex[loop[0]], outer->vertex[loop[1]], outer->vertex[loop[2]]);
        for (uint32_t i = 0; i < inner->vertex_count; i++) {
            double height;
            if (abut_orient_side(&plane, inner->vertex[i], &height) > 0) {
                return false;
            }
        }
    }
    return true;
}

/* Keeps the hull of these points if it contains p and is the smallest so far; *contained says the former. */
static abut_result consider(abut_simplify_job *job, const abut_vec3 *points, uint32_t count, bool *contained) {
    abut_polyhedron made;
    abut_result result = abut_polyhedron_make(&made, points, count, job->p->allocator);
    *contained = false;
    if (result != ABUT_OK) {
        return result;
    }
    *contained = made.vertex_count <= job->most && contains(&made, job->p);
    double volume = abut_mass_of(&made).volume;
    if (*contained && (job->volume < 0 || volume < job->volume)) {
        abut_polyhedron_release(&job->best);
        job->best = made;
        job->volume = volume;
    } else {
        abut_polyhedron_release(&made);
    }
    return ABUT_OK;
}

abut_result abut_simplify_offer(abut_simplify_job *job, const abut_d3 *vertex, uint32_t count, abut_d3 center) {
    size_t bytes = count * sizeof(abut_vec3);
    abut_vec3 *points = abut_memory_alloc(job->p->allocator, bytes);
    abut_result result = ABUT_OK;
    bool contained = false;
    if (!points) {
        return ABUT_ERROR_MEMORY;
    }
    for (double grow = 0; grow < 4 && !contained && result != ABUT_ERROR_MEMORY; grow += grow > 0 ? grow : 0x1p-23) {
        for (uint32_t i = 0; i < count; i++) {
            points[i] = abut_vec3_round(abut_d3_along(vertex[i], grow, abut_d3_sub(vertex[i], center)));
        }
        result = consider(job, points, count, &contained);
    }
    abut_memory_release(job->p->allocator, points, bytes);
    return result == ABUT_ERROR_MEMORY ? result : ABUT_OK;
}

/* What always works within the limit of coordinates: the bounds, or with fewer than eight vertices a corner of them cut
 * off by a plane: x + y + z <= 1 contains the bounds that reach to 1/3. */
static abut_result offer_bounds(abut_simplify_job *job) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = abut_d3_from(job->p->vertex[0]).x[k];
        for (uint32_t i = 1; i < job->p->vertex_count; i++) {
            double x = abut_d3_from(job->p->vertex[i]).x[k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    abut_d3 corner[8], center = {{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2}};
    uint32_t count = job->most >= 8 ? 8 : 4;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            if (count == 8) {
                corner[i].x[k] = i >> k & 1 ? high[k] : low[k];
            } else {
                corner[i].x[k] = i == k + 1 ? low[k] + 3 * (high[k] - low[k]) : low[k];
            }
        }
    }
    return abut_simplify_offer(job, corner, count, center);
}

abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices) {
    abut_simplify_job job = {
        .p = polyhedron, .most = max_vertices, .best = {.allocator = polyhedron->allocator}, .volume = -1};
    /* Merging looks at all vertices for each face that it makes: more of them than a hull may have are not merged. */
    float tolerance = polyhedron->vertex_count > ABUT_HULL_MAX_VERTICES ? 0x1p-149f : 0;
    abut_result result = abut_faces_make(&job.faces, polyhedron, tolerance);
    if (result != ABUT_OK) {
        return result;
    }
    job.box = abut_fit_solid(polyhedron, &job.faces);
    result = offer_bounds(&job);
    result = result == ABUT_OK ? abut_simplify_by_planes(&job) : result;
    result = result == ABUT_OK ? abut_simplify_by_vertices(&job) : result;
    abut_faces_release(&job.faces, polyhedron->allocator);
    if (result == ABUT_OK && job.volume < 0) {
        result = ABUT_ERROR_LIMIT;
    }
    if (result == ABUT_OK) {
        abut_polyhedron_release(polyhedron);
        *polyhedron = job.best;
    } else {
        abut_polyhedron_release(&job.best);
    }
    return result;
}
