/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "shape/shape.h"
#include "world/body/body.h"
#include "world/state/state.h"
#include "world/step/step.h"
#include <string.h>

static bool is_live_or_none(const abut_world *world, uint32_t slot_plus_one) {
    return slot_plus_one == 0 || abut_idpool_is_live(&world->ids, slot_plus_one - 1);
}

/* The chain of parents ends at the root, and neighbours in the list of siblings point back. */
static bool hierarchy_valid(const abut_world *world, uint32_t slot) {
    const abut_w_hierarchy hierarchy = abut_w_hierarchy_of(world, slot);
    if (!is_live_or_none(world, hierarchy.parent_plus_one) || !is_live_or_none(world, hierarchy.first_child_plus_one) ||
        !is_live_or_none(world, hierarchy.next_sibling_plus_one) ||
        !is_live_or_none(world, hierarchy.previous_sibling_plus_one)) {
        return false;
    }
    uint32_t up = slot, steps = 0;
    while (abut_w_parent_plus_one(world, up)) {
        up = abut_w_parent_plus_one(world, up) - 1;
        if (!abut_idpool_is_live(&world->ids, up) || ++steps > world->ids.live_count) {
            return false;
        }
    }
    bool first = hierarchy.parent_plus_one &&
                 abut_w_hierarchy_of(world, hierarchy.parent_plus_one - 1).first_child_plus_one == slot + 1;
    return up == hierarchy.root && world->traits[slot].motion == world->traits[up].motion &&
           (!hierarchy.parent_plus_one || first != (hierarchy.previous_sibling_plus_one != 0)) &&
           (!hierarchy.next_sibling_plus_one ||
            abut_w_hierarchy_of(world, hierarchy.next_sibling_plus_one - 1).previous_sibling_plus_one == slot + 1) &&
           (!hierarchy.previous_sibling_plus_one ||
            abut_w_hierarchy_of(world, hierarchy.previous_sibling_plus_one - 1).next_sibling_plus_one == slot + 1) &&
           (!hierarchy.first_child_plus_one ||
            abut_w_hierarchy_of(world, hierarchy.first_child_plus_one - 1).parent_plus_one == slot + 1);
}

/* A body has an entry in a side table if and only if it needs one, and no two share an entry. */
static bool side_entries_valid(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot], filter_plus_one = world->filter_plus_one[slot];
    uint8_t flags = world->flags[slot];
    if (!abut_idpool_is_live(&world->ids, slot)) {
        return attachment_plus_one == 0 && filter_plus_one == 0 && flags == 0;
    }
    if (!abut_w_side_table_owns(&world->attachments, attachment_plus_one, slot) ||
        !abut_w_side_table_owns(&world->filters, filter_plus_one, slot)) {
        return false;
    }
    const abut_w_hierarchy hierarchy = abut_w_hierarchy_of(world, slot);
    bool attachment = hierarchy.parent_plus_one || hierarchy.first_child_plus_one || flags & ABUT_W_BOXED;
    bool has_filter = hierarchy.parent_plus_one || filter_plus_one;
    static const abut_pose identity = {.rotation = {0, 0, 0, 1}};
    bool boxed = memcmp(abut_w_box_of(world, slot), &identity, sizeof identity) != 0;
    return boxed == ((flags & ABUT_W_BOXED) != 0) && attachment == (attachment_plus_one != 0) &&
           (!filter_plus_one || !abut_w_filter_is_default(abut_w_filter_of(world, slot))) &&
           (!has_filter || flags & ABUT_W_FILTERED) && !(flags & (ABUT_W_STAGED | ABUT_W_TOP));
}

static bool side_tables_valid(const abut_world *world) {
    bool valid = abut_w_side_table_valid(&world->attachments) && abut_w_side_table_valid(&world->filters);
    uint32_t attachments = 0, filters = 0;
    for (uint32_t slot = 0; valid && slot < world->ids.used; slot++) {
        valid = side_entries_valid(world, slot);
        attachments += world->attachment_plus_one[slot] != 0;
        filters += world->filter_plus_one[slot] != 0;
    }
    return valid && attachments == world->attachments.live && filters == world->filters.live &&
           abut_w_filter_classes_valid(world); /* which reads entries */
}

