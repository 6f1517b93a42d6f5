/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/workers/wait.h"
#include "base/compiler.h"

#if !defined(__wasm__) && (defined(__unix__) || defined(__APPLE__))
#  include <sched.h>
#endif

/* A pause takes 10 to 140 cycles, so all of them take about as long as one yield: 0.5 to 5 microseconds. */
enum { PAUSES = 128 };

/* Lets another thread have the processor, where the system can; a browser cannot. */
static void yield(void) {
#if defined(_WIN32)
    extern __declspec(dllimport) int __stdcall SwitchToThread(void); /* <windows.h> would bring thousands of macros */
    (void)SwitchToThread();
#elif !defined(__wasm__) && (defined(__unix__) || defined(__APPLE__))
    (void)sched_yield();
#endif
}

void abut_wait(uint32_t *turns) {
    if (*turns < PAUSES) {
        ++*turns;
        ABUT_PAUSE();
    } else {
        yield();
    }
}
