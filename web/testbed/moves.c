/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "moves.h"
#include "vec.h"

enum {
    root = figure_root,
    chest = figure_chest,
    head = figure_head,
    hip = figure_hip,
    knee = figure_knee,
    foot = figure_foot,
    shoulder = figure_shoulder,
    elbow = figure_elbow,
    fist = figure_fist,
    l_hip = hip + figure_other_side,
    l_knee = knee + figure_other_side,
    l_foot = foot + figure_other_side,
    l_shoulder = shoulder + figure_other_side,
    l_elbow = elbow + figure_other_side
};

/* Turns about z, where positive ones swing a hanging limb forward and lean the trunk back; about y positive ones turn
 * to the left; about x positive ones lean the trunk to the right and swing a hanging limb to the left. Guard is in
 * fight.c. Moves are those of the right side. */
const move move_table[move_kind_count] = {
    [move_jab] = {4,
                  5,
                  3,
                  9,
                  22,
                  0,
                  fist,
                  {{shoulder, 0, 0, -12}, {chest, 0, -8, 0}},
                  {{chest, 0, 24, -8},
                   {root, 0, 8, 0},
                   {shoulder, 0, -20, 55},
                   {elbow, 0, 0, -92},
                   {hip, 0, 0, 12},
                   {l_shoulder, 0, 0, 10}}},
    [move_cross] = {7,
                    5,
                    4,
                    13,
                    30,
                    0,
                    fist,
                    {{chest, 0, -26, 4}, {root, 0, -10, 0}, {shoulder, 0, 0, -40}, {elbow, 0, 0, 15}},
                    {{chest, 4, 44, -14},
                     {root, 0, 26, 0},
                     {shoulder, 0, -38, 58},
                     {elbow, 0, 0, -92},
                     {hip, 0, 0, -18},
                     {l_hip, 0, 0, 16},
                     {l_knee, 0, 0, -16},
                     {l_shoulder, 0, 0, 12}}},
    [move_hook] =
        {8,
         6,
         4,
         14,
         24,
         0,
         fist,
         {{chest, 0, -34, 0}, {root, 0, -12, 0}, {shoulder, -58, 0, 0}, {elbow, 0, 0, -10}},
         {{chest, 0, 46, -4}, {root, 0, 24, 0}, {shoulder, -52, 34, 38}, {elbow, 0, 0, -22}, {l_shoulder, 0, 0, 14}}},
    [move_uppercut] = {9,
                       6,
                       5,
                       16,
                       28,
                       0,
                       fist,
                       {{chest, 12, -26, -22},
                        {hip, 0, 0, 26},
                        {knee, 0, 0, -40},
                        {l_hip, 0, 0, 26},
                        {l_knee, 0, 0, -40},
                        {shoulder, 0, 0, -56},
                        {elbow, 0, 0, -10}},
                       {{chest, -6, 36, 16},
                        {root, 0, 18, 0},
                        {shoulder, 0, -16, 82},
                        {elbow, 0, 0, -12},
                        {hip, 0, 0, -10},
                        {knee, 0, 0, 12}}},
    [move_front_kick] = {8,
                         6,
                         4,
                         16,
                         16,
                         0,
                         foot,
                         {{hip, 0, 0, 84}, {knee, 0, 0, -88}, {chest, 0, 0, 6}, {l_knee, 0, 0, -8}},
                         {{hip, 0, 0, 90},
                          {knee, 0, 0, 18},
                          {foot, 0, 0, 24},
                          {chest, 0, 0, 24},
                          {root, 0, 12, 14},
                          {l_hip, 0, 0, -14},
                          {shoulder, 0, 0, -50},
                          {elbow, 0, 0, -50}}},
    [move_roundhouse] =
        {9,
         7,
         4,
         18,
         18,
         0,
         foot,
         {{root, -8, 20, 0}, {hip, -34, 0, 60}, {knee, 0, 0, -80}, {chest, -10, -16, 0}},
         {{root, -34, 66, 0},
          {hip, -62, 0, 66},
          {knee, 0, 0, 16},
          {foot, 0, 0, -20},
          {chest, -22, -30, 6},
          {l_hip, 34, 0, 0},
          {shoulder, 0, 0, -60},
          {elbow, 0, 0, -60},
          {head, 20, 0, 0}}},
    [move_spin_kick] = {14,
                        10,
                        4,
                        20,
                        26,
                        90,
                        foot,
                        {{root, 0, 10, 0},
                         {hip, -10, 0, 40},
                         {knee, 0, 0, -80},
                         {chest, 0, 14, -10},
                         {l_knee, 0, 0, -16},
                         {l_hip, 0, 0, 14}},
                        {{root, -30, 20, 0},
                         {hip, -66, 0, 50},
                         {knee, 0, 0, 14},
                         {chest, -26, -10, 0},
                         {l_hip, 28, 0, 0},
                         {shoulder, -30, 0, -40},
                         {elbow, 0, 0, -60},
                         {head, 24, 0, 0}}},
    [move_lean_back] = {3,
                        7,
                        8,
                        14,
                        -26,
                        0,
                        0,
                        {{chest, 0, 0, 8}},
                        {{chest, 0, 0, 34},
                         {root, 0, 0, 12},
                         {head, 0, 0, -14},
                         {l_hip, 0, 0, 8},
                         {hip, 0, 0, -16},
                         {shoulder, 0, 0, 18},
                         {l_shoulder, 0, 0, 18}}},
    [move_duck] = {3,
                   7,
                   9,
                   14,
                   -4,
                   0,
                   0,
                   {{knee, 0, 0, -12}},
                   {{hip, 0, 0, 66},
                    {knee, 0, 0, -104},
                    {foot, 0, 0, 40},
                    {l_hip, 0, 0, 84},
                    {l_knee, 0, 0, -104},
                    {l_foot, 0, 0, 22},
                    {chest, 0, 0, -32},
                    {head, 0, 0, 20},
                    {shoulder, 0, 0, 16}}},
    [move_slip] = {3,
                   7,
                   7,
                   13,
                   -8,
                   0,
                   0,
                   {{chest, 6, 0, 0}},
                   {{chest, 34, -24, -12},
                    {root, 12, -12, 0},
                    {head, -16, 10, 0},
                    {hip, -18, 0, 16},
                    {knee, 0, 0, -36},
                    {l_hip, -12, 0, 0}}},
    [move_guard_up] = {3,
                       5,
                       12,
                       12,
                       -10,
                       0,
                       0,
                       {{shoulder, 0, 0, 8}},
                       {{shoulder, 10, 0, 44},
                        {elbow, 0, 0, 38},
                        {l_shoulder, -10, 0, 32},
                        {l_elbow, 0, 0, 44},
                        {chest, 0, 0, -14},
                        {head, 0, 0, -18}}},
    [move_head_hit] = {1,
                       4,
                       5,
                       20,
                       -34,
                       0,
                       0,
                       {{head, 0, 0, 10}},
                       {{head, 8, 20, 42},
                        {chest, 6, 20, 30},
                        {root, 0, 10, 8},
                        {shoulder, 0, 0, -44},
                        {l_shoulder, 0, 0, -30},
                        {elbow, 0, 0, -40},
                        {l_elbow, 0, 0, -30},
                        {hip, 0, 0, 20},
                        {knee, 0, 0, -18}}},
    [move_body_hit] = {1,
                       5,
                       6,
                       20,
                       -40,
                       0,
                       0,
                       {{chest, 0, 0, -8}},
                       {{chest, 0, 14, -50},
                        {root, 0, 0, -8},
                        {head, 0, 0, -10},
                        {shoulder, 0, 0, 20},
                        {l_shoulder, 0, 0, 24},
                        {hip, 0, 0, 40},
                        {l_hip, 0, 0, 34},
                        {knee, 0, 0, -40},
                        {l_knee, 0, 0, -36}}},
    [move_fall] =
        {1,
         22,
         40,
         44,
         -70,
         0,
         0,
         {{head, 0, 0, 20}},
         {{root, 0, 12, 88},
          {chest, 0, 0, -4},
          {head, 0, 0, -24},
          {shoulder, -60, 0, -40},
          {l_shoulder, 60, 0, -50},
          {elbow, 0, 0, -70},
          {l_elbow, 0, 0, -70},
          {hip, -14, 0, 20},
          {knee, 0, 0, -50}}},
};

