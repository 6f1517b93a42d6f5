/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bytes of hulls: what is accepted is a hull, and has these bytes. An input whose first byte is odd gets a digest that
 * fits, so that more than the digest must refuse it. */
#include "base/bytes.h"
#include "fuzz/input.h"
#include "shape/hull/assemble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    abut_hull *hull;
    if (size < 1) {
        return 0;
    }
    uint8_t *bytes = fuzz_copy(data + 1, --size);
    if (data[0] % 2 && size >= sizeof(abut_hull) && size % 64 == 0) {
        uint64_t digest = abut_hull_compute_digest(bytes, (uint32_t)size);
        digest = abut_bytes_u64(&digest);
        memcpy(bytes + offsetof(abut_hull, digest), &digest, sizeof digest);
    }
    const abut_result result = abut_hull_load(bytes, size, NULL, &hull);
    fuzz_check((result == ABUT_OK) == (hull != NULL));
    if (hull) {
        size_t same;
        const void *again = abut_hull_data(hull, &same);
        fuzz_check(same == size && memcmp(again, bytes, size) == 0);
        const abut_pose pose = {{1, 2, 3}, {1, 0, 0, 1}};
        const abut_shape shape = abut_convex(hull, 0), point = abut_point();
        (void)abut_shape_overlap(&shape, &pose, &point, &pose);
    }
    abut_hull_destroy(&hull);
    free(bytes);
    return 0;
}
