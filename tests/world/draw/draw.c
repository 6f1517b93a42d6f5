/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Debug draw: the lines, points and boxes of each kind. */

#include "draw_log.h"
#include <float.h>
#include <math.h>

/* --- expected points --- */

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

/* p + q v / q, with q as it is. */
static void place(abut_vec3 p, abut_quat q, abut_vec3 v, double out[3]) {
    const double axis[3] = {q.x, q.y, q.z}, from[3] = {v.x, v.y, v.z}, at[3] = {p.x, p.y, p.z};
    double w = q.w, n = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] + w * w, once[3], twice[3];
    cross(axis, from, once);
    cross(axis, once, twice);
    for (int k = 0; k < 3; k++) {
        out[k] = at[k] + from[k] + 2 * (w * once[k] + twice[k]) / n;
    }
}

static bool near_to(abut_vec3 p, const double at[3]) {
    bool near = true;
    for (int k = 0; k < 3; k++) {
        double unit = 0x1p-24 * fabs(at[k]) + 1e-14;
        near = near && fabs((double)(&p.x)[k] - at[k]) <= unit * (1 + 1e-6);
    }
    return near;
}

static bool same_point(abut_vec3 a, abut_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static abut_vec3 corner_of(const abut_obb *box, int i) {
    return (abut_vec3){i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                       i & 4 ? box->half.z : -box->half.z};
}

static bool is_power_of_two(int n) {
    return n != 0 && (n & (n - 1)) == 0;
}

/* Twelve lines between corners that differ in one sign, no two alike. */
static void check_box_lines(const mark *m, const abut_obb *box) {
    bool used[8][8] = {{false}};
    for (int k = 0; k < 12; k++) {
        int ends[2] = {-1, -1};
        for (int i = 0; i < 8; i++) {
            double at[3];
            place(box->center, box->rotation, corner_of(box, i), at);
            ends[0] = near_to(m[k].from, at) ? i : ends[0];
            ends[1] = near_to(m[k].to, at) ? i : ends[1];
        }
        assert_true(m[k].type == MARK_LINE && ends[0] >= 0 && ends[1] >= 0);
        assert_true(is_power_of_two(ends[0] ^ ends[1]));
        assert_false(used[ends[0]][ends[1]] || used[ends[1]][ends[0]]);
        used[ends[0]][ends[1]] = true;
    }
}

/* --- shapes and bounds --- */

static void boxes_are_drawn_bit_for_bit_or_by_twelve_edges(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_world *world = make_world(NULL);
        abut_body_def def = {.pose = random_pose(&r, 100), .half = rng_vec3(&r, 0.1, 2), .user = rng_u64(&r)};
        def.motion = rng_chance(&r, 0.5) ? ABUT_STATIC : ABUT_MOVING;
        abut_body_id id = add_body(world, &def);
        abut_pose pose;
        assert_int_equal(abut_body_get_world_pose(world, id, &pose), ABUT_OK);
        const abut_obb box = {pose.position, pose.rotation, def.half};
        draw_log log = log_kinds(world, SHAPES), lines = log_lines(world, SHAPES);
        assert_int_equal(log.count, 1);
        assert_true(log.mark[0].type == MARK_BOX && bits_equal(&log.mark[0].box, &box, sizeof box));
        assert_int_equal(lines.count, 12);
        check_box_lines(lines.mark, &box);
        for (size_t k = 0; k < 12; k++) {
            const abut_draw_item *item = &lines.mark[k].item;
            assert_true(item->kind == ABUT_DRAW_SHAPE && abut_body_id_equal(item->body, id) && item->user == def.user);
            assert_true(item->other.index1 == 0 && item->user_other == 0 && item->motion == def.motion);
            assert_true(!item->contact && item->index == 0);
        }
        log_free(&log);
        log_free(&lines);
        abut_world_destroy(&world);
    }
}

/* A box shifted in its body, which is attached to another: drawn at its place in the world. */
static void attached_boxes_are_drawn_in_the_world(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const float half_turn = 0.70710678f;
    abut_body_id root = add_body(
        world,
        &(abut_body_def){.pose = {{10, 0, 0}, {0, 0, half_turn, half_turn}}, .half = {1, 2, 3}, .motion = ABUT_STATIC});
    (void)add_body(
        world, &(abut_body_def){.parent = root, .pose = pose_at(5, 0, 0), .half = {1, 2, 3}, .box = pose_at(1, 0, 0)});
    draw_log log = log_kinds(world, SHAPES);
    assert_int_equal(log.count, 2);
    assert_true(near_to(log.mark[1].box.center, (const double[3]){10, 6, 0}));
    assert_true(log.mark[1].item.motion == ABUT_STATIC);
    move_to(world, root, 20, 0, 0);
    log_free(&log);
    log = log_kinds(world, SHAPES);
    assert_true(near_to(log.mark[1].box.center, (const double[3]){26, 0, 0}));
    log_free(&log);
    abut_world_destroy(&world);
}

