/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bodies visible in a world of all shapes, at every moment of its life. The oracle tests each body and frustum by
 * itself; it reads the world's colliders, so that its boxes have the same bits. */

#include "culling/culling.h"
#include "shape/shape.h"
#include "support/failing_allocator.h"
#include "world/world.h"
#include "world/world_test.h"
#include <abut/cull.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 700, VIEWS = 32, HULLS = 3 };

/* Where bodies are. */
typedef enum family { SCATTERED, COINCIDENT, HUGE_AND_TINY, CLUSTERS, STREETS, FAMILIES } family;

typedef struct life {
    abut_world *world;
    failing_allocator books;
    rng r;
    uint64_t stream;
    unsigned long round;
    family kind;
    double extent;
    abut_hull *hull[HULLS];
    uint32_t hulls; /* of them in use */
    double rounded; /* the share of rounded bodies */
    size_t visible, inside, failures, resting, asked;
    size_t without, complete,
        partial; /* calls that had to update the tree; with one of living bodies alone, and with another */
    size_t seen_rounded, by_radius; /* rounded bodies that are visible, and those whose core is not */
} life;

/* All bodies are visible within a step, too. */
static bool count_visible(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    static const abut_frustum all_of_space;
    life *l = user;
    (void)a, (void)b, (void)user_a, (void)user_b;
    if (l->asked++ % 64 == 0) {
        size_t n = abut_world_cull(l->world, &all_of_space, 1, NULL, NULL, 0);
        check_case(n == abut_world_body_count(l->world), "visible within a step", l->stream, l->round);
    }
    return true;
}

static abut_vec3 somewhere(life *l) {
    rng *r = &l->r;
    abut_vec3 at = rng_vec3(r, -l->extent, l->extent);
    if (l->kind == COINCIDENT) {
        return (abut_vec3){0.5f, 0.25f, -1};
    }
    if (l->kind == CLUSTERS) {
        float far = rng_chance(r, 0.5) ? 1e5f : -2e8f;
        return (abut_vec3){at.x + far, at.y, at.z + far};
    }
    if (l->kind == STREETS) {
        return (abut_vec3){(float)(int)at.x, 0, (float)(int)at.z};
    }
    return at;
}

static abut_body_def some_body(life *l) {
    rng *r = &l->r;
    abut_body_def def = random_box(r, 1);
    def.pose.position = somewhere(l);
    if (rng_chance(r, 0.4)) {
        def.pose.rotation = (abut_quat){0, 0, 0, 1};
    }
    if (l->kind == HUGE_AND_TINY) {
        float size = rng_chance(r, 0.02) ? 30.0f : 0.02f;
        def.half = (abut_vec3){def.half.x * size, def.half.y * size, def.half.z * size};
    }
    if (rng_chance(r, 0.2)) {
        def.box = random_pose(r, 1);
    }
    if (l->hulls > 0 && rng_chance(r, 0.4)) {
        def.hull = l->hull[rng_below(r, l->hulls)];
    }
    if (rng_chance(r, l->rounded)) {
        for (int k = 0; k < 3; k++) {
            (&def.half.x)[k] *= rng_chance(r, 0.5) ? 0 : 1;
        }
        def.radius = (float)rng_log_range(r, 1e-4, l->kind == SCATTERED ? 10 : 1);
    }
    def.motion = rng_chance(r, 0.3) ? ABUT_STATIC : ABUT_MOVING;
    if (rng_chance(r, 0.2)) {
        def.filter = (abut_filter){UINT64_C(1) << rng_below(r, 4), rng_below(r, 16), (int32_t)rng_below(r, 5) - 2};
    }
    def.user = rng_u64(r);
    return def;
}

/* A living body, or {0}. */
static abut_body_id pick(life *l) {
    static abut_body_id all[MOST];
    size_t n = abut_world_bodies(l->world, all, MOST);
    return n > 0 ? all[rng_below(&l->r, (uint32_t)n)] : (abut_body_id){0, 0};
}

static void add_bodies(life *l, uint32_t n) {
    for (uint32_t i = 0; i < n && abut_world_body_count(l->world) < MOST; i++) {
        abut_body_def def = some_body(l);
        abut_body_id id;
        if (rng_chance(&l->r, 0.15)) {
            def.parent = pick(l);
            def.pose = def.parent.index1 ? random_pose(&l->r, 2) : def.pose;
        }
        l->failures += abut_body_create(l->world, &def, &id) != ABUT_OK;
    }
}

