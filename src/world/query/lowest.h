/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The lowest elements of a stream that comes in any order: kept in the caller's array, without further memory, and
 * sorted at the end. While there is room, elements are appended; when it is full, the array becomes a heap whose root
 * is its highest element, and lower ones replace that. */
#ifndef ABUT_WORLD_QUERY_LOWEST_H
#define ABUT_WORLD_QUERY_LOWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Elements are ordered by these 32-bit words of theirs. */
enum { ABUT_W_ORDER_WORDS = 4 };
typedef struct abut_w_order {
    uint32_t words;
    size_t offset[ABUT_W_ORDER_WORDS]; /* in bytes; the most significant word first */
} abut_w_order;

/* A number >= 0 as two floats' worth of bits, the higher ones first: in this order words are in the order of numbers.
 * It is kept in members that are not yet needed. */
static inline void abut_w_order_put(double number, float *high, float *low) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint32_t word[2] = {(uint32_t)(bits >> 32), (uint32_t)bits};
    memcpy(high, &word[0], sizeof *high);
    memcpy(low, &word[1], sizeof *low);
}

static inline double abut_w_order_get(const float *high, const float *low) {
    uint32_t word[2];
    double number;
    memcpy(&word[0], high, sizeof *high);
    memcpy(&word[1], low, sizeof *low);
    uint64_t bits = (uint64_t)word[0] << 32 | word[1];
    memcpy(&number, &bits, sizeof number);
    return number;
}

typedef struct abut_w_lowest {
    char *out;
    size_t capacity;
    size_t size;  /* of an element in bytes, a multiple of sizeof(size_t) */
    size_t total; /* elements so far */
    bool heap;
    const abut_w_order *order;
} abut_w_lowest;

/* `out` NULL has no room. The array may hold anything in the elements that are kept: add and sort only read the words
 * of the order, and move elements. */
static inline abut_w_lowest abut_w_lowest_of(void *out, size_t capacity, size_t size, const abut_w_order *order) {
    return (abut_w_lowest){.out = out, .capacity = out ? capacity : 0, .size = size, .order = order};
}

static inline size_t abut_w_lowest_kept(const abut_w_lowest *lowest) {
    return lowest->total < lowest->capacity ? lowest->total : lowest->capacity;
}

/* O(1) while there is room, then O(log capacity) for an element that is kept. */
void abut_w_lowest_add(abut_w_lowest *lowest, const void *element);

/* Whether an element with these words would be kept. */
bool abut_w_lowest_wants(abut_w_lowest *lowest, const void *element);

/* The highest element that is kept, if there is no more room; else NULL. */
const void *abut_w_lowest_last(abut_w_lowest *lowest);

/* Sorts what was kept, O(kept), and returns `total`. Method: radix sort in place, leading bits first (McIlroy, Bostic
 * and McIlroy, "Engineering radix sort", 1993). */
size_t abut_w_lowest_sort(const abut_w_lowest *lowest);

#endif
