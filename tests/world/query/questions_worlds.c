/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_worlds.h"
#include <abut/isa.h>
#include <math.h>
#include <stdlib.h>

/* --- random values --- */

void subject_pick_isa(subject *s) {
    for (int tries = 0; tries < 100; tries++) {
        if (abut_isa_select((abut_isa)rng_below(&s->r, ABUT_ISA_WASM + 1)) == ABUT_OK) {
            return;
        }
    }
    assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
}

static abut_vec3 scaled(abut_vec3 v, double scale) {
    return (abut_vec3){(float)(v.x * scale), (float)(v.y * scale), (float)(v.z * scale)};
}

static double extent_of(world_kind kind) {
    static const double extent[WORLD_KINDS] = {
        [KIND_SPARSE] = 200,   [KIND_DENSE] = 6,  [KIND_CLUSTERS] = 300, [KIND_HUGE] = 40,  [KIND_PLANE] = 60,
        [KIND_LINE] = 400,     [KIND_POINT] = 3,  [KIND_GRID] = 8,       [KIND_MIXED] = 30, [KIND_OUTLIERS] = 12,
        [KIND_COMPOUNDS] = 20, [KIND_HULLS] = 25, [KIND_ROUNDED] = 25,
    };
    return extent[kind];
}

float subject_length(subject *s) {
    double extent = extent_of(s->kind);
    return s->scale * (float)(rng_chance(&s->r, 0.2) ? 1.0 + rng_below(&s->r, 4) : rng_log_range(&s->r, 1e-3, extent));
}

abut_body_id subject_any(subject *s) {
    abut_body_id id = {0};
    for (int tries = 0; tries < 10 && s->id_count > 0; tries++) {
        id = s->id[rng_below(&s->r, (uint32_t)s->id_count)];
        if (abut_body_is_valid(s->world, id) || rng_chance(&s->r, 0.05)) {
            break;
        }
    }
    return id;
}

/* A living body, often the one that changed last: what was not brought up to date shows there. */
static const living *any_read(subject *s) {
    size_t n = rng_chance(&s->r, 0.3) ? s->count : 0;
    for (size_t i = 0; i < n; i++) {
        if (abut_body_id_equal(s->body[i].id, s->recent)) {
            return &s->body[i];
        }
    }
    return s->count ? &s->body[rng_below(&s->r, (uint32_t)s->count)] : NULL;
}

static float grid_number(rng *r, int extent) {
    return (float)((int)rng_below(r, (uint32_t)(4 * extent + 1)) - 2 * extent) * 0.5f;
}

abut_vec3 subject_spot(subject *s) {
    rng *r = &s->r;
    double extent = extent_of(s->kind);
    const living *b = any_read(s);
    uint32_t way = rng_below(r, b ? 6 : 2);
    if (way == 0) { /* anywhere */
        return scaled(rng_vec3(r, -1.2 * extent, 1.2 * extent), s->scale);
    }
    if (way == 1) { /* on a grid: faces, edges and corners of KIND_GRID */
        abut_vec3 v = {grid_number(r, (int)extent), grid_number(r, (int)extent), grid_number(r, (int)extent)};
        return scaled(v, s->scale);
    }
    if (way == 2) {
        return b->pose.position;
    }
    const float *low = &b->bounds.min.x, *high = &b->bounds.max.x;
    abut_vec3 v;
    float *at = &v.x;
    for (int i = 0; i < 3; i++) { /* a corner of its bounds, a point in them, or near by */
        double t = way == 3 ? rng_below(r, 3) * 0.5 : way == 4 ? rng_unit(r) : rng_range(r, -1, 2);
        at[i] = (float)(low[i] + (high[i] - low[i]) * t);
        at[i] = fminf(fmaxf(at[i], -ABUT_MAX_COORDINATE), ABUT_MAX_COORDINATE);
    }
    return v;
}

