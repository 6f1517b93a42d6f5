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
    memset(v->word, 0, words * sizeof *v->word);
}

uint32_t abut_w_visible_count(const abut_w_visible *v) {
    uint32_t words = (v->end - v->first + 63) / 64, sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        sum += abut_bits_count(v->word[w].listed);
    }
    return sum;
}

uint32_t abut_w_visible_end_of_room(const abut_w_visible *v) {
    size_t left = v->room;
    uint32_t word = 0;
    for (; left >= abut_bits_count(v->word[word].listed); word++) {
        left -= abut_bits_count(v->word[word].listed);
    }
    uint32_t bit = 0;
    for (; left > 0; bit++) {
        left -= v->word[word].listed >> bit & 1;
    }
    return v->first + word * 64 + bit;
}

/* How many listed slots are lower. */
static inline uint32_t rank_of(const abut_w_visible *v, uint32_t slot) {
    uint32_t at = slot - v->first;
    return (uint32_t)v->word[at / 64].more + abut_bits_count(v->word[at / 64].listed & ((UINT64_C(1) << at % 64) - 1));
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

static size_t finish_several(abut_w_visible *v, const abut_world *world) {
    uint32_t words = (v->end - v->first + 63) / 64, sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        v->word[w].more = sum;
        sum += abut_bits_count(v->word[w].listed);
    }
    put_in_order(v);
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t slot = v->out[i].body.index1;
        v->out[i].body = abut_w_id(world, slot);
        v->out[i].user = world->body_user[slot];
    }
    return v->count;
}

static size_t finish_one(const abut_w_visible *v, const abut_world *world) {
    uint32_t words = (v->end - v->first + 63) / 64;
    const uint64_t *user = world->body_user;
    size_t written = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t inside = v->word[w].more;
        for (uint64_t bits = v->word[w].listed; bits; bits &= bits - 1) {
            if (written == v->room) {
                return written;
            }
            uint32_t bit = abut_bits_lowest64(bits), slot = v->first + w * 64 + bit;
            v->out[written++] = (abut_visible){abut_w_id(world, slot), user[slot], 1, (uint32_t)(inside >> bit & 1)};
        }
    }
    return written;
}

size_t abut_w_visible_finish(abut_w_visible *v, const abut_world *world) {
    return v->one_view ? finish_one(v, world) : finish_several(v, world);
}
