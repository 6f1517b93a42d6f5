/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A second camera on its way round a town: the bodies that it sees, and those that plane tests would keep. */
#include "hash.h"
#include "palette.h"
#include "past.h"
#include "scene_rng.h"
#include "stage.h"
#include "vec.h"
#include <stdlib.h>

enum { district_side = 4, lot_bodies = 9, long_bodies = 8 };
static const float lot = 10;

static struct {
    uint64_t rng;
    uint32_t wanted;    /* bodies */
    abut_result result; /* of adding them */
    float radius;       /* of the town */
    abut_quat heading;  /* of the camera, about y: twice round in two laps */
    abut_pose camera;
    abut_frustum frustum;
    abut_visible *seen;
    uint8_t *sides; /* of every body */
} town;

enum side { unseen, kept_by_planes, intersecting, inside };

/* --- the town --- */

static abut_vec3 random_between(abut_vec3 low, abut_vec3 high) {
    return scene_rng_vec3(&town.rng, low, high);
}

/* Adds a box of a district, whose frame is `place`, unless there are enough boxes already. */
static void add(stage *s, const abut_pose *place, abut_vec3 at, abut_vec3 degrees, abut_vec3 half) {
    static const abut_filter alone = {.mask = 1ull << 62}; /* nobody of the town has it: only questions see the town */
    if (s->count < town.wanted && town.result == ABUT_OK) {
        abut_pose pose = {pose_point(place, at), quat_multiply(place->rotation, quat_degrees(degrees))};
        abut_body_def def = {.pose = pose, .half = half, .motion = ABUT_STATIC, .filter = alone};
        town.result = stage_add(s, def, 0, palette_dim);
    }
}

/* A house under two slabs that lean together, at an angle of 45 degrees. */
static void add_house(stage *s, const abut_pose *place, float x, float z) {
    abut_vec3 half = random_between(vec(1.2f, 1.2f, 1.5f), vec(2.2f, 3, 3));
    float lean = 0.5f * half.x + 0.3f;
    add(s, place, vec(x, half.y, z), vec(0, 0, 0), half);
    for (float side = -1; side <= 1; side += 2) {
        add(s, place, vec(x + side * lean, 2 * half.y + lean, z), vec(0, 0, side * -45),
            vec(1.41421356f * lean, 0.08f, half.z + 0.4f));
    }
}

static void add_tower(stage *s, const abut_pose *place, float x, float z) {
    float wide = 2.6f, bottom = 0;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 random = random_between(vec(0.7f, 1.5f, -20), vec(1, 4, 20)); /* narrower, half its height, turned */
        wide *= random.x;
        add(s, place, vec(x, bottom + random.y, z), vec(0, random.z, 0), vec(wide, random.y, wide));
        bottom += 2 * random.y;
    }
}

/* The contents of a lot: two hedges, a leaning mast, and some crates. */
static void add_lot(stage *s, const abut_pose *place, float x, float z) {
    if (scene_rng_below(&town.rng, 5) == 0) {
        add_tower(s, place, x, z);
    } else {
        add_house(s, place, x, z);
    }
    add(s, place, vec(x, 0.5f, z + 4), vec(0, 0, 0), vec(3.6f, 0.5f, 0.12f));
    add(s, place, vec(x + 4, 0.5f, z), vec(0, 0, 0), vec(0.12f, 0.5f, 3.6f));
    abut_vec3 lean = random_between(vec(-8, 0, -8), vec(8, 0, 8));
    add(s, place, vec(x + 4.6f, 2.5f, z + 4.6f), lean, vec(0.08f, 2.5f, 0.08f));
    for (int i = 6; i < lot_bodies; ++i) {
        abut_vec3 random = random_between(vec(-4, 0.25f, -45), vec(4, 0.5f, 45)); /* where, how large, turned */
        add(s, place, vec(x + random.x, random.y, z + 3.3f), vec(0, random.z, 0), vec(random.y, random.y, random.y));
    }
}

/* Lots side by side within a wall on two sides, all turned by the same angle, under two bridges and some wires: long
 * bodies are those that plane tests keep although they are invisible. */
