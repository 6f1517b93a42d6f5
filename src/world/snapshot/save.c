/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bytes.h"
#include "world/body/body.h"
#include "world/snapshot/format.h"
#include "world/state/state.h"
#include "world/step/step.h"
#include <abut/snapshot.h>

static uint32_t count_shapes(const abut_world *world) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->ids.used && world->non_box_count > 0; slot++) {
        const abut_collider *collider = &world->collider[slot];
        count += abut_idpool_is_live(&world->ids, slot) && (collider->hull || collider->mesh);
    }
    return count;
}

static abut_w_snap_header header_of(const abut_world *world) {
    abut_w_snap_header header = {
        .magic = ABUT_W_SNAPSHOT_MAGIC,
        .version = ABUT_W_SNAPSHOT_VERSION,
        .flags = (world->changed ? ABUT_W_SNAP_CHANGED : 0u) | (world->had_destroy ? ABUT_W_SNAP_HAD_DESTROY : 0u) |
                 (world->new_users ? ABUT_W_SNAP_NEW_USERS : 0u),
        .margin = world->margin,
        .up = world->up,
        .slots = world->ids.used,
        .first_free_plus_one = world->ids.first_free_plus_one,
        .free_count = world->ids.free_count,
        .live_count = world->ids.live_count,
        .attachments = world->attachments.live,
        .filters = world->filters.live,
        .shapes = count_shapes(world),
        .contacts = world->current.count,
        .parts = world->current.parts.count,
        .ends = world->events.end_count,
        .candidates = world->candidates,
    };
    header.size = abut_w_snap_layout_of(&header).at[ABUT_W_SNAP_SECTIONS];
    header.checksum = abut_w_snap_checksum(&header);
    return header;
}

/* Where the next row of each section goes. */
typedef struct writer {
    char *collider, *user, *body, *attachment, *filter, *shape;
} writer;

static void put(char **to, const void *row, size_t size) {
    memcpy(*to, row, size);
    *to += size;
}

static void put_side_rows(const abut_world *world, uint32_t slot, writer *w) {
    const abut_collider *collider = &world->collider[slot];
    if (world->attachment_plus_one[slot]) {
        const abut_w_attachment *a = &world->attachment[world->attachment_plus_one[slot] - 1];
        const abut_w_snap_attachment row = {slot, a->hierarchy, a->pose, a->box};
        put(&w->attachment, &row, sizeof row);
    }
    if (world->filter_plus_one[slot]) {
        const abut_filter *f = &world->filter[world->filter_plus_one[slot] - 1];
        const abut_w_snap_filter row = {slot, f->group, f->category, f->mask};
        put(&w->filter, &row, sizeof row);
    }
    if (collider->hull || collider->mesh) {
        bool mesh = collider->mesh != NULL;
        const abut_w_snap_shape row = {slot, mesh, mesh ? collider->mesh->digest : collider->hull->digest};
        put(&w->shape, &row, sizeof row);
    }
}

static void put_body(const abut_world *world, uint32_t slot, writer *w) {
    static const char nothing[ABUT_W_SNAP_COLLIDER];
    const abut_w_traits *traits = &world->traits[slot];
    if (!abut_idpool_is_live(&world->ids, slot)) {
        put(&w->collider, nothing, ABUT_W_SNAP_COLLIDER);
        put(&w->user, nothing, sizeof(uint64_t));
        put(&w->body, nothing, sizeof(abut_w_snap_body));
        return;
    }
    const abut_w_snap_body body = {world->flags[slot] & ABUT_W_SNAP_BODY_FLAGS, traits->motion, traits->detail,
                                   traits->marks & ABUT_W_OTHER_MESH};
    put(&w->collider, &world->collider[slot], ABUT_W_SNAP_COLLIDER);
    put(&w->user, &world->body_user[slot], sizeof(uint64_t));
    put(&w->body, &body, sizeof body);
    put_side_rows(world, slot, w);
}

/* Whole arrays; n may be 0. */
static void put_rows(char *to, const void *rows, uint32_t n, size_t size) {
    if (n > 0) {
        memcpy(to, rows, n * size);
    }
}

static void put_all(const abut_world *world, const abut_w_snap_header *header, char *bytes) {
    const abut_w_snap_layout layout = abut_w_snap_layout_of(header);
    char *at[ABUT_W_SNAP_SECTIONS];
    uint32_t slots = header->slots;
    for (int i = 0; i < ABUT_W_SNAP_SECTIONS; i++) {
        at[i] = bytes + layout.at[i];
        memset(bytes + layout.at[i + 1] - 8, 0, 8); /* what follows the last row; an empty section has none */
    }
    memcpy(bytes, header, sizeof *header);
    put_rows(at[ABUT_W_SNAP_GENERATION], world->ids.generation, slots, sizeof(uint32_t));
    put_rows(at[ABUT_W_SNAP_LINK], world->ids.link, slots, sizeof(uint32_t));
    writer w = {at[ABUT_W_SNAP_COLLIDERS],   at[ABUT_W_SNAP_USERS],   at[ABUT_W_SNAP_BODIES],
                at[ABUT_W_SNAP_ATTACHMENTS], at[ABUT_W_SNAP_FILTERS], at[ABUT_W_SNAP_SHAPES]};
    for (uint32_t slot = 0; slot < slots; slot++) {
        put_body(world, slot, &w);
    }
    const abut_w_contacts *list = &world->current;
    put_rows(at[ABUT_W_SNAP_CONTACTS], list->contact, header->contacts, sizeof *list->contact);
    put_rows(at[ABUT_W_SNAP_PARTS], list->parts.part, header->parts, sizeof *list->parts.part);
    if (header->ends > 0) {
        put_rows(at[ABUT_W_SNAP_ENDS], world->events.end, header->ends, sizeof *list->contact);
    }
}

size_t abut_world_save(const abut_world *world, void *bytes, size_t capacity) {
    if (!world || world->state == ABUT_W_FROZEN) {
        return 0;
    }
    const abut_w_snap_header header = header_of(world);
    if (bytes && header.size <= capacity) {
        abut_w_make_contacts(world);
        put_all(world, &header, bytes);
        if (!abut_bytes_little_endian()) {
            abut_w_snap_reverse_rows(bytes, &header);
            abut_w_snap_reverse_header(bytes);
        }
    }
    return (size_t)header.size;
}
