/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "world/body/body.h"
#include "world/snapshot/format.h"
#include <assert.h>

static bool is_zero(const char *bytes, size_t n) {
    char any = 0;
    for (size_t i = 0; i < n; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

static bool header_valid(const abut_w_snap *s, size_t size) {
    const abut_w_snap_header *h = &s->header;
    bool up = abut_vec3_finite(h->up) && (h->up.x != 0 || h->up.y != 0 || h->up.z != 0);
    return h->magic == ABUT_W_SNAPSHOT_MAGIC && h->version == ABUT_W_SNAPSHOT_VERSION && h->size == size &&
           h->checksum == abut_w_snap_checksum(h) && s->layout.at[ABUT_W_SNAP_SECTIONS] == size &&
           (h->flags & ~(uint32_t)ABUT_W_SNAP_FLAGS) == 0 && h->reserved[0] == 0 && h->reserved[1] == 0 && up &&
           abut_bits_finite(h->margin) && h->margin >= 0 && h->attachments <= h->live_count &&
           h->filters <= h->live_count && h->shapes <= h->live_count && h->candidates <= UINT32_MAX;
}

/* The bytes after the rows of a section. */
static bool padding_valid(const abut_w_snap *s, abut_w_snap_section section, uint32_t count, size_t size) {
    uint64_t end = s->layout.at[section] + count * (uint64_t)size;
    return is_zero(s->bytes + end, (size_t)(s->layout.at[section + 1] - end));
}

static bool paddings_valid(const abut_w_snap *s) {
    const abut_w_snap_header *h = &s->header;
    return padding_valid(s, ABUT_W_SNAP_GENERATION, h->slots, sizeof(uint32_t)) &&
           padding_valid(s, ABUT_W_SNAP_LINK, h->slots, sizeof(uint32_t)) &&
           padding_valid(s, ABUT_W_SNAP_BODIES, h->slots, sizeof(abut_w_snap_body));
}

/* As abut_idpool_validate. */
static bool ids_valid(const abut_w_snap *s) {
    uint32_t live = 0, retired = 0, free = 0;
    for (uint32_t i = 0; i < s->header.slots; i++) {
        bool is_live = abut_w_snap_is_live(s, i), is_retired = abut_w_snap_u32(s, ABUT_W_SNAP_GENERATION, i) == 0;
        if (is_retired && (is_live || abut_w_snap_u32(s, ABUT_W_SNAP_LINK, i) != 0)) {
            return false;
        }
        live += is_live;
        retired += is_retired;
    }
    for (uint32_t at = s->header.first_free_plus_one; at; at = abut_w_snap_u32(s, ABUT_W_SNAP_LINK, at - 1)) {
        if (at > s->header.slots || abut_w_snap_is_live(s, at - 1) ||
            abut_w_snap_u32(s, ABUT_W_SNAP_GENERATION, at - 1) == 0 || ++free > s->header.slots) {
            return false;
        }
    }
    return live == s->header.live_count && free == s->header.free_count &&
           (uint64_t)live + free + retired == s->header.slots;
}

/* A walk along the rows of a section that ascend by slot. */
typedef struct rows {
    uint32_t next, count;
    size_t size;
} rows;

/* Whether the next row is that of this slot, which is then passed. All rows begin with their slot. */
static bool take(const abut_w_snap *s, abut_w_snap_section section, rows *r, uint32_t slot, void *row) {
    uint32_t of;
    if (r->next == r->count) {
        return false;
    }
    const char *from = abut_w_snap_row(s, section, r->next, r->size);
    memcpy(&of, from, sizeof of);
    if (of != slot) {
        return false;
    }
    memcpy(row, from, r->size);
    r->next++;
    return true;
}

static bool same_pose(const abut_pose *a, const abut_pose *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

bool abut_w_snap_pose_valid(const abut_pose *pose) {
    if (!abut_vec3_finite(pose->position) || !abut_quat_finite(pose->rotation)) {
        return false;
    }
    abut_pose normal = abut_pose_normal(pose);
    return same_pose(&normal, pose);
}

/* What a row says about its own body. */
static bool attachment_valid(const abut_w_snap_attachment *a, const abut_w_snap_body *body) {
    static const abut_pose identity = {.rotation = {0, 0, 0, 1}};
    bool boxed = !same_pose(&a->box, &identity), child = a->hierarchy.parent_plus_one != 0;
    return abut_w_snap_pose_valid(&a->pose) && abut_w_snap_pose_valid(&a->box) &&
           boxed == ((body->flags & ABUT_W_BOXED) != 0) && (child || a->hierarchy.first_child_plus_one || boxed) &&
           (!child || body->flags & ABUT_W_FILTERED);
}

static bool filter_valid(const abut_w_snap_filter *f, const abut_w_snap_body *body) {
    const abut_filter filter = {f->category, f->mask, f->group};
    return abut_w_filter_valid(&filter) && f->category && f->mask && !abut_w_filter_is_default(&filter) &&
           body->flags & ABUT_W_FILTERED;
}

/* Every body has valid rows in the sections of few bodies, and there are no others. */
static bool bodies_valid(const abut_w_snap *s) {
    rows attachments = {0, s->header.attachments, sizeof(abut_w_snap_attachment)};
    rows filters = {0, s->header.filters, sizeof(abut_w_snap_filter)};
    rows shapes = {0, s->header.shapes, sizeof(abut_w_snap_shape)};
    for (uint32_t slot = 0; slot < s->header.slots; slot++) {
        abut_w_snap_body body;
        abut_w_snap_attachment a;
        abut_w_snap_filter f;
        abut_w_snap_shape shape;
        ABUT_W_SNAP_READ(abut_w_snap_body, s, ABUT_W_SNAP_BODIES, slot, &body);
        if (!abut_w_snap_is_live(s, slot)) {
            if (!is_zero(abut_w_snap_row(s, ABUT_W_SNAP_COLLIDERS, slot, ABUT_W_SNAP_COLLIDER), ABUT_W_SNAP_COLLIDER) ||
                !is_zero(abut_w_snap_row(s, ABUT_W_SNAP_USERS, slot, sizeof(uint64_t)), sizeof(uint64_t)) ||
                !is_zero(abut_w_snap_row(s, ABUT_W_SNAP_BODIES, slot, sizeof body), sizeof body)) {
                return false;
            }
            continue;
        }
        bool attached = take(s, ABUT_W_SNAP_ATTACHMENTS, &attachments, slot, &a);
        bool shaped = take(s, ABUT_W_SNAP_SHAPES, &shapes, slot, &shape);
        if ((body.flags & ~ABUT_W_SNAP_BODY_FLAGS) != 0 || (body.motion != ABUT_MOVING && body.motion != ABUT_STATIC) ||
            body.detail > ABUT_DETAIL_BOUNDS || (body.other_mesh != 0 && body.other_mesh != ABUT_W_OTHER_MESH) ||
            (attached ? !attachment_valid(&a, &body) : (body.flags & ABUT_W_BOXED) != 0) ||
            (take(s, ABUT_W_SNAP_FILTERS, &filters, slot, &f) && !filter_valid(&f, &body)) ||
            (shaped && (shape.is_mesh > 1 || (shape.is_mesh && body.flags & ABUT_W_BOXED)))) {
            return false;
        }
    }
    return attachments.next == attachments.count && filters.next == filters.count && shapes.next == shapes.count;
}

/* --- compounds --- */

bool abut_w_snap_find_attachment(const abut_w_snap *s, uint32_t slot_plus_one, abut_w_snap_attachment *a) {
    /* As many rows come before it as slots, but for those without a row. */
    uint32_t wanted = slot_plus_one - 1, without = s->header.slots - s->header.attachments;
    uint32_t low = wanted > without ? wanted - without : 0;
    uint32_t high = wanted < s->header.attachments ? wanted + 1 : s->header.attachments;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t slot;
        memcpy(&slot, abut_w_snap_row(s, ABUT_W_SNAP_ATTACHMENTS, middle, sizeof *a), sizeof slot);
        if (slot == wanted) {
            ABUT_W_SNAP_READ(abut_w_snap_attachment, s, ABUT_W_SNAP_ATTACHMENTS, middle, a);
            return true;
        }
        if (slot < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

static uint8_t motion_of(const abut_w_snap *s, uint32_t slot) {
    abut_w_snap_body body;
    ABUT_W_SNAP_READ(abut_w_snap_body, s, ABUT_W_SNAP_BODIES, slot, &body);
    return body.motion;
}

/* Whether the body is a child of `parent` after its sibling `before` (0: the first). */
static bool follows(const abut_w_snap *s, uint32_t slot_plus_one, const abut_w_snap_attachment *parent, uint32_t before,
                    abut_w_snap_attachment *a) {
    return abut_w_snap_find_attachment(s, slot_plus_one, a) && a->hierarchy.parent_plus_one == parent->slot + 1 &&
           a->hierarchy.previous_sibling_plus_one == before && a->hierarchy.root == parent->hierarchy.root &&
           motion_of(s, a->slot) == motion_of(s, parent->slot);
}

/* The parent of a body to which a walk has come down: it was found then. */
static abut_w_snap_attachment parent_of(const abut_w_snap *s, const abut_w_snap_attachment *a) {
    abut_w_snap_attachment parent = *a;
    bool found = abut_w_snap_find_attachment(s, a->hierarchy.parent_plus_one, &parent);
    assert(found);
    (void)found;
    return parent;
}

/* Walks down from a root, in the order of abut_w_next_below, and counts the bodies below it; stops when there are more
 * than there are attachments. False: a link does not lead where it should. */
static bool count_below(const abut_w_snap *s, const abut_w_snap_attachment *root, uint32_t *count) {
    abut_w_snap_attachment at = *root, parent, next;
    while (*count <= s->header.attachments) {
        if (at.hierarchy.first_child_plus_one) {
            if (!follows(s, at.hierarchy.first_child_plus_one, &at, 0, &next)) {
                return false;
            }
            at = next;
            ++*count;
            continue;
        }
        while (at.slot != root->slot && !at.hierarchy.next_sibling_plus_one) {
            at = parent_of(s, &at);
        }
        if (at.slot == root->slot) {
            return true;
        }
        parent = parent_of(s, &at);
        if (!follows(s, at.hierarchy.next_sibling_plus_one, &parent, at.slot + 1, &next)) {
            return false;
        }
        at = next;
        ++*count;
    }
    return false;
}

/* Every body with an attachment is reached from exactly one root. */
static bool compounds_valid(const abut_w_snap *s) {
    uint32_t reached = 0;
    for (uint32_t i = 0; i < s->header.attachments; i++) {
        abut_w_snap_attachment a;
        ABUT_W_SNAP_READ(abut_w_snap_attachment, s, ABUT_W_SNAP_ATTACHMENTS, i, &a);
        if (a.hierarchy.parent_plus_one) {
            continue;
        }
        bool valid =
            a.hierarchy.root == a.slot && !a.hierarchy.next_sibling_plus_one && !a.hierarchy.previous_sibling_plus_one;
        reached++;
        if (!valid || !count_below(s, &a, &reached)) {
            return false;
        }
    }
    return reached == s->header.attachments;
}

/* --- lists --- */

/* The sign bit, if a number is beyond any of a contact (four times ABUT_MAX_COORDINATE: infinity and NaN are). */
static uint32_t beyond(float x) {
    const uint32_t limit = abut_bits_of_float(4 * ABUT_MAX_COORDINATE);
    return (abut_bits_of_float(x) & 0x7fffffffu) + (0x7fffffffu - limit);
}

/* All zero, or one to four points and a unit normal. What follows the last point is zero. */
static bool manifold_valid(const abut_manifold *m) {
    enum { POINTS = sizeof m->points / sizeof *m->points };
    static const abut_vec3 none = {0, 0, 0};
    const abut_vec3 n = m->normal;
    if (m->count > POINTS) {
        return false;
    }
    uint32_t any = 0;
    for (uint32_t i = 0; i < POINTS; i++) { /* those without a point are zero */
        const abut_contact_point *p = &m->points[i];
        any |= beyond(p->position.x) | beyond(p->position.y) | beyond(p->position.z) | beyond(p->separation);
    }
    const float square = n.x * n.x + n.y * n.y + n.z * n.z;
    return any >> 31 == 0 &&
           (m->count == POINTS ||
            is_zero((const char *)&m->points[m->count], (POINTS - m->count) * sizeof *m->points)) &&
           (m->count > 0 ? square > 0.999f && square < 1.001f : memcmp(&n, &none, sizeof n) == 0);
}

/* Generations ascend: an id that was given out is that of the slot, or older. */
static bool given_out(const abut_w_snap *s, abut_body_id body) {
    const uint32_t slot = body.index1 - 1, generation = abut_w_snap_u32(s, ABUT_W_SNAP_GENERATION, slot);
    const uint32_t end = generation + (abut_w_snap_is_live(s, slot) ? 1 : 0); /* 0: all have been */
    return body.generation > 0 && (end == 0 || body.generation < end);
}

static bool contact_valid(const abut_w_snap *s, const abut_contact *c, uint64_t *least) {
    uint64_t order = abut_w_pair_of(c->a.index1, c->b.index1).order;
    bool valid = order >= *least && c->a.index1 > 0 && c->a.index1 < c->b.index1 && c->b.index1 <= s->header.slots &&
                 given_out(s, c->a) && given_out(s, c->b);
    *least = order + 1;
    return valid;
}

static bool lives(const abut_w_snap *s, abut_body_id body) {
    const uint32_t slot = body.index1 - 1;
    return abut_w_snap_is_live(s, slot) && abut_w_snap_u32(s, ABUT_W_SNAP_GENERATION, slot) == body.generation;
}

/* Only what was destroyed since the step may have contacts and no body. */
static bool bodies_live(const abut_w_snap *s, const abut_contact *c) {
    return s->header.flags & ABUT_W_SNAP_HAD_DESTROY || (lives(s, c->a) && lives(s, c->b));
}

/* The parts of a contact ascend. Those that were there in the step before also ascend, over all contacts; how many
 * there were is not known. */
static bool parts_valid(const abut_w_snap *s, const abut_contact *c, uint32_t *previous1) {
    uint32_t least = 0;
    for (uint32_t i = c->part_first; i < c->part_first + c->part_count; i++) {
        abut_contact_part part;
        ABUT_W_SNAP_READ(abut_contact_part, s, ABUT_W_SNAP_PARTS, i, &part);
        if (part.part < least || part.part >= ABUT_MESH_MAX_TRIANGLES || part.manifold.count == 0 ||
            !manifold_valid(&part.manifold) || (part.previous1 && (!c->previous1 || part.previous1 <= *previous1))) {
            return false;
        }
        least = part.part + 1;
        *previous1 = part.previous1 ? part.previous1 : *previous1;
    }
    return true;
}

/* The contacts of the step before, in order: each of them has persisted or ended. */
typedef struct old_contacts {
    uint32_t passed, ends; /* of them, and of those that have ended */
    uint64_t least;        /* for the order of the next one */
} old_contacts;

static bool pass_old(old_contacts *old, uint32_t previous1, const abut_contact *c) {
    const uint64_t order = abut_w_pair_of(c->a.index1, c->b.index1).order;
    bool valid = previous1 == ++old->passed && order >= old->least;
    old->least = order + 1;
    return valid;
}

/* Passes those that have ended and come before `previous1`. */
static bool pass_ended(const abut_w_snap *s, old_contacts *old, uint32_t previous1) {
    while (old->ends < s->header.ends && old->passed + 1 < previous1) {
        abut_contact c;
        ABUT_W_SNAP_READ(abut_contact, s, ABUT_W_SNAP_ENDS, old->ends, &c);
        if (!pass_old(old, c.previous1, &c)) {
            return false;
        }
        old->ends++;
    }
    return true;
}

static bool persists(const abut_w_snap *s, old_contacts *old, const abut_contact *c) {
    return c->previous1 ? c->phase == ABUT_PERSIST && pass_ended(s, old, c->previous1) && pass_old(old, c->previous1, c)
                        : c->phase == ABUT_BEGIN;
}

static bool contacts_valid(const abut_w_snap *s) {
    uint64_t least = 0, parts = 0;
    uint32_t previous1 = 0; /* of the last part that has one */
    old_contacts old = {0};
    for (uint32_t i = 0; i < s->header.contacts; i++) {
        abut_contact c;
        ABUT_W_SNAP_READ(abut_contact, s, ABUT_W_SNAP_CONTACTS, i, &c);
        if (!contact_valid(s, &c, &least) || !bodies_live(s, &c) || !manifold_valid(&c.manifold) ||
            !persists(s, &old, &c) || c.part_first != (c.part_count > 0 ? parts : 0)) {
            return false;
        }
        parts += c.part_count;
        if (parts > s->header.parts || !parts_valid(s, &c, &previous1)) {
            return false;
        }
    }
    return parts == s->header.parts && pass_ended(s, &old, UINT32_MAX) && old.ends == s->header.ends;
}

static bool ends_valid(const abut_w_snap *s) {
    uint64_t least = 0;
    for (uint32_t i = 0; i < s->header.ends; i++) {
        abut_contact c;
        ABUT_W_SNAP_READ(abut_contact, s, ABUT_W_SNAP_ENDS, i, &c);
        if (!contact_valid(s, &c, &least) || c.phase != ABUT_END || c.part_count || c.part_first ||
            !is_zero((const char *)&c.manifold, sizeof c.manifold)) {
            return false;
        }
    }
    return true;
}

abut_result abut_w_snap_open(const void *bytes, size_t size, abut_w_snap *s) {
    if (size < sizeof s->header) {
        return ABUT_ERROR_FORMAT;
    }
    s->bytes = bytes;
    memcpy(&s->header, bytes, sizeof s->header);
    s->layout = abut_w_snap_layout_of(&s->header);
    bool valid = header_valid(s, size) && paddings_valid(s) && ids_valid(s) && bodies_valid(s) && compounds_valid(s) &&
                 contacts_valid(s) && ends_valid(s);
    return valid ? ABUT_OK : ABUT_ERROR_FORMAT;
}