uint32_t move_frames(const move *m) {
    return (uint32_t)m->draw + m->strike + m->hold + m->recover;
}

bool move_hits(const move *m, uint32_t frame) {
    return m->limb != 0 && frame > m->draw && frame <= (uint32_t)m->draw + m->strike + m->hold / 2;
}

static float ease(float t) {
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

float move_reach(const move *m, uint32_t frame) {
    float rise = ((float)frame - (float)m->draw) / (float)m->strike;
    float fall = ((float)frame - (float)(m->draw + m->strike + m->hold)) / (float)m->recover;
    return ease(rise) * (1 - ease(fall));
}

abut_quat move_spin(const move *m, uint32_t frame, bool mirrored) {
    float part = ease((float)frame / (float)(m->draw + m->strike));
    float quarter = (mirrored ? -1.0f : 1.0f) * part * (float)m->spin;
    abut_quat q = quat_degrees(vec(0, quarter, 0));
    q = quat_multiply(q, q);
    return quat_multiply(q, q);
}

static void add_changes(const move_change *changes, int most, float weight, bool mirrored, figure_pose *pose) {
    for (int i = 0; i < most; ++i) {
        const move_change *c = &changes[i];
        int link = c->link;
        abut_vec3 turn = vec((float)c->x, (float)c->y, (float)c->z);
        if (mirrored) {
            link += link > fist ? -figure_other_side : link > head ? figure_other_side : 0;
            turn = vec(-turn.x, -turn.y, turn.z);
        }
        pose->turn[link] = vec_along(pose->turn[link], weight, turn);
    }
}

void move_apply(const move *m, uint32_t frame, bool mirrored, figure_pose *pose) {
    float reach = move_reach(m, frame);
    float drawn = ease((float)frame / (float)m->draw) * (1 - ease(((float)frame - (float)m->draw) / (float)m->strike));
    add_changes(m->drawn, sizeof m->drawn / sizeof m->drawn[0], drawn, mirrored, pose);
    add_changes(m->struck, sizeof m->struck / sizeof m->struck[0], reach, mirrored, pose);
}
