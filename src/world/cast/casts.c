/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "world/query/blocks.h"
#include "world/query/flights.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"
#include <math.h>

/* Casts. Each walks the tree as a box that moves, roughly front to back; the bodies of a node whose boxes it meets are
 * tested exactly, and what it has met so far shortens the rest of its walk. */

typedef struct call {
    abut_w_whom whom;
    abut_initial initial;
} call;

/* A cast that is being answered. */
typedef struct shot {
    abut_np_cast exact;
    abut_w_two ignored;
    size_t element;
} shot;

/* A body that a cast meets. */
typedef struct meeting {
    double fraction;
    uint32_t slot, part;        /* part: of a mesh */
    bool touched;               /* at the start */
    bool placed;                /* where and along which normal is known, too */
    abut_vec3 position, normal; /* CLOSING: the normal also of a triangle that is touched at the start */
} meeting;

static abut_result begin(const abut_world *world, const abut_query *query, call *c) {
    if (!world || !abut_w_whom_of(world, query, &c->whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    c->initial = c->whom.query->initial;
    abut_w_tree_prepare(world);
    return ABUT_OK;
}

/* The middle of a box, which is rounded, and how far the box reaches from there. */
static void set_middle(const abut_bp_box *box, abut_bp_mover *mover) {
    float *middle = &mover->origin.x;
    for (int k = 0; k < 3; k++) {
        middle[k] = (float)(((double)box->min[k] + box->max[k]) / 2);
        double half = abut_max_d((double)box->max[k] - middle[k], (double)middle[k] - box->min[k]);
        mover->half[k] = abut_bits_round_up(half);
    }
}

/* The radius of a sphere about a point that holds the shape. */
static float radius_about(abut_vec3 point, const abut_collider *collider) {
    const abut_d3 away = abut_d3_sub(abut_d3_from(collider->center), abut_d3_from(point));
    const abut_d3 half = abut_d3_from(collider->half);
    double core = collider->hull ? collider->hull->radius : sqrt(abut_d3_dot(half, half));
    return abut_bits_round_up(sqrt(abut_d3_dot(away, away)) + core + collider->radius);
}

/* Begins a cast, if it is valid, and finds the first bodies. */
static abut_result aim(const call *c, const abut_cast *cast, size_t element, shot *s, abut_bp_flight *flight) {
    const abut_world *world = c->whom.world;
    abut_w_probe probe;
    abut_bp_mover mover = {.translation = cast->translation};
    if (!abut_vec3_finite(cast->translation)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_result result = abut_w_probe_of(world, &cast->shape, &cast->from, 0, &probe);
    if (result) {
        return result;
    }
    set_middle(&probe.box, &mover);
    mover.radius = radius_about(mover.origin, &probe.collider);
    abut_bp_flight_begin_box(abut_w_tree(world), &mover, flight);
    flight->found.fetch = world->collider;
    flight->found.fetch_stride = sizeof *world->collider;
    flight->walk.classes = c->whom.filter.classes;
    abut_bp_fly(abut_w_tree(world), flight);
    s->exact = abut_np_cast_of(&probe.collider, cast->translation);
    s->ignored = abut_w_two_of(world, cast->ignore);
    s->element = element;
    return ABUT_OK;
}

/* What a flight has found: the first `convex` of its keys are convex bodies, the others, up to `n`, are meshes. */
typedef struct found {
    uint32_t convex, n;
    double fraction[ABUT_BP_FOUND_MAX]; /* of convex bodies */
} found;

/* Tests the bodies that a flight has found. Those that count stay in flight->found.key. */
static void meet(const call *c, const shot *s, double limit, abut_bp_flight *flight, found *met) {
    const abut_world *world = c->whom.world;
    met->n = abut_w_whom_keep(&c->whom, flight->found.key, flight->found.n);
    met->convex = world->mesh_count ? abut_w_part_meshes(world, flight->found.key, met->n) : met->n;
    abut_np_cast_many(&s->exact, world->collider, flight->found.key, met->convex, limit, met->fraction);
}

/* What to make of a fraction that abut_np_cast_many has found: whether it is a meeting at all. */
static inline bool is_meeting(const call *c, double fraction, uint32_t slot, uint32_t part, meeting *m) {
    m->touched = fraction == ABUT_NP_CAST_TOUCHED;
    m->fraction = m->touched ? 0 : fraction;
    m->slot = slot;
    m->part = part;
    m->placed = false;
    m->normal = (abut_vec3){0, 0, 0};
    return fraction <= 1 && !(m->touched && c->initial == ABUT_INITIAL_SKIP);
}

/* Who slides over a mesh is in it already when its next triangle is met. */
static bool slides(const call *c, const shot *s, meeting *m) {
    m->placed = true;
    return abut_np_mesh_cast_slides(&s->exact, &c->whom.world->collider[m->slot], m->part, m->fraction, &m->position,
                                    &m->normal);
}

/* CLOSING: whether the way leads into what is touched at the start: a convex body. */
static bool leads_inward(const call *c, const shot *s, meeting *m) {
    m->placed = true;
    return abut_np_cast_closes(&s->exact, &c->whom.world->collider[m->slot], &m->position, &m->normal);
}

static bool accepts(const call *c, const shot *s, const meeting *m) {
    return !abut_w_two_hold(&s->ignored, c->whom.world, m->slot) &&
           abut_w_whom_accepts_part(&c->whom, m->slot, m->part, s->element);
}

/* Whether a meeting with a convex body is an answer. */
static bool is_answer(const call *c, const shot *s, meeting *m) {
    return !abut_w_two_hold(&s->ignored, c->whom.world, m->slot) &&
           (!m->touched || c->initial == ABUT_INITIAL_HIT || leads_inward(c, s, m)) &&
           abut_w_whom_accepts(&c->whom, m->slot, s->element);
}

static void place(const shot *s, const abut_collider *collider, const meeting *m, abut_hit *hit) {
    bool mesh = collider->type == ABUT_SHAPE_MESH;
    if (mesh && m->touched) {
        (void)abut_np_mesh_nearest_point(collider, m->part, &s->exact.start, &hit->position, &hit->normal);
    } else if (mesh) {
        abut_np_mesh_cast_place(&s->exact, collider, m->part, m->fraction, &hit->position, &hit->normal);
    } else if (m->touched) {
        (void)abut_np_nearest_point(&s->exact.start, collider, &hit->position, &hit->normal);
    } else {
        abut_np_cast_place(&s->exact, collider, m->fraction, &hit->position, &hit->normal);
    }
}

/* What has not been placed: in lists, and unless CLOSING asks. */
static void place_now(const call *c, const shot *s, const meeting *m, abut_hit *hit) {
    const abut_collider *collider = &c->whom.world->collider[m->slot];
    if (!m->touched || c->initial == ABUT_INITIAL_HIT) {
        place(s, collider, m, hit);
    } else if (collider->type == ABUT_SHAPE_MESH) {
        hit->position = abut_np_mesh_cast_shared(&s->exact, collider, m->part, m->fraction);
        hit->normal = m->normal;
    } else {
        (void)abut_np_cast_closes(&s->exact, collider, &hit->position, &hit->normal);
    }
}

static abut_hit hit_of(const call *c, const shot *s, const meeting *m) {
    const abut_world *world = c->whom.world;
    abut_hit hit = {.body = abut_w_id(world, m->slot), .user = world->body_user[m->slot], .part = m->part};
    hit.fraction = abut_np_ray_fraction(m->fraction);
    if (m->placed) {
        hit.position = m->position, hit.normal = m->normal;
    } else {
        place_now(c, s, m, &hit);
    }
    return hit;
}

/* --- meshes --- */

static bool is_earlier(const meeting *m, const meeting *than) {
    return m->fraction < than->fraction ||
           (m->fraction == than->fraction && (m->slot < than->slot || (m->slot == than->slot && m->part < than->part)));
}

/* While hits are collected, the position holds the fraction in double, the fraction whether it is touched, and the
 * normal that of a triangle that is. */
static const abut_w_order by_fraction = {.words = 4,
                                         .offset = {offsetof(abut_hit, position.x), offsetof(abut_hit, position.y),
                                                    offsetof(abut_hit, body.index1), offsetof(abut_hit, part)}};

static void add_hit(abut_w_lowest *hits, const meeting *m) {
    abut_hit hit = {
        .body = {.index1 = m->slot + 1}, .part = m->part, .fraction = m->touched ? 1 : 0, .normal = m->normal};
    abut_w_order_put(m->fraction, &hit.position.x, &hit.position.y);
    abut_w_lowest_add(hits, &hit);
}

static meeting meeting_of(const abut_hit *hit) {
    double fraction = abut_w_order_get(&hit->position.x, &hit->position.y);
    return (meeting){.fraction = fraction,
                     .slot = hit->body.index1 - 1,
                     .part = hit->part,
                     .touched = hit->fraction > 0,
                     .normal = hit->normal};
}

/* A mesh that is being asked, triangle by triangle. */
typedef struct mesh_call {
    const call *c;
    const shot *s;
    uint32_t slot;
    bool slide;         /* what slides is passed over at once */
    bool starts;        /* CLOSING: a triangle is touched at the start */
    bool started;       /* and those that are have been asked, but for what rounding decides */
    meeting *first;     /* the first answer so far, of all bodies; a fraction of INFINITY: nothing */
    abut_w_lowest *all; /* instead of `first`: collects all answers */
} mesh_call;

/* An answer, if it is early enough and accepted. */
static void take(mesh_call *of, const meeting *m) {
    if (of->first && is_earlier(m, of->first) && accepts(of->c, of->s, m)) {
        *of->first = *m;
    } else if (!of->first && accepts(of->c, of->s, m)) {
        add_hit(of->all, m);
    }
}

static double limit_of(const mesh_call *of) {
    return of->first ? abut_min_d(of->first->fraction, 1) : 1;
}

static double take_start(uint32_t part, double fraction, abut_vec3 normal, void *context) {
    mesh_call *of = context;
    const meeting m = {.fraction = fraction, .slot = of->slot, .part = part, .touched = true, .normal = normal};
    take(of, &m);
    return limit_of(of);
}

/* A triangle that is touched at the start. Returns the limit from now on: where only the first answer is looked for,
 * the walk ends, and begins again once those that are touched have been asked. */
static double visit_touched(mesh_call *of, meeting *m) {
    const abut_collider *mesh = &of->c->whom.world->collider[of->slot];
    of->starts = true;
    if (!of->started && of->first) {
        return -1;
    }
    if (abut_np_mesh_cast_closes(&of->s->exact, mesh, m->part, &m->normal)) {
        take(of, m);
    }
    return limit_of(of);
}

static double visit_part(uint32_t part, double fraction, void *context) {
    mesh_call *of = context;
    meeting m;
    if (is_meeting(of->c, fraction, of->slot, part, &m) && (!of->first || is_earlier(&m, of->first))) {
        if (m.touched && of->c->initial == ABUT_INITIAL_CLOSING) {
            return visit_touched(of, &m);
        }
        if (m.touched || !of->slide || !slides(of->c, of->s, &m)) {
            take(of, &m);
        }
    }
    return limit_of(of);
}

static void walk_mesh(mesh_call *of) {
    const abut_collider *mesh = &of->c->whom.world->collider[of->slot];
    abut_np_mesh_cast(&of->s->exact, mesh, limit_of(of), visit_part, of);
}

/* Those that are touched at the start. */
static void ask_start(mesh_call *of) {
    const abut_collider *mesh = &of->c->whom.world->collider[of->slot];
    abut_np_mesh_cast_start(&of->s->exact, mesh, limit_of(of), take_start, of);
    of->started = true;
}

/* The first answer, where some mesh is touched at the start. */
static void meet_touched_mesh(mesh_call *of) {
    of->slide = true;
    ask_start(of);
    walk_mesh(of);
}

/* The first answer. Hardly anything slides that has touched nothing at its start, so only that is asked whether it
 * does; if so, all are. False: a triangle is touched at the start, and `alone` does not say that there is room on the
 * stack to ask which of them are closed in on; *of->first may be anything. */
static bool meet_mesh(mesh_call *of, bool alone) {
    const meeting before = *of->first;
    walk_mesh(of);
    if (of->starts && !alone) {
        return false;
    }
    const bool met = of->first->slot == of->slot && !of->first->placed;
    if (of->starts) {
        *of->first = before;
        meet_touched_mesh(of);
    } else if (of->c->initial == ABUT_INITIAL_CLOSING && met && slides(of->c, of->s, of->first)) {
        *of->first = before;
        of->slide = true;
        walk_mesh(of);
    }
    return true;
}

/* Each triangle. */
static void meet_parts(mesh_call *of) {
    of->slide = of->c->initial == ABUT_INITIAL_CLOSING;
    walk_mesh(of);
    if (of->starts) {
        ask_start(of);
    }
}

/* --- batches --- */

/* A block is worth some 100 microseconds; flights that no other ones follow at its end cost some percent of it. */
enum { CASTS_AT_ONCE = 64 };

/* A call. */
typedef struct volley {
    const call *c;
    const abut_cast *casts;
    abut_hit *hits;
} volley;

/* A block of it. */
typedef struct batch {
    const call *c;
    const abut_cast *casts;
    size_t end, next; /* of the casts; the next one to begin with */
    abut_hit *hits;
    abut_result result;
    shot shot[ABUT_W_FLIGHTS];
    meeting first[ABUT_W_FLIGHTS]; /* so far; a fraction of INFINITY: nothing */
    abut_w_flights flights;
} batch;

/* Convex bodies that a flight has found; then come meshes, from here to *n. */
static uint32_t meet_convex(const call *c, const shot *s, abut_bp_flight *flight, meeting *first, uint32_t *n) {
    found met;
    meeting m;
    meet(c, s, abut_min_d(first->fraction, 1), flight, &met);
    for (uint32_t k = 0; k < met.convex; k++) {
        if (is_meeting(c, met.fraction[k], flight->found.key[k], 0, &m) && is_earlier(&m, first) &&
            is_answer(c, s, &m)) {
            *first = m;
            ABUT_PREFETCH(&c->whom.world->ids.generation[m.slot]);
            ABUT_PREFETCH(&c->whom.world->body_user[m.slot]);
            abut_bp_flight_shorten(flight, m.fraction);
        }
    }
    *n = met.n;
    return met.convex;
}

/* What touches a mesh at its start is answered later, alone: this fraction says so. */
static const float LATER = -1;

static bool meet_first(void *context, uint32_t place) {
    batch *b = context;
    const shot *s = &b->shot[place];
    meeting *first = &b->first[place];
    abut_bp_flight *flight = &b->flights.flight[place];
    uint32_t n;
    for (uint32_t k = meet_convex(b->c, s, flight, first, &n); k < n; k++) {
        mesh_call of = {.c = b->c, .s = s, .slot = flight->found.key[k], .first = first};
        if (!meet_mesh(&of, false)) {
            first->fraction = LATER;
            return true;
        }
        abut_bp_flight_shorten(flight, abut_min_d(first->fraction, 1));
    }
    return false;
}

static abut_hit answer_of(const call *c, const shot *s, const meeting *first) {
    return first->fraction <= 1 ? hit_of(c, s, first) : (abut_hit){.fraction = 1};
}

static void answer(void *context, uint32_t place) {
    const batch *b = context;
    const shot *s = &b->shot[place];
    const meeting *first = &b->first[place];
    b->hits[s->element] = first->fraction < 0 ? (abut_hit){.fraction = LATER} : answer_of(b->c, s, first);
}

/* Without a batch on the stack: what it takes to ask a mesh at the start would not fit beside it. */
static ABUT_NOINLINE void answer_alone(const call *c, const abut_cast *cast, size_t element, abut_hit *hit) {
    shot s;
    abut_bp_flight flight;
    meeting first = {.fraction = INFINITY, .slot = UINT32_MAX};
    (void)aim(c, cast, element, &s, &flight); /* a cast that was valid before */
    for (uint32_t n; flight.found.n > 0; abut_bp_fly(abut_w_tree(c->whom.world), &flight)) {
        for (uint32_t k = meet_convex(c, &s, &flight, &first, &n); k < n; k++) {
            mesh_call of = {.c = c, .s = &s, .slot = flight.found.key[k], .first = &first};
            meet_touched_mesh(&of);
            abut_bp_flight_shorten(&flight, abut_min_d(first.fraction, 1));
        }
    }
    *hit = answer_of(c, &s, &first);
}

/* Begins with the next valid cast. */
static bool begin_next(void *context, uint32_t place) {
    batch *b = context;
    while (b->next < b->end) {
        size_t element = b->next++;
        abut_result valid = aim(b->c, &b->casts[element], element, &b->shot[place], &b->flights.flight[place]);
        if (!valid) {
            b->first[place] = (meeting){.fraction = INFINITY, .slot = UINT32_MAX};
            return true;
        }
        b->hits[element] = (abut_hit){.fraction = NAN};
        b->result = abut_w_worse(b->result, valid);
    }
    return false;
}

static ABUT_NOINLINE abut_result answer_batch(const volley *v, size_t first, size_t end) {
    batch b;
    b.c = v->c, b.casts = v->casts, b.hits = v->hits, b.next = first, b.end = end, b.result = ABUT_OK;
    abut_w_fly_all(abut_w_tree(v->c->whom.world), &b.flights, (abut_w_pilot){begin_next, meet_first, answer, NULL}, &b);
    return b.result;
}

static abut_result answer_casts(const void *context, size_t first, size_t end) {
    const volley *v = context;
    const abut_result result = answer_batch(v, first, end);
    for (size_t k = first; k < end && v->c->whom.world->mesh_count > 0; k++) {
        if (v->hits[k].fraction < 0) {
            answer_alone(v->c, &v->casts[k], k, &v->hits[k]);
        }
    }
    return result;
}

static abut_result cast_shapes(const abut_world *world, const abut_cast *casts, size_t n, const abut_query *query,
                               abut_hit *hits) {
    call c;
    abut_result result = n > 0 && (!casts || !hits) ? ABUT_ERROR_ARGUMENT : begin(world, query, &c);
    if (result) {
        return result;
    }
    const volley v = {&c, casts, hits};
    return abut_w_in_blocks(world, n, CASTS_AT_ONCE, answer_casts, &v);
}

abut_result abut_world_cast_shapes(const abut_world *world, const abut_cast *casts, size_t n, const abut_query *query,
                                   abut_hit *hits) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = cast_shapes(world, casts, n, query, hits);
    abut_fpmode_leave(mode);
    return result;
}

/* --- all --- */

static void find_parts(const call *c, const shot *s, uint32_t slot, abut_w_lowest *hits) {
    meeting first = {.fraction = INFINITY, .slot = UINT32_MAX};
    mesh_call of = {.c = c, .s = s, .slot = slot};
    if (c->whom.query->every_part) {
        of.all = hits;
        meet_parts(&of);
        return;
    }
    of.first = &first;
    (void)meet_mesh(&of, true);
    if (first.fraction <= 1) {
        add_hit(hits, &first);
    }
}

static size_t find_all(const call *c, const shot *s, abut_bp_flight *flight, abut_w_lowest *hits) {
    found met;
    meeting m;
    for (; flight->found.n > 0; abut_bp_fly(abut_w_tree(c->whom.world), flight)) {
        meet(c, s, 1, flight, &met);
        for (uint32_t k = 0; k < met.convex; k++) {
            if (is_meeting(c, met.fraction[k], flight->found.key[k], 0, &m) && is_answer(c, s, &m)) {
                add_hit(hits, &m);
            }
        }
        for (uint32_t k = met.convex; k < met.n; k++) {
            find_parts(c, s, flight->found.key[k], hits);
        }
    }
    return abut_w_lowest_sort(hits);
}

static size_t shape_hits(const abut_world *world, const abut_cast *cast, const abut_query *query, abut_hit *out,
                         size_t capacity) {
    call c;
    shot s;
    abut_bp_flight flight;
    abut_w_lowest hits = abut_w_lowest_of(out, capacity, sizeof *out, &by_fraction);
    if (!cast || begin(world, query, &c) || aim(&c, cast, 0, &s, &flight)) {
        return 0;
    }
    size_t total = find_all(&c, &s, &flight, &hits);
    for (size_t i = 0, n = abut_w_lowest_kept(&hits); i < n; i++) {
        const meeting m = meeting_of(&out[i]);
        out[i] = hit_of(&c, &s, &m);
    }
    return total;
}

size_t abut_world_shape_hits(const abut_world *world, const abut_cast *cast, const abut_query *query, abut_hit *out,
                             size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = shape_hits(world, cast, query, out, capacity);
    abut_fpmode_leave(mode);
    return count;
}
