/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A world that takes a scene's poses and steps, as a method of a contest of frames. */
#ifndef ABUT_BENCH_STEPPER_H
#define ABUT_BENCH_STEPPER_H

#include "contest.h"
#include "scenes.h"

typedef struct stepper {
    const scene *scene;
    abut_world *world;
    abut_body_id *ids;
    size_t posed;     /* the number of bodies that get a pose before a step */
    bool reads;       /* reads every contact after a step, as programs do that respond to them */
    bool reads_pairs; /* reads every pair after a step */
    size_t candidates, contacts, points;
    double broad; /* seconds of the last step: bounds and broad phase */
    double depth; /* these keep the compiler from removing the reading */
    size_t indices;
} stepper;

/* The scene must stay at its address. `def` may be NULL. */
void stepper_create(stepper *s, const scene *of, const abut_world_def *def);
void stepper_destroy(stepper *s);
/* Sets the poses and steps. A contest_method's run. */
void stepper_run(void *state, uint8_t *answers);

/* Bodies of this detail; `listed` false: their filters let nothing touch, so that only candidates remain. */
void scene_set_detail(scene *s, abut_detail detail, bool listed);

#endif