static void change_some(life *l, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        abut_body_id id = pick(l);
        abut_pose pose;
        if (abut_body_get_pose(l->world, id, &pose) != ABUT_OK) {
            return;
        }
        switch (rng_below(&l->r, 8)) {
        case 0:
            assert_int_equal(abut_body_destroy(l->world, id), ABUT_OK);
            break;
        case 1:
            (void)abut_body_set_motion(l->world, id, (abut_motion)rng_below(&l->r, 2));
            break;
        case 2:
            (void)abut_body_set_filter(l->world, id, &(abut_filter){.mask = rng_below(&l->r, 16)});
            break;
        case 3:
            assert_int_equal(abut_body_set_detail(l->world, id, (abut_detail)rng_below(&l->r, 3)), ABUT_OK);
            break;
        case 4:
            if (l->rounded > 0) {
                abut_shape shape = rng_chance(&l->r, 0.3) ? abut_box(0.5f, 0, 1) : abut_capsule(0.5f, 0.25f);
                shape.half.y *= rng_chance(&l->r, 0.5) ? 0 : 1;
                (void)abut_body_set_shape(l->world, id, &shape, NULL);
            }
            break;
        default:
            pose.position = somewhere(l);
            assert_int_equal(abut_body_set_pose(l->world, id, &pose), ABUT_OK);
        }
    }
}

static abut_frustum some_frustum(life *l) {
    rng *r = &l->r;
    abut_frustum f = {0};
    abut_pose camera = {somewhere(l), rng_rotation(r)};
    if (rng_chance(r, 0.3)) {
        camera.rotation = (abut_quat){0, rng_chance(r, 0.5) ? 1.0f : 0.0f, 0, 1}; /* along an axis of the world */
    }
    if (rng_chance(r, 0.2)) {
        abut_obb box = {camera.position, camera.rotation, rng_vec3(r, 0.1, l->extent)};
        assert_int_equal(abut_frustum_orthographic(&box, &f), ABUT_OK);
    } else if (!rng_chance(r, 0.003)) { /* else all of space */
        float near = (float)rng_log_range(r, 0.01, 1), wide = near * (float)rng_log_range(r, 0.05, 3);
        float far =
            rng_chance(r, 0.2) ? INFINITY : near * (float)rng_log_range(r, 1.5, 3 * l->extent / (double)near + 2);
        assert_int_equal(abut_frustum_camera(&camera, wide, wide * 0.6f, near, far, &f), ABUT_OK);
    }
    return f;
}

/* --- the oracle --- */

static bool lets_pass(const abut_filter *query, const abut_filter *body) {
    uint64_t category = query->category ? query->category : ~ABUT_MASK_NONE,
             mask = query->mask ? query->mask : ~UINT64_C(0);
    if (query->group == body->group && query->group != 0) {
        return query->group > 0;
    }
    return (category & body->mask) && (body->category & mask);
}

static abut_side side_of(life *l, const abut_frustum *frustum, const abut_collider *collider) {
    abut_collider core = *collider;
    core.radius = 0;
    abut_obb box = abut_collider_obb(&core);
    abut_side side = abut_frustum_test_obb(frustum, &box);
    if (collider->radius > 0) {
        bool core_is_visible = side != ABUT_OUTSIDE;
        side = abut_cull_side_of_round(frustum, &box, collider->radius);
        l->seen_rounded += side != ABUT_OUTSIDE;
        l->by_radius += side != ABUT_OUTSIDE && !core_is_visible;
    }
    return side;
}

static size_t test_each(life *l, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                        abut_visible *out) {
    static abut_body_id ids[MOST];
    size_t n = abut_world_bodies(l->world, ids, MOST), visible = 0;
    for (size_t i = 0; i < n; i++) {
        const abut_collider *collider = &l->world->collider[ids[i].index1 - 1];
        abut_visible v = {.body = ids[i]};
        abut_filter own;
        assert_int_equal(abut_body_get_user(l->world, ids[i], &v.user), ABUT_OK);
        assert_int_equal(abut_body_get_filter(l->world, ids[i], &own), ABUT_OK);
        if (filter && !lets_pass(filter, &own)) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            abut_side side = side_of(l, &frusta[k], collider);
            v.views |= (uint32_t)(side != ABUT_OUTSIDE) << k;
            v.inside |= (uint32_t)(side == ABUT_INSIDE) << k;
        }
        out[visible] = v;
        visible += v.views != 0;
    }
    return visible;
}

