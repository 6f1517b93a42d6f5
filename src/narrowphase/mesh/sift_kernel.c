/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the separating axes of a box and a triangle (Akenine-Möller, "Fast
 * 3D triangle-box overlap testing", 2001), in double, a triangle in each lane. Gaps are compared with bounds on what
 * rounding does to them, so that what is said is certain. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/tolerance.h"

enum { LANES = ABUT_VD_LANES, ALL = (1 << LANES) - 1 };

/* The normal of a triangle is known to 2^-31 where its height is more than this share of what rounds a corner. */
static const double KNOWN = 0x1p-16;

/* Triangles in the frame of the box. */
typedef struct triangles {
    vd corner[3][3];
    vd size;  /* of what rounds a coordinate */
    vd slack; /* bounds that rounding, and by how much what is apart may touch */
} triangles;

static ABUT_INLINE void load(const abut_mesh_leaf *leaves, const abut_np_sieve *s, const uint32_t *place, uint32_t n,
                             triangles *t) {
    float at[9][LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t p = place[l < n ? l : 0];
        const float *from = &leaves[p / ABUT_MESH_LEAF].corner[0][0][p % ABUT_MESH_LEAF];
        for (int k = 0; k < 9; k++) {
            at[k][l] = from[k * ABUT_MESH_LEAF];
        }
    }
    vd far = constant(0);
    for (int k = 0; k < 3; k++) {
        vd v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = minus(abut_vd_load_floats(at[3 * k + i]), constant(s->center[i]));
        }
        far = larger(far, norm1(v));
        for (int j = 0; j < 3; j++) {
            t->corner[k][j] =
                dot3(constant(s->axes[0][j]), v[0], constant(s->axes[1][j]), v[1], constant(s->axes[2][j]), v[2]);
        }
    }
    t->size = sum(far, constant(s->size));
    t->slack = times(constant(ABUT_NP_ROUND_SLACK), sum(t->size, constant(s->place)));
}

/* What is known so far. */
typedef struct known {
    md apart, shared;
} known;

/* Lengths are only compared, and so are these instead, with their sign: no roots and quotients are needed, which cost
 * more than all the rest. What the square rounds is far less than what the bounds allow. */
static ABUT_INLINE vd signed_square(vd a) {
    return times(a, absolute(a));
}

/* How far a triangle that is touched may be from the box. */
typedef struct reach {
    vd most;    /* with what rounds */
    vd square;  /* of that */
    vd rounded; /* the square of what rounds */
} reach;

/* Axes across a side and an axis of the box; those of length 0 say nothing. */
static ABUT_INLINE void by_side(const triangles *t, const vd half[3], const vd side[3], int from, int opposite,
                                const reach *r, known *k) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        /* axis i of the box x side: its components j and l are -side[l] and side[j] */
        vd p = difference(side[j], t->corner[from][l], side[l], t->corner[from][j]);
        vd q = difference(side[j], t->corner[opposite][l], side[l], t->corner[opposite][j]);
        vd extent = sum(times(half[j], absolute(side[l])), times(half[l], absolute(side[j])));
        vd square = sum(times(side[j], side[j]), times(side[l], side[l]));
        vd gap = signed_square(minus(larger(smaller(p, q), negated(larger(p, q))), extent));
        k->apart = either(k->apart, less(times(square, r->square), gap));
        k->shared = both(k->shared, either(less(gap, negated(times(square, r->rounded))), equal(square, constant(0))));
    }
}

/* Along the axes of the box, either way. */
static ABUT_INLINE void by_box(const triangles *t, const vd half[3], const reach *r, known *k) {
    for (int i = 0; i < 3; i++) {
        vd low = smaller(smaller(t->corner[0][i], t->corner[1][i]), t->corner[2][i]);
        vd high = larger(larger(t->corner[0][i], t->corner[1][i]), t->corner[2][i]);
        vd gap = minus(larger(low, negated(high)), half[i]);
        k->apart = either(k->apart, less(r->most, gap));
        k->shared = both(k->shared, less(gap, negated(t->slack)));
    }
}

