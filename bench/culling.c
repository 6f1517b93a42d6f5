/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frustum culling: an array of boxes and a world of them, beside loops that one would write oneself. What planes alone
 * keep is more than what is visible; how much more is in the table. */

#include "cull_loops.h"
#include "cull_scenes.h"
#include "groups.h"
#include "peers/cull_peer.h"
#include <stdio.h>
#include <stdlib.h>

enum { resting_steps = 16, methods_most = 13, mover_every = 10 };

typedef struct cull_case cull_case;

/* A way to cull; `cull` returns how many boxes it keeps. */
typedef struct cull_method {
    cull_case *of;
    size_t (*cull)(cull_case *c, const cull_view *view);
    size_t found; /* by the last run, over all views */
    const cull_peer *peer;
    void *peer_state;
} cull_method;

struct cull_case {
    cull_scene scene;
    abut_world *world;
    abut_hull *hull;      /* large and far away; NULL in most worlds */
    abut_body_id *ids;    /* per box */
    scalar_box *matrices; /* per box */
    abut_aabb *bounds;    /* per box */
    uint32_t *visible;
    abut_visible *bodies;
    abut_frustum many[CULL_MANY_VIEWS], as_much; /* one frustum that sees as many bodies as those together */
    size_t method_count;
    cull_method methods[methods_most];
};

/* What is read goes here, so that no compiler leaves it out. */
static volatile uint32_t sink;

/* --- the world, and the boxes as it has them --- */

/* Rotations become those of the world, which normalises them; everything else is made from these boxes. */
static void fill_world(cull_case *c) {
    cull_scene *s = &c->scene;
    const abut_world_def def = {.body_capacity = (uint32_t)s->count};
    bench_check(abut_world_create(&def, &c->world), "abut_world_create");
    for (size_t i = 0; i < s->count; ++i) {
        abut_obb *box = &s->boxes[i];
        abut_pose pose = {box->center, box->rotation};
        const abut_body_def body = {.pose = pose,
                                    .half = box->half,
                                    .motion = i % mover_every == 0 ? ABUT_MOVING : ABUT_STATIC,
                                    .detail = ABUT_DETAIL_BOUNDS,
                                    .filter.mask = ABUT_MASK_NONE,
                                    .user = i};
        bench_check(abut_body_create(c->world, &body, &c->ids[i]), "abut_body_create");
        bench_check(abut_body_get_world_pose(c->world, c->ids[i], &pose), "abut_body_get_world_pose");
        box->rotation = pose.rotation;
    }
}

/* The same places, half of them spheres and half upright capsules, each within its box. */
static void fill_world_with_rounded(cull_case *c) {
    cull_scene *s = &c->scene;
    const abut_world_def def = {.body_capacity = (uint32_t)s->count};
    bench_check(abut_world_create(&def, &c->world), "abut_world_create");
    for (size_t i = 0; i < s->count; ++i) {
        const abut_obb *box = &s->boxes[i];
        const float wide = box->half.x < box->half.z ? box->half.x : box->half.z;
        const float radius = wide < box->half.y ? wide : box->half.y;
        const abut_body_def body = {.pose = {box->center, box->rotation},
                                    .half = {0, i % 2 == 0 ? 0 : box->half.y - radius, 0},
                                    .radius = radius,
                                    .motion = i % mover_every == 0 ? ABUT_MOVING : ABUT_STATIC,
                                    .detail = ABUT_DETAIL_BOUNDS,
                                    .filter.mask = ABUT_MASK_NONE,
                                    .user = i};
        bench_check(abut_body_create(c->world, &body, &c->ids[i]), "abut_body_create");
        bench_check(abut_body_get_bounds(c->world, c->ids[i], &c->bounds[i]), "abut_body_get_bounds");
    }
}

static void let_rest(cull_case *c) {
    for (int i = 0; i < resting_steps; ++i) {
        bench_check(abut_world_step(c->world, NULL, NULL), "abut_world_step");
    }
}

/* A cube of 4 km as a hull, 5,000 km away. */
static void add_large_hull(cull_case *c) {
    abut_vec3 corners[8];
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {2e3f, 2e3f, 2e3f}}, corners);
    bench_check(abut_hull_create(corners, 8, NULL, &c->hull), "abut_hull_create");
    const abut_body_def body = {.pose = {{5e6f, 0, 0}, {0, 0, 0, 1}}, .hull = c->hull, .motion = ABUT_STATIC};
    abut_body_id id;
    bench_check(abut_body_create(c->world, &body, &id), "abut_body_create");
}

