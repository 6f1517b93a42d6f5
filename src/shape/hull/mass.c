/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/mass.h"
#include "base/dd.h"

typedef struct sums {
    double volume6;   /* six times the volume */
    double moment[3]; /* the sum over all tetrahedra of six times the volume, times the sum of the corners */
    double size;      /* volume6 without any cancellation */
} sums;

/* Six times the volume of the tetrahedron from o to the points p; *size grows by the same without any cancellation. */
static double determinant(const abut_d3 *o, const abut_d3 p[3], double *size) {
    double u[3][3], sum = 0;
    for (int i = 0; i < 9; i++) {
        u[i / 3][i % 3] = p[i / 3].x[i % 3] - o->x[i % 3];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double plus = u[0][j] * u[1][k], minus = u[0][k] * u[1][j];
        *size += (fabs(plus) + fabs(minus)) * fabs(u[2][i]);
        sum += (plus - minus) * u[2][i];
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

/* Adds up the tetrahedra from the first vertex to the triangles of all facets. No volume is negative, so nothing
 * cancels between them. */
static sums add_up(const abut_polyhedron *p, bool precise) {
    sums s = {0};
    abut_d3 origin = abut_d3_from(p->vertex[0]);
    for (uint32_t f = 0; f < p->facet_count; f++) {
        const uint32_t *loop = p->loop + p->first[f];
        abut_d3 corner[3] = {abut_d3_from(p->vertex[loop[0]])};
        for (uint32_t i = 1; i + 1 < p->first[f + 1] - p->first[f]; i++) {
            corner[1] = abut_d3_from(p->vertex[loop[i]]);
            corner[2] = abut_d3_from(p->vertex[loop[i + 1]]);
            double share = precise ? determinant_dd(&origin, corner) : determinant(&origin, corner, &s.size);
            s.volume6 += share;
            for (int k = 0; k < 3; k++) {
                double o = origin.x[k];
                s.moment[k] += share * ((corner[0].x[k] - o) + (corner[1].x[k] - o) + (corner[2].x[k] - o));
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
