/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Walks of the tree against brute force in 113 bits, under every instruction set. What touches, is met or is near must
 * be found, once; what is clearly elsewhere must not. */
#include "broadphase/tree/home.h"
#include "support/quad.h"
#include <abut/isa.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a walk has found, in its order. */
typedef struct found {
    uint32_t key[HOME_MOST], count;
    bool has[HOME_MOST];
} found;

static void begin(found *f) {
    memset(f, 0, sizeof *f);
}

static void add(const home *h, found *f, const uint32_t *key, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        assert_true(key[k] < h->keys && h->present[key[k]] && !f->has[key[k]]);
        f->has[key[k]] = true;
        f->key[f->count++] = key[k];
    }
}

/* The walk must be the same under every instruction set; `walk` does it once. */
typedef void walk_once(const home *h, const void *question, found *f);

static void walk_everywhere(const home *h, walk_once *walk, const void *question, found *f) {
    static found other;
    abut_isa best = abut_isa_active();
    assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
    walk(h, question, f);
    for (int isa = ABUT_ISA_PORTABLE + 1; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            walk(h, question, &other);
            assert_int_equal(other.count, f->count);
            assert_memory_equal(other.key, f->key, f->count * sizeof *f->key);
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
}

static home *random_home(family kind, unsigned long round, rng *r) {
    static const uint32_t counts[] = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513};
    home *h = home_make(kind);
    *r = rng_make(test_seed(), (uint64_t)kind * 10000 + round);
    home_add(h, r, round % 3 == 0 ? counts[rng_below(r, 11)] : rng_below(r, round % 3 == 1 ? 300 : 1200));
    home_update(h);
    for (uint32_t step = 0, n = rng_below(r, 5); step < n; step++) {
        home_change(h, r);
        home_update(h);
    }
    return h;
}

static uint32_t any_key(const home *h, rng *r) {
    return h->keys > 0 ? rng_below(r, h->keys) : 0;
}

/* --- boxes --- */

/* A box like one of the family, beside one, a corner of one, around two, or any; maybe infinite along some axes. */
static abut_bp_box random_box(rng *r, const home *h) {
    abut_bp_box box = h->box[any_key(h, r)], other = h->box[any_key(h, r)];
    uint32_t what = rng_below(r, 5);
    for (int axis = 0; axis < 3; axis++) {
        float width = box.max[axis] - box.min[axis];
        if (what == 0 && axis == 1) { /* it touches, or just does not */
            box.min[axis] = rng_chance(r, 0.5) ? box.max[axis] : nextafterf(box.max[axis], INFINITY);
            box.max[axis] = fmaxf(box.min[axis], box.min[axis] + width);
        } else if (what == 1) {
            box.max[axis] = box.min[axis];
        } else if (what == 2) {
            box.min[axis] = fminf(box.min[axis], other.min[axis]);
            box.max[axis] = fmaxf(box.max[axis], other.max[axis]);
        }
    }
    return what == 3 ? home_random_box(r, h->kind, any_key(h, r)) : box;
}

static void open_some_axes(rng *r, abut_bp_box *box) {
    uint32_t open = rng_chance(r, 0.5) ? rng_below(r, 8) : 0;
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = open >> axis & 1 ? -INFINITY : box->min[axis];
        box->max[axis] = open >> axis & 1 ? INFINITY : box->max[axis];
    }
}

static bool touches(const abut_bp_box *p, const abut_bp_box *q) {
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        yes = yes && p->min[axis] <= q->max[axis] && q->min[axis] <= p->max[axis];
    }
    return yes;
}

typedef struct box_question {
    abut_bp_box box;
    uint32_t room;
} box_question;

static void walk_box(const home *h, const void *question, found *f) {
    const box_question *q = question;
    uint32_t key[100];
    abut_bp_walk walk;
    begin(f);
    abut_bp_walk_begin(&h->bp.tree, &walk);
    for (uint32_t n; (n = abut_bp_walk_box(&h->bp.tree, &q->box, NULL, &walk, key, q->room)) > 0;) {
        assert_true(n <= q->room);
        add(h, f, key, n);
    }
    assert_int_equal(abut_bp_walk_box(&h->bp.tree, &q->box, NULL, &walk, key, q->room), 0);
}

