/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The API as a state machine: any calls in any order, good and bad. After each the world is valid, and a call that
 * failed has changed nothing. After each step the contacts are those that a fresh world finds, and each pair touches.
 */
#include "fuzz/shapes.h"

enum { MOST = 40 };

typedef struct game {
    input in;
    abut_world *world;
    float margin;
    const fuzz_shapes *shapes;
    abut_body_id body[MOST];
} game;

/* A body of the list, which may be dead, or an id that never was one. */
static abut_body_id take_id(game *g) {
    const uint8_t byte = take_u8(&g->in);
    const abut_body_id made_up = {byte == 255 ? take_u8(&g->in) : 0, byte % 3};
    return byte == 255 ? made_up : g->body[byte % MOST];
}

static abut_shape take_shape(game *g) {
    const uint8_t kind = take_u8(&g->in);
    abut_shape shape = {.half = take_vec3(&g->in)};
    switch (kind % 8) {
    case 0:
        return (abut_shape){.radius = shape.half.x};
    case 1:
        return (abut_shape){.half = {0, shape.half.y, 0}, .radius = shape.half.x};
    case 2:
        shape.radius = take_number(&g->in);
        return shape;
    case 3:
        return abut_convex(g->shapes->hull[kind / 8 % FUZZ_HULLS], 0);
    case 4:
        return abut_convex(g->shapes->hull[kind / 8 % FUZZ_HULLS], take_number(&g->in));
    case 5:
        return (abut_shape){.mesh = g->shapes->mesh[kind / 8 % FUZZ_MESHES]};
    default:
        return shape;
    }
}

static abut_filter take_filter(game *g) {
    const uint8_t kind = take_u8(&g->in);
    abut_filter filter = {.category = kind & 1 ? UINT64_C(1) << kind / 4 : 0};
    filter.mask = kind & 2 ? take_u8(&g->in) : 0;
    filter.group = kind & 16 ? (int8_t)take_u8(&g->in) % 4 : 0;
    return filter;
}

static abut_result create(game *g) {
    const abut_shape shape = take_shape(g);
    const uint8_t kind = take_u8(&g->in);
    const abut_pose pose = take_pose(&g->in);
    abut_body_def def = {.pose = pose,
                         .half = shape.half,
                         .hull = shape.hull,
                         .mesh = shape.mesh,
                         .radius = shape.radius,
                         .motion = (abut_motion)(kind & 1),
                         .detail = (abut_detail)(kind / 2 % 4),
                         .user = kind};
    def.filter = kind & 16 ? take_filter(g) : (abut_filter){0};
    def.parent = kind & 32 ? take_id(g) : (abut_body_id){0, 0};
    def.box.rotation = (abut_quat){0, 0, 0, 1};
    def.box = kind & 64 ? take_pose(&g->in) : def.box;
    return abut_body_create(g->world, &def, &g->body[take_u8(&g->in) % MOST]);
}

static abut_result move_some(game *g) {
    abut_body_id id[8];
    abut_pose pose[8];
    const size_t n = take_u8(&g->in) % 9;
    for (size_t i = 0; i < n; i++) {
        id[i] = take_id(g);
        pose[i] = take_pose(&g->in);
    }
    return abut_bodies_set_poses(g->world, id, pose, n);
}

static abut_result sweep_some(game *g) {
    abut_body_id id[4];
    abut_pose to[4];
    abut_hit hit[4];
    const size_t n = take_u8(&g->in) % 5;
    for (size_t i = 0; i < n; i++) {
        id[i] = take_id(g);
        to[i] = take_pose(&g->in);
    }
    abut_query query = {.initial = (abut_initial)(take_u8(&g->in) % 4)};
    query.allowance = take_number(&g->in);
    return abut_world_sweep(g->world, id, to, n, &query, hit);
}

static void ask(game *g) {
    abut_hit hit[4];
    abut_near near[4];
    abut_touching touching[4];
    abut_body_id found[4];
    abut_visible visible[4];
    const abut_shape shape = take_shape(g);
    const abut_pose pose = take_pose(&g->in);
    abut_query query = {.filter = take_filter(g)};
    query.initial = (abut_initial)(take_u8(&g->in) % 4);
    query.allowance = take_number(&g->in);
    query.every_part = take_u8(&g->in) % 2;
    abut_ray ray = {.origin = take_vec3(&g->in)};
    ray.translation = take_vec3(&g->in);
    const abut_cast cast = {.shape = shape, .from = pose, .translation = take_vec3(&g->in)};
    const size_t hits = abut_world_ray_hits(g->world, &ray, &query, hit, 4);
    fuzz_check(hits == 0 || (hit[0].fraction >= 0 && hit[0].fraction <= 1));
    (void)abut_world_shape_hits(g->world, &cast, &query, hit, 4);
    const float margin = take_number(&g->in);
    const size_t near_count = abut_world_nearest(g->world, &shape, &pose, margin, &query, near, 4);
    fuzz_check(near_count == 0 || near[0].distance <= margin);
    (void)abut_world_overlaps(g->world, &shape, &pose, &query, found, 4);
    (void)abut_world_collide(g->world, &shape, &pose, margin, &query, touching, 4);
    abut_frustum frustum;
    if (abut_frustum_camera(&pose, 1, 0.5f, 0.5f, fabsf(margin) + 1, &frustum) == ABUT_OK) {
        (void)abut_world_cull(g->world, &frustum, 1, &query.filter, visible, 4);
    }
    const abut_obb2 place = {{pose.position.x, pose.position.z}, {1, shape.half.x}, {shape.half.y, shape.half.z}};
    abut_placement placement;
    (void)abut_world_test_placements(g->world, &place, 1, NULL, &placement);
}

