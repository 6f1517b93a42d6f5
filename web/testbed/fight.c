/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of fighters. Moves are random; contacts decide what hits: a striking limb that begins to touch the opponent's
 * trunk or head makes the opponent stagger or fall. */
#include "figure.h"
#include "moves.h"
#include "palette.h"
#include "past.h"
#include "scene_rng.h"
#include "vec.h"
#include <stdlib.h>

enum { most = 400, heat_max = 16, spark_count = 128, spark_frames = 14, idle = move_kind_count };

typedef struct fighter {
    uint32_t move, frame,
        delay; /* of the current move, or of one that begins in `delay` frames; move is `idle`: none */
    bool mirrored, has_hit;
    float back; /* distance from the middle */
    float rest; /* frames until the next attack is allowed */
} fighter;

typedef struct spark {
    abut_vec3 at, normal;
    uint32_t age; /* spark_frames: none */
} spark;

static struct {
    uint64_t rng;
    uint32_t count;
    uint32_t columns, rows; /* of mats */
    fighter fighters[most];
    abut_quat circle[most / 2]; /* how far a pair has gone round */
    spark sparks[spark_count];
    uint32_t next_spark;
} ring;

static const float mat_pitch = 3.2f, apart = 0.60f;

/* --- where they stand --- */

/* Twice as many columns as rows. */
static void lay_mats(uint32_t pairs) {
    ring.columns = 1;
    while (ring.columns < pairs && ring.columns * ring.columns < 2 * pairs) {
        ++ring.columns;
    }
    ring.rows = (pairs + ring.columns - 1) / ring.columns;
}

static abut_vec3 mat_at(uint32_t pair) {
    float x = (float)(pair % ring.columns) - 0.5f * (float)(ring.columns - 1);
    float z = (float)(pair / ring.columns) - 0.5f * (float)(ring.rows - 1);
    return vec(mat_pitch * x, 0, mat_pitch * z);
}

static abut_result set_up(stage *s, uint32_t count) {
    uint32_t pairs = (count + 1) / 2;
    ring.rng = 11;
    ring.count = count;
    lay_mats(pairs);
    for (int i = 0; i < spark_count; ++i) {
        ring.sparks[i].age = spark_frames;
    }
    float width = mat_pitch * (float)ring.columns;
    s->camera.eye = vec(0.22f * width, 0.36f * width + 0.8f, 0.64f * width + 2);
    s->camera.target = vec(0, 0.6f, 0);
    abut_result result = abut_world_create(NULL, &s->world);
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i) {
        ring.fighters[i] = (fighter){.move = idle, .back = apart + 0.3f, .rest = scene_rng_range(&ring.rng, 10, 60)};
        result = figure_add(s);
    }
    for (uint32_t i = 0; i < pairs; ++i) {
        ring.circle[i] = quat_degrees(vec(0, scene_rng_range(&ring.rng, -120, 120), 0));
    }
    s->movers = s->count;
    return result;
}

/* --- what they do --- */

static void start(fighter *f, uint32_t kind, uint32_t delay) {
    *f = (fighter){.move = kind, .delay = delay, .back = f->back, .rest = f->rest};
    f->mirrored = scene_rng_below(&ring.rng, 2) == 1;
}

static void attack(fighter *f, fighter *other) {
    start(f, scene_rng_below(&ring.rng, move_attack_count), 0);
    f->rest = scene_rng_range(&ring.rng, 6, 44);
    if (other != NULL && other->move == idle && scene_rng_below(&ring.rng, 100) < 45) {
        uint32_t ways = move_first_reaction - move_attack_count;
        uint32_t way = move_attack_count + scene_rng_below(&ring.rng, ways);
        start(other, way, scene_rng_below(&ring.rng, 5));
    }
}

static void advance(fighter *f, fighter *other) {
    if (f->move == idle) {
        f->rest -= 1;
        if (f->rest <= 0) {
            attack(f, other);
        }
    } else if (f->delay > 0) {
        --f->delay;
    } else if (++f->frame >= move_frames(&move_table[f->move])) {
        f->move = idle;
    }
    f->back += 0.04f * (apart - f->back);
}