static void what_touches_a_box_is_found(void **state) {
    (void)state;
    static found f;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        size_t total = 0;
        for (unsigned long round = 0; round < 6 || round < test_count(30); round++) {
            rng r;
            home *h = random_home((family)kind, round, &r);
            for (int k = 0; k < 20; k++) {
                box_question q = {random_box(&r, h), 8 + rng_below(&r, 3) * 40};
                open_some_axes(&r, &q.box);
                walk_everywhere(h, walk_box, &q, &f);
                for (uint32_t key = 0; key < h->keys; key++) {
                    assert_int_equal(f.has[key], h->present[key] && touches(&h->box[key], &q.box));
                }
                total += f.count;
            }
            home_release(h);
        }
        assert_true(total > 0);
    }
}

/* --- near boxes --- */

typedef struct near_question {
    abut_bp_box box;
    double limit;
    bool shortens; /* to the nearest box so far */
} near_question;

/* The square of the distance of two boxes. */
static quad squared(const abut_bp_box *p, const abut_bp_box *q) {
    quad sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        quad low = (quad)p->min[axis] - q->max[axis], high = (quad)q->min[axis] - p->max[axis];
        quad gap = low > high ? low : high;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

static void walk_near(const home *h, const void *question, found *f) {
    const near_question *q = question;
    double limit = q->limit;
    abut_bp_vicinity v = {.found = {.fetch = h->box, .fetch_stride = sizeof *h->box}};
    begin(f);
    abut_bp_vicinity_begin(&h->bp.tree, &q->box, &v);
    abut_bp_vicinity_limit(&v, limit);
    while (abut_bp_look(&h->bp.tree, &v), v.found.n > 0) {
        add(h, f, v.found.key, v.found.n);
        for (uint32_t k = 0; k < v.found.n && q->shortens; k++) {
            limit = fmin(limit, sqrt((double)squared(&h->box[v.found.key[k]], &q->box)) * (1 + 1e-15));
        }
        abut_bp_vicinity_limit(&v, limit);
    }
}

static void check_near(const home *h, const near_question *q, const found *f) {
    quad limit = (quad)q->limit * q->limit, best = (quad)FLT_MAX * FLT_MAX, nearest = best;
    quad most = limit * (1 + 0x1p-18) + 0x1p-119;
    for (uint32_t key = 0; key < h->keys; key++) {
        quad distance = squared(&h->box[key], &q->box);
        if (!h->present[key]) {
            continue;
        }
        best = distance <= limit && distance < best ? distance : best;
        nearest = f->has[key] && distance < nearest ? distance : nearest;
        assert_true(q->shortens || f->has[key] || distance > limit);
        assert_true(!f->has[key] || q->limit == INFINITY || distance <= most);
    }
    assert_true(nearest <= best);
}

static double random_limit(rng *r, const home *h, const abut_bp_box *box) {
    double exact = sqrt((double)squared(&h->box[any_key(h, r)], box));
    switch (rng_below(r, 5)) {
    case 0:
        return 0;
    case 1:
        return INFINITY;
    case 2:
        return exact;
    case 3:
        return rng_log_range(r, 1e-45, 3e38);
    default:
        return rng_range(r, 0, 20);
    }
}

static void what_is_near_is_found(void **state) {
    (void)state;
    static found f;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        for (unsigned long round = 0; round < 6 || round < test_count(30); round++) {
            rng r;
            home *h = random_home((family)kind, round, &r);
            for (int k = 0; k < 20; k++) {
                near_question q = {.box = random_box(&r, h), .shortens = k % 2};
                q.limit = random_limit(&r, h, &q.box);
                walk_everywhere(h, walk_near, &q, &f);
                check_near(h, &q, &f);
            }
            home_release(h);
        }
    }
}

/* --- rays --- */

/* A ray, or a box that moves. */
typedef struct ray_question {
    float origin[3], way[3], half[3];
    double limit;
    bool moves_box;
    bool shortens; /* to the first box so far */
} ray_question;

/* Where along the ray it enters a box that is larger by `more`: a fraction; -1: it misses it. */
static quad entry_of(const ray_question *q, const abut_bp_box *box, quad more) {
    quad enter = 0, leave = 1;
    for (int axis = 0; axis < 3; axis++) {
        quad grown = q->half[axis] + more;
        quad low = (quad)box->min[axis] - q->origin[axis] - grown;
        quad high = (quad)box->max[axis] - q->origin[axis] + grown;
        quad way = q->way[axis];
        if (!(way < 0 || way > 0)) {
            enter = low <= 0 && high >= 0 ? enter : 2;
            continue;
        }
        quad in = (way > 0 ? low : high) / way, out = (way > 0 ? high : low) / way;
        enter = in > enter ? in : enter;
        leave = out < leave ? out : leave;
    }
    return enter <= leave ? enter : -1;
}

