/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "spread.h"
#include <stdlib.h>

static double number_of(const specimen *s, set_number number) {
    switch (number) {
    case SET_VERTICES:
        return (double)abut_hull_vertex_count(s->hull);
    case SET_FACES:
        return (double)abut_hull_face_count(s->hull);
    case SET_EDGES:
        return (double)abut_hull_edge_count(s->hull);
    default:
        return s->seconds;
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static spread spread_of(const collection *c, size_t first, size_t end, set_number number) {
    spread s = {0};
    size_t n = 0;
    double *values = malloc((end - first) * sizeof *values);
    for (size_t i = first; values != NULL && i < end; ++i) {
        if (c->items[i].hull != NULL) {
            values[n++] = number_of(&c->items[i], number);
        }
    }
    if (n > 0) {
        qsort(values, n, sizeof *values, compare);
        s = (spread){values[0], 0.5 * (values[(n - 1) / 2] + values[n / 2]), values[n - 1]};
    }
    free(values);
    return s;
}

set_summary set_summarise(const collection *c, size_t first, size_t end) {
    set_summary s = {.files = end - first};
    for (size_t i = first; i < end; ++i) {
        s.hulls += c->items[i].hull != NULL;
        s.points += c->items[i].point_count;
        s.volume += c->items[i].hull != NULL ? (double)abut_hull_volume(c->items[i].hull) : 0.0;
    }
    for (int number = 0; number < SET_NUMBER_COUNT; ++number) {
        s.of[number] = spread_of(c, first, end, (set_number)number);
    }
    return s;
}
