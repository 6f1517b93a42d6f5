/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/query/cull.h"
#include "world/query/query.h"

/* Bodies one by one, which is: many at once, but not by groups. Those are all of them while there is no index; else
 * those that the index does not have, or has where they are no more. */

enum { LOOKS = ABUT_W_LOOKS, MORE = 16 };

typedef struct slot_list {
    uint32_t slot[LOOKS];
    uint32_t n;
} slot_list;

/* --- who --- */

/* Bit k: byte k of the eight is not 0. */
static inline uint64_t bits_of_eight(uint64_t bytes) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t high = (((bytes & low) + low) | bytes) & ~low;
    return (high >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* The same wherever bytes are in a number. */
static inline uint64_t eight_at(const uint8_t *byte) {
    uint64_t eight = 0;
    for (int k = 0; k < 8; k++) {
        eight |= (uint64_t)byte[k] << 8 * k;
    }
    return eight;
}

/* Bit k: a bit of `mask` is set in byte[k], k < 64. */
static inline uint64_t bits_of(const uint8_t *byte, uint8_t mask) {
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++) {
        bits |= bits_of_eight(eight_at(byte + 8 * k) & UINT64_C(0x0101010101010101) * mask) << 8 * k;
    }
    return bits;
}

/* Of slots 64 word .. 64 word + 63: which are where the index says. */
static inline uint64_t found_in_index(const abut_world *world, uint32_t word) {
    uint64_t listed = world->bp.index.listed[word];
    return world->changed && listed ? listed & ~bits_of(world->flags + (size_t)word * 64, ABUT_W_DIRTY) : listed;
}

/* --- boxes and hulls --- */

/* Which slots may be seen, of hulls by their bounds, where those are up to date. */
static uint32_t near_by_bounds(const abut_w_culling *c, uint32_t v, const uint32_t *slot, uint32_t n, uint32_t *kept) {
    const abut_world *world = c->world;
    float column[6][LOOKS + MORE], reach = 0;
    uint8_t crossed[LOOKS + MORE];
    memset(column, 0, sizeof column);
    for (uint32_t k = 0; k < n; k++) {
        const abut_bp_box *box = &world->bp.box[slot[k]];
        for (int i = 0; i < 3; i++) {
            column[i][k] = box->min[i];
            column[3 + i][k] = box->max[i];
            reach = abut_max_f(reach, abut_max_f(-box->min[i], box->max[i]));
        }
    }
    double more = world->obb_excess + ABUT_OBB_STRETCH * (world->obb_excess + (double)reach);
    const abut_cull_view loose = abut_cull_view_loosened(&c->view[v], more);
    const abut_cull_bounds bounds = {{column[0], column[1], column[2]}, {column[3], column[4], column[5]}};
    abut_cull_planes_of_bounds(&loose, &bounds, 0, n, crossed);
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) {
        kept[count] = k;
        count += crossed[k] != ABUT_CULL_BEYOND || world->flags[slot[k]] & ABUT_W_STALE;
    }
    return count;
}

static uint32_t near(const abut_w_culling *c, uint32_t v, const uint32_t *slot, uint32_t n, uint32_t *kept) {
    const abut_cull_boxes boxes = {c->world->collider, sizeof *c->world->collider, slot, n};
    return c->world->non_box_count > 0 ? near_by_bounds(c, v, slot, n, kept)
                                       : (uint32_t)abut_cull_near(&c->view[v], &boxes, kept);
}

static void look_by_one(abut_w_culling *c, const slot_list *list) {
    uint32_t kept[LOOKS + MORE], slot[LOOKS], n = near(c, 0, list->slot, list->n, kept);
    uint8_t side[LOOKS];
    for (uint32_t k = 0; k < n; k++) {
        slot[k] = list->slot[kept[k]];
    }
    abut_w_look(c, 1, slot, n, NULL, side, LOOKS);
    for (uint32_t k = 0; k < n; k++) {
        abut_w_visible_mark(&c->visible, slot[k], side[k] != ABUT_OUTSIDE, side[k] == ABUT_INSIDE);
    }
}

static void look_by_several(abut_w_culling *c, const slot_list *list) {
    uint32_t seen[LOOKS] = {0}, inside[LOOKS] = {0}, kept[LOOKS + MORE], slot[LOOKS];
    uint8_t side[LOOKS];
    for (uint32_t v = 0; v < c->count; v++) {
        uint32_t n = near(c, v, list->slot, list->n, kept);
        for (uint32_t k = 0; k < n; k++) {
            slot[k] = list->slot[kept[k]];
        }
        abut_w_look(c, UINT32_C(1) << v, slot, n, NULL, side, 0);
        for (uint32_t k = 0; k < n; k++) {
            seen[kept[k]] |= (uint32_t)(side[k] != ABUT_OUTSIDE) << v;
            inside[kept[k]] |= (uint32_t)(side[k] == ABUT_INSIDE) << v;
        }
    }
    for (uint32_t k = 0; k < list->n; k++) {
        if (seen[k] && abut_w_culling_passes(c, list->slot[k])) {
            abut_w_visible_log(&c->visible, list->slot[k], seen[k], inside[k]);
        }
    }
}

static void look(abut_w_culling *c, slot_list *list) {
    if (list->n > 0 && c->count == 1) {
        look_by_one(c, list);
    } else if (list->n > 0) {
        look_by_several(c, list);
    }
    c->scanned += list->n;
    list->n = 0;
}

/* --- the window --- */

static void add_word(slot_list *list, uint32_t first, uint64_t bits) {
    if (bits == UINT64_MAX) {
        for (uint32_t k = 0; k < 64; k++) {
            list->slot[list->n + k] = first + k;
        }
        list->n += 64;
        return;
    }
    for (; bits; bits &= bits - 1) {
        list->slot[list->n++] = first + ABUT_LOWEST_BIT64(bits);
    }
}

/* Slots below `end`, of 64 from `first` on. */
static inline uint64_t below(uint32_t first, uint32_t end) {
    return end - first < 64 ? (UINT64_C(1) << (end - first)) - 1 : UINT64_MAX;
}

void abut_w_cull_scan(abut_w_culling *c) {
    const abut_world *world = c->world;
    abut_w_visible *v = &c->visible;
    if (c->complete) {
        return;
    }
    slot_list list;
    list.n = 0;
    for (uint32_t first = v->first; first < v->end; first += 64) { /* a window begins with a word */
        uint64_t living = bits_of(world->bp.role + first, UINT8_MAX), found = 0;
        if (c->indexed) {
            uint32_t word = (first - v->first) / 64;
            found = found_in_index(world, first / 64);
            v->seen[word] &= found;
            v->inside[word] &= found;
        }
        add_word(&list, first, living & ~found & below(first, v->end));
        if (list.n + 64 > LOOKS) {
            look(c, &list);
        }
    }
    look(c, &list);
}
