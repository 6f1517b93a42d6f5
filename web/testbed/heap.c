/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sequential impulses with warm starting, after Catto, "Iterative Dynamics with Temporal Coherence" (2005): the impulse
 * of a point is found again by the contact's previous1 and the point's feature; on a mesh by its place, because a body
 * that rolls has its next point on the next triangle. Once bodies have moved, the velocity
 * that separated them is removed again, after Catto, "Soft Contact Constraints" (2011). Everything follows the order of
 * the contact list, and is as deterministic as the list. */
#include "heap.h"
#include "past.h"
#include "vec.h"
#include <stdlib.h>

enum { iterations = 8, relax_iterations = 3, still_frames_to_sleep = 40 };
static const float frame = 1.0f / 60, gravity = 10, friction = 0.6f, slop = 0.005f, near = 0.05f, push_rate = 8,
                   push_max = 3, fall_max = 9, still_speed = 0.12f;

/* --- points --- */

/* Room for the points of so many contacts and parts. */
static bool reserve_points(heap_points *p, size_t contacts, size_t parts) {
    if (contacts + 1 > p->contact_capacity) {
        size_t capacity = contacts + contacts / 2 + 64;
        uint32_t *first = realloc(p->first, capacity * sizeof *first);
        if (first == NULL) {
            return false;
        }
        p->first = first;
        p->contact_capacity = capacity;
    }
    size_t most = 4 * (contacts + parts);
    if (most > p->point_capacity) {
        size_t capacity = most + most / 2 + 256;
        heap_point *points = realloc(p->points, capacity * sizeof *points);
        if (points == NULL) {
            return false;
        }
        p->points = points;
        p->point_capacity = capacity;
    }
    return true;
}

static bool is_asleep(const heap_body *body) {
    return body->inverse_mass == 0 || body->still_frames >= still_frames_to_sleep;
}

/* A sleeping body does not yield. */
static float mass_of(const heap_body *body) {
    return is_asleep(body) ? 0 : body->inverse_mass;
}

static float inertia_of(const heap_body *body) {
    return is_asleep(body) ? 0 : body->inverse_inertia;
}

static float mass_along(const heap_body *a, const heap_body *b, const heap_point *p, abut_vec3 direction) {
    abut_vec3 turn_a = vec_cross(p->arm_a, direction), turn_b = vec_cross(p->arm_b, direction);
    float inverse =
        mass_of(a) + mass_of(b) + inertia_of(a) * vec_dot(turn_a, turn_a) + inertia_of(b) * vec_dot(turn_b, turn_b);
    return inverse > 0 ? 1 / inverse : 0;
}

/* The same point in the previous frame, NULL: none. On a mesh it is the nearest one, if it is near. */
static heap_point *same_before(const heap *h, const abut_contact *contact, const heap_point *p) {
    heap_point *found = NULL;
    if (contact->previous1 == 0 || contact->previous1 > h->before.contact_count) {
        return NULL;
    }
    const uint32_t *first = &h->before.first[contact->previous1 - 1];
    float least = near * near;
    for (uint32_t i = first[0]; i < first[1]; ++i) {
        heap_point *old = &h->before.points[i];
        abut_vec3 off = vec_sub(old->place, p->place);
        float square = vec_dot(off, off);
        if (contact->part_count > 0 ? square < least : old->feature == p->feature) {
            found = old;
            least = square;
        }
    }
    return found;
}

/* Each point's impulses are taken once. */
static void remember(const heap *h, const abut_contact *contact, heap_point *p) {
    heap_point *old = same_before(h, contact, p);
    for (int k = 0; k < 3 && old != NULL; ++k) {
        p->impulse[k] = old->impulse[k];
        old->impulse[k] = 0;
    }
}

static heap_point make_point(const heap *h, const abut_contact *contact, const abut_manifold *m, uint32_t i) {
    const abut_contact_point *at = &m->points[i];
    heap_point p = {.a = (uint32_t)contact->user_a, .b = (uint32_t)contact->user_b, .feature = at->feature};
    const heap_body *a = &h->bodies[p.a], *b = &h->bodies[p.b];
    p.gap = at->separation;
    p.place = at->position;
    p.arm_a = vec_sub(at->position, a->at);
    p.arm_b = vec_sub(at->position, b->at);
    p.along[0] = m->normal;
    vec_across(p.along[0], &p.along[1]);
    for (int k = 0; k < 3; ++k) {
        p.mass[k] = mass_along(a, b, &p, p.along[k]);
    }
    remember(h, contact, &p);
    return p;
}

