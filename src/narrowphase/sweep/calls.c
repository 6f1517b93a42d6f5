/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public function for two shapes. */
#include "narrowphase/narrowphase.h"

/* The way of a shape, which may be a mesh. */
static bool way_of(const abut_shape *shape, const abut_pose *from, const abut_pose *to, abut_np_way *way) {
    abut_collider first, last;
    if (!abut_collider_from_shape_or_mesh(shape, from, &first) || !abut_collider_from_shape_or_mesh(shape, to, &last)) {
        return false;
    }
    const abut_pose begin = {first.center, first.rotation}, end = {last.center, last.rotation};
    abut_np_way_of(&first, NULL, &begin, &end, way);
    return true;
}

/* The first triangle that is met; the lowest of several. */
typedef struct first_met {
    abut_np_met met;
    uint32_t part;
    bool any;
} first_met;

static double take_earlier(uint32_t part, const abut_np_met *met, void *context) {
    first_met *first = context;
    double before = first->any ? first->met.fraction : INFINITY;
    if (met->fraction < before || (met->fraction == before && part < first->part)) {
        *first = (first_met){*met, part, true};
    }
    return first->met.fraction;
}

bool abut_shape_sweep(const abut_shape *a, const abut_pose *from_a, const abut_pose *to_a, const abut_shape *b,
                      const abut_pose *from_b, const abut_pose *to_b, abut_initial initial, abut_hit *hit) {
    abut_np_way way_a, way_b;
    first_met first = {.any = false};
    if ((unsigned)initial > ABUT_INITIAL_SKIP || !way_of(a, from_a, to_a, &way_a) || !way_of(b, from_b, to_b, &way_b) ||
        (a->mesh && b->mesh)) {
        return false;
    }
    if (a->mesh || b->mesh) {
        abut_np_mesh_sweep(&way_a, &way_b, initial, 0, 1, take_earlier, &first);
    } else {
        first.any = abut_np_sweep(&way_a, &way_b, initial, 0, 1, &first.met);
    }
    if (first.any && hit) {
        *hit = (abut_hit){.fraction = abut_np_ray_fraction(first.met.fraction),
                          .position = first.met.position,
                          .normal = first.met.normal,
                          .part = first.part};
    }
    return first.any;
}