static bool same(const abut_visible *a, const abut_visible *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!abut_body_id_equal(a[i].body, b[i].body) || a[i].user != b[i].user || a[i].views != b[i].views ||
            a[i].inside != b[i].inside) {
            return false;
        }
    }
    return true;
}

static void note_tree(life *l) {
    const abut_world *world = l->world;
    bool made = abut_once_is_made(&world->tree_made);
    bool with_gaps = world->bp.tree.count > world->ids.live_count;
    l->without += !made;
    l->complete += made && !with_gaps && world->ids.live_count > 0;
    l->partial += made && with_gaps;
}

/* Lists with room for all bodies, for none, for some, and no list at all. */
static void cull_and_compare(life *l) {
    static abut_visible expected[MOST], got[MOST + 1], canary;
    abut_frustum frusta[VIEWS];
    rng *r = &l->r;
    size_t count = rng_chance(r, 0.4) ? 1 : 1 + rng_below(r, VIEWS);
    for (size_t k = 0; k < count; k++) {
        frusta[k] = k > 0 && rng_chance(r, 0.2) ? frusta[k - 1] : some_frustum(l);
    }
    abut_filter filter = {rng_below(r, 8), rng_below(r, 16), (int32_t)rng_below(r, 5) - 2};
    const abut_filter *given = rng_chance(r, 0.5) ? &filter : NULL;
    size_t n = test_each(l, frusta, count, given, expected), calls = l->books.calls;
    const size_t rooms[] = {MOST, n, 0, n / 2, n > 0 ? n - 1 : 1, 1};
    memset(&canary, 0x5a, sizeof canary);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        size_t written = rooms[i] < n ? rooms[i] : n;
        memset(got, 0x5a, sizeof got);
        note_tree(l);
        size_t total = abut_world_cull(l->world, frusta, count, given, got, rooms[i]);
        check_case(total == n, "as many as one by one", l->stream, l->round);
        check_case(same(got, expected, written), "the same as one by one", l->stream, l->round);
        check_case(memcmp(&got[written], &canary, sizeof canary) == 0, "nothing is written behind", l->stream,
                   l->round);
    }
    check_case(abut_world_cull(l->world, frusta, count, given, NULL, n / 2) == n, "counted", l->stream, l->round);
    assert_int_equal(l->books.calls, calls);
    for (size_t i = 0; i < n; i++) {
        l->visible++;
        l->inside += expected[i].inside != 0;
    }
}

/* --- lives --- */

static void begin(life *l, uint64_t stream, bool fixed) {
    memset(l, 0, sizeof *l);
    l->r = rng_make(test_seed(), stream);
    l->stream = stream;
    l->kind = (family)(stream % FAMILIES);
    l->extent = l->kind == STREETS ? 40 : rng_log_range(&l->r, 3, 30);
    l->hulls = rng_chance(&l->r, 0.4) ? HULLS : 0;
    l->rounded = rng_chance(&l->r, 0.4) ? 0 : rng_chance(&l->r, 0.5) ? 1 : 0.3;
    for (int h = 0; h < HULLS; h++) {
        abut_vec3 points[20];
        for (int i = 0; i < 20; i++) {
            points[i] = rng_vec3(&l->r, -0.4, 0.4);
            points[i].x += (float)h * 0.5f;
            points[i].y *= h == 1 ? 0.02f : 1;
        }
        assert_int_equal(abut_hull_create(points, 20, NULL, &l->hull[h]), ABUT_OK);
    }
    abut_world_def def = {.allocator = failing_allocator_of(&l->books), .fixed_capacity = fixed};
    def.contact_margin = rng_chance(&l->r, 0.2) ? 0.3f : 0;
    def.body_capacity = fixed ? MOST : rng_below(&l->r, 100);
    def.pair_capacity = fixed ? 1500 : 0;
    def.should_collide = stream % 3 == 0 ? count_visible : NULL;
    def.user = l;
    l->world = make_world(&def);
}

