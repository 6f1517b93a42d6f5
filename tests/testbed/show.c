/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Drawing: every body is drawn once, in batches, with the overlays' lines and points. */
#include "support/test.h"
#include "testbed.h"
#include <math.h>
#include <stdlib.h>

static void open_and_step(uint32_t scene, uint32_t count, int frames) {
    assert_int_equal(testbed_open(scene, count), ABUT_OK);
    for (int i = 0; i < frames; ++i) {
        assert_int_equal(testbed_step(), ABUT_OK);
    }
}

static void every_body_is_drawn_once(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        for (int frames = 0; frames < 60; frames += 25) {
            open_and_step(scene, 120, frames);
            assert_int_equal(testbed_draw(0), ABUT_OK);
            uint32_t bodies = testbed_get_report()->bodies, found = 0, all = 0;
            bool *seen = calloc(bodies + 1, sizeof *seen);
            assert_non_null(seen);
            for (uint32_t b = 0; b < testbed_batch_count(); ++b) {
                const testbed_batch *batch = &testbed_batches()[b];
                assert_int_equal(batch->first, all);
                assert_true(batch->mesh < testbed_mesh_count());
                all += batch->count;
            }
            assert_int_equal(all, testbed_instance_count());
            for (uint32_t i = 0; i < all; ++i) {
                uint32_t index1 = testbed_instances()[i].index1;
                assert_true(index1 <= bodies && !(index1 > 0 && seen[index1]));
                seen[index1] = index1 > 0;
                found += index1 > 0;
            }
            assert_int_equal(found, bodies);
            free(seen);
        }
    }
}

static float length_of(abut_vec3 v) {
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void instances_and_normals_are_of_unit_length(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        open_and_step(scene, 60, 30);
        assert_int_equal(testbed_draw(0), ABUT_OK);
        for (uint32_t i = 0; i < testbed_instance_count(); ++i) {
            abut_quat q = testbed_instances()[i].rotation;
            assert_true(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-5f);
        }
        for (uint32_t i = 0; i < testbed_mesh_vertex_count(); ++i) {
            assert_true(fabsf(length_of(testbed_mesh_vertices()[i].normal) - 1) < 1e-5f);
        }
    }
}

/* The volume of a closed mesh that faces outwards: the sum of the tetrahedra from the origin to each triangle. */
static float sum_of_tetrahedra(const testbed_mesh *mesh) {
    float six = 0;
    for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i += 3) {
        const testbed_mesh_vertex *v = &testbed_mesh_vertices()[i];
        abut_vec3 a = v[0].position, b = v[1].position, c = v[2].position;
        six += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    }
    return six / 6;
}

static float volume_of(const testbed_mesh *mesh) {
    for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i += 3) {
        const testbed_mesh_vertex *v = &testbed_mesh_vertices()[i];
        for (int k = 0; k < 3; ++k) {
            assert_memory_equal(&v[k].normal, &v[0].normal, sizeof v[0].normal);
        }
    }
    return sum_of_tetrahedra(mesh);
}

static void meshes_are_closed_and_face_outwards(void **state) {
    (void)state;
    open_and_step(TESTBED_PILE, 60, 0);
    assert_true(testbed_mesh_count() > 3);
    for (uint32_t i = 0; i < testbed_mesh_count(); ++i) {
        const testbed_mesh *mesh = &testbed_meshes()[i];
        assert_int_equal(mesh->count % 3, 0);
        assert_true(mesh->first + mesh->count <= testbed_mesh_vertex_count());
        float volume = volume_of(mesh);
        assert_true(i == 0 ? fabsf(volume - 8) < 1e-5f : volume > 0.05f && volume < 4);
    }
}

/* A sphere, a capsule and a rounded box fill nearly as much as what is drawn, which never leaves them: its vertices lie
 * on the surface, and their normals point away from the core. */
static void rounded_meshes_are_closed_and_smooth(void **state) {
    (void)state;
    const float pi = 3.14159265f;
    open_and_step(TESTBED_ROUND, 60, 0);
    assert_int_equal(testbed_mesh_count(), 13);
    const testbed_mesh *sphere = &testbed_meshes()[1];
    for (uint32_t i = sphere->first; i < sphere->first + sphere->count; ++i) {
        const testbed_mesh_vertex *v = &testbed_mesh_vertices()[i];
        assert_true(fabsf(length_of(v->position) - 0.5f) < 1e-6f);
        const abut_vec3 off = {v->position.x - 0.5f * v->normal.x, v->position.y - 0.5f * v->normal.y,
                               v->position.z - 0.5f * v->normal.z};
        assert_true(length_of(off) < 1e-6f);
    }
    const float full[] = {pi / 6, 0.09f * pi * 0.8f + 0.036f * pi,
                          0.24f + 1.2f * 0.295f + 0.045f * pi * 0.95f + 0.0045f * pi};
    for (uint32_t i = 0; i < testbed_mesh_count(); ++i) {
        const testbed_mesh *mesh = &testbed_meshes()[i];
        float volume = sum_of_tetrahedra(mesh);
        assert_int_equal(mesh->count % 3, 0);
        assert_true(volume > 0.05f && volume < 9);
        assert_true(i == 0 || i > 3 || (volume < full[i - 1] && volume > 0.96f * full[i - 1]));
    }
}

