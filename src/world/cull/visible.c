/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/cull/visible.h"
#include "base/bits.h"
#include <string.h>

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end) {
    size_t bytes = ((size_t)end - first + 63) / 64 * sizeof *v->visible;
    v->first = first;
    v->end = end;
    v->count = 0;
    memset(v->visible, 0, bytes);
    if (v->inside) {
        memset(v->inside, 0, bytes);
    }
}

static uint32_t words_of(const abut_w_visible *v) {
    return (v->end - v->first + 63) / 64;
}

uint32_t abut_w_visible_end_of(const abut_w_visible *v, size_t room) {
    uint32_t word = 0, bit = 0;
    for (; room >= abut_bits_count(v->visible[word]); word++) {
        room -= abut_bits_count(v->visible[word]);
    }
    for (; room > 0; bit++) {
        room -= v->visible[word] >> bit & 1;
    }
    return v->first + word * 64 + bit;
}

/* --- one view --- */

/* Writes the marked bodies of a word; returns how many there was room for. */
static size_t write_word(const abut_w_visible *v, uint32_t word, const abut_world *world, abut_visible *out,
                         size_t room) {
    uint64_t visible = v->visible[word], inside = v->inside[word];
    size_t n = 0;
    for (; visible && n < room; visible &= visible - 1) {
        uint32_t bit = ABUT_LOWEST_BIT64(visible), slot = v->first + word * 64 + bit;
        out[n++] = (abut_visible){abut_w_id(world, slot), world->body_user[slot], 1, (uint32_t)(inside >> bit) & 1};
    }
    return n;
}

size_t abut_w_visible_write_marked(const abut_w_visible *v, const abut_world *world, abut_visible *out, size_t room) {
    size_t count = 0, written = 0;
    for (uint32_t word = 0, words = words_of(v); word < words; word++) {
        count += abut_bits_count(v->visible[word]);
        written += written < room ? write_word(v, word, world, out + written, room - written) : 0;
    }
    return count;
}

/* --- several views --- */

enum { SIZE = sizeof(abut_w_visible_entry) };
_Static_assert(2 * SIZE == sizeof(abut_visible), "an element of the caller's array has room for two entries");

/* Sorts the entries of the log by slot. The rank of a slot is the number of visible bodies before it. */
static void sort_log(const abut_w_visible *v, char *sorted) {
    uint32_t before[ABUT_W_WORDS], sum = 0; /* by word: visible bodies in the words before it */
    for (uint32_t word = 0, words = words_of(v); word < words; word++) {
        before[word] = sum;
        sum += abut_bits_count(v->visible[word]);
    }
    for (size_t i = 0; i < v->count; i++) {
        abut_w_visible_entry entry;
        memcpy(&entry, v->log + i * SIZE, SIZE);
        uint32_t at = entry.slot - v->first;
        uint64_t lower = v->visible[at / 64] & ((UINT64_C(1) << at % 64) - 1);
        memcpy(sorted + (before[at / 64] + abut_bits_count(lower)) * SIZE, &entry, SIZE);
    }
}

/* The sorted entries follow the log. As entries are counted, result i ends before entry 2 i + 2 of the array, and the
 * next sorted entry to be read is entry count + i + 1, where i < count: so results never overtake it. */
void abut_w_visible_write_logged(const abut_w_visible *v, const abut_world *world, abut_visible *out) {
    enum { AHEAD = 24 };
    char *sorted = v->log + v->count * SIZE;
    sort_log(v, sorted);
    for (size_t i = 0; i < v->count; i++) {
        abut_w_visible_entry entry;
        if (i + AHEAD < v->count) {
            memcpy(&entry, sorted + (i + AHEAD) * SIZE, SIZE);
            abut_w_visible_prefetch(world, entry.slot);
        }
        memcpy(&entry, sorted + i * SIZE, SIZE);
        out[i] = (abut_visible){abut_w_id(world, entry.slot), world->body_user[entry.slot], entry.views, entry.inside};
    }
}
