/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "hand.h"
#include "vec.h"

enum { frames_of_flight = 180 };
static const float frame = 1.0f / 60, fall = -9.81f, follow = 0.35f, fastest = 40; /* follow: of the way, in a frame */

static struct {
    enum { empty, holding, throwing } state;
    size_t body; /* of the stage */
    abut_pose pose;
    abut_vec3 target, velocity;
    uint32_t frames; /* of flight */
} hand;

void hand_forget(void) {
    hand.state = empty;
}

bool hand_grab(stage *s, uint32_t index1) {
    hand_forget();
    for (size_t i = 0; index1 != 0 && i < s->count; ++i) {
        abut_body_id root;
        abut_shape shape;
        uint64_t index;
        if (s->bodies[i].id.index1 != index1 || abut_body_get_root(s->world, s->bodies[i].id, &root) != ABUT_OK ||
            abut_body_get_user(s->world, root, &index) != ABUT_OK ||
            abut_body_get_shape(s->world, root, &shape, NULL) != ABUT_OK || shape.mesh != NULL) {
            continue;
        }
        hand.body = (size_t)index;
        hand.pose = s->bodies[index].pose;
        hand.target = hand.pose.position;
        hand.velocity = vec(0, 0, 0);
        hand.state = holding;
        return true;
    }
    return false;
}

void hand_drag(abut_vec3 to) {
    hand.target = to;
}

/* A scene with a solver has the body's speed already. */
void hand_release(const stage_scene *scene) {
    hand.frames = 0;
    hand.state = hand.state == holding && scene->take == NULL ? throwing : empty;
}

static void follow_target(void) {
    hand.velocity = vec_scale(vec_sub(hand.target, hand.pose.position), follow / frame);
    float speed = vec_length(hand.velocity);
    if (speed > fastest) {
        hand.velocity = vec_scale(hand.velocity, fastest / speed);
    }
    hand.pose.position = vec_along(hand.pose.position, frame, hand.velocity);
}

/* Until the body reaches the ground, or for three seconds. Then movers go on as their scene wants, others stay there.
 */
static void fly(const stage *s) {
    abut_aabb bounds;
    hand.velocity.y += fall * frame;
    hand.pose.position = vec_along(hand.pose.position, frame, hand.velocity);
    if (abut_body_get_bounds(s->world, s->bodies[hand.body].id, &bounds) == ABUT_OK) {
        float low = bounds.min.y + frame * hand.velocity.y; /* bounds are those of the last frame */
        if (low < 0 && hand.velocity.y < 0) {
            hand.pose.position.y -= low;
            hand.state = empty;
        }
    }
    if (++hand.frames >= frames_of_flight) {
        hand.state = empty;
    }
}

abut_result hand_move(stage *s, const stage_scene *scene) {
    if (hand.state == empty) {
        return ABUT_OK;
    }
    stage_body *body = &s->bodies[hand.body];
    if (hand.state == holding) {
        follow_target();
    } else {
        fly(s);
    }
    body->pose = hand.pose;
    body->rests = false;
    if (scene->take != NULL) {
        scene->take(s, hand.body, hand.velocity);
    }
    return hand.body < s->movers ? ABUT_OK : abut_body_set_pose(s->world, body->id, &body->pose);
}
