/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Large bodies on rough ground touch hundreds of triangles, and most of these ask their neighbours for a shorter way
 * out. What is known of these spares making their patches again, by counts of the patches that are made, and changes
 * no answer: each patch is turned as it is where all neighbours are made and asked. */
#define abut_np_exits_add counted_exits_add
#define abut_np_exits_begin_seen counted_exits_begin_seen
#define abut_np_exits_see counted_exits_see
#define abut_np_exits_is_at_ghost counted_exits_is_at_ghost
#define abut_np_exits_add_ghosts counted_exits_add_ghosts
#define abut_np_exits_turn counted_exits_turn
#define abut_np_exits_turn_all counted_exits_turn_all
#define abut_np_mesh_touches counted_mesh_touches
#define abut_np_mesh_collide counted_mesh_collide
#define abut_np_mesh_collide_many counted_mesh_collide_many
#define abut_np_manifold_turn counted_manifold_turn

#include "narrowphase/patch/search.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Patches that walks find, and those that are made besides. */
static struct { uint64_t walked, made; } work;

static bool of_part_counted(const abut_np_seat *seat, uint32_t part, abut_np_facing *facing, abut_np_normals *known,
                            abut_np_patch *patch) {
    work.made++;
    return abut_np_patch_of_part(seat, part, facing, known, patch);
}

static bool next_counted(const abut_np_place *p, abut_np_search *s, abut_np_patch *patch) {
    const bool found = abut_np_search_next(p, s, patch);
    work.walked += found;
    return found;
}

#define abut_np_patch_of_part of_part_counted
#define abut_np_search_next next_counted
#include "../src/narrowphase/patch/exits.c" /* tests have one of this name, too */
#define place_of place_of_kept
#include "narrowphase/patch/collide.c"

enum { SIDE = 64, STREAM = 2207, MANY = KEPT };