/* The vertex of the hull, at the body's pose, that a point is; and none twice as near. */
static size_t vertex_at(const abut_hull *hull, const abut_pose *pose, abut_vec3 p) {
    const abut_vec3 *v = abut_hull_vertices(hull);
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < abut_hull_vertex_count(hull); i++) {
        double at[3];
        place(pose->position, pose->rotation, v[i], at);
        if (near_to(p, at)) {
            assert_true(found == SIZE_MAX);
            found = i;
        }
    }
    assert_true(found != SIZE_MAX);
    return found;
}

static bool is_edge(const abut_hull *hull, size_t from, size_t to) {
    uint32_t loop[64];
    for (size_t f = 0; f < abut_hull_face_count(hull); f++) {
        size_t n = abut_hull_face(hull, f, loop, 64, NULL);
        for (size_t i = 0; i < n; i++) {
            if (loop[i] == from && loop[(i + 1) % n] == to) {
                return true;
            }
        }
    }
    return false;
}

static void hulls_are_drawn_by_the_edges_of_their_faces(void **state) {
    (void)state;
    enum { POINTS = 40 };
    for (unsigned long i = 0; i < test_count(200); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[POINTS];
        for (int k = 0; k < POINTS; k++) { /* on a lattice: faces of many vertices */
            points[k] = (abut_vec3){(float)rng_below(&r, 4), (float)rng_below(&r, 4), (float)rng_below(&r, 4)};
        }
        abut_hull *hull;
        assert_int_equal(abut_hull_create(points, POINTS, NULL, &hull), ABUT_OK);
        abut_world *world = make_world(NULL);
        abut_body_id id = add_body(world, &(abut_body_def){.hull = hull, .pose = random_pose(&r, 20)});
        abut_pose pose;
        assert_int_equal(abut_body_get_world_pose(world, id, &pose), ABUT_OK);
        draw_log log = log_kinds(world, SHAPES);
        bool seen[POINTS][POINTS] = {{false}};
        assert_int_equal(log.count, abut_hull_edge_count(hull));
        for (size_t k = 0; k < log.count; k++) {
            size_t from = vertex_at(hull, &pose, log.mark[k].from), to = vertex_at(hull, &pose, log.mark[k].to);
            assert_true(is_edge(hull, from, to) && is_edge(hull, to, from));
            assert_false(seen[from][to] || seen[to][from]);
            seen[from][to] = true;
        }
        log_free(&log);
        abut_world_destroy(&world);
        abut_hull_destroy(&hull);
    }
}

static void check_bounds(const mark *box, const mark *lines, const abut_aabb *b) {
    const float *low = &b->min.x, *high = &b->max.x, *center = &box->box.center.x, *half = &box->box.half.x;
    int low_ends = 0, high_ends = 0;
    for (int k = 0; k < 3; k++) {
        double under = (double)low[k] - ((double)center[k] - (double)half[k]);
        double over = (double)center[k] + (double)half[k] - (double)high[k];
        double unit = 0x1p-22 * (fabs((double)center[k]) + (double)half[k]);
        assert_true(under >= 0 && over >= 0 && under <= unit && over <= unit);
        for (int i = 0; i < 24; i++) {
            float end = (&(i < 12 ? &lines[i].from : &lines[i - 12].to)->x)[k];
            assert_true(end == low[k] || end == high[k]);
            low_ends += end == low[k];
            high_ends += end == high[k];
        }
    }
    assert_true(low_ends == 36 && high_ends == 36);
    assert_true(box->box.rotation.w == 1 && box->box.rotation.x == 0);
}

