/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Are abut's manifolds good enough to stack on? ODE moves a tower of ten boxes, a wall of ten rows of bricks and a
 * stack of ten prisms, with abut or with its own collider, with all else equal. They must stand still, and a thrown box
 * must knock the wall down. The same for rounded boxes and for capsules, crosswise and in a trough; balls must roll
 * without losing a contact.
 *
 *     ode_stacks                       prints a table
 *     ode_stacks --check [SECONDS]     fails when a promise is broken; SECONDS: how long to stand (20)
 *
 * ode_bridge.c is what an engine needs; ode_scenes.c builds the stacks. */

#include "ode_scenes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double knock_seconds = 4, roll_seconds = 6;

/* Limits of standing still; with other seeds of QuickStep, drifts were up to 4 mm. Nothing but friction keeps logs that
 * lie crosswise from rolling. */
static const double most_drift = 0.008, most_turn = 0.008, most_speed = 0.03, most_rolled = 0.03, most_roll_turn = 0.15;

static int broken;

static void promise(bool kept, const char *what) {
    if (!kept) {
        fprintf(stderr, "ode_stacks: broken: %s\n", what);
        ++broken;
    }
}

static void print_row(const char *name, collider by, const scene *s, double simulated, double took) {
    const scene_motion m = scene_measure(s);
    printf("%-8s%-6s%8.0f%12.2f%12.2f%12.2f", name, by == BY_ABUT ? "abut" : "ODE", simulated, 1e3 * m.drift,
           1e3 * m.turn, 1e3 * m.speed);
    printf("%8zu%8zu", s->touching.pairs, s->touching.points);
    if (by == BY_ABUT) {
        printf("%8zu", s->touching.kept);
    } else {
        printf("%8s", "");
    }
    printf("%10.0f%10.0f\n", (double)s->step / took, 1e6 * s->colliding / (double)s->step);
}

/* Faces that rest on each other have four points, a capsule that lies on a face or along another one has two, capsules
 * that cross have one: two of the logs lie on the ground. */
static size_t points_wanted(scene_kind kind, size_t pairs) {
    return kind == LOGS ? pairs + 2 : kind == TROUGH ? 2 * pairs : 4 * pairs;
}

/* Builds a stack, waits, and reports where it is then. */
static scene_motion rest(scene_kind kind, collider by, double seconds) {
    scene s;
    scene_create(&s, kind, by);
    const double before = scene_clock();
    scene_run(&s, seconds);
    print_row(scene_names[kind], by, &s, seconds, scene_clock() - before);
    const scene_motion m = scene_measure(&s);
    if (by == BY_ABUT) {
        const bool rolls = kind == LOGS;
        promise(m.drift < (rolls ? most_rolled : most_drift) && m.turn < (rolls ? most_roll_turn : most_turn) &&
                    m.speed < most_speed,
                "what is stacked stands still");
        promise(s.touching.points == points_wanted(kind, s.touching.pairs), "all resting contacts have all points");
        promise(5 * s.touching.kept > 4 * s.touching.points, "most points keep their feature");
    }
    scene_destroy(&s);
    return m;
}

/* Every ball has its one contact with the ground in every step, and the contact its feature. */
static void roll(void) {
    scene s;
    scene_create(&s, BALLS, BY_ABUT);
    const double before = scene_clock();
    bool touches = true, kept = true;
    for (int i = 0; i < (int)(60 * roll_seconds); ++i) {
        scene_run(&s, 1.0 / 60);
        touches = touches && s.touching.pairs == s.count && s.touching.points == s.count;
        kept = kept && (i == 0 || s.touching.kept == s.count);
    }
    print_row(scene_names[BALLS], BY_ABUT, &s, roll_seconds, scene_clock() - before);
    promise(touches, "a rolling ball touches the ground at one point");
    promise(kept, "a rolling ball keeps its contact's feature");
    promise(scene_measure(&s).moved == s.count, "balls roll");
    scene_destroy(&s);
}

/* The state after the wall was hit. */
typedef struct debris {
    dReal poses[scene_room][7];
} debris;

static size_t knock(collider by, bool print, debris *out) {
    scene s;
    scene_create(&s, WALL, by);
    scene_throw_box(&s);
    const double before = scene_clock();
    scene_run(&s, knock_seconds);
    if (print) {
        print_row("thrown", by, &s, knock_seconds, scene_clock() - before);
    }
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < s.count; ++i) {
        memcpy(out->poses[i], dBodyGetPosition(s.bodies[i]), 3 * sizeof(dReal));
        memcpy(out->poses[i] + 3, dBodyGetQuaternion(s.bodies[i]), 4 * sizeof(dReal));
    }
    const size_t moved = scene_measure(&s).moved;
    promise(2 * moved > s.count, "a thrown box knocks the wall down");
    scene_destroy(&s);
    return moved;
}

int main(int argc, char **argv) {
    static debris first, again;
    const bool checked = argc > 1 && strcmp(argv[1], "--check") == 0;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 20;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    printf("%-8s%-6s%8s%12s%12s%12s%8s%8s%8s%10s%10s\n", "scene", "by", "seconds", "drift, mm", "turn, mrad",
           "speed, mm/s", "pairs", "points", "kept", "steps/s", "colliding");
    for (scene_kind kind = 0; kind < BALLS; ++kind) {
        const scene_motion with_abut = rest(kind, BY_ABUT, seconds);
        if (kind < PRISMS) {
            promise(with_abut.drift < 1.5 * rest(kind, BY_ODE, seconds).drift + 0.001,
                    "no more drift than with ODE's collider");
        }
    }
    roll();
    const size_t moved = knock(BY_ABUT, true, &first), moved_by_ode = knock(BY_ODE, true, &again);
    knock(BY_ABUT, false, &again);
    promise(memcmp(&first, &again, sizeof first) == 0, "the same scene ends in the same bits");
    printf("bricks thrown about: %zu, with ODE's own collider %zu; colliding is in microseconds a step\n", moved,
           moved_by_ode);
    dCloseODE();
    return checked && broken > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
