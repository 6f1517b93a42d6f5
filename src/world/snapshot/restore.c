/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bytes.h"
#include "base/hash.h"
#include "base/workers/fpmode.h"
#include "shape/shape.h"
#include "world/body/body.h"
#include "world/snapshot/format.h"
#include "world/state/state.h"
#include "world/step/step.h"
#include <abut/snapshot.h>

/* Nothing of the world that a caller can see changes before all is checked and there is room for all. Then each slot is
 * written; what the broad phase and the search tree know of a body stays as long as its bounds do. */

typedef struct restoring {
    abut_world *world;
    abut_w_snap snap;
    bool other_margin;
    uint8_t *known; /* by slot: is_plainly_known, in the scratch memory; NULL: that has shapes */
} restoring;

/* --- shapes --- */

/* Found shapes by row, in the scratch memory of the broad phase, which has room for a pointer for each slot. */
static const void *shape_of(const restoring *r, uint32_t row) {
    const void *shape;
    memcpy(&shape, (const char *)abut_bp_scratch(&r->world->bp) + row * sizeof shape, sizeof shape);
    return shape;
}
_Static_assert(sizeof(void *) <= sizeof(abut_radix_item), "a pointer for each slot");

static const void *shape_at(const abut_world *world, uint32_t slot, const abut_w_snap_shape *wanted) {
    const abut_collider *c = &world->collider[slot];
    if (slot >= world->ids.used || !abut_idpool_is_live(&world->ids, slot)) {
        return NULL;
    }
    if (wanted->is_mesh) {
        return c->mesh && c->mesh->digest == wanted->digest ? c->mesh : NULL;
    }
    return c->hull && c->hull->digest == wanted->digest ? c->hull : NULL;
}

/* Among the world's own bodies, first that in the same slot. */
static const void *find_own(const abut_world *world, const abut_w_snap_shape *wanted) {
    const void *found = shape_at(world, wanted->slot, wanted);
    for (uint32_t slot = 0; slot < world->ids.used && !found; slot++) {
        found = shape_at(world, slot, wanted);
    }
    return found;
}

static const void *ask_finder(const abut_shape_finder *finder, const abut_w_snap_shape *wanted) {
    if (wanted->is_mesh) {
        const abut_mesh *mesh = finder->mesh ? finder->mesh(wanted->digest, finder->user) : NULL;
        return mesh && abut_mesh_digest(mesh) == wanted->digest ? mesh : NULL;
    }
    const abut_hull *hull = finder->hull ? finder->hull(wanted->digest, finder->user) : NULL;
    return hull && abut_hull_digest(hull) == wanted->digest ? hull : NULL;
}

/* While shapes are looked for, the scratch memory holds pairs of numbers: a hash table of different shapes, chained by
 * row. Found shapes then replace them, row by row: none is read after it was replaced. */
typedef struct shape_link {
    uint32_t bucket; /* of this hash value: the last row of its chain plus one */
    uint32_t row;    /* the row before in the chain, plus one; or the first row with the same shape, plus LINKED */
} shape_link;
#define LINKED (UINT32_C(1) << 31)
_Static_assert(sizeof(shape_link) <= sizeof(abut_radix_item), "a link for each slot");

static abut_w_snap_shape wanted_at(const restoring *r, uint32_t row) {
    abut_w_snap_shape wanted;
    ABUT_W_SNAP_READ(abut_w_snap_shape, &r->snap, ABUT_W_SNAP_SHAPES, row, &wanted);
    return wanted;
}

static void link_shapes(const restoring *r) {
    shape_link *link = (shape_link *)(void *)abut_bp_scratch(&r->world->bp);
    uint32_t rows = r->snap.header.shapes;
    memset(link, 0, rows * sizeof *link);
    for (uint32_t row = 0; row < rows; row++) {
        const abut_w_snap_shape wanted = wanted_at(r, row);
        shape_link *bucket = &link[abut_hash_mix(wanted.is_mesh, wanted.digest) % rows];
        uint32_t before = bucket->bucket;
        for (; before; before = link[before - 1].row) {
            const abut_w_snap_shape other = wanted_at(r, before - 1);
            if (other.digest == wanted.digest && other.is_mesh == wanted.is_mesh) {
                break;
            }
        }
        link[row].row = before ? LINKED + (before - 1) : bucket->bucket;
        bucket->bucket = before ? bucket->bucket : row + 1;
    }
}

