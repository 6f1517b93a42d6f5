/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contests: several methods answer the same questions, or work through the same frames. They are timed in turns within
 * one round, so that other work on the machine affects all of them, and the figures are medians over the rounds. */
#ifndef ABUT_BENCH_CONTEST_H
#define ABUT_BENCH_CONTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { METHODS_MAX = 20, REFERENCES_MAX = 2, CONTEST_NAME_SIZE = 112 };

typedef struct contest_method {
    char name[CONTEST_NAME_SIZE];
    void *state;
    void (*run)(void *state,
                uint8_t *answers); /* answers every question, 0 or 1 each; NULL: a part of another method */
    void (*destroy)(void *state);  /* NULL: nothing to free */
    const double *seconds;         /* where a run writes the time it took; NULL: the contest times it */
    bool silent;                   /* gives no answers */
    const size_t *found;           /* of frames: how many a run found; NULL: unknown */
    bool may_differ; /* its results may differ from the judge's, because it has its own margins or tolerances */
    const size_t *yes, *differ; /* where a run writes these counts, of answers that are more than yes or no; or NULL */
} contest_method;

typedef struct contest {
    const char *group;
    char input[CONTEST_NAME_SIZE];
    const char *row;     /* NULL, or its name as a row of one table of all contests that follow with this input */
    const char *unit;    /* what the nanoseconds are per: "pair", "cloud" ... */
    bool frames;         /* a run is one or more frames, which are its units: methods find pairs and give no answers */
    const char *counted; /* of frames: what is found, "pairs" */
    size_t units;        /* questions in a run; `next` may change it, up to units_max */
    size_t units_max;
    void (*next)(struct contest *c, void *user); /* before every round, not timed; NULL: all rounds are the same */
    void *user;
    size_t references[REFERENCES_MAX]; /* methods (ours) that all others are compared with; [0] is also the judge */
    size_t reference_count, method_count;
    contest_method methods[METHODS_MAX];
} contest;

typedef struct contest_row {
    char name[CONTEST_NAME_SIZE];
    double nanoseconds;           /* per unit, median */
    double best;                  /* the least, for machines that are never idle */
    double spread;                /* interquartile range, relative to the median: how noisy it was */
    double ratio[REFERENCES_MAX]; /* its nanoseconds divided by the reference's: how many times faster ours is */
    bool silent;
    size_t yes, differ; /* in the last round: answers of 1, and answers that differ from the judge's */
    bool counts;
    size_t found;    /* in the last round */
    double exponent; /* of its growth with the number of bodies; 0: not known */
} contest_row;

typedef struct contest_result {
    const char *group, *row, *unit, *counted;
    char input[CONTEST_NAME_SIZE];
    bool frames;
    size_t units; /* of the last round */
    size_t reference_count, row_count;
    size_t references[REFERENCES_MAX];
    contest_row rows[METHODS_MAX];
} contest_result;

typedef struct contest_list {
    size_t count, capacity;
    contest_result *results;
} contest_list;

/* Adds a method and returns it; the name is copied. */
contest_method *contest_add(contest *c, const char *name, void *state, void (*run)(void *state, uint8_t *answers));
/* A contest of frames. */
contest contest_of_frames(const char *group, void (*next)(struct contest *c, void *user), void *user);
/* Makes the method that was added last a reference. */
void contest_refer(contest *c);
/* Runs the contest, destroys the methods' states and adds the figures to the list. */
void contest_hold(contest *c, size_t rounds, contest_list *list);

#endif
