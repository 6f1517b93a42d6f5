/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/mass.h"
#include "base/dd.h"

typedef struct sums {
    double volume6;   /* six times the volume */
    double moment[3]; /* the sum over all tetrahedra of six times the volume, times the sum of the corners */
    double size;      /* volume6 without any cancellation */
} sums;

/* Six times the volume of the tetrahedron with these edges from one corner; *size grows by the same without any
 * cancellation. */
static double determinant(const abut_d3 u[3], double *size) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double plus = u[0].x[j] * u[1].x[k], minus = u[0].x[k] * u[1].x[j];
        *size += (fabs(plus) + fabs(minus)) * fabs(u[2].x[i]);
        sum += (plus - minus) * u[2].x[i];
    }
    return sum;
}

static double determinant_dd(const abut_d3 *o, const abut_d3 p[3]) {
    abut_dd u[3][3], sum = {0, 0};
    for (int i = 0; i < 9; i++) {
        u[i / 3][i % 3] = abut_dd_two_sum(p[i / 3].x[i % 3], -o->x[i % 3]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        abut_dd cross = abut_dd_sub(abut_dd_mul(u[0][j], u[1][k]), abut_dd_mul(u[0][k], u[1][j]));
        sum = abut_dd_add(sum, abut_dd_mul(cross, u[2][i]));
    }
    return sum.hi;
}

/* Adds up the tetrahedra from the first vertex to the triangles of all facets but the first ones, which have that
 * vertex. No volume is negative, so nothing cancels between them. */
static sums add_up(const abut_polyhedron *p, bool precise) {
    sums s = {0};
    abut_d3 origin = abut_d3_from(p->vertex[0]);
    uint32_t f = 0;
    while (p->loop[p->first[f]] == 0) {
        f++;
    }
    for (; f < p->facet_count; f++) {
        const uint32_t *loop = p->loop + p->first[f];
        abut_d3 corner[3] = {abut_d3_from(p->vertex[loop[0]]), {{0}}, abut_d3_from(p->vertex[loop[1]])};
        abut_d3 edge[3] = {abut_d3_sub(corner[0], origin), {{0}}, abut_d3_sub(corner[2], origin)};
        for (uint32_t i = 2; i < p->first[f + 1] - p->first[f]; i++) {
            corner[1] = corner[2];
            corner[2] = abut_d3_from(p->vertex[loop[i]]);
            edge[1] = edge[2];
            edge[2] = abut_d3_sub(corner[2], origin);
            double share = precise ? determinant_dd(&origin, corner) : determinant(edge, &s.size);
            s.volume6 += share;
            for (int k = 0; k < 3; k++) {
                s.moment[k] += share * (edge[0].x[k] + edge[1].x[k] + edge[2].x[k]);
            }
        }
    }
    return s;
}

abut_mass abut_mass_of(const abut_polyhedron *p) {
    sums s = add_up(p, false);
    if (!(s.volume6 > s.size * 0x1p-20)) {
        s = add_up(p, true);
    }
    abut_mass mass = {s.volume6 / 6, abut_d3_from(p->vertex[0])};
    for (int k = 0; k < 3 && s.volume6 > 0; k++) {
        mass.centroid.x[k] += s.moment[k] / (4 * s.volume6);
    }
    return mass;
}
