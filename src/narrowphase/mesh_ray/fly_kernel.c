/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: walks down a mesh's tree along a ray, the nearest child first
 * (Wald, Benthin and Boulos, "Getting rid of packets", 2008), and tests the four triangles of a leaf at once (after
 * Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997), with bounds on what rounding does. */

#include "base/bits.h"
#include "base/lanes/eight.h"
#include "base/lanes/four.h"
#include "narrowphase/mesh_ray/flight.h"
#include <float.h>

enum { INDEX_MASK = (1 << ABUT_NP_FLIGHT_INDEX_BITS) - 1 };

/* --- boxes --- */

typedef struct wide_boxes {
    abut_eight near_origin[3], far_origin[3], near_inverse[3], far_inverse[3];
    uint32_t near_at[3], far_at[3]; /* where in a node the planes are */
} wide_boxes;

static ABUT_INLINE void widen_boxes(const abut_np_mesh_flight *f, wide_boxes *w) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        w->near_origin[axis] = abut_eight_set(f->near_origin[axis]);
        w->far_origin[axis] = abut_eight_set(f->far_origin[axis]);
        w->near_inverse[axis] = abut_eight_set(f->near_inverse[axis]);
        w->far_inverse[axis] = abut_eight_set(f->far_inverse[axis]);
        w->near_at[axis] = 8 * axis + f->near_side[axis];
        w->far_at[axis] = 8 * axis + 24 - f->near_side[axis];
    }
}

/* Which boxes the ray meets within the limit, and where it enters them: the bits of floats. A product of zero and
 * infinity, which is a plane that the ray stands on, constrains nothing. */
static ABUT_INLINE uint32_t meets(const abut_mesh_node *node, const wide_boxes *ray, abut_eight limit,
                                  uint32_t far[8]) {
    const float *plane = &node->min[0][0];
    abut_eight enter = abut_eight_set(0), leave = limit;
    for (int axis = 0; axis < 3; axis++) {
        abut_eight in =
            abut_eight_mul(abut_eight_sub(abut_eight_load(plane + ray->near_at[axis]), ray->near_origin[axis]),
                           ray->near_inverse[axis]);
        abut_eight out = abut_eight_mul(
            abut_eight_sub(abut_eight_load(plane + ray->far_at[axis]), ray->far_origin[axis]), ray->far_inverse[axis]);
        enter = abut_eight_max(in, enter);
        leave = abut_eight_min(out, leave);
    }
    float entered[8];
    abut_eight_store(entered, enter);
    memcpy(far, entered, sizeof entered);
    return abut_eight_le(enter, leave);
}

/* --- triangles --- */

typedef struct wide_ray {
    abut_four origin[3], rest[3], along[3], norm1, along_error;
    bool has_rest;
} wide_ray;

static ABUT_INLINE void widen_ray(const abut_np_mesh_placed *ray, wide_ray *w) {
    w->has_rest = ray->has_rest;
    for (int i = 0; i < 3; i++) {
        w->origin[i] = abut_four_set(ray->origin[i]);
        w->rest[i] = abut_four_set(ray->rest[i]);
        w->along[i] = abut_four_set(ray->along[i]);
    }
    w->norm1 = abut_four_set(ray->norm1);
    w->along_error = abut_four_set(ray->along_error);
}

static ABUT_INLINE abut_four dot(const abut_four a[3], const abut_four b[3]) {
    return abut_four_add(abut_four_add(abut_four_mul(a[0], b[0]), abut_four_mul(a[1], b[1])),
                         abut_four_mul(a[2], b[2]));
}

static ABUT_INLINE abut_four norm1(const abut_four a[3]) {
    return abut_four_add(abut_four_add(abut_four_abs(a[0]), abut_four_abs(a[1])), abut_four_abs(a[2]));
}

static ABUT_INLINE void cross(const abut_four a[3], const abut_four b[3], abut_four out[3]) {
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = abut_four_sub(abut_four_mul(a[k], b[l]), abut_four_mul(a[l], b[k]));
    }
}

/* From the ray's origin to corner 0, and from there to the others. */
static ABUT_INLINE void load_leaf(const abut_mesh_leaf *leaf, const wide_ray *ray, abut_four from[3], abut_four e1[3],
                                  abut_four e2[3]) {
    for (int i = 0; i < 3; i++) {
        abut_four corner = abut_four_load_floats(leaf->corner[0][i]);
        from[i] = abut_four_sub(corner, ray->origin[i]);
        e1[i] = abut_four_sub(abut_four_load_floats(leaf->corner[1][i]), corner);
        e2[i] = abut_four_sub(abut_four_load_floats(leaf->corner[2][i]), corner);
    }
    for (int i = 0; i < 3 && ray->has_rest; i++) {
        from[i] = abut_four_sub(from[i], ray->rest[i]);
    }
}

typedef struct verdict {
    uint32_t met, open; /* bits of triangles */
    double fraction[ABUT_MESH_LEAF];
} verdict;

