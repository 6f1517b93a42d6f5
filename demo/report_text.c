/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    recorded_per_second = 60, /* frames of the tracks */
    shown_per_second = 60,    /* of a game */
    hits_shown = 8
};

void report_timing(const timing *t, const char *unit, double per_second) {
    printf("\n  %-8s %12s %12s %12s   %s a frame\n", "phase", "mean", "median", "max", unit);
    for (int phase = 0; phase < TIMING_PHASE_COUNT; ++phase) {
        timing_summary s = timing_summarise(t, (timing_phase)phase);
        printf("  %-8s %12.3f %12.3f %12.3f\n", timing_phase_name((timing_phase)phase), s.mean * per_second,
               s.median * per_second, s.max * per_second);
    }
}

static int by_depth(const void *a, const void *b) {
    const fight_hit *p = a, *q = b;
    return (p->depth < q->depth) - (p->depth > q->depth);
}

static int by_begin(const void *a, const void *b) {
    const fight_hit *p = a, *q = b;
    return p->begin != q->begin ? (p->begin > q->begin) - (p->begin < q->begin) : by_depth(a, b);
}

static void print_hit(const track *t, const fight_hit *hit) {
    const track_body *a = &t->bodies[hit->a], *b = &t->bodies[hit->b];
    const double frame = (double)t->every / recorded_per_second;
    printf("  %5zu %7.2f s %6.2f s%s %9.4f  %s %s - %s %s\n", hit->begin, (double)hit->begin * frame,
           (double)(hit->end - hit->begin) * frame, hit->end < t->frame_count ? " " : "+", (double)hit->depth,
           a->character, a->limb, b->character, b->limb);
}

/* The deepest hits, in the order in which they begin. false: out of memory. */
static bool print_hits(const track *t, const fight *fought) {
    fight_hit *hits = malloc((fought->hit_count + 1) * sizeof *hits);
    if (hits == NULL) {
        return false;
    }
    memcpy(hits, fought->hits, fought->hit_count * sizeof *hits);
    size_t shown = fought->hit_count < hits_shown ? fought->hit_count : hits_shown;
    qsort(hits, fought->hit_count, sizeof *hits, by_depth);
    qsort(hits, shown, sizeof *hits, by_begin);
    if (shown > 0) {
        printf("  %5s %9s %8s  %9s  %s\n", "frame", "at", "lasts", "depth", "limbs");
    }
    for (size_t i = 0; i < shown; ++i) {
        print_hit(t, &hits[i]);
    }
    if (shown < fought->hit_count) {
        printf("  the %zu deepest of %zu; --json lists all. ", shown, fought->hit_count);
    }
    printf("%sDepths are in the recording's unit of length.\n", shown == fought->hit_count ? "  " : "");
    free(hits);
    return true;
}

bool report_fight(const track *t, const fight *fought) {
    printf("track %s: %zu frames at %.4g Hz, %zu bodies of %zu characters\n\n", t->name, t->frame_count,
           recorded_per_second / (double)t->every, t->body_count, t->character_count);
    if (!print_hits(t, fought)) {
        return false;
    }
    printf("\n  frames with a hit      %zu of %zu\n", fought->frames_with_hit, t->frame_count);
    printf("  hits in all            %zu (pairs of limbs, summed over the frames)\n", fought->pair_frames);
    printf("  hit starts             %zu, and %zu more last from frame 0 on\n", fought->start_count,
           fought->hit_count - fought->start_count);
    printf("  pairs that ever hit    %zu\n", fought->pair_count);
    printf("  most in one frame      %zu\n", fought->most);
    report_timing(&fought->time, "microseconds", 1e6);
    return true;
}

static const char *what_tumbles(const field *tumbled) {
    return tumbled->kind == SCENE_TUMBLING ? "tumbling boxes"
           : tumbled->kind == SCENE_ROUND  ? "tumbling boxes, spheres and capsules"
                                           : scene_name(tumbled->kind);
}

void report_field(const field *tumbled) {
    printf("\nfield: %zu %s, %zu frames\n\n", tumbled->box_count, what_tumbles(tumbled), tumbled->frame_count);
    printf("  contacts a frame       %zu least, %.1f mean, %zu most\n", tumbled->contacts_least, tumbled->contacts_mean,
           tumbled->contacts_most);
    printf("  contacts begun, ended  %zu, %zu\n", tumbled->begun, tumbled->ended);
    report_timing(&tumbled->time, "milliseconds", 1e3);
}

/* With commas between thousands. */
static void print_count(size_t count) {
    if (count >= 1000) {
        print_count(count / 1000);
        printf(",%03zu", count % 1000);
    } else {
        printf("%zu", count);
    }
}

void report_summary(const track *t, const fight *fought, const field *tumbled) {
    printf("\n%zu of %zu frames with hits", fought->frames_with_hit, t->frame_count);
    if (tumbled->box_count == 0) {
        printf(".\n");
        return;
    }
    const double seconds = timing_summarise(&tumbled->time, TIMING_FRAME).median;
    printf("; ");
    print_count(tumbled->box_count);
    printf(" %s take %.2g ms, %.2g %% of a 60 Hz frame.\n", what_tumbles(tumbled), 1e3 * seconds,
           100.0 * seconds * shown_per_second);
    const unsigned long long hash = tumbled->hash, known = field_known_hash(tumbled);
    if (known == 0) {
        printf("Hash of the last frame: %016llx, the same on every machine.\n", hash);
    } else if (hash == known) {
        printf("Hash of the last frame: %016llx, as it should be on every machine.\n", hash);
    } else {
        printf("Hash of the last frame: %016llx, but every machine should see %016llx: please report this.\n", hash,
               known);
    }
}
