/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Batches of thousands of questions, which hold what each question alone holds, on every instruction set and on several
 * threads; questions inside callbacks. */

#include "world/query/questions_worlds.h"
#include <abut/isa.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

enum { BATCHES = 5, BATCH = 1500, NEAR = 3, ROOM = 40000 };

/* The same questions, and the answers of one who asks. */
typedef struct questions {
    abut_ray ray[BATCH];
    abut_cast cast[BATCH];
    abut_shape shape[BATCH];
    abut_pose pose[BATCH];
    abut_vec3 point[BATCH];
    size_t n;
    float reach;
} questions;

typedef struct answers {
    abut_hit hit[BATCH], met[BATCH];
    uint8_t blocked[BATCH];
    abut_near near[BATCH * NEAR];
    uint32_t counts[BATCH];
    size_t ends[BATCH];
    abut_body_id touched[ROOM];
    abut_result result[BATCHES];
} answers;

static questions asked;

/* By body alone, so that it is pure. */
static bool accept_most(const abut_candidate *candidate, void *context) {
    (void)context;
    return candidate->body.index1 % 5 != 0;
}

/* Of a camera, and of all kinds; some are invalid. */
static void make_questions(subject *s, size_t n) {
    rng *r = &s->r;
    const abut_vec3 eye = subject_spot(s);
    asked.n = n;
    asked.reach = rng_chance(r, 0.5) ? INFINITY : subject_length(s);
    for (size_t k = 0; k < n; k++) {
        abut_vec3 from = k % 3 ? eye : subject_spot(s), to = subject_spot(s);
        asked.ray[k] = (abut_ray){.origin = from, .translation = {to.x - from.x, to.y - from.y, to.z - from.z}};
        asked.ray[k].ignore[0] = rng_chance(r, 0.1) ? subject_any(s) : (abut_body_id){0};
        asked.shape[k] = k % 2 ? subject_shape(s) : abut_sphere(s->scale * 0.5f);
        asked.pose[k] = subject_pose(s);
        asked.point[k] = from;
        asked.cast[k] = (abut_cast){.shape = asked.shape[k], .from = asked.pose[k]};
        asked.cast[k].from.position = from;
        asked.cast[k].translation = asked.ray[k].translation;
        asked.cast[k].ignore[1] = asked.ray[k].ignore[0];
        if (rng_chance(r, 0.01)) {
            asked.ray[k].translation.y = NAN;
            asked.cast[k].translation.y = NAN;
            asked.shape[k].radius = -1;
            asked.point[k].z = INFINITY;
        }
    }
}

/* All batches, beginning with number `first`. */
static void ask(const abut_world *world, const abut_query *query, int first, answers *out) {
    const questions *q = &asked;
    memset(out, 0xee, sizeof *out);
    for (int i = first; i < first + BATCHES; i++) {
        if (i % BATCHES == 0) {
            out->result[0] = abut_world_cast_rays(world, q->ray, q->n, query, out->hit);
        } else if (i % BATCHES == 1) {
            out->result[1] = abut_world_test_rays(world, q->ray, q->n, query, out->blocked);
        } else if (i % BATCHES == 2) {
            out->result[2] =
                abut_world_nearest_many(world, q->point, q->n, q->reach, query, out->near, NEAR, out->counts);
        } else if (i % BATCHES == 3) {
            out->result[3] =
                abut_world_overlaps_many(world, q->shape, q->pose, q->n, query, out->touched, ROOM, out->ends);
        } else {
            out->result[4] = abut_world_cast_shapes(world, q->cast, q->n, query, out->met);
        }
    }
    for (size_t k = 0; k < q->n; k++) { /* of NaN the bits do not count */
        out->hit[k].fraction = isnan(out->hit[k].fraction) ? -1 : out->hit[k].fraction;
        out->met[k].fraction = isnan(out->met[k].fraction) ? -1 : out->met[k].fraction;
    }
}

/* --- each alone --- */

static bool same_cast_alone(const abut_world *world, const abut_query *query, const abut_hit *met, size_t k) {
    abut_hit first, hit;
    (void)abut_world_cast_shapes(world, &asked.cast[k], 1, query, &hit);
    hit.fraction = isnan(hit.fraction) ? -1 : hit.fraction;
    bool any = abut_world_shape_hits(world, &asked.cast[k], query, &first, 1) > 0;
    return bits_equal(&hit, met, sizeof hit) && any == (hit.body.index1 != 0) &&
           (!any || bits_equal(&first, &hit, sizeof hit));
}