/* What rounding leaves of the four determinants: the product of translation and normal, and its parts u, v, w. */
typedef struct determinants {
    abut_four det, least, most, slack; /* of u, v, w; the slack bounds the error of each */
} determinants;

/* With e the sum of the edges, p the way to the corner and d the translation, each |.|_1, all are good to 32u d e (e +
 * p). */
static ABUT_INLINE determinants find_determinants(const wide_ray *ray, const abut_four from[3], const abut_four e1[3],
                                                  const abut_four e2[3], const abut_four n[3], abut_four e,
                                                  abut_four p) {
    determinants d;
    abut_four c[3];
    cross(from, ray->along, c);
    d.det = dot(ray->along, n);
    abut_four u = dot(e2, c), v = abut_four_sub(abut_four_set(0), dot(e1, c));
    abut_four w = abut_four_sub(abut_four_sub(d.det, u), v);
    d.slack = abut_four_mul(abut_four_mul(abut_four_mul(ray->norm1, abut_four_set(0x1p-48)), e), abut_four_add(e, p));
    d.least = abut_four_min(abut_four_min(u, v), w);
    d.most = abut_four_max(abut_four_max(u, v), w);
    return d;
}

static ABUT_INLINE abut_four negated(abut_four a) {
    return abut_four_sub(abut_four_set(0), a);
}

/* What certainly is a miss is in neither set of bits. The time t = from . n / det is good to `error` / det. Of a
 * triangle that is certainly met, the ray at t - error / det is no farther than e from the plane, and over the triangle
 * still, because it is farther from the sides than it moves until it is at the plane. */
static ABUT_INLINE void test_leaf(const abut_mesh_leaf *leaf, const wide_ray *ray, bool two_sided, double limit,
                                  verdict *out) {
    abut_four from[3], e1[3], e2[3], n[3];
    load_leaf(leaf, ray, from, e1, e2);
    cross(e1, e2, n);
    abut_four length1 = norm1(e1), length2 = norm1(e2), e = abut_four_add(length1, length2), p = norm1(from);
    determinants d = find_determinants(ray, from, e1, e2, n, e, p);
    uint32_t beside = abut_four_lt(d.least, negated(d.slack)) & abut_four_lt(d.slack, d.most);
    uint32_t back = two_sided ? 0 : abut_four_lt(d.slack, d.det), maybe = 0xf & ~beside & ~back;
    out->met = out->open = 0;
    if (!maybe) {
        return;
    }
    abut_four det = abut_four_abs(d.det), t = abut_four_div(dot(n, from), d.det);
    abut_four error = abut_four_mul(
        abut_four_mul(length1, length2),
        abut_four_add(abut_four_mul(p, abut_four_set(0x1.8p-50)), abut_four_mul(abut_four_abs(t), ray->along_error)));
    abut_four off = abut_four_div(error, det), low = abut_four_sub(t, off), high = abut_four_add(t, off);
    abut_four normal = abut_four_max(abut_four_max(abut_four_abs(n[0]), abut_four_abs(n[1])), abut_four_abs(n[2]));
    abut_four near = abut_four_mul(abut_four_set(0x1p-42), abut_four_add(p, abut_four_mul(e, abut_four_set(0.25))));
    abut_four inner = abut_four_sub(abut_four_max(negated(d.most), d.least), d.slack);
    abut_four moved = abut_four_mul(abut_four_mul(abut_four_mul(error, abut_four_set(2)), ray->norm1), e);
    uint32_t clear = abut_four_lt(d.slack, det);
    uint32_t certain = clear & abut_four_le(error, abut_four_mul(near, normal)) &
                       abut_four_le(moved, abut_four_mul(inner, normal)) & abut_four_le(abut_four_set(0), low) &
                       abut_four_le(high, abut_four_set(1));
    uint32_t outside = clear & (abut_four_lt(high, abut_four_set(0)) | abut_four_lt(abut_four_set(1), low));
    out->met = maybe & certain & abut_four_le(low, abut_four_set(limit));
    out->open = maybe & ~certain & ~outside; /* whatever the limit: what is open may be met somewhat earlier */
    abut_four_store(out->fraction, low);
}

/* --- the walk --- */

static ABUT_INLINE void prefetch(const void *record) {
    ABUT_PREFETCH(record);
    ABUT_PREFETCH((const char *)record + 64);
    ABUT_PREFETCH((const char *)record + 128);
}

static ABUT_INLINE uint64_t node_of(uint32_t far, uint32_t level, uint32_t index) {
    return (uint64_t)far << 32 | (level << ABUT_NP_FLIGHT_INDEX_BITS | index);
}

/* Of a node's children in lanes whose bits are set, keeps the nearest in `next` and adds the others, so that they are
 * in order, the nearest last. The first child has this level and index, `next` is one already. */