/* The finder may read the world: the index of contacts, which would need the scratch memory, is made before. It is
 * asked for all shapes, even if one is missing. */
static abut_result find_shapes(restoring *r, const abut_shape_finder *finder) {
    abut_world *world = r->world;
    char *scratch = (char *)abut_bp_scratch(&world->bp);
    uint32_t rows = r->snap.header.shapes;
    bool missing = false;
    if (rows == 0 || rows >= LINKED) {
        return rows ? ABUT_ERROR_CAPACITY : ABUT_OK;
    }
    abut_w_index_by_b(world);
    link_shapes(r);
    for (uint32_t row = 0; row < rows && (finder || !missing); row++) {
        shape_link link;
        memcpy(&link, scratch + row * sizeof link, sizeof link);
        const abut_w_snap_shape wanted = wanted_at(r, row);
        const void *shape;
        if (link.row >= LINKED) {
            shape = shape_of(r, link.row - LINKED);
        } else {
            shape = finder ? ask_finder(finder, &wanted) : find_own(world, &wanted);
        }
        missing = missing || !shape;
        memcpy(scratch + row * sizeof shape, &shape, sizeof shape);
    }
    return missing ? ABUT_ERROR_HANDLE : ABUT_OK;
}

/* --- colliders --- */

/* A walk along the rows of shapes. */
static abut_collider collider_of(const restoring *r, uint32_t slot, uint32_t *shape_row) {
    abut_collider collider = {.hull = NULL};
    memcpy(&collider, abut_w_snap_row(&r->snap, ABUT_W_SNAP_COLLIDERS, slot, ABUT_W_SNAP_COLLIDER),
           ABUT_W_SNAP_COLLIDER);
    if (*shape_row < r->snap.header.shapes) {
        abut_w_snap_shape row;
        ABUT_W_SNAP_READ(abut_w_snap_shape, &r->snap, ABUT_W_SNAP_SHAPES, *shape_row, &row);
        if (row.slot == slot) {
            const void *shape = shape_of(r, (*shape_row)++);
            collider.mesh = row.is_mesh ? shape : NULL;
            collider.hull = row.is_mesh ? NULL : shape;
        }
    }
    return collider;
}

/* Whether all bits of a row of colliders are those of a collider. */
static bool same_row(const abut_collider *a, const char *row) {
    uint64_t x[ABUT_W_SNAP_COLLIDER / 8], y[ABUT_W_SNAP_COLLIDER / 8], differ = 0;
    memcpy(x, a, sizeof x);
    memcpy(y, row, sizeof y);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        differ |= x[i] ^ y[i];
    }
    return differ == 0;
}

/* The same as is_known for a body without hull and mesh, there and here, without a copy. Most bodies of a rollback are
 * such; false says nothing. */
static bool is_plainly_known(const restoring *r, uint32_t slot, uint32_t shape_row) {
    const abut_world *world = r->world;
    const abut_collider *c = &world->collider[slot];
    return slot < world->ids.used && abut_idpool_is_live(&world->ids, slot) && !c->hull && !c->mesh &&
           (shape_row == r->snap.header.shapes || wanted_at(r, shape_row).slot != slot) &&
           same_row(c, abut_w_snap_row(&r->snap, ABUT_W_SNAP_COLLIDERS, slot, ABUT_W_SNAP_COLLIDER));
}

static bool same_collider(const abut_collider *a, const abut_collider *b) {
    return memcmp(a, b, ABUT_W_SNAP_COLLIDER) == 0 && a->hull == b->hull && a->mesh == b->mesh;
}

/* Whether the body in the slot has this shape, wherever it is. */
static bool has_shape(const abut_world *world, uint32_t slot, const abut_collider *collider) {
    const abut_collider *c = &world->collider[slot];
    return slot < world->ids.used && abut_idpool_is_live(&world->ids, slot) &&
           memcmp(&c->half, &collider->half, ABUT_W_SNAP_COLLIDER - offsetof(abut_collider, half)) == 0 &&
           c->hull == collider->hull && c->mesh == collider->mesh;
}

