/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Wall-clock time in seconds, for reports only: no answer may depend on it. */
#ifndef ABUT_BASE_CLOCK_H
#define ABUT_BASE_CLOCK_H

#include <time.h>

#if defined(_WIN32) && !defined(TIME_UTC)

/* The older C library of MinGW, whose clock runs while the program waits. */
static inline double abut_clock_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

#else

static inline double abut_clock_seconds(void) {
    struct timespec now = {0};
    if (timespec_get(&now, TIME_UTC) != TIME_UTC) {
        return 0;
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif

#endif
