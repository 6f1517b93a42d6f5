/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what each stage says of boxes about frusta, and where exactly its answer changes as a box
 * moves or grows: that shows the slack of each stage to the bit. Other tests judge only that the stages are right. */
#include "culling/any_frusta.h"
#include "culling/kernels.h"
#include "support/digest.h"
#include "support/eights.h"
#include "support/test.h"
#include "support/wild.h"
#include <abut/obb.h>
#include <math.h>

enum { FRUSTA = 600, BOXES = 40, MORE = 16, ALL_PLANES = 63 };

/* A frustum that is none of those refused, nor has coordinates near the limit of floats. */
static abut_frustum frustum_of(rng *r, uint32_t kind) {
    abut_frustum f;
    while (any_frustum(r, kind, &f) != ABUT_OK || !(f.extent < 0x1p60) ||
           !(fabsf(f.origin[0]) + fabsf(f.origin[1]) + fabsf(f.origin[2]) < 0x1p60f)) {
    }
    return f;
}

static abut_cull_round round_near(rng *r, const abut_frustum *f) {
    abut_cull_round x = {.core = any_box_near(r, f)};
    const abut_vec3 half = x.core.half;
    x.radius = (half.x + half.y + half.z) * (float)wild_size(r, rng_chance(r, 0.5) ? -50 : -12, 3);
    if (rng_chance(r, 0.2)) {
        x.core.half = (abut_vec3){0, rng_chance(r, 0.5) ? half.y : 0, 0};
    }
    if (rng_chance(r, 0.1)) {
        x.radius = 0;
    }
    return x;
}

/* --- every stage --- */

/* Several boxes at once, in any order. Kernels test the planes that any box of a register crosses, so all cross the
 * same.
 */
static void digest_stages(uint64_t *digest, rng *r, const abut_cull_view *view, const abut_cull_boxes *of) {
    const abut_cull_kernels *kernels = abut_cull_kernels_active();
    uint8_t side[BOXES + MORE], crossed[BOXES + MORE], found[BOXES + MORE];
    uint32_t cut[BOXES], n = 0;
    kernels->planes(view, 1, of, NULL, side, of->n);
    digest_bytes(digest, side, of->n);
    memset(crossed, (int)(rng_chance(r, 0.1) ? 0 : rng_below(r, ALL_PLANES + 1)), sizeof crossed);
    for (size_t k = 0; k < of->n; k++) {
        cut[n] = of->index[k];
        n += side[k] == ABUT_CULL_CUT;
    }
    kernels->planes(view, 1, of, crossed, found, of->n);
    digest_bytes(digest, found, of->n);
    const abut_cull_boxes open = {of->boxes, of->stride, cut, n, of->rounded};
    kernels->search(view, &open, rng_below(r, 12), found);
    digest_bytes(digest, found, n);
    abut_cull_sides_of_views(view, 1, of, NULL, side, of->n);
    digest_bytes(digest, side, of->n);
    if (!of->rounded) {
        kernels->axes(view->exact, of, side);
        digest_bytes(digest, side, of->n);
    }
}

static uint32_t fill_index(rng *r, uint32_t index[BOXES]) {
    const uint32_t n = rng_below(r, BOXES + 1);
    for (uint32_t k = 0; k < n; k++) {
        index[k] = rng_chance(r, 0.9) ? k : rng_below(r, BOXES);
    }
    return n;
}

static void stages(uint64_t *digest) {
    static abut_obb box[BOXES];
    for (uint32_t k = 0; k < FRUSTA; k++) {
        rng r = rng_make(51, k);
        const abut_frustum f = frustum_of(&r, k);
        const abut_cull_view view = abut_cull_view_of(&f);
        uint32_t index[BOXES];
        for (uint32_t i = 0; i < BOXES; i++) {
            box[i] = any_box_near(&r, &f);
        }
        const uint32_t n = fill_index(&r, index);
        digest_stages(digest, &r, &view, &(abut_cull_boxes){box, sizeof *box, index, n, false});
    }
}