static void check_contacts(const game *g) {
    size_t n;
    const abut_contact *c = abut_world_contacts(g->world, &n);
    for (size_t i = 0; i < n; i++) {
        abut_shape a, b;
        abut_pose pose_a, pose_b;
        fuzz_check(abut_body_get_shape(g->world, c[i].a, &a, &pose_a) == ABUT_OK);
        fuzz_check(abut_body_get_shape(g->world, c[i].b, &b, &pose_b) == ABUT_OK);
        abut_detail detail_a = ABUT_DETAIL_MANIFOLD, detail_b = ABUT_DETAIL_MANIFOLD;
        (void)abut_body_get_detail(g->world, c[i].a, &detail_a);
        (void)abut_body_get_detail(g->world, c[i].b, &detail_b);
        const bool by_shape = detail_a != ABUT_DETAIL_BOUNDS && detail_b != ABUT_DETAIL_BOUNDS;
        const bool with_margin = detail_a == ABUT_DETAIL_MANIFOLD && detail_b == ABUT_DETAIL_MANIFOLD;
        abut_manifold m;
        fuzz_check(!by_shape || a.mesh || b.mesh ||
                   (with_margin ? abut_shape_collide(&a, &pose_a, &b, &pose_b, g->margin, &m)
                                : abut_shape_overlap(&a, &pose_a, &b, &pose_b)));
    }
}

/* A world of the same bytes steps beside it, without anything that the other one remembers. */
static void step(game *g) {
    const size_t size = abut_world_save(g->world, NULL, 0);
    void *bytes = malloc(size);
    abut_world *fresh;
    fuzz_check(bytes && abut_world_save(g->world, bytes, size) == size);
    fuzz_check(abut_world_create(NULL, &fresh) == ABUT_OK);
    const abut_shape_finder finder = fuzz_finder();
    fuzz_check(abut_world_restore(fresh, bytes, size, &finder) == ABUT_OK);
    fuzz_check(abut_world_hash(fresh) == abut_world_hash(g->world));
    fuzz_check(abut_world_step(fresh, NULL, NULL) == ABUT_OK);
    fuzz_check(abut_world_step(g->world, NULL, NULL) == ABUT_OK);
    size_t n, m;
    const abut_contact *a = abut_world_contacts(g->world, &n), *b = abut_world_contacts(fresh, &m);
    fuzz_check(n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0));
    check_contacts(g);
    abut_world_destroy(&fresh);
    free(bytes);
}

/* To a moment before, and on from there as if nothing had been. */
static void roll_back(game *g) {
    const size_t size = abut_world_save(g->world, NULL, 0);
    void *bytes = malloc(size);
    const uint64_t hash = abut_world_hash(g->world);
    fuzz_check(bytes && abut_world_save(g->world, bytes, size) == size);
    (void)move_some(g);
    step(g);
    fuzz_check(abut_world_restore(g->world, bytes, size, NULL) == ABUT_OK);
    fuzz_check(abut_world_hash(g->world) == hash);
    free(bytes);
}

static abut_result act(game *g, uint8_t action) {
    switch (action % 16) {
    default:
        return create(g);
    case 4:
        return abut_body_destroy(g->world, take_id(g));
    case 5:
        return move_some(g);
    case 6: {
        const abut_filter filter = take_filter(g);
        return abut_body_set_filter(g->world, take_id(g), &filter);
    }
    case 7:
        return abut_body_set_motion(g->world, take_id(g), (abut_motion)(take_u8(&g->in) % 3));
    case 8:
        return abut_body_set_detail(g->world, take_id(g), (abut_detail)(take_u8(&g->in) % 5));
    case 9: {
        const abut_shape shape = take_shape(g);
        const abut_pose box = take_pose(&g->in);
        return abut_body_set_shape(g->world, take_id(g), &shape, take_u8(&g->in) % 2 ? &box : NULL);
    }
    case 10:
        return abut_world_shift(g->world, take_vec3(&g->in));
    case 11:
        return sweep_some(g);
    case 12:
        ask(g);
        return ABUT_ERROR_ARGUMENT; /* has changed nothing */
    case 13:
        roll_back(g);
        return ABUT_ERROR_ARGUMENT;
    case 14:
    case 15:
        step(g);
        return ABUT_OK;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    game g = {.in = {data, size < 1024 ? size : 1024}, .shapes = fuzz_shapes_get()};
    const uint8_t kind = take_u8(&g.in);
    g.margin = kind & 1 ? 0.125f : 0;
    const abut_world_def def = {.contact_margin = g.margin, .up = {0, kind & 2 ? -1.0f : 0, 0}};
    fuzz_check(abut_world_create(&def, &g.world) == ABUT_OK);
    while (g.in.size > 0) {
        const uint64_t before = abut_world_hash(g.world);
        const abut_result result = act(&g, take_u8(&g.in));
        fuzz_check(result == ABUT_OK || abut_world_hash(g.world) == before);
        fuzz_check(abut_world_validate(g.world) == ABUT_OK);
    }
    abut_world_destroy(&g.world);
    return 0;
}
