/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "cull_scenes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { columns_max = 17, line_max = 1024 };

_Noreturn static void fail_at(const char *path, size_t line, const char *why) {
    fprintf(stderr, "abut-bench: %s:%zu: %s\n", path, line, why);
    exit(EXIT_FAILURE);
}

static bool parse(const char *line, size_t columns, float *row) {
    for (size_t i = 0; i < columns; ++i) {
        char *end;
        row[i] = strtof(line, &end);
        if (end == line || !isfinite(row[i]) || *end != (i + 1 < columns ? ',' : '\n')) {
            return false;
        }
        line = end + 1;
    }
    return true;
}

/* Calls `take` with every line below the header; returns the number of lines. */
static size_t read_rows(const char *path, size_t columns, void (*take)(cull_scene *s, size_t i, const float *row),
                        cull_scene *s) {
    char line[line_max];
    float row[columns_max];
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        fail_at(path, 1, "cannot be read");
    }
    size_t n = 0;
    for (; fgets(line, sizeof line, file) != NULL; ++n) {
        if (!parse(line, columns, row)) {
            fail_at(path, n + 2, "not as many numbers as there should be, with commas between them");
        }
        if (take != NULL) {
            take(s, n, row);
        }
    }
    if (ferror(file) || n == 0) {
        fail_at(path, n + 2, "cannot be read, or has no rows");
    }
    fclose(file);
    return n;
}

static void take_box(cull_scene *s, size_t i, const float *row) {
    s->boxes[i] = (abut_obb){{row[0], row[1], row[2]}, {row[3], row[4], row[5], row[6]}, {row[7], row[8], row[9]}};
}

static void take_camera(cull_scene *s, size_t i, const float *row) {
    s->views[i] = cull_view_of_matrix(row + 1);
}

void cull_scene_read(cull_scene *s, const char *folder) {
    char boxes[line_max], cameras[line_max];
    const char *slash = strrchr(folder, '/');
    *s = (cull_scene){0};
    snprintf(s->name, sizeof s->name, "%s", slash == NULL ? folder : slash + 1);
    snprintf(boxes, sizeof boxes, "%s/boxes.csv", folder);
    snprintf(cameras, sizeof cameras, "%s/cameras.csv", folder);
    s->count = read_rows(boxes, 10, NULL, s);
    s->view_count = read_rows(cameras, 17, NULL, s);
    s->boxes = bench_alloc(s->count, sizeof *s->boxes);
    s->views = bench_alloc(s->view_count, sizeof *s->views);
    read_rows(boxes, 10, take_box, s);
    read_rows(cameras, 17, take_camera, s);
}
