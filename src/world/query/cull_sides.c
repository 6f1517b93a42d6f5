/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/cull.h"

/* The last stage, for bodies from cull_index.c and from cull_scan.c: each is tested by its own box. */

bool abut_w_all_boxes(const abut_world *world, const uint32_t *slot, uint32_t n) {
    _Static_assert(ABUT_SHAPE_BOX == 0, "other types have a bit");
    uint32_t types = 0;
    for (uint32_t k = 0; k < n && world->non_box_count > 0; k++) {
        types |= world->collider[slot[k]].type;
    }
    return types == ABUT_SHAPE_BOX;
}

/* For bodies that are not all boxes: their OBBs are composed first. */
static void sides_of_obbs(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n,
                          const uint8_t *crossed, uint8_t *side, size_t pitch) {
    enum { AT_ONCE = 64 };
    abut_obb box[AT_ONCE];
    uint32_t index[AT_ONCE];
    for (uint32_t from = 0; from < n; from += AT_ONCE) {
        uint32_t batch = n - from < AT_ONCE ? n - from : AT_ONCE;
        for (uint32_t k = 0; k < batch; k++) {
            box[k] = abut_collider_obb(&c->world->collider[slot[from + k]]);
            index[k] = k;
        }
        const abut_cull_boxes boxes = {box, sizeof *box, index, batch};
        abut_cull_sides_of_views(c->view, views, &boxes, crossed ? crossed + from : NULL, side + from, pitch);
    }
}

void abut_w_cull_sides(abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n, const uint8_t *crossed,
                       uint8_t *side, size_t pitch) {
    c->work->tested += n;
    if (!abut_w_all_boxes(c->world, slot, n)) {
        sides_of_obbs(c, views, slot, n, crossed, side, pitch);
    } else if (n > 0) { /* kernels read boxes straight from the world's colliders */
        const abut_cull_boxes boxes = {c->world->collider, sizeof *c->world->collider, slot, n};
        abut_cull_sides_of_views(c->view, views, &boxes, crossed, side, pitch);
    }
}
