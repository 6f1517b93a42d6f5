/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_hits.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static abut_hit listed[SUBJECT_MOST + 4], shorter[SUBJECT_MOST + 4];

static int by_fraction(const void *a, const void *b) {
    const met_hit *x = a, *y = b;
    if (x->accepted != y->accepted) {
        return x->accepted ? -1 : 1;
    }
    if (x->fraction != y->fraction) {
        return x->fraction < y->fraction ? -1 : 1;
    }
    return x->at < y->at ? -1 : x->at > y->at;
}

void hit_case_sort(hit_case *c) {
    if (c->met > 1) {
        qsort(c->list, c->met, sizeof *c->list, by_fraction);
    }
}

void hit_case_note(asking *a, const hit_case *c, size_t element) {
    for (size_t i = 0; i < c->met; i++) {
        asking_met(a, element, c->list[i].hit.body);
    }
}

bool hit_case_is_first(const hit_case *c, const abut_hit *hit, const abut_hit *first) {
    if (!c->error && c->count > 0) {
        return bits_equal(hit, first, sizeof *hit);
    }
    abut_hit none = {.fraction = 1};
    if (c->error) {
        none.fraction = hit->fraction; /* NaN of any bits */
    }
    return bits_equal(hit, &none, sizeof none) && (c->error == ABUT_OK) == (hit->fraction == 1) &&
           (c->error != ABUT_OK) == isnan(hit->fraction);
}

abut_result hit_case_worst(const hit_case *c, size_t n) {
    abut_result result = ABUT_OK;
    for (size_t k = 0; k < n; k++) {
        result = c[k].error == ABUT_ERROR_ARGUMENT || !result ? c[k].error : result;
        if (result == ABUT_ERROR_ARGUMENT) {
            break;
        }
    }
    return result;
}

static bool untouched(const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        if (at[i] != 0xee) {
            return false;
        }
    }
    return true;
}

void hit_case_judge_list(asking *a, const hit_case *c, const list_call *call, abut_hit *first) {
    subject *s = a->s;
    size_t few = rng_chance(&s->r, 0.5) ? 1 : rng_below(&s->r, (uint32_t)c->count + 3);
    memset(listed, 0xee, (c->count + 1) * sizeof *listed);
    memset(shorter, 0xee, (few + 1) * sizeof *shorter);
    for (int round = 0; round < 3; round++) {
        abut_hit *out = round == 0 ? NULL : round == 1 ? listed : shorter;
        size_t room = round == 0 ? 0 : round == 1 ? c->count + 1 : few;
        asking_open(a);
        size_t n = call->ask(a, c, out, room);
        for (size_t i = 0; i < n && i < room; i++) {
            asking_answer(a, 0, out[i].body);
        }
        hit_case_note(a, c, 0);
        asking_close(a);
        if (n != c->count) {
            print_error("a list of hits: %zu, expected %zu\n", n, c->count);
        }
        check_case(n == c->count, "a list of hits: how many", s->stream, s->step);
    }
    size_t kept = few < c->count ? few : c->count;
    check_case(call->is_list(s, c, listed, c->count), "a list of hits", s->stream, s->step);
    check_case(bits_equal(listed, shorter, kept * sizeof *listed), "the first of a list of hits", s->stream, s->step);
    check_case(untouched(&listed[c->count], sizeof *listed), "a list of hits: the end", s->stream, s->step);
    check_case(untouched(&shorter[kept], sizeof *shorter), "a list of hits: the end", s->stream, s->step);
    *first = listed[0];
}
