/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "field.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { seed = 1, frames_per_line = 50 };

/* A terminal shows one changing line, other outputs an occasional line. */
static void show_progress(const field *f, size_t done, bool terminal) {
    bool last = done == f->frame_count;
    if (terminal) {
        fprintf(stderr, "\rfield: frame %zu of %zu, %zu contacts  %s", done, f->frame_count, f->contacts[done - 1],
                last ? "\n" : "");
        fflush(stderr);
    } else if (last || done % frames_per_line == 0) {
        fprintf(stderr, "field: frame %zu of %zu, %zu contacts\n", done, f->frame_count, f->contacts[done - 1]);
    }
}

static abut_result run_frame(field *f, size_t frame, scene *s, abut_world *world, const abut_body_id *ids) {
    abut_step_report report;
    scene_advance(s);
    double start = timing_now();
    abut_result result = abut_bodies_set_poses(world, ids, s->poses, s->mover_count);
    double posed = timing_now();
    if (result == ABUT_OK) {
        result = abut_world_step(world, NULL, &report);
    }
    if (result == ABUT_OK) {
        timing_add(&f->time, posed - start, timing_now() - start, &report);
        f->contacts[frame] = report.contacts;
        f->begun += report.begun;
        f->ended += report.ended;
    }
    return result;
}

static void summarise_contacts(field *f) {
    f->contacts_least = f->contacts[0];
    for (size_t i = 0; i < f->frame_count; ++i) {
        size_t contacts = f->contacts[i];
        f->contacts_least = contacts < f->contacts_least ? contacts : f->contacts_least;
        f->contacts_most = contacts > f->contacts_most ? contacts : f->contacts_most;
        f->contacts_mean += (double)contacts / (double)f->frame_count;
    }
}

static abut_result run_frames(field *f, scene *s, abut_world *world, const abut_body_id *ids) {
    bool terminal = isatty(STDERR_FILENO) == 1;
    for (size_t frame = 0; frame < f->frame_count; ++frame) {
        abut_result result = run_frame(f, frame, s, world, ids);
        if (result != ABUT_OK) {
            return result;
        }
        show_progress(f, frame + 1, terminal);
    }
    f->hash = abut_world_hash(world);
    summarise_contacts(f);
    return ABUT_OK;
}

bool field_run(field *f, scene_kind kind, size_t boxes, size_t frames) {
    *f = (field){.kind = kind, .box_count = boxes, .frame_count = frames};
    f->contacts = calloc(frames, sizeof *f->contacts);
    scene s = {0};
    abut_world *world = NULL;
    abut_body_id *ids = calloc(boxes, sizeof *ids);
    abut_result result = ABUT_ERROR_MEMORY;
    if (timing_create(&f->time, frames) && f->contacts != NULL && ids != NULL && scene_create(&s, kind, boxes, seed)) {
        result = abut_world_create(NULL, &world);
    }
    if (result == ABUT_OK) {
        result = abut_bodies_create(world, s.defs, s.count, ids);
    }
    if (result == ABUT_OK) {
        result = run_frames(f, &s, world, ids);
    }
    abut_world_destroy(&world);
    scene_destroy(&s);
    free(ids);
    if (result != ABUT_OK) {
        fprintf(stderr, "abut-demo: a field of %zu bodies: %s\n", boxes, abut_result_name(result));
        field_destroy(f);
    }
    return result == ABUT_OK;
}

void field_destroy(field *f) {
    free(f->contacts);
    timing_destroy(&f->time);
    *f = (field){0};
}
