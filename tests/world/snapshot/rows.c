/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Snapshots with a right header of which one number of one row is wrong: each is refused, and changes nothing. */

#include "world/snapshot/rows_scene.h"
#include <math.h>
#include <stdlib.h>

/* --- bodies --- */

static void ids_must_agree(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    assert_int_equal(restore(&s), ABUT_OK);
    assert_true(is_saved(s.other, &s.good));
    assert_int_equal(abut_world_validate(s.other), ABUT_OK);
    assert_int_equal(abut_world_restore(s.other, s.before.bytes, s.before.size, NULL), ABUT_OK);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        static const uint32_t none = 0, past = SLOTS + 1;
        size_t generation = row_at(&s, ABUT_W_SNAP_GENERATION, slot, sizeof none);
        size_t link = row_at(&s, ABUT_W_SNAP_LINK, slot, sizeof none);
        refuse_bytes(&s, generation, &none, sizeof none, "a body or free slot of generation 0");
        refuse_bytes(&s, link, &past, sizeof past, "a link past all slots");
        for (uint32_t to = 0; to < SLOTS; to++) {
            const uint32_t plus_one = to + 1, live = ABUT_IDPOOL_LIVE;
            refuse_bytes(&s, link, slot == GONE && to == 0 ? &live : &plus_one, sizeof live, "another link");
        }
    }
    close_scene(&s);
}

static void counts_of_ids_must_agree(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    abut_w_snap_header bad = s.header;
    bad.up.z = NAN;
    refuse_header(&s, bad, "up");
    bad = s.header, bad.reserved[0] = 1;
    refuse_header(&s, bad, "reserved");
    for (uint32_t k = 0; k <= SLOTS + 1; k++) {
        if (k != s.header.first_free_plus_one) {
            bad = s.header, bad.first_free_plus_one = k;
            refuse_header(&s, bad, "first free slot");
        }
        if (k != s.header.free_count) {
            bad = s.header, bad.free_count = k;
            refuse_header(&s, bad, "count of free slots");
        }
        if (k != s.header.live_count) {
            bad = s.header, bad.live_count = k;
            refuse_header(&s, bad, "count of bodies");
        }
    }
    close_scene(&s);
}

/* A slot that was used so often that it never will be again has generation 0, and is not among those that are free. */
static void slots_may_have_retired(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    const uint32_t zero = 0, one = 1;
    unsigned char *generation = s.good.bytes + row_at(&s, ABUT_W_SNAP_GENERATION, GONE, sizeof zero);
    abut_w_snap_header header = s.header;
    header.first_free_plus_one = header.free_count = 0;
    refuse_header(&s, header, "a slot that is neither free nor retired");
    header.checksum = abut_w_snap_checksum(&header);
    memcpy(s.good.bytes, &header, sizeof header);
    memcpy(generation, &zero, sizeof zero);
    refuse_bytes(&s, row_at(&s, ABUT_W_SNAP_LINK, GONE, sizeof one), &one, sizeof one, "a retired slot with a link");
    assert_int_equal(restore(&s), ABUT_OK);
    assert_true(is_saved(s.other, &s.good));
    assert_int_equal(abut_world_validate(s.other), ABUT_OK);
    assert_int_equal(add_cube(s.other, 0, 50, 0, 1).index1, SLOTS + 1);
    close_scene(&s);
}

/* There are as many rows of each kind as bodies. */
static void a_body_may_have_every_row(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    abut_world *world = make_world(NULL);
    const abut_body_def def = {.hull = s.hull, .filter = {2, 3, 4}};
    const abut_body_id root = add_body(world, &def);
    abut_body_def child = def;
    child.parent = root;
    (void)add_body(world, &child);
    saved_free(&s.good);
    s.good = save_world(world);
    abut_w_snap_header header;
    memcpy(&header, s.good.bytes, sizeof header);
    assert_true(header.live_count == 2 && header.attachments == 2 && header.filters == 2 && header.shapes == 2);
    assert_int_equal(restore(&s), ABUT_OK);
    assert_true(is_saved(s.other, &s.good));
    abut_world_destroy(&world);
    close_scene(&s);
}

