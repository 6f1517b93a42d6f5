/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "world/body/body.h"
#include <string.h>

/* A batch of poses as the caller laid it out; elements need not be aligned. */
typedef struct batch {
    const char *ids, *poses;
    size_t id_stride, pose_stride, count;
} batch;

static abut_body_id batch_id(const batch *b, size_t i) {
    abut_body_id id;
    memcpy(&id, b->ids + i * b->id_stride, sizeof id);
    return id;
}

static abut_pose batch_pose(const batch *b, size_t i) {
    abut_pose pose;
    memcpy(&pose, b->poses + i * b->pose_stride, sizeof pose);
    return pose;
}

/* Whether a batch has bodies with attachments, and poses near or beyond the limit. */
typedef struct batch_traits {
    bool attachments, far;
} batch_traits;

/* A body with coordinates up to this has bounds within the limit, whichever body it is: the bits of a float.
 * UINT32_MAX: some body is so large that it depends on how it is turned. */
static uint32_t safe_coordinate(const abut_world *world) {
    float safe = abut_bits_round_down((double)ABUT_MAX_COORDINATE - world->extent);
    return safe >= 0 ? abut_bits_of_float(safe) : UINT32_MAX;
}

/* One float of the caller's arrays, which need not be aligned. Single floats stay in registers; a whole pose would be
 * written to memory and read back in pieces of another size, which stalls the processor. */
static inline float float_at(const char *pose, size_t offset) {
    float value;
    memcpy(&value, pose + offset, sizeof value);
    return value;
}

/* The top bit of the result is set if the float is larger in magnitude than `largest`, or NaN: the bits of floats are
 * ordered as their magnitudes, with NaN last. Beside UINT32_MAX it is always set. */
static inline uint32_t exceeds(const char *pose, size_t offset, uint32_t largest) {
    return largest - (abut_bits_of_float(float_at(pose, offset)) & 0x7fffffffu);
}

static inline bool is_safe(const char *pose, uint32_t safe) {
    const uint32_t finite = 0x7f7fffffu;
    uint32_t x = exceeds(pose, offsetof(abut_pose, position.x), safe);
    uint32_t y = exceeds(pose, offsetof(abut_pose, position.y), safe);
    uint32_t z = exceeds(pose, offsetof(abut_pose, position.z), safe);
    uint32_t i = exceeds(pose, offsetof(abut_pose, rotation.x), finite);
    uint32_t j = exceeds(pose, offsetof(abut_pose, rotation.y), finite);
    uint32_t k = exceeds(pose, offsetof(abut_pose, rotation.z), finite);
    uint32_t w = exceeds(pose, offsetof(abut_pose, rotation.w), finite);
    return (((x | y) | (z | w)) | ((i | j) | k)) >> 31 == 0;
}

/* Checks every element independently of the others; changes nothing. */
static abut_result check_elements(const abut_world *world, const batch *b, batch_traits *found, size_t *bad) {
    const uint32_t safe = safe_coordinate(world);
    const abut_idpool ids = world->ids;
    const uint32_t *attachment_plus_one = world->attachment_plus_one;
    uint32_t attachments = 0;
    for (size_t i = 0; i < b->count; i++) {
        abut_body_id id = batch_id(b, i);
        if (!abut_idpool_names(&ids, id.index1, id.generation)) {
            *bad = i;
            return ABUT_ERROR_HANDLE;
        }
        attachments |= attachment_plus_one[id.index1 - 1];
        if (!is_safe(b->poses + i * b->pose_stride, safe)) {
            abut_pose pose = batch_pose(b, i);
            if (!abut_vec3_finite(pose.position) || !abut_quat_finite(pose.rotation)) {
                *bad = i;
                return ABUT_ERROR_ARGUMENT;
            }
            found->far = true;
        }
    }
    found->attachments = attachments != 0;
    return ABUT_OK;
}

/* Writes a float and returns the bits that differ from the old one. */
static inline uint32_t write_float(float *to, float value) {
    uint32_t changed = abut_bits_of_float(*to) ^ abut_bits_of_float(value);
    *to = value;
    return changed;
}