static void add_district(stage *s, float x, float z) {
    const float reach = 0.5f * lot * (float)district_side;
    abut_pose place = {vec(x, 0, z), quat_degrees(random_between(vec(0, -30, 0), vec(0, 30, 0)))};
    add(s, &place, vec(0, 1.6f, -reach - 0.3f), vec(0, 0, 0), vec(reach, 1.6f, 0.3f));
    add(s, &place, vec(-reach - 0.3f, 1.6f, 0), vec(0, 0, 0), vec(0.3f, 1.6f, reach));
    for (int i = 0; i < long_bodies; ++i) {
        abut_vec3 turn = random_between(vec(0, -90, -6), vec(0, 90, 6)), wire = {1.6f * reach, 0.12f, 0.12f};
        add(s, &place, vec(0, i < 2 ? 4.5f : 8, (float)i * 5 - 16), turn, i < 2 ? vec(reach, 0.2f, 0.8f) : wire);
    }
    for (int i = 0; i < district_side * district_side; ++i) {
        float column = (float)(i % district_side) + 0.5f, row = (float)(i / district_side) + 0.5f;
        add_lot(s, &place, lot * column - reach, lot * row - reach);
    }
}

static abut_result set_up(stage *s, uint32_t count) {
    const uint32_t each = 2 + long_bodies + lot_bodies * district_side * district_side;
    const float pitch = 1.2f * lot * (float)district_side;
    uint32_t districts = (count + each - 1) / each, side = 1;
    while (side * side < districts) {
        ++side;
    }
    float width = pitch * (float)side;
    town.rng = 5;
    town.wanted = count;
    town.radius = 0.5f * width;
    town.heading = quat_none;
    s->camera = (testbed_camera){{0.45f * width, 0.5f * width, 0.6f * width}, {0, 0, 0}, 0.05f, 0.035f, 0.125f, 0};
    s->camera.far_distance = 0.45f * width + 25;
    town.seen = malloc(count * sizeof *town.seen);
    town.sides = calloc(count, sizeof *town.sides);
    if (town.seen == NULL || town.sides == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    town.result = abut_world_create(&(abut_world_def){.body_capacity = count}, &s->world);
    for (uint32_t i = 0; i < districts; ++i) {
        float column = (float)(i % side) + 0.5f, row = (float)(i / side) + 0.5f;
        add_district(s, pitch * column - town.radius, pitch * row - town.radius);
    }
    return town.result;
}

/* --- the camera --- */

/* A path round the town and in and out of it, looking up and down on the way. Heading 0 looks along -z. */
static abut_result move(stage *s) {
    const float quarter_turn = 0.0013f; /* per frame, as the tangent of a quarter of the angle */
    abut_quat q = quat_unit(quat_multiply(town.heading, (abut_quat){0, quarter_turn, 0, 1}));
    abut_vec3 ahead = quat_turn(q, vec(0, 0, -1)), out = quat_turn(q, vec(1, 0, 0));
    float twice = ahead.x * ahead.x - ahead.z * ahead.z, other = 2 * ahead.x * ahead.z;
    town.heading = q;
    town.camera.position = vec_scale(out, town.radius * (0.5f + 0.22f * twice));
    town.camera.position.y = 7 + 4 * other;
    town.camera.rotation = quat_multiply(q, quat_degrees(vec(-10 - 8 * other, 35 * other, 0)));
    (void)s;
    return ABUT_OK;
}

/* --- what is seen --- */

typedef struct plane {
    abut_vec3 normal; /* of unit length, inwards */
    float offset;
} plane;

/* The six planes of the camera, as most programs have them. */
static void make_planes(const testbed_camera *lens, plane planes[6]) {
    const abut_pose *at = &town.camera;
    abut_vec3 ahead = quat_turn(at->rotation, vec(0, 0, -1));
    for (int i = 0; i < 4; ++i) {
        float sign = i % 2 == 0 ? 1.0f : -1.0f, half = i < 2 ? lens->half_width : lens->half_height;
        abut_vec3 normal =
            i < 2 ? vec(sign * lens->near_distance, 0, -half) : vec(0, sign * lens->near_distance, -half);
        planes[i].normal = quat_turn(at->rotation, vec_scale(normal, 1 / vec_length(normal)));
        planes[i].offset = -vec_dot(planes[i].normal, at->position);
    }
    float depth = vec_dot(ahead, at->position);
    planes[4] = (plane){ahead, -depth - lens->near_distance};
    planes[5] = (plane){vec_scale(ahead, -1), depth + lens->far_distance};
}

/* The usual test: not entirely outside one of the planes. */
static bool planes_keep(const plane planes[6], const stage_body *body) {
    const abut_quat q = body->pose.rotation;
    abut_vec3 x = vec_scale(quat_turn(q, vec(1, 0, 0)), body->scale.x);
    abut_vec3 y = vec_scale(quat_turn(q, vec(0, 1, 0)), body->scale.y);
    abut_vec3 z = vec_scale(quat_turn(q, vec(0, 0, 1)), body->scale.z);
    for (int i = 0; i < 6; ++i) {
        abut_vec3 n = planes[i].normal;
        float reach = fabsf(vec_dot(n, x)) + fabsf(vec_dot(n, y)) + fabsf(vec_dot(n, z));
        if (vec_dot(n, body->pose.position) + planes[i].offset + reach < 0) {
            return false;
        }
    }
    return true;
}

static void count_kept(stage *s) {
    plane planes[6];
    make_planes(&s->camera, planes);
    s->report.kept_by_planes = 0;
    for (size_t i = 0; i < s->count; ++i) {
        if (town.sides[i] == unseen && planes_keep(planes, &s->bodies[i])) {
            town.sides[i] = kept_by_planes;
            ++s->report.kept_by_planes;
        }
    }
}

static abut_result ask(stage *s) {
    const testbed_camera *lens = &s->camera;
    abut_result result = abut_frustum_camera(&town.camera, lens->half_width, lens->half_height, lens->near_distance,
                                             lens->far_distance, &town.frustum);
    double since = 0;
    stage_lap(&since);
    size_t count = abut_world_cull(s->world, &town.frustum, 1, NULL, town.seen, s->count);
    s->report.ms_query = stage_lap(&since);
    s->report.seen_inside = 0;
    for (size_t i = 0; i < s->count; ++i) {
        town.sides[i] = unseen;
    }
    for (size_t i = 0; i < count; ++i) {
        const abut_visible *seen = &town.seen[i];
        town.sides[seen->user] = seen->inside ? inside : intersecting;
        s->report.seen_inside += seen->inside;
        hash_u32s(&s->hash, seen->body.index1, seen->views << 1 | seen->inside);
    }
    s->report.seen_intersecting = (uint32_t)count - s->report.seen_inside;
    count_kept(s);
    hash_u32s(&s->hash, (uint32_t)count, s->report.kept_by_planes);
    return result;
}

/* --- what is shown --- */

static void add_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    (void)item;
    stage_line(user, from, to, palette_white);
}