static uint32_t add_points(heap *h, const abut_contact *contact, const abut_manifold *m, uint32_t n) {
    for (uint32_t k = 0; k < m->count; ++k) {
        h->now.points[n++] = make_point(h, contact, m, k);
    }
    return n;
}

static abut_result make_points(heap *h, const stage *s) {
    heap_points old = h->before;
    size_t count, part_count;
    const abut_contact *contacts = abut_world_contacts(s->world, &count);
    const abut_contact_part *parts = abut_world_parts(s->world, &part_count);
    h->before = h->now;
    h->now = old;
    h->now.contact_count = 0;
    if (!reserve_points(&h->now, count, part_count)) {
        return ABUT_ERROR_MEMORY;
    }
    h->now.first[0] = 0;
    for (size_t i = 0; i < count; ++i) {
        const abut_contact *contact = &contacts[i];
        uint32_t n = h->now.first[i];
        for (uint32_t k = 0; k < contact->part_count; ++k) {
            n = add_points(h, contact, &parts[contact->part_first + k].manifold, n);
        }
        h->now.first[i + 1] = contact->part_count > 0 ? n : add_points(h, contact, &contact->manifold, n);
    }
    h->now.contact_count = count;
    return ABUT_OK;
}

/* --- impulses --- */

static void push(heap_body *a, heap_body *b, const heap_point *p, abut_vec3 impulse) {
    a->velocity = vec_along(a->velocity, -mass_of(a), impulse);
    a->spin = vec_along(a->spin, -inertia_of(a), vec_cross(p->arm_a, impulse));
    b->velocity = vec_along(b->velocity, mass_of(b), impulse);
    b->spin = vec_along(b->spin, inertia_of(b), vec_cross(p->arm_b, impulse));
}

static float speed_along(const heap_body *a, const heap_body *b, const heap_point *p, abut_vec3 direction) {
    abut_vec3 at_a = vec_add(a->velocity, vec_cross(a->spin, p->arm_a));
    abut_vec3 at_b = vec_add(b->velocity, vec_cross(b->spin, p->arm_b));
    return vec_dot(vec_sub(at_b, at_a), direction);
}

static float clamped(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

/* Friction first, up to its limit, then the normal impulse, which never pulls. */
static void solve_point(heap *h, heap_point *p, bool apart) {
    heap_body *a = &h->bodies[p->a], *b = &h->bodies[p->b];
    float hold = friction * p->impulse[0];
    for (int k = 2; k >= 0; --k) {
        float wanted = 0;
        if (k == 0) {
            wanted = p->gap > 0 ? -p->gap / frame : apart ? clamped(-push_rate * (p->gap + slop), 0, push_max) : 0;
        }
        float impulse = p->impulse[k] + p->mass[k] * (wanted - speed_along(a, b, p, p->along[k]));
        impulse = k == 0 ? fmaxf(impulse, 0) : clamped(impulse, -hold, hold);
        push(a, b, p, vec_scale(p->along[k], impulse - p->impulse[k]));
        p->impulse[k] = impulse;
    }
}

static void solve(heap *h, int times, bool apart) {
    for (int i = 0; i < times; ++i) {
        for (uint32_t k = 0; k < h->now.first[h->now.contact_count]; ++k) {
            heap_point *p = &h->now.points[k];
            if (!is_asleep(&h->bodies[p->a]) || !is_asleep(&h->bodies[p->b])) {
                solve_point(h, p, apart);
            }
        }
    }
}

static void warm_start(heap *h) {
    for (uint32_t k = 0; k < h->now.first[h->now.contact_count]; ++k) {
        heap_point *p = &h->now.points[k];
        heap_body *a = &h->bodies[p->a], *b = &h->bodies[p->b];
        if (!is_asleep(a) || !is_asleep(b)) {
            for (int i = 0; i < 3; ++i) {
                push(a, b, p, vec_scale(p->along[i], p->impulse[i]));
            }
        }
    }
}

/* --- bodies --- */

static void fall(heap *h, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        heap_body *body = &h->bodies[i];
        if (!is_asleep(body)) {
            body->velocity.y = fmaxf(body->velocity.y - gravity * frame, -fall_max);
            body->spin = vec_scale(body->spin, 0.985f);
        }
    }
}

