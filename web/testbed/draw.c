/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "draw.h"
#include "palette.h"
#include "vec.h"

/* --- overlays: the library's own debug draw --- */

static testbed_colour colour_of(const abut_draw_item *item) {
    static const testbed_colour bounds = {110, 130, 160, 255}, candidate = {150, 110, 190, 255};
    switch (item->kind) {
    case ABUT_DRAW_BOUNDS:
        return bounds;
    case ABUT_DRAW_CANDIDATE:
        return candidate;
    case ABUT_DRAW_CONTACT:
        return item->contact->phase == ABUT_BEGIN ? palette_white : palette_yellow;
    default:
        return palette_white;
    }
}

static void add_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    stage_line(user, from, to, colour_of(item));
}

static void add_point(abut_vec3 position, const abut_draw_item *item, void *user) {
    stage_point(user, position, colour_of(item));
}

static abut_result add_overlays(stage *s, uint32_t overlays) {
    static const struct {
        uint32_t overlay;
        abut_draw_kind kind;
    } kinds[] = {{TESTBED_SHOW_BOUNDS, ABUT_DRAW_BOUNDS},
                 {TESTBED_SHOW_CONTACTS, ABUT_DRAW_CONTACT},
                 {TESTBED_SHOW_CANDIDATES, ABUT_DRAW_CANDIDATE}};
    abut_draw draw = {.line = add_line, .point = add_point, .user = s};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        draw.kinds |= overlays & kinds[i].overlay ? 1u << kinds[i].kind : 0;
    }
    return draw.kinds == 0 ? ABUT_OK : abut_world_draw(s->world, &draw);
}

/* --- bodies, mesh by mesh --- */

static abut_result make_batches(stage *s) {
    s->batches.count = 0;
    for (uint32_t i = 0; i < s->meshes.count; ++i) {
        testbed_batch *batch = stage_push(&s->batches, sizeof *batch);
        if (batch == NULL) {
            return ABUT_ERROR_MEMORY;
        }
        *batch = (testbed_batch){.mesh = i};
    }
    testbed_batch *batches = s->batches.items;
    for (size_t i = 0; i < s->count; ++i) {
        ++batches[s->bodies[i].mesh].count;
    }
    batches[0].count += (uint32_t)s->extras.count;
    for (size_t i = 1; i < s->batches.count; ++i) {
        batches[i].first = batches[i - 1].first + batches[i - 1].count;
    }
    s->instances.count = 0;
    for (size_t i = 0; i < s->count + s->extras.count; ++i) {
        if (stage_push(&s->instances, sizeof(testbed_instance)) == NULL) {
            return ABUT_ERROR_MEMORY;
        }
    }
    return ABUT_OK;
}

static testbed_instance instance_of(const stage *s, const stage_body *body) {
    abut_pose pose = body->pose;
    abut_body_get_world_pose(s->world, body->id, &pose);
    return (testbed_instance){pose_point(&pose, body->centre), pose.rotation, body->scale, body->colour,
                              body->id.index1};
}

static void paint_picked(stage *s) {
    static const testbed_colour picked = {255, 255, 255, 255};
    for (uint32_t i = 0; i < s->picked_count; ++i) {
        uint64_t index;
        if (abut_body_get_user(s->world, s->picked[i], &index) == ABUT_OK) {
            s->bodies[index].colour = picked;
        }
    }
}

static void fill_batches(stage *s) {
    testbed_batch *batches = s->batches.items;
    testbed_instance *instances = s->instances.items;
    const testbed_instance *extras = s->extras.items;
    for (size_t i = 0; i < s->batches.count; ++i) {
        batches[i].count = 0;
    }
    for (size_t i = 0; i < s->count; ++i) {
        testbed_batch *batch = &batches[s->bodies[i].mesh];
        instances[batch->first + batch->count++] = instance_of(s, &s->bodies[i]);
    }
    for (size_t i = 0; i < s->extras.count; ++i) {
        instances[batches[0].first + batches[0].count++] = extras[i];
    }
}

abut_result draw_stage(stage *s, void (*scene)(stage *s), uint32_t overlays) {
    s->extras.count = s->lines.count = s->points.count = s->instances.count = s->batches.count = 0;
    s->short_of_memory = false;
    scene(s);
    paint_picked(s);
    abut_result result = make_batches(s);
    if (result == ABUT_OK) {
        fill_batches(s);
        result = add_overlays(s, overlays);
    }
    if (s->short_of_memory || result != ABUT_OK) {
        s->lines.count = s->points.count = s->instances.count = s->batches.count = 0;
        return result == ABUT_OK ? ABUT_ERROR_MEMORY : result;
    }
    return ABUT_OK;
}
