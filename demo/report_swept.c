/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "json.h"
#include "report.h"
#include <stdio.h>

enum { recorded_per_second = 60 }; /* frames of the tracks */

static void print_missed(const track *t, const swept_hit *hit) {
    const track_body *a = &t->bodies[hit->a], *b = &t->bodies[hit->b];
    printf("  %7.3f s  %-9s  %s %s - %s %s\n", hit->frame / recorded_per_second,
           (hit->found & SWEPT_RECORDED) != 0 ? "yes" : "no", a->character, a->limb, b->character, b->limb);
}

static void print_counts(const char *what, const swept_counts *c) {
    printf("  %-22s %12zu %12zu %12zu\n", what, c->recorded, c->steps, c->sweeps);
    printf("  %-22s %12zu %12zu %12zu\n", "  of the recording's", c->recorded, c->steps_recorded, c->sweeps_recorded);
}

void report_swept(const track *t, const swept *s) {
    char steps[32], sweeps[32];
    double rate = recorded_per_second / (double)s->every;
    snprintf(steps, sizeof steps, "%.4g Hz", rate);
    snprintf(sweeps, sizeof sweeps, "%.4g Hz swept", rate);
    printf("\nsweeps between frames: hits that steps at %s miss\n\n  %9s  %-9s  %s\n", steps, "at", "recorded",
           "limbs");
    for (size_t i = 0; i < s->hit_count; ++i) {
        if (swept_missed(&s->hits[i])) {
            print_missed(t, &s->hits[i]);
        }
    }
    printf("\n  %-22s %9d Hz %12s %12s\n", "", recorded_per_second, steps, sweeps);
    print_counts("pairs that ever hit", &s->pairs);
    print_counts("hits, by interval", &s->intervals);
    printf("\n  a sweep of all boxes   %.1f microseconds mean, %.1f max\n", s->mean * 1e6, s->max * 1e6);
}

static void add_counts(cJSON *object, const char *key, const swept_counts *c, bool *ok) {
    cJSON *counts = json_add_object(object, key, ok);
    json_add_number(counts, "recorded", (double)c->recorded, ok);
    json_add_number(counts, "steps", (double)c->steps, ok);
    json_add_number(counts, "sweeps", (double)c->sweeps, ok);
    json_add_number(counts, "steps_recorded", (double)c->steps_recorded, ok);
    json_add_number(counts, "sweeps_recorded", (double)c->sweeps_recorded, ok);
}

void report_swept_json(cJSON *document, const track *t, const swept *s, bool *ok) {
    cJSON *object = json_add_object(document, "sweep", ok);
    json_add_number(object, "every", (double)s->every, ok);
    json_add_number(object, "intervals", (double)s->interval_count, ok);
    cJSON *missed = json_add_array(object, "missed", ok);
    for (size_t i = 0; i < s->hit_count; ++i) {
        const swept_hit *hit = &s->hits[i];
        if (swept_missed(hit)) {
            cJSON *row = cJSON_CreateObject();
            json_add_string(row, "a", t->bodies[hit->a].name, ok);
            json_add_string(row, "b", t->bodies[hit->b].name, ok);
            json_add_number(row, "interval", (double)hit->interval, ok);
            json_add_number(row, "frame", hit->frame, ok);
            cJSON_AddBoolToObject(row, "recorded", (hit->found & SWEPT_RECORDED) != 0);
            json_append(missed, row, ok);
        }
    }
    add_counts(object, "pairs", &s->pairs, ok);
    add_counts(object, "intervals_with_hit", &s->intervals, ok);
    cJSON *timings = json_add_object(object, "timings", ok);
    json_add_number(timings, "mean_ms", s->mean * 1e3, ok);
    json_add_number(timings, "max_ms", s->max * 1e3, ok);
}
