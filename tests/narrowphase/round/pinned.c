/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: the kernels of spheres and capsules, with what they leave to others; gaps, distances and the
 * functions of any two cores. Other tests judge these to within rounding, and where several points are right, any. */
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"
#include "narrowphase/round/gap.h"
#include "narrowphase/round/measure.h"
#include "narrowphase/round/round.h"
#include "support/digest_d3.h"
#include "support/lattice.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 280, ROUNDS = 6, PAIRS = 2500 };

static wild_hulls wild;
static lattice_hulls lattice;

/* What the kernels take. */
typedef enum round_kind { A_SPHERE, A_CAPSULE, A_BOX, A_ROUND_BOX } round_kind;

static abut_shape shape_of(rng *r, round_kind kind, double size, bool whole) {
    const bool thin = rng_chance(r, 0.4); /* then cores touch where shapes do */
    const float radius =
        whole ? (float)(1 + rng_below(r, 4)) / 2 : (float)(size * (thin ? 0x1p-24 : wild_size(r, -8, 2)));
    const abut_vec3 half = whole ? lattice_box(r).half : wild_half(r, size);
    switch (kind) {
    case A_SPHERE:
        return abut_sphere(radius);
    case A_CAPSULE:
        return (abut_shape){.half = {0, half.y > 0 ? half.y : (float)size, 0}, .radius = radius};
    case A_BOX:
        return (abut_shape){.half = half};
    default:
        return (abut_shape){.half = half, .radius = radius};
    }
}

/* Capsules along any of their axes: those of shapes lie along y. */
static void lay_along(rng *r, abut_collider *c) {
    const float length = c->half.y;
    const uint32_t axis = rng_below(r, 3);
    if (c->type == ABUT_SHAPE_CAPSULE && axis != 1) {
        c->half = (abut_vec3){axis == 0 ? length : 0, 0, axis == 2 ? length : 0};
    }
}

static double make_pair(rng *r, round_kind of_a, round_kind of_b, abut_collider *a, abut_collider *b) {
    const bool whole = rng_chance(r, 0.5);
    const double size = whole ? 2 : wild_size(r, -6, 6);
    const abut_shape x = shape_of(r, of_a, size, whole), y = shape_of(r, of_b, size * wild_size(r, -2, 2), whole);
    wild_pair p;
    if (whole) {
        lattice_pair_make(r, &x, &y, &p);
    } else {
        wild_pair_make(r, &x, &y, &p);
    }
    if (!abut_collider_from_shape(&p.a, &p.pose_a, a) || !abut_collider_from_shape(&p.b, &p.pose_b, b)) {
        abort();
    }
    lay_along(r, a);
    lay_along(r, b);
    return p.size;
}

/* Any two shapes. */
static double any_pair(rng *r, abut_collider *a, abut_collider *b) {
    const bool whole = rng_chance(r, 0.5);
    const double size = wild_size(r, -3, 3);
    const abut_shape x = whole ? lattice_shape(r, &lattice) : wild_shape(r, &wild, size);
    const abut_shape y = whole ? lattice_shape(r, &lattice) : wild_shape(r, &wild, size);
    wild_pair p;
    if (whole) {
        lattice_pair_make(r, &x, &y, &p);
    } else {
        wild_pair_make(r, &x, &y, &p);
    }
    if (!abut_collider_from_shape(&p.a, &p.pose_a, a) || !abut_collider_from_shape(&p.b, &p.pose_b, b)) {
        abort();
    }
    return p.size;
}

/* Pairs of one cell of the table. */
typedef struct round_list {
    abut_collider a[LIST], b[LIST];
    uint32_t index_a[LIST], index_b[LIST], where[LIST];
} round_list;

static void make_list(rng *r, round_kind of_a, round_kind of_b, round_list *list) {
    for (uint32_t k = 0; k < LIST; k++) {
        make_pair(r, of_a, of_b, &list->a[k], &list->b[k]);
        list->index_a[k] = list->index_b[k] = (k * 11) % LIST;
        list->where[k] = LIST - 1 - k;
    }
}

typedef void run_kernel(const abut_np_round_job *job);
typedef run_kernel *pick_kernel(const abut_np_round_kernels *kernels);

static run_kernel *spheres_of(const abut_np_round_kernels *kernels) {
    return kernels->spheres;
}

static run_kernel *segments_of(const abut_np_round_kernels *kernels) {
    return kernels->segments;
}

static run_kernel *sphere_box_of(const abut_np_round_kernels *kernels) {
    return kernels->sphere_box;
}

static run_kernel *capsule_box_of(const abut_np_round_kernels *kernels) {
    return kernels->capsule_box;
}

static void digest_job(run_kernel *run, const round_list *list, size_t n, float margin, bool flip, uint64_t *digest) {
    static abut_manifold m[LIST];
    const size_t stride = sizeof list->a[0];
    uint8_t verdict[LIST];
    memset(m, 0, sizeof m);
    memset(verdict, 7, sizeof verdict);
    abut_np_round_job job = {.pairs = {list->a, list->b, stride, stride, list->index_a, list->index_b, n},
                             .margin = margin,
                             .flip = flip,
                             .to = {NULL, sizeof m[0], list->where},
                             .verdict = verdict};
    run(&job);
    digest_bytes(digest, verdict, LIST);
    job.to.first = m;
    run(&job);
    digest_bytes(digest, verdict, LIST);
    digest_words(digest, m, sizeof m);
}