/* A periodic function between -1 and 1, like a sine, made of parabolas. */
static float wave(uint32_t frame, uint32_t period) {
    float t = 4 * (float)(frame % period) / (float)period;
    return t < 2 ? t * (2 - t) : (t - 2) * (t - 4);
}

/* One foot forward, fists up, always moving a little. */
static figure_pose guard(uint32_t frame, uint32_t i) {
    static const move_change stance[] = {{figure_root, 0, -26, 0},
                                         {figure_chest, 0, 8, -8},
                                         {figure_head, 0, 16, -4},
                                         {figure_hip, -6, 0, 22},
                                         {figure_knee, 0, 0, -34},
                                         {figure_foot, 0, 0, 12},
                                         {figure_shoulder, -10, 0, 40},
                                         {figure_elbow, 0, 0, 96},
                                         {figure_hip + figure_other_side, 10, 0, -8},
                                         {figure_knee + figure_other_side, 0, 0, -24},
                                         {figure_foot + figure_other_side, 0, 0, 30},
                                         {figure_shoulder + figure_other_side, 8, 0, 48},
                                         {figure_elbow + figure_other_side, 0, 0, 88}};
    figure_pose pose = {{{0, 0, 0}}};
    float bob = wave(frame + 7 * i, 38 + i % 5), sway = wave(frame + 13 * i, 89 + i % 7);
    for (size_t k = 0; k < sizeof stance / sizeof stance[0]; ++k) {
        pose.turn[stance[k].link] = vec((float)stance[k].x, (float)stance[k].y, (float)stance[k].z);
    }
    for (uint32_t side = 0; side <= figure_other_side; side += figure_other_side) {
        pose.turn[figure_hip + side].z += 5 * bob;
        pose.turn[figure_knee + side].z -= 10 * bob;
        pose.turn[figure_foot + side].z += 5 * bob;
        pose.turn[figure_shoulder + side].z += 4 * sway;
    }
    pose.turn[figure_chest].y += 6 * sway;
    pose.turn[figure_chest].z -= 3 * bob;
    return pose;
}

static void pose_fighter(stage *s, uint32_t i) {
    fighter *f = &ring.fighters[i];
    figure_pose pose = guard(s->report.frame, i);
    abut_quat heading = ring.circle[i / 2];
    float back = f->back;
    if (i % 2 == 0) {
        heading = quat_multiply(heading, (abut_quat){0, 1, 0, 0}); /* the first one looks along -x */
    }
    abut_vec3 away = quat_turn(heading, vec(-1, 0, 0));
    if (f->move != idle && f->delay == 0) {
        const move *m = &move_table[f->move];
        move_apply(m, f->frame, f->mirrored, &pose);
        back -= 0.01f * (float)m->step * move_reach(m, f->frame);
        heading = quat_multiply(heading, move_spin(m, f->frame, f->mirrored));
    }
    abut_vec3 at = vec_along(mat_at(i / 2), back, away);
    figure_take_pose(s, (size_t)figure_links * i, &pose, at.x, at.z, heading);
}

static abut_result move_all(stage *s) {
    for (uint32_t i = 0; i < ring.count; ++i) {
        uint32_t other = i ^ 1;
        advance(&ring.fighters[i], other < ring.count ? &ring.fighters[other] : NULL);
    }
    for (uint32_t i = 0; i < ring.count; i += 2) {
        float speed = 0.002f * wave(s->report.frame + 40 * i, 700);
        ring.circle[i / 2] = quat_unit(quat_multiply(ring.circle[i / 2], (abut_quat){0, speed, 0, 1}));
    }
    for (uint32_t i = 0; i < ring.count; ++i) {
        pose_fighter(s, i);
    }
    return ABUT_OK;
}

/* --- what comes of it --- */

static void add_spark(const abut_contact *contact) {
    ring.sparks[ring.next_spark] = (spark){contact->manifold.points[0].position, contact->manifold.normal, 0};
    ring.next_spark = (ring.next_spark + 1) % spark_count;
}

