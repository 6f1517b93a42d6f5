/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/snapshot/rows_scene.h"

const abut_hull *find_hull(uint64_t digest, void *user) {
    const scene *s = user;
    return abut_hull_digest(s->hull) == digest ? s->hull : NULL;
}

const abut_mesh *find_mesh(uint64_t digest, void *user) {
    const scene *s = user;
    return abut_mesh_digest(s->mesh) == digest ? s->mesh : NULL;
}

abut_body_id add_at(abut_world *world, float x, abut_body_def def) {
    def.pose.position.x = x;
    def.half = def.mesh || def.hull ? (abut_vec3){0, 0, 0} : (abut_vec3){1, 1, 1};
    return add_body(world, &def);
}

/* Contacts of LEFT and RIGHT, of ROOT with each of the last two slots, of ON_GROUND with most of eight triangles, and
 * then of FILTERED and BOXED; two others have ended, one of them with the last slot. */
static void fill_scene(scene *s) {
    abut_body_id id[SLOTS];
    static const abut_pose shifted = {{0.25f, 0, 0}, {0, 0, 0, 1}};
    for (int k = 0; k < SLOTS; k++) {
        abut_body_def def = {.user = (uint64_t)k + 1};
        def.parent = k == FIRST || k == SECOND ? id[ROOT] : id_of(0, 0);
        def.mesh = k == GROUND ? s->mesh : NULL;
        def.motion = k == GROUND ? ABUT_STATIC : ABUT_MOVING;
        def.hull = k == HULL ? s->hull : NULL;
        def.filter.category = k == FILTERED ? 2 : 0;
        def.box = k == BOXED ? shifted : def.box;
        def.detail = k == ALONE ? ABUT_DETAIL_BOUNDS : ABUT_DETAIL_MANIFOLD;
        id[k] = add_at(s->world, k == FIRST || k == SECOND ? 5 * (float)(k - ROOT) : 100 * (float)k, def);
    }
    move_to(s->world, id[RIGHT], 101, 1, 0);
    move_to(s->world, id[HULL], 900, 1, 0);
    move_to(s->world, id[FAR], 1000, -1, 0);
    assert_int_equal(step_world(s->world), 3); /* the second and the third one, at FILTERED and at BOXED, will end */
    move_to(s->world, id[HULL], 800, 0, 0);
    move_to(s->world, id[FAR], 300, 1, 0);
    move_to(s->world, id[ALONE], 300, -1.5f, 0);
    move_to(s->world, id[BOXED], 900, 0, 0);
    move_to(s->world, id[ON_GROUND], 600, 0.5f, 0);
    assert_int_equal(abut_body_destroy(s->world, id[GONE]), ABUT_OK);
    assert_int_equal(step_world(s->world), 5);
    assert_int_equal(count_events(s->world, ABUT_END), 2);
}

void open_scene(scene *s) {
    static const abut_vec3 points[] = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    *s = (scene){.world = make_world(NULL), .other = make_world(NULL), .mesh = make_ground(2, 1, 0, 1)};
    assert_int_equal(abut_hull_create(points, 4, NULL, &s->hull), ABUT_OK);
    fill_scene(s);
    (void)add_cube(s->other, 100, 0, 0, 1);
    s->good = save_world(s->world);
    s->before = save_world(s->other);
    memcpy(&s->header, s->good.bytes, sizeof s->header);
    s->layout = abut_w_snap_layout_of(&s->header);
    const abut_w_snap_header *h = &s->header;
    assert_true(h->slots == SLOTS && h->live_count == SLOTS - 1 && h->attachments == 4 && h->filters == 1);
    assert_true(h->shapes == 2 && h->contacts == 5 && h->parts > 4 && h->ends == 2);
}

void close_scene(scene *s) {
    saved_free(&s->good);
    saved_free(&s->before);
    abut_world_destroy(&s->world);
    abut_world_destroy(&s->other);
    abut_hull_destroy(&s->hull);
    abut_mesh_destroy(&s->mesh);
}

abut_result restore(scene *s) {
    const abut_shape_finder finder = {.hull = find_hull, .mesh = find_mesh, .user = s};
    return abut_world_restore(s->other, s->good.bytes, s->good.size, &finder);
}

void refuse_bytes(scene *s, size_t at, const void *bytes, size_t size, const char *what) {
    unsigned char kept[sizeof(abut_contact)];
    assert_true(at + size <= s->good.size && size <= sizeof kept);
    memcpy(kept, s->good.bytes + at, size);
    memcpy(s->good.bytes + at, bytes, size);
    if (memcmp(kept, bytes, size) == 0 || restore(s) != ABUT_ERROR_FORMAT || !is_saved(s->other, &s->before)) {
        fail_msg("%s: not refused (byte %zu)", what, at);
    }
    memcpy(s->good.bytes + at, kept, size);
}

size_t row_at(const scene *s, abut_w_snap_section section, uint32_t row, size_t size) {
    return (size_t)s->layout.at[section] + row * size;
}

const char *bytes_at(const scene *s, size_t at) {
    return (const char *)s->good.bytes + at;
}

void refuse_header(scene *s, abut_w_snap_header header, const char *what) {
    header.checksum = abut_w_snap_checksum(&header);
    refuse_bytes(s, 0, &header, sizeof header, what);
}

void refuse_exchanged(scene *s, abut_w_snap_section section, uint32_t row, size_t size) {
    unsigned char both[2 * sizeof(abut_contact)];
    size_t at = row_at(s, section, row, size);
    memcpy(both, bytes_at(s, at + size), size);
    memcpy(both + size, bytes_at(s, at), size);
    for (size_t k = 0; k < 2; k++) { /* first one of them twice */
        refuse_bytes(s, at + k * size, both + k * size, size, "twice");
    }
    unsigned char kept[sizeof(abut_contact)];
    memcpy(kept, bytes_at(s, at), size);
    memcpy(s->good.bytes + at, both, size);
    refuse_bytes(s, at + size, both + size, size, "exchanged");
    memcpy(s->good.bytes + at, kept, size);
}
