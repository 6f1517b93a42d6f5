/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The shape table: for every type, the values that its functions return for one shape agree with each other. */

#include "shape/shape.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { POINTS = 24, MANY = 700 };

/* The stream of the random case that is being checked: it replays the case. */
static uint64_t stream;

static void check(bool ok, const char *what) {
    if (!ok) {
        fail_msg("seed 0x%llx stream %llu: %s", (unsigned long long)test_seed(), (unsigned long long)stream, what);
    }
}

static abut_hull *random_hull(rng *r) {
    abut_vec3 point[POINTS], offset = rng_vec3(r, -2, 2);
    double size = rng_log_range(r, 1e-3, 1e3);
    for (int i = 0; i < POINTS; i++) {
        abut_vec3 p = rng_chance(r, 0.5) ? rng_direction(r) : rng_vec3(r, -1, 1);
        point[i] = (abut_vec3){(float)(size * (p.x + offset.x)), (float)(size * (p.y + offset.y)),
                               (float)(size * (p.z + offset.z))};
    }
    abut_hull *hull = NULL;
    assert_int_equal(abut_hull_create(point, 4 + rng_below(r, POINTS - 3), NULL, &hull), ABUT_OK);
    return hull;
}

/* A strip of triangles. */
static abut_mesh *random_mesh(rng *r) {
    abut_vec3 point[POINTS];
    uint32_t index[3 * POINTS];
    size_t triangles = 1 + rng_below(r, POINTS - 2);
    double size = rng_log_range(r, 1e-3, 1e3);
    for (int i = 0; i < POINTS; i++) {
        point[i] = rng_vec3(r, -size, size);
    }
    for (uint32_t t = 0; t < triangles; t++) {
        index[3 * t] = t + t % 2;
        index[3 * t + 1] = t + 1 - t % 2;
        index[3 * t + 2] = t + 2;
    }
    abut_mesh *mesh = NULL;
    const abut_mesh_def def = {
        .vertices = point, .vertex_count = POINTS, .indices = index, .triangle_count = triangles};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_collider place(rng *r, abut_collider shape) {
    double away = rng_log_range(r, 1e-2, 1e6);
    shape.center = rng_vec3(r, -away, away);
    shape.rotation = rng_chance(r, 0.2) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
    return shape;
}

/* What a collider refers to. */
typedef struct solids {
    abut_hull *hull;
    abut_mesh *mesh;
} solids;

static void destroy(solids *s) {
    abut_hull_destroy(&s->hull);
    abut_mesh_destroy(&s->mesh);
}

/* The hull and the mesh are the caller's to destroy. */
static abut_collider random_collider(rng *r, uint32_t type, solids *s) {
    *s = (solids){NULL, NULL};
    if (type == ABUT_SHAPE_MESH) {
        s->mesh = random_mesh(r);
        return place(r, abut_collider_unplaced(s->mesh, NULL, (abut_vec3){0, 0, 0}, 0));
    }
    bool round = type != ABUT_SHAPE_BOX && type != ABUT_SHAPE_HULL;
    float radius = round ? (float)rng_log_range(r, 1e-3, 1e3) : 0;
    abut_vec3 half = rng_vec3(r, 0, rng_log_range(r, 1e-3, 1e3));
    if (type == ABUT_SHAPE_SPHERE || type == ABUT_SHAPE_CAPSULE) {
        uint32_t kept = type == ABUT_SHAPE_CAPSULE ? rng_below(r, 3) : 3;
        for (uint32_t i = 0; i < 3; i++) {
            (&half.x)[i] = i == kept ? (&half.x)[i] : 0;
        }
    }
    s->hull = type == ABUT_SHAPE_HULL || type == ABUT_SHAPE_ROUND_HULL ? random_hull(r) : NULL;
    abut_collider shape = abut_collider_unplaced(NULL, s->hull, half, radius);
    assert_int_equal(shape.type, type);
    return place(r, shape);
}

static bool is_corner(const abut_collider *c, abut_d3 point) {
    const abut_shape_class *shape = abut_shape_of(c);
    for (uint32_t i = 0; i < shape->corner_count(c); i++) {
        const abut_d3 corner = shape->corner(c, i);
        if (memcmp(&corner, &point, sizeof corner) == 0) {
            return true;
        }
    }
    return false;
}

static void check_support(rng *r, const abut_collider *c) {
    const abut_shape_class *shape = abut_shape_of(c);
    const abut_d3 direction = abut_d3_from(rng_direction(r)), farthest = shape->support(c, direction);
    double extent = shape->extent(c), most = abut_d3_dot(farthest, direction);
    check(is_corner(c, farthest), "the support is a corner");
    for (uint32_t i = 0; i < shape->corner_count(c); i++) {
        const abut_d3 corner = shape->corner(c, i);
        check(abut_d3_dot(corner, direction) <= most + 0x1p-48 * extent, "no corner is beyond the support");
        check(sqrt(abut_d3_dot(corner, corner)) + c->radius <= extent * (1 + 0x1p-50), "the extent");
    }
}

static void check_obb(const abut_collider *c) {
    const abut_shape_class *shape = abut_shape_of(c);
    const abut_obb box = abut_collider_obb(c), local = shape->local_obb(c);
    const float *half = &local.half.x;
    double turn[3][3];
    abut_dquat_matrix(abut_dquat_from(local.rotation), turn);
    for (uint32_t i = 0; i < shape->corner_count(c); i++) {
        const abut_d3 in = abut_d3_unrotate(turn, abut_d3_sub(shape->corner(c, i), abut_d3_from(local.center)));
        for (int k = 0; k < 3; k++) {
            check(fabs(in.x[k]) <= half[k] + 0x1p-40 * shape->extent(c), "the OBB contains the corners");
        }
    }
    check(!shape->is_obb || memcmp(&box.half, &c->half, sizeof box.half) == 0, "a box is its OBB");
    check(shape->is_obb == !shape->edges, "edges where the shape is no OBB");
}

typedef struct edge_count {
    const abut_collider *collider;
    size_t count;
} edge_count;

static bool is_vertex(const abut_collider *c, abut_d3 point) {
    bool found = false;
    for (uint32_t v = 0; v < c->mesh->vertex_count; v++) {
        const abut_d3 vertex = abut_d3_from(abut_mesh_vertices(c->mesh)[v]);
        found = found || memcmp(&vertex, &point, sizeof vertex) == 0;
    }
    double extent = abut_shape_of(c)->extent(c);
    return found && abut_d3_dot(point, point) <= extent * extent;
}

/* Whether a point is as far from one corner as the radius, and no part of the core is nearer. Faces of hulls are flat
 * to 2^-18 of the hull. */
static bool is_on_surface(const abut_collider *c, abut_d3 point) {
    if (c->mesh) {
        return is_vertex(c, point);
    }
    const abut_shape_class *shape = abut_shape_of(c);
    double extent = shape->extent(c), slack = extent * (c->hull ? 0x1p-17 : 0x1p-45);
    bool found = false;
    for (uint32_t i = 0; i < shape->corner_count(c) && !found; i++) {
        const abut_d3 corner = shape->corner(c, i), away = abut_d3_sub(point, corner);
        double distance = sqrt(abut_d3_dot(away, away));
        found = fabs(distance - (double)c->radius) <= 0x1p-45 * extent &&
                abut_d3_dot(shape->support(c, away), away) <= abut_d3_dot(corner, away) + slack * distance;
    }
    return found;
}

static void count_edge(abut_d3 from, abut_d3 to, void *context) {
    edge_count *e = context;
    check(is_on_surface(e->collider, from) && is_on_surface(e->collider, to), "lines end on the surface");
    check(e->collider->radius > 0 || e->collider->mesh || (is_corner(e->collider, from) && is_corner(e->collider, to)),
          "edges of corners");
    check(memcmp(&from, &to, sizeof from) != 0, "lines have a length");
    e->count++;
}

/* A quarter of a circle is eight lines. */
static void check_edges(const abut_collider *c) {
    edge_count edges = {.collider = c};
    if (!abut_shape_of(c)->edges) {
        return;
    }
    abut_shape_of(c)->edges(c, count_edge, &edges);
    switch (c->type) {
    case ABUT_SHAPE_SPHERE:
        assert_int_equal(edges.count, 12 * 8);
        break;
    case ABUT_SHAPE_CAPSULE:
        assert_int_equal(edges.count, 4 + 16 * 8);
        break;
    case ABUT_SHAPE_ROUND_BOX:
        assert_int_equal(edges.count, 24 + 24 * 8);
        break;
    case ABUT_SHAPE_ROUND_HULL: /* two sides per edge, and two arcs of less than half a circle */
        assert_true(edges.count >= 2 * c->hull->face_edge_count && edges.count <= 34 * c->hull->face_edge_count);
        break;
    case ABUT_SHAPE_MESH:
        assert_int_equal(edges.count, 2 * c->mesh->triangle_count + 1);
        break;
    default:
        assert_int_equal(edges.count, c->hull->face_edge_count);
    }
}

static void each_entry_agrees_with_itself(void **state) {
    (void)state;
    for (stream = 0; stream < test_count(6000); stream++) {
        rng r = rng_make(test_seed(), stream);
        solids own;
        abut_collider c = random_collider(&r, (uint32_t)(stream % ABUT_SHAPE_TYPES), &own);
        check(abut_collider_valid(&c), "valid");
        check(abut_collider_bounds_valid(&c), "bounds");
        check_support(&r, &c);
        check_obb(&c);
        check_edges(&c);
        destroy(&own);
    }
}

static void shapes_of_a_type_are_ordered_and_hashed(void **state) {
    (void)state;
    for (stream = 0; stream < test_count(2000); stream++) {
        rng r = rng_make(test_seed(), stream);
        uint32_t type = (uint32_t)(stream % ABUT_SHAPE_TYPES);
        solids own_a, own_b;
        const abut_collider a = random_collider(&r, type, &own_a), b = random_collider(&r, type, &own_b);
        const abut_shape_class *shape = abut_shape_of(&a);
        int order = shape->compare(&a, &b);
        check((order != 0 || a.mesh) && shape->compare(&b, &a) == -order, "an order, but of meshes");
        assert_int_equal(shape->compare(&a, &a), 0);
        check(shape->hash(&a, stream) == shape->hash(&a, stream), "the same hash");
        check((!own_a.hull && !own_a.mesh) || shape->hash(&a, stream) != shape->hash(&b, stream), "another hash");
        destroy(&own_a);
        destroy(&own_b);
    }
}

static void invalid_shapes_are_refused(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 9; i++) {
        abut_vec3 half = {1, 1, 1};
        *(&half.x + i / 3) = bad[i % 3];
        const abut_collider box = abut_collider_unplaced(NULL, NULL, half, 0);
        assert_false(abut_collider_valid(&box));
    }
    abut_collider c = abut_collider_unplaced(NULL, NULL, (abut_vec3){0, 0, 0}, 0);
    assert_false(abut_collider_valid(&c));
    for (int i = 0; i < 3; i++) {
        c = abut_collider_unplaced(NULL, NULL, (abut_vec3){0, 1, 0}, bad[i]);
        assert_false(abut_collider_valid(&c));
    }
    c = abut_collider_unplaced(NULL, NULL, (abut_vec3){0, 0, 0}, 1);
    assert_true(abut_collider_valid(&c));
    c = abut_collider_unplaced(NULL, NULL, (abut_vec3){0, 1, 0}, 0);
    assert_true(abut_collider_valid(&c));
    c.type = ABUT_SHAPE_HULL;
    assert_false(abut_collider_valid(&c));
    c.type = ABUT_SHAPE_TYPES;
    assert_false(abut_collider_valid(&c));
}