static void move_body(heap_body *body, abut_pose *pose) {
    abut_quat q = pose->rotation,
              turn = {0.5f * frame * body->spin.x, 0.5f * frame * body->spin.y, 0.5f * frame * body->spin.z, 1};
    body->at = vec_along(body->at, frame, body->velocity);
    pose->rotation = quat_unit(quat_multiply(turn, q));
    pose->position = vec_sub(body->at, quat_turn(pose->rotation, body->centre));
}

static float speed_of(const heap_body *body) {
    return vec_length(body->velocity) + 0.5f * vec_length(body->spin);
}

/* A body that hardly moves for a while stops, until a moving body touches it, or a body that it touched is gone. */
static void wake(heap *h, const stage *s) {
    size_t count;
    const abut_contact *events = abut_world_events(s->world, &count);
    for (size_t i = 0; i < count; ++i) {
        heap_body *pair[2] = {&h->bodies[events[i].user_a], &h->bodies[events[i].user_b]};
        for (int k = 0; k < 2; ++k) {
            bool moves = !is_asleep(pair[1 - k]) && speed_of(pair[1 - k]) > 4 * still_speed;
            if (pair[k]->still_frames >= still_frames_to_sleep && (moves || events[i].phase == ABUT_END)) {
                pair[k]->still_frames = 0;
            }
        }
    }
}

static void calm_down(heap_body *body) {
    body->still_frames = speed_of(body) < still_speed ? body->still_frames + 1 : 0;
    if (body->still_frames == still_frames_to_sleep) {
        body->velocity = body->spin = vec(0, 0, 0);
    }
}

abut_result heap_move(heap *h, stage *s) {
    wake(h, s);
    abut_result result = make_points(h, s);
    if (result != ABUT_OK) {
        return result;
    }
    fall(h, s->movers);
    warm_start(h);
    solve(h, iterations, true);
    for (size_t i = 0; i < s->movers; ++i) {
        s->bodies[i].rests = is_asleep(&h->bodies[i]);
        if (!s->bodies[i].rests) {
            move_body(&h->bodies[i], &s->bodies[i].pose);
        }
    }
    solve(h, relax_iterations, false);
    for (size_t i = 0; i < s->movers; ++i) {
        if (!is_asleep(&h->bodies[i])) {
            calm_down(&h->bodies[i]);
        }
    }
    return ABUT_OK;
}

void heap_take(heap *h, const stage *s, size_t body, abut_vec3 velocity) {
    const abut_pose *pose = &s->bodies[body].pose;
    heap_body *taken = &h->bodies[body];
    taken->at = vec_add(pose->position, quat_turn(pose->rotation, taken->centre));
    taken->velocity = velocity;
    taken->spin = vec(0, 0, 0);
    taken->still_frames = 0;
}

void heap_forget(heap *h) {
    free(h->now.points);
    free(h->now.first);
    free(h->before.points);
    free(h->before.first);
    *h = (heap){.bodies = h->bodies};
}

void heap_keep(heap *h, past_walk *w, size_t bodies) {
    heap_points *now = &h->now;
    size_t count = now->contact_count > 0 ? now->first[now->contact_count] : 0;
    past_piece(w, h->bodies, bodies * sizeof *h->bodies);
    past_piece(w, &now->contact_count, sizeof now->contact_count);
    past_piece(w, &count, sizeof count);
    if (!reserve_points(now, now->contact_count, (count + 3) / 4)) {
        now->contact_count = 0;
        w->short_of_memory = true;
        return;
    }
    past_piece(w, now->first, (now->contact_count > 0 ? now->contact_count + 1 : 0) * sizeof *now->first);
    past_piece(w, now->points, count * sizeof *now->points);
}
