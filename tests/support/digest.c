/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/digest.h"
#include "support/test.h"
#include <abut/isa.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void digest_number(uint64_t *digest, uint64_t value) {
    *digest = (*digest ^ value) * UINT64_C(1099511628211);
}

void digest_words(uint64_t *digest, const void *words, size_t bytes) {
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word;
        memcpy(&word, (const char *)words + i, sizeof word);
        digest_number(digest, word);
    }
}

void digest_bytes(uint64_t *digest, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_number(digest, ((const unsigned char *)bytes)[i]);
    }
}

void digest_vec3(uint64_t *digest, abut_vec3 v) {
    digest_words(digest, &v, sizeof v);
}

void digest_float(uint64_t *digest, float value) {
    uint32_t bits = UINT32_C(0x7fc00000);
    if (value == value) {
        memcpy(&bits, &value, sizeof bits);
    }
    digest_number(digest, bits);
}

void digest_floats(uint64_t *digest, const float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_float(digest, values[i]);
    }
}

void digest_double(uint64_t *digest, double value) {
    uint64_t bits = UINT64_C(0x7ff8) << 48;
    const double of_one_zero = value + 0.0;
    if (value == value) {
        memcpy(&bits, &of_one_zero, sizeof bits);
    }
    digest_number(digest, bits ^ bits >> 32); /* FNV carries nothing from high bits to low ones */
}

void digest_doubles(uint64_t *digest, const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_double(digest, values[i]);
    }
}

void digest_box(uint64_t *digest, const abut_obb *box) {
    const float numbers[10] = {box->center.x,   box->center.y,   box->center.z, box->rotation.x, box->rotation.y,
                               box->rotation.z, box->rotation.w, box->half.x,   box->half.y,     box->half.z};
    digest_floats(digest, numbers, 10);
}

void digest_bounds(uint64_t *digest, const abut_aabb *bounds) {
    const float numbers[6] = {bounds->min.x, bounds->min.y, bounds->min.z, bounds->max.x, bounds->max.y, bounds->max.z};
    digest_floats(digest, numbers, 6);
}

void digest_manifold(uint64_t *digest, const abut_manifold *manifold) {
    digest_vec3(digest, manifold->normal);
    digest_number(digest, manifold->count);
    for (uint32_t i = 0; i < manifold->count; i++) {
        digest_words(digest, &manifold->points[i], sizeof manifold->points[i]);
    }
}

/* Whether they hold on the instruction set in use. */
static bool hold_on(abut_isa isa, const digest_pin *pins, size_t count) {
    bool hold = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t found = 0;
        pins[i].answer(&found);
        if (found != pins[i].expected) {
            printf("%s, %s: found 0x%016" PRIx64 "\n", abut_isa_name(isa), pins[i].name, found);
            hold = false;
        }
    }
    return hold;
}

bool digest_pins_hold(const digest_pin *pins, size_t count) {
    const abut_isa best = abut_isa_active();
    int sets = 0;
    bool hold = true;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if ((isa == (int)best || !test_best_isa_alone()) && abut_isa_select((abut_isa)isa) == ABUT_OK) {
            hold = hold_on((abut_isa)isa, pins, count) && hold;
            sets++;
        }
    }
    return hold && sets > 0;
}

bool digest_pins_hold_portably(const digest_pin *pins, size_t count) {
    return abut_isa_select(ABUT_ISA_PORTABLE) != ABUT_OK || hold_on(ABUT_ISA_PORTABLE, pins, count);
}
