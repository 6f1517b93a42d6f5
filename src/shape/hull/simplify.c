/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/simplify.h"
#include "shape/box/fit.h"

/* Proposes a body that always works within the limit of coordinates: the bounds or, with fewer than eight vertices, a
 * tetrahedron at one corner of them: x + y + z <= 1 contains the bounds that extend to 1/3. */
static abut_result propose_bounds(abut_simplify_job *job) {
    double low[3], high[3];
    abut_polyhedron_bounds(job->p, low, high);
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
    return abut_simplify_propose(job, corner, count, center);
}

abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices) {
    abut_simplify_job job = {
        .p = polyhedron, .most = max_vertices, .best = {.allocator = polyhedron->allocator}, .volume = -1};
    abut_result result = abut_faces_make(&job.faces, polyhedron, 0);
    if (result != ABUT_OK) {
        return result;
    }
    job.box = abut_fit_hull(polyhedron, &job.faces);
    result = propose_bounds(&job);
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