/* Of a box that moves: it just holds the box. */
static float radius_of(const ray_question *q) {
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        squared += (double)q->half[axis] * q->half[axis];
    }
    return abut_bits_round_up(sqrt(squared));
}

static void walk_ray(const home *h, const void *question, found *f) {
    const ray_question *q = question;
    double limit = q->limit;
    abut_bp_flight flight = {.found = {.fetch = h->box, .fetch_stride = sizeof *h->box}};
    const abut_vec3 origin = {q->origin[0], q->origin[1], q->origin[2]}, way = {q->way[0], q->way[1], q->way[2]};
    begin(f);
    if (q->moves_box) {
        const abut_bp_mover mover = {origin, way, {q->half[0], q->half[1], q->half[2]}, radius_of(q)};
        abut_bp_flight_begin_box(&h->bp.tree, &mover, &flight);
    } else {
        abut_bp_flight_begin(&h->bp.tree, origin, way, &flight);
    }
    abut_bp_flight_shorten(&flight, limit);
    while (abut_bp_fly(&h->bp.tree, &flight), flight.found.n > 0) {
        add(h, f, flight.found.key, flight.found.n);
        for (uint32_t k = 0; k < flight.found.n && q->shortens; k++) {
            quad enter = entry_of(q, &h->box[flight.found.key[k]], 0);
            limit = enter >= 0 && enter < limit ? (double)enter * (1 + 0x1p-52) : limit;
        }
        abut_bp_flight_shorten(&flight, limit);
    }
}

/* How far the far corner of a box, grown by the one that moves, is from where the ray begins. */
static double far_corner(const ray_question *q, const abut_bp_box *box) {
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at = q->origin[axis], way = fmax(fabs(box->min[axis] - at), fabs(box->max[axis] - at)) + q->half[axis];
        squared += way * way;
    }
    return sqrt(squared);
}

/* How far a box that is found may be from the ray: what float tests are off by, and what is promised. */
static double tolerance(const home *h, const ray_question *q, const abut_bp_box *box) {
    double at = fabs((double)q->origin[0]) + fabs((double)q->origin[1]) + fabs((double)q->origin[2]);
    double grown = far_corner(q, &h->bp.tree.bounds) * (q->moves_box ? 0x1p-25 : 0x1p-35);
    return (at + far_corner(q, box)) * 0x1p-19 + grown + 0x1p-118;
}

static void check_ray(const home *h, const ray_question *q, const found *f) {
    /* The corners of a box that is larger by e are within spheres that are larger by sqrt(3) e. */
    const double far = h->live > 0 ? far_corner(q, &h->bp.tree.bounds) : 0;
    const double promised = far * (q->moves_box ? 7e-9 / sqrt(3) : 1e-12);
    quad first = 2, first_found = 2;
    for (uint32_t key = 0; key < h->keys; key++) {
        const abut_bp_box *box = &h->box[key];
        if (!h->present[key]) {
            continue;
        }
        quad enter = entry_of(q, box, 0);
        bool met = enter >= 0 && enter <= q->limit;
        first = met && enter < first ? enter : first;
        first_found = met && f->has[key] && enter < first_found ? enter : first_found;
        quad larger = entry_of(q, box, promised);
        assert_true(q->shortens || f->has[key] || !(met || (larger >= 0 && larger <= q->limit)));
        if (f->has[key]) {
            quad around = entry_of(q, box, tolerance(h, q, box));
            assert_true(around >= 0 && around <= (quad)q->limit * (1 + 0x1p-18));
        }
    }
    assert_true(first_found <= first);
}

/* A point of a box: on its faces, edges or corners, or inside. */
static void point_of(rng *r, const abut_bp_box *box, float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t where = rng_below(r, 3);
        float middle = box->min[axis] + (box->max[axis] - box->min[axis]) * (float)rng_unit(r);
        point[axis] = where == 0 ? box->min[axis] : where == 1 ? box->max[axis] : middle;
    }
}

