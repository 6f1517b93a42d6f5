/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts of every convex type with a terrain: each instruction set gives the bits of the portable one. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <string.h>

enum { SIDE = 24, PARTS = 2 * (SIDE - 1) * (SIDE - 1) };

static abut_mesh *make_terrain(rng *r) {
    static float height[SIDE * SIDE];
    abut_mesh *mesh = NULL;
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = (float)rng_range(r, 0, 0.6);
    }
    const abut_mesh_grid_def def = {
        .heights = height, .columns = SIDE, .rows = SIDE, .spacing = {0.7f, 1, 0.9f}, .two_sided = rng_chance(r, 0.3)};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_hull *make_hull(rng *r) {
    abut_vec3 point[20];
    abut_hull *hull = NULL;
    for (int i = 0; i < 20; i++) {
        point[i] = rng_vec3(r, -0.6, 0.6);
    }
    assert_int_equal(abut_hull_create(point, 20, NULL, &hull), ABUT_OK);
    return hull;
}

typedef struct list {
    size_t n;
    abut_manifold manifold;
    abut_contact_part part[PARTS];
} list;

static void add(const abut_contact_part *part, void *context) {
    list *l = context;
    size_t at = l->n++;
    assert_true(l->n <= PARTS);
    for (; at > 0 && l->part[at - 1].part > part->part; at--) {
        l->part[at] = l->part[at - 1];
    }
    l->part[at] = *part;
}

static abut_collider random_body(rng *r, const abut_hull *hull) {
    uint32_t kind = rng_below(r, 6);
    abut_vec3 half = rng_vec3(r, 0.1, rng_chance(r, 0.05) ? 5 : 1);
    half = kind == 2 ? (abut_vec3){0, 0, 0} : kind == 3 ? (abut_vec3){0, half.y, 0} : half;
    abut_collider body = abut_collider_unplaced(NULL, kind == 1 || kind == 5 ? hull : NULL, half,
                                                kind >= 2 ? (float)rng_range(r, 0.05, 0.8) : 0);
    body.center = (abut_vec3){(float)rng_range(r, 1, 15), (float)rng_range(r, -0.5, 1.5), (float)rng_range(r, 1, 19)};
    body.rotation = rng_rotation(r);
    return body;
}

static void sets_change_no_bit(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    abut_mesh *mesh = make_terrain(&r);
    abut_hull *hull = make_hull(&r);
    abut_collider ground = abut_collider_unplaced(mesh, NULL, (abut_vec3){0, 0, 0}, 0);
    unsigned long hits = 0, many = 0, count = test_count(4000);
    ground.rotation.w = 1;
    for (unsigned long i = 0; i < count; i++) {
        static list all, other;
        r = rng_make(test_seed(), i + 1);
        const abut_collider body = random_body(&r, hull);
        float margin = rng_chance(&r, 0.5) ? 0 : 0.05f;
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
                continue;
            }
            memset(&other, 0, sizeof other);
            bool touch = abut_np_mesh_collide(&ground, &body, margin, add, &other, &other.manifold);
            assert_true(touch == (other.n > 0) && touch == abut_np_mesh_touches(&ground, &body, margin));
            if (isa == ABUT_ISA_PORTABLE) {
                all = other;
            }
            assert_memory_equal(&all, &other, sizeof all);
        }
        hits += all.n > 0;
        many += all.n > 40; /* more than are kept while they are compared */
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
    assert_true(hits > count / 4 && hits < count && many > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_change_no_bit),
    };
    return test_run(tests);
}
