/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "report.h"
#include "spread.h"
#include <stdio.h>

static void print_spread(const char *format, spread s, double scale) {
    const double values[] = {s.least * scale, s.median * scale, s.most * scale};
    char text[64];
    int length = 0;
    for (int i = 0; i < 3; ++i) {
        length += snprintf(text + length, sizeof text - (size_t)length, format, values[i]);
        length += snprintf(text + length, sizeof text - (size_t)length, i < 2 ? "/" : "");
    }
    printf(" %16s", text);
}

static void print_set(const collection *c, size_t first, size_t end) {
    set_summary s = set_summarise(c, first, end);
    printf("  %-40s %5zu %5zu %7zu", c->items[first].set, s.files, s.hulls, s.points);
    print_spread("%.0f", s.of[SET_VERTICES], 1.0);
    print_spread("%.0f", s.of[SET_FACES], 1.0);
    print_spread("%.0f", s.of[SET_EDGES], 1.0);
    print_spread("%.0f", s.of[SET_SECONDS], 1e6);
    printf(" %10.4g\n", s.volume);
}

void report_hulls(const char *directory, const collection *c) {
    printf("hulls of %s: %zu clouds, %zu hulls\n\n", directory, c->count, c->hull_count);
    printf("  %-40s %5s %5s %7s %16s %16s %16s %16s %10s\n", "set", "files", "hulls", "points", "vertices", "faces",
           "edges", "microseconds", "volume");
    for (size_t first = 0; first < c->count; first = collection_set_end(c, first)) {
        print_set(c, first, collection_set_end(c, first));
    }
    printf("\n  least/median/most of the hulls in a set; volume: of all of them\n");
    for (size_t i = 0; i < c->count; ++i) {
        const specimen *s = &c->items[i];
        if (s->reason != NULL && s->line > 0) {
            printf("  no hull: %s:%zu: %s\n", s->path, s->line, s->reason);
        } else if (s->reason != NULL) {
            printf("  no hull: %s: %s\n", s->path, s->reason);
        }
    }
}

void report_tumble(const tumble *t) {
    printf("\ntumbling: %zu hulls, %zu frames\n\n", t->body_count, t->frame_count);
    printf("  contacts begun, persisted, ended  %zu, %zu, %zu\n", t->begun, t->persisted, t->ended);
    printf("  hash of the last frame            %016llx\n", (unsigned long long)t->hash);
    if (t->body_count > 0) {
        report_timing(&t->time, "milliseconds", 1e3);
        const bounds_cost *b = &t->bounds;
        printf("\n  bounds of a box round the hull    %.0f ns a body, %zu candidates\n", b->ns[BOUNDS_FAST],
               b->candidates[BOUNDS_FAST]);
        printf(
            "  bounds of all vertices            %.0f ns a body, %zu candidates; the former are %.2f times as large\n",
            b->ns[BOUNDS_TIGHT], b->candidates[BOUNDS_TIGHT], b->volume_mean);
    }
    printf("\n  hulls found right                 %zu\n", t->hulls_judged);
    printf("  pairs judged                      %zu in %zu frames: %zu touch, %zu may go either way\n", t->pairs_judged,
           t->frames_judged, t->pairs_touching, t->pairs_either);
    printf("  pairs too large to judge          %zu\n", t->pairs_too_large);
    printf("  faults                            %zu\n", t->fault_count);
    for (size_t i = 0; i < t->fault_count && i < TUMBLE_FAULTS_MAX; ++i) {
        const tumble_fault *f = &t->faults[i];
        if (f->b == NULL) {
            printf("    %s: %s\n", f->a->path, f->what);
        } else {
            printf("    frame %zu: %s, %s: %s\n", f->frame, f->a->path, f->b->path, f->what);
        }
    }
}
