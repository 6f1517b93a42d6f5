/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of culling: each instruction set must return the bits of the portable one, for every number of boxes,
 * stride and alignment, and read and write nothing beside its arrays. Prints the speed. */

#include "culling/kernels.h"
#include "support/eights.h"
#include "support/made_frusta.h"
#include "support/print.h"
#include "support/test.h"
#include <abut/isa.h>
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 40, SPARE = 16, GUARD = 8, VIEWS = 3, NODES = (MOST + SPARE) / 8 };

/* Arrays of just the size they need, from malloc, so that a sanitizer sees an access outside them; boxes begin at an
 * odd multiple of 4 bytes. */
typedef struct list {
    char *memory;
    uint32_t *index_memory;
    float *eights;         /* MOST + SPARE boxes */
    float surplus[NODES];  /* of their nodes */
    abut_cull_boxes boxes; /* rounded where there is room for a radius */
    abut_cull_bounds bounds;
    abut_frustum frustum[VIEWS];
    abut_cull_view view[VIEWS];
} list;

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

static void set_bounds(list *l, const abut_cull_round *box, size_t n) {
    l->eights = allocate(EIGHTS(MOST + SPARE) * sizeof *l->eights);
    memset(l->eights, 0, EIGHTS(MOST + SPARE) * sizeof *l->eights);
    for (size_t k = 0; k < MOST + SPARE && n > 0; k++) {
        abut_aabb b = abut_obb_bounds(&box[k < n ? k : 0].core);
        eights_put(l->eights, k, &b);
    }
    for (size_t k = 0; k < NODES; k++) {
        l->surplus[k] = k % 3 == 1 && n > 0 ? 0.25f * box[0].core.half.x : 0;
    }
    l->bounds.eights = l->eights;
}

static void list_make(list *l, const abut_cull_round *box, size_t n, size_t stride) {
    l->memory = allocate(4 + stride * n);
    l->index_memory = allocate((n + 1) * sizeof(uint32_t));
    memset(l->memory, 0xff, 4 + stride * n);
    for (size_t k = 0; k < n; k++) {
        size_t at = n - 1 - k;
        memcpy(l->memory + 4 + stride * at, &box[k], stride < sizeof *box ? stride : sizeof *box);
        l->index_memory[k + 1] = (uint32_t)at;
    }
    l->boxes = (abut_cull_boxes){l->memory + 4, stride, l->index_memory + 1, n, stride > sizeof(abut_obb)};
    set_bounds(l, box, n);
    for (int v = 0; v < VIEWS; v++) {
        l->view[v] = abut_cull_view_of(&l->frustum[v]);
    }
}

static void list_destroy(list *l) {
    free(l->memory);
    free(l->index_memory);
    free(l->eights);
}

typedef struct answers {
    uint8_t plane[VIEWS][MOST + GUARD], axis[MOST + GUARD], search[MOST + GUARD], over[MOST + GUARD],
        bound[MOST + SPARE];
    uint8_t body_inside[NODES + GUARD], body_open[NODES + GUARD];
    size_t kept, open;
    uint32_t keep[MOST + SPARE], leave[MOST + SPARE];
    uint8_t sift[MOST + SPARE];
} answers;

/* The boxes in their order in memory. Unspecified output is made equal. */
static void sift(const list *l, const abut_cull_kernels *kernels, answers *found) {
    abut_cull_sieve sieve = {.kept = found->keep, .open = found->leave, .side = found->sift};
    uint8_t side[MOST + SPARE];
    kernels->spheres(&l->view[0], (const abut_obb *)l->boxes.boxes, l->boxes.n, &sieve);
    found->kept = sieve.kept_count, found->open = sieve.open_count;
    memset(found->keep + found->kept, 0x77, (MOST + SPARE - found->kept) * sizeof *found->keep);
    memset(found->leave + found->open, 0x77, (MOST + SPARE - found->open) * sizeof *found->leave);
    memcpy(side, found->sift, sizeof side);
    memset(found->sift, 0x77, sizeof found->sift);
    for (size_t k = 0; k < found->kept; k++) {
        found->sift[found->keep[k]] = side[found->keep[k]];
    }
}