static bool same_alone(const abut_world *world, const abut_query *query, const answers *all, size_t k) {
    static abut_body_id touched[ROOM];
    const questions *q = &asked;
    const abut_shape point = abut_point();
    const abut_pose pose = {.position = q->point[k]};
    abut_hit first, hit;
    abut_near near[NEAR];
    uint8_t blocked;
    size_t begin = k ? all->ends[k - 1] : 0, count = all->ends[k] - begin;
    (void)abut_world_cast_rays(world, &q->ray[k], 1, query, &hit);
    (void)abut_world_test_rays(world, &q->ray[k], 1, query, &blocked);
    hit.fraction = isnan(hit.fraction) ? -1 : hit.fraction;
    bool met = abut_world_ray_hits(world, &q->ray[k], query, &first, 1) > 0;
    size_t found = abut_world_nearest(world, &point, &pose, q->reach, query, near, NEAR);
    size_t touches = abut_world_overlaps(world, &q->shape[k], &q->pose[k], query, touched, ROOM);
    return same_cast_alone(world, query, &all->met[k], k) && bits_equal(&hit, &all->hit[k], sizeof hit) &&
           blocked == all->blocked[k] && met == (blocked == 1) && (!met || bits_equal(&first, &hit, sizeof hit)) &&
           found == all->counts[k] && bits_equal(near, &all->near[k * NEAR], found * sizeof *near) &&
           touches == count &&
           (all->ends[k] > ROOM || bits_equal(touched, all->touched + begin, count * sizeof *touched));
}

static void check_batches(subject *s, const abut_query *query) {
    static answers all, other;
    const abut_isa best = abut_isa_active();
    ask(s->world, query, (int)rng_below(&s->r, BATCHES), &all);
    size_t total = asked.n ? all.ends[asked.n - 1] : 0;
    for (int i = 0; i < BATCHES; i++) {
        bool full = i == 3 && total > ROOM && all.result[i] == ABUT_ERROR_CAPACITY;
        check_case(all.result[i] == ABUT_OK || all.result[i] == ABUT_ERROR_ARGUMENT || full, "a batch: result",
                   s->stream, s->step);
    }
    for (size_t k = 0; k < asked.n; k += k % 16 == 0 ? 1 : 3) {
        check_case(same_alone(s->world, query, &all, k), "a question alone has another answer", s->stream, k);
    }
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            ask(s->world, query, 0, &other);
            check_case(bits_equal(&all, &other, sizeof all), "another instruction set has another answer", s->stream,
                       s->step);
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
}

static void batches_answer_each_question_as_if_alone(void **state) {
    (void)state;
    const abut_query most = {.accept = accept_most, .filter = {.mask = 7}};
    for (unsigned long round = 0; round < test_count(2 * WORLD_KINDS); round++) {
        subject s;
        subject_begin(&s, (world_kind)(round % WORLD_KINDS), 200000 + round);
        subject_add(&s, round % 5 ? 300 : 2000);
        for (s.step = 0; s.step < 2; s.step++) {
            subject_read(&s);
            make_questions(&s, rng_chance(&s.r, 0.3) ? BATCH : rng_below(&s.r, 300));
            subject_stir(&s);
            check_batches(&s, s.step == 0 ? NULL : &most);
        }
        subject_end(&s);
    }
}

/* --- threads --- */

#ifdef ABUT_TEST_THREADS
enum { THREADS = 3 };

typedef struct asker {
    const abut_world *world;
    abut_frustum view;
    const abut_query *query;
    int first;
    answers out;
} asker;

static void *ask_in_thread(void *user) {
    asker *a = user;
    abut_visible visible[8];
    if (a->first % 2) { /* others bring the same things up to date */
        const abut_obb2 candidate = {.axis = {1, 0}, .half = {1, 1}};
        abut_placement placement;
        (void)abut_world_cull(a->world, &a->view, 1, NULL, visible, 8);
        (void)abut_world_test_placements(a->world, &candidate, 1, NULL, &placement);
    }
    ask(a->world, a->query, a->first, &a->out);
    return NULL;
}

