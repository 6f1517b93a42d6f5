/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "drop.h"
#include "motion.h"
#include "scene_rng.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { seed = 1, bodies_least = 64, build_times = 3, frames_per_line = 100 };

static const float spacing = 3, speed_max = 0.2f, gravity = 0.004f, half_turn_max = 0.02f;
static const float depth_kept = 0.01f; /* bodies are pushed apart up to this depth, so that they stay in contact */
static const float slide = 0.95f, spin = 0.9f; /* what is left of speed and turning after a frame with a contact */

typedef struct body {
    const abut_hull *hull;
    abut_vec3 start, at, velocity, turn; /* place of the centroid; half the rotation vector per frame */
    abut_vec3 push;                      /* out of what it touches, in this frame */
    abut_quat rotation;
    bool touches;
} body;

typedef struct stage {
    abut_mesh *mesh;
    abut_world *world;
    abut_hull **hulls;
    size_t hull_count;
    body *bodies;
    abut_pose *poses;
    abut_body_id *ids;
    float bottom;
} stage;

/* --- the mesh --- */

static int exponent_of(const obj *model) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * model->triangle_count; ++i) {
        const abut_vec3 v = model->vertices[model->indices[i]];
        low[0] = fmin(low[0], (double)v.x), high[0] = fmax(high[0], (double)v.x);
        low[1] = fmin(low[1], (double)v.z), high[1] = fmax(high[1], (double)v.z);
    }
    int exponent;
    frexp(fmax(high[0] - low[0], high[1] - low[1]), &exponent);
    return exponent;
}

static abut_result build_mesh(dropped *d, stage *s, const obj *model) {
    const int exponent = exponent_of(model);
    abut_vec3 *vertices = malloc((model->vertex_count + 1) * sizeof *vertices);
    if (vertices == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    for (size_t i = 0; i < model->vertex_count; ++i) {
        const abut_vec3 v = model->vertices[i];
        vertices[i] = (abut_vec3){ldexpf(v.x, 5 - exponent), ldexpf(v.y, 5 - exponent), ldexpf(v.z, 5 - exponent)};
    }
    const abut_mesh_def def = {.vertices = vertices,
                               .vertex_count = model->vertex_count,
                               .indices = model->indices,
                               .triangle_count = model->triangle_count};
    abut_result result = ABUT_OK;
    for (int i = 0; i < build_times && result == ABUT_OK; ++i) {
        abut_mesh_destroy(&s->mesh);
        const double start = timing_now();
        result = abut_mesh_create(&def, &s->mesh);
        const double seconds = timing_now() - start;
        d->mesh_seconds = i == 0 || seconds < d->mesh_seconds ? seconds : d->mesh_seconds;
    }
    free(vertices);
    abut_mesh_data(s->mesh, &d->mesh_bytes);
    d->vertex_count = model->vertex_count;
    d->triangle_count = model->triangle_count;
    return result;
}

/* --- bodies --- */

static abut_result make_hulls(stage *s, const collection *c) {
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < c->count && result == ABUT_OK; ++i) {
        if (c->items[i].hull != NULL) {
            result = motion_hull(c->items[i].hull, &s->hulls[s->hull_count]);
            s->hull_count += result == ABUT_OK;
        }
    }
    return result;
}

static size_t places_along(float extent) {
    return extent < 2 * spacing ? 1 : (size_t)(extent / spacing);
}

