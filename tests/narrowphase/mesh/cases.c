/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts with meshes whose answers are known. */

#include "narrowphase/mesh/triangle.h"
#include "narrowphase/patch/patch.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };

static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

typedef struct answer {
    bool hit;
    uint32_t count;
    abut_contact_part part[MOST];
    abut_manifold manifold;
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < MOST);
    a->part[a->count++] = *part;
}

static abut_mesh *mesh_of(const abut_vec3 *vertex, size_t vertices, const uint32_t *index, size_t triangles) {
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = vertices, .indices = index, .triangle_count = triangles};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_mesh *triangle_of(const abut_vec3 corner[3]) {
    static const uint32_t index[3] = {0, 1, 2};
    return mesh_of(corner, 3, index, 1);
}

static abut_collider collider_of(const abut_shape *shape, abut_vec3 position) {
    abut_collider out;
    const abut_pose pose = {position, {0, 0, 0, 1}};
    assert_true(abut_collider_from_shape_or_mesh(shape, &pose, &out));
    return out;
}

/* With and without a visitor, which changes nothing. */
static void ask(const abut_mesh *mesh, const abut_shape *shape, abut_vec3 at, float margin, answer *out) {
    const abut_shape surface = {.mesh = mesh};
    const abut_collider ground = collider_of(&surface, here.position), body = collider_of(shape, at);
    abut_manifold alone;
    memset(out, 0, sizeof *out);
    memset(&alone, 0, sizeof alone);
    out->hit = abut_np_mesh_collide(&ground, &body, margin, keep, out, &out->manifold);
    assert_true(abut_np_mesh_touches(&ground, &body, margin) == out->hit && (out->count > 0) == out->hit);
    assert_true(abut_np_mesh_collide(&ground, &body, margin, NULL, NULL, &alone) == out->hit);
    assert_memory_equal(&alone, &out->manifold, sizeof alone);
}

static abut_hull *cube(void) {
    abut_vec3 corner[8];
    abut_hull *hull;
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, corner);
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static bool is_near(abut_vec3 a, abut_vec3 b, double near) {
    return fabs((double)a.x - b.x) <= near && fabs((double)a.y - b.y) <= near && fabs((double)a.z - b.z) <= near;
}

