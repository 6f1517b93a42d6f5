/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that are shallow over ridges and borders of faces that are cut into cells: half of the triangles there have a
 * side on the ridge, the others no more than a corner. None is deeper than on a hull of the same form, and along the
 * deepest rounded bodies are parted; also where the mesh ends at a seam and goes on in ghosts. */

#include "support/near_hulls.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <string.h>

enum { CELLS = 4, VERTICES = 6 * (CELLS + 1) * (CELLS + 1), TRIANGLES = 12 * CELLS * CELLS, KINDS = 5, MOST = 64 };

static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

/* A cube from -2 to 2: as a hull, and cut into cells: as one mesh, or as two with a seam at z = 0. */
typedef struct cube {
    abut_hull *hull;
    abut_world *world;
    abut_mesh *mesh[2];
} cube;

static void add_face(int face, abut_vec3 *vertex, uint32_t (*index)[3]) {
    enum { ROW = CELLS + 1 };
    const int axis = face / 2, one = (axis + 1) % 3, other = (axis + 2) % 3;
    const uint32_t first = (uint32_t)face * ROW * ROW;
    for (uint32_t k = 0; k < ROW * ROW; k++) {
        float *at = &vertex[first + k].x;
        at[axis] = face & 1 ? 2 : -2;
        at[one] = (float)(k % ROW) - 2;
        at[other] = (float)(k / ROW) - 2;
    }
    for (uint32_t k = 0; k < CELLS * CELLS; k++) {
        const uint32_t a = first + k / CELLS * ROW + k % CELLS, b = a + 1, c = a + ROW, d = c + 1;
        const uint32_t cell[2][2][3] = {{{a, d, b}, {a, c, d}}, {{a, b, d}, {a, d, c}}};
        memcpy(index[2 * ((uint32_t)face * CELLS * CELLS + k)], cell[face & 1], sizeof *cell);
    }
}

/* The triangles of one side of the seam first. Returns how many they are. */
static uint32_t sort_by_side(const abut_vec3 *vertex, uint32_t (*index)[3], bool upper, uint32_t (*out)[3]) {
    uint32_t n = 0, solid = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < TRIANGLES; i++) {
            const float z = vertex[index[i][0]].z + vertex[index[i][1]].z + vertex[index[i][2]].z;
            if (((z > 0) == upper) == (pass == 0)) {
                memcpy(out[n++], index[i], sizeof *out);
            }
        }
        solid = pass == 0 ? n : solid;
    }
    return solid;
}

static void make_cube(bool seam, cube *out) {
    abut_vec3 vertex[VERTICES], corner[8];
    uint32_t index[TRIANGLES][3], sorted[TRIANGLES][3];
    abut_body_id id;
    *out = (cube){0};
    for (int face = 0; face < 6; face++) {
        add_face(face, vertex, index);
    }
    assert_int_equal(abut_world_create(NULL, &out->world), ABUT_OK);
    for (uint32_t k = 0; k < 1u + seam; k++) {
        const uint32_t solid = sort_by_side(vertex, index, k, sorted);
        const abut_mesh_def def = {.vertices = vertex,
                                   .vertex_count = VERTICES,
                                   .indices = *sorted,
                                   .triangle_count = TRIANGLES,
                                   .ghost_count = seam ? TRIANGLES - solid : 0};
        assert_int_equal(abut_mesh_create(&def, &out->mesh[k]), ABUT_OK);
        const abut_body_def body = {.mesh = out->mesh[k], .motion = ABUT_STATIC};
        assert_int_equal(abut_body_create(out->world, &body, &id), ABUT_OK);
    }
    for (int k = 0; k < 8; k++) {
        corner[k] = (abut_vec3){k & 1 ? 2 : -2, k & 2 ? 2 : -2, k & 4 ? 2 : -2};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &out->hull), ABUT_OK);
}

static void release_cube(cube *c) {
    abut_world_destroy(&c->world);
    abut_mesh_destroy(&c->mesh[0]);
    abut_mesh_destroy(&c->mesh[1]);
    abut_hull_destroy(&c->hull);
}

/* Spheres, rounded boxes, flat ones, rounded hulls, boxes. */
static abut_shape make_shape(rng *r, uint32_t kind, const abut_hull *stone) {
    const float size = (float)rng_log_range(r, 0.15, 1), radius = (float)rng_range(r, 0.02, 0.5) * size;
    abut_shape shape = abut_box(size, (float)rng_range(r, 0.3, 1) * size, (float)rng_range(r, 0.3, 1) * size);
    switch (kind) {
    case 0:
        return abut_sphere(size);
    case 1:
        shape.radius = radius;
        return shape;
    case 2:
        shape.half.y = 0.05f * size;
        shape.radius = radius;
        return shape;
    case 3:
        return abut_convex(stone, radius);
    default:
        return shape;
    }
}

static bool meets(const cube *c, const abut_shape *shape, abut_pose *pose, abut_vec3 at, abut_vec3 way, float far) {
    const abut_shape ground = {.hull = c->hull};
    pose->position = (abut_vec3){at.x + far * way.x, at.y + far * way.y, at.z + far * way.z};
    return abut_shape_overlap(&ground, &here, shape, pose);
}

/* Lowers a body onto the ridge at x = -2, y = 2, until it is a little below where they meet. */
static void sink(rng *r, const cube *c, const abut_shape *shape, abut_pose *pose) {
    const double turn = rng_range(r, 0.1, 1.47);
    const abut_vec3 at = {-2 + (float)rng_range(r, -0.1, 0.1), 2 + (float)rng_range(r, -0.1, 0.1),
                          (float)rng_range(r, -2, 2)};
    const abut_vec3 way = {-(float)sin(turn), (float)cos(turn), 0};
    float low = 0, high = 4;
    for (int k = 0; k < 24; k++) {
        const float middle = (low + high) / 2;
        *(meets(c, shape, pose, at, way, middle) ? &low : &high) = middle;
    }
    (void)meets(c, shape, pose, at, way, low - (float)rng_log_range(r, 3e-4, 0.03));
}

