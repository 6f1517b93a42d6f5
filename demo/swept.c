/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "swept.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_hit(swept *s, swept_hit hit) {
    if (s->hit_count == s->hit_capacity) {
        size_t capacity = s->hit_capacity == 0 ? 256 : 2 * s->hit_capacity;
        swept_hit *hits = realloc(s->hits, capacity * sizeof *hits);
        if (hits == NULL) {
            fputs("abut-demo: out of memory\n", stderr);
            return false;
        }
        s->hits = hits;
        s->hit_capacity = capacity;
    }
    s->hits[s->hit_count++] = hit;
    return true;
}

/* --- the frames of the recording --- */

/* The intervals that a pair touches in, from its frames begin .. end - 1. */
static bool add_recorded(swept *s, const fight_hit *hit) {
    size_t first = hit->begin == 0 ? 0 : (hit->begin - 1) / s->every;
    for (size_t i = first; i < s->interval_count && i * s->every < hit->end; ++i) {
        size_t from = i * s->every, to = from + s->every;
        bool at_from = hit->begin <= from, at_to = to < hit->end && hit->begin <= to;
        swept_hit one = {.a = hit->a, .b = hit->b, .interval = i, .found = SWEPT_RECORDED};
        if (at_from || at_to) {
            one.found |= SWEPT_STEPS | SWEPT_SWEEPS;
            one.frame = (double)(at_from ? from : to);
        }
        if (!add_hit(s, one)) {
            return false;
        }
    }
    return true;
}

/* --- sweeps --- */

typedef struct asked {
    const swept *s;
    size_t first; /* of the hits of this interval */
} asked;

static bool is_known(const asked *q, uint32_t a, uint32_t b) {
    for (size_t i = q->first; i < q->s->hit_count; ++i) {
        if (q->s->hits[i].a == a && q->s->hits[i].b == b) {
            return true;
        }
    }
    return false;
}

/* A sweep answers with the first hit of each body. Refusing what is known makes the next sweep answer with the next. */
static bool is_new(const abut_candidate *candidate, void *context) {
    uint32_t mover = (uint32_t)candidate->element, other = (uint32_t)candidate->user;
    return mover < other ? !is_known(context, mover, other) : !is_known(context, other, mover);
}

/* Each pair is in the answers of both; adds it once. */
static bool add_answers(swept *s, const asked *q, const abut_hit *answers, size_t n, size_t interval) {
    for (size_t i = 0; i < n; ++i) {
        if (answers[i].body.index1 == 0) {
            continue;
        }
        uint32_t mover = (uint32_t)i, other = (uint32_t)answers[i].user;
        swept_hit hit = {.a = mover < other ? mover : other,
                         .b = mover < other ? other : mover,
                         .interval = interval,
                         .found = SWEPT_SWEEPS,
                         .frame = ((double)interval + (double)answers[i].fraction) * (double)s->every};
        if (!is_known(q, hit.a, hit.b) && !add_hit(s, hit)) {
            return false;
        }
    }
    return true;
}

static bool sweep_interval(swept *s, const track *t, abut_world *world, const abut_body_id *ids, abut_hit *answers,
                           size_t interval) {
    const abut_pose *targets = t->poses + (interval + 1) * s->every * t->body_count;
    asked q = {.s = s, .first = s->hit_count};
    abut_query query = {.accept = is_new, .context = &q, .initial = ABUT_INITIAL_SKIP}; /* steps have what touches */
    if (!fight_pose_bodies(world, t, interval * s->every, ids)) {
        return false;
    }
    size_t before;
    do {
        before = s->hit_count;
        double start = timing_now();
        abut_result result = abut_world_sweep(world, ids, targets, t->body_count, &query, answers);
        double seconds = timing_now() - start;
        if (result != ABUT_OK) {
            fprintf(stderr, "abut-demo: sweep from frame %zu: %s\n", interval * s->every, abut_result_name(result));
            return false;
        }
        if (before == q.first) {
            s->mean += seconds / (double)s->interval_count;
            s->max = seconds > s->max ? seconds : s->max;
        }
        if (!add_answers(s, &q, answers, t->body_count, interval)) {
            return false;
        }
    } while (s->hit_count > before);
    return true;
}

