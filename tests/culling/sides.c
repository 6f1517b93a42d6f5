/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sides of boxes: known cases; all stages agree with the double one; many boxes give the answers of single ones. */

#include "culling/kernels.h"
#include "support/eights.h"
#include "support/made_frusta.h"
#include "support/print.h"
#include "support/test.h"
#include <abut/isa.h>
#include <abut/obb.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const abut_pose at_origin = {{0, 0, 0}, {0, 0, 0, 1}};

static abut_obb cube(float x, float y, float z, float half) {
    return (abut_obb){{x, y, z}, {0, 0, 0, 1}, {half, half, half}};
}

static abut_side side_of(const abut_frustum *frustum, abut_obb box) {
    return abut_frustum_test_obb(frustum, &box);
}

/* Looks along -z; 90 degrees wide and high, from 1 to 10. */
static abut_frustum square_frustum(double far) {
    return made_frustum_perspective(&at_origin, 1, 1, 1, far);
}

static void boxes_are_where_they_should_be(void **state) {
    (void)state;
    abut_frustum f = square_frustum(10);
    assert_int_equal(side_of(&f, cube(0, 0, -5, 1)), ABUT_INSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, -5, 0)), ABUT_INSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, -5, 100)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(0, 0, -1, 0.5f)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(0, 0, 0, 0.5f)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, 5, 1)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, -12, 1)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(8, 0, -5, 1)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(5, 0, -5, 1)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(5, 5, -5, 1)), ABUT_INTERSECTS);
}

static void what_touches_is_not_outside(void **state) {
    (void)state;
    abut_frustum f = square_frustum(10);
    float beyond = nextafterf(11, 12);
    assert_int_equal(side_of(&f, cube(0, 0, -11, 1)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(0, 0, -beyond, 1)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, 0, 1)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(11, 0, -9, 1)), ABUT_INTERSECTS); /* edge on edge */
    assert_int_equal(side_of(&f, cube(11, 11, -9, 1)), ABUT_INTERSECTS);
    assert_int_equal(side_of(&f, cube(11, 11, -11, 1)), ABUT_INTERSECTS); /* corner on corner */
    assert_int_equal(side_of(&f, cube(beyond, 11, -11, 1)), ABUT_OUTSIDE);
    assert_int_equal(side_of(&f, cube(0, 0, -10, 0)), ABUT_INSIDE); /* a point on the far plane */
}

static void nothing_is_beyond_a_far_plane_at_infinity(void **state) {
    (void)state;
    abut_frustum f = square_frustum(INFINITY);
    for (float z = 10; z < 1e30f; z *= 10) {
        assert_int_equal(side_of(&f, cube(0, 0, -z, 1)), ABUT_INSIDE);
        assert_int_equal(side_of(&f, cube(z, 0, -z, 1)), ABUT_INTERSECTS);
        assert_int_equal(side_of(&f, cube(z, -z, -z, 1)), ABUT_INTERSECTS);
        assert_int_equal(side_of(&f, cube(0, 1.25f * z, -z, 0.1f * z)), ABUT_OUTSIDE);
        assert_int_equal(side_of(&f, cube(0, 0, z, 1)), ABUT_OUTSIDE);
    }
}

/* Beyond a corner: each plane has part of the box in front of it, but the box and the frustum share no point. */
static void corners_that_planes_keep_are_decided_by_axes(void **state) {
    (void)state;
    abut_frustum f = square_frustum(10);
    const float turn = (float)sin(atan(1) / 2), rest = (float)cos(atan(1) / 2); /* an eighth turn about z */
    abut_obb plate = {{14, 14, -10}, {0, 0, turn, rest}, {1, 30, 1}};
    abut_cull_view view = abut_cull_view_of(&f);
    uint32_t index[1] = {0};
    uint8_t side;
    abut_cull_kernels_active()->planes(&view, 1, &(abut_cull_boxes){&plate, sizeof plate, index, 1, false}, NULL, &side,
                                       1);
    assert_int_equal(side, ABUT_CULL_CUT);
    assert_int_equal(side_of(&f, plate), ABUT_OUTSIDE);
    plate.center.x = plate.center.y = 10;
    assert_int_equal(side_of(&f, plate), ABUT_INTERSECTS);
    abut_obb log = {{0, 11.5f, -9.5f}, {turn, 0, 0, rest}, {30, 2, 1}}; /* across the far upper edge */
    assert_int_equal(side_of(&f, log), ABUT_INTERSECTS);
    log.center.y = 13, log.center.z = -11;
    assert_int_equal(side_of(&f, log), ABUT_OUTSIDE);
}

