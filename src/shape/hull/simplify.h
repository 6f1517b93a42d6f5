/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls round hulls, of fewer vertices. Several ways propose vertices; each proposal is rounded, grown until it
 * contains every point by exact signs, and the one of least volume wins. */
#ifndef ABUT_SHAPE_HULL_SIMPLIFY_H
#define ABUT_SHAPE_HULL_SIMPLIFY_H

#include "shape/hull/faces.h"

typedef struct abut_simplify_job {
    const abut_polyhedron *p; /* what is to be contained */
    uint32_t most;            /* vertices of the result */
    abut_faces faces;         /* of p */
    abut_obb box;             /* round p */
    abut_polyhedron best;
    double volume; /* of the best; < 0: there is none yet */
} abut_simplify_job;

/* Replaces *polyhedron by one of at most max_vertices (>= 4) that contains it exactly. ABUT_ERROR_MEMORY, or
 * ABUT_ERROR_LIMIT when that would leave ABUT_MAX_COORDINATE; *polyhedron is then as it was. */
abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices);

/* The vertices of a body that contains p but for rounding, with `center` inside. Only ABUT_ERROR_MEMORY is an error. */
abut_result abut_simplify_propose(abut_simplify_job *job, const abut_d3 *vertex, uint32_t count, abut_d3 center);

/* The ways: cutting a box with planes of faces, and growing the hull of some of the vertices. */
abut_result abut_simplify_by_planes(abut_simplify_job *job);
abut_result abut_simplify_by_vertices(abut_simplify_job *job);

#endif
