/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What a sweep says, against steps: the movers are placed at many fractions of their ways, and the contacts of a step
 * there tell who has run into whom. Only the public interface is used. */

#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { BODIES = 60, MOVERS = 8, SAMPLES = 64, PARTS = 3 };

/* A world, and what is to be swept. */
typedef struct course {
    abut_world *world;
    abut_hull *hull;
    abut_body_id ids[MOVERS];
    abut_pose from[MOVERS], to[MOVERS];
    abut_hit hits[MOVERS];
    size_t n;
    double scale; /* of the lengths that matter: what all tolerances go with */
    uint64_t stream;
    abut_query query;
    double start[BODIES + 1][BODIES + 1]; /* depth at the start, by index1; -INFINITY: apart */
} course;

/* --- making one --- */

static void random_shape(const course *c, rng *r, abut_body_def *def) {
    def->half = (abut_vec3){(float)rng_range(r, 0.02, 1), (float)rng_range(r, 0.02, 1), (float)rng_range(r, 0.02, 1)};
    switch (rng_below(r, 6)) {
    case 0: /* a thin wall */
        def->half = (abut_vec3){0.01f, 2, 2};
        break;
    case 1:
        def->hull = c->hull;
        break;
    case 2: /* a ball */
        def->radius = def->half.x;
        def->half = (abut_vec3){0, 0, 0};
        break;
    case 3: /* a capsule */
        def->radius = 0.1f;
        def->half.x = def->half.z = 0;
        break;
    case 4:
        def->radius = 0.1f;
        break;
    default:
        break;
    }
}

static abut_pose spot(rng *r, float offset) {
    abut_pose pose = {.position = rng_vec3(r, -4, 4), .rotation = rng_rotation(r)};
    pose.position.x += offset;
    return pose;
}

static void course_begin(course *c, uint64_t stream) {
    rng r = rng_make(test_seed(), stream);
    const float offset = rng_chance(&r, 0.2) ? 1000 : 0;
    *c = (course){.stream = stream, .scale = 60 + (double)offset};
    c->world = make_world(NULL);
    abut_vec3 corners[10];
    for (int i = 0; i < 10; i++) {
        corners[i] = rng_vec3(&r, -1, 1);
    }
    assert_int_equal(abut_hull_create(corners, 10, NULL, &c->hull), ABUT_OK);
    const size_t movers = 1 + rng_below(&r, MOVERS);
    for (size_t i = 0; i < BODIES; i++) {
        abut_body_def def = {.pose = spot(&r, offset)};
        random_shape(c, &r, &def);
        def.motion = i >= movers && rng_chance(&r, 0.5) ? ABUT_STATIC : ABUT_MOVING;
        if (i >= MOVERS && rng_chance(&r, 0.3)) { /* attached, mostly to a mover */
            def.parent = c->ids[rng_below(&r, (uint32_t)movers)];
            def.pose.position = rng_vec3(&r, -2, 2);
        }
        const abut_body_id id = add_body(c->world, &def);
        if (i < movers) {
            c->ids[c->n++] = id;
        }
    }
    for (size_t k = 0; k < c->n; k++) {
        assert_int_equal(abut_body_get_pose(c->world, c->ids[k], &c->from[k]), ABUT_OK);
        c->to[k] = rng_chance(&r, 0.7) ? spot(&r, offset) : c->from[k];
        if (rng_chance(&r, 0.3)) { /* a turn alone, or a way without one */
            c->to[k].position = c->from[k].position;
        } else if (rng_chance(&r, 0.3)) {
            c->to[k].rotation = c->from[k].rotation;
        }
    }
}

static void course_end(course *c) {
    abut_world_destroy(&c->world);
    abut_hull_destroy(&c->hull);
}

/* --- judging --- */

static bool is_mover(const course *c, abut_body_id id, size_t *k) {
    abut_body_id root;
    assert_int_equal(abut_body_get_root(c->world, id, &root), ABUT_OK);
    for (*k = 0; *k < c->n; ++*k) {
        if (abut_body_id_equal(root, c->ids[*k])) {
            return true;
        }
    }
    return false;
}

