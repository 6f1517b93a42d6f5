/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the outlines of a hull seen along some directions, and the
 * rectangles around each, one along each edge of it. Lanes are directions. */
#include "base/bytes.h"
#include "base/compiler.h"
#include "base/lanes/vector_double.h"
#include "shape/kernels.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES, TOGETHER = ABUT_OUTLINE_TOGETHER };
_Static_assert((int)TOGETHER % (int)LANES == 0, "directions are loaded in whole registers");

/* Lanes are edges. */
void ABUT_KERNEL(abut_shape_along)(const abut_polyhedron *p, double (*along)[4]) {
    for (uint32_t e = 0; e < p->edge_count; e += LANES) {
        double d[3][LANES];
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t *v = p->edge[e + l < p->edge_count ? e + l : e].v;
            const abut_d3 to = abut_d3_sub(abut_d3_from(p->vertex[v[1]]), abut_d3_from(p->vertex[v[0]]));
            d[0][l] = to.x[0], d[1][l] = to.x[1], d[2][l] = to.x[2];
        }
        const vd x = abut_vd_load(d[0]), y = abut_vd_load(d[1]), z = abut_vd_load(d[2]);
        const vd length = root(dot3(x, x, y, y, z, z));
        const vd unit[4] = {quotient(x, length), quotient(y, length), quotient(z, length), length};
        abut_vd_store4_doubles(along[e], 4, unit);
    }
    abut_lanes_done();
}

/* Lanes are facets. */
void ABUT_KERNEL(abut_shape_measure)(const abut_polyhedron *p, abut_hull_plane *plane, double *area) {
    for (uint32_t f = 0; f < p->facet_count; f += LANES) {
        double x[9][LANES];
        vd at[9], u[3], v[3], n[3], slack = constant(0);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint32_t *loop = p->loop + 3 * (f + l < p->facet_count ? f + l : f);
            for (int k = 0; k < 3; k++) {
                const abut_vec3 corner = p->vertex[loop[k]];
                x[3 * k][l] = corner.x, x[3 * k + 1][l] = corner.y, x[3 * k + 2][l] = corner.z;
            }
        }
        for (int k = 0; k < 9; k++) {
            at[k] = abut_vd_load(x[k]);
        }
        for (int k = 0; k < 3; k++) {
            u[k] = minus(at[3 + k], at[k]);
            v[k] = minus(at[6 + k], at[k]);
        }
        for (int k = 0; k < 3; k++) { /* as abut_orient_plane_of */
            const vd plus = times(u[(k + 1) % 3], v[(k + 2) % 3]), less_of = times(u[(k + 2) % 3], v[(k + 1) % 3]);
            const vd part = times(sum(absolute(plus), absolute(less_of)), constant(0x1p-49));
            n[k] = minus(plus, less_of);
            slack = k == 0 ? part : sum(slack, part);
        }
        const vd square = dot(n, n), length = root(square);
        const md sure = at_most(times(slack, slack), times(square, constant(0x1p-92)));
        vd out[4];
        for (int k = 0; k < 3; k++) {
            out[k] = sum(quotient(n[k], length), constant(0.0));
        }
        out[3] = larger(larger(dot(out, at), dot(out, at + 3)), dot(out, at + 6));
        out[3] = sum(out[3], constant(0.0));
        abut_vd_store4_doubles(plane[f].n, 4, out);
        abut_vd_store(area + f, choose(sure, length, constant(-1)));
    }
    abut_lanes_done();
}

/* The axes of a view along n: the first perpendicular to n's least component as well. */
static void find_axes(const vd n[3], vd axis[2][3]) {
    const vd none = constant(0), one = constant(1), x = absolute(n[0]), y = absolute(n[1]);
    const md past_x = less(y, x), is_z = less(absolute(n[2]), choose(past_x, y, x));
    const vd unit[3] = {choose(is_z, none, choose(past_x, none, one)), choose(is_z, none, choose(past_x, one, none)),
                        choose(is_z, one, none)};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        axis[0][i] = difference(n[j], unit[k], n[k], unit[j]);
    }
    const vd length = root(dot(axis[0], axis[0]));
    for (int i = 0; i < 3; i++) {
        axis[0][i] = quotient(axis[0][i], length);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        axis[1][i] = difference(n[j], axis[0][k], n[k], axis[0][j]);
    }
}

