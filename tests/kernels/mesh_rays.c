/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray against a mesh with a tree of several levels: each instruction set gives the bits of the portable one, and the
 * first triangle is the first of all. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

enum { SIDE = 90, PARTS = 2 * (SIDE - 1) * (SIDE - 1), MOST = 512 };

static abut_mesh *make_terrain(rng *r) {
    static float height[SIDE * SIDE];
    abut_mesh *mesh = NULL;
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = rng_chance(r, 0.1) ? NAN : (float)rng_range(r, 0, 3);
    }
    const abut_mesh_grid_def def = {
        .heights = height, .columns = SIDE, .rows = SIDE, .spacing = {0.7f, 1, 0.9f}, .two_sided = rng_chance(r, 0.5)};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

typedef struct met {
    uint32_t part;
    double fraction;
} met;

typedef struct list {
    size_t n;
    met met[MOST];
} list;

static double add(uint32_t part, double fraction, void *context) {
    list *l = context;
    size_t at = l->n++;
    assert_true(l->n < MOST && part < PARTS);
    for (; at > 0 && l->met[at - 1].part > part; at--) {
        l->met[at] = l->met[at - 1];
    }
    l->met[at] = (met){part, fraction};
    return 1;
}

static abut_np_ray random_ray(rng *r, const abut_collider *mesh) {
    abut_np_ray ray;
    abut_vec3 v[3];
    float length = (float)rng_log_range(r, 1, 200);
    const abut_vec3 along = rng_direction(r);
    const abut_quat q = mesh->rotation;
    do {
        assert_true(abut_mesh_triangle(mesh->mesh, rng_below(r, PARTS), v));
    } while (isnan(v[0].x));
    for (int i = 0; i < 3; i++) {
        double at = (&v[0].x)[i] + (q.w == 1 ? (&mesh->center.x)[i] : 0), half = (&along.x)[i] * (double)length / 2;
        bool straight = rng_chance(r, 0.2);
        ray.translation[i] = (float)(straight ? 0 : 2 * half);
        ray.origin[i] = (float)(at - (straight ? 0 : half));
    }
    return ray;
}

static void sets_change_no_bit(void **state) {
    (void)state;
    unsigned long hits = 0, count = test_count(3000);
    static abut_mesh *mesh;
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        static list all, other;
        if (i % 100 == 0) {
            abut_mesh_destroy(&mesh);
            mesh = make_terrain(&r);
        }
        const abut_shape shape = {.mesh = mesh};
        const abut_pose pose = {rng_vec3(&r, -9, 9), rng_chance(&r, 0.5) ? (abut_quat){0, 0, 0, 1} : rng_rotation(&r)};
        abut_collider collider;
        assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &collider));
        const abut_np_ray ray = random_ray(&r, &collider);
        met first = {0, INFINITY};
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            uint32_t part = 0;
            abut_vec3 normal = {0, 0, 0};
            if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
                continue;
            }
            memset(&other, 0, sizeof other);
            abut_np_mesh_ray(&ray, &collider, 1, add, &other);
            double fraction = abut_np_mesh_ray_first(&ray, &collider, 1, &part, &normal);
            if (isa == ABUT_ISA_PORTABLE) {
                all = other;
                for (size_t k = 0; k < all.n; k++) {
                    first = all.met[k].fraction < first.fraction ? all.met[k] : first;
                }
            }
            assert_memory_equal(&all, &other, sizeof all);
            assert_true(fraction == first.fraction && part == first.part);
        }
        hits += all.n > 0;
    }
    abut_mesh_destroy(&mesh);
    assert_true(hits > count / 4 && hits < count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_change_no_bit),
    };
    return test_run(tests);
}