/* Rows of four bytes of an odd number of slots, so that each section begins at a multiple of eight. */
static void what_fills_sections_is_zero(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    static const struct {
        abut_w_snap_section section;
        size_t size;
    } filled[] = {{ABUT_W_SNAP_GENERATION, 4}, {ABUT_W_SNAP_LINK, 4}, {ABUT_W_SNAP_BODIES, sizeof(abut_w_snap_body)}};
    for (size_t k = 0; k < sizeof filled / sizeof filled[0]; k++) {
        const abut_w_snap_section section = filled[k].section;
        size_t at = row_at(&s, section, SLOTS, filled[k].size), end = (size_t)s.layout.at[section + 1];
        assert_int_equal(end - at, 4);
        for (; at < end; at++) {
            const unsigned char bit = 0x80;
            refuse_bytes(&s, at, &bit, 1, "padding");
        }
    }
    close_scene(&s);
}

/* The world that restores has the same box. */
static void boxes_have_no_shape(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (uint32_t is_mesh = 0; is_mesh < 2; is_mesh++) {
        abut_w_snap_header header;
        memcpy(&header, s.before.bytes, sizeof header);
        header.shapes = 1;
        const abut_w_snap_layout layout = abut_w_snap_layout_of(&header);
        header.size = layout.at[ABUT_W_SNAP_SECTIONS];
        header.checksum = abut_w_snap_checksum(&header);
        saved with = {.bytes = calloc(1, (size_t)header.size), .size = (size_t)header.size};
        assert_true(with.bytes && with.size > s.before.size);
        memcpy(with.bytes, s.before.bytes, s.before.size);
        memcpy(with.bytes, &header, sizeof header);
        const abut_w_snap_shape shape = {0, is_mesh, is_mesh ? abut_mesh_digest(s.mesh) : abut_hull_digest(s.hull)};
        memcpy(with.bytes + layout.at[ABUT_W_SNAP_SHAPES], &shape, sizeof shape);
        const abut_shape_finder finder = {.hull = find_hull, .mesh = find_mesh, .user = &s};
        assert_int_equal(abut_world_restore(s.other, with.bytes, with.size, &finder), ABUT_ERROR_FORMAT);
        assert_true(is_saved(s.other, &s.before));
        saved_free(&with);
    }
    close_scene(&s);
}

static void up_is_any_direction(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (int k = 0; k < 6; k++) {
        abut_w_snap_header header = s.header;
        header.up = (abut_vec3){0, 0, 0};
        refuse_header(&s, header, "no direction");
        (&header.up.x)[k / 2] = k % 2 ? -1 : 1;
        header.checksum = abut_w_snap_checksum(&header);
        memcpy(s.good.bytes, &header, sizeof header);
        assert_int_equal(restore(&s), ABUT_OK);
        assert_true(is_saved(s.other, &s.good));
        assert_int_equal(abut_world_restore(s.other, s.before.bytes, s.before.size, NULL), ABUT_OK);
    }
    close_scene(&s);
}

static void slots_without_a_body_are_zero(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    const unsigned char one = 1;
    for (size_t k = 0; k < ABUT_W_SNAP_COLLIDER; k++) {
        refuse_bytes(&s, row_at(&s, ABUT_W_SNAP_COLLIDERS, GONE, ABUT_W_SNAP_COLLIDER) + k, &one, 1, "collider");
    }
    for (size_t k = 0; k < sizeof(uint64_t); k++) {
        refuse_bytes(&s, row_at(&s, ABUT_W_SNAP_USERS, GONE, sizeof(uint64_t)) + k, &one, 1, "user");
    }
    for (size_t k = 0; k < sizeof(abut_w_snap_body); k++) {
        refuse_bytes(&s, row_at(&s, ABUT_W_SNAP_BODIES, GONE, sizeof(abut_w_snap_body)) + k, &one, 1, "body");
    }
    close_scene(&s);
}