static void overlays_add_lines_and_points(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        open_and_step(scene, 120, 60);
        const testbed_report *report = testbed_get_report();
        assert_int_equal(testbed_draw(0), ABUT_OK);
        uint32_t lines = testbed_line_vertex_count(), points = testbed_point_count();
        assert_int_equal(testbed_draw(TESTBED_SHOW_BOUNDS), ABUT_OK);
        assert_int_equal(testbed_line_vertex_count(), lines + 24 * report->bodies);
        assert_int_equal(testbed_point_count(), points);
        assert_int_equal(testbed_draw(TESTBED_SHOW_CONTACTS), ABUT_OK);
        uint32_t added = testbed_point_count() - points;
        assert_true(added >= report->contacts && added <= 4 * (report->contacts + report->parts));
        assert_int_equal(testbed_line_vertex_count(), lines + 2 * added);
        assert_int_equal(testbed_draw(TESTBED_SHOW_CANDIDATES), ABUT_OK);
        assert_true(testbed_line_vertex_count() >= lines + 2 * report->contacts);
        assert_int_equal(testbed_point_count(), points);
    }
}

static void the_report_counts_what_the_second_camera_sees(void **state) {
    (void)state;
    uint32_t kept = 0;
    open_and_step(TESTBED_CULLING, 2000, 0);
    assert_true(testbed_get_camera()->far_distance > 0);
    for (int i = 0; i < 200; ++i) {
        const testbed_report *report = testbed_get_report();
        assert_int_equal(testbed_step(), ABUT_OK);
        assert_true(report->seen_inside > 0 && report->seen_intersecting > 0);
        assert_true(report->seen_inside + report->seen_intersecting + report->kept_by_planes < report->bodies);
        kept += report->kept_by_planes;
    }
    assert_true(kept > 0);
}

/* With the probe above or in every body in turn: it is among the nearest, as its colour shows, and closer than the
 * probe is to the ground it stands on. */
static void the_probe_finds_its_neighbours(void **state) {
    (void)state;
    const testbed_report *report = testbed_get_report();
    open_and_step(TESTBED_QUERIES, 60, 30);
    assert_int_equal(report->rays >= 2048 + 60 + 1, 1);
    assert_true(report->rays_met > 0 && report->rays_met < report->rays);
    for (uint32_t index1 = 1; index1 <= 60; ++index1) {
        assert_int_equal(testbed_pick_body(index1), 1);
        abut_vec3 at = testbed_picked(0)->pose.position;
        testbed_pick_body(0);
        testbed_probe(at.x, at.z);
        assert_true(report->nearest >= 0 && report->nearest < 0.25f);
        assert_int_equal(testbed_draw(0), ABUT_OK);
        uint32_t yellow = 0, own = 0;
        for (uint32_t i = 0; i < testbed_instance_count(); ++i) {
            const testbed_instance *instance = &testbed_instances()[i];
            bool is_near = instance->index1 > 0 && instance->colour.r == 240 && instance->colour.g == 228;
            yellow += is_near;
            own += is_near && instance->index1 == index1;
        }
        assert_true(yellow >= 4 && yellow <= 8); /* the laser paints over at most four */
        assert_true(own == 1 || yellow < 8);
    }
    float before = report->nearest;
    testbed_probe(NAN, 0);
    testbed_probe(1e6f, 0);
    assert_true(report->nearest == before);
    assert_int_equal(testbed_open(TESTBED_ROUND, 10), ABUT_OK);
    testbed_probe(0, 0); /* there is none */
    assert_true(report->nearest == 0);
}

/* Fast shots: on the left many plates are not seen, on the right every one is. */
static void nothing_passes_a_plate_where_bodies_are_swept(void **state) {
    (void)state;
    static const testbed_cannon aims[] = {{120, 0.05f}, {30, 0.02f}, {1000, 0.001f}, {300, 0.5f}, {5, 0.001f}};
    const testbed_report *report = testbed_get_report();
    for (size_t k = 0; k < sizeof aims / sizeof aims[0]; ++k) {
        open_and_step(TESTBED_CANNON, 200, 0);
        testbed_aim(aims[k].speed, aims[k].thickness);
        assert_memory_equal(testbed_aimed(), &aims[k], sizeof aims[k]);
        for (int i = 0; i < 500; ++i) {
            assert_int_equal(testbed_step(), ABUT_OK);
            assert_int_equal(report->passed[1], 0);
        }
        assert_true(aims[k].speed < 10 ? report->passed[0] == 0 : report->passed[0] > 20);
        assert_true(report->bounced[1] >= 200);
    }
    testbed_cannon before = *testbed_aimed();
    testbed_aim(NAN, 1);
    assert_memory_equal(testbed_aimed(), &before, sizeof before);
    testbed_aim(-1, 70);
    assert_true(testbed_aimed()->speed == 1 && testbed_aimed()->thickness == 0.5f);
}

