/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/made.h"

abut_result made_of_spec(const frustum_spec *s, abut_frustum *frustum) {
    switch (s->kind) {
    case FRUSTUM_PERSPECTIVE:
        return abut_frustum_perspective(s->eye, s->left, s->up, s->direction, s->half_width, s->half_height,
                                        s->near_distance, s->far_distance, frustum);
    case FRUSTUM_CAMERA:
        return abut_frustum_camera(&s->camera, s->half_width, s->half_height, s->near_distance, s->far_distance,
                                   frustum);
    case FRUSTUM_ORTHOGRAPHIC:
        return abut_frustum_orthographic(&s->box, frustum);
    default:
        return abut_frustum_from_matrix(s->matrix, s->clip, frustum);
    }
}
