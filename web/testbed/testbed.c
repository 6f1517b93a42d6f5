/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "testbed.h"
#include "cannon.h"
#include "draw.h"
#include "hand.h"
#include "hash.h"
#include "mesh.h"
#include "past.h"
#include "pick.h"
#include "placement.h"
#include "queries.h"
#include <stdlib.h>

static const stage_scene *const scenes[] = {&stage_fight,   &stage_tumbling,  &stage_pile,
                                            &stage_culling, &stage_placement, &stage_round,
                                            &stage_queries, &stage_cannon,    &stage_terrain};
_Static_assert(sizeof scenes / sizeof scenes[0] == TESTBED_SCENE_COUNT, "a row for each scene");

static stage the = {.scene = TESTBED_SCENE_COUNT};

/* --- life --- */

uint32_t testbed_count_usual(uint32_t scene) {
    return scene < TESTBED_SCENE_COUNT ? scenes[scene]->usual : 0;
}

uint32_t testbed_count_max(uint32_t scene) {
    return scene < TESTBED_SCENE_COUNT ? scenes[scene]->most : 0;
}

void testbed_close(void) {
    stage_buffer *const buffers[] = {&the.meshes, &the.mesh_vertices, &the.instances, &the.batches,
                                     &the.lines,  &the.points,        &the.extras};
    abut_world_destroy(&the.world);
    if (the.scene < TESTBED_SCENE_COUNT && scenes[the.scene]->close != NULL) {
        scenes[the.scene]->close();
    }
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        free(buffers[i]->items);
    }
    free(the.bodies);
    past_forget();
    hand_forget();
    the = (stage){.scene = TESTBED_SCENE_COUNT};
}

int32_t testbed_open(uint32_t scene, uint32_t count) {
    testbed_close();
    if (scene >= TESTBED_SCENE_COUNT) {
        return ABUT_ERROR_ARGUMENT;
    }
    const stage_scene *chosen = scenes[scene];
    uint32_t wanted = count == 0 ? chosen->usual : count < chosen->most ? count : chosen->most;
    the.scene = scene;
    abut_result result = mesh_add_cube(&the);
    if (result == ABUT_OK) {
        result = chosen->open(&the, wanted);
    }
    if (result != ABUT_OK) {
        testbed_close();
    }
    the.report.bodies = (uint32_t)the.count;
    return result;
}

/* --- a frame --- */

/* Sets the poses of each run of moving bodies in one call. */
static abut_result set_poses(void) {
    abut_result result = ABUT_OK;
    for (size_t i = 0, end; i < the.movers && result == ABUT_OK; i = end + 1) {
        for (end = i; end < the.movers && !the.bodies[end].rests;) {
            ++end;
        }
        const stage_body *first = &the.bodies[i];
        if (end > i) {
            result = abut_bodies_set_poses_strided(the.world, &first->id, sizeof *first, &first->pose, sizeof *first,
                                                   end - i, NULL);
        }
    }
    return result;
}

static void report_step(const abut_step_report *step) {
    testbed_report *r = &the.report;
    r->bodies = (uint32_t)step->bodies;
    r->moved = (uint32_t)step->moved;
    r->candidates = (uint32_t)step->candidates;
    r->contacts = (uint32_t)step->contacts;
    r->begun = (uint32_t)step->begun;
    r->ended = (uint32_t)step->ended;
    r->sweep_tests = (uint32_t)step->sweep_tests;
    r->second_stage = (uint32_t)step->second_stage;
    r->bytes = (uint32_t)step->bytes;
    r->ms_bounds = (float)(1e3 * step->seconds_bounds);
    r->ms_broad = (float)(1e3 * step->seconds_broad);
    r->ms_narrow = (float)(1e3 * step->seconds_narrow);
    r->ms_events = (float)(1e3 * step->seconds_events);
}

static void hash_frame(void) {
    size_t count;
    const abut_contact *contacts = abut_world_contacts(the.world, &count);
    hash_u64(&the.hash, abut_world_hash(the.world));
    hash_contacts(&the.hash, contacts, count);
    const abut_contact_part *parts = abut_world_parts(the.world, &count);
    hash_parts(&the.hash, parts, count);
    the.report.hash_low = (uint32_t)the.hash;
    the.report.hash_high = (uint32_t)(the.hash >> 32);
}

int32_t testbed_step(void) {
    if (the.world == NULL) {
        return ABUT_ERROR_ARGUMENT;
    }
    const stage_scene *scene = scenes[the.scene];
    abut_step_report step;
    abut_result result = scene->move == NULL ? ABUT_OK : scene->move(&the);
    if (result == ABUT_OK) {
        result = hand_move(&the, scene);
    }
    double since = 0;
    stage_lap(&since);
    if (result == ABUT_OK) {
        result = set_poses();
    }
    the.report.ms_poses = stage_lap(&since);
    if (result == ABUT_OK) {
        result = abut_world_step(the.world, NULL, &step);
    }
    if (result != ABUT_OK) {
        return result;
    }
    ++the.report.frame;
    report_step(&step);
    result = scene->ask == NULL ? ABUT_OK : scene->ask(&the);
    hash_frame();
    return result == ABUT_OK ? past_keep(&the, scene) : result;
}

