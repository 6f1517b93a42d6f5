/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How much stack each public call uses: none may need more than a thread with 128 KB has. Each call runs in a thread
 * whose stack was filled with one value, and the bytes that no longer have it are counted. Worlds of several kinds take
 * the different ways through the library: boxes that touch exactly, hulls, huge boxes among small ones, all in one
 * place; with many bodies that changed since the step, and with none.
 *
 *     ABUT_TEST_STACK_TABLE=1 build-release/tests/test-world-stack      prints a table; tools/stack.sh adds what each
 * function takes */

#define _POSIX_C_SOURCE 200809L /* pthread_attr_setstack */
#include "support/test.h"

#ifdef ABUT_TEST_THREADS

#  include "scenes.h"
#  include "support/rng.h"
#  include <abut/abut.h>
#  include <math.h>
#  include <pthread.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>

enum {
    LIMIT = 128 * 1024,
    STACK = 1024 * 1024, /* more than the limit, so that a call beyond it is counted, not a crash */
    ALIGNMENT = 64 * 1024,
    PAINT = 0xA5,
    BODIES = 700,
    VIEWS = 32,
    POINTS = 500,
    BATCH = 300,
};

/* What the calls work on. Results are not judged here: other tests do that. */
typedef struct subject {
    scene scene;
    abut_world *world;
    abut_body_id ids[BODIES];
    abut_frustum frusta[VIEWS];
    abut_visible visible[BODIES * 2];
    uint32_t indices[BODIES * 2];
    abut_obb2 candidates[BATCH];
    abut_placement placements[BATCH];
    abut_vec3 points[POINTS];
    abut_hull *hull, *copy;
    abut_mesh *mesh, *mesh_copy;
    abut_obb boxes[BATCH], other_boxes[BATCH];
    abut_pose poses[BODIES];
    abut_aabb bounds[BODIES];
    uint8_t overlap[BATCH];
    abut_manifold manifold;
    abut_step_report report;
    abut_body_id found[BODIES];
    abut_touching touching[BODIES];
    abut_near near[50];
    size_t sink;
} subject;

/* --- the calls --- */

static void world_create(subject *s) {
    (void)abut_world_create(NULL, &s->world);
}

static void bodies_create(subject *s) {
    (void)abut_bodies_create(s->world, s->scene.defs, s->scene.count, s->ids);
}

static void body_create(subject *s) {
    abut_body_id id;
    (void)abut_body_create(s->world, &s->scene.defs[0], &id);
    (void)abut_body_destroy(s->world, id);
}

static void attach(subject *s) {
    abut_body_def def = s->scene.defs[0];
    def.parent = s->ids[0];
    for (int k = 0; k < 3; k++) {
        abut_body_id id;
        (void)abut_body_create(s->world, &def, &id);
        def.parent = id;
    }
}