static void bounds_are_drawn_as_they_are(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(500); i++) {
        rng r = rng_make(test_seed(), i);
        abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.5f}); /* which does not widen them */
        abut_body_id id[4];
        for (int k = 0; k < 4; k++) {
            abut_body_def def = {.pose = random_pose(&r, rng_log_range(&r, 1, 1e6)), .half = rng_vec3(&r, 0.1, 1)};
            def.radius = k % 2 ? 0.75f : 0;
            id[k] = add_body(world, &def);
        }
        draw_log log = log_kinds(world, BOUNDS), lines = log_lines(world, BOUNDS);
        assert_int_equal(log.count, 4);
        assert_int_equal(lines.count, 48);
        for (int k = 0; k < 4; k++) {
            abut_aabb bounds;
            assert_int_equal(abut_body_get_bounds(world, id[k], &bounds), ABUT_OK);
            assert_true(log.mark[k].item.kind == ABUT_DRAW_BOUNDS && log.mark[k].type == MARK_BOX);
            assert_true(abut_body_id_equal(log.mark[k].item.body, id[k]));
            check_bounds(&log.mark[k], &lines.mark[12 * k], &bounds);
        }
        log_free(&log);
        log_free(&lines);
        abut_world_destroy(&world);
    }
}

/* --- contacts --- */

static double length_of(const mark *m) {
    double x = (double)m->to.x - m->from.x, y = (double)m->to.y - m->from.y, z = (double)m->to.z - m->from.z;
    return sqrt(x * x + y * y + z * z);
}

static void check_contact_item(const abut_draw_item *item, const abut_contact *c, uint32_t index) {
    assert_true(item->kind == ABUT_DRAW_CONTACT && item->contact == c && item->index == index);
    assert_true(abut_body_id_equal(item->body, c->a) && abut_body_id_equal(item->other, c->b));
    assert_true(item->user == c->user_a && item->user_other == c->user_b && item->motion == ABUT_MOVING);
}

/* Point and normal, one after the other, for each point of each contact. */
static void check_contacts(const abut_world *world, const draw_log *log, double length) {
    size_t count, at = 0;
    const abut_contact *contacts = contacts_of(world, &count);
    for (size_t i = 0; i < count; i++) {
        const abut_contact *c = &contacts[i];
        for (uint32_t k = 0; k < c->manifold.count; k++, at += 2) {
            const mark *m = &log->mark[at];
            const abut_vec3 p = c->manifold.points[k].position, n = c->manifold.normal;
            const double to[3] = {p.x + length * n.x, p.y + length * n.y, p.z + length * n.z};
            assert_true(at + 1 < log->count && m[0].type == MARK_POINT && m[1].type == MARK_LINE);
            assert_true(same_point(m[0].from, p) && same_point(m[1].from, p) && near_to(m[1].to, to));
            check_contact_item(&m[0].item, c, k);
            check_contact_item(&m[1].item, c, k);
        }
    }
    assert_true(at == log->count && at > 0);
}

static void contacts_are_drawn_as_they_are_listed(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    rng r = rng_make(test_seed(), 0);
    abut_body_id id[200];
    for (int i = 0; i < 200; i++) {
        abut_body_def def = random_box(&r, 4);
        def.half = (abut_vec3){0.25f, 0.5f, 1}; /* normals are 0.5 long */
        def.user = (uint64_t)i;
        id[i] = add_body(world, &def);
    }
    draw_log log = log_kinds(world, CONTACTS);
    assert_int_equal(log.count, 0);
    assert_true(step_world(world) > 100);
    const abut_draw ask = {
        .line = any_line, .point = any_point, .box = any_box, .kinds = CONTACTS, .normal_length = 0.75f};
    for (int moved = 0; moved < 2; moved++) { /* contacts are those of the last step, wherever the bodies are now */
        log_draw(world, &(abut_draw){.line = any_line, .point = any_point, .kinds = CONTACTS}, &log);
        check_contacts(world, &log, 0.5);
        log_draw(world, &ask, &log);
        check_contacts(world, &log, 0.75);
        for (int i = 0; i < 200; i++) {
            move_to(world, id[i], 100, (float)i, 100);
            assert_int_equal(abut_body_set_user(world, id[i], 777), ABUT_OK);
        }
    }
    log_free(&log);
    abut_world_destroy(&world);
}

