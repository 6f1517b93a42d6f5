/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Picking, judged by the triangles that are drawn: the nearest one that a ray meets belongs to the body picked. */
#include "support/rng.h"
#include "support/test.h"
#include "testbed.h"
#include <math.h>
#include <stdlib.h>

typedef struct vector {
    double x, y, z;
} vector;

static vector wide(abut_vec3 v) {
    return (vector){(double)v.x, (double)v.y, (double)v.z};
}

static vector along(vector a, double s, vector b) {
    return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector a) {
    double length = sqrt(dot(a, a));
    return (vector){a.x / length, a.y / length, a.z / length};
}

/* --- the page's camera --- */

typedef struct eye {
    vector at, right, up, ahead;
    double wide, high; /* half the picture at distance 1 */
} eye;

static eye look(void) {
    const testbed_camera *camera = testbed_get_camera();
    const vector sky = {0, 1, 0};
    eye e = {.at = wide(camera->eye), .wide = 0.7, .high = 0.45};
    e.ahead = unit(along(wide(camera->target), -1, e.at));
    e.right = unit(cross(e.ahead, sky));
    e.up = cross(e.right, e.ahead);
    const double near = 0.1, far = 3000, depth = (far + near) / (far - near), offset = 2 * far * near / (far - near);
    const vector rows[4] = {e.right, e.up, e.ahead, e.ahead};
    const double scale[4] = {1 / e.wide, 1 / e.high, depth, 1};
    for (int i = 0; i < 4; ++i) {
        const double values[4] = {rows[i].x, rows[i].y, rows[i].z, -dot(rows[i], e.at)};
        for (int k = 0; k < 4; ++k) {
            testbed_matrix()[4 * k + i] = (float)(scale[i] * values[k] - (i == 2 && k == 3 ? offset : 0));
        }
    }
    return e;
}

static vector direction_to(const eye *e, double x, double y) {
    return unit(along(along(e->ahead, x * e->wide, e->right), y * e->high, e->up));
}

/* Where a point is in the picture; false: behind the eye. */
static bool project(const eye *e, vector p, double *x, double *y) {
    vector to = along(p, -1, e->at);
    double depth = dot(to, e->ahead);
    *x = dot(to, e->right) / depth / e->wide;
    *y = dot(to, e->up) / depth / e->high;
    return depth > 0.1;
}

/* --- what is drawn --- */

static vector vertex_of(const testbed_instance *instance, const testbed_mesh_vertex *vertex) {
    abut_quat q = instance->rotation;
    vector v = wide(vertex->position), u = {(double)q.x, (double)q.y, (double)q.z}, scale = wide(instance->scale);
    v = (vector){scale.x * v.x, scale.y * v.y, scale.z * v.z};
    vector t = cross(u, v);
    v = along(along(v, 2 * (double)q.w, t), 2, cross(u, t));
    return along(wide(instance->position), 1, v);
}

/* Möller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection" (1997); from outside alone. */
static double distance_of(vector from, vector d, const vector v[3]) {
    vector ab = along(v[1], -1, v[0]), ac = along(v[2], -1, v[0]), p = cross(d, ac), t = along(from, -1, v[0]);
    double det = dot(ab, p);
    if (det < 1e-12) {
        return INFINITY;
    }
    vector q = cross(t, ab);
    double a = dot(t, p) / det, b = dot(d, q) / det, distance = dot(ac, q) / det;
    return a >= 0 && b >= 0 && a + b <= 1 && distance > 0 ? distance : INFINITY;
}

typedef struct nearest {
    double distance, next; /* next: of the nearest other body */
    uint32_t index1;
} nearest;

static void meet(nearest *n, double distance, uint32_t index1) {
    if (distance < n->distance) {
        n->next = n->index1 == index1 ? n->next : n->distance;
        n->distance = distance;
        n->index1 = index1;
    } else if (index1 != n->index1 && distance < n->next) {
        n->next = distance;
    }
}

static nearest brute_force(vector from, vector d) {
    nearest n = {INFINITY, INFINITY, 0};
    for (uint32_t b = 0; b < testbed_batch_count(); ++b) {
        const testbed_batch *batch = &testbed_batches()[b];
        const testbed_mesh *mesh = &testbed_meshes()[batch->mesh];
        for (uint32_t i = batch->first; i < batch->first + batch->count; ++i) {
            const testbed_instance *instance = &testbed_instances()[i];
            for (uint32_t k = 0; instance->index1 > 0 && k < mesh->count; k += 3) {
                const testbed_mesh_vertex *corners = &testbed_mesh_vertices()[mesh->first + k];
                const vector v[3] = {vertex_of(instance, &corners[0]), vertex_of(instance, &corners[1]),
                                     vertex_of(instance, &corners[2])};
                meet(&n, distance_of(from, d, v), instance->index1);
            }
        }
    }
    return n;
}