/* A terrain through the middle of the scene. */
static void mesh_create(subject *s) {
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

static void mesh_bodies(subject *s) {
    const abut_aabb bounds = abut_mesh_bounds(s->mesh);
    abut_body_def def = {.mesh = s->mesh, .motion = ABUT_STATIC};
    abut_body_id id;
    def.pose.position = (abut_vec3){-bounds.max.x / 2, s->scene.poses[0].position.y, -bounds.max.z / 2};
    (void)abut_body_create(s->world, &def, &id);
}

static void mesh_destroy(subject *s) {
    abut_mesh_destroy(&s->mesh);
    abut_mesh_destroy(&s->mesh_copy);
}

static void set_poses(subject *s) {
    scene_advance(&s->scene);
    (void)abut_bodies_set_poses(s->world, s->ids, s->scene.poses, s->scene.mover_count);
}

static void set_properties(subject *s) {
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

static void get_all(subject *s) {
    (void)abut_bodies_get_poses(s->world, s->ids, s->poses, s->scene.count);
    (void)abut_bodies_get_world_poses(s->world, s->ids, s->poses, s->scene.count);
    (void)abut_bodies_get_bounds(s->world, s->ids, s->bounds, s->scene.count);
    s->sink += abut_world_bodies(s->world, NULL, 0);
}

static void listen(const abut_contact *contact, void *user) {
    (void)contact, (void)user;
}

static void world_step(subject *s) {
    const abut_listener listener = {.begin = listen, .persist = listen, .end = listen};
    (void)abut_world_step(s->world, &listener, &s->report);
}

static void body_contacts(subject *s) {
    s->sink += abut_body_contacts(s->world, s->ids[0], s->indices, BODIES);
}

static void world_contacts(subject *s) {
    size_t n;
    s->sink += abut_world_contacts(s->world, &n) != NULL;
    s->sink += abut_world_events(s->world, &n) != NULL;
}

static void world_cull(subject *s) {
    s->sink += abut_world_cull(s->world, s->frusta, VIEWS, NULL, s->visible, BODIES * 2);
}

static void world_cull_one(subject *s) {
    s->sink += abut_world_cull(s->world, s->frusta, 1, NULL, s->visible, BODIES * 2);
}

static void placements(subject *s) {
    const abut_placement_rules rules = {.ignore = s->ids, .ignore_count = 5};
    (void)abut_world_test_placements(s->world, s->candidates, BATCH, &rules, s->placements);
    (void)abut_world_test_placements(s->world, s->candidates, BATCH, NULL, s->placements);
}

static void questions_of_shapes(subject *s) {
    const abut_query query = {.ignore = s->ids, .ignore_count = BODIES / 2, .filter.mask = 1};
    const abut_shape shapes[3] = {abut_box(100, 100, 100), abut_convex(s->hull, 1), abut_sphere(50)};
    const abut_pose poses[3] = {s->poses[0], {{0, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f}}, {{0, 0, 0}, {0, 0, 0, 1}}};
    const abut_aabb box = {{-1000, -1000, -1000}, {1000, 1000, 1000}};
    size_t ends[3];
    (void)abut_world_overlaps_many(s->world, shapes, poses, 3, NULL, s->found, BODIES, ends);
    for (int k = 0; k < 3; k++) {
        s->sink += abut_world_overlaps(s->world, &shapes[k], &poses[k], &query, s->found, BODIES);
        s->sink += abut_world_collide(s->world, &shapes[k], &poses[k], (float)k, NULL, s->touching, BODIES / 2);
        s->sink += abut_world_nearest(s->world, &shapes[k], &poses[k], INFINITY, NULL, s->near, 50);
    }
    s->sink += abut_world_in_bounds(s->world, &box, NULL, s->found, BODIES);
    s->sink += abut_world_in_bounds(s->world, &box, &query, s->found, BODIES);
}

static void questions_of_rays(subject *s) {
    enum { RAYS = 40 };
    const abut_query query = {.ignore = s->ids, .ignore_count = BODIES / 2, .filter.mask = 1};
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

static void draw_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)from, (void)to, (void)item, (void)user;
}

static void draw_point(abut_vec3 position, const abut_draw_item *item, void *user) {
    (void)position, (void)item, (void)user;
}

static void world_draw(subject *s) {
    const abut_draw draw = {
        .line = draw_line, .point = draw_point, .kinds = 31, .frusta = s->frusta, .frustum_count = VIEWS};
    (void)abut_world_draw(s->world, &draw);
}

static void world_hash(subject *s) {
    s->sink += (size_t)abut_world_hash(s->world);
}

static void world_validate(subject *s) {
    (void)abut_world_validate(s->world);
}

static void world_memory(subject *s) {
    size_t in_use, reserved;
    abut_world_memory(s->world, &in_use, &reserved);
}

static void bodies_destroy(subject *s) {
    (void)abut_bodies_destroy(s->world, s->ids + 50, s->scene.count - 50);
    (void)abut_body_destroy(s->world, s->ids[0]); /* with what is attached */
}

static void world_destroy(subject *s) {
    abut_world_destroy(&s->world);
}

static void hull_create(subject *s) {
    (void)abut_hull_create(s->points, POINTS, NULL, &s->hull);
}

static void hull_load(subject *s) {
    size_t size;
    const void *data = abut_hull_data(s->hull, &size);
    (void)abut_hull_load(data, size, NULL, &s->copy);
}

static void hull_getters(subject *s) {
    uint32_t vertices[64];
    float plane[4];
    s->sink += abut_hull_face(s->hull, 0, vertices, 64, plane) + abut_hull_edge_count(s->hull);
    s->sink += abut_hull_volume(s->hull) > 0 && abut_hull_obb(s->hull).half.x > abut_hull_centroid(s->hull).x;
}

static void hull_bounds(subject *s) {
    s->bounds[0] = abut_hull_bounds_fast(s->hull, &s->scene.poses[0]);
    s->bounds[1] = abut_hull_bounds_tight(s->hull, &s->scene.poses[0]);
}

static abut_pose pose_of(const abut_obb *box) {
    return (abut_pose){box->center, box->rotation};
}

static void hull_overlap(subject *s) {
    for (int i = 0; i < BATCH; i++) {
        abut_pose a = pose_of(&s->boxes[i]), b = pose_of(&s->other_boxes[i]);
        s->sink += abut_hull_overlap(s->hull, &a, s->copy, &b) + abut_obb_hull_overlap(&s->boxes[i], s->hull, &b);
    }
}

static void hull_collide(subject *s) {
    for (int i = 0; i < BATCH; i++) {
        abut_pose a = pose_of(&s->boxes[i]), b = pose_of(&s->other_boxes[i]);
        s->sink += abut_hull_collide(s->hull, &a, s->copy, &b, 0.01f, &s->manifold);
        s->sink += abut_obb_hull_collide(&s->boxes[i], s->hull, &b, 0.01f, &s->manifold);
    }
}

/* Every core with every other, with and without a radius, touching and apart. */
static void shape_calls(subject *s) {
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
        }
    }
}

