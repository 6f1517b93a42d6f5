/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What targets share: numbers from the bytes of an input, and a check that stops. A target is one function
 * LLVMFuzzerTestOneInput, for libFuzzer and for replay.c. */
#ifndef ABUT_FUZZ_INPUT_H
#define ABUT_FUZZ_INPUT_H

#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_check(holds) ((holds) ? (void)0 : fuzz_stop(#holds, __FILE__, __LINE__))

static inline void fuzz_stop(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

/* What is left of an input. At its end numbers are 0. */
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static inline void take_bytes(input *in, void *to, size_t n) {
    size_t have = in->size < n ? in->size : n;
    memset(to, 0, n);
    if (have > 0) {
        memcpy(to, in->data, have);
        in->data += have;
        in->size -= have;
    }
}

static inline uint8_t take_u8(input *in) {
    uint8_t value;
    take_bytes(in, &value, sizeof value);
    return value;
}

/* Any float: NaN, infinities and denormals, too. */
static inline float take_float(input *in) {
    float value;
    take_bytes(in, &value, sizeof value);
    return value;
}

/* A multiple of 1/16 below 8 in magnitude, so that things touch exactly; now and then any float. */
static inline float take_number(input *in) {
    uint8_t byte = take_u8(in);
    return byte == 0x80 ? take_float(in) : (float)(int8_t)byte / 16;
}

static inline abut_vec3 take_vec3(input *in) {
    abut_vec3 v;
    v.x = take_number(in);
    v.y = take_number(in);
    v.z = take_number(in);
    return v;
}

static inline abut_pose take_pose(input *in) {
    abut_pose pose = {.position = take_vec3(in), .rotation = {0, 0, 0, 1}};
    if (take_u8(in) % 2) {
        const abut_vec3 q = take_vec3(in);
        pose.rotation = (abut_quat){q.x, q.y, q.z, take_number(in)};
    }
    return pose;
}

/* A copy of exactly this size, so that a sanitizer sees each read beyond it; free() it. */
static inline void *fuzz_copy(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    fuzz_check(copy != NULL);
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

#endif