/* Of a body that is a cube in both worlds: a shape is the same only bit for bit. */
static void shapes_have_the_numbers_that_bodies_have(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    (void)add_cube(s.other, 100, 0, 0, 1);
    saved_free(&s.before);
    s.before = save_world(s.other);
    const float minus_zero = -0.0f, less = -1;
    const uint32_t type = 77;
    const size_t at = row_at(&s, ABUT_W_SNAP_COLLIDERS, LEFT, ABUT_W_SNAP_COLLIDER);
    refuse_bytes(&s, at + offsetof(abut_collider, radius), &minus_zero, sizeof minus_zero, "radius");
    refuse_bytes(&s, at + offsetof(abut_collider, radius), &less, sizeof less, "radius");
    refuse_bytes(&s, at + offsetof(abut_collider, half), &less, sizeof less, "half");
    refuse_bytes(&s, at + offsetof(abut_collider, type), &type, sizeof type, "type");
    close_scene(&s);
}

#define BODY(slot, member, value) REFUSE(&s, ABUT_W_SNAP_BODIES, abut_w_snap_body, slot, member, value)
#define ATTACHMENT(row, member, value) REFUSE(&s, ABUT_W_SNAP_ATTACHMENTS, abut_w_snap_attachment, row, member, value)
#define FILTER(member, value) REFUSE(&s, ABUT_W_SNAP_FILTERS, abut_w_snap_filter, 0, member, value)
#define SHAPE(row, member, value) REFUSE(&s, ABUT_W_SNAP_SHAPES, abut_w_snap_shape, row, member, value)

static void bodies_must_agree_with_their_rows(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (uint32_t slot = LEFT; slot < SLOTS; slot++) {
        BODY(slot, flags, 4); /* ABUT_W_STAGED */
        BODY(slot, motion, 2);
        BODY(slot, detail, 3);
        BODY(slot, other_mesh, 1);
        if (slot != BOXED) {
            BODY(slot, flags, ABUT_W_FILTERED | ABUT_W_BOXED);
        }
    }
    BODY(BOXED, flags, 0);
    BODY(FILTERED, flags, 0);
    BODY(FIRST, flags, 0);
    BODY(FIRST, motion, ABUT_STATIC);
    BODY(SECOND, motion, ABUT_STATIC);
    FILTER(category, 0);
    FILTER(mask, 0);
    FILTER(category, 1);
    FILTER(category, ABUT_MASK_NONE);
    for (uint32_t slot = 0; slot <= SLOTS; slot++) {
        if (slot != FILTERED && slot != FIRST && slot != SECOND) { /* those have the flag as well */
            FILTER(slot, slot);
        }
        if (slot != GROUND && slot != HULL) { /* a shape that the body does not have */
            SHAPE(0, slot, slot);
            SHAPE(1, slot, slot);
        }
    }
    SHAPE(0, is_mesh, 2);
    SHAPE(1, is_mesh, 2);
    SHAPE(0, slot, HULL);
    SHAPE(1, slot, GROUND);
    close_scene(&s);
}

/* Every link of a body leads elsewhere. */
static void refuse_other_links(scene *s, uint32_t row) {
    abut_w_hierarchy h;
    size_t at = row_at(s, ABUT_W_SNAP_ATTACHMENTS, row, sizeof(abut_w_snap_attachment)) +
                offsetof(abut_w_snap_attachment, hierarchy);
    memcpy(&h, bytes_at(s, at), sizeof h);
    uint32_t *const links[] = {&h.parent_plus_one, &h.first_child_plus_one, &h.next_sibling_plus_one,
                               &h.previous_sibling_plus_one, &h.root};
    for (size_t k = 0; k < sizeof links / sizeof links[0]; k++) {
        const uint32_t right = *links[k];
        for (*links[k] = 0; *links[k] <= SLOTS + 1; ++*links[k]) {
            if (*links[k] != right) {
                refuse_bytes(s, at, &h, sizeof h, "another link of a compound");
            }
        }
        *links[k] = right;
    }
}

