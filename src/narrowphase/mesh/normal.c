/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/normal.h"
#include "base/dd.h"

void abut_np_area_terms(const abut_d3 corner[3], int i, double term[6]) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    for (int c = 0; c < 3; c++) {
        const double *a = corner[c].x, *b = corner[(c + 1) % 3].x;
        term[2 * c] = a[k] * b[l];
        term[2 * c + 1] = -(a[l] * b[k]);
    }
}

abut_d3 abut_np_normal_exact(const abut_d3 corner[3]) {
    double term[6], error;
    abut_d3 n;
    for (int i = 0; i < 3; i++) {
        abut_np_area_terms(corner, i, term);
        n.x[i] = abut_dd_distil(term, 6, &error).hi;
    }
    (void)abut_d3_normalise_scaled(&n);
    return n;
}

abut_d3 abut_np_normal_across(const abut_d3 corner[3]) {
    const abut_d3 e1 = abut_d3_sub(corner[1], corner[0]), e2 = abut_d3_sub(corner[2], corner[0]);
    abut_d3 n = abut_d3_cross(e1, e2);
    double square = abut_d3_dot(n, n); /* squares of products of floats stay in range */
    if (!(square > ABUT_NP_NORMAL_THIN * (abut_d3_dot(e1, e1) * abut_d3_dot(e2, e2)))) {
        return abut_np_normal_exact(corner);
    }
    double length = sqrt(square);
    return (abut_d3){{n.x[0] / length, n.x[1] / length, n.x[2] / length}};
}

abut_d3 abut_np_mesh_normal(const abut_mesh *mesh, uint32_t part) {
    const abut_d3 corner[3] = {abut_mesh_corner(mesh, part, 0), abut_mesh_corner(mesh, part, 1),
                               abut_mesh_corner(mesh, part, 2)};
    return abut_np_normal_across(corner);
}
