/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls of many edges that lie apart within the margin. Their closest points rule out edge pairs: that changes no bit
 * of the axis, and leaves a search that grows with the edges, not with their square. The portable kernel is compiled
 * here, with a counter in front of the products that edge pairs take. */
#include "base/isa.h"
#include "base/lanes/lanes.h"
#include "narrowphase/convex/kernels.h"
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"
#include "narrowphase/tolerance.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/hull.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long products, searches;

static double dot_counted(abut_d3 a, abut_d3 b) {
    products++;
    return abut_d3_dot(a, b);
}

static bool nearest_counted(const abut_np_cores *cores, double limit, abut_np_nearest *out) {
    searches++;
    return abut_np_distance_kernels_active()->nearest(cores, limit, out);
}

static const abut_np_distance_kernels counted_abut_np_distance_kernels = {.nearest = nearest_counted};

#define abut_d3_dot dot_counted
#undef ABUT_KERNEL
#define ABUT_KERNEL(name) counted_##name

#include "narrowphase/convex/axis.c"

/* All edges against all edges. */
static void try_all(search *s) {
    edge_list list[2];
    const uint32_t count[2] = {s->side[0].side->own->edge_count, s->side[1].side->own->edge_count};
    for (uint32_t i = 0; i < count[0]; i++) {
        list[0] = (edge_list){{(uint16_t)i}, 1};
        for (uint32_t j = 0; j < count[1]; j++) {
            list[1] = (edge_list){{(uint16_t)j}, 1};
            search_edge_pairs(s->pair, s->slack, &list[0], &list[1], &s->edges);
        }
    }
}

/* `find` without a hint, of a pair whose faces show a gap, where nothing rules out edges; it counts the edge pairs that
 * show more than a face. False for all other pairs: *contact and *axis are not written. */
static bool find_of_all(const abut_np_convex_pair *pair, double margin, bool faces_first, bool *contact,
                        abut_np_axis *axis) {
    search s;
    begin_search(&s, pair, margin);
    s.faces_first = faces_first;
    begin_facets(&s.side[0], &pair->side[0], -INFINITY);
    begin_facets(&s.side[1], &pair->side[1], -INFINITY);
    if (measure_likely_axes(&s, NULL)) {
        return false;
    }
    const int k = search_sides(&s);
    const double face = s.side[k].best.separation, sure = ABUT_NP_SLACK_DOUBLE * pair->size;
    const face_choice of = face_of(&s, k);
    const double floor = floor_of_edges(face, sure, &of.bar);
    if (face <= sure || face > s.limit) {
        return false;
    }
    s.edges.separation = fmin(floor, s.limit);
    try_all(&s);
    *contact = s.edges.separation <= s.limit && !separated_by_other_axes(&s, margin);
    if (edges_preferred(&s.edges, &of.bar)) {
        *axis =
            (abut_np_axis){s.edges.separation, s.edges.normal, ABUT_NP_EDGES, s.edges.edge[0], s.edges.edge[1], false};
    } else {
        face_axis(&s, k, &of, axis);
    }
    axis->separation = with_certain_sign(axis->separation, true);
    return true;
}

static bool same_axis(const abut_np_axis *a, const abut_np_axis *b) {
    return memcmp(&a->separation, &b->separation, sizeof a->separation) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->kind == b->kind && a->of_a == b->of_a &&
           a->of_b == b->of_b;
}

