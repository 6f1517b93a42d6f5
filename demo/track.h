/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A recorded fight: the boxes of characters, frame by frame.
 *
 * DIR/bodies.csv: body,name,half_x,half_y,half_z[,radius]; bodies are numbered from 0 in this order. A radius makes
 * them round: with zero half extents a sphere, with one that is not zero a capsule. DIR/poses.csv:
 * frame,body,px,py,pz,qx,qy,qz,qw; frame by frame from 0, every body once in each.
 *
 * A body's name names its character: "red_right_wrist" is the right_wrist of red. The character's name ends before
 * the first '_' after a digit ("dance_a0_root": root of dance_a0), or else before the first '_'. A name without '_' is
 * a character of its own. */
#ifndef ABUT_DEMO_TRACK_H
#define ABUT_DEMO_TRACK_H

#include "table.h"
#include <abut/abut.h>

typedef struct track_body {
    char name[TABLE_FIELD_MAX];
    char character[TABLE_FIELD_MAX];
    const char *limb; /* into name; "" for a character of its own */
    size_t character_index;
    abut_vec3 half;
    float radius;
} track_body;

typedef struct track {
    char *name;   /* of the directory */
    size_t every; /* its frames are each so many of the recording's */
    size_t body_count, character_count, frame_count;
    track_body *bodies;
    abut_pose *poses; /* of body b in frame f: [f * body_count + b] */
} track;

/* false: an error occurred and was reported; the track is then all zero. */
bool track_load(track *t, const char *directory);
/* Keeps frame 0 and every further `every`th one. */
void track_thin(track *t, size_t every);
void track_destroy(track *t);

#endif