static void normals_are_half_as_long_as_the_smaller_body(void **state) {
    (void)state;
    const abut_vec3 octahedron[6] = {{3, 0, 0}, {-3, 0, 0}, {0, 3, 0}, {0, -3, 0}, {0, 0, 3}, {0, 0, -3}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(octahedron, 6, NULL, &hull), ABUT_OK);
    abut_vec3 half = abut_hull_obb(hull).half;
    double of_hull = 0.5 * fmax(fmax((double)half.x, (double)half.y), (double)half.z);
    for (int large = 0; large < 2; large++) {
        abut_world *world = make_world(NULL);
        (void)add_body(world, &(abut_body_def){.hull = hull});
        (void)add_body(world, &(abut_body_def){.half = {large ? 50.0f : 0.25f, 0.5f, 0.5f}, .pose = pose_at(0, 2, 0)});
        assert_int_equal(step_world(world), 1);
        draw_log log = log_kinds(world, CONTACTS);
        assert_true(log.count >= 2 && fabs(length_of(&log.mark[1]) - (large ? of_hull : 0.25)) < 1e-5);
        log_free(&log);
        abut_world_destroy(&world);
    }
    abut_hull_destroy(&hull);
}

static void without_points_a_line_joins_the_centres(void **state) {
    (void)state;
    for (int detail = ABUT_DETAIL_OVERLAP; detail <= ABUT_DETAIL_BOUNDS; detail++) {
        abut_world *world = make_world(NULL);
        (void)add_cube(world, 1, 2, 3, 1);
        abut_body_id second = add_body(
            world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose_at(2, 3, 4), .detail = (abut_detail)detail});
        assert_int_equal(step_world(world), 1);
        for (int k = 0; k < 2; k++) { /* bodies are joined as they are now */
            draw_log log = log_kinds(world, CONTACTS);
            size_t count;
            assert_int_equal(log.count, 1);
            check_contact_item(&log.mark[0].item, contacts_of(world, &count), 0);
            assert_true(log.mark[0].type == MARK_LINE && same_point(log.mark[0].from, (abut_vec3){1, 2, 3}));
            assert_true(same_point(log.mark[0].to, (abut_vec3){2 + 5 * (float)k, 3, 4}));
            log_free(&log);
            move_to(world, second, 7, 3, 4);
        }
        abut_world_destroy(&world);
    }
}

static void contacts_of_the_dead_are_not_drawn(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        abut_world *world = make_world(NULL);
        abut_body_id id[3] = {add_cube(world, 0, 0, 0, 1), add_cube(world, 1.5f, 0, 0, 1), add_cube(world, 3, 0, 0, 1)};
        assert_int_equal(step_world(world), 2);
        assert_int_equal(abut_body_destroy(world, id[2 * which]), ABUT_OK);
        draw_log log = log_kinds(world, CONTACTS);
        assert_int_equal(log.count, 8);
        assert_true(abut_body_id_equal(log.mark[0].item.body, id[1 - which]));
        (void)add_cube(world, 1.5f, 0, 0, 1); /* in the same slot */
        draw_log again = log_kinds(world, CONTACTS);
        assert_int_equal(again.count, 8);
        log_free(&log);
        log_free(&again);
        abut_world_destroy(&world);
    }
}

/* --- frusta --- */

static draw_log log_frusta(const abut_world *world, const abut_frustum *frusta, size_t n, float length) {
    draw_log log = {.count = 0};
    const abut_draw draw = {.line = any_line,
                            .point = any_point,
                            .box = any_box,
                            .kinds = FRUSTA,
                            .frusta = frusta,
                            .frustum_count = n,
                            .frustum_length = length};
    log_draw(world, &draw, &log);
    return log;
}

/* Small boxes along the line are partly in the frustum. */
static void check_inside(const abut_frustum *f, const mark *m) {
    for (int k = 0; k <= 8; k++) {
        float t = (float)k / 8;
        abut_obb speck = {.half = {1e-5f, 1e-5f, 1e-5f}};
        for (int i = 0; i < 3; i++) {
            (&speck.center.x)[i] = (&m->from.x)[i] + t * ((&m->to.x)[i] - (&m->from.x)[i]);
        }
        assert_int_equal(abut_frustum_test_obb(f, &speck), ABUT_INTERSECTS); /* on its surface */
    }
}

static void frusta_are_drawn_by_their_edges(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_frustum f[4] = {camera_at(1, 5), {.plane_count = 0}, camera_at(-1, INFINITY), camera_at(7, 9)};
    static const size_t count[4] = {12, 0, 8, 12};
    draw_log log = log_frusta(world, f, 4, 4);
    size_t at = 0;
    for (uint32_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < count[i]; k++, at++) {
            const mark *m = &log.mark[at];
            assert_true(at < log.count && m->type == MARK_LINE && length_of(m) > 0.4);
            assert_true(m->item.kind == ABUT_DRAW_FRUSTUM && m->item.index == i && m->item.body.index1 == 0);
            assert_true(m->item.motion == ABUT_MOVING && !m->item.contact);
            check_inside(&f[i], m);
        }
    }
    assert_int_equal(at, log.count);
    log_free(&log);
    abut_world_destroy(&world);
}