static bool same_collider(const abut_collider *a, const abut_collider *b) {
    return memcmp(&a->center, &b->center, sizeof a->center) == 0 && memcmp(&a->half, &b->half, sizeof a->half) == 0 &&
           memcmp(&a->rotation, &b->rotation, sizeof a->rotation) == 0 && a->type == b->type;
}

/* The stored collider is what the poses compose to, and its bounds are right. */
static bool collider_valid(const abut_world *world, uint32_t slot) {
    const abut_collider *stored = &world->collider[slot];
    if (!abut_collider_valid(stored)) {
        return false;
    }
    abut_w_frame frame = abut_w_frame_of(world, slot);
    frame.shape = abut_collider_unplaced(stored->mesh, stored->hull, stored->half, stored->radius);
    abut_collider collider;
    abut_pose normal = abut_pose_normal(&frame.pose);
    if (memcmp(&normal, &frame.pose, sizeof normal) != 0 || abut_shape_of(stored)->extent(stored) > world->extent ||
        abut_w_compose_collider(world, &frame, &collider) != ABUT_OK || !same_collider(&collider, stored)) {
        return false;
    }
    return abut_collider_bounds_valid(stored);
}

/* The parts of contacts are consecutive, and those of one contact ascend. */
static bool parts_valid(const abut_world *world) {
    const abut_w_contacts *list = &world->current;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const abut_contact *c = &list->contact[i];
        if (c->part_first != (c->part_count > 0 ? passed : 0) || c->part_count > list->parts.count - passed) {
            return false;
        }
        for (uint32_t k = 1; k < c->part_count; k++) {
            if (list->parts.part[passed + k].part <= list->parts.part[passed + k - 1].part) {
                return false;
            }
        }
        passed += c->part_count;
    }
    return passed == list->parts.count;
}

static bool list_valid(const abut_world *world) {
    const abut_w_contacts *list = &world->current;
    abut_w_index_by_b(world);
    abut_w_make_contacts(world);
    for (uint32_t i = 0; i < list->count; i++) {
        const abut_contact *c = &list->contact[i];
        bool ordered =
            i == 0 || c[-1].a.index1 < c->a.index1 || (c[-1].a.index1 == c->a.index1 && c[-1].b.index1 < c->b.index1);
        uint32_t here = world->index.by_b[i];
        bool indexed =
            here < list->count && list->pair[i].order == abut_w_pair_of(c->a.index1 - 1, c->b.index1 - 1).order;
        if (i > 0 && indexed) {
            uint32_t before = world->index.by_b[i - 1], b = list->contact[here].b.index1;
            indexed = list->contact[before].b.index1 < b || (list->contact[before].b.index1 == b && before < here);
        }
        if (!ordered || !indexed || c->a.index1 >= c->b.index1 || c->phase == ABUT_END) {
            return false;
        }
    }
    return true;
}

/* Whether the pair can be a candidate. This must be asked separately: the test of two shapes may report a gap of less
 * than 1e-12 of their size as touching, where the more accurate bounds already show the gap. */
static bool bounds_touch(const abut_world *world, uint32_t a, uint32_t b) {
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        const abut_bp_box *p = abut_bp_box_of(&world->bp, a), *q = abut_bp_box_of(&world->bp, b);
        yes = yes && p->min[axis] <= q->max[axis] && q->min[axis] <= p->max[axis];
    }
    return yes;
}

/* Parts found again, and those of a contact, or none. */
typedef struct comparison {
    const abut_contact_part *part;
    uint32_t count, found;
    bool same;
} comparison;

static void compare_part(const abut_contact_part *part, void *context) {
    comparison *c = context;
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->part[middle].part < part->part) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    c->found++;
    c->same = c->same && low < c->count && c->part[low].part == part->part &&
              memcmp(&c->part[low].manifold, &part->manifold, sizeof part->manifold) == 0;
}

