/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where figures come from: without this they cannot be compared. */
#ifndef ABUT_BENCH_MACHINE_H
#define ABUT_BENCH_MACHINE_H

/* The processor's model as the system names it, "unknown" where it does not say. Static storage. */
const char *machine_processor(void);
/* What compiled the benchmarks, and how. */
const char *machine_compiler(void);

#endif