/* Whether a striking link of one fighter hits a link of the other. */
static bool hits(fighter *one, uint32_t link, uint32_t other_link) {
    if (one->move == idle || one->has_hit || one->delay > 0 || other_link > figure_head) {
        return false;
    }
    const move *m = &move_table[one->move];
    uint32_t limb = m->limb + (one->mirrored ? figure_other_side : 0u);
    return move_hits(m, one->frame) && (link == limb || link + 1 == limb);
}

static void be_hit(fighter *one, fighter *other, uint32_t link) {
    bool is_kick = move_table[one->move].limb == figure_foot;
    uint32_t fall = scene_rng_below(&ring.rng, 100);
    uint32_t kind = link == figure_head ? move_head_hit : move_body_hit;
    one->has_hit = true;
    start(other, fall < (is_kick ? 22u : 6u) ? (uint32_t)move_fall : kind, 0);
    other->back += is_kick ? 0.16f : 0.08f;
    other->rest = other->rest < 20 ? 20 : other->rest;
}

static abut_result ask(stage *s) {
    size_t count;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    stage_note_contacts(s, heat_max);
    for (int i = 0; i < spark_count; ++i) {
        ring.sparks[i].age += ring.sparks[i].age < spark_frames;
    }
    for (size_t i = 0; i < count; ++i) {
        uint32_t a = (uint32_t)contacts[i].user_a, b = (uint32_t)contacts[i].user_b;
        uint32_t one = a / figure_links, other = b / figure_links;
        if (contacts[i].phase != ABUT_BEGIN || contacts[i].manifold.count == 0) {
            continue;
        }
        add_spark(&contacts[i]);
        if (hits(&ring.fighters[one], a % figure_links, b % figure_links)) {
            be_hit(&ring.fighters[one], &ring.fighters[other], b % figure_links);
        } else if (hits(&ring.fighters[other], b % figure_links, a % figure_links)) {
            be_hit(&ring.fighters[other], &ring.fighters[one], a % figure_links);
        }
    }
    return ABUT_OK;
}

/* --- what is shown --- */

/* Eight rays perpendicular to the normal that fly apart. */
static void draw_spark(stage *s, const spark *p) {
    abut_vec3 across[2];
    float from = 0.02f * (float)p->age, to = from + 0.012f * (float)(spark_frames - p->age);
    testbed_colour colour = palette_mix(palette_white, palette_yellow, p->age, spark_frames);
    vec_across(p->normal, across);
    for (int i = 0; i < 8; ++i) {
        static const float directions[8][2] = {{1, 0},  {0.7f, 0.7f},   {0, 1},  {-0.7f, 0.7f},
                                               {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};
        abut_vec3 d = vec_along(vec_scale(across[0], directions[i][0]), directions[i][1], across[1]);
        stage_line(s, vec_along(p->at, from, d), vec_along(p->at, to, d), colour);
    }
    stage_point(s, p->at, colour);
}

static void draw(stage *s) {
    static const testbed_colour colours[2][2] = {{{200, 82, 10, 255}, {236, 150, 90, 255}},
                                                 {{30, 104, 176, 255}, {110, 178, 226, 255}}};
    for (uint32_t i = 0; i < s->count; ++i) {
        uint32_t link = i % figure_links;
        bool is_end = link == figure_head || (link > figure_head && link % 3 == 2);
        testbed_colour colour = colours[i / figure_links % 2][is_end];
        s->bodies[i].colour = palette_mix(colour, palette_yellow, s->bodies[i].heat, heat_max);
    }
    for (uint32_t i = 0; 2 * i < ring.count; ++i) {
        abut_vec3 at = mat_at(i);
        at.y = -0.05f;
        stage_box(s, at, quat_none, vec(0.46f * mat_pitch, 0.05f, 0.46f * mat_pitch), palette_plot);
    }
    for (int i = 0; i < spark_count; ++i) {
        if (ring.sparks[i].age < spark_frames) {
            draw_spark(s, &ring.sparks[i]);
        }
    }
}

static void keep(past_walk *w, const stage *s) {
    (void)s;
    past_piece(w, &ring, sizeof ring);
}

const stage_scene stage_fight = {36, most, set_up, move_all, ask, draw, NULL, keep, NULL};