static void hull_destroy(subject *s) {
    abut_hull_destroy(&s->hull);
    abut_hull_destroy(&s->copy);
}

static void obb_overlap(subject *s) {
    for (int i = 0; i < BATCH; i++) {
        s->sink += abut_obb_overlap(&s->boxes[i], &s->other_boxes[i]);
        s->sink += abut_obb2_overlap(&s->candidates[i], &s->candidates[BATCH - 1 - i], ABUT_TOUCH_IS_FREE);
    }
}

static void obb_overlap_many(subject *s) {
    s->sink += abut_obb_overlap_many(s->boxes, s->other_boxes, BATCH, s->overlap);
}

static void obb_collide(subject *s) {
    for (int i = 0; i < BATCH; i++) {
        s->sink += abut_obb_collide(&s->boxes[i], &s->other_boxes[i], 0.01f, &s->manifold);
    }
}

static void obb_shapes(subject *s) {
    const float model[16] = {1, 0.5f, 0, 0, 0, 1, 0.25f, 0, 0.5f, 0, 1, 0, 3, 4, 5, 1};
    const abut_aabb local = {{-1, -1, -1}, {1, 1, 2}};
    abut_obb box;
    abut_vec3 corners[8];
    (void)abut_obb_from_matrix(model, &local, &box);
    (void)abut_obb_fit(s->points, POINTS, &box);
    s->bounds[0] = abut_obb_bounds(&box);
    abut_obb_corners(&box, corners);
}

static void frustum_calls(subject *s) {
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.2f, -1, 0, 0, -2.2f, 0};
    (void)abut_frustum_from_matrix(matrix, ABUT_CLIP_ZERO_TO_ONE, &s->frusta[0]);
    (void)abut_frustum_camera(&s->scene.poses[0], 0.5f, 0.4f, 0.1f, 0, &s->frusta[1]);
    (void)abut_frustum_orthographic(&s->boxes[0], &s->frusta[2]);
    for (int i = 0; i < BATCH; i++) {
        s->sink += abut_frustum_test_obb(&s->frusta[0], &s->boxes[i]);
    }
    s->sink += abut_frustum_cull_obbs(&s->frusta[0], s->boxes, BATCH, s->indices);
}

static void isa_calls(subject *s) {
    s->sink += abut_isa_active();
}

static void nothing(subject *s) {
    s->sink++;
}

/* In the order of a world's life; a call may stand at several moments of it. */
static const struct call {
    const char *name;
    void (*run)(subject *s);
} CALLS[] = {
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
    {"abut_world_draw", world_draw},
    {"abut_world_step", world_step},
    {"abut_body_set_*", set_properties},
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_step", world_step},
    {"abut_world_step", world_step}, /* nothing changed */
    {"abut_world_step", world_step},
    {"abut_world_step", world_step},
    {"abut_world_contacts, abut_world_events", world_contacts},
    {"abut_body_contacts", body_contacts},
    {"abut_world_test_placements", placements},
    {"abut_world_overlaps and its like", questions_of_shapes},
    {"abut_world_cast_rays and its like", questions_of_rays},
    {"abut_world_draw", world_draw},
    {"abut_bodies_get_*, abut_world_bodies", get_all},
    {"abut_world_memory", world_memory},
    {"abut_world_hash", world_hash},
    {"abut_world_validate", world_validate},
    {"abut_bodies_destroy, abut_body_destroy", bodies_destroy},
    {"abut_world_draw", world_draw},
    {"abut_world_step", world_step},
    {"abut_world_destroy", world_destroy},
    {"abut_mesh_destroy", mesh_destroy},
};

enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS };

/* --- a thread with a painted stack --- */

typedef struct job {
    const struct call *call;
    subject *subject;
} job;

static void *run_job(void *user) {
    job *j = user;
    j->call->run(j->subject);
    return NULL;
}

