/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what each stage says of rectangles and the shadows of shapes, and translations. A stage may
 * leave a pair to the next one, which then says the same; so what the last one says shows little of the others. */
#include "narrowphase/footprint/closest.h"
#include "narrowphase/footprint/footprint.h"
#include "narrowphase/kernels.h"
#include "support/digest.h"
#include "support/lattice.h"
#include "support/test.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2500, LIST = 200 };

static wild_hulls wild;
static lattice_hulls lattice;

typedef struct ground_pair {
    abut_np_footprint footprint;
    abut_collider collider;
    double size;
} ground_pair;

static void pick_ground(rng *r, int ground[2]) {
    ground[0] = (int)rng_below(r, 3);
    ground[1] = (ground[0] + 1 + (int)rng_below(r, 2)) % 3;
}

static abut_vec2 whole_axis(rng *r) {
    static const abut_vec2 axes[] = {{1, 0}, {0, 1}, {-2, 0}, {0, -0.5f}, {0, 0}, {1, 1}, {-1, 1}, {3, 4}, {-4, 3}};
    return axes[rng_below(r, sizeof axes / sizeof *axes)];
}

/* Of whole numbers, so that borders meet exactly. */
static void make_whole(rng *r, const int ground[2], abut_touch touch, float clearance, ground_pair *p) {
    const abut_shape shape = lattice_shape(r, &lattice);
    wild_pair pair;
    lattice_pair_make(r, &shape, &shape, &pair);
    if (!abut_collider_from_shape(&shape, &pair.pose_b, &p->collider)) {
        abort();
    }
    const float *from = &pair.pose_a.position.x;
    const abut_vec3 half = lattice_box(r).half;
    const abut_obb2 rectangle = {{from[ground[0]], from[ground[1]]}, whole_axis(r), {half.x, half.y}};
    p->size = 4;
    (void)abut_np_footprint_of(&rectangle, clearance, touch, ground, &p->footprint);
}

static void make_wild(rng *r, const int ground[2], abut_touch touch, float clearance, ground_pair *p) {
    const double size = wild_size(r, -4, 4);
    const abut_shape shape = wild_shape(r, &wild, size);
    wild_pair pair;
    wild_pair_make(r, &shape, &shape, &pair);
    if (!abut_collider_from_shape(&shape, &pair.pose_b, &p->collider)) {
        abort();
    }
    const float *from = &pair.pose_a.position.x;
    const abut_vec3 half = wild_half(r, size), direction = rng_direction(r);
    const float length = (float)wild_size(r, -8, 8);
    abut_vec2 axis = {direction.x * length, direction.y * length};
    if (rng_chance(r, 0.3)) {
        axis = whole_axis(r);
        axis.y += (float)(rng_chance(r, 0.5) ? 0 : wild_size(r, -26, -2));
    }
    const abut_obb2 rectangle = {{from[ground[0]], from[ground[1]]}, axis, {half.x, half.y}};
    p->size = pair.size;
    (void)abut_np_footprint_of(&rectangle, clearance * (float)size, touch, ground, &p->footprint);
}

/* Moves the rectangle to where it just does not meet the shadow any more, or a unit of the last place back. */
static void move_out(rng *r, ground_pair *p) {
    abut_vec2 *center = &p->footprint.rectangle.center;
    const abut_vec2 by = abut_np_footprint_translation(&p->footprint, &p->collider);
    const abut_vec2 from = *center;
    *center = (abut_vec2){from.x + by.x, from.y + by.y};
    const uint32_t back = rng_below(r, 3);
    if (back == 1) {
        center->x = nextafterf(center->x, from.x);
    } else if (back == 2) {
        center->y = nextafterf(center->y, from.y);
    }
}

static void make_pair(rng *r, const int ground[2], abut_touch touch, float clearance, ground_pair *p) {
    if (rng_chance(r, 0.5)) {
        make_whole(r, ground, touch, clearance, p);
    } else {
        make_wild(r, ground, touch, clearance, p);
    }
    if (rng_chance(r, 0.3)) {
        move_out(r, p);
    }
}