int32_t testbed_return(uint32_t frame) {
    hand_forget();
    return the.world == NULL ? ABUT_ERROR_ARGUMENT : past_return(&the, scenes[the.scene], frame);
}

int32_t testbed_draw(uint32_t overlays) {
    return the.world == NULL ? ABUT_ERROR_ARGUMENT : draw_stage(&the, scenes[the.scene]->draw, overlays);
}

/* --- getters --- */

const testbed_report *testbed_get_report(void) {
    return &the.report;
}

const testbed_past *testbed_get_past(void) {
    static testbed_past report;
    report = past_report();
    return &report;
}

const testbed_camera *testbed_get_camera(void) {
    return &the.camera;
}

uint32_t testbed_instance_count(void) {
    return (uint32_t)the.instances.count;
}

const testbed_instance *testbed_instances(void) {
    return the.instances.items;
}

uint32_t testbed_batch_count(void) {
    return (uint32_t)the.batches.count;
}

const testbed_batch *testbed_batches(void) {
    return the.batches.items;
}

uint32_t testbed_line_vertex_count(void) {
    return (uint32_t)the.lines.count;
}

const testbed_vertex *testbed_line_vertices(void) {
    return the.lines.items;
}

uint32_t testbed_point_count(void) {
    return (uint32_t)the.points.count;
}

const testbed_vertex *testbed_points(void) {
    return the.points.items;
}

uint32_t testbed_mesh_count(void) {
    return (uint32_t)the.meshes.count;
}

const testbed_mesh *testbed_meshes(void) {
    return the.meshes.items;
}

uint32_t testbed_mesh_vertex_count(void) {
    return (uint32_t)the.mesh_vertices.count;
}

const testbed_mesh_vertex *testbed_mesh_vertices(void) {
    return the.mesh_vertices.items;
}

/* --- the page's hand --- */

static float matrix[16];

float *testbed_matrix(void) {
    return matrix;
}

uint32_t testbed_pick(float x0, float y0, float x1, float y1) {
    the.picked_count = 0;
    if (the.world != NULL) {
        pick(&the, matrix, (const float[4]){x0, y0, x1, y1});
    }
    return the.picked_count;
}

uint32_t testbed_pick_body(uint32_t index1) {
    the.picked_count = 0;
    for (size_t i = 0; index1 != 0 && i < the.count; ++i) {
        if (the.bodies[i].id.index1 == index1) {
            the.picked[0] = the.bodies[i].id;
            the.picked_count = 1;
        }
    }
    return the.picked_count;
}

uint32_t testbed_at(float x, float y) {
    abut_body_id first = {0, 0};
    if (the.world != NULL) {
        (void)pick_first(&the, matrix, (double)x, (double)y, &first);
    }
    return first.index1;
}

uint32_t testbed_grab(uint32_t index1) {
    return the.world != NULL && hand_grab(&the, index1);
}

void testbed_drag(float x, float y, float z) {
    hand_drag((abut_vec3){x, y, z});
}

void testbed_release(void) {
    if (the.world != NULL) {
        hand_release(scenes[the.scene]);
    }
}

const testbed_body *testbed_picked(uint32_t i) {
    static testbed_body report;
    return the.world != NULL && pick_report(&the, i, &report) ? &report : NULL;
}

void testbed_hold(float x, float z, int32_t turn, float half_x, float half_z) {
    if (the.scene == TESTBED_PLACEMENT) {
        placement_hold(&the, x, z, turn, half_x, half_z);
    }
}

const testbed_building *testbed_held(void) {
    static testbed_building held;
    held = the.scene == TESTBED_PLACEMENT ? placement_held() : (testbed_building){0};
    return &held;
}

void testbed_probe(float x, float z) {
    if (the.scene == TESTBED_QUERIES) {
        queries_probe(&the, x, z);
    }
}

uint32_t testbed_build(void) {
    return the.scene == TESTBED_PLACEMENT && placement_build(&the);
}

void testbed_aim(float speed, float thickness) {
    if (the.scene == TESTBED_CANNON) {
        cannon_aim(&the, speed, thickness);
    }
}

const testbed_cannon *testbed_aimed(void) {
    static testbed_cannon aimed;
    aimed = the.scene == TESTBED_CANNON ? cannon_aimed() : (testbed_cannon){0};
    return &aimed;
}
