/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "report.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* cJSON says NULL when it has no memory, and takes NULL everywhere; so one flag gathers what went wrong. */
static void add_number(cJSON *object, const char *key, double value, bool *ok) {
    *ok = cJSON_AddNumberToObject(object, key, value) != NULL && *ok;
}

static void add_string(cJSON *object, const char *key, const char *value, bool *ok) {
    *ok = cJSON_AddStringToObject(object, key, value) != NULL && *ok;
}

static cJSON *add_object(cJSON *object, const char *key, bool *ok) {
    cJSON *added = cJSON_AddObjectToObject(object, key);
    *ok = added != NULL && *ok;
    return added;
}

static cJSON *add_array(cJSON *object, const char *key, bool *ok) {
    cJSON *added = cJSON_AddArrayToObject(object, key);
    *ok = added != NULL && *ok;
    return added;
}

static void append(cJSON *array, cJSON *item, bool *ok) {
    if (!cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        *ok = false;
    }
}

static void add_counts(cJSON *object, const char *key, const size_t *counts, size_t n, bool *ok) {
    cJSON *array = add_array(object, key, ok);
    for (size_t i = 0; i < n; ++i) {
        append(array, cJSON_CreateNumber((double)counts[i]), ok);
    }
}

static void add_timings(cJSON *object, const timing *t, bool *ok) {
    cJSON *timings = add_object(object, "timings", ok);
    for (int phase = 0; phase < TIMING_PHASE_COUNT; ++phase) {
        timing_summary s = timing_summarise(t, (timing_phase)phase);
        cJSON *row = add_object(timings, timing_phase_name((timing_phase)phase), ok);
        add_number(row, "mean_ms", 1e3 * s.mean, ok);
        add_number(row, "median_ms", 1e3 * s.median, ok);
        add_number(row, "max_ms", 1e3 * s.max, ok);
    }
}

static void add_hits(cJSON *object, const track *t, const fight *fought, bool *ok) {
    cJSON *hits = add_array(object, "hits", ok);
    for (size_t i = 0; i < fought->hit_count; ++i) {
        const fight_hit *hit = &fought->hits[i];
        cJSON *row = cJSON_CreateObject();
        add_string(row, "a", t->bodies[hit->a].name, ok);
        add_string(row, "b", t->bodies[hit->b].name, ok);
        add_number(row, "begin", (double)hit->begin, ok);
        add_number(row, "end", (double)hit->end, ok);
        add_number(row, "depth", (double)hit->depth, ok);
        append(hits, row, ok);
    }
}

static void add_fight(cJSON *document, const track *t, const fight *fought, bool *ok) {
    cJSON *object = add_object(document, "track", ok);
    add_string(object, "name", t->name, ok);
    add_number(object, "frames", (double)t->frame_count, ok);
    add_number(object, "bodies", (double)t->body_count, ok);
    add_number(object, "characters", (double)t->character_count, ok);
    add_hits(object, t, fought, ok);
    add_counts(object, "per_frame_contacts", fought->contacts, t->frame_count, ok);
    cJSON *totals = add_object(object, "totals", ok);
    add_number(totals, "frames_with_hit", (double)fought->frames_with_hit, ok);
    add_number(totals, "pair_frames", (double)fought->pair_frames, ok);
    add_number(totals, "hit_starts", (double)fought->start_count, ok);
    add_number(totals, "pairs", (double)fought->pair_count, ok);
    add_number(totals, "most_in_one_frame", (double)fought->most, ok);
    add_timings(object, &fought->time, ok);
}

static void add_field(cJSON *document, const field *tumbled, bool *ok) {
    char hash[17];
    cJSON *object = add_object(document, "field", ok);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)tumbled->hash);
    add_number(object, "boxes", (double)tumbled->box_count, ok);
    add_number(object, "frames", (double)tumbled->frame_count, ok);
    cJSON *contacts = add_object(object, "contacts", ok);
    add_number(contacts, "min", (double)tumbled->contacts_least, ok);
    add_number(contacts, "mean", tumbled->contacts_mean, ok);
    add_number(contacts, "max", (double)tumbled->contacts_most, ok);
    add_counts(object, "per_frame_contacts", tumbled->contacts, tumbled->frame_count, ok);
    add_number(object, "begun", (double)tumbled->begun, ok);
    add_number(object, "ended", (double)tumbled->ended, ok);
    add_string(object, "hash", hash, ok);
    add_timings(object, &tumbled->time, ok);
}

bool report_json(const track *t, const fight *fought, const field *tumbled) {
    bool ok = true;
    cJSON *document = cJSON_CreateObject();
    add_string(document, "abut", abut_version(), &ok);
    add_string(document, "isa", abut_isa_name(abut_isa_active()), &ok);
    add_fight(document, t, fought, &ok);
    if (tumbled->box_count > 0) {
        add_field(document, tumbled, &ok);
    }
    char *text = ok ? cJSON_PrintUnformatted(document) : NULL;
    cJSON_Delete(document);
    if (text == NULL) {
        fputs("abut-demo: out of memory\n", stderr);
        return false;
    }
    puts(text);
    cJSON_free(text);
    return true;
}