static void a_box_is_inside_itself_where_numbers_are_exact(void **state) {
    (void)state;
    abut_obb box = {{1000, -3, 0.5f}, {0, 0, 1, 0}, {1, 2, 3}};
    abut_frustum f = made_frustum_box(&box);
    assert_int_equal(side_of(&f, box), ABUT_INSIDE);
    box.half.x = nextafterf(1, 2);
    assert_int_equal(side_of(&f, box), ABUT_INTERSECTS);
    box = (abut_obb){{1002, -3, 0.5f}, {1, 0, 0, 1}, {1, 3, 2}};
    assert_int_equal(side_of(&f, box), ABUT_INTERSECTS);
    box.center.x = nextafterf(1002, 1003);
    assert_int_equal(side_of(&f, box), ABUT_OUTSIDE);
}

static void rotations_of_any_length_are_the_same(void **state) {
    (void)state;
    abut_frustum f = square_frustum(10);
    abut_obb box = {{5, 0, -5}, {0.1f, 0.7f, -0.3f, 0.2f}, {2, 0.1f, 0.1f}};
    abut_side side = side_of(&f, box);
    static const float factors[] = {0x1p-100f, 0x1p-30f, 4, 0x1p+50f, 0x1p+120f};
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
        abut_quat q = {0.1f * factors[k], 0.7f * factors[k], -0.3f * factors[k], 0.2f * factors[k]};
        assert_int_equal(side_of(&f, (abut_obb){box.center, q, box.half}), side);
    }
    abut_obb unturned = cube(4, 0, -5, 1.5f), zero = unturned;
    zero.rotation.w = 0;
    assert_int_equal(side_of(&f, zero), side_of(&f, unturned));
    assert_int_equal(side_of(&f, zero), ABUT_INTERSECTS);
    zero.center.x = 0;
    assert_int_equal(side_of(&f, zero), ABUT_INSIDE);
}

static void invalid_boxes_are_outside(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1};
    abut_frustum everything = {0}, f = square_frustum(10);
    abut_obb box = cube(0, 0, -5, 1);
    assert_int_equal(side_of(&everything, box), ABUT_INSIDE);
    for (int field = 0; field < 10; field++) {
        for (int k = field < 7 ? 2 : 3; k >= 0; k--) {
            abut_obb broken = box;
            (&broken.center.x)[field] = bad[k];
            uint32_t visible[3];
            abut_obb three[3] = {box, broken, box};
            assert_int_equal(side_of(&everything, broken), ABUT_OUTSIDE);
            assert_int_equal(side_of(&f, broken), ABUT_OUTSIDE);
            assert_int_equal(abut_frustum_cull_obbs(&everything, three, 3, visible), 2);
            assert_int_equal(abut_frustum_cull_obbs(&f, three, 3, visible), 2);
            assert_int_equal(visible[1], 2);
        }
    }
    assert_int_equal(abut_frustum_test_obb(NULL, &box), ABUT_OUTSIDE);
    assert_int_equal(abut_frustum_test_obb(&f, NULL), ABUT_OUTSIDE);
    assert_int_equal(abut_frustum_cull_obbs(NULL, &box, 1, NULL), 0);
    assert_int_equal(abut_frustum_cull_obbs(&f, NULL, 1, NULL), 0);
    assert_int_equal(abut_frustum_cull_obbs(&f, &box, 0, NULL), 0);
}

/* How many boxes each stage decided: the comparison must cover all of them. */
typedef struct tally {
    unsigned long planes[5], found[5], over[5], bounds[4], dropped, visible, apart_by_axes;
} tally;

static uint8_t side_of_bounds(uint8_t crossed) {
    return crossed == 0 ? ABUT_INSIDE : crossed == ABUT_CULL_BEYOND ? ABUT_OUTSIDE : ABUT_CULL_UNDECIDED;
}

