/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/workers/fpmode.h"
#include "world/query/blocks.h"
#include "world/query/flights.h"
#include "world/query/lowest.h"
#include "world/query/whom.h"
#include <math.h>

/* Rays. Each walks the tree, roughly front to back; the bodies of a node whose boxes it meets are tested exactly, and
 * what it has met so far shortens the rest of its walk. */

typedef struct call {
    abut_w_whom whom;
    bool skips_start; /* bodies that hold the origin are passed over */
    bool only_mesh;   /* the world holds one body, a mesh */
} call;

/* A ray that is being answered. */
typedef struct shot {
    abut_np_ray exact;
    abut_w_two ignored;
    size_t element;
} shot;

static bool is_within_limit(const abut_ray *ray) {
    const float *origin = &ray->origin.x;
    return fabsf(origin[0]) <= ABUT_MAX_COORDINATE && fabsf(origin[1]) <= ABUT_MAX_COORDINATE &&
           fabsf(origin[2]) <= ABUT_MAX_COORDINATE;
}

static abut_result check_ray(const abut_ray *ray) {
    if (is_within_limit(ray) && abut_vec3_finite(ray->translation)) {
        return ABUT_OK;
    }
    return abut_np_ray_valid(ray) ? ABUT_ERROR_LIMIT : ABUT_ERROR_ARGUMENT;
}

