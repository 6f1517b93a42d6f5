/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's OBJ files: triangles of vertices that are there, or a reason. */
#include "obj.h"
#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    obj o;
    char *text = fuzz_copy(data, size);
    const bool read = obj_parse(&o, text, size);
    fuzz_check(read == (o.reason == NULL));
    for (size_t i = 0; read && i < 3 * o.triangle_count; i++) {
        fuzz_check(o.indices[i] < o.vertex_count);
    }
    obj_destroy(&o);
    free(text);
    return 0;
}
