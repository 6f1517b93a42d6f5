/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies on ground of triangles, under the least that can be called a solver: it reads the parts of contacts with
 * meshes. Two crates slide, one over a box and one over triangles in a plane, which must not feel the edges; other
 * things roll down a hill into a valley. */

#include "character/vectors.h"
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum { box_crate, mesh_crate, ball, barrel, stone, thing_count, ground = thing_count };
enum { side = 65, most_points = 400, frames = 1200, iterations = 12 };
static const float dt = 1.0f / 120, gravity = 10, friction = 0.5f, slop = 0.005f, cell = 0.5f;

typedef struct thing {
    const char *name;
    abut_body_id id;
    abut_pose pose, start;
    abut_vec3 velocity, spin;
    float inverse_mass, inverse_inertia;
    uint32_t part, changes; /* the first triangle that it touches, and how often that was another one */
    float highest;
} thing;

typedef struct point {
    thing *a, *b;
    abut_vec3 arm_a, arm_b, normal;
    float separation, impulse;
} point;

static abut_world *world;
static abut_mesh *plain, *valley;
static abut_hull *rock;
static thing things[thing_count + 1]; /* the last one is all ground, which does not yield */
static point points[most_points];
static size_t point_count;

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "terrain: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

/* --- the world --- */

/* A bowl with bumps, or all zero. */
static float height_of(int i, int j, bool is_flat) {
    const float u = (float)(i - side / 2) / (side / 2), v = (float)(j - side / 2) / (side / 2);
    const float s = (float)(i % 16 - 8) / 8, t = (float)(j % 16 - 8) / 8;
    return is_flat ? 0 : 6 * u * u + 4 * v * v + 0.6f * (1 - s * s) * (1 - t * t);
}

static abut_mesh *make_terrain(bool is_flat) {
    static float heights[side * side];
    abut_mesh *mesh;
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            heights[j * side + i] = height_of(i, j, is_flat);
        }
    }
    const abut_mesh_grid_def def = {.heights = heights, .columns = side, .rows = side, .spacing = {cell, 1, cell}};
    check(abut_mesh_create_grid(&def, &mesh));
    return mesh;
}

static void add_ground(abut_body_def def) {
    abut_body_id id;
    def.user = ground;
    def.motion = ABUT_STATIC;
    check(abut_body_create(world, &def, &id));
}

/* A thing of mass 1 at x, y, z. */
static void add_thing(int which, const char *name, abut_body_def def, abut_vec3 at, float inverse_inertia) {
    thing *t = &things[which];
    *t = (thing){.name = name, .inverse_mass = 1, .inverse_inertia = inverse_inertia, .highest = at.y};
    t->pose = t->start = (abut_pose){at, {0, 0, 0, 1}};
    def.pose = t->pose;
    def.user = (uint64_t)which;
    check(abut_body_create(world, &def, &t->id));
}

static void make_world(void) {
    const abut_vec3 corners[] = {{-0.4f, -0.3f, -0.4f}, {0.5f, -0.3f, -0.3f}, {0.3f, -0.2f, 0.4f},
                                 {-0.4f, -0.2f, 0.4f},  {0, 0.4f, 0},         {0.3f, 0.3f, 0.2f}};
    const abut_body_def crate = {.half = {0.4f, 0.3f, 0.4f}};
    check(abut_world_create(&(abut_world_def){.contact_margin = 0.01f}, &world));
    plain = make_terrain(true);
    valley = make_terrain(false);
    check(abut_hull_create(corners, sizeof corners / sizeof *corners, NULL, &rock));
    add_ground((abut_body_def){.pose.position = {16, -1, -10}, .half = {16, 1, 5}});
    add_ground((abut_body_def){.pose.position = {0, 0, -60}, .mesh = plain});
    add_ground((abut_body_def){.mesh = valley});
    add_thing(box_crate, "the crate on a box", crate, (abut_vec3){3, 0.3f, -10}, 10);
    add_thing(mesh_crate, "the crate on triangles", crate, (abut_vec3){3, 0.3f, -40.21f}, 10);
    add_thing(ball, "the ball", (abut_body_def){.radius = 0.4f}, (abut_vec3){5, 5, 12}, 15);
    add_thing(barrel, "the barrel", (abut_body_def){.half = {0, 0, 0.4f}, .radius = 0.3f}, (abut_vec3){26, 5, 15}, 12);
    add_thing(stone, "the stone", (abut_body_def){.hull = rock}, (abut_vec3){13, 4, 25}, 12);
    things[box_crate].velocity.x = things[mesh_crate].velocity.x = 12;
}

/* --- the solver --- */

static void add_points(const abut_contact *c, const abut_manifold *m) {
    for (uint32_t i = 0; i < m->count && point_count < most_points; ++i) {
        point *p = &points[point_count++];
        *p = (point){.a = &things[c->user_a], .b = &things[c->user_b], .normal = m->normal};
        p->arm_a = sub(m->points[i].position, p->a->pose.position);
        p->arm_b = sub(m->points[i].position, p->b->pose.position);
        p->separation = m->points[i].separation;
    }
}