static void make_round(subject *s, abut_vec3 *half, float *radius) {
    rng *r = &s->r;
    *radius = (float)rng_log_range(r, 0.05, 1.5);
    uint32_t way = rng_below(r, 3);
    *half = way == 0 ? (abut_vec3){0, 0, 0} : way == 1 ? (abut_vec3){0, half->y, 0} : *half;
}

abut_shape subject_shape(subject *s) {
    rng *r = &s->r;
    abut_shape shape = {.half = rng_vec3(r, 0.05, 2)};
    uint32_t way = rng_below(r, 6);
    if (way == 0) {
        return abut_point();
    }
    if (way == 1) {
        shape.hull = s->hull[rng_below(r, SUBJECT_HULLS)];
        shape.radius = rng_chance(r, 0.5) ? 0 : s->scale * 0.25f;
        return shape;
    }
    if (way == 2) {
        shape.half = (abut_vec3){0.5f, 0.5f, 0.5f};
    } else if (way == 3) {
        make_round(s, &shape.half, &shape.radius);
    } else if (way == 4 && rng_chance(r, 0.3)) { /* as large as the world */
        shape.half = scaled(shape.half, extent_of(s->kind));
    } else if (rng_chance(r, 0.3)) {
        shape.half.y = 0;
    }
    shape.half = scaled(shape.half, s->scale);
    shape.radius *= s->scale;
    return shape;
}

abut_pose subject_pose(subject *s) {
    abut_pose pose = {.position = subject_spot(s)};
    if (rng_chance(&s->r, 0.6)) {
        pose.rotation = rng_rotation(&s->r);
    }
    if (rng_chance(&s->r, 0.2)) {
        abut_quat *q = &pose.rotation;
        *q = (abut_quat){q->x * 3, q->y * 3, q->z * 3, q->w * 3};
    }
    return pose;
}

/* --- bodies --- */

static const abut_vec3 far_cube[2] = {{1024, -4096, 512}, {-0x1p14f, 0x1p16f, 0x1p15f}};

static void place(subject *s, world_kind kind, abut_body_def *def) {
    rng *r = &s->r;
    abut_vec3 *at = &def->pose.position;
    *at = rng_vec3(r, -extent_of(kind), extent_of(kind));
    if (kind == KIND_CLUSTERS) {
        rng centres = rng_make(s->stream, rng_below(r, 8));
        abut_vec3 c = rng_vec3(&centres, -300, 300), near = rng_vec3(r, -2, 2);
        *at = (abut_vec3){c.x + near.x, c.y + near.y, c.z + near.z};
    } else if (kind == KIND_PLANE) {
        at->y = 0.5f;
    } else if (kind == KIND_LINE) {
        at->y = at->z = 0;
    } else if (kind == KIND_POINT) {
        *at = (abut_vec3){1.5f, -2, 3};
    } else if (kind == KIND_GRID) {
        *at = (abut_vec3){(float)rng_below(r, 16) - 8, (float)rng_below(r, 16) - 8, (float)rng_below(r, 16) - 8};
    } else if (kind == KIND_OUTLIERS && rng_chance(r, 0.03)) {
        float far = rng_sign(r) * (float)rng_log_range(r, 1e3, 0.99e9);
        (&at->x)[rng_below(r, 3)] = far;
    }
}

/* Places the cube where the body was to be. */
static void place_far_cube(rng *r, abut_vec3 cube, abut_pose *pose) {
    const abut_quat turned[3] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}; /* by half a turn about x or y */
    const float signs[3][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}};
    uint32_t way = rng_below(r, 3);
    pose->rotation = turned[way];
    pose->position.x -= signs[way][0] * cube.x;
    pose->position.y -= signs[way][1] * cube.y;
    pose->position.z -= signs[way][2] * cube.z;
    if (rng_chance(r, 0.5)) { /* hardly turned, so not far from there */
        pose->rotation.w += (float)rng_range(r, -1e-6, 1e-6);
        pose->rotation.z += (float)rng_range(r, -1e-6, 1e-6);
    }
}

