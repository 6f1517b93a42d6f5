/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Six planes against CULL_LANES boxes at once, with the compiler's own vectors; compiled for 4, 8 and 16 lanes, each
 * with the instruction set that has them. */

#include "cull_loops.h"
#include <string.h>

#define CULL_PASTE(a, b) a##b
#define CULL_NAME(lanes) CULL_PASTE(cull_wide_, lanes)

enum { lanes = CULL_LANES, chunk = 1024 };

typedef float vector __attribute__((vector_size(4 * CULL_LANES)));
typedef int32_t mask __attribute__((vector_size(4 * CULL_LANES)));
typedef uint32_t words __attribute__((vector_size(4 * CULL_LANES)));
typedef int8_t bytes __attribute__((vector_size(CULL_LANES)));
typedef float quarter __attribute__((vector_size(16)));

/* Shuffles for transposing four by four within every 16 bytes; and quarters k, k + 4, ... side by side. */
#define SHUFFLE __builtin_shufflevector
#if CULL_LANES == 16
#  define LOW(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#  define HIGH(a, b) SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#  define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#  define BACKS(a, b) SHUFFLE(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#  define PAIR(a, b) SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#  define JOIN(q, k)                                                                                                   \
    SHUFFLE(PAIR(q[k], q[k + 4]), PAIR(q[k + 8], q[k + 12]), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#elif CULL_LANES == 8
#  define LOW(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#  define HIGH(a, b) SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#  define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#  define BACKS(a, b) SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#  define JOIN(q, k) SHUFFLE(q[k], q[k + 4], 0, 1, 2, 3, 4, 5, 6, 7)
#else
#  define LOW(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#  define HIGH(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#  define FRONTS(a, b) SHUFFLE(a, b, 0, 1, 4, 5)
#  define BACKS(a, b) SHUFFLE(a, b, 2, 3, 6, 7)
#  define JOIN(q, k) q[k]
#endif

/* Boxes side by side: [which][lane]. */
typedef struct box_columns {
    vector center[3], half[3], q[4];
} box_columns;

/* Loads floats first .. first + 3 of box index[k] into lane k of four columns. */
static inline void load(const abut_obb *boxes, const uint32_t *index, size_t first, vector column[4]) {
    quarter q[lanes];
    for (int k = 0; k < lanes; ++k) {
        memcpy(&q[k], (const char *)&boxes[index[k]] + first * sizeof(float), sizeof q[k]);
    }
    vector a = JOIN(q, 0), b = JOIN(q, 1), c = JOIN(q, 2), d = JOIN(q, 3);
    vector low_ab = LOW(a, b), low_cd = LOW(c, d), high_ab = HIGH(a, b), high_cd = HIGH(c, d);
    column[0] = FRONTS(low_ab, low_cd);
    column[1] = BACKS(low_ab, low_cd);
    column[2] = FRONTS(high_ab, high_cd);
    column[3] = BACKS(high_ab, high_cd);
}

static inline void load_ends(const abut_obb *boxes, const uint32_t *index, box_columns *b) {
    vector front[4], back[4];
    load(boxes, index, 0, front);
    load(boxes, index, 6, back);
    memcpy(b->center, front, sizeof b->center);
    b->q[0] = front[3];
    b->q[3] = back[0];
    memcpy(b->half, back + 1, sizeof b->half);
}

static inline void load_middle(const abut_obb *boxes, const uint32_t *index, box_columns *b) {
    vector middle[4];
    load(boxes, index, 4, middle);
    b->q[1] = middle[0];
    b->q[2] = middle[1];
}

static inline vector magnitude(vector v) {
    return (vector)((mask)v & 0x7fffffff);
}

/* Bit k is set where lane k of m is. */
static inline uint32_t bits_of(mask m) {
    bytes b = __builtin_convertvector(m, bytes);
    uint32_t bits = 0;
    for (int k = 0; k < lanes; k += 8) {
        uint64_t eight = 0;
        memcpy(&eight, (const char *)&b + k, lanes < 8 ? lanes : 8);
        bits |= (uint32_t)((eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << k;
    }
    return bits;
}

static inline uint32_t *append(uint32_t *out, const uint32_t *index, uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) {
        *out++ = index[__builtin_ctz(bits)];
    }
    return out;
}

/* The columns of the rotation matrix, each times its half extent: [axis][coordinate]. */
static inline void matrix_of(const box_columns *b, vector axis[3][3]) {
    vector x = b->q[0], y = b->q[1], z = b->q[2], w = b->q[3];
    vector x2 = x + x, y2 = y + y, z2 = z + z;
    vector xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    vector wx = w * x2, wy = w * y2, wz = w * z2;
    const vector m[3][3] = {
        {1.0f - yy - zz, xy + wz, xz - wy}, {xy - wz, 1.0f - xx - zz, yz + wx}, {xz + wy, yz - wx, 1.0f - xx - yy}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            axis[i][k] = m[i][k] * b->half[i];
        }
    }
}

static inline uint32_t planes_of(const cull_view *view, const box_columns *b, uint32_t alive) {
    vector axis[3][3];
    matrix_of(b, axis);
    for (int k = 0; k < 6 && alive != 0; ++k) {
        const float *n = view->plane[k];
        vector reach = n[0] * b->center[0] + n[1] * b->center[1] + n[2] * b->center[2] + n[3];
        for (int i = 0; i < 3; ++i) {
            reach += magnitude(n[0] * axis[i][0] + n[1] * axis[i][1] + n[2] * axis[i][2]);
        }
        alive &= bits_of(reach >= 0.0f);
    }
    return alive;
}

static inline uint32_t spheres_of(const cull_view *view, const box_columns *b, uint32_t alive) {
    vector square = b->half[0] * b->half[0] + b->half[1] * b->half[1] + b->half[2] * b->half[2];
    mask outside = {0};
    for (int k = 0; k < 6; ++k) {
        const float *n = view->plane[k];
        vector away = n[0] * b->center[0] + n[1] * b->center[1] + n[2] * b->center[2] + n[3];
        outside |= (away < 0.0f) & (away * away > square);
    }
    return alive & ~bits_of(outside);
}

/* Loads the next boxes, and repeats the last one past the end; returns the bits of the lanes that hold a new box. */
static inline uint32_t next_index(size_t first, size_t n, uint32_t index[lanes]) {
    size_t left = n - first < lanes ? n - first : lanes;
    for (size_t k = 0; k < lanes; ++k) {
        index[k] = (uint32_t)(first + (k < left ? k : left - 1));
    }
    return left < 32 ? (1u << left) - 1 : UINT32_MAX;
}

static size_t cull_planes(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible) {
    uint32_t *out = visible;
    for (size_t first = 0; first < n; first += lanes) {
        uint32_t index[lanes], alive = next_index(first, n, index);
        box_columns b;
        load_ends(boxes, index, &b);
        load_middle(boxes, index, &b);
        out = append(out, index, planes_of(view, &b, alive));
    }
    return (size_t)(out - visible);
}

static size_t cull_spheres(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible) {
    uint32_t *out = visible, left[chunk];
    for (size_t start = 0; start < n; start += chunk) {
        size_t end = n - start < chunk ? n : start + chunk;
        uint32_t *kept = left;
        for (size_t first = start; first < end; first += lanes) {
            uint32_t index[lanes], alive = next_index(first, end, index);
            box_columns b;
            load_ends(boxes, index, &b);
            kept = append(kept, index, spheres_of(view, &b, alive));
        }
        size_t count = (size_t)(kept - left);
        for (size_t first = 0; first < count; first += lanes) {
            uint32_t index[lanes], alive = next_index(first, count, index);
            for (int k = 0; k < lanes; ++k) {
                index[k] = left[index[k]];
            }
            box_columns b;
            load_ends(boxes, index, &b);
            load_middle(boxes, index, &b);
            out = append(out, index, planes_of(view, &b, alive));
        }
    }
    return (size_t)(out - visible);
}

static uint32_t read_all(const abut_obb *boxes, size_t n) {
    enum { turns = 4 };
    const char *at = (const char *)boxes, *end = (const char *)(boxes + n);
    words sum[turns] = {{0}};
    for (; end - at >= (ptrdiff_t)sizeof sum; at += sizeof sum) {
        words part[turns];
        memcpy(part, at, sizeof part);
        for (int k = 0; k < turns; ++k) {
            sum[k] += part[k];
        }
    }
    uint32_t all = 0, each[turns * lanes];
    memcpy(each, sum, sizeof each);
    for (size_t k = 0; k < turns * lanes; ++k) {
        all += each[k];
    }
    for (; at < end; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        all += word;
    }
    return all;
}

extern const cull_wide CULL_NAME(CULL_LANES);
const cull_wide CULL_NAME(CULL_LANES) = {read_all, cull_planes, cull_spheres};
