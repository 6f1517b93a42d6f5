/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "hull/mass.h"
#include "base/dd.h"

typedef struct sums {
    double volume6, moment[3]; /* six times the volume, and each tetrahedron's share times the sum of its corners */
    double size;               /* the same as volume6 without any cancellation */
} sums;

/* a x b . c; exact signs need not be kept here, only digits. */
static double determinant(const double a[3], const double b[3], const double c[3], bool precise, double *size) {
    abut_dd sum = {0, 0};
    double total = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double plus = a[j] * b[k], minus = a[k] * b[j];
        *size += (fabs(plus) + fabs(minus)) * fabs(c[i]);
        if (precise) {
            abut_dd cross = abut_dd_sub(abut_dd_two_product(a[j], b[k]), abut_dd_two_product(a[k], b[j]));
            sum = abut_dd_add(sum, abut_dd_mul(cross, abut_dd_from(c[i])));
        } else {
            total += (plus - minus) * c[i];
        }
    }
    return precise ? sum.hi : total;
}

/* Tetrahedra from a vertex to the triangles of all facets: none is negative, so nothing cancels between them. */
static sums add_up(const abut_polyhedron *p, bool precise) {
    sums s = {0};
    abut_d3 origin = abut_d3_from(p->vertex[0]);
    for (uint32_t f = 0; f < p->facet_count; f++) {
        const uint32_t *loop = p->loop + p->first[f];
        abut_d3 a = abut_d3_sub(abut_d3_from(p->vertex[loop[0]]), origin);
        for (uint32_t i = 1; i + 1 < p->first[f + 1] - p->first[f]; i++) {
            abut_d3 b = abut_d3_sub(abut_d3_from(p->vertex[loop[i]]), origin);
            abut_d3 c = abut_d3_sub(abut_d3_from(p->vertex[loop[i + 1]]), origin);
            double share = determinant(a.x, b.x, c.x, precise, &s.size);
            s.volume6 += share;
            for (int k = 0; k < 3; k++) {
                s.moment[k] += share * (a.x[k] + b.x[k] + c.x[k]);
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