static abut_result begin(const abut_world *world, const abut_query *query, call *c) {
    if (!world || !abut_w_whom_of(world, query, &c->whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    c->skips_start = query && query->initial == ABUT_INITIAL_SKIP;
    abut_w_tree_prepare(world);
    c->only_mesh = world->mesh_count == 1 && abut_w_tree(world)->count == 1;
    return ABUT_OK;
}

/* Finds the first bodies. A world of one mesh is asked at once: what begins in the mesh culls as well. */
static void aim(const call *c, const abut_ray *ray, size_t element, shot *s, abut_bp_flight *flight) {
    const abut_world *world = c->whom.world;
    const abut_bp_tree *tree = abut_w_tree(world);
    s->exact = abut_np_ray_of(ray);
    s->ignored = abut_w_two_of(world, ray->ignore);
    s->element = element;
    if (c->only_mesh) {
        flight->ray.scale = 1;
        flight->walk.count = 0;
        flight->found.n = 1;
        flight->found.key[0] = tree->node[tree->level[0]].key[0];
        return;
    }
    abut_bp_flight_begin(tree, ray->origin, ray->translation, flight);
    flight->found.fetch = world->collider;
    flight->found.fetch_stride = sizeof *world->collider;
    flight->walk.classes = c->whom.filter.classes;
    abut_bp_fly(tree, flight);
}

/* Whether a convex body that is met is an answer. */
static inline bool is_answer(const call *c, const shot *s, uint32_t slot, double fraction) {
    return !(fraction == 0 && c->skips_start) && !abut_w_two_hold(&s->ignored, c->whom.world, slot) &&
           abut_w_whom_accepts(&c->whom, slot, s->element);
}

/* What a flight has found: the first `convex` of its keys are convex bodies, the others, up to `n`, are meshes. */
typedef struct catch {
    uint32_t convex, n;
    double fraction[ABUT_BP_FOUND_MAX]; /* where the ray meets convex bodies */
}
catch;

/* Tests the bodies that a flight has found: those that count stay in flight->found.key. */
static ABUT_INLINE void meet(const call *c, const shot *s, bool has_meshes, double limit, abut_bp_flight *flight,
                             catch *met) {
    const abut_world *world = c->whom.world;
    uint32_t *slot = flight->found.key;
    met->n = abut_w_whom_keep(&c->whom, slot, flight->found.n);
    met->convex = has_meshes ? abut_w_part_meshes(world, slot, met->n) : met->n;
    if (met->convex > 0) {
        abut_np_cast_ray_many(&s->exact, world->collider, slot, met->convex, limit, met->fraction);
    }
}

/* --- meshes --- */

/* The first accepted triangle of a mesh so far. */
typedef struct first_part {
    const call *c;
    const shot *s;
    uint32_t slot, part; /* of no triangle: UINT32_MAX */
    double fraction;     /* what is beyond it does not matter */
    bool any;            /* any triangle will do */
    abut_vec3 normal;    /* unless any will do */
} first_part;

static double visit_part(uint32_t part, double fraction, void *context) {
    first_part *f = context;
    /* It is met no later than the last limit that was returned. */
    bool earlier = fraction < f->fraction || part < f->part;
    if (earlier && abut_w_whom_accepts_part(&f->c->whom, f->slot, part, f->s->element)) {
        f->fraction = fraction;
        f->part = part;
    }
    return f->any && f->part != UINT32_MAX ? -1 : f->fraction;
}

/* Finds the first triangle up to f->fraction. */
static bool meet_mesh(first_part *f) {
    const abut_collider *mesh = &f->c->whom.world->collider[f->slot];
    f->part = UINT32_MAX;
    if (f->c->whom.query->accept || f->any) {
        abut_np_mesh_ray(&f->s->exact, mesh, f->fraction, visit_part, f);
        if (f->part != UINT32_MAX && !f->any) {
            f->normal = abut_np_mesh_ray_normal(&f->s->exact, mesh, f->part);
        }
    } else {
        f->fraction = abut_np_mesh_ray_first(&f->s->exact, mesh, f->fraction, &f->part, &f->normal);
    }
    return f->part != UINT32_MAX;
}

/* --- batches --- */

/* What a ray has met so far. */
typedef struct first_met {
    double fraction; /* INFINITY: nothing */
    uint32_t slot, part;
} first_met;

/* A block is worth some 100 microseconds; flights that no other ones follow at its end cost some percent of it. */
enum { RAYS_AT_ONCE = 128 };

/* A call: either `hits` or `blocked`. */
typedef struct volley {
    const call *c;
    const abut_ray *rays;
    abut_hit *hits;
    uint8_t *blocked;
} volley;

/* A block of it. */
typedef struct batch {
    const call *c;
    const abut_ray *rays;
    size_t end, next; /* of the rays; the next one to begin with */
    bool any;         /* any answer will do */
    abut_hit *hits;
    uint8_t *blocked;
    abut_result result;
    shot shot[ABUT_W_FLIGHTS];
    first_met first[ABUT_W_FLIGHTS];
    abut_vec3 mesh_normal[ABUT_W_FLIGHTS]; /* where `first` is a triangle, if not `any` */
    /* Meshes that are met are flight->found.key[next_mesh .. meshes_end). */
    uint32_t next_mesh[ABUT_W_FLIGHTS], meshes_end[ABUT_W_FLIGHTS];
    bool in_mesh[ABUT_W_FLIGHTS]; /* the one before next_mesh: mesh_flight is under way */
    abut_np_mesh_flight mesh_flight[ABUT_W_FLIGHTS];
    abut_w_flights flights;
} batch;

static void note_first(const abut_world *world, first_met met, abut_bp_flight *flight, first_met *first) {
    *first = met;
    ABUT_PREFETCH(&world->ids.generation[met.slot]);
    ABUT_PREFETCH(&world->body_user[met.slot]);
    abut_bp_flight_shorten(flight, met.fraction);
}

static ABUT_NOINLINE void meet_first_parts(batch *b, uint32_t place, const catch *met) {
    const shot *s = &b->shot[place];
    first_met *first = &b->first[place];
    abut_bp_flight *flight = &b->flights.flight[place];
    for (uint32_t k = met->convex; k < met->n && !(b->any && first->slot != UINT32_MAX); k++) {
        uint32_t slot = flight->found.key[k];
        first_part f = {.c = b->c, .s = s, .slot = slot, .fraction = abut_min_d(first->fraction, 1), .any = b->any};
        if (!abut_w_two_hold(&s->ignored, b->c->whom.world, slot) && meet_mesh(&f) &&
            (f.fraction < first->fraction || slot < first->slot)) {
            note_first(b->c->whom.world, (first_met){f.fraction, slot, f.part}, flight, first);
            b->mesh_normal[place] = f.normal;
        }
    }
}

/* Notes the first of the convex bodies that the flight has found. */
static ABUT_INLINE void meet_first_bodies(batch *b, uint32_t place, bool has_meshes, catch *met) {
    const call *c = b->c;
    const shot *s = &b->shot[place];
    first_met *first = &b->first[place];
    abut_bp_flight *flight = &b->flights.flight[place];
    meet(c, s, has_meshes, abut_min_d(first->fraction, 1), flight, met);
    for (uint32_t k = 0; k < met->convex; k++) {
        uint32_t slot = flight->found.key[k];
        double fraction = met->fraction[k];
        bool earlier = fraction < first->fraction || (fraction == first->fraction && slot < first->slot);
        if (fraction <= 1 && earlier && is_answer(c, s, slot, fraction)) {
            note_first(c->whom.world, (first_met){fraction, slot, 0}, flight, first);
        }
    }
}

static bool meet_first(void *context, uint32_t place) {
    batch *b = context;
    catch met;
    meet_first_bodies(b, place, false, &met);
    return b->any && b->first[place].slot != UINT32_MAX;
}

/* In a world with meshes. */
static bool meet_first_or_meshes(void *context, uint32_t place) {
    batch *b = context;
    catch met;
    meet_first_bodies(b, place, true, &met);
    b->next_mesh[place] = met.convex;
    b->meshes_end[place] = met.n;
    if (b->any || b->c->whom.query->accept) {
        meet_first_parts(b, place, &met);
        b->next_mesh[place] = met.n;
    }
    return b->any && b->first[place].slot != UINT32_MAX;
}

/* The flight through a mesh is over. */
static void leave_mesh(batch *b, uint32_t place) {
    first_met *first = &b->first[place], met = {.slot = b->flights.flight[place].found.key[b->next_mesh[place] - 1]};
    abut_vec3 normal;
    met.fraction = abut_np_mesh_first_end(&b->mesh_flight[place], &met.part, &normal);
    bool earlier = met.fraction < first->fraction || (met.fraction == first->fraction && met.slot < first->slot);
    if (met.fraction <= 1 && earlier) {
        note_first(b->c->whom.world, met, &b->flights.flight[place], first);
        b->mesh_normal[place] = normal;
    }
}

/* Goes on through the meshes that are met, one after another; false at the end. */
static bool stay_in_meshes(void *context, uint32_t place) {
    batch *b = context;
    const abut_world *world = b->c->whom.world;
    const shot *s = &b->shot[place];
    abut_np_mesh_flight *in = &b->mesh_flight[place];
    for (;;) {
        if (b->in_mesh[place]) {
            if (abut_np_mesh_first_go_on(in)) {
                return true;
            }
            leave_mesh(b, place);
        }
        if (b->next_mesh[place] == b->meshes_end[place]) {
            return b->in_mesh[place] = false;
        }
        uint32_t slot = b->flights.flight[place].found.key[b->next_mesh[place]++];
        double limit = abut_min_d(b->first[place].fraction, 1);
        b->in_mesh[place] = !abut_w_two_hold(&s->ignored, world, slot) &&
                            abut_np_mesh_first_begin(&s->exact, &world->collider[slot], limit, in);
    }
}

/* `mesh_normal`, of a triangle, may be known already. */
static ABUT_INLINE void write_hit(const abut_world *world, const shot *s, first_met met, const abut_vec3 *mesh_normal,
                                  abut_hit *hit) {
    const abut_collider *collider = &world->collider[met.slot];
    hit->body = abut_w_id(world, met.slot);
    hit->user = world->body_user[met.slot];
    hit->part = met.part;
    hit->mover = (abut_body_id){0};
    hit->fraction = abut_np_ray_fraction(met.fraction);
    hit->position = abut_np_ray_position(&s->exact, hit->fraction);
    if (collider->type != ABUT_SHAPE_MESH) {
        hit->normal = abut_np_ray_normal(&s->exact, collider, met.fraction);
    } else {
        hit->normal = mesh_normal ? *mesh_normal : abut_np_mesh_ray_normal(&s->exact, collider, met.part);
    }
}

/* Writes the answer to an invalid ray. */
static void refuse(batch *b, size_t element) {
    if (b->any) {
        b->blocked[element] = 0;
    } else {
        b->hits[element] = (abut_hit){.fraction = NAN};
    }
}

static void answer(void *context, uint32_t place) {
    const batch *b = context;
    const shot *s = &b->shot[place];
    const first_met *first = &b->first[place];
    bool met = first->slot != UINT32_MAX;
    if (b->any) {
        b->blocked[s->element] = met;
    } else if (met) {
        write_hit(b->c->whom.world, s, *first, &b->mesh_normal[place], &b->hits[s->element]);
    } else {
        b->hits[s->element] = (abut_hit){.fraction = 1};
    }
}

/* Begins with the next valid ray. */
static bool begin_next(void *context, uint32_t place) {
    batch *b = context;
    for (; b->next < b->end; b->next++) {
        const abut_ray *ray = &b->rays[b->next];
        abut_result valid = check_ray(ray);
        if (!valid) {
            aim(b->c, ray, b->next++, &b->shot[place], &b->flights.flight[place]);
            b->first[place] = (first_met){INFINITY, UINT32_MAX, 0};
            b->in_mesh[place] = false;
            return true;
        }
        refuse(b, b->next);
        b->result = abut_w_worse(b->result, valid);
    }
    return false;
}

/* Compiled for itself: worlds without meshes pay for none. */
static ABUT_NOINLINE void fly_past_meshes(batch *b) {
    const abut_w_pilot pilot = {begin_next, meet_first_or_meshes, answer, stay_in_meshes};
    abut_w_fly_all(abut_w_tree(b->c->whom.world), &b->flights, pilot, b);
}

static abut_result answer_rays(const void *context, size_t first, size_t end) {
    const volley *v = context;
    batch b;
    b.c = v->c, b.rays = v->rays, b.hits = v->hits, b.blocked = v->blocked;
    b.any = v->blocked != NULL, b.next = first, b.end = end, b.result = ABUT_OK;
    if (v->c->whom.world->mesh_count) {
        fly_past_meshes(&b);
    } else {
        const abut_w_pilot pilot = {begin_next, meet_first, answer, NULL};
        abut_w_fly_all(abut_w_tree(v->c->whom.world), &b.flights, pilot, &b);
    }
    return b.result;
}

static abut_result ask(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query, abut_hit *hits,
                       uint8_t *blocked) {
    call c;
    abut_result result = n > 0 && (!rays || (!hits && !blocked)) ? ABUT_ERROR_ARGUMENT : begin(world, query, &c);
    if (result) {
        return result;
    }
    const volley v = {&c, rays, hits, blocked};
    return abut_w_in_blocks(world, n, RAYS_AT_ONCE, answer_rays, &v);
}

abut_result abut_world_cast_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 abut_hit *hits) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = ask(world, rays, n, query, hits, NULL);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_world_test_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 uint8_t *blocked) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = ask(world, rays, n, query, NULL, blocked);
    abut_fpmode_leave(mode);
    return result;
}