/* Moves a plain body to a pose within the limit, rounded as by abut_pose_round. Returns its new flags. */
static inline uint8_t write_plain(abut_collider *collider, const char *pose) {
    abut_quat q = {float_at(pose, offsetof(abut_pose, rotation.x)), float_at(pose, offsetof(abut_pose, rotation.y)),
                   float_at(pose, offsetof(abut_pose, rotation.z)), float_at(pose, offsetof(abut_pose, rotation.w))};
    q = abut_quat_normalise_floats(q);
    uint32_t x = write_float(&collider->center.x, float_at(pose, offsetof(abut_pose, position.x)) + 0.0f);
    uint32_t y = write_float(&collider->center.y, float_at(pose, offsetof(abut_pose, position.y)) + 0.0f);
    uint32_t z = write_float(&collider->center.z, float_at(pose, offsetof(abut_pose, position.z)) + 0.0f);
    uint32_t i = write_float(&collider->rotation.x, q.x), j = write_float(&collider->rotation.y, q.y);
    uint32_t k = write_float(&collider->rotation.z, q.z), w = write_float(&collider->rotation.w, q.w);
    return (((x | y) | (z | w)) | ((i | j) | k)) == 0 ? ABUT_W_MOVED : ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED;
}

/* Colliders are prefetched this many elements ahead, because ids may come in any order. */
enum { AHEAD = 12 };

/* Writes a batch of plain bodies, all within the limit. */
static void write_plain_ones(abut_world *world, const batch *b) {
    abut_collider *collider = world->collider;
    uint8_t *flags = world->flags;
    size_t count = b->count;
    for (size_t i = 0; i < count; i++) {
        ABUT_PREFETCH(&collider[batch_id(b, i + AHEAD < count ? i + AHEAD : i).index1 - 1]);
        uint32_t slot = batch_id(b, i).index1 - 1;
        uint8_t changed = write_plain(&collider[slot], b->poses + i * b->pose_stride);
        flags[slot] |= changed;
        abut_bp_tree_touch_if(&world->bp, slot, changed & ABUT_W_STALE);
    }
}

/* --- side by side --- */

/* A block takes some 20 microseconds to check, and as much to write. */
enum { POSES_AT_ONCE = 2048 };

/* A batch on several workers. What is wrong with it, and whether it is in order, are questions with a yes or no, which
 * any block may answer. */
typedef struct posing {
    abut_world *world;
    const batch *b;
    abut_atomic_u32 bad, attachments, far, unordered;
} posing;

static batch slice_of(const batch *b, size_t first, size_t end) {
    batch slice = *b;
    slice.ids += first * b->id_stride;
    slice.poses += first * b->pose_stride;
    slice.count = end - first;
    return slice;
}

static bool is_before(const batch *b, size_t i, size_t j) {
    return batch_id(b, i).index1 < batch_id(b, j).index1;
}

static void note_if(bool is_so, abut_atomic_u32 *note) {
    if (is_so) {
        abut_atomic_store(note, 1);
    }
}

static void check_block(void *context, uint32_t block, uint32_t worker) {
    posing *p = context;
    (void)worker;
    size_t first = block * (size_t)POSES_AT_ONCE, left = p->b->count - first, bad;
    size_t end = left < POSES_AT_ONCE ? p->b->count : first + POSES_AT_ONCE;
    const batch slice = slice_of(p->b, first, end);
    batch_traits found = {false, false};
    bool ascending = true;
    for (size_t i = first > 0 ? first : 1; i < end; i++) {
        ascending = ascending && is_before(p->b, i - 1, i);
    }
    note_if(check_elements(p->world, &slice, &found, &bad) != ABUT_OK, &p->bad);
    note_if(found.attachments, &p->attachments);
    note_if(found.far, &p->far);
    note_if(!ascending, &p->unordered);
}

/* Where the block that begins near this element begins: no two blocks have slots of the same 64, whose marks they would
 * share. Ids ascend. */
static size_t begin_near(const batch *b, size_t i) {
    while (i > 0 && i < b->count && (batch_id(b, i).index1 - 1) / 64 == (batch_id(b, i - 1).index1 - 1) / 64) {
        i++;
    }
    return i < b->count ? i : b->count;
}

