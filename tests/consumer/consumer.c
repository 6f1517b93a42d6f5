/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A first program, valid as C17 and as C++17: two boxes, one step. */
#include <abut/abut.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *what) {
    fprintf(stderr, "consumer: %s\n", what);
    return 1;
}

int main(void) {
    if (strcmp(abut_version(), ABUT_VERSION) != 0) {
        return fail("the library and the headers have different versions");
    }
    abut_world *world = NULL;
    if (abut_world_create(NULL, &world) != ABUT_OK) {
        return fail("no world");
    }
    abut_body_def def;
    memset(&def, 0, sizeof def);
    def.half.x = def.half.y = def.half.z = 1.0F;
    abut_body_id first, second;
    abut_result result = abut_body_create(world, &def, &first);
    def.pose.position.x = 1.5F;
    if (result != ABUT_OK || abut_body_create(world, &def, &second) != ABUT_OK) {
        return fail("no bodies");
    }
    abut_step_report report;
    if (abut_world_step(world, NULL, &report) != ABUT_OK || report.contacts != 1) {
        return fail("two boxes that overlap are not in contact");
    }
    abut_world_destroy(&world);
    printf("abut %s: 1 contact\n", abut_version());
    return 0;
}
