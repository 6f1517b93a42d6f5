/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Runs the benchmarks and prints tables, or one JSON document. */

#include "bench.h"
#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char usage[] = "usage: abut-bench [--quick] [--json] [--help]\n";

static const frame_case cases_full[] = {
    {SCENE_TUMBLING, 1000, 300}, {SCENE_TUMBLING, 10000, 100}, {SCENE_TUMBLING, 50000, 30}, {SCENE_TELEPORT, 10000, 60},
    {SCENE_CITY, 10000, 100},    {SCENE_MIXED, 10000, 30},     {SCENE_CLUSTERS, 10000, 60}, {SCENE_LATTICE, 8000, 20},
};
static const frame_case cases_quick[] = {{SCENE_TUMBLING, 1000, 20}, {SCENE_CITY, 1000, 20}, {SCENE_LATTICE, 512, 5}};

enum { cases_max = sizeof cases_full / sizeof cases_full[0] };

typedef struct results {
    bool quick;
    const frame_case *cases;
    size_t case_count, call_count;
    frame_result frames[cases_max];
    call_result calls[CALL_RESULTS_MAX];
} results;

/* --- what bench.h promises to all --- */

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *samples, size_t count) {
    qsort(samples, count, sizeof *samples, compare);
    return 0.5 * (samples[(count - 1) / 2] + samples[count / 2]);
}

_Noreturn void bench_fail(const char *what) {
    fprintf(stderr, "abut-bench: %s\n", what);
    exit(EXIT_FAILURE);
}

void *bench_alloc(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (p == NULL) {
        bench_fail("out of memory");
    }
    return p;
}

void bench_check(abut_result result, const char *what) {
    if (result != ABUT_OK) {
        fprintf(stderr, "abut-bench: %s: %s\n", what, abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

/* --- tables --- */

static void print_tables(const results *r) {
    printf("abut %s, %s kernels\n\nwhole frame, median milliseconds; ns: nanoseconds a candidate\n\n", abut_version(),
           abut_isa_name(abut_isa_active()));
    printf("%-10s %7s %7s %10s %8s", "scene", "boxes", "movers", "candidates", "contacts");
    for (int phase = 0; phase < PHASE_COUNT; ++phase) {
        printf(" %8s", frame_phase_names[phase]);
    }
    printf(" %6s\n", "ns");
    for (size_t i = 0; i < r->case_count; ++i) {
        const frame_result *f = &r->frames[i];
        printf("%-10s %7zu %7zu %10zu %8zu", scene_name(r->cases[i].kind), r->cases[i].boxes, f->movers, f->candidates,
               f->contacts);
        for (int phase = 0; phase < PHASE_COUNT; ++phase) {
            printf(" %8.3f", 1e3 * f->seconds[phase]);
        }
        printf(" %6.0f\n", f->candidates == 0 ? 0.0 : 1e9 * f->seconds[PHASE_FRAME] / (double)f->candidates);
    }
    printf("\nsingle calls, median nanoseconds a pair, box or body\n\n");
    for (size_t i = 0; i < r->call_count; ++i) {
        const call_result *c = &r->calls[i];
        printf("%-22s %-14s %9.1f", c->call, c->input, c->nanoseconds);
        if (c->ratio_to != NULL) {
            printf("   %5.2f x %s", c->ratio, c->ratio_to);
        }
        printf("\n");
    }
}

/* --- JSON --- */

/* cJSON says NULL when it has no memory, and takes NULL everywhere. */
static void need(const void *p) {
    if (p == NULL) {
        bench_fail("out of memory");
    }
}

static void add_number(cJSON *object, const char *key, double value) {
    need(cJSON_AddNumberToObject(object, key, value));
}

static void add_string(cJSON *object, const char *key, const char *value) {
    need(cJSON_AddStringToObject(object, key, value));
}

static cJSON *add_row(cJSON *array) {
    cJSON *row = cJSON_CreateObject();
    need(row);
    cJSON_AddItemToArray(array, row);
    return row;
}

static void add_frame(cJSON *row, const frame_case *c, const frame_result *f) {
    add_string(row, "scene", scene_name(c->kind));
    add_number(row, "boxes", (double)c->boxes);
    add_number(row, "frames", (double)c->frames);
    add_number(row, "movers", (double)f->movers);
    add_number(row, "candidates", (double)f->candidates);
    add_number(row, "contacts", (double)f->contacts);
    cJSON *median = cJSON_AddObjectToObject(row, "median_ms");
    for (int phase = 0; phase < PHASE_COUNT; ++phase) {
        add_number(median, frame_phase_names[phase], 1e3 * f->seconds[phase]);
    }
}

static void print_json(const results *r) {
    cJSON *document = cJSON_CreateObject();
    add_string(document, "abut", abut_version());
    add_string(document, "isa", abut_isa_name(abut_isa_active()));
    need(cJSON_AddBoolToObject(document, "quick", r->quick));
    cJSON *frames = cJSON_AddArrayToObject(document, "frames");
    for (size_t i = 0; i < r->case_count; ++i) {
        add_frame(add_row(frames), &r->cases[i], &r->frames[i]);
    }
    cJSON *calls = cJSON_AddArrayToObject(document, "calls");
    for (size_t i = 0; i < r->call_count; ++i) {
        cJSON *row = add_row(calls);
        add_string(row, "call", r->calls[i].call);
        add_string(row, "input", r->calls[i].input);
        add_number(row, "median_ns", r->calls[i].nanoseconds);
        if (r->calls[i].ratio_to != NULL) {
            add_number(row, "ratio", r->calls[i].ratio);
            add_string(row, "ratio_to", r->calls[i].ratio_to);
        }
    }
    char *text = cJSON_Print(document);
    need(text);
    puts(text);
    cJSON_free(text);
    cJSON_Delete(document);
}

static void run(results *r) {
    r->cases = r->quick ? cases_quick : cases_full;
    r->case_count = r->quick ? sizeof cases_quick / sizeof cases_quick[0] : cases_max;
    for (size_t i = 0; i < r->case_count; ++i) {
        fprintf(stderr, "abut-bench: %s, %zu boxes\n", scene_name(r->cases[i].kind), r->cases[i].boxes);
        r->frames[i] = bench_frame(&r->cases[i]);
    }
    fputs("abut-bench: single calls\n", stderr);
    r->call_count = bench_calls(r->calls, r->quick);
}

int main(int argc, char **argv) {
    static const struct option known[] = {
        {"quick", no_argument, NULL, 'q'}, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    results r = {0};
    bool json = false;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        }
        if (option == '?') {
            fputs(usage, stderr);
            return 2;
        }
        r.quick = r.quick || option == 'q';
        json = json || option == 'j';
    }
    if (optind < argc) {
        fprintf(stderr, "abut-bench: unexpected argument '%s'\n%s", argv[optind], usage);
        return 2;
    }
    run(&r);
    (json ? print_json : print_tables)(&r);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