/* Whether the body in the slot has this collider, and may keep it. */
static bool is_known(const abut_world *world, uint32_t slot, const abut_collider *collider) {
    return slot < world->ids.used && abut_idpool_is_live(&world->ids, slot) &&
           same_collider(&world->collider[slot], collider);
}

static bool is_near(abut_vec3 v, double limit) {
    return fabs((double)v.x) <= limit && fabs((double)v.y) <= limit && fabs((double)v.z) <= limit;
}

/* Whether the shape is one that a body may have. */
static bool shape_valid(const abut_collider *c) {
    static const abut_pose none;
    abut_collider shape = abut_collider_unplaced(c->mesh, c->hull, c->half, c->radius);
    bool valid = abut_w_shape_valid(&shape, &none);
    shape.center = c->center;
    shape.rotation = c->rotation;
    return valid && same_collider(&shape, c);
}

/* Whether a plain body may be there. Usually it has only moved: `shaped` if the world's body has its shape. */
static bool place_valid(const abut_world *world, const abut_collider *c, bool shaped) {
    abut_w_frame frame = {.pose = {c->center, c->rotation}, .shape = *c};
    abut_collider placed;
    return abut_w_snap_pose_valid(&frame.pose) &&
           ((shaped && is_near(c->center, (double)ABUT_MAX_COORDINATE - world->extent)) ||
            abut_w_compose_collider(world, &frame, &placed) == ABUT_OK);
}

/* Whether a body with an attachment is where its poses and those of its parents lead. */
static bool is_composed(const abut_w_snap *s, const abut_w_snap_attachment *a, const abut_collider *c) {
    abut_w_snap_body body;
    ABUT_W_SNAP_READ(abut_w_snap_body, s, ABUT_W_SNAP_BODIES, a->slot, &body);
    abut_w_frame frame = {.pose = a->pose,
                          .box = body.flags & ABUT_W_BOXED ? &a->box : NULL,
                          .shape = *c,
                          .parent_plus_one = a->hierarchy.parent_plus_one};
    abut_w_rising rising = abut_w_rising_begin(&frame);
    abut_w_snap_attachment up = *a;
    abut_collider placed;
    while (up.hierarchy.parent_plus_one) { /* abut_w_snap_open has found it */
        (void)abut_w_snap_find_attachment(s, up.hierarchy.parent_plus_one, &up);
        abut_w_rising_pass(&rising, &up.pose);
    }
    return abut_w_rising_end(&rising, &frame, &placed) == ABUT_OK && same_collider(&placed, c);
}

/* Whether the slot has an attachment; slots ascend. */
static bool is_attached(const abut_w_snap *s, uint32_t slot, uint32_t *row, abut_w_snap_attachment *a) {
    if (*row == s->header.attachments) {
        return false;
    }
    ABUT_W_SNAP_READ(abut_w_snap_attachment, s, ABUT_W_SNAP_ATTACHMENTS, *row, a);
    *row += a->slot == slot;
    return a->slot == slot;
}

/* `a`: its attachment, or NULL. */
static bool collider_valid(const restoring *r, uint32_t slot, const abut_collider *c, const abut_w_snap_attachment *a) {
    bool shaped = has_shape(r->world, slot, c);
    if (!shaped && !shape_valid(c)) {
        return false;
    }
    return a ? is_composed(&r->snap, a, c) : is_known(r->world, slot, c) || place_valid(r->world, c, shaped);
}

static abut_result check_colliders(restoring *r) {
    uint32_t shape_row = 0, attachment = 0;
    r->known = r->snap.header.shapes == 0 ? (uint8_t *)abut_bp_scratch(&r->world->bp) : NULL;
    for (uint32_t slot = 0; slot < r->snap.header.slots; slot++) {
        if (abut_w_snap_is_live(&r->snap, slot)) {
            abut_w_snap_attachment a;
            bool attached = is_attached(&r->snap, slot, &attachment, &a);
            bool known = is_plainly_known(r, slot, shape_row);
            if (r->known) {
                r->known[slot] = known;
            }
            if (known && !attached) {
                continue;
            }
            const abut_collider collider = collider_of(r, slot, &shape_row);
            if (!collider_valid(r, slot, &collider, attached ? &a : NULL)) {
                return ABUT_ERROR_FORMAT;
            }
        }
    }
    return ABUT_OK;
}

