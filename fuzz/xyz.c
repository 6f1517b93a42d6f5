/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's clouds of points: a hull, or a reason. */
#include "fuzz/files.h"
#include "specimen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    collection c;
    if (size == 0 || size > 4096) {
        return 0;
    }
    fuzz_check(collection_load(&c, fuzz_write("cloud.xyz", data, size)));
    fuzz_check(c.count == 1 && (c.items[0].hull != NULL) == (c.items[0].reason == NULL));
    collection_destroy(&c);
    return 0;
}
