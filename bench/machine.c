/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "machine.h"
#include <stdio.h>
#include <string.h>

/* After the colon of the first line that names the model. */
static void read_model(FILE *file, char *model, size_t size) {
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(model, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
            model[strcspn(model, "\n")] = '\0';
            return;
        }
    }
}

const char *machine_processor(void) {
    static char model[128];
    snprintf(model, sizeof model, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file != NULL) {
        read_model(file, model, sizeof model);
        fclose(file);
    }
    return model;
}

const char *machine_compiler(void) {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}
