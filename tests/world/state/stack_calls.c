/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/stack_calls.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

void stack_prepare(stack_subject *s, scene_kind kind, size_t n) {
    *s = (stack_subject){0};
    rng r = rng_make(test_seed(), (uint64_t)kind);
    assert_true(scene_create(&s->scene, kind, n, test_seed()));
    for (int v = 0; v < STACK_VIEWS; v++) {
        const abut_obb box = {s->scene.poses[v % (int)n].position, {0.1f, 0.2f, 0.3f, 0.9f}, {6, 5, 4}};
        assert_int_equal(abut_frustum_orthographic(&box, &s->frusta[v]), ABUT_OK);
    }
    for (int i = 0; i < STACK_POINTS; i++) {
        abut_vec3 p = rng_vec3(&r, -1, 1);
        s->points[i] = i % 3 == 0 ? (abut_vec3){(float)(i % 5), (float)(i / 5 % 5), (float)(i / 25 % 5)} : p;
    }
    for (int i = 0; i < STACK_BATCH; i++) {
        abut_vec3 at = s->scene.poses[i % (int)n].position;
        s->candidates[i] = (abut_obb2){.center = {at.x, at.z}, .axis = {1, 0.5f}, .half = {2, 1}};
        s->boxes[i] = (abut_obb){rng_vec3(&r, -1, 1), {0, 0, 0, 1}, {1, 1, 0.5f}};
        s->other_boxes[i] = (abut_obb){{s->boxes[i].center.x + 2, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}; /* touches exactly */
        if (i % 2 == 0) {
            s->other_boxes[i] = (abut_obb){rng_vec3(&r, -2, 2), {0.3f, rng_vec3(&r, -1, 1).x, 0.2f, 0.5f}, {1, 1, 1}};
        }
    }
}

static void world_create(stack_subject *s) {
    (void)abut_world_create(NULL, &s->world);
}

static void bodies_create(stack_subject *s) {
    (void)abut_bodies_create(s->world, s->scene.defs, s->scene.count, s->ids);
}

static void body_create(stack_subject *s) {
    abut_body_id id;
    (void)abut_body_create(s->world, &s->scene.defs[0], &id);
    (void)abut_body_destroy(s->world, id);
}

static void attach(stack_subject *s) {
    abut_body_def def = s->scene.defs[0];
    def.parent = s->ids[0];
    for (int k = 0; k < 3; k++) {
        abut_body_id id;
        (void)abut_body_create(s->world, &def, &id);
        def.parent = id;
    }
}

/* A terrain through the middle of the scene. */
static void mesh_create(stack_subject *s) {
    enum { LINES = 24 };
    float heights[LINES * LINES], spread = 1;
    for (size_t i = 0; i < s->scene.count; i++) {
        const abut_vec3 p = s->scene.poses[i].position;
        spread = fmaxf(spread, fmaxf(fabsf(p.x), fabsf(p.z)));
    }
    for (int i = 0; i < LINES * LINES; i++) {
        heights[i] = spread / 16 * (float)(i * 7 % 5 - 2);
    }
    const abut_mesh_grid_def def = {.heights = heights,
                                    .columns = LINES,
                                    .rows = LINES,
                                    .spacing = {2 * spread / LINES, 1, 2 * spread / LINES},
                                    .two_sided = true};
    size_t size;
    (void)abut_mesh_create_grid(&def, &s->mesh);
    const void *bytes = abut_mesh_data(s->mesh, &size);
    (void)abut_mesh_load(bytes, size, NULL, &s->mesh_copy);
}

static void mesh_bodies(stack_subject *s) {
    const abut_aabb bounds = abut_mesh_bounds(s->mesh);
    abut_body_def def = {.mesh = s->mesh, .motion = ABUT_STATIC};
    abut_body_id id;
    def.pose.position = (abut_vec3){-bounds.max.x / 2, s->scene.poses[0].position.y, -bounds.max.z / 2};
    (void)abut_body_create(s->world, &def, &id);
}

static void mesh_destroy(stack_subject *s) {
    abut_mesh_destroy(&s->mesh);
    abut_mesh_destroy(&s->mesh_copy);
}

static void set_poses(stack_subject *s) {
    scene_advance(&s->scene);
    (void)abut_bodies_set_poses(s->world, s->ids, s->scene.poses, s->scene.mover_count);
}

static void set_properties(stack_subject *s) {
    const abut_filter filter = {.category = 3, .mask = UINT64_MAX};
    (void)abut_body_set_filter(s->world, s->ids[1], &filter);
    (void)abut_body_set_motion(s->world, s->ids[2], ABUT_STATIC);
    (void)abut_body_set_detail(s->world, s->ids[3], ABUT_DETAIL_OVERLAP);
    (void)abut_body_set_user(s->world, s->ids[3], 9);
    const abut_shape capsule = abut_capsule(1, 1), round_box = {{1, 0.5f, 1}, NULL, NULL, 0.5f};
    const abut_pose box = {{0, 1, 0}, {0, 0, 0, 1}};
    for (size_t i = 5; i < s->scene.count; i += 3) {
        (void)abut_body_set_shape(s->world, s->ids[i], i % 2 == 0 ? &capsule : &round_box, &box);
    }
    (void)abut_body_set_pose(s->world, s->ids[4], &s->scene.poses[4]);
}

static void get_all(stack_subject *s) {
    (void)abut_bodies_get_poses(s->world, s->ids, s->poses, s->scene.count);
    (void)abut_bodies_get_world_poses(s->world, s->ids, s->poses, s->scene.count);
    (void)abut_bodies_get_bounds(s->world, s->ids, s->bounds, s->scene.count);
    s->sink += abut_world_bodies(s->world, NULL, 0);
}

static void listen(const abut_contact *contact, void *user) {
    (void)contact, (void)user;
}

static void world_step(stack_subject *s) {
    const abut_listener listener = {.begin = listen, .persist = listen, .end = listen};
    (void)abut_world_step(s->world, &listener, &s->report);
}

static void body_contacts(stack_subject *s) {
    s->sink += abut_body_contacts(s->world, s->ids[0], s->indices, STACK_BODIES);
}

static void world_contacts(stack_subject *s) {
    size_t n;
    s->sink += abut_world_contacts(s->world, &n) != NULL;
    s->sink += abut_world_events(s->world, &n) != NULL;
}

static void world_cull(stack_subject *s) {
    s->sink += abut_world_cull(s->world, s->frusta, STACK_VIEWS, NULL, s->visible, STACK_BODIES * 2);
}

static void world_cull_one(stack_subject *s) {
    s->sink += abut_world_cull(s->world, s->frusta, 1, NULL, s->visible, STACK_BODIES * 2);
}

static void placements(stack_subject *s) {
    const abut_placement_rules rules = {.ignore = s->ids, .ignore_count = 5};
    (void)abut_world_test_placements(s->world, s->candidates, STACK_BATCH, &rules, s->placements);
    (void)abut_world_test_placements(s->world, s->candidates, STACK_BATCH, NULL, s->placements);
}

static void questions_of_shapes(stack_subject *s) {
    const abut_query query = {.ignore = s->ids, .ignore_count = STACK_BODIES / 2, .filter.mask = 1};
    const abut_shape shapes[3] = {abut_box(100, 100, 100), abut_convex(s->hull, 1), abut_sphere(50)};
    const abut_pose poses[3] = {s->poses[0], {{0, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}}, {{0, 0, 0}, {0, 0, 0, 1}}};
    const abut_aabb box = {{-1000, -1000, -1000}, {1000, 1000, 1000}};
    size_t ends[3];
    (void)abut_world_overlaps_many(s->world, shapes, poses, 3, NULL, s->found, STACK_BODIES, ends);
    for (int k = 0; k < 3; k++) {
        s->sink += abut_world_overlaps(s->world, &shapes[k], &poses[k], &query, s->found, STACK_BODIES);
        s->sink += abut_world_collide(s->world, &shapes[k], &poses[k], (float)k, NULL, s->touching, STACK_BODIES / 2);
        s->sink += abut_world_nearest(s->world, &shapes[k], &poses[k], INFINITY, NULL, s->near, 50);
    }
    s->sink += abut_world_in_bounds(s->world, &box, NULL, s->found, STACK_BODIES);
    s->sink += abut_world_in_bounds(s->world, &box, &query, s->found, STACK_BODIES);
}

static void questions_of_rays(stack_subject *s) {
    enum { RAYS = 40 };
    const abut_query query = {.ignore = s->ids, .ignore_count = STACK_BODIES / 2, .filter.mask = 1};
    abut_ray rays[RAYS];
    abut_hit hits[RAYS];
    uint8_t blocked[RAYS];
    abut_vec3 points[RAYS];
    uint32_t counts[RAYS];
    for (int k = 0; k < RAYS; k++) {
        points[k] = s->poses[k].position;
        rays[k] = (abut_ray){.origin = {-500, 0, 0}, .translation = {points[k].x + 500, points[k].y, points[k].z}};
    }
    (void)abut_world_cast_rays(s->world, rays, RAYS, NULL, hits);
    (void)abut_world_cast_rays(s->world, rays, RAYS, &query, hits);
    (void)abut_world_test_rays(s->world, rays, RAYS, &query, blocked);
    s->sink += abut_world_ray_hits(s->world, rays, &query, hits, RAYS);
    (void)abut_world_nearest_many(s->world, points, RAYS, 10, &query, s->near, 1, counts);
}

/* Shapes of every kind that move through the world, and bodies that do. */
static void casts(stack_subject *s) {
    const abut_shape shapes[] = {abut_box(2, 2, 2), abut_convex(s->hull, 0), abut_sphere(3), abut_capsule(1, 1),
                                 abut_convex(s->hull, 0.5f)};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    const abut_query closing = {.initial = ABUT_INITIAL_CLOSING, .every_part = true};
    abut_cast cast[2 * SHAPES];
    abut_hit hits[2 * SHAPES];
    for (int k = 0; k < 2 * SHAPES; k++) {
        const abut_vec3 from = s->poses[k].position, to = s->poses[2 * k + 1].position;
        cast[k] = (abut_cast){.shape = shapes[k % SHAPES], .from = {from, {0, 0.6f, 0, 0.8f}}};
        cast[k].translation = (abut_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
        s->sink += abut_world_shape_hits(s->world, &cast[k], &closing, hits, 2 * SHAPES);
    }
    (void)abut_world_cast_shapes(s->world, cast, 2 * SHAPES, NULL, hits);
    (void)abut_world_cast_shapes(s->world, cast, 2 * SHAPES, &closing, hits);
}

static void sweeps(stack_subject *s) {
    enum { MOVERS = 60 };
    const abut_query closing = {.initial = ABUT_INITIAL_CLOSING};
    abut_pose targets[MOVERS];
    abut_hit hits[MOVERS];
    for (int k = 0; k < MOVERS; k++) {
        targets[k] = (abut_pose){s->poses[k + 1].position, {0.6f, 0, 0, 0.8f}};
    }
    (void)abut_world_sweep(s->world, s->ids + 1, targets, MOVERS, &closing, hits);
    (void)abut_world_sweep(s->world, s->ids + 1, targets, MOVERS, NULL, hits);
}

static void snapshots(stack_subject *s) {
    static unsigned char bytes[4 << 20];
    size_t size = abut_world_save(s->world, bytes, sizeof bytes);
    (void)abut_world_restore(s->world, bytes, size < sizeof bytes ? size : 0, NULL);
    (void)abut_world_refresh(s->world);
}

static void draw_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)from, (void)to, (void)item, (void)user;
}