/* The scene is there already. */
static void case_create(cull_case *c, bool with_hull) {
    size_t n = c->scene.count;
    c->ids = bench_alloc(n, sizeof *c->ids);
    c->matrices = bench_alloc(n, sizeof *c->matrices);
    c->bounds = bench_alloc(n, sizeof *c->bounds);
    c->visible = bench_alloc(n, sizeof *c->visible);
    c->bodies = bench_alloc(n, sizeof *c->bodies);
    fill_world(c);
    if (with_hull) {
        add_large_hull(c);
    }
    let_rest(c);
    for (size_t i = 0; i < n; ++i) {
        c->matrices[i] = scalar_box_of(&c->scene.boxes[i]);
        c->bounds[i] = abut_obb_bounds(&c->scene.boxes[i]);
    }
}

static void case_destroy(cull_case *c) {
    abut_world_destroy(&c->world);
    abut_hull_destroy(&c->hull);
    cull_scene_destroy(&c->scene);
    free(c->ids);
    free(c->matrices);
    free(c->bounds);
    free(c->visible);
    free(c->bodies);
}

/* --- methods --- */

static size_t cull_nothing(cull_case *c, const cull_view *view) {
    (void)view;
    sink = cull_wide_active()->read(c->scene.boxes, c->scene.count);
    return c->scene.count;
}

static size_t cull_bounds(cull_case *c, const cull_view *view) {
    return cull_plain_bounds(view, c->bounds, c->scene.count, c->visible);
}

static size_t cull_planes(cull_case *c, const cull_view *view) {
    return cull_plain_planes(view, c->matrices, c->scene.count, c->visible);
}

static size_t cull_axes(cull_case *c, const cull_view *view) {
    return cull_plain_axes(view, c->matrices, c->scene.count, c->visible);
}

static size_t cull_wide_planes(cull_case *c, const cull_view *view) {
    return cull_wide_active()->planes(view, c->scene.boxes, c->scene.count, c->visible);
}

static size_t cull_wide_spheres(cull_case *c, const cull_view *view) {
    return cull_wide_active()->spheres(view, c->scene.boxes, c->scene.count, c->visible);
}

static size_t cull_obbs(cull_case *c, const cull_view *view) {
    return abut_frustum_cull_obbs(&view->frustum, c->scene.boxes, c->scene.count, c->visible);
}

static size_t cull_world(cull_case *c, const cull_view *view) {
    return abut_world_cull(c->world, &view->frustum, 1, NULL, c->bodies, c->scene.count);
}

static size_t cull_many(cull_case *c, const cull_view *view) {
    (void)view;
    return abut_world_cull(c->world, c->many, CULL_MANY_VIEWS, NULL, c->bodies, c->scene.count);
}

/* What the views keep is counted once for each of them. */
static size_t cull_one_by_one(cull_case *c, const cull_view *view) {
    (void)view;
    size_t found = 0;
    for (size_t i = 0; i < CULL_MANY_VIEWS; ++i) {
        found += abut_world_cull(c->world, &c->many[i], 1, NULL, c->bodies, c->scene.count);
    }
    return found;
}

static size_t cull_as_much(cull_case *c, const cull_view *view) {
    (void)view;
    return abut_world_cull(c->world, &c->as_much, 1, NULL, c->bodies, c->scene.count);
}

/* A camera far back, made to see so far that it sees as many bodies as the many views together. */
static void find_as_much(cull_case *c) {
    const size_t wanted = cull_many(c, NULL);
    float low = 0.0f, high = 4.0f * c->scene.side;
    for (int turn = 0; turn < 24; ++turn) {
        const float far = 0.5f * (low + high);
        c->as_much = cull_scene_view(c->scene.side, far).frustum;
        const bool more = cull_as_much(c, NULL) > wanted;
        *(more ? &high : &low) = far;
    }
}

static void run_method(void *state, uint8_t *answers) {
    (void)answers;
    cull_method *m = state;
    cull_case *c = m->of;
    m->found = 0;
    for (size_t i = 0; i < c->scene.view_count; ++i) {
        const cull_view *view = &c->scene.views[i];
        m->found += m->peer != NULL ? m->peer->run(m->peer_state, view->plane, c->visible) : m->cull(c, view);
    }
}

