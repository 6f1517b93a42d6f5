/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes as people make them: OBJ and STL files of Debian's packages, where they are installed (glmark2-data and
 * openscad-testing-data), among them broken ones; and a torus, so that something is tested everywhere.
 *
 *     ABUT_TEST_MODELS=FILE:FILE   more files */

#include "../../../demo/obj.h"
#include "shape/mesh/mesh.h"
#include "support/rng.h"
#include "support/stl.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARE "/usr/share/"
#define OPENSCAD SHARE "openscad/testdata/"

static const char *const installed[] = {
    SHARE "glmark2/models/bunny.obj",
    OPENSCAD "stl/adns2610_dev_circuit_inv.stl",
    OPENSCAD "stl/empty.stl",
    OPENSCAD "stl/empty2.stl",
    OPENSCAD "stl/invalidvertex.stl",
    OPENSCAD "stl/toomanyvertices.stl",
    OPENSCAD "stl/unparseable.stl",
    OPENSCAD "manual/issue214/cube2.stl",
    OPENSCAD "scad/3D/features/import.stl",
    OPENSCAD "scad/3D/features/import_bin.stl",
    OPENSCAD "scad/3D/features/import_bin_solid.stl",
    OPENSCAD "scad/bugs/issue1580-back-to-back.stl",
    OPENSCAD "scad/bugs/issue1580-back-to-back2.stl",
    OPENSCAD "scad/bugs/issue1580-zero-area-triangle.stl",
    OPENSCAD "scad/bugs/issue945e.stl",
    OPENSCAD "scad/bugs/issue945f.stl",
    OPENSCAD "scad/misc/bad-stl-pcbvicebar.stl",
    OPENSCAD "scad/misc/bad-stl-tardis.stl",
    OPENSCAD "scad/misc/bad-stl-wing.stl",
};

typedef struct model {
    const char *name;
    abut_vec3 *corners; /* three a triangle */
    size_t count;
    abut_mesh *mesh;
    double size; /* of its bounds, the largest extent */
    bool closed; /* every edge belongs to two triangles, in opposite directions */
    rng random;
} model;

/* --- small geometry --- */

typedef struct vec {
    double x, y, z;
} vec;

static vec wide(abut_vec3 v) {
    return (vec){(double)v.x, (double)v.y, (double)v.z};
}

