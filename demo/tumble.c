/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "tumble.h"
#include "judge.h"
#include "motion.h"
#include "scene_rng.h"
#include <stdio.h>
#include <stdlib.h>

enum { seed = 1, bodies_least = 64, judged_frames = 3, frames_per_line = 100 };

static const float spacing = 1.25f, drift_max = 0.5f, speed_max = 0.02f, half_turn_max = 0.02f;

typedef struct shape {
    const specimen *of;
    abut_hull *hull; /* the specimen's, scaled by a power of two: exact */
    surface surface;
} shape;

typedef struct body {
    size_t shape;
    abut_vec3 home, at, velocity, turn; /* place of the centroid; half the rotation vector per frame */
    abut_quat rotation;
} body;

typedef struct stage {
    shape *shapes;
    size_t shape_count, body_count;
    body *bodies;
    abut_pose *poses;
    abut_body_id *ids;
    judge_body *judged; /* by body */
    abut_world *world;
} stage;

static void add_fault(tumble *t, tumble_fault fault) {
    if (t->fault_count < TUMBLE_FAULTS_MAX) {
        t->faults[t->fault_count] = fault;
    }
    ++t->fault_count;
}

/* --- shapes --- */

static abut_result make_shapes(tumble *t, stage *s, const collection *c) {
    for (size_t i = 0; i < c->count; ++i) {
        if (c->items[i].hull == NULL) {
            continue;
        }
        shape *made = &s->shapes[s->shape_count];
        *made = (shape){.of = &c->items[i]};
        surface first = {0};
        const char *wrong = judge_hull(made->of, &first);
        surface_destroy(&first);
        t->hulls_judged += wrong == NULL;
        if (wrong != NULL) {
            add_fault(t, (tumble_fault){.what = wrong, .a = made->of});
        }
        abut_result result = motion_hull(made->of->hull, &made->hull);
        if (result != ABUT_OK) {
            return result;
        }
        ++s->shape_count;
        wrong = surface_make(&made->surface, abut_hull_vertices(made->hull), abut_hull_vertex_count(made->hull));
        if (wrong != NULL) {
            add_fault(t, (tumble_fault){.what = wrong, .a = made->of});
        }
    }
    return ABUT_OK;
}

/* --- motion --- */

static void drift(float *at, float *velocity, float home) {
    if ((*at > home + drift_max && *velocity > 0.0f) || (*at < home - drift_max && *velocity < 0.0f)) {
        *velocity = -*velocity;
    }
    *at += *velocity;
}

static void move(body *b) {
    drift(&b->at.x, &b->velocity.x, b->home.x);
    drift(&b->at.y, &b->velocity.y, b->home.y);
    drift(&b->at.z, &b->velocity.z, b->home.z);
    b->rotation = motion_turned(b->rotation, b->turn);
}

static abut_pose pose_of(const stage *s, const body *b) {
    return motion_pose(s->shapes[b->shape].hull, b->at, b->rotation);
}

static abut_result place_bodies(stage *s) {
    uint64_t rng = seed;
    size_t width = 1;
    while (width * width * width < s->body_count) {
        ++width;
    }
    const abut_vec3 fast = {speed_max, speed_max, speed_max}, wide = {half_turn_max, half_turn_max, half_turn_max};
    const abut_vec3 slow = {-speed_max, -speed_max, -speed_max}, back = {-wide.x, -wide.y, -wide.z};
    abut_result result = abut_world_create(NULL, &s->world);
    for (size_t i = 0; i < s->body_count && result == ABUT_OK; ++i) {
        body *b = &s->bodies[i];
        b->shape = i % s->shape_count;
        b->home = (abut_vec3){spacing * (float)(i % width), spacing * (float)(i / width % width),
                              spacing * (float)(i / (width * width))};
        b->at = b->home;
        b->rotation = scene_rng_rotation(&rng);
        b->velocity = scene_rng_vec3(&rng, slow, fast);
        b->turn = scene_rng_vec3(&rng, back, wide);
        s->poses[i] = pose_of(s, b);
        const abut_body_def def = {.hull = s->shapes[b->shape].hull, .pose = s->poses[i], .user = i};
        result = abut_body_create(s->world, &def, &s->ids[i]);
    }
    return result;
}

/* --- judging a frame --- */

static const specimen *specimen_of(const stage *s, size_t i) {
    return s->shapes[s->bodies[i].shape].of;
}

