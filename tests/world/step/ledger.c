/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random calls to a world and its model. */

#include "ledger.h"
#include <math.h>
#include <stdlib.h>

static const float extent = 3; /* bodies stay in a cube of twice this size */

/* An index in the model that is alive (or free); SIZE_MAX when there is none. */
static size_t pick(ledger *l, bool alive) {
    size_t start = rng_below(&l->r, LEDGER_MOST);
    for (size_t k = 0; k < LEDGER_MOST; k++) {
        size_t i = (start + k) % LEDGER_MOST;
        if (l->body[i].alive == alive) {
            return i;
        }
    }
    return SIZE_MAX;
}

static abut_filter random_filter(rng *r) {
    abut_filter f = {0};
    if (rng_chance(r, 0.5)) {
        f.category = UINT64_C(1) << rng_below(r, 3);
        f.mask = rng_chance(r, 0.1) ? ABUT_MASK_NONE : rng_below(r, 8);
    }
    f.group = rng_chance(r, 0.2) ? (int32_t)rng_below(r, 5) - 2 : 0;
    return f;
}

static abut_filter filled(abut_filter f) {
    f.category = f.category == 0 ? 1 : f.category;
    f.mask = f.mask == 0 ? UINT64_MAX : f.mask;
    return f;
}

/* --- hulls --- */

static abut_hull *random_hull(rng *r) {
    abut_vec3 points[16];
    abut_hull *hull;
    uint32_t n = 5 + rng_below(r, 12);
    for (uint32_t i = 0; i < n; i++) {
        points[i] = rng_vec3(r, -1, 1);
    }
    assert_int_equal(abut_hull_create(points, n, NULL, &hull), ABUT_OK);
    return hull;
}

void ledger_replace_unused_hulls(ledger *l) {
    for (size_t i = 0; i < LEDGER_HULLS; i++) {
        bool used = false;
        for (size_t k = 0; k < LEDGER_MOST; k++) {
            used = used || (l->body[k].alive && l->body[k].hull == l->hull[i]);
        }
        if (!used) {
            abut_hull_destroy(&l->hull[i]);
            l->hull[i] = random_hull(&l->r);
            l->counts.hulls++;
        }
    }
}

/* --- creation and destruction --- */

static abut_body_def random_def(ledger *l, size_t parent) {
    abut_body_def def = random_box(&l->r, extent);
    def.motion = (abut_motion)rng_chance(&l->r, 0.3);
    def.detail = (abut_detail)(rng_chance(&l->r, 0.6) ? 0 : rng_below(&l->r, 3));
    def.filter = random_filter(&l->r);
    def.user = rng_u64(&l->r);
    def.hull = rng_chance(&l->r, 0.15) ? l->hull[rng_below(&l->r, LEDGER_HULLS)] : NULL;
    if (parent != SIZE_MAX) {
        def.parent = l->body[parent].id;
        def.pose.position = rng_vec3(&l->r, -1, 1);
    }
    return def;
}

static void enter(ledger *l, size_t index, size_t parent, const abut_body_def *def, abut_body_id id) {
    bool attached = parent != SIZE_MAX;
    ledger_body *b = &l->body[index];
    *b = (ledger_body){.alive = true,
                       .id = id,
                       .half = def->half,
                       .hull = def->hull,
                       .parent_plus_one = attached ? (uint32_t)parent + 1 : 0,
                       .root = attached ? l->body[parent].root : (uint32_t)index,
                       .filter = filled(def->filter),
                       .motion = attached ? l->body[parent].motion : def->motion,
                       .detail = def->detail,
                       .user = def->user};
    assert_int_equal(abut_body_get_pose(l->world, id, &b->pose), ABUT_OK);
    l->live++;
    l->peak = l->live > l->peak ? l->live : l->peak;
    ledger_expect(l, id.index1 >= 1 && id.index1 <= l->peak, "index1 above the peak");
    ledger_expect(l, id.generation > l->generation[id.index1], "an id came back");
    l->counts.reused += l->generation[id.index1] != 0;
    l->generation[id.index1] = id.generation;
}

static void call_create(ledger *l) {
    size_t index = pick(l, false), parent = rng_chance(&l->r, 0.25) ? pick(l, true) : SIZE_MAX;
    if (index == SIZE_MAX) {
        return;
    }
    abut_body_def def = random_def(l, parent);
    abut_body_id id = {0};
    ledger_expect(l, abut_body_create(l->world, &def, &id) == ABUT_OK, "create");
    enter(l, index, parent, &def, id);
}