static void find_facing(const abut_polyhedron *p, const abut_faces *faces, uint32_t d, const vd n[3]) {
    const vd least = constant(0x1p-20);
    uint8_t *facing = faces->facing;
    for (uint32_t f = 0; f < p->facet_count; f++) {
        const double *normal = faces->facet_plane[f].n;
        vd along = dot3(constant(normal[0]), n[0], constant(normal[1]), n[1], constant(normal[2]), n[2]);
        uint32_t bits = bits_of(less(least, along)) << d;
        facing[f] = (uint8_t)(d == 0 ? bits : facing[f] | bits);
    }
}

/* Views along the directions in the lanes from d on. */
static void look(const abut_polyhedron *p, const abut_faces *faces, uint32_t d, abut_outlines *o) {
    const vd n[3] = {abut_vd_load(o->plane[0] + d), abut_vd_load(o->plane[1] + d), abut_vd_load(o->plane[2] + d)};
    const vd w = abut_vd_load(o->plane[3] + d);
    const abut_d3 first = abut_d3_from(p->vertex[0]);
    vd axis[2][3], deepest = constant(0);
    find_facing(p, faces, d, n);
    find_axes(n, axis);
    for (int i = 0; i < 3; i++) {
        abut_vd_store(o->axis[0][i] + d, axis[0][i]);
        abut_vd_store(o->axis[1][i] + d, axis[1][i]);
    }
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        const abut_d3 v = abut_d3_from(p->vertex[i]), at = abut_d3_sub(v, first);
        const vd x = constant(at.x[0]), y = constant(at.x[1]), z = constant(at.x[2]);
        const vd height = dot3(n[0], constant(v.x[0]), n[1], constant(v.x[1]), n[2], constant(v.x[2]));
        deepest = larger(deepest, minus(w, height));
        abut_vd_store(faces->shadow[i][0] + d, dot3(axis[0][0], x, axis[0][1], y, axis[0][2], z));
        abut_vd_store(faces->shadow[i][1] + d, dot3(axis[1][0], x, axis[1][1], y, axis[1][2], z));
    }
    abut_vd_store(o->depth + d, deepest);
}

/* Of 64 edges those on the outline seen along direction d: of their facets one faces along the direction and the other
 * does not. Bit d of eight bytes becomes one byte by a product, so that edges that are none cost next to nothing. */
static uint64_t crossing_of(const abut_polyhedron *p, const abut_faces *faces, uint32_t base, uint32_t d) {
    uint64_t crossing = 0;
    for (uint32_t e = base; e < p->edge_count && e < base + 64; e += 8) {
        uint64_t eight = abut_bytes_u64(faces->crossing + e) >> d & UINT64_C(0x0101010101010101);
        crossing |= eight * UINT64_C(0x0102040810204080) >> 56 << (e - base);
    }
    return crossing;
}

/* Every how many edges of the outline are taken. */
static uint32_t stride_of(const abut_polyhedron *p, const abut_faces *faces, uint32_t d) {
    uint32_t total = 0;
    for (uint32_t base = 0; base < p->edge_count && p->vertex_count > ABUT_OUTLINE_MAX; base += 64) {
        for (uint64_t bits = crossing_of(p, faces, base, d); bits != 0; bits &= bits - 1) {
            total++;
        }
    }
    return total > ABUT_OUTLINE_MAX ? (total + ABUT_OUTLINE_MAX - 1) / ABUT_OUTLINE_MAX : 1;
}

/* Writes down the outline of direction d; returns how many vertices it has. */
static uint32_t write_outline(const abut_polyhedron *p, const abut_faces *faces, uint32_t d, double *out) {
    static const double signs[2] = {-1, 1};
    uint32_t count = 0, stride = stride_of(p, faces, d), skipped = 0;
    for (uint32_t base = 0; base < p->edge_count; base += 64) {
        for (uint64_t bits = crossing_of(p, faces, base, d); bits != 0; bits &= bits - 1) {
            if (skipped != 0) {
                skipped--;
                continue;
            }
            const uint32_t e = base + ABUT_LOWEST_BIT64(bits), up = faces->facing[p->edge[e].f[0]] >> d & 1;
            const double *at = faces->shadow[p->edge[e].v[1 - up]][0] + d, *along = faces->along[e];
            const double sign = signs[up]; /* no branch: it could not be predicted */
            out[ABUT_OUTLINE_X * TOGETHER] = at[0];
            out[ABUT_OUTLINE_Y * TOGETHER] = at[TOGETHER];
            for (int k = 0; k < 3; k++) {
                out[(ABUT_OUTLINE_ALONG + k) * TOGETHER] = sign * along[k];
            }
            out += ABUT_OUTLINE_PARTS * TOGETHER;
            skipped = stride - 1;
            count++;
        }
    }
    return count;
}