static void shape(subject *s, world_kind kind, abut_body_def *def) {
    rng *r = &s->r;
    if (kind == KIND_HUGE && rng_chance(r, 0.01)) {
        def->half = scaled(def->half, rng_log_range(r, 10, 1e5));
    } else if (kind == KIND_GRID || (kind == KIND_POINT && rng_chance(r, 0.7))) {
        def->half = (abut_vec3){0.5f, 0.5f, 0.5f};
        def->pose.rotation = (abut_quat){0, 0, 0, 1};
        if (rng_chance(r, 0.1)) {
            def->half = (abut_vec3){0, 0, 0};
            def->radius = 0.5f;
        }
    } else if (kind == KIND_HULLS || rng_chance(r, 0.1)) {
        uint32_t i = rng_below(r, SUBJECT_HULLS);
        def->hull = s->hull[i];
        def->radius = rng_chance(r, 0.3) ? 0.25f : 0;
        if (i < 2) {
            place_far_cube(r, far_cube[i], &def->pose);
        }
    } else if (kind == KIND_ROUNDED || rng_chance(r, 0.1)) {
        make_round(s, &def->half, &def->radius);
    } else if (kind == KIND_COMPOUNDS || rng_chance(r, 0.05)) {
        def->box = random_pose(r, 1);
    }
}

static abut_body_def random_def(subject *s) {
    rng *r = &s->r;
    world_kind kind = s->kind == KIND_MIXED ? (world_kind)rng_below(r, KIND_MIXED) : s->kind;
    abut_body_def def = random_box(r, 1);
    place(s, kind, &def);
    shape(s, kind, &def);
    def.motion = rng_chance(r, 0.5) ? ABUT_STATIC : ABUT_MOVING;
    def.detail = (abut_detail)rng_below(r, 3);
    def.user = rng_u64(r);
    if (rng_chance(r, 0.2)) {
        def.filter = (abut_filter){UINT64_C(1) << rng_below(r, 4), 15 & rng_u64(r), (int32_t)rng_below(r, 5) - 2};
        def.filter.mask = rng_chance(r, 0.2) ? ABUT_MASK_NONE : def.filter.mask;
    }
    abut_body_id parent = rng_chance(r, kind == KIND_COMPOUNDS ? 0.6 : 0.05) ? subject_any(s) : (abut_body_id){0};
    if (abut_body_is_valid(s->world, parent)) {
        def.parent = parent;
        def.pose = random_pose(r, 2);
    }
    def.pose.position = scaled(def.pose.position, s->scale);
    def.box.position = scaled(def.box.position, s->scale);
    def.half = scaled(def.half, s->scale);
    def.radius *= s->scale;
    return def;
}

static void remember(subject *s, abut_body_id id) {
    size_t kept = 0;
    for (size_t i = 0; i < s->id_count && s->id_count == SUBJECT_MOST; i++) { /* forget the dead */
        s->id[kept] = s->id[i];
        kept += abut_body_is_valid(s->world, s->id[i]);
    }
    s->id_count = s->id_count == SUBJECT_MOST ? kept : s->id_count;
    assert_true(s->id_count < SUBJECT_MOST);
    s->id[s->id_count++] = s->recent = id;
}

void subject_add(subject *s, size_t n) {
    for (size_t i = 0; i < n && abut_world_body_count(s->world) < SUBJECT_MOST; i++) {
        abut_body_def def = random_def(s);
        abut_body_id id;
        if (rng_chance(&s->r, 0.5)) {
            failing_allocator_fail_once(&s->books, 1 + rng_below(&s->r, 12)); /* one of those that growing asks for */
        }
        size_t failed = s->books.failed;
        abut_result result = abut_body_create(s->world, &def, &id);
        failing_allocator_fail_never(&s->books);
        assert_true(result == ABUT_OK || result == ABUT_ERROR_LIMIT || result == ABUT_ERROR_CAPACITY ||
                    (result == ABUT_ERROR_MEMORY && s->books.failed > failed));
        if (result == ABUT_ERROR_MEMORY && rng_chance(&s->r, 0.5)) {
            return;
        }
        if (result == ABUT_OK) {
            remember(s, id);
        }
    }
}