static void any_pair(rng *r, ground_pair *p) {
    static const float clearances[] = {0, 0, 0.5f, 1, 0x1p-20f};
    int ground[2];
    pick_ground(r, ground);
    const abut_touch touch = rng_chance(r, 0.5) ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP;
    make_pair(r, ground, touch, clearances[rng_below(r, 5)], p);
}

/* --- shadows --- */

static void digest_dd(uint64_t *digest, abut_dd x) {
    digest_double(digest, x.hi);
    digest_double(digest, x.lo);
}

static void digest_shadow(uint64_t *digest, const abut_np_shadow *s) {
    digest_doubles(digest, s->base, 2);
    digest_doubles(digest, s->x, 3);
    digest_doubles(digest, s->y, 3);
}

static void digest_accurate(uint64_t *digest, const abut_np_shadow_dd *s) {
    for (int i = 0; i < 2; i++) {
        digest_dd(digest, s->base[i]);
        digest_dd(digest, s->half[i]);
    }
    for (int k = 0; k < 3; k++) {
        digest_dd(digest, s->x[k]);
        digest_dd(digest, s->y[k]);
    }
    digest_dd(digest, s->grow);
}

static void shadows(uint64_t *digest) {
    rng r = rng_make(6, 1);
    for (int k = 0; k < PAIRS; k++) {
        ground_pair p, other;
        abut_np_shadow s;
        abut_np_shadow_dd accurate;
        any_pair(&r, &p);
        any_pair(&r, &other);
        abut_np_shadow_of(&p.footprint, &p.collider, &s);
        digest_shadow(digest, &s);
        abut_np_shadow_dd_of(&p.footprint, &p.collider, &accurate);
        digest_accurate(digest, &accurate);
        const float extent[3] = {p.collider.half.x, p.collider.half.y, p.collider.half.z};
        for (uint32_t axis = 0; axis < 5 && !p.collider.hull; axis++) {
            digest_number(digest, abut_np_zonogon_free(&accurate, extent, 1u << axis, p.footprint.touch));
        }
        abut_np_shadow_dd_of_rectangle(&p.footprint.rectangle, &other.footprint.rectangle, &accurate);
        digest_accurate(digest, &accurate);
    }
}

/* --- outlines and closest points --- */

static void digest_outline(uint64_t *digest, const abut_np_outline *o) {
    digest_number(digest, o->points);
    digest_number(digest, o->edges);
    digest_words(digest, o->point, o->points * sizeof *o->point);
    for (uint32_t e = 0; e < o->edges; e++) {
        digest_number(digest, o->edge[e].v[0]);
        digest_number(digest, o->edge[e].v[1]);
    }
}

static void digest_feature(uint64_t *digest, const abut_np_closest_feature *f) {
    digest_double(digest, f->distance);
    digest_number(digest, f->feature);
    digest_number(digest, f->is_separated);
}

static void outlines(uint64_t *digest) {
    rng r = rng_make(6, 2);
    for (int k = 0; k < PAIRS; k++) {
        ground_pair p;
        abut_np_shadow s;
        abut_np_shadow_dd accurate;
        abut_np_outline o;
        any_pair(&r, &p);
        const double *half = p.footprint.half, g = abut_np_grow(&p.footprint, &p.collider);
        abut_np_shadow_of(&p.footprint, &p.collider, &s);
        abut_np_shadow_dd_of(&p.footprint, &p.collider, &accurate);
        abut_np_outline_of(&p.collider, &o);
        digest_outline(digest, &o);
        const double far[] = {INFINITY, p.size, g, 0}, near[] = {0, 0, p.size / 4, 0};
        for (int i = 0; i < 4; i++) {
            const abut_np_closest_feature f = abut_np_closest_of(&o, &s, half, near[i], far[i]);
            digest_feature(digest, &f);
        }
        for (int i = 0; i < 3; i++) {
            double direction[2] = {2, 2};
            abut_np_closest_direction(&o, &s, half, rng_below(&r, o.points + o.edges), direction);
            digest_doubles(digest, direction, 2);
            digest_number(digest, abut_np_closest_clear(&o, &s, half, i ? p.size : g, &accurate, i == 2 ? 0x1p-40 : 0,
                                                        p.footprint.touch));
        }
    }
}