void ABUT_KERNEL(abut_shape_outlines)(const abut_polyhedron *p, const abut_faces *faces, abut_outlines *o) {
    for (uint32_t d = 0; d < o->directions; d += LANES) {
        look(p, faces, d, o);
    }
    for (uint32_t e = 0; e < p->edge_count; e++) {
        faces->crossing[e] = faces->facing[p->edge[e].f[0]] ^ faces->facing[p->edge[e].f[1]];
    }
    for (uint32_t e = p->edge_count; e % 8 != 0; e++) {
        faces->crossing[e] = 0;
    }
    for (uint32_t d = 0; d < o->directions; d++) {
        o->count[d] = write_outline(p, faces, d, o->vertex[0][0] + d);
    }
    abut_lanes_done();
}

/* Makes the outlines in the lanes from d on as long as the longest of them, and fills unused lanes, with copies of
 * first vertices; returns how long. */
static uint32_t even_out(abut_outlines *o, uint32_t d) {
    uint32_t longest = 0, count[LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        count[l] = d + l < o->directions ? o->count[d + l] : 0;
        longest = count[l] > longest ? count[l] : longest;
    }
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t from = d + (count[l] > 0 ? l : 0);
        for (uint32_t i = count[l]; i < longest; i++) {
            for (int k = 0; k < ABUT_OUTLINE_PARTS; k++) {
                o->vertex[i][k][d + l] = o->vertex[0][k][from];
            }
        }
    }
    return longest;
}

void ABUT_KERNEL(abut_shape_rectangles)(abut_outlines *o) {
    for (uint32_t d = 0; d < o->directions; d += LANES) {
        const uint32_t longest = even_out(o, d);
        const vd depth = abut_vd_load(o->depth + d);
        vd least = constant(INFINITY), axis[2][3];
        for (int k = 0; k < 3; k++) {
            axis[0][k] = abut_vd_load(o->axis[0][k] + d);
            axis[1][k] = abut_vd_load(o->axis[1][k] + d);
        }
        for (uint32_t i = 0; i < longest; i++) {
            double(*own)[TOGETHER] = o->vertex[i];
            const vd along[3] = {abut_vd_load(own[ABUT_OUTLINE_ALONG] + d),
                                 abut_vd_load(own[ABUT_OUTLINE_ALONG + 1] + d),
                                 abut_vd_load(own[ABUT_OUTLINE_ALONG + 2] + d)};
            const vd dx = dot(axis[0], along), dy = dot(axis[1], along);
            /* The facets beside an edge along the view both face across it, so an outline has none of length 0. */
            vd length = root(sum(times(dx, dx), times(dy, dy)));
            vd c = quotient(dx, length), s = quotient(dy, length);
            vd low[2] = {constant(INFINITY), constant(INFINITY)}, high[2] = {constant(-INFINITY), constant(-INFINITY)};
            for (uint32_t k = 0; k < longest; k++) {
                const vd x = abut_vd_load(o->vertex[k][ABUT_OUTLINE_X] + d),
                         y = abut_vd_load(o->vertex[k][ABUT_OUTLINE_Y] + d);
                const vd at[2] = {sum(times(c, x), times(s, y)), difference(c, y, s, x)};
                for (int j = 0; j < 2; j++) {
                    low[j] = smaller(at[j], low[j]);
                    high[j] = larger(at[j], high[j]);
                }
            }
            const vd volume = times(times(depth, minus(high[0], low[0])), minus(high[1], low[1]));
            abut_vd_store(own[ABUT_OUTLINE_COSINE] + d, c);
            abut_vd_store(own[ABUT_OUTLINE_SINE] + d, s);
            abut_vd_store(own[ABUT_OUTLINE_VOLUME] + d, volume);
            least = smaller(volume, least);
        }
        abut_vd_store(o->least + d, least);
    }
    abut_lanes_done();
}