static ABUT_INLINE uint64_t add_others(abut_np_mesh_flight *f, uint64_t next, uint32_t level, uint32_t index,
                                       uint32_t bits, const uint32_t far[8]) {
    const size_t size = level ? sizeof(abut_mesh_node) : sizeof(abut_mesh_leaf);
    const char *records =
        level ? (const char *)abut_mesh_nodes(f->mesh, level - 1) : (const char *)abut_mesh_leaves(f->mesh);
    uint64_t *base = f->node + f->count, *top = base;
    do {
        uint32_t lane = ABUT_LOWEST_BIT(bits);
        uint64_t node = node_of(far[lane], level, index + lane), other = node > next ? node : next;
        next = node > next ? next : node;
        prefetch(records + size * ((uint32_t)other & INDEX_MASK));
        uint64_t *at = top++;
        for (; at > base && at[-1] < other; at--) {
            *at = at[-1];
        }
        *at = other;
        bits &= bits - 1;
    } while (bits);
    f->count = (uint32_t)(top - f->node);
    return next;
}

/* Of triangles that are certainly met, keeps the first. */
static ABUT_INLINE void keep_first(abut_np_mesh_flight *f, const abut_mesh_leaf *leaf, uint32_t index,
                                   const verdict *v) {
    for (uint32_t bits = v->met; bits; bits &= bits - 1) {
        uint32_t lane = ABUT_LOWEST_BIT(bits), number = leaf->number[lane];
        double fraction = v->fraction[lane];
        if (fraction < f->limit || (fraction == f->limit && number < f->first)) {
            abut_np_mesh_flight_limit(f, fraction);
            f->first = number;
            f->first_place = ABUT_MESH_LEAF * index + lane;
        }
    }
}

/* Unused places repeat the first triangle. */
static ABUT_INLINE void hand_over(abut_np_mesh_flight *f, const abut_mesh_leaf *leaf, uint32_t index, uint32_t bits,
                                  const verdict *v) {
    for (; bits; bits &= bits - 1) {
        uint32_t lane = ABUT_LOWEST_BIT(bits);
        if (leaf->number[lane] != ABUT_MESH_NONE) {
            f->place[f->found] = ABUT_MESH_LEAF * index + lane;
            f->fraction[f->found++] = v->met >> lane & 1 ? v->fraction[lane] : ABUT_NP_NOT_CERTAIN;
        }
    }
}

/* Goes down from a node to the leaf at the near end of it. False: the ray meets none. */
static ABUT_INLINE bool descend(abut_np_mesh_flight *f, uint64_t *next) {
    const abut_eight limit = abut_eight_set(f->box_limit);
    const abut_mesh_node *nodes = abut_mesh_at(f->mesh, f->mesh->nodes);
    uint32_t level = (uint32_t)*next >> ABUT_NP_FLIGHT_INDEX_BITS, index = (uint32_t)*next & INDEX_MASK, far[8];
    uint64_t nearest;
    wide_boxes boxes;
    widen_boxes(f, &boxes);
    do {
        level--;
        uint32_t bits = meets(nodes + (f->mesh->level_first[level] + index), &boxes, limit, far);
        if (!bits) {
            return false;
        }
        uint32_t lane = ABUT_LOWEST_BIT(bits);
        nearest = node_of(far[lane], level, 8 * index + lane);
        bits &= bits - 1;
        if (bits) {
            nearest = add_others(f, nearest, level, 8 * index, bits, far);
        }
        index = (uint32_t)nearest & INDEX_MASK;
    } while (level > 0);
    *next = nearest;
    return true;
}

static ABUT_INLINE void visit_leaf(abut_np_mesh_flight *f, uint32_t index, bool only_first) {
    const abut_mesh_leaf *leaf = abut_mesh_leaves(f->mesh) + index;
    wide_ray ray;
    verdict v;
    widen_ray(&f->ray, &ray);
    test_leaf(leaf, &ray, f->mesh->two_sided, f->limit, &v);
    if (only_first) {
        keep_first(f, leaf, index, &v);
    }
    hand_over(f, leaf, index, only_first ? v.open : v.met | v.open, &v);
}

/* One piece of code for both: the triangle test is most of it. */
static ABUT_NOINLINE void walk(abut_np_mesh_flight *f, bool only_first) {
    f->found = 0;
    while (f->count > 0) {
        uint64_t next = f->node[--f->count];
        if (next >> 32 > abut_bits_of_float(f->box_limit)) {
            continue;
        }
        if ((uint32_t)next > INDEX_MASK) {
            if (!descend(f, &next)) {
                continue;
            }
            if (f->pauses) {
                prefetch(abut_mesh_leaves(f->mesh) + (uint32_t)next);
                f->node[f->count++] = next;
                break;
            }
        }
        visit_leaf(f, (uint32_t)next, only_first);
        if (f->found > 0) {
            break;
        }
    }
    abut_lanes_done();
}

static void fly(abut_np_mesh_flight *f) {
    walk(f, false);
}

static void fly_first(abut_np_mesh_flight *f) {
    walk(f, true);
}

const abut_np_mesh_ray_kernels ABUT_KERNEL(abut_np_mesh_ray_kernels) = {fly, fly_first};
