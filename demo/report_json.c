/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "json.h"
#include "report.h"
#include <stdio.h>

static void add_hits(cJSON *object, const track *t, const fight *fought, bool *ok) {
    cJSON *hits = json_add_array(object, "hits", ok);
    for (size_t i = 0; i < fought->hit_count; ++i) {
        const fight_hit *hit = &fought->hits[i];
        cJSON *row = cJSON_CreateObject();
        json_add_string(row, "a", t->bodies[hit->a].name, ok);
        json_add_string(row, "b", t->bodies[hit->b].name, ok);
        json_add_number(row, "begin", (double)hit->begin, ok);
        json_add_number(row, "end", (double)hit->end, ok);
        json_add_number(row, "depth", (double)hit->depth, ok);
        json_append(hits, row, ok);
    }
}

static void add_fight(cJSON *document, const track *t, const fight *fought, bool *ok) {
    cJSON *object = json_add_object(document, "track", ok);
    json_add_string(object, "name", t->name, ok);
    json_add_number(object, "every", (double)t->every, ok);
    json_add_number(object, "frames", (double)t->frame_count, ok);
    json_add_number(object, "bodies", (double)t->body_count, ok);
    json_add_number(object, "characters", (double)t->character_count, ok);
    add_hits(object, t, fought, ok);
    json_add_counts(object, "per_frame_contacts", fought->contacts, t->frame_count, ok);
    cJSON *totals = json_add_object(object, "totals", ok);
    json_add_number(totals, "frames_with_hit", (double)fought->frames_with_hit, ok);
    json_add_number(totals, "pair_frames", (double)fought->pair_frames, ok);
    json_add_number(totals, "hit_starts", (double)fought->start_count, ok);
    json_add_number(totals, "pairs", (double)fought->pair_count, ok);
    json_add_number(totals, "most_in_one_frame", (double)fought->most, ok);
    json_add_timings(object, &fought->time, ok);
}

static void add_field(cJSON *document, const field *tumbled, bool *ok) {
    char hash[17];
    cJSON *object = json_add_object(document, "field", ok);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)tumbled->hash);
    json_add_string(object, "scene", scene_name(tumbled->kind), ok);
    json_add_number(object, "boxes", (double)tumbled->box_count, ok);
    json_add_number(object, "frames", (double)tumbled->frame_count, ok);
    cJSON *contacts = json_add_object(object, "contacts", ok);
    json_add_number(contacts, "min", (double)tumbled->contacts_least, ok);
    json_add_number(contacts, "mean", tumbled->contacts_mean, ok);
    json_add_number(contacts, "max", (double)tumbled->contacts_most, ok);
    json_add_counts(object, "per_frame_contacts", tumbled->contacts, tumbled->frame_count, ok);
    json_add_number(object, "begun", (double)tumbled->begun, ok);
    json_add_number(object, "ended", (double)tumbled->ended, ok);
    json_add_string(object, "hash", hash, ok);
    json_add_timings(object, &tumbled->time, ok);
}

bool report_json(const track *t, const fight *fought, const swept *s, const field *tumbled) {
    bool ok = true;
    cJSON *document = cJSON_CreateObject();
    json_add_string(document, "abut", abut_version(), &ok);
    json_add_string(document, "isa", abut_isa_name(abut_isa_active()), &ok);
    add_fight(document, t, fought, &ok);
    if (s != NULL) {
        report_swept_json(document, t, s, &ok);
    }
    if (tumbled->box_count > 0) {
        add_field(document, tumbled, &ok);
    }
    return json_print(document, ok);
}
