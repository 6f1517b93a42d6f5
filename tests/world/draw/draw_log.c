/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "draw_log.h"
#include <stdlib.h>

static void add(draw_log *log, const mark *m) {
    if (log->count == log->capacity) {
        log->capacity = log->capacity ? 2 * log->capacity : 64;
        log->mark = realloc(log->mark, log->capacity * sizeof *log->mark);
        assert_non_null(log->mark);
    }
    log->mark[log->count++] = *m;
}

void any_line(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user) {
    add(user, &(mark){.type = MARK_LINE, .item = *item, .from = from, .to = to});
}

void any_point(abut_vec3 position, const abut_draw_item *item, void *user) {
    add(user, &(mark){.type = MARK_POINT, .item = *item, .from = position});
}

void any_box(const abut_obb *box, const abut_draw_item *item, void *user) {
    add(user, &(mark){.type = MARK_BOX, .item = *item, .box = *box});
}

void log_draw(const abut_world *world, const abut_draw *draw, draw_log *log) {
    abut_draw own = *draw;
    own.user = log;
    log->count = 0;
    assert_int_equal(abut_world_draw(world, &own), ABUT_OK);
}

draw_log log_kinds(const abut_world *world, uint32_t kinds) {
    draw_log log = {.count = 0};
    log_draw(world, &(abut_draw){.line = any_line, .point = any_point, .box = any_box, .kinds = kinds}, &log);
    return log;
}

draw_log log_lines(const abut_world *world, uint32_t kinds) {
    draw_log log = {.count = 0};
    log_draw(world, &(abut_draw){.line = any_line, .kinds = kinds}, &log);
    return log;
}

void log_free(draw_log *log) {
    free(log->mark);
    *log = (draw_log){.count = 0};
}

size_t log_count(const draw_log *log, mark_type type) {
    size_t n = 0;
    for (size_t i = 0; i < log->count; i++) {
        n += log->mark[i].type == type;
    }
    return n;
}

abut_frustum camera_at(float x, float far_distance) {
    abut_frustum f;
    const abut_pose pose = pose_at(x, 2, 3);
    assert_int_equal(abut_frustum_camera(&pose, 0.5f, 0.25f, 1, far_distance, &f), ABUT_OK);
    return f;
}