static void stages_of_rounded(uint64_t *digest) {
    static abut_cull_round x[BOXES];
    for (uint32_t k = 0; k < FRUSTA; k++) {
        rng r = rng_make(52, k);
        const abut_frustum f = frustum_of(&r, k);
        const abut_cull_view view = abut_cull_view_of(&f);
        uint32_t index[BOXES];
        for (uint32_t i = 0; i < BOXES; i++) {
            x[i] = round_near(&r, &f);
            if (x[i].radius > 0) {
                digest_number(digest, (uint64_t)abut_cull_side_of_round(&f, &x[i].core, x[i].radius));
            }
        }
        const uint32_t n = fill_index(&r, index);
        digest_stages(digest, &r, &view, &(abut_cull_boxes){x, sizeof *x, index, n, true});
    }
}

/* By spheres, invalid boxes among others, and with public calls. */
static void arrays(uint64_t *digest) {
    enum { MOST = 2100 };
    static abut_obb box[MOST];
    static uint32_t kept[1024 + MORE], open[1024 + MORE], visible[MOST];
    static uint8_t side[1024 + MORE];
    for (uint32_t k = 0; k < 90; k++) {
        rng r = rng_make(53, k);
        const abut_frustum f = frustum_of(&r, k);
        const abut_cull_view view = abut_cull_view_of(&f);
        const uint32_t n = k < 40 ? k : k % 10 == 0 ? MOST - k : 60 + k;
        for (uint32_t i = 0; i < n; i++) {
            box[i] = any_box_near(&r, &f);
            if (rng_chance(&r, k % 3 == 0 ? 0.03 : 0)) {
                any_put(&r, &box[i].center.x, 10, rng_chance(&r, 0.5) ? NAN : -1);
            }
        }
        abut_cull_sieve sieve = {.kept = kept, .open = open, .side = side};
        abut_cull_kernels_active()->spheres(&view, box, n < 1024 ? n : 1024, &sieve);
        digest_words(digest, kept, 4 * sieve.kept_count);
        if (k % 3 > 0) { /* beside invalid boxes none is certainly visible */
            digest_words(digest, open, 4 * sieve.open_count);
        }
        for (size_t i = 0; k % 3 > 0 && i < sieve.kept_count; i++) {
            digest_number(digest, side[kept[i]]);
        }
        const size_t count = abut_frustum_cull_obbs(&f, box, n, visible);
        digest_words(digest, visible, 4 * count);
        digest_number(digest, abut_frustum_cull_obbs(&f, box, n, NULL));
        for (uint32_t i = 0; i < n; i++) {
            digest_number(digest, (uint64_t)abut_frustum_test_obb(&f, &box[i]));
        }
    }
}

/* Several views of the same boxes, with room between their answers. */
static void views(uint64_t *digest) {
    enum { VIEWS = 5, PITCH = BOXES + 3 };
    static abut_obb box[BOXES];
    static uint8_t side[VIEWS * PITCH], crossed[VIEWS * PITCH];
    for (uint32_t k = 0; k < 60; k++) {
        rng r = rng_make(54, k);
        abut_frustum f[VIEWS];
        abut_cull_view view[VIEWS];
        uint32_t index[BOXES];
        for (uint32_t v = 0; v < VIEWS; v++) {
            f[v] = frustum_of(&r, k + v);
            view[v] = abut_cull_view_of(&f[v]);
        }
        for (uint32_t i = 0; i < BOXES; i++) {
            box[i] = any_box_near(&r, &f[i % VIEWS]);
        }
        for (uint32_t i = 0; i < VIEWS * PITCH; i++) {
            crossed[i] = i % PITCH ? crossed[i - 1] : (uint8_t)rng_below(&r, ALL_PLANES + 1);
            side[i] = 9;
        }
        const abut_cull_boxes of = {box, sizeof *box, index, fill_index(&r, index), false};
        const uint32_t asked = rng_below(&r, 1 << VIEWS);
        abut_cull_sides_of_views(view, asked, &of, NULL, side, PITCH);
        digest_bytes(digest, side, sizeof side);
        abut_cull_kernels_active()->planes(view, asked, &of, crossed, side, PITCH);
        digest_bytes(digest, side, sizeof side);
    }
}

/* --- bounds --- */