static abut_mesh *make_ground(rng *r, double rough) {
    float height[SIDE][SIDE];
    abut_mesh *mesh;
    for (uint32_t k = 0; k < SIDE * SIDE; k++) {
        height[k / SIDE][k % SIDE] = (float)rng_range(r, -rough, rough);
    }
    const abut_mesh_grid_def def = {.heights = &height[0][0], .columns = SIDE, .rows = SIDE, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

/* A box, a rounded one or a plate over the middle of the ground, which it dips into. */
static abut_collider make_body(rng *r, double sunk) {
    abut_collider body;
    const float size = (float)rng_log_range(r, 4, 20), turn = (float)rng_range(r, 0, 3);
    const float height = rng_chance(r, 0.5) ? 0.5f : size, width = (float)rng_range(r, 0.6, 1) * size;
    abut_shape shape = abut_box(size, height, width);
    shape.radius = rng_chance(r, 0.25) ? 0.1f : 0;
    const abut_pose pose = {{SIDE / 2, shape.half.y + shape.radius - (float)sunk, SIDE / 2},
                            {0, sinf(turn), 0, cosf(turn)}};
    assert_true(abut_collider_from_shape(&shape, &pose, &body));
    return body;
}

static abut_collider collider_of(const abut_mesh *mesh) {
    const abut_shape surface = {.mesh = mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_collider c;
    assert_true(abut_collider_from_shape_or_mesh(&surface, &here, &c));
    return c;
}

static void few_patches_are_made_again(void **state) {
    (void)state;
    uint64_t walked = 0, made = 0, contacts = 0;
    for (uint64_t i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed() + STREAM, i);
        const double rough = rng_chance(&r, 0.5) ? 0.05 : 0.3;
        abut_mesh *mesh = make_ground(&r, rough);
        const abut_collider ground = collider_of(mesh), body = make_body(&r, rough - rng_range(&r, 0.2, 1) * rough);
        abut_manifold manifold;
        memset(&work, 0, sizeof work);
        if (abut_np_mesh_collide(&ground, &body, 0, NULL, NULL, &manifold) && work.walked > (uint64_t)MANY * 3) {
            contacts++;
            walked += work.walked;
            made += work.made;
        }
        abut_mesh_destroy(&mesh);
    }
    printf("%g contacts: %g patches are found by walks, %g made again\n", (double)contacts, (double)walked,
           (double)made);
    assert_true(contacts > test_count(60) / 2 && 3 * made < 2 * walked);
}

/* What is known of the ways out of one body, and of the same without what spares making patches. */
typedef struct turning {
    abut_np_place at;
    abut_np_hull_room room;
    abut_np_facing facing[ABUT_NP_FACINGS], other[ABUT_NP_FACINGS];
    abut_np_normals known;
    abut_np_exits exits, plain;
    abut_np_outs outs;
    abut_np_seen seen[ABUT_NP_SEEN];
    uint64_t made, made_plainly;
    uint32_t patches, turned;
} turning;

static bool is_same(const abut_np_patch *a, const abut_np_patch *b) {
    bool same = a->part == b->part && a->leans == b->leans && a->count == b->count && a->out == b->out &&
                a->separation == b->separation && memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
    for (uint32_t i = 0; i < a->count && same; i++) {
        same = memcmp(&a->point[i].on, &b->point[i].on, sizeof a->point[i].on) == 0 &&
               a->point[i].separation == b->point[i].separation && a->point[i].feature == b->point[i].feature;
    }
    return same;
}

static void begin_turning(turning *t, const abut_collider *ground, const abut_collider *body) {
    abut_np_search s;
    abut_np_patch patch;
    memset(t, 0, sizeof *t);
    abut_np_hull_room_begin(&t->room);
    abut_np_place_of(ground, body, 0, &t->room, &t->at);
    abut_np_normals_begin(&t->known);
    abut_np_exits_begin(&t->exits);
    abut_np_exits_begin(&t->plain);
    abut_np_exits_begin_outs(&t->exits, &t->outs);
    abut_np_exits_begin_seen(&t->exits, t->seen);
    abut_np_search_begin(&t->at, t->facing, &t->known, &s);
    while (abut_np_search_next(&t->at, &s, &patch)) {
        abut_np_exits_add(&t->at.seat, &patch, &t->exits);
        abut_np_exits_add(&t->at.seat, &patch, &t->plain);
        t->patches++;
    }
}

static void turn_both(turning *t, abut_np_patch *patch) {
    abut_np_patch scratch, other = *patch;
    const uint64_t before = work.made;
    abut_np_exits_see(&t->at.seat, patch->part, patch, &t->exits);
    const bool turned = abut_np_exits_turn(&t->at.seat, &t->exits, t->other, &t->known, &scratch, patch);
    const uint64_t between = work.made;
    t->turned += turned;
    assert_true(abut_np_exits_turn(&t->at.seat, &t->plain, t->other, &t->known, &scratch, &other) == turned);
    t->made += between - before;
    t->made_plainly += work.made - between;
    assert_true(is_same(patch, &other));
}

static void each_is_turned_as_if_all_neighbours_were_asked(void **state) {
    (void)state;
    static turning t;
    uint64_t made = 0, made_plainly = 0, turned = 0;
    for (uint64_t i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed() + STREAM + 1, i);
        abut_np_search s;
        abut_np_patch patch;
        const double rough = rng_log_range(&r, 0.05, 1.5);
        abut_mesh *mesh = make_ground(&r, rough);
        const abut_collider ground = collider_of(mesh), body = make_body(&r, rng_range(&r, -0.5, 1) * rough);
        begin_turning(&t, &ground, &body);
        abut_np_search_begin(&t.at, t.facing, &t.known, &s);
        while (t.patches > MANY && abut_np_search_next(&t.at, &s, &patch)) {
            turn_both(&t, &patch);
        }
        made += t.made;
        made_plainly += t.made_plainly;
        turned += t.turned;
        abut_mesh_destroy(&mesh);
    }
    printf("%g patches are turned; %g made for that, not %g\n", (double)turned, (double)made, (double)made_plainly);
    assert_true(turned > test_count(60) && 8 * made < made_plainly);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_patches_are_made_again),
        cmocka_unit_test(each_is_turned_as_if_all_neighbours_were_asked),
    };
    return test_run(tests);
}
