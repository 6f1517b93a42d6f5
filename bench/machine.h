/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The machine and compiler of a run: without them figures cannot be compared. */
#ifndef ABUT_BENCH_MACHINE_H
#define ABUT_BENCH_MACHINE_H

/* The processor's model as the system names it, "unknown" where it gives none. Static storage. */
const char *machine_processor(void);
/* The compiler of the benchmarks, and its options. */
const char *machine_compiler(void);

#endif