static void threads_get_the_same_answers(void **state) {
    (void)state;
    static asker a[THREADS];
    static answers alone;
    const abut_query most = {.accept = accept_most};
    for (unsigned long round = 0; round < test_count(3 * WORLD_KINDS); round++) {
        subject s;
        subject_begin(&s, (world_kind)(round % WORLD_KINDS), 300000 + round);
        subject_add(&s, 200 + rng_below(&s.r, 400));
        subject_read(&s);
        make_questions(&s, 60);
        const abut_obb all = {{0, 0, 0}, {0, 0, 0, 1}, {50 * s.scale, 50 * s.scale, 50 * s.scale}};
        for (s.step = 0; s.step < 8; s.step++) {
            pthread_t thread[THREADS];
            subject_stir(&s); /* the first of the threads to ask brings everything up to date */
            for (int k = 0; k < THREADS; k++) {
                a[k].world = s.world;
                a[k].query = round % 2 ? &most : NULL;
                a[k].first = k + (int)s.step;
                assert_int_equal(abut_frustum_orthographic(&all, &a[k].view), ABUT_OK);
                assert_int_equal(pthread_create(&thread[k], NULL, ask_in_thread, &a[k]), 0);
            }
            for (int k = 0; k < THREADS; k++) {
                assert_int_equal(pthread_join(thread[k], NULL), 0);
            }
            ask(s.world, a[0].query, 0, &alone);
            for (int k = 0; k < THREADS; k++) {
                check_case(bits_equal(&a[k].out, &alone, sizeof alone), "a thread has other answers", s.stream, s.step);
            }
            for (size_t k = 0; k < asked.n; k += 7) {
                check_case(same_alone(s.world, a[0].query, &alone, k), "alone there is another answer", s.stream, k);
            }
        }
        subject_end(&s);
    }
}
#else
static void threads_get_the_same_answers(void **state) {
    (void)state;
    skip();
}
#endif

/* --- inside callbacks --- */

/* Asks the same world again, and accepts what does not hold the origin of the world. */
typedef struct nested {
    const abut_world *world;
    size_t calls;
} nested;

static bool holds_spot(const abut_world *world, abut_body_id id, abut_vec3 spot) {
    abut_body_id touched[64];
    const abut_shape point = abut_point();
    const abut_pose pose = {.position = spot};
    size_t n = abut_world_overlaps(world, &point, &pose, NULL, touched, 64);
    for (size_t i = 0; i < n && i < 64; i++) {
        if (abut_body_id_equal(touched[i], id)) {
            return true;
        }
    }
    return false;
}

static bool accept_after_asking(const abut_candidate *candidate, void *context) {
    nested *c = context;
    abut_shape shape;
    abut_pose pose;
    abut_hit hit = {0};
    abut_near near;
    c->calls++;
    assert_int_equal(abut_body_get_shape(c->world, candidate->body, &shape, &pose), ABUT_OK);
    const abut_ray ray = {.origin = pose.position, .translation = {0, 100, 0}};
    assert_int_equal(abut_world_cast_rays(c->world, &ray, 1, NULL, &hit), ABUT_OK);
    assert_true(hit.body.index1 != 0 && hit.fraction == 0); /* a box holds its centre */
    assert_int_equal(abut_world_nearest(c->world, &shape, &pose, 0, NULL, &near, 1), 1);
    const abut_cast cast = {.shape = shape, .from = {.position = {0, 50, 0}}, .translation = {0, -100, 0}};
    assert_int_equal(abut_world_cast_shapes(c->world, &cast, 1, NULL, &hit), ABUT_OK);
    assert_true(hit.body.index1 != 0 && hit.fraction > 0);
    return !holds_spot(c->world, candidate->body, (abut_vec3){0, 0, 0});
}

