/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One ray against many colliders. */
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"

/* Colliders are sorted by type a block at a time. */
enum { BLOCK = 64 };

static const abut_np_ray_growth none = {0, ABUT_NP_RAY_SLACK};

typedef void cast_many(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction);

static void cast_at_boxes(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                          double limit, double *fraction) {
    (void)limit;
    abut_np_ray_kernels_for(n)->boxes(ray, collider, index, n, fraction);
}

static void cast_at_spheres(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                            double limit, double *fraction) {
    (void)limit;
    abut_np_ray_kernels_for(n)->spheres(ray, &none, collider, index, n, fraction);
}

static void cast_at_rounds(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                           double limit, double *fraction) {
    (void)limit;
    abut_np_ray_kernels_for(n)->rounds(ray, &none, collider, index, n, fraction);
}

static void cast_at_hulls(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                          double limit, double *fraction) {
    static const abut_np_ray_growth alone = {0, 0};
    for (size_t k = 0; k < n; k++) {
        fraction[k] = abut_np_cast_hull(ray, &alone, &collider[index[k]], limit);
    }
}

static cast_many *const cast_table[ABUT_SHAPE_CONVEX_TYPES] = {
    [ABUT_SHAPE_BOX] = cast_at_boxes,        [ABUT_SHAPE_HULL] = cast_at_hulls,
    [ABUT_SHAPE_SPHERE] = cast_at_spheres,   [ABUT_SHAPE_CAPSULE] = cast_at_rounds,
    [ABUT_SHAPE_ROUND_BOX] = cast_at_rounds, [ABUT_SHAPE_ROUND_HULL] = cast_at_hulls,
};

/* At most BLOCK colliders of several types, which are the bits of `types`. */
static void cast_at_several_types(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index,
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
        cast_table[type](ray, collider, which, count, limit, found);
        for (size_t k = 0; k < count; k++) {
            fraction[place[k]] = found[k];
        }
    }
}

double abut_np_cast_ray(const abut_np_ray *ray, const abut_collider *collider, double limit) {
    static const uint32_t first = 0;
    double fraction;
    cast_table[collider->type](ray, collider, &first, 1, limit, &fraction);
    return fraction;
}

void abut_np_cast_ray_many(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                           double limit, double *fraction) {
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        uint32_t types = 0;
        for (size_t k = first; k < first + count; k++) {
            types |= UINT32_C(1) << collider[index[k]].type;
        }
        if (types & (types - 1)) {
            cast_at_several_types(ray, collider, index + first, count, types, limit, fraction + first);
        } else {
            cast_table[abut_bits_lowest(types)](ray, collider, index + first, count, limit, fraction + first);
        }
    }
}
