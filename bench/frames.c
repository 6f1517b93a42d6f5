/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include <stdlib.h>

const char *const frame_phase_names[PHASE_COUNT] = {"poses", "bounds", "broad", "narrow", "events", "frame"};

/* The first frames grow the world and warm the caches; they are not timed. */
enum { warm_frames = 3, seed = 1 };

static abut_step_report run_frame(abut_world *world, scene *s, const abut_body_id *ids, double seconds[PHASE_COUNT]) {
    abut_step_report report;
    scene_advance(s);
    double start = bench_now();
    bench_check(abut_bodies_set_poses(world, ids, s->poses, s->mover_count), "abut_bodies_set_poses");
    double posed = bench_now();
    bench_check(abut_world_step(world, NULL, &report), "abut_world_step");
    seconds[PHASE_FRAME] = bench_now() - start;
    seconds[PHASE_POSES] = posed - start;
    seconds[PHASE_BOUNDS] = report.seconds_bounds;
    seconds[PHASE_BROAD] = report.seconds_broad;
    seconds[PHASE_NARROW] = report.seconds_narrow;
    seconds[PHASE_EVENTS] = report.seconds_events;
    return report;
}

frame_result bench_frame(const frame_case *c) {
    frame_result result = {0};
    scene s;
    abut_world *world;
    abut_step_report report = {0};
    double seconds[PHASE_COUNT];
    abut_body_id *ids = bench_alloc(c->boxes, sizeof *ids);
    double *samples = bench_alloc(c->frames * PHASE_COUNT, sizeof *samples); /* [phase * frames + frame] */
    if (!scene_create(&s, c->kind, c->boxes, seed)) {
        bench_fail("no memory for the scene");
    }
    bench_check(abut_world_create(NULL, &world), "abut_world_create");
    bench_check(abut_bodies_create(world, s.defs, s.count, ids), "abut_bodies_create");
    for (size_t frame = 0; frame < warm_frames + c->frames; ++frame) {
        report = run_frame(world, &s, ids, seconds);
        for (size_t phase = 0; frame >= warm_frames && phase < PHASE_COUNT; ++phase) {
            samples[phase * c->frames + frame - warm_frames] = seconds[phase];
        }
    }
    for (size_t phase = 0; phase < PHASE_COUNT; ++phase) {
        result.seconds[phase] = bench_median(samples + phase * c->frames, c->frames);
    }
    result.movers = s.mover_count;
    result.candidates = report.candidates;
    result.contacts = report.contacts;
    abut_world_destroy(&world);
    scene_destroy(&s);
    free(samples);
    free(ids);
    return result;
}
