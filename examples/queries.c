/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Four questions that a game asks: what does the shot hit, who sees the player, whom does the explosion reach, who is
 * nearest? */

#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum { scenery = 1, trunks = 2, head_balls = 4 }; /* categories */
enum { player, ann, bob, cid, dan, floor_slab, wall, window_pane, body_count };

static const char *const names[] = {"player", "ann", "bob", "cid", "dan", "floor", "wall", "window"};

static abut_world *world;
static abut_body_id ids[body_count], heads[floor_slab];

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "queries: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

/* A capsule with a ball for a head: a compound of two bodies, of which each can be hit by itself. */
static void add_person(size_t who, float x, float z) {
    abut_body_def def = {.half = {0, 0.5f, 0}, .radius = 0.3f, .filter = {.category = trunks}, .user = who};
    def.pose.position = (abut_vec3){x, 0.8f, z};
    check(abut_body_create(world, &def, &ids[who]));
    def = (abut_body_def){.radius = 0.15f, .filter = {.category = head_balls}, .user = who, .parent = ids[who]};
    def.pose.position = (abut_vec3){0, 0.95f, 0};
    check(abut_body_create(world, &def, &heads[who]));
}

static void add_box(size_t what, abut_vec3 at, abut_vec3 half) {
    const abut_body_def def = {.half = half, .pose.position = at, .motion = ABUT_STATIC, .user = what};
    check(abut_body_create(world, &def, &ids[what]));
}

static abut_vec3 eye_of(size_t who) {
    abut_pose pose;
    check(abut_body_get_world_pose(world, heads[who], &pose));
    return pose.position;
}

static abut_vec3 from_to(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){b.x - a.x, b.y - a.y, b.z - a.z};
}

static bool is_head(const abut_hit *hit) {
    return hit->user < floor_slab && hit->body.index1 == heads[hit->user].index1;
}

/* The first that the ray meets, after the shooter himself with head and all. */
static void shoot(abut_vec3 direction) {
    const abut_ray ray = {.origin = eye_of(player), .translation = direction, .ignore = {ids[player]}};
    abut_hit hit;
    check(abut_world_cast_rays(world, &ray, 1, NULL, &hit));
    if (hit.body.index1 == 0) {
        printf("the shot hits nothing\n");
        return;
    }
    printf("the shot hits %s%s at (%.2f, %.2f, %.2f), normal (%.2f, %.2f, %.2f)\n", names[hit.user],
           is_head(&hit) ? "'s head" : "", (double)hit.position.x, (double)hit.position.y, (double)hit.position.z,
           (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
}

/* Everything on the way, first to last; a list of eight is enough for a bullet. */
static void shoot_through(abut_vec3 direction) {
    enum { most = 8 };
    const abut_ray ray = {.origin = eye_of(player), .translation = direction, .ignore = {ids[player]}};
    abut_hit hits[most];
    size_t count = abut_world_ray_hits(world, &ray, NULL, hits, most);
    printf("a bullet that nothing stops passes through %zu:", count);
    for (size_t i = 0; i < count && i < most; ++i) {
        printf(" %s%s at %.0f %%%s", names[hits[i].user], is_head(&hits[i]) ? "'s head" : "",
               100 * (double)hits[i].fraction, i + 1 < count ? "," : "\n");
    }
}

static bool is_opaque(const abut_candidate *candidate, void *context) {
    (void)context;
    return candidate->user != window_pane;
}

/* All lines of sight in one call. Each ray ignores its two ends; glass stops nobody's eyes. */
static void look(void) {
    const abut_query query = {.accept = is_opaque};
    abut_ray rays[floor_slab];
    uint8_t blocked[floor_slab];
    for (size_t i = ann; i < floor_slab; ++i) {
        rays[i] = (abut_ray){eye_of(i), from_to(eye_of(i), eye_of(player)), {ids[i], ids[player]}};
    }
    check(abut_world_test_rays(world, &rays[ann], floor_slab - ann, &query, &blocked[ann]));
    for (size_t i = ann; i < floor_slab; ++i) {
        printf("%s %s the player\n", names[i], blocked[i] ? "does not see" : "sees");
    }
}

/* Whom a ball of 4 m touches, unless scenery shelters him. Trunks alone: with heads everybody would be listed twice. */
static void explode(abut_vec3 at) {
    enum { most = floor_slab };
    const abut_shape ball = abut_sphere(4);
    const abut_query of_trunks = {.filter.mask = trunks}, of_scenery = {.filter.mask = scenery};
    abut_body_id found[most];
    size_t count = abut_world_overlaps(world, &ball, &(abut_pose){.position = at}, &of_trunks, found, most);
    printf("the explosion reaches");
    for (size_t i = 0; i < count && i < most; ++i) {
        uint64_t who;
        uint8_t sheltered;
        check(abut_body_get_user(world, found[i], &who));
        const abut_ray ray = {.origin = at, .translation = from_to(at, eye_of(who))};
        check(abut_world_test_rays(world, &ray, 1, &of_scenery, &sheltered));
        printf("%s %s%s", i > 0 ? "," : "", names[who], sheltered ? " (behind the wall)" : "");
    }
    printf("\n");
}

/* The three others who are nearest to the player's eye, no farther than 20 m. */
static void find_nearest(void) {
    enum { k = 3 };
    const abut_query query = {.filter.mask = trunks, .ignore = &ids[player], .ignore_count = 1};
    const abut_shape point = abut_point();
    abut_near near[k];
    size_t count = abut_world_nearest(world, &point, &(abut_pose){.position = eye_of(player)}, 20, &query, near, k);
    for (size_t i = 0; i < count; ++i) {
        printf("%zu: %s, %.2f m away\n", i + 1, names[near[i].user], (double)near[i].distance);
    }
}

int main(void) {
    check(abut_world_create(NULL, &world));
    add_person(player, 0, 0);
    add_person(ann, 8, 0);
    add_person(bob, 0, 9);
    add_person(cid, -6, 0);
    add_person(dan, 12, 0);
    add_box(floor_slab, (abut_vec3){0, -0.5f, 0}, (abut_vec3){50, 0.5f, 50});
    add_box(wall, (abut_vec3){-3, 1.5f, 0}, (abut_vec3){0.1f, 1.5f, 4});
    add_box(window_pane, (abut_vec3){0, 1.5f, 5}, (abut_vec3){3, 1.5f, 0.02f});
    shoot((abut_vec3){100, 0, 0});
    shoot((abut_vec3){100, -8, 0});
    shoot((abut_vec3){-100, 0, 0});
    shoot((abut_vec3){0, 100, 0});
    shoot_through((abut_vec3){20, 0, 0});
    look();
    explode((abut_vec3){-2.5f, 1, 0});
    find_nearest();
    abut_world_destroy(&world);
}