/* --- all --- */

/* While hits are collected, the position holds the fraction in double. */
static const abut_w_order by_fraction = {.words = 4,
                                         .offset = {offsetof(abut_hit, position.x), offsetof(abut_hit, position.y),
                                                    offsetof(abut_hit, body.index1), offsetof(abut_hit, part)}};

static void add_hit(abut_w_lowest *hits, first_met met) {
    abut_hit hit = {.body = {.index1 = met.slot + 1}, .part = met.part};
    abut_w_order_put(met.fraction, &hit.position.x, &hit.position.y);
    abut_w_lowest_add(hits, &hit);
}

/* The triangles of a mesh as they come. */
typedef struct all_parts {
    first_part about;
    abut_w_lowest *hits;
} all_parts;

static double add_part(uint32_t part, double fraction, void *context) {
    all_parts *all = context;
    const first_part *f = &all->about;
    if (abut_w_whom_accepts_part(&f->c->whom, f->slot, part, f->s->element)) {
        add_hit(all->hits, (first_met){fraction, f->slot, part});
    }
    return 1;
}

static void find_parts(const call *c, const shot *s, uint32_t slot, abut_w_lowest *hits) {
    all_parts all = {{.c = c, .s = s, .slot = slot, .fraction = 1}, hits};
    if (abut_w_two_hold(&s->ignored, c->whom.world, slot)) {
        return;
    }
    if (c->whom.query->every_part) {
        abut_np_mesh_ray(&s->exact, &c->whom.world->collider[slot], 1, add_part, &all);
    } else if (meet_mesh(&all.about)) {
        add_hit(hits, (first_met){all.about.fraction, slot, all.about.part});
    }
}

