/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "culling/kernels.h"
#include <string.h>

/* So many boxes are looked at together: they stay in the cache while they go from stage to stage, and enough of them
 * are left for the last one to fill its registers. */
enum { CHUNK = 1024, SPARE = 16 };

static bool is_valid(const abut_obb *box) {
    return abut_vec3_finite(box->center) && abut_quat_finite(box->rotation) && abut_vec3_finite(box->half) &&
           box->half.x >= 0 && box->half.y >= 0 && box->half.z >= 0;
}

/* Settles what the planes left open, all of it valid. */
static void finish(const abut_frustum *frustum, const abut_cull_boxes *boxes, uint8_t *side) {
    enum { MANY = 256 };
    uint32_t index[MANY], at[MANY];
    uint8_t found[MANY];
    for (size_t first = 0; first < boxes->n; first += MANY) {
        size_t end = boxes->n - first < MANY ? boxes->n : first + MANY, open = 0;
        for (size_t k = first; k < end; k++) { /* without a branch, because no processor guesses this */
            index[open] = boxes->index[k];
            at[open] = (uint32_t)(k - first);
            open += side[k] == ABUT_CULL_UNDECIDED;
        }
        if (open > 0) {
            abut_cull_boxes some = {boxes->boxes, boxes->stride, index, open};
            abut_cull_kernels_active()->axes(frustum, &some, found);
        }
        for (size_t k = 0; k < open; k++) {
            side[first + at[k]] = found[k];
        }
    }
}

void abut_cull_sides_of_bounds(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                               uint8_t *side) {
    abut_cull_kernels_active()->bounds(view, bounds, first, n, side);
}

void abut_cull_sides(const abut_cull_view *view, const abut_cull_boxes *boxes, uint8_t *side) {
    abut_cull_sides_of_views(view, 1, boxes, side, boxes->n);
}

void abut_cull_sides_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes, uint8_t *side,
                              size_t pitch) {
    abut_cull_kernels_active()->planes(view, views, boxes, side, pitch);
    for (; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        finish(view[v].exact, boxes, side + v * pitch);
    }
}

/* The portable kernels stop at the first gap; wide ones would fill a register with copies. */
abut_side abut_frustum_test_obb(const abut_frustum *frustum, const abut_obb *box) {
    static const uint32_t first = 0;
    if (!frustum || !box) {
        return ABUT_OUTSIDE;
    }
    abut_cull_view view = abut_cull_view_of(frustum);
    abut_cull_boxes only = {box, sizeof *box, &first, 1};
    uint8_t side;
    abut_cull_kernels_portable.planes(&view, 1, &only, &side, 1);
    if (side == ABUT_CULL_UNDECIDED) {
        side = ABUT_OUTSIDE;
        if (is_valid(box)) {
            abut_cull_kernels_portable.axes(frustum, &only, &side);
        }
    }
    return (abut_side)side;
}

/* A part of the array on its way through the stages. */
typedef struct chunk {
    abut_cull_boxes left; /* not outside so far */
    uint32_t index[CHUNK + SPARE];
    uint8_t side[CHUNK];
} chunk;

/* Boxes that are not valid are in no place. */
static void drop_invalid(const abut_obb *boxes, chunk *c) {
    for (size_t k = 0; k < c->left.n; k++) {
        if (c->side[k] == ABUT_CULL_UNDECIDED && !is_valid(&boxes[c->index[k]])) {
            c->side[k] = ABUT_OUTSIDE;
        }
    }
}

static size_t write_seen(const chunk *c, uint32_t first, uint32_t *visible) {
    size_t count = 0;
    for (size_t k = 0; k < c->left.n; k++) {
        if (visible) {
            visible[count] = first + c->index[k];
        }
        count += c->side[k] != ABUT_OUTSIDE;
    }
    return count;
}

size_t abut_frustum_cull_obbs(const abut_frustum *frustum, const abut_obb *boxes, size_t n, uint32_t *visible) {
    if (!frustum || !boxes) {
        return 0;
    }
    const abut_cull_kernels *kernels = abut_cull_kernels_active();
    abut_cull_view view = abut_cull_view_of(frustum);
    chunk c;
    size_t count = 0;
    for (size_t first = 0; first < n; first += CHUNK) {
        const abut_obb *some = boxes + first;
        size_t in_chunk = n - first < CHUNK ? n - first : CHUNK;
        c.left = (abut_cull_boxes){some, sizeof *boxes, c.index, kernels->spheres(&view, some, in_chunk, c.index)};
        kernels->planes(&view, 1, &c.left, c.side, CHUNK);
        drop_invalid(some, &c);
        finish(frustum, &c.left, c.side);
        count += write_seen(&c, (uint32_t)first, visible ? visible + count : NULL);
    }
    return count;
}
