/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Writes what targets that read bytes begin with: seeds FOLDER makes FOLDER/TARGET/... */
#include "fuzz/shapes.h"
#include <sys/stat.h>

static void put(const char *folder, const char *target, int number, uint8_t first, const void *bytes, size_t size) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, target);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/%s/made-%d", folder, target, number);
    FILE *file = fopen(path, "wb");
    fuzz_check(file && fputc(first, file) == first && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static abut_body_id add(abut_world *world, abut_body_def def) {
    abut_body_id id;
    fuzz_check(abut_body_create(world, &def, &id) == ABUT_OK);
    return id;
}

/* All that a snapshot may hold. */
static abut_world *make_world(const fuzz_shapes *shapes) {
    abut_world *world;
    fuzz_check(abut_world_create(&(abut_world_def){.contact_margin = 0.125f}, &world) == ABUT_OK);
    const abut_body_id parent = add(world, (abut_body_def){.half = {1, 1, 1}, .user = 7});
    (void)add(world, (abut_body_def){.half = {1, 0.5f, 1}, .pose.position = {0, 1, 0}, .parent = parent});
    const abut_body_id gone = add(world, (abut_body_def){.radius = 1});
    (void)add(world, (abut_body_def){.hull = shapes->hull[0], .pose.position = {1.5f, 0, 0}, .filter.group = -3});
    (void)add(world, (abut_body_def){.hull = shapes->hull[1], .radius = 0.25f, .filter = {2, 3, 0}});
    (void)add(world, (abut_body_def){.mesh = shapes->mesh[0], .motion = ABUT_STATIC});
    (void)add(world,
              (abut_body_def){
                  .half = {0, 1, 0}, .radius = 0.5f, .pose.position = {3, 1, 3}, .box = {{0, 0.5f, 0}, {0, 0, 0, 1}}});
    fuzz_check(abut_world_step(world, NULL, NULL) == ABUT_OK);
    fuzz_check(abut_body_destroy(world, gone) == ABUT_OK);
    return world;
}

static void put_snapshots(const char *folder, const fuzz_shapes *shapes) {
    abut_world *world = make_world(shapes);
    for (int i = 0; i < 3; i++) {
        const size_t size = abut_world_save(world, NULL, 0);
        void *bytes = malloc(size);
        fuzz_check(bytes && abut_world_save(world, bytes, size) == size);
        put(folder, "snapshot", i, (uint8_t)(i % 2), bytes, size);
        fuzz_check(abut_world_step(world, NULL, NULL) == ABUT_OK);
        free(bytes);
    }
    abut_world_destroy(&world);
}

int main(int argc, char **argv) {
    const fuzz_shapes *shapes = fuzz_shapes_get();
    fuzz_check(argc == 2);
    (void)mkdir(argv[1], 0777);
    for (int i = 0; i < FUZZ_HULLS; i++) {
        size_t size;
        const void *bytes = abut_hull_data(shapes->hull[i], &size);
        put(argv[1], "hull_load", i, (uint8_t)(i % 2), bytes, size);
    }
    for (int i = 0; i < FUZZ_MESHES; i++) {
        size_t size;
        const void *bytes = abut_mesh_data(shapes->mesh[i], &size);
        put(argv[1], "mesh_load", i, (uint8_t)(i % 2), bytes, size);
    }
    put_snapshots(argv[1], shapes);
    return EXIT_SUCCESS;
}