static void judge_frame(tumble *t, stage *s, size_t frame) {
    size_t count, next = 0;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    for (size_t i = 0; i < s->body_count; ++i) {
        abut_pose pose;
        abut_body_get_world_pose(s->world, s->ids[i], &pose);
        s->judged[i] = judge_body_at(&s->shapes[s->bodies[i].shape].surface, &pose);
    }
    for (size_t i = 0; i < s->body_count; ++i) {
        for (size_t j = i + 1; j < s->body_count; ++j) {
            bool listed = next < count && contacts[next].user_a == i && contacts[next].user_b == j;
            judge_finding f = judge_pair(&s->judged[i], &s->judged[j], listed ? &contacts[next] : NULL);
            next += listed;
            t->pairs_too_large += f.verdict == JUDGE_TOO_LARGE;
            t->pairs_judged += f.verdict != JUDGE_TOO_LARGE && f.verdict != JUDGE_FAR;
            t->pairs_touching += f.verdict == JUDGE_TOUCHING;
            t->pairs_either += f.verdict == JUDGE_EITHER;
            if (f.wrong) {
                const char *what = f.verdict <= JUDGE_APART ? "a contact of hulls that are apart"
                                   : listed                 ? "a contact with another depth or normal"
                                                            : "no contact of hulls that touch";
                add_fault(t, (tumble_fault){what, specimen_of(s, i), specimen_of(s, j), frame});
            }
        }
    }
    if (next != count) {
        add_fault(t, (tumble_fault){.what = "contacts out of order", .a = specimen_of(s, 0), .frame = frame});
    }
    ++t->frames_judged;
}

/* --- the whole --- */

static abut_result run_frame(tumble *t, stage *s, size_t frame) {
    abut_step_report report;
    for (size_t i = 0; i < s->body_count; ++i) {
        move(&s->bodies[i]);
        s->poses[i] = pose_of(s, &s->bodies[i]);
    }
    double start = timing_now();
    abut_result result = abut_bodies_set_poses(s->world, s->ids, s->poses, s->body_count);
    double posed = timing_now();
    result = result == ABUT_OK ? abut_world_step(s->world, NULL, &report) : result;
    if (result == ABUT_OK) {
        timing_add(&t->time, posed - start, timing_now() - start, &report);
        t->contacts[frame] = report.contacts;
        t->begun += report.begun;
        t->persisted += report.contacts - report.begun;
        t->ended += report.ended;
    }
    return result;
}

static abut_result run_frames(tumble *t, stage *s) {
    abut_result result = ABUT_OK;
    for (size_t frame = 0; frame < t->frame_count && result == ABUT_OK; ++frame) {
        result = run_frame(t, s, frame);
        size_t gap = (t->frame_count + judged_frames - 1) / judged_frames;
        if (result == ABUT_OK && frame % gap == gap - 1) {
            judge_frame(t, s, frame);
        }
        if (result == ABUT_OK && ((frame + 1) % frames_per_line == 0 || frame + 1 == t->frame_count)) {
            fprintf(stderr, "hulls: frame %zu of %zu, %zu contacts\n", frame + 1, t->frame_count, t->contacts[frame]);
        }
    }
    t->hash = result == ABUT_OK ? abut_world_hash(s->world) : 0;
    return result;
}

static abut_result measure_bounds(tumble *t, const stage *s) {
    const abut_hull **hulls = malloc(s->body_count * sizeof *hulls);
    for (size_t i = 0; hulls != NULL && i < s->body_count; ++i) {
        hulls[i] = s->shapes[s->bodies[i].shape].hull;
    }
    bool ok = hulls != NULL && bounds_measure(&t->bounds, hulls, s->poses, s->body_count);
    free(hulls);
    return ok ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static void clear(stage *s) {
    abut_world_destroy(&s->world); /* before the hulls it uses */
    for (size_t i = 0; i < s->shape_count; ++i) {
        abut_hull_destroy(&s->shapes[i].hull);
        surface_destroy(&s->shapes[i].surface);
    }
    free(s->shapes);
    free(s->bodies);
    free(s->poses);
    free(s->ids);
    free(s->judged);
}

bool tumble_run(tumble *t, const collection *c, size_t frames) {
    size_t bodies = c->hull_count == 0 || c->hull_count > bodies_least ? c->hull_count : bodies_least;
    *t = (tumble){.frame_count = frames, .body_count = bodies};
    if (bodies == 0) {
        return true;
    }
    stage s = {.body_count = bodies,
               .shapes = calloc(c->hull_count, sizeof *s.shapes),
               .bodies = calloc(bodies, sizeof *s.bodies),
               .poses = calloc(bodies, sizeof *s.poses),
               .ids = calloc(bodies, sizeof *s.ids),
               .judged = calloc(bodies, sizeof *s.judged)};
    t->contacts = calloc(frames, sizeof *t->contacts);
    abut_result result = ABUT_ERROR_MEMORY;
    if (timing_create(&t->time, frames) && t->contacts != NULL && s.shapes != NULL && s.bodies != NULL &&
        s.poses != NULL && s.ids != NULL && s.judged != NULL) {
        result = make_shapes(t, &s, c);
    }
    result = result == ABUT_OK ? place_bodies(&s) : result;
    result = result == ABUT_OK ? run_frames(t, &s) : result;
    result = result == ABUT_OK ? measure_bounds(t, &s) : result;
    clear(&s);
    if (result != ABUT_OK) {
        fprintf(stderr, "abut-demo: %zu tumbling hulls: %s\n", bodies, abut_result_name(result));
        tumble_destroy(t);
    }
    return result == ABUT_OK;
}

void tumble_destroy(tumble *t) {
    free(t->contacts);
    timing_destroy(&t->time);
    *t = (tumble){0};
}
