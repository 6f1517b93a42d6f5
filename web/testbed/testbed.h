/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The testbed: a world of one of nine scenes, stepped frame by frame, and the data that a page needs to show it. The
 * same code runs natively and as WebAssembly, uses the public API only, and gives the same bits: poses are computed
 * with + - * / and sqrt only. There is one testbed per program; a page reads results directly from memory, so all
 * structs consist of 32-bit fields without padding. Pointers are valid until the next call that is not a getter.
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
    TESTBED_ROUND,     /* spheres, capsules, rounded boxes and rounded hulls that roll and come to rest */
    TESTBED_QUERIES,   /* rays that are reflected, a fan of rays with what it sees, and a probe's nearest neighbours */
    TESTBED_CANNON,    /* small boxes fired at thin plates: on the left poses are set, on the right bodies are swept */
    TESTBED_TERRAIN,   /* boxes, spheres, capsules and hulls that roll over a mesh of 20,000 triangles */
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
    uint32_t first, count; /* vertices, three per triangle, in testbed_mesh_vertices */
} testbed_mesh;

typedef struct testbed_mesh_vertex {
    abut_vec3 position, normal;
} testbed_mesh_vertex;

/* A mesh with a pose and a scale: world = position + R(rotation) (scale * local). */
typedef struct testbed_instance {
    abut_vec3 position;
    abut_quat rotation;
    abut_vec3 scale;
    testbed_colour colour;
    uint32_t index1; /* of the body; 0: none (the ground, a building that is being dragged) */
} testbed_instance;

/* A range of instances of one mesh. */
typedef struct testbed_batch {
    uint32_t mesh, first, count;
} testbed_batch;

/* A point, or one end of a line: a line has two. */
typedef struct testbed_vertex {
    abut_vec3 position;
    testbed_colour colour;
} testbed_vertex;

/* Figures of the last step and of the work after it. Times in milliseconds. */
typedef struct testbed_report {
    uint32_t frame, bodies, moved, candidates, contacts, begun, ended, sweep_tests, second_stage, bytes;
    float ms_poses, ms_bounds, ms_broad, ms_narrow, ms_events, ms_query; /* query: the scene's own questions */
    uint32_t seen_inside, seen_intersecting, kept_by_planes;             /* of TESTBED_CULLING; falsely kept */
    uint32_t free, blockers, first_blocker; /* of TESTBED_PLACEMENT: the dragged building */
    float push_x, push_z;
    uint32_t rays, rays_met;      /* of TESTBED_QUERIES */
    float nearest;                /* distance from the probe to the nearest body */
    uint32_t bounced[2];          /* of TESTBED_CANNON, left and right: off plates or the floor, since testbed_open */
    uint32_t passed[2];           /* through a plate */
    uint32_t parts;               /* of TESTBED_TERRAIN: triangles that are touched, once for each body */
    uint32_t hash_low, hash_high; /* over poses, contacts and answers of every frame since testbed_open */
} testbed_report;

/* A body that was picked. */
typedef struct testbed_body {
    uint32_t index1, generation, moving, vertices; /* vertices: of its hull, 0 of a box */
    uint32_t triangles;                            /* of its mesh, 0 without one */
    abut_pose pose;
    abut_vec3 half; /* of its box, or of its hull's or mesh's; without the radius */
    float radius;
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

/* The cannons (TESTBED_CANNON). */
typedef struct testbed_cannon {
    float speed;     /* of shots, in metres per second, 1 .. 1000 */
    float thickness; /* of plates, in metres, 0.001 .. 0.5 */
} testbed_cannon;

/* The frames that can be returned to: of the last ten seconds all, or every second, fourth ..., as far as memory goes.
 */
typedef struct testbed_past {
    uint32_t first, last, stride; /* last 0: none */
    uint32_t bytes;
} testbed_past;

/* The initial position and target of the page's camera. */
typedef struct testbed_camera {
    abut_vec3 eye, target;
    float half_width, half_height, near_distance, far_distance; /* of the second camera (TESTBED_CULLING); else 0 */
} testbed_camera;

/* Creates the scene at frame 0, before its first step. count: characters in the fight, otherwise bodies; 0: the
 * default; at most testbed_count_max. Returns an abut_result; after an error the testbed is empty. */
int32_t testbed_open(uint32_t scene, uint32_t count);
uint32_t testbed_count_usual(uint32_t scene);
uint32_t testbed_count_max(uint32_t scene);
void testbed_close(void);

/* The next frame: moves the movers, steps the world, runs the scene's queries. Returns an abut_result. */
int32_t testbed_step(void);
/* Makes everything what it was after the last kept frame that is not later than this one: hashes and all that follows
 * are the same again. Later frames can be returned to until the next step. Returns an abut_result. */
int32_t testbed_return(uint32_t frame);
const testbed_past *testbed_get_past(void);
const testbed_report *testbed_get_report(void);
const testbed_camera *testbed_get_camera(void);

/* Fills the arrays below for the current frame. Overlays: bits of testbed_overlay. */
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
/* Picks the bodies that the matrix shows between two corners in normalised device coordinates (-1 .. 1): exactly, with
 * a frustum for that window; x0 == x1 and y0 == y1 is a ray, and picks only the first body that it meets. Nearest
 * first; returns their number, at most 64. Picked bodies are drawn in a colour of their own until the next pick. */
uint32_t testbed_pick(float x0, float y0, float x1, float y1);
/* Picks one body by its index1, for example that of a contact of the body picked before; 0 picks nothing. Returns the
 * number of picked bodies. */
uint32_t testbed_pick_body(uint32_t index1);
/* The index1 of the nearest body that the matrix shows at a place; 0: none. Picks nothing. */
uint32_t testbed_at(float x, float y);
/* Takes hold of a body, or of the first of its compound; from then on it follows where it is dragged to, and after the
 * release flies on as it was moving. Returns whether there is such a body that can be moved. */
uint32_t testbed_grab(uint32_t index1);
void testbed_drag(float x, float y, float z);
void testbed_release(void);
const testbed_body *testbed_picked(uint32_t i); /* its current state; NULL: no such body, or destroyed */

/* TESTBED_PLACEMENT: sets the building's place, rotation and size; the report has the answer at once. */
void testbed_hold(float x, float z, int32_t turn, float half_x, float half_z);
const testbed_building *testbed_held(void); /* its current place, also before the first testbed_hold */
/* TESTBED_QUERIES: puts the probe there; its neighbours are found at once. */
void testbed_probe(float x, float z);
/* Builds it at its place if that is free. Returns whether it was. */
uint32_t testbed_build(void);
/* TESTBED_CANNON: shots to come are that fast, plates at once that thick. */
void testbed_aim(float speed, float thickness);
const testbed_cannon *testbed_aimed(void);

#endif
