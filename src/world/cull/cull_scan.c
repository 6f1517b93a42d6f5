/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/cull/cull.h"

/* Bodies one by one, in batches but without the boxes of the index: all bodies while there is no index, otherwise those
 * without a valid entry. First their spheres are tested, then, if those do not decide, their boxes. */

enum { BATCH = ABUT_W_CULL_BATCH, WRITE_SLACK = 16 };

typedef struct batch {
    uint32_t slot[BATCH], n;
    abut_cull_boxes
        sphere_or_box; /* by k: the body's box or a sphere around it, which is all that abut_cull_near reads */
    abut_obb sphere[BATCH];
    uint32_t number[BATCH];
} batch;

/* Boxes are read straight from the world's colliders, rounded ones, too; hulls get a sphere. */
static void set_sphere_or_box(const abut_world *world, batch *b) {
    unsigned kinds = abut_w_cull_kinds(world, b->slot, b->n);
    if (!(kinds & ABUT_W_CULL_HULLS)) {
        bool rounded = kinds & ABUT_W_CULL_ROUNDED;
        b->sphere_or_box = (abut_cull_boxes){world->collider, sizeof *world->collider, b->slot, b->n, rounded};
        return;
    }
    for (uint32_t k = 0; k < b->n; k++) {
        b->number[k] = k;
        b->sphere[k] = abut_collider_sphere(&world->collider[b->slot[k]]);
    }
    b->sphere_or_box =
        (abut_cull_boxes){.boxes = b->sphere, .stride = sizeof *b->sphere, .index = b->number, .n = b->n};
}

static void cull_one_view(abut_w_culling *c, const batch *b) {
    uint32_t kept[BATCH + WRITE_SLACK], slot[BATCH], n = (uint32_t)abut_cull_near(&c->view[0], &b->sphere_or_box, kept);
    uint8_t side[BATCH];
    for (uint32_t k = 0; k < n; k++) {
        slot[k] = b->slot[kept[k]];
    }
    abut_w_cull_sides(c, 1, slot, n, NULL, side, BATCH);
    for (uint32_t k = 0; k < n; k++) {
        abut_w_visible_mark(&c->visible, slot[k], side[k] != ABUT_OUTSIDE, side[k] == ABUT_INSIDE);
    }
}

static void cull_several_views(abut_w_culling *c, const batch *b) {
    uint32_t views[BATCH] = {0}, inside[BATCH] = {0}, kept[BATCH + WRITE_SLACK], slot[BATCH];
    uint8_t side[BATCH];
    for (uint32_t v = 0; v < c->count; v++) {
        uint32_t n = (uint32_t)abut_cull_near(&c->view[v], &b->sphere_or_box, kept);
        for (uint32_t k = 0; k < n; k++) {
            slot[k] = b->slot[kept[k]];
        }
        abut_w_cull_sides(c, UINT32_C(1) << v, slot, n, NULL, side, 0);
        for (uint32_t k = 0; k < n; k++) {
            views[kept[k]] |= (uint32_t)(side[k] != ABUT_OUTSIDE) << v;
            inside[kept[k]] |= (uint32_t)(side[k] == ABUT_INSIDE) << v;
        }
    }
    for (uint32_t k = 0; k < b->n; k++) {
        if (views[k] && abut_w_query_passes(c->world, &c->filter, b->slot[k])) {
            abut_w_visible_log(&c->visible, b->slot[k], views[k], inside[k]);
        }
    }
}

static void cull_batch(abut_w_culling *c, batch *b) {
    if (b->n > 0) {
        set_sphere_or_box(c->world, b);
        if (c->count == 1) {
            cull_one_view(c, b);
        } else {
            cull_several_views(c, b);
        }
    }
    c->work->scanned += b->n;
    b->n = 0;
}

/* Adds those of the slots first .. first + 63 whose bit is set. */
static void add_64(batch *b, uint32_t first, uint64_t bits) {
    if (bits == UINT64_MAX) {
        for (uint32_t k = 0; k < 64; k++) {
            b->slot[b->n + k] = first + k;
        }
        b->n += 64;
        return;
    }
    for (; bits; bits &= bits - 1) {
        b->slot[b->n++] = first + ABUT_LOWEST_BIT64(bits);
    }
}

/* Which of the slots first .. first + 63 are below `end`, one bit each. */
static inline uint64_t below(uint32_t first, uint32_t end) {
    return end - first < 64 ? (UINT64_C(1) << (end - first)) - 1 : UINT64_MAX;
}

void abut_w_cull_scan(abut_w_culling *c) {
    const abut_world *world = c->world;
    abut_w_visible *v = &c->visible;
    if (c->complete) {
        return;
    }
    batch b;
    b.n = 0;
    for (uint32_t first = v->first; first < v->end; first += 64) { /* a window begins at a multiple of 64 */
        uint64_t indexed = 0;
        if (c->indexed) {
            indexed = abut_w_index_has_64(world, first);
            abut_w_visible_keep_64(v, first, indexed);
        }
        add_64(&b, first, abut_w_living_64(world, first) & ~indexed & below(first, v->end));
        if (b.n + 64 > BATCH) {
            cull_batch(c, &b);
        }
    }
    cull_batch(c, &b);
}
