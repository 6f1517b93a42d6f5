/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random walks of a kinematic character (character/character.c) in a level (character/level.c) without a screen:
 *
 *     character            500 walks
 *     character COUNT      as many as you like: 100,000 take about half a minute
 *
 * After every frame: is the walker still in its room, and nowhere deeper in a wall than its skin? After every walk:
 * does some direction lead on? The last line names all final positions: it is the same on every machine. */

#include "character/character.h"
#include "character/level.h"
#include "character/vectors.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { frames = 64, crowd = 50, escape_frames = 40 };

static const float seconds = 1.0f / 64;

typedef struct walker {
    character body;
    const level *level;
    size_t number, room;
    uint64_t random; /* state of its own random numbers */
    float speed;
    abut_vec3 velocity;
} walker;

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "character: %s\n", what);
    exit(EXIT_FAILURE);
}

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fail(abut_result_name(result));
    }
}

static _Noreturn void fail_walker(const walker *w, unsigned frame, const char *what) {
    const abut_vec3 p = w->body.position;
    fprintf(stderr, "walk %zu, frame %u, room %zu, speed %g, at (%.9g, %.9g, %.9g): %s\n", w->number, frame, w->room,
            (double)w->speed, (double)p.x, (double)p.y, (double)p.z, what);
    exit(EXIT_FAILURE);
}

/* --- random numbers: splitmix64 (Steele, Lea and Flood, 2014) --- */

