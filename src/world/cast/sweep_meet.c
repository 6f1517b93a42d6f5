/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "base/spatial.h"
#include "world/cast/sweep.h"
#include "world/step/step.h"
#include <math.h>

/* The end of what still matters to an element. */
static double limit_of(const abut_w_sweep_call *call, uint32_t element) {
    return abut_min_d(call->world->sweep.first[element], 1);
}

/* What a mover meets. `sign` is -1 where the normal is that of the mover. */
typedef struct encounter {
    const abut_w_sweep_call *call;
    const abut_w_moving *mover;
    uint32_t body, part; /* part: of whichever of the two is a mesh, else 0 */
    float sign;
} encounter;

/* Hits of an element are ordered by fraction, then by body, by part, and by mover. */
static bool is_earlier(const encounter *e, double fraction) {
    double first = e->call->world->sweep.first[e->mover->element];
    const abut_hit *hit = &e->call->hits[e->mover->element];
    const uint32_t mine[3] = {e->body + 1, e->part, e->mover->slot + 1};
    const uint32_t theirs[3] = {hit->body.index1, hit->part, hit->mover.index1};
    if (fraction < first || fraction > first) {
        return fraction < first;
    }
    int i = 0; /* no two agree in all three: a pair meets once, and so does a mover with each triangle */
    while (i < 2 && mine[i] == theirs[i]) {
        i++;
    }
    return mine[i] < theirs[i];
}

/* Notes where a mover meets a body that counts, unless its element has met another one earlier. */
static void note(const encounter *e, const abut_np_met *met) {
    const abut_world *world = e->call->world;
    if (is_earlier(e, met->fraction) &&
        abut_w_whom_accepts_of(&e->call->whom, e->body, e->part, abut_w_id(world, e->mover->slot), e->mover->element)) {
        const abut_vec3 n = met->normal;
        world->sweep.first[e->mover->element] = met->fraction;
        e->call->hits[e->mover->element] =
            (abut_hit){.body.index1 = e->body + 1,
                       .mover.index1 = e->mover->slot + 1,
                       .position = met->position,
                       .part = e->part,
                       .normal = abut_vec3_positive_zeros((abut_vec3){e->sign * n.x, e->sign * n.y, e->sign * n.z})};
    }
}

/* A pair on its ways: each of both may be the one that is met. */
typedef struct pairing {
    const abut_w_sweep_call *call;
    const abut_w_moving *a, *b; /* b may stand still: NULL */
    uint32_t body;              /* b's slot */
    bool a_counts, b_counts;
} pairing;

static double limit_of_pair(const pairing *p) {
    double limit = p->b_counts ? limit_of(p->call, p->a->element) : 0;
    return p->b && p->a_counts ? abut_max_d(limit, limit_of(p->call, p->b->element)) : limit;
}

static double note_pair(uint32_t part, const abut_np_met *met, void *context) {
    const pairing *p = context;
    if (p->b_counts) {
        const encounter e = {p->call, p->a, p->body, part, 1};
        note(&e, met);
    }
    if (p->b && p->a_counts) {
        const encounter e = {p->call, p->b, p->a->slot, part, -1};
        note(&e, met);
    }
    return limit_of_pair(p);
}

static void sweep_pair(const pairing *p, const abut_np_way *a, const abut_np_way *b) {
    const abut_query *query = p->call->whom.query;
    abut_np_met met;
    if (a->shape.type == ABUT_SHAPE_MESH || b->shape.type == ABUT_SHAPE_MESH) {
        abut_np_mesh_sweep(a, b, query->initial, query->allowance, limit_of_pair(p), note_pair, (void *)p);
    } else if (abut_np_sweep(a, b, query->initial, query->allowance, limit_of_pair(p), &met)) {
        (void)note_pair(0, &met, (void *)p);
    }
}

/* --- those who stand still --- */

/* Tests the bodies that a search has found. */
static ABUT_INLINE void meet_found(const abut_w_sweep_call *call, const abut_w_moving *mover, const abut_np_way *way,
                                   abut_bp_found *found) {
    const abut_world *world = call->world;
    uint32_t n = abut_w_whom_keep(&call->whom, found->key, found->n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t body = found->key[k];
        abut_np_way still;
        if (world->sweep.moving_plus_one[body] || !abut_w_may_touch(world, mover->slot, body)) {
            continue;
        }
        abut_np_way_still(&world->collider[body], &still);
        const pairing p = {.call = call, .a = mover, .body = body, .b_counts = true};
        sweep_pair(&p, way, &still);
    }
}

