/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/side_by_side.h"
#include <stdlib.h>

/* Unless all are to be plain, a seventh of the bodies get a filter of their own, some a parent, and some are destroyed
 * again. */
static void fill(side_worlds *s, abut_world *world, bool plain, uint64_t stream) {
    rng r = rng_make(test_seed(), stream);
    assert_int_equal(abut_bodies_create(world, s->scene.defs, s->scene.count, s->ids), ABUT_OK);
    for (size_t k = 0; k < s->scene.count && !plain; k++) {
        const abut_filter filter = {.category = UINT64_C(1) << (k % 5), .mask = ~(UINT64_C(1) << (k % 3))};
        if (rng_chance(&r, 1.0 / 7)) {
            assert_int_equal(abut_body_set_filter(world, s->ids[k], &filter), ABUT_OK);
        }
    }
    for (size_t k = 0; k < s->scene.count / 20 && !plain; k++) {
        abut_body_def child = s->scene.defs[k];
        abut_body_id id;
        child.parent = s->ids[rng_below(&r, (uint32_t)s->scene.count)];
        child.pose = pose_at(0.5f, 0.25f, 0);
        assert_int_equal(abut_body_create(world, &child, &id), ABUT_OK);
    }
    for (size_t k = 0; k < s->scene.count / 50 && !plain; k++) {
        (void)abut_body_destroy(world, s->ids[rng_below(&r, (uint32_t)s->scene.count)]);
    }
}

void side_begin(side_worlds *s, scene_kind kind, size_t n, bool plain, uint64_t stream) {
    memset(s, 0, sizeof *s);
    s->r = rng_make(test_seed(), stream);
    assert_true(scene_create(&s->scene, kind, n, stream));
    s->ids = calloc(n, sizeof *s->ids);
    assert_non_null(s->ids);
    for (int k = 0; k < SIDE_WORLDS; k++) {
        abut_world_def def = {.body_capacity = 0};
        if (k > 0) {
            s->schedule[k].workers = schedule_workers[k - 1];
            s->schedule[k].seed = stream;
            def.parallel = schedule_parallel(&s->schedule[k]);
        }
        s->world[k] = make_world(&def);
        fill(s, s->world[k], plain, stream);
    }
    for (size_t k = 0; k < n; k++) {
        if (abut_body_is_valid(s->world[0], s->ids[k])) {
            const abut_body_id id = s->ids[k];
            s->ids[k] = s->ids[s->living];
            s->ids[s->living++] = id;
        }
    }
}

void side_end(side_worlds *s) {
    for (int k = 0; k < SIDE_WORLDS; k++) {
        abut_world_destroy(&s->world[k]);
        assert_int_equal(abut_atomic_load(&s->schedule[k].wrong), 0);
        assert_true(k < 2 || abut_atomic_load(&s->schedule[k].loops) > 0);
    }
    free(s->ids);
    scene_destroy(&s->scene);
}
