/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The box's entry in the shape table, and that of a box that is grown by a radius. */
#include "shape/arc.h"
#include "shape/box/usual.h"
#include "shape/kernels.h"
#include "shape/table.h"

static bool valid(const abut_collider *box) {
    const abut_vec3 half = box->half;
    return !box->hull && abut_vec3_finite(half) && half.x >= 0 && half.y >= 0 && half.z >= 0 &&
           (half.x > 0 || half.y > 0 || half.z > 0 || box->radius > 0) && abut_radius_valid(box->radius);
}

static abut_aabb bounds_by_kernel(const abut_collider *box) {
    static const uint32_t first = 0;
    float end[1][6];
    ABUT_KERNEL(abut_shape_kernels).box_bounds(box, &first, 1, 0, end);
    return (abut_aabb){{end[0][0], end[0][1], end[0][2]}, {end[0][3], end[0][4], end[0][5]}};
}

static abut_aabb bounds(const abut_collider *box) {
#if defined(ABUT_LANES_WASM) /* goes without the quick way, for its size */
    return bounds_by_kernel(box);
#else
    abut_aabb found = abut_box_usual_bounds(box, box->radius);
    if (isnan(found.min.x)) {
        found = bounds_by_kernel(box);
    }
    return found;
#endif
}

static void bounds_many(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]) {
    abut_shape_kernels_active()->box_bounds(collider, index, n, more, box);
}

static double extent(const abut_collider *box) {
    return (double)box->half.x + box->half.y + box->half.z + box->radius;
}

static abut_d3 support(const abut_collider *box, abut_d3 direction) {
    abut_d3 half = abut_d3_from(box->half);
    for (int k = 0; k < 3; k++) {
        half.x[k] = direction.x[k] < 0 ? -half.x[k] : half.x[k];
    }
    return half;
}

static uint32_t corner_count(const abut_collider *box) {
    (void)box;
    return 8;
}

/* Bit k of i chooses the end along axis k. */
static abut_d3 corner(const abut_collider *box, uint32_t i) {
    const abut_vec3 h = box->half;
    return (abut_d3){{i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}};
}

/* The end of `half` on one side of an axis; -1 and 1 are the same end where the box is flat. */
static const double side[2] = {-1, 1};

static int ends(double half) {
    return half > 0 ? 2 : 1;
}

/* The lines along axis k: each edge of the box, moved out along both its faces. The caller swaps the other two axes. */
static void edges_along(const abut_collider *box, int k, int out, int across, abut_shape_edge *visit, void *context) {
    const abut_d3 half = abut_d3_from(box->half);
    for (int i = 0; i < 2 && half.x[k] > 0; i++) {
        for (int j = 0; j < ends(half.x[across]); j++) {
            abut_d3 from, to;
            from.x[out] = side[i] * (half.x[out] + box->radius);
            from.x[across] = side[j] * half.x[across];
            from.x[k] = -half.x[k];
            to = from;
            to.x[k] = half.x[k];
            visit(from, to, context);
        }
    }
}

/* The arcs about axis k: a quarter at each corner, which make a circle where the box is a point across the axis. */
static void arcs_about(const abut_collider *box, int k, abut_shape_edge *visit, void *context) {
    const abut_d3 half = abut_d3_from(box->half);
    const int u = (k + 1) % 3, v = (k + 2) % 3;
    for (int end = 0; end < ends(half.x[k]); end++) {
        for (int i = 0; i < 4; i++) {
            const double along_u = side[i & 1], along_v = side[i >> 1];
            abut_d3 center, from = {{0}}, to = {{0}};
            center.x[k] = side[end] * half.x[k];
            center.x[u] = along_u * half.x[u];
            center.x[v] = along_v * half.x[v];
            from.x[u] = along_u;
            to.x[v] = along_v;
            abut_shape_arc(center, box->radius, from, to, visit, context);
        }
    }
}

/* A sphere is three circles, a capsule two circles, four lines and four half circles. */
static void edges(const abut_collider *box, abut_shape_edge *visit, void *context) {
    for (int k = 0; k < 3; k++) {
        edges_along(box, k, (k + 1) % 3, (k + 2) % 3, visit, context);
        edges_along(box, k, (k + 2) % 3, (k + 1) % 3, visit, context);
        arcs_about(box, k, visit, context);
    }
}

static uint64_t hash(const abut_collider *box, uint64_t hash) {
    (void)box;
    return hash;
}

static int compare(const abut_collider *a, const abut_collider *b) {
    return abut_bits_compare_floats(&a->half.x, &b->half.x, 4); /* and the radius */
}

static abut_obb local_obb(const abut_collider *box) {
    return (abut_obb){.rotation = {0, 0, 0, 1}, .half = box->half};
}

#define FUNCTIONS                                                                                                      \
  .valid = valid, .bounds = bounds, .bounds_many = bounds_many, .extent = extent, .support = support,                  \
  .corner_count = corner_count, .corner = corner, .hash = hash, .compare = compare, .local_obb = local_obb,            \
  .has_body_pose = true

const abut_shape_class abut_shape_box = {FUNCTIONS, .edges = NULL, .is_obb = true};
const abut_shape_class abut_shape_round_box = {FUNCTIONS, .edges = edges, .is_obb = false};