static size_t length_of(uint32_t k) {
    static const size_t lengths[] = {LIST, 1, 2, 3, 4, 5, 7, 8, 9, 17, 255, 256, 257};
    return lengths[k % (sizeof lengths / sizeof *lengths)];
}
enum { LENGTHS = 13 };

/* Where the kernels leave nothing to others, one at a time, by the kernels of a single pair too. */
static void one_by_one(const round_list *list, float margin, uint64_t *digest) {
    for (uint32_t k = 0; k < LIST; k++) {
        const abut_collider *a = &list->a[k], *b = &list->b[k];
        abut_manifold m = {0}, back = {0};
        digest_number(digest, abut_np_round_overlap(a, b, NULL));
        digest_number(digest, abut_np_round_collide(a, b, margin, NULL, &m));
        digest_number(digest, abut_np_round_collide(b, a, margin, NULL, &back));
        digest_words(digest, &m, sizeof m);
        digest_words(digest, &back, sizeof back);
    }
}

static void many(const round_list *list, size_t n, float margin, uint64_t *digest) {
    static abut_manifold m[LIST];
    uint8_t hit[LIST];
    const abut_np_pairs pairs = {.collider = list->a, .other = list->b, .a = list->index_a, .b = list->index_b, .n = n};
    memset(m, 0, sizeof m);
    memset(hit, 7, sizeof hit);
    abut_np_round_overlap_many(&pairs, list->where, hit);
    digest_bytes(digest, hit, LIST);
    abut_np_round_collide_many(&pairs, margin, list->where, m, hit);
    digest_bytes(digest, hit, LIST);
    digest_words(digest, m, sizeof m);
}

static void digest_kernel(pick_kernel *pick, round_kind of_a, round_kind of_b, uint64_t *digest) {
    static round_list list;
    static const float margins[] = {0, 0.5f, 8, 0x1p-20f};
    rng r = rng_make(5, 16 * (uint64_t)of_a + of_b);
    for (uint32_t k = 0; k < ROUNDS * LENGTHS; k++) {
        const float margin = margins[k % 4];
        run_kernel *run = pick(abut_np_round_kernels_active());
        if (k % LENGTHS == 0) {
            make_list(&r, of_a, of_b, &list);
            one_by_one(&list, margins[k / LENGTHS % 4], digest);
        }
        digest_job(run, &list, length_of(k), margin, k / 4 % 2 == 0, digest);
        many(&list, length_of(k), margin, digest);
    }
}

static void spheres(uint64_t *digest) {
    digest_kernel(spheres_of, A_SPHERE, A_SPHERE, digest);
}

static void segments(uint64_t *digest) {
    digest_kernel(segments_of, A_CAPSULE, A_CAPSULE, digest);
    digest_kernel(segments_of, A_SPHERE, A_CAPSULE, digest);
    digest_kernel(segments_of, A_CAPSULE, A_SPHERE, digest);
}

static void spheres_and_boxes(uint64_t *digest) {
    digest_kernel(sphere_box_of, A_SPHERE, A_BOX, digest);
    digest_kernel(sphere_box_of, A_SPHERE, A_ROUND_BOX, digest);
}

static void capsules_and_boxes(uint64_t *digest) {
    digest_kernel(capsule_box_of, A_CAPSULE, A_BOX, digest);
    digest_kernel(capsule_box_of, A_CAPSULE, A_ROUND_BOX, digest);
}

/* --- distances --- */

static void digest_measured(uint64_t *digest, const abut_np_measured *m) {
    digest_double(digest, m->distance);
    digest_d3(digest, m->on[0]);
    digest_d3(digest, m->on[1]);
    digest_d3(digest, m->normal);
}

static void distances(uint64_t *digest) {
    rng r = rng_make(5, 101);
    for (int k = 0; k < PAIRS; k++) {
        abut_collider a, b;
        abut_np_measured m = {.distance = -1};
        abut_vec3 position, normal;
        const double size = any_pair(&r, &a, &b);
        digest_double(digest, abut_np_size_of(&a, &b));
        digest_number(digest, abut_np_measure(&a, &b, INFINITY, &m));
        digest_measured(digest, &m);
        const double d = m.distance, limits[] = {0, d / 2, d * (1 - 0x1p-12), d, size};
        digest_number(digest, abut_np_measure(&b, &a, INFINITY, &m));
        digest_measured(digest, &m);
        for (int i = 0; i < 5; i++) {
            digest_number(digest, abut_np_measure(&a, &b, limits[i], &m));
        }
        digest_double(digest, abut_np_nearest_point(&a, &b, &position, &normal));
        digest_vec3(digest, position);
        digest_vec3(digest, normal);
    }
}

