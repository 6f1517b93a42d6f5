/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What judges of rays and of casts share: all that is met on a way, and the lists that the world gives of it. */
#ifndef ABUT_TESTS_QUESTIONS_HITS_H
#define ABUT_TESTS_QUESTIONS_HITS_H

#include "world/query/questions_judge.h"

/* What is met, by brute force. */
typedef struct met_hit {
    abut_hit hit;
    double fraction; /* as exactly as it is known */
    uint32_t at;     /* in s->body */
    bool accepted;
} met_hit;

/* A ray or a cast, and all that it meets: the accepted ones first, by fraction and id. */
typedef struct hit_case {
    abut_ray ray;
    abut_cast cast;
    abut_result error;
    size_t met, count; /* count: accepted */
    met_hit list[SUBJECT_MOST];
} hit_case;

_Static_assert(sizeof(abut_hit) == 56, "no padding");

/* Puts the list into its order. */
void hit_case_sort(hit_case *c);
/* asking_met for all. */
void hit_case_note(asking *a, const hit_case *c, size_t element);
/* Whether `hit` is the answer for the first hit, where *first is the first of the whole list. */
bool hit_case_is_first(const hit_case *c, const abut_hit *hit, const abut_hit *first);
/* What a batch of n returns. */
abut_result hit_case_worst(const hit_case *c, size_t n);

/* A call that lists all hits. */
typedef struct list_call {
    size_t (*ask)(const asking *a, const hit_case *c, abut_hit *out, size_t capacity);
    /* Whether the n hits are those of the case. */
    bool (*is_list)(const subject *s, const hit_case *c, const abut_hit *out, size_t n);
} list_call;

/* Judges the whole list, how long it is, and a shorter one, which is its beginning. *first becomes the first hit, if
 * there is one. */
void hit_case_judge_list(asking *a, const hit_case *c, const list_call *call, abut_hit *first);

/* A random way, also for casts. */
abut_ray random_ray(subject *s);

#endif
