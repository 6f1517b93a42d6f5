/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's CSV files: bodies, then, after a zero byte, poses. What is read is complete. */
#include "track.h"
#include "fuzz/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t bodies = end ? (size_t)(end - data) : size;
    track t;
    if (size == 0) {
        return 0;
    }
    (void)fuzz_write("bodies.csv", data, bodies);
    const char *folder = fuzz_write("poses.csv", data + bodies + (end != NULL), size - bodies - (end != NULL));
    if (track_load(&t, folder)) {
        fuzz_check(t.body_count > 0 && t.frame_count > 0);
        for (size_t i = 0; i < t.body_count * t.frame_count; i++) {
            fuzz_check(isfinite(t.poses[i].position.x) && isfinite(t.poses[i].rotation.w));
        }
        track_destroy(&t);
    }
    return 0;
}
