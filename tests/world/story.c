/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/story.h"
#include "support/test.h"
#include "world/inside.h"
#include <math.h>
#include <string.h>

/* Arguments of one call that draw numbers stand in lines of their own: the order of evaluation is left to compilers. */

/* --- shapes --- */

static abut_mesh *make_hills(rng *r, uint32_t cells, float spacing) {
    enum { MOST = 12 };
    float heights[MOST * MOST];
    for (uint32_t k = 0; k < (cells + 1) * (cells + 1); k++) {
        heights[k] = (float)rng_range(r, 0, 1);
    }
    const abut_mesh_grid_def def = {.heights = heights,
                                    .columns = cells + 1,
                                    .rows = cells + 1,
                                    .spacing = {spacing, 1, spacing},
                                    .two_sided = cells % 2 != 0};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

void story_shapes_make(story_shapes *shapes) {
    rng r = rng_make(31, 0);
    wild_hulls_create(&shapes->hulls);
    for (uint32_t k = 0; k < STORY_MESHES; k++) {
        shapes->mesh[k] = make_hills(&r, 1 + k, 1.5f);
    }
}

void story_shapes_free(story_shapes *shapes) {
    wild_hulls_destroy(&shapes->hulls);
    for (uint32_t k = 0; k < STORY_MESHES; k++) {
        abut_mesh_destroy(&shapes->mesh[k]);
    }
}

static const abut_hull *find_hull(uint64_t digest, void *user) {
    const story_shapes *shapes = user;
    for (int k = 0; k < WILD_HULLS; k++) {
        if (abut_hull_digest(shapes->hulls.hull[k]) == digest) {
            return shapes->hulls.hull[k];
        }
    }
    return NULL;
}

static const abut_mesh *find_mesh(uint64_t digest, void *user) {
    const story_shapes *shapes = user;
    for (int k = 0; k < STORY_MESHES; k++) {
        if (abut_mesh_digest(shapes->mesh[k]) == digest) {
            return shapes->mesh[k];
        }
    }
    return NULL;
}

abut_shape_finder story_finder(story_shapes *shapes) {
    return (abut_shape_finder){find_hull, find_mesh, shapes};
}

/* --- beginning and end --- */

void story_begin(story *s, const abut_world_def *def, const story_shapes *shapes, const story_kind *kind,
                 uint64_t stream, uint64_t *digest) {
    *s = (story){.shapes = shapes, .kind = kind, .r = rng_make(32, stream), .wrong = kind->wrong, .digest = digest};
    assert_int_equal(abut_world_create(def, &s->world), ABUT_OK);
}

void story_end(story *s) {
    digest_number(s->digest, abut_world_hash(s->world));
    abut_world_destroy(&s->world);
}

static void answer(story *s, abut_result result) {
    digest_number(s->digest, (uint64_t)(int64_t)result);
}

/* --- arguments --- */

static bool is_wrong(story *s) {
    return rng_chance(&s->r, s->wrong);
}

abut_pose story_pose(story *s) {
    const double extent = s->kind->extent;
    abut_pose pose = {.position = rng_vec3(&s->r, -extent, extent), .rotation = {0, 0, 0, 1}};
    if (s->kind->aligned) {
        const abut_vec3 v = pose.position;
        pose.position = (abut_vec3){floorf(v.x), floorf(v.y), floorf(v.z)};
    } else {
        pose.rotation = wild_rotation(&s->r);
    }
    if (is_wrong(s)) {
        const float wrong[] = {NAN, INFINITY, 3e9f, 0.99999e9f};
        pose.position.y = wrong[rng_below(&s->r, 4)];
    }
    return pose;
}

static abut_shape make_box(story *s) {
    static const float sizes[] = {0.5f, 1, 1, 2};
    if (!s->kind->aligned) {
        return (abut_shape){.half = wild_half(&s->r, 1)};
    }
    const float half = sizes[rng_below(&s->r, 4)];
    return (abut_shape){.half = {half, sizes[rng_below(&s->r, 4)], half}};
}

abut_shape story_shape(story *s, bool mesh) {
    const double which = rng_unit(&s->r);
    const story_kind *k = s->kind;
    abut_shape shape = make_box(s);
    if (which < k->round) {
        shape = wild_shape(&s->r, &s->shapes->hulls, 0.5);
    } else if (which < k->round + k->hulls) {
        shape = abut_convex(s->shapes->hulls.hull[rng_below(&s->r, WILD_HULLS)], 0);
    } else if (which < k->round + k->hulls + k->meshes && mesh) {
        shape = (abut_shape){.mesh = s->shapes->mesh[rng_below(&s->r, STORY_MESHES)]};
    }
    if (is_wrong(s)) {
        shape.radius = rng_chance(&s->r, 0.5) ? -1 : NAN;
    }
    return shape;
}

abut_filter story_filter(story *s) {
    static const uint64_t masks[] = {0, 1, 2, 3, 6, 7, ABUT_MASK_NONE, UINT64_C(1) << 40};
    static const int32_t groups[] = {0, 0, 0, 1, 2, -1, -2, -7, -8, -9, -10};
    abut_filter filter = {.category = rng_below(&s->r, 5)};
    filter.mask = masks[rng_below(&s->r, sizeof masks / sizeof *masks)];
    filter.group = groups[rng_below(&s->r, sizeof groups / sizeof *groups)];
    if (rng_chance(&s->r, 0.2)) {
        filter = (abut_filter){0, 0, 0};
    }
    filter.category = is_wrong(s) ? ABUT_MASK_NONE : filter.category;
    return filter;
}

abut_body_id story_body(story *s) {
    abut_body_id id = s->n > 0 ? s->id[rng_below(&s->r, s->n)] : (abut_body_id){1, 1};
    if (is_wrong(s)) {
        id.generation += rng_below(&s->r, 2);
        id.index1 = rng_chance(&s->r, 0.5) ? 0 : id.index1 + rng_below(&s->r, 2) * 4000;
    }
    return id;
}

static abut_detail make_detail(story *s) {
    const bool bounds = rng_chance(&s->r, s->kind->bounds_only);
    return !rng_chance(&s->r, s->kind->coarse) ? ABUT_DETAIL_MANIFOLD
           : bounds                            ? ABUT_DETAIL_BOUNDS
                                               : ABUT_DETAIL_OVERLAP;
}

abut_body_def story_def(story *s) {
    const abut_shape shape = story_shape(s, true);
    abut_body_def def = {.half = shape.half, .radius = shape.radius, .hull = shape.hull, .mesh = shape.mesh};
    def.pose = story_pose(s);
    def.motion = rng_chance(&s->r, 0.25) ? ABUT_STATIC : ABUT_MOVING;
    def.detail = make_detail(s);
    def.user = rng_u64(&s->r);
    if (rng_chance(&s->r, s->kind->filtered)) {
        def.filter = story_filter(s);
    }
    if (rng_chance(&s->r, s->kind->attached) && s->n > 0) {
        def.parent = story_body(s);
        def.pose.position = rng_vec3(&s->r, -1, 1);
    }
    if (rng_chance(&s->r, s->kind->attached)) {
        def.box = story_pose(s);
        def.box.position = rng_vec3(&s->r, -0.5, 0.5);
    }
    if (is_wrong(s)) {
        const uint32_t what = rng_below(&s->r, 3);
        def.motion = what == 0 ? (abut_motion)2 : def.motion;
        def.detail = what == 1 ? (abut_detail)3 : def.detail;
        def.box.rotation.x = what == 2 ? INFINITY : def.box.rotation.x;
    }
    return def;
}

/* --- bodies come and go --- */

static void keep_id(story *s, abut_body_id id) {
    digest_words(s->digest, &id, sizeof id);
    if (id.index1 > 0 && s->n < STORY_BODIES) {
        s->id[s->n++] = id;
    }
}

void story_create(story *s, uint32_t n) {
    enum { MOST = 300 };
    static abut_body_def def[MOST];
    static abut_body_id id[MOST];
    const bool together = rng_chance(&s->r, 0.5);
    n = n < MOST ? n : MOST;
    s->wrong = s->kind->wrong / (together ? 1 + n : 1);
    for (uint32_t k = 0; k < n; k++) {
        def[k] = story_def(s);
        if (!together) {
            answer(s, abut_body_create(s->world, &def[k], &id[k]));
            keep_id(s, id[k]);
        }
    }
    if (together) {
        answer(s, abut_bodies_create(s->world, def, n, id));
        for (uint32_t k = 0; k < n; k++) {
            keep_id(s, id[k]);
        }
    }
    s->wrong = s->kind->wrong;
}

static void forget_dead(story *s) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        const bool lives = abut_body_is_valid(s->world, s->id[k]);
        digest_number(s->digest, lives);
        s->id[left] = s->id[k];
        left += lives;
    }
    s->n = left;
}