static void draw(stage *s) {
    const testbed_colour colours[] = {palette_dim, palette_pink, palette_orange, palette_sky};
    for (size_t i = 0; i < s->count; ++i) {
        s->bodies[i].colour = colours[town.sides[i]];
        if (town.sides[i] == kept_by_planes) {
            stage_edges(s, s->bodies[i].pose.position, s->bodies[i].pose.rotation, s->bodies[i].scale, palette_pink);
        }
    }
    stage_box(s, vec(0, -0.55f, 0), quat_none, vec(1.15f * town.radius, 0.5f, 1.15f * town.radius), palette_ground);
    abut_draw lines = {.line = add_line,
                       .user = s,
                       .kinds = 1u << ABUT_DRAW_FRUSTUM,
                       .frusta = &town.frustum,
                       .frustum_count = s->report.frame > 0};
    if (lines.frustum_count > 0) {
        stage_box(s, town.camera.position, town.camera.rotation, vec(0.5f, 0.4f, 0.8f), palette_white);
        abut_world_draw(s->world, &lines);
    }
}

static void tear_down(void) {
    free(town.seen);
    free(town.sides);
    town.seen = NULL;
    town.sides = NULL;
}

static void keep(past_walk *w, const stage *s) {
    past_piece(w, &town, sizeof town);
    past_piece(w, town.sides, s->count * sizeof *town.sides);
}

const stage_scene stage_culling = {2000, 50000, set_up, move, ask, draw, tear_down, keep, NULL};
