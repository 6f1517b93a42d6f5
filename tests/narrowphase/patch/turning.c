/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Large bodies on rough ground touch hundreds of triangles, and most of these ask their neighbours for a shorter way
 * out. What is known of these spares making their patches again, by counts of the patches that are made, and changes
 * no answer: each patch is turned as it is where all neighbours are made and asked. Nor does it to leave out ghosts at
 * a seam where no patch could be turned to their ways out. */
#define abut_np_exits_add counted_exits_add
#define abut_np_exits_begin_seen counted_exits_begin_seen
#define abut_np_exits_see counted_exits_see
#define abut_np_exits_is_at_ghost counted_exits_is_at_ghost
#define abut_np_exits_may_turn counted_exits_may_turn
#define abut_np_ghosts_ask counted_ghosts_ask
#define abut_np_ghosts_gather counted_ghosts_gather
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

/* Whether ghosts are asked. */
typedef enum asking { WHERE_THEY_MAY_TURN, ALWAYS, NEVER } asking;
static asking how;
static uint64_t spared;

static bool turns_as_wanted(const abut_np_seat *seat, const abut_np_patch *patch) {
    const bool may = abut_np_exits_may_turn(seat, patch);
    spared += !may;
    return how == ALWAYS || (how != NEVER && may);
}

#undef abut_np_exits_may_turn
#define abut_np_exits_may_turn turns_as_wanted
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

enum { CHUNK = 9, PARTS_MOST = MANY };

typedef struct answer {
    uint32_t count;
    abut_contact_part part[PARTS_MOST];
    abut_manifold manifold;
} answer;

static void keep_part(const abut_contact_part *part, void *context) {
    answer *a = context;
    if (a->count < PARTS_MOST) {
        a->part[a->count] = *part;
    }
    a->count++;
}

/* Rough ground, or a roof with a ridge at z = 4. Its outermost cells are ghosts, or any triangles: then more of those
 * that reach the ridge with a corner have only ghosts that reach it with a side. */
static abut_mesh *make_chunk(rng *r, bool is_roof) {
    enum { CELLS = CHUNK - 1 };
    abut_vec3 vertex[CHUNK * CHUNK];
    uint32_t index[2 * CELLS * CELLS][3], n = 0, solid = 0;
    bool ghost[2 * CELLS * CELLS];
    abut_mesh *mesh;
    const double rough = rng_log_range(r, 1e-7, 2), slope = rng_range(r, -1, 1), steep = rng_log_range(r, 0.3, 4);
    const double share = rng_chance(r, 0.3) ? 0 : rng_range(r, 0.3, 0.8);
    for (uint32_t k = 0; k < CHUNK * CHUNK; k++) {
        const double z = (double)(k / CHUNK) - 4, bump = rng_range(r, -rough, rough);
        const float height = (float)(is_roof ? -fabs(steep * z) : slope * z + bump);
        vertex[k] = (abut_vec3){(float)(k % CHUNK), height, (float)(k / CHUNK)};
    }
    for (uint32_t k = 0; k < 2 * CELLS * CELLS; k++) {
        const uint32_t i = k / 2 % CELLS, j = k / 2 / CELLS;
        const bool outermost = i == 0 || j == 0 || i == CELLS - 1 || j == CELLS - 1;
        ghost[k] = share > 0 ? rng_chance(r, share) : outermost;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < 2 * CELLS * CELLS; k++) {
            const uint32_t a = k / 2 / CELLS * CHUNK + k / 2 % CELLS, b = a + CHUNK;
            const uint32_t corner[2][3] = {{a, b, a + 1}, {a + 1, b, b + 1}};
            if (ghost[k] == (pass == 1)) {
                memcpy(index[n++], corner[k % 2], sizeof *index);
            }
        }
        solid = pass == 0 ? n : solid;
    }
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = CHUNK * CHUNK,
                               .indices = *index,
                               .triangle_count = n,
                               .ghost_count = n - solid};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* A body of any kind at the seam at x = 1, at the border at x = 0, or on the ridge, a little in the chunk. */
static abut_collider make_small_body(rng *r, const abut_mesh *mesh, bool is_roof) {
    abut_collider body;
    const float size = (float)rng_log_range(r, 0.1, 1.5);
    abut_shape shape = abut_box(size, (float)rng_range(r, 0.3, 1) * size, (float)rng_range(r, 0.3, 1) * size);
    const uint32_t kind = rng_below(r, 4);
    shape.radius = kind > 0 ? (float)rng_range(r, 0.1, 1) * size : 0;
    shape.half.y = kind > 1 ? 0 : shape.half.y;
    shape.half.z = kind > 1 ? 0 : shape.half.z;
    shape.half.x = kind > 2 ? 0 : shape.half.x;
    const float turn = (float)rng_range(r, 0, 3), tilt = rng_chance(r, 0.5) ? (float)rng_range(r, -0.3, 0.3) : 0;
    abut_pose pose = {{0, 0, 0}, {tilt, sinf(turn), 0, cosf(turn)}};
    double low = -20, high = 20;
    const double seam = is_roof ? rng_range(r, 1, CHUNK - 2) : rng_chance(r, 0.5);
    pose.position.x = (float)(seam + rng_range(r, -0.6, 0.6) * (double)size);
    pose.position.z = is_roof ? 4 + (float)rng_range(r, -0.1, 0.1) * size : (float)rng_range(r, 2, CHUNK - 3);
    const abut_shape surface = {.mesh = mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    for (int k = 0; k < 24; k++) {
        pose.position.y = (float)(low + high) / 2;
        *(abut_shape_overlap(&shape, &pose, &surface, &here) ? &low : &high) = (low + high) / 2;
    }
    pose.position.y = (float)(low - rng_log_range(r, 1e-4, 1) * (double)size);
    assert_true(abut_collider_from_shape(&shape, &pose, &body));
    return body;
}

static void ghosts_that_are_spared_change_nothing(void **state) {
    (void)state;
    static answer a[3];
    uint64_t contacts = 0, turned = 0, patches = 0;
    for (uint64_t i = 0; i < test_count(9000); i++) {
        rng r = rng_make(test_seed() + STREAM + 2, i);
        const bool is_roof = rng_chance(&r, 0.3);
        abut_mesh *mesh = make_chunk(&r, is_roof);
        const abut_collider ground = collider_of(mesh), body = make_small_body(&r, mesh, is_roof);
        bool touches = false;
        for (how = WHERE_THEY_MAY_TURN; how <= NEVER; how++) {
            memset(&a[how], 0, sizeof *a);
            spared = how == WHERE_THEY_MAY_TURN ? patches : spared;
            touches = abut_np_mesh_collide(&ground, &body, 0, keep_part, &a[how], &a[how].manifold);
            patches = how == WHERE_THEY_MAY_TURN ? spared : patches;
        }
        assert_memory_equal(&a[WHERE_THEY_MAY_TURN], &a[ALWAYS], sizeof *a);
        contacts += touches;
        turned += memcmp(&a[NEVER], &a[ALWAYS], sizeof *a) != 0;
        abut_mesh_destroy(&mesh);
    }
    printf("of %g contacts at a seam ghosts turn something in %g; %g patches need none\n", (double)contacts,
           (double)turned, (double)patches);
    assert_true(contacts > test_count(3600) && patches > test_count(450));
    assert_true(turned > 0 || test_count(9000) < 9000); /* one in 2,000 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_patches_are_made_again),
        cmocka_unit_test(each_is_turned_as_if_all_neighbours_were_asked),
        cmocka_unit_test(ghosts_that_are_spared_change_nothing),
    };
    return test_run(tests);
}
