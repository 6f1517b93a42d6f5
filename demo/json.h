/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Building JSON. cJSON returns NULL when it runs out of memory, and accepts NULL everywhere; so one flag collects all
 * failures.
 */
#ifndef ABUT_DEMO_JSON_H
#define ABUT_DEMO_JSON_H

#include "timing.h"
#include <cjson/cJSON.h>

void json_add_number(cJSON *object, const char *key, double value, bool *ok);
void json_add_string(cJSON *object, const char *key, const char *value, bool *ok);
cJSON *json_add_object(cJSON *object, const char *key, bool *ok);
cJSON *json_add_array(cJSON *object, const char *key, bool *ok);
void json_append(cJSON *array, cJSON *item, bool *ok);
void json_add_counts(cJSON *object, const char *key, const size_t *counts, size_t n, bool *ok);
void json_add_timings(cJSON *object, const timing *t, bool *ok);

/* Prints it on stdout and frees it. false: out of memory (or `ok` was already false), which was reported. */
bool json_print(cJSON *document, bool ok);

#endif
