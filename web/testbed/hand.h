/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The visitor's hand: holds one body, drags it, and throws it. */
#ifndef ABUT_WEB_HAND_H
#define ABUT_WEB_HAND_H

#include "stage.h"

/* Takes hold of a body, or of the first of its compound. false: there is no such body, or it is the ground. */
bool hand_grab(stage *s, uint32_t index1);
/* Where the body's origin shall be. */
void hand_drag(abut_vec3 to);
/* Lets go: the body flies on as it was moving. */
void hand_release(const stage_scene *scene);
/* Moves what is held or flies by a frame, after the scene has moved everything. */
abut_result hand_move(stage *s, const stage_scene *scene);
void hand_forget(void);

#endif
