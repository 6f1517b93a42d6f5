/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The testbed: a world of one of five scenes, stepped frame by frame, and what a page needs to show it. The same code
 * runs native and as WebAssembly, on the public API only, and gives the same bits: nothing but + - * / and sqrt
 * computes poses. There is one testbed a program; a page reads what the functions return straight from memory, so all
 * structs consist of 32-bit fields without padding. Pointers live until the next call that is not one of the getters.
 */
#ifndef ABUT_WEB_TESTBED_H
#define ABUT_WEB_TESTBED_H

#include <abut/abut.h>

enum testbed_scene {
    TESTBED_FIGHT,     /* characters of hit boxes, in groups, that hit each other; hits between two characters count */
    TESTBED_TUMBLING,  /* boxes that tumble and drift in a cube */
    TESTBED_PILE,      /* convex hulls that sink into a heap and jostle there */
    TESTBED_CULLING,   /* a town of oriented boxes and a second camera that flies through it */
    TESTBED_PLACEMENT, /* plots with buildings, and a building to be dragged over them */
    TESTBED_SCENE_COUNT
};

enum testbed_overlay { /* bits */
                       TESTBED_SHOW_BOUNDS = 1,
                       TESTBED_SHOW_CONTACTS = 2,
                       TESTBED_SHOW_CANDIDATES = 4
};

typedef struct testbed_colour {
    uint8_t r, g, b, a;
} testbed_colour;

/* A mesh: triangles, counter-clockwise seen from outside. Mesh 0 is the cube from -1 to 1. */
typedef struct testbed_mesh {
    uint32_t first, count; /* vertices, three a triangle, in testbed_mesh_vertices */
} testbed_mesh;

typedef struct testbed_mesh_vertex {
    abut_vec3 position, normal;
} testbed_mesh_vertex;

/* A mesh at a place: world = position + R(rotation) (scale * local). */
typedef struct testbed_instance {
    abut_vec3 position;
    abut_quat rotation;
    abut_vec3 scale;
    testbed_colour colour;
    uint32_t index1; /* of the body; 0: none (the ground, a building that is being dragged) */
} testbed_instance;

/* Instances of one mesh lie side by side. */
typedef struct testbed_batch {
    uint32_t mesh, first, count;
} testbed_batch;

/* A point, or one end of a line: lines are two of them each. */
typedef struct testbed_vertex {
    abut_vec3 position;
    testbed_colour colour;
} testbed_vertex;

/* What the last step and what followed it did. Times in milliseconds. */
typedef struct testbed_report {
    uint32_t frame, bodies, moved, candidates, contacts, begun, ended, sweep_tests, second_stage, bytes;
    float ms_poses, ms_bounds, ms_broad, ms_narrow, ms_events, ms_query; /* query: the culling or the placements */
    uint32_t seen_inside, seen_intersecting, kept_by_planes;             /* of TESTBED_CULLING; falsely kept */
    uint32_t free, blockers, first_blocker; /* of TESTBED_PLACEMENT: the dragged building */
    float push_x, push_z;
    uint32_t hash_low, hash_high; /* over poses, contacts and answers of every frame since testbed_open */
} testbed_report;

/* A body that was picked. */
typedef struct testbed_body {
    uint32_t index1, generation, moving, vertices; /* vertices: of its hull, 0 of a box */
    abut_pose pose;
    abut_vec3 half; /* of its box, or of its hull's */
    uint32_t contacts;
    uint32_t other[8]; /* index1 of the first eight bodies that it touches */
    float depth[8];    /* how deep, > 0 where they overlap */
} testbed_body;

/* The building that is being dragged (TESTBED_PLACEMENT). */
typedef struct testbed_building {
    float x, z;
    int32_t turn; /* in steps of 7.5 degrees */
    float half_x, half_z;
} testbed_building;

/* Where the page's camera should start, and what it should look at. */
typedef struct testbed_camera {
    abut_vec3 eye, target;
    float half_width, half_height, near_distance, far_distance; /* of the second camera (TESTBED_CULLING); else 0 */
} testbed_camera;

/* Makes the scene anew, at frame 0, not yet stepped. count 0: its usual one; larger than testbed_count_max: that. For
 * the fight it counts characters, otherwise bodies. Returns an abut_result; after an error the testbed is empty. */
int32_t testbed_open(uint32_t scene, uint32_t count);
uint32_t testbed_count_usual(uint32_t scene);
uint32_t testbed_count_max(uint32_t scene);
void testbed_close(void);

/* The next frame: moves what moves, steps the world, asks what the scene asks. Returns an abut_result. */
int32_t testbed_step(void);
const testbed_report *testbed_get_report(void);
const testbed_camera *testbed_get_camera(void);

/* Fills the arrays below for the frame at hand. Overlays: bits of testbed_overlay. */
int32_t testbed_draw(uint32_t overlays);
uint32_t testbed_instance_count(void);
const testbed_instance *testbed_instances(void);
uint32_t testbed_batch_count(void);
const testbed_batch *testbed_batches(void);
uint32_t testbed_line_vertex_count(void);
const testbed_vertex *testbed_line_vertices(void);
uint32_t testbed_point_count(void);
const testbed_vertex *testbed_points(void);

/* Meshes change only in testbed_open. */
uint32_t testbed_mesh_count(void);
const testbed_mesh *testbed_meshes(void);
uint32_t testbed_mesh_vertex_count(void);
const testbed_mesh_vertex *testbed_mesh_vertices(void);

/* Room for a column-major view-projection matrix (OpenGL's clip space), written by the page before testbed_pick. */
float *testbed_matrix(void);
/* Picks what the matrix shows between two corners in normalised device coordinates (-1 .. 1): exactly, with a frustum
 * of its own; x0 == x1 and y0 == y1 is a ray, and only the nearest body is picked. Nearest first; returns how many, at
 * most 64. What is picked is drawn in a colour of its own until the next pick. */
uint32_t testbed_pick(float x0, float y0, float x1, float y1);
/* Picks one body by its index1, as that of a contact of the body picked before; 0 picks nothing. Returns how many. */
uint32_t testbed_pick_body(uint32_t index1);
const testbed_body *testbed_picked(uint32_t i); /* as of now; NULL: no such, or gone */

/* TESTBED_PLACEMENT: where the building is held, how it is turned and how large it is; the report answers at once. */
void testbed_hold(float x, float z, int32_t turn, float half_x, float half_z);
const testbed_building *testbed_held(void); /* where it is now, also before testbed_hold was ever called */
/* Builds it there if it is free. Returns whether it did. */
uint32_t testbed_build(void);

#endif