/* Of boxes with spheres about their middles, as a tree has them; nodes in any order, each with planes of its own. */
static void ask_of_bodies(const list *l, const abut_cull_kernels *kernels, answers *found) {
    static float eights[EIGHTS(MOST + SPARE)];
    uint32_t node[NODES];
    uint8_t planes[NODES];
    const size_t n = l->boxes.n % NODES;
    memcpy(eights, l->eights, sizeof eights);
    for (size_t k = 0; k < MOST + SPARE; k++) {
        float *at = eights + k / 8 * ABUT_CULL_EIGHT + k % 8;
        at[56] = 0.5f * (at[24] - at[0]) + (k % 2 ? 0.2f : 0.9f) * (at[32] - at[8]);
    }
    for (size_t k = 0; k < NODES; k++) {
        node[k] = (uint32_t)(3 * k + n) % NODES;
        planes[k] = (uint8_t)((0x2d + 11 * k) % 64 & ((1u << l->view[0].plane_count) - 1));
    }
    kernels->bodies(&l->view[0], &(abut_cull_nodes){eights, l->surplus, node, planes, n}, found->body_inside,
                    found->body_open);
}

/* Sides of views whose bit is not set, and bytes behind the last side, must stay unchanged. */
static answers ask(const list *l, uint32_t views) {
    const abut_cull_kernels *kernels = abut_cull_kernels_active();
    answers found;
    memset(&found, 0x77, sizeof found);
    kernels->planes(l->view, views, &l->boxes, NULL, found.plane[0], MOST + GUARD);
    kernels->axes(&l->frustum[0], &l->boxes, found.axis);
    kernels->search(&l->view[0], &l->boxes, 6, found.search);
    if (l->view[0].reach < INFINITY) {
        const abut_cull_solid solid = abut_cull_solid_of(&l->frustum[0]);
        kernels->overlaps(&l->view[0], &solid, &l->boxes, found.over);
    }
    ask_of_bodies(l, kernels, &found);
    kernels->bounds(&l->view[0], &l->bounds, 0, l->boxes.n, found.bound);
    memset(found.bound + l->boxes.n, 0x77, sizeof found.bound - l->boxes.n);
    if (l->boxes.stride == sizeof(abut_obb)) {
        sift(l, kernels, &found);
    }
    return found;
}

static uint8_t side_of_bounds(uint8_t crossed) {
    return crossed == 0 ? ABUT_INSIDE : crossed == ABUT_CULL_BEYOND ? ABUT_OUTSIDE : ABUT_CULL_UNDECIDED;
}

/* Counted by answer of the portable kernel: the comparison must cover all answers. */
static unsigned long bodies_said[3], planes_said[5], axes_said[4], search_said[5], over_said[5], bounds_said[4],
    dropped, visible, left_open;

static void check_and_count(const answers *a, size_t n, uint32_t views, bool spheres) {
    for (size_t k = 0; k < MOST + GUARD; k++) {
        for (uint32_t v = 0; v < VIEWS; v++) {
            bool written = k < n && (views >> v & 1);
            assert_true(written ? a->plane[v][k] <= ABUT_CULL_CUT : a->plane[v][k] == 0x77);
            planes_said[written ? a->plane[v][k] : 0] += written;
        }
        assert_true(k < n ? a->axis[k] <= ABUT_INSIDE : a->axis[k] == 0x77);
        axes_said[k < n ? a->axis[k] : 0] += k < n;
        assert_true(k < n ? a->search[k] <= ABUT_CULL_CUT : a->search[k] == 0x77);
        search_said[k < n ? a->search[k] : 0] += k < n;
        assert_true(k < n && a->over[k] != 0x77 ? a->over[k] <= ABUT_CULL_CUT : a->over[k] == 0x77);
        over_said[a->over[k] != 0x77 ? a->over[k] : 0] += a->over[k] != 0x77;
        bounds_said[k < n ? side_of_bounds(a->bound[k]) : 0] += k < n;
    }
    for (size_t k = 0; k < NODES + GUARD; k++) {
        bool written = k < n % NODES;
        assert_true(written ? !(a->body_inside[k] & a->body_open[k]) : a->body_open[k] == 0x77);
        bodies_said[0] += written && (uint8_t) ~(a->body_inside[k] | a->body_open[k]);
        bodies_said[1] += written && a->body_inside[k];
        bodies_said[2] += written && a->body_open[k];
    }
    dropped += spheres ? n - a->kept : 0;
    visible += a->kept - a->open;
    left_open += a->open;
}