static void compare_stages(const abut_frustum *f, const abut_obb *box, tally *t) {
    abut_cull_view view = abut_cull_view_of(f);
    const abut_cull_kernels *kernels = &abut_cull_kernels_portable;
    uint32_t index[16] = {0}, kept[16], open[16];
    uint8_t exact, plane, found = ABUT_CULL_CUT, over = ABUT_CULL_CUT, bound[16], sifted[16];
    float eights[EIGHTS(16)] = {0};
    abut_aabb b = abut_obb_bounds(box);
    eights_put(eights, 0, &b);
    abut_cull_boxes only = {box, sizeof *box, index, 1, false};
    kernels->axes(f, &only, &exact);
    kernels->planes(&view, 1, &only, NULL, &plane, 1);
    if (plane == ABUT_CULL_CUT) {
        kernels->search(&view, &only, (uint32_t)t->planes[ABUT_CULL_CUT] % 12, &found);
    }
    if (plane == ABUT_CULL_CUT && view.reach < INFINITY) {
        const abut_cull_solid solid = abut_cull_solid_of(f);
        kernels->overlaps(&view, &solid, &only, &over);
    }
    kernels->bounds(&view, &(abut_cull_bounds){eights}, 0, 1, bound);
    bound[0] = side_of_bounds(bound[0]);
    abut_cull_sieve sieve = {.kept = kept, .open = open, .side = sifted};
    kernels->spheres(&view, box, 1, &sieve);
    bool dropped = sieve.kept_count == 0, visible = sieve.kept_count > sieve.open_count;
    bool unknown = plane == ABUT_CULL_UNDECIDED || (plane == ABUT_CULL_CUT && exact != ABUT_INSIDE);
    bool agree = (unknown || plane == exact) && (found == ABUT_CULL_CUT || found == exact) &&
                 (over == ABUT_CULL_CUT || over == exact) && (!dropped || exact == ABUT_OUTSIDE) &&
                 (!visible || exact != ABUT_OUTSIDE) && (bound[0] == ABUT_CULL_UNDECIDED || bound[0] == exact) &&
                 side_of(f, *box) == (abut_side)exact;
    if (!agree) {
        print_obb("box", box);
        fprintf(stderr, "planes %d, search %d, overlaps %d, bounds %d, dropped %d, visible %d, all axes %d\n", plane,
                found, over, bound[0], dropped, visible, exact);
    }
    assert_true(agree);
    t->planes[plane]++;
    t->found[found]++;
    t->over[over] += plane == ABUT_CULL_CUT;
    t->bounds[bound[0]]++;
    t->dropped += dropped;
    t->visible += visible;
    t->apart_by_axes += plane >= ABUT_CULL_UNDECIDED && found == ABUT_CULL_CUT && exact == ABUT_OUTSIDE;
}

static void every_stage_says_what_double_says(void **state) {
    (void)state;
    tally t = {0};
    for (unsigned long round = 0; round < test_count(20000); round++) {
        rng r = rng_make(test_seed(), round);
        abut_frustum f = made_frustum_random(&r);
        for (int k = 0; k < 10; k++) {
            abut_obb box = made_frustum_near(&f, &r);
            compare_stages(&f, &box, &t);
        }
    }
    for (int side = 0; side < 4; side++) {
        assert_true(t.planes[side] > 30);
        assert_true(side == ABUT_INTERSECTS || t.bounds[side] > 30);
    }
    assert_true(t.planes[ABUT_CULL_CUT] > 30 && t.found[ABUT_OUTSIDE] > 30 && t.found[ABUT_INTERSECTS] > 30);
    assert_true(t.over[ABUT_OUTSIDE] > 30 && t.over[ABUT_INTERSECTS] > 30);
    assert_true(t.dropped > 30 && t.visible > 30 && t.apart_by_axes > 30);
}

/* Products of edges that are nearly parallel are short: they must not hide a gap; and where edges are as parallel as
 * floats can tell, they must not keep boxes open. */
static void nearly_parallel_edges_are_no_exception(void **state) {
    (void)state;
    tally same = {0}, tilted = {0};
    for (unsigned long round = 0; round < test_count(10000); round++) {
        rng r = rng_make(test_seed(), round);
        const abut_pose pose = {rng_vec3(&r, -10, 10), rng_rotation(&r)};
        const double near = rng_log_range(&r, 1e-2, 1), tilt = round % 2 ? 0 : rng_log_range(&r, 1e-9, 0.3);
        const abut_frustum f = made_frustum_perspective(&pose, rng_log_range(&r, 0.1, 2) * near, near, near, 10);
        for (int k = 0; k < 10; k++) {
            abut_obb box = made_frustum_near(&f, &r);
            const abut_quat q = pose.rotation;
            const abut_vec3 way = rng_vec3(&r, -tilt, tilt);
            box.rotation = (abut_quat){q.x + way.x, q.y + way.y, q.z + way.z, q.w};
            compare_stages(&f, &box, round % 2 ? &same : &tilted);
        }
    }
    assert_true(tilted.over[ABUT_OUTSIDE] > 30 && tilted.over[ABUT_INTERSECTS] > 30);
    assert_true(same.over[ABUT_INTERSECTS] > same.over[ABUT_CULL_CUT]);
}

