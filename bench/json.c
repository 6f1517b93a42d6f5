/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "machine.h"
#include "report.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* cJSON returns NULL when it runs out of memory, and accepts NULL everywhere. */
static void need(const void *p) {
    if (p == NULL) {
        bench_fail("out of memory");
    }
}

static void add_number(cJSON *object, const char *key, double value) {
    need(cJSON_AddNumberToObject(object, key, value));
}

static void add_string(cJSON *object, const char *key, const char *value) {
    need(cJSON_AddStringToObject(object, key, value));
}

static cJSON *add_row(cJSON *array) {
    cJSON *row = cJSON_CreateObject();
    need(row);
    cJSON_AddItemToArray(array, row);
    return row;
}

static void add_frame(cJSON *row, const frame_case *c, const frame_result *f) {
    add_string(row, "scene", scene_name(c->kind));
    add_number(row, "boxes", (double)c->boxes);
    add_number(row, "frames", (double)c->frames);
    add_number(row, "movers", (double)f->movers);
    add_number(row, "candidates", (double)f->candidates);
    add_number(row, "contacts", (double)f->contacts);
    cJSON *median = cJSON_AddObjectToObject(row, "median_ms");
    for (int phase = 0; phase < PHASE_COUNT; ++phase) {
        add_number(median, frame_phase_names[phase], 1e3 * f->seconds[phase]);
    }
}

static void add_call(cJSON *row, const call_result *c) {
    add_string(row, "call", c->call);
    add_string(row, "input", c->input);
    add_number(row, "median_ns", c->nanoseconds);
    if (c->ratio_to != NULL) {
        add_number(row, "ratio", c->ratio);
        add_string(row, "ratio_to", c->ratio_to);
    }
}

static void add_method(cJSON *object, const contest_result *c, const contest_row *row) {
    add_string(object, "method", row->name);
    add_number(object, "median_ns", row->nanoseconds);
    add_number(object, "best_ns", row->best);
    add_number(object, "spread", row->spread);
    if (row->counts) {
        add_number(object, c->counted, (double)row->found);
    }
    if (!row->silent) {
        add_number(object, "yes", (double)row->yes);
        add_number(object, "differ", (double)row->differ);
    }
    cJSON *ratios = cJSON_AddObjectToObject(object, "times");
    for (size_t k = 0; k < c->reference_count; ++k) {
        add_number(ratios, c->rows[c->references[k]].name, row->ratio[k]);
    }
    if (row->exponent > 0.0) {
        add_number(object, "exponent", row->exponent);
    }
}

static void add_contest(cJSON *object, const contest_result *c) {
    add_string(object, "group", c->group);
    add_string(object, "input", c->input);
    if (c->row != NULL) {
        add_string(object, "question", c->row);
    }
    add_string(object, "unit", c->unit);
    add_number(object, "units", (double)c->units);
    cJSON *methods = cJSON_AddArrayToObject(object, "methods");
    for (size_t i = 0; i < c->row_count; ++i) {
        add_method(add_row(methods), c, &c->rows[i]);
    }
}

static void add_memory(cJSON *object, const memory_result *m) {
    add_string(object, "scene", m->what);
    add_number(object, "bodies", (double)m->bodies);
    add_number(object, "candidates", (double)m->candidates);
    add_number(object, "contacts", (double)m->contacts);
    add_number(object, "reserved", (double)m->reserved);
    add_number(object, "peak", (double)m->peak);
    add_number(object, "per_body", m->per_body);
    add_number(object, "per_contact", m->per_contact);
}

void report_print_json(const bench_report *r, FILE *to) {
    cJSON *document = cJSON_CreateObject();
    add_string(document, "abut", abut_version());
    add_string(document, "isa", abut_isa_name(abut_isa_active()));
    add_string(document, "commit", r->commit);
    add_string(document, "processor", machine_processor());
    add_string(document, "compiler", machine_compiler());
    need(cJSON_AddBoolToObject(document, "quick", r->quick));
    cJSON *contests = cJSON_AddArrayToObject(document, "contests");
    for (size_t i = 0; i < r->contests.count; ++i) {
        add_contest(add_row(contests), &r->contests.results[i]);
    }
    cJSON *frames = cJSON_AddArrayToObject(document, "frames");
    for (size_t i = 0; i < r->frame_count; ++i) {
        add_frame(add_row(frames), &r->cases[i], &r->frames[i]);
    }
    cJSON *memory = cJSON_AddArrayToObject(document, "memory");
    for (size_t i = 0; i < r->memory_count; ++i) {
        add_memory(add_row(memory), &r->memory[i]);
    }
    cJSON *calls = cJSON_AddArrayToObject(document, "calls");
    for (size_t i = 0; i < r->call_count; ++i) {
        add_call(add_row(calls), &r->calls[i]);
    }
    char *text = cJSON_Print(document);
    need(text);
    fprintf(to, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(document);
}
