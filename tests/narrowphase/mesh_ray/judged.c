/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays at every triangle of small meshes, on every instruction set, judged by the oracle of rays. */

#include "narrowphase/mesh_ray/made_mesh_rays.h"
#include "narrowphase/narrowphase.h"
#include "support/test.h"
#include "support/triangle_ray.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 };

typedef struct tally {
    unsigned long met, near, sideways, faults;
} tally;

static ray_core *core;

static int make_core(void **state) {
    (void)state;
    core = malloc(sizeof *core);
    return core ? 0 : 1;
}

static int free_core(void **state) {
    (void)state;
    free(core);
    return 0;
}

/* --- asking --- */

typedef struct answer {
    bool met[MADE_TRIANGLES];
    double fraction[MADE_TRIANGLES];
    unsigned long visits;
    double limit;
    uint32_t part; /* the first */
    double first;
    abut_vec3 normal;
} answer;

static double note(uint32_t part, double fraction, void *context) {
    answer *a = context;
    assert_true(part < MADE_TRIANGLES && !a->met[part]);
    assert_true(fraction >= 0 && fraction <= 1 && !signbit(fraction));
    a->met[part] = true;
    a->fraction[part] = fraction;
    a->visits++;
    return a->limit;
}

static void ask(const abut_np_ray *ray, const abut_collider *mesh, double limit, answer *a) {
    memset(a, 0, sizeof *a);
    a->limit = limit;
    abut_np_mesh_ray(ray, mesh, limit, note, a);
    a->part = UINT32_MAX;
    a->first = abut_np_mesh_ray_first(ray, mesh, limit, &a->part, &a->normal);
}

/* --- what must hold beside the laws --- */

static const char *first_fault(const abut_np_ray *ray, const abut_collider *mesh, const answer *a) {
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < MADE_TRIANGLES; k++) {
        if (a->met[k] && (best == UINT32_MAX || a->fraction[k] < a->fraction[best])) {
            best = k;
        }
    }
    if (a->part != best || (best == UINT32_MAX) != (a->first == INFINITY)) {
        return "the first is not the first";
    }
    if (best != UINT32_MAX) {
        const abut_vec3 normal = abut_np_mesh_ray_normal(ray, mesh, best);
        return a->first == a->fraction[best] && memcmp(&normal, &a->normal, sizeof normal) == 0
                   ? NULL
                   : "the first has other numbers";
    }
    return NULL;
}

/* Other instruction sets, and limits. */
static const char *differs(const abut_np_ray *ray, const abut_collider *mesh, const answer *a, rng *r) {
    abut_isa active = abut_isa_active();
    const char *fault = NULL;
    answer other;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            ask(ray, mesh, 1, &other);
            fault = memcmp(&other, a, sizeof other) == 0 ? fault : abut_isa_name((abut_isa)isa);
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    uint32_t k = rng_below(r, MADE_TRIANGLES);
    double limit = a->met[k] ? a->fraction[k] : rng_unit(r);
    ask(ray, mesh, limit, &other);
    for (k = 0; k < MADE_TRIANGLES; k++) {
        bool same = other.met[k] == (a->met[k] && a->fraction[k] <= limit);
        fault = same && (!other.met[k] || other.fraction[k] == a->fraction[k]) ? fault : "the limit changes an answer";
    }
    return fault;
}

static abut_mesh *mesh_of(const made_mesh_ray *m) {
    abut_mesh *mesh = NULL;
    const abut_mesh_def def = {.vertices = m->vertex,
                               .vertex_count = m->vertex_count,
                               .indices = m->index,
                               .triangle_count = m->triangle_count,
                               .two_sided = m->two_sided};
    return abut_mesh_create(&def, &mesh) == ABUT_OK ? mesh : NULL;
}

static const char *scale_fault(const made_mesh_ray *m, const answer *a) {
    made_mesh_ray other = *m;
    if (!made_mesh_ray_scales(m)) {
        return NULL;
    }
    made_mesh_ray_scale(&other, m->size > 1 ? 0x1p-9f : 0x1p+9f);
    abut_mesh *mesh = mesh_of(&other);
    const abut_shape shape = {.mesh = mesh};
    abut_collider collider;
    answer b;
    if (!mesh || !abut_collider_from_shape_or_mesh(&shape, &other.pose, &collider)) {
        return "no mesh when scaled";
    }
    const abut_np_ray ray = abut_np_ray_of(&other.ray);
    ask(&ray, &collider, 1, &b);
    abut_mesh_destroy(&mesh);
    return memcmp(&b, a, sizeof b) == 0 ? NULL : "not the same when scaled";
}