/* The distance of the end of the last line from the near plane, which is at z = 2. */
static double drawn_depth(const abut_world *world, const abut_frustum *f, size_t n, float length) {
    draw_log log = log_frusta(world, f, n, length);
    double depth = 2 - (double)log.mark[7].to.z;
    log_free(&log);
    return depth;
}

static void frusta_without_end_are_as_deep_as_asked(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_frustum f[3] = {camera_at(0, INFINITY), camera_at(0, 5), camera_at(0, 12)};
    assert_true(fabs(drawn_depth(world, f, 1, 20) - 20) < 1e-5);
    assert_true(fabs(drawn_depth(world, f, 3, 0) - 11) < 1e-5);
    assert_true(fabs(drawn_depth(world, f, 3, 2) - 2) < 1e-5);
    const abut_frustum flat[2] = {f[0], camera_at(0, 1.5f)};
    assert_true(fabs(drawn_depth(world, flat, 2, 0) - 0.5) < 1e-5);
    assert_true(fabs(drawn_depth(world, f, 1, 0) - 1) < 1e-5); /* neither another frustum nor a body sets a depth */
    (void)add_cube(world, 0, 0, 0, 0.5f);
    (void)add_cube(world, 1, 2, -5, 0.5f); /* bounds of 2 by 3 by 6 */
    assert_true(fabs(drawn_depth(world, f, 1, 0) - 7) < 1e-5);
    abut_world_destroy(&world);
}

static void the_dead_set_no_depth(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_frustum f = camera_at(0, INFINITY);
    abut_body_id far_off = add_cube(world, 1000, 0, 0, 0.5f);
    (void)add_cube(world, 0, 0, 0, 0.5f);
    (void)add_cube(world, 1, 2, -5, 0.5f); /* bounds of 2 by 3 by 6 */
    assert_true(drawn_depth(world, &f, 1, 0) > 999);
    assert_int_equal(abut_body_destroy(world, far_off), ABUT_OK);
    assert_true(fabs(drawn_depth(world, &f, 1, 0) - 7) < 1e-5);
    abut_world_destroy(&world);
}

static void lengths_do_not_lead_out_of_the_floats(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 1e6f, 0, 0, 1);
    (void)add_cube(world, 1e6f + 1.5f, 0, 0, 1);
    (void)step_world(world);
    const abut_pose back = {{0, 0, 0}, {0, 1, 0, 0}};
    abut_frustum f[2] = {camera_at(0, INFINITY)}; /* the second is wide */
    assert_int_equal(abut_frustum_camera(&back, 3, 3, 1, INFINITY, &f[1]), ABUT_OK);
    draw_log log = {.count = 0};
    abut_draw draw = {.line = any_line, .frusta = f, .frustum_count = 2};
    draw.normal_length = draw.frustum_length = FLT_MAX;
    log_draw(world, &draw, &log);
    assert_int_equal(log.count, 24 + 4 + 16);
    for (size_t i = 0; i < log.count; i++) {
        for (int k = 0; k < 3; k++) {
            assert_true(isfinite((&log.mark[i].from.x)[k]) && isfinite((&log.mark[i].to.x)[k]));
        }
    }
    log_free(&log);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_drawn_bit_for_bit_or_by_twelve_edges),
        cmocka_unit_test(attached_boxes_are_drawn_in_the_world),
        cmocka_unit_test(hulls_are_drawn_by_the_edges_of_their_faces),
        cmocka_unit_test(bounds_are_drawn_as_they_are),
        cmocka_unit_test(contacts_are_drawn_as_they_are_listed),
        cmocka_unit_test(normals_are_half_as_long_as_the_smaller_body),
        cmocka_unit_test(without_points_a_line_joins_the_centres),
        cmocka_unit_test(contacts_of_the_dead_are_not_drawn),
        cmocka_unit_test(frusta_are_drawn_by_their_edges),
        cmocka_unit_test(frusta_without_end_are_as_deep_as_asked),
        cmocka_unit_test(the_dead_set_no_depth),
        cmocka_unit_test(lengths_do_not_lead_out_of_the_floats),
    };
    return test_run(tests);
}