static void end(life *l) {
    assert_int_equal(abut_world_validate(l->world), ABUT_OK);
    abut_world_destroy(&l->world);
    for (int h = 0; h < HULLS; h++) {
        abut_hull_destroy(&l->hull[h]);
    }
    assert_true(failing_allocator_clean(&l->books));
}

static void maybe_step(life *l) {
    if (rng_chance(&l->r, 0.25)) {
        failing_allocator_fail_once(&l->books, 1 + rng_below(&l->r, 3));
    }
    if (rng_chance(&l->r, 0.7)) {
        l->failures += abut_world_step(l->world, NULL, NULL) != ABUT_OK;
    }
    l->resting += l->world->bp.resting_count;
    if (rng_chance(&l->r, 0.5)) {
        failing_allocator_fail_never(&l->books);
    }
}

static void visible_bodies_are_those_tested_one_by_one(void **state) {
    (void)state;
    static life l;
    size_t visible = 0, inside = 0, failures = 0, resting = 0, without = 0, complete = 0, partial = 0;
    size_t rounded = 0, by_radius = 0;
    for (uint64_t stream = 0; stream < test_count(60); stream++) {
        begin(&l, stream, stream % 4 == 3);
        cull_and_compare(&l);
        add_bodies(&l, 1 + rng_below(&l.r, 600));
        for (l.round = 0; l.round < 12; l.round++) {
            cull_and_compare(&l);
            maybe_step(&l);
            cull_and_compare(&l);
            uint32_t how = rng_below(&l.r, 6); /* nothing at all, some bodies, or very many */
            change_some(&l, how < 3 ? 0 : how < 5 ? rng_below(&l.r, 20) : rng_below(&l.r, 1000));
            add_bodies(&l, rng_chance(&l.r, 0.3) ? rng_below(&l.r, 150) : 0);
            failing_allocator_fail_never(&l.books);
        }
        end(&l);
        without += l.without, complete += l.complete, partial += l.partial;
        rounded += l.seen_rounded, by_radius += l.by_radius;
        visible += l.visible, inside += l.inside, failures += l.failures, resting += l.resting;
    }
    printf("visible %zu, inside %zu, failures %zu, resting %zu\n", visible, inside, failures, resting);
    printf("visible and rounded %zu, only by their radius %zu\n", rounded, by_radius);
    printf("tree to update %zu, without gaps %zu, with gaps %zu\n", without, complete, partial);
    assert_true(without > 50 && complete > 50 && partial > 50);
    assert_true(rounded > 1000 && by_radius > 500);
    assert_true(visible > 1000 && inside > 500 && failures > 5 && resting > 1000);
}

