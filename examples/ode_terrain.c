/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies on triangle meshes under ODE's dynamics. A box slides over flat floors of 200 triangles, which are cut in
 * several ways: it must go straight, level, and without turning, as on one big face. Then boxes, hulls, capsules and
 * balls fall onto a hilly terrain: nothing falls through or is thrown off, and what can lie comes to rest.
 *
 *     ode_terrain                       prints a table
 *     ode_terrain --check [SECONDS]     fails when a promise is broken; SECONDS: how long the terrain runs (30) */

#include "ode_bridge.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double step_seconds = 1.0 / 60, density = 1000;
static const float margin = 0.002f;

enum { iterations = 150, body_room = 64, mesh_room = 2 };

/* --- a world with meshes --- */

typedef struct stage {
    dWorldID dynamics;
    dJointGroupID joints;
    ode_bridge *bridge;
    abut_hull *gem;
    abut_mesh *meshes[mesh_room];
    size_t mesh_count, count;
    dBodyID bodies[body_room];
    ode_bridge_counts touching; /* in the last step */
} stage;

static int broken;

static void promise(bool kept, const char *where, const char *what) {
    if (!kept) {
        fprintf(stderr, "ode_terrain: broken: %s: %s\n", where, what);
        ++broken;
    }
}

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "ode_terrain: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

static void stage_create(stage *s, double friction) {
    const dSurfaceParameters surface = {.mode = dContactApprox1, .mu = friction};
    *s = (stage){0};
    dRandSetSeed(1); /* QuickStep shuffles its rows */
    s->dynamics = dWorldCreate();
    s->joints = dJointGroupCreate(0);
    dWorldSetGravity(s->dynamics, 0, -9.81, 0);
    dWorldSetQuickStepNumIterations(s->dynamics, iterations);
    dWorldSetContactMaxCorrectingVel(s->dynamics, 1);
    check(ode_bridge_create(s->dynamics, &surface, margin, &s->bridge));
}

static void stage_destroy(stage *s) {
    ode_bridge_destroy(&s->bridge); /* before the shapes that it uses */
    dJointGroupDestroy(s->joints);
    dWorldDestroy(s->dynamics);
    abut_hull_destroy(&s->gem);
    for (size_t i = 0; i < s->mesh_count; ++i) {
        abut_mesh_destroy(&s->meshes[i]);
    }
}

static void stage_step(stage *s) {
    check(ode_bridge_collide(s->bridge, step_seconds, s->joints, &s->touching));
    dWorldQuickStep(s->dynamics, step_seconds);
    dJointGroupEmpty(s->joints);
}

/* The mesh becomes the stage's. */
static void add_ground(stage *s, abut_vec3 at, abut_mesh *mesh) {
    const abut_body_def def = {.mesh = mesh, .pose = {.position = at, .rotation.w = 1}};
    s->meshes[s->mesh_count++] = mesh;
    check(ode_bridge_add(s->bridge, NULL, &def));
}

static dBodyID add_body(stage *s, abut_vec3 at, abut_shape shape, const dMass *mass) {
    dBodyID body = s->bodies[s->count++] = dBodyCreate(s->dynamics);
    dBodySetMass(body, mass);
    dBodySetPosition(body, (dReal)at.x, (dReal)at.y, (dReal)at.z);
    const abut_body_def def = {.half = shape.half, .hull = shape.hull, .radius = shape.radius};
    check(ode_bridge_add(s->bridge, body, &def));
    return body;
}