/* Components of translations that are hard: zeros, the least and the largest floats, and what lies between. */
static float hard_way(rng *r) {
    static const float ways[] = {0,        -0.0f, 1e-45f, 1e-42f, 0x1p-126f, 1e-30f,  1e-20f, 0x1p-60f,
                                 0x1p-90f, 1,     3e5f,   1e9f,   1e20f,     0x1p37f, 3e38f,  FLT_MAX};
    float way = ways[rng_below(r, sizeof ways / sizeof *ways)];
    way *= rng_chance(r, 0.3) && way < 1e38f ? 1 + (float)rng_unit(r) : 1;
    return way * rng_sign(r);
}

static void set_way(rng *r, ray_question *q, const float to[3]) {
    uint32_t what = rng_below(r, 6);
    float times = rng_chance(r, 0.5) ? 1 : (float)rng_log_range(r, 0.5, 1e3);
    for (int axis = 0; axis < 3; axis++) {
        q->way[axis] = (to[axis] - q->origin[axis]) * times;
        if (what == 0) {
            q->way[axis] = hard_way(r);
        } else if (what == 1 && rng_chance(r, 0.6)) {
            q->way[axis] = rng_chance(r, 0.7) ? 0 : hard_way(r);
        } else if (what == 2) {
            q->way[axis] = rng_chance(r, 0.9) ? 0 : hard_way(r);
        }
    }
}

static ray_question random_ray(rng *r, const home *h) {
    ray_question q = {.limit = 1, .shortens = rng_chance(r, 0.3)};
    float to[3];
    uint32_t far = rng_below(r, 12);
    point_of(r, &h->box[any_key(h, r)], q.origin);
    const abut_bp_box *aimed = &h->box[any_key(h, r)];
    point_of(r, aimed, to);
    for (int axis = 0; axis < 3; axis++) {
        if (far == 0) {
            q.origin[axis] = (float)rng_range(r, -1e9, 1e9);
        } else if (far == 1 && rng_chance(r, 0.5)) { /* just beside the box */
            q.origin[axis] = nextafterf(q.origin[axis], rng_sign(r) * INFINITY);
        } else if (far == 2) { /* nothing is rounded on the way to a corner of a box */
            q.origin[axis] = 0;
        } else if (far < 5) {
            q.origin[axis] += (float)rng_range(r, -20, 20);
        }
    }
    set_way(r, &q, to);
    if (rng_chance(r, 0.3)) {
        quad enter = entry_of(&q, aimed, 0);
        q.limit = enter >= 0 && rng_chance(r, 0.7) ? nextafter((double)enter, 2) : rng_unit(r);
        q.limit = fmin(q.limit, 1);
    }
    return q;
}

/* A box that moves to where it touches a box, or just does not, or as any ray does. */
static ray_question random_moving_box(rng *r, const home *h) {
    static const float sizes[] = {0, 1e-42f, 1e-20f, 1e-3f, 1, 30, 1e4f};
    const abut_bp_box *like = &h->box[any_key(h, r)];
    ray_question q = random_ray(r, h);
    quad first = entry_of(&q, like, 0);
    uint32_t what = rng_below(r, 3);
    float size = sizes[rng_below(r, 7)];
    q.moves_box = true;
    for (int axis = 0; axis < 3; axis++) {
        q.half[axis] = what == 0 ? size : rng_chance(r, 0.2) ? 0 : (like->max[axis] - like->min[axis]) / 2;
        if (what == 2 && rng_chance(r, 0.5)) { /* beside the box */
            q.origin[axis] = like->max[axis] + q.half[axis];
            q.way[axis] = rng_chance(r, 0.5) ? 0 : q.way[axis];
        }
    }
    q.limit = first >= 0 && rng_chance(r, 0.3) ? (double)first : q.limit;
    return q;
}

/* The rays or boxes that `random_question` makes. */
static void check_flights(ray_question random_question(rng *r, const home *h)) {
    static found f;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        size_t total = 0;
        for (unsigned long round = 0; round < 6 || round < test_count(30); round++) {
            rng r;
            home *h = random_home((family)kind, round, &r);
            for (int k = 0; k < 30; k++) {
                ray_question q = random_question(&r, h);
                walk_everywhere(h, walk_ray, &q, &f);
                check_ray(h, &q, &f);
                total += f.count;
            }
            home_release(h);
        }
        assert_true(total > 0);
    }
}

static void what_a_ray_meets_is_found(void **state) {
    (void)state;
    check_flights(random_ray);
}

static void what_a_moving_box_meets_is_found(void **state) {
    (void)state;
    check_flights(random_moving_box);
}

/* --- how much is opened --- */

