/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "json.h"
#include <stdio.h>
#include <stdlib.h>

void json_add_number(cJSON *object, const char *key, double value, bool *ok) {
    *ok = cJSON_AddNumberToObject(object, key, value) != NULL && *ok;
}

void json_add_string(cJSON *object, const char *key, const char *value, bool *ok) {
    *ok = cJSON_AddStringToObject(object, key, value) != NULL && *ok;
}

cJSON *json_add_object(cJSON *object, const char *key, bool *ok) {
    cJSON *added = cJSON_AddObjectToObject(object, key);
    *ok = added != NULL && *ok;
    return added;
}

cJSON *json_add_array(cJSON *object, const char *key, bool *ok) {
    cJSON *added = cJSON_AddArrayToObject(object, key);
    *ok = added != NULL && *ok;
    return added;
}

void json_append(cJSON *array, cJSON *item, bool *ok) {
    if (!cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        *ok = false;
    }
}

void json_add_counts(cJSON *object, const char *key, const size_t *counts, size_t n, bool *ok) {
    cJSON *array = json_add_array(object, key, ok);
    for (size_t i = 0; i < n; ++i) {
        json_append(array, cJSON_CreateNumber((double)counts[i]), ok);
    }
}

void json_add_timings(cJSON *object, const timing *t, bool *ok) {
    cJSON *timings = json_add_object(object, "timings", ok);
    for (int phase = 0; phase < TIMING_PHASE_COUNT; ++phase) {
        timing_summary s = timing_summarise(t, (timing_phase)phase);
        cJSON *row = json_add_object(timings, timing_phase_name((timing_phase)phase), ok);
        json_add_number(row, "mean_ms", 1e3 * s.mean, ok);
        json_add_number(row, "median_ms", 1e3 * s.median, ok);
        json_add_number(row, "max_ms", 1e3 * s.max, ok);
    }
}

bool json_print(cJSON *document, bool ok) {
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