static void accept_may_ask_the_same_world(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    for (int i = 0; i < 40; i++) {
        (void)add_cube(world, (float)i, 0, 0, i % 2 ? 0.5f : 0.75f);
    }
    nested c = {.world = world};
    const abut_query query = {.accept = accept_after_asking, .context = &c};
    const abut_ray ray = {.origin = {-10, 0, 0}, .translation = {100, 0, 0}};
    const abut_shape rod = abut_box(50, 0, 0);
    const abut_pose pose = {.position = {0, 0, 0}};
    abut_hit hit;
    abut_near near[40];
    size_t end;
    assert_int_equal(abut_world_cast_rays(world, &ray, 1, &query, &hit), ABUT_OK);
    assert_int_equal(hit.body.index1, 2); /* only the first cube holds the spot */
    assert_int_equal(abut_world_ray_hits(world, &ray, &query, NULL, 0), 39);
    assert_int_equal(abut_world_overlaps(world, &rod, &pose, &query, NULL, 0), 39);
    const abut_cast cast = {.shape = rod, .from = {.position = {0, 9, 0}}, .translation = {0, -18, 0}};
    assert_int_equal(abut_world_cast_shapes(world, &cast, 1, &query, &hit), ABUT_OK);
    assert_true(hit.body.index1 > 1 && hit.body.index1 % 2 == 1); /* one of those that are higher */
    assert_int_equal(abut_world_shape_hits(world, &cast, &query, NULL, 0), 39);
    assert_int_equal(abut_world_collide(world, &rod, &pose, 0.1f, &query, NULL, 0), 39);
    assert_int_equal(abut_world_nearest(world, &rod, &pose, INFINITY, &query, near, 40), 39);
    assert_int_equal(abut_world_overlaps_many(world, &rod, &pose, 1, &query, NULL, 0, &end), ABUT_ERROR_CAPACITY);
    assert_int_equal(end, 39);
    assert_true(c.calls >= 6 * 39);
    abut_world_destroy(&world);
}

typedef struct inside {
    abut_world *world;
    size_t calls, busy, hits;
} inside;

static bool refresh_while_stepping(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    inside *c = user;
    const abut_ray ray = {.origin = {-10, 0, 0}, .translation = {100, 0, 0}};
    (void)a, (void)b, (void)user_a, (void)user_b;
    c->calls++;
    c->busy += abut_world_refresh(c->world) == ABUT_ERROR_BUSY;
    c->hits += abut_world_ray_hits(c->world, &ray, NULL, NULL, 0);
    const abut_cast cast = {.shape = abut_point(), .from = {.position = ray.origin}, .translation = ray.translation};
    c->hits += abut_world_shape_hits(c->world, &cast, NULL, NULL, 0);
    return true;
}

static void refresh_is_busy_inside_a_step(void **state) {
    (void)state;
    inside c = {0};
    abut_body_id ids[30];
    abut_world *world = make_world(&(abut_world_def){.should_collide = refresh_while_stepping, .user = &c});
    c.world = world;
    for (int i = 0; i < 30; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.5f);
    }
    for (int round = 1; round <= 4; round++) {
        assert_int_equal(step_world(world), 29);
        assert_int_equal(c.busy, c.calls);
        assert_int_equal(c.hits, 60 * c.calls);
        assert_true(c.calls >= (size_t)round * 29);
        move_to(world, ids[round], (float)round, 0.1f, 0);
        assert_int_equal(abut_world_refresh(world), ABUT_OK);
    }
    abut_world_destroy(&world);
}

/* --- invalid queries --- */

