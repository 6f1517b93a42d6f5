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

/* For bodies of which some are hulls or meshes: their OBBs are composed first. */
static void sides_of_obbs(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n, bool rounded,
                          const uint8_t *crossed, uint8_t *side, size_t pitch) {
    enum { AT_ONCE = 64 };
    abut_cull_round box[AT_ONCE];
    uint32_t index[AT_ONCE];
    for (uint32_t from = 0; from < n; from += AT_ONCE) {
        uint32_t batch = n - from < AT_ONCE ? n - from : AT_ONCE;
        for (uint32_t k = 0; k < batch; k++) {
            box[k] = box_of(&c->world->collider[slot[from + k]]);
            index[k] = k;
        }
        const abut_cull_boxes boxes = {box, sizeof *box, index, batch, rounded};
        abut_cull_sides_of_views(c->view, views, &boxes, crossed + from, side + from, pitch);
    }
}

/* For one view: the spheres around bodies go first, which are cheap. */
static void sides_of_near(const abut_w_culling *c, abut_cull_boxes boxes, const uint8_t *crossed, uint8_t *side) {
    enum { SPARE = 16 };
    const uint32_t *slot = boxes.index;
    uint32_t kept[ABUT_W_CULL_BATCH + SPARE], near[ABUT_W_CULL_BATCH];
    uint8_t crossed_by[ABUT_W_CULL_BATCH], found[ABUT_W_CULL_BATCH];
    memset(side, ABUT_OUTSIDE, boxes.n);
    boxes.n = abut_cull_near(&c->view[0], &boxes, kept);
    boxes.index = near;
    if (boxes.n == 0) {
        return;
    }
    for (size_t k = 0; k < boxes.n; k++) {
        near[k] = slot[kept[k]];
        crossed_by[k] = crossed[kept[k]];
    }
    abut_cull_sides_of_views(c->view, 1, &boxes, crossed_by, found, ABUT_W_CULL_BATCH);
    for (size_t k = 0; k < boxes.n; k++) {
        side[kept[k]] = found[k];
    }
}

void abut_w_cull_sides(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n, bool far,
                       const uint8_t *crossed, uint8_t *side, size_t pitch) {
    unsigned kinds = abut_w_cull_kinds(c->world, slot, n);
    bool rounded = kinds & ABUT_W_CULL_ROUNDED;
    if (kinds & ABUT_W_CULL_HULLS) {
        sides_of_obbs(c, views, slot, n, rounded, crossed, side, pitch);
    } else if (n > 0) { /* kernels read boxes straight from the world's colliders */
        const abut_cull_boxes boxes = {c->world->collider, sizeof *c->world->collider, slot, n, rounded};
        if (far) {
            sides_of_near(c, boxes, crossed, side);
        } else {
            abut_cull_sides_of_views(c->view, views, &boxes, crossed, side, pitch);
        }
    }
}