/* --- room --- */

static abut_result reserve_lists(abut_world *world, const abut_w_snap_header *h) {
    abut_w_exchange_blocks(world);
    if (world->fixed && (h->contacts > world->next.block.capacity || h->ends > world->events.ends.capacity)) {
        return ABUT_ERROR_CAPACITY;
    }
    abut_result result = abut_w_reserve_keys(world, &world->next, h->contacts);
    result = result ? result : abut_w_reserve_contacts(world, &world->next, h->contacts);
    result = result ? result : abut_w_reserve_parts(world, &world->next.parts, h->parts);
    return result ? result : abut_w_reserve_index(world, &world->current, h->contacts, h->ends);
}

static uint64_t more_than(uint32_t wanted, const abut_w_side_table *side) {
    return wanted > side->live ? wanted - side->live : 0;
}

/* What is made of lists on demand moves last: callers may hold pointers to it. */
static abut_result reserve(restoring *r) {
    abut_world *world = r->world;
    const abut_w_snap_header *h = &r->snap.header;
    abut_result result = abut_w_reserve_attachments(world, more_than(h->attachments, &world->attachments));
    result = result ? result : abut_w_reserve_filters(world, more_than(h->filters, &world->filters));
    if (h->shapes > 0 || h->parts > 0) { /* hulls or meshes, or parts of a mesh that is gone: see abut_world_parts */
        result = result ? result : abut_w_reserve_all_parts(world);
        result = result ? result : abut_w_reserve_all_hints(world);
    }
    return result ? result : reserve_lists(world, h);
}

/* --- writing --- */

/* Empties the side tables; their entries are made again in the order of slots. */
static void write_side_tables(restoring *r) {
    abut_world *world = r->world;
    const abut_w_snap *s = &r->snap;
    world->attachments.used = world->attachments.live = s->header.attachments;
    world->filters.used = world->filters.live = s->header.filters;
    world->attachments.first_free_plus_one = world->filters.first_free_plus_one = 0;
    for (uint32_t i = 0; i < s->header.attachments; i++) {
        abut_w_snap_attachment row;
        ABUT_W_SNAP_READ(abut_w_snap_attachment, s, ABUT_W_SNAP_ATTACHMENTS, i, &row);
        world->attachments.owner[i] = row.slot;
        world->attachment_plus_one[row.slot] = i + 1;
        world->attachment[i] = (abut_w_attachment){.pose = row.pose, .box = row.box, .hierarchy = row.hierarchy};
    }
    for (uint32_t i = 0; i < s->header.filters; i++) {
        abut_w_snap_filter row;
        ABUT_W_SNAP_READ(abut_w_snap_filter, s, ABUT_W_SNAP_FILTERS, i, &row);
        const abut_filter filter = {row.category, row.mask, row.group};
        world->filters.owner[i] = row.slot;
        world->filter_plus_one[row.slot] = i + 1;
        abut_w_put_filter(world, row.slot, &filter);
    }
}

static void clear_slot(abut_world *world, uint32_t slot) {
    abut_w_uncount(world, slot);
    world->traits[slot].marks = 0;
    abut_bp_remove(&world->bp, slot);
    abut_w_touch(world, slot);
    world->flags[slot] = 0;
}

/* A body whose collider, detail or margin is another: its bounds must be found again. */
static void write_changed(restoring *r, uint32_t slot, bool was_live, const abut_collider *collider,
                          const abut_w_snap_body *body) {
    abut_world *world = r->world;
    bool moved = was_live && world->traits[slot].detail == body->detail && has_shape(world, slot, collider);
    if (!was_live) {
        abut_bp_add(&world->bp, slot, body->motion == ABUT_STATIC);
    } else if (!moved) {
        abut_w_uncount(world, slot);
    }
    world->collider[slot] = *collider;
    if (!moved) {
        world->extent = abut_max_d(world->extent, abut_shape_of(collider)->extent(collider));
        abut_w_put_detail(world, slot, (abut_detail)body->detail);
    }
    abut_w_touch(world, slot);
    world->flags[slot] = ABUT_W_STALE;
}