static void attachments_must_agree(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    enum { OF_ROOT, OF_FIRST, OF_SECOND, OF_BOXED }; /* rows */
    for (uint32_t row = OF_ROOT; row <= OF_BOXED; row++) {
        ATTACHMENT(row, pose.position.x, NAN);
        ATTACHMENT(row, box.position.x, INFINITY);
        ATTACHMENT(row, pose.rotation.w, NAN);
        ATTACHMENT(row, pose.rotation.w, 2);
        ATTACHMENT(row, box.rotation.w, 2);
        refuse_other_links(&s, row);
        for (uint32_t slot = 0; slot <= SLOTS; slot++) {
            if (slot != (uint32_t)(row == OF_BOXED ? BOXED : ROOT + (int)row)) {
                ATTACHMENT(row, slot, slot);
            }
        }
    }
    ATTACHMENT(OF_ROOT, box.position.x, 1); /* without its flag */
    ATTACHMENT(OF_BOXED, box.position.x, 0);
    close_scene(&s);
}

/* Attached and boxed bodies are where their poses lead, whether the world has the same bodies already or not. */
static void attached_bodies_are_where_their_poses_lead(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (int known = 0; known < 2; known++) {
        for (uint32_t row = 0; row < s.header.attachments; row++) {
            ATTACHMENT(row, pose.position.x, 0.5f);
            ATTACHMENT(row, pose.position.y, ABUT_MAX_COORDINATE);
            ATTACHMENT(row, pose.position.z, 2 * ABUT_MAX_COORDINATE);
        }
        for (uint32_t slot = ROOT; slot <= BOXED; slot++) {
            if (slot != GROUND && slot != ON_GROUND && slot != HULL && slot != FILTERED) { /* plain bodies */
                const float aside = 0.125f;
                refuse_bytes(&s,
                             row_at(&s, ABUT_W_SNAP_COLLIDERS, slot, ABUT_W_SNAP_COLLIDER) +
                                 offsetof(abut_collider, center.y),
                             &aside, sizeof aside, "center");
            }
        }
        assert_int_equal(restore(&s), ABUT_OK);
        saved_free(&s.before);
        s.before = save_world(s.other);
        assert_true(saved_equal(&s.before, &s.good));
    }
    close_scene(&s);
}

/* The shape of the body could be where it is, but the body itself is beyond the limit. */
static void origins_beyond_the_limit_are_refused(void **state) {
    (void)state;
    for (int child = 0; child < 2; child++) {
        scene s;
        open_scene(&s);
        abut_world *world = make_world(NULL);
        abut_body_def def = {.half = {1, 1, 1}};
        def.parent = child ? add_body(world, &def) : def.parent;
        def.pose = pose_at(ABUT_MAX_COORDINATE - 512, 0, 0);
        def.box = pose_at(-512, 0, 0);
        (void)add_body(world, &def);
        saved_free(&s.good);
        s.good = save_world(world);
        memcpy(&s.header, s.good.bytes, sizeof s.header);
        s.layout = abut_w_snap_layout_of(&s.header);
        const uint32_t row = child ? 1 : 0;
        abut_w_snap_attachment a;
        const size_t at = row_at(&s, ABUT_W_SNAP_ATTACHMENTS, row, sizeof a);
        memcpy(&a, bytes_at(&s, at), sizeof a);
        assert_true(a.pose.position.x == def.pose.position.x && a.box.position.x == -512);
        a.pose.position.x += 1024;
        a.box.position.x -= 1024;
        refuse_bytes(&s, at, &a, sizeof a, "beyond the limit");
        assert_int_equal(restore(&s), ABUT_OK);
        assert_int_equal(abut_world_validate(s.other), ABUT_OK);
        abut_world_destroy(&world);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_must_agree),
        cmocka_unit_test(counts_of_ids_must_agree),
        cmocka_unit_test(up_is_any_direction),
        cmocka_unit_test(slots_may_have_retired),
        cmocka_unit_test(a_body_may_have_every_row),
        cmocka_unit_test(what_fills_sections_is_zero),
        cmocka_unit_test(boxes_have_no_shape),
        cmocka_unit_test(slots_without_a_body_are_zero),
        cmocka_unit_test(shapes_have_the_numbers_that_bodies_have),
        cmocka_unit_test(bodies_must_agree_with_their_rows),
        cmocka_unit_test(attachments_must_agree),
        cmocka_unit_test(attached_bodies_are_where_their_poses_lead),
        cmocka_unit_test(origins_beyond_the_limit_are_refused),
    };
    return test_run(tests);
}