static void destroy(story *s) {
    abut_body_id id[6];
    const uint32_t n = 1 + rng_below(&s->r, 6);
    for (uint32_t k = 0; k < n; k++) {
        id[k] = story_body(s);
    }
    answer(s, n == 1 ? abut_body_destroy(s->world, id[0]) : abut_bodies_destroy(s->world, id, n));
    forget_dead(s);
}

/* --- changes --- */

static abut_pose near_pose(story *s, abut_body_id id) {
    abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    const uint32_t what = rng_below(&s->r, 4);
    if (abut_body_get_pose(s->world, id, &pose) != ABUT_OK || what == 0) {
        return story_pose(s);
    }
    const abut_vec3 by = rng_vec3(&s->r, -0.05, 0.05);
    if (what > 1) { /* else the same pose again */
        pose.position = (abut_vec3){pose.position.x + by.x, pose.position.y + by.y, pose.position.z + by.z};
    }
    return pose;
}

static void set_strided(story *s, const abut_body_id *id, const abut_pose *pose, uint32_t n) {
    struct item {
        char tag[3];
        abut_body_id id;
        abut_pose pose;
    } item[STORY_BODIES];
    size_t bad = 12345;
    for (uint32_t k = 0; k < n; k++) {
        item[k].id = id[k];
        item[k].pose = pose[k];
    }
    answer(s, abut_bodies_set_poses_strided(s->world, &item[0].id, sizeof *item, &item[0].pose, sizeof *item, n,
                                            rng_chance(&s->r, 0.9) ? &bad : NULL));
    digest_number(s->digest, bad);
}