static size_t find_all(const call *c, const shot *s, abut_bp_flight *flight, abut_w_lowest *hits) {
    catch met;
    for (; flight->found.n > 0; abut_bp_fly(abut_w_tree(c->whom.world), flight)) {
        const uint32_t *slot = flight->found.key;
        meet(c, s, c->whom.world->mesh_count, 1, flight, &met);
        for (uint32_t k = 0; k < met.convex; k++) {
            if (met.fraction[k] <= 1 && is_answer(c, s, slot[k], met.fraction[k])) {
                add_hit(hits, (first_met){met.fraction[k], slot[k], 0});
            }
        }
        for (uint32_t k = met.convex; k < met.n; k++) {
            find_parts(c, s, slot[k], hits);
        }
    }
    return abut_w_lowest_sort(hits);
}

static size_t ray_hits(const abut_world *world, const abut_ray *ray, const abut_query *query, abut_hit *out,
                       size_t capacity) {
    call c;
    shot s;
    abut_w_lowest hits = abut_w_lowest_of(out, capacity, sizeof *out, &by_fraction);
    if (!ray || check_ray(ray) || begin(world, query, &c)) {
        return 0;
    }
    abut_bp_flight flight;
    aim(&c, ray, 0, &s, &flight);
    size_t total = find_all(&c, &s, &flight, &hits);
    for (size_t i = 0, n = abut_w_lowest_kept(&hits); i < n; i++) {
        double fraction = abut_w_order_get(&out[i].position.x, &out[i].position.y);
        write_hit(world, &s, (first_met){fraction, out[i].body.index1 - 1, out[i].part}, NULL, &out[i]);
    }
    return total;
}

size_t abut_world_ray_hits(const abut_world *world, const abut_ray *ray, const abut_query *query, abut_hit *out,
                           size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = ray_hits(world, ray, query, out, capacity);
    abut_fpmode_leave(mode);
    return count;
}
