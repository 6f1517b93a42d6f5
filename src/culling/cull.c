/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "culling/kernels.h"
#include <math.h>
#include <string.h>

/* This many boxes of an array go through the stages together: few enough to stay in the cache, and enough that those
 * left over fill the registers of the last stage. Kernels write up to SPARE elements too many. */
enum { CHUNK = 1024, SPARE = 16 };

/* At most this many boxes at a time. */
enum { BLOCK = 256 }; /* a number is a byte */
typedef struct open_boxes {
    size_t n;
    uint32_t index[BLOCK];           /* of the box, */
    uint8_t at[BLOCK], known[BLOCK]; /* of its side; ABUT_CULL_UNDECIDED or ABUT_CULL_CUT */
} open_boxes;

/* Lists the boxes that are open. */
static void gather(const uint32_t *index, size_t n, const uint8_t *side, open_boxes *open) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) { /* without a branch, because this one cannot be predicted */
        open->index[count] = index[k];
        open->at[count] = (uint8_t)k;
        open->known[count] = side[k];
        count += side[k] >= ABUT_CULL_UNDECIDED;
    }
    open->n = count;
}

/* Writes what a stage has found about boxes that are cut, and keeps those that are still open. */
static void take(open_boxes *open, const uint8_t *found, uint8_t *side) {
    size_t count = 0;
    for (size_t k = 0; k < open->n; k++) {
        uint8_t known = open->known[k] == ABUT_CULL_CUT ? found[k] : ABUT_CULL_UNDECIDED;
        side[open->at[k]] = known;
        open->index[count] = open->index[k];
        open->at[count] = open->at[k];
        open->known[count] = known;
        count += known >= ABUT_CULL_UNDECIDED;
    }
    open->n = count;
}

/* The stages in float, for boxes that are cut; what they find about others is not used. A short search comes first. It
 * leaves open boxes to all axes, or, where that cannot be, to a thorough search, if there are enough to pay for it. */
static void narrow(const abut_cull_view *view, const abut_cull_boxes *boxes, open_boxes *open, uint8_t *side) {
    enum { SHORT = 1, LONGER = 2, THOROUGH = 10, ENOUGH = 8 };
    const abut_cull_kernels *kernels = abut_cull_kernels_active();
    bool axes = view->reach < INFINITY && !boxes->rounded;
    uint8_t found[BLOCK];
    abut_cull_boxes cut = *boxes;
    cut.index = open->index;
    cut.n = open->n;
    kernels->search(view, &cut, axes ? SHORT : LONGER, found);
    take(open, found, side);
    cut.n = open->n;
    if (axes && cut.n > 0) {
        const abut_cull_solid solid = abut_cull_solid_of(view->exact);
        kernels->overlaps(view, &solid, &cut, found);
        take(open, found, side);
    } else if (cut.n >= ENOUGH) {
        kernels->search(view, &cut, THOROUGH, found);
        take(open, found, side);
    }
}

/* Decides those that are rounded, and removes them. */
static void finish_rounded(const abut_frustum *frustum, const abut_cull_boxes *boxes, open_boxes *open, uint8_t *side) {
    size_t sharp = 0;
    for (size_t k = 0; k < open->n; k++) {
        const void *box = (const char *)boxes->boxes + boxes->stride * open->index[k];
        abut_cull_round x;
        memcpy(&x, box, sizeof x);
        open->index[sharp] = open->index[k];
        open->at[sharp] = open->at[k];
        if (x.radius > 0) {
            side[open->at[k]] = (uint8_t)abut_cull_side_of_round(frustum, &x.core, x.radius);
        } else {
            sharp++;
        }
    }
    open->n = sharp;
}

void abut_cull_finish(const abut_cull_view *view, const abut_cull_boxes *boxes, uint8_t *side) {
    for (size_t first = 0; first < boxes->n; first += BLOCK) {
        open_boxes open;
        uint8_t found[BLOCK], *to = side + first;
        gather(boxes->index + first, boxes->n - first < BLOCK ? boxes->n - first : BLOCK, to, &open);
        if (open.n > 0) {
            narrow(view, boxes, &open, to);
        }
        if (open.n > 0 && boxes->rounded) {
            finish_rounded(view->exact, boxes, &open, to);
        }
        if (open.n > 0) {
            abut_cull_boxes undecided = {
                .boxes = boxes->boxes, .stride = boxes->stride, .index = open.index, .n = open.n};
            abut_cull_kernels_active()->axes(view->exact, &undecided, found);
        }
        for (size_t k = 0; k < open.n; k++) {
            to[open.at[k]] = found[k];
        }
    }
}