/* --- worlds --- */

static void make_hulls(subject *s) {
    for (int i = 0; i < 2; i++) { /* cubes far from the origins of their frames */
        abut_vec3 corners[8];
        for (int k = 0; k < 8; k++) {
            const abut_vec3 v = far_cube[i];
            corners[k] =
                (abut_vec3){v.x + (k & 1 ? 0.5f : -0.5f), v.y + (k & 2 ? 0.5f : -0.5f), v.z + (k & 4 ? 0.5f : -0.5f)};
            corners[k] = scaled(corners[k], s->scale);
        }
        assert_int_equal(abut_hull_create(corners, 8, NULL, &s->hull[i]), ABUT_OK);
    }
    for (int i = 2; i < SUBJECT_HULLS; i++) {
        abut_vec3 points[20];
        for (int k = 0; k < 20; k++) {
            points[k] = scaled(rng_vec3(&s->r, -1, 1), s->scale);
        }
        assert_int_equal(abut_hull_create(points, 8 + 4 * rng_below(&s->r, 4), NULL, &s->hull[i]), ABUT_OK);
    }
}

void subject_begin(subject *s, world_kind kind, uint64_t stream) {
    static const float scales[8] = {1, 1, 1, 1, 1, 0x1p-40f, 0x1p-80f, 0x1p12f};
    *s = (subject){.kind = kind, .stream = stream, .r = rng_make(test_seed(), stream)};
    s->scale = scales[rng_below(&s->r, 8)];
    abut_world_def def = {.allocator = failing_allocator_of(&s->books)};
    def.contact_margin = rng_chance(&s->r, 0.4) ? 0.3f * s->scale : 0;
    if (rng_chance(&s->r, 0.2)) { /* some bodies are refused, some steps fail */
        def.fixed_capacity = s->fixed = true;
        def.body_capacity = 1500;
        def.pair_capacity = 2000;
    } else if (rng_chance(&s->r, 0.3)) {
        def.body_capacity = 1 + rng_below(&s->r, 2000);
    }
    s->world = make_world(&def);
    s->id = malloc(SUBJECT_MOST * sizeof *s->id);
    s->body = malloc(SUBJECT_MOST * sizeof *s->body);
    assert_true(s->id && s->body);
    make_hulls(s);
}

void subject_end(subject *s) {
    abut_world_destroy(&s->world);
    for (int i = 0; i < SUBJECT_HULLS; i++) {
        abut_hull_destroy(&s->hull[i]);
    }
    free(s->id);
    free(s->body);
    assert_true(failing_allocator_clean(&s->books));
}

void subject_read(subject *s) {
    static abut_body_id id[SUBJECT_MOST];
    s->count = abut_world_bodies(s->world, id, SUBJECT_MOST);
    assert_true(s->count <= SUBJECT_MOST);
    for (size_t i = 0; i < s->count; i++) {
        living *b = &s->body[i];
        b->id = id[i];
        assert_int_equal(abut_body_get_shape(s->world, id[i], &b->shape, &b->pose), ABUT_OK);
        assert_int_equal(abut_body_get_bounds(s->world, id[i], &b->bounds), ABUT_OK);
        assert_int_equal(abut_body_get_filter(s->world, id[i], &b->filter), ABUT_OK);
        assert_int_equal(abut_body_get_user(s->world, id[i], &b->user), ABUT_OK);
        assert_int_equal(abut_body_get_root(s->world, id[i], &b->root), ABUT_OK);
        assert_true(id[i].index1 <= SUBJECT_SLOTS && (i == 0 || id[i - 1].index1 < id[i].index1));
    }
}

/* --- what may happen --- */

static void step(subject *s) {
    abut_result result = abut_world_step(s->world, NULL, NULL);
    assert_true(result == ABUT_OK || result == ABUT_ERROR_CAPACITY);
}