/* Most boxes are near or in the frustum, or most are not: that determines which stages decide. */
static void fill(const abut_frustum *f, double near, rng *r, abut_obb *box, size_t n) {
    for (size_t k = 0; k < n; k++) {
        box[k] = made_frustum_near(f, r);
        if (!rng_chance(r, near)) {
            abut_vec3 away = rng_vec3(r, -1e4, 1e4);
            box[k].center = (abut_vec3){f->origin[0] + away.x, f->origin[1] + away.y, f->origin[2] + away.z};
        }
        if (rng_chance(r, 0.02)) {
            (&box[k].center.x)[rng_below(r, 10)] = NAN;
        }
    }
}

/* Returns how many are visible. */
static size_t compare_many(const abut_frustum *f, const abut_obb *box, size_t n) {
    uint32_t *visible = malloc((n + 1) * sizeof *visible);
    assert_non_null(visible);
    visible[n] = 77;
    size_t count = abut_frustum_cull_obbs(f, box, n, visible), at = 0;
    assert_true(count == abut_frustum_cull_obbs(f, box, n, NULL));
    for (uint32_t k = 0; k < n; k++) {
        if (abut_frustum_test_obb(f, &box[k]) != ABUT_OUTSIDE) {
            assert_true(at < count && visible[at] == k);
            at++;
        }
    }
    assert_true(at == count && visible[n] == 77);
    free(visible);
    return count;
}

static void many_answer_as_one_by_one_on_every_set(void **state) {
    (void)state;
    enum { N = 5000 };
    static abut_obb box[N];
    static const double shares[] = {0.02, 1, 0.3};
    size_t visible = 0, all = 0;
    for (unsigned long round = 0; round < test_count(10); round++) {
        rng r = rng_make(test_seed(), round);
        abut_frustum f = made_frustum_random(&r);
        for (size_t first = 0; first < N; first += 500) {
            fill(&f, shares[rng_below(&r, 3)], &r, box + first, 500);
        }
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            for (size_t n = 0; abut_isa_select((abut_isa)isa) == ABUT_OK && n <= N; n = n < 30 ? n + 1 : n * 2 - 3) {
                visible += compare_many(&f, box + rng_below(&r, (uint32_t)(N - n + 1)), n);
                all += n;
            }
        }
    }
    assert_true(visible > all / 1000 && visible < all - all / 1000);
}

/* Several views at once, with unused elements between their answers. */
static void sides_of_views_are_those_of_each(void **state) {
    (void)state;
    enum { N = 700, VIEWS = 32, PITCH = 710 };
    static abut_obb box[N];
    static uint32_t index[N];
    static uint8_t side[VIEWS * PITCH], alone[N];
    static abut_frustum frustum[VIEWS];
    static abut_cull_view view[VIEWS];
    rng r = rng_make(test_seed(), 0);
    for (int v = 0; v < VIEWS; v++) {
        frustum[v] = made_frustum_random(&r);
        view[v] = abut_cull_view_of(&frustum[v]);
    }
    for (uint32_t k = 0; k < N; k++) {
        box[k] = made_frustum_near(&frustum[k % VIEWS], &r);
        index[k] = N - 1 - k;
    }
    abut_cull_boxes boxes = {box, sizeof *box, index, N, false};
    memset(side, 0x77, sizeof side);
    abut_cull_sides_of_views(view, 0xa5a5a5a5u, &boxes, NULL, side, PITCH);
    for (uint32_t v = 0; v < VIEWS; v++) {
        bool asked = 0xa5a5a5a5u >> v & 1;
        abut_cull_sides_of_views(&view[v], 1, &boxes, NULL, alone, N);
        for (uint32_t k = 0; k < PITCH; k++) {
            assert_int_equal(side[v * PITCH + k], asked && k < N ? alone[k] : 0x77);
        }
        for (uint32_t k = 0; k < N; k++) {
            assert_int_equal(alone[k], abut_frustum_test_obb(&frustum[v], &box[index[k]]));
        }
    }
}

