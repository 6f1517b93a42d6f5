/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/visible.h"
#include "base/bits.h"

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    size_t words = (end - first + 63) / 64;
    v->first = first;
    v->end = end;
    v->count = 0;
    v->room = room;
    v->out = out;
    memset(v->listed, 0, words * sizeof *v->listed);
    if (v->one_view) {
        memset(v->by_word.inside, 0, words * sizeof *v->by_word.inside);
    }
}

uint32_t abut_w_visible_count(const abut_w_visible *v) {
    uint32_t words = (v->end - v->first + 63) / 64, sum = v->count;
    for (uint32_t w = 0; v->one_view && w < words; w++) {
        sum += abut_bits_count(v->listed[w]);
    }
    return sum;
}

uint32_t abut_w_visible_end_of_room(const abut_w_visible *v) {
    size_t left = v->room;
    uint32_t word = 0;
    for (; left >= abut_bits_count(v->listed[word]); word++) {
        left -= abut_bits_count(v->listed[word]);
    }
    uint32_t bit = 0;
    for (; left > 0; bit++) {
        left -= v->listed[word] >> bit & 1;
    }
    return v->first + word * 64 + bit;
}

/* How many listed slots are lower. */
static inline uint32_t rank_of(const abut_w_visible *v, uint32_t slot) {
    uint32_t at = slot - v->first;
    return v->by_word.before[at / 64] + abut_bits_count(v->listed[at / 64] & ((UINT64_C(1) << at % 64) - 1));
}

/* Along the cycles of the permutation. What stands where it belongs has a generation, which is never 0. */
static void put_in_order(abut_w_visible *v) {
    for (uint32_t i = 0; i < v->count; i++) {
        abut_visible moving = v->out[i];
        while (moving.body.generation == 0) {
            abut_visible *home = &v->out[rank_of(v, moving.body.index1)], next = *home;
            *home = moving;
            home->body.generation = 1;
            moving = next;
        }
    }
}

static void finish_several(abut_w_visible *v, const abut_world *world) {
    uint32_t words = (v->end - v->first + 63) / 64, sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        v->by_word.before[w] = sum;
        sum += abut_bits_count(v->listed[w]);
    }
    put_in_order(v);
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t slot = v->out[i].body.index1;
        v->out[i].body = abut_w_id(world, slot);
        v->out[i].user = world->body_user[slot];
    }
}

static void finish_one(const abut_w_visible *v, const abut_world *world) {
    uint32_t words = (v->end - v->first + 63) / 64;
    const uint64_t *user = world->body_user;
    abut_visible *to = v->out;
    size_t left = v->room;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t inside = v->by_word.inside[w];
        for (uint64_t bits = v->listed[w]; bits; bits &= bits - 1) {
            if (left-- == 0) {
                return;
            }
            uint32_t bit = abut_bits_lowest64(bits), slot = v->first + w * 64 + bit;
            *to++ = (abut_visible){abut_w_id(world, slot), user[slot], 1, (uint32_t)(inside >> bit & 1)};
        }
    }
}

void abut_w_visible_finish(abut_w_visible *v, const abut_world *world) {
    if (v->one_view) {
        finish_one(v, world);
    } else {
        finish_several(v, world);
    }
}