void story_move(story *s, double share) {
    static abut_body_id id[STORY_BODIES];
    static abut_pose pose[STORY_BODIES];
    uint32_t n = 0;
    s->wrong = s->kind->wrong / (1 + share * s->n);
    for (uint32_t k = 0; k < s->n; k++) {
        if (rng_chance(&s->r, share)) {
            id[n] = rng_chance(&s->r, 0.9) ? s->id[k] : story_body(s);
            pose[n] = near_pose(s, id[n]);
            n++;
        }
    }
    s->wrong = s->kind->wrong;
    if (n > 0 && s->wrong > 0 && rng_chance(&s->r, 0.15)) { /* beyond the limit, of a body or of what is attached */
        pose[rng_below(&s->r, n)].position.x = rng_chance(&s->r, 0.5) ? 2e9f : ABUT_MAX_COORDINATE;
    }
    if (n == 1) {
        answer(s, abut_body_set_pose(s->world, id[0], &pose[0]));
    } else if (rng_chance(&s->r, 0.5)) {
        answer(s, abut_bodies_set_poses(s->world, id, pose, n));
    } else {
        set_strided(s, id, pose, n);
    }
}

static void set_shape(story *s) {
    const abut_body_id id = story_body(s);
    abut_shape shape = story_shape(s, true);
    abut_pose box = story_pose(s);
    if (rng_chance(&s->r, 0.2)) { /* the same again */
        (void)abut_body_get_shape(s->world, id, &shape, NULL);
    }
    box.position = rng_vec3(&s->r, -0.5, 0.5);
    const bool with_box = rng_chance(&s->r, s->kind->attached);
    answer(s, abut_body_set_shape(s->world, id, &shape, with_box ? &box : NULL));
}