/* The bytes of stack that the thread used, its own start and end included. */
static size_t stack_of(const struct call *call, subject *s) {
    static unsigned char *stack;
    if (!stack) {
        stack = aligned_alloc(ALIGNMENT, STACK);
        assert_non_null(stack);
    }
    memset(stack, PAINT, STACK);
    job j = {call, s};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_job, &j), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    size_t untouched = 0;
    while (untouched < STACK && stack[untouched] == PAINT) {
        untouched++;
    }
    return STACK - untouched;
}

/* --- lives of worlds --- */

static void prepare(subject *s, scene_kind kind, size_t n) {
    *s = (subject){0};
    rng r = rng_make(test_seed(), (uint64_t)kind);
    assert_true(scene_create(&s->scene, kind, n, test_seed()));
    for (int v = 0; v < VIEWS; v++) {
        const abut_obb box = {s->scene.poses[v % (int)n].position, {0.1f, 0.2f, 0.3f, 0.9f}, {6, 5, 4}};
        assert_int_equal(abut_frustum_orthographic(&box, &s->frusta[v]), ABUT_OK);
    }
    for (int i = 0; i < POINTS; i++) {
        abut_vec3 p = rng_vec3(&r, -1, 1);
        s->points[i] = i % 3 == 0 ? (abut_vec3){(float)(i % 5), (float)(i / 5 % 5), (float)(i / 25 % 5)} : p;
    }
    for (int i = 0; i < BATCH; i++) {
        abut_vec3 at = s->scene.poses[i % (int)n].position;
        s->candidates[i] = (abut_obb2){.center = {at.x, at.z}, .axis = {1, 0.5f}, .half = {2, 1}};
        s->boxes[i] = (abut_obb){rng_vec3(&r, -1, 1), {0, 0, 0, 1}, {1, 1, 0.5f}};
        s->other_boxes[i] = (abut_obb){{s->boxes[i].center.x + 2, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}; /* touches exactly */
        if (i % 2 == 0) {
            s->other_boxes[i] = (abut_obb){rng_vec3(&r, -2, 2), {0.3f, rng_vec3(&r, -1, 1).x, 0.2f, 0.5f}, {1, 1, 1}};
        }
    }
}

static void live(scene_kind kind, size_t n, size_t used[CALL_COUNT]) {
    static subject s;
    prepare(&s, kind, n);
    for (size_t i = 0; i < CALL_COUNT; i++) {
        size_t bytes = stack_of(&CALLS[i], &s);
        used[i] = bytes > used[i] ? bytes : used[i];
    }
    assert_true(s.report.bodies > 0);
    scene_destroy(&s.scene);
}

/* The most that calls of this name used at any moment. */
static size_t most_of(const char *name, const size_t used[CALL_COUNT]) {
    size_t most = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        most = strcmp(CALLS[i].name, name) == 0 && used[i] > most ? used[i] : most;
    }
    return most;
}

static void print_table(const size_t used[CALL_COUNT]) {
    puts("| call | bytes of stack |\n|---|---|");
    for (size_t i = 0; i < CALL_COUNT; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++) {
            again = again || strcmp(CALLS[k].name, CALLS[i].name) == 0;
        }
        if (!again) {
            printf("| `%s` | %zu |\n", CALLS[i].name, most_of(CALLS[i].name, used) - used[0]);
        }
    }
}

static void calls_fit_a_stack_of_128_kb(void **state) {
    (void)state;
    if (test_sanitized()) {
        skip(); /* frames are several times larger there */
    }
    static const struct {
        scene_kind kind;
        size_t bodies;
    } lives[] = {{SCENE_TUMBLING, BODIES}, {SCENE_HULLS, BODIES}, {SCENE_LATTICE, BODIES}, {SCENE_MIXED, BODIES},
                 {SCENE_FLAT, BODIES},     {SCENE_CITY, BODIES},  {SCENE_COINCIDENT, 60}};
    size_t used[CALL_COUNT] = {0};
    abut_isa best = abut_isa_active();
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        for (size_t k = 0; k < sizeof lives / sizeof *lives; k++) {
            live(lives[k].kind, lives[k].bodies, used);
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    size_t worst = 0;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        worst = used[i] > used[worst] ? i : worst;
    }
    printf("[stack] at most %zu bytes, in %s\n", used[worst], CALLS[worst].name);
    if (getenv("ABUT_TEST_STACK_TABLE")) {
        print_table(used);
    }
    assert_true(used[worst] <= LIMIT);
}

#else

static void calls_fit_a_stack_of_128_kb(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_fit_a_stack_of_128_kb)};
    return test_run(tests);
}
