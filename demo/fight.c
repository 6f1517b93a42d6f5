/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "fight.h"
#include <stdio.h>
#include <stdlib.h>

/* --- the events of the world --- */

static bool reserve_hit(fight *f) {
    if (f->hit_count < f->hit_capacity) {
        return true;
    }
    size_t capacity = f->hit_capacity == 0 ? 64 : 2 * f->hit_capacity;
    fight_hit *hits = realloc(f->hits, capacity * sizeof *hits);
    f->hits = hits == NULL ? f->hits : hits;
    size_t *open = realloc(f->open, capacity * sizeof *open);
    f->open = open == NULL ? f->open : open;
    if (hits == NULL || open == NULL) {
        f->out_of_memory = true;
        return false;
    }
    f->hit_capacity = capacity;
    return true;
}

static float depth_of(const abut_contact *contact) {
    float depth = 0.0f;
    for (uint32_t i = 0; i < contact->manifold.count; ++i) {
        float d = -contact->manifold.points[i].separation;
        depth = d > depth ? d : depth;
    }
    return depth;
}

/* The index of the pair in `open`; open_count if it is not there. */
static size_t find_open(const fight *f, const abut_contact *contact) {
    size_t i = 0;
    for (; i < f->open_count; ++i) {
        const fight_hit *hit = &f->hits[f->open[i]];
        if (hit->a == contact->user_a && hit->b == contact->user_b) {
            break;
        }
    }
    return i;
}

static void on_begin(const abut_contact *contact, void *user) {
    fight *f = user;
    if (!reserve_hit(f)) {
        return;
    }
    fight_hit hit = {.a = (uint32_t)contact->user_a,
                     .b = (uint32_t)contact->user_b,
                     .begin = f->frame,
                     .depth = depth_of(contact),
                     .first = true};
    for (size_t i = 0; i < f->hit_count && hit.first; ++i) {
        hit.first = f->hits[i].a != hit.a || f->hits[i].b != hit.b;
    }
    f->pair_count += hit.first;
    f->start_count += f->frame > 0;
    f->open[f->open_count++] = f->hit_count;
    f->hits[f->hit_count++] = hit;
}

static void on_persist(const abut_contact *contact, void *user) {
    fight *f = user;
    size_t i = find_open(f, contact);
    if (i < f->open_count) {
        fight_hit *hit = &f->hits[f->open[i]];
        float depth = depth_of(contact);
        hit->depth = depth > hit->depth ? depth : hit->depth;
    }
}

static void on_end(const abut_contact *contact, void *user) {
    fight *f = user;
    size_t i = find_open(f, contact);
    if (i < f->open_count) {
        f->hits[f->open[i]].end = f->frame;
        f->open[i] = f->open[--f->open_count];
    }
}

/* --- playing --- */

/* Boxes of one character share a negative group and never hit each other. */
bool fight_add_bodies(abut_world *world, const track *t, abut_body_id *ids) {
    for (size_t i = 0; i < t->body_count; ++i) {
        const abut_body_def def = {.pose = t->poses[i],
                                   .half = t->bodies[i].half,
                                   .radius = t->bodies[i].radius,
                                   .filter.group = -1 - (int32_t)t->bodies[i].character_index,
                                   .user = i};
        abut_result result = abut_body_create(world, &def, &ids[i]);
        if (result != ABUT_OK) {
            fprintf(stderr, "abut-demo: frame 0, body %zu (%s): %s\n", i, t->bodies[i].name, abut_result_name(result));
            return false;
        }
    }
    return true;
}

bool fight_pose_bodies(abut_world *world, const track *t, size_t frame, const abut_body_id *ids) {
    size_t bad = 0;
    abut_result result =
        abut_bodies_set_poses_strided(world, ids, 0, t->poses + frame * t->body_count, 0, t->body_count, &bad);
    if (result != ABUT_OK) {
        fprintf(stderr, "abut-demo: frame %zu, body %zu (%s): %s\n", frame * t->every, bad, t->bodies[bad].name,
                abut_result_name(result));
    }
    return result == ABUT_OK;
}

static bool play_frame(fight *f, const track *t, abut_world *world, const abut_body_id *ids) {
    const abut_listener listener = {.begin = on_begin, .persist = on_persist, .end = on_end, .user = f};
    abut_step_report report;
    double start = timing_now();
    if (!fight_pose_bodies(world, t, f->frame, ids)) {
        return false;
    }
    double posed = timing_now();
    abut_result result = abut_world_step(world, &listener, &report);
    if (result != ABUT_OK || f->out_of_memory) {
        fprintf(stderr, "abut-demo: frame %zu: %s\n", f->frame * t->every,
                abut_result_name(f->out_of_memory ? ABUT_ERROR_MEMORY : result));
        return false;
    }
    timing_add(&f->time, posed - start, timing_now() - start, &report);
    f->contacts[f->frame] = report.contacts;
    f->pair_frames += report.contacts;
    f->frames_with_hit += report.contacts > 0;
    f->most = report.contacts > f->most ? report.contacts : f->most;
    return true;
}

bool fight_run(fight *f, const track *t) {
    *f = (fight){.contacts = calloc(t->frame_count, sizeof *f->contacts)};
    abut_world *world = NULL;
    abut_body_id *ids = calloc(t->body_count, sizeof *ids);
    bool ok = timing_create(&f->time, t->frame_count) && f->contacts != NULL && ids != NULL &&
              abut_world_create(NULL, &world) == ABUT_OK;
    if (!ok) {
        fputs("abut-demo: out of memory\n", stderr);
    }
    ok = ok && fight_add_bodies(world, t, ids);
    for (; ok && f->frame < t->frame_count; ++f->frame) {
        ok = play_frame(f, t, world, ids);
    }
    while (ok && f->open_count > 0) {
        f->hits[f->open[--f->open_count]].end = t->frame_count;
    }
    abut_world_destroy(&world);
    free(ids);
    if (!ok) {
        fight_destroy(f);
    }
    return ok;
}

void fight_destroy(fight *f) {
    free(f->hits);
    free(f->open);
    free(f->contacts);
    timing_destroy(&f->time);
    *f = (fight){0};
}
