/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/snapshot/format.h"
#include "base/bytes.h"
#include "base/hash.h"

abut_w_snap_layout abut_w_snap_layout_of(const abut_w_snap_header *header) {
    const struct {
        uint32_t count, size;
    } section[ABUT_W_SNAP_SECTIONS] = {
        [ABUT_W_SNAP_GENERATION] = {header->slots, sizeof(uint32_t)},
        [ABUT_W_SNAP_LINK] = {header->slots, sizeof(uint32_t)},
        [ABUT_W_SNAP_COLLIDERS] = {header->slots, ABUT_W_SNAP_COLLIDER},
        [ABUT_W_SNAP_USERS] = {header->slots, sizeof(uint64_t)},
        [ABUT_W_SNAP_BODIES] = {header->slots, sizeof(abut_w_snap_body)},
        [ABUT_W_SNAP_ATTACHMENTS] = {header->attachments, sizeof(abut_w_snap_attachment)},
        [ABUT_W_SNAP_FILTERS] = {header->filters, sizeof(abut_w_snap_filter)},
        [ABUT_W_SNAP_SHAPES] = {header->shapes, sizeof(abut_w_snap_shape)},
        [ABUT_W_SNAP_CONTACTS] = {header->contacts, sizeof(abut_contact)},
        [ABUT_W_SNAP_PARTS] = {header->parts, sizeof(abut_contact_part)},
        [ABUT_W_SNAP_ENDS] = {header->ends, sizeof(abut_contact)},
    };
    abut_w_snap_layout layout;
    uint64_t at = sizeof *header;
    for (int i = 0; i < ABUT_W_SNAP_SECTIONS; i++) {
        layout.at[i] = at;
        at += ((uint64_t)section[i].count * section[i].size + 7) / 8 * 8;
    }
    layout.at[ABUT_W_SNAP_SECTIONS] = at;
    return layout;
}

uint64_t abut_w_snap_checksum(const abut_w_snap_header *header) {
    abut_w_snap_header copy = *header;
    uint64_t sum = 0;
    copy.checksum = 0;
    if (!abut_bytes_little_endian()) {
        abut_w_snap_reverse_header(&copy);
    }
    for (size_t i = 0; i < sizeof copy; i += sizeof(uint64_t)) {
        sum = abut_hash_mix(sum, abut_bytes_u64((const char *)&copy + i));
    }
    return sum;
}

/* The widths of the numbers in rows. */
#define POSE "4444444"
#define POINT "44444"
#define MANIFOLD "4444" POINT POINT POINT POINT
#define CONTACT "4444884" MANIFOLD "444"
_Static_assert(sizeof MANIFOLD - 1 == sizeof(abut_manifold) / 4, "a manifold has only numbers of four bytes");

void abut_w_snap_reverse_header(void *bytes) {
    abut_bytes_reverse(bytes, 1, "8448844444444444444888");
}

void abut_w_snap_reverse_rows(char *bytes, const abut_w_snap_header *header) {
    const abut_w_snap_layout layout = abut_w_snap_layout_of(header);
    const uint64_t *at = layout.at;
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_GENERATION], header->slots, "4");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_LINK], header->slots, "4");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_COLLIDERS], header->slots, "444444444444");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_USERS], header->slots, "8");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_ATTACHMENTS], header->attachments, "444444" POSE POSE);
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_FILTERS], header->filters, "4488");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_SHAPES], header->shapes, "448");
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_CONTACTS], header->contacts, CONTACT);
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_PARTS], header->parts, "44" MANIFOLD);
    abut_bytes_reverse(bytes + at[ABUT_W_SNAP_ENDS], header->ends, CONTACT);
}
