/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes against finite frusta along the box's own axes and all
 * products of edges, in float, in the box's frame: there the box is its half extents, and a product with one of its
 * axes has two components. It answers only where the answer is certain; docs/numerics.md, "Culling", derives the
 * constants. */
#include "base/lanes/vector_float.h"
#include "culling/kernels.h"
#include <math.h>

enum { LANES = ABUT_VF_LANES, CORNERS = 8 };

/* ROUNDED times the sizes bounds the rounding of gaps. MUCH times them is more than that and what the last stage does
 * not trust, or what products leave open that are SHORT, which show nothing. */
static const float ROUNDED = 128 * 0x1p-24f, MUCH = 256 * 0x1p-24f, SHORT = 0x1p-20f;

/* A register full of boxes; the frustum's corners as they see them. */
typedef struct scene {
    vf axis[3][3], half[3];
    vf corner[CORNERS][3];
    vf size;
} scene;

static ABUT_INLINE void turn(vf axis[3][3], const vf v[3], vf out[3]) {
    for (int j = 0; j < 3; j++) {
        out[j] = dot(axis[j], v);
    }
}

static ABUT_INLINE void load(const abut_cull_view *view, const abut_cull_solid *solid, const abut_cull_boxes *of,
                             const uint32_t *index, scene *s) {
    vf v[10], r[3][3];
    abut_vf_load10(of->boxes, of->stride, index, v);
    rotation_matrix(v + 3, squared_norm4(v + 3), r);
    for (int j = 0; j < 3; j++) {
        s->half[j] = v[7 + j];
        for (int i = 0; i < 3; i++) {
            s->axis[j][i] = r[i][j];
        }
    }
    const vf c[3] = {minus(v[0], constant(view->origin[0])), minus(v[1], constant(view->origin[1])),
                     minus(v[2], constant(view->origin[2]))};
    s->size = sum(sum(norm1(c), constant(view->reach)), sum3(v[7], v[8], v[9]));
    for (int k = 0; k < CORNERS; k++) {
        const float *p = solid->corner[k];
        const vf way[3] = {minus(constant(p[0]), c[0]), minus(constant(p[1]), c[1]), minus(constant(p[2]), c[2])};
        turn(s->axis, way, s->corner[k]);
    }
}

/* The gap between boxes and frustum, whose ends along the axis are these. */
static ABUT_INLINE vf gap_of(vf low, vf high, vf radius) {
    return minus(larger(low, negated(high)), radius);
}

static ABUT_INLINE vf gap_along_faces(const scene *s) {
    vf gap = constant(-INFINITY);
    for (int j = 0; j < 3; j++) {
        vf low = s->corner[0][j], high = low;
        for (int k = 1; k < CORNERS; k++) {
            low = smaller(low, s->corner[k][j]);
            high = larger(high, s->corner[k][j]);
        }
        gap = larger(gap, gap_of(low, high, s->half[j]));
    }
    return gap;
}

/* Along the products of an edge and the box's axes. */
static ABUT_INLINE vf gap_along_products(scene *s, const float edge[3]) {
    const vf e[3] = {constant(edge[0]), constant(edge[1]), constant(edge[2])};
    vf gap = constant(-INFINITY), x[3], part[3], low[3], high[3];
    turn(s->axis, e, x);
    for (int j = 0; j < 3; j++) {
        part[j] = absolute(x[j]);
        low[j] = constant(INFINITY);
        high[j] = constant(-INFINITY);
    }
    for (int i = 0; i < CORNERS; i++) {
        for (int j = 0; j < 3; j++) {
            int k = (j + 1) % 3, l = (j + 2) % 3;
            vf at = difference(x[k], s->corner[i][l], x[l], s->corner[i][k]);
            low[j] = smaller(low[j], at);
            high[j] = larger(high[j], at);
        }
    }
    for (int j = 0; j < 3; j++) {
        int k = (j + 1) % 3, l = (j + 2) % 3;
        vf radius = sum(times(part[k], s->half[l]), times(part[l], s->half[k]));
        mf is_short = less(sum(part[k], part[l]), constant(SHORT));
        gap = larger(gap, choose(is_short, gap, gap_of(low[j], high[j], radius)));
    }
    return gap;
}

void ABUT_KERNEL(abut_cull_overlaps)(const abut_cull_view *view, const abut_cull_solid *solid,
                                     const abut_cull_boxes *of, uint8_t *side) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        uint8_t bytes[LANES];
        size_t left = of->n - k;
        scene s;
        load(view, solid, of, padded(of->index + k, left, LANES, last), &s);
        vf sure = times(constant(ROUNDED), s.size), much = times(constant(MUCH), s.size);
        vf gap = gap_along_faces(&s);
        mf deep = less(gap, negated(much)), apart = less(much, gap);
        uint32_t all = bits_of(abut_mf_first(LANES));
        for (uint32_t e = 0; e < solid->edge_count && bits_of(apart) != all; e++) {
            vf along = gap_along_products(&s, solid->edge[e]);
            apart = either(apart, less(much, along));
            gap = larger(gap, along);
        }
        vf out = choose(both(deep, less(gap, negated(sure))), constant(ABUT_INTERSECTS), constant(ABUT_CULL_CUT));
        abut_vf_store_bytes(bytes, choose(apart, constant(ABUT_OUTSIDE), out));
        memcpy(side + k, bytes, left < LANES ? left : LANES);
    }
    abut_lanes_done();
}
