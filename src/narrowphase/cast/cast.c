/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A moving shape against many colliders. A function for each pair of types finds the fractions of bodies that are a
 * little larger; only where those hold the start already is the predicate of touching shapes asked. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/kernels.h"
#include "narrowphase/round/round.h"

abut_np_cast abut_np_cast_of(const abut_collider *start, abut_vec3 translation) {
    return (abut_np_cast){*start, {translation.x, translation.y, translation.z}};
}

/* Colliders are sorted by type a block at a time. */
enum { BLOCK = 64 };

static abut_np_cast_box box_of(const abut_collider *box, const double translation[3]) {
    const abut_vec3 c = box->center, h = box->half;
    const abut_quat q = box->rotation;
    abut_np_cast_box out = {
        .center = {c.x, c.y, c.z}, .rotation = {q.x, q.y, q.z, q.w}, .half = {h.x, h.y, h.z}, .radius = box->radius};
    abut_dquat_matrix_quick(abut_dquat_from(q), out.axes);
    abut_d3 along = abut_d3_unrotate(out.axes, abut_d3_load(translation));
    for (int i = 0; i < 3; i++) {
        out.along[i] = along.x[i];
    }
    return out;
}

static void cast_box_at_boxes(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                              double limit, double *fraction) {
    const abut_np_cast_box box = box_of(&cast->start, cast->translation);
    (void)limit;
    abut_np_cast_kernels_for(n)->boxes(&box, collider, index, n, fraction);
}

/* A box that holds the shape; the shape itself, whatever its radius, if its core is a box. */
static abut_collider box_around(const abut_collider *collider) {
    if (!collider->hull) {
        return *collider;
    }
    const abut_obb box = abut_collider_obb(collider);
    return (abut_collider){.center = box.center, .rotation = box.rotation, .half = box.half, .type = ABUT_SHAPE_BOX};
}

static void lengthen(abut_collider *box, double by) {
    box->half.x = abut_bits_round_up(box->half.x + by);
    box->half.y = abut_bits_round_up(box->half.y + by);
    box->half.z = abut_bits_round_up(box->half.z + by);
}

/* When the shapes' boxes meet, or, while cores are boxes, when no axis shows a gap over the radii. */
static void begin_steps(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                        double *fraction) {
    abut_collider around[BLOCK];
    uint32_t which[BLOCK];
    const abut_collider own = box_around(&cast->start);
    const abut_np_cast_box box = box_of(&own, cast->translation);
    const abut_np_cast_kernels *kernels = abut_np_cast_kernels_for(n);
    if (!cast->start.hull && !collider[index[0]].hull) {
        kernels->rounds(&box, collider, index, n, fraction);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        which[k] = (uint32_t)k;
        around[k] = box_around(&collider[index[k]]);
        lengthen(&around[k], ABUT_NP_CAST_ROUND_SLACK * abut_np_size_of(&cast->start, &collider[index[k]]));
    }
    kernels->rounds(&box, around, which, n, fraction);
}

/* At most BLOCK colliders of one type. */
static void cast_by_steps(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                          double limit, double *fraction) {
    begin_steps(cast, collider, index, n, fraction);
    for (size_t k = 0; k < n; k++) {
        if (fraction[k] > limit) {
            fraction[k] = INFINITY;
        } else if (fraction[k] > 0) {
            abut_np_moving moving;
            abut_np_moving_place(cast, &collider[index[k]], &moving);
            fraction[k] = abut_np_cast_stepped(&moving, fraction[k], limit, NULL);
        }
    }
}

/* As abut_np_cast_many for at most BLOCK colliders of one type; 0 where it is open whether they touch at the start. */
typedef void cast_many(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction);

#define BOXES cast_box_at_boxes
#define STEPS cast_by_steps

/* By the types of the moving shape and of the bodies: box, hull, sphere, capsule, round box, round hull. */
static cast_many *const cast_table[ABUT_SHAPE_CONVEX_TYPES][ABUT_SHAPE_CONVEX_TYPES] = {
    [ABUT_SHAPE_BOX] = {BOXES, STEPS, abut_np_cast_box_at_points, STEPS, STEPS, STEPS},
    [ABUT_SHAPE_HULL] = {STEPS, STEPS, abut_np_cast_hull_at_points, STEPS, STEPS, STEPS},
    [ABUT_SHAPE_SPHERE] = {abut_np_cast_point_at_boxes, abut_np_cast_point_at_hulls, abut_np_cast_point_at_spheres,
                           abut_np_cast_point_at_boxes, abut_np_cast_point_at_boxes, abut_np_cast_point_at_hulls},
    [ABUT_SHAPE_CAPSULE] = {STEPS, STEPS, abut_np_cast_box_at_points, STEPS, STEPS, STEPS},
    [ABUT_SHAPE_ROUND_BOX] = {STEPS, STEPS, abut_np_cast_box_at_points, STEPS, STEPS, STEPS},
    [ABUT_SHAPE_ROUND_HULL] = {STEPS, STEPS, abut_np_cast_hull_at_points, STEPS, STEPS, STEPS},
};

static bool stands_still(const abut_np_cast *cast) {
    return cast->translation[0] == 0 && cast->translation[1] == 0 && cast->translation[2] == 0;
}

/* Where rounding left open whether the shapes touch at the start. */
static double cast_near_start(const abut_np_cast *cast, const abut_collider *collider, double limit) {
    abut_np_moving moving;
    if (abut_np_overlap(&cast->start, collider)) {
        return ABUT_NP_CAST_TOUCHED;
    }
    if (stands_still(cast)) {
        return INFINITY;
    }
    abut_np_moving_place(cast, collider, &moving);
    double fraction = abut_np_cast_stepped(&moving, 0, limit, NULL);
    return fraction == 0 && abut_np_cast_leads_apart(cast, &moving, collider) ? INFINITY : fraction;
}

/* At most BLOCK colliders of one type. */
static void cast_at_type(uint32_t type, const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                         size_t n, double limit, double *fraction) {
    cast_table[cast->start.type][type](cast, collider, index, n, limit, fraction);
    for (size_t k = 0; k < n; k++) {
        if (fraction[k] == 0) {
            fraction[k] = cast_near_start(cast, &collider[index[k]], limit);
        }
    }
}

/* At most BLOCK colliders of several types, which are the bits of `types`. */
static void cast_at_several_types(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                  size_t n, uint32_t types, double limit, double *fraction) {
    uint32_t which[BLOCK], place[BLOCK];
    double found[BLOCK];
    for (; types; types &= types - 1) {
        uint32_t type = abut_bits_lowest(types);
        size_t count = 0;
        for (size_t k = 0; k < n; k++) {
            which[count] = index[k];
            place[count] = (uint32_t)k;
            count += collider[index[k]].type == type;
        }
        cast_at_type(type, cast, collider, which, count, limit, found);
        for (size_t k = 0; k < count; k++) {
            fraction[place[k]] = found[k];
        }
    }
}

void abut_np_cast_many(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction) {
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        uint32_t types = 0;
        for (size_t k = first; k < first + count; k++) {
            types |= UINT32_C(1) << collider[index[k]].type;
        }
        if (types & (types - 1)) {
            cast_at_several_types(cast, collider, index + first, count, types, limit, fraction + first);
        } else {
            cast_at_type(abut_bits_lowest(types), cast, collider, index + first, count, limit, fraction + first);
        }
    }
}