/* With 4096 boxes that fill a third of the space, the first hit is near, and so is the nearest box. (A search opens up
 * to two more nodes once it has found something.) */
static void the_nearest_come_first(void **state) {
    (void)state;
    static found f;
    enum { N = 4096, QUESTIONS = 300 };
    rng r = rng_make(test_seed(), 0);
    home *h = home_make(SPREAD);
    size_t met = 0, near = 0;
    home_add(h, &r, N);
    for (uint32_t key = 0; key < N; key++) {
        abut_bp_box box;
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = (float)rng_range(&r, 0, 100);
            box.max[axis] = box.min[axis] + (float)rng_range(&r, 2, 6);
        }
        home_set(h, key, &box);
    }
    home_update(h);
    for (int k = 0; k < QUESTIONS; k++) {
        ray_question q = {.limit = 1, .shortens = true};
        near_question p = {.limit = INFINITY, .shortens = true};
        for (int axis = 0; axis < 3; axis++) {
            q.origin[axis] = p.box.min[axis] = p.box.max[axis] = (float)rng_range(&r, 0, 100);
            q.way[axis] = (float)rng_range(&r, -100, 100);
        }
        walk_ray(h, &q, &f);
        met += f.count;
        walk_near(h, &p, &f);
        near += f.count;
    }
    printf("%.1f boxes a ray, %.1f a point\n", (double)met / QUESTIONS, (double)near / QUESTIONS);
    assert_true(met < 8 * QUESTIONS && near < 24 * QUESTIONS);
    home_release(h);
}

static void an_empty_tree_holds_nothing(void **state) {
    (void)state;
    static found f;
    home *h = home_make(SPREAD);
    const box_question all = {{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}, 8};
    const near_question near = {.limit = INFINITY};
    const ray_question ray = {.way = {1, 2, 3}, .limit = 1};
    rng r = rng_make(test_seed(), 0);
    for (uint32_t keys = 0; keys < 3; keys++) { /* without memory; without keys; with keys that have gone */
        home_add(h, &r, keys == 2 ? 700 : 0);
        home_update(h);
        for (uint32_t key = 0; key < h->keys; key++) {
            home_remove(h, key);
        }
        home_update(h);
        walk_everywhere(h, walk_box, &all, &f);
        assert_int_equal(f.count, 0);
        walk_everywhere(h, walk_near, &near, &f);
        assert_int_equal(f.count, 0);
        walk_everywhere(h, walk_ray, &ray, &f);
        assert_int_equal(f.count, 0);
        assert_int_equal(abut_bp_reserve(&h->bp, &h->allocator, 800), ABUT_OK);
    }
    home_release(h);
}

/* Where all boxes coincide, a search stops as soon as there might be too little room for those of another node. */
static void a_search_finds_as_many_at_once_as_there_is_room_for(void **state) {
    (void)state;
    enum { ALL = 64 };
    home *h = home_make(COINCIDENT);
    rng r = rng_make(test_seed(), 0);
    home_add(h, &r, ALL);
    home_update(h);
    abut_isa best = abut_isa_active();
    for (int isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            const abut_bp_found fetching = {.fetch = h->box, .fetch_stride = sizeof *h->box};
            abut_bp_vicinity v = {.found = fetching};
            abut_bp_flight flight = {.found = fetching};
            abut_bp_vicinity_begin(&h->bp.tree, &h->box[0], &v);
            abut_bp_flight_begin(&h->bp.tree, (abut_vec3){-5, 1, 1}, (abut_vec3){10, 0, 0}, &flight);
            for (uint32_t left = ALL + ABUT_BP_FOUND_MAX; left > 0; left -= ABUT_BP_FOUND_MAX) {
                abut_bp_look(&h->bp.tree, &v);
                abut_bp_fly(&h->bp.tree, &flight);
                assert_int_equal(v.found.n, left > ABUT_BP_FOUND_MAX ? ABUT_BP_FOUND_MAX : 0);
                assert_int_equal(flight.found.n, v.found.n);
            }
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    home_release(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_a_box_is_found),
        cmocka_unit_test(what_is_near_is_found),
        cmocka_unit_test(what_a_ray_meets_is_found),
        cmocka_unit_test(what_a_moving_box_meets_is_found),
        cmocka_unit_test(the_nearest_come_first),
        cmocka_unit_test(an_empty_tree_holds_nothing),
        cmocka_unit_test(a_search_finds_as_many_at_once_as_there_is_room_for),
    };
    return test_run(tests);
}
