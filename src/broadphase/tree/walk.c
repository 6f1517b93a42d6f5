/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "broadphase/tree/kernels.h"
#include <float.h>
#include <math.h>

static const abut_bp_tree_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_bp_tree_kernels)};

void abut_bp_walk_begin(const abut_bp_tree *tree, abut_bp_walk *walk) {
    walk->count = tree->count > 0;
    walk->classes = UINT32_MAX;
    walk->node[0] = abut_bp_walk_node(0, tree->levels - 1, 0);
}

/* The tests of boxes are in float and may only err towards a hit. Along an axis the ray enters at
 * (plane - origin) inverse. Each of the difference, the inverse, its scaling and the product is rounded once, by 2^-24
 * of itself at most; so the inverse is made smaller by 2^-21 of itself for entries and larger for exits. Where products
 * may be denormal, the origins are moved apart by LEAST, which is nothing beside coordinates of a usual size. An axis
 * that the ray moves on by less than 2^-90 of its way, which is nothing beside RAY_SLACK, is one on which it stands
 * still.
 */
static const float LEAST = 0x1p-120f, ROUNDING = 0x1p-23f;
static const float RAY_SLACK = 0x1p-37f; /* exact tests grow bodies by 1e-12 of S, at most three times that far */
static const float BOX_SLACK = 0x1p-27f; /* those of casts by 1e-9 of S + L, at most five times that far */
static const float STANDS_STILL = 0x1p-90f;

/* The power of two below the largest component, by which the translation is divided; at least the least normal float.
 * Returns its inverse. */
static double find_scale(const float translation[3], double *scale) {
    uint32_t largest = abut_bits_of_float(FLT_MIN);
    for (int axis = 0; axis < 3; axis++) {
        uint32_t bits = abut_bits_of_float(translation[axis]) & UINT32_C(0x7f800000);
        largest = bits > largest ? bits : largest;
    }
    *scale = abut_bits_to_float(largest);
    double inverse;
    uint64_t bits = (uint64_t)(1150 - (largest >> 23)) << 52;
    memcpy(&inverse, &bits, sizeof inverse);
    return inverse;
}

/* How far the farthest corner of the tree is, along the axes; 0 for an empty tree. */
static float farthest(const abut_bp_tree *tree, const float origin[3]) {
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += abut_max_f(origin[axis] - tree->bounds.min[axis], tree->bounds.max[axis] - origin[axis]);
    }
    return sum > 0 ? sum : 0;
}

/* A box that moves meets another where its middle meets that other one grown by its half extents: these move the
 * origins apart, too. The half extents of a ray are not read. */
static ABUT_INLINE void prepare(const abut_bp_tree *tree, const abut_bp_mover *m, bool is_box, abut_bp_ray *ray) {
    const float from[3] = {m->origin.x, m->origin.y, m->origin.z}, *half = m->half;
    const float way[3] = {m->translation.x, m->translation.y, m->translation.z};
    float far = farthest(tree, from);
    float least = LEAST + (is_box ? BOX_SLACK * (far + half[0] + half[1] + half[2]) : RAY_SLACK * far);
    ray->radius = is_box ? m->radius + least : 0;
    double to_scale = find_scale(way, &ray->scale);
    float length2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        float d = (float)(way[axis] * to_scale), apart = least + ROUNDING * fabsf(from[axis]);
        apart += is_box ? half[axis] + 4 * ROUNDING * half[axis] : 0;
        ray->origin[axis] = from[axis];
        ray->unit[axis] = d;
        length2 += d * d;
        bool stands = fabsf(d) < STANDS_STILL;
        d = stands ? 0 : d;
        uint32_t back = abut_bits_of_float(d) >> 31; /* random, so no branch */
        apart = abut_bits_to_float(abut_bits_of_float(apart) ^ back << 31);
        float inverse = stands ? INFINITY : 1 / d;
        ray->near_side[axis] = 24 * back;
        ray->near_origin[axis] = from[axis] + apart;
        ray->far_origin[axis] = from[axis] - apart;
        ray->near_inverse[axis] = inverse * (1 - 0x1p-21f);
        ray->far_inverse[axis] = inverse * (1 + 0x1p-21f);
    }
    float per_length = length2 > 0 ? 1 / sqrtf(length2) : 0;
    for (int axis = 0; axis < 3; axis++) {
        ray->unit[axis] *= per_length;
    }
}

static float round_up_finite(double value) {
    return value < FLT_MAX ? abut_bits_round_up_positive(value) : FLT_MAX;
}

static void begin(const abut_bp_tree *tree, abut_bp_flight *flight) {
    abut_bp_walk_begin(tree, &flight->walk);
    abut_bp_flight_shorten(flight, 1);
}

void abut_bp_flight_begin(const abut_bp_tree *tree, abut_vec3 origin, abut_vec3 translation, abut_bp_flight *flight) {
    const abut_bp_mover point = {.origin = origin, .translation = translation};
    prepare(tree, &point, false, &flight->ray);
    begin(tree, flight);
}

void abut_bp_flight_begin_box(const abut_bp_tree *tree, const abut_bp_mover *mover, abut_bp_flight *flight) {
    prepare(tree, mover, true, &flight->ray);
    begin(tree, flight);
}

void abut_bp_flight_shorten(abut_bp_flight *flight, double fraction) {
    flight->limit = round_up_finite(fraction * flight->ray.scale);
}

void abut_bp_fly(const abut_bp_tree *tree, abut_bp_flight *flight) {
    if (flight->walk.count == 0) {
        flight->found.n = 0;
        return;
    }
    kernels[abut_isa_active()]->fly(tree, flight);
}

void abut_bp_vicinity_begin(const abut_bp_tree *tree, const abut_bp_box *box, abut_bp_vicinity *vicinity) {
    vicinity->box = *box;
    abut_bp_walk_begin(tree, &vicinity->walk);
    abut_bp_vicinity_limit(vicinity, INFINITY);
}

/* The square of a distance in float is within 2^-20 of its value, or LEAST. */
void abut_bp_vicinity_limit(abut_bp_vicinity *vicinity, double distance) {
    vicinity->limit = round_up_finite(distance * distance * (1 + 0x1p-20) + LEAST);
}

void abut_bp_look(const abut_bp_tree *tree, abut_bp_vicinity *vicinity) {
    kernels[abut_isa_active()]->look(tree, vicinity);
}

uint32_t abut_bp_walk_box(const abut_bp_tree *tree, const abut_bp_box *box, const abut_slant *slant, abut_bp_walk *walk,
                          uint32_t *key, uint32_t room) {
    return kernels[abut_isa_active()]->box(tree, box, slant, walk, key, room);
}