/* Writes a body. Its bounds are those that the broad phase has if its collider, its detail and the margin stay. */
static void write_slot(restoring *r, uint32_t slot, bool was_live, uint32_t *shape_row) {
    abut_world *world = r->world;
    abut_w_traits *traits = &world->traits[slot];
    abut_w_snap_body body;
    ABUT_W_SNAP_READ(abut_w_snap_body, &r->snap, ABUT_W_SNAP_BODIES, slot, &body);
    bool stays = was_live && !r->other_margin && traits->detail == body.detail;
    if (!stays || !(r->known ? r->known[slot] : is_plainly_known(r, slot, *shape_row))) {
        const abut_collider collider = collider_of(r, slot, shape_row);
        if (!stays || !is_known(world, slot, &collider)) {
            write_changed(r, slot, was_live, &collider, &body);
        }
    }
    if (was_live && traits->motion != body.motion) {
        abut_bp_activate(&world->bp, slot, body.motion == ABUT_STATIC);
    }
    world->flags[slot] = body.flags | (world->flags[slot] & ABUT_W_STALE);
    traits->motion = body.motion;
    traits->marks = (uint8_t)((traits->marks & ABUT_W_BY_SHAPE_AND_DETAIL) | body.other_mesh);
    world->new_meshes = world->new_meshes || body.other_mesh;
}

/* Whether bodies of the same slots have filters, and the same as now. Then pairs of resting bodies are still right. */
static bool filters_stay(const restoring *r) {
    const abut_world *world = r->world;
    bool stay = world->filters.live == r->snap.header.filters;
    for (uint32_t i = 0; stay && i < r->snap.header.filters; i++) {
        abut_w_snap_filter row;
        ABUT_W_SNAP_READ(abut_w_snap_filter, &r->snap, ABUT_W_SNAP_FILTERS, i, &row);
        stay = row.slot < world->ids.used && world->filter_plus_one[row.slot];
        const abut_filter *now = stay ? abut_w_filter_of(world, row.slot) : NULL;
        stay = stay && now->category == row.category && now->mask == row.mask && now->group == row.group;
    }
    return stay;
}

static void write_bodies(restoring *r) {
    abut_world *world = r->world;
    const abut_w_snap_header *h = &r->snap.header;
    uint32_t used = world->ids.used, end = used > h->slots ? used : h->slots, shape_row = 0;
    world->new_meshes = false;
    if (!filters_stay(r)) {
        abut_w_forget_filter_classes(world);
    }
    for (uint32_t slot = 0; slot < end; slot++) {
        bool was_live = slot < used && abut_idpool_is_live(&world->ids, slot);
        if (slot < h->slots && abut_w_snap_is_live(&r->snap, slot)) {
            write_slot(r, slot, was_live, &shape_row);
        } else if (was_live) {
            clear_slot(world, slot);
        }
    }
    if (end > 0) { /* also of slots without a body, where they are 0 */
        memset(world->attachment_plus_one, 0, end * sizeof *world->attachment_plus_one);
        memset(world->filter_plus_one, 0, end * sizeof *world->filter_plus_one);
    }
    if (h->slots > 0) {
        memcpy(world->body_user, abut_w_snap_row(&r->snap, ABUT_W_SNAP_USERS, 0, 0), h->slots * sizeof(uint64_t));
        memcpy(world->ids.generation, abut_w_snap_row(&r->snap, ABUT_W_SNAP_GENERATION, 0, 0),
               h->slots * sizeof(uint32_t));
        memcpy(world->ids.link, abut_w_snap_row(&r->snap, ABUT_W_SNAP_LINK, 0, 0), h->slots * sizeof(uint32_t));
    }
    world->most_used = abut_w_key_end(world);
    world->ids.used = h->slots;
    world->ids.first_free_plus_one = h->first_free_plus_one;
    world->ids.free_count = h->free_count;
    world->ids.live_count = h->live_count;
    write_side_tables(r);
}

