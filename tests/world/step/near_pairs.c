/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that nearly touch, many pairs in one world, so that the step resolves them in batches: its answers against the
 * oracle of distance, and bit for bit those of the calls on two shapes, on every instruction set. */

#include "support/near_round.h"
#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 62 }; /* in one world: a category each, so that they ignore each other */

typedef struct batch {
    round_hulls *hulls;
    abut_world *world;
    float margin;
    round_pair pair[PAIRS];
    abut_body_id id[PAIRS][2];
    unsigned long pairs, contacts, close;
} batch;

static abut_result add_side(batch *w, const round_body *body, uint64_t bit, abut_body_id *id) {
    abut_body_def def = {.pose = body->pose, .half = body->shape.half, .hull = body->shape.hull};
    def.radius = body->shape.radius;
    def.filter = (abut_filter){.category = bit, .mask = bit};
    return abut_body_create(w->world, &def, id);
}

/* The rotation that the world has made of it; then a radius that makes the two nearly touch again. */
static void refine(batch *w, rng *r, uint32_t k) {
    round_pair *p = &w->pair[k];
    abut_shape shape;
    assert_int_equal(abut_body_get_shape(w->world, w->id[k][0], &shape, &p->a.pose), ABUT_OK);
    assert_int_equal(abut_body_get_shape(w->world, w->id[k][1], &shape, &p->b.pose), ABUT_OK);
    distance_truth t = distance_oracle(p->a.core, &p->a.pose, p->b.core, &p->b.pose);
    double radius = (double)t.distance - p->b.shape.radius - w->margin;
    radius += rng_chance(r, 0.3) ? 0 : radius * (double)rng_sign(r) * rng_log_range(r, 1e-8, 1e-2);
    if (p->a.shape.radius > 0 && radius > 0.5 * p->a.shape.radius && radius < 2.0 * p->a.shape.radius && !p->exact) {
        p->a.shape.radius = (float)radius;
        assert_int_equal(abut_body_set_shape(w->world, w->id[k][0], &p->a.shape, NULL), ABUT_OK);
    }
}

static void fill(batch *w, uint64_t stream) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        round_pair *p = &w->pair[k];
        rng r = rng_make(test_seed() + 21, stream * PAIRS + k);
        uint64_t bit = UINT64_C(1) << k;
        near_round_pair(w->hulls, test_seed() + 20, stream * PAIRS + k, ROUND_NEAR, p);
        w->id[k][0] = w->id[k][1] = (abut_body_id){0};
        /* what is too large for a world, or a point without a radius, is left out */
        if (add_side(w, &p->a, bit, &w->id[k][0]) == ABUT_OK && add_side(w, &p->b, bit, &w->id[k][1]) == ABUT_OK) {
            refine(w, &r, k);
            w->pairs++;
        } else if (w->id[k][0].index1) {
            assert_int_equal(abut_body_destroy(w->world, w->id[k][0]), ABUT_OK);
        }
    }
}

static const char *fault_of(batch *w, uint32_t k, const abut_contact *c) {
    const round_pair *p = &w->pair[k];
    const round_body *a = &p->a, *b = &p->b;
    distance_truth t = distance_oracle(a->core, &a->pose, b->core, &b->pose);
    double size = distance_size(a->core, a->shape.radius, &a->pose, b->core, b->shape.radius, &b->pose);
    double gap = (double)(t.distance - a->shape.radius - b->shape.radius - w->margin);
    abut_manifold m;
    memset(&m, 0, sizeof m);
    w->close += fabs(gap) < 1e-7 * size;
    if (!c && gap <= -1e-28 * size) {
        return "a contact is missed";
    }
    if (c && gap > 1e-12 * size) {
        return "a contact is invented";
    }
    if (abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, w->margin, &m) != (c != NULL)) {
        return "the step and abut_shape_collide do not agree";
    }
    return c && !bits_equal(&m, &c->manifold, sizeof m) ? "the manifold is not that of abut_shape_collide" : NULL;
}

static void check_batch(batch *w, uint64_t stream) {
    size_t count, found = 0;
    const abut_contact *list = contacts_of(w->world, &count);
    for (uint32_t k = 0; k < PAIRS; k++) {
        const abut_contact *c = NULL;
        for (size_t i = 0; i < count && w->id[k][1].index1; i++) {
            c = abut_body_id_equal(list[i].a, w->id[k][0]) ? &list[i] : c;
        }
        found += c != NULL;
        const char *fault = w->id[k][1].index1 ? fault_of(w, k, c) : NULL;
        if (fault) {
            fprintf(stderr, "pair %u of kinds %d and %d\n", (unsigned)k, (int)w->pair[k].a.kind,
                    (int)w->pair[k].b.kind);
        }
        check_case(!fault, fault ? fault : "", stream, k);
    }
    assert_int_equal(found, count);
    w->contacts += count;
}

static void batches_answer_as_pairs_alone(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    abut_isa active = abut_isa_active();
    unsigned long worlds = test_count(200);
    batch *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->hulls = round_hulls_make(test_seed());
    for (uint64_t stream = 0; stream < worlds; stream++) {
        w->margin = stream % 3 == 2 ? ldexpf(1, (int)(stream % 16) - 10) : 0;
        w->world = make_world(&(abut_world_def){.contact_margin = w->margin});
        fill(w, stream);
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) == ABUT_OK && (stream % 4 == 0 || (abut_isa)isa == active)) {
                abut_world *again = w->world; /* the same bodies as new, so that the step resolves them again */
                for (uint32_t k = 0; k < PAIRS; k++) {
                    if (w->id[k][1].index1) {
                        abut_pose pose;
                        assert_int_equal(abut_body_get_pose(again, w->id[k][0], &pose), ABUT_OK);
                        assert_int_equal(abut_body_set_pose(again, w->id[k][0], &pose), ABUT_OK);
                    }
                }
                step_world(w->world);
                check_batch(w, stream);
            }
        }
        assert_int_equal(abut_isa_select(active), ABUT_OK);
        abut_world_destroy(&w->world);
    }
    round_hulls_release(w->hulls);
    printf("%lu pairs, %lu contacts, %lu closer than 1e-7\n", w->pairs, w->contacts, w->close);
    assert_true(w->pairs > 30 * worlds && w->contacts > 10 * worlds && w->close > 3 * worlds);
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_answer_as_pairs_alone),
    };
    return test_run(tests);
}