static void draw_point(abut_vec3 position, const abut_draw_item *item, void *user) {
    (void)position, (void)item, (void)user;
}

static void world_draw(stack_subject *s) {
    const abut_draw draw = {
        .line = draw_line, .point = draw_point, .kinds = 31, .frusta = s->frusta, .frustum_count = STACK_VIEWS};
    (void)abut_world_draw(s->world, &draw);
}

static void world_hash(stack_subject *s) {
    s->sink += (size_t)abut_world_hash(s->world);
}

static void world_validate(stack_subject *s) {
    (void)abut_world_validate(s->world);
}

static void world_memory(stack_subject *s) {
    size_t in_use, reserved;
    abut_world_memory(s->world, &in_use, &reserved);
}

static void bodies_destroy(stack_subject *s) {
    (void)abut_bodies_destroy(s->world, s->ids + 50, s->scene.count - 50);
    (void)abut_body_destroy(s->world, s->ids[0]); /* with what is attached */
}

static void world_destroy(stack_subject *s) {
    abut_world_destroy(&s->world);
}

static void hull_create(stack_subject *s) {
    (void)abut_hull_create(s->points, STACK_POINTS, NULL, &s->hull);
}

static void hull_load(stack_subject *s) {
    size_t size;
    const void *data = abut_hull_data(s->hull, &size);
    (void)abut_hull_load(data, size, NULL, &s->copy);
}