/* Above the mesh, in as many layers as it takes. */
static abut_result place_bodies(const dropped *d, stage *s) {
    const abut_aabb bounds = abut_mesh_bounds(s->mesh);
    const float wide = bounds.max.x - bounds.min.x, deep = bounds.max.z - bounds.min.z;
    const size_t columns = places_along(wide), rows = places_along(deep);
    const abut_vec3 turn = {half_turn_max, half_turn_max, half_turn_max}, back = {-turn.x, -turn.y, -turn.z};
    uint64_t rng = seed;
    s->bottom = bounds.min.y - spacing;
    const abut_body_def ground = {.mesh = s->mesh, .pose.rotation.w = 1, .motion = ABUT_STATIC, .user = d->body_count};
    abut_body_id ignored;
    abut_result result = abut_world_create(NULL, &s->world);
    result = result == ABUT_OK ? abut_body_create(s->world, &ground, &ignored) : result;
    for (size_t i = 0; i < d->body_count && result == ABUT_OK; ++i) {
        body *b = &s->bodies[i];
        *b = (body){.hull = s->hulls[i % s->hull_count]};
        b->start.x = bounds.min.x + wide * ((float)(i % columns) + 0.5f) / (float)columns;
        b->start.y = bounds.max.y + spacing * (float)(1 + i / (columns * rows));
        b->start.z = bounds.min.z + deep * ((float)(i / columns % rows) + 0.5f) / (float)rows;
        b->at = b->start;
        b->rotation = scene_rng_rotation(&rng);
        b->turn = scene_rng_vec3(&rng, back, turn);
        s->poses[i] = motion_pose(b->hull, b->at, b->rotation);
        const abut_body_def def = {.hull = b->hull, .pose = s->poses[i], .user = i};
        result = abut_body_create(s->world, &def, &s->ids[i]);
    }
    return result;
}

/* --- motion --- */

static float dot(abut_vec3 a, abut_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static abut_vec3 moved(abut_vec3 at, float far, abut_vec3 way) {
    return (abut_vec3){at.x + far * way.x, at.y + far * way.y, at.z + far * way.z};
}

/* Pushes a body along the normal until it is out by `depth` in this frame, and takes its speed against it. */
static void push(body *b, abut_vec3 normal, float sign, float depth) {
    const abut_vec3 out = {sign * normal.x, sign * normal.y, sign * normal.z};
    const float lacking = depth - dot(b->push, out), against = dot(b->velocity, out);
    b->push = lacking > 0 ? moved(b->push, lacking, out) : b->push;
    b->velocity = against < 0 ? moved(b->velocity, -against, out) : b->velocity;
    b->touches = true;
}

static float depth_of(const abut_manifold *m) {
    float depth = 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        depth = fmaxf(depth, -m->points[i].separation);
    }
    return fmaxf(depth - depth_kept, 0);
}

static void respond_to_mesh(dropped *d, stage *s, const abut_contact *c, const abut_contact_part *parts, size_t count) {
    const bool second = c->user_a == d->body_count; /* the body is b, into which normals lead */
    body *b = &s->bodies[second ? c->user_b : c->user_a];
    bool right = c->part_count > 0 && c->part_first <= count && c->part_count <= count - c->part_first;
    for (uint32_t i = 0; right && i < c->part_count; ++i) {
        const abut_contact_part *p = &parts[c->part_first + i];
        right = p->part < d->triangle_count && (i == 0 || p[-1].part < p->part) && p->manifold.count > 0;
        push(b, p->manifold.normal, second ? 1 : -1, depth_of(&p->manifold));
    }
    d->fault_count += !right;
    d->most_parts = c->part_count > d->most_parts ? c->part_count : d->most_parts;
    ++d->on_mesh;
}

static void respond(dropped *d, stage *s, size_t frame) {
    size_t count, part_count;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    const abut_contact_part *parts = abut_world_parts(s->world, &part_count);
    for (size_t i = 0; i < count; ++i) {
        const abut_contact *c = &contacts[i];
        if (c->user_a == d->body_count || c->user_b == d->body_count) {
            respond_to_mesh(d, s, c, parts, part_count);
        } else {
            push(&s->bodies[c->user_a], c->manifold.normal, -1, 0.5f * depth_of(&c->manifold));
            push(&s->bodies[c->user_b], c->manifold.normal, 1, 0.5f * depth_of(&c->manifold));
        }
    }
    d->parts[frame] = part_count;
}

static void move(dropped *d, stage *s, body *b) {
    if (b->touches) {
        b->velocity = (abut_vec3){slide * b->velocity.x, slide * b->velocity.y, slide * b->velocity.z};
        b->turn = (abut_vec3){spin * b->turn.x, spin * b->turn.y, spin * b->turn.z};
    }
    b->velocity.y -= gravity;
    const float speed = sqrtf(dot(b->velocity, b->velocity)), slower = speed > speed_max ? speed_max / speed : 1;
    b->velocity = (abut_vec3){slower * b->velocity.x, slower * b->velocity.y, slower * b->velocity.z};
    b->at = moved(moved(b->at, 1, b->push), 1, b->velocity);
    b->rotation = motion_turned(b->rotation, b->turn);
    b->push = (abut_vec3){0};
    b->touches = false;
    if (b->at.y < s->bottom) {
        b->at = b->start;
        b->velocity = (abut_vec3){0};
        ++d->restarted;
    }
}