/* Into the lists of the next step, which then become those of the last one, as a step does it. */
static void write_lists(restoring *r) {
    abut_world *world = r->world;
    const abut_w_snap *s = &r->snap;
    const abut_w_snap_header *h = &s->header;
    abut_w_contacts *next = &world->next;
    next->count = next->stored = h->contacts;
    next->parts.count = h->parts;
    for (uint32_t i = 0; i < h->contacts; i++) {
        ABUT_W_SNAP_READ(abut_contact, s, ABUT_W_SNAP_CONTACTS, i, &next->contact[i]);
        next->pair[i] = abut_w_pair_of(next->contact[i].a.index1 - 1, next->contact[i].b.index1 - 1);
    }
    if (h->parts > 0) {
        memcpy(next->parts.part, abut_w_snap_row(s, ABUT_W_SNAP_PARTS, 0, 0), h->parts * sizeof *next->parts.part);
    }
    if (h->ends > 0) {
        memcpy(world->events.end, abut_w_snap_row(s, ABUT_W_SNAP_ENDS, 0, 0), h->ends * sizeof *world->events.end);
    }
    world->events.end_count = h->ends;
    abut_w_swap_lists(world);
    world->hints.count = 0;
    world->resting = false;
}

static void write_all(restoring *r) {
    abut_world *world = r->world;
    const abut_w_snap_header *h = &r->snap.header;
    r->other_margin = memcmp(&world->margin, &h->margin, sizeof h->margin) != 0;
    world->margin = h->margin;
    world->up = h->up;
    write_bodies(r);
    write_lists(r);
    world->changed = (h->flags & ABUT_W_SNAP_CHANGED) != 0;
    world->had_destroy = (h->flags & ABUT_W_SNAP_HAD_DESTROY) != 0;
    world->new_users = (h->flags & ABUT_W_SNAP_NEW_USERS) != 0;
    world->candidates = (size_t)h->candidates;
    world->extent = h->live_count > 0 ? world->extent : 0;
    if (!world->changed) { /* then the next step refreshes nothing */
        (void)abut_w_refresh_bounds(world);
    }
}

static abut_result restore_native(abut_world *world, const void *bytes, size_t size, const abut_shape_finder *finder) {
    restoring r = {.world = world};
    abut_result result = abut_w_snap_open(bytes, size, &r.snap);
    result = result ? result : abut_w_reserve_bodies(world, r.snap.header.slots);
    if (!result) {
        world->state = ABUT_W_FROZEN; /* while the finder runs */
        result = find_shapes(&r, finder);
        world->state = ABUT_W_IDLE;
    }
    result = result ? result : check_colliders(&r);
    result = result ? result : reserve(&r);
    if (!result) {
        write_all(&r);
    }
    return result;
}

/* Through a copy in the machine's order of bytes. What does not even have the size that its header says stays as it is:
 * it is refused. */
static abut_result restore_reversed(abut_world *world, const void *bytes, size_t size,
                                    const abut_shape_finder *finder) {
    abut_w_snap_header header;
    char *copy = abut_memory_alloc(&world->allocator, size);
    if (!copy) {
        return ABUT_ERROR_MEMORY;
    }
    memcpy(copy, bytes, size);
    if (size >= sizeof header) {
        abut_w_snap_reverse_header(copy);
        memcpy(&header, copy, sizeof header);
        if (abut_w_snap_layout_of(&header).at[ABUT_W_SNAP_SECTIONS] == size) {
            abut_w_snap_reverse_rows(copy, &header);
        }
    }
    abut_result result = restore_native(world, copy, size, finder);
    abut_memory_release(&world->allocator, copy, size);
    return result;
}

static abut_result restore_world(abut_world *world, const void *bytes, size_t size, const abut_shape_finder *finder) {
    if (!world || !bytes) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state != ABUT_W_IDLE) {
        return ABUT_ERROR_BUSY;
    }
    return abut_bytes_little_endian() ? restore_native(world, bytes, size, finder)
                                      : restore_reversed(world, bytes, size, finder);
}

abut_result abut_world_restore(abut_world *world, const void *bytes, size_t size, const abut_shape_finder *finder) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = restore_world(world, bytes, size, finder);
    abut_fpmode_leave(mode);
    return result;
}
