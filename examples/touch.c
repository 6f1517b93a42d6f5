/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"floor", "box"};

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "touch: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

static void begin(const abut_contact *c, void *frame) {
    double depth = (double)abut_manifold_depth(&c->manifold);
    printf("frame %2d: the %s enters the %s, %.2f deep\n", *(int *)frame, names[c->user_b], names[c->user_a], depth);
}

static void end(const abut_contact *c, void *frame) {
    printf("frame %2d: the %s has left the %s\n", *(int *)frame, names[c->user_b], names[c->user_a]);
}

int main(void) {
    int frame = 0;
    abut_world *world;
    abut_body_id ground, box;
    const abut_listener listener = {.begin = begin, .end = end, .user = &frame};
    check(abut_world_create(NULL, &world));
    check(abut_body_create(world, &(abut_body_def){.half = {2, 0.5f, 2}, .user = 0}, &ground));
    check(abut_body_create(world, &(abut_body_def){.half = {1, 1, 1}, .user = 1}, &box));
    for (; frame < 16; ++frame) { /* abut reports what touches; you decide what follows */
        check(abut_body_set_pose(world, box, &(abut_pose){.position = {0, 4.75f - 0.5f * (float)frame, 0}}));
        check(abut_world_step(world, &listener, NULL));
    }
    abut_world_destroy(&world);
}