/* Whom a mover meets that turns far; false: it is not worth pieces. */
static bool meet_in_pieces(const abut_w_sweep_call *call, const abut_w_moving *mover, const abut_np_way *way,
                           uint32_t classes) {
    abut_w_sweep_search search;
    if (!abut_w_sweep_search_begin(call->world, way, &mover->bounds, classes, &search)) {
        return false;
    }
    while (abut_w_sweep_search_next(&search, limit_of(call, mover->element)) > 0) {
        meet_found(call, mover, way, &search.flight.found);
    }
    return true;
}

static void meet_still_ones(const abut_w_sweep_call *call, uint32_t first, uint32_t end) {
    const abut_world *world = call->world;
    for (uint32_t i = first; i < end; i++) {
        const abut_w_moving *mover = &world->sweep.moving[i];
        const uint32_t classes = call->whom.filter.classes & abut_bp_classes_with(&world->bp, mover->slot);
        abut_np_way way;
        abut_bp_flight flight;
        abut_w_sweep_way(call, mover, &way);
        if (abut_w_sweep_turns_far(world, &way) && meet_in_pieces(call, mover, &way, classes)) {
            continue;
        }
        abut_bp_flight_begin_box(abut_w_tree(world), &mover->bounds, &flight);
        abut_bp_flight_shorten(&flight, limit_of(call, mover->element));
        flight.found.fetch = world->collider;
        flight.found.fetch_stride = sizeof *world->collider;
        flight.walk.classes = classes;
        while (abut_bp_fly(abut_w_tree(world), &flight), flight.found.n > 0) {
            meet_found(call, mover, &way, &flight.found);
            abut_bp_flight_shorten(&flight, limit_of(call, mover->element));
        }
    }
}

/* A block takes some 100 microseconds. */
enum { MOVERS_AT_ONCE = 64 };

/* Where the block that begins near this mover begins: those of one element, which share its answer, are in one. */
static uint32_t begin_near(const abut_w_sweep_call *call, uint32_t i) {
    const abut_w_moving *moving = call->world->sweep.moving;
    while (i > 0 && i < call->moving && moving[i].element == moving[i - 1].element) {
        i++;
    }
    return i < call->moving ? i : call->moving;
}

static void meet_still_block(void *context, uint32_t block, uint32_t worker) {
    const abut_w_sweep_call *call = context;
    uint32_t first = block * MOVERS_AT_ONCE;
    (void)worker;
    meet_still_ones(call, begin_near(call, first), begin_near(call, first + MOVERS_AT_ONCE));
}

void abut_w_sweep_meet_still(const abut_w_sweep_call *call) {
    abut_workers *workers = &call->world->workers;
    if (call->moving > MOVERS_AT_ONCE && abut_workers_count(workers) > 1) {
        uint32_t blocks = abut_workers_blocks(call->moving, MOVERS_AT_ONCE);
        abut_workers_loop(workers, blocks, meet_still_block, (void *)call);
    } else {
        meet_still_ones(call, 0, call->moving);
    }
}

/* --- each other --- */

/* Where a box passes. */
static abut_bp_box box_of(const abut_bp_mover *m) {
    const float *origin = &m->origin.x, *translation = &m->translation.x;
    abut_bp_box box;
    for (int k = 0; k < 3; k++) {
        double from = origin[k], to = from + translation[k];
        box.min[k] = abut_bits_round_down(abut_min_d(from, to) - m->half[k]);
        box.max[k] = abut_bits_round_up(abut_max_d(from, to) + m->half[k]);
    }
    return box;
}

static void boxes_of(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                     float *radius) {
    const abut_bp *bp = context;
    for (uint32_t k = 0; k < n; k++) {
        box[k] = *abut_bp_box_of(bp, key[k]);
        if (surplus) {
            surplus[k] = 0;
        }
        if (radius) {
            radius[k] = INFINITY;
        }
    }
}

/* Makes a search tree over where all pass; keys have the classes of their bodies. */
static void make_tree(const abut_w_sweep_call *call) {
    abut_w_sweep *sweep = &call->world->sweep;
    for (uint32_t i = 0; i < call->moving; i++) {
        abut_bp_add(&sweep->bp, i, false);
        abut_bp_set_class(&sweep->bp, i, abut_bp_class_of(&call->world->bp, sweep->moving[i].slot));
        abut_bp_boxes(&sweep->bp)[i] = box_of(&sweep->moving[i].bounds);
    }
    abut_bp_tree_update(&sweep->bp, call->moving, call->moving, boxes_of, &sweep->bp, &call->world->workers);
}