static void note_part(thing *t, uint32_t part) {
    t->changes += part != t->part;
    t->part = part;
}

static void collect_points(void) {
    size_t count;
    const abut_contact *contacts = abut_world_contacts(world, &count);
    const abut_contact_part *parts = abut_world_parts(world, NULL);
    point_count = 0;
    for (size_t i = 0; i < count; ++i) {
        const abut_contact *c = &contacts[i];
        for (uint32_t k = 0; k < c->part_count; ++k) {
            add_points(c, &parts[c->part_first + k].manifold);
        }
        if (c->part_count == 0) {
            add_points(c, &c->manifold);
        } else {
            note_part(&things[c->user_a < thing_count ? c->user_a : c->user_b], parts[c->part_first].part);
        }
    }
}

static void push(point *p, abut_vec3 impulse) {
    p->a->velocity = sub(p->a->velocity, scale(impulse, p->a->inverse_mass));
    p->a->spin = sub(p->a->spin, scale(cross(p->arm_a, impulse), p->a->inverse_inertia));
    p->b->velocity = add(p->b->velocity, scale(impulse, p->b->inverse_mass));
    p->b->spin = add(p->b->spin, scale(cross(p->arm_b, impulse), p->b->inverse_inertia));
}

static abut_vec3 speed_at(const point *p) {
    return sub(add(p->b->velocity, cross(p->b->spin, p->arm_b)), add(p->a->velocity, cross(p->a->spin, p->arm_a)));
}

static float mass_along(const point *p, abut_vec3 way) {
    const abut_vec3 turn_a = cross(p->arm_a, way), turn_b = cross(p->arm_b, way);
    return 1 / (p->a->inverse_mass + p->b->inverse_mass + p->a->inverse_inertia * dot(turn_a, turn_a) +
                p->b->inverse_inertia * dot(turn_b, turn_b));
}

/* Bodies must not approach any further, and leave what they are too deep; then friction. */
static void solve_point(point *p) {
    const float depth = -p->separation - slop;
    const float wanted = p->separation > 0 ? -p->separation / dt : depth > 0 ? 10 * depth : 0;
    const float impulse = p->impulse + mass_along(p, p->normal) * (wanted - dot(speed_at(p), p->normal));
    const float before = p->impulse;
    p->impulse = impulse > 0 ? impulse : 0;
    push(p, scale(p->normal, p->impulse - before));

    const abut_vec3 speed = speed_at(p), across = sub(speed, scale(p->normal, dot(speed, p->normal)));
    const float most = friction * p->impulse / iterations, fast = length(across);
    if (fast > 0) {
        const abut_vec3 way = scale(across, 1 / fast);
        const float needed = mass_along(p, way) * fast;
        push(p, scale(way, needed < most ? -needed : -most));
    }
}

static void move_thing(thing *t) {
    const abut_quat q = t->pose.rotation;
    const abut_vec3 w = scale(t->spin, 0.5f * dt);
    t->pose.position = add(t->pose.position, scale(t->velocity, dt));
    t->pose.rotation = (abut_quat){q.x + w.x * q.w + w.y * q.z - w.z * q.y, q.y - w.x * q.z + w.y * q.w + w.z * q.x,
                                   q.z + w.x * q.y - w.y * q.x + w.z * q.w, q.w - w.x * q.x - w.y * q.y - w.z * q.z};
    check(abut_body_set_pose(world, t->id, &t->pose));
    check(abut_body_get_pose(world, t->id, &t->pose)); /* of unit length */
    t->highest = t->pose.position.y > t->highest ? t->pose.position.y : t->highest;
}

static void advance(void) {
    check(abut_world_step(world, NULL, NULL));
    collect_points();
    for (int i = 0; i < thing_count; ++i) {
        things[i].velocity.y -= gravity * dt;
        things[i].spin = scale(things[i].spin, 0.99f);
    }
    for (int i = 0; i < iterations; ++i) {
        for (size_t k = 0; k < point_count; ++k) {
            solve_point(&points[k]);
        }
    }
    for (int i = 0; i < thing_count; ++i) {
        move_thing(&things[i]);
    }
}

int main(void) {
    make_world();
    for (int frame = 0; frame < frames; ++frame) {
        advance();
    }
    for (int i = 0; i < thing_count; ++i) {
        const thing *t = &things[i];
        const abut_vec3 at = t->pose.position, way = sub(at, t->start.position);
        if (i <= mesh_crate) {
            printf("%s slides %.1f m, over %u triangles, and hops %.2f m\n", t->name, (double)way.x,
                   (unsigned)t->changes, (double)(t->highest - t->start.position.y));
        } else {
            printf("%s comes to (%.1f, %.1f, %.1f)\n", t->name, (double)at.x, (double)at.y, (double)at.z);
        }
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&plain);
    abut_mesh_destroy(&valley);
    abut_hull_destroy(&rock);
}
