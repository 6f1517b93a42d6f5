/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How the time of a step grows with the number of bodies. All sizes are in one contest, so that ratios come from one
 * run. */

#include "broad_scenes.h"
#include "groups.h"
#include "stepper.h"
#include <stdio.h>

enum { size_count = 4 };

typedef struct growth_case {
    broad_scene scenes[size_count];
    stepper steppers[size_count];
} growth_case;

static void advance(contest *c, void *user) {
    (void)c;
    growth_case *g = user;
    for (size_t i = 0; i < size_count; ++i) {
        broad_scene_advance(&g->scenes[i]);
    }
}

static void add_part(contest *c, const stepper *s, size_t boxes) {
    char name[CONTEST_NAME_SIZE];
    snprintf(name, sizeof name, "bounds and broad phase, %zu", boxes);
    contest_method *m = contest_add(c, name, NULL, NULL);
    m->seconds = &s->broad;
    m->found = &s->candidates;
    m->may_differ = true;
}

static void add_whole(contest *c, stepper *s, size_t boxes) {
    char name[CONTEST_NAME_SIZE];
    snprintf(name, sizeof name, "poses and step, manifolds, %zu", boxes);
    contest_method *m = contest_add(c, name, s, stepper_run);
    m->found = &s->contacts;
    m->may_differ = true;
}

void bench_growth(bool quick, contest_list *list) {
    static const size_t full[size_count] = {1000, 10000, 100000, 1000000}, few[size_count] = {250, 500, 1000, 2000};
    const size_t *sizes = quick ? few : full;
    growth_case g;
    contest c = contest_of_frames("growth", advance, &g);
    snprintf(c.input, sizeof c.input, "a uniform, axis-aligned, %zu to %zu boxes", sizes[0], sizes[size_count - 1]);
    for (size_t i = 0; i < size_count; ++i) {
        broad_scene_create(&g.scenes[i], BROAD_UNIFORM, sizes[i]);
        stepper_create(&g.steppers[i], &g.scenes[i].scene, NULL);
        add_part(&c, &g.steppers[i], sizes[i]);
        if (i == 1) {
            contest_refer(&c); /* 10,000: the larger sizes are compared with this one */
        }
    }
    for (size_t i = 0; i < size_count; ++i) {
        add_whole(&c, &g.steppers[i], sizes[i]);
        if (i == 1) {
            contest_refer(&c);
        }
    }
    contest_hold(&c, quick ? 3 : 7, list);
    for (size_t i = 0; i < size_count; ++i) {
        stepper_destroy(&g.steppers[i]);
        broad_scene_destroy(&g.scenes[i]);
    }
}
