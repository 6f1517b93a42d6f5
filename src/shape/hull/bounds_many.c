/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the world-aligned bounds of hulls, from all their vertices, rounded
 * outward. Lanes are bodies where a matrix is made and where ends are rounded, and vertices in between. */
#include "shape/ends.h"
#include "shape/hull/hull.h"

_Static_assert((int)ABUT_HULL_PAD % (int)LANES == 0, "vertices are read in whole registers");

/* A register full of hulls. */
typedef struct hulls {
    vd center[3], radius;
    vd error;                /* an end is good to this times the sum of the entries of its row */
    vd size[3];              /* that sum */
    double row[3][3][LANES]; /* of the matrix of each */
} hulls;

/* The least and greatest of row . v over all vertices v, by row and body. */
typedef struct extents {
    double least[3][LANES], greatest[3][LANES];
} extents;

/* abut_accurate_matrix in each lane. */
static ABUT_INLINE void accurate_matrix(const vd q[4], vd m[3][3]) {
    const vd square[3] = {times(q[0], q[0]), times(q[1], q[1]), times(q[2], q[2])};
    vd ww = times(q[3], q[3]), n = sum(sum(square[0], square[1]), sum(square[2], ww)), two = constant(2);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        vd across = times(q[i], q[k]), about = times(q[3], q[l]);
        m[i][i] = quotient(balance(ww, square[l], square[i], square[k]), n);
        m[i][k] = quotient(times(two, minus(across, about)), n);
        m[k][i] = quotient(times(two, sum(across, about)), n);
    }
}

/* The entries of the matrix are good to 2^-51 of themselves; three products and two sums round. Quarter turns are
 * exact. */
static ABUT_INLINE void load_hulls(const block *of, hulls *h) {
    const float *first = &of->collider->center.x;
    vd c[4], q[4], extra[4], m[3][3];
    double radius[LANES];
    abut_vd_load4(first, sizeof *of->collider, of->at, c);
    abut_vd_load4(first + 3, sizeof *of->collider, of->at, q);
    abut_vd_load4(first + 7, sizeof *of->collider, of->at, extra);
    for (int l = 0; l < LANES; l++) {
        radius[l] = of->collider[of->at[l]].hull->radius;
    }
    vd error = times(constant(0x1p-49), abut_vd_load(radius));
    h->error = choose(abut_vd_is_quarter_turn(q), constant(0), error);
    h->radius = extra[3];
    accurate_matrix(q, m);
    for (int i = 0; i < 3; i++) {
        h->center[i] = c[i];
        h->size[i] = norm1(m[i]);
        for (int j = 0; j < 3; j++) {
            abut_vd_store(h->row[i][j], m[i][j]);
        }
    }
}

/* row . v for a register full of vertices */
static ABUT_INLINE vd along(const float *const coordinate[3], uint32_t v, const vd row[3]) {
    return dot3(row[0], abut_vd_load_floats(coordinate[0] + v), row[1], abut_vd_load_floats(coordinate[1] + v), row[2],
                abut_vd_load_floats(coordinate[2] + v));
}

/* Numbers of one body lie `stride` apart, as in hulls and extents. Zeros become +0, whatever the order. */
static ABUT_INLINE void find_extents(const abut_hull *hull, const double *matrix, size_t stride, double *least,
                                     double *greatest) {
    const float *const coordinate[3] = {abut_hull_coordinate(hull, 0), abut_hull_coordinate(hull, 1),
                                        abut_hull_coordinate(hull, 2)};
    vd row[3][3], low[3], high[3];
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            row[i][j] = constant(matrix[(3 * i + j) * stride]);
        }
        low[i] = high[i] = along(coordinate, 0, row[i]);
    }
    for (uint32_t v = LANES; v < hull->vertex_count; v += LANES) {
        for (int i = 0; i < 3; i++) {
            vd value = along(coordinate, v, row[i]);
            low[i] = smaller(value, low[i]);
            high[i] = larger(value, high[i]);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        least[i * stride] = abut_vd_least(low[i]) + 0.0;
        greatest[i * stride] = 0.0 - abut_vd_least(negated(high[i]));
    }
}

/* Body l is a copy of the first. */
static ABUT_INLINE void copy_extents(int l, extents *e) {
    for (int i = 0; i < 3; i++) {
        e->least[i][l] = e->least[i][0];
        e->greatest[i][l] = e->greatest[i][0];
    }
}

/* abut_accurate_lower_end in each lane, still a double. */
static ABUT_INLINE vd lower_end(vd center, abut_vd_exact_sum offset, vd error) {
    abut_vd_exact_sum s = abut_vd_two_sum(center, offset.hi);
    vd rest = minus(s.lo, sum(error, absolute(offset.lo)));
    vd less_by = minus(times(constant(2), rest), times(absolute(s.hi), constant(0x1p-52)));
    return abut_vd_to_float_below(choose(less(rest, constant(0)), sum(s.hi, less_by), s.hi));
}

void ABUT_KERNEL(abut_shape_hull_bounds)(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                                         float (*box)[6]) {
    for (size_t k = 0; k < n; k += LANES) {
        uint32_t last[LANES];
        block of = {.collider = collider, .at = padded(index + k, n - k, LANES, last), .more = more, .box = box};
        hulls h;
        extents found;
        ends e;
        load_hulls(&of, &h);
        for (int l = 0; l < LANES; l++) {
            if (k + (size_t)l < n) {
                find_extents(collider[of.at[l]].hull, &h.row[0][0][l], LANES, &found.least[0][l],
                             &found.greatest[0][l]);
            } else {
                copy_extents(l, &found);
            }
        }
        for (int i = 0; i < 3; i++) {
            vd error = times(h.error, h.size[i]);
            abut_vd_exact_sum below = abut_vd_two_sum(abut_vd_load(found.least[i]), negated(h.radius));
            abut_vd_exact_sum above = abut_vd_two_sum(abut_vd_load(found.greatest[i]), h.radius);
            above.hi = negated(above.hi);
            e.low[i] = lower_end(h.center[i], below, error);
            e.high[i] = negated(lower_end(negated(h.center[i]), above, error));
        }
        store_block(&of, &e);
    }
    abut_lanes_done();
}

void ABUT_KERNEL(abut_shape_hull_extents)(const abut_hull *hull, const double matrix[9], double least[3],
                                          double greatest[3]) {
    find_extents(hull, matrix, 1, least, greatest);
    abut_lanes_done();
}