static void hull_getters(stack_subject *s) {
    uint32_t vertices[64];
    float plane[4];
    s->sink += abut_hull_face(s->hull, 0, vertices, 64, plane) + abut_hull_edge_count(s->hull);
    s->sink += abut_hull_volume(s->hull) > 0 && abut_hull_obb(s->hull).half.x > abut_hull_centroid(s->hull).x;
}

static void hull_bounds(stack_subject *s) {
    s->bounds[0] = abut_hull_bounds_fast(s->hull, &s->scene.poses[0]);
    s->bounds[1] = abut_hull_bounds_tight(s->hull, &s->scene.poses[0]);
}

static abut_pose pose_of(const abut_obb *box) {
    return (abut_pose){box->center, box->rotation};
}

static void hull_overlap(stack_subject *s) {
    for (int i = 0; i < STACK_BATCH; i++) {
        abut_pose a = pose_of(&s->boxes[i]), b = pose_of(&s->other_boxes[i]);
        s->sink += abut_hull_overlap(s->hull, &a, s->copy, &b) + abut_obb_hull_overlap(&s->boxes[i], s->hull, &b);
    }
}

static void hull_collide(stack_subject *s) {
    for (int i = 0; i < STACK_BATCH; i++) {
        abut_pose a = pose_of(&s->boxes[i]), b = pose_of(&s->other_boxes[i]);
        s->sink += abut_hull_collide(s->hull, &a, s->copy, &b, 0.01f, &s->manifold);
        s->sink += abut_obb_hull_collide(&s->boxes[i], s->hull, &b, 0.01f, &s->manifold);
    }
}

