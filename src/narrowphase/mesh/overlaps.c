/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/kernels.h"
#include "narrowphase/mesh/triangle.h"

enum { FOUND = 64 };

/* What sift says is certain; the rest is asked of the pair of hulls. */
static bool shares(const abut_collider *mesh, const abut_collider *convex, uint32_t part, uint8_t known) {
    abut_np_triangle triangle;
    if (known & ABUT_NP_SHARED && !convex->hull) {
        return true;
    }
    abut_np_triangle_make(mesh, part, &triangle);
    return abut_np_triangle_overlap(&triangle, convex);
}

void abut_np_mesh_overlaps(const abut_collider *mesh, const abut_collider *convex, abut_np_triangle_visit *visit,
                           void *context) {
    uint32_t place[FOUND];
    uint8_t known[FOUND];
    float min[3], max[3];
    abut_np_seat seat;
    abut_np_sieve sieve;
    abut_mesh_walk walk;
    abut_slant slant;
    abut_np_seat_of(mesh, convex, 0, NULL, &seat);
    abut_np_seat_bounds(&seat, min, max);
    abut_np_sieve_of(&seat, &sieve);
    sieve.two_sided = true;
    abut_mesh_walk_begin(mesh->mesh, min, max, &walk);
    abut_np_sieve_open(&sieve, mesh->mesh, &walk, &slant);
    for (uint32_t n; (n = abut_mesh_walk_next(mesh->mesh, &walk, place, FOUND)) > 0;) {
        abut_np_mesh_kernels_active()->sift(abut_mesh_leaves(mesh->mesh), &sieve, place, n, known);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t part = abut_mesh_number(mesh->mesh, place[i]);
            if (!(known[i] & ABUT_NP_SIFTED) && shares(mesh, convex, part, known[i]) && !visit(part, context)) {
                return;
            }
        }
    }
}
