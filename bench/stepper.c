/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "stepper.h"
#include "bench.h"
#include <stdlib.h>

void stepper_create(stepper *s, const scene *of, const abut_world_def *def) {
    *s = (stepper){.scene = of, .posed = of->mover_count};
    s->ids = bench_alloc(of->count, sizeof *s->ids);
    bench_check(abut_world_create(def, &s->world), "abut_world_create");
    bench_check(abut_bodies_create(s->world, of->defs, of->count, s->ids), "abut_bodies_create");
}

void stepper_destroy(stepper *s) {
    abut_world_destroy(&s->world);
    free(s->ids);
    *s = (stepper){0};
}

static void read_contacts(stepper *s) {
    size_t n;
    const abut_contact *contacts = abut_world_contacts(s->world, &n);
    s->points = 0;
    s->depth = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const abut_manifold *manifold = &contacts[i].manifold;
        s->points += manifold->count;
        for (size_t k = 0; k < manifold->count; ++k) {
            s->depth -= (double)manifold->points[k].separation;
        }
    }
}

static void read_pairs(stepper *s) {
    size_t n;
    const abut_pair *pairs = abut_world_pairs(s->world, &n);
    s->indices = 0;
    for (size_t i = 0; i < n; ++i) {
        s->indices += pairs[i].a.index1 ^ pairs[i].b.index1;
    }
}

void stepper_run(void *state, uint8_t *answers) {
    (void)answers;
    stepper *s = state;
    abut_step_report report;
    bench_check(abut_bodies_set_poses(s->world, s->ids, s->scene->poses, s->posed), "abut_bodies_set_poses");
    bench_check(abut_world_step(s->world, NULL, &report), "abut_world_step");
    if (s->reads) {
        read_contacts(s);
    }
    if (s->reads_pairs) {
        read_pairs(s);
    }
    s->candidates = report.candidates;
    s->contacts = report.contacts;
    s->broad = report.seconds_bounds + report.seconds_broad;
}

void scene_set_detail(scene *s, abut_detail detail, bool listed) {
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].detail = detail;
        s->defs[i].filter.mask = listed ? s->defs[i].filter.mask : ABUT_MASK_NONE;
    }
}