static abut_result move(subject *s, abut_body_id id) {
    rng *r = &s->r;
    abut_body_def def = random_def(s);
    abut_pose now;
    if (abut_body_get_pose(s->world, id, &now) != ABUT_OK) {
        return ABUT_ERROR_HANDLE;
    }
    s->recent = id;
    uint32_t way = rng_below(r, 5);
    if (way == 0) { /* a little */
        (&now.position.x)[rng_below(r, 3)] += s->scale * (float)rng_range(r, -0.1, 0.1);
    } else if (way == 1) { /* on the spot */
        now.rotation = rng_rotation(r);
    } else if (way == 2 && s->scale <= 1 && rng_chance(r, 0.1)) { /* far away */
        (&now.position.x)[rng_below(r, 3)] = rng_sign(r) * s->scale * (float)rng_log_range(r, 1e2, 0.9e9);
    } else if (way != 2) {
        now.position = def.pose.position;
    }
    abut_result result = abut_body_set_pose(s->world, id, &now);
    assert_true(result == ABUT_OK || result == ABUT_ERROR_LIMIT);
    return result;
}

bool subject_move_one(subject *s) {
    return move(s, subject_any(s)) == ABUT_OK;
}

static void move_share(subject *s, double share) {
    for (size_t i = 0; i < s->id_count; i++) {
        if (rng_chance(&s->r, share)) {
            (void)move(s, s->id[i]);
        }
    }
}

void subject_thin(subject *s, double share) {
    for (size_t i = 0; i < s->id_count; i++) {
        if (rng_chance(&s->r, share)) {
            (void)abut_body_destroy(s->world, s->id[i]);
        }
    }
}

static void change(subject *s, abut_body_id id) {
    abut_body_def def = random_def(s);
    const abut_shape other = {.half = def.half, .hull = def.hull, .radius = def.radius};
    abut_result result;
    s->recent = id;
    switch (rng_below(&s->r, 5)) {
    case 0:
        result = abut_body_set_filter(s->world, id, &def.filter);
        break;
    case 1:
        result = abut_body_set_motion(s->world, id, def.motion);
        break;
    case 2:
        result = abut_body_set_user(s->world, id, def.user);
        break;
    default:
        result = abut_body_set_shape(s->world, id, &other, rng_chance(&s->r, 0.5) ? &def.box : NULL);
        break;
    }
    (void)result; /* of a dead body, an attached one, at the limit of coordinates or of capacity it is an error */
}

/* Calls that change nothing. */
static void fail_calls(subject *s) {
    abut_body_id ids[3] = {subject_any(s), subject_any(s), id_of(77777, 3)};
    abut_pose poses[3] = {subject_pose(s), subject_pose(s), subject_pose(s)};
    uint64_t hash = abut_world_hash(s->world);
    assert_int_equal(abut_bodies_set_poses(s->world, ids, poses, 3), ABUT_ERROR_HANDLE);
    poses[0].position.x = NAN;
    assert_true(abut_body_set_pose(s->world, ids[0], &poses[0]) != ABUT_OK);
    poses[0].position.x = 2e9f;
    abut_body_id parent;
    bool root = abut_body_get_parent(s->world, ids[0], &parent) == ABUT_OK && parent.index1 == 0;
    assert_true(abut_body_set_pose(s->world, ids[0], &poses[0]) != ABUT_OK || !root);
    abut_body_def defs[2] = {random_def(s), random_def(s)};
    defs[1].half.x = -1;
    defs[1].hull = NULL;
    assert_true(abut_bodies_create(s->world, defs, 2, ids) != ABUT_OK);
    assert_true(abut_bodies_destroy(s->world, &(abut_body_id){99999, 1}, 1) != ABUT_OK);
    assert_int_equal(abut_world_hash(s->world), hash);
    failing_allocator_fail_from(&s->books, 1);
    size_t before = abut_world_body_count(s->world);
    subject_thin(s, 0.002);
    abut_body_def def = random_def(s);
    abut_body_id id;
    if (before < SUBJECT_MOST && abut_body_create(s->world, &def, &id) == ABUT_OK) {
        remember(s, id);
    }
    (void)abut_world_step(s->world, NULL, NULL);
    failing_allocator_fail_never(&s->books);
    assert_true(abut_world_body_count(s->world) <= before + 1);
}

