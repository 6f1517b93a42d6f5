/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/test.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define SANITIZED 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer) ||        \
      __has_feature(undefined_behavior_sanitizer)
#    define SANITIZED 1
#  endif
#endif
#ifndef SANITIZED
#  define SANITIZED 0
#endif

#if defined(ABUT_CMOCKA_STAND_IN)
bool abut_stand_in_skipped;
#endif

static uint64_t number_from(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    if (!text || !*text) {
        return otherwise;
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || *end) {
        fprintf(stderr, "%s=%s is not a number\n", name, text);
        exit(2);
    }
    return value;
}

uint64_t test_seed(void) {
    return number_from("ABUT_TEST_SEED", UINT64_C(0x5eed0fab));
}

unsigned long test_scale(void) {
    uint64_t scale = number_from("ABUT_TEST_SCALE", 1);
    return scale ? (unsigned long)scale : 1;
}

bool test_best_isa_alone(void) {
    return number_from("ABUT_TEST_BEST_ISA", 0) != 0;
}

bool test_sanitized(void) {
    return SANITIZED;
}

unsigned long test_count(unsigned long count) {
    unsigned long share = (unsigned long)number_from("ABUT_TEST_SHARE", 1);
    unsigned long fewer = count / (share ? share : 1) / (SANITIZED ? 10 : 1);
    return (fewer ? fewer : 1) * test_scale();
}

void test_begin(void) {
    printf("ABUT_TEST_SEED=0x%llx ABUT_TEST_SCALE=%lu\n", (unsigned long long)test_seed(), test_scale());
    fflush(stdout);
    const char *filter = getenv("ABUT_TEST_FILTER");
    if (filter && *filter) {
        cmocka_set_test_filter(filter);
    }
}