static void place(course *c, float fraction) {
    for (size_t k = 0; k < c->n; k++) {
        const abut_pose pose = abut_pose_between(&c->from[k], &c->to[k], fraction);
        assert_int_equal(abut_body_set_pose(c->world, c->ids[k], &pose), ABUT_OK);
    }
}

static double depth_of(const abut_manifold *manifold) {
    double depth = -INFINITY;
    for (uint32_t i = 0; i < manifold->count; i++) {
        depth = fmax(depth, -(double)manifold->points[i].separation);
    }
    return depth;
}

/* S + L of any two is less than the scale; rounding of poses is less than that, too. */
static double tolerance(const course *c) {
    return 1e-6 * c->scale;
}

typedef struct placed {
    abut_shape shape;
    abut_pose pose;
} placed;

static placed placed_of(const course *c, abut_body_id id) {
    placed p;
    assert_int_equal(abut_body_get_shape(c->world, id, &p.shape, &p.pose), ABUT_OK);
    return p;
}

static double gap_between(const course *c, abut_body_id a, abut_body_id b) {
    const placed p = placed_of(c, a), q = placed_of(c, b);
    return (double)abut_shape_distance(&p.shape, &p.pose, &q.shape, &q.pose, NULL, NULL);
}

/* Notes which pairs may count as touched at the start, and how deep they are. */
static void note_start(course *c) {
    abut_body_id ids[BODIES];
    const size_t n = abut_world_bodies(c->world, ids, BODIES);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const placed p = placed_of(c, ids[i]), q = placed_of(c, ids[j]);
            const float margin = (float)(2 * tolerance(c));
            abut_manifold m;
            bool near = abut_shape_collide(&p.shape, &p.pose, &q.shape, &q.pose, margin, &m);
            c->start[ids[i].index1][ids[j].index1] = near ? depth_of(&m) : -INFINITY;
        }
    }
}

/* How deep a contact may be of which no hit has been told. The normal may be that of a face although an edge shows 5 %
 * less depth, or 2^-10 of a half extent. */
static double allowed(const course *c, abut_body_id a, abut_body_id b) {
    const double start = c->start[a.index1][b.index1];
    if (start == -INFINITY) {
        return tolerance(c);
    }
    return c->query.initial == ABUT_INITIAL_SKIP
               ? INFINITY
               : (start + (double)c->query.allowance + 2 * tolerance(c)) * 1.06 + 0.002;
}

/* Whether no short way leads out: contacts may show a little more than the depth, see above. */
static bool is_deep(const course *c, abut_body_id a, abut_body_id b) {
    const placed p = placed_of(c, a), q = placed_of(c, b);
    rng r = rng_make(1, 1);
    for (int i = 0; i < 200; i++) {
        const abut_vec3 d = rng_direction(&r);
        const float way = (float)(1.5 * tolerance(c));
        abut_pose moved = p.pose;
        moved.position.x += d.x * way, moved.position.y += d.y * way, moved.position.z += d.z * way;
        if (!abut_shape_overlap(&p.shape, &moved, &q.shape, &q.pose)) {
            return false;
        }
    }
    return true;
}

/* Steps with the movers at this fraction: nothing may touch deeply whose hit comes later. */
static void judge_at(course *c, float fraction) {
    size_t count, k;
    place(c, fraction);
    (void)step_world(c->world);
    const abut_contact *contact = contacts_of(c->world, &count);
    for (size_t i = 0; i < count; i++) {
        const abut_body_id pair[2] = {contact[i].a, contact[i].b};
        const double depth = depth_of(&contact[i].manifold);
        if (depth <= allowed(c, pair[0], pair[1])) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            const bool late =
                is_mover(c, pair[side], &k) && c->hits[k].fraction > fraction && is_deep(c, pair[0], pair[1]);
            if (late) {
                print_error("at %a bodies %u and %u overlap by %a, %a at the start; the hit comes at %a\n",
                            (double)fraction, pair[0].index1, pair[1].index1, depth,
                            c->start[pair[0].index1][pair[1].index1], (double)c->hits[k].fraction);
            }
            check_case(!late, "tunnelled", c->stream, k);
        }
    }
}

