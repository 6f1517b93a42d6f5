/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/asked.h"
#include <math.h>
#include <string.h>

/* --- whom --- */

static bool accept(const abut_candidate *candidate, void *context) {
    uint64_t *digest = context;
    digest_number(digest, abut_body_id_pack(candidate->body));
    digest_number(digest, candidate->user);
    digest_number(digest, (uint64_t)candidate->part << 32 | candidate->mover.index1);
    digest_number(digest, candidate->element);
    return (candidate->user + candidate->part) % 3 != 0;
}

const abut_query *asked_query(story *s, asked_whom *w) {
    memset(w, 0, sizeof *w);
    abut_query *q = &w->query;
    if (rng_chance(&s->r, 0.25)) {
        return NULL;
    }
    if (rng_chance(&s->r, 0.5)) {
        q->filter = story_filter(s);
    }
    q->ignore = w->ignored;
    q->ignore_count = rng_chance(&s->r, 0.5) ? rng_below(&s->r, 6) : 0;
    if (rng_chance(&s->r, 0.08)) { /* more than a table has room for */
        q->ignore_count = 200 + rng_below(&s->r, ASKED_IGNORED - 200);
    }
    for (uint32_t k = 0; k < q->ignore_count; k++) {
        w->ignored[k] = k < 6 || s->n == 0 ? story_body(s) : s->id[k * k % (1 + s->n / 2)];
    }
    if (rng_chance(&s->r, 0.4)) {
        q->accept = accept;
        q->context = s->digest;
    }
    q->initial = (abut_initial)rng_below(&s->r, rng_chance(&s->r, 0.02) ? 4 : 3);
    q->every_part = rng_chance(&s->r, 0.4);
    q->allowance = rng_chance(&s->r, 0.3) ? 0.125f : rng_chance(&s->r, 0.02) ? -1.0f : 0;
    return q;
}

/* --- answers --- */

void digest_hits(uint64_t *digest, const abut_hit *hit, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, abut_body_id_pack(hit[k].body));
        digest_number(digest, hit[k].user);
        digest_float(digest, hit[k].fraction);
        digest_vec3(digest, hit[k].position);
        digest_vec3(digest, hit[k].normal);
        digest_number(digest, hit[k].part);
        digest_number(digest, abut_body_id_pack(hit[k].mover));
    }
}

void digest_result(uint64_t *digest, abut_result result) {
    digest_number(digest, (uint64_t)(int64_t)result);
}

size_t asked_room(story *s) {
    const size_t rooms[] = {0, 1, 2, 1 + rng_below(&s->r, 30), ASKED_ROOM};
    return rooms[rng_below(&s->r, 5)];
}

/* --- questions --- */

abut_ray asked_ray(story *s) {
    const abut_pose from = story_pose(s), to = story_pose(s);
    abut_ray ray = {.origin = from.position};
    ray.translation =
        (abut_vec3){to.position.x - from.position.x, to.position.y - from.position.y, to.position.z - from.position.z};
    const uint32_t what = rng_below(&s->r, 8);
    if (what == 0) {
        ray.translation.x = ray.translation.z = 0;
    } else if (what == 1) {
        ray.translation = (abut_vec3){0, 0, 0};
    } else if (what == 2) {
        ray.translation = (abut_vec3){ray.translation.x * 100, ray.translation.y * 100, ray.translation.z * 100};
    }
    if (rng_chance(&s->r, 0.2)) {
        ray.ignore[0] = story_body(s);
        ray.ignore[1] = story_body(s);
    }
    return ray;
}

static const story_kind kinds[ASKED_KINDS] = {
    {.extent = 4},
    {.extent = 4, .round = 0.3, .hulls = 0.3, .meshes = 0.15, .filtered = 0.3, .attached = 0.3, .coarse = 0.3},
    {.extent = 3, .round = 0.5, .hulls = 0.5},
    {.extent = 4, .meshes = 0.4},
    {.extent = 4, .aligned = true, .meshes = 0.1},
    {.extent = 5, .filtered = 0.7, .attached = 0.5, .round = 0.2},
};

/* Where questions are asked. */
static const story_kind asking = {.extent = 4, .round = 0.4, .hulls = 0.2, .meshes = 0.02};
static const story_kind asking_on_grid = {.extent = 4, .aligned = true};

void asked_worlds(uint64_t *digest, const story_shapes *shapes, const abut_world_def *def, uint64_t stream,
                  uint32_t bodies, uint32_t questions, double wrong, asked_ask *ask) {
    static story s;
    for (uint32_t k = 0; k < ASKED_KINDS; k++) {
        story_begin(&s, def, shapes, &kinds[k], 10 * stream + k, digest);
        story_create(&s, bodies / 2);
        story_create(&s, bodies - bodies / 2);
        for (uint32_t q = 0; q < questions; q++) {
            s.kind = kinds[k].aligned ? &asking_on_grid : &asking;
            s.wrong = wrong;
            ask(&s);
            s.kind = &kinds[k];
            s.wrong = 0;
            if (q % 4 == 3) {
                story_move(&s, q % 8 == 3 ? 0.1 : 0.5);
                story_change(&s);
            }
        }
        story_end(&s);
    }
}
