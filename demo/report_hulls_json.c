/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "json.h"
#include "report.h"
#include "spread.h"
#include <stdio.h>

static void add_hull(cJSON *hulls, const specimen *s, bool *ok) {
    cJSON *row = cJSON_CreateObject();
    json_add_string(row, "file", s->path, ok);
    json_add_number(row, "points", (double)s->point_count, ok);
    if (s->hull == NULL) {
        json_add_string(row, "reason", s->reason, ok);
        json_add_number(row, "line", (double)s->line, ok);
    } else {
        json_add_number(row, "vertices", (double)abut_hull_vertex_count(s->hull), ok);
        json_add_number(row, "faces", (double)abut_hull_face_count(s->hull), ok);
        json_add_number(row, "edges", (double)abut_hull_edge_count(s->hull), ok);
        json_add_number(row, "volume", (double)abut_hull_volume(s->hull), ok);
    }
    json_append(hulls, row, ok);
}

static void add_set(cJSON *sets, const collection *c, size_t first, size_t end, bool *ok) {
    static const char *const names[] = {"vertices", "faces", "edges", "build_us"};
    _Static_assert(sizeof names / sizeof names[0] == SET_NUMBER_COUNT, "a name per number");
    set_summary s = set_summarise(c, first, end);
    cJSON *row = cJSON_CreateObject();
    json_add_string(row, "set", c->items[first].set, ok);
    json_add_number(row, "files", (double)s.files, ok);
    json_add_number(row, "hulls", (double)s.hulls, ok);
    json_add_number(row, "points", (double)s.points, ok);
    for (int number = 0; number < SET_NUMBER_COUNT; ++number) {
        double scale = number == SET_SECONDS ? 1e6 : 1.0;
        cJSON *object = json_add_object(row, names[number], ok);
        json_add_number(object, "min", s.of[number].least * scale, ok);
        json_add_number(object, "median", s.of[number].median * scale, ok);
        json_add_number(object, "max", s.of[number].most * scale, ok);
    }
    json_add_number(row, "volume", s.volume, ok);
    json_append(sets, row, ok);
}

static void add_faults(cJSON *object, const tumble *t, bool *ok) {
    cJSON *faults = json_add_array(object, "faults", ok);
    for (size_t i = 0; i < t->fault_count && i < TUMBLE_FAULTS_MAX; ++i) {
        const tumble_fault *f = &t->faults[i];
        cJSON *row = cJSON_CreateObject();
        json_add_string(row, "what", f->what, ok);
        json_add_string(row, "a", f->a->path, ok);
        if (f->b != NULL) {
            json_add_string(row, "b", f->b->path, ok);
            json_add_number(row, "frame", (double)f->frame, ok);
        }
        json_append(faults, row, ok);
    }
}

static void add_tumble(cJSON *document, const tumble *t, bool *ok) {
    char hash[17];
    cJSON *object = json_add_object(document, "tumble", ok);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)t->hash);
    json_add_number(object, "bodies", (double)t->body_count, ok);
    json_add_number(object, "frames", (double)t->frame_count, ok);
    json_add_counts(object, "per_frame_contacts", t->contacts, t->body_count > 0 ? t->frame_count : 0, ok);
    json_add_number(object, "begun", (double)t->begun, ok);
    json_add_number(object, "persisted", (double)t->persisted, ok);
    json_add_number(object, "ended", (double)t->ended, ok);
    json_add_string(object, "hash", hash, ok);
    json_add_timings(object, &t->time, ok);
    cJSON *bounds = json_add_object(object, "bounds", ok);
    json_add_number(bounds, "fast_ns", t->bounds.ns[BOUNDS_FAST], ok);
    json_add_number(bounds, "tight_ns", t->bounds.ns[BOUNDS_TIGHT], ok);
    json_add_number(bounds, "fast_candidates", (double)t->bounds.candidates[BOUNDS_FAST], ok);
    json_add_number(bounds, "tight_candidates", (double)t->bounds.candidates[BOUNDS_TIGHT], ok);
    json_add_number(bounds, "volume_ratio_mean", t->bounds.volume_mean, ok);
    json_add_number(bounds, "volume_ratio_max", t->bounds.volume_most, ok);
    cJSON *judged = json_add_object(object, "judged", ok);
    json_add_number(judged, "hulls", (double)t->hulls_judged, ok);
    json_add_number(judged, "frames", (double)t->frames_judged, ok);
    json_add_number(judged, "pairs", (double)t->pairs_judged, ok);
    json_add_number(judged, "touching", (double)t->pairs_touching, ok);
    json_add_number(judged, "either", (double)t->pairs_either, ok);
    json_add_number(judged, "too_large", (double)t->pairs_too_large, ok);
    json_add_number(judged, "fault_count", (double)t->fault_count, ok);
    add_faults(judged, t, ok);
}

bool report_hulls_json(const char *directory, const collection *c, const tumble *t) {
    bool ok = true;
    cJSON *document = cJSON_CreateObject();
    json_add_string(document, "abut", abut_version(), &ok);
    json_add_string(document, "isa", abut_isa_name(abut_isa_active()), &ok);
    json_add_string(document, "directory", directory, &ok);
    cJSON *sets = json_add_array(document, "sets", &ok);
    for (size_t first = 0; first < c->count; first = collection_set_end(c, first)) {
        add_set(sets, c, first, collection_set_end(c, first), &ok);
    }
    cJSON *hulls = json_add_array(document, "hulls", &ok);
    for (size_t i = 0; i < c->count; ++i) {
        add_hull(hulls, &c->items[i], &ok);
    }
    add_tumble(document, t, &ok);
    return json_print(document, ok);
}
