/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Judges of the answers to questions: each puts the same question to every living body by itself, with the functions of
 * abut/shape.h. They fail the test where the answers differ, and where `accept` is asked about a body that is not met,
 * not about one that is in an answer, or more than twice. No question may allocate or change the hash. */
#ifndef ABUT_TESTS_QUESTIONS_JUDGE_H
#define ABUT_TESTS_QUESTIONS_JUDGE_H

#include "world/query/questions_worlds.h"

enum { ASKING_ELEMENTS = 12, ASKING_IGNORED = 3000 };

/* A query, and the books of its `accept`. */
typedef struct asking {
    subject *s;
    const abut_query *query; /* NULL or &filled */
    abut_query filled;
    abut_body_id ignored[ASKING_IGNORED];
    uint64_t salt; /* of accept; 0: none */
    uint64_t hash;
    size_t calls, wrong;
    uint8_t asked[ASKING_ELEMENTS][SUBJECT_SLOTS];
    uint8_t met[ASKING_ELEMENTS][SUBJECT_SLOTS];    /* by those who count, whether accepted or not */
    uint8_t answer[ASKING_ELEMENTS][SUBJECT_SLOTS]; /* named in an answer */
} asking;

/* A random query to this world as subject_read last read it. */
void asking_begin(asking *a, subject *s);
/* Before and after each call that asks. */
void asking_open(asking *a);
void asking_close(asking *a);
/* Writes down that brute force met a body, or that an answer named one. */
void asking_met(asking *a, size_t element, abut_body_id id);
void asking_answer(asking *a, size_t element, abut_body_id id);

/* Which living bodies the query is put to, and their place in s->body: fills `who` and returns how many. `more` are
 * `more_count` further ids to ignore. */
size_t asking_whom(const asking *a, const abut_body_id *more, size_t more_count, uint32_t *who);
/* The last word. */
bool asking_accepts(const asking *a, abut_body_id id);

/* Puts random questions to the world as it is now. */
void judge_rays(subject *s);    /* cast_rays, test_rays, ray_hits */
void judge_shapes(subject *s);  /* overlaps, overlaps_many, collide, in_bounds */
void judge_nearest(subject *s); /* nearest, nearest_many */

/* How much they found. */
typedef struct tally {
    size_t hits, misses, held, ties; /* of rays; held: hit at the origin; ties: at one fraction */
    size_t touching, contacts, in_bounds;
    size_t near, at_zero, near_ties;
} tally;
extern tally judged;

#endif