/* More slots than fit in a window, some of them dirty, and lists that end anywhere. */
static void worlds_of_any_size_are_culled(void **state) {
    (void)state;
    enum { MANY = 300000, SIDE = 550 };
    abut_world *world = make_world(NULL);
    abut_body_def *defs = calloc(MANY, sizeof *defs);
    abut_body_id *ids = calloc(MANY, sizeof *ids);
    abut_visible *got = calloc(MANY, sizeof *got);
    assert_true(defs && ids && got);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t at = (uint32_t)((uint64_t)i * 7919 % MANY);
        defs[i].pose.position = (abut_vec3){(float)(at % SIDE) * 2, 0, (float)(at / SIDE) * 2};
        defs[i].half = (abut_vec3){0.5f, 0.5f, 0.5f};
        defs[i].motion = ABUT_STATIC;
        defs[i].user = i;
    }
    assert_int_equal(abut_bodies_create(world, defs, MANY, ids), ABUT_OK);
    abut_frustum frusta[2];
    abut_pose eye = {{SIDE, 1, SIDE}, {0, 0, 0, 1}};
    assert_int_equal(abut_frustum_camera(&eye, 1, 0.5f, 0.5f, 300, &frusta[0]), ABUT_OK);
    eye.rotation = (abut_quat){0, 1, 0, 1};
    assert_int_equal(abut_frustum_camera(&eye, 0.5f, 0.5f, 0.5f, 400, &frusta[1]), ABUT_OK);
    for (int round = 0; round < 2; round++) {
        for (size_t count = 1; count <= 2; count++) {
            size_t n = abut_world_cull(world, frusta, count, NULL, got, MANY), k = 0;
            for (uint32_t i = 0; i < MANY; i++) {
                abut_visible one = {.body = ids[i], .user = i};
                abut_obb box = {defs[i].pose.position, {0, 0, 0, 1}, defs[i].half};
                for (size_t v = 0; v < count; v++) {
                    abut_side side = abut_frustum_test_obb(&frusta[v], &box);
                    one.views |= (uint32_t)(side != ABUT_OUTSIDE) << v;
                    one.inside |= (uint32_t)(side == ABUT_INSIDE) << v;
                }
                assert_true(!one.views || (k < n && same(&one, &got[k++], 1)));
            }
            assert_true(k == n && n > 10000);
            abut_visible *some = calloc(n, sizeof *some);
            assert_non_null(some);
            for (size_t room = n / 3; room <= n; room += n / 3) {
                assert_int_equal(abut_world_cull(world, frusta, count, NULL, some, room), n);
                assert_true(same(some, got, room));
            }
            free(some);
        }
        (void)step_world(world); /* all bodies were dirty before */
    }
    free(got);
    free(ids);
    free(defs);
    abut_world_destroy(&world);
}

/* Bodies of two hulls lie at a corner of the frusta, where planes decide little. Those of one hull are destroyed, and
 * so is the hull: a sanitizer notices who still reads it. */
static void a_destroyed_hull_is_not_read(void **state) {
    (void)state;
    enum { N = 200 };
    rng r = rng_make(test_seed(), 77);
    abut_world *world = make_world(NULL);
    abut_hull *hull[2];
    abut_body_id id[N];
    abut_frustum frusta[2];
    const abut_obb box = {{0, 0, 0}, {0.1f, 0.2f, 0.3f, 1}, {4, 4, 4}};
    assert_int_equal(abut_frustum_orthographic(&box, &frusta[0]), ABUT_OK);
    assert_int_equal(abut_frustum_orthographic(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {4, 4, 4}}, &frusta[1]), ABUT_OK);
    for (int h = 0; h < 2; h++) {
        abut_vec3 points[20];
        for (int i = 0; i < 20; i++) {
            points[i] = rng_vec3(&r, -1, 1);
        }
        assert_int_equal(abut_hull_create(points, 20, NULL, &hull[h]), ABUT_OK);
    }
    for (int i = 0; i < N; i++) {
        abut_vec3 at = rng_vec3(&r, -1, 1);
        at = (abut_vec3){4 + at.x, 4 + at.y, 4 + at.z};
        const abut_body_def def = {.hull = hull[i % 2], .pose = {at, rng_rotation(&r)}};
        assert_int_equal(abut_body_create(world, &def, &id[i]), ABUT_OK);
    }
    assert_true(abut_world_cull(world, frusta, 2, NULL, NULL, 0) > N / 4); /* makes the tree */
    for (int i = 1; i < N; i += 2) {
        assert_int_equal(abut_body_destroy(world, id[i]), ABUT_OK);
    }
    abut_hull_destroy(&hull[1]);
    for (size_t count = 1; count <= 2; count++) {
        size_t visible = 0;
        for (int i = 0; i < N; i += 2) {
            const abut_obb of = abut_collider_obb(&world->collider[id[i].index1 - 1]);
            visible += abut_frustum_test_obb(&frusta[0], &of) != ABUT_OUTSIDE ||
                       (count > 1 && abut_frustum_test_obb(&frusta[1], &of) != ABUT_OUTSIDE);
        }
        assert_int_equal(abut_world_cull(world, frusta, count, NULL, NULL, 0), visible);
    }
    abut_world_destroy(&world);
    abut_hull_destroy(&hull[0]);
}

/* Hulls are culled by their OBBs, whose corners are outside of the spheres that the tree has of hulls. The frustum is a
 * small cube just within a corner, with a face towards the middle. */