/* Whether the box around a triangle is out of reach of the core: a radius reaches less far across an edge or a corner
 * of the core than its axes tell. */
static ABUT_INLINE md is_far(const triangles *t, const vd half[3], vd least) {
    vd square = constant(0);
    for (int i = 0; i < 3; i++) {
        const vd low = smaller(smaller(t->corner[0][i], t->corner[1][i]), t->corner[2][i]);
        const vd high = larger(larger(t->corner[0][i], t->corner[1][i]), t->corner[2][i]);
        const vd gap = larger(minus(larger(low, negated(high)), half[i]), constant(0));
        square = sum(square, times(gap, gap));
    }
    return less(times(least, least), square);
}

static ABUT_INLINE void sift_some(const abut_np_sieve *s, const triangles *t, known *k) {
    const vd half[3] = {constant(s->half[0]), constant(s->half[1]), constant(s->half[2])}, zero = constant(0);
    const vd most = sum(constant(s->reach), t->slack);
    const reach r = {most, times(most, most), times(t->slack, t->slack)};
    md far = less(zero, zero);
    if (s->reach > 0) {
        far = is_far(t, half, sum(most, t->slack)); /* rounding counts once for each axis */
        if (bits_of(far) == ALL) {
            k->apart = far;
            k->shared = but_not(far, far);
            return;
        }
    }
    vd side[3][3], normal[3];
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            side[c][i] = minus(t->corner[(c + 1) % 3][i], t->corner[c][i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        normal[i] = difference(side[0][j], side[1][l], side[0][l], side[1][j]);
    }
    const vd middle[3] = {constant(s->middle[0]), constant(s->middle[1]), constant(s->middle[2])};
    vd height = dot(normal, t->corner[0]), along = dot(normal, normal), length = root(along),
       front = minus(dot(normal, middle), height);
    vd extent = dot3(half[0], absolute(normal[0]), half[1], absolute(normal[1]), half[2], absolute(normal[2]));
    /* Of a thin triangle the product is not square to its sides: error; where rounding of the corners turns it, it says
     * nothing of front and back. */
    const vd square = larger(dot(side[0], side[0]), dot(side[1], side[1])),
             height_known = times(t->size, constant(KNOWN));
    vd error = times(larger(length, times(square, constant(0x1p-3))), t->slack);
    md thin = at_most(along, times(square, times(height_known, height_known)));
    md behind = but_not(less(front, negated(error)), thin);
    vd gap = minus(absolute(height), extent);
    k->apart = less(sum(times(length, constant(s->reach)), error), gap);
    k->apart = s->two_sided ? k->apart : either(k->apart, behind);
    k->apart = either(k->apart, far);
    k->shared = less(gap, negated(error));
    by_box(t, half, &r, k);
    if (bits_of(k->apart) == ALL) {
        return;
    }
    by_side(t, half, side[0], 0, 2, &r, k);
    by_side(t, half, side[1], 1, 0, &r, k);
    by_side(t, half, side[2], 2, 1, &r, k);
}

static void sift(const abut_mesh_leaf *leaves, const abut_np_sieve *sieve, const uint32_t *place, uint32_t n,
                 uint8_t *known_of) {
    for (uint32_t first = 0; first < n; first += LANES) {
        triangles t;
        known k;
        load(leaves, sieve, place + first, n - first, &t);
        sift_some(sieve, &t, &k);
        /* Of what is apart nothing else is said: how much is known of it depends on its neighbours in the register. */
        uint32_t apart = bits_of(k.apart), shared = bits_of(k.shared) & ~apart;
        for (uint32_t l = 0; l < LANES && first + l < n; l++) {
            known_of[first + l] = (uint8_t)((apart >> l & 1) * ABUT_NP_SIFTED | (shared >> l & 1) * ABUT_NP_SHARED);
        }
    }
    abut_lanes_done();
}

const abut_np_mesh_kernels ABUT_KERNEL(abut_np_mesh_kernels) = {
    LANES, sift, ABUT_KERNEL(abut_np_mesh_face), ABUT_KERNEL(abut_np_mesh_pass), ABUT_KERNEL(abut_np_mesh_span)};
