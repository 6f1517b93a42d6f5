/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rollback: two peers play the same game over a line with a delay of 100 ms that loses every fifth packet. Nobody waits
 * for the other: a peer guesses that the other still holds the keys last heard of. When it hears that it was wrong, it
 * goes back to the frame in question, by abut_world_restore and a copy of its own state, and plays up to the present
 * again, within the same frame.
 *
 * Only keys are sent. That the peers agree takes a game whose state is a function of the keys: steps are, bit for bit,
 * and so is the small solver here, which follows the order of the contact list. Whatever it remembers between frames
 * must be in its snapshot: here poses, velocities, and the impulses from which the next frame begins. */

#include "character/vectors.h"
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { frames = 600, window = 10, delay = 6 }; /* 60 frames a second; a peer guesses at most `window` frames ahead */
enum { body_count = 200, ground = body_count, most_contacts = 2000, iterations = 6 };
enum { left = 1, right = 2, away = 4, closer = 8, jump = 16 }; /* keys */
static const float dt = 1.0f / 60, gravity = 10, friction = 0.4f, slop = 0.005f;

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "rollback: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

static void *no_null(void *memory) {
    check(memory != NULL ? ABUT_OK : ABUT_ERROR_MEMORY);
    return memory;
}

/* --- the game: a world, and the state of its solver --- */

typedef struct body {
    abut_pose pose;
    abut_vec3 velocity, spin;
} body;

typedef struct point {
    uint32_t feature;
    float impulse;
} point;

/* What the solver knows beside the world. Points are four for each contact of the world's list. */
typedef struct state {
    body bodies[body_count + 1]; /* the last one is the ground */
    uint32_t contact_count;
    point points[4 * most_contacts];
} state;

typedef struct game {
    abut_world *world;
    abut_body_id ids[body_count];
    state now;
} game;

static float inverse_mass(uint64_t which) {
    return which == ground ? 0 : 1;
}

static float inverse_inertia(uint64_t which) {
    return which == ground ? 0 : 6;
}

/* Boxes and spheres in layers; the first two are the players. */
static void make_game(game *g) {
    *g = (game){0};
    check(abut_world_create(&(abut_world_def){.contact_margin = 0.02f, .body_capacity = body_count + 1}, &g->world));
    for (int i = 0; i < body_count; ++i) {
        const int layer = i / 100, row = i / 10 % 10, column = i % 10;
        const abut_vec3 at = {1.3f * (float)column + 0.2f * (float)layer, 0.6f + 1.2f * (float)layer,
                              1.3f * (float)row};
        const bool is_ball = i % 3 == 0;
        g->now.bodies[i].pose = (abut_pose){at, {0, 0, 0, 1}};
        const abut_body_def def = {.pose = g->now.bodies[i].pose,
                                   .half = is_ball ? (abut_vec3){0} : (abut_vec3){0.5f, 0.5f, 0.5f},
                                   .radius = is_ball ? 0.5f : 0,
                                   .user = (uint64_t)i};
        check(abut_body_create(g->world, &def, &g->ids[i]));
    }
    const abut_body_def floor = {
        .pose.position = {6, -1, 6}, .half = {100, 1, 100}, .motion = ABUT_STATIC, .user = ground};
    g->now.bodies[ground].pose = (abut_pose){floor.pose.position, {0, 0, 0, 1}};
    check(abut_body_create(g->world, &floor, &(abut_body_id){0}));
    check(abut_world_step(g->world, NULL, NULL));
}

static void push(state *s, const abut_contact *c, const abut_vec3 arms[2], abut_vec3 impulse) {
    body *a = &s->bodies[c->user_a], *b = &s->bodies[c->user_b];
    a->velocity = sub(a->velocity, scale(impulse, inverse_mass(c->user_a)));
    a->spin = sub(a->spin, scale(cross(arms[0], impulse), inverse_inertia(c->user_a)));
    b->velocity = add(b->velocity, scale(impulse, inverse_mass(c->user_b)));
    b->spin = add(b->spin, scale(cross(arms[1], impulse), inverse_inertia(c->user_b)));
}

static abut_vec3 speed_at(const state *s, const abut_contact *c, const abut_vec3 arms[2]) {
    const body *a = &s->bodies[c->user_a], *b = &s->bodies[c->user_b];
    return sub(add(b->velocity, cross(b->spin, arms[1])), add(a->velocity, cross(a->spin, arms[0])));
}

