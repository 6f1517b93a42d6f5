/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A world of shapes of every kind, whose bodies come, go, move and change, against brute force: all pairs by the oracle
 * of distance after every step, with filters, attachments, details and margins. */

#include "support/near_round.h"
#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 40, PAIRS = BODIES * BODIES / 2 };

/* A living body as the world tells it. */
typedef struct body {
    abut_body_id id, root;
    abut_shape shape;
    abut_pose pose;
    abut_aabb bounds;
    abut_filter filter;
    abut_motion motion;
    abut_detail detail;
    const core *core;
    struct core own;
} body;

typedef struct pair {
    abut_body_id a, b;
} pair;

typedef struct run {
    rng r;
    uint64_t stream;
    unsigned long step;
    abut_world *world;
    bool quiet;         /* little happens: bodies come to rest */
    float margin, cell; /* cell: bodies stand on a lattice of this width, so that many touch exactly; or 0 */
    round_hulls *hulls;
    uint32_t count;
    body body[BODIES];
    pair before[PAIRS]; /* the contacts of the last step */
    size_t before_count;
    unsigned long contacts, kinds[ROUND_KINDS], close;
} run;

#define check(run, ok, what) check_case(ok, what, (run)->stream, (run)->step)

/* What a body may be */

static abut_shape random_shape(run *w) {
    rng *r = &w->r;
    round_kind kind = (round_kind)rng_below(r, ROUND_KINDS);
    w->kinds[kind]++;
    float size = w->cell > 0 ? w->cell * (float)(1 + rng_below(r, 2)) / 2 : (float)rng_log_range(r, 0.1, 1.5);
    if (kind == ROUND_HULL || kind == ROUND_ROUNDED_HULL) {
        return abut_convex(w->hulls->hull[rng_below(r, ROUND_LATTICE_HULLS)], kind == ROUND_HULL ? 0 : size / 2);
    }
    abut_shape out = abut_sphere(kind == ROUND_BOX ? 0 : size);
    if (kind == ROUND_CAPSULE) {
        out.half.y = size * (float)(1 + rng_below(r, 3)) / 2;
    } else if (kind != ROUND_SPHERE) {
        out.half = w->cell > 0 ? (abut_vec3){size, size, size} : rng_vec3(r, 0.1, 1);
        out.half.y *= rng_chance(r, 0.1) ? 0.0f : 1.0f;
        out.half.x *= rng_chance(r, 0.1) ? 0.0f : 1.0f;
    }
    return out;
}

static abut_pose random_place(run *w, double extent) {
    rng *r = &w->r;
    abut_pose pose = random_pose(r, extent);
    if (w->cell > 0) {
        float *p = &pose.position.x;
        for (int k = 0; k < 3; k++) {
            p[k] = w->cell * (float)((int)rng_below(r, 9) - 4) / 2;
        }
        if (rng_chance(r, 0.8)) {
            pose.rotation = rng_chance(r, 0.5) ? (abut_quat){0, 0, 0, 1} : (abut_quat){0, 1, 0, 1};
        }
    }
    return pose;
}

static abut_filter random_filter(rng *r) {
    if (rng_chance(r, 0.7)) {
        return (abut_filter){0};
    }
    return (abut_filter){UINT64_C(1) << rng_below(r, 3), rng_u64(r) & 7, (int32_t)rng_below(r, 4) - 2};
}

static abut_detail random_detail(rng *r) {
    return rng_chance(r, 0.7) ? ABUT_DETAIL_MANIFOLD : (abut_detail)rng_below(r, 3);
}

/* What happens to it */

static abut_body_id somebody(run *w) {
    abut_body_id ids[BODIES];
    size_t n = abut_world_bodies(w->world, ids, BODIES);
    return n ? ids[rng_below(&w->r, (uint32_t)n)] : (abut_body_id){0};
}

static void add(run *w) {
    rng *r = &w->r;
    abut_shape shape = random_shape(w);
    abut_body_def def = {.pose = random_place(w, 3), .half = shape.half, .hull = shape.hull, .radius = shape.radius};
    def.box.rotation.w = 1;
    if (rng_chance(r, 0.2) && !shape.hull) {
        def.box = random_place(w, 0.5);
    }
    def.motion = rng_chance(r, 0.25) ? ABUT_STATIC : ABUT_MOVING;
    def.filter = random_filter(r);
    def.detail = random_detail(r);
    if (rng_chance(r, 0.25)) {
        def.parent = somebody(w);
        def.pose = random_place(w, 1);
    }
    add_body(w->world, &def);
}

