/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The stage: the world of the open scene, its bodies, and their appearance. Scenes add bodies to it, move them, and
 * colour them. */
#ifndef ABUT_WEB_STAGE_H
#define ABUT_WEB_STAGE_H

#include "testbed.h"

typedef struct stage_body {
    abut_body_id id;
    abut_pose pose;   /* of an attached one relative to its parent */
    abut_vec3 centre; /* place of its mesh in its own frame */
    abut_vec3 scale;  /* of its mesh: half extents of a box, 1 of a hull or a surface */
    uint32_t mesh;
    const abut_hull *hull; /* what is drawn and picked: with a radius a fine polyhedron; NULL: a box */
    testbed_colour colour;
    uint8_t touches, heat; /* heat: frames for which it still glows after a contact began */
    bool rests;            /* a mover whose pose did not change */
} stage_body;

/* Arrays grow and never shrink. */
typedef struct stage_buffer {
    void *items;
    size_t count, capacity;
} stage_buffer;

typedef struct stage {
    uint32_t scene; /* TESTBED_SCENE_COUNT: none */
    abut_world *world;
    stage_body *bodies; /* by the user data of the world's bodies */
    size_t count, capacity;
    size_t movers; /* bodies 0 .. movers - 1 get their poses set in every frame */
    uint64_t hash;
    testbed_report report;
    testbed_camera camera;
    stage_buffer meshes, mesh_vertices;
    stage_buffer instances, batches, lines, points;
    stage_buffer extras;  /* instances of mesh 0 that are not bodies */
    bool short_of_memory; /* something could not be drawn */
    abut_body_id picked[64];
    uint32_t picked_count;
} stage;

typedef struct past_walk past_walk; /* past.h */

/* A scene. Functions that are NULL are not called. */
typedef struct stage_scene {
    uint32_t usual, most;                          /* in the scene's own unit */
    abut_result (*open)(stage *s, uint32_t count); /* makes the world and all bodies, and the camera */
    abut_result (*move)(stage *s);                 /* new poses for the movers */
    abut_result (*ask)(stage *s); /* after the step: the response to contacts, queries, hash of answers */
    void (*draw)(stage *s);       /* colours of the bodies, and everything else to draw */
    void (*close)(void);
    void (*keep)(past_walk *w, const stage *s); /* what later frames depend on, and what is drawn, beside the stage */
    /* A body that the hand has moved to its pose, at this velocity: the scene goes on from there. NULL: the hand
     * throws. */
    void (*take)(stage *s, size_t body, abut_vec3 velocity);
} stage_scene;

extern const stage_scene stage_fight, stage_tumbling, stage_pile, stage_culling, stage_placement, stage_round,
    stage_queries, stage_cannon, stage_terrain;

/* Makes room for one more item of `size` bytes; NULL: out of memory. */
void *stage_push(stage_buffer *buffer, size_t size);
/* Adds a body to the stage. Its user data becomes its index. */
abut_result stage_add(stage *s, abut_body_def def, uint32_t mesh, testbed_colour colour);
/* Shows the body that was added last as a hull, which has its own mesh. */
void stage_show_as(stage *s, const abut_hull *hull);
/* Marks the bodies that touch, and heats those whose contacts began. */
void stage_note_contacts(stage *s, uint8_t heat);
/* Milliseconds of the wall clock since *since, which becomes now. */
float stage_lap(double *since);

/* Drawn things that are not bodies. */
void stage_box(stage *s, abut_vec3 centre, abut_quat rotation, abut_vec3 half, testbed_colour colour);
void stage_edges(stage *s, abut_vec3 centre, abut_quat rotation, abut_vec3 half, testbed_colour colour);
void stage_line(stage *s, abut_vec3 from, abut_vec3 to, testbed_colour colour);
void stage_point(stage *s, abut_vec3 position, testbed_colour colour);

#endif