static bool resolves_to_touch(const abut_world *world, uint32_t a, uint32_t b, comparison *parts,
                              abut_manifold *manifold) {
    abut_detail detail = abut_w_pair_detail(world->traits[a].detail, world->traits[b].detail);
    return abut_w_resolve_pair(&world->collider[a], &world->collider[b], detail, world->margin, compare_part, parts,
                               manifold);
}

/* Resolves every pair and compares it with the list; should_collide may have refused some of those that touch. */
static bool list_complete(const abut_world *world) {
    const abut_w_contacts *list = &world->current;
    uint32_t next = 0;
    for (uint32_t a = 0; a < world->ids.used; a++) {
        for (uint32_t b = a + 1; abut_idpool_is_live(&world->ids, a) && b < world->ids.used; b++) {
            if (!abut_idpool_is_live(&world->ids, b)) {
                continue;
            }
            const abut_contact *c = next < list->count ? &list->contact[next] : NULL;
            bool listed = c && c->a.index1 == a + 1 && c->b.index1 == b + 1;
            abut_manifold manifold;
            comparison parts = {.same = true};
            if (listed && c->part_count > 0) {
                parts.part = list->parts.part + c->part_first;
                parts.count = c->part_count;
            }
            bool touches = abut_w_may_touch(world, a, b) && bounds_touch(world, a, b) &&
                           resolves_to_touch(world, a, b, &parts, &manifold);
            if (listed != touches && (listed || !world->should_collide)) {
                return false;
            }
            if (listed &&
                (memcmp(&manifold, &c->manifold, sizeof manifold) != 0 || !parts.same || parts.found != parts.count ||
                 !abut_body_is_valid(world, c->a) || !abut_body_is_valid(world, c->b))) {
                return false;
            }
            next += listed;
        }
    }
    return next == list->count;
}

/* The counts over living bodies agree with the bodies, and so do the marks that they count. */
static bool counts_valid(const abut_world *world) {
    uint32_t non_boxes = 0, uncommon = 0, meshes = 0, coarse = 0, bounds = 0;
    bool valid = true;
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            const abut_collider *collider = &world->collider[slot];
            bool box = abut_collider_valid(collider) && abut_shape_of(collider)->is_obb;
            uint8_t marks = world->traits[slot].marks;
            bool simple = world->traits[slot].detail == ABUT_DETAIL_MANIFOLD;
            bool mesh = collider->mesh != NULL, is_uncommon = !box || !simple;
            bool is_separate = mesh || !simple || abut_np_uses_hint(collider, collider);
            non_boxes += !box;
            uncommon += is_uncommon;
            meshes += mesh;
            coarse += !simple;
            bounds += world->traits[slot].detail == ABUT_DETAIL_BOUNDS;
            valid = valid && is_uncommon == ((marks & ABUT_W_UNCOMMON) != 0) &&
                    is_separate == ((marks & ABUT_W_SEPARATE) != 0) && mesh == ((marks & ABUT_W_MESH) != 0) &&
                    simple == ((marks & ABUT_W_COARSE) == 0) &&
                    (world->traits[slot].detail == ABUT_DETAIL_BOUNDS) == ((marks & ABUT_W_BOUNDS) != 0);
        }
    }
    return valid && non_boxes == world->non_box_count && uncommon == world->uncommon_count &&
           meshes == world->mesh_count && coarse == world->coarse_count && bounds == world->bounds_count;
}

static abut_result validate_world(const abut_world *world) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    bool valid = abut_idpool_validate(&world->ids) && side_tables_valid(world) && counts_valid(world) &&
                 list_valid(world) && parts_valid(world);
    for (uint32_t slot = 0; valid && slot < world->ids.used; slot++) {
        valid =
            !abut_idpool_is_live(&world->ids, slot) || (hierarchy_valid(world, slot) && collider_valid(world, slot));
    }
    valid = valid && (world->changed || list_complete(world));
    return valid ? ABUT_OK : ABUT_ERROR_FORMAT;
}

abut_result abut_world_validate(const abut_world *world) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = validate_world(world);
    abut_fpmode_leave(mode);
    return result;
}