static cull_method *add(contest *to, cull_case *c, const char *name,
                        size_t (*cull)(cull_case *c, const cull_view *view), bool exact) {
    if (c->method_count == methods_most) {
        bench_fail("too many ways to cull");
    }
    cull_method *m = &c->methods[c->method_count++];
    *m = (cull_method){.of = c, .cull = cull};
    contest_method *added = contest_add(to, name, m, run_method);
    added->found = &m->found;
    added->may_differ = !exact;
    return m;
}

static void destroy_peer(void *state) {
    cull_method *m = state;
    m->peer->destroy(m->peer_state);
}

static void add_methods(contest *to, cull_case *c) {
    if (cull_wide_active() != NULL) {
        add(to, c, "reading the boxes (40 bytes each)", cull_nothing, false);
    }
    add(to, c, "plain loop, six planes, world bounds", cull_bounds, false);
    add(to, c, "plain loop, six planes, matrices", cull_planes, false);
    if (cull_wide_active() != NULL) {
        add(to, c, "wide loop, six planes", cull_wide_planes, false);
        add(to, c, "wide loop, spheres, then planes", cull_wide_spheres, false);
    }
    add(to, c, "plain loop, 26 axes, matrices", cull_axes, false);
    for (size_t i = 0; cull_peers[i] != NULL; ++i) {
        cull_method *m = add(to, c, cull_peers[i]->name, NULL, false);
        m->peer = cull_peers[i];
        m->peer_state = m->peer->create(c->bounds, c->scene.count);
        to->methods[to->method_count - 1].destroy = destroy_peer;
    }
    add(to, c, "abut_frustum_cull_obbs", cull_obbs, true);
    contest_refer(to);
    add(to, c, "abut_world_cull", cull_world, true);
    contest_refer(to);
}

/* Planes never part what touches, so they keep at least what is visible; where floats are rounded, a box or two fewer.
 */
static void compare(const cull_case *c) {
    size_t exact = 0, slack = 2 * c->scene.view_count;
    for (size_t i = 0; i < c->method_count; ++i) {
        exact = c->methods[i].cull == cull_obbs ? c->methods[i].found : exact;
    }
    for (size_t i = 0; i < c->method_count; ++i) {
        const cull_method *m = &c->methods[i];
        bool of_view = m->cull != cull_many && m->cull != cull_one_by_one && m->cull != cull_as_much;
        if (of_view && m->cull != cull_axes && m->found + slack < exact) {
            bench_fail("fewer boxes pass the planes than are visible");
        }
    }
}

/* The scene is there already; all else is made here, and everything freed. */
static void hold(cull_case *c, size_t rounds, contest_list *list) {
    case_create(c, false);
    contest to = contest_of_frames("culling", NULL, NULL);
    to.counted = "kept";
    to.units = to.units_max = c->scene.view_count;
    snprintf(to.input, sizeof to.input, "%s, %zu boxes", c->scene.name, c->scene.count);
    add_methods(&to, c);
    if (c->scene.side > 0.0f) {
        cull_scene_many_views(&c->scene, c->many);
        find_as_much(c);
        add(&to, c, "abut_world_cull, 32 views", cull_many, false);
        add(&to, c, "abut_world_cull, 32 views one by one", cull_one_by_one, false);
        add(&to, c, "abut_world_cull, one view that sees as much", cull_as_much, false);
    }
    contest_hold(&to, rounds, list);
    compare(c);
    case_destroy(c);
}

/* One large hull in the world must cost nothing where it is not. */
static void hold_with_hull(size_t count, size_t rounds, contest_list *list) {
    cull_case c = {0};
    cull_scene_create(&c.scene, CULL_GAME, count);
    case_create(&c, true);
    contest to = contest_of_frames("culling", NULL, NULL);
    to.counted = "kept";
    to.units = to.units_max = c.scene.view_count;
    snprintf(to.input, sizeof to.input, "%s, %zu boxes and one large hull far away", c.scene.name, count);
    add(&to, &c, "abut_frustum_cull_obbs", cull_obbs, true);
    contest_refer(&to);
    add(&to, &c, "abut_world_cull", cull_world, true);
    contest_refer(&to);
    contest_hold(&to, rounds, list);
    case_destroy(&c);
}