static double deepest_of(const abut_touching *touching, size_t n, abut_vec3 *normal) {
    double most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double depth = (double)abut_manifold_depth(&touching[i].manifold);
        *normal = depth > most ? touching[i].manifold.normal : *normal;
        most = fmax(most, depth);
    }
    return most;
}

/* What bodies there were, and faults. */
typedef struct tally {
    uint32_t bodies, deeper, stuck;
} tally;

/* Deeper than on the hull, but for what faces are preferred by; and still in it when pushed out by the deepest part. */
static void judge(const cube *c, const abut_shape *shape, const abut_pose *pose, tally *t) {
    const abut_shape ground = {.hull = c->hull};
    abut_touching touching[MOST];
    abut_manifold manifold;
    abut_vec3 n = {0, 0, 0};
    abut_pose moved = *pose;
    if (!abut_shape_collide(&ground, &here, shape, pose, 0, &manifold)) {
        return;
    }
    const size_t count = abut_world_collide(c->world, shape, pose, 0, NULL, touching, MOST);
    assert_in_range(count, 1, MOST);
    const double depth = deepest_of(touching, count, &n), most = (double)abut_manifold_depth(&manifold);
    const float way = (float)depth + 1e-5f;
    moved.position.x += way * n.x, moved.position.y += way * n.y, moved.position.z += way * n.z;
    t->bodies++;
    t->deeper += depth > 1.06 * most + 0x1p-10 + 1e-5;
    t->stuck += shape->radius > 0 && abut_shape_overlap(&ground, &here, shape, &moved);
}

/* One in a hundred may be: flat ones have faces without width, and some are pushed out along a face that was preferred.
 */
static void try_ridges(bool seam) {
    cube c;
    tally all = {0}, spheres = {0};
    make_cube(seam, &c);
    for (uint64_t i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed() + seam, i);
        const uint32_t kind = (uint32_t)(i % KINDS);
        abut_hull *stone = near_stone(&r);
        const abut_shape shape = make_shape(&r, kind, stone);
        abut_pose pose = {{0, 0, 0}, rng_rotation(&r)};
        sink(&r, &c, &shape, &pose);
        judge(&c, &shape, &pose, kind == 0 ? &spheres : &all);
        abut_hull_destroy(&stone);
    }
    release_cube(&c);
    assert_true(spheres.bodies > 0 && spheres.deeper + spheres.stuck == 0);
    assert_true(100 * all.deeper <= all.bodies && 100 * all.stuck <= all.bodies);
}

static void nothing_is_deeper_on_a_ridge_of_cells_than_on_a_hull(void **state) {
    (void)state;
    try_ridges(false);
}

static void ghosts_show_ways_out_at_a_seam(void **state) {
    (void)state;
    try_ridges(true);
}

/* A flat square of cells from -2 to 2, without anything beyond. */
static abut_mesh *make_square(void) {
    abut_mesh *mesh;
    float height[(CELLS + 1) * (CELLS + 1)] = {0};
    const abut_mesh_grid_def def = {.heights = height, .columns = CELLS + 1, .rows = CELLS + 1, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Upright bodies reach a little over the border at x = 0, far below its plane: the way out is sideways. */
static void what_reaches_over_a_border_is_left_sideways(void **state) {
    (void)state;
    abut_world *world;
    abut_mesh *mesh = make_square();
    abut_body_id id;
    const unsigned long bodies = test_count(2000);
    unsigned long touched = 0;
    const abut_body_def ground = {.mesh = mesh, .motion = ABUT_STATIC};
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
    for (uint64_t i = 0; i < bodies; i++) {
        rng r = rng_make(test_seed(), i);
        abut_touching touching[MOST];
        abut_vec3 n = {0, 0, 0};
        abut_shape shape = abut_box((float)rng_log_range(&r, 0.1, 0.6), (float)rng_log_range(&r, 0.1, 0.6),
                                    (float)rng_log_range(&r, 0.1, 0.6));
        const double yaw = rng_chance(&r, 0.3) ? 0 : rng_range(&r, 0, 3.14), reach = rng_log_range(&r, 1e-4, 0.03);
        shape.radius = i % 2 ? (float)rng_range(&r, 0.02, 0.3) : 0;
        abut_pose pose = {{0, 0, 0}, {0, (float)sin(yaw), 0, (float)cos(yaw)}};
        const abut_aabb bounds = abut_shape_bounds(&shape, &pose);
        pose.position = (abut_vec3){(float)reach - bounds.max.x, (float)rng_range(&r, 0.02, 0.9) * bounds.max.y,
                                    (float)rng_range(&r, 0, CELLS)};
        const size_t count = abut_world_collide(world, &shape, &pose, 0, NULL, touching, MOST);
        assert_true(count <= MOST);
        assert_true(deepest_of(touching, count, &n) <= 1.06 * reach + 0x1p-10 + 1e-5);
        touched += count > 0;
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
    assert_true(touched >= bodies / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_deeper_on_a_ridge_of_cells_than_on_a_hull),
        cmocka_unit_test(ghosts_show_ways_out_at_a_seam),
        cmocka_unit_test(what_reaches_over_a_border_is_left_sideways),
    };
    return test_run(tests);
}