static float mass_along(const abut_contact *c, const abut_vec3 arms[2], abut_vec3 way) {
    const abut_vec3 turn_a = cross(arms[0], way), turn_b = cross(arms[1], way);
    return 1 / (inverse_mass(c->user_a) + inverse_mass(c->user_b) + inverse_inertia(c->user_a) * dot(turn_a, turn_a) +
                inverse_inertia(c->user_b) * dot(turn_b, turn_b));
}

static void solve_point(state *s, const abut_contact *c, uint32_t which, point *p) {
    const abut_contact_point *at = &c->manifold.points[which];
    const abut_vec3 normal = c->manifold.normal;
    const abut_vec3 arms[2] = {sub(at->position, s->bodies[c->user_a].pose.position),
                               sub(at->position, s->bodies[c->user_b].pose.position)};
    const float depth = -at->separation - slop;
    const float wanted = at->separation > 0 ? -at->separation / dt : depth > 0 ? 6 * depth : 0;
    const float before = p->impulse;
    const float impulse = before + mass_along(c, arms, normal) * (wanted - dot(speed_at(s, c, arms), normal));
    p->impulse = impulse > 0 ? impulse : 0;
    push(s, c, arms, scale(normal, p->impulse - before));

    const abut_vec3 speed = speed_at(s, c, arms), across = sub(speed, scale(normal, dot(speed, normal)));
    const float fast = length(across), most = friction * p->impulse / iterations;
    if (fast > 0) {
        const abut_vec3 way = scale(across, 1 / fast);
        const float needed = mass_along(c, arms, way) * fast;
        push(s, c, arms, scale(way, needed < most ? -needed : -most));
    }
}

/* The points of the contacts begin with what the same points took in the last frame. */
static void begin_points(state *s, const abut_contact *contacts, uint32_t count) {
    static point before[4 * most_contacts];
    memcpy(before, s->points, 4 * s->contact_count * sizeof *before);
    for (uint32_t i = 0; i < count; ++i) {
        const abut_contact *c = &contacts[i];
        for (uint32_t k = 0; k < 4; ++k) {
            const bool is_there = k < c->manifold.count;
            point *p = &s->points[4 * i + k];
            *p = (point){is_there ? c->manifold.points[k].feature : 0, 0};
            for (uint32_t j = 0; is_there && c->previous1 > 0 && j < 4; ++j) {
                const point *old = &before[4 * (c->previous1 - 1) + j];
                p->impulse = old->feature == p->feature && old->impulse > p->impulse ? old->impulse : p->impulse;
            }
            if (is_there) {
                const abut_vec3 at = c->manifold.points[k].position;
                push(s, c,
                     (abut_vec3[]){sub(at, s->bodies[c->user_a].pose.position),
                                   sub(at, s->bodies[c->user_b].pose.position)},
                     scale(c->manifold.normal, p->impulse));
            }
        }
    }
    s->contact_count = count;
}

static void play_keys(body *player, uint8_t keys) {
    const float x = (float)((keys & right) != 0) - (float)((keys & left) != 0);
    const float z = (float)((keys & closer) != 0) - (float)((keys & away) != 0);
    player->velocity.x += 0.6f * x;
    player->velocity.z += 0.6f * z;
    if ((keys & jump) && player->pose.position.y < 1) {
        player->velocity.y = 4;
    }
}

static void move_body(game *g, int i) {
    body *b = &g->now.bodies[i];
    const abut_quat q = b->pose.rotation;
    const abut_vec3 w = scale(b->spin, 0.5f * dt);
    b->pose.position = add(b->pose.position, scale(b->velocity, dt));
    b->pose.rotation = (abut_quat){q.x + w.x * q.w + w.y * q.z - w.z * q.y, q.y - w.x * q.z + w.y * q.w + w.z * q.x,
                                   q.z + w.x * q.y - w.y * q.x + w.z * q.w, q.w - w.x * q.x - w.y * q.y - w.z * q.z};
    check(abut_body_set_pose(g->world, g->ids[i], &b->pose));
    check(abut_body_get_pose(g->world, g->ids[i], &b->pose)); /* of unit length */
}

