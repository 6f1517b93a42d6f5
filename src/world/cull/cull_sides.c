/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/cull/cull.h"

/* The last stage, for bodies that cull_tree.c lists: each is tested by its own box. */

unsigned abut_w_cull_kinds(const abut_world *world, const uint32_t *slot, uint32_t n) {
    unsigned kinds = 0;
    for (uint32_t k = 0; k < n && world->non_box_count > 0; k++) {
        const abut_collider *collider = &world->collider[slot[k]];
        kinds |= (collider->hull || collider->mesh ? ABUT_W_CULL_HULLS : 0) |
                 (collider->radius > 0 ? ABUT_W_CULL_ROUNDED : 0);
    }
    return kinds;
}

/* The OBB of the core, and the radius. */
static abut_cull_round box_of(const abut_collider *collider) {
    abut_collider core = *collider;
    core.radius = 0;
    return (abut_cull_round){abut_collider_obb(&core), collider->radius};
}

/* Boxes of bodies of which some are hulls or meshes: their OBBs are composed first, AT_ONCE at a time. */
enum { AT_ONCE = 64 };
typedef struct composed {
    abut_cull_round box[AT_ONCE];
    uint32_t index[AT_ONCE];
} composed;

static abut_cull_boxes compose(const abut_w_culling *c, const uint32_t *slot, uint32_t n, bool rounded, composed *to) {
    n = n < AT_ONCE ? n : AT_ONCE;
    for (uint32_t k = 0; k < n; k++) {
        to->box[k] = box_of(&c->world->collider[slot[k]]);
        to->index[k] = k;
    }
    return (abut_cull_boxes){to->box, sizeof *to->box, to->index, n, rounded};
}

/* Boxes of others: kernels read them straight from the world's colliders. */
static abut_cull_boxes boxes_of(const abut_w_culling *c, const uint32_t *slot, uint32_t n, bool rounded) {
    return (abut_cull_boxes){c->world->collider, sizeof *c->world->collider, slot, n, rounded};
}

static void sides_of(const abut_w_culling *c, uint32_t v, const abut_cull_boxes *boxes, const uint8_t *crossed,
                     uint8_t *side) {
    abut_cull_sides_of_views(&c->view[v], 1, boxes, crossed, side, ABUT_W_CULL_BATCH);
}

/* Not inlined, so that composed boxes are on the stack only where they are needed. */
static ABUT_NOINLINE void sides_of_composed(const abut_w_culling *c, uint32_t v, const uint32_t *slot, uint32_t n,
                                            bool rounded, const uint8_t *crossed, uint8_t *side) {
    composed to;
    for (uint32_t from = 0; from < n; from += AT_ONCE) {
        const abut_cull_boxes boxes = compose(c, slot + from, n - from, rounded, &to);
        sides_of(c, v, &boxes, crossed + from, side + from);
    }
}

void abut_w_cull_sides(const abut_w_culling *c, uint32_t v, const uint32_t *slot, uint32_t n, const uint8_t *crossed,
                       uint8_t *side) {
    unsigned kinds = abut_w_cull_kinds(c->world, slot, n);
    bool rounded = kinds & ABUT_W_CULL_ROUNDED;
    if (kinds & ABUT_W_CULL_HULLS) {
        sides_of_composed(c, v, slot, n, rounded, crossed, side);
    } else {
        const abut_cull_boxes boxes = boxes_of(c, slot, n, rounded);
        sides_of(c, v, &boxes, crossed, side);
    }
}