/* Every core with every other, with and without a radius, touching and apart. */
static void shape_calls(stack_subject *s) {
    const abut_shape shapes[] = {abut_box(1, 1, 0.5f),     abut_sphere(0.5f),
                                 abut_capsule(0.5f, 0.5f), {{0.5f, 1, 0.5f}, NULL, NULL, 0.25f},
                                 abut_convex(s->copy, 0),  abut_convex(s->hull, 0.25f),
                                 abut_box(1, 0, 0)};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        for (int k = 0; k < 6; k++) {
            const abut_shape *x = &shapes[i % SHAPES], *y = &shapes[i / SHAPES];
            abut_pose a = pose_of(&s->boxes[k]), b = pose_of(&s->other_boxes[k]),
                      between = abut_pose_between(&a, &b, 0.3f);
            b.position.y += k < 2 ? 2.0f : 0.0f;
            abut_vec3 on[2];
            s->sink += abut_shape_overlap(x, &a, y, &b) + abut_shape_collide(x, &a, y, &between, 0, &s->manifold);
            s->sink += abut_shape_collide(x, &a, y, &b, 4, &s->manifold);
            s->sink += abut_shape_distance(x, &a, y, &b, &on[0], &on[1]) > 0;
            s->sink += abut_shape_bounds(x, &a).min.x > 0;
            s->sink += abut_shape_sweep(x, &a, &b, y, &b, &between, ABUT_INITIAL_CLOSING, NULL);
        }
    }
}

static void hull_destroy(stack_subject *s) {
    abut_hull_destroy(&s->hull);
    abut_hull_destroy(&s->copy);
}

static void obb_overlap(stack_subject *s) {
    for (int i = 0; i < STACK_BATCH; i++) {
        s->sink += abut_obb_overlap(&s->boxes[i], &s->other_boxes[i]);
        s->sink += abut_obb2_overlap(&s->candidates[i], &s->candidates[STACK_BATCH - 1 - i], ABUT_TOUCH_IS_FREE);
    }
}

static void obb_overlap_many(stack_subject *s) {
    s->sink += abut_obb_overlap_many(s->boxes, s->other_boxes, STACK_BATCH, s->overlap);
}

static void obb_collide(stack_subject *s) {
    for (int i = 0; i < STACK_BATCH; i++) {
        s->sink += abut_obb_collide(&s->boxes[i], &s->other_boxes[i], 0.01f, &s->manifold);
    }
}

static void obb_shapes(stack_subject *s) {
    const float model[16] = {1, 0.5f, 0, 0, 0, 1, 0.25f, 0, 0.5f, 0, 1, 0, 3, 4, 5, 1};
    const abut_aabb local = {{-1, -1, -1}, {1, 1, 2}};
    abut_obb box;
    abut_vec3 corners[8];
    (void)abut_obb_from_matrix(model, &local, &box);
    (void)abut_obb_fit(s->points, STACK_POINTS, &box);
    s->bounds[0] = abut_obb_bounds(&box);
    abut_obb_corners(&box, corners);
}