/* --- verdicts and translations --- */

static void digest_mtv(uint64_t *digest, abut_np_footprint_mtv mtv) {
    digest_double(digest, mtv.depth);
    digest_doubles(digest, mtv.direction, 2);
}

static void stages(uint64_t *digest) {
    rng r = rng_make(6, 3);
    for (int k = 0; k < PAIRS; k++) {
        ground_pair p;
        abut_np_shadow s;
        abut_dd gap[2];
        any_pair(&r, &p);
        const abut_np_footprint *f = &p.footprint;
        const abut_collider *c = &p.collider;
        const abut_np_footprint_shape *shape = abut_np_footprint_shapes[c->type];
        const double also[2] = {0.6, 0.8}, g = abut_np_grow(f, c);
        abut_np_shadow_of(f, c, &s);
        digest_number(digest, shape->verdict(f, c, &s, 0));
        digest_number(digest, shape->verdict(f, c, &s, p.size / 8));
        digest_number(digest, shape->verdict(f, c, &s, g));
        digest_number(digest, shape->meets(f, c));
        digest_number(digest, shape->in_kernel);
        digest_mtv(digest, shape->mtv(f, c, &s, NULL));
        digest_mtv(digest, shape->mtv(f, c, &s, also));
        if (g > 0) {
            digest_number(digest, abut_np_footprint_meets_grown(f, c, shape));
            digest_mtv(digest, abut_np_footprint_mtv_grown(f, c, &s, shape));
        }
        if (!c->hull && abut_np_footprint_aligned_gaps(f, c, gap)) {
            digest_dd(digest, gap[0]);
            digest_dd(digest, gap[1]);
        }
    }
}

/* Where the gap, or the overlap, along one axis is just the slack of the double stage, 2^-43 of the size. */
static void just_slack(uint64_t *digest) {
    const float gap = 0x1p-20f, wide = 0x1p+23f - 1, rest = 1 - gap;
    const int ground[2] = {0, 1};
    for (int k = 0; k < 2 * 2 * 5; k++) {
        const bool overlap = k % 2 == 1, across = k / 2 % 2 == 1;
        const float own = overlap ? gap : 0, by = (overlap ? 0 : gap) + (float)(k / 4 - 2) * 0x1p-43f;
        const abut_obb2 rectangle = {{0, 0}, {1, 0}, {across ? wide : own, across ? own : wide}};
        const abut_obb box = {
            {across ? 0 : by, across ? by : 0, 0}, {0, 0, 0, 1}, {across ? rest : 0, across ? 0 : rest, 0}};
        abut_np_footprint f;
        abut_np_shadow s;
        abut_collider c;
        if (!abut_np_footprint_of(&rectangle, 0, ABUT_TOUCH_IS_FREE, ground, &f) || !abut_collider_from_obb(&box, &c)) {
            abort();
        }
        abut_np_shadow_of(&f, &c, &s);
        digest_number(digest, abut_np_footprint_verdict_box(&f, &c, &s, 0));
        digest_number(digest, abut_np_footprint_verdict_box(&f, &c, &s, 0x1p-21));
        digest_number(digest, abut_np_footprint_meets(&f, &c));
    }
}

