/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Answers as one number, for tests that pin them: FNV-1a. Words of 32 bits and numbers are the same on machines of
 * either order of bytes. A deliberate change of an answer changes the number; the failure prints the new one. */
#ifndef ABUT_TESTS_SUPPORT_DIGEST_H
#define ABUT_TESTS_SUPPORT_DIGEST_H

#include <abut/contact.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void digest_number(uint64_t *digest, uint64_t value);
void digest_words(uint64_t *digest, const void *words, size_t bytes); /* floats, or numbers of 32 bits */
void digest_bytes(uint64_t *digest, const void *bytes, size_t n);
void digest_vec3(uint64_t *digest, abut_vec3 v);

/* All NaN are one, as no two machines have the same. So are both zeros of doubles, which never leave the library. */
void digest_float(uint64_t *digest, float value);
void digest_floats(uint64_t *digest, const float *values, size_t n);
void digest_double(uint64_t *digest, double value);
void digest_doubles(uint64_t *digest, const double *values, size_t n);

void digest_box(uint64_t *digest, const abut_obb *box);
void digest_bounds(uint64_t *digest, const abut_aabb *bounds);
void digest_manifold(uint64_t *digest, const abut_manifold *manifold); /* of the points only those that count */

/* A digest that is pinned: `answer` adds to one that is 0. */
typedef struct digest_pin {
    const char *name;
    void (*answer)(uint64_t *digest);
    uint64_t expected;
} digest_pin;

/* Whether every pin holds on every instruction set of the machine. Prints those that do not, as they are now. */
bool digest_pins_hold(const digest_pin *pins, size_t count);

/* The same on the portable instruction set alone, where the build has it: for what depends on the width of vectors. */
bool digest_pins_hold_portably(const digest_pin *pins, size_t count);

#endif