static const char *cast_fault(const made_mesh_ray *m, const abut_shape *shape, const answer *a) {
    abut_hit hit;
    memset(&hit, 0, sizeof hit);
    if (abut_shape_cast_ray(shape, &m->pose, &m->ray, &hit) != (a->first <= 1)) {
        return "abut_shape_cast_ray has another answer";
    }
    return a->first > 1 || (hit.part == a->part && hit.fraction == abut_np_ray_fraction(a->first) &&
                            memcmp(&hit.normal, &a->normal, sizeof hit.normal) == 0)
               ? NULL
               : "abut_shape_cast_ray has other numbers";
}

/* --- judging --- */

static void show(const made_mesh_ray *m, uint32_t k, const triangle_truth *t, const answer *a) {
    abut_hit hit = {.fraction = abut_np_ray_fraction(a->fraction[k]), .part = k};
    fprintf(stderr, "triangle %u, side %d (%d), two-sided %d\n", k, t->side, t->side_known, m->two_sided);
    ray_print(core, 0, &m->pose, &m->ray, &t->ray, a->met[k], &hit);
}

static const char *judge_triangles(const made_mesh_ray *m, const abut_collider *mesh, const answer *a, tally *sum) {
    const abut_np_ray ray = abut_np_ray_of(&m->ray);
    for (uint32_t k = 0; k < m->triangle_count; k++) {
        abut_vec3 corner[3], normal;
        assert_true(abut_mesh_triangle(mesh->mesh, k, corner));
        const abut_d3 flat[3] = {abut_d3_from(corner[0]), abut_d3_from(corner[1]), abut_d3_from(corner[2])};
        const abut_d3 n = abut_d3_cross(abut_d3_sub(flat[1], flat[0]), abut_d3_sub(flat[2], flat[0]));
        if (abut_d3_norm1(n) == 0) {
            assert_false(a->met[k]);
            continue;
        }
        triangle_truth t = triangle_ray_oracle(corner, &m->pose, &m->ray, core);
        bool front = t.side < 0 || m->two_sided;
        sum->met += t.ray.meets && front;
        sum->near += t.ray.near_meets && !t.ray.meets && front;
        sum->sideways += t.ray.near_meets && t.side == 0;
        if (a->met[k]) {
            normal = abut_np_mesh_ray_normal(&ray, mesh, k);
        }
        const char *fault = triangle_ray_fault(&t, m->two_sided, &m->ray, a->met[k],
                                               abut_np_ray_fraction(a->fraction[k]), a->met[k] ? &normal : NULL);
        bool early = a->met[k] && (quad)a->fraction[k] < t.ray.near_first * (1 - (quad)1e-15);
        fault = !fault && early ? "the double is too early: another triangle may be met before" : fault;
        if (fault) {
            if (sum->faults < SHOWN) {
                show(m, k, &t, a);
            }
            return fault;
        }
    }
    return NULL;
}

static void judge(made_mesh mesh_kind, made_ray ray_kind, uint64_t index, tally *sum) {
    rng r = rng_make(test_seed() + (uint64_t)mesh_kind, index * MADE_RAYS + (uint64_t)ray_kind);
    made_mesh_ray m;
    made_mesh_ray_of(mesh_kind, ray_kind, &r, &m);
    abut_mesh *mesh = mesh_of(&m);
    abut_collider collider;
    answer a;
    if (!mesh) {
        return;
    }
    const abut_shape shape = {.mesh = mesh};
    assert_true(abut_collider_from_shape_or_mesh(&shape, &m.pose, &collider));
    const abut_np_ray ray = abut_np_ray_of(&m.ray);
    ask(&ray, &collider, 1, &a);
    const char *fault = judge_triangles(&m, &collider, &a, sum);
    fault = fault ? fault : first_fault(&ray, &collider, &a);
    fault = fault ? fault : differs(&ray, &collider, &a, &r);
    fault = fault ? fault : scale_fault(&m, &a);
    fault = fault ? fault : cast_fault(&m, &shape, &a);
    if (fault && sum->faults++ < SHOWN) {
        fprintf(stderr, "%s, %s %llu: %s\n", made_mesh_names[mesh_kind], made_ray_names[ray_kind],
                (unsigned long long)index, fault);
    }
    abut_mesh_destroy(&mesh);
}

static void every_family_keeps_the_law(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long faults = 0, count = test_count(500);
    for (int mesh = 0; mesh < MADE_MESHES; mesh++) {
        for (int ray = 0; ray < MADE_RAYS; ray++) {
            tally t = {0, 0, 0, 0};
            for (unsigned long i = 0; i < count; i++) {
                judge((made_mesh)mesh, (made_ray)ray, i, &t);
            }
            printf("%s, %s: %lu meet, %lu within e only, %lu sideways, %lu faults\n", made_mesh_names[mesh],
                   made_ray_names[ray], t.met, t.near, t.sideways, t.faults);
            fflush(stdout);
            faults += t.faults;
        }
    }
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_family_keeps_the_law, make_core, free_core),
    };
    return test_run(tests);
}
