/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The fighters' moves: punches, kicks, and ways of not being hit. */
#ifndef ABUT_WEB_MOVES_H
#define ABUT_WEB_MOVES_H

#include "figure.h"

typedef enum move_kind {
    move_jab,
    move_cross,
    move_hook,
    move_uppercut,
    move_front_kick,
    move_roundhouse,
    move_spin_kick,
    move_lean_back,
    move_duck,
    move_slip,
    move_guard_up,
    move_head_hit,
    move_body_hit,
    move_fall,
    move_kind_count,
    move_attack_count = move_lean_back,
    move_first_reaction = move_head_hit
} move_kind;

/* A link's rotation away from guard, in degrees. */
typedef struct move_change {
    int8_t link, x, y, z;
} move_change;

/* From guard to `drawn` in the first frames, then to `struck`, where it stays for a while, and back to guard. */
typedef struct move {
    uint8_t draw, strike, hold, recover; /* frames */
    int8_t step;                         /* centimetres forward at the end of the strike */
    uint8_t spin;                        /* of the whole body during draw and strike, in units of 4 degrees */
    uint8_t limb;                        /* that hits; 0: none */
    move_change drawn[7], struck[9];     /* up to a change of nothing */
} move;

extern const move move_table[move_kind_count];

uint32_t move_frames(const move *m);
/* Whether its limb hits at this frame. */
bool move_hits(const move *m, uint32_t frame);
/* Adds the move's change at a frame to the pose; mirrored: left and right exchanged. */
void move_apply(const move *m, uint32_t frame, bool mirrored, figure_pose *pose);
/* The progress of the strike: 0 .. 1. */
float move_reach(const move *m, uint32_t frame);
/* The rotation of the whole body. */
abut_quat move_spin(const move *m, uint32_t frame, bool mirrored);

#endif
