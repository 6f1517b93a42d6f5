/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two cannons fire the same small boxes at the same thin plates. On the left each frame sets new poses and looks at the
 * contacts afterwards; on the right it asks first what the shots meet on their way, and stops them there. */
#include "cannon.h"
#include "hash.h"
#include "palette.h"
#include "past.h"
#include "scene_rng.h"
#include "vec.h"
#include <stdlib.h>

enum { plates_of_side = 9, sides = 2, cycle = 240, glow_frames = 20, wound_frames = 40 };
static const float frames_per_second = 60, lane = 5.5f, muzzle_height = 1.6f, muzzle = 12, back = -11, bounce = 0.1f,
                   friction = 0.05f;
static const float slow = 0.02f, gravity = 9.81f / 3600; /* per frame */
static const abut_vec3 shot_half = {0.06f, 0.06f, 0.09f};

typedef struct shot {
    abut_vec3 velocity, was; /* per frame; where it was before this frame */
    abut_quat spin;          /* of a frame */
    bool flies, returns;     /* or it waits in the magazine, or goes back there */
    uint8_t glow, wound;     /* frames since it bounced, since it went through a plate */
} shot;

static struct {
    uint64_t rng;
    uint32_t n; /* shots of each side: on the left 0 .. n - 1, on the right n .. 2n - 1; then come the plates */
    testbed_cannon aim;
    shot *shots;
    abut_body_id *ids; /* these three: of the flying shots on the right */
    abut_pose *targets;
    abut_hit *hits;
    uint32_t *index; /* of the shot */
    uint32_t swept;
} range;

/* --- the range --- */

static float lane_of(uint32_t i) {
    return i < range.n ? -lane : lane;
}

/* Shots wait behind the cannon, in rows. */
static abut_pose magazine(uint32_t i) {
    const uint32_t k = i % range.n;
    const float x = 0.25f * ((float)(k % 10) - 4.5f), y = 0.06f + 0.15f * (float)(k / 10 % 8);
    return (abut_pose){vec(lane_of(i) + x, y, muzzle + 2 + 0.25f * (float)(k / 80)), quat_none};
}

static abut_result add_shots(stage *s) {
    abut_result result = ABUT_OK;
    for (uint32_t i = 0; i < sides * range.n && result == ABUT_OK; ++i) {
        const abut_body_def def = {.pose = magazine(i), .half = shot_half, .filter.group = -1};
        result = stage_add(s, def, 0, palette_slate);
    }
    s->movers = s->count;
    return result;
}

/* The last plate stands across the end of the lane. */
static abut_result add_plates(stage *s) {
    abut_result result = ABUT_OK;
    for (int i = 0; i < plates_of_side && result == ABUT_OK; ++i) {
        const bool last = i == plates_of_side - 1;
        const abut_vec3 random = scene_rng_vec3(&range.rng, vec(-2.5f, 0, -35), vec(2.5f, 1, 35));
        abut_body_def def = {.motion = ABUT_STATIC, .half = {1.1f, 1.1f, 0.5f * range.aim.thickness}};
        def.pose =
            (abut_pose){vec(random.x, 1.2f + 2 * random.y, 8.5f - 2.3f * (float)i), quat_degrees(vec(0, random.z, 0))};
        if (last) {
            def.half = vec(5, 3, def.half.z);
            def.pose = (abut_pose){vec(0, 3, back), quat_none};
        }
        for (int side = 0; side < sides && result == ABUT_OK; ++side) {
            abut_body_def placed = def;
            placed.pose.position.x += side == 0 ? -lane : lane;
            result = stage_add(s, placed, 0, palette_slate);
        }
    }
    const abut_body_def floor = {
        .motion = ABUT_STATIC, .pose.position = {0, -0.25f, 0}, .half = {2 * lane, 0.25f, muzzle + 6}};
    return result == ABUT_OK ? stage_add(s, floor, 0, palette_ground) : result;
}

static bool make_room(uint32_t n) {
    range.shots = calloc(sides * n, sizeof *range.shots);
    range.ids = calloc(n, sizeof *range.ids);
    range.targets = calloc(n, sizeof *range.targets);
    range.hits = calloc(n, sizeof *range.hits);
    range.index = calloc(n, sizeof *range.index);
    return range.shots != NULL && range.ids != NULL && range.targets != NULL && range.hits != NULL &&
           range.index != NULL;
}

static abut_result set_up(stage *s, uint32_t count) {
    range.rng = 5;
    range.n = (count + 1) / sides;
    range.aim = (testbed_cannon){.speed = 120, .thickness = 0.05f};
    range.swept = 0;
    s->camera.eye = vec(0, 10, 23);
    s->camera.target = vec(0, 0.5f, 0);
    abut_result result = make_room(range.n) ? ABUT_OK : ABUT_ERROR_MEMORY;
    result = result == ABUT_OK ? abut_world_create(NULL, &s->world) : result;
    result = result == ABUT_OK ? add_shots(s) : result;
    return result == ABUT_OK ? add_plates(s) : result;
}

