/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/lowest.h"
#include "base/compiler.h"
#include <string.h>

static uint32_t word_of(const abut_w_order *order, const char *element, uint32_t word) {
    uint32_t value;
    memcpy(&value, element + order->offset[word], sizeof value);
    return value;
}

static bool is_lower(const abut_w_order *order, const char *a, const char *b) {
    for (uint32_t w = 0; w < order->words; w++) {
        uint32_t x = word_of(order, a, w), y = word_of(order, b, w);
        if (x != y) {
            return x < y;
        }
    }
    return false;
}

static void move(char *to, const char *from, size_t size) {
    for (size_t k = 0; k < size; k += sizeof(uint64_t)) {
        memcpy(to + k, from + k, sizeof(uint64_t));
    }
}

static void exchange(char *a, char *b, size_t size) {
    for (size_t k = 0; k < size; k += sizeof(uint64_t)) {
        uint64_t x, y;
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        memcpy(a + k, &y, sizeof y);
        memcpy(b + k, &x, sizeof x);
    }
}

/* --- the heap: no element is higher than the one at half its index --- */

static void sift_down(const abut_w_lowest *l, size_t at) {
    for (size_t child; (child = 2 * at + 1) < l->capacity; at = child) {
        char *high = l->out + child * l->size;
        if (child + 1 < l->capacity && is_lower(l->order, high, high + l->size)) {
            child++;
            high += l->size;
        }
        if (!is_lower(l->order, l->out + at * l->size, high)) {
            return;
        }
        exchange(l->out + at * l->size, high, l->size);
    }
}

static void make_heap(const abut_w_lowest *l) {
    for (size_t at = l->capacity / 2; at > 0; at--) {
        sift_down(l, at - 1);
    }
}

void abut_w_lowest_add(abut_w_lowest *l, const void *element) {
    size_t number = l->total++;
    if (number < l->capacity) {
        move(l->out + number * l->size, element, l->size);
        if (number + 1 == l->capacity) {
            make_heap(l);
        }
    } else if (l->capacity > 0 && is_lower(l->order, element, l->out)) {
        move(l->out, element, l->size);
        sift_down(l, 0);
    }
}

bool abut_w_lowest_wants(const abut_w_lowest *l, const void *element) {
    return l->total < l->capacity || (l->capacity > 0 && is_lower(l->order, element, l->out));
}

/* --- sorting --- */

enum { FEW = 24, DIGITS = 256 };

/* n elements, of which all words before this one are equal. */
typedef struct span {
    char *first;
    size_t n, size;
    const abut_w_order *order;
    uint32_t word;
} span;

static void sort_few(const span *s) {
    for (size_t k = 1; k < s->n; k++) {
        for (size_t at = k; at > 0; at--) {
            char *high = s->first + at * s->size, *low = high - s->size;
            if (!is_lower(s->order, high, low)) {
                break;
            }
            exchange(high, low, s->size);
        }
    }
}

/* By how much to shift the span's word for its eight leading bits that differ. False: none differs. */
static bool leading_bits(const span *s, uint32_t *shift) {
    uint32_t first = word_of(s->order, s->first, s->word), differ = 0;
    for (size_t k = 1; k < s->n; k++) {
        differ |= first ^ word_of(s->order, s->first + k * s->size, s->word);
    }
    uint32_t width = ABUT_BIT_WIDTH(differ);
    *shift = width > 8 ? width - 8 : 0;
    return width > 0;
}

static uint32_t digit_of(const span *s, const char *element, uint32_t shift) {
    return word_of(s->order, element, s->word) >> shift & (DIGITS - 1);
}

/* Moves every element among those with its digit; end[d] becomes where those of digit d end. */
static void distribute(const span *s, uint32_t shift, size_t end[DIGITS]) {
    size_t next[DIGITS] = {0}, sum = 0;
    for (size_t k = 0; k < s->n; k++) {
        next[digit_of(s, s->first + k * s->size, shift)]++;
    }
    for (uint32_t d = 0; d < DIGITS; d++) {
        size_t count = next[d];
        next[d] = sum;
        end[d] = sum += count;
    }
    for (uint32_t d = 0; d < DIGITS; d++) {
        while (next[d] < end[d]) {
            char *at = s->first + next[d] * s->size;
            uint32_t digit = digit_of(s, at, shift);
            exchange(at, s->first + next[digit]++ * s->size, s->size);
        }
    }
}

static void sort(span s) {
    uint32_t shift;
    while (s.n > FEW && s.word < s.order->words && !leading_bits(&s, &shift)) {
        s.word++;
    }
    if (s.n <= FEW) {
        sort_few(&s);
    } else if (s.word < s.order->words) {
        size_t end[DIGITS];
        distribute(&s, shift, end);
        for (uint32_t d = 0; d < DIGITS; d++) {
            size_t begin = d == 0 ? 0 : end[d - 1];
            span part = s;
            part.first += begin * s.size;
            part.n = end[d] - begin;
            sort(part);
        }
    }
}

size_t abut_w_lowest_sort(const abut_w_lowest *l) {
    sort((span){l->out, abut_w_lowest_kept(l), l->size, l->order, 0});
    return l->total;
}
