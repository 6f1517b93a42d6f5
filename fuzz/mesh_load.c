/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bytes of meshes: what is accepted is a mesh, and has these bytes. An input whose first byte is odd gets a digest that
 * fits. */
#include "base/bytes.h"
#include "fuzz/input.h"
#include "shape/mesh/assemble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    abut_mesh *mesh;
    if (size < 1) {
        return 0;
    }
    uint8_t *bytes = fuzz_copy(data + 1, --size);
    if (data[0] % 2 && size >= sizeof(abut_mesh) && size % 64 == 0) {
        uint64_t digest = abut_mesh_compute_digest(bytes, size);
        digest = abut_bytes_u64(&digest);
        memcpy(bytes + offsetof(abut_mesh, digest), &digest, sizeof digest);
    }
    const abut_result result = abut_mesh_load(bytes, size, NULL, &mesh);
    fuzz_check((result == ABUT_OK) == (mesh != NULL));
    if (mesh) {
        size_t same;
        const void *again = abut_mesh_data(mesh, &same);
        fuzz_check(same == size && memcmp(again, bytes, size) == 0);
        const abut_ray ray = {.origin = {0, 100, 0}, .translation = {0.1f, -200, 0.1f}};
        const abut_shape shape = {.mesh = mesh};
        const abut_pose pose = {.rotation = {0, 0, 0, 1}};
        abut_hit hit;
        (void)abut_shape_cast_ray(&shape, &pose, &ray, &hit);
    }
    abut_mesh_destroy(&mesh);
    free(bytes);
    return 0;
}
