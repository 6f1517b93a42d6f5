/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Waiting for another thread to change a number. */
#ifndef ABUT_BASE_WORKERS_WAIT_H
#define ABUT_BASE_WORKERS_WAIT_H

#include <stdint.h>

/* Passes a little time; `*turns` is 0 at the beginning of a wait and counts the calls. The first calls pause the
 * processor for some nanoseconds, which suits work of microseconds and leaves a second hardware thread to run. Later
 * calls yield: the wait may be one of milliseconds, and the thread that ends it may have no processor to run on. */
void abut_wait(uint32_t *turns);

#endif