static void set_property(story *s, uint32_t which) {
    const abut_body_id id = story_body(s);
    const abut_filter filter = story_filter(s);
    const uint32_t value = rng_below(&s->r, is_wrong(s) ? 4 : 2);
    if (which == 0) {
        answer(s, abut_body_set_filter(s->world, id, &filter));
    } else if (which == 1) {
        answer(s, abut_body_set_motion(s->world, id, (abut_motion)value));
    } else if (which == 2) {
        answer(s, abut_body_set_detail(s->world, id, value < 2 ? make_detail(s) : (abut_detail)value));
    } else {
        answer(s, abut_body_set_user(s->world, id, rng_u64(&s->r)));
    }
}

static void sweep(story *s) {
    abut_body_id id[8];
    abut_pose to[8];
    abut_hit hit[8];
    const uint32_t n = rng_below(&s->r, 9);
    const abut_query query = {.initial = (abut_initial)rng_below(&s->r, 3)};
    memset(hit, 0, sizeof hit);
    for (uint32_t k = 0; k < n; k++) {
        id[k] = story_body(s);
        to[k] = near_pose(s, id[k]);
    }
    answer(s, abut_world_sweep(s->world, id, to, n, &query, hit));
    for (uint32_t k = 0; k < n; k++) {
        digest_number(s->digest, (uint64_t)hit[k].body.index1 << 32 | hit[k].mover.index1);
        digest_words(s->digest, &hit[k].fraction, sizeof hit[k].fraction);
        digest_vec3(s->digest, hit[k].position);
        digest_vec3(s->digest, hit[k].normal);
    }
}

static void shift(story *s) {
    abut_vec3 by = rng_vec3(&s->r, -0.25, 0.25);
    if (is_wrong(s)) {
        by.z = rng_chance(&s->r, 0.5) ? NAN : 1e9f;
    }
    answer(s, abut_world_shift(s->world, by));
}

void story_change(story *s) {
    const uint32_t kind = rng_below(&s->r, 24);
    if (kind < 5) {
        story_create(s, rng_below(&s->r, 5));
    } else if (kind < 8) {
        destroy(s);
    } else if (kind < 12) {
        story_move(s, kind == 8 ? 0.5 : 0.05);
    } else if (kind < 14) {
        set_shape(s);
    } else if (kind < 20) {
        set_property(s, kind % 4);
    } else if (kind == 20) {
        shift(s);
    } else if (kind == 21) {
        answer(s, abut_world_refresh(s->world));
    } else {
        sweep(s);
    }
}

/* --- steps --- */

static void on_event(const abut_contact *contact, void *user) {
    digest_contact(user, contact);
}

static void read_list(story *s, const abut_contact *list, size_t count) {
    digest_number(s->digest, count);
    for (size_t k = 0; k < count; k++) {
        digest_contact(s->digest, &list[k]);
    }
}

static void read_contacts_of(story *s) {
    uint32_t index[20];
    const abut_body_id id = story_body(s);
    const size_t room = rng_below(&s->r, 21), n = abut_body_contacts(s->world, id, index, room);
    digest_number(s->digest, n);
    digest_words(s->digest, index, (n < room ? n : room) * sizeof *index);
}

/* One of the lists of the last step. */
static void read_some(story *s, uint32_t which) {
    size_t n = 0;
    if (which == 0) {
        const abut_contact *list = abut_world_contacts(s->world, &n);
        read_list(s, list, n);
    } else if (which == 1) {
        const abut_contact *list = abut_world_events(s->world, &n);
        read_list(s, list, n);
    } else if (which == 2) {
        const abut_pair *pairs = abut_world_pairs(s->world, &n);
        digest_words(s->digest, pairs, n * sizeof *pairs);
    } else if (which == 3) {
        const abut_contact_part *part = abut_world_parts(s->world, &n);
        for (size_t k = 0; k < n; k++) {
            digest_number(s->digest, (uint64_t)part[k].part << 32 | part[k].previous1);
            digest_manifold(s->digest, &part[k].manifold);
        }
    } else {
        read_contacts_of(s);
    }
}