/* Of one shape from many, and of points and spheres by the kernel. */
static void distances_of_many(uint64_t *digest) {
    static abut_collider body[LIST];
    static uint32_t index[LIST];
    rng r = rng_make(5, 102);
    for (uint32_t k = 0; k < 4 * LENGTHS; k++) {
        abut_collider shape, ball;
        abut_np_closest c;
        double out[LIST], size = 1;
        for (uint32_t i = 0; i < LIST; i++) {
            size = any_pair(&r, &shape, &body[i]);
            index[i] = (i * 11) % LIST;
        }
        const abut_shape sphere = abut_sphere(k % 2 ? (float)(size / 4) : 0);
        if (!abut_collider_from_shape(&sphere, &(abut_pose){shape.center, {0, 0, 0, 1}}, &ball)) {
            abort();
        }
        const size_t n = length_of(k);
        for (uint32_t i = 0; i < LIST; i++) { /* beyond the end of the list they stay as they are */
            out[i] = 7;
        }
        abut_np_distance_many(k % 3 ? &ball : &shape, body, index, n, k % 4 ? size * (k % 4) : (double)INFINITY, out);
        digest_doubles(digest, out, LIST);
        abut_np_round_kernels_active()->point_boxes(&ball, body, index, n, out);
        digest_doubles(digest, out, LIST);
        for (uint32_t i = 0; i < LIST; i += 5) {
            abut_np_closest_of_point(&ball, &body[i], &c);
            digest_double(digest, c.distance);
            digest_double(digest, c.lower);
            digest_double(digest, c.size);
            digest_d3(digest, c.on_b);
            digest_d3(digest, c.normal);
            digest_number(digest, c.overlap);
        }
    }
}

/* --- any two cores --- */

static void cores(uint64_t *digest) {
    rng r = rng_make(5, 103);
    for (int k = 0; k < PAIRS; k++) {
        abut_collider a, b;
        const double size = any_pair(&r, &a, &b);
        const float margins[] = {0, (float)(size / 8), (float)size};
        digest_number(digest, abut_np_cores_overlap(&a, &b, NULL));
        digest_number(digest, abut_np_cores_overlap(&b, &a, NULL));
        for (int i = 0; i < 3; i++) {
            abut_manifold m = {0}, back = {0};
            digest_number(digest, abut_np_cores_collide(&a, &b, margins[i], NULL, &m));
            digest_number(digest, abut_np_cores_collide(&b, &a, margins[i], NULL, &back));
            digest_words(digest, &m, sizeof m);
            digest_words(digest, &back, sizeof back);
        }
    }
}

static void digest_points(uint64_t *digest, const abut_np_points *points) {
    digest_d3(digest, points->normal);
    digest_number(digest, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        digest_d3(digest, points->point[i].position);
        digest_double(digest, points->point[i].separation);
        digest_number(digest, points->point[i].feature);
    }
}

/* The points of a gap, from the closest points alone, and from a manifold that the axes have found. */
static void gaps(uint64_t *digest) {
    rng r = rng_make(5, 104);
    for (int k = 0; k < PAIRS; k++) {
        abut_collider a, b;
        abut_np_ordered_pair o;
        abut_np_closest c;
        abut_np_points points = {.count = 0};
        abut_manifold m = {0};
        const double size = any_pair(&r, &a, &b);
        abut_np_order(&a, &b, &o);
        abut_np_closest_points(o.collider[0], o.collider[1], &c);
        if (c.overlap) {
            continue;
        }
        abut_np_gap_points(&o, &c, c.distance + size / 8, &points);
        digest_points(digest, &points);
        a.radius = b.radius = 0;
        a.type = a.hull ? ABUT_SHAPE_HULL : ABUT_SHAPE_BOX, b.type = b.hull ? ABUT_SHAPE_HULL : ABUT_SHAPE_BOX;
        digest_number(digest, abut_np_collide(&a, &b, (float)size, &m));
        digest_words(digest, &m, sizeof m);
        const bool faces = abut_np_gap_from_found(o.collider[0], o.collider[1], &c, &m, &points);
        digest_number(digest, faces);
        if (faces) {
            digest_points(digest, &points);
        }
        digest_number(digest, abut_np_gap_collide(&a, &b, (float)size, &m));
        digest_words(digest, &m, sizeof m);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"spheres", spheres, UINT64_C(0xfaedee1c006d6f3c)},
        {"segments", segments, UINT64_C(0xd4861b03f1c7f325)},
        {"spheres and boxes", spheres_and_boxes, UINT64_C(0xf292f98fde99ca69)},
        {"capsules and boxes", capsules_and_boxes, UINT64_C(0xcc2b56c098be78a6)},
        {"distances", distances, UINT64_C(0x7e9a8d09f762db0a)},
        {"distances of many", distances_of_many, UINT64_C(0xa41d2992766a13ee)},
        {"cores", cores, UINT64_C(0x82c68c4bae227da4)},
        {"gaps", gaps, UINT64_C(0x0103a554713c7097)},
    };
    wild_hulls_create(&wild);
    lattice_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    lattice_hulls_destroy(&lattice);
    wild_hulls_destroy(&wild);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
