/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "json.h"
#include "report.h"
#include <stdio.h>

static size_t sum(const size_t *counts, size_t n) {
    size_t total = 0;
    for (size_t i = 0; i < n; ++i) {
        total += counts[i];
    }
    return total;
}

void report_drop(const char *path, const dropped *d) {
    printf("mesh %s: %zu vertices, %zu triangles; %zu bytes, built in %.3f ms\n", path, d->vertex_count,
           d->triangle_count, d->mesh_bytes, 1e3 * d->mesh_seconds);
    printf("\nfalling onto it: %zu hulls, %zu frames\n\n", d->body_count, d->frame_count);
    printf("  contacts begun, persisted, ended  %zu, %zu, %zu\n", d->begun, d->persisted, d->ended);
    printf("  contacts with the mesh            %zu in all frames\n", d->on_mesh);
    printf("  triangles that they touch         %zu in all frames, %zu in the last one, %zu at most in one contact\n",
           sum(d->parts, d->frame_count), d->parts[d->frame_count - 1], d->most_parts);
    printf("  hulls that fell past the mesh     %zu\n", d->restarted);
    printf("  hash of the last frame            %016llx\n", (unsigned long long)d->hash);
    printf("  faults                            %zu\n", d->fault_count);
    report_timing(&d->time, "milliseconds", 1e3);
}

static void add_mesh(cJSON *document, const char *path, const dropped *d, bool *ok) {
    cJSON *object = json_add_object(document, "mesh", ok);
    json_add_string(object, "file", path, ok);
    json_add_number(object, "vertices", (double)d->vertex_count, ok);
    json_add_number(object, "triangles", (double)d->triangle_count, ok);
    json_add_number(object, "bytes", (double)d->mesh_bytes, ok);
    json_add_number(object, "build_us", 1e6 * d->mesh_seconds, ok);
}

static void add_drop(cJSON *document, const dropped *d, bool *ok) {
    char hash[17];
    cJSON *object = json_add_object(document, "drop", ok);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)d->hash);
    json_add_number(object, "bodies", (double)d->body_count, ok);
    json_add_number(object, "frames", (double)d->frame_count, ok);
    json_add_counts(object, "per_frame_contacts", d->contacts, d->frame_count, ok);
    json_add_counts(object, "per_frame_parts", d->parts, d->frame_count, ok);
    json_add_number(object, "begun", (double)d->begun, ok);
    json_add_number(object, "persisted", (double)d->persisted, ok);
    json_add_number(object, "ended", (double)d->ended, ok);
    json_add_number(object, "on_mesh", (double)d->on_mesh, ok);
    json_add_number(object, "most_parts", (double)d->most_parts, ok);
    json_add_number(object, "restarted", (double)d->restarted, ok);
    json_add_number(object, "fault_count", (double)d->fault_count, ok);
    json_add_string(object, "hash", hash, ok);
    json_add_timings(object, &d->time, ok);
}

bool report_drop_json(const char *path, const dropped *d) {
    bool ok = true;
    cJSON *document = cJSON_CreateObject();
    json_add_string(document, "abut", abut_version(), &ok);
    json_add_string(document, "isa", abut_isa_name(abut_isa_active()), &ok);
    add_mesh(document, path, d, &ok);
    add_drop(document, d, &ok);
    return json_print(document, ok);
}