static void check_refused(const abut_world *world, const abut_query *query) {
    const abut_ray ray = {.origin = {-10, 0, 0}, .translation = {100, 0, 0}};
    const abut_shape rod = abut_box(50, 0, 0);
    const abut_pose pose = {.position = {0, 0, 0}};
    const abut_vec3 point = {0, 0, 0};
    const abut_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    abut_hit hit;
    abut_near near;
    abut_touching touching;
    abut_body_id id;
    uint8_t blocked;
    uint32_t count;
    size_t end;
    assert_int_equal(abut_world_cast_rays(world, &ray, 1, query, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_test_rays(world, &ray, 1, query, &blocked), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_ray_hits(world, &ray, query, &hit, 1), 0);
    const abut_cast cast = {.shape = rod, .from = {.position = {0, 9, 0}}, .translation = {0, -18, 0}};
    assert_int_equal(abut_world_cast_shapes(world, &cast, 1, query, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_shape_hits(world, &cast, query, &hit, 1), 0);
    assert_int_equal(abut_world_overlaps(world, &rod, &pose, query, &id, 1), 0);
    assert_int_equal(abut_world_overlaps_many(world, &rod, &pose, 1, query, &id, 1, &end), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_collide(world, &rod, &pose, 0, query, &touching, 1), 0);
    assert_int_equal(abut_world_in_bounds(world, &box, query, &id, 1), 0);
    assert_int_equal(abut_world_nearest(world, &rod, &pose, INFINITY, query, &near, 1), 0);
    assert_int_equal(abut_world_nearest_many(world, &point, 1, 1, query, &near, 1, &count), ABUT_ERROR_ARGUMENT);
}

static void invalid_queries_are_refused_by_all(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    const abut_query bad[] = {
        {.filter = {.category = ABUT_MASK_NONE}},
        {.filter = {.category = 1 | ABUT_MASK_NONE}},
        {.ignore_count = 1},
        {.initial = (abut_initial)3},
        {.allowance = -1},
        {.allowance = NAN},
        {.allowance = INFINITY},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_refused(world, &bad[i]);
    }
    const abut_query nothing = {.filter = {.mask = ABUT_MASK_NONE}}; /* valid, and put to nobody */
    const abut_shape point = abut_point();
    const abut_pose pose = {.position = {0, 0, 0}};
    assert_int_equal(abut_world_overlaps(world, &point, &pose, &nothing, NULL, 0), 0);
    assert_int_equal(abut_world_overlaps(world, &point, &pose, NULL, NULL, 0), 1);
    abut_world_destroy(&world);
}

/* --- ties --- */

/* Thousands of bodies alike at one place: only their ids decide. */
static void ids_decide_between_equals(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static abut_hit hit[MANY], met[MANY];
    static abut_near near[MANY];
    abut_world *world = make_world(NULL);
    for (int i = 0; i < MANY; i++) {
        (void)add_cube(world, 1, 2, 3, 0.5f);
    }
    abut_body_id gone[3] = {id_of(1, 0), id_of(0, 0), id_of(0, 0)};
    abut_body_id ids[3];
    assert_int_equal(abut_world_bodies(world, ids, 3), MANY);
    gone[0] = ids[0];
    gone[1] = ids[2];
    assert_int_equal(abut_bodies_destroy(world, gone, 2), ABUT_OK);
    const abut_ray ray = {.origin = {-7, 2.25f, 3.25f}, .translation = {16, 0, 0}};
    const abut_shape sphere = abut_sphere(0.25f);
    const abut_pose pose = {.position = {1, 9, 3}};
    const abut_cast cast = {.shape = sphere, .from = pose, .translation = {0, -16, 0}};
    for (int round = 0; round < 2; round++) {
        assert_int_equal(abut_world_cast_rays(world, &ray, 1, NULL, hit), ABUT_OK);
        assert_int_equal(hit[0].body.index1, 2);
        assert_int_equal(abut_world_ray_hits(world, &ray, NULL, hit, 7), MANY - 2);
        assert_int_equal(abut_world_shape_hits(world, &cast, NULL, met, 7), MANY - 2);
        assert_int_equal(abut_world_nearest(world, &sphere, &pose, INFINITY, NULL, near, 7), 7);
        for (uint32_t i = 0; i < 7; i++) {
            assert_int_equal(hit[i].body.index1, i ? i + 3 : 2);
            assert_int_equal(met[i].body.index1, i ? i + 3 : 2);
            assert_int_equal(near[i].body.index1, i ? i + 3 : 2);
        }
        assert_int_equal(abut_world_ray_hits(world, &ray, NULL, hit, MANY), MANY - 2);
        assert_int_equal(abut_world_shape_hits(world, &cast, NULL, met, MANY), MANY - 2);
        assert_int_equal(abut_world_nearest(world, &sphere, &pose, INFINITY, NULL, near, MANY), MANY - 2);
        for (uint32_t i = 1; i < MANY - 2; i++) {
            assert_true(hit[i].body.index1 > hit[i - 1].body.index1);
            assert_true(met[i].body.index1 > met[i - 1].body.index1);
            assert_true(near[i].body.index1 > near[i - 1].body.index1);
        }
        assert_int_equal(abut_world_refresh(world), ABUT_OK);
    }
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_answer_each_question_as_if_alone),
        cmocka_unit_test(threads_get_the_same_answers),
        cmocka_unit_test(accept_may_ask_the_same_world),
        cmocka_unit_test(refresh_is_busy_inside_a_step),
        cmocka_unit_test(invalid_queries_are_refused_by_all),
        cmocka_unit_test(ids_decide_between_equals),
    };
    return test_run(tests);
}
