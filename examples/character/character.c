/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "character.h"
#include "vectors.h"

enum { max_bumps = 6, max_pushes = 4, max_touching = 16 };

/* Who slides along a wall leaves it by this part of the way, so that rounding cannot lead into the wall. */
static const float hair = 1.0f / 8192;

character character_at(const abut_world *world, abut_vec3 position) {
    return (character){.world = world,
                       .capsule = abut_capsule(0.6f, 0.3f),
                       .step_height = 0.35f,
                       .least_up = 0.7f,
                       .jump_speed = 5,
                       .gravity = 10,
                       .position = position};
}

float character_skin(const character *c) {
    return c->capsule.radius / 256;
}

static float foot_of(const character *c) {
    return c->position.y - c->capsule.half.y - c->capsule.radius;
}

/* --- moving: nothing else than advance changes the position, so nothing gets through anything --- */

/* Goes along *way until something is in the way, and leaves the rest of the way in *way. What the capsule touches
 * already stops it only if the way leads inward (ABUT_INITIAL_CLOSING): it may leave a wall, and walk on a floor. */
static abut_hit advance(character *c, abut_vec3 *way) {
    const abut_cast cast = {
        .shape = c->capsule, .from.position = c->position, .translation = *way, .ignore = {c->body}};
    abut_hit hit;
    ++c->counts.casts;
    if (abut_world_cast_shapes(c->world, &cast, 1, c->query, &hit) != ABUT_OK) {
        *way = (abut_vec3){0}; /* infinite, or out of this world: stay */
        return (abut_hit){.fraction = 1};
    }
    c->position = add(c->position, scale(*way, hit.fraction));
    *way = scale(*way, 1 - hit.fraction);
    return hit;
}

/* --- ground --- */

/* Whether the character can stand on what it has hit: its normal says so, or it is an edge (of a stair) and the face
 * behind the edge is flat enough. A ray looks for that face from just above, a little farther in. */
static bool stands_on(const character *c, const abut_hit *hit) {
    const float reach = c->capsule.radius / 8;
    abut_hit face;
    if (hit->body.index1 == 0 || hit->normal.y <= 0) {
        return false;
    }
    if (hit->normal.y >= c->least_up) {
        return true;
    }
    abut_vec3 from = sub(hit->position, scale(flat(hit->normal), reach));
    from.y += 2 * reach;
    const abut_ray ray = {.origin = from, .translation = {0, -4 * reach, 0}, .ignore = {c->body}};
    return abut_world_cast_rays(c->world, &ray, 1, c->query, &face) == ABUT_OK && face.normal.y >= c->least_up;
}

static void stand_on(character *c, abut_body_id ground) {
    abut_pose pose;
    c->on_ground = true;
    c->rising = 0;
    c->ground = (abut_body_id){0};
    if (abut_body_get_world_pose(c->world, ground, &pose) == ABUT_OK) {
        c->ground = ground;
        c->ground_at = pose.position;
    }
}

/* Downhill and down stairs a walker follows the ground, if it is no deeper than a step. */
static bool snap_to_ground(character *c) {
    const abut_vec3 before = c->position;
    abut_vec3 way = {0, -c->step_height, 0};
    const abut_hit hit = advance(c, &way);
    if (stands_on(c, &hit)) {
        stand_on(c, hit.body);
        c->counts.snaps += hit.fraction > 0;
        return true;
    }
    c->position = before;
    return false;
}

/* --- sliding --- */

static bool enters(abut_vec3 way, const abut_vec3 *planes, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        if (dot(way, planes[i]) < 0) {
            return true;
        }
    }
    return false;
}

static abut_vec3 along_plane(abut_vec3 way, abut_vec3 normal) {
    const abut_vec3 slid = sub(way, scale(normal, dot(way, normal)));
    return add(slid, scale(normal, hair * length(slid)));
}

static abut_vec3 along_crease(abut_vec3 way, abut_vec3 a, abut_vec3 b) {
    const abut_vec3 crease = cross(a, b);
    const float squared = dot(crease, crease);
    if (squared < 1e-6f) {
        return (abut_vec3){0};
    }
    const abut_vec3 slid = scale(crease, dot(way, crease) / squared);
    return add(slid, scale(add(a, b), hair * length(slid)));
}

/* What is left of a way between planes that have stopped it: along one of them, along the crease of two, or nothing.
 * The last plane has just stopped the way, even where `dot`, which is rounded, does not find it. */
static abut_vec3 clip(abut_vec3 way, const abut_vec3 *planes, size_t n) {
    for (size_t i = n; i-- > 0;) {
        const abut_vec3 slid = along_plane(way, planes[i]);
        if ((i + 1 == n || dot(way, planes[i]) < 0) && !enters(slid, planes, n)) {
            return slid;
        }
    }
    for (size_t i = 1; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) {
            const abut_vec3 slid = along_crease(way, planes[i], planes[j]);
            if (!enters(slid, planes, n)) {
                return slid;
            }
        }
    }
    return (abut_vec3){0};
}

/* Who walks into a slope that is too steep must not be led up: it is a wall. */
static abut_vec3 as_wall(const character *c, abut_vec3 normal) {
    return normal.y > 0 && normal.y < c->least_up ? flat(normal) : normal;
}

