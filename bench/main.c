/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Runs the benchmarks and prints tables, or one JSON document. */

#include "groups.h"
#include "report.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: abut-bench [GROUP ...] [--quick] [--json] [--output FILE] [--commit NAME] [--scene DIR ...]\n"
    "                  [--help]\n"
    "Times abut beside other libraries, and beside plain loops, on the same inputs in the same run.\n"
    "  --quick    small inputs and few runs, seconds in all: whether everything works, no figures to quote\n"
    "  --json     prints JSON instead of tables\n"
    "  --output   writes JSON to a file, too\n"
    "  --commit   says in both which sources these are the figures of\n"
    "  --scene    boxes.csv and cameras.csv of a folder are one more scene to cull\n"
    "groups (default: all):\n"
    "  pairs      whether two boxes overlap\n"
    "  manifolds  where two boxes touch, by call and in the step\n"
    "  hulls      whether and where two hulls touch, by call and in the step\n"
    "  round      spheres and capsules: frames, pairs, the step, growth; distances of hulls\n"
    "  build      hulls from points\n"
    "  broad      broad phases of up to 100,000 boxes\n"
    "  frames     whole frames, by scene\n"
    "  rest       steps in which nothing moved, all is new, all goes\n"
    "  growth     steps of a thousand to a million boxes\n"
    "  culling    what cameras see of 100,000 boxes\n"
    "  placements where buildings may stand among up to 100,000\n"
    "  queries    rays, overlaps and nearest bodies among up to 1,000,000\n"
    "  casts      shapes that move through worlds, pairs and bodies that move and turn\n"
    "  mesh       bodies and rays on a terrain of triangles\n"
    "  snapshots  saving and restoring up to 100,000 boxes\n"
    "  threads    what workers gain, and what plain threads do\n"
    "  memory     what a world reserves\n"
    "  calls      single calls\n"
    "In the tables, x1 and x2 are how many times as long a method takes as the first and second method that the\n"
    "heading names; 1 is as long, 3 is three times as long. The spread is the distance between the quartiles of all\n"
    "runs, relative to their median: above 30 % the machine was busy, the figure is marked with ?, and means little.\n"
    "All groups take about ten minutes.\n";

static const frame_case cases_full[] = {
    {SCENE_TUMBLING, 1000, 300}, {SCENE_TUMBLING, 10000, 100}, {SCENE_TUMBLING, 50000, 30}, {SCENE_TELEPORT, 10000, 60},
    {SCENE_CITY, 10000, 100},    {SCENE_MIXED, 10000, 30},     {SCENE_CLUSTERS, 10000, 60}, {SCENE_LATTICE, 8000, 20},
};
static const frame_case cases_quick[] = {{SCENE_TUMBLING, 1000, 20}, {SCENE_CITY, 1000, 20}, {SCENE_LATTICE, 512, 5}};

_Static_assert(sizeof cases_full / sizeof cases_full[0] <= FRAME_RESULTS_MAX, "room for all scenes");

static const bench_size size_full = {.pairs = 2048, .bodies = 10000, .rounds = 31};
static const bench_size size_quick = {.pairs = 1024, .bodies = 2000, .rounds = 7};

/* --- the functions of bench.h --- */

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
    void *p = calloc(count > 0 ? count : 1, size);
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

/* --- groups --- */

static void run_frames(bench_report *r) {
    const frame_case *cases = r->quick ? cases_quick : cases_full;
    r->frame_count = r->quick ? sizeof cases_quick / sizeof cases_quick[0] : sizeof cases_full / sizeof cases_full[0];
    for (size_t i = 0; i < r->frame_count; ++i) {
        fprintf(stderr, "abut-bench: frames, %s, %zu boxes\n", scene_name(cases[i].kind), cases[i].boxes);
        r->cases[i] = cases[i];
        r->frames[i] = bench_frame(&cases[i]);
    }
}

static void run_calls(bench_report *r) {
    fputs("abut-bench: calls\n", stderr);
    r->call_count = bench_calls(r->calls, r->quick);
    bench_bounds(r->quick ? &size_quick : &size_full, &r->contests);
}

static void run_pairs(bench_report *r) {
    bench_pairs(r->quick ? &size_quick : &size_full, &r->contests);
}