static void hulls_are_seen_at_the_corners_of_their_boxes(void **state) {
    (void)state;
    static const abut_vec3 tips[12] = {{1, 1, 0},  {1, -1, 0},  {-1, 1, 0}, {-1, -1, 0}, {1, 0, 1},  {1, 0, -1},
                                       {-1, 0, 1}, {-1, 0, -1}, {0, 1, 1},  {0, 1, -1},  {0, -1, 1}, {0, -1, -1}};
    abut_world *world = make_world(NULL);
    abut_hull *hull;
    abut_vec3 corner[8];
    assert_int_equal(abut_hull_create(tips, 12, NULL, &hull), ABUT_OK);
    (void)add_body(world, &(abut_body_def){.pose = pose_at(0, 0, 0), .hull = hull});
    const abut_obb box = abut_hull_obb(hull);
    abut_obb_corners(&box, corner);
    for (int k = 0; k < 8; k++) {
        const abut_vec3 c = corner[k];
        const float length = sqrtf(c.x * c.x + c.y * c.y + c.z * c.z);
        const abut_obb at = {{0.97f * c.x, 0.97f * c.y, 0.97f * c.z},
                             {-c.y, c.x, 0, length + c.z}, /* turns z to the corner */
                             {0.01f, 0.01f, 0.01f}};
        abut_frustum frustum;
        assert_true(length > 1.6f);
        assert_int_equal(abut_frustum_orthographic(&at, &frustum), ABUT_OK);
        assert_int_equal(abut_frustum_test_obb(&frustum, &box), ABUT_INTERSECTS);
        assert_int_equal(abut_world_cull(world, &frustum, 1, NULL, NULL, 0), 1);
    }
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

static void invalid_arguments_return_0(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_frustum frusta[VIEWS + 1];
    memset(frusta, 0, sizeof frusta);
    abut_visible out;
    assert_int_equal(abut_world_cull(world, frusta, 1, NULL, &out, 1), 0);
    (void)add_cube(world, 0, 0, 0, 1);
    assert_int_equal(abut_world_cull(world, frusta, 1, NULL, &out, 1), 1);
    assert_true(out.views == 1 && out.inside == 1);
    assert_int_equal(abut_world_cull(world, frusta, VIEWS, NULL, &out, 1), 1);
    assert_true(out.views == UINT32_MAX && out.inside == UINT32_MAX);
    assert_int_equal(abut_world_cull(NULL, frusta, 1, NULL, &out, 1), 0);
    assert_int_equal(abut_world_cull(world, NULL, 1, NULL, &out, 1), 0);
    assert_int_equal(abut_world_cull(world, frusta, 0, NULL, &out, 1), 0);
    assert_int_equal(abut_world_cull(world, frusta, 1, &(abut_filter){.category = ABUT_MASK_NONE}, &out, 1), 0);
    assert_int_equal(abut_world_cull(world, frusta, 1, &(abut_filter){.mask = ABUT_MASK_NONE}, &out, 1), 0);
    abut_world_destroy(&world);
}

/* As for an error: 0 is returned, and nothing is written. */
static void more_than_32_frusta_are_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_frustum frusta[2 * VIEWS + 1];
    abut_visible out[2], canary[2];
    memset(frusta, 0, sizeof frusta); /* everything is inside */
    (void)add_cube(world, 0, 0, 0, 1);
    assert_int_equal(abut_world_cull(world, frusta, VIEWS, NULL, out, 2), 1);
    const size_t counts[] = {VIEWS + 1, 2 * VIEWS, 2 * VIEWS + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        memset(out, 0x5a, sizeof out);
        memset(canary, 0x5a, sizeof canary);
        assert_int_equal(abut_world_cull(world, frusta, counts[i], NULL, out, 2), 0);
        assert_true(bits_equal(out, canary, sizeof out));
        assert_int_equal(abut_world_cull(world, frusta, counts[i], NULL, NULL, 0), 0);
    }
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_seen_at_the_corners_of_their_boxes),
        cmocka_unit_test(a_destroyed_hull_is_not_read),
        cmocka_unit_test(invalid_arguments_return_0),
        cmocka_unit_test(more_than_32_frusta_are_refused),
        cmocka_unit_test(visible_bodies_are_those_tested_one_by_one),
        cmocka_unit_test(worlds_of_any_size_are_culled),
    };
    return test_run(tests);
}
