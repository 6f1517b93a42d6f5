/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: triangles in the frame of a convex shape, one in each lane. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/normal.h"
#include "narrowphase/mesh/sift.h"
#include <stddef.h>

enum { LANES = ABUT_VD_LANES };

/* What is written of a facing, in its order. */
typedef struct facings {
    vd corner[3][3], normal[3], in_mesh[3], height, out[3][3], outline[3], length[3], least, size;
} facings;

enum { NUMBERS = sizeof(facings) / sizeof(vd) };
_Static_assert(sizeof(abut_np_facing) - offsetof(abut_np_facing, corner) == NUMBERS * sizeof(double),
               "the numbers of a facing are those written here");

static ABUT_INLINE void subtract(const vd a[3], const vd b[3], vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = minus(a[i], b[i]);
    }
}

static ABUT_INLINE void cross(const vd a[3], const vd b[3], vd out[3]) {
    out[0] = difference(a[1], b[2], a[2], b[1]);
    out[1] = difference(a[2], b[0], a[0], b[2]);
    out[2] = difference(a[0], b[1], a[1], b[0]);
}

/* As abut_np_seat_into. */
static ABUT_INLINE void into(const abut_np_seat *seat, const vd v[3], vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] =
            dot3(constant(seat->axes[0][i]), v[0], constant(seat->axes[1][i]), v[1], constant(seat->axes[2][i]), v[2]);
    }
}

/* Rarely needed: a triangle at a time. */
static ABUT_NOINLINE void correct(uint32_t thin, vd at[3][3], vd normal[3]) {
    double corner[3][3][LANES], n[3][LANES];
    for (int i = 0; i < 3; i++) {
        abut_vd_store(n[i], normal[i]);
        for (int k = 0; k < 3; k++) {
            abut_vd_store(corner[k][i], at[k][i]);
        }
    }
    for (uint32_t l = 0; l < LANES; l++) {
        if (thin >> l & 1) {
            abut_d3 of[3];
            for (int k = 0; k < 3; k++) {
                of[k] = (abut_d3){{corner[k][0][l], corner[k][1][l], corner[k][2][l]}};
            }
            const abut_d3 exact = abut_np_normal_exact(of);
            n[0][l] = exact.x[0], n[1][l] = exact.x[1], n[2][l] = exact.x[2];
        }
    }
    for (int i = 0; i < 3; i++) {
        normal[i] = abut_vd_load(n[i]);
    }
}

/* The bits of abut_np_normal_across. */
static ABUT_INLINE void find_normal(vd at[3][3], vd normal[3]) {
    vd first[3], second[3], n[3];
    subtract(at[1], at[0], first);
    subtract(at[2], at[0], second);
    cross(first, second, n);
    const vd square = dot(n, n), length = root(square);
    for (int i = 0; i < 3; i++) {
        normal[i] = quotient(n[i], length);
    }
    const vd least = times(constant(ABUT_NP_NORMAL_THIN), times(dot(first, first), dot(second, second)));
    const uint32_t thin = bits_of(at_most(square, least));
    if (thin) {
        correct(thin, at, normal);
    }
}

static ABUT_INLINE void place(const abut_np_seat *seat, vd at[3][3], facings *f) {
    find_normal(at, f->in_mesh);
    into(seat, f->in_mesh, f->normal);
    f->size = constant(seat->size + seat->radius);
    for (int k = 0; k < 3; k++) {
        vd from[3];
        for (int i = 0; i < 3; i++) {
            from[i] = minus(at[k][i], constant(seat->center.x[i]));
        }
        into(seat, from, f->corner[k]);
        f->size = larger(f->size, sum(constant(seat->size + seat->radius), norm1(from)));
    }
}

/* Seen from the back, the other two corners change places. */
static ABUT_INLINE void turn_over(md back, facings *f) {
    for (int i = 0; i < 3; i++) {
        const vd second = f->corner[1][i], third = f->corner[2][i];
        f->corner[1][i] = choose(back, third, second);
        f->corner[2][i] = choose(back, second, third);
        f->normal[i] = choose(back, negated(f->normal[i]), f->normal[i]);
        f->in_mesh[i] = choose(back, negated(f->in_mesh[i]), f->in_mesh[i]);
    }
}

