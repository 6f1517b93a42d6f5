/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* In: a polyhedron and a number of vertices. Out: a polyhedron of at most that many vertices that contains it, with
 * little volume. Several methods propose vertices; each proposal is rounded to floats and grown until it contains every
 * point, by exact signs, and the proposal of least volume is taken. */
#ifndef ABUT_SHAPE_HULL_SIMPLIFY_H
#define ABUT_SHAPE_HULL_SIMPLIFY_H

#include "shape/hull/faces.h"

typedef struct abut_simplify_job {
    const abut_polyhedron *p; /* the polyhedron to contain */
    uint32_t most;            /* vertices of the result, at most */
    abut_faces faces;         /* of p */
    abut_obb box;             /* contains p */
    abut_polyhedron best;     /* the smallest proposal so far */
    double volume;            /* of the best; < 0: there is none yet */
} abut_simplify_job;

/* Replaces *polyhedron by one of at most max_vertices (>= 4) vertices that contains it exactly. ABUT_ERROR_MEMORY, or
 * ABUT_ERROR_LIMIT when no proposal stays within ABUT_MAX_COORDINATE; *polyhedron is then unchanged. */
abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices);

/* Proposes the vertices, at most job->most, of a convex body that contains p up to rounding and has `center` inside.
 * The only error is ABUT_ERROR_MEMORY: a proposal that does not fit is passed over. */
abut_result abut_simplify_propose(abut_simplify_job *job, const abut_d3 *vertex, uint32_t count, abut_d3 center);

/* The methods: cutting a box with planes of faces (simplify_planes.c), and growing the hull of some of the vertices
 * (simplify_vertices.c). */
abut_result abut_simplify_by_planes(abut_simplify_job *job);
abut_result abut_simplify_by_vertices(abut_simplify_job *job);

#endif
