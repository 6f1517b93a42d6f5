/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "figure.h"
#include "palette.h"
#include "vec.h"

typedef struct link {
    uint32_t parent;
    abut_vec3 joint;  /* in the parent's frame */
    abut_vec3 centre; /* of the box, from the joint */
    abut_vec3 half;
} link;

/* Of the right side; those of the left are mirrored. */
static const link links[] = {
    {figure_root, {0, 0, 0}, {0, 0, 0}, {0.10f, 0.10f, 0.14f}},
    {figure_root, {0, 0.10f, 0}, {0, 0.17f, 0}, {0.11f, 0.17f, 0.17f}},
    {figure_chest, {0, 0.36f, 0}, {0.02f, 0.13f, 0}, {0.10f, 0.12f, 0.085f}},
    {figure_root, {0, -0.06f, 0.10f}, {0, -0.20f, 0}, {0.08f, 0.20f, 0.08f}},
    {figure_hip, {0, -0.41f, 0}, {0, -0.19f, 0}, {0.06f, 0.19f, 0.06f}},
    {figure_knee, {0, -0.39f, 0}, {0.06f, -0.02f, 0}, {0.12f, 0.04f, 0.05f}},
    {figure_chest, {0, 0.29f, 0.22f}, {0, -0.13f, 0}, {0.055f, 0.15f, 0.055f}},
    {figure_shoulder, {0, -0.28f, 0}, {0, -0.12f, 0}, {0.045f, 0.13f, 0.045f}},
    {figure_elbow, {0, -0.26f, 0}, {0, -0.05f, 0}, {0.055f, 0.06f, 0.055f}},
};

static link link_at(uint32_t i) {
    link l = links[i > figure_fist ? i - figure_other_side : i];
    if (i > figure_fist) {
        l.parent += l.parent > figure_head ? figure_other_side : 0;
        l.joint.z = -l.joint.z;
    }
    return l;
}

abut_result figure_add(stage *s) {
    size_t first = s->count;
    abut_result result = ABUT_OK;
    for (uint32_t i = 0; i < figure_links && result == ABUT_OK; ++i) {
        link l = link_at(i);
        abut_body_def def = {.pose.position = l.joint, .half = l.half, .box.position = l.centre};
        if (i != figure_root) {
            def.parent = s->bodies[first + l.parent].id;
        }
        result = stage_add(s, def, 0, palette_white);
    }
    return result;
}

/* The depth of the lowest corner of all boxes below the joint of the root. */
static float depth_of(const stage_body *bodies) {
    abut_pose at[figure_links];
    float depth = 0;
    for (uint32_t i = 0; i < figure_links; ++i) {
        const abut_pose *pose = &bodies[i].pose, *parent = &at[link_at(i).parent];
        at[i] = (abut_pose){{0, 0, 0}, pose->rotation};
        if (i != figure_root) {
            at[i].position = pose_point(parent, pose->position);
            at[i].rotation = quat_multiply(parent->rotation, pose->rotation);
        }
        abut_quat back = quat_conjugate(at[i].rotation);
        abut_vec3 up = quat_turn(back, vec(0, 1, 0)), half = bodies[i].scale;
        float low = at[i].position.y + vec_dot(up, bodies[i].centre);
        low -= fabsf(up.x) * half.x + fabsf(up.y) * half.y + fabsf(up.z) * half.z;
        depth = fmaxf(depth, -low);
    }
    return depth;
}

void figure_take_pose(stage *s, size_t first, const figure_pose *pose, float x, float z, abut_quat heading) {
    stage_body *bodies = &s->bodies[first];
    for (uint32_t i = 0; i < figure_links; ++i) {
        bodies[i].pose.rotation = quat_degrees(pose->turn[i]);
    }
    bodies[0].pose.rotation = quat_multiply(heading, bodies[0].pose.rotation);
    bodies[0].pose.position = vec(x, depth_of(bodies), z);
}
