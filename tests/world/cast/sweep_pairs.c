/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/cast/sweep_pairs.h"
#include "base/spatial.h"
#include "world/body/body.h"
#include <math.h>

static const uint32_t NO_ELEMENT = UINT32_MAX;

/* A body of the world in a sweep. */
typedef struct traveller {
    body_now now; /* what may_touch reads */
    uint32_t slot, element;
    bool counts; /* by the query */
    abut_np_way way;
    double min[3], max[3], room; /* a box around all of its way, and what is added to that */
} traveller;

struct sweep_pairs {
    const subject *s;
    size_t n, mover, other; /* the next pair */
    traveller who[SUBJECT_MOST];
};

static sweep_pairs the;

/* --- ways --- */

/* The pose of a shape in the frame of the root of its compound: innermost first, in double. Returns false where it is
 * the identity. */
static bool in_root(const abut_world *world, uint32_t slot, abut_dpose *local) {
    bool known = false;
    if (world->flags[slot] & ABUT_W_BOXED) {
        *local = abut_dpose_from(abut_w_box_of(world, slot));
        known = true;
    }
    for (uint32_t up; (up = abut_w_parent_plus_one(world, slot)) != 0; slot = up - 1) {
        const abut_pose pose = abut_w_pose_of(world, slot);
        *local = known ? abut_dpose_compose(abut_dpose_from(&pose), *local) : abut_dpose_from(&pose);
        known = true;
    }
    return known;
}

static bool within(abut_d3 v) {
    const double most = (double)ABUT_MAX_COORDINATE;
    return fabs(v.x[0]) <= most && fabs(v.x[1]) <= most && fabs(v.x[2]) <= most;
}

/* Whether a shape may be there: its pose and its bounds. */
static bool may_be_at(const abut_shape *shape, abut_dpose at) {
    const abut_pose pose = abut_pose_round(at);
    const abut_aabb bounds = abut_shape_bounds(shape, &pose);
    return within(at.position) && within(abut_d3_from(bounds.min)) && within(abut_d3_from(bounds.max));
}

/* Whether the whole compound may be there. */
static bool may_go(const subject *s, abut_body_id root, const abut_pose *to) {
    for (size_t i = 0; i < s->count; i++) {
        const living *b = &s->body[i];
        const abut_dpose target = abut_dpose_from(to);
        abut_dpose local;
        bool moved = abut_body_id_equal(b->root, root) && in_root(s->world, b->id.index1 - 1, &local);
        if (abut_body_id_equal(b->root, root) &&
            !may_be_at(&b->shape, moved ? abut_dpose_compose(target, local) : target)) {
            return false;
        }
    }
    return within(abut_d3_from(to->position));
}