static uint64_t next(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static float between(uint64_t *state, float low, float high) {
    return low + (high - low) * (float)(next(state) >> 40) / 16777216.0f;
}

static bool one_in(uint64_t *state, unsigned n) {
    return next(state) % n == 0;
}

static abut_vec3 any_direction(uint64_t *state) {
    for (;;) {
        const abut_vec3 d = {between(state, -1, 1), 0, between(state, -1, 1)};
        const float squared = dot(d, d);
        if (squared > 0.01f && squared < 1) {
            return flat(d);
        }
    }
}

/* --- what must hold --- */

static bool is_free(const walker *w, float radius) {
    const abut_shape capsule = abut_capsule(w->body.capsule.half.y, radius);
    const abut_pose pose = {.position = w->body.position};
    return abut_world_overlaps(w->body.world, &capsule, &pose, NULL, NULL, 0) == 0;
}

/* The capsule with its skin off touches nothing and is within the room. */
static void check_place(const walker *w, unsigned frame) {
    const float radius = w->body.capsule.radius - 1.125f * character_skin(&w->body);
    const float half = w->body.capsule.half.y + radius;
    const abut_aabb room = level_room(w->room);
    const abut_vec3 p = level_from_world(w->level, w->body.position);
    if (!(p.x - radius > room.min.x && p.x + radius < room.max.x && p.z - radius > room.min.z &&
          p.z + radius < room.max.z && p.y - half > room.min.y && p.y + half < room.max.y)) {
        fail_walker(w, frame, "went through a wall");
    }
    if (!is_free(w, radius)) {
        fail_walker(w, frame, "is in a wall");
    }
}

/* In some direction a walker gets at least its own width away, running and jumping, while all else stands still. */
static void check_way_out(const walker *w) {
    static const abut_vec3 directions[8] = {{4, 0, 0}, {0, 0, 4},  {-4, 0, 0},  {0, 0, -4},
                                            {3, 0, 3}, {-3, 0, 3}, {-3, 0, -3}, {3, 0, -3}};
    for (size_t i = 0; i < 8; ++i) {
        character c = w->body;
        for (int frame = 0; frame < escape_frames; ++frame) {
            character_move(&c, directions[i], true, seconds);
            const abut_vec3 gone = sub(c.position, w->body.position);
            if (gone.x * gone.x + gone.z * gone.z > 4 * c.capsule.radius * c.capsule.radius) {
                return;
            }
        }
    }
    fail_walker(w, frames, "is stuck");
}

/* --- one rule after the other --- */

static void show_rules(level *l) {
    static const struct {
        const char *what;
        size_t room;
        float x, z, velocity_x, velocity_z;
        unsigned frames;
    } courses[] = {
        {"stairs of 0.2", 0, 1, 3.5f, 4, 0, 96},        {"stairs of 0.4", 0, 2, 10.5f, 4, 0, 96},
        {"blocks up to 0.34", 0, 0.5f, 7, 4, 0, 150},   {"a ramp of 15 degrees", 1, 1, 1, 4, 0, 96},
        {"a ramp of 30 degrees", 1, 1, 3, 4, 0, 96},    {"a ramp of 44.6 degrees", 1, 1, 5, 4, 0, 120},
        {"a ramp of 46.5 degrees", 1, 1, 7, 4, 0, 96},  {"along a wall", 1, 0.5f, 0.4f, 0.1f, -4, 320},
        {"into an acute corner", 2, 1, 0.4f, 4, 0, 64}, {"a gap of 0.64", 2, 4.32f, 4, 0, 4, 64},
        {"a gap of 0.58", 2, 7.29f, 4, 0, 4, 64},       {"a tunnel 1.9 high", 2, 1, 8, 4, 0, 96},
        {"a tunnel 1.7 high", 2, 1, 10.1f, 4, 0, 96},   {"under a slanted roof", 2, 6, 9, 4, 0, 96},
        {"around a boulder", 3, 1, 3.1f, 4, 0, 64},     {"a lift", 4, 4, 1, 0, 0, 120},
        {"a lift and a ledge", 4, 4, 1, -1, 0, 184},    {"a raft", 4, 3, 6, 0, 0, 300},
        {"pushed by a block", 4, 8, 9.5f, 0, 0, 120},
    };
    for (size_t i = 0; i < sizeof courses / sizeof courses[0]; ++i) {
        const abut_vec3 low = level_room(courses[i].room).min;
        const abut_vec3 velocity = {courses[i].velocity_x, 0, courses[i].velocity_z};
        character c = character_at(l->world, (abut_vec3){low.x + courses[i].x, 0, low.z + courses[i].z});
        c.position.y = c.capsule.half.y + c.capsule.radius;
        const abut_vec3 from = c.position;
        for (unsigned frame = 0; frame < courses[i].frames; ++frame) {
            check(level_move(l, frame));
            character_move(&c, velocity, false, seconds);
        }
        const abut_vec3 gone = sub(c.position, from);
        printf("%-24s goes (%5.2f, %5.2f, %5.2f)\n", courses[i].what, (double)gone.x, (double)gone.y, (double)gone.z);
    }
}

/* A door that somebody stands in: before it moves, it asks whom it would meet, and stops where it touches him. */
static void show_door(level *l) {
    const abut_vec3 low = level_room(3).min, hinge = {low.x + 10, 1.01f, 3};
    const abut_body_def door_def = {
        .pose = {hinge, {0, 1, 0, 1}}, .half = {0.5f, 1, 0.03f}, .box.position = {0.5f, 0, 0}};
    character c = character_at(l->world, (abut_vec3){hinge.x + 0.5f, 0.9f, hinge.z - 0.5f});
    const abut_body_def body_def = {.pose.position = c.position, .half = c.capsule.half, .radius = c.capsule.radius};
    abut_body_id door;
    unsigned waited = 0;
    check(abut_body_create(l->world, &door_def, &door));
    check(abut_body_create(l->world, &body_def, &c.body));
    for (unsigned frame = 0, closed = 0; closed < 64; ++frame) {
        const abut_pose target = {hinge, {0, 1 - (float)(closed + 1) / 64, 0, 1}};
        abut_pose pose;
        abut_hit hit;
        check(abut_body_get_pose(l->world, door, &pose));
        check(abut_world_sweep(l->world, &door, &target, 1, NULL, &hit));
        pose = abut_pose_between(&pose, &target, hit.fraction);
        check(abut_body_set_pose(l->world, door, &pose));
        hit.body.index1 == 0 ? ++closed : ++waited;
        character_move(&c, (abut_vec3){0, 0, frame < 96 ? 0.0f : -4.0f}, false, seconds);
        check(abut_body_set_pose(l->world, c.body, &(abut_pose){.position = c.position}));
    }
    printf("%-24s waits for %u frames\n", "a door with one in it", waited);
    check(abut_body_destroy(l->world, door));
    check(abut_body_destroy(l->world, c.body));
}

/* --- triggers --- */

/* How far somebody comes on the stairs in a second and a half. */
static abut_vec3 climb(const level *l, const abut_query *query, bool has_body) {
    character c = character_at(l->world, (abut_vec3){level_room(0).min.x + 1, 0.9f, 3.5f});
    const abut_body_def body_def = {.pose.position = c.position, .half = c.capsule.half, .radius = c.capsule.radius};
    if (has_body) {
        check(abut_body_create(l->world, &body_def, &c.body));
    }
    c.query = query;
    for (unsigned frame = 0; frame < 96; ++frame) {
        character_move(&c, (abut_vec3){4, 0, 0}, false, seconds);
    }
    if (has_body) {
        check(abut_body_destroy(l->world, c.body));
    }
    return c.position;
}

/* A trigger fills the whole room. It is as if it were not there for whom it is not solid, and only for them. */
static void check_trigger(const level *l) {
    enum { SOLID = 1, TRIGGER = 2 }; /* a body without a category has bit 0: it is solid */
    static const abut_query solid = {.filter.mask = SOLID};
    const abut_body_def trigger = {.pose.position = {6, 2.5f, 6},
                                   .half = {5, 2, 5},
                                   .motion = ABUT_STATIC,
                                   .detail = ABUT_DETAIL_OVERLAP,
                                   .filter.category = TRIGGER};
    abut_body_id id;
    const abut_vec3 before = climb(l, NULL, false);
    check(abut_body_create(l->world, &trigger, &id));
    const abut_vec3 solid_only = sub(climb(l, &solid, true), before), all = sub(climb(l, NULL, true), before);
    check(abut_body_destroy(l->world, id));
    if (dot(solid_only, solid_only) != 0 || dot(all, all) == 0) {
        fail("a trigger is not as solid as the query says");
    }
}

/* --- walks --- */

/* Drops a walker somewhere in a room where there is place for it. */
static walker drop(const level *l, size_t number) {
    static const float speeds[] = {0.05f, 1, 4, 4, 8, 40, 600, 30000};
    walker w = {.level = l, .number = number, .room = number % level_rooms, .random = number};
    const abut_aabb room = level_room(w.room);
    w.body = character_at(l->world, (abut_vec3){0});
    do {
        const float x = between(&w.random, room.min.x, room.max.x), y = between(&w.random, room.min.y, room.max.y);
        const float z = between(&w.random, room.min.z, room.max.z);
        w.body.position = level_to_world(l, (abut_vec3){x, y, z});
    } while (!is_free(&w, w.body.capsule.radius));
    w.speed = speeds[next(&w.random) % 8];
    w.velocity = scale(any_direction(&w.random), w.speed);
    w.body.rising = -20; /* soon on the ground */
    return w;
}

static void walk_on(walker *w) {
    if (one_in(&w->random, 12)) {
        w->velocity = one_in(&w->random, 8) ? (abut_vec3){0} : scale(any_direction(&w->random), w->speed);
    }
    if (one_in(&w->random, 256)) { /* an explosion, or worse */
        w->body.rising = between(&w->random, -1, 1) * w->speed;
        w->body.on_ground = false;
    }
    character_move(&w->body, w->velocity, one_in(&w->random, 24), seconds);
}

typedef struct totals {
    character_counts counts;
    uint64_t hash; /* FNV-1a over the bits of all final positions */
} totals;

static void hash_float(uint64_t *hash, float value) {
    const union {
        float value;
        uint32_t bits;
    } as = {value};
    *hash = (*hash ^ as.bits) * UINT64_C(0x100000001b3);
}

static void count_in(totals *sum, const character *c) {
    sum->counts.casts += c->counts.casts;
    sum->counts.steps += c->counts.steps;
    sum->counts.slopes += c->counts.slopes;
    sum->counts.snaps += c->counts.snaps;
    sum->counts.jumps += c->counts.jumps;
    sum->counts.landings += c->counts.landings;
    sum->counts.wedges += c->counts.wedges;
    sum->counts.rides += c->counts.rides;
    sum->counts.pushes += c->counts.pushes;
    hash_float(&sum->hash, c->position.x);
    hash_float(&sum->hash, c->position.y);
    hash_float(&sum->hash, c->position.z);
}

/* Some walkers at a time, who do not see each other: the movers then need to move only once for all of them. */
static void walk_crowd(level *l, size_t first, size_t count, totals *sum) {
    walker w[crowd];
    const unsigned start = (unsigned)first * 7;
    check(level_move(l, start));
    for (size_t i = 0; i < count; ++i) {
        w[i] = drop(l, first + i);
    }
    for (unsigned frame = 1; frame <= frames; ++frame) {
        check(level_move(l, start + frame));
        for (size_t i = 0; i < count; ++i) {
            walk_on(&w[i]);
            check_place(&w[i], frame);
        }
    }
    for (size_t i = 0; i < count; ++i) {
        check_way_out(&w[i]);
        count_in(sum, &w[i].body);
    }
}

int main(int argc, char **argv) {
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
    if (argc > 2 || count == 0) {
        fail("usage: character [COUNT]");
    }
    level straight, turned;
    totals sum = {.hash = UINT64_C(0xcbf29ce484222325)};
    check(level_create(&straight, 0));
    check(level_create(&turned, 0.3f));
    show_rules(&straight);
    show_door(&straight);
    check_trigger(&straight);
    for (size_t first = 0; first < count; first += crowd) {
        level *l = first / crowd % 2 == 0 ? &straight : &turned;
        walk_crowd(l, first, count - first < crowd ? count - first : crowd, &sum);
    }
    level_destroy(&straight);
    level_destroy(&turned);
    const character_counts *n = &sum.counts;
    printf("%zu walks of %d frames: nobody stuck, nobody through a wall\n", count, (int)frames);
    printf("%zu steps climbed, %zu steep slopes refused, %zu times down to the ground\n", n->steps, n->slopes,
           n->snaps);
    printf("%zu jumps, %zu landings, %zu of them in a wedge\n", n->jumps, n->landings + n->wedges, n->wedges);
    printf("%zu rides on moving ground, %zu pushes, %zu casts\n", n->rides, n->pushes, n->casts);
    printf("positions %016" PRIx64 "\n", sum.hash);
}
