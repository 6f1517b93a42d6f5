/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How a snapshot is stored: a header, then sections, one after the other, each beginning at a multiple of 8 bytes. All
 * numbers are little-endian, and all bytes between sections are zero. There is nothing in it that depends on addresses,
 * capacities or caches. Rows by slot come for every slot; those of slots without a body are zero but for their ids.
 *
 *     format.c    where sections begin, and the order of bytes
 *     save.c      writes one
 *     check.c     whether bytes are one: everything that can be said without the world
 *     restore.c   finds shapes, checks colliders, makes room, and then writes the world */
#ifndef ABUT_WORLD_SNAPSHOT_FORMAT_H
#define ABUT_WORLD_SNAPSHOT_FORMAT_H

#include "world/world.h"

enum { ABUT_W_SNAPSHOT_VERSION = 1 };
#define ABUT_W_SNAPSHOT_MAGIC UINT64_C(0x70616e7374756261) /* "abutsnap" */

/* Flags of the header. */
enum { ABUT_W_SNAP_CHANGED = 1, ABUT_W_SNAP_HAD_DESTROY = 2, ABUT_W_SNAP_NEW_USERS = 4, ABUT_W_SNAP_FLAGS = 7 };

/* The flags of bodies that snapshots hold. Whether bounds are out of date is for the restoring world to know. */
enum { ABUT_W_SNAP_BODY_FLAGS = ABUT_W_MOVED | ABUT_W_BOXED | ABUT_W_FILTERED | ABUT_W_CHANGED | ABUT_W_CREATED };

typedef struct abut_w_snap_header {
    uint64_t magic;
    uint32_t version, flags;
    uint64_t size;     /* of the whole snapshot, in bytes */
    uint64_t checksum; /* of the header, with this field 0 */
    float margin;
    abut_vec3 up;
    uint32_t slots, first_free_plus_one, free_count, live_count; /* as in abut_idpool */
    uint32_t attachments, filters, shapes;
    uint32_t contacts, parts, ends;
    uint64_t candidates; /* of the last step */
    uint64_t reserved[2];
} abut_w_snap_header;
_Static_assert(sizeof(abut_w_snap_header) == 112, "without padding");

/* By slot: the first bytes of abut_collider, up to its pointers. */
enum { ABUT_W_SNAP_COLLIDER = 48 };
_Static_assert(ABUT_W_SNAP_COLLIDER == offsetof(abut_collider, hull), "all but the pointers");

/* By slot: what a body is besides its shape. */
typedef struct abut_w_snap_body {
    uint8_t flags, motion, detail;
    uint8_t other_mesh; /* ABUT_W_OTHER_MESH or 0 */
} abut_w_snap_body;

/* Attachments, filters and shapes ascend by slot. */
typedef struct abut_w_snap_attachment {
    uint32_t slot;
    abut_w_hierarchy hierarchy;
    abut_pose pose, box;
} abut_w_snap_attachment;
_Static_assert(sizeof(abut_w_snap_attachment) == 80, "without padding");

typedef struct abut_w_snap_filter {
    uint32_t slot;
    int32_t group;
    uint64_t category, mask;
} abut_w_snap_filter;

/* The hull or mesh of a body. */
typedef struct abut_w_snap_shape {
    uint32_t slot, is_mesh;
    uint64_t digest;
} abut_w_snap_shape;

_Static_assert(sizeof(abut_contact) == 144 && sizeof(abut_contact_part) == 104, "lists are copied as they are");

/* Where the sections begin. */
typedef enum abut_w_snap_section {
    ABUT_W_SNAP_GENERATION,
    ABUT_W_SNAP_LINK,
    ABUT_W_SNAP_COLLIDERS,
    ABUT_W_SNAP_USERS,
    ABUT_W_SNAP_BODIES,
    ABUT_W_SNAP_ATTACHMENTS,
    ABUT_W_SNAP_FILTERS,
    ABUT_W_SNAP_SHAPES,
    ABUT_W_SNAP_CONTACTS,
    ABUT_W_SNAP_PARTS,
    ABUT_W_SNAP_ENDS,
    ABUT_W_SNAP_SECTIONS
} abut_w_snap_section;

typedef struct abut_w_snap_layout {
    uint64_t at[ABUT_W_SNAP_SECTIONS + 1]; /* the last: the size of all */
} abut_w_snap_layout;

abut_w_snap_layout abut_w_snap_layout_of(const abut_w_snap_header *header);
uint64_t abut_w_snap_checksum(const abut_w_snap_header *header);

/* A snapshot to be read; its bytes need not be aligned. */
typedef struct abut_w_snap {
    const char *bytes;
    abut_w_snap_header header;
    abut_w_snap_layout layout;
} abut_w_snap;

/* Row i of a section, `size` bytes each. */
static inline const char *abut_w_snap_row(const abut_w_snap *s, abut_w_snap_section section, uint32_t i, size_t size) {
    return s->bytes + (size_t)s->layout.at[section] + i * size;
}

#define ABUT_W_SNAP_READ(type, s, section, i, to)                                                                      \
  memcpy((to), abut_w_snap_row(s, section, i, sizeof(type)), sizeof(type))

static inline uint32_t abut_w_snap_u32(const abut_w_snap *s, abut_w_snap_section section, uint32_t i) {
    uint32_t value;
    ABUT_W_SNAP_READ(uint32_t, s, section, i, &value);
    return value;
}

static inline bool abut_w_snap_is_live(const abut_w_snap *s, uint32_t slot) {
    return abut_w_snap_u32(s, ABUT_W_SNAP_LINK, slot) == ABUT_IDPOOL_LIVE;
}

/* --- check.c --- */

/* ABUT_ERROR_FORMAT if the bytes are no snapshot, or contradict each other. What needs shapes is not looked at: the
 * numbers of colliders. O(size). */
abut_result abut_w_snap_open(const void *bytes, size_t size, abut_w_snap *s);
/* Whether a pose is one that was set, so finite and normalised. */
bool abut_w_snap_pose_valid(const abut_pose *pose);
/* The attachment of a slot plus one; false: it has none. O(log attachments). */
bool abut_w_snap_find_attachment(const abut_w_snap *s, uint32_t slot_plus_one, abut_w_snap_attachment *a);

/* For machines that are not little-endian: between their order of bytes and that of snapshots, both ways, in place.
 * The header gives the counts of rows, and is that of the machine. */
void abut_w_snap_reverse_header(void *bytes);
void abut_w_snap_reverse_rows(char *bytes, const abut_w_snap_header *header);

#endif