static void change(run *w) {
    rng *r = &w->r;
    abut_body_id id = somebody(w), parent;
    abut_pose pose = random_place(w, 3), shift = random_place(w, 0.3);
    abut_filter filter = random_filter(r);
    abut_shape shape = random_shape(w);
    abut_result result = ABUT_OK;
    check(w, abut_body_get_parent(w->world, id, &parent) == ABUT_OK, "a parent can be read");
    switch (rng_below(r, 8)) {
    case 0:
        result = abut_body_set_filter(w->world, id, &filter);
        break;
    case 1:
        result = abut_body_set_detail(w->world, id, random_detail(r));
        break;
    case 2:
        result = parent.index1 ? ABUT_OK : abut_body_set_motion(w->world, id, (abut_motion)rng_below(r, 2));
        break;
    case 3:
    case 4:
        result = abut_body_set_shape(w->world, id, &shape, rng_chance(r, 0.5) || shape.hull ? NULL : &shift);
        break;
    default:
        result = abut_body_set_pose(w->world, id, &pose);
    }
    check(w, result == ABUT_OK, "a body can be changed");
}

static void act(run *w) {
    uint32_t changes = rng_below(&w->r, w->quiet ? 2 : 8);
    size_t count = abut_world_body_count(w->world);
    while (count < BODIES / 2 || (count < BODIES - 1 && rng_chance(&w->r, w->quiet ? 0.02 : 0.2))) {
        add(w);
        count = abut_world_body_count(w->world);
    }
    for (uint32_t i = 0; i < changes; i++) {
        change(w);
    }
    if (rng_chance(&w->r, w->quiet ? 0.02 : 0.1)) {
        check(w, abut_body_destroy(w->world, somebody(w)) == ABUT_OK, "a body can be destroyed");
    }
}

/* What must be there */

static const core *core_of(run *w, body *b) {
    for (uint32_t i = 0; i < ROUND_HULLS && b->shape.hull; i++) {
        if (b->shape.hull == w->hulls->hull[i]) {
            return &w->hulls->core[i];
        }
    }
    check(w, !b->shape.hull, "a hull comes back as it was given");
    core_of_box(b->shape.half, &b->own);
    return &b->own;
}

static void read_all(run *w) {
    abut_body_id ids[BODIES];
    w->count = (uint32_t)abut_world_bodies(w->world, ids, BODIES);
    check(w, w->count <= BODIES, "not too many bodies");
    for (uint32_t i = 0; i < w->count; i++) {
        body *b = &w->body[i];
        b->id = ids[i];
        bool ok = abut_body_get_shape(w->world, b->id, &b->shape, &b->pose) == ABUT_OK;
        ok &= abut_body_get_root(w->world, b->id, &b->root) == ABUT_OK;
        ok &= abut_body_get_bounds(w->world, b->id, &b->bounds) == ABUT_OK;
        ok &= abut_body_get_filter(w->world, b->id, &b->filter) == ABUT_OK;
        ok &= abut_body_get_motion(w->world, b->id, &b->motion) == ABUT_OK;
        ok &= abut_body_get_detail(w->world, b->id, &b->detail) == ABUT_OK;
        abut_aabb bounds = abut_shape_bounds(&b->shape, &b->pose);
        check(w, ok, "a body can be read");
        check(w, bits_equal(&bounds, &b->bounds, sizeof bounds), "the bounds are those of the shape");
        b->core = core_of(w, b);
    }
}

static bool let_touch(const body *a, const body *b) {
    if (abut_body_id_equal(a->root, b->root) || (a->motion == ABUT_STATIC && b->motion == ABUT_STATIC)) {
        return false;
    }
    if (a->filter.group != 0 && a->filter.group == b->filter.group) {
        return a->filter.group > 0;
    }
    return (a->filter.category & b->filter.mask) && (b->filter.category & a->filter.mask);
}

/* The largest gap along a coordinate. */
static float gap_of_bounds(const abut_aabb *a, const abut_aabb *b) {
    const float *x = &a->min.x, *y = &b->min.x;
    float gap = -INFINITY;
    for (int k = 0; k < 3; k++) {
        gap = fmaxf(gap, fmaxf(y[k] - x[k + 3], x[k] - y[k + 3]));
    }
    return gap;
}

/* Whether two bodies are in contact as the law has it: 1 yes, 0 no, -1 too close to call. */
static int expected(run *w, const body *a, const body *b) {
    abut_detail detail = a->detail > b->detail ? a->detail : b->detail;
    float margin = detail == ABUT_DETAIL_MANIFOLD ? w->margin : 0, apart = gap_of_bounds(&a->bounds, &b->bounds);
    if (!let_touch(a, b) || apart > margin * 1.01f + 1e-5f) {
        return 0;
    }
    if (detail == ABUT_DETAIL_BOUNDS) {
        return apart <= 0;
    }
    distance_truth t = distance_oracle(a->core, &a->pose, b->core, &b->pose);
    double size = distance_size(a->core, a->shape.radius, &a->pose, b->core, b->shape.radius, &b->pose);
    double gap = (double)(t.distance - a->shape.radius - b->shape.radius - margin);
    w->close += fabs(gap) < 1e-7 * size;
    if (fabs(gap) <= 1e-12 * size) { /* no touch is missed, none is invented beyond */
        return gap <= -1e-28 * size || (double)t.distance == (double)a->shape.radius + b->shape.radius + margin ? 1
                                                                                                                : -1;
    }
    return gap < 0;
}

