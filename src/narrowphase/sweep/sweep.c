/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

static bool touch_at_start(const abut_np_couple *couple, const abut_np_instant *start) {
    abut_np_gap gap;
    return abut_np_gap_at(couple, start, couple->tolerance, &gap) && gap.distance <= couple->tolerance;
}

bool abut_np_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                   abut_np_met *met) {
    abut_np_couple couple;
    double begin, end;
    abut_np_couple_of(a, b, &couple);
    if (!abut_np_couple_times(&couple, &begin, &end) || begin > limit) {
        return false;
    }
    if (begin == 0) {
        abut_np_instant start;
        abut_np_instant_at(&couple, 0, &start);
        if (touch_at_start(&couple, &start)) {
            if (initial == ABUT_INITIAL_HIT) {
                *met = (abut_np_met){.position = abut_np_point_at(&couple, &start)};
            }
            return initial == ABUT_INITIAL_HIT ||
                   (initial == ABUT_INITIAL_CLOSING && abut_np_close_in(&couple, allowance, end, limit, met));
        }
    }
    return abut_np_approach(&couple, begin, end, limit, met);
}

static bool way_of(const abut_shape *shape, const abut_pose *from, const abut_pose *to, abut_np_way *way) {
    abut_collider first, last;
    if (!abut_collider_from_shape(shape, from, &first) || !abut_collider_from_shape(shape, to, &last)) {
        return false;
    }
    const abut_pose begin = {first.center, first.rotation}, end = {last.center, last.rotation};
    abut_np_way_of(&first, NULL, &begin, &end, way);
    return true;
}

bool abut_shape_sweep(const abut_shape *a, const abut_pose *from_a, const abut_pose *to_a, const abut_shape *b,
                      const abut_pose *from_b, const abut_pose *to_b, abut_initial initial, abut_hit *hit) {
    abut_np_way way_a, way_b;
    abut_np_met met;
    if ((unsigned)initial > ABUT_INITIAL_SKIP || !way_of(a, from_a, to_a, &way_a) || !way_of(b, from_b, to_b, &way_b) ||
        !abut_np_sweep(&way_a, &way_b, initial, 0, 1, &met)) {
        return false;
    }
    if (hit) {
        *hit =
            (abut_hit){.fraction = abut_np_ray_fraction(met.fraction), .position = met.position, .normal = met.normal};
    }
    return true;
}