/* A frame: the keys of both, the contacts of the last step, poses, and a step. */
static void advance(game *g, const uint8_t keys[2]) {
    size_t count;
    const abut_contact *contacts = abut_world_contacts(g->world, &count);
    state *s = &g->now;
    check(count <= most_contacts ? ABUT_OK : ABUT_ERROR_CAPACITY);
    for (int i = 0; i < body_count; ++i) {
        s->bodies[i].velocity.y -= gravity * dt;
        s->bodies[i].velocity = scale(s->bodies[i].velocity, 0.99f);
        s->bodies[i].spin = scale(s->bodies[i].spin, 0.98f);
    }
    play_keys(&s->bodies[0], keys[0]);
    play_keys(&s->bodies[1], keys[1]);
    begin_points(s, contacts, (uint32_t)count);
    for (int i = 0; i < iterations; ++i) {
        for (size_t k = 0; k < 4 * count; ++k) {
            if (k % 4 < contacts[k / 4].manifold.count) {
                solve_point(s, &contacts[k / 4], (uint32_t)(k % 4), &s->points[k]);
            }
        }
    }
    for (int i = 0; i < body_count; ++i) {
        move_body(g, i);
    }
    check(abut_world_step(g->world, NULL, NULL));
}

/* Of everything that the next frame depends on. */
static uint64_t hash_of(const game *g) {
    uint64_t hash = abut_world_hash(g->world);
    const unsigned char *parts[] = {(const unsigned char *)g->now.bodies, (const unsigned char *)g->now.points};
    const size_t sizes[] = {sizeof g->now.bodies, 4 * g->now.contact_count * sizeof *g->now.points};
    for (int k = 0; k < 2; ++k) {
        for (size_t i = 0; i < sizes[k]; ++i) {
            hash = (hash ^ parts[k][i]) * 0x100000001b3u; /* FNV-1a */
        }
    }
    return hash;
}

/* --- snapshots --- */

typedef struct snapshot {
    void *world;
    size_t size, capacity;
    state own;
} snapshot;

static void save(const game *g, snapshot *s) {
    s->size = abut_world_save(g->world, s->world, s->capacity);
    if (s->size > s->capacity) {
        s->capacity = s->size + s->size / 2;
        s->world = no_null(realloc(s->world, s->capacity));
        abut_world_save(g->world, s->world, s->capacity);
    }
    s->own = g->now;
}

static void restore(game *g, const snapshot *s) {
    check(abut_world_restore(g->world, s->world, s->size, NULL));
    g->now = s->own;
}

/* --- the line --- */