/* The border of a floor looks into a box, along one of its edges: it is pushed out sideways. */
static void a_border_along_an_edge(void **state) {
    (void)state;
    const abut_vec3 vertex[4] = {{-2, 0, -2}, {-2, 0, 2}, {0, 0, -2}, {0, 0, 2}};
    const uint32_t index[6] = {0, 1, 2, 2, 1, 3};
    abut_mesh *mesh = mesh_of(vertex, 4, index, 2);
    abut_hull *hull = cube();
    const abut_shape shapes[2] = {{.hull = hull}, abut_box(1, 1, 1)};
    for (int k = 0; k < 2; k++) {
        answer a;
        ask(mesh, &shapes[k], (abut_vec3){0.875f, 0.25f, 0}, 0, &a);
        assert_true(a.hit && a.count == 1 && a.part[0].part == 1);
        assert_true(is_near(a.manifold.normal, (abut_vec3){1, 0, 0}, 1e-6));
        for (uint32_t i = 0; i < a.manifold.count; i++) {
            assert_true(fabs(a.manifold.points[i].separation + 0.125) < 1e-6);
        }
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* A crate on the upper border of a wall, which runs under it from side to side, stands on both places where the border
 * leaves its lower face, also when it is turned by a little. */
static void a_crate_on_a_wall(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{-4, 0, -3}, {4, 0, 3}, {0, -4, 0}};
    const abut_vec3 end[2] = {{-1, -0.03125f, -0.75f}, {1, -0.03125f, 0.75f}};
    abut_mesh *mesh = triangle_of(corner);
    abut_hull *hull = cube();
    const abut_shape shapes[2] = {abut_box(1, 1, 1), {.hull = hull}};
    const abut_quat turned[3] = {{0, 0, 0, 1}, {0x1p-20f, 0, 0x1p-21f, 1}, {0, 0, -0x1p-12f, 1}};
    for (int k = 0; k < 6; k++) {
        const abut_shape surface = {.mesh = mesh};
        const abut_pose pose = {{0, 0.9375f, 0}, turned[k / 2]};
        abut_collider body;
        const abut_collider ground = collider_of(&surface, here.position);
        abut_manifold m;
        assert_true(abut_collider_from_shape_or_mesh(&shapes[k % 2], &pose, &body));
        assert_true(abut_np_mesh_collide(&ground, &body, 0, NULL, NULL, &m));
        assert_true(m.count == 2 && is_near(m.normal, (abut_vec3){0, 1, 0}, 0x1p-7));
        for (int i = 0; i < 2; i++) {
            assert_true(is_near(m.points[0].position, end[i], 0x1p-7) != is_near(m.points[1].position, end[i], 0x1p-7));
            assert_true(fabs(m.points[i].separation + 0.0625) < 0x1p-7);
        }
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* A rod, or a needle, that pierces a triangle of a level floor beside a corner and ends beside it: along the triangle's
 * normal it must go as far as its lowest point below the triangle, which is where it leaves it; with a radius until it
 * is that far from the side that it leaves the triangle by. */
static void a_rod_through_a_corner(void **state) {
    (void)state;
    const abut_vec3 corner[6] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}, {-3, 0, -1}, {1, 0, 1}, {0, 0, -3}};
    static const uint32_t index[12] = {0, 1, 2, 1, 0, 3, 2, 1, 4, 0, 2, 5};
    const abut_mesh_def def = {
        .vertices = corner, .vertex_count = 6, .indices = index, .triangle_count = 4, .ghost_count = 3};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    abut_vec3 point[8];
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {0x1p-20f, 1, 0x1p-20f}}, point);
    abut_hull *needle;
    assert_int_equal(abut_hull_create(point, 8, NULL, &needle), ABUT_OK);
    const abut_shape shapes[3] = {abut_capsule(1, 0x1p-6f), abut_box(0x1p-20f, 1, 0x1p-20f), {.hull = needle}};
    for (int k = 0; k < 6; k++) {
        /* It leans by an angle of which 3/5 is the sine, towards +x below; or stands upright, and ends over the
         * triangle. */
        bool leans = k < 3;
        const abut_pose pose = {{0.5f, 0.25f, -0.875f}, {0, 0, leans ? 1 : 0, 3}};
        const abut_shape surface = {.mesh = mesh};
        const abut_collider ground = collider_of(&surface, here.position);
        abut_collider body;
        abut_manifold m;
        assert_true(abut_collider_from_shape_or_mesh(&shapes[k % 3], &pose, &body));
        assert_true(abut_np_mesh_collide(&ground, &body, 0, NULL, NULL, &m));
        /* Its axis leaves the triangle where x = -z: 3/8 in x from its middle, and so 1/2 below that. That side runs
         * along (1, 0, -1), the axis along (3, -4, 0): (4, 3, 4) is across both. */
        double deepest = leans ? 0.25 : 0.75, radius = shapes[k % 3].radius * (leans ? sqrt(41) / 3 : 1);
        assert_true(is_near(m.normal, (abut_vec3){0, 1, 0}, 1e-6));
        assert_true(fabs(abut_manifold_depth(&m) - radius - deepest) < 0x1p-17);
    }
    abut_hull_destroy(&needle);
    abut_mesh_destroy(&mesh);
}

/* Of a ridge whose faces look in opposite directions, as far as double shows, only the normals of the faces are known.
 */