/* --- the tests --- */

static const uint32_t counts[TESTBED_SCENE_COUNT] = {8, 400, 60, 400, 60, 60, 60, 300, 60};

static eye open_and_draw(uint32_t scene) {
    assert_int_equal(testbed_open(scene, counts[scene]), ABUT_OK);
    for (int i = 0; i < 90; ++i) {
        assert_int_equal(testbed_step(), ABUT_OK);
    }
    assert_int_equal(testbed_draw(0), ABUT_OK);
    return look();
}

/* Whether a body is the nearest along a ray beside this one: round bodies bulge beyond the triangles that are drawn, so
 * a ray may meet one at its outline and none of those. */
static bool is_beside(const eye *e, double x, double y, uint32_t index1) {
    const double off = 2e-3;
    bool found = false;
    for (int k = 0; k < 4; ++k) {
        const vector d = direction_to(e, x + (k & 1 ? off : -off), y + (k & 2 ? off : -off));
        found |= brute_force(e->at, d).index1 == index1;
    }
    return found;
}

static void check_ray(const eye *e, double x, double y, unsigned long *hits) {
    nearest n = brute_force(e->at, direction_to(e, x, y));
    uint32_t picked = testbed_pick((float)x, (float)y, (float)x, (float)y);
    if (n.next - n.distance < 1e-3 || isinf(n.distance)) {
        return; /* rounding may decide otherwise, at an edge as well */
    }
    assert_int_equal(picked, 1);
    const uint32_t index1 = testbed_picked(0)->index1;
    assert_true(index1 == n.index1 || is_beside(e, x, y, index1));
    *hits += index1 == n.index1;
}

static void a_ray_picks_the_nearest_body(void **state) {
    (void)state;
    unsigned long hits = 0;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        eye e = open_and_draw(scene);
        rng r = rng_make(test_seed(), scene);
        for (unsigned long i = 0; i < test_count(100); ++i) {
            uint32_t aim = rng_below(&r, testbed_instance_count());
            double x, y;
            if (project(&e, wide(testbed_instances()[aim].position), &x, &y)) {
                check_ray(&e, (double)(float)x, (double)(float)y, &hits);
            }
        }
    }
    assert_true(hits > 2);
}

static void a_ray_past_everything_picks_nothing(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        eye e = open_and_draw(scene);
        rng r = rng_make(test_seed(), 100 + scene);
        for (unsigned long i = 0; i < test_count(100); ++i) {
            double x = (double)(float)rng_range(&r, -1, 1), y = (double)(float)rng_range(&r, -1, 1);
            if (isinf(brute_force(e.at, direction_to(&e, x, y)).distance)) {
                /* A ray through an edge may meet the body but no triangle, so none of four rays around it may meet one
                 * either. */
                const double off = 2e-3;
                if (isinf(brute_force(e.at, direction_to(&e, x + off, y + off)).distance) &&
                    isinf(brute_force(e.at, direction_to(&e, x - off, y + off)).distance) &&
                    isinf(brute_force(e.at, direction_to(&e, x + off, y - off)).distance) &&
                    isinf(brute_force(e.at, direction_to(&e, x - off, y - off)).distance)) {
                    assert_int_equal(testbed_pick((float)x, (float)y, (float)x, (float)y), 0);
                    assert_null(testbed_picked(0));
                }
            }
        }
    }
}

static bool is_picked(uint32_t index1) {
    const testbed_body *body;
    for (uint32_t i = 0; (body = testbed_picked(i)) != NULL; ++i) {
        if (body->index1 == index1) {
            return true;
        }
    }
    return false;
}