static ABUT_INLINE md is_behind(const abut_np_seat *seat, const facings *f) {
    vd from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = minus(constant(seat->middle.x[i]), f->corner[0][i]);
    }
    return less(dot(f->normal, from), times(constant(-ABUT_NP_MESH_BEHIND), norm1(from)));
}

static ABUT_INLINE void add_sides(facings *f) {
    f->height = dot(f->normal, f->corner[0]);
    for (int k = 0; k < 3; k++) {
        vd along[3];
        subtract(f->corner[(k + 1) % 3], f->corner[k], along);
        cross(along, f->normal, f->out[k]);
        f->outline[k] = dot(f->out[k], f->corner[k]);
        f->length[k] = root(dot(along, along));
    }
    const vd area = minus(f->outline[0], dot(f->out[0], f->corner[2]));
    f->least = quotient(area, larger(larger(f->length[0], f->length[1]), f->length[2]));
}

/* Whether side k passes through the grown box: the part of it between the planes of each axis is not empty. */
static ABUT_INLINE md crosses(const facings *f, int k, const vd grown[3]) {
    vd first = constant(0), last = constant(1), zero = constant(0);
    md beside = less(zero, zero);
    for (int i = 0; i < 3; i++) {
        const vd from = f->corner[k][i], way = minus(f->corner[(k + 1) % 3][i], from);
        const md along = equal(way, zero);
        vd per_way = quotient(constant(1), choose(along, constant(1), way));
        vd middle = times(negated(from), per_way), reach = times(grown[i], absolute(per_way));
        first = choose(along, first, larger(first, minus(middle, reach)));
        last = choose(along, last, smaller(last, sum(middle, reach)));
        beside = either(beside, both(along, less(grown[i], absolute(from))));
    }
    return but_not(at_most(first, last), beside);
}

static ABUT_INLINE md is_within(const facings *f, int k, const vd grown[3]) {
    return both(both(at_most(absolute(f->corner[k][0]), grown[0]), at_most(absolute(f->corner[k][1]), grown[1])),
                at_most(absolute(f->corner[k][2]), grown[2]));
}

static ABUT_INLINE void meet_box(const abut_np_seat *seat, const facings *f, uint32_t n, abut_np_facing *out) {
    uint32_t within[3], crossed[3];
    vd grown[3];
    for (int i = 0; i < 3; i++) {
        grown[i] = constant(seat->half[i] + seat->skin);
    }
    for (int k = 0; k < 3; k++) {
        within[k] = bits_of(is_within(f, k, grown));
        crossed[k] = bits_of(crosses(f, k, grown));
    }
    for (uint32_t l = 0; l < LANES && l < n; l++) {
        out[l].within = (uint8_t)((within[0] >> l & 1) | (within[1] >> l & 1) << 1 | (within[2] >> l & 1) << 2);
        out[l].crossed = (uint8_t)((crossed[0] >> l & 1) | (crossed[1] >> l & 1) << 1 | (crossed[2] >> l & 1) << 2);
    }
}

uint32_t ABUT_KERNEL(abut_np_mesh_face)(const abut_np_seat *seat, double corner[9][ABUT_NP_FACINGS], uint32_t n,
                                        abut_np_facing *out) {
    uint32_t behind = 0;
    for (uint32_t first = 0; first < n; first += LANES) {
        facings f;
        vd at[3][3];
        double numbers[NUMBERS][LANES];
        for (int k = 0; k < 9; k++) {
            at[k / 3][k % 3] = abut_vd_load(&corner[k][first]);
        }
        place(seat, at, &f);
        const md back = is_behind(seat, &f);
        turn_over(back, &f);
        add_sides(&f);
        for (uint32_t k = 0; k < NUMBERS; k++) {
            abut_vd_store(numbers[k], (&f.corner[0][0])[k]);
        }
        behind |= bits_of(back) << first;
        if (!seat->hull && seat->size > 0) {
            meet_box(seat, &f, n - first, out + first);
        }
        for (uint32_t l = 0; l < LANES && first + l < n; l++) {
            double *to = &out[first + l].corner[0].x[0];
            for (uint32_t k = 0; k < NUMBERS; k++) {
                to[k] = numbers[k][l];
            }
        }
    }
    abut_lanes_done();
    return behind;
}