static void compare_all_sets(const abut_frustum *frustum, const abut_cull_round *box, size_t n, size_t stride,
                             uint32_t views) {
    list l;
    memcpy(l.frustum, frustum, sizeof l.frustum);
    list_make(&l, box, n, stride);
    assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
    answers expected = ask(&l, views);
    check_and_count(&expected, n, views, stride == sizeof(abut_obb));
    for (int isa = ABUT_ISA_PORTABLE + 1; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        answers found = ask(&l, views);
        for (size_t k = 0; k < n && memcmp(&found, &expected, sizeof found) != 0; k++) {
            if (found.plane[0][k] != expected.plane[0][k] || found.axis[k] != expected.axis[k]) {
                fprintf(stderr, "%s, box %zu of %zu, stride %zu: planes %d not %d, axes %d not %d\n",
                        abut_isa_name((abut_isa)isa), k, n, stride, found.plane[0][k], expected.plane[0][k],
                        found.axis[k], expected.axis[k]);
                print_obb("box", &box[k].core);
            }
        }
        assert_memory_equal(&found, &expected, sizeof found);
    }
    list_destroy(&l);
}

static void every_set_equals_the_portable_one(void **state) {
    (void)state;
    abut_cull_round box[MOST];
    abut_frustum frustum[VIEWS];
    for (unsigned long round = 0; round < test_count(300); round++) {
        rng r = rng_make(test_seed(), round);
        for (size_t n = 0; n <= MOST; n++) {
            for (int v = 0; v < VIEWS; v++) {
                frustum[v] = made_frustum_random(&r);
            }
            for (size_t k = 0; k < n; k++) {
                box[k].core = made_frustum_near(&frustum[rng_below(&r, VIEWS)], &r);
                box[k].radius = rng_chance(&r, 0.2) ? 0 : (float)rng_log_range(&r, 1e-6, 1e3);
            }
            uint32_t views = rng_below(&r, 1 << VIEWS);
            compare_all_sets(frustum, box, n, sizeof(abut_obb), views);
            compare_all_sets(frustum, box, n, sizeof(abut_cull_round), views);
            compare_all_sets(frustum, box, n, 64, views);
        }
    }
    assert_true(planes_said[ABUT_CULL_CUT] > 30 && search_said[ABUT_CULL_CUT] > 30);
    assert_true(search_said[ABUT_OUTSIDE] > 30 && search_said[ABUT_INTERSECTS] > 30);
    assert_true(over_said[ABUT_OUTSIDE] > 30 && over_said[ABUT_INTERSECTS] > 30 && over_said[ABUT_CULL_CUT] > 30);
    for (int side = 0; side < 4; side++) {
        assert_true(planes_said[side] > 30);
        assert_true(side == ABUT_CULL_UNDECIDED || axes_said[side] > 30);
        assert_true(side == ABUT_INTERSECTS || bounds_said[side] > 30);
    }
    assert_true(bodies_said[0] > 30 && bodies_said[1] > 30 && bodies_said[2] > 30);
    assert_true(dropped > 30 && visible > 30 && left_open > 30);
}

/* `side`: the answers of the planes. Invalid boxes may get any answer except visible. */
static void check_sieve(const abut_cull_view *view, const abut_obb *box, const uint8_t *side, size_t n) {
    uint32_t *kept = allocate(2 * (n + SPARE) * sizeof *kept), count = 0;
    abut_cull_sieve sieve = {.kept = kept, .open = kept + n + SPARE, .side = allocate(n + SPARE)};
    abut_cull_kernels_active()->spheres(view, box, n, &sieve);
    for (size_t k = 0; k < sieve.kept_count; k++) {
        uint32_t at = sieve.kept[k];
        bool open = sieve.side[at] == ABUT_CULL_UNDECIDED;
        assert_true(open || (sieve.side[at] == ABUT_INTERSECTS && abut_frustum_test_obb(view->exact, &box[at])));
        assert_true(side[at] != ABUT_OUTSIDE);
        assert_true(!open || sieve.open[count] == at);
        count += open;
    }
    assert_true(count == sieve.open_count && count < sieve.kept_count && side[n - 1] == ABUT_INSIDE);
    free(sieve.side);
    free(kept);
}