static const abut_contact *find(const abut_contact *list, size_t count, const body *a, const body *b) {
    for (size_t i = 0; i < count; i++) {
        if (abut_body_id_equal(list[i].a, a->id) && abut_body_id_equal(list[i].b, b->id)) {
            return &list[i];
        }
    }
    return NULL;
}

static void check_manifold(run *w, const body *a, const body *b, const abut_contact *c) {
    abut_manifold m;
    memset(&m, 0, sizeof m);
    bool points = a->detail == ABUT_DETAIL_MANIFOLD && b->detail == ABUT_DETAIL_MANIFOLD;
    if (points) {
        check(w, abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, w->margin, &m), "collide agrees");
    }
    check(w, bits_equal(&m, &c->manifold, sizeof m), "the manifold is that of abut_shape_collide");
}

static void report(const body *b) {
    const abut_vec3 *p = &b->pose.position, *h = &b->shape.half;
    const abut_quat *q = &b->pose.rotation;
    fprintf(stderr, "body %u: half %a %a %a hull %d radius %a at {%a, %a, %a} {%a, %a, %a, %a} detail %d\n",
            (unsigned)b->id.index1, (double)h->x, (double)h->y, (double)h->z, b->shape.hull != NULL,
            (double)b->shape.radius, (double)p->x, (double)p->y, (double)p->z, (double)q->x, (double)q->y, (double)q->z,
            (double)q->w, (int)b->detail);
}

static void check_contacts(run *w) {
    size_t count, found = 0;
    const abut_contact *list = contacts_of(w->world, &count);
    for (uint32_t i = 0; i < w->count; i++) {
        for (uint32_t j = i + 1; j < w->count; j++) {
            const body *a = &w->body[i], *b = &w->body[j];
            const abut_contact *c = find(list, count, a, b);
            int truth = expected(w, a, b);
            found += c != NULL;
            if (truth >= 0 && truth != (c != NULL)) {
                report(a);
                report(b);
                check(w, false, truth ? "a contact is missed" : "a contact is invented");
            }
            if (c) {
                check_manifold(w, a, b, c);
            }
        }
    }
    check(w, found == count, "every contact is of living bodies, in order, once");
    w->contacts += count;
}

static void check_phases(run *w) {
    size_t count, kept = 0, ends = count_events(w->world, ABUT_END);
    const abut_contact *list = contacts_of(w->world, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t previous1 = 0;
        for (size_t k = 0; k < w->before_count; k++) {
            if (abut_body_id_equal(list[i].a, w->before[k].a) && abut_body_id_equal(list[i].b, w->before[k].b)) {
                previous1 = (uint32_t)k + 1;
            }
        }
        kept += previous1 != 0;
        check(w, list[i].previous1 == previous1, "the contact's place in the last list");
        check(w, list[i].phase == (previous1 ? ABUT_PERSIST : ABUT_BEGIN), "begin or persist");
    }
    check(w, ends == w->before_count - kept, "every contact that is gone has ended");
    check(w, count <= PAIRS, "not too many contacts");
    w->before_count = count;
    for (size_t i = 0; i < count; i++) {
        w->before[i] = (pair){list[i].a, list[i].b};
    }
}

static void bodies_of_all_shapes_touch_as_brute_force_says(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long worlds = test_count(40), contacts = 0, close = 0;
    abut_isa active = abut_isa_active();
    run *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->hulls = round_hulls_make(test_seed());
    for (w->stream = 0; w->stream < worlds; w->stream++) {
        w->r = rng_make(test_seed(), w->stream);
        (void)abut_isa_select(w->stream % 3 == 1 ? ABUT_ISA_PORTABLE : active);
        w->quiet = rng_chance(&w->r, 0.4);
        w->cell = rng_chance(&w->r, 0.5) ? 1.0f : 0;
        w->margin = rng_chance(&w->r, 0.5) ? 0 : w->cell > 0 ? w->cell / 4 : (float)rng_log_range(&w->r, 1e-3, 1);
        w->world = make_world(&(abut_world_def){.contact_margin = w->margin});
        w->before_count = 0;
        for (w->step = 0; w->step < 25; w->step++) {
            act(w);
            step_world(w->world);
            read_all(w);
            check_contacts(w);
            check_phases(w);
            check(w, w->step % 8 || abut_world_validate(w->world) == ABUT_OK, "the world is valid");
        }
        abut_world_destroy(&w->world);
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    contacts = w->contacts;
    close = w->close;
    printf("%lu worlds, %lu contacts, %lu pairs closer than 1e-7\n", worlds, contacts, close);
    for (int k = 0; k < ROUND_KINDS; k++) {
        assert_true(w->kinds[k] > worlds);
    }
    assert_true(contacts > 100 * worlds && close > worlds);
    round_hulls_release(w->hulls);
    free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_all_shapes_touch_as_brute_force_says),
    };
    return test_run(tests);
}