static void write_block(void *context, uint32_t block, uint32_t worker) {
    posing *p = context;
    (void)worker;
    size_t first = block * (size_t)POSES_AT_ONCE;
    const batch slice = slice_of(p->b, begin_near(p->b, first), begin_near(p->b, first + POSES_AT_ONCE));
    write_plain_ones(p->world, &slice);
}

static bool is_wide(const abut_world *world, const batch *b) {
    return b->count > POSES_AT_ONCE && abut_workers_count(&world->workers) > 1;
}

/* check_elements; *ascending: ids ascend, so that none comes twice, and blocks write to different places. */
static abut_result check_wide(abut_world *world, const batch *b, batch_traits *found, size_t *bad, bool *ascending) {
    posing p = {.world = world, .b = b};
    abut_workers_loop(&world->workers, abut_workers_blocks(b->count, POSES_AT_ONCE), check_block, &p);
    if (abut_atomic_load(&p.bad)) {
        return check_elements(world, b, found, bad); /* finds the first that is bad */
    }
    found->attachments = abut_atomic_load(&p.attachments);
    found->far = abut_atomic_load(&p.far);
    *ascending = !abut_atomic_load(&p.unordered);
    return ABUT_OK;
}

static void write_all_plain(abut_world *world, const batch *b, bool ascending) {
    posing p = {.world = world, .b = b};
    if (ascending) {
        abut_workers_loop(&world->workers, abut_workers_blocks(b->count, POSES_AT_ONCE), write_block, &p);
    } else {
        write_plain_ones(world, b);
    }
    abut_once_reset(&world->tree_made);
}

/* --- bodies with attachments, or near the limit --- */

/* Writes the new poses of bodies with attachments and saves the old ones. If an id comes twice, its last pose
 * counts. */
static void stage(abut_world *world, const batch *b) {
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1, attachment_plus_one = world->attachment_plus_one[slot];
        if (attachment_plus_one) {
            abut_w_attachment *attachment = &world->attachment[attachment_plus_one - 1];
            abut_pose pose = batch_pose(b, i);
            if (!(world->flags[slot] & ABUT_W_STAGED)) {
                world->flags[slot] |= ABUT_W_STAGED;
                attachment->saved = attachment->pose;
            }
            attachment->pose = abut_pose_normal(&pose);
        }
    }
}

/* Marks plain bodies that would exceed the limit. Starts at the end: if an id comes twice, its last pose counts. */
static void mark_far(abut_world *world, const batch *b) {
    for (size_t i = b->count; i-- > 0;) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (!world->attachment_plus_one[slot] && !(world->flags[slot] & ABUT_W_STAGED)) {
            abut_pose pose = batch_pose(b, i);
            abut_w_frame frame = abut_w_frame_of(world, slot);
            abut_collider collider;
            frame.pose = abut_pose_normal(&pose);
            bool far = abut_w_compose_collider(world, &frame, &collider) != ABUT_OK;
            world->flags[slot] |= far ? ABUT_W_STAGED | ABUT_W_TOP : ABUT_W_STAGED;
        }
    }
}

/* The nearest staged body among `slot` and its ancestors; there is one. */
static uint32_t staged_at_or_above(const abut_world *world, uint32_t slot) {
    while (!(world->flags[slot] & ABUT_W_STAGED)) {
        slot = abut_w_parent_plus_one(world, slot) - 1;
    }
    return slot;
}

static bool staged_above(const abut_world *world, uint32_t slot) {
    for (uint32_t up_plus_one = abut_w_parent_plus_one(world, slot); up_plus_one;
         up_plus_one = abut_w_parent_plus_one(world, up_plus_one - 1)) {
        if (world->flags[up_plus_one - 1] & ABUT_W_STAGED) {
            return true;
        }
    }
    return false;
}

/* Recomputes the colliders of a body and of everything attached to it. On failure *bad is the slot that exceeds the
 * limit. */