static bool finite(const abut_pose *pose) {
    return abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

/* A box around all of the way, far too large. */
static void surround(traveller *t) {
    double length = t->way.reach * 8;
    for (int i = 0; i < 3; i++) {
        length += fabs(t->way.translation.x[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double from = t->way.from.x[i], to = from + t->way.translation.x[i];
        t->min[i] = fmin(from, to) - t->way.reach;
        t->max[i] = fmax(from, to) + t->way.reach;
    }
    t->room = length;
}

/* Certainly farther apart, all the way, than any tolerance. */
static bool far_apart(const traveller *a, const traveller *b) {
    double distance = a->room + b->room;
    for (int i = 0; i < 3; i++) {
        distance += fmax(a->max[i], b->max[i]) - fmin(a->min[i], b->min[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double gap = fmax(a->min[i], b->min[i]) - fmin(a->max[i], b->max[i]);
        if (gap > 1e-4 * distance) {
            return true;
        }
    }
    return false;
}

static void begin_way(traveller *t, const living *b, const abut_world *world, const abut_pose *to) {
    abut_collider collider;
    assert_true(abut_collider_from_shape(&b->shape, &b->pose, &collider));
    if (to) {
        abut_dpose local;
        const abut_pose from = abut_w_pose_of(world, b->root.index1 - 1);
        bool moved = in_root(world, t->slot, &local);
        abut_np_way_of(&collider, moved ? &local : NULL, &from, to, &t->way);
    } else {
        abut_np_way_still(&collider, &t->way);
    }
    surround(t);
}

sweep_pairs *sweep_pairs_begin(const asking *a, const abut_body_id *ids, const abut_pose *targets, size_t n,
                               abut_result *error) {
    static uint32_t element[SUBJECT_SLOTS], who[SUBJECT_MOST]; /* elements by the slots of roots */
    static abut_pose to[SUBJECT_MOST];
    sweep_pairs *p = &the;
    const subject *s = p->s = a->s;
    memset(element, 0xff, sizeof element);
    for (size_t k = 0; k < n; k++) {
        error[k] = ABUT_ERROR_ARGUMENT;
        if (finite(&targets[k])) {
            to[k] = abut_pose_normal(&targets[k]);
            error[k] = may_go(s, ids[k], &to[k]) ? ABUT_OK : ABUT_ERROR_LIMIT;
        }
        element[ids[k].index1 - 1] = error[k] ? NO_ELEMENT : (uint32_t)k;
    }
    p->n = s->count;
    for (size_t i = 0; i < s->count; i++) {
        const living *b = &s->body[i];
        traveller *t = &p->who[i];
        *t = (traveller){.now = {.filter = b->filter, .root = b->root.index1}, .slot = b->id.index1 - 1};
        assert_int_equal(abut_body_get_motion(s->world, b->id, &t->now.motion), ABUT_OK);
        t->element = element[b->root.index1 - 1];
        begin_way(t, b, s->world, t->element == NO_ELEMENT ? NULL : &to[t->element]);
    }
    for (size_t i = asking_whom(a, NULL, 0, who); i > 0; i--) {
        p->who[who[i - 1]].counts = true;
    }
    p->mover = p->other = 0;
    return p;
}

/* --- pairs --- */

static abut_vec3 negated(abut_vec3 v) {
    return (abut_vec3){0.0f - v.x, 0.0f - v.y, 0.0f - v.z};
}

/* Of two movers the one of the lower slot is asked about first. */
static bool meet(const traveller *mover, const traveller *other, abut_initial initial, float allowance, sweep_met *m) {
    *m = (sweep_met){.element = mover->element, .mover = mover->slot, .body = other->slot};
    m->swapped = other->element != NO_ELEMENT && other->slot < mover->slot;
    const traveller *a = m->swapped ? other : mover, *b = m->swapped ? mover : other;
    if (far_apart(a, b) || !abut_np_sweep(&a->way, &b->way, initial, allowance, 1, &m->met)) {
        return false;
    }
    m->met.normal = m->swapped ? negated(m->met.normal) : m->met.normal;
    return m->met.fraction <= 1;
}

bool sweep_pairs_next(sweep_pairs *p, abut_initial initial, float allowance, sweep_met *met) {
    for (; p->mover < p->n; p->mover++, p->other = 0) {
        const traveller *mover = &p->who[p->mover];
        while (mover->element != NO_ELEMENT && p->other < p->n) {
            const traveller *other = &p->who[p->other++];
            if (other->counts && may_touch(&mover->now, &other->now) && meet(mover, other, initial, allowance, met)) {
                return true;
            }
        }
    }
    return false;
}

static abut_body_id id_of_slot(const sweep_pairs *p, uint32_t slot) {
    for (size_t i = 0; i < p->n; i++) {
        if (p->who[i].slot == slot) {
            return p->s->body[i].id;
        }
    }
    return (abut_body_id){0};
}

abut_hit sweep_hit(const sweep_pairs *p, const sweep_met *met) {
    abut_hit hit = {.body = id_of_slot(p, met->body), .mover = id_of_slot(p, met->mover)};
    assert_int_equal(abut_body_get_user(p->s->world, hit.body, &hit.user), ABUT_OK);
    hit.fraction = abut_np_ray_fraction(met->met.fraction);
    hit.position = met->met.position;
    hit.normal = met->met.normal;
    return hit;
}