static bool sweep_track(swept *s, const track *t) {
    abut_world *world = NULL;
    abut_body_id *ids = calloc(t->body_count, sizeof *ids);
    abut_hit *answers = calloc(t->body_count, sizeof *answers);
    bool ok = ids != NULL && answers != NULL && abut_world_create(NULL, &world) == ABUT_OK;
    if (!ok) {
        fputs("abut-demo: out of memory\n", stderr);
    }
    ok = ok && fight_add_bodies(world, t, ids);
    for (size_t i = 0; ok && i < s->interval_count; ++i) {
        ok = sweep_interval(s, t, world, ids, answers, i);
    }
    abut_world_destroy(&world);
    free(answers);
    free(ids);
    return ok;
}

/* --- what was found --- */

static int by_pair(const void *a, const void *b) {
    const swept_hit *x = a, *y = b;
    int order = (x->a > y->a) - (x->a < y->a);
    return order != 0 ? order : (x->b > y->b) - (x->b < y->b);
}

static int by_interval(const void *a, const void *b) {
    const swept_hit *x = a, *y = b;
    int order = (x->interval > y->interval) - (x->interval < y->interval);
    return order != 0 ? order : by_pair(a, b);
}

/* Makes one of neighbours that `compare` calls equal; returns how many are left. */
static size_t merge(swept_hit *hits, size_t n, int (*compare)(const void *, const void *)) {
    size_t kept = 0;
    if (n > 0) {
        qsort(hits, n, sizeof *hits, compare);
    }
    for (size_t i = 0; i < n; ++i) {
        if (kept > 0 && compare(&hits[kept - 1], &hits[i]) == 0) {
            swept_hit *one = &hits[kept - 1];
            bool sooner =
                (one->found & SWEPT_SWEEPS) == 0 || ((hits[i].found & SWEPT_SWEEPS) != 0 && hits[i].frame < one->frame);
            one->frame = sooner ? hits[i].frame : one->frame;
            one->found |= hits[i].found;
        } else {
            hits[kept++] = hits[i];
        }
    }
    return kept;
}

static swept_counts count(const swept_hit *hits, size_t n) {
    swept_counts c = {0};
    for (size_t i = 0; i < n; ++i) {
        bool recorded = (hits[i].found & SWEPT_RECORDED) != 0;
        bool steps = (hits[i].found & SWEPT_STEPS) != 0, sweeps = (hits[i].found & SWEPT_SWEEPS) != 0;
        c.recorded += recorded;
        c.steps += steps;
        c.sweeps += sweeps;
        c.steps_recorded += recorded && steps;
        c.sweeps_recorded += recorded && sweeps;
    }
    return c;
}

static bool count_pairs(swept *s) {
    size_t size = s->hit_count * sizeof *s->hits;
    swept_hit *pairs = malloc(size == 0 ? 1 : size);
    if (pairs == NULL) {
        fputs("abut-demo: out of memory\n", stderr);
        return false;
    }
    if (size > 0) {
        memcpy(pairs, s->hits, size);
    }
    s->pairs = count(pairs, merge(pairs, s->hit_count, by_pair));
    free(pairs);
    return true;
}

bool swept_run(swept *s, const track *t, const fight *recorded, size_t every) {
    *s = (swept){.every = every, .interval_count = (t->frame_count - 1) / every};
    bool ok = sweep_track(s, t);
    for (size_t i = 0; ok && i < recorded->hit_count; ++i) {
        ok = add_recorded(s, &recorded->hits[i]);
    }
    if (!ok || !count_pairs(s)) {
        swept_destroy(s);
        return false;
    }
    s->hit_count = merge(s->hits, s->hit_count, by_interval);
    s->intervals = count(s->hits, s->hit_count);
    return true;
}

void swept_destroy(swept *s) {
    free(s->hits);
    *s = (swept){0};
}
