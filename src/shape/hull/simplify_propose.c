/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/mass.h"
#include "shape/hull/simplify.h"

/* Whether no vertex of `inner` lies in front of a facet of `outer`. Three neighbours on a loop are never on one line.
 */
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

/* Keeps the hull of these points, at most job->most, if it contains p and is the smallest so far; *contained: whether
 * it contains p. */
static abut_result consider(abut_simplify_job *job, const abut_vec3 *points, uint32_t count, bool *contained) {
    abut_polyhedron made;
    abut_result result = abut_polyhedron_make(&made, points, count, job->p->allocator);
    *contained = false;
    if (result != ABUT_OK) {
        return result;
    }
    *contained = contains(&made, job->p);
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

abut_result abut_simplify_propose(abut_simplify_job *job, const abut_d3 *vertex, uint32_t count, abut_d3 center) {
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
