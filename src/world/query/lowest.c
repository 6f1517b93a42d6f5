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

/* In words of the machine: the sizes of structs are multiples of them. */
static void move(char *to, const char *from, size_t size) {
    for (size_t k = 0; k < size; k += sizeof(size_t)) {
        memcpy(to + k, from + k, sizeof(size_t));
    }
}

static void exchange(char *a, char *b, size_t size) {
    for (size_t k = 0; k < size; k += sizeof(size_t)) {
        size_t x, y;
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

const void *abut_w_lowest_last(abut_w_lowest *l) {
    if (l->capacity == 0 || l->total < l->capacity) {
        return NULL;
    }
    for (size_t at = l->heap ? 0 : l->capacity / 2; at > 0; at--) {
        sift_down(l, at - 1);
    }
    l->heap = true;
    return l->out;
}

void abut_w_lowest_add(abut_w_lowest *l, const void *element) {
    const char *last = abut_w_lowest_last(l);
    size_t number = l->total++;
    if (number < l->capacity) {
        move(l->out + number * l->size, element, l->size);
    } else if (last && is_lower(l->order, element, last)) {
        move(l->out, element, l->size);
        sift_down(l, 0);
    }
}

bool abut_w_lowest_wants(abut_w_lowest *l, const void *element) {
    const char *last = abut_w_lowest_last(l);
    return l->total < l->capacity || (last && is_lower(l->order, element, last));
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

static ABUT_INLINE void sort_few(const span *s, size_t first, size_t end) {
    for (size_t k = first + 1; k < end; k++) {
        char *high = s->first + k * s->size;
        for (size_t at = k; at > first && is_lower(s->order, high, high - s->size); at--, high -= s->size) {
            exchange(high, high - s->size, s->size);
        }
    }
}

/* Some bits of a span's word, which all bits above them are the same in. */
typedef struct digits {
    uint32_t shift, count;
} digits;

/* The leading bits that differ, as many as make groups of some elements. False: none differs. */
static bool leading_digits(const span *s, digits *d) {
    uint32_t first = word_of(s->order, s->first, s->word), differ = 0;
    for (size_t k = 1; k < s->n; k++) {
        differ |= first ^ word_of(s->order, s->first + k * s->size, s->word);
    }
    uint32_t width = ABUT_BIT_WIDTH(differ), bits = 8;
    while (s->n >> bits < 4) {
        bits--;
    }
    bits = width < bits ? width : bits;
    *d = (digits){width - bits, UINT32_C(1) << bits};
    return width > 0;
}

static uint32_t digit_of(const span *s, const char *element, digits d) {
    return word_of(s->order, element, s->word) >> d.shift & (d.count - 1);
}

/* Moves every element among those with its digit, and sorts the groups of few; `large` becomes the digits of the
 * others, as bits. Not inlined, so that its arrays are not on the stack while those are sorted. */
static ABUT_NOINLINE void distribute(span s, digits d, uint64_t large[DIGITS / 64]) {
    size_t next[DIGITS] = {0}, end[DIGITS], sum = 0;
    for (size_t k = 0; k < s.n; k++) {
        next[digit_of(&s, s.first + k * s.size, d)]++;
    }
    for (uint32_t i = 0; i < d.count; i++) {
        size_t count = next[i];
        next[i] = sum;
        end[i] = sum += count;
        large[i / 64] |= (uint64_t)(count > FEW) << i % 64;
    }
    for (uint32_t i = 0; i < d.count; i++) {
        while (next[i] < end[i]) {
            char *at = s.first + next[i] * s.size;
            exchange(at, s.first + next[digit_of(&s, at, d)]++ * s.size, s.size);
        }
    }
    for (uint32_t i = 0; i < d.count; i++) {
        size_t first = i == 0 ? 0 : end[i - 1];
        if (end[i] - first <= FEW) {
            sort_few(&s, first, end[i]);
        }
    }
}

/* How many elements of a distributed span have lower digits. */
static size_t count_below(const span *s, digits d, uint32_t digit) {
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (digit_of(s, s->first + middle * s->size, d) < digit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Depth: at most 16 for each word, as in every group of more than FEW elements two bits less may differ. */
static void sort(span s) {
    digits d = {0, 0};
    uint64_t large[DIGITS / 64] = {0};
    while (s.n > FEW && s.word < s.order->words && !leading_digits(&s, &d)) {
        s.word++;
    }
    if (s.n <= FEW) {
        sort_few(&s, 0, s.n);
    } else if (s.word < s.order->words) {
        distribute(s, d, large);
        for (uint32_t i = 0; i < d.count; i++) {
            if (large[i / 64] >> i % 64 & 1) {
                size_t first = count_below(&s, d, i), n = count_below(&s, d, i + 1) - first;
                sort((span){s.first + first * s.size, n, s.size, s.order, s.word});
            }
        }
    }
}

size_t abut_w_lowest_sort(const abut_w_lowest *l) {
    sort((span){l->out, abut_w_lowest_kept(l), l->size, l->order, 0});
    return l->total;
}
