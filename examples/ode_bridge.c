/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "ode_bridge.h"
#include <stdlib.h>
#include <string.h>

typedef struct mover {
    dBodyID body;
    abut_body_id id;
    abut_pose pose;
} mover;

/* The manifolds of the last step, by index in a list of the world. */
typedef struct memory {
    abut_manifold *manifolds;
    size_t count, room;
} memory;

struct ode_bridge {
    dWorldID dynamics;
    abut_world *world;
    dSurfaceParameters surface;
    mover *movers;
    size_t mover_count, mover_room;
    memory contacts, parts;
    ode_bridge_counts *counts; /* of this step, like all members below */
    dJointGroupID joints;
    double seconds;
    uint32_t step;
};

abut_result ode_bridge_create(dWorldID dynamics, const dSurfaceParameters *surface, float margin, ode_bridge **bridge) {
    ode_bridge *b = *bridge = calloc(1, sizeof *b);
    if (b == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    b->dynamics = dynamics;
    b->surface = *surface;
    abut_result result = abut_world_create(&(abut_world_def){.contact_margin = margin}, &b->world);
    if (result != ABUT_OK) {
        ode_bridge_destroy(bridge);
    }
    return result;
}

void ode_bridge_destroy(ode_bridge **bridge) {
    if (*bridge != NULL) {
        abut_world_destroy(&(*bridge)->world);
        free((*bridge)->movers);
        free((*bridge)->contacts.manifolds);
        free((*bridge)->parts.manifolds);
        free(*bridge);
        *bridge = NULL;
    }
}

/* Makes room for `count` things; NULL, with nothing changed, when memory runs out. */
static void *grown(void *things, size_t *room, size_t count, size_t size) {
    void *more = count > *room ? realloc(things, 2 * count * size) : things;
    *room = more != NULL && count > *room ? 2 * count : *room;
    return more;
}

static abut_pose pose_of(dBodyID body) {
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body); /* w comes first in ODE */
    return (abut_pose){{(float)p[0], (float)p[1], (float)p[2]}, {(float)q[1], (float)q[2], (float)q[3], (float)q[0]}};
}

abut_result ode_bridge_add(ode_bridge *b, dBodyID body, const abut_body_def *def) {
    abut_body_def own = *def;
    mover added = {.body = body};
    mover *movers = grown(b->movers, &b->mover_room, b->mover_count + 1, sizeof *movers);
    if (movers == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    b->movers = movers;
    own.motion = body != NULL ? ABUT_MOVING : ABUT_STATIC;
    own.pose = body != NULL ? pose_of(body) : def->pose;
    own.user = (uintptr_t)body; /* contacts return it */
    abut_result result = abut_body_create(b->world, &own, &added.id);
    if (result == ABUT_OK && body != NULL) {
        b->movers[b->mover_count++] = added;
    }
    return result;
}

/* ODE's normal points into the first body and its depth is positive; abut's points from a to b. A gap becomes the
 * largest speed at which the bodies may approach: the speed that closes it in this step. */
static dContact contact_at(const ode_bridge *b, abut_vec3 normal, const abut_contact_point *p) {
    const dReal gap = (dReal)p->separation;
    dContact c = {.surface = b->surface,
                  .geom = {.pos = {(dReal)p->position.x, (dReal)p->position.y, (dReal)p->position.z},
                           .normal = {-(dReal)normal.x, -(dReal)normal.y, -(dReal)normal.z},
                           .depth = gap < 0 ? -gap : 0}};
    if (gap > 0) {
        c.surface.mode |= dContactMotionN;
        c.surface.motionN = -gap / b->seconds;
    }
    return c;
}

/* Whether a point existed in the step before. A solver with warm starting finds the point's impulses here; ODE's starts
 * from zero, so the point is only counted. */
static bool was_there(const memory *before, uint32_t previous1, uint32_t feature) {
    const abut_manifold *m = previous1 != 0 && previous1 <= before->count ? &before->manifolds[previous1 - 1] : NULL;
    for (uint32_t i = 0; m != NULL && i < m->count; ++i) {
        if (m->points[i].feature == feature) {
            return true;
        }
    }
    return false;
}

/* QuickStep solves point by point and stops before it converges. The order of points changes from step to step, so that
 * the remaining error does not always push the same way. */
static void join(ode_bridge *b, const abut_contact *c, const abut_manifold *m, const memory *before,
                 uint32_t previous1) {
    for (uint32_t i = 0; i < m->count; ++i) {
        const abut_contact_point *p = &m->points[(b->step + i) % m->count];
        const dContact contact = contact_at(b, m->normal, p);
        dJointID joint = dJointCreateContact(b->dynamics, b->joints, &contact);
        dJointAttach(joint, (dBodyID)(uintptr_t)c->user_a, (dBodyID)(uintptr_t)c->user_b);
        b->counts->kept += was_there(before, previous1, p->feature);
    }
    b->counts->points += m->count;
}

/* Of a pair with a mesh all triangles count, each with its own normal; the contact's manifold only sums them up. */
static void touch(const abut_contact *c, void *user) {
    ode_bridge *b = user;
    if (c->part_count == 0) {
        join(b, c, &c->manifold, &b->contacts, c->previous1);
        return;
    }
    const abut_contact_part *parts = abut_world_parts(b->world, NULL) + c->part_first;
    for (uint32_t i = 0; i < c->part_count; ++i) {
        const abut_contact_part *part = &parts[(b->step + i) % c->part_count];
        join(b, c, &part->manifold, &b->parts, part->previous1);
    }
    b->counts->parts += c->part_count;
}

static abut_result push_poses(ode_bridge *b) {
    for (size_t i = 0; i < b->mover_count; ++i) {
        b->movers[i].pose = pose_of(b->movers[i].body);
    }
    const mover *m = b->movers;
    return m == NULL
               ? ABUT_OK
               : abut_bodies_set_poses_strided(b->world, &m->id, sizeof *m, &m->pose, sizeof *m, b->mover_count, NULL);
}

/* Copies the manifolds of a list, whose entries have `size` bytes and the manifold at `offset`. */
static bool remember(memory *m, const void *list, size_t size, size_t offset, size_t count) {
    abut_manifold *manifolds = grown(m->manifolds, &m->room, count, sizeof *manifolds);
    m->manifolds = manifolds != NULL ? manifolds : m->manifolds;
    m->count = m->room >= count ? count : 0;
    for (size_t i = 0; i < m->count; ++i) {
        memcpy(&m->manifolds[i], (const char *)list + i * size + offset, sizeof *m->manifolds);
    }
    return m->count == count;
}

abut_result ode_bridge_collide(ode_bridge *b, double seconds, dJointGroupID joints, ode_bridge_counts *counts) {
    const abut_listener listener = {.begin = touch, .persist = touch, .user = b};
    *counts = (ode_bridge_counts){0};
    b->seconds = seconds, b->joints = joints, b->counts = counts, ++b->step;
    abut_result result = push_poses(b);
    result = result == ABUT_OK ? abut_world_step(b->world, &listener, NULL) : result;
    if (result != ABUT_OK) {
        return result;
    }
    size_t part_count;
    const abut_contact *contacts = abut_world_contacts(b->world, &counts->pairs);
    const abut_contact_part *parts = abut_world_parts(b->world, &part_count);
    const bool kept =
        remember(&b->contacts, contacts, sizeof *contacts, offsetof(abut_contact, manifold), counts->pairs) &&
        remember(&b->parts, parts, sizeof *parts, offsetof(abut_contact_part, manifold), part_count);
    return kept ? ABUT_OK : ABUT_ERROR_MEMORY;
}
