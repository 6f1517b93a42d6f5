/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Runs every scene of the testbed and prints its hash:
 *
 *     abut-testbed-hashes [FRAMES] [--isa NAME] [--count N]
 *
 *     fight 600 0123456789abcdef
 *     ...
 */
#include "testbed.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[TESTBED_SCENE_COUNT] = {"fight", "tumbling", "pile",   "culling", "placement",
                                                       "round", "queries",  "cannon", "terrain"};

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "abut-testbed-hashes: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void check(int32_t result, const char *where) {
    if (result != ABUT_OK) {
        fail(where, abut_result_name((abut_result)result));
    }
}

static uint32_t number(const char *text) {
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || n > UINT32_MAX) {
        fail(text, "no number");
    }
    return (uint32_t)n;
}

static void select_isa(const char *name) {
    for (abut_isa isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; ++isa) {
        if (strcmp(abut_isa_name(isa), name) == 0) {
            check(abut_isa_select(isa), name);
            return;
        }
    }
    fail(name, "no instruction set");
}

static void run(uint32_t scene, uint32_t count, uint32_t frames) {
    check(testbed_open(scene, count), names[scene]);
    for (uint32_t i = 0; i < frames; ++i) {
        check(testbed_step(), names[scene]);
    }
    const testbed_report *report = testbed_get_report();
    printf("%s %u %08x%08x\n", names[scene], frames, report->hash_high, report->hash_low);
    testbed_close();
}

int main(int argc, char **argv) {
    uint32_t frames = 600, count = 0;
    for (int i = 1; i < argc; ++i) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--isa") == 0) {
            select_isa(argv[++i]);
        } else if (more && strcmp(argv[i], "--count") == 0) {
            count = number(argv[++i]);
        } else {
            frames = number(argv[i]);
        }
    }
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        run(scene, count, frames);
    }
}
