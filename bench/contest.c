/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "contest.h"
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>

contest_method *contest_add(contest *c, const char *name, void *state, void (*run)(void *state, uint8_t *answers)) {
    if (c->method_count == METHODS_MAX) {
        bench_fail("too many methods in one contest");
    }
    contest_method *m = &c->methods[c->method_count++];
    *m = (contest_method){.state = state, .run = run};
    snprintf(m->name, sizeof m->name, "%s", name);
    return m;
}

contest contest_of_frames(const char *group, void (*next)(struct contest *c, void *user), void *user) {
    return (contest){.group = group,
                     .unit = "frame",
                     .frames = true,
                     .counted = "pairs",
                     .units = 1,
                     .units_max = 1,
                     .next = next,
                     .user = user};
}

void contest_refer(contest *c) {
    if (c->reference_count == REFERENCES_MAX) {
        bench_fail("too many references in one contest");
    }
    c->references[c->reference_count++] = c->method_count - 1;
}

static double time_method(const contest_method *m, uint8_t *answers) {
    double start = bench_now();
    if (m->run != NULL) {
        m->run(m->state, answers);
    }
    return bench_now() - start;
}

/* Methods that find different pairs cannot be compared. */
static void compare_counts(const contest *c) {
    const contest_method *first = &c->methods[c->references[0]];
    for (size_t i = 0; i < c->method_count; ++i) {
        const contest_method *m = &c->methods[i];
        if (m->found != NULL && !m->may_differ && *m->found != *first->found) {
            fprintf(stderr, "abut-bench: %s, %s: %s finds %zu, %s finds %zu\n", c->group, c->input, first->name,
                    *first->found, m->name, *m->found);
            bench_fail("they must agree");
        }
    }
}

/* The order of methods changes from round to round, so that no method always finds the caches as the same other method
 * left them. */
static void play_round(contest *c, size_t round, double *samples, uint8_t *answers) {
    if (c->next != NULL) {
        c->next(c, c->user);
    }
    for (size_t turn = 0; turn < c->method_count; ++turn) {
        size_t i = (turn + round) % c->method_count;
        samples[i] = time_method(&c->methods[i], answers + i * c->units_max);
    }
    for (size_t i = 0; i < c->method_count; ++i) {
        double seconds = c->methods[i].seconds != NULL ? *c->methods[i].seconds : samples[i];
        samples[i] = c->units == 0 ? 0.0 : 1e9 * seconds / (double)c->units;
    }
    if (c->frames) {
        compare_counts(c);
    }
}

/* `sorted` ascends. */
static double spread_of(const double *sorted, size_t count, double median) {
    return median > 0.0 ? (sorted[3 * count / 4] - sorted[count / 4]) / median : 0.0;
}

static void judge(const contest *c, const contest_method *m, contest_row *row, const uint8_t *answers,
                  const uint8_t *right) {
    if (m->yes != NULL) {
        row->yes = *m->yes;
        row->differ = *m->differ;
        return;
    }
    for (size_t i = 0; i < c->units && !row->silent; ++i) {
        row->yes += answers[i];
        row->differ += answers[i] != right[i];
    }
}

static contest_result result_of(const contest *c, const double *samples, size_t rounds, const uint8_t *answers) {
    contest_result result = {.group = c->group,
                             .row = c->row,
                             .unit = c->unit,
                             .counted = c->counted,
                             .frames = c->frames,
                             .units = c->units,
                             .row_count = c->method_count};
    double *column = bench_alloc(rounds, sizeof *column);
    snprintf(result.input, sizeof result.input, "%s", c->input);
    for (size_t i = 0; i < c->method_count; ++i) {
        contest_row *row = &result.rows[i];
        for (size_t round = 0; round < rounds; ++round) {
            column[round] = samples[round * c->method_count + i];
        }
        snprintf(row->name, sizeof row->name, "%s", c->methods[i].name);
        row->nanoseconds = bench_median(column, rounds); /* sorts it */
        row->best = column[0];
        row->spread = spread_of(column, rounds, row->nanoseconds);
        row->silent = c->frames || c->methods[i].silent;
        row->counts = c->methods[i].found != NULL;
        row->found = row->counts ? *c->methods[i].found : 0;
        judge(c, &c->methods[i], row, answers + i * c->units_max, answers + c->references[0] * c->units_max);
    }
    result.reference_count = c->reference_count;
    for (size_t k = 0; k < c->reference_count; ++k) {
        result.references[k] = c->references[k];
        double ours = result.rows[c->references[k]].nanoseconds;
        for (size_t i = 0; i < c->method_count; ++i) {
            result.rows[i].ratio[k] = ours > 0.0 ? result.rows[i].nanoseconds / ours : 0.0;
        }
    }
    free(column);
    return result;
}

static void append(contest_list *list, const contest_result *result) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 8;
        list->results = realloc(list->results, list->capacity * sizeof *list->results);
        if (list->results == NULL) {
            bench_fail("out of memory");
        }
    }
    list->results[list->count++] = *result;
}

void contest_hold(contest *c, size_t rounds, contest_list *list) {
    fprintf(stderr, "abut-bench: %s, %s%s%s\n", c->group, c->input, c->row != NULL ? ": " : "",
            c->row != NULL ? c->row : "");
    double *samples = bench_alloc(rounds * c->method_count, sizeof *samples); /* [round * method_count + method] */
    uint8_t *answers = bench_alloc(c->units_max * c->method_count, 1);        /* [method * units_max + unit] */
    play_round(c, 0, samples, answers); /* not counted: it allocates and warms the caches */
    for (size_t round = 0; round < rounds; ++round) {
        play_round(c, round, samples + round * c->method_count, answers);
    }
    contest_result result = result_of(c, samples, rounds, answers);
    append(list, &result);
    for (size_t i = 0; i < c->method_count; ++i) {
        if (c->methods[i].destroy != NULL) {
            c->methods[i].destroy(c->methods[i].state);
        }
    }
    free(samples);
    free(answers);
}