/* --- the whole --- */

static abut_result run_frame(dropped *d, stage *s, size_t frame) {
    abut_step_report report;
    for (size_t i = 0; i < d->body_count; ++i) {
        move(d, s, &s->bodies[i]);
        s->poses[i] = motion_pose(s->bodies[i].hull, s->bodies[i].at, s->bodies[i].rotation);
    }
    const double start = timing_now();
    abut_result result = abut_bodies_set_poses(s->world, s->ids, s->poses, d->body_count);
    const double posed = timing_now();
    result = result == ABUT_OK ? abut_world_step(s->world, NULL, &report) : result;
    if (result == ABUT_OK) {
        timing_add(&d->time, posed - start, timing_now() - start, &report);
        d->contacts[frame] = report.contacts;
        d->begun += report.begun;
        d->persisted += report.contacts - report.begun;
        d->ended += report.ended;
        respond(d, s, frame);
        if ((frame + 1) % frames_per_line == 0 || frame + 1 == d->frame_count) {
            fprintf(stderr, "mesh: frame %zu of %zu, %zu contacts\n", frame + 1, d->frame_count, d->contacts[frame]);
        }
    }
    return result;
}

static abut_result run(dropped *d, stage *s, const collection *c) {
    abut_result result = make_hulls(s, c);
    result = result == ABUT_OK ? place_bodies(d, s) : result;
    for (size_t frame = 0; frame < d->frame_count && result == ABUT_OK; ++frame) {
        result = run_frame(d, s, frame);
    }
    d->hash = result == ABUT_OK ? abut_world_hash(s->world) : 0;
    return result;
}

static void clear(stage *s) {
    abut_world_destroy(&s->world); /* before the shapes that it uses */
    abut_mesh_destroy(&s->mesh);
    for (size_t i = 0; i < s->hull_count; ++i) {
        abut_hull_destroy(&s->hulls[i]);
    }
    free(s->hulls);
    free(s->bodies);
    free(s->poses);
    free(s->ids);
}

static void report_error(const char *path, abut_result result) {
    const char *what = result == ABUT_ERROR_DEGENERATE ? "no triangle has an area"
                       : result == ABUT_ERROR_LIMIT    ? "too many triangles, or a coordinate beyond the limit"
                                                       : abut_result_name(result);
    fprintf(stderr, "%s: %s\n", path, what);
}

bool drop_run(dropped *d, const char *path, const obj *model, const collection *c, size_t frames) {
    const size_t bodies = c->hull_count > bodies_least ? c->hull_count : bodies_least;
    *d = (dropped){.frame_count = frames, .body_count = bodies};
    stage s = {.hulls = calloc(c->hull_count + 1, sizeof *s.hulls),
               .bodies = calloc(bodies, sizeof *s.bodies),
               .poses = calloc(bodies, sizeof *s.poses),
               .ids = calloc(bodies, sizeof *s.ids)};
    d->contacts = calloc(frames, sizeof *d->contacts);
    d->parts = calloc(frames, sizeof *d->parts);
    abut_result result = ABUT_ERROR_MEMORY;
    if (timing_create(&d->time, frames) && d->contacts != NULL && d->parts != NULL && s.hulls != NULL &&
        s.bodies != NULL && s.poses != NULL && s.ids != NULL) {
        result = build_mesh(d, &s, model);
    }
    result = result == ABUT_OK ? run(d, &s, c) : result;
    clear(&s);
    if (result != ABUT_OK) {
        report_error(path, result);
        drop_destroy(d);
    }
    return result == ABUT_OK;
}

void drop_destroy(dropped *d) {
    free(d->contacts);
    free(d->parts);
    timing_destroy(&d->time);
    *d = (dropped){0};
}
