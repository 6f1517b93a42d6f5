/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/body/body.h"
#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "shape/shape.h"
#include "world/state/state.h"
#include <string.h>

static bool pose_finite(const abut_pose *pose) {
    return abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

bool abut_w_shape_valid(const abut_collider *shape, const abut_pose *box) {
    const abut_shape_class *of = abut_shape_of(shape);
    return of->valid(shape) && (!of->has_body_pose || pose_finite(box));
}

static bool def_valid(const abut_body_def *def, const abut_collider *shape) {
    return pose_finite(&def->pose) && abut_w_shape_valid(shape, &def->box) &&
           (def->motion == ABUT_MOVING || def->motion == ABUT_STATIC) && (uint32_t)def->detail <= ABUT_DETAIL_BOUNDS &&
           abut_w_filter_valid(&def->filter);
}

/* Whether the box is shifted or turned. A pose of all zeros means the identity, and so does one that rounds to it. */
static bool box_is_moved(const abut_pose *given, abut_pose *rounded) {
    static const abut_pose zero, identity = {.rotation = {0, 0, 0, 1}};
    if (memcmp(given, &zero, sizeof zero) == 0) {
        return false;
    }
    *rounded = abut_pose_normal(given);
    return memcmp(rounded, &identity, sizeof identity) != 0;
}

const abut_pose *abut_w_box_place(const abut_collider *shape, const abut_pose *box, abut_pose *place) {
    return abut_shape_of(shape)->has_body_pose && box_is_moved(box, place) ? place : NULL;
}

/* The frame of a definition, with rotations normalised. If the box is shifted or turned frame->box points to *box. */
static void frame_from(const abut_body_def *def, abut_pose *box, abut_w_frame *frame) {
    frame->shape = abut_collider_unplaced(def->mesh, def->hull, def->half, def->radius);
    frame->pose = abut_pose_normal(&def->pose);
    frame->box = abut_w_box_place(&frame->shape, &def->box, box);
    frame->parent_plus_one = def->parent.index1;
    frame->root_pose = NULL;
}

/* What a batch of definitions needs besides slots: upper bounds of entries in the side tables. */
typedef struct side_needs {
    uint64_t attachments, filters;
    bool hints;  /* any shape's pairs use hints */
    bool meshes; /* any shape is a mesh */
} side_needs;

/* Checks one definition, and adds to what the batch needs. */
static abut_result check_def(const abut_world *world, const abut_body_def *def, side_needs *needs) {
    abut_pose box;
    abut_w_frame frame;
    frame_from(def, &box, &frame);
    if (!def_valid(def, &frame.shape)) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (!abut_body_id_equal(def->parent, (abut_body_id){0, 0})) {
        uint32_t parent;
        abut_result result = abut_w_slot(world, def->parent, &parent);
        if (result) {
            return result;
        }
        needs->attachments += world->attachment_plus_one[parent] == 0;
    }
    abut_collider collider;
    abut_result placed = abut_w_compose_collider(world, &frame, &collider);
    if (placed) {
        return placed;
    }
    abut_filter filter = abut_w_filter_filled(&def->filter);
    needs->attachments += frame.parent_plus_one || frame.box;
    needs->filters += !abut_w_filter_is_default(&filter);
    needs->hints = needs->hints || abut_np_uses_hint(&collider, &collider);
    needs->meshes = needs->meshes || collider.mesh;
    return ABUT_OK;
}

/* Creates a body; its definition has been checked and there is room. */
static abut_body_id create_one(abut_world *world, const abut_body_def *def) {
    uint32_t slot = abut_idpool_take(&world->ids);
    abut_pose box;
    abut_w_frame frame;
    frame_from(def, &box, &frame);
    const abut_shape_class *shape = abut_shape_of(&frame.shape);
    (void)abut_w_compose_collider(world, &frame, &world->collider[slot]);
    world->body_user[slot] = def->user;
    world->extent = abut_max_d(world->extent, shape->extent(&frame.shape));
    abut_w_attach(world, slot, &frame);
    uint8_t motion = frame.parent_plus_one ? world->traits[frame.parent_plus_one - 1].motion : (uint8_t)def->motion;
    world->traits[slot] = (abut_w_traits){.motion = motion};
    abut_w_put_detail(world, slot, def->detail);
    world->flags[slot] = (uint8_t)(ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED | ABUT_W_CREATED |
                                   (frame.box ? ABUT_W_BOXED : 0) | (frame.parent_plus_one ? ABUT_W_FILTERED : 0));
    abut_filter filter = abut_w_filter_filled(&def->filter);
    world->filter_plus_one[slot] = 0;
    abut_bp_add(&world->bp, slot, motion == ABUT_STATIC);
    abut_w_put_filter(world, slot, &filter);
    abut_w_touch(world, slot);
    return abut_w_id(world, slot);
}

/* --- side by side --- */

/* A block takes some 30 microseconds. */
enum { DEFS_AT_ONCE = 256 };

typedef struct checking {
    const abut_world *world;
    const abut_body_def *defs;
    size_t n;
    abut_atomic_u32 bad;                /* some definition is bad */
    side_needs needs[ABUT_WORKERS_MAX]; /* by worker; sums do not depend on who met whom */
} checking;

static void check_block(void *context, uint32_t block, uint32_t worker) {
    checking *c = context;
    size_t first = block * (size_t)DEFS_AT_ONCE;
    for (size_t i = first; i < c->n && i < first + DEFS_AT_ONCE; i++) {
        if (check_def(c->world, &c->defs[i], &c->needs[worker])) {
            abut_atomic_store(&c->bad, 1);
            return;
        }
    }
}

/* Whether all definitions are good, and what they need. */
static bool check_wide(abut_world *world, const abut_body_def *defs, size_t n, side_needs *needs) {
    checking c = {.world = world, .defs = defs, .n = n};
    abut_workers_loop(&world->workers, abut_workers_blocks(n, DEFS_AT_ONCE), check_block, &c);
    for (uint32_t k = 0; k < abut_workers_count(&world->workers); k++) {
        needs->attachments += c.needs[k].attachments;
        needs->filters += c.needs[k].filters;
        needs->hints = needs->hints || c.needs[k].hints;
        needs->meshes = needs->meshes || c.needs[k].meshes;
    }
    return !abut_atomic_load(&c.bad);
}

static abut_result check_create(abut_world *world, const abut_body_def *defs, size_t n, const abut_body_id *ids,
                                side_needs *needs) {
    if (!world || (n > 0 && (!defs || !ids))) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    abut_result result = ABUT_OK;
    if (n > DEFS_AT_ONCE && abut_workers_count(&world->workers) > 1 && check_wide(world, defs, n, needs)) {
        return ABUT_OK;
    }
    for (size_t i = 0; i < n && !result; i++) { /* finds the first that is bad */
        result = check_def(world, &defs[i], needs);
    }
    return result;
}

/* Siblings count the attachment of their parent more than once, but no body has two attachments: at most as many are
 * needed as there are bodies without one. */
static abut_result reserve(abut_world *world, size_t n, const side_needs *needs) {
    uint64_t without_attachment = (uint64_t)world->ids.live_count + n - world->attachments.live;
    abut_result result = abut_w_reserve_bodies(world, abut_idpool_needed(&world->ids, n));
    result = result ? result
                    : abut_w_reserve_attachments(world, needs->attachments < without_attachment ? needs->attachments
                                                                                                : without_attachment);
    result = result ? result : abut_w_reserve_filters(world, needs->filters);
    result = result || !needs->meshes ? result : abut_w_reserve_all_parts(world);
    return result || !needs->hints ? result : abut_w_reserve_all_hints(world);
}

static abut_result bodies_create(abut_world *world, const abut_body_def *defs, size_t n, abut_body_id *ids) {
    side_needs needs = {0, 0, false, false};
    abut_result result = check_create(world, defs, n, ids, &needs);
    result = result ? result : reserve(world, n, &needs);
    for (size_t i = 0; ids && i < n; i++) {
        ids[i] = result ? (abut_body_id){0, 0} : create_one(world, &defs[i]);
    }
    if (!result && n > 0) {
        world->changed = true;
    }
    return result;
}

abut_result abut_bodies_create(abut_world *world, const abut_body_def *defs, size_t n, abut_body_id *ids) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = bodies_create(world, defs, n, ids);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_body_create(abut_world *world, const abut_body_def *def, abut_body_id *id) {
    return abut_bodies_create(world, def, 1, id);
}

/* Destroys a body to which nothing is attached. */
static void destroy_leaf(abut_world *world, uint32_t slot) {
    abut_w_take_note(world, slot);
    abut_w_put_filter_class(world, slot, &abut_w_default_filter);
    abut_bp_remove(&world->bp, slot);
    abut_w_touch(world, slot);
    abut_w_detach(world, slot);
    abut_w_side_table_release(&world->filters, &world->filter_plus_one[slot]);
    abut_w_uncount(world, slot);
    world->flags[slot] = 0;
    abut_idpool_release(&world->ids, slot);
    world->extent = world->ids.live_count ? world->extent : 0;
}

/* Destroys a body and everything attached to it, children before parents. */
static void destroy_below(abut_world *world, uint32_t top) {
    for (uint32_t slot = top;;) {
        abut_w_hierarchy hierarchy = abut_w_hierarchy_of(world, slot);
        while (hierarchy.first_child_plus_one) {
            slot = hierarchy.first_child_plus_one - 1;
            hierarchy = abut_w_hierarchy_of(world, slot);
        }
        destroy_leaf(world, slot);
        if (slot == top) {
            break;
        }
        slot = hierarchy.parent_plus_one - 1;
    }
    world->changed = world->had_destroy = true;
}

abut_result abut_body_destroy(abut_world *world, abut_body_id body) {
    return abut_bodies_destroy(world, &body, 1);
}

abut_result abut_bodies_destroy(abut_world *world, const abut_body_id *ids, size_t n) {
    if (world && world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    abut_result result = abut_w_all_living(world, ids, n);
    for (size_t i = 0; i < n && !result; i++) {
        uint32_t slot;
        if (abut_w_slot(world, ids[i], &slot) ==
            ABUT_OK) { /* otherwise it was destroyed with a parent, or comes twice */
            destroy_below(world, slot);
        }
    }
    return result;
}

size_t abut_world_body_count(const abut_world *world) {
    return world ? world->ids.live_count : 0;
}

size_t abut_world_bodies(const abut_world *world, abut_body_id *out, size_t capacity) {
    if (!world) {
        return 0;
    }
    size_t count = 0;
    for (uint32_t slot = 0; slot < world->ids.used && out && count < capacity; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            out[count++] = abut_w_id(world, slot);
        }
    }
    return world->ids.live_count;
}