/* Bounds of many colliders of any mixture of types are those of each, widened. */
static void bounds_of_mixed_colliders_are_those_of_each(void **state) {
    (void)state;
    static abut_collider collider[MANY];
    static float box[MANY][6];
    rng r = rng_make(test_seed(), 0);
    abut_hull *hull[7];
    for (int i = 0; i < 7; i++) {
        hull[i] = random_hull(&r);
    }
    for (unsigned long i = 0; i < test_count(200); i++) {
        uint32_t index[MANY], n = 1 + rng_below(&r, MANY);
        double boxes = rng_below(&r, 5) / 4.0, more = rng_chance(&r, 0.5) ? 0 : rng_log_range(&r, 1e-3, 1);
        for (uint32_t k = 0; k < n; k++) {
            const abut_hull *chosen = rng_chance(&r, boxes) ? NULL : hull[rng_below(&r, 7)];
            collider[k] = place(&r, abut_collider_unplaced(NULL, chosen, rng_vec3(&r, 0, 2),
                                                           rng_below(&r, 2) ? (float)rng_unit(&r) : 0));
            index[k] = n - 1 - k;
        }
        abut_collider_bounds_many(collider, index, n, more, box);
        for (uint32_t k = 0; k < n; k++) {
            const abut_aabb one = abut_collider_bounds(&collider[k]);
            for (int j = 0; j < 3; j++) {
                assert_true(box[k][j] == abut_bits_round_down((&one.min.x)[j] - more));
                assert_true(box[k][j + 3] == abut_bits_round_up((&one.max.x)[j] + more));
            }
        }
    }
    for (int i = 0; i < 7; i++) {
        abut_hull_destroy(&hull[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_entry_agrees_with_itself),
        cmocka_unit_test(shapes_of_a_type_are_ordered_and_hashed),
        cmocka_unit_test(invalid_shapes_are_refused),
        cmocka_unit_test(bounds_of_mixed_colliders_are_those_of_each),
    };
    return test_run(tests);
}
