/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "memory.h"
#include "broad_scenes.h"
#include "stepper.h"
#include <stdlib.h>

/* Capacities grow in jumps; after a few frames they no longer grow. */
enum { frames = 4 };

typedef struct counter {
    size_t now, peak;
} counter;

static void *count_alloc(size_t size, size_t align, void *user) {
    counter *c = user;
    void *p = aligned_alloc(align, (size + align - 1) / align * align);
    if (p != NULL) {
        c->now += size;
        c->peak = c->now > c->peak ? c->now : c->peak;
    }
    return p;
}

static void count_release(void *p, size_t size, size_t align, void *user) {
    (void)align;
    ((counter *)user)->now -= p != NULL ? size : 0;
    free(p);
}

static memory_result measure(const char *what, broad_scene *of) {
    counter c = {0};
    const abut_world_def def = {.allocator = {count_alloc, count_release, &c}};
    stepper s;
    stepper_create(&s, &of->scene, &def);
    for (int frame = 0; frame < frames; ++frame) {
        stepper_run(&s, NULL);
        broad_scene_advance(of);
    }
    memory_result result = {.what = what,
                            .bodies = of->scene.count,
                            .candidates = s.candidates,
                            .contacts = s.contacts,
                            .reserved = c.now,
                            .peak = c.peak};
    stepper_destroy(&s);
    return result;
}

static memory_result measure_kind(const char *what, broad_kind kind, size_t bodies, abut_detail detail) {
    broad_scene s;
    broad_scene_create(&s, kind, bodies);
    scene_set_detail(&s.scene, detail, true);
    memory_result result = measure(what, &s);
    broad_scene_destroy(&s);
    return result;
}

/* No bounds overlap: the bodies alone. */
static memory_result measure_apart(const char *what, size_t bodies, bool listed) {
    broad_scene s;
    broad_scene_create(&s, BROAD_UNIFORM, bodies);
    scene_set_detail(&s.scene, ABUT_DETAIL_BOUNDS, listed);
    for (size_t i = 0; i < bodies; ++i) {
        s.scene.defs[i].pose.position.x = 4.0f * (float)i;
        s.scene.poses[i].position.x = 4.0f * (float)i;
    }
    s.scene.mover_count = 0;
    memory_result result = measure(what, &s);
    broad_scene_destroy(&s);
    return result;
}

size_t bench_memory(memory_result rows[MEMORY_RESULTS_MAX], size_t bodies) {
    size_t count = 0;
    rows[count++] = measure_apart("bodies far apart", bodies, true);
    rows[count++] = measure_apart("bodies far apart, with filters", bodies, false);
    rows[count++] = measure_kind("a uniform, bounds", BROAD_UNIFORM, bodies, ABUT_DETAIL_BOUNDS);
    rows[count++] = measure_kind("a uniform, manifolds", BROAD_UNIFORM, bodies, ABUT_DETAIL_MANIFOLD);
    rows[count++] = measure_kind("c mixed sizes, bounds", BROAD_MIXED, bodies, ABUT_DETAIL_BOUNDS);
    rows[count++] = measure_kind("c mixed sizes, manifolds", BROAD_MIXED, bodies, ABUT_DETAIL_MANIFOLD);
    for (size_t i = 0; i < count; ++i) {
        memory_result *row = &rows[i];
        const memory_result *alone = &rows[i == 1]; /* only that row has filters */
        row->per_body = (double)alone->reserved / (double)alone->bodies;
        row->per_contact =
            row->contacts == 0 ? 0.0 : ((double)row->reserved - (double)alone->reserved) / (double)row->contacts;
    }
    return count;
}
