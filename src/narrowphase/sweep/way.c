/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_way_of(const abut_collider *shape, const abut_dpose *local, const abut_pose *from, const abut_pose *to,
                    abut_np_way *way) {
    (void)local;
    (void)to;
    *way = (abut_np_way){.shape = *shape, .from = abut_d3_from(from->position)};
}

void abut_np_way_still(const abut_collider *collider, abut_np_way *way) {
    *way = (abut_np_way){.shape = *collider, .from = abut_d3_from(collider->center)};
}

void abut_np_way_line(const abut_np_way *way, double extent, abut_np_line *line) {
    (void)way;
    (void)extent;
    *line = (abut_np_line){{0}, {0}, {0}};
}
