/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "fuzz/shapes.h"

static fuzz_shapes made;

static abut_mesh *make_terrain(bool two_sided) {
    static const float heights[16] = {0, 1, 0, 0.5f, 0.25f, 0, 2, 0, 0, 0, 0, 0, 1, -1, 0, 0.125f};
    const abut_mesh_grid_def def = {
        .heights = heights, .columns = 4, .rows = 4, .spacing = {2, 1, 2}, .two_sided = two_sided};
    abut_mesh *mesh;
    fuzz_check(abut_mesh_create_grid(&def, &mesh) == ABUT_OK);
    return mesh;
}

static void release(void) {
    for (int i = 0; i < FUZZ_HULLS; i++) {
        abut_hull_destroy(&made.hull[i]);
    }
    for (int i = 0; i < FUZZ_MESHES; i++) {
        abut_mesh_destroy(&made.mesh[i]);
    }
}

const fuzz_shapes *fuzz_shapes_get(void) {
    if (!made.hull[0]) {
        fuzz_check(abut_hull_create_wedge((abut_vec3){1, 0.5f, 2}, NULL, &made.hull[0]) == ABUT_OK);
        fuzz_check(abut_hull_create_cylinder(1, 0.5f, 7, NULL, &made.hull[1]) == ABUT_OK);
        fuzz_check(abut_hull_create_cone(1, 1, 4, NULL, &made.hull[2]) == ABUT_OK);
        made.mesh[0] = make_terrain(false);
        made.mesh[1] = make_terrain(true);
        (void)atexit(release);
    }
    return &made;
}

static const abut_hull *find_hull(uint64_t digest, void *user) {
    (void)user;
    for (int i = 0; i < FUZZ_HULLS; i++) {
        if (abut_hull_digest(made.hull[i]) == digest) {
            return made.hull[i];
        }
    }
    return made.hull[0]; /* another one: refused */
}

static const abut_mesh *find_mesh(uint64_t digest, void *user) {
    (void)user;
    for (int i = 0; i < FUZZ_MESHES; i++) {
        if (abut_mesh_digest(made.mesh[i]) == digest) {
            return made.mesh[i];
        }
    }
    return NULL;
}

abut_shape_finder fuzz_finder(void) {
    (void)fuzz_shapes_get();
    return (abut_shape_finder){find_hull, find_mesh, NULL};
}
