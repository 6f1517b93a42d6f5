/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A fighter's body: 15 boxes, each attached to its parent link. Metres; it faces its own +x, y is up, its right hand is
 * on the side of +z. */
#ifndef ABUT_WEB_FIGURE_H
#define ABUT_WEB_FIGURE_H

#include "stage.h"

/* Limbs of the left side come `figure_other_side` after those of the right. */
enum {
    figure_root,
    figure_chest,
    figure_head,
    figure_hip,
    figure_knee,
    figure_foot,
    figure_shoulder,
    figure_elbow,
    figure_fist,
    figure_links = 15,
    figure_other_side = figure_fist - figure_head
};

/* Rotation vectors of the links relative to their parents, in degrees. */
typedef struct figure_pose {
    abut_vec3 turn[figure_links];
} figure_pose;

/* Adds its bodies to the stage, one after the other. */
abut_result figure_add(stage *s);
/* Poses of the bodies from `first` on: it stands on the ground at (x, z) and looks where `heading` turns it. */
void figure_take_pose(stage *s, size_t first, const figure_pose *pose, float x, float z, abut_quat heading);

#endif