static void call_create_many(ledger *l) {
    enum { MANY = 6 };
    abut_body_def defs[MANY];
    abut_body_id ids[MANY];
    size_t parents[MANY], n = rng_below(&l->r, MANY + 1);
    if (l->live + n > LEDGER_MOST) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        parents[i] = rng_chance(&l->r, 0.25) ? pick(l, true) : SIZE_MAX;
        defs[i] = random_def(l, parents[i]);
    }
    ledger_expect(l, abut_bodies_create(l->world, defs, n, ids) == ABUT_OK, "create many");
    for (size_t i = 0; i < n; i++) {
        enter(l, pick(l, false), parents[i], &defs[i], ids[i]);
    }
}

static bool is_below(const ledger *l, size_t index, size_t top) {
    while (index != top && l->body[index].parent_plus_one != 0) {
        index = l->body[index].parent_plus_one - 1;
    }
    return index == top;
}

static void call_destroy(ledger *l) {
    bool goes[LEDGER_MOST];
    size_t top = pick(l, true);
    if (top == SIZE_MAX) {
        return;
    }
    ledger_expect(l, abut_body_destroy(l->world, l->body[top].id) == ABUT_OK, "destroy");
    for (size_t i = 0; i < LEDGER_MOST; i++) {
        goes[i] = l->body[i].alive && is_below(l, i, top);
    }
    for (size_t i = 0; i < LEDGER_MOST; i++) {
        if (goes[i]) {
            ledger_expect(l, !abut_body_is_valid(l->world, l->body[i].id), "outlived its parent");
            l->body[i] = (ledger_body){0};
            l->live--;
        }
    }
}

/* --- changes --- */

static void call_move(ledger *l) {
    enum { MANY = 12 };
    abut_body_id ids[MANY];
    abut_pose poses[MANY];
    size_t indices[MANY], n = rng_chance(&l->r, 0.5) ? 1 : rng_below(&l->r, MANY + 1);
    if (l->live == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        indices[i] = pick(l, true);
        ids[i] = l->body[indices[i]].id;
        poses[i] = random_pose(&l->r, l->body[indices[i]].parent_plus_one != 0 ? 1 : extent);
    }
    abut_result result =
        n == 1 ? abut_body_set_pose(l->world, ids[0], &poses[0]) : abut_bodies_set_poses(l->world, ids, poses, n);
    ledger_expect(l, result == ABUT_OK, "set poses");
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(abut_body_get_pose(l->world, ids[i], &l->body[indices[i]].pose), ABUT_OK);
    }
}

static void call_filter(ledger *l, ledger_body *b) {
    abut_filter f = random_filter(&l->r);
    ledger_expect(l, abut_body_set_filter(l->world, b->id, &f) == ABUT_OK, "set filter");
    b->filter = filled(f);
}

static void call_motion(ledger *l, const ledger_body *b) {
    abut_motion motion = (abut_motion)rng_chance(&l->r, 0.3);
    abut_result result = abut_body_set_motion(l->world, b->id, motion);
    ledger_expect(l, result == (b->parent_plus_one != 0 ? ABUT_ERROR_ARGUMENT : ABUT_OK), "set motion");
    for (size_t i = 0; i < LEDGER_MOST && result == ABUT_OK; i++) {
        if (l->body[i].alive && l->body[i].root == b->root) {
            l->body[i].motion = motion;
        }
    }
}

static void call_change(ledger *l) {
    size_t index = pick(l, true);
    if (index == SIZE_MAX) {
        return;
    }
    ledger_body *b = &l->body[index];
    switch (rng_below(&l->r, 4)) {
    case 0:
        call_filter(l, b);
        break;
    case 1:
        call_motion(l, b);
        break;
    case 2:
        b->detail = (abut_detail)(rng_chance(&l->r, 0.6) ? 0 : rng_below(&l->r, 3));
        ledger_expect(l, abut_body_set_detail(l->world, b->id, b->detail) == ABUT_OK, "set detail");
        break;
    default:
        b->user = rng_u64(&l->r);
        ledger_expect(l, abut_body_set_user(l->world, b->id, b->user) == ABUT_OK, "set user");
        break;
    }
}

/* --- illegal calls --- */