/* Planes that bounds round a box do not cross need not be tested. */
static void planes_not_crossed_say_nothing_new(void **state) {
    (void)state;
    enum { N = 256, FRUSTA = 200, MORE = 16 };
    static abut_obb box[N];
    static float eights[EIGHTS(N + MORE)];
    const abut_cull_bounds bounds = {eights};
    uint8_t crossed[N + MORE], side[N];
    uint32_t index[N];
    unsigned long fewer = 0;
    for (uint64_t i = 0; i < test_count(FRUSTA); i++) {
        rng r = rng_make(test_seed(), i);
        const abut_frustum f = made_frustum_random(&r);
        const abut_cull_view view = abut_cull_view_of(&f);
        for (uint32_t k = 0; k < N; k++) {
            box[k] = made_frustum_near(&f, &r);
            abut_aabb b = abut_obb_bounds(&box[k]);
            eights_put(eights, k, &b);
            index[k] = k;
        }
        abut_cull_planes_of_bounds(&view, &bounds, 0, N, crossed);
        for (uint32_t k = 0; k < N; k++) {
            crossed[k] = crossed[k] == ABUT_CULL_BEYOND ? (1 << 6) - 1 : crossed[k];
        }
        abut_cull_sides_of_views(&view, 1, &(abut_cull_boxes){box, sizeof *box, index, N, false}, crossed, side, N);
        for (uint32_t k = 0; k < N; k++) {
            assert_int_equal(side[k], abut_frustum_test_obb(&f, &box[k]));
            fewer += side[k] == ABUT_INTERSECTS && (crossed[k] & (crossed[k] - 1)) == 0;
        }
    }
    assert_true(fewer > 0);
}

/* The box and the sphere that a tree has of a body answer only what all axes do. Where the box is larger than the body
 * the sphere says nothing. */
static void boxes_and_spheres_of_a_tree_say_nothing_new(void **state) {
    (void)state;
    enum { N = 256, FRUSTA = 200, NODES = N / 8 };
    static abut_cull_round body[N];
    static float eights[EIGHTS(N)], no_spheres[NODES], spheres[NODES];
    static uint32_t node[NODES];
    static uint8_t planes[NODES], inside[NODES], open[NODES], inside_box[NODES], open_box[NODES];
    unsigned long outside = 0, contained = 0, by_sphere = 0;
    for (uint64_t i = 0; i < test_count(FRUSTA); i++) {
        rng r = rng_make(test_seed(), i);
        const abut_frustum f = made_frustum_random(&r);
        const abut_cull_view view = abut_cull_view_of(&f);
        for (uint32_t k = 0; k < N; k++) {
            body[k] = (abut_cull_round){made_frustum_near(&f, &r), 0};
            eights_put_round(eights, k, &body[k]);
            node[k / 8] = k / 8;
            planes[k / 8] = (uint8_t)((1u << view.plane_count) - 1);
            no_spheres[k / 8] = FLT_MIN;
        }
        abut_cull_bodies_of_nodes(&view, &(abut_cull_nodes){eights, spheres, node, planes, NODES}, inside, open);
        abut_cull_bodies_of_nodes(&view, &(abut_cull_nodes){eights, no_spheres, node, planes, NODES}, inside_box,
                                  open_box);
        for (uint32_t k = 0; k < N; k++) {
            const bool in = inside[k / 8] >> k % 8 & 1, left = open[k / 8] >> k % 8 & 1;
            const bool in_box = inside_box[k / 8] >> k % 8 & 1, left_box = open_box[k / 8] >> k % 8 & 1;
            const abut_side side = abut_frustum_test_obb(&f, &body[k].core);
            assert_true(!(in && left) && (left || side == (in ? ABUT_INSIDE : ABUT_OUTSIDE)));
            assert_true((!in_box || in) && (left_box || !left));
            outside += !in && !left;
            contained += in;
            by_sphere += left_box && !left;
        }
    }
    assert_true(outside > 0 && contained > 0 && by_sphere > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_where_they_should_be),
        cmocka_unit_test(what_touches_is_not_outside),
        cmocka_unit_test(nothing_is_beyond_a_far_plane_at_infinity),
        cmocka_unit_test(corners_that_planes_keep_are_decided_by_axes),
        cmocka_unit_test(a_box_is_inside_itself_where_numbers_are_exact),
        cmocka_unit_test(rotations_of_any_length_are_the_same),
        cmocka_unit_test(invalid_boxes_are_outside),
        cmocka_unit_test(every_stage_says_what_double_says),
        cmocka_unit_test(nearly_parallel_edges_are_no_exception),
        cmocka_unit_test(many_answer_as_one_by_one_on_every_set),
        cmocka_unit_test(sides_of_views_are_those_of_each),
        cmocka_unit_test(planes_not_crossed_say_nothing_new),
        cmocka_unit_test(boxes_and_spheres_of_a_tree_say_nothing_new),
    };
    return test_run(tests);
}