static void frustum_calls(stack_subject *s) {
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.2f, -1, 0, 0, -2.2f, 0};
    (void)abut_frustum_from_matrix(matrix, ABUT_CLIP_ZERO_TO_ONE, &s->frusta[0]);
    (void)abut_frustum_camera(&s->scene.poses[0], 0.5f, 0.4f, 0.1f, 0, &s->frusta[1]);
    (void)abut_frustum_orthographic(&s->boxes[0], &s->frusta[2]);
    for (int i = 0; i < STACK_BATCH; i++) {
        s->sink += abut_frustum_test_obb(&s->frusta[0], &s->boxes[i]);
    }
    s->sink += abut_frustum_cull_obbs(&s->frusta[0], s->boxes, STACK_BATCH, s->indices);
}

static void isa_calls(stack_subject *s) {
    s->sink += abut_isa_active();
}

static void nothing(stack_subject *s) {
    s->sink++;
}

const stack_call stack_calls[] = {
    {"(an empty thread)", nothing},
    {"abut_isa_*", isa_calls},
    {"abut_obb_overlap, abut_obb2_overlap", obb_overlap},
    {"abut_obb_overlap_many", obb_overlap_many},
    {"abut_obb_collide", obb_collide},
    {"abut_obb_fit, _from_matrix, _bounds, _corners", obb_shapes},
    {"abut_frustum_*", frustum_calls},
    {"abut_hull_create", hull_create},
    {"abut_hull_load", hull_load},
    {"abut_hull_overlap, abut_obb_hull_overlap", hull_overlap},
    {"abut_hull_collide, abut_obb_hull_collide", hull_collide},
    {"abut_hull_bounds_*", hull_bounds},
    {"abut_shape_*, abut_pose_between", shape_calls},
    {"abut_hull_face and other getters", hull_getters},
    {"abut_mesh_create_grid, abut_mesh_load", mesh_create},
    {"abut_hull_destroy", hull_destroy},
    {"abut_world_create", world_create},
    {"abut_bodies_create", bodies_create},
    {"abut_body_create", body_create},
    {"abut_body_create", attach},
    {"abut_world_cull", world_cull}, /* before the first step */
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_cast_shapes and its like", casts},
    {"abut_world_sweep", sweeps},
    {"abut_world_draw", world_draw},
    {"abut_world_step", world_step},
    {"abut_world_contacts, abut_world_events", world_contacts},
    {"abut_body_contacts", body_contacts},
    {"abut_world_cull", world_cull}, /* after it, and with changed bodies */
    {"abut_world_cull", world_cull_one},
    {"abut_body_create", mesh_bodies},
    {"abut_bodies_set_poses", set_poses},
    {"abut_world_cull", world_cull},
    {"abut_world_cull", world_cull_one},
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_cast_shapes and its like", casts},
    {"abut_world_sweep", sweeps},
    {"abut_world_draw", world_draw},
    {"abut_world_step", world_step},
    {"abut_body_set_*", set_properties},
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_cast_shapes and its like", casts},
    {"abut_world_sweep", sweeps},
    {"abut_world_step", world_step},
    {"abut_world_step", world_step}, /* nothing changed */
    {"abut_world_step", world_step},
    {"abut_world_step", world_step},
    {"abut_world_contacts, abut_world_events", world_contacts},
    {"abut_body_contacts", body_contacts},
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_cast_shapes and its like", casts},
    {"abut_world_sweep", sweeps},
    {"abut_world_draw", world_draw},
    {"abut_bodies_get_*, abut_world_bodies", get_all},
    {"abut_world_memory", world_memory},
    {"abut_world_hash", world_hash},
    {"abut_world_save, _restore, _refresh", snapshots},
    {"abut_world_validate", world_validate},
    {"abut_bodies_destroy, abut_body_destroy", bodies_destroy},
    {"abut_world_draw", world_draw},
    {"abut_world_step", world_step},
    {"abut_world_destroy", world_destroy},
    {"abut_mesh_destroy", mesh_destroy},
};

_Static_assert(sizeof stack_calls / sizeof *stack_calls == STACK_CALLS, "as the header says");
