/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A log of all calls of a debug draw. */
#ifndef ABUT_TESTS_WORLD_DRAW_LOG_H
#define ABUT_TESTS_WORLD_DRAW_LOG_H

#include "world/world_test.h"

#define SHAPES (1u << ABUT_DRAW_SHAPE)
#define BOUNDS (1u << ABUT_DRAW_BOUNDS)
#define CANDIDATES (1u << ABUT_DRAW_CANDIDATE)
#define CONTACTS (1u << ABUT_DRAW_CONTACT)
#define FRUSTA (1u << ABUT_DRAW_FRUSTUM)

typedef enum mark_type { MARK_LINE, MARK_POINT, MARK_BOX } mark_type;

typedef struct mark {
    mark_type type;
    abut_draw_item item;
    abut_vec3 from, to; /* of a line; a point is `from` */
    abut_obb box;
} mark;

typedef struct draw_log {
    mark *mark;
    size_t count, capacity;
} draw_log;

/* Functions for an abut_draw. */
void any_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user);
void any_point(abut_vec3 position, const abut_draw_item *item, void *user);
void any_box(const abut_obb *box, const abut_draw_item *item, void *user);

/* Clears the log and draws with the functions given, which write to it; asserts ABUT_OK. */
void log_draw(const abut_world *world, const abut_draw *draw, draw_log *log);

/* The same, with all three functions, and with lines alone. */
draw_log log_kinds(const abut_world *world, uint32_t kinds);
draw_log log_lines(const abut_world *world, uint32_t kinds);

/* At (x, 2, 3), with the near plane at z = 2. */
abut_frustum camera_at(float x, float far_distance);

void log_free(draw_log *log);
size_t log_count(const draw_log *log, mark_type type);

#endif
