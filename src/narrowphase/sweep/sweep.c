/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

/* Shapes that touch at the start. */
static bool touching(const abut_np_couple *couple, const abut_np_instant *start, const abut_np_gap *gap,
                     abut_initial initial, float allowance, double end, double limit, abut_np_met *met) {
    switch (initial) {
    case ABUT_INITIAL_HIT:
        *met = (abut_np_met){.position = abut_np_point_at(couple, start, gap)};
        return true;
    case ABUT_INITIAL_CLOSING:
        return abut_np_close_in(couple, start, gap, allowance, end, limit, met);
    default:
        return false;
    }
}

bool abut_np_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                   abut_np_met *met) {
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_gap gap;
    double begin, end;
    abut_np_couple_of(a, b, &couple);
    if (!abut_np_couple_times(&couple, &begin, &end) || begin > limit) {
        return false;
    }
    abut_np_instant_begin(&couple, begin, &instant);
    if (!abut_np_first_step(&couple, end, &instant) || instant.time > limit) {
        return false;
    }
    double left = abut_min_d(end, limit) - instant.time;
    if (!abut_np_gap_at(&couple, &instant, left * couple.travel + couple.tolerance, false, &gap)) {
        return false;
    }
    if (instant.time == 0 && gap.distance <= couple.tolerance) {
        return touching(&couple, &instant, &gap, initial, allowance, end, limit, met);
    }
    return abut_np_approach(&couple, &instant, &gap, end, limit, met);
}

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
