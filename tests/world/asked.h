/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random questions to the worlds of stories, and their answers as numbers. */
#ifndef ABUT_TESTS_WORLD_ASKED_H
#define ABUT_TESTS_WORLD_ASKED_H

#include "world/story.h"

enum { ASKED_IGNORED = 400, ASKED_ROOM = 300 };

/* A question, and memory for what it names. */
typedef struct asked_whom {
    abut_query query;
    abut_body_id ignored[ASKED_IGNORED];
} asked_whom;

/* NULL now and then. Some have `accept`, whose calls go into the digest of the story. */
const abut_query *asked_query(story *s, asked_whom *w);

/* Through a body, along an axis, from one place to another, or none. */
abut_ray asked_ray(story *s);

/* Room for none, some or all: up to ASKED_ROOM. */
size_t asked_room(story *s);

void digest_result(uint64_t *digest, abut_result result);
void digest_hits(uint64_t *digest, const abut_hit *hit, size_t n);

/* Worlds of all kinds are asked, with wrong arguments now and then, and change meanwhile. */
enum { ASKED_KINDS = 6 };
typedef void asked_ask(story *s);
void asked_worlds(uint64_t *digest, const story_shapes *shapes, const abut_world_def *def, uint64_t stream,
                  uint32_t bodies, uint32_t questions, double wrong, asked_ask *ask);

#endif