/* Whether two boxes that move meet within a limit: slabs, as seen from one of them. */
static bool boxes_meet(const abut_bp_mover *p, const abut_bp_mover *q, double limit) {
    const float *from[2] = {&p->origin.x, &q->origin.x}, *along[2] = {&p->translation.x, &q->translation.x};
    double enter = 0, leave = limit;
    for (int k = 0; k < 3 && enter <= leave; k++) {
        double apart = (double)from[1][k] - from[0][k], half = (double)p->half[k] + q->half[k];
        double way = (double)along[0][k] - along[1][k];
        if (way < 0 || way > 0) {
            double per_way = 1 / way, middle = apart * per_way, reach = half * fabs(per_way);
            enter = abut_max_d(enter, middle - reach);
            leave = abut_min_d(leave, middle + reach);
        } else if (fabs(apart) > half) {
            return false;
        }
    }
    return enter <= leave;
}

/* A body that moves, with its way, which is made when it is first needed. */
typedef struct traveller {
    const abut_w_moving *moving;
    bool has_way;
    bool alone; /* only its own answer is looked for */
    abut_np_way way;
} traveller;

/* Tests a pair whose boxes meet; each of both may be the one that is met. */
static void meet_pair(const abut_w_sweep_call *call, traveller *one, const abut_w_moving *other) {
    const abut_w_moving *first = one->moving, *a = first->slot < other->slot ? first : other,
                        *b = first->slot < other->slot ? other : first;
    bool a_counts = !(one->alone && a == first) && abut_w_whom_counts(&call->whom, a->slot);
    bool b_counts = !(one->alone && b == first) && abut_w_whom_counts(&call->whom, b->slot);
    abut_np_way way;
    if (!(a_counts || b_counts) || !abut_w_may_touch(call->world, a->slot, b->slot)) {
        return;
    }
    if (!one->has_way) {
        abut_w_sweep_way(call, first, &one->way);
        one->has_way = true;
    }
    abut_w_sweep_way(call, other, &way);
    const abut_np_way *way_a = a == first ? &one->way : &way, *way_b = a == first ? &way : &one->way;
    const pairing p = {call, a, b, b->slot, a_counts, b_counts};
    sweep_pair(&p, way_a, way_b);
}

/* Tests a body against those of these keys that come after it, each pair once, or against all. */
static void meet_keys(const abut_w_sweep_call *call, uint32_t i, traveller *one, const uint32_t *key, uint32_t n) {
    const abut_w_moving *moving = call->world->sweep.moving;
    for (uint32_t k = 0; k < n; k++) {
        const abut_w_moving *other = &moving[key[k]];
        if (key[k] == i || (key[k] < i && !one->alone) || other->element == one->moving->element) {
            continue;
        }
        double limit = limit_of(call, one->moving->element);
        limit = one->alone ? limit : abut_max_d(limit, limit_of(call, other->element));
        if (boxes_meet(&one->moving->bounds, &other->bounds, limit)) {
            meet_pair(call, one, other);
        }
    }
}

/* Tests each of these against those that come after it, or, if `alone`, against all others, for its own answer only. */
static void meet_moving_ones(const abut_w_sweep_call *call, uint32_t first, uint32_t end, bool alone) {
    enum { ROOM = 128 };
    const abut_w_sweep *sweep = &call->world->sweep;
    const abut_bp_tree *tree = &sweep->bp.tree;
    for (uint32_t i = first; i < end; i++) {
        uint32_t key[ROOM];
        abut_bp_walk walk;
        traveller one;
        one.moving = &sweep->moving[i];
        one.has_way = false;
        one.alone = alone;
        abut_bp_walk_begin(tree, &walk);
        walk.classes = abut_bp_classes_with(&call->world->bp, one.moving->slot);
        for (uint32_t n; (n = abut_bp_walk_box(tree, abut_bp_box_of(&sweep->bp, i), NULL, &walk, key, ROOM)) > 0;) {
            meet_keys(call, i, &one, key, n);
        }
    }
}

static void meet_moving_block(void *context, uint32_t block, uint32_t worker) {
    const abut_w_sweep_call *call = context;
    uint32_t first = block * MOVERS_AT_ONCE;
    (void)worker;
    meet_moving_ones(call, begin_near(call, first), begin_near(call, first + MOVERS_AT_ONCE), true);
}

/* Side by side a pair is tested twice, as no block may write the answer of another one's element: what is found does
 * not depend on the limits, so both are the same. */
void abut_w_sweep_meet_moving(const abut_w_sweep_call *call) {
    if (call->compounds < 2) {
        return;
    }
    make_tree(call);
    if (call->moving > MOVERS_AT_ONCE && abut_workers_count(&call->world->workers) > 1) {
        uint32_t blocks = abut_workers_blocks(call->moving, MOVERS_AT_ONCE);
        abut_workers_loop(&call->world->workers, blocks, meet_moving_block, (void *)call);
    } else {
        meet_moving_ones(call, 0, call->moving, false);
    }
}
