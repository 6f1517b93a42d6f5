/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/step/block.h"
#include <string.h>

/* Pure functions of colliders and lists of pairs; they do not see the world. */

static bool bounds_touch(const abut_collider *a, const abut_collider *b) {
    abut_aabb p = abut_collider_bounds(a), q = abut_collider_bounds(b);
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y && p.min.z <= q.max.z &&
           q.min.z <= p.max.z;
}

/* --- meshes: normals of contacts lead from a to b, those of the narrow phase from the mesh --- */

typedef struct turning {
    abut_np_part_visit *visit;
    void *context;
} turning;

static void turn(const abut_contact_part *part, void *context) {
    const turning *t = context;
    abut_contact_part turned = *part;
    abut_np_manifold_turn(&turned.manifold);
    t->visit(&turned, t->context);
}

static bool collide_with_mesh(const abut_collider *a, const abut_collider *b, float margin, abut_np_part_visit *visit,
                              void *context, abut_manifold *manifold) {
    turning t = {visit, context};
    if (a->mesh) {
        return abut_np_mesh_collide(a, b, margin, visit, context, manifold);
    }
    bool touch = abut_np_mesh_collide(b, a, margin, turn, &t, manifold);
    if (touch) {
        abut_np_manifold_turn(manifold);
    }
    return touch;
}

static bool touches_mesh(const abut_collider *a, const abut_collider *b) {
    return a->mesh ? abut_np_mesh_touches(a, b, 0) : abut_np_mesh_touches(b, a, 0);
}

bool abut_w_resolve_pair(const abut_collider *a, const abut_collider *b, abut_detail detail, float margin,
                         abut_np_part_visit *visit, void *context, abut_manifold *manifold) {
    bool mesh = a->mesh || b->mesh;
    memset(manifold, 0, sizeof *manifold);
    switch (detail) {
    case ABUT_DETAIL_MANIFOLD:
        return mesh ? collide_with_mesh(a, b, margin, visit, context, manifold)
                    : abut_np_collide(a, b, margin, manifold);
    case ABUT_DETAIL_OVERLAP:
        return mesh ? touches_mesh(a, b) : abut_np_overlap(a, b);
    default:
        return bounds_touch(a, b);
    }
}

static abut_np_pairs pairs_of(const abut_collider *collider, const abut_w_tests *test, bool hints,
                              size_t *second_stage) {
    return (abut_np_pairs){.collider = collider,
                           .other = collider,
                           .a = test->a,
                           .b = test->b,
                           .hint = hints ? test->hint : NULL,
                           .n = test->n,
                           .second_stage = second_stage};
}

/* Keeps the pairs that touch, without a branch: whether a pair touches is unpredictable. */
static void resolve_moved_boxes(const abut_collider *collider, float margin, abut_w_block *block,
                                size_t *second_stage) {
    abut_w_tests *test = &block->test[ABUT_DETAIL_MANIFOLD];
    const abut_np_pairs pairs = pairs_of(collider, test, false, second_stage);
    abut_np_collide_boxes(&pairs, margin, block->manifold, block->stride, test->touches);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < test->n; i++) {
        const char *at = (const char *)block->manifold + kept * block->stride;
        block->hit[kept] =
            (abut_w_hit){abut_w_pair_of(test->a[i], test->b[i]), (const abut_manifold *)(const void *)at};
        kept += test->touches[i];
    }
    block->n = kept;
}

/* The same for shapes of any kind, whose manifolds are not packed. */
static void resolve_moved(const abut_collider *collider, float margin, abut_w_block *block, size_t *second_stage) {
    abut_w_tests *test = &block->test[ABUT_DETAIL_MANIFOLD];
    const abut_np_pairs pairs = pairs_of(collider, test, false, second_stage);
    abut_np_collide_many(&pairs, margin, block->buffer, test->touches);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < test->n; i++) {
        block->hit[kept] = (abut_w_hit){abut_w_pair_of(test->a[i], test->b[i]), &block->buffer[i]};
        kept += test->touches[i];
    }
    block->n = kept;
}

static void run_tests(const abut_collider *collider, float margin, abut_w_block *block, size_t *second_stage) {
    abut_w_tests *manifolds = &block->test[ABUT_DETAIL_MANIFOLD], *overlaps = &block->test[ABUT_DETAIL_OVERLAP];
    abut_w_tests *bounds = &block->test[ABUT_DETAIL_BOUNDS];
    if (manifolds->n > 0) {
        const abut_np_pairs pairs = pairs_of(collider, manifolds, true, second_stage);
        abut_np_collide_many(&pairs, margin, block->manifold, manifolds->touches);
    }
    if (overlaps->n > 0) {
        const abut_np_pairs pairs = pairs_of(collider, overlaps, true, second_stage);
        abut_np_overlap_many(&pairs, overlaps->touches);
    }
    for (size_t k = 0; k < bounds->n; k++) {
        bounds->touches[k] = bounds_touch(&collider[bounds->a[k]], &collider[bounds->b[k]]);
    }
}

void abut_w_resolve(const abut_collider *collider, float margin, abut_w_block *block, size_t *second_stage) {
    if (block->moved) {
        (block->moved_boxes ? resolve_moved_boxes : resolve_moved)(collider, margin, block, second_stage);
        return;
    }
    run_tests(collider, margin, block, second_stage);
    for (int detail = 0; detail < ABUT_W_DETAILS; detail++) {
        const abut_w_tests *test = &block->test[detail];
        for (size_t k = 0; k < test->n; k++) {
            block->touches[test->index[k]] = test->touches[k];
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->n; i++) { /* without a branch, as above */
        block->hit[kept] = block->hit[i];
        kept += block->touches[i];
    }
    block->n = kept;
}
