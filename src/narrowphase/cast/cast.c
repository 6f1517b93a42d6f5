/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

abut_np_cast abut_np_cast_of(const abut_collider *start, abut_vec3 translation) {
    return (abut_np_cast){*start, {translation.x, translation.y, translation.z}};
}

void abut_np_cast_many(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction) {
    (void)limit;
    for (size_t k = 0; k < n; k++) {
        fraction[k] = abut_np_overlap(&cast->start, &collider[index[k]]) ? ABUT_NP_CAST_TOUCHED : INFINITY;
    }
}

void abut_np_cast_place(const abut_np_cast *cast, const abut_collider *collider, double fraction, abut_vec3 *position,
                        abut_vec3 *normal) {
    (void)fraction;
    (void)abut_np_nearest_point(&cast->start, collider, position, normal);
}

bool abut_np_cast_closes(const abut_np_cast *cast, const abut_collider *collider, abut_vec3 *position,
                         abut_vec3 *normal) {
    abut_manifold m;
    abut_vec3 none;
    (void)abut_np_nearest_point(&cast->start, collider, position, &none);
    *normal = (abut_vec3){0, 0, 0};
    if (abut_np_collide(collider, &cast->start, 0, &m)) {
        *normal = m.normal;
    }
    return abut_d3_dot(abut_d3_load(cast->translation), abut_d3_from(*normal)) < 0;
}