static float within(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

/* The next step reports any error. */
void cannon_aim(stage *s, float speed, float thickness) {
    if (speed != speed || thickness != thickness) {
        return;
    }
    range.aim = (testbed_cannon){within(speed, 1, 1000), within(thickness, 0.001f, 0.5f)};
    for (size_t i = s->movers; i + 1 < s->count; ++i) {
        stage_body *plate = &s->bodies[i];
        plate->scale.z = 0.5f * range.aim.thickness;
        const abut_shape shape = {.half = plate->scale};
        (void)abut_body_set_shape(s->world, plate->id, &shape, NULL);
    }
}

testbed_cannon cannon_aimed(void) {
    return range.aim;
}

/* --- flight --- */

/* The same shot on both sides: at a point of the last plate. */
static void fire(stage *s, uint32_t k) {
    const abut_vec3 at = scene_rng_vec3(&range.rng, vec(-3, 0.5f, back), vec(3, 5, back));
    const abut_vec3 turn = scene_rng_vec3(&range.rng, vec(-20, -20, -20), vec(20, 20, 20));
    const abut_vec3 way = vec_sub(at, vec(0, muzzle_height, muzzle));
    for (uint32_t i = k; i < sides * range.n; i += range.n) {
        shot *one = &range.shots[i];
        *one = (shot){.spin = quat_degrees(turn), .flies = true};
        one->velocity = vec_scale(way, range.aim.speed / (frames_per_second * vec_length(way)));
        one->was = vec(lane_of(i), muzzle_height, muzzle);
        s->bodies[i].pose = (abut_pose){one->was, quat_none};
    }
}

static void age(shot *one) {
    one->glow = one->glow > 0 ? (uint8_t)(one->glow - 1) : 0;
    one->wound = one->wound > 0 ? (uint8_t)(one->wound - 1) : 0;
}

/* Where a shot goes in this frame if nothing is in its way. */
static abut_pose next_pose(stage *s, uint32_t i) {
    shot *one = &range.shots[i];
    const abut_pose *pose = &s->bodies[i].pose;
    one->velocity.y -= gravity;
    return (abut_pose){vec_add(pose->position, one->velocity), quat_unit(quat_multiply(one->spin, pose->rotation))};
}

/* n: unit normal of what is met, towards the shot. */
static void deflect(stage *s, uint32_t i, abut_vec3 n) {
    shot *one = &range.shots[i];
    const float along = vec_dot(one->velocity, n);
    if (along < 0) {
        const bool is_slow = along > -slow;
        const abut_vec3 aside = vec_along(one->velocity, -along, n);
        one->velocity = vec_along(vec_scale(aside, friction), is_slow ? 0 : -bounce * along, n);
        one->glow = is_slow ? one->glow : glow_frames;
        s->report.bounced[i >= range.n] += !is_slow;
    }
    one->spin = along < -slow ? quat_conjugate(one->spin) : quat_none;
}

/* Right: asks what the shots meet, and moves each just so far. */
static abut_result sweep(stage *s) {
    double since = 0;
    range.swept = 0;
    for (uint32_t i = range.n; i < sides * range.n; ++i) {
        if (range.shots[i].flies) {
            range.ids[range.swept] = s->bodies[i].id;
            range.targets[range.swept] = next_pose(s, i);
            range.index[range.swept++] = i;
        }
    }
    stage_lap(&since);
    abut_result result = abut_world_sweep(s->world, range.ids, range.targets, range.swept, NULL, range.hits);
    s->report.ms_query = stage_lap(&since);
    for (uint32_t k = 0; k < range.swept && result == ABUT_OK; ++k) {
        const abut_hit *hit = &range.hits[k];
        abut_pose *pose = &s->bodies[range.index[k]].pose;
        *pose = abut_pose_between(pose, &range.targets[k], hit->fraction);
        if (hit->body.index1 > 0) {
            deflect(s, range.index[k], hit->normal);
        }
    }
    return result;
}

/* What was just fired is still at the muzzle where the world is concerned: a sweep begins at the world's poses. */
static abut_result place_fired(stage *s, uint32_t k) {
    const abut_body_id ids[sides] = {s->bodies[k].id, s->bodies[k + range.n].id};
    const abut_pose poses[sides] = {s->bodies[k].pose, s->bodies[k + range.n].pose};
    return abut_bodies_set_poses(s->world, ids, poses, sides);
}

static abut_result move(stage *s) {
    abut_result result = ABUT_OK;
    for (uint32_t k = 0; k < range.n && result == ABUT_OK; ++k) {
        if (s->report.frame % cycle == k % cycle) {
            fire(s, k);
            result = place_fired(s, k);
        }
    }
    for (uint32_t i = 0; i < sides * range.n; ++i) {
        shot *one = &range.shots[i];
        one->was = s->bodies[i].pose.position;
        s->bodies[i].rests = !one->flies && !one->returns;
        one->returns = false;
        age(one);
    }
    for (uint32_t i = 0; i < range.n; ++i) {
        if (range.shots[i].flies) {
            s->bodies[i].pose = next_pose(s, i);
        }
    }
    return result == ABUT_OK ? sweep(s) : result;
}

/* --- after the step --- */

/* Left: takes shots out of what they touch. All shots have lower ids than all plates. */
static void respond(stage *s) {
    size_t count;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    for (size_t c = 0; c < count; ++c) {
        const uint32_t i = (uint32_t)contacts[c].user_a;
        const abut_manifold *m = &contacts[c].manifold;
        float depth = 0;
        if (i >= range.n || !range.shots[i].flies) {
            continue;
        }
        for (uint32_t k = 0; k < m->count; ++k) {
            depth = -m->points[k].separation > depth ? -m->points[k].separation : depth;
        }
        s->bodies[i].pose.position = vec_along(s->bodies[i].pose.position, -depth, m->normal);
        deflect(s, i, vec_scale(m->normal, -1));
    }
}

/* Whether the middle of a shot went through a plate. */
static bool passes(const stage_body *plate, abut_vec3 from, abut_vec3 to) {
    const abut_quat back_turn = quat_conjugate(plate->pose.rotation);
    const abut_vec3 a = quat_turn(back_turn, vec_sub(from, plate->pose.position));
    const abut_vec3 b = quat_turn(back_turn, vec_sub(to, plate->pose.position));
    if ((a.z > 0) == (b.z > 0)) {
        return false;
    }
    const abut_vec3 at = vec_along(a, a.z / (a.z - b.z), vec_sub(b, a));
    return fabsf(at.x) <= plate->scale.x && fabsf(at.y) <= plate->scale.y;
}

static void count_passed(stage *s) {
    for (uint32_t i = 0; i < sides * range.n; ++i) {
        shot *one = &range.shots[i];
        const abut_vec3 at = s->bodies[i].pose.position;
        for (size_t p = s->movers; one->flies && p + 1 < s->count; ++p) {
            const bool through = passes(&s->bodies[p], one->was, at);
            s->report.passed[i >= range.n] += through;
            one->wound = through ? wound_frames : one->wound;
        }
        if (one->flies && (at.z < back - 6 || at.y < -1 || fabsf(at.x) > 3 * lane || at.z > muzzle + 6)) {
            *one = (shot){.returns = true}; /* it is far away */
            s->bodies[i].pose = magazine(i);
        }
    }
}

static abut_result ask(stage *s) {
    respond(s);
    count_passed(s);
    for (uint32_t k = 0; k < range.swept; ++k) {
        hash_u32s(&s->hash, range.hits[k].body.index1, range.index[k]);
        hash_floats(&s->hash, range.hits[k].fraction, range.hits[k].normal.z);
    }
    hash_u32s(&s->hash, s->report.passed[0], s->report.bounced[1]);
    return ABUT_OK;
}

/* --- what is shown --- */

static void draw_cannon(stage *s, float x) {
    static const abut_vec3 barrel = {0.3f, 0.3f, 1}, stand = {0.6f, 0.65f, 0.5f};
    stage_box(s, vec(x, muzzle_height, muzzle + 0.9f), quat_none, barrel, palette_slate);
    stage_box(s, vec(x, stand.y, muzzle + 1.1f), quat_none, stand, palette_dim);
}

static void draw(stage *s) {
    static const testbed_colour lanes[sides] = {{230, 159, 0, 255}, {86, 180, 233, 255}};
    draw_cannon(s, -lane);
    draw_cannon(s, lane);
    for (uint32_t i = 0; i < sides * range.n; ++i) {
        const shot *one = &range.shots[i];
        const testbed_colour own = lanes[i >= range.n];
        stage_body *body = &s->bodies[i];
        body->colour = one->wound > 0 ? palette_vermilion : one->glow > 0 ? palette_yellow : own;
        if (one->flies) {
            stage_line(s, one->was, body->pose.position, body->colour);
        }
    }
    for (uint32_t k = 0; k < range.swept; ++k) {
        const abut_hit *hit = &range.hits[k];
        if (hit->body.index1 > 0 && range.shots[range.index[k]].glow == glow_frames) {
            stage_line(s, hit->position, vec_along(hit->position, 0.6f, hit->normal), palette_white);
            stage_point(s, hit->position, palette_white);
        }
    }
}

static void tear_down(void) {
    free(range.shots);
    free(range.ids);
    free(range.targets);
    free(range.hits);
    free(range.index);
    range.shots = NULL;
    range.ids = NULL;
    range.targets = NULL;
    range.hits = NULL;
    range.index = NULL;
}

static void keep(past_walk *w, const stage *s) {
    (void)s;
    past_piece(w, &range, sizeof range);
    past_piece(w, range.shots, sides * (size_t)range.n * sizeof *range.shots);
    past_piece(w, range.hits, range.n * sizeof *range.hits);
    past_piece(w, range.index, range.n * sizeof *range.index);
}

const stage_scene stage_cannon = {400, 4000, set_up, move, ask, draw, tear_down, keep, NULL};
