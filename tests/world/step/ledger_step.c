/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A step of a world beside its model, and the comparison of the two. */

#include "ledger.h"
#include <stdlib.h>

bool ledger_allows(uint64_t user_a, uint64_t user_b) {
    return ((user_a ^ user_b) >> 7) % 6 != 0;
}

/* --- callbacks --- */

/* Every const function may be called inside should_collide; it sees the last step's lists. */
static void look_around(ledger *l, abut_body_id a) {
    size_t count;
    abut_pose pose;
    uint32_t index;
    const abut_contact *contacts = contacts_of(l->world, &count);
    ledger_expect(l, count == l->open_count, "contacts changed before the step was done");
    ledger_expect(l, bits_equal(contacts, l->open, count * sizeof *contacts), "contacts changed too early");
    ledger_expect(l, abut_body_get_pose(l->world, a, &pose) == ABUT_OK, "get_pose within should_collide");
    ledger_expect(l, abut_body_contacts(l->world, a, &index, 1) <= count, "contacts within should_collide");
    ledger_expect(l, abut_world_body_count(l->world) == l->live, "count within should_collide");
    (void)abut_world_hash(l->world);
}

static void try_to_change(ledger *l, abut_body_id a) {
    abut_world *w = l->world;
    abut_pose pose = pose_at(0, 0, 0);
    abut_body_def def = {.half = {1, 1, 1}};
    abut_body_id id = {1, 1};
    const uint64_t hash = abut_world_hash(w);
    bool busy = abut_world_step(w, NULL, NULL) == ABUT_ERROR_BUSY && abut_body_destroy(w, a) == ABUT_ERROR_BUSY &&
                abut_body_create(w, &def, &id) == ABUT_ERROR_BUSY && abut_body_id_equal(id, id_of(0, 0)) &&
                abut_bodies_create(w, &def, 1, &id) == ABUT_ERROR_BUSY &&
                abut_body_set_pose(w, a, &pose) == ABUT_ERROR_BUSY &&
                abut_bodies_set_poses(w, &a, &pose, 1) == ABUT_ERROR_BUSY &&
                abut_body_set_filter(w, a, &(abut_filter){0}) == ABUT_ERROR_BUSY &&
                abut_body_set_motion(w, a, ABUT_STATIC) == ABUT_ERROR_BUSY &&
                abut_body_set_detail(w, a, ABUT_DETAIL_BOUNDS) == ABUT_ERROR_BUSY &&
                abut_body_set_user(w, a, 5) == ABUT_ERROR_BUSY;
    abut_world_destroy(&w);
    ledger_expect(l, busy && w == l->world && abut_world_hash(w) == hash, "a change within should_collide");
    l->counts.busy++;
}

static bool should_collide(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    ledger *l = user;
    ledger_expect(l, a.index1 < b.index1, "asked the wrong way round");
    bool found = false;
    for (size_t i = 0; i < l->touching.count; i++) {
        const body_pair *p = &l->touching.items[i];
        if (abut_body_id_equal(p->a, a) && abut_body_id_equal(p->b, b)) {
            found = true;
            l->asked[i]++;
        }
    }
    ledger_expect(l, found, "asked about a pair that does not touch");
    uint64_t now_a = 0, now_b = 0;
    (void)abut_body_get_user(l->world, a, &now_a);
    (void)abut_body_get_user(l->world, b, &now_b);
    ledger_expect(l, now_a == user_a && now_b == user_b, "asked with other users");
    if (user_a % 8 == 0) {
        look_around(l, a);
        try_to_change(l, b);
    }
    l->counts.asked++;
    return ledger_allows(user_a, user_b);
}

static void on_event(const abut_contact *contact, ledger *l, abut_phase phase) {
    ledger_expect(l, contact->phase == phase, "the wrong function was called");
    ledger_expect(l, l->reported_count < sizeof l->reported / sizeof l->reported[0], "reported too much");
    l->reported[l->reported_count++] = *contact;
    if (rng_chance(&l->r, l->quiet ? 0.001 : 0.1)) {
        ledger_call(l, true);
    }
}

static void on_begin(const abut_contact *contact, void *user) {
    on_event(contact, user, ABUT_BEGIN);
}

static void on_persist(const abut_contact *contact, void *user) {
    on_event(contact, user, ABUT_PERSIST);
}

static void on_end(const abut_contact *contact, void *user) {
    on_event(contact, user, ABUT_END);
}

/* --- what the events must be --- */

static int order(const abut_contact *p, const abut_contact *q) {
    if (p->a.index1 != q->a.index1) {
        return p->a.index1 < q->a.index1 ? -1 : 1;
    }
    return p->b.index1 < q->b.index1 ? -1 : p->b.index1 > q->b.index1;
}

static bool same_pair(const abut_contact *p, const abut_contact *q) {
    return abut_body_id_equal(p->a, q->a) && abut_body_id_equal(p->b, q->b);
}

static void check_end(ledger *l, const abut_contact *end, size_t old) {
    abut_contact wanted = l->open[old];
    wanted.phase = ABUT_END;
    wanted.previous1 = (uint32_t)old + 1;
    memset(&wanted.manifold, 0, sizeof wanted.manifold);
    ledger_expect(l, bits_equal(end, &wanted, sizeof wanted), "a wrong END");
    l->counts.ended++;
    l->counts.ended_by_destruction += l->generation[end->a.index1] != end->a.generation ||
                                      !abut_body_is_valid(l->world, end->a) || !abut_body_is_valid(l->world, end->b);
}