static abut_aabb bounds_near(rng *r, const abut_frustum *f) {
    const abut_obb box = any_box_near(r, f);
    abut_aabb b = abut_obb_bounds(&box);
    if (rng_chance(r, 0.03)) { /* empty */
        b = (abut_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    }
    return b;
}

/* Of a block of eights, from its first box or the ninth on. Empty bounds may have any answer. */
static void bounds(uint64_t *digest) {
    static float eights[EIGHTS(BOXES + MORE)];
    for (uint32_t k = 0; k < FRUSTA; k++) {
        rng r = rng_make(55, k);
        const abut_frustum f = frustum_of(&r, k);
        const abut_cull_view view = abut_cull_view_of(&f);
        uint8_t crossed[BOXES + MORE];
        bool empty[BOXES];
        for (uint32_t i = 0; i < BOXES; i++) {
            const abut_aabb b = bounds_near(&r, &f);
            const double more = rng_chance(&r, 0.5) ? 0 : (double)(b.max.x - b.min.x) * wild_size(&r, -8, 2);
            eights_put(eights, i, &b);
            eights[i / 8 * ABUT_CULL_EIGHT + 48 + i % 8] = (float)more;
            empty[i] = b.min.x > b.max.x;
        }
        const uint32_t first = 8 * rng_below(&r, 3), n = rng_below(&r, BOXES - first + 1);
        abut_cull_planes_of_bounds(&view, &(abut_cull_bounds){eights}, first, n, crossed);
        for (uint32_t i = 0; i < n; i++) {
            digest_number(digest, empty[first + i] ? 0 : crossed[i]);
        }
    }
}

/* --- where answers change --- */

/* What a stage says of one body. */
typedef uint8_t stage(const abut_cull_view *view, const abut_cull_round *x);

static const uint32_t first = 0;

static uint8_t by_all_axes(const abut_cull_view *view, const abut_cull_round *x) {
    return (uint8_t)abut_frustum_test_obb(view->exact, &x->core);
}

static uint8_t by_distance(const abut_cull_view *view, const abut_cull_round *x) {
    return (uint8_t)abut_cull_side_of_round(view->exact, &x->core, x->radius);
}

static uint8_t by_planes_of(const abut_cull_view *view, const abut_cull_round *x, bool rounded) {
    uint8_t side;
    const abut_cull_boxes one = {x, sizeof *x, &first, 1, rounded};
    abut_cull_kernels_active()->planes(view, 1, &one, NULL, &side, 1);
    return side;
}

static uint8_t by_planes(const abut_cull_view *view, const abut_cull_round *x) {
    return by_planes_of(view, x, false);
}

static uint8_t by_planes_rounded(const abut_cull_view *view, const abut_cull_round *x) {
    return by_planes_of(view, x, true);
}

static uint8_t by_search_of(const abut_cull_view *view, const abut_cull_round *x, bool rounded) {
    uint8_t side;
    const abut_cull_boxes one = {x, sizeof *x, &first, 1, rounded};
    abut_cull_kernels_active()->search(view, &one, 10, &side);
    return side;
}

static uint8_t by_search(const abut_cull_view *view, const abut_cull_round *x) {
    return by_search_of(view, x, false);
}

static uint8_t by_search_rounded(const abut_cull_view *view, const abut_cull_round *x) {
    return by_search_of(view, x, true);
}

static uint8_t by_tree(const abut_cull_view *view, const abut_cull_round *x) {
    const eights_verdict found = eights_ask(view, x);
    return (uint8_t)(found.inside + 2 * found.open);
}

static uint8_t by_sphere(const abut_cull_view *view, const abut_cull_round *x) {
    uint32_t kept[MORE], open[MORE];
    uint8_t side[MORE];
    abut_cull_sieve sieve = {.kept = kept, .open = open, .side = side};
    abut_cull_kernels_active()->spheres(view, &x->core, 1, &sieve);
    return sieve.kept_count == 0 ? 0 : sieve.open_count == 0 ? 1 : 2;
}

/* The radius is by how much the bounds are larger. */
static uint8_t by_bounds(const abut_cull_view *view, const abut_cull_round *x) {
    static float eights[EIGHTS(MORE)];
    uint8_t crossed[MORE];
    const abut_vec3 c = x->core.center, h = x->core.half;
    const abut_aabb b = {{c.x - h.x, c.y - h.y, c.z - h.z}, {c.x + h.x, c.y + h.y, c.z + h.z}};
    eights_put(eights, 0, &b);
    eights[48] = x->radius;
    abut_cull_planes_of_bounds(view, &(abut_cull_bounds){eights}, 0, 1, crossed);
    return crossed[0];
}

/* Halves the way between two numbers of different answers until they are neighbours, and counts the steps. */
static void digest_change(uint64_t *digest, stage *of, const abut_cull_view *view, const abut_cull_round *x,
                          float *number, float low, float high) {
    *number = low;
    const uint8_t at_low = of(view, x);
    *number = high;
    const uint8_t at_high = of(view, x);
    digest_number(digest, at_low);
    digest_number(digest, at_high);
    for (int step = 0; step < 60 && at_low != at_high; step++) {
        const float middle = (float)(((double)low + (double)high) / 2);
        if (!(middle > low && middle < high)) {
            break;
        }
        *number = middle;
        const bool as_low = of(view, x) == at_low;
        low = as_low ? middle : low;
        high = as_low ? high : middle;
    }
    digest_float(digest, low);
}

/* A coordinate, or the radius, of a body near the frustum. Where planes pass through the origin thin bodies show slacks
 * far below the spacing of floats at their size. */
static void changes(uint64_t *digest, stage *of, uint64_t stream, bool rounded) {
    for (uint32_t k = 0; k < 4 * FRUSTA; k++) {
        rng r = rng_make(stream, k);
        const abut_frustum f = frustum_of(&r, k);
        const abut_cull_view view = abut_cull_view_of(&f);
        for (int turn = 0; turn < 3; turn++) {
            abut_cull_round x = round_near(&r, &f);
            x.radius = rounded ? x.radius + 0x1p-60f : 0;
            const float *c = &x.core.center.x;
            const float away = fabsf(c[0] - f.origin[0]) + fabsf(c[1] - f.origin[1]) + fabsf(c[2] - f.origin[2]);
            const float size = turn == 0 ? away : x.core.half.x + x.core.half.y + x.core.half.z + x.radius;
            const uint32_t axis = rng_below(&r, rounded ? 4 : 3);
            float *number = axis == 3 ? &x.radius : &x.core.center.x + axis;
            const float at = *number, by = size * (float)wild_size(&r, -4, 2);
            if (rng_chance(&r, 0.3) && axis < 3) { /* a plate, or a point, across which a plane may lie */
                x.core.half = (abut_vec3){0, axis == 1 ? 0 : x.core.half.y, 0};
                x.core.rotation = (abut_quat){0, 0, 0, 1};
            }
            digest_change(digest, of, &view, &x, number, axis == 3 ? 0x1p-70f : at - by, at + by);
        }
    }
}

static void changes_by_axes(uint64_t *digest) {
    changes(digest, by_all_axes, 61, false);
}

static void changes_by_distance(uint64_t *digest) {
    changes(digest, by_distance, 62, true);
}

static void changes_by_planes(uint64_t *digest) {
    changes(digest, by_planes, 63, false);
    changes(digest, by_planes_rounded, 64, true);
}

static void changes_by_search(uint64_t *digest) {
    changes(digest, by_search, 65, false);
    changes(digest, by_search_rounded, 66, true);
}

static void changes_by_spheres(uint64_t *digest) {
    changes(digest, by_sphere, 67, false);
    changes(digest, by_tree, 68, false);
    changes(digest, by_tree, 69, true);
}

static void changes_by_bounds(uint64_t *digest) {
    changes(digest, by_bounds, 70, false);
    changes(digest, by_bounds, 71, true);
}

static void sides_are_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"stages", stages, UINT64_C(0xe1bd8cbea57f7288)},
        {"stages of rounded boxes", stages_of_rounded, UINT64_C(0x96a47cde8eabb700)},
        {"arrays", arrays, UINT64_C(0x49b723848ed1df41)},
        {"views", views, UINT64_C(0x6498ea0907a48e37)},
        {"bounds", bounds, UINT64_C(0x1e06a99aa511690d)},
        {"changes by axes", changes_by_axes, UINT64_C(0xf3c01a83d3afe8af)},
        {"changes by distance", changes_by_distance, UINT64_C(0xbb875094f3abe7fc)},
        {"changes by planes", changes_by_planes, UINT64_C(0x3b70b5dc39047edc)},
        {"changes by search", changes_by_search, UINT64_C(0x2f97ecadcd6ce860)},
        {"changes by spheres", changes_by_spheres, UINT64_C(0xcae49c7e8df00b0e)},
        {"changes by bounds", changes_by_bounds, UINT64_C(0xc55bbe9b74e6899f)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides_are_the_same_everywhere)};
    return test_run(tests);
}