/* Up, ahead and down again, if that leads onward (not just by what coordinates are rounded by) and onto something to
 * stand on that is no higher than a step. */
static bool step_up(character *c, abut_vec3 *way) {
    const abut_vec3 before = c->position;
    const float foot = foot_of(c);
    abut_vec3 up = {0, c->step_height, 0}, ahead = {way->x, 0, way->z};
    advance(c, &up);
    advance(c, &ahead);
    abut_vec3 gone = sub(c->position, before), down = {0, -gone.y, 0};
    const abut_hit hit = advance(c, &down);
    const bool onward = 64 * (gone.x * way->x + gone.z * way->z) > way->x * way->x + way->z * way->z;
    if (onward && (hit.body.index1 == 0 || (stands_on(c, &hit) && hit.position.y - foot <= c->step_height))) {
        *way = ahead;
        ++c->counts.steps;
        return true;
    }
    c->position = before;
    return false;
}

typedef enum cause { WALKING, FALLING, CARRIED } cause;

/* Goes a way, around corners, and when walking up steps, until the way is used up or blocked, or leads back. A fall
 * also ends on ground. Returns how many planes were in the way. */
static size_t slide(character *c, abut_vec3 way, cause why) {
    const abut_vec3 whole = way;
    abut_vec3 planes[max_bumps];
    size_t count = 0;
    for (int bump = 0; bump < max_bumps && dot(way, whole) > 0; ++bump) {
        const abut_hit hit = advance(c, &way);
        if (hit.body.index1 == 0) {
            break;
        }
        if (why == FALLING && whole.y < 0 && stands_on(c, &hit)) {
            stand_on(c, hit.body);
            break;
        }
        if (why == WALKING && c->on_ground && hit.normal.y < c->least_up) {
            if (step_up(c, &way)) {
                continue;
            }
            c->counts.slopes += hit.normal.y > 0.1f;
        }
        planes[count++] = why == WALKING ? as_wall(c, hit.normal) : hit.normal;
        way = clip(way, planes, count);
    }
    return count;
}

/* Falls, or rises in a jump. */
static void fall(character *c, float seconds) {
    const float before = c->position.y, whole = c->rising * seconds;
    c->on_ground = false;
    const size_t planes = slide(c, (abut_vec3){0, whole, 0}, FALLING);
    const float gone = c->position.y - before;
    if (c->on_ground) {
        ++c->counts.landings;
    } else if (whole > 0 && planes > 0) {
        c->rising = gone / seconds; /* a ceiling */
    } else if (planes > 1 && gone > whole / 8) {
        ++c->counts.wedges; /* between walls: what cannot fall stands */
        stand_on(c, (abut_body_id){0});
    }
}

/* --- what moves by itself --- */

/* Goes along with what it stands on. (A turning platform would have to turn ground_at as well.) */
static void ride(character *c) {
    abut_pose pose;
    if (c->on_ground && abut_body_get_world_pose(c->world, c->ground, &pose) == ABUT_OK) {
        abut_vec3 way = sub(pose.position, c->ground_at);
        if (dot(way, way) > 0) {
            ++c->counts.rides;
            slide(c, way, CARRIED);
        }
    }
}

/* abut_world_collide has no `ignore` of its own: the character's body and what is attached to it are passed over here,
 * before the query's own `accept`. */
static bool is_solid(const abut_candidate *met, void *context) {
    const character *c = context;
    abut_body_id own, other;
    if (abut_body_get_root(c->world, c->body, &own) == ABUT_OK &&
        abut_body_get_root(c->world, met->body, &other) == ABUT_OK && abut_body_id_equal(own, other)) {
        return false;
    }
    return c->query == NULL || c->query->accept == NULL || c->query->accept(met, c->query->context);
}

/* Leaves what has come too deep into the capsule, the deepest first. Pushes are casts, too: no push leads through a
 * wall. */
static void push_out(character *c) {
    abut_query others = c->query != NULL ? *c->query : (abut_query){0};
    others.accept = is_solid;
    others.context = c;
    for (int push = 0; push < max_pushes; ++push) {
        abut_touching found[max_touching];
        abut_vec3 way = {0};
        float deepest = character_skin(c);
        size_t n = abut_world_collide(c->world, &c->capsule, &(abut_pose){.position = c->position}, 0, &others, found,
                                      max_touching);
        for (size_t i = 0; i < n && i < max_touching; ++i) {
            const abut_manifold *m = &found[i].manifold;
            for (uint32_t k = 0; k < m->count; ++k) {
                if (-m->points[k].separation > deepest) {
                    deepest = -m->points[k].separation;
                    way = scale(m->normal, deepest);
                }
            }
        }
        if (dot(way, way) == 0) {
            return;
        }
        ++c->counts.pushes;
        slide(c, way, CARRIED);
    }
}

void character_move(character *c, abut_vec3 velocity, bool jump, float seconds) {
    ride(c);
    push_out(c);
    if (jump && c->on_ground) {
        ++c->counts.jumps;
        c->on_ground = false;
        c->rising = c->jump_speed;
    }
    const bool walked = c->on_ground;
    slide(c, scale((abut_vec3){velocity.x, 0, velocity.z}, seconds), WALKING);
    if (!walked || !snap_to_ground(c)) {
        c->rising -= c->gravity * seconds;
        fall(c, seconds);
    }
}