static bool holds(const course *c, abut_body_id id, abut_vec3 point) {
    const placed p = placed_of(c, id);
    const abut_shape sphere = abut_point();
    const abut_pose at = {.position = point};
    return (double)abut_shape_distance(&p.shape, &p.pose, &sphere, &at, NULL, NULL) <= 2 * tolerance(c);
}

/* At the fraction of a hit both touch there, and just before it they do not. */
static void judge_hit(course *c, const abut_hit *hit) {
    const abut_vec3 n = hit->normal;
    const double length = sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z);
    size_t k;
    place(c, hit->fraction);
    check_case(gap_between(c, hit->mover, hit->body) <= 2 * tolerance(c), "a hit does not touch", c->stream, 0);
    check_case(holds(c, hit->mover, hit->position) && holds(c, hit->body, hit->position), "position", c->stream, 0);
    check_case(fabs(length - 1) < 1e-6, "normal", c->stream, 0);
    check_case(is_mover(c, hit->mover, &k), "mover", c->stream, 0);
}

static void nothing_tunnels(void **state) {
    (void)state;
    static course c;
    size_t hits = 0, misses = 0;
    for (unsigned long round = 0; round < test_count(250); round++) {
        course_begin(&c, 1000 + round);
        note_start(&c);
        c.query.initial = round % 2 ? ABUT_INITIAL_SKIP : ABUT_INITIAL_CLOSING;
        c.query.allowance = round % 4 == 2 ? 0.1f : 0;
        assert_int_equal(abut_world_sweep(c.world, c.ids, c.to, c.n, &c.query, c.hits), ABUT_OK);
        for (int i = 0; i <= SAMPLES; i++) {
            judge_at(&c, (float)i / SAMPLES);
        }
        for (size_t k = 0; k < c.n; k++) {
            hits += c.hits[k].body.index1 != 0;
            misses += c.hits[k].body.index1 == 0;
            if (c.hits[k].body.index1 == 0) {
                continue;
            }
            judge_hit(&c, &c.hits[k]);
            for (int i = 1; i <= PARTS; i++) { /* just before, where there is most to be seen */
                judge_at(&c, c.hits[k].fraction * (1 - ldexpf(1, -7 * i)));
            }
        }
        course_end(&c);
    }
    assert_true(test_count(250) < 20 || (hits > misses / 10 && misses > hits / 10));
}

/* A body that stops at its hit, again and again, never gets through the thin walls around it. */
static void what_stops_at_its_hits_stays_inside(void **state) {
    (void)state;
    const double half = 3, thin = 0.001;
    for (unsigned long round = 0; round < test_count(100); round++) {
        rng r = rng_make(test_seed(), 5000 + round);
        abut_world *world = make_world(NULL);
        for (int axis = 0; axis < 3; axis++) {
            for (int side = -1; side <= 1; side += 2) {
                abut_body_def def = {.half = {(float)half, (float)half, (float)half}, .motion = ABUT_STATIC};
                (&def.half.x)[axis] = (float)thin;
                (&def.pose.position.x)[axis] = (float)(side * half);
                (void)add_body(world, &def);
            }
        }
        abut_body_def def = {.half = {0.3f, 0.2f, 0.1f}, .radius = round % 2 ? 0.1f : 0};
        const abut_body_id id = add_body(world, &def);
        for (int move = 0; move < 60; move++) {
            abut_pose from, to = {.position = rng_vec3(&r, -9, 9), .rotation = rng_rotation(&r)};
            abut_hit hit;
            assert_int_equal(abut_body_get_pose(world, id, &from), ABUT_OK);
            assert_int_equal(abut_world_sweep(world, &id, &to, 1, NULL, &hit), ABUT_OK);
            /* a little before the hit, so that the next way begins apart */
            to = hit.body.index1 ? abut_pose_between(&from, &to, hit.fraction * 0.999f) : to;
            assert_int_equal(abut_body_set_pose(world, id, &to), ABUT_OK);
            for (int i = 0; i < 3; i++) {
                check_case(fabs((double)(&to.position.x)[i]) < half, "through a wall", round, (unsigned long)move);
            }
        }
        abut_world_destroy(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(what_stops_at_its_hits_stays_inside),
    };
    return test_run(tests);
}
