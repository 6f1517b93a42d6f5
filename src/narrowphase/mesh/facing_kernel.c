/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: triangles in the frame of a convex shape, one in each lane. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/normal.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/tolerance.h"
#include <math.h>
#include <stddef.h>

enum { LANES = ABUT_VD_LANES };

/* What is written of a facing, in its order, four numbers at a time. Only points and rods have `on`, `from` and
 * `distance`: of others `on` is zero, and what follows is not written. */
typedef struct facings {
    vd corner[3][3], normal[3], in_mesh[3], height, out[3][3], outline[3], length[3], least, size;
    vd on[3], from[3], distance;
} facings;

enum { NUMBERS = sizeof(facings) / sizeof(vd), STRIDE = sizeof(abut_np_facing) / sizeof(double) };
_Static_assert(sizeof(abut_np_facing) - offsetof(abut_np_facing, corner) == NUMBERS * sizeof(double) &&
                   NUMBERS % 4 == 0 && sizeof(abut_np_facing) % sizeof(double) == 0,
               "the numbers of a facing are those written here");

/* The sides of triangles, and the squares of their lengths. */
typedef struct sides {
    vd way[3][3], square[3];
} sides;

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

static ABUT_INLINE void put(const abut_np_seat *seat, vd at[3][3], facings *f) {
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

static ABUT_INLINE void add_sides(facings *f, sides *s) {
    f->height = dot(f->normal, f->corner[0]);
    for (int k = 0; k < 3; k++) {
        subtract(f->corner[(k + 1) % 3], f->corner[k], s->way[k]);
        cross(s->way[k], f->normal, f->out[k]);
        f->outline[k] = dot(f->out[k], f->corner[k]);
        s->square[k] = dot(s->way[k], s->way[k]);
        f->length[k] = root(s->square[k]);
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

/* As abut_np_facing_is_thin, and not. */
static ABUT_INLINE md is_solid(const facings *f) {
    return less(times(constant(0x1p-30), f->size), f->least);
}

/* A point's height over the planes. */
static ABUT_INLINE vd height_of(const facings *f, const vd at[3]) {
    return minus(dot(f->normal, at), f->height);
}

static ABUT_INLINE void along(const vd a[3], vd t, const vd way[3], vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = sum(a[i], times(t, way[i]));
    }
}

/* The points of the triangles that are closest to a point: on one of the sides that it lies beyond, or below it. A thin
 * triangle is no more than its sides. */
static ABUT_INLINE void closest_to(const facings *f, const sides *s, const vd at[3], vd on[3]) {
    const vd zero = constant(0), one = constant(1);
    const md solid = is_solid(f);
    vd least = constant(INFINITY);
    along(at, negated(height_of(f, at)), f->normal, on);
    for (int k = 0; k < 3; k++) {
        const md beyond = less(zero, minus(dot(f->out[k], at), f->outline[k]));
        const vd *a = f->corner[k], *b = f->corner[(k + 1) % 3];
        vd from[3], inner[3], point[3], apart[3];
        subtract(at, a, from);
        const vd t = quotient(dot(s->way[k], from), s->square[k]);
        const md first = at_most(t, zero), last = at_most(one, t);
        along(a, t, s->way[k], inner);
        for (int i = 0; i < 3; i++) {
            point[i] = choose(first, a[i], choose(last, b[i], inner[i]));
        }
        subtract(point, at, apart);
        const vd square = dot(apart, apart);
        const md closer = but_not(less(square, least), but_not(solid, beyond));
        for (int i = 0; i < 3; i++) {
            on[i] = choose(closer, point[i], on[i]);
        }
        least = choose(closer, square, least);
    }
}

static ABUT_INLINE void ask_point(const sides *s, facings *f) {
    for (int i = 0; i < 3; i++) {
        f->from[i] = constant(0);
    }
    closest_to(f, s, f->from, f->on);
    f->distance = root(dot(f->on, f->on));
}

static ABUT_INLINE vd within_unit(vd t) {
    const vd zero = constant(0), one = constant(1);
    return choose(less(zero, t), choose(less(t, one), t, one), zero);
}

/* Keeps pairs of points that are the closest so far; the distance is squared. */
static ABUT_INLINE void consider(const vd on[3], const vd from[3], facings *f) {
    vd apart[3];
    subtract(on, from, apart);
    const vd square = dot(apart, apart);
    const md closer = less(square, f->distance);
    for (int i = 0; i < 3; i++) {
        f->on[i] = choose(closer, on[i], f->on[i]);
        f->from[i] = choose(closer, from[i], f->from[i]);
    }
    f->distance = choose(closer, square, f->distance);
}

/* The closest points of a rod, from p along u, and side k; both have a length. */
static ABUT_INLINE void consider_side(const sides *s, int k, const vd p[3], const vd u[3], facings *f) {
    const vd zero = constant(0), one = constant(1), *v = s->way[k];
    vd w[3], on[3], from[3];
    subtract(p, f->corner[k], w);
    vd uu = dot(u, u), uv = dot(u, v), vv = s->square[k], uw = dot(u, w), vw = dot(v, w);
    vd across = difference(uu, vv, uv, uv);
    vd first = within_unit(choose(less(zero, across), quotient(difference(uv, vw, vv, uw), across), zero));
    vd second = quotient(sum(vw, times(first, uv)), vv);
    const md inside = both(at_most(zero, second), at_most(second, one));
    second = choose(inside, second, choose(less(zero, second), one, zero));
    first = choose(inside, first, within_unit(quotient(minus(times(second, uv), uw), uu)));
    along(f->corner[k], second, v, on);
    along(p, first, u, from);
    consider(on, from, f);
}

/* Rods that pass through the inside of the triangle. */
static ABUT_INLINE void pierce(const vd p[3], const vd u[3], vd first, vd last, facings *f) {
    vd at[3];
    along(p, quotient(first, minus(first, last)), u, at);
    md pierced = both(less(times(first, last), constant(0)), is_solid(f));
    for (int k = 0; k < 3; k++) {
        pierced = both(pierced, at_most(minus(dot(f->out[k], at), f->outline[k]), constant(0)));
    }
    for (int i = 0; i < 3; i++) {
        f->on[i] = choose(pierced, at[i], f->on[i]);
        f->from[i] = choose(pierced, at[i], f->from[i]);
    }
    f->distance = choose(pierced, constant(0), f->distance);
}

/* Rods: the closest of their ends to the triangle, and of them to the sides, unless they pass through the triangle. */
static ABUT_INLINE void ask_rod(const abut_np_seat *seat, const sides *s, facings *f) {
    vd end[2][3], way[3], on[3];
    for (int i = 0; i < 3; i++) {
        end[0][i] = constant(-seat->half[i]);
        end[1][i] = constant(seat->half[i]);
        f->on[i] = f->from[i] = end[0][i];
    }
    subtract(end[1], end[0], way);
    f->distance = constant(INFINITY);
    for (int e = 0; e < 2; e++) {
        closest_to(f, s, end[e], on);
        consider(on, end[e], f);
    }
    for (int k = 0; k < 3; k++) {
        consider_side(s, k, end[0], way, f);
    }
    f->distance = root(f->distance);
    pierce(end[0], way, height_of(f, end[0]), height_of(f, end[1]), f);
}

/* What a core that is no hull does to the triangles. Nothing passes through a rod that is not near: its skin is far
 * thinner than this, which is far more than what rounds a distance. */
static ABUT_INLINE void meet(const abut_np_seat *seat, const sides *s, uint32_t n, facings *f, abut_np_facing *out) {
    if (seat->size == 0) {
        ask_point(s, f);
    } else if (seat->is_rod) {
        ask_rod(seat, s, f);
        for (uint32_t l = 0; l < LANES && l < n; l++) {
            out[l].within = out[l].crossed = 0;
        }
        if (bits_of(at_most(f->distance, times(constant(ABUT_NP_ROD_NEAR), f->size)))) {
            meet_box(seat, f, n, out);
        }
    } else {
        meet_box(seat, f, n, out);
    }
}

/* The corners of triangles in the mesh's frame, from the leaves, where the sift has just read them, or by number. What
 * is left over repeats the first. */
static ABUT_INLINE void read_corners(const abut_mesh *mesh, const uint32_t *part, const uint32_t *place, uint32_t n,
                                     vd at[3][3]) {
    float corner[9][LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t t = l < n ? l : 0;
        if (place[t] == ABUT_MESH_NONE) {
            for (uint32_t k = 0; k < 3; k++) {
                const abut_vec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)part[t] + k]];
                corner[3 * k][l] = v.x, corner[3 * k + 1][l] = v.y, corner[3 * k + 2][l] = v.z;
            }
            continue;
        }
        const float *from = &abut_mesh_leaves(mesh)[place[t] / ABUT_MESH_LEAF].corner[0][0][place[t] % ABUT_MESH_LEAF];
        for (int k = 0; k < 9; k++) {
            corner[k][l] = from[k * ABUT_MESH_LEAF];
        }
    }
    for (int k = 0; k < 9; k++) {
        at[k / 3][k % 3] = abut_vd_load_floats(corner[k]);
    }
}

uint32_t ABUT_KERNEL(abut_np_mesh_face)(const abut_np_seat *seat, const uint32_t *part, const uint32_t *place,
                                        uint32_t n, abut_np_facing *out) {
    const uint32_t numbers = seat->size == 0 || seat->is_rod ? NUMBERS : NUMBERS - 4;
    uint32_t behind = 0;
    for (uint32_t first = 0; first < n; first += LANES) {
        facings f;
        sides s;
        vd at[3][3];
        read_corners(seat->mesh, part + first, place + first, n - first, at);
        put(seat, at, &f);
        const md back = is_behind(seat, &f);
        turn_over(back, &f);
        add_sides(&f, &s);
        f.on[0] = f.on[1] = f.on[2] = constant(0);
        if (!seat->hull) {
            meet(seat, &s, n - first, &f, out + first);
        }
        behind |= bits_of(back) << first;
        const vd *number = (const vd *)(const void *)&f;
        for (uint32_t k = 0; k < numbers; k += 4) {
            abut_vd_store4_doubles(&out[first].corner[0].x[0] + k, STRIDE, number + k);
        }
    }
    abut_lanes_done();
    return behind;
}
