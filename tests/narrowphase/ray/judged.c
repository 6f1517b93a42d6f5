/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_cast_ray, on every instruction set, judged by the oracle of rays: a few thousand rays of each hard family.
 */

#include "support/ray_families.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, ISAS = ABUT_ISA_WASM + 1, FACTOR = 1 << 9 };

typedef struct tally {
    unsigned long met, near, at_start, faults;
} tally;

static ray_hulls *hulls;
static ray_case *made;

static int make_hulls(void **state) {
    (void)state;
    hulls = ray_hulls_make(test_seed());
    made = malloc(sizeof *made);
    return made ? 0 : 1;
}

static int release_hulls(void **state) {
    (void)state;
    ray_hulls_release(hulls);
    free(made);
    return 0;
}

static bool cast(const ray_case *c, abut_hit *hit) {
    memset(hit, 0x5a, sizeof *hit);
    return abut_shape_cast_ray(&c->shape, &c->pose, &c->ray, hit);
}

/* NULL, or what differs on another instruction set, or in a hit that is none. */
static const char *differs(const ray_case *c, bool reported, const abut_hit *hit) {
    abut_isa active = abut_isa_active();
    abut_hit other;
    const char *fault = NULL;
    for (int isa = 0; isa < ISAS; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            bool same = cast(c, &other) == reported && memcmp(&other, hit, sizeof other) == 0;
            fault = same ? fault : abut_isa_name((abut_isa)isa);
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    return fault;
}

static abut_vec3 scaled(abut_vec3 v, float factor) {
    return (abut_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static float largest(abut_vec3 v) {
    return fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
}

static bool is_normal(abut_vec3 v) {
    return (v.x == 0 || fabsf(v.x) > 1e-30f) && (v.y == 0 || fabsf(v.y) > 1e-30f) && (v.z == 0 || fabsf(v.z) > 1e-30f);
}

/* Scaling all lengths by a power of two changes no bit of the fraction and the normal. */
static bool is_scaled(const ray_case *c, bool reported, const abut_hit *hit) {
    abut_shape shape = c->shape;
    abut_pose pose = c->pose;
    abut_ray ray = c->ray;
    abut_hit other;
    float most = fmaxf(largest(ray.origin), fmaxf(largest(pose.position), fmaxf(largest(shape.half), shape.radius)));
    float factor = most > 1 ? 1.0f / FACTOR : FACTOR;
    if (shape.hull || !is_normal(shape.half) || !is_normal(pose.position) || !is_normal(ray.origin) ||
        !is_normal(ray.translation) || !is_normal((abut_vec3){shape.radius, 0, 0})) {
        return true;
    }
    shape.half = scaled(shape.half, factor);
    shape.radius *= factor;
    pose.position = scaled(pose.position, factor);
    ray.origin = scaled(ray.origin, factor);
    ray.translation = scaled(ray.translation, factor);
    if (!isfinite(ray.translation.x + ray.translation.y + ray.translation.z)) {
        return true;
    }
    if (abut_shape_cast_ray(&shape, &pose, &ray, &other) != reported) {
        return false;
    }
    return !reported ||
           (other.fraction == hit->fraction && memcmp(&other.normal, &hit->normal, sizeof other.normal) == 0);
}

static void judge(ray_family family, uint64_t index, tally *t) {
    ray_case *c = made;
    ray_family_case(hulls, family, test_seed(), index, c);
    abut_hit hit;
    bool reported = cast(c, &hit);
    ray_truth truth = ray_oracle(c->core, c->shape.radius, &c->pose, &c->ray);
    t->met += truth.meets;
    t->near += truth.near_meets && !truth.meets;
    t->at_start += truth.near_holds;
    const char *fault = ray_fault(c->core, c->shape.radius, &c->pose, &c->ray, &truth, reported, &hit);
    fault = fault ? fault : differs(c, reported, &hit);
    fault = fault ? fault : is_scaled(c, reported, &hit) ? NULL : "not the same when scaled";
    if (fault && t->faults++ < SHOWN) {
        fprintf(stderr, "%s %llu, kind %d: %s\n", ray_family_names[family], (unsigned long long)index, (int)c->kind,
                fault);
        ray_print(c->core, c->shape.radius, &c->pose, &c->ray, &truth, reported, &hit);
    }
}

static void every_family_keeps_the_law(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long faults = 0, count = test_count(2000);
    for (int family = 0; family < RAY_FAMILIES; family++) {
        tally t = {0, 0, 0, 0};
        for (unsigned long i = 0; i < count; i++) {
            judge((ray_family)family, i, &t);
        }
        printf("%s: %lu rays, %lu meet, %lu within e only, %lu at the start, %lu faults\n", ray_family_names[family],
               count, t.met, t.near, t.at_start, t.faults);
        fflush(stdout);
        faults += t.faults;
    }
    assert_int_equal(faults, 0);
}

static abut_vec3 cross(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* By the inverse of a unit quaternion. */
static abut_vec3 turned_back(abut_quat q, abut_vec3 v) {
    abut_vec3 u = {-q.x, -q.y, -q.z}, t = scaled(cross(u, v), 2), s = cross(u, t);
    return (abut_vec3){v.x + q.w * t.x + s.x, v.y + q.w * t.y + s.y, v.z + q.w * t.z + s.z};
}

/* Slabs in float, as in textbooks. */
static bool textbook(const ray_case *c, abut_hit *hit) {
    abut_vec3 p = c->pose.position, o = c->ray.origin;
    abut_vec3 from = turned_back(c->pose.rotation, (abut_vec3){o.x - p.x, o.y - p.y, o.z - p.z});
    abut_vec3 along = turned_back(c->pose.rotation, c->ray.translation);
    float first = 0, last = 1;
    for (int k = 0; k < 3; k++) {
        float h = *(&c->shape.half.x + k), x = *(&from.x + k), d = *(&along.x + k);
        float enter = (-h - x) / d, leave = (h - x) / d;
        first = fmaxf(first, fminf(enter, leave));
        last = fminf(last, fmaxf(enter, leave));
    }
    *hit = (abut_hit){.fraction = first};
    return first <= last;
}

static void a_textbook_test_is_judged_wrong(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long boxes = 0, missed = 0, invented = 0, late = 0, count = test_count(1000);
    for (unsigned long i = 0; i < count * RAY_WHOLE; i++) {
        ray_family_case(hulls, (ray_family)(i % RAY_WHOLE), test_seed(), i, made);
        abut_quat q = made->pose.rotation;
        float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (made->kind == RAY_BOX && fabsf(length2 - 1) < 1e-6f) {
            abut_hit hit;
            bool reported = textbook(made, &hit);
            ray_truth truth = ray_oracle(made->core, 0, &made->pose, &made->ray);
            const char *fault = ray_fault(made->core, 0, &made->pose, &made->ray, &truth, reported, &hit);
            boxes++;
            missed += fault && strcmp(fault, "missed") == 0;
            invented += fault && strcmp(fault, "invented") == 0;
            late += fault && strcmp(fault, "too late") == 0;
        }
    }
    printf("in float, of %lu boxes: %lu missed, %lu invented, %lu too late\n", boxes, missed, invented, late);
    assert_true(boxes < 50 || (missed > boxes / 100 && invented > boxes / 100));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_family_keeps_the_law, make_hulls, release_hulls),
        cmocka_unit_test_setup_teardown(a_textbook_test_is_judged_wrong, make_hulls, release_hulls),
    };
    return test_run(tests);
}