/* Many bodies in one call, some of them twice, parents and children in any order. */
static void move_batch(subject *s) {
    enum { MOST = 300 };
    static abut_body_id ids[MOST];
    static abut_pose poses[MOST];
    size_t n = 0;
    for (uint32_t i = rng_below(&s->r, MOST); i > 0; i--) {
        ids[n] = subject_any(s);
        poses[n] = random_def(s).pose;
        n += abut_body_is_valid(s->world, ids[n]);
    }
    abut_result result = abut_bodies_set_poses(s->world, ids, poses, n);
    assert_true(result == ABUT_OK || result == ABUT_ERROR_LIMIT);
}

/* All or none. Some of what is destroyed comes with its parent, too. */
static void replace_batch(subject *s) {
    enum { MOST = 100 };
    abut_body_id ids[MOST];
    abut_body_def defs[MOST];
    size_t n = 0;
    for (uint32_t i = rng_below(&s->r, MOST); i > 0; i--) {
        ids[n] = subject_any(s);
        n += abut_body_is_valid(s->world, ids[n]);
    }
    assert_int_equal(abut_bodies_destroy(s->world, ids, n), ABUT_OK);
    for (size_t i = 0; i < n; i++) {
        defs[i] = random_def(s);
    }
    bool room = abut_world_body_count(s->world) + n < SUBJECT_MOST;
    if (room && abut_bodies_create(s->world, defs, n, ids) == ABUT_OK) {
        for (size_t i = 0; i < n; i++) {
            remember(s, ids[i]);
        }
    }
}

/* Other functions that bring up to date what questions walk. */
static void look(subject *s) {
    abut_frustum frustum;
    abut_visible visible[16];
    abut_placement placement;
    abut_vec3 at = subject_spot(s);
    const abut_obb box = {at, {0, 0, 0, 1}, {9 * s->scale, 9 * s->scale, 9 * s->scale}};
    const abut_obb2 candidate = {.center = {at.x, at.z}, .axis = {1, 0}, .half = {s->scale, s->scale}};
    if (abut_frustum_orthographic(&box, &frustum) == ABUT_OK) {
        (void)abut_world_cull(s->world, &frustum, 1, NULL, visible, 16);
    }
    (void)abut_world_test_placements(s->world, &candidate, 1, NULL, &placement);
}

void subject_stir(subject *s) {
    rng *r = &s->r;
    abut_result result;
    switch (rng_below(r, 17)) {
    case 11:
        move_batch(s);
        break;
    case 12:
        replace_batch(s);
        break;
    case 13:
        look(s);
        break;
    case 0:
        (void)abut_body_destroy(s->world, subject_any(s));
        break;
    case 1:
        subject_add(s, 1);
        break;
    case 2:
        subject_add(s, rng_below(r, 200));
        break;
    case 3:
        move_share(s, rng_chance(r, 0.3) ? 1 : 0.05);
        break;
    case 4:
        subject_thin(s, rng_chance(r, 0.1) ? 1 : rng_unit(r) * rng_unit(r) * 0.5);
        break;
    case 5:
    case 6:
        change(s, subject_any(s));
        break;
    case 7:
        fail_calls(s);
        break;
    case 8:
        result = abut_world_refresh(s->world);
        assert_true(result == ABUT_OK);
        break;
    case 9:
    case 10: /* after several steps bodies rest */
        for (uint32_t i = rng_below(r, rng_chance(r, 0.2) ? 20 : 5); i > 0; i--) {
            step(s);
            move_share(s, i > 1 && rng_chance(r, 0.5) ? 0.01 : 0);
        }
        break;
    default:
        (void)subject_move_one(s);
        break;
    }
}