static void translations(uint64_t *digest) {
    rng r = rng_make(6, 4);
    for (int k = 0; k < PAIRS; k++) {
        ground_pair p;
        float box[2][2];
        any_pair(&r, &p);
        abut_np_footprint_bounds(&p.footprint, box[0], box[1]);
        digest_words(digest, box, sizeof box);
        for (int step = 0; step < 3; step++) {
            const abut_vec2 by = abut_np_footprint_translation(&p.footprint, &p.collider);
            digest_number(digest, abut_np_footprint_meets(&p.footprint, &p.collider));
            digest_words(digest, &by, sizeof by);
            move_out(&r, &p);
        }
    }
}

/* Rectangles that reach the ends of the range of floats. */
static void huge_ones(uint64_t *digest) {
    static const float numbers[] = {0, 1, -3e38f, 3e38f, FLT_MAX, 1e30f, 1e-40f, -0.0f, 1e19f};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    const int ground[2] = {0, 2};
    rng r = rng_make(6, 5);
    for (int k = 0; k < PAIRS / 2; k++) {
        ground_pair p;
        float x[9], box[2][2];
        any_pair(&r, &p);
        for (int i = 0; i < 9; i++) {
            x[i] = numbers[rng_below(&r, NUMBERS)];
        }
        const abut_obb2 rectangle = {{x[0], x[1]}, {x[2], x[3]}, {fabsf(x[4]), fabsf(x[5])}};
        const abut_touch touch = k % 2 ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP;
        const bool made = abut_np_footprint_of(&rectangle, k % 4 ? 0 : fabsf(x[6]), touch, ground, &p.footprint);
        digest_number(digest, made);
        digest_doubles(digest, p.footprint.axis, 2);
        digest_doubles(digest, p.footprint.half, 2);
        digest_words(digest, &p.footprint.rectangle, sizeof p.footprint.rectangle);
        abut_np_footprint_bounds(&p.footprint, box[0], box[1]);
        digest_words(digest, box, sizeof box);
        p.collider.center.x = x[7];
        p.collider.center.z = x[8];
        const abut_vec2 by = abut_np_footprint_translation(&p.footprint, &p.collider);
        digest_words(digest, &by, sizeof by);
    }
}

/* --- lists --- */

typedef struct ground_list {
    abut_np_footprint footprint[LIST];
    abut_collider collider[LIST];
    uint32_t index_footprint[LIST], index_collider[LIST];
} ground_list;

/* Without the radii of half of the lists: sharp kernels take these. */
static void make_list(rng *r, bool sharp, ground_list *list) {
    int ground[2];
    pick_ground(r, ground);
    const abut_touch touch = rng_chance(r, 0.5) ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP;
    const float clearance = sharp ? 0 : (float)rng_below(r, 3) / 2;
    for (uint32_t k = 0; k < LIST; k++) {
        ground_pair p;
        do {
            make_whole(r, ground, touch, clearance, &p);
            if (k % 2) {
                make_wild(r, ground, touch, 0, &p);
                p.footprint.clearance = clearance;
            }
        } while (sharp && p.collider.radius > 0);
        if (k % 3 == 0) {
            move_out(r, &p);
        }
        list->footprint[k] = p.footprint;
        list->collider[k] = p.collider;
        list->index_footprint[k] = list->index_collider[k] = (k * 7) % LIST;
    }
}

static void verdicts_of(const ground_list *list, bool sharp, size_t n, uint64_t *digest) {
    uint8_t verdict[LIST];
    uint32_t boxes[LIST];
    size_t count = 0;
    for (size_t k = 0; k < n; k++) { /* hulls are not for kernels */
        boxes[count] = list->index_collider[k];
        count += !list->collider[boxes[count]].hull;
    }
    const abut_np_footprint_kernels *kernels = abut_np_footprint_kernels_active();
    const abut_np_footprint_kernel_pairs pairs = {
        .rectangle = list->footprint,
        .collider = list->collider,
        .rectangle_stride = sizeof list->footprint[0],
        .collider_stride = sizeof list->collider[0],
        .index_rectangle = boxes,
        .index_collider = boxes,
        .ground = {list->footprint[0].ground[0], list->footprint[0].ground[1]},
        .n = count,
    };
    memset(verdict, 7, sizeof verdict); /* beyond the end of the list nothing is written */
    (sharp ? kernels->verdicts : kernels->grown_verdicts)(&pairs, verdict);
    digest_bytes(digest, verdict, sizeof verdict);
}