static void a_knife(void **state) {
    (void)state;
    const abut_vec3 vertex[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-0x1p-149f, 0, 1}};
    const uint32_t index[6] = {0, 1, 2, 1, 0, 3};
    abut_mesh *mesh = mesh_of(vertex, 4, index, 2);
    abut_hull *hull = cube();
    const abut_shape shapes[2] = {abut_box(1, 1, 1), {.hull = hull}};
    const double third = sqrt(1.0 / 3);
    assert_int_equal(abut_mesh_edge_of(abut_mesh_sides(mesh)[0]), ABUT_MESH_CONVEX);
    for (int k = 0; k < 2; k++) {
        answer a;
        ask(mesh, &shapes[k], (abut_vec3){1.25f, 1.25f, 0.5f}, 0, &a); /* its lowest corner is (1/4, 1/4, -1/2) */
        assert_true(a.hit && a.count == 1 && a.part[0].part == 0);
        assert_true(is_near(a.manifold.normal, (abut_vec3){(float)third, (float)third, (float)third}, 1e-6));
        float least = 0;
        for (uint32_t i = 0; i < a.manifold.count; i++) {
            least = fminf(least, a.manifold.points[i].separation);
        }
        assert_true(least >= (0 - 1) * third - 1e-6 && least < 0);
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* All sides of the triangle run along the face of the hull that rests on it. */
static void a_face_that_covers_a_triangle(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{-0.5f, -0.5f, 0}, {0.5f, -0.5f, 0}, {0, 0.5f, 0}};
    abut_mesh *mesh = triangle_of(corner);
    abut_hull *hull = cube();
    const abut_shape shape = {.hull = hull};
    answer a;
    ask(mesh, &shape, (abut_vec3){0, 0, 1}, 0, &a);
    assert_true(a.hit && is_near(a.manifold.normal, (abut_vec3){0, 0, 1}, 0) && a.manifold.count == 3);
    for (uint32_t i = 0; i < 3; i++) {
        bool found = false;
        for (int k = 0; k < 3; k++) {
            found = found || is_near(a.manifold.points[i].position, corner[k], 1e-6);
        }
        assert_true(found && a.manifold.points[i].separation == 0);
    }
    ask(mesh, &shape, (abut_vec3){0, 0, 1 + 0x1p-23f}, 0, &a);
    assert_false(a.hit);
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* Whether the points of a part go that far in every direction along the ground (z is up), from the z axis. */
static bool goes_around(const abut_manifold *m, double far) {
    bool all = true;
    for (int k = 0; k < 24; k++) {
        const double x = cos(k * 6.283185307179586 / 24), y = sin(k * 6.283185307179586 / 24);
        double most = -INFINITY;
        for (uint32_t i = 0; i < m->count; i++) {
            most = fmax(most, x * m->points[i].position.x + y * m->points[i].position.y);
        }
        all = all && most >= far;
    }
    return all;
}

/* A drum on a floor has more corners than a triangle keeps points of. However it tilts, it stands on all sides of its
 * lower end, the deepest corner among them: the deepest eight of many are all on one side. */
static void of_many_corners_those_around_count(void **state) {
    (void)state;
    enum { MOST_SIDES = 40 };
    const abut_vec3 floor[3] = {{-8, -8, 0}, {8, -8, 0}, {0, 8, 0}};
    abut_mesh *mesh = triangle_of(floor);
    for (int k = 0; k < 3 * MOST_SIDES; k++) {
        const int sides = k % 3 == 0 ? 12 : k % 3 == 1 ? 29 : MOST_SIDES;
        abut_vec3 point[2 * MOST_SIDES];
        abut_hull *hull = NULL;
        const double turn = (k + 0.2) * 6.283185307179586 / 37, tilt = k % 2 ? 0.05 : 1e-3;
        double least = INFINITY;
        for (int i = 0; i < sides; i++) { /* its lower end is tilted up most towards `turn` */
            const double angle = i * 6.283185307179586 / sides, x = cos(angle), y = sin(angle);
            point[i] = (abut_vec3){(float)x, (float)y, (float)(tilt * (x * cos(turn) + y * sin(turn)))};
            point[sides + i] = (abut_vec3){(float)x, (float)y, 2};
            least = fmin(least, point[i].z + 0.0625);
        }
        assert_int_equal(abut_hull_create(point, 2 * (size_t)sides, NULL, &hull), ABUT_OK);
        const abut_shape shape = {.hull = hull};
        answer a;
        ask(mesh, &shape, (abut_vec3){0, 0, 0.0625f}, 0.25f, &a);
        assert_true(a.hit && a.manifold.count == 4 && goes_around(&a.manifold, 0.25));
        assert_true(abut_manifold_depth(&a.manifold) > -least - 0x1p-16 * 3);
        abut_hull_destroy(&hull);
    }
    abut_mesh_destroy(&mesh);
}

/* A keel lies on a floor with its whole lower edge. The face that looks down best is another one, at one end. */
static void a_keel_lies_on_both_ends(void **state) {
    (void)state;
    const abut_vec3 floor[3] = {{-8, -8, 0}, {8, -8, 0}, {0, 8, 0}};
    const abut_vec3 point[8] = {{-1, 0, 0},       {1, 0, 0},         {4, 1, 0.5f},    {4, -1, 0.5f},
                                {-1, 1.5f, 1.5f}, {-1, -1.5f, 1.5f}, {4, 1.5f, 1.5f}, {4, -1.5f, 1.5f}};
    abut_mesh *mesh = triangle_of(floor);
    abut_hull *hull = NULL;
    assert_int_equal(abut_hull_create(point, 8, NULL, &hull), ABUT_OK);
    for (int k = 0; k < 2; k++) {
        const abut_shape shape = {.hull = hull, .radius = k ? 0.25f : 0};
        answer a;
        bool front = false, rear = false;
        ask(mesh, &shape, (abut_vec3){0, 0, k ? 0.25f - 0x1p-8f : -0x1p-8f}, 0, &a);
        for (uint32_t i = 0; i < a.manifold.count; i++) {
            const abut_contact_point *p = &a.manifold.points[i];
            front = front || is_near(p->position, (abut_vec3){1, 0, -0x1p-9f}, 1e-6);
            rear = rear || is_near(p->position, (abut_vec3){-1, 0, -0x1p-9f}, 1e-6);
        }
        assert_true(a.hit && front && rear);
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* What a side of the triangle cuts off goes on beside it: of more than four points, the corners of the box count. */
static void corners_count_before_what_sides_cut(void **state) {
    (void)state;
    const abut_vec3 floor[3] = {{-0.25f, 0, 0.75f}, {0, 0, 0.5f}, {-0.5f, 0, 0.5f}};
    abut_mesh *mesh = triangle_of(floor);
    const abut_shape surface = {.mesh = mesh}, box = abut_box(0.0782946f, 0.024181f, 0.0553433f);
    const abut_pose pose = {{-0x1.7ec23p-3f, 0x1.3b2aa4p-6f, 0x1.2d6ae8p-1f}, {0, -0x1.16f848p-1f, 0, 1}};
    const abut_collider ground = collider_of(&surface, here.position);
    abut_collider body;
    abut_vec3 corner[8];
    abut_manifold m;
    int over = 0;
    assert_true(abut_collider_from_shape(&box, &pose, &body));
    assert_true(abut_np_mesh_collide(&ground, &body, 0, NULL, NULL, &m));
    assert_int_equal(m.count, 4);
    abut_obb_corners(&(abut_obb){pose.position, pose.rotation, box.half}, corner);
    for (int k = 0; k < 8; k++) {
        const abut_vec3 c = {corner[k].x, corner[k].y / 2, corner[k].z};
        const bool within = c.y < 0 && c.z > 0.5f && c.x + c.z < 0.5f && c.z - c.x < 1;
        bool shown = false;
        for (uint32_t i = 0; i < 4; i++) {
            shown = shown || is_near(m.points[i].position, c, 1e-6);
        }
        assert_true(shown || !within);
        over += within;
    }
    assert_int_equal(over, 2);
    abut_mesh_destroy(&mesh);
}

/* A disc or a cone of many triangles around one corner, as the ends of cylinders are made. */
static abut_mesh *fan_of(uint32_t sides, float height) {
    static abut_vec3 vertex[MOST + 1];
    static uint32_t index[3 * MOST];
    vertex[sides] = (abut_vec3){0, 0, height};
    for (uint32_t i = 0; i < sides; i++) {
        const double angle = i * 6.283185307179586 / sides;
        vertex[i] = (abut_vec3){(float)(8 * cos(angle)), (float)(8 * sin(angle)), 0};
        index[3 * i] = sides;
        index[3 * i + 1] = i;
        index[3 * i + 2] = (i + 1) % sides;
    }
    return mesh_of(vertex, sides + 1, index, sides);
}

/* Nothing is felt of a corner amid a flat disc, where up to 256 triangles meet, and of a cone's tip nothing that leans
 * more than its faces. Of more triangles only some are followed. */
static void many_triangles_around_a_corner(void **state) {
    (void)state;
    const uint32_t sides[5] = {31, 33, 100, 256, 300};
    for (int k = 0; k < 10; k++) {
        const float height = k < 5 ? 0 : 0.5f;
        const double inner = 8 * cos(3.141592653589793 / sides[k % 5]); /* how near it comes to the middle */
        const double upright = inner / hypot(inner, height);            /* the faces' normals */
        abut_mesh *mesh = fan_of(sides[k % 5], height);
        const abut_shape shapes[2] = {{.radius = 1}, abut_box(0.5f, 0.75f, 0.25f)};
        for (int i = 0; i < 40; i++) {
            const float x = -0.5f + 0.025f * (float)i, over = i % 2 ? 1 : 0.25f;
            answer a;
            ask(mesh, &shapes[1 - i % 2], (abut_vec3){x, 0.3f * x, height + over - 0x1p-6f}, 0, &a);
            assert_true(a.hit || k >= 5);
            for (uint32_t p = 0; p < a.count; p++) {
                assert_true(a.part[p].manifold.normal.z >= upright - 1e-6 || sides[k % 5] > 256);
            }
        }
        abut_mesh_destroy(&mesh);
    }
}

/* A tiny box far from a triangle: the closest point lies on a border of the triangle, to within what rounds over so far
 * a way, and the gap is the distance of that border from the box's centre, to within the box. */
static void a_margin_far_larger_than_a_box(void **state) {
    (void)state;
    static const struct {
        abut_vec3 half, corner[3];
        abut_quat turned;
    } cases[2] = {{{0.0121033825f, 0.00410948833f, 0.000144214937f},
                   {{993283, -528936.75f, 21534.832f},
                    {147041.312f, 592183.625f, -1020545.31f},
                    {1439431.38f, -328100.844f, -694914.062f}},
                   {0.941479504f, -0.745964885f, 0.23873806f, -0.36422208f}},
                  {{0.000136210147f, 0.00102487591f, 0.00019032089f},
                   {{140794.547f, 1344857.38f, 1197669.62f},
                    {875561.438f, -191034.281f, -351677.75f},
                    {1078652.88f, -154123.578f, -263802.562f}},
                   {0.552662075f, 0.851680756f, 0.0944631025f, -0.798348963f}}};
    const double distance[2] = {757512.5, 715920.5};
    for (int k = 0; k < 2; k++) {
        abut_mesh *mesh = triangle_of(cases[k].corner);
        const abut_shape surface = {.mesh = mesh}, box = abut_box(cases[k].half.x, cases[k].half.y, cases[k].half.z);
        const abut_pose pose = {{0, 0, 0}, cases[k].turned};
        const abut_collider ground = collider_of(&surface, here.position);
        abut_collider body;
        abut_manifold manifold;
        assert_true(abut_collider_from_shape(&box, &pose, &body));
        assert_true(abut_np_mesh_collide(&ground, &body, 1e6f, NULL, NULL, &manifold));
        assert_true(fabs(abut_manifold_depth(&manifold) + distance[k]) < 1e-6 * distance[k]);
        abut_mesh_destroy(&mesh);
    }
}

/* Gaps that only rounding could make: the answer is that of the triangle's prism, and with a margin there is none. */
static void hairs_above(void **state) {
    (void)state;
    static const float gaps[3] = {0, 0x1p-50f, 3 * 0x1p-44f}, margin = 0x1p-20f;
    const abut_shape box = abut_box(1, 1, 1);
    for (int k = 0; k < 6; k++) {
        const float z = -gaps[k % 3] - (k < 3 ? 0 : margin);
        const abut_vec3 corner[3] = {{-8, -8, z}, {8, -8, z}, {0, 8, z}};
        abut_mesh *mesh = triangle_of(corner);
        const abut_shape surface = {.mesh = mesh};
        const abut_collider ground = collider_of(&surface, here.position),
                            body = collider_of(&box, (abut_vec3){0, 0, 1});
        abut_np_triangle prism;
        answer a;
        abut_np_triangle_make(&ground, 0, &prism);
        ask(mesh, &box, (abut_vec3){0, 0, 1}, k < 3 ? 0 : margin, &a);
        assert_true(a.hit == (k < 3 ? abut_np_triangle_overlap(&prism, &body) : true));
        assert_true(a.hit == (k != 2));
        assert_true(!a.hit || is_near(a.manifold.normal, (abut_vec3){0, 0, 1}, 0));
        abut_mesh_destroy(&mesh);
    }
}

static double note_normal(uint32_t part, double fraction, abut_vec3 normal, void *context) {
    assert_true(part == 0 && fraction == 0);
    *(abut_vec3 *)context = normal;
    return 0;
}

/* Whether a cast leads into the only triangle of a mesh, by the contact or, where that sees nothing, alone. */
static bool closes(const abut_np_cast *cast, const abut_collider *ground, abut_vec3 *normal) {
    const bool sees = abut_np_mesh_touches(ground, &cast->start, 0);
    *normal = (abut_vec3){0, 0, 0};
    abut_np_mesh_cast_start(cast, ground, 1, note_normal, normal);
    const bool by_contact = normal->x != 0 || normal->y != 0 || normal->z != 0;
    assert_true(sees || !by_contact);
    const bool alone = abut_np_mesh_cast_closes(cast, ground, 0, normal);
    assert_true(!sees || !alone);
    return by_contact || alone;
}

/* A rounded box a hair above a triangle, at the border of what counts as touched at the start of a cast: whatever the
 * contact says, a way down leads into it, and a way up does not. */
static void casts_from_a_hair_above(void **state) {
    (void)state;
    const abut_shape box = {.half = {0.5f, 0.5f, 0.5f}, .radius = 0.5f};
    unsigned touched = 0, apart = 0;
    for (int k = 0; k < 128; k++) {
        const float z = -(float)k * 0x1p-50f;
        const abut_vec3 corner[3] = {{-0.5f, -0.5f, z}, {0.5f, -0.5f, z}, {0, 0.5f, z}};
        abut_mesh *mesh = triangle_of(corner);
        const abut_shape surface = {.mesh = mesh};
        const abut_collider ground = collider_of(&surface, here.position),
                            body = collider_of(&box, (abut_vec3){0, 0, 1});
        abut_np_triangle prism;
        abut_np_triangle_make(&ground, 0, &prism);
        if (abut_np_overlap(&body, &prism.collider)) {
            const abut_np_cast down = abut_np_cast_of(&body, (abut_vec3){0, 0.25f, -1});
            const abut_np_cast up = abut_np_cast_of(&body, (abut_vec3){0, 0.25f, 1});
            abut_vec3 normal;
            assert_true(closes(&down, &ground, &normal));
            assert_true(is_near(normal, (abut_vec3){0, 0, 1}, 1e-6));
            assert_false(closes(&up, &ground, &normal));
            touched++;
            apart += !abut_np_mesh_touches(&ground, &body, 0);
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(touched > 0 && apart > 0);
}

/* Where a box comes down on a vertex of a floor of six triangles of this slope, a corner first. */
static void come_down(rng *r, float slope_x, float slope_z, abut_quat turned, abut_vec3 *normal) {
    static const float x[7] = {0, 4, 1, -3, -4, -1, 3}, z[7] = {0, 1, 4, 3, -1, -4, -3};
    static const uint32_t index[18] = {0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 5, 4, 0, 6, 5, 0, 1, 6};
    abut_vec3 vertex[7], corner[8];
    uint32_t least = 0;
    for (uint32_t i = 0; i < 7; i++) {
        const float off_x = i > 0 ? (float)rng_below(r, 256) / 256 : 0,
                    off_z = i > 0 ? (float)rng_below(r, 256) / 256 : 0;
        const float at_x = x[i] + off_x, at_z = z[i] + off_z;
        vertex[i] = (abut_vec3){at_x, at_x * slope_x + at_z * slope_z, at_z};
    }
    abut_mesh *mesh = mesh_of(vertex, 7, index, 6);
    const abut_shape surface = {.mesh = mesh}, box = abut_box(0.5f, 0.25f, 0.75f);
    abut_obb_corners(&(abut_obb){{0, 0, 0}, turned, box.half}, corner);
    for (uint32_t i = 1; i < 8; i++) {
        const abut_vec3 a = corner[i], b = corner[least];
        least = a.y - b.y < (a.x - b.x) * slope_x + (a.z - b.z) * slope_z ? i : least;
    }
    const abut_vec3 c = corner[least];
    const abut_pose from = {{-c.x, 1 - c.y, -c.z}, turned}, to = {{-c.x, -1 - c.y, -c.z}, turned};
    abut_hit hit;
    assert_true(abut_shape_sweep(&box, &from, &to, &surface, &here, &here, ABUT_INITIAL_SKIP, &hit));
    *normal = hit.normal;
    abut_mesh_destroy(&mesh);
}

/* Floors that are exactly flat have one normal, also at vertices, whatever rounding makes of that of each triangle. */
static void a_corner_on_a_vertex_of_a_slope(void **state) {
    (void)state;
    rng r = rng_make(1, 0);
    for (int k = 0; k < 17 * 17 * 16; k++) {
        const float slope_x = (float)(k % 17 - 8) / 8, slope_z = (float)(k / 17 % 17 - 8) / 8;
        const int turn = k / (17 * 17);
        const abut_quat turned = {(float)(turn % 4) / 8 - 0.25f, 0.375f, (float)(turn / 4) / 8 - 0.25f, 1};
        const double length = sqrt(1 + (double)slope_x * slope_x + (double)slope_z * slope_z);
        const abut_vec3 up = {(float)(-slope_x / length), (float)(1 / length), (float)(-slope_z / length)};
        abut_vec3 normal;
        come_down(&r, slope_x, slope_z, turned, &normal);
        assert_true(is_near(normal, up, 1e-6));
    }
}

/* A blade that turns about its origin, by a quarter, meets a ball where its plane is a radius away. */
static void a_mesh_that_turns_on_its_way(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{1, -1, 0}, {1, 1, 0}, {9, 0, 0}}, back[3] = {{1, 1, 0}, {1, -1, 0}, {9, 0, 0}};
    const float half = (float)sqrt(0.5);
    const abut_pose to = {{0, 0, 0}, {0, half, 0, half}}, at = {{3, 0, -3}, {0, 0, 0, 1}};
    const double quarter = acos(0), fraction = (quarter / 2 - asin(0.5 / sqrt(18))) / quarter;
    const abut_shape ball = abut_sphere(0.5f);
    for (int k = 0; k < 4; k++) {
        abut_mesh *mesh = triangle_of(k & 1 ? back : corner);
        const abut_shape blade = {.mesh = mesh};
        abut_hit hit;
        bool met = k & 2 ? abut_shape_sweep(&blade, &here, &to, &ball, &at, &at, ABUT_INITIAL_HIT, &hit)
                         : abut_shape_sweep(&ball, &at, &at, &blade, &here, &to, ABUT_INITIAL_HIT, &hit);
        assert_true(met == ((k & 1) == 0)); /* seen from its back it is not met */
        assert_true(!met || fabs(hit.fraction - fraction) < 1e-5);
        abut_mesh_destroy(&mesh);
    }
}

/* A ball that has sunk through one side of a pit touches the other side at the bottom, where all edges are hollow: the
 * triangle has its own normal, although that of another one is nearer to the way from the bottom to the ball. The other
 * triangles are ghosts: two of them are nearer, and would stand for it. */
static void the_bottom_of_a_pit(void **state) {
    (void)state;
    const abut_vec3 vertex[9] = {{0, 0, 0},  {4, 1, -1},  {4, 1, 1},   {1, 1, 4}, {-1, 1, 4},
                                 {-4, 1, 1}, {-4, 1, -1}, {-1, 1, -4}, {1, 1, -4}};
    const abut_vec3 east = {-(float)sqrt(1.0 / 17), (float)sqrt(16.0 / 17), 0};
    const abut_shape ball = abut_sphere(2);
    uint32_t index[24];
    for (uint32_t i = 0; i < 8; i++) {
        index[3 * i] = 0;
        index[3 * i + 1] = 1 + (i + 1) % 8;
        index[3 * i + 2] = 1 + i;
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = 9, .indices = index, .triangle_count = 8, .ghost_count = 7};
    abut_mesh *mesh;
    answer a;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    ask(mesh, &ball, (abut_vec3){-1, 0.3125f, -1}, 0, &a);
    assert_true(a.hit && a.part[0].part == 0);
    assert_true(is_near(a.part[0].manifold.normal, east, 1e-6));
    abut_mesh_destroy(&mesh);
}

/* A crate lies on a ridge so flat that both of its sides have one normal to within what counts as the same. The lower
 * triangle shows the points on the ridge, and so is the deepest in the list, although the other one is deeper there by
 * what no float tells: the manifold has the normal of the part that is the deepest in the list. */
static void a_ridge_that_is_nearly_flat(void **state) {
    (void)state;
    const abut_vec3 vertex[4] = {{-8, -0x1p-14f, 0}, {0, 0, 8}, {0, 0, -8}, {8, -0x1p-12f, 0}};
    const uint32_t index[6] = {0, 1, 2, 1, 3, 2};
    abut_mesh *mesh = mesh_of(vertex, 4, index, 2);
    const abut_shape box = abut_box(1, 1, 1);
    answer a;
    ask(mesh, &box, (abut_vec3){0, 0.5f, 0}, 0, &a);
    assert_true(a.hit && a.count == 2);
    const float depth[2] = {abut_manifold_depth(&a.part[0].manifold), abut_manifold_depth(&a.part[1].manifold)};
    assert_true(fabs(depth[0] - 0.5) < 1e-7 && depth[1] < depth[0] && depth[1] > 0.4999f);
    assert_true(is_near(a.manifold.normal, a.part[0].manifold.normal, 0));
    assert_true(!is_near(a.manifold.normal, a.part[1].manifold.normal, 1e-5));
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_border_along_an_edge),
        cmocka_unit_test(a_crate_on_a_wall),
        cmocka_unit_test(a_rod_through_a_corner),
        cmocka_unit_test(a_knife),
        cmocka_unit_test(a_face_that_covers_a_triangle),
        cmocka_unit_test(of_many_corners_those_around_count),
        cmocka_unit_test(a_keel_lies_on_both_ends),
        cmocka_unit_test(corners_count_before_what_sides_cut),
        cmocka_unit_test(many_triangles_around_a_corner),
        cmocka_unit_test(the_bottom_of_a_pit),
        cmocka_unit_test(a_ridge_that_is_nearly_flat),
        cmocka_unit_test(a_margin_far_larger_than_a_box),
        cmocka_unit_test(hairs_above),
        cmocka_unit_test(casts_from_a_hair_above),
        cmocka_unit_test(a_corner_on_a_vertex_of_a_slope),
        cmocka_unit_test(a_mesh_that_turns_on_its_way),
    };
    return test_run(tests);
}