static abut_vec3 narrow(vec v) {
    return (abut_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static vec minus(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec along(vec at, double far, vec way) {
    return (vec){at.x + far * way.x, at.y + far * way.y, at.z + far * way.z};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(vec v) {
    return sqrt(dot(v, v));
}

/* Not of unit length: twice the area. */
static vec normal_of(const abut_vec3 *corner) {
    const vec a = wide(corner[0]);
    return cross(minus(wide(corner[1]), a), minus(wide(corner[2]), a));
}

static vec middle_of(const abut_vec3 *corner) {
    const vec a = wide(corner[0]), b = wide(corner[1]), c = wide(corner[2]);
    return (vec){(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
}

/* Whether the triangle has an area beyond doubt. */
static bool is_solid(const model *m, size_t triangle) {
    return length(normal_of(&m->corners[3 * triangle])) > 1e-9 * m->size * m->size;
}

/* How often the model goes round a point: 0 outside, 1 inside of one that is closed (van Oosterom and Strackee, "The
 * solid angle of a plane triangle", 1983). */
static double winding(const model *m, vec p) {
    double turns = 0;
    for (size_t i = 0; i < m->count; ++i) {
        const vec a = minus(wide(m->corners[3 * i]), p), b = minus(wide(m->corners[3 * i + 1]), p);
        const vec c = minus(wide(m->corners[3 * i + 2]), p);
        const double al = length(a), bl = length(b), cl = length(c);
        turns += atan2(dot(a, cross(b, c)), al * bl * cl + dot(a, b) * cl + dot(b, c) * al + dot(c, a) * bl);
    }
    return turns / (2 * 3.14159265358979323846);
}

static bool is_inside(const model *m, vec p) {
    return fabs(winding(m, p) - 1) < 0.01;
}

/* --- models --- */

static int by_coordinates(const void *a, const void *b) {
    const float *p = a, *q = b;
    for (int i = 0; i < 6; ++i) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Each edge as two points, the lower one first; `up` lists those that are so already, else the others. */
static size_t edges_of(const model *m, bool up, float (*edges)[6]) {
    size_t count = 0;
    for (size_t i = 0; i < 3 * m->count; ++i) {
        const abut_vec3 p = m->corners[i], q = m->corners[i % 3 == 2 ? i - 2 : i + 1];
        const float forth[6] = {p.x, p.y, p.z, q.x, q.y, q.z}, back[6] = {q.x, q.y, q.z, p.x, p.y, p.z};
        const int order = by_coordinates(forth, back);
        if (order != 0 && (order < 0) == up) {
            memcpy(edges[count++], up ? forth : back, sizeof forth);
        }
    }
    qsort(edges, count, sizeof *edges, by_coordinates);
    return count;
}

static bool is_closed(const model *m) {
    float(*up)[6] = malloc(3 * m->count * sizeof *up), (*down)[6] = malloc(3 * m->count * sizeof *down);
    assert_true(up != NULL && down != NULL);
    const size_t count = edges_of(m, true, up);
    bool closed = count == edges_of(m, false, down);
    for (size_t i = 0; closed && i < count; ++i) {
        closed = by_coordinates(up[i], down[i]) == 0 && (i == 0 || by_coordinates(up[i - 1], up[i]) != 0);
    }
    free(up);
    free(down);
    return closed;
}

static abut_result model_make(model *m) {
    uint32_t *indices = malloc(3 * m->count * sizeof *indices);
    vec low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    assert_non_null(indices);
    for (size_t i = 0; i < 3 * m->count; ++i) {
        const vec v = wide(m->corners[i]);
        indices[i] = (uint32_t)i;
        low = (vec){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
        high = (vec){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
    }
    const abut_mesh_def def = {
        .vertices = m->corners, .vertex_count = 3 * m->count, .indices = indices, .triangle_count = m->count};
    const abut_result result = abut_mesh_create(&def, &m->mesh);
    free(indices);
    m->size = fmax(fmax(high.x - low.x, high.y - low.y), high.z - low.z);
    m->closed = is_closed(m);
    m->random = rng_make(test_seed(), m->count);
    return result;
}

static void model_free(model *m) {
    abut_mesh_destroy(&m->mesh);
    free(m->corners);
}

/* A torus whose every vertex is a float like any other: nothing is aligned. */
static model torus(void) {
    enum { about = 24, across = 12 };
    model m = {.name = "torus", .count = 2 * about * across};
    m.corners = malloc(3 * m.count * sizeof *m.corners);
    assert_non_null(m.corners);
    for (size_t i = 0; i < 3 * m.count; ++i) {
        static const unsigned step[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
        const size_t cell = i / 6;
        const double u = 6.283185307179586 / about * (double)((cell % about + step[i % 6][0]) % about);
        const double v = 6.283185307179586 / across * (double)((cell / about + step[i % 6][1]) % across);
        m.corners[i] = narrow((vec){(3 + cos(v)) * cos(u), sin(v), -(3 + cos(v)) * sin(u)});
    }
    return m;
}

/* --- the mesh is what was given --- */

static bool same_point(abut_vec3 a, abut_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_triangles(const model *m) {
    abut_vec3 corner[3];
    assert_int_equal(abut_mesh_triangle_count(m->mesh), m->count);
    for (uint32_t i = 0; i < m->count; ++i) {
        assert_true(abut_mesh_triangle(m->mesh, i, corner));
        for (int k = 0; k < 3; ++k) {
            assert_true(same_point(corner[k], m->corners[3 * i + (size_t)k]));
        }
    }
    assert_false(abut_mesh_triangle(m->mesh, (uint32_t)m->count, corner));
}

static void check_bytes(const model *m) {
    abut_mesh *loaded;
    size_t size, again;
    const void *bytes = abut_mesh_data(m->mesh, &size);
    assert_int_equal(abut_mesh_load(bytes, size, NULL, &loaded), ABUT_OK);
    const void *copied = abut_mesh_data(loaded, &again);
    assert_true(size == again && memcmp(bytes, copied, size) == 0);
    abut_mesh_destroy(&loaded);
}

static void check_bounds(const model *m) {
    const abut_aabb box = abut_mesh_bounds(m->mesh);
    size_t reached = 0; /* bit by bit: a corner on each side */
    for (size_t i = 0; i < 3 * m->count; ++i) {
        const abut_vec3 v = m->corners[i];
        const bool inside = v.x >= box.min.x && v.y >= box.min.y && v.z >= box.min.z && v.x <= box.max.x &&
                            v.y <= box.max.y && v.z <= box.max.z;
        assert_true(inside || !is_solid(m, i / 3));
        reached |= (size_t)(v.x == box.min.x) << 0 | (size_t)(v.y == box.min.y) << 1 | (size_t)(v.z == box.min.z) << 2;
        reached |= (size_t)(v.x == box.max.x) << 3 | (size_t)(v.y == box.max.y) << 4 | (size_t)(v.z == box.max.z) << 5;
    }
    assert_int_equal(reached, 63);
}

/* Marks the triangles that a walk along a box finds. */
static size_t walk(const model *m, const float min[3], const float max[3], unsigned char *found) {
    abut_mesh_walk w;
    uint32_t place[64], n;
    size_t count = 0;
    memset(found, 0, m->count);
    abut_mesh_walk_begin(m->mesh, min, max, &w);
    while ((n = abut_mesh_walk_next(m->mesh, &w, place, 64)) > 0) {
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t triangle = abut_mesh_number(m->mesh, place[i]);
            assert_true(triangle < m->count && !found[triangle]);
            found[triangle] = 1;
            ++count;
        }
    }
    return count;
}

static void check_walks(model *m) {
    const float all[2][3] = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    unsigned char *found = malloc(m->count);
    assert_non_null(found);
    walk(m, all[0], all[1], found);
    for (size_t i = 0; i < m->count; ++i) {
        assert_true(found[i] || !is_solid(m, i));
    }
    for (int k = 0; k < 100; ++k) {
        const size_t i = rng_below(&m->random, (uint32_t)m->count);
        const abut_vec3 v = m->corners[3 * i + rng_below(&m->random, 3)];
        const float point[3] = {v.x, v.y, v.z};
        walk(m, point, point, found);
        assert_true(found[i] || !is_solid(m, i));
    }
    free(found);
}

/* --- rays do not pass between triangles --- */

/* A corner, the middle of an edge, or a point inside of some triangle. */
static vec aim(model *m) {
    const size_t first = 3 * rng_below(&m->random, (uint32_t)m->count);
    const vec a = wide(m->corners[first]), b = wide(m->corners[first + 1]);
    switch (rng_below(&m->random, 3)) {
    case 0:
        return a;
    case 1:
        return along(a, 0.5, minus(b, a));
    default:
        return middle_of(&m->corners[first]);
    }
}

static bool meets(const model *m, vec from, vec to) {
    const abut_shape shape = {.mesh = m->mesh};
    const abut_pose here = {.rotation.w = 1};
    const abut_ray ray = {.origin = narrow(from), .translation = narrow(minus(wide(narrow(to)), wide(narrow(from))))};
    abut_hit hit;
    if (!abut_shape_cast_ray(&shape, &here, &ray, &hit)) {
        return false;
    }
    assert_true(hit.fraction >= 0 && hit.fraction <= 1 && hit.part < m->count);
    assert_true(dot(normal_of(&m->corners[3 * (size_t)hit.part]), wide(ray.translation)) < 0);
    assert_true(dot(wide(hit.normal), wide(ray.translation)) < 0);
    return true;
}

/* Some point inside, by float coordinates. */
static bool find_inside(model *m, vec *inside) {
    for (int tries = 0; tries < 30; ++tries) {
        const size_t first = 3 * rng_below(&m->random, (uint32_t)m->count);
        const vec n = normal_of(&m->corners[first]);
        const double far = rng_log_range(&m->random, 0.003, 0.3) * m->size / fmax(length(n), 1e-300);
        *inside = wide(narrow(along(middle_of(&m->corners[first]), -far, n)));
        if (is_inside(m, *inside)) {
            return true;
        }
    }
    return false;
}

static void check_rays(model *m) {
    vec inside;
    size_t rays = 0;
    for (int k = 0; k < 4 && m->closed && find_inside(m, &inside); ++k) {
        for (unsigned long i = 0; i < test_count(2000); ++i) {
            const vec way = minus(aim(m), inside);
            if (length(way) > 1e-6 * m->size) {
                assert_true(meets(m, along(inside, 4 * m->size / length(way), way), inside));
                ++rays;
            }
        }
    }
    /* Straight down, exactly through the corner. */
    for (int k = 0; k < 20 && m->closed; ++k) {
        const vec corner = wide(m->corners[rng_below(&m->random, 3 * (uint32_t)m->count)]);
        const double deep = rng_log_range(&m->random, 0.003, 0.3) * m->size;
        inside = wide(narrow((vec){corner.x, corner.y - deep, corner.z}));
        if (is_inside(m, inside)) {
            assert_true(meets(m, (vec){corner.x, corner.y + 2 * m->size, corner.z}, inside));
            ++rays;
        }
    }
    print_message("  %s: %zu triangles, %s, %zu rays\n", m->name, m->count, m->closed ? "closed" : "open", rays);
}

/* --- what falls on it touches it --- */

enum { drops = 64 };

typedef struct dropping {
    abut_world *world;
    abut_body_id ground;
    float radius[drops];
    abut_pose pose[drops];
    size_t count;
} dropping;

/* Over a triangle: the ray down meets a front, which the sphere then lies on. */
static void drop_one(dropping *d, model *m) {
    const size_t first = 3 * rng_below(&m->random, (uint32_t)m->count);
    const vec at = middle_of(&m->corners[first]);
    const abut_ray ray = {.origin = narrow((vec){at.x, at.y + 3 * m->size, at.z}),
                          .translation = {0, (float)(-6 * m->size), 0}};
    abut_hit hit;
    assert_int_equal(abut_world_cast_rays(d->world, &ray, 1, NULL, &hit), ABUT_OK);
    if (hit.body.index1 == 0 || hit.normal.y < 0.2f) {
        return;
    }
    const float radius = (float)(rng_log_range(&m->random, 0.003, 0.2) * m->size);
    d->radius[d->count] = radius;
    d->pose[d->count] = (abut_pose){{hit.position.x, hit.position.y + 0.75f * radius, hit.position.z}, {0, 0, 0, 1}};
    ++d->count;
}

static void check_queries(const dropping *d, const model *m) {
    for (size_t i = 0; i < d->count; ++i) {
        const abut_shape sphere = abut_sphere(d->radius[i]), mesh = {.mesh = m->mesh};
        const abut_pose here = {.rotation.w = 1};
        const float high = (float)(3 * m->size);
        abut_pose from = d->pose[i];
        abut_body_id touched;
        abut_hit hit;
        assert_int_equal(abut_world_overlaps(d->world, &sphere, &d->pose[i], NULL, &touched, 1), 1);
        assert_true(abut_shape_overlap(&sphere, &d->pose[i], &mesh, &here));
        assert_true(abut_world_collide(d->world, &sphere, &d->pose[i], 0, NULL, NULL, 0) > 0);
        from.position.y += high;
        assert_true(abut_shape_sweep(&sphere, &from, &d->pose[i], &mesh, &here, &here, ABUT_INITIAL_HIT, &hit));
        assert_true(hit.fraction > 0 && hit.fraction <= 1 && hit.part < m->count);
    }
}

static void check_step(const dropping *d, const model *m) {
    bool touches[drops] = {false};
    size_t count, part_count;
    for (size_t i = 0; i < d->count; ++i) {
        const abut_body_def def = {.radius = d->radius[i], .pose = d->pose[i], .user = i, .filter.group = -1};
        abut_body_id id;
        assert_int_equal(abut_body_create(d->world, &def, &id), ABUT_OK);
    }
    assert_int_equal(abut_world_step(d->world, NULL, NULL), ABUT_OK);
    const abut_contact *contacts = abut_world_contacts(d->world, &count);
    const abut_contact_part *parts = abut_world_parts(d->world, &part_count);
    for (size_t i = 0; i < count; ++i) {
        const abut_contact *c = &contacts[i];
        assert_true(c->a.index1 == d->ground.index1 && c->part_count > 0 &&
                    c->part_count <= part_count - c->part_first);
        for (uint32_t k = c->part_first; k < c->part_first + c->part_count; ++k) {
            const vec n = wide(parts[k].manifold.normal);
            assert_true(parts[k].part < m->count && parts[k].manifold.count > 0);
            assert_true(length(normal_of(&m->corners[3 * (size_t)parts[k].part])) > 0);
            assert_true(fabs(length(n) - 1) < 1e-5);
        }
        touches[c->user_b] = true;
    }
    for (size_t i = 0; i < d->count; ++i) {
        assert_true(touches[i]);
    }
}

static void check_drops(model *m) {
    dropping d = {0};
    const abut_body_def def = {.mesh = m->mesh, .pose.rotation.w = 1, .motion = ABUT_STATIC};
    assert_int_equal(abut_world_create(NULL, &d.world), ABUT_OK);
    assert_int_equal(abut_body_create(d.world, &def, &d.ground), ABUT_OK);
    for (int i = 0; i < 4 * drops && d.count < drops; ++i) {
        drop_one(&d, m);
    }
    assert_true(d.count > 0 || !m->closed);
    check_queries(&d, m);
    check_step(&d, m);
    abut_world_destroy(&d.world);
}

static void check_model(model *m) {
    check_triangles(m);
    check_bytes(m);
    check_bounds(m);
    check_walks(m);
    check_rays(m);
    check_drops(m);
}

/* --- files --- */

static char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        text = calloc(*size + 1, 1);
        assert_non_null(text);
        assert_int_equal(fread(text, 1, *size, file), *size);
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static abut_vec3 *parse(const char *path, const char *text, size_t size, size_t *triangles) {
    obj o;
    if (strcmp(path + strlen(path) - 4, ".obj") != 0) {
        return stl_parse(text, size, triangles);
    }
    if (!obj_parse(&o, text, size)) {
        return NULL;
    }
    abut_vec3 *corners = malloc(3 * o.triangle_count * sizeof *corners);
    assert_non_null(corners);
    for (size_t i = 0; i < 3 * o.triangle_count; ++i) {
        corners[i] = o.vertices[o.indices[i]];
    }
    *triangles = o.triangle_count;
    obj_destroy(&o);
    return corners;
}

/* Whether there is such a file. */
static bool check_file(const char *path) {
    model m = {.name = path};
    size_t size;
    char *text = read_all(path, &size);
    if (text == NULL) {
        return false;
    }
    m.corners = parse(path, text, size, &m.count);
    free(text);
    if (m.corners == NULL) {
        print_message("  %s: not read\n", path);
        return true;
    }
    const abut_result result = model_make(&m);
    if (result == ABUT_OK) {
        check_model(&m);
    } else {
        print_message("  %s: %s\n", path, abut_result_name(result));
    }
    model_free(&m);
    return true;
}

static void test_torus(void **state) {
    (void)state;
    model m = torus();
    assert_int_equal(model_make(&m), ABUT_OK);
    assert_true(m.closed);
    check_model(&m);
    model_free(&m);
}

static void test_installed(void **state) {
    (void)state;
    size_t read = 0;
    for (size_t i = 0; i < sizeof installed / sizeof installed[0]; ++i) {
        read += check_file(installed[i]);
    }
    if (read == 0) {
        print_message("no models: install glmark2-data and openscad-testing-data\n");
        skip();
    }
}

static void test_named(void **state) {
    (void)state;
    const char *names = getenv("ABUT_TEST_MODELS");
    if (names == NULL) {
        skip();
        return;
    }
    char *list = malloc(strlen(names) + 1);
    assert_non_null(list);
    strcpy(list, names);
    for (char *name = strtok(list, ":"); name != NULL; name = strtok(NULL, ":")) {
        assert_true(check_file(name));
    }
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_installed),
        cmocka_unit_test(test_named),
    };
    return test_run(tests);
}
