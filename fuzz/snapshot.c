/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bytes of snapshots: one that is refused changes nothing; one that is accepted makes a world that saves itself, steps
 * as its copy does, and is valid once all has changed: a forged list of contacts lasts until then. An input whose first
 * byte is odd gets a checksum that fits. */
#include "fuzz/shapes.h"
#include "world/snapshot/format.h"

static void mend_checksum(uint8_t *bytes, size_t size) {
    abut_w_snap_header header;
    if (size >= sizeof header) {
        memcpy(&header, bytes, sizeof header);
        header.size = size;
        header.checksum = abut_w_snap_checksum(&header);
        memcpy(bytes, &header, sizeof header);
    }
}

/* Changes every body, so that the next step keeps no contact that was made up, and leaves all as it was. */
static void stir(abut_world *world) {
    const size_t n = abut_world_body_count(world);
    abut_body_id *ids = malloc((n + 1) * sizeof *ids);
    fuzz_check(ids && abut_world_bodies(world, ids, n) == n);
    for (size_t i = 0; i < n; i++) {
        abut_detail detail;
        fuzz_check(abut_body_get_detail(world, ids[i], &detail) == ABUT_OK);
        fuzz_check(abut_body_set_detail(world, ids[i], detail) == ABUT_OK);
    }
    free(ids);
}

static void check_restored(abut_world *world) {
    const abut_shape_finder finder = fuzz_finder();
    const size_t size = abut_world_save(world, NULL, 0);
    void *saved = malloc(size), *again = malloc(size);
    fuzz_check(saved && again && abut_world_save(world, saved, size) == size);
    abut_world *copy;
    fuzz_check(abut_world_create(NULL, &copy) == ABUT_OK);
    fuzz_check(abut_world_restore(copy, saved, size, &finder) == ABUT_OK);
    fuzz_check(abut_world_save(copy, again, size) == size && memcmp(saved, again, size) == 0);
    fuzz_check(abut_world_hash(copy) == abut_world_hash(world));
    const abut_result moved = abut_world_shift(world, (abut_vec3){1, 0, 0});
    fuzz_check(abut_world_shift(copy, (abut_vec3){1, 0, 0}) == moved);
    stir(world);
    stir(copy);
    (void)abut_world_step(world, NULL, NULL);
    (void)abut_world_step(copy, NULL, NULL);
    fuzz_check(abut_world_validate(world) == ABUT_OK);
    size_t n, m;
    const abut_contact *a = abut_world_contacts(world, &n), *b = abut_world_contacts(copy, &m);
    fuzz_check(n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0));
    abut_world_destroy(&copy);
    free(saved);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const abut_shape_finder finder = fuzz_finder();
    abut_world *world;
    if (size < 1) {
        return 0;
    }
    uint8_t *bytes = fuzz_copy(data + 1, --size);
    if (data[0] % 2) {
        mend_checksum(bytes, size);
    }
    fuzz_check(abut_world_create(NULL, &world) == ABUT_OK);
    abut_body_id id;
    fuzz_check(abut_body_create(world, &(abut_body_def){.half = {1, 1, 1}}, &id) == ABUT_OK);
    const uint64_t before = abut_world_hash(world);
    if (abut_world_restore(world, bytes, size, &finder) == ABUT_OK) {
        check_restored(world);
    } else {
        fuzz_check(abut_world_hash(world) == before && abut_body_is_valid(world, id));
        fuzz_check(abut_world_validate(world) == ABUT_OK);
    }
    abut_world_destroy(&world);
    free(bytes);
    return 0;
}
