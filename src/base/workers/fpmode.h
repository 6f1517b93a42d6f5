/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The floating-point mode in which a world computes: round to nearest, denormals kept, no traps. Callers may have set
 * another; games often flush denormals. Callbacks run in this mode, too, because they may run on workers. */
#ifndef ABUT_BASE_WORKERS_FPMODE_H
#define ABUT_BASE_WORKERS_FPMODE_H

#include "base/lanes/control.h"

typedef struct abut_fpmode {
    uint64_t control; /* of the processor, as it was found */
} abut_fpmode;

static inline int abut_fpmode_is_usual(abut_fpmode mode) {
    return (mode.control & ABUT_CONTROL_BITS) == ABUT_CONTROL_USUAL;
}

/* Sets the mode of the library; returns what abut_fpmode_leave sets again. Some nanoseconds if nothing changes.
 * Arithmetic with arguments that are passed by value belongs into another function than these two calls. */
static inline abut_fpmode abut_fpmode_enter(void) {
    const abut_fpmode found = {abut_control_read()};
    if (!abut_fpmode_is_usual(found)) {
        abut_control_write(ABUT_CONTROL_USUAL);
    }
    return found;
}

static inline void abut_fpmode_leave(abut_fpmode found) {
    if (!abut_fpmode_is_usual(found)) {
        abut_control_write(found.control);
    }
}

#endif
