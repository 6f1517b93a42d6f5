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

uint64_t field_known_hash(const field *f) {
    static const struct {
        scene_kind kind;
        uint64_t hash;
    } known[] = {{SCENE_TUMBLING, UINT64_C(0x21419fa61df8ab6e)},
                 {SCENE_SPHERES, UINT64_C(0x2cf7dc4752cc05e1)},
                 {SCENE_CAPSULES, UINT64_C(0xa8bf526adcb304dc)},
                 {SCENE_ROUND, UINT64_C(0x5c7eacee4fedf902)}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (known[i].kind == f->kind && f->box_count == 10000 && f->frame_count == 300) {
            return known[i].hash;
        }
    }
    return 0;
}

bool field_run(field *f, scene_kind kind, size_t boxes, size_t frames, uint32_t workers) {
    *f = (field){.kind = kind, .box_count = boxes, .frame_count = frames};
    f->contacts = calloc(frames, sizeof *f->contacts);
    scene s = {0};
    abut_world *world = NULL;
    abut_body_id *ids = calloc(boxes, sizeof *ids);
    abut_pool *pool = NULL;
    abut_result result = ABUT_ERROR_MEMORY;
    if (timing_create(&f->time, frames) && f->contacts != NULL && ids != NULL && scene_create(&s, kind, boxes, seed)) {
        result = workers == 1 ? ABUT_OK : abut_pool_create(workers, &pool);
    }
    if (result == ABUT_OK) {
        result = abut_world_create(&(abut_world_def){.parallel = abut_pool_parallel(pool)}, &world);
    }
    if (result == ABUT_OK) {
        result = abut_bodies_create(world, s.defs, s.count, ids);
    }
    if (result == ABUT_OK) {
        result = run_frames(f, &s, world, ids);
    }
    abut_world_destroy(&world);
    abut_pool_destroy(&pool);
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
