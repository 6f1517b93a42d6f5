/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that tumble where they are, until there are scenes. */

#include "testbed.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 10000, SIDE = 22 };

static struct {
    abut_world *world;
    uint32_t count;
    abut_body_id id[MOST];
    abut_pose pose[MOST];
    testbed_instance instance[MOST];
    testbed_batch batch;
    testbed_report report;
    testbed_camera camera;
    float matrix[16];
} bed;

static const testbed_mesh mesh = {0, 36};
static testbed_mesh_vertex vertices[36];

static void make_cube(void) {
    for (int k = 0; k < 36; k++) {
        int face = k / 6, axis = face % 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
        static const int corner[2][6] = {{0, 1, 1, 0, 1, 0}, {0, 0, 1, 0, 1, 1}};
        float sign = face < 3 ? 1.0f : -1.0f, p[3], n[3] = {0};
        int c = face < 3 ? k % 6 : 5 - k % 6;
        n[axis] = p[axis] = sign;
        p[u] = corner[0][c] ? 1.0f : -1.0f;
        p[v] = corner[1][c] ? 1.0f : -1.0f;
        vertices[k] = (testbed_mesh_vertex){{p[0], p[1], p[2]}, {n[0], n[1], n[2]}};
    }
}

void testbed_close(void) {
    abut_world_destroy(&bed.world);
    bed.count = 0;
}

int32_t testbed_open(uint32_t scene, uint32_t count) {
    testbed_close();
    make_cube();
    bed.count = count == 0 || count > MOST ? MOST : count;
    (void)scene;
    abut_result result = abut_world_create(NULL, &bed.world);
    for (uint32_t k = 0; k < bed.count && result == ABUT_OK; k++) {
        const abut_vec3 at = {1.4f * (float)(k % SIDE), 1.4f * (float)(k / SIDE % SIDE),
                              1.4f * (float)(k / SIDE / SIDE)};
        abut_vec3 half = {0.3f + 0.03f * (float)(k % 7), 0.3f + 0.03f * (float)(k % 11), 0.5f};
        bed.pose[k] = (abut_pose){.position = at, .rotation = {0, 0, 0, 1}};
        result = abut_body_create(
            bed.world, &(abut_body_def){.half = half, .pose = bed.pose[k], .detail = ABUT_DETAIL_MANIFOLD}, &bed.id[k]);
        bed.instance[k] = (testbed_instance){.scale = half, .colour = {180, 180, 190, 255}, .index1 = bed.id[k].index1};
    }
    bed.camera = (testbed_camera){.eye = {-20, 30, -20}, .target = {15, 15, 15}};
    bed.report = (testbed_report){0};
    return result;
}

uint32_t testbed_count_usual(uint32_t scene) {
    (void)scene;
    return MOST;
}

uint32_t testbed_count_max(uint32_t scene) {
    (void)scene;
    return MOST;
}

static void turn(abut_quat *q, uint32_t k) {
    float x = 0.02f, y = 0.001f * (float)(k % 31), z = 0.01f;
    abut_quat d = {q->x + x * q->w + y * q->z - z * q->y, q->y + y * q->w + z * q->x - x * q->z,
                   q->z + z * q->w + x * q->y - y * q->x, q->w - x * q->x - y * q->y - z * q->z};
    float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w);
    *q = (abut_quat){d.x / length, d.y / length, d.z / length, d.w / length};
}

int32_t testbed_step(void) {
    abut_step_report told = {0};
    for (uint32_t k = 0; k < bed.count; k++) {
        turn(&bed.pose[k].rotation, k);
    }
    abut_result result = abut_bodies_set_poses(bed.world, bed.id, bed.pose, bed.count);
    result = result == ABUT_OK ? abut_world_step(bed.world, NULL, &told) : result;
    uint64_t hash = abut_world_hash(bed.world);
    bed.report = (testbed_report){.frame = bed.report.frame + 1, .bodies = bed.count, .moved = bed.count};
    bed.report.candidates = (uint32_t)told.candidates;
    bed.report.contacts = (uint32_t)told.contacts;
    bed.report.ms_bounds = (float)told.seconds_bounds * 1000;
    bed.report.ms_broad = (float)told.seconds_broad * 1000;
    bed.report.ms_narrow = (float)told.seconds_narrow * 1000;
    bed.report.hash_low = (uint32_t)hash;
    bed.report.hash_high = (uint32_t)(hash >> 32);
    return result;
}

const testbed_report *testbed_get_report(void) {
    return &bed.report;
}

const testbed_camera *testbed_get_camera(void) {
    return &bed.camera;
}

int32_t testbed_draw(uint32_t overlays) {
    (void)overlays;
    for (uint32_t k = 0; k < bed.count; k++) {
        bed.instance[k].position = bed.pose[k].position;
        bed.instance[k].rotation = bed.pose[k].rotation;
    }
    bed.batch = (testbed_batch){0, 0, bed.count};
    return ABUT_OK;
}

uint32_t testbed_instance_count(void) {
    return bed.count;
}
const testbed_instance *testbed_instances(void) {
    return bed.instance;
}
uint32_t testbed_batch_count(void) {
    return 1;
}
const testbed_batch *testbed_batches(void) {
    return &bed.batch;
}
uint32_t testbed_line_vertex_count(void) {
    return 0;
}
const testbed_vertex *testbed_line_vertices(void) {
    return NULL;
}
uint32_t testbed_point_count(void) {
    return 0;
}
const testbed_vertex *testbed_points(void) {
    return NULL;
}
uint32_t testbed_mesh_count(void) {
    return 1;
}
const testbed_mesh *testbed_meshes(void) {
    return &mesh;
}
uint32_t testbed_mesh_vertex_count(void) {
    return 36;
}
const testbed_mesh_vertex *testbed_mesh_vertices(void) {
    return vertices;
}
float *testbed_matrix(void) {
    return bed.matrix;
}

uint32_t testbed_pick(float x0, float y0, float x1, float y1) {
    abut_frustum view;
    abut_visible seen[64];
    (void)x0, (void)y0, (void)x1, (void)y1;
    abut_result result = abut_frustum_from_matrix(bed.matrix, ABUT_CLIP_NEG_ONE_TO_ONE, &view);
    return result == ABUT_OK ? (uint32_t)abut_world_cull(bed.world, &view, 1, NULL, seen, 64) : 0;
}

const testbed_body *testbed_picked(uint32_t i) {
    (void)i;
    return NULL;
}

void testbed_hold(float x, float z, int32_t steps, float half_x, float half_z) {
    abut_placement answer;
    (void)steps;
    (void)abut_world_test_placements(bed.world, &(abut_obb2){.center = {x, z}, .half = {half_x, half_z}}, 1, NULL,
                                     &answer);
    bed.report.free = answer.free;
}

uint32_t testbed_build(void) {
    abut_hull *hull;
    const abut_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return abut_hull_create(points, 4, NULL, &hull) == ABUT_OK;
}