static void run_manifolds(bench_report *r) {
    bench_manifolds(r->quick ? &size_quick : &size_full, &r->contests);
}

static void run_hulls(bench_report *r) {
    bench_hulls(r->quick ? &size_quick : &size_full, &r->contests);
}

static void run_round(bench_report *r) {
    bench_round(r->quick ? &size_quick : &size_full, r->quick, &r->contests);
}

static void run_build(bench_report *r) {
    bench_hull_build(r->quick ? &size_quick : &size_full, &r->contests);
}

static void run_broad(bench_report *r) {
    bench_broad(r->quick, &r->contests);
}

static void run_whole_frames(bench_report *r) {
    bench_worlds(r->quick, &r->contests);
    run_frames(r);
}

static void run_rest(bench_report *r) {
    bench_rest(r->quick, &r->contests);
}

static void run_memory(bench_report *r) {
    fputs("abut-bench: memory\n", stderr);
    r->memory_count = bench_memory(r->memory, r->quick ? 2000 : 100000);
}

static void run_growth(bench_report *r) {
    bench_growth(r->quick, &r->contests);
}

static void run_culling(bench_report *r) {
    bench_culling(r->quick, r->folders, r->folder_count, &r->contests);
}

static void run_placements(bench_report *r) {
    bench_placements(r->quick, &r->contests);
}

static void run_queries(bench_report *r) {
    bench_queries(r->quick, &r->contests);
}

static void run_casts(bench_report *r) {
    bench_casts(r->quick, &r->contests);
}

static void run_mesh(bench_report *r) {
    bench_mesh(r->quick, &r->contests);
}

static void run_threads(bench_report *r) {
    bench_threads(r->quick, &r->contests);
}

static void run_snapshots(bench_report *r) {
    bench_snapshots(r->quick, &r->contests);
}

static const struct {
    const char *name;
    void (*run)(bench_report *r);
} groups[] = {
    {"pairs", run_pairs},   {"manifolds", run_manifolds}, {"hulls", run_hulls},           {"round", run_round},
    {"build", run_build},   {"broad", run_broad},         {"frames", run_whole_frames},   {"rest", run_rest},
    {"growth", run_growth}, {"culling", run_culling},     {"placements", run_placements}, {"queries", run_queries},
    {"casts", run_casts},   {"mesh", run_mesh},           {"snapshots", run_snapshots},   {"threads", run_threads},
    {"memory", run_memory}, {"calls", run_calls},
};
enum { group_count = sizeof groups / sizeof groups[0] };

/* Selects the group of that name; false: there is none. */
static bool choose(bool chosen[group_count], const char *name) {
    for (size_t i = 0; i < group_count; ++i) {
        if (strcmp(groups[i].name, name) == 0) {
            return chosen[i] = true;
        }
    }
    return false;
}

static void run_chosen(bench_report *r, const bool chosen[group_count], bool all) {
    for (size_t i = 0; i < group_count; ++i) {
        if (all || chosen[i]) {
            groups[i].run(r);
        }
    }
}

static bool write_file(const bench_report *r, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    report_print_json(r, file);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

static bool print(const bench_report *r, bool json, const char *output) {
    if (json) {
        report_print_json(r, stdout);
    } else {
        report_print_tables(r);
    }
    if (output != NULL && !write_file(r, output)) {
        fprintf(stderr, "abut-bench: cannot write %s\n", output);
        return false;
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}

int main(int argc, char **argv) {
    static const struct option known[] = {{"quick", no_argument, NULL, 'q'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"commit", required_argument, NULL, 'c'},
                                          {"scene", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    static bench_report r = {.commit = "unknown"};
    bool json = false, chosen[group_count] = {0};
    const char *output = NULL;
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
        output = option == 'o' ? optarg : output;
        r.commit = option == 'c' ? optarg : r.commit;
        if (option == 's' && r.folder_count == FOLDERS_MAX) {
            bench_fail("too many scenes");
        }
        if (option == 's') {
            r.folders[r.folder_count++] = optarg;
        }
    }
    for (int i = optind; i < argc; ++i) {
        if (!choose(chosen, argv[i])) {
            fprintf(stderr, "abut-bench: no group '%s'\n%s", argv[i], usage);
            return 2;
        }
    }
    run_chosen(&r, chosen, optind == argc);
    bool good = print(&r, json, output);
    free(r.contests.results);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