static abut_result recompose_below(abut_world *world, uint32_t top, uint32_t *bad) {
    uint32_t slot = top;
    do {
        abut_w_frame frame = abut_w_frame_of(world, slot);
        abut_collider collider;
        abut_result result = abut_w_compose_collider(world, &frame, &collider);
        if (result) {
            *bad = slot;
            return result;
        }
        if (memcmp(&world->collider[slot], &collider, offsetof(abut_collider, type)) != 0) {
            world->collider[slot] = collider;
            world->attachment[world->attachment_plus_one[slot] - 1].shifted = true;
        }
        slot = abut_w_next_below(world, top, slot);
    } while (slot != top);
    return ABUT_OK;
}

/* Clears what staging has left in a body and in everything attached to it; if `moved`, flags them as moved. */
static void finish_below(abut_world *world, uint32_t top, bool moved) {
    uint32_t slot = top;
    do {
        abut_w_attachment *attachment = &world->attachment[world->attachment_plus_one[slot] - 1];
        int flags = attachment->shifted ? ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED : ABUT_W_MOVED;
        world->flags[slot] |= (uint8_t)(moved ? flags : 0);
        abut_w_touch(world, slot);
        attachment->shifted = false;
        slot = abut_w_next_below(world, top, slot);
    } while (slot != top);
}

/* Recomputes every staged compound once, from its topmost staged bodies down; these are marked ABUT_W_TOP. Plain bodies
 * beyond the limit are marked already. */
static abut_result recompose_staged(abut_world *world, const batch *b, uint32_t *bad) {
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < b->count && !result; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (!world->attachment_plus_one[slot]) {
            *bad = slot;
            result = world->flags[slot] & ABUT_W_TOP ? ABUT_ERROR_LIMIT : ABUT_OK;
        } else if (!(world->flags[slot] & ABUT_W_TOP) && !staged_above(world, slot)) {
            world->flags[slot] |= ABUT_W_TOP;
            result = recompose_below(world, slot, bad);
        }
    }
    return result;
}

/* Restores the old poses; colliders follow from them. */
static void roll_back(abut_world *world, const batch *b) {
    uint32_t bad;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1, attachment_plus_one = world->attachment_plus_one[slot];
        if (attachment_plus_one) {
            world->attachment[attachment_plus_one - 1].pose = world->attachment[attachment_plus_one - 1].saved;
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (world->attachment_plus_one[slot] && world->flags[slot] & ABUT_W_TOP) {
            (void)recompose_below(world, slot, &bad);
        }
    }
}

static void unstage(abut_world *world, const batch *b, bool moved) {
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (!world->attachment_plus_one[slot]) {
            uint8_t flags = moved ? write_plain(&world->collider[slot], b->poses + i * b->pose_stride) : 0;
            world->flags[slot] |= flags;
            abut_w_touch(world, slot);
        } else if (world->flags[slot] & ABUT_W_TOP) {
            finish_below(world, slot, moved);
        }
        world->flags[slot] &= (uint8_t) ~(ABUT_W_STAGED | ABUT_W_TOP);
    }
}

/* The last element of the batch with this body: the one whose pose counts. */
static size_t last_element_of(const batch *b, uint32_t slot) {
    size_t i = b->count - 1;
    while (batch_id(b, i).index1 - 1 != slot) {
        i--;
    }
    return i;
}

/* For bodies that are attached to each other or near the limit: whether every body stays within the limit depends on
 * the whole batch, so poses are staged first and rolled back on failure. */
static abut_result set_staged(abut_world *world, const batch *b, const batch_traits *found, size_t *bad) {
    uint32_t bad_slot = 0;
    stage(world, b);
    if (found->far) {
        mark_far(world, b);
    }
    abut_result result = recompose_staged(world, b, &bad_slot);
    if (result) {
        *bad = last_element_of(b, staged_at_or_above(world, bad_slot));
        roll_back(world, b);
    }
    unstage(world, b, result == ABUT_OK);
    return result;
}

static abut_result set_poses(abut_world *world, const batch *b, size_t *bad) {
    batch_traits found = {false, false};
    bool ascending = false;
    abut_result result =
        is_wide(world, b) ? check_wide(world, b, &found, bad, &ascending) : check_elements(world, b, &found, bad);
    if (result) {
        return result;
    }
    if (found.attachments || found.far) {
        result = set_staged(world, b, &found, bad);
    } else {
        write_all_plain(world, b, ascending);
    }
    world->changed = world->changed || (!result && b->count > 0);
    return result;
}