static abut_hull *cylinder(float half_height, uint32_t sides) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create_cylinder(1, half_height, sides, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_hull *cloud(rng *r, float height) {
    abut_vec3 point[60];
    abut_hull *hull;
    for (int k = 0; k < 60; k++) {
        point[k] = rng_direction(r);
        point[k].y *= height;
    }
    assert_int_equal(abut_hull_create(point, 60, NULL, &hull), ABUT_OK);
    return hull;
}

enum { HULLS = 8 };

static void create_hulls(abut_hull *hull[HULLS]) {
    static const uint32_t sides[5] = {6, 17, 24, 32, 40};
    rng r = rng_make(5, 1);
    for (int k = 0; k < 5; k++) {
        hull[k] = cylinder(k % 2 ? 1 : 0.3f, sides[k]);
    }
    hull[5] = cloud(&r, 1);
    hull[6] = cloud(&r, 0.2f);
    assert_int_equal(abut_hull_create_cone(1, 0.6f, 36, NULL, &hull[7]), ABUT_OK);
}

static abut_quat multiplied(abut_quat a, abut_quat b) {
    return (abut_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Two hulls about `gap` apart, turned anyhow, or tilted a little, or not at all, against each other. */
static void place_apart(rng *r, abut_hull *const hull[HULLS], double gap, abut_collider c[2]) {
    const abut_shape a = abut_convex(hull[rng_below(r, HULLS)], 0), b = abut_convex(hull[rng_below(r, HULLS)], 0);
    const float tilt = rng_chance(r, 0.3) ? 0 : (float)rng_log_range(r, 1e-5, 1);
    const abut_quat small = {tilt * rng_vec3(r, -1, 1).x, rng_vec3(r, -1, 1).x, tilt * rng_vec3(r, -1, 1).x, 1};
    const abut_vec3 way = rng_direction(r);
    abut_pose at = {{0, 0, 0}, rng_rotation(r)}, to = at;
    to.rotation = rng_chance(r, 0.15) ? rng_rotation(r) : multiplied(at.rotation, small);
    float along = 4;
    for (int step = 0; step < 24; step++) {
        to.position = (abut_vec3){way.x * along, way.y * along, way.z * along};
        along -= 0.9f * (abut_shape_distance(&a, &at, &b, &to, NULL, NULL) - (float)gap);
    }
    assert_true(abut_collider_from_shape(&a, &at, &c[0]) && abut_collider_from_shape(&b, &to, &c[1]));
}

static void closest_points_change_no_axis(void **state) {
    (void)state;
    abut_hull *hull[HULLS];
    unsigned long pairs = test_count(1000), judged = 0, of_edges = 0, apart = 0;
    create_hulls(hull);
    searches = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        rng r = rng_make(test_seed(), i);
        const double gap = rng_log_range(&r, 1e-6, 0.7),
                     margin = rng_chance(&r, 0.5) ? 1 : gap * rng_range(&r, 0.7, 1.5);
        const bool faces_first = rng_chance(&r, 0.7);
        abut_collider c[2];
        abut_np_ordered_pair o;
        abut_np_axis axis = {0}, of_all = {0};
        bool contact_of_all;
        place_apart(&r, hull, gap, c);
        abut_np_order(&c[0], &c[1], &o);
        if (!find_of_all(&o.pair, margin, faces_first, &contact_of_all, &of_all)) {
            continue;
        }
        const bool contact = find(&o.pair, margin, faces_first, NULL, &axis);
        if (contact != contact_of_all || (contact && !same_axis(&axis, &of_all))) {
            fail_msg("pair %lu, gap %a, margin %a: contact %d, all say %d; it shows %a, all show %a", i, gap, margin,
                     contact, contact_of_all, axis.separation, of_all.separation);
        }
        judged++;
        of_edges += contact && axis.kind == ABUT_NP_EDGES;
        apart += !contact;
    }
    printf("%lu pairs: %lu judged, %lu of edges, %lu apart, %lu searches for closest points\n", pairs, judged, of_edges,
           apart, searches);
    assert_true(judged > pairs / 2 && of_edges > pairs / 20 && apart > pairs / 200 && searches > pairs / 20);
    for (int k = 0; k < HULLS; k++) {
        abut_hull_destroy(&hull[k]);
    }
}

/* The products of one search for two cylinders, one standing beside the middle of the other. */
static unsigned long products_of(const abut_hull *hull, float gap, float tilt, bool faces_first) {
    const abut_pose at = {{0, 0, 0}, {0, 0, 0, 1}};
    const abut_pose to = {{0.1f, 1 + gap + cosf(tilt) + sinf(tilt), 0}, {sinf(tilt / 2), 0.01f, 0, cosf(tilt / 2)}};
    abut_collider a, b;
    abut_np_ordered_pair o;
    abut_np_axis axis;
    assert_true(abut_collider_from_hull(hull, &at, &a) && abut_collider_from_hull(hull, &to, &b));
    abut_np_order(&a, &b, &o);
    products = 0;
    assert_true(find(&o.pair, 0.25, faces_first, NULL, &axis));
    assert_true(axis.separation > 0);
    return products;
}

/* Where samples alone rule out edges, it takes more than 4 SIDES^2. If faces are not preferred, parallel ones are no
 * case: there all edges around them show as much, and such a search is never asked for. */
static void work_across_a_gap_grows_with_edges(void **state) {
    (void)state;
    static const float gaps[] = {0.001f, 0.04f, 0.1f}, tilts[] = {0, 0.001f, 0.01f, 0.1f, 0.8f, 1.5f};
    unsigned long most = 0;
    enum { SIDES = 400 };
    abut_hull *hull = cylinder(1, SIDES);
    for (int k = 0; k < 2 * 3 * 6; k++) {
        const float tilt = tilts[k / 3 % 6];
        const unsigned long of = products_of(hull, gaps[k % 3], tilt, k < 18 || tilt == 0);
        printf("%d gap %g tilt %g: %lu nearest %lu\n", k < 18, gaps[k % 3], tilts[k / 3 % 6], of, searches);
        most = of > most ? of : most;
    }
    printf("%d sides: at most %lu products\n", SIDES, most);
    assert_true(most < 200 * SIDES);
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_points_change_no_axis),
        cmocka_unit_test(work_across_a_gap_grows_with_edges),
    };
    return test_run(tests);
}
