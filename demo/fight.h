/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Plays a track in a world and records who hit whom. */
#ifndef ABUT_DEMO_FIGHT_H
#define ABUT_DEMO_FIGHT_H

#include "timing.h"
#include "track.h"

typedef struct fight_hit {
    uint32_t a, b; /* bodies of the track, a < b */
    size_t begin,
        end;     /* they touch in frames begin .. end - 1; end is the number of frames if they still touch at the end */
    float depth; /* the deepest */
    bool first;  /* the first hit of this pair */
} fight_hit;

typedef struct fight {
    fight_hit *hits; /* sorted by begin, then (a, b) */
    size_t hit_count, hit_capacity;
    size_t *open; /* which hits last on; room for hit_capacity */
    size_t open_count;
    size_t *contacts; /* per frame */
    size_t frame, frames_with_hit, pair_frames, pair_count, most;
    size_t start_count; /* hits that began after frame 0 */
    timing time;
    bool out_of_memory;
} fight;

/* false: an error occurred and was reported; the fight is then all zero. */
bool fight_run(fight *f, const track *t);
void fight_destroy(fight *f);

/* Bodies of a track in a world, ids[i] of body i, with i as user data; and where a frame has them. false: an error
 * occurred and was reported. */
bool fight_add_bodies(abut_world *world, const track *t, abut_body_id *ids);
bool fight_pose_bodies(abut_world *world, const track *t, size_t frame, const abut_body_id *ids);

#endif
