/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "shape/collider.h"

abut_aabb abut_obb_bounds(const abut_obb *box) {
    abut_collider collider;
    if (!abut_collider_from_obb(box, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}

void abut_obb_corners(const abut_obb *box, abut_vec3 out[8]) {
    abut_collider collider;
    if (!out) {
        return;
    }
    if (!abut_collider_from_obb(box, &collider)) {
        for (int i = 0; i < 8; i++) {
            out[i] = (abut_vec3){NAN, NAN, NAN};
        }
        return;
    }
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(collider.rotation), m);
    abut_d3 half = abut_d3_from(collider.half), center = abut_d3_from(collider.center);
    for (int i = 0; i < 8; i++) {
        abut_d3 local = {
            {i & 1 ? half.x[0] : -half.x[0], i & 2 ? half.x[1] : -half.x[1], i & 4 ? half.x[2] : -half.x[2]}};
        out[i] = abut_vec3_round(abut_d3_along(center, 1, abut_d3_rotate(m, local)));
    }
}