static double length(const dReal v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* --- sliding --- */

enum { cells = 10, vertices = (cells + 1) * (cells + 1) }; /* of a floor; a cell has two triangles */
static const float floor_half = 5, cell = 1;               /* in x and z; the floor is at height 0 */

typedef enum floor_kind { ONE_BOX, GRID, CUT_ANYHOW, CHUNKS, FLOORS } floor_kind;
static const char *const floor_names[FLOORS] = {"one box", "grid", "cut anyhow", "two chunks"};

static const double slide_seconds = 3, most_aside = 1e-4, most_hop = 1e-4, most_slide_turn = 1e-4;

static abut_mesh *make_grid(void) {
    static const float flat[vertices];
    abut_mesh *mesh = NULL;
    const abut_mesh_grid_def def = {
        .heights = flat, .columns = cells + 1, .rows = cells + 1, .spacing = {cell, 1, cell}};
    check(abut_mesh_create_grid(&def, &mesh));
    return mesh;
}

static uint32_t mixed(uint32_t number) {
    number = (number ^ number >> 16) * 0x45d9f3b;
    number = (number ^ number >> 16) * 0x45d9f3b;
    return number ^ number >> 16;
}

/* Two triangles, cut along either diagonal. */
static size_t cut_cell(uint32_t *indices, size_t count, uint32_t column, uint32_t row) {
    const uint32_t a = row * (cells + 1) + column, b = a + cells + 1, c = a + 1, d = b + 1;
    const uint32_t cut[2][6] = {{a, b, c, c, b, d}, {a, b, d, a, d, c}};
    memcpy(indices + count, cut[mixed(a) & 1], sizeof cut[0]);
    return count + 6;
}

/* The columns [first, end) of a flat floor, then those beside them as ghosts. Vertices lie up to 0.4 cells from those
 * of a grid. */
static abut_mesh *make_columns(uint32_t first, uint32_t end) {
    abut_vec3 corners[vertices];
    uint32_t indices[6 * cells * cells];
    size_t count = 0, solid;
    abut_mesh *mesh = NULL;
    for (uint32_t i = 0; i < vertices; ++i) {
        const float dx = (float)(mixed(2 * i + 1) % 1000) / 1250 - 0.4f,
                    dz = (float)(mixed(2 * i) % 1000) / 1250 - 0.4f;
        corners[i] = (abut_vec3){cell * ((float)(i % (cells + 1)) + dx), 0, cell * ((float)(i / (cells + 1)) + dz)};
    }
    for (uint32_t i = 0; i < cells * (end - first); ++i) {
        count = cut_cell(indices, count, first + i / cells, i % cells);
    }
    solid = count;
    for (uint32_t row = 0; row < cells && end - first < cells; ++row) {
        count = cut_cell(indices, count, first > 0 ? first - 1 : end, row);
    }
    const abut_mesh_def def = {.vertices = corners,
                               .vertex_count = vertices,
                               .indices = indices,
                               .triangle_count = count / 3,
                               .ghost_count = (count - solid) / 3};
    check(abut_mesh_create(&def, &mesh));
    return mesh;
}

static void lay_floor(stage *s, floor_kind kind) {
    const abut_vec3 corner = {-floor_half, 0, -floor_half};
    switch (kind) {
    case GRID:
        add_ground(s, corner, make_grid());
        break;
    case CUT_ANYHOW:
        add_ground(s, corner, make_columns(0, cells));
        break;
    case CHUNKS:
        add_ground(s, corner, make_columns(0, cells / 2));
        add_ground(s, corner, make_columns(cells / 2, cells));
        break;
    default:
        check(
            ode_bridge_add(s->bridge, NULL,
                           &(abut_body_def){.half = {floor_half, 1, floor_half}, .pose = {{0, -1, 0}, {0, 0, 0, 1}}}));
        break;
    }
}

/* How far a body was from where it belongs, at worst. */
typedef struct deviation {
    double aside, hop, turn; /* from its straight line, from its height, in radians */
} deviation;

static void observe(deviation *worst, dBodyID body, const dReal from[3], const dReal way[3], double height) {
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const double dx = p[0] - from[0], dz = p[2] - from[2];
    worst->aside = fmax(worst->aside, fabs(dx * way[2] - dz * way[0]) / length(way));
    worst->hop = fmax(worst->hop, fabs(p[1] - height));
    worst->turn = fmax(worst->turn, 2 * length(q + 1));
}

/* ODE's friction pyramid slows along x and z separately: with friction only along x. */
static void slide(floor_kind kind, double friction) {
    const abut_vec3 half = {0.4f, 0.25f, 0.3f}, start = {-3.7f, half.y, friction > 0 ? 0.13f : -1.6f};
    const dReal way[3] = {2.5, 0, friction > 0 ? 0 : 1.1};
    deviation worst = {0};
    size_t most_parts = 0;
    stage s;
    dMass mass;
    stage_create(&s, friction);
    lay_floor(&s, kind);
    dMassSetBox(&mass, density, 2 * (dReal)half.x, 2 * (dReal)half.y, 2 * (dReal)half.z);
    dBodyID box = add_body(&s, start, (abut_shape){.half = half}, &mass);
    dBodySetLinearVel(box, way[0], way[1], way[2]);
    for (int i = 0; i < (int)(slide_seconds / step_seconds); ++i) {
        stage_step(&s);
        observe(&worst, box, (dReal[3]){(dReal)start.x, 0, (dReal)start.z}, way, (dReal)half.y);
        most_parts = s.touching.parts > most_parts ? s.touching.parts : most_parts;
    }
    const double far = dBodyGetPosition(box)[0] - (dReal)start.x;
    printf("%-12s%-10s%8.2f%14.1f%14.1f%14.1f%8zu\n", floor_names[kind], friction > 0 ? "friction" : "ice", far,
           1e6 * worst.aside, 1e6 * worst.hop, 1e6 * worst.turn, most_parts);
    promise(far > (friction > 0 ? 2 : 7), floor_names[kind], "a box slides far");
    promise(worst.aside < most_aside, floor_names[kind], "a box slides in a straight line");
    promise(worst.hop < most_hop, floor_names[kind], "a sliding box keeps its height");
    promise(worst.turn < most_slide_turn, floor_names[kind], "a sliding box does not turn");
    stage_destroy(&s);
}

/* --- a hilly terrain --- */

enum { side = 41, bodies = 36 }; /* heights along each side; one a metre */
static const float terrain_half = 20;
static const double most_speed = 10, most_rest = 0.03, nearest = 0.1; /* of a centre to the ground */

/* A bowl with hills. */
static double height_at(double x, double z) {
    return 0.015 * (x * x + z * z) + 0.25 * sin(0.9 * x) * sin(0.7 * z);
}

static abut_mesh *make_terrain(void) {
    static float heights[side * side];
    abut_mesh *mesh = NULL;
    for (int i = 0; i < side * side; ++i) {
        heights[i] = (float)height_at(i % side - (double)terrain_half, i / side - (double)terrain_half);
    }
    const abut_mesh_grid_def def = {.heights = heights, .columns = side, .rows = side, .spacing = {1, 1, 1}};
    check(abut_mesh_create_grid(&def, &mesh));
    return mesh;
}

typedef enum thing { BOX, GEM, CAPSULE, BALL, THINGS } thing;
static const char *const thing_names[THINGS] = {"boxes", "hulls", "capsules", "balls"};

static thing thing_at(int i) {
    return (thing)(i * 7 / 3 % THINGS);
}

static void make_gem(stage *s) {
    static const abut_vec2 corners[6] = {{0.3f, 0},  {0.15f, 0.26f},   {-0.15f, 0.26f},
                                         {-0.3f, 0}, {-0.15f, -0.26f}, {0.15f, -0.26f}};
    abut_vec3 points[12];
    for (int i = 0; i < 12; ++i) {
        const float wide = i < 6 ? 1 : 0.6f;
        points[i] = (abut_vec3){wide * corners[i % 6].x, i < 6 ? -0.12f : 0.14f, wide * corners[i % 6].y};
    }
    check(abut_hull_create(points, 12, NULL, &s->gem));
    const float middle = abut_hull_centroid(s->gem).y; /* ODE's bodies have their origin there */
    abut_hull_destroy(&s->gem);
    for (int i = 0; i < 12; ++i) {
        points[i].y -= middle;
    }
    check(abut_hull_create(points, 12, NULL, &s->gem));
}

/* Round ones would roll for ever: they are damped, as if the ground were soft. */
static void drop(stage *s, thing kind, abut_vec3 at) {
    dMass mass;
    abut_shape shape = {0};
    switch (kind) {
    case BOX:
        shape.half = (abut_vec3){0.3f, 0.15f, 0.2f};
        dMassSetBox(&mass, density, 0.6, 0.3, 0.4);
        break;
    case GEM:
        shape.hull = s->gem;
        dMassSetCylinderTotal(&mass, density * (double)abut_hull_volume(s->gem), 2, 0.25, 0.26);
        break;
    case CAPSULE:
        shape.half.y = 0.3f, shape.radius = 0.15f;
        dMassSetCapsule(&mass, density, 2, 0.15, 0.6);
        break;
    default:
        shape.radius = 0.2f;
        dMassSetSphere(&mass, density, 0.2);
        break;
    }
    dBodyID body = add_body(s, at, shape, &mass);
    dQuaternion turn;
    dQFromAxisAndAngle(turn, 1, 0.4, -0.3, 0.35 * (double)s->count);
    dBodySetQuaternion(body, turn);
    if (shape.radius > 0) {
        dBodySetAngularDamping(body, 0.04);
        dBodySetAngularDampingThreshold(body, 0);
    }
}

static void fill(stage *s) {
    make_gem(s);
    add_ground(s, (abut_vec3){-terrain_half, 0, -terrain_half}, make_terrain());
    for (int i = 0; i < bodies; ++i) {
        const float x = 2.3f * (float)(i % 6) - 5.9f, z = 2.1f * (float)(i / 6) - 5.4f;
        drop(s, thing_at(i), (abut_vec3){x, (float)height_at((double)x, (double)z) + 1, z});
    }
}

/* Of each kind of thing: */
typedef struct state {
    double depth;         /* how far a centre was below the ground, at worst; negative: never */
    double speed, faster; /* the greatest at the end, and ever */
    size_t count;
} state;

static void look(stage *s, state of[THINGS]) {
    for (thing kind = 0; kind < THINGS; ++kind) {
        of[kind].speed = 0, of[kind].count = 0;
    }
    for (int i = 0; i < bodies; ++i) {
        const dReal *p = dBodyGetPosition(s->bodies[i]);
        const double speed = length(dBodyGetLinearVel(s->bodies[i]));
        state *t = &of[thing_at(i)];
        t->depth = fmax(t->depth, height_at(p[0], p[2]) - p[1]);
        t->speed = fmax(t->speed, speed);
        t->faster = fmax(t->faster, speed);
        ++t->count;
    }
}

typedef struct ending {
    dReal poses[bodies][7];
} ending;

static void tumble(double seconds, bool print, ending *out) {
    stage s;
    state of[THINGS];
    stage_create(&s, 0.6);
    fill(&s);
    for (thing kind = 0; kind < THINGS; ++kind) {
        of[kind] = (state){.depth = -1};
    }
    for (int i = 0; i < (int)(seconds / step_seconds); ++i) {
        stage_step(&s);
        look(&s, of);
    }
    for (thing kind = 0; kind < THINGS && print; ++kind) {
        const state *t = &of[kind];
        printf("%-12s%8zu%14.0f%14.1f%14.1f\n", thing_names[kind], t->count, -1e3 * t->depth, 1e3 * t->speed,
               t->faster);
        promise(t->depth < -nearest, thing_names[kind], "nothing falls through the terrain");
        promise(t->faster < most_speed, thing_names[kind], "nothing is thrown about");
        promise(t->speed < most_rest || seconds < 30, thing_names[kind], "what lies on a terrain comes to rest");
    }
    if (print) {
        printf("%zu pairs, %zu parts, %zu points, %zu of them kept\n", s.touching.pairs, s.touching.parts,
               s.touching.points, s.touching.kept);
    }
    memset(out, 0, sizeof *out);
    for (int i = 0; i < bodies; ++i) {
        memcpy(out->poses[i], dBodyGetPosition(s.bodies[i]), 3 * sizeof(dReal));
        memcpy(out->poses[i] + 3, dBodyGetQuaternion(s.bodies[i]), 4 * sizeof(dReal));
    }
    stage_destroy(&s);
}

int main(int argc, char **argv) {
    static ending first, again;
    const bool checked = argc > 1 && strcmp(argv[1], "--check") == 0;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 30;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    printf("%-12s%-10s%8s%14s%14s%14s%8s\n", "floor", "", "far, m", "aside, um", "hop, um", "turn, urad", "parts");
    for (floor_kind kind = 0; kind < FLOORS; ++kind) {
        slide(kind, 0);
        slide(kind, 0.1);
    }
    printf("\n%-12s%8s%14s%14s%14s\n", "terrain", "count", "height, mm", "speed, mm/s", "ever, m/s");
    tumble(seconds, true, &first);
    tumble(seconds, false, &again);
    promise(memcmp(&first, &again, sizeof first) == 0, "terrain", "the same scene ends in the same bits");
    dCloseODE();
    return checked && broken > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