/* The answers are those of the distance between frustum and core: fewer than planes keep. */
static void hold_rounded(size_t count, size_t rounds, contest_list *list) {
    cull_case c = {0};
    cull_scene_create(&c.scene, CULL_GAME, count);
    c.ids = bench_alloc(count, sizeof *c.ids);
    c.bounds = bench_alloc(count, sizeof *c.bounds);
    c.visible = bench_alloc(count, sizeof *c.visible);
    c.bodies = bench_alloc(count, sizeof *c.bodies);
    fill_world_with_rounded(&c);
    let_rest(&c);
    contest to = contest_of_frames("culling", NULL, NULL);
    to.counted = "kept";
    to.units = to.units_max = c.scene.view_count;
    snprintf(to.input, sizeof to.input, "%s, %zu spheres and capsules", c.scene.name, count);
    add(&to, &c, "plain loop, six planes, world bounds", cull_bounds, false);
    add(&to, &c, "abut_world_cull", cull_world, true);
    contest_refer(&to);
    contest_hold(&to, rounds, list);
    case_destroy(&c);
}

/* --- bodies that move --- */

typedef struct moving_case {
    cull_case of;
    abut_pose *poses;
    size_t round, found[4];
    double stepping, seconds[4]; /* of the last run */
} moving_case;

/* They go to and fro, half of them forth when the others come back. */
static void move(contest *to, void *user) {
    (void)to;
    moving_case *m = user;
    cull_scene *s = &m->of.scene;
    ++m->round;
    for (size_t i = 0; i < s->count; ++i) {
        s->boxes[i].center.z += (i + m->round) % 2 == 0 ? 0.125f : -0.125f;
        m->poses[i] = (abut_pose){s->boxes[i].center, s->boxes[i].rotation};
    }
}

static void time_cull(moving_case *m, size_t k, size_t (*cull)(cull_case *c, const cull_view *view)) {
    double start = bench_now();
    m->found[k] = cull(&m->of, m->of.scene.views);
    m->seconds[k] = bench_now() - start;
}

static void run_moving(void *state, uint8_t *answers) {
    (void)answers;
    moving_case *m = state;
    cull_case *c = &m->of;
    double start = bench_now();
    bench_check(abut_bodies_set_poses(c->world, c->ids, m->poses, c->scene.count), "abut_bodies_set_poses");
    m->stepping = bench_now() - start;
    time_cull(m, 0, cull_world);
    start = bench_now();
    bench_check(abut_world_step(c->world, NULL, NULL), "abut_world_step");
    m->stepping += bench_now() - start;
    time_cull(m, 1, cull_world);
    time_cull(m, 2, cull_world);
    time_cull(m, 3, cull_obbs);
}

static void hold_moving(size_t count, size_t rounds, contest_list *list) {
    static const char *const names[4] = {"abut_world_cull, poses set, no step yet",
                                         "abut_world_cull, first after the step", "abut_world_cull, once more",
                                         "abut_frustum_cull_obbs"};
    moving_case m = {0};
    cull_scene_create(&m.of.scene, CULL_GAME, count);
    case_create(&m.of, false);
    for (size_t i = 0; i < count; ++i) {
        bench_check(abut_body_set_motion(m.of.world, m.of.ids[i], ABUT_MOVING), "abut_body_set_motion");
    }
    m.poses = bench_alloc(count, sizeof *m.poses);
    contest to = contest_of_frames("culling", move, &m);
    to.counted = "kept";
    snprintf(to.input, sizeof to.input, "%s, %zu boxes that all move", m.of.scene.name, count);
    contest_add(&to, "set all poses and step", &m, run_moving)->seconds = &m.stepping;
    for (size_t k = 0; k < 4; ++k) {
        contest_method *added = contest_add(&to, names[k], NULL, NULL);
        added->seconds = &m.seconds[k];
        added->found = &m.found[k];
        if (k >= 2) {
            contest_refer(&to);
        }
    }
    contest_hold(&to, rounds, list);
    free(m.poses);
    case_destroy(&m.of);
}

void bench_culling(bool quick, const char *const *folders, size_t folder_count, contest_list *list) {
    size_t count = quick ? 2000 : 100000, rounds = quick ? 3 : 41;
    for (cull_kind kind = 0; kind < CULL_KIND_COUNT; ++kind) {
        cull_case c = {0};
        cull_scene_create(&c.scene, kind, count);
        hold(&c, rounds, list);
    }
    hold_with_hull(count, rounds, list);
    hold_rounded(count, rounds, list);
    hold_moving(count, quick ? 3 : 15, list);
    for (size_t i = 0; i < folder_count; ++i) {
        cull_case c = {0};
        cull_scene_read(&c.scene, folders[i]);
        hold(&c, quick ? 3 : 11, list);
    }
}