/* Walks the events along the old and the new list: every contact once, every old one without successor once. */
static void check_events(ledger *l, const abut_contact *now, size_t now_count) {
    size_t count, old = 0, k = 0;
    const abut_contact *events = events_of(l->world, &count);
    for (size_t i = 0; i <= now_count; i++) {
        while (old < l->open_count && (i == now_count || order(&l->open[old], &now[i]) <= 0)) {
            if (i < now_count && same_pair(&l->open[old], &now[i])) {
                break;
            }
            ledger_expect(l, k < count, "an END is missing");
            check_end(l, &events[k++], old++);
        }
        if (i == now_count) {
            break;
        }
        bool persists = old < l->open_count && same_pair(&l->open[old], &now[i]);
        ledger_expect(l, now[i].phase == (persists ? ABUT_PERSIST : ABUT_BEGIN), "phase");
        ledger_expect(l, now[i].previous1 == (persists ? old + 1 : 0), "previous1");
        ledger_expect(l, k < count && bits_equal(&events[k], &now[i], sizeof now[i]), "an event is not its contact");
        k++;
        old += persists;
        l->counts.persisted += persists;
        l->counts.begun += !persists;
    }
    ledger_expect(l, k == count && old == l->open_count, "events too many");
    ledger_expect(l, l->reported_count == count && bits_equal(l->reported, events, count * sizeof *events),
                  "the listener heard something else than the event list");
}

/* --- a step --- */

static size_t read_models(const ledger *l, model_body models[LEDGER_MOST]) {
    size_t n = 0;
    for (size_t i = 0; i < LEDGER_MOST; i++) {
        if (l->body[i].alive) {
            models[n++] = (model_body){l->body[i].id, l->body[i].half, l->body[i].root, l->body[i].hull, 0};
        }
    }
    return n;
}

static void drop_vetoed(ledger *l, const body_now *bodies, pair_list *pairs) {
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const body_pair *p = &pairs->items[i];
        ledger_expect(l, l->asked[i] == 1, "not asked exactly once");
        if (ledger_allows(bodies[p->i].user, bodies[p->j].user)) {
            pairs->items[kept++] = *p;
        }
    }
    l->counts.vetoed += pairs->count - kept;
    pairs->count = kept;
}

void ledger_step(ledger *l) {
    const abut_listener listener = {on_begin, on_persist, on_end, l};
    model_body models[LEDGER_MOST];
    size_t n = read_models(l, models), count;
    body_now *bodies = read_bodies(l->world, models, n);
    l->touching = brute_pairs(bodies, n, l->margin);
    memset(l->asked, 0, sizeof l->asked);
    l->reported_count = 0;
    l->step++;
    ledger_expect(l, abut_world_step(l->world, &listener, NULL) == ABUT_OK, "step");
    if (l->asks) {
        drop_vetoed(l, bodies, &l->touching);
    }
    ledger_expect(l, contacts_are(l->world, bodies, &l->touching, l->margin), "contacts differ from brute force");
    const abut_contact *now = contacts_of(l->world, &count);
    check_events(l, now, count);
    if (count != 0) {
        memcpy(l->open, now, count * sizeof *now);
    }
    l->open_count = count;
    free_pairs(&l->touching);
    free(bodies);
}

static bool body_agrees(const abut_world *world, const ledger_body *b) {
    abut_pose pose;
    abut_filter f;
    abut_motion motion;
    abut_detail detail;
    uint64_t user;
    return abut_body_get_pose(world, b->id, &pose) == ABUT_OK && abut_body_get_filter(world, b->id, &f) == ABUT_OK &&
           abut_body_get_motion(world, b->id, &motion) == ABUT_OK &&
           abut_body_get_detail(world, b->id, &detail) == ABUT_OK &&
           abut_body_get_user(world, b->id, &user) == ABUT_OK && bits_equal(&pose, &b->pose, sizeof pose) &&
           f.category == b->filter.category && f.mask == b->filter.mask && f.group == b->filter.group &&
           motion == b->motion && detail == b->detail && user == b->user;
}

void ledger_check(const ledger *l) {
    ledger_expect(l, abut_world_validate(l->world) == ABUT_OK, "validate");
    ledger_expect(l, abut_world_body_count(l->world) == l->live, "body count");
    for (size_t i = 0; i < LEDGER_MOST; i++) {
        if (l->body[i].alive) {
            ledger_expect(l, body_agrees(l->world, &l->body[i]), "a body differs from its model");
        }
    }
}

void ledger_open(ledger *l, uint64_t stream, float margin, bool asks) {
    l->r = rng_make(test_seed(), stream);
    l->stream = stream;
    l->margin = margin;
    l->asks = asks;
    l->world = make_world(&(abut_world_def){
        .contact_margin = margin, .should_collide = asks ? should_collide : NULL, .user = asks ? l : NULL});
    ledger_replace_unused_hulls(l);
}

void ledger_close(ledger *l) {
    abut_world_destroy(&l->world);
    assert_null(l->world);
    for (size_t i = 0; i < LEDGER_HULLS; i++) {
        abut_hull_destroy(&l->hull[i]);
    }
}