/* The planes and spheres of every set, on boxes that are not valid or not in range. */
static void what_is_not_in_range_is_left_undecided(void **state) {
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, -1, 1e38f, 1e25f, 1e-25f, 1e-40f, 0};
    enum { FIELDS = 10, ODD = sizeof odd / sizeof odd[0], ALL = FIELDS * ODD + 2 * SPARE };
    abut_obb box[ALL];
    uint32_t index[ALL];
    uint8_t side[ALL];
    abut_pose pose = {{0, 0, 4}, {0, 0, 0, 1}};
    abut_frustum frustum = made_frustum_perspective(&pose, 1, 1, 1, 100);
    abut_cull_view view = abut_cull_view_of(&frustum);
    for (uint32_t k = 0; k < ALL; k++) { /* the last ones are as they should be */
        box[k] = (abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        (&box[k].center.x)[k < FIELDS * ODD ? k / ODD : 0] = k < FIELDS * ODD ? odd[k % ODD] : 0;
        index[k] = k;
    }
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        abut_cull_boxes boxes = {box, sizeof *box, index, ALL, false};
        abut_cull_kernels_active()->planes(&view, 1, &boxes, NULL, side, ALL);
        for (uint32_t k = 0; k < FIELDS * ODD; k++) {
            float value = odd[k % ODD];
            bool half = k / ODD >= 7, place = k / ODD < 3, huge = !(fabsf(value) < 1e20f);
            bool turn_in_range = !huge && (k / ODD < 6 || fabsf(value) > 1e-10f);
            bool in_range = place ? !huge : half ? !huge && value >= 0 : turn_in_range;
            assert_true(in_range ? side[k] <= ABUT_INSIDE : side[k] == ABUT_CULL_UNDECIDED);
        }
        check_sieve(&view, box, side, ALL);
    }
}

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static void print_speed(void **state) {
    (void)state;
    enum { N = 10000, RUNS = 10, STAGES = 4 };
    static abut_obb box[N];
    static uint32_t index[N], kept[N + SPARE], open[N + SPARE];
    static float eights[EIGHTS(N + SPARE)];
    static uint8_t side[N + SPARE];
    abut_frustum frustum = made_frustum_perspective(&(abut_pose){{0, 0, 0}, {0, 0, 0, 1}}, 1.6, 0.9, 1, 100);
    abut_cull_view view = abut_cull_view_of(&frustum);
    rng r = rng_make(test_seed(), 0);
    for (uint32_t k = 0; k < N; k++) {
        box[k] = (abut_obb){rng_vec3(&r, -20, 20), rng_rotation(&r), {0.5f, 1, 1.5f}};
        index[k] = k;
        abut_aabb b = abut_obb_bounds(&box[k]);
        eights_put(eights, k, &b);
    }
    abut_cull_boxes boxes = {box, sizeof *box, index, N, false};
    abut_cull_sieve sieve = {.kept = kept, .open = open, .side = side};
    abut_cull_bounds bounds = {eights};
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        double best[STAGES] = {1, 1, 1, 1};
        for (int run = 0; abut_isa_select((abut_isa)isa) == ABUT_OK && run < RUNS; run++) {
            double at[STAGES + 1] = {seconds()};
            abut_cull_kernels_active()->bounds(&view, &bounds, 0, N, side);
            at[1] = seconds();
            abut_cull_kernels_active()->spheres(&view, box, N, &sieve);
            at[2] = seconds();
            abut_cull_kernels_active()->planes(&view, 1, &boxes, NULL, side, N);
            at[3] = seconds();
            abut_cull_kernels_active()->axes(&frustum, &boxes, side);
            at[4] = seconds();
            for (int i = 0; i < STAGES; i++) {
                best[i] = fmin(best[i], at[i + 1] - at[i]);
            }
        }
        if (best[0] < 1) {
            printf("%-8s  ns a box: bounds %5.2f, spheres %5.2f, planes %6.2f, axes %7.2f\n",
                   abut_isa_name((abut_isa)isa), best[0] / N * 1e9, best[1] / N * 1e9, best[2] / N * 1e9,
                   best[3] / N * 1e9);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_equals_the_portable_one),
        cmocka_unit_test(what_is_not_in_range_is_left_undecided),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
