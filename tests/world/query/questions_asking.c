/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_judge.h"
#include <string.h>

tally judged;

bool asking_accepts(const asking *a, abut_body_id id) {
    rng r = rng_make(a->salt, id.index1);
    return !a->salt || rng_chance(&r, 0.6);
}

static bool accept(const abut_candidate *candidate, void *context) {
    asking *a = context;
    const abut_body_id id = candidate->body;
    uint64_t user = 0;
    bool known = candidate->element < ASKING_ELEMENTS && id.index1 > 0 && id.index1 <= SUBJECT_SLOTS;
    a->wrong += !known || candidate->part != 0 || candidate->mover.index1 != 0 || candidate->mover.generation != 0 ||
                abut_body_get_user(a->s->world, id, &user) != ABUT_OK || user != candidate->user;
    a->calls++;
    if (known) {
        a->asked[candidate->element][id.index1 - 1]++;
    }
    return asking_accepts(a, id);
}

void asking_begin(asking *a, subject *s) {
    rng *r = &s->r;
    a->s = s;
    a->query = rng_chance(r, 0.2) ? NULL : &a->filled;
    a->filled = (abut_query){.initial = (abut_initial)rng_below(r, 3)};
    a->salt = 0;
    if (a->query && rng_chance(r, 0.3)) {
        const abut_filter filter = {15 & rng_u64(r), 15 & rng_u64(r), (int32_t)rng_below(r, 5) - 2};
        a->filled.filter = filter;
    }
    if (a->query && rng_chance(r, 0.3)) {
        a->filled.ignore = a->ignored;
        uint32_t most = rng_chance(r, 0.8) ? 40 : rng_chance(r, 0.8) ? 700 : ASKING_IGNORED;
        for (uint32_t i = rng_below(r, most); i > 0; i--) { /* dead ones, too, and some twice */
            a->ignored[a->filled.ignore_count++] = rng_chance(r, 0.1) ? id_of(rng_below(r, 99), 9) : subject_any(s);
        }
    }
    if (a->query && rng_chance(r, 0.4)) {
        a->salt = 1 + rng_u64(r) / 2;
        a->filled.accept = accept;
        a->filled.context = a;
    }
}

void asking_open(asking *a) {
    a->calls = a->wrong = 0;
    if (a->salt) {
        memset(a->asked, 0, sizeof a->asked);
        memset(a->met, 0, sizeof a->met);
        memset(a->answer, 0, sizeof a->answer);
    }
    a->hash = abut_world_hash(a->s->world);
    failing_allocator_fail_from(&a->s->books, 1);
}

void asking_close(asking *a) {
    subject *s = a->s;
    check_case(s->books.calls + 1 == s->books.fail_at, "a question allocates", s->stream, s->step);
    failing_allocator_fail_never(&s->books);
    check_case(abut_world_hash(s->world) == a->hash, "a question changes the hash", s->stream, s->step);
    check_case(a->wrong == 0, "accept is asked about a wrong candidate", s->stream, s->step);
    if (!a->salt) {
        return;
    }
    bool unmet = false, unasked = false, often = false;
    for (size_t e = 0; e < ASKING_ELEMENTS; e++) {
        for (size_t i = 0; i < SUBJECT_SLOTS; i++) {
            unmet |= a->asked[e][i] && !a->met[e][i];
            unasked |= a->answer[e][i] && !a->asked[e][i];
            often |= a->asked[e][i] > 2;
        }
    }
    check_case(!unmet, "accept is asked about a body that is not met", s->stream, s->step);
    check_case(!unasked, "accept is not asked about an answer", s->stream, s->step);
    check_case(!often, "accept is asked three times about one body", s->stream, s->step);
}

void asking_met(asking *a, size_t element, abut_body_id id) {
    a->met[element][id.index1 - 1] = 1;
}

void asking_answer(asking *a, size_t element, abut_body_id id) {
    if (id.index1 > 0 && id.index1 <= SUBJECT_SLOTS) {
        a->answer[element][id.index1 - 1] = 1;
    }
}

/* --- whom a query is put to --- */

static bool passes(const abut_filter *query, const abut_filter *body) {
    if (query->group != 0 && query->group == body->group) {
        return query->group > 0;
    }
    uint64_t category = query->category ? query->category : ~ABUT_MASK_NONE;
    uint64_t mask = query->mask ? query->mask : UINT64_MAX;
    return (category & body->mask) != 0 && (body->category & mask) != 0;
}

/* Notes which compounds do not count: by the index of their roots. */
static void ignore(const abut_world *world, const abut_body_id *id, size_t n, uint8_t *ignored) {
    for (size_t i = 0; i < n; i++) {
        abut_body_id root;
        if (abut_body_get_root(world, id[i], &root) == ABUT_OK) {
            ignored[root.index1 - 1] = 1;
        }
    }
}

size_t asking_whom(const asking *a, const abut_body_id *more, size_t more_count, uint32_t *who) {
    static const abut_query everybody;
    static uint8_t ignored[SUBJECT_SLOTS];
    const subject *s = a->s;
    const abut_query *query = a->query ? a->query : &everybody;
    size_t n = 0;
    memset(ignored, 0, sizeof ignored);
    ignore(s->world, query->ignore, query->ignore_count, ignored);
    ignore(s->world, more, more_count, ignored);
    for (size_t i = 0; i < s->count; i++) {
        const living *b = &s->body[i];
        if (passes(&query->filter, &b->filter) && !ignored[b->root.index1 - 1]) {
            who[n++] = (uint32_t)i;
        }
    }
    return n;
}