static abut_result illegal_create(ledger *l, abut_result *wanted) {
    enum { N = 4 };
    abut_body_def defs[N];
    abut_body_id ids[N];
    for (size_t i = 0; i < N; i++) {
        defs[i] = random_def(l, SIZE_MAX);
        ids[i] = id_of(3, 3);
    }
    abut_body_def *bad = &defs[rng_below(&l->r, N)];
    *wanted = ABUT_ERROR_ARGUMENT;
    switch (rng_below(&l->r, 7)) {
    case 6:
        bad->hull = (const abut_hull *)(const void *)l;
        break;
    case 0:
        bad->hull = NULL;
        bad->half.x = -bad->half.x;
        break;
    case 1:
        bad->pose.rotation.y = NAN;
        break;
    case 2:
        bad->filter.category = ABUT_MASK_NONE;
        break;
    case 3:
        bad->detail = (abut_detail)3;
        break;
    case 4:
        bad->parent = id_of(1, l->generation[1] + 1 + rng_below(&l->r, 9));
        *wanted = ABUT_ERROR_HANDLE;
        break;
    default:
        bad->pose.position.z = -1.5e9f;
        *wanted = ABUT_ERROR_LIMIT;
        break;
    }
    abut_result result = abut_bodies_create(l->world, defs, N, ids);
    for (size_t i = 0; i < N; i++) {
        ledger_expect(l, ids[i].index1 == 0 && ids[i].generation == 0, "an id in spite of an error");
    }
    return result;
}

/* The id of a destroyed body, or one that never was. */
static abut_body_id dead_id(ledger *l) {
    uint32_t index1 = rng_below(&l->r, LEDGER_MOST + 1);
    if (index1 == 0 || rng_chance(&l->r, 0.5)) {
        return id_of(index1 + 1000000 * rng_below(&l->r, 2), l->generation[index1] + 1 + rng_below(&l->r, 1000));
    }
    uint32_t generation = l->generation[index1];
    return id_of(index1, generation > 1 ? generation - 1 : generation + 1);
}

static abut_result illegal_move(ledger *l, abut_result *wanted) {
    size_t index = pick(l, true);
    abut_pose poses[2] = {random_pose(&l->r, 1), random_pose(&l->r, 1)};
    abut_body_id dead = dead_id(l), ids[2];
    ids[0] = index == SIZE_MAX ? dead : l->body[index].id;
    ids[1] = ids[0];
    *wanted = ABUT_ERROR_HANDLE;
    if (index == SIZE_MAX || rng_chance(&l->r, 0.3)) {
        ids[1] = dead;
    } else if (rng_chance(&l->r, 0.5)) {
        poses[1].position.x = 3e9f;
        *wanted = ABUT_ERROR_LIMIT;
    } else {
        poses[1].rotation.x = INFINITY;
        *wanted = ABUT_ERROR_ARGUMENT;
    }
    return abut_bodies_set_poses(l->world, ids, poses, 2);
}

static abut_result illegal_call(ledger *l, abut_result *wanted) {
    *wanted = ABUT_ERROR_HANDLE;
    switch (rng_below(&l->r, 8)) {
    case 0:
        return illegal_create(l, wanted);
    case 1:
        return illegal_move(l, wanted);
    case 2:
        return abut_body_destroy(l->world, dead_id(l));
    case 3:
        return abut_body_set_filter(l->world, dead_id(l), &(abut_filter){0});
    case 4:
        return abut_body_set_motion(l->world, dead_id(l), ABUT_STATIC);
    case 5:
        return abut_body_set_detail(l->world, dead_id(l), ABUT_DETAIL_BOUNDS);
    case 6:
        return abut_body_set_user(l->world, dead_id(l), 1);
    default:
        *wanted = ABUT_ERROR_ARGUMENT;
        return abut_body_create(l->world, NULL, &(abut_body_id){0});
    }
}

static void call_illegal(ledger *l, bool inside) {
    picture before = picture_take(l->world);
    abut_result wanted;
    ledger_expect(l, illegal_call(l, &wanted) == wanted, "an illegal call gave another result");
    if (inside) {
        abut_world *same = l->world;
        abut_world_destroy(&same);
        ledger_expect(l, same == l->world, "destroyed within a callback");
        ledger_expect(l, abut_world_step(l->world, NULL, NULL) == ABUT_ERROR_BUSY, "stepped within a callback");
        l->counts.busy++;
    }
    ledger_expect(l, picture_matches(&before, l->world), "an illegal call changed something");
    picture_free(&before);
    l->counts.illegal++;
}

void ledger_call(ledger *l, bool inside) {
    l->counts.calls++;
    l->counts.inside += inside;
    if (!inside) { /* the library would allow it, but this step's should_collide still reads them */
        ledger_replace_unused_hulls(l);
    }
    uint32_t what = rng_below(&l->r, 100);
    if (what < 14) {
        call_create(l);
    } else if (what < 20) {
        call_create_many(l);
    } else if (what < 40) {
        call_destroy(l);
    } else if (what < 70) {
        call_move(l);
    } else if (what < 92) {
        call_change(l);
    } else {
        call_illegal(l, inside);
    }
}
