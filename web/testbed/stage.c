/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "stage.h"
#include "vec.h"
#include <stdlib.h>
#include <time.h>

void *stage_push(stage_buffer *buffer, size_t size) {
    if (buffer->count == buffer->capacity) {
        size_t capacity = buffer->capacity + buffer->capacity / 2 + 64;
        void *items = realloc(buffer->items, capacity * size);
        if (items == NULL) {
            return NULL;
        }
        buffer->items = items;
        buffer->capacity = capacity;
    }
    return (char *)buffer->items + buffer->count++ * size;
}

static bool reserve_body(stage *s) {
    if (s->count < s->capacity) {
        return true;
    }
    size_t capacity = s->capacity + s->capacity / 2 + 64;
    stage_body *bodies = realloc(s->bodies, capacity * sizeof *bodies);
    if (bodies != NULL) {
        s->bodies = bodies;
        s->capacity = capacity;
    }
    return bodies != NULL;
}

abut_result stage_add(stage *s, abut_body_def def, uint32_t mesh, testbed_colour colour) {
    if (!reserve_body(s)) {
        return ABUT_ERROR_MEMORY;
    }
    stage_body *body = &s->bodies[s->count];
    *body = (stage_body){.pose = def.pose, .scale = {1, 1, 1}, .mesh = mesh, .hull = def.hull, .colour = colour};
    if (def.hull == NULL && def.mesh == NULL) {
        body->centre = def.box.position;
        body->scale = def.half;
    }
    def.user = s->count;
    abut_result result = abut_body_create(s->world, &def, &body->id);
    s->count += result == ABUT_OK;
    return result;
}

void stage_show_as(stage *s, const abut_hull *hull) {
    stage_body *body = &s->bodies[s->count - 1];
    body->hull = hull;
    body->scale = (abut_vec3){1, 1, 1};
}

void stage_note_contacts(stage *s, uint8_t heat) {
    for (size_t i = 0; i < s->count; ++i) {
        s->bodies[i].touches = 0;
        s->bodies[i].heat = s->bodies[i].heat > 0 ? (uint8_t)(s->bodies[i].heat - 1) : 0;
    }
    size_t count;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    for (size_t i = 0; i < count; ++i) {
        stage_body *a = &s->bodies[contacts[i].user_a], *b = &s->bodies[contacts[i].user_b];
        a->touches = b->touches = 1;
        if (contacts[i].phase == ABUT_BEGIN) {
            a->heat = b->heat = heat;
        }
    }
}

float stage_lap(double *since) {
    struct timespec now = {0};
    (void)timespec_get(&now, TIME_UTC);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec * 1e-9, elapsed = seconds - *since;
    *since = seconds;
    return elapsed > 0 ? (float)(1e3 * elapsed) : 0;
}

void stage_box(stage *s, abut_vec3 centre, abut_quat rotation, abut_vec3 half, testbed_colour colour) {
    testbed_instance *extra = stage_push(&s->extras, sizeof *extra);
    if (extra == NULL) {
        s->short_of_memory = true;
        return;
    }
    *extra = (testbed_instance){centre, rotation, half, colour, 0};
}

void stage_line(stage *s, abut_vec3 from, abut_vec3 to, testbed_colour colour) {
    testbed_vertex *first = stage_push(&s->lines, sizeof *first);
    testbed_vertex *second = first == NULL ? NULL : stage_push(&s->lines, sizeof *second);
    if (second == NULL) {
        s->lines.count -= first != NULL;
        s->short_of_memory = true;
        return;
    }
    second[-1] = (testbed_vertex){from, colour}; /* the second allocation may have moved the first */
    second[0] = (testbed_vertex){to, colour};
}

void stage_edges(stage *s, abut_vec3 centre, abut_quat rotation, abut_vec3 half, testbed_colour colour) {
    abut_vec3 corners[8];
    abut_obb_corners(&(abut_obb){centre, rotation, half}, corners);
    for (int i = 0; i < 8; ++i) {
        for (int axis = 1; axis < 8; axis *= 2) {
            if (!(i & axis)) {
                stage_line(s, corners[i], corners[i | axis], colour);
            }
        }
    }
}

void stage_point(stage *s, abut_vec3 position, testbed_colour colour) {
    testbed_vertex *point = stage_push(&s->points, sizeof *point);
    if (point == NULL) {
        s->short_of_memory = true;
        return;
    }
    *point = (testbed_vertex){position, colour};
}