/* A body with a vertex well inside the rectangle is picked; a body with all vertices beyond one of its sides is not. */
static void check_rectangle(const eye *e, const double corners[4], unsigned long *outcomes) {
    uint32_t picked = testbed_pick((float)corners[0], (float)corners[1], (float)corners[2], (float)corners[3]);
    assert_true(picked <= 64);
    for (uint32_t b = 0; b < testbed_batch_count(); ++b) {
        const testbed_batch *batch = &testbed_batches()[b];
        const testbed_mesh *mesh = &testbed_meshes()[batch->mesh];
        for (uint32_t i = batch->first; i < batch->first + batch->count; ++i) {
            const testbed_instance *instance = &testbed_instances()[i];
            bool inside = false, behind = false, beyond[4] = {true, true, true, true};
            for (uint32_t k = mesh->first; k < mesh->first + mesh->count; ++k) {
                double x, y;
                behind |= !project(e, vertex_of(instance, &testbed_mesh_vertices()[k]), &x, &y);
                double gaps[4] = {corners[0] - x, corners[1] - y, x - corners[2], y - corners[3]}, worst = -1;
                for (int side = 0; side < 4; ++side) {
                    beyond[side] &= gaps[side] > 1e-4;
                    worst = fmax(worst, gaps[side]);
                }
                inside |= worst < -1e-4;
            }
            if (instance->index1 == 0 || behind) {
                continue;
            }
            if (inside && picked < 64) {
                assert_true(is_picked(instance->index1));
                ++outcomes[0];
            } else if (beyond[0] || beyond[1] || beyond[2] || beyond[3]) {
                assert_false(is_picked(instance->index1));
                ++outcomes[1];
            }
        }
    }
}

static void a_rectangle_picks_what_it_shows(void **state) {
    (void)state;
    unsigned long outcomes[2] = {0, 0};
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        eye e = open_and_draw(scene);
        rng r = rng_make(test_seed(), 200 + scene);
        for (unsigned long i = 0; i < test_count(60); ++i) {
            double x, y, size = rng_log_range(&r, 0.004, 0.3), other = rng_log_range(&r, 0.004, 0.3);
            uint32_t aim = rng_below(&r, testbed_instance_count());
            if (project(&e, wide(testbed_instances()[aim].position), &x, &y)) {
                const double corners[4] = {(double)(float)x, (double)(float)y, (double)(float)(x + size),
                                           (double)(float)(y + other)};
                check_rectangle(&e, corners, outcomes);
            }
        }
    }
    assert_true(outcomes[0] > 2 && outcomes[1] > 2);
}

static void corners_come_in_any_order(void **state) {
    (void)state;
    open_and_draw(TESTBED_TUMBLING);
    uint32_t count = testbed_pick(-0.05f, -0.1f, 0.1f, 0.2f), first = testbed_picked(0)->index1;
    assert_true(count > 1);
    assert_int_equal(testbed_pick(0.1f, 0.2f, -0.05f, -0.1f), count);
    assert_int_equal(testbed_picked(0)->index1, first);
    assert_null(testbed_picked(count));
}

static void what_is_picked_is_reported_and_painted(void **state) {
    (void)state;
    open_and_draw(TESTBED_PILE);
    for (uint32_t i = 0; i < 65; ++i) {
        assert_int_equal(testbed_pick_body(i), i > 0);
        const testbed_body *body = testbed_picked(0);
        if (i == 0) {
            assert_null(body);
            continue;
        }
        assert_int_equal(body->index1, i);
        assert_int_equal(body->moving, i <= 60);
        assert_int_equal(body->vertices > 3, i <= 60);
        assert_true(body->half.x > 0);
        for (uint32_t k = 0; k < body->contacts && k < 8; ++k) {
            assert_true(body->other[k] != i && body->other[k] > 0 && body->other[k] <= 65);
        }
        assert_int_equal(testbed_draw(0), ABUT_OK);
        unsigned white = 0;
        for (uint32_t k = 0; k < testbed_instance_count(); ++k) {
            testbed_colour c = testbed_instances()[k].colour;
            white += c.r == 255 && c.g == 255 && c.b == 255;
            assert_int_equal(c.r == 255 && c.g == 255 && c.b == 255, testbed_instances()[k].index1 == i);
        }
        assert_int_equal(white, 1);
    }
    assert_int_equal(testbed_pick_body(66), 0);
}

static void no_matrix_picks_nothing(void **state) {
    (void)state;
    open_and_draw(TESTBED_TUMBLING);
    for (int i = 0; i < 16; ++i) {
        testbed_matrix()[i] = 0;
    }
    assert_int_equal(testbed_pick(-1, -1, 1, 1), 0);
    look();
    assert_int_equal(testbed_pick(NAN, 0, 0, 0), 0);
    testbed_matrix()[5] = NAN;
    assert_int_equal(testbed_pick(-1, -1, 1, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_picks_the_nearest_body),           cmocka_unit_test(a_ray_past_everything_picks_nothing),
        cmocka_unit_test(a_rectangle_picks_what_it_shows),        cmocka_unit_test(corners_come_in_any_order),
        cmocka_unit_test(what_is_picked_is_reported_and_painted), cmocka_unit_test(no_matrix_picks_nothing),
    };
    return test_run(tests);
}
