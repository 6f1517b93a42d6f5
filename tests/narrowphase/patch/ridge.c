/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ridge under the face of a body that is pitched along it: one contact point at either end of the stretch under the
 * face, with the separation that brute force finds there, and with the same features at every pitch up to 2 degrees.
 * The ridge reaches beyond the face, and along the normal of the face it is deepest there; so from a small pitch on the
 * axis is that of two edges. */
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUNDS = 4, BODIES = 4, PITCHES = 10, POINTS = 64 };

static const char *const ground_name[GROUNDS] = {"mesh", "mesh of pieces", "hull", "turned box"};
static const char *const body_name[BODIES] = {"box", "rounded box", "hull", "rounded hull"};
static const double pitch_of[PITCHES] = {0, 1e-5, 1e-4, 5e-4, 1e-3, 2.7e-3, 8e-3, -1e-4, -1e-3, -8e-3};

static const double LONG = 1.5, SLOPE = 0.3, DEPTH = 0.012, YAW = 0.07;
static const double HALF[3] = {0.45, 0.25, 0.35}; /* of all bodies, with their radius */

typedef struct shapes {
    abut_mesh *mesh[2];
    abut_hull *ridge, *body[2];
} shapes;

/* The roof over the z axis, in so many pieces along it. */
static abut_mesh *make_mesh(uint32_t pieces) {
    abut_vec3 v[64];
    uint32_t index[256], n = 0;
    for (uint32_t i = 0; i <= pieces; i++) {
        const float z = (float)(LONG * (2.0 * i / pieces - 1));
        for (int k = -1; k < 2; k++) {
            v[3 * i + (uint32_t)(k + 1)] = (abut_vec3){(float)(0.3 * k), (float)(-0.3 * SLOPE * abs(k)), z};
        }
    }
    for (uint32_t i = 0; i < pieces; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t a = 3 * i + k, piece[6] = {a, a + 3, a + 1, a + 1, a + 3, a + 4};
            memcpy(index + n, piece, sizeof piece);
            n += 6;
        }
    }
    const abut_mesh_def def = {
        .vertices = v, .vertex_count = 3 * (pieces + 1), .indices = index, .triangle_count = n / 3};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_hull *make_box_hull(double less) {
    abut_vec3 v[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        v[i] = (abut_vec3){(float)((i & 1 ? 1 : -1) * (HALF[0] - less)), (float)((i & 2 ? 1 : -1) * (HALF[1] - less)),
                           (float)((i & 4 ? 1 : -1) * (HALF[2] - less))};
    }
    assert_int_equal(abut_hull_create(v, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static void make_shapes(shapes *s) {
    const float z = (float)LONG, low = (float)(-0.3 * SLOPE);
    const abut_vec3 v[6] = {{0, 0, -z}, {0, 0, z}, {-0.3f, low, -z}, {0.3f, low, -z}, {-0.3f, low, z}, {0.3f, low, z}};
    assert_int_equal(abut_hull_create(v, 6, NULL, &s->ridge), ABUT_OK);
    s->mesh[0] = make_mesh(1);
    s->mesh[1] = make_mesh(7);
    s->body[0] = make_box_hull(0);
    s->body[1] = make_box_hull(0.05);
}

static void release_shapes(shapes *s) {
    abut_mesh_destroy(&s->mesh[0]);
    abut_mesh_destroy(&s->mesh[1]);
    abut_hull_destroy(&s->ridge);
    abut_hull_destroy(&s->body[0]);
    abut_hull_destroy(&s->body[1]);
}

static abut_body_def ground_of(const shapes *s, int ground) {
    abut_body_def g = {.pose.rotation = {0, 0, 0, 1}, .motion = ABUT_STATIC};
    if (ground < 2) {
        g.mesh = s->mesh[ground];
    } else if (ground == 2) {
        g.hull = s->ridge;
    } else { /* turned by 45 degrees: its upper edge is the ridge */
        g.half = (abut_vec3){0.2f, 0.2f, (float)LONG};
        g.pose.position.y = (float)(-0.2 * sqrt(2));
        g.pose.rotation = (abut_quat){0, 0, (float)sin(0.39269908169872414), (float)cos(0.39269908169872414)};
    }
    return g;
}

/* The body is turned about y, and then pitched about x. */
static abut_body_def body_of(const shapes *s, int body, double pitch) {
    const double sx = sin(pitch / 2), cx = cos(pitch / 2), sy = sin(YAW / 2), cy = cos(YAW / 2);
    abut_body_def b = {.pose.position = {0, (float)(HALF[1] - DEPTH), 0}};
    b.pose.rotation = (abut_quat){(float)(sx * cy), (float)(cx * sy), (float)(sx * sy), (float)(cx * cy)};
    b.radius = body & 1 ? 0.05f : 0;
    if (body < 2) {
        b.half = (abut_vec3){(float)HALF[0] - b.radius, (float)HALF[1] - b.radius, (float)HALF[2] - b.radius};
    } else {
        b.hull = s->body[body & 1];
    }
    return b;
}

typedef struct found {
    abut_contact_point point[POINTS];
    uint32_t count;
} found;

static void add_points(const abut_manifold *m, found *f) {
    for (uint32_t i = 0; i < m->count && f->count < POINTS; i++) {
        f->point[f->count++] = m->points[i];
    }
}

/* Of the points on the ridge, or of all, the one of lowest z comes first, and the one of highest z second. Triangles of
 * a mesh show other points as well; then these two stay. */
static void keep_ends(found *f, bool of_mesh) {
    abut_contact_point low = {.position.z = 9}, high = {.position.z = -9};
    for (uint32_t i = 0; i < f->count; i++) {
        const abut_contact_point *p = &f->point[i];
        if (fabs((double)p->position.x) < 1e-3 || !of_mesh) {
            low = p->position.z < low.position.z ? *p : low;
            high = p->position.z > high.position.z ? *p : high;
        }
    }
    f->point[0] = low;
    f->point[1] = high;
    f->count = of_mesh && f->count > 2 ? 2 : f->count;
}

/* All points of the contact, or its ends. */
static void find_points(const abut_body_def *ground, const abut_body_def *body, found *f) {
    const abut_world_def def = {0};
    abut_world *world;
    abut_body_id id;
    size_t n;
    f->count = 0;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    assert_int_equal(abut_body_create(world, ground, &id), ABUT_OK);
    assert_int_equal(abut_body_create(world, body, &id), ABUT_OK);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    const abut_contact *contact = abut_world_contacts(world, &n);
    const abut_contact_part *part = abut_world_parts(world, NULL);
    assert_int_equal(n, 1);
    for (uint32_t i = 0; i < contact->part_count; i++) {
        add_points(&part[contact->part_first + i].manifold, f);
    }
    if (contact->part_count == 0) {
        add_points(&contact->manifold, f);
    }
    abut_world_destroy(&world);
    keep_ends(f, ground->mesh != NULL);
}

/* v in the body's frame. */
static void into_body(const abut_quat *q, const double v[3], double out[3]) {
    const double x = q->x, y = q->y, z = q->z, w = q->w;
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y + w * z) * v[1] + 2 * (x * z - w * y) * v[2];
    out[1] = 2 * (x * y - w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z + w * x) * v[2];
    out[2] = 2 * (x * z + w * y) * v[0] + 2 * (y * z - w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

/* Where the ridge leaves the face (of the core), and how high the face is above it there. */
static void expect(const abut_body_def *body, int end, double *z, double *separation) {
    const double at[3] = {0, -(double)body->pose.position.y, 0}, ridge[3] = {0, 0, 1};
    double from[3], way[3];
    into_body(&body->pose.rotation, at, from);
    into_body(&body->pose.rotation, ridge, way);
    const double half = HALF[2] - body->radius;
    *z = ((end ? half : -half) - from[2]) / way[2];
    *separation = -(from[1] + *z * way[1] + HALF[1]);
}

/* At small pitches the normal is that of the face, and the deepest point has the depth of the whole ridge along it. */
static bool is_right(const found *f, const abut_body_def *body, double pitch) {
    const double deeper = fabs(pitch) < 7e-4 ? LONG * fabs(pitch) : 0;
    bool right = f->count == 2;
    for (int end = 0; right && end < 2; end++) {
        const abut_contact_point *p = &f->point[end];
        double z, separation;
        expect(body, end, &z, &separation);
        const double over = p->separation - separation, near = 1e-3 * fabs(separation) + 3e-6;
        right = fabs(p->position.z - z) <= 1e-3 && fabs((double)p->position.x) <= 1e-3 && over <= near &&
                over >= -near - (end == (pitch > 0) ? deeper : 0);
    }
    return right;
}

static bool same_features(const found *f, const found *level) {
    return f->point[0].feature == level->point[0].feature && f->point[1].feature == level->point[1].feature &&
           f->point[0].feature != f->point[1].feature;
}

static void both_ends(void **state) {
    shapes s;
    unsigned wrong = 0;
    (void)state;
    make_shapes(&s);
    for (int k = 0; k < GROUNDS * BODIES * PITCHES; k++) {
        static found level;
        const int ground = k / PITCHES % GROUNDS, body = k / PITCHES / GROUNDS;
        const double pitch = pitch_of[k % PITCHES];
        const abut_body_def g = ground_of(&s, ground), b = body_of(&s, body, pitch);
        found f;
        find_points(&g, &b, &f);
        level = k % PITCHES == 0 ? f : level;
        if (!is_right(&f, &b, pitch) || !same_features(&f, &level)) {
            wrong++;
            printf("%s on %s, pitch %g:", body_name[body], ground_name[ground], pitch);
            for (uint32_t i = 0; i < f.count; i++) {
                const abut_contact_point *p = &f.point[i];
                printf(" [z %.4f s %.6f %08x]", p->position.z, p->separation, p->feature);
            }
            printf("\n");
        }
    }
    release_shapes(&s);
    assert_int_equal(wrong, 0);
}

/* Swapping the two negates the normal, and changes nothing else. */
static void swapped(void **state) {
    shapes s;
    (void)state;
    make_shapes(&s);
    for (int k = 0; k < 2 * BODIES * PITCHES; k++) {
        const abut_body_def g = ground_of(&s, 2 + k % 2), b = body_of(&s, k / 2 % BODIES, pitch_of[k / 2 / BODIES]);
        const abut_shape x = {g.half, g.hull, NULL, g.radius}, y = {b.half, b.hull, NULL, b.radius};
        abut_manifold m[2];
        assert_true(abut_shape_collide(&x, &g.pose, &y, &b.pose, 0, &m[0]));
        assert_true(abut_shape_collide(&y, &b.pose, &x, &g.pose, 0, &m[1]));
        assert_int_equal(m[0].count, m[1].count);
        assert_memory_equal(m[0].points, m[1].points, sizeof m[0].points);
        assert_true(m[0].normal.x == -m[1].normal.x && m[0].normal.y == -m[1].normal.y &&
                    m[0].normal.z == -m[1].normal.z);
    }
    release_shapes(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_ends), cmocka_unit_test(swapped)};
    return test_run(tests);
}