void story_step(story *s) {
    const uint32_t heard = rng_below(&s->r, 12);
    const abut_listener listener = {.begin = heard & 1 ? on_event : NULL,
                                    .persist = heard == 2 || heard == 7 ? on_event : NULL,
                                    .end = heard & 4 ? on_event : NULL,
                                    .user = s->digest};
    abut_step_report report = {0};
    answer(s, abut_world_step(s->world, heard < 8 ? &listener : NULL, heard == 11 ? NULL : &report));
    const uint64_t numbers[] = {report.bodies, report.moved, report.candidates,  report.contacts,
                                report.begun,  report.ended, report.sweep_tests, report.second_stage};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        digest_number(s->digest, numbers[k]);
    }
    digest_inside(s->digest, s->world);
    for (uint32_t k = rng_below(&s->r, 5); k > 0; k--) {
        read_some(s, rng_below(&s->r, 5));
        if (rng_chance(&s->r, 0.25)) {
            digest_inside(s->digest, s->world);
        }
    }
}

/* --- reading --- */

static void read_pose(story *s, abut_result result, const abut_pose *pose) {
    answer(s, result);
    digest_words(s->digest, pose, sizeof *pose);
}

static void read_body(story *s, abut_body_id id) {
    abut_pose pose = {{0, 0, 0}, {0, 0, 0, 0}};
    abut_aabb bounds = {{0, 0, 0}, {0, 0, 0}};
    abut_shape shape = {.radius = 0};
    abut_body_id other = {0, 0};
    abut_filter filter = {0, 0, 0};
    abut_motion motion = ABUT_MOVING;
    abut_detail detail = ABUT_DETAIL_MANIFOLD;
    uint64_t user = 0;
    read_pose(s, abut_body_get_pose(s->world, id, &pose), &pose);
    read_pose(s, abut_body_get_world_pose(s->world, id, &pose), &pose);
    read_pose(s, abut_body_get_shape(s->world, id, &shape, &pose), &pose);
    answer(s, abut_body_get_bounds(s->world, id, &bounds));
    digest_words(s->digest, &bounds, sizeof bounds);
    digest_vec3(s->digest, shape.half);
    digest_words(s->digest, &shape.radius, sizeof shape.radius);
    digest_number(s->digest, abut_hull_digest(shape.hull));
    digest_number(s->digest, abut_mesh_digest(shape.mesh));
    answer(s, abut_body_get_parent(s->world, id, &other));
    digest_number(s->digest, abut_body_id_pack(other));
    answer(s, abut_body_get_root(s->world, id, &other));
    digest_number(s->digest, abut_body_id_pack(other));
    answer(s, abut_body_get_filter(s->world, id, &filter));
    digest_number(s->digest, filter.category);
    digest_number(s->digest, filter.mask);
    digest_number(s->digest, (uint32_t)filter.group);
    answer(s, abut_body_get_motion(s->world, id, &motion));
    answer(s, abut_body_get_detail(s->world, id, &detail));
    answer(s, abut_body_get_user(s->world, id, &user));
    digest_number(s->digest, (uint64_t)motion << 8 | (uint64_t)detail);
    digest_number(s->digest, user);
}

static void read_batches(story *s) {
    static abut_pose pose[2][STORY_BODIES];
    static abut_aabb bounds[STORY_BODIES];
    static abut_body_id id[STORY_BODIES];
    memset(pose, 0, sizeof pose);
    memset(bounds, 0, sizeof bounds);
    memset(id, 0, sizeof id);
    answer(s, abut_bodies_get_poses(s->world, s->id, pose[0], s->n));
    answer(s, abut_bodies_get_world_poses(s->world, s->id, pose[1], s->n));
    answer(s, abut_bodies_get_bounds(s->world, s->id, bounds, s->n));
    const size_t living = abut_world_bodies(s->world, id, rng_below(&s->r, STORY_BODIES));
    digest_number(s->digest, living);
    digest_number(s->digest, abut_world_body_count(s->world));
    digest_words(s->digest, pose, sizeof pose);
    digest_words(s->digest, bounds, sizeof bounds);
    digest_words(s->digest, id, sizeof id);
}

void story_read(story *s) {
    for (uint32_t k = 0; k < s->n; k++) {
        read_body(s, s->id[k]);
    }
    read_body(s, story_body(s));
    read_batches(s);
    digest_number(s->digest, abut_world_hash(s->world));
}