static void lists(uint64_t *digest) {
    static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, LIST};
    static ground_list list;
    rng r = rng_make(6, 6);
    for (uint32_t k = 0; k < 28; k++) {
        uint8_t hit[LIST];
        const size_t n = lengths[k % 14];
        make_list(&r, k % 2 == 0, &list);
        verdicts_of(&list, k % 2 == 0, n, digest);
        memset(hit, 7, sizeof hit);
        abut_np_footprint_meets_many(
            &(abut_np_footprint_pairs){list.footprint, list.collider, list.index_footprint, list.index_collider, n},
            hit);
        digest_bytes(digest, hit, LIST);
    }
}

/* --- two rectangles, and errors --- */

static void rectangles(uint64_t *digest) {
    rng r = rng_make(6, 7);
    for (int k = 0; k < 4 * PAIRS; k++) {
        ground_pair p, q;
        const int ground[2] = {0, 1};
        make_whole(&r, ground, ABUT_TOUCH_IS_FREE, 0, &p);
        make_whole(&r, ground, ABUT_TOUCH_IS_FREE, 0, &q);
        abut_obb2 a = p.footprint.rectangle, b = q.footprint.rectangle;
        b.center.x = a.center.x + (float)rng_below(&r, 9) - 4;
        b.center.y = a.center.y + (float)rng_below(&r, 9) - 4;
        if (k % 3 == 0) {
            b.half.x = nextafterf(b.half.x, k % 2 ? 0 : 9);
        }
        if (k % 5 == 0) {
            b.axis = a.axis;
        }
        digest_number(digest, abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
        digest_number(digest, abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP));
    }
}

static void refusals(uint64_t *digest) {
    static const float numbers[] = {NAN, INFINITY, -INFINITY, -1, -0.0f, FLT_MAX, 1};
    const int ground[2] = {2, 0};
    const abut_obb2 good = {{0, 0}, {1, 0}, {1, 1}};
    for (int i = 0; i < 6; i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            abut_obb2 bad = good;
            abut_np_footprint f;
            (&bad.center.x)[i] = numbers[k];
            digest_number(digest, abut_np_footprint_of(&bad, 0, ABUT_TOUCH_IS_FREE, ground, &f));
            digest_number(digest, abut_np_footprint_of(&good, numbers[k], ABUT_TOUCH_IS_OVERLAP, ground, &f));
            digest_number(digest, abut_obb2_overlap(&bad, &good, ABUT_TOUCH_IS_FREE));
            digest_number(digest, abut_obb2_overlap(&good, &bad, ABUT_TOUCH_IS_OVERLAP));
        }
    }
    digest_number(digest, abut_obb2_overlap(NULL, &good, ABUT_TOUCH_IS_FREE));
    digest_number(digest, abut_obb2_overlap(&good, NULL, ABUT_TOUCH_IS_FREE));
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"shadows", shadows, UINT64_C(0x77ace0564eda72ed)},
        {"outlines", outlines, UINT64_C(0xae7190f95d46d8f3)},
        {"stages", stages, UINT64_C(0x39c991c3db03484d)},
        {"just slack", just_slack, UINT64_C(0x5a22f177c17cb190)},
        {"translations", translations, UINT64_C(0xba46edf1a3ead402)},
        {"huge ones", huge_ones, UINT64_C(0x9bbd39006be22c2b)},
        {"lists", lists, UINT64_C(0xdd3f6d68695d17fd)},
        {"rectangles", rectangles, UINT64_C(0x93b54314dc13d56c)},
        {"refusals", refusals, UINT64_C(0x08fa8aafbf976d68)},
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
