/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Wall-clock time in seconds, for reports only: no answer may depend on it. */
#ifndef ABUT_BASE_CLOCK_H
#define ABUT_BASE_CLOCK_H

#include <time.h>

static inline double abut_clock_seconds(void) {
    struct timespec now = {0};
    if (timespec_get(&now, TIME_UTC) != TIME_UTC) {
        return 0;
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