/* Random numbers that are the same everywhere: Marsaglia, "Xorshift RNGs" (2003). */
static uint32_t random_u32(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* The keys of the last frames: enough that a lost packet does not matter if a later one comes through. */
typedef struct packet {
    int arrives, end; /* keys of the frames before `end` */
    uint8_t keys[2 * window];
} packet;

typedef struct line {
    packet packets[delay + 1];
    uint32_t seed;
    int sent, lost;
} line;

static void send(line *l, int now, const uint8_t *keys, int end) {
    packet *p = &l->packets[now % (delay + 1)];
    ++l->sent;
    p->arrives = random_u32(&l->seed) % 5 == 0 ? -1 : now + delay;
    l->lost += p->arrives < 0;
    p->end = end;
    for (int i = 0; i < 2 * window && i < end; ++i) {
        p->keys[i] = keys[end - 1 - i];
    }
}

/* --- a peer --- */

typedef struct peer {
    game game;
    int own;                     /* 0 or 1: which player is at this peer */
    int frame;                   /* that comes next */
    int heard;                   /* the other's keys are known of the frames before */
    uint8_t keys[2][frames + 1]; /* known or guessed */
    snapshot ring[window + 1];   /* before frame i: ring[i % (window + 1)] */
    line line;                   /* to the other */
    int rollbacks, longest, again, waits;
    double seconds_back, seconds_saving;
} peer;

static double seconds_now(void) {
    struct timespec now = {0};
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void play_frame(peer *p) {
    const double start = seconds_now();
    save(&p->game, &p->ring[p->frame % (window + 1)]);
    p->seconds_saving += seconds_now() - start;
    if (p->frame >= p->heard) { /* the other holds the keys, we think */
        p->keys[!p->own][p->frame] = p->heard > 0 ? p->keys[!p->own][p->heard - 1] : 0;
    }
    advance(&p->game, (uint8_t[]){p->keys[0][p->frame], p->keys[1][p->frame]});
    ++p->frame;
}

/* Plays again from a frame whose keys were other than we thought. */
static void roll_back(peer *p, int to) {
    const int now = p->frame;
    const double start = seconds_now();
    restore(&p->game, &p->ring[to % (window + 1)]);
    p->frame = to;
    while (p->frame < now) {
        play_frame(p);
    }
    p->seconds_back += seconds_now() - start;
    ++p->rollbacks;
    p->again += now - to;
    p->longest = now - to > p->longest ? now - to : p->longest;
}

static void receive(peer *p, const line *from, int now) {
    int wrong = p->frame;
    for (int i = 0; i <= delay; ++i) {
        const packet *got = &from->packets[i];
        if (got->arrives != now) {
            continue;
        }
        for (int f = p->heard; f < got->end; ++f) {
            const uint8_t keys = got->keys[got->end - 1 - f];
            wrong = f < wrong && keys != p->keys[!p->own][f] ? f : wrong;
            p->keys[!p->own][f] = keys;
        }
        p->heard = got->end > p->heard ? got->end : p->heard;
    }
    if (wrong < p->frame) {
        roll_back(p, wrong);
    }
}

/* Nobody goes farther ahead of what is known than there are snapshots. */
static void tick(peer *p, int now) {
    if (p->frame < frames && p->frame < p->heard + window) {
        play_frame(p);
    } else {
        p->waits += p->frame < frames;
    }
    send(&p->line, now, p->keys[p->own], p->frame);
}

/* --- the whole --- */

/* Keys are held for a third of a second or so. */
static void press_keys(uint8_t *keys, uint32_t seed) {
    for (int i = 0; i < frames; ++i) {
        const uint32_t random = random_u32(&seed);
        keys[i] = i > 0 && random % 20 > 0 ? keys[i - 1] : (uint8_t)(random >> 8 & 31);
    }
}

static void tell(const peer *p, bool with_time) {
    printf("peer %d: %d rollbacks, the longest of %d frames; played %d frames again, waited for %d; lost %d of %d "
           "packets\n",
           p->own + 1, p->rollbacks, p->longest, p->again, p->waits, p->line.lost, p->line.sent);
    if (with_time) {
        printf("  a rollback: %.3f ms, of that %.3f ms for each frame; a snapshot of %zu + %zu bytes: %.4f ms\n",
               1e3 * p->seconds_back / p->rollbacks, 1e3 * p->seconds_back / p->again, p->ring[0].size, sizeof(state),
               1e3 * p->seconds_saving / (frames + p->again));
    }
}

static void end_game(game *g) {
    abut_world_destroy(&g->world);
}

int main(int count, char **arguments) {
    static peer peers[2];
    static game alone; /* plays the same keys and is never wrong */
    const bool with_time = count > 1 && strcmp(arguments[1], "--time") == 0;
    make_game(&alone);
    for (int i = 0; i < 2; ++i) {
        make_game(&peers[i].game);
        peers[i].own = i;
        peers[i].line.seed = 2026u + (uint32_t)i;
        press_keys(peers[i].keys[i], 1234u + (uint32_t)i);
    }
    for (int now = 1; peers[0].heard < frames || peers[1].heard < frames; ++now) {
        receive(&peers[0], &peers[1].line, now);
        receive(&peers[1], &peers[0].line, now);
        tick(&peers[0], now);
        tick(&peers[1], now);
    }
    for (int i = 0; i < frames; ++i) {
        advance(&alone, (uint8_t[]){peers[0].keys[0][i], peers[1].keys[1][i]});
    }
    tell(&peers[0], with_time);
    tell(&peers[1], with_time);
    const uint64_t hashes[] = {hash_of(&peers[0].game), hash_of(&peers[1].game), hash_of(&alone)};
    const bool agree = hashes[0] == hashes[1] && hashes[0] == hashes[2];
    printf("after %d frames of %d bodies %s\n", frames, body_count,
           agree ? "both hold the same bits, those of a game without a line" : "they DISAGREE");
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k <= window; ++k) {
            free(peers[i].ring[k].world);
        }
        end_game(&peers[i].game);
    }
    end_game(&alone);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