static abut_result set_poses_strided(abut_world *world, const abut_body_id *ids, size_t id_stride,
                                     const abut_pose *poses, size_t pose_stride, size_t n, size_t *first_bad) {
    if (!world || (n > 0 && (!ids || !poses))) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    batch b = {.ids = (const char *)ids,
               .poses = (const char *)poses,
               .id_stride = id_stride ? id_stride : sizeof *ids,
               .pose_stride = pose_stride ? pose_stride : sizeof *poses,
               .count = n};
    size_t bad = 0;
    abut_result result = set_poses(world, &b, &bad);
    if (result && first_bad) {
        *first_bad = bad;
    }
    return result;
}

abut_result abut_bodies_set_poses_strided(abut_world *world, const abut_body_id *ids, size_t id_stride,
                                          const abut_pose *poses, size_t pose_stride, size_t n, size_t *first_bad) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = set_poses_strided(world, ids, id_stride, poses, pose_stride, n, first_bad);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_bodies_set_poses(abut_world *world, const abut_body_id *ids, const abut_pose *poses, size_t n) {
    return abut_bodies_set_poses_strided(world, ids, 0, poses, 0, n, NULL);
}

abut_result abut_body_set_pose(abut_world *world, abut_body_id body, const abut_pose *pose) {
    return abut_bodies_set_poses_strided(world, &body, 0, pose, 0, 1, NULL);
}

abut_result abut_body_get_pose(const abut_world *world, abut_body_id body, abut_pose *pose) {
    uint32_t slot;
    abut_result result = pose ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *pose = abut_w_pose_of(world, slot);
    }
    return result;
}

static abut_result get_world_pose(const abut_world *world, abut_body_id body, abut_pose *pose) {
    uint32_t slot;
    abut_result result = pose ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *pose = abut_w_world_pose(world, slot);
    }
    return result;
}

abut_result abut_body_get_world_pose(const abut_world *world, abut_body_id body, abut_pose *pose) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = get_world_pose(world, body, pose);
    abut_fpmode_leave(mode);
    return result;
}

static abut_result get_bounds(const abut_world *world, abut_body_id body, abut_aabb *bounds) {
    uint32_t slot;
    abut_result result = bounds ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *bounds = abut_collider_bounds(&world->collider[slot]);
    }
    return result;
}

abut_result abut_body_get_bounds(const abut_world *world, abut_body_id body, abut_aabb *bounds) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = get_bounds(world, body, bounds);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_bodies_get_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses, size_t n) {
    abut_result result = poses || n == 0 ? abut_w_all_living(world, ids, n) : ABUT_ERROR_ARGUMENT;
    for (size_t i = 0; i < n && !result; i++) {
        poses[i] = abut_w_pose_of(world, ids[i].index1 - 1);
    }
    return result;
}

static abut_result get_world_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses, size_t n) {
    abut_result result = poses || n == 0 ? abut_w_all_living(world, ids, n) : ABUT_ERROR_ARGUMENT;
    for (size_t i = 0; i < n && !result; i++) {
        poses[i] = abut_w_world_pose(world, ids[i].index1 - 1);
    }
    return result;
}

abut_result abut_bodies_get_world_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses, size_t n) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = get_world_poses(world, ids, poses, n);
    abut_fpmode_leave(mode);
    return result;
}

static abut_result get_all_bounds(const abut_world *world, const abut_body_id *ids, abut_aabb *bounds, size_t n) {
    abut_result result = bounds || n == 0 ? abut_w_all_living(world, ids, n) : ABUT_ERROR_ARGUMENT;
    for (size_t i = 0; i < n && !result; i++) {
        bounds[i] = abut_collider_bounds(&world->collider[ids[i].index1 - 1]);
    }
    return result;
}

abut_result abut_bodies_get_bounds(const abut_world *world, const abut_body_id *ids, abut_aabb *bounds, size_t n) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = get_all_bounds(world, ids, bounds, n);
    abut_fpmode_leave(mode);
    return result;
}
