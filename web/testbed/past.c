/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "past.h"
#include <stdlib.h>
#include <string.h>

enum { frames_kept = 600, bytes_kept = 96 << 20 };

typedef struct moment {
    uint32_t frame;
    size_t world, size; /* bytes of the world, and of all */
    unsigned char *bytes;
} moment;

static struct {
    moment moments[frames_kept];
    uint32_t count, stride; /* frames that are multiples of the stride are kept; 0 counts as 1 */
    size_t size;
} past;

void past_piece(past_walk *w, void *memory, size_t size) {
    if (w->way == past_write && size > 0) {
        memcpy(w->at + w->size, memory, size);
    } else if (w->way == past_read && size > 0) {
        memcpy(memory, w->at + w->size, size);
    }
    w->size += size;
}

static void walk(past_walk *w, stage *s, const stage_scene *scene) {
    past_piece(w, &s->count, sizeof s->count);
    past_piece(w, &s->movers, sizeof s->movers);
    past_piece(w, &s->hash, sizeof s->hash);
    past_piece(w, &s->report, sizeof s->report);
    past_piece(w, s->bodies, s->count * sizeof *s->bodies);
    scene->keep(w, s);
}

static void drop(uint32_t i) {
    past.size -= past.moments[i].size;
    free(past.moments[i].bytes);
    --past.count;
    memmove(&past.moments[i], &past.moments[i + 1], (past.count - i) * sizeof past.moments[0]);
}

void past_forget(void) {
    while (past.count > 0) {
        drop(past.count - 1);
    }
    past.stride = 1;
}

/* Keeps every second one of those that are kept. */
static void thin_out(void) {
    past.stride *= 2;
    for (uint32_t i = past.count; i-- > 0;) {
        if (past.moments[i].frame % past.stride != 0) {
            drop(i);
        }
    }
}

static abut_result keep(stage *s, const stage_scene *scene) {
    past_walk w = {.way = past_measure};
    walk(&w, s, scene);
    moment *m = &past.moments[past.count];
    *m = (moment){.frame = s->report.frame, .world = abut_world_save(s->world, NULL, 0)};
    m->size = m->world + w.size;
    m->bytes = malloc(m->size);
    if (m->bytes == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    ++past.count;
    past.size += m->size;
    abut_world_save(s->world, m->bytes, m->world);
    w = (past_walk){.way = past_write, .at = m->bytes + m->world};
    walk(&w, s, scene);
    return ABUT_OK;
}

abut_result past_keep(stage *s, const stage_scene *scene) {
    const uint32_t frame = s->report.frame;
    while (past.count > 0 && past.moments[past.count - 1].frame >= frame) {
        drop(past.count - 1);
    }
    while (past.count > 0 && past.moments[0].frame + frames_kept <= frame) {
        drop(0);
    }
    if (frame % past.stride != 0) {
        return ABUT_OK;
    }
    const abut_result result = keep(s, scene);
    while (past.size > bytes_kept && past.count > 1) {
        thin_out();
    }
    return result;
}

abut_result past_return(stage *s, const stage_scene *scene, uint32_t frame) {
    uint32_t i = past.count;
    while (i > 0 && past.moments[i - 1].frame > frame) {
        --i;
    }
    if (i == 0) {
        return ABUT_ERROR_ARGUMENT;
    }
    const moment *m = &past.moments[i - 1];
    const abut_result result = abut_world_restore(s->world, m->bytes, m->world, NULL);
    if (result != ABUT_OK) {
        return result;
    }
    past_walk w = {.way = past_read, .at = m->bytes + m->world};
    walk(&w, s, scene);
    return w.short_of_memory ? ABUT_ERROR_MEMORY : ABUT_OK;
}

testbed_past past_report(void) {
    testbed_past report = {.stride = past.stride, .bytes = (uint32_t)past.size};
    if (past.count > 0) {
        report.first = past.moments[0].frame;
        report.last = past.moments[past.count - 1].frame;
    }
    return report;
}
