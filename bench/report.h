/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All figures of one run, as tables or as one JSON document. */
#ifndef ABUT_BENCH_REPORT_H
#define ABUT_BENCH_REPORT_H

#include "bench.h"
#include "contest.h"
#include "memory.h"

#include <stdio.h>

enum { FRAME_RESULTS_MAX = 16, FOLDERS_MAX = 16 };

typedef struct bench_report {
    bool quick;
    size_t folder_count;
    const char *folders[FOLDERS_MAX]; /* recorded scenes to cull as well */
    const char *commit;               /* that this was built from, as given by the caller */
    size_t frame_count, call_count, memory_count;
    frame_case cases[FRAME_RESULTS_MAX];
    frame_result frames[FRAME_RESULTS_MAX];
    call_result calls[CALL_RESULTS_MAX];
    memory_result memory[MEMORY_RESULTS_MAX];
    contest_list contests;
} bench_report;

void report_print_tables(const bench_report *r);
void report_print_json(const bench_report *r, FILE *to);

#endif
