/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "report.h"
#include <stdio.h>

enum { recorded_per_second = 60 }; /* frames of the tracks */

void report_timing(const timing *t, const char *unit, double per_second) {
    printf("\n  %-8s %12s %12s %12s   %s a frame\n", "phase", "mean", "median", "max", unit);
    for (int phase = 0; phase < TIMING_PHASE_COUNT; ++phase) {
        timing_summary s = timing_summarise(t, (timing_phase)phase);
        printf("  %-8s %12.3f %12.3f %12.3f\n", timing_phase_name((timing_phase)phase), s.mean * per_second,
               s.median * per_second, s.max * per_second);
    }
}

static void print_hit(const track *t, const fight_hit *hit) {
    const track_body *a = &t->bodies[hit->a], *b = &t->bodies[hit->b];
    double seconds = (double)(hit->begin * t->every) / recorded_per_second;
    printf("  %5zu %7.2f s ", hit->begin, seconds);
    if (hit->end < t->frame_count) {
        printf("%6zu", hit->end);
    } else {
        printf("%6s", "-");
    }
    printf("  %7.4f  %s %s - %s %s\n", (double)hit->depth, a->character, a->limb, b->character, b->limb);
}

void report_fight(const track *t, const fight *fought) {
    printf("track %s: %zu frames at %.4g Hz, %zu boxes of %zu characters\n\n", t->name, t->frame_count,
           recorded_per_second / (double)t->every, t->body_count, t->character_count);
    printf("  %5s %9s %6s  %7s  %s\n", "begin", "at", "end", "depth", "limbs");
    for (size_t i = 0; i < fought->hit_count; ++i) {
        print_hit(t, &fought->hits[i]);
    }
    printf("\n  frames with a hit      %zu of %zu\n", fought->frames_with_hit, t->frame_count);
    printf("  hits in all            %zu (pairs of limbs, summed over the frames)\n", fought->pair_frames);
    printf("  hit starts             %zu, and %zu more last from frame 0 on\n", fought->start_count,
           fought->hit_count - fought->start_count);
    printf("  pairs that ever hit    %zu\n", fought->pair_count);
    printf("  most in one frame      %zu\n", fought->most);
    report_timing(&fought->time, "microseconds", 1e6);
}

void report_field(const field *tumbled) {
    const char *what = tumbled->kind == SCENE_TUMBLING ? "tumbling boxes"
                       : tumbled->kind == SCENE_ROUND  ? "tumbling boxes, spheres and capsules"
                                                       : scene_name(tumbled->kind);
    printf("\nfield: %zu %s, %zu frames\n\n", tumbled->box_count, what, tumbled->frame_count);
    printf("  contacts a frame       %zu least, %.1f mean, %zu most\n", tumbled->contacts_least, tumbled->contacts_mean,
           tumbled->contacts_most);
    printf("  contacts begun, ended  %zu, %zu\n", tumbled->begun, tumbled->ended);
    printf("  hash of the last frame %016llx\n", (unsigned long long)tumbled->hash);
    report_timing(&tumbled->time, "milliseconds", 1e3);
}