void abut_cull_planes_of_bounds(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                uint8_t *crossed) {
    abut_cull_kernels_active()->bounds(view, bounds, first, n, crossed);
}

void abut_cull_bodies_of_nodes(const abut_cull_view *view, const abut_cull_nodes *nodes, uint8_t *inside,
                               uint8_t *open) {
    abut_cull_kernels_active()->bodies(view, nodes, inside, open);
}

void abut_cull_planes_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes,
                               const uint8_t *crossed, uint8_t *side, size_t pitch) {
    abut_cull_kernels_active()->planes(view, views, boxes, crossed, side, pitch);
}

void abut_cull_sides_of_views(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *boxes,
                              const uint8_t *crossed, uint8_t *side, size_t pitch) {
    abut_cull_planes_of_views(view, views, boxes, crossed, side, pitch);
    for (; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        abut_cull_finish(&view[v], boxes, side + v * pitch);
    }
}

/* Uses only the last stage, with which the others agree: for one box, preparing a view for them does not pay. The
 * portable kernel stops at the first gap; wide ones would fill a register with copies. */
abut_side abut_frustum_test_obb(const abut_frustum *frustum, const abut_obb *box) {
    static const uint32_t first = 0;
    if (!frustum || !box || !abut_box_valid(box)) {
        return ABUT_OUTSIDE;
    }
    abut_cull_boxes only = {.boxes = box, .stride = sizeof *box, .index = &first, .n = 1};
    uint8_t side;
    ABUT_KERNEL(abut_cull_kernels).axes(frustum, &only, &side);
    return (abut_side)side;
}

/* Decides the boxes of a chunk that spheres left open. */
static void decide_open(const abut_cull_view *view, const abut_obb *boxes, const abut_cull_sieve *sieve) {
    uint8_t found[CHUNK];
    abut_cull_boxes open = {.boxes = boxes, .stride = sizeof *boxes, .index = sieve->open, .n = sieve->open_count};
    abut_cull_kernels_active()->planes(view, 1, &open, NULL, found, CHUNK);
    for (size_t k = 0; k < open.n; k++) {
        if (found[k] == ABUT_CULL_UNDECIDED && !abut_box_valid(&boxes[open.index[k]])) {
            found[k] = ABUT_OUTSIDE;
        }
    }
    abut_cull_finish(view, &open, found);
    for (size_t k = 0; k < open.n; k++) {
        sieve->side[open.index[k]] = found[k];
    }
}

/* `visible` may be NULL. */
static size_t write_visible(const abut_cull_sieve *sieve, uint32_t first, uint32_t *visible) {
    size_t count = 0;
    for (size_t k = 0; k < sieve->kept_count; k++) {
        if (visible) {
            visible[count] = first + sieve->kept[k];
        }
        count += sieve->side[sieve->kept[k]] != ABUT_OUTSIDE;
    }
    return count;
}

size_t abut_frustum_cull_obbs(const abut_frustum *frustum, const abut_obb *boxes, size_t n, uint32_t *visible) {
    if (!frustum || !boxes) {
        return 0;
    }
    const abut_cull_kernels *kernels = abut_cull_kernels_active();
    abut_cull_view view = abut_cull_view_of(frustum);
    uint32_t kept[CHUNK + SPARE], open[CHUNK + SPARE];
    uint8_t side[CHUNK + SPARE];
    abut_cull_sieve sieve = {.kept = kept, .open = open, .side = side};
    size_t count = 0;
    for (size_t first = 0; first < n; first += CHUNK) {
        kernels->spheres(&view, boxes + first, n - first < CHUNK ? n - first : CHUNK, &sieve);
        decide_open(&view, boxes + first, &sieve);
        count += write_visible(&sieve, (uint32_t)first, visible ? visible + count : NULL);
    }
    return count;
}