static void comes_to_rest_in_its_tray(uint32_t scene) {
    open_and_step(scene, 60, 800);
    assert_int_equal(testbed_get_report()->moved, 0);
    assert_true(testbed_get_report()->contacts >= 60);
    assert_int_equal(testbed_draw(0), ABUT_OK);
    for (uint32_t i = 0; i < testbed_instance_count(); ++i) {
        abut_vec3 at = testbed_instances()[i].position;
        assert_true(at.y > -1 && at.y < 8 && fabsf(at.x) < 12 && fabsf(at.z) < 12);
    }
}

static void a_heap_comes_to_rest_in_its_tray(void **state) {
    (void)state;
    comes_to_rest_in_its_tray(TESTBED_PILE);
}

static void round_things_come_to_rest_too(void **state) {
    (void)state;
    comes_to_rest_in_its_tray(TESTBED_ROUND);
}

/* How far a point is above the terrain, whose mesh is the last one; NAN: there is none below or above it. */
static float height_above_terrain(abut_vec3 p, abut_vec3 corner) {
    const testbed_mesh *ground = &testbed_meshes()[testbed_mesh_count() - 1];
    const float x = p.x - corner.x, z = p.z - corner.z;
    for (uint32_t i = ground->first; i < ground->first + ground->count; i += 3) {
        const testbed_mesh_vertex *v = &testbed_mesh_vertices()[i];
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
            const abut_vec3 a = v[k].position, b = v[(k + 1) % 3].position;
            inside &= (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x) <= 0;
        }
        if (inside) {
            const abut_vec3 a = v[0].position, n = v[0].normal;
            return p.y - corner.y - (a.y - (n.x * (x - a.x) + n.z * (z - a.z)) / n.y);
        }
    }
    return NAN;
}

static void nothing_sinks_into_the_terrain(void **state) {
    (void)state;
    open_and_step(TESTBED_TERRAIN, 100, 0);
    assert_int_equal(testbed_pick_body(101), 1);
    assert_int_equal(testbed_picked(0)->triangles, 20000);
    assert_true(testbed_picked(0)->half.x > 29 && !testbed_picked(0)->moving);
    const abut_vec3 corner = testbed_picked(0)->pose.position;
    uint32_t above = 0, close = 0;
    for (int frame = 0; frame < 400; ++frame) {
        assert_int_equal(testbed_step(), ABUT_OK);
        for (uint32_t i = 1; frame % 100 == 99 && i <= 100; ++i) {
            assert_int_equal(testbed_pick_body(i), 1);
            assert_int_equal(testbed_picked(0)->triangles, 0);
            const abut_vec3 at = testbed_picked(0)->pose.position;
            const float height = height_above_terrain(at, corner);
            const bool in_pit = isnan(height) || (at.y < -1.5f && fabsf(at.x) < 6 && fabsf(at.z) < 6);
            assert_true(in_pit || height > -0.25f); /* a hull lies beside its origin */
            above += height > 0;
            close += height < 1;
        }
    }
    assert_true(above > 350 && close > 200);
    assert_true(testbed_get_report()->parts > testbed_get_report()->contacts / 2);
}

/* Three sides of each touched triangle, and a normal at each point. */
static void touched_triangles_are_outlined(void **state) {
    (void)state;
    open_and_step(TESTBED_TERRAIN, 60, 200);
    assert_int_equal(testbed_draw(0), ABUT_OK);
    const uint32_t parts = testbed_get_report()->parts, points = testbed_point_count();
    assert_true(parts > 30 && points >= parts);
    assert_int_equal(testbed_line_vertex_count(), 6 * parts + 2 * points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_is_drawn_once),
        cmocka_unit_test(instances_and_normals_are_of_unit_length),
        cmocka_unit_test(meshes_are_closed_and_face_outwards),
        cmocka_unit_test(overlays_add_lines_and_points),
        cmocka_unit_test(the_report_counts_what_the_second_camera_sees),
        cmocka_unit_test(the_probe_finds_its_neighbours),
        cmocka_unit_test(nothing_passes_a_plate_where_bodies_are_swept),
        cmocka_unit_test(nothing_sinks_into_the_terrain),
        cmocka_unit_test(touched_triangles_are_outlined),
        cmocka_unit_test(rounded_meshes_are_closed_and_smooth),
        cmocka_unit_test(round_things_come_to_rest_too),
        cmocka_unit_test(a_heap_comes_to_rest_in_its_tray),
    };
    return test_run(tests);
}
