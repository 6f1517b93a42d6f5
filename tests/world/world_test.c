/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- making things --- */

abut_world *make_world(const abut_world_def *def) {
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(def, &world), ABUT_OK);
    assert_non_null(world);
    return world;
}

abut_body_id add_body(abut_world *world, const abut_body_def *def) {
    abut_body_id id = {0};
    assert_int_equal(abut_body_create(world, def, &id), ABUT_OK);
    assert_true(id.index1 != 0);
    return id;
}

abut_body_id add_cube(abut_world *world, float x, float y, float z, float half) {
    return add_body(world, &(abut_body_def){.pose = pose_at(x, y, z), .half = {half, half, half}});
}

void move_to(abut_world *world, abut_body_id id, float x, float y, float z) {
    abut_pose pose = pose_at(x, y, z);
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
}

abut_pose pose_at(float x, float y, float z) {
    return (abut_pose){.position = {x, y, z}, .rotation = {0, 0, 0, 1}};
}

size_t step_world(abut_world *world) {
    abut_step_report report = {0};
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    size_t count = 0;
    (void)contacts_of(world, &count);
    assert_int_equal(report.contacts, count);
    return count;
}

const abut_contact *contacts_of(const abut_world *world, size_t *count) {
    *count = SIZE_MAX;
    const abut_contact *contacts = abut_world_contacts(world, count);
    assert_true(*count != SIZE_MAX);
    assert_true((contacts == NULL) == (*count == 0));
    return contacts;
}

const abut_contact *events_of(const abut_world *world, size_t *count) {
    *count = SIZE_MAX;
    const abut_contact *events = abut_world_events(world, count);
    assert_true(*count != SIZE_MAX);
    assert_true((events == NULL) == (*count == 0));
    return events;
}

size_t count_events(const abut_world *world, abut_phase phase) {
    size_t count, found = 0;
    const abut_contact *events = events_of(world, &count);
    for (size_t i = 0; i < count; i++) {
        found += events[i].phase == phase;
    }
    return found;
}

bool bits_equal(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

abut_body_id id_of(uint32_t index1, uint32_t generation) {
    return (abut_body_id){.index1 = index1, .generation = generation};
}

/* --- random values --- */

abut_pose random_pose(rng *r, double extent) {
    abut_pose pose;
    pose.position = rng_vec3(r, -extent, extent);
    pose.rotation = rng_rotation(r);
    return pose;
}

abut_body_def random_box(rng *r, double extent) {
    abut_body_def def = {.pose = random_pose(r, extent), .half = rng_vec3(r, 0.1, 1)};
    if (rng_below(r, 8) == 0) {
        def.half.y = 0;
    }
    if (rng_below(r, 16) == 0) {
        def.half.z = 0;
    }
    return def;
}

void check_case_at(bool ok, const char *what, uint64_t stream, unsigned long step, const char *file, int line) {
    if (!ok) {
        print_error("%s\n  stream %llu, step %lu; replay with ABUT_TEST_SEED=0x%llx\n", what,
                    (unsigned long long)stream, step, (unsigned long long)test_seed());
        _fail(file, line);
    }
}

/* --- pictures --- */

/* One body as the getters return it, field after field so that no padding enters. */
typedef struct body_bytes {
    float pose[7], world_pose[7], bounds[6];
    uint32_t motion, detail, group, pad;
    uint64_t category, mask, user;
} body_bytes;
_Static_assert(sizeof(body_bytes) == 20 * 4 + 4 * 4 + 3 * 8, "no padding");

static void read_pose(float out[7], const abut_pose *pose) {
    memcpy(out, &pose->position, 3 * sizeof *out);
    memcpy(out + 3, &pose->rotation, 4 * sizeof *out);
}

static body_bytes body_read(const abut_world *world, abut_body_id id) {
    body_bytes b;
    memset(&b, 0, sizeof b);
    abut_pose pose, world_pose;
    abut_aabb bounds;
    abut_filter filter;
    abut_motion motion;
    abut_detail detail;
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    assert_int_equal(abut_body_get_world_pose(world, id, &world_pose), ABUT_OK);
    assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
    assert_int_equal(abut_body_get_filter(world, id, &filter), ABUT_OK);
    assert_int_equal(abut_body_get_motion(world, id, &motion), ABUT_OK);
    assert_int_equal(abut_body_get_detail(world, id, &detail), ABUT_OK);
    assert_int_equal(abut_body_get_user(world, id, &b.user), ABUT_OK);
    read_pose(b.pose, &pose);
    read_pose(b.world_pose, &world_pose);
    memcpy(b.bounds, &bounds.min, 3 * sizeof(float));
    memcpy(b.bounds + 3, &bounds.max, 3 * sizeof(float));
    b.motion = (uint32_t)motion;
    b.detail = (uint32_t)detail;
    b.group = (uint32_t)filter.group;
    b.category = filter.category;
    b.mask = filter.mask;
    return b;
}

static void *copy_bytes(const void *from, size_t size) {
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size != 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

picture picture_take(const abut_world *world) {
    picture p = {.hash = abut_world_hash(world), .body_count = abut_world_body_count(world)};
    p.ids = malloc((p.body_count + 1) * sizeof *p.ids);
    body_bytes *bodies = malloc((p.body_count + 1) * sizeof *bodies);
    assert_true(p.ids != NULL && bodies != NULL);
    assert_int_equal(abut_world_bodies(world, p.ids, p.body_count), p.body_count);
    for (size_t i = 0; i < p.body_count; i++) {
        bodies[i] = body_read(world, p.ids[i]);
    }
    p.bodies = (unsigned char *)bodies;
    p.contacts = contacts_of(world, &p.contact_count);
    p.events = events_of(world, &p.event_count);
    p.contacts_copy = copy_bytes(p.contacts, p.contact_count * sizeof *p.contacts);
    p.events_copy = copy_bytes(p.events, p.event_count * sizeof *p.events);
    return p;
}

bool picture_matches(const picture *p, const abut_world *world) {
    picture now = picture_take(world);
    bool same = now.hash == p->hash && now.body_count == p->body_count &&
                bits_equal(now.ids, p->ids, p->body_count * sizeof *p->ids) &&
                bits_equal(now.bodies, p->bodies, p->body_count * sizeof(body_bytes)) && now.contacts == p->contacts &&
                now.events == p->events && now.contact_count == p->contact_count && now.event_count == p->event_count &&
                bits_equal(now.contacts_copy, p->contacts_copy, p->contact_count * sizeof *p->contacts) &&
                bits_equal(now.events_copy, p->events_copy, p->event_count * sizeof *p->events);
    picture_free(&now);
    return same;
}

void picture_free(picture *p) {
    free(p->ids);
    free(p->bodies);
    free(p->contacts_copy);
    free(p->events_copy);
    *p = (picture){0};
}

void picture_close(picture *p, const abut_world *world) {
    assert_true(picture_matches(p, world));
    picture_free(p);
}

/* --- brute force --- */

static double length(abut_vec3 v) {
    double x = v.x, y = v.y, z = v.z;
    return sqrt(x * x + y * y + z * z) * (1 + 1e-6);
}

static double radius_of(const body_now *b) {
    const abut_vec3 *vertices = abut_hull_vertices(b->hull);
    double radius = length(b->box.half);
    for (size_t i = 0; i < abut_hull_vertex_count(b->hull); i++) {
        radius = fmax(radius, length(vertices[i]));
    }
    return radius + (double)b->grown;
}

static abut_pose pose_of(const body_now *b) {
    return (abut_pose){b->box.center, b->box.rotation};
}

static abut_shape shape_of(const body_now *b) {
    return (abut_shape){.half = b->box.half, .hull = b->hull, .radius = b->grown};
}

bool shapes_overlap(const body_now *a, const body_now *b) {
    abut_pose pose_a = pose_of(a), pose_b = pose_of(b);
    if (a->grown > 0 || b->grown > 0) {
        abut_shape shape_a = shape_of(a), shape_b = shape_of(b);
        return abut_shape_overlap(&shape_a, &pose_a, &shape_b, &pose_b);
    }
    if (a->hull && b->hull) {
        return abut_hull_overlap(a->hull, &pose_a, b->hull, &pose_b);
    }
    if (a->hull) {
        return abut_obb_hull_overlap(&b->box, a->hull, &pose_a);
    }
    return b->hull ? abut_obb_hull_overlap(&a->box, b->hull, &pose_b) : abut_obb_overlap(&a->box, &b->box);
}

bool shapes_collide(const body_now *a, const body_now *b, float margin, abut_manifold *manifold) {
    abut_pose pose_a = pose_of(a), pose_b = pose_of(b);
    if (a->grown > 0 || b->grown > 0) {
        abut_shape shape_a = shape_of(a), shape_b = shape_of(b);
        return abut_shape_collide(&shape_a, &pose_a, &shape_b, &pose_b, margin, manifold);
    }
    if (a->hull && b->hull) {
        return abut_hull_collide(a->hull, &pose_a, b->hull, &pose_b, margin, manifold);
    }
    if (b->hull) {
        return abut_obb_hull_collide(&a->box, b->hull, &pose_b, margin, manifold);
    }
    if (!a->hull) {
        return abut_obb_collide(&a->box, &b->box, margin, manifold);
    }
    if (!abut_obb_hull_collide(&b->box, a->hull, &pose_a, margin, manifold)) {
        return false;
    }
    abut_vec3 n = manifold->normal; /* as the pair function returns it: from the box to the hull */
    manifold->normal = (abut_vec3){0.0f - n.x, 0.0f - n.y, 0.0f - n.z};
    return true;
}

body_now *read_bodies(const abut_world *world, const model_body *models, size_t n) {
    body_now *bodies = malloc((n + 1) * sizeof *bodies);
    assert_non_null(bodies);
    for (size_t i = 0; i < n; i++) {
        body_now *b = &bodies[i];
        abut_pose pose;
        b->id = models[i].id;
        b->root = models[i].root;
        assert_int_equal(abut_body_get_world_pose(world, b->id, &pose), ABUT_OK);
        assert_int_equal(abut_body_get_bounds(world, b->id, &b->bounds), ABUT_OK);
        assert_int_equal(abut_body_get_filter(world, b->id, &b->filter), ABUT_OK);
        assert_int_equal(abut_body_get_motion(world, b->id, &b->motion), ABUT_OK);
        assert_int_equal(abut_body_get_detail(world, b->id, &b->detail), ABUT_OK);
        assert_int_equal(abut_body_get_user(world, b->id, &b->user), ABUT_OK);
        b->box = (abut_obb){.center = pose.position, .rotation = pose.rotation, .half = models[i].half};
        b->hull = models[i].hull;
        b->grown = models[i].grown;
        b->radius = radius_of(b);
    }
    return bodies;
}

bool may_touch(const body_now *a, const body_now *b) {
    if (a->root == b->root || (a->motion == ABUT_STATIC && b->motion == ABUT_STATIC)) {
        return false;
    }
    if (a->filter.group != 0 && a->filter.group == b->filter.group) {
        return a->filter.group > 0;
    }
    return (a->filter.category & b->filter.mask) != 0 && (b->filter.category & a->filter.mask) != 0;
}

static bool bounds_touch(const abut_aabb *a, const abut_aabb *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* Spheres around the shapes, with room for rounding: an early rejection that does not use the library. */
static bool far_apart(const body_now *a, const body_now *b, float margin) {
    double x = (double)a->box.center.x - b->box.center.x, y = (double)a->box.center.y - b->box.center.y;
    double z = (double)a->box.center.z - b->box.center.z;
    double distance = (a->radius + b->radius + 2 * (double)margin) * (1 + 1e-6);
    return x * x + y * y + z * z > distance * distance;
}

static abut_detail pair_detail(const body_now *a, const body_now *b) {
    return a->detail > b->detail ? a->detail : b->detail;
}

static bool pair_touches(const body_now *a, const body_now *b, float margin) {
    if (!may_touch(a, b)) {
        return false;
    }
    switch (pair_detail(a, b)) {
    case ABUT_DETAIL_BOUNDS:
        return bounds_touch(&a->bounds, &b->bounds);
    case ABUT_DETAIL_OVERLAP:
        return !far_apart(a, b, 0) && shapes_overlap(a, b);
    case ABUT_DETAIL_MANIFOLD:
    default:
        if (far_apart(a, b, margin)) {
            return false;
        }
        if (margin == 0) {
            return shapes_overlap(a, b);
        }
        abut_manifold unused;
        return shapes_collide(a, b, margin, &unused);
    }
}

static int compare_pairs(const void *left, const void *right) {
    const body_pair *p = left, *q = right;
    if (p->a.index1 != q->a.index1) {
        return p->a.index1 < q->a.index1 ? -1 : 1;
    }
    return p->b.index1 < q->b.index1 ? -1 : p->b.index1 > q->b.index1;
}

static void push_pair(pair_list *pairs, body_pair pair) {
    if (pairs->count == pairs->capacity) {
        pairs->capacity = pairs->capacity * 2 + 64;
        pairs->items = realloc(pairs->items, pairs->capacity * sizeof *pairs->items);
        assert_non_null(pairs->items);
    }
    pairs->items[pairs->count++] = pair;
}

pair_list brute_pairs(const body_now *bodies, size_t n, float margin) {
    pair_list pairs = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            bool swap = bodies[i].id.index1 > bodies[j].id.index1;
            uint32_t lo = swap ? j : i, hi = swap ? i : j;
            if (pair_touches(&bodies[lo], &bodies[hi], margin)) {
                push_pair(&pairs, (body_pair){bodies[lo].id, bodies[hi].id, lo, hi});
            }
        }
    }
    if (pairs.count > 1) {
        qsort(pairs.items, pairs.count, sizeof *pairs.items, compare_pairs);
    }
    return pairs;
}

void free_pairs(pair_list *pairs) {
    free(pairs->items);
    *pairs = (pair_list){0};
}

static bool manifold_equal(const abut_manifold *m, const abut_manifold *n) {
    return m->count == n->count && m->count <= 4 && bits_equal(&m->normal, &n->normal, sizeof m->normal) &&
           bits_equal(m->points, n->points, m->count * sizeof m->points[0]);
}

/* Whether a contact agrees with the pair functions that need no world. */
static bool contact_is_right(const abut_contact *c, const body_now *a, const body_now *b, float margin) {
    if (c->user_a != a->user || c->user_b != b->user || (c->phase != ABUT_BEGIN && c->phase != ABUT_PERSIST)) {
        return false;
    }
    if (pair_detail(a, b) != ABUT_DETAIL_MANIFOLD) {
        return c->manifold.count == 0;
    }
    abut_manifold m;
    memset(&m, 0, sizeof m);
    return shapes_collide(a, b, margin, &m) && m.count > 0 && manifold_equal(&m, &c->manifold);
}

bool contacts_are(const abut_world *world, const body_now *bodies, const pair_list *pairs, float margin) {
    size_t count;
    const abut_contact *contacts = contacts_of(world, &count);
    for (size_t k = 0; k < count || k < pairs->count; k++) {
        const body_pair *p = k < pairs->count ? &pairs->items[k] : NULL;
        const abut_contact *c = k < count ? &contacts[k] : NULL;
        if (p == NULL || c == NULL || !abut_body_id_equal(p->a, c->a) || !abut_body_id_equal(p->b, c->b)) {
            print_error("contact %zu of %zu (expected %zu): expected (%u, %u), got (%u, %u)\n", k, count, pairs->count,
                        p ? p->a.index1 : 0, p ? p->b.index1 : 0, c ? c->a.index1 : 0, c ? c->b.index1 : 0);
            return false;
        }
        if (!contact_is_right(c, &bodies[p->i], &bodies[p->j], margin)) {
            print_error("contact %zu (%u, %u) differs from the pair functions\n", k, c->a.index1, c->b.index1);
            return false;
        }
    }
    return true;
}

/* --- contacts without history --- */

abut_contact *copy_without_history(const abut_world *world, size_t *count) {
    const abut_contact *contacts = contacts_of(world, count);
    if (*count == 0) {
        return NULL;
    }
    abut_contact *copy = copy_bytes(contacts, *count * sizeof *copy);
    for (size_t i = 0; i < *count; i++) {
        copy[i].phase = ABUT_BEGIN;
        copy[i].previous1 = 0;
    }
    return copy;
}

bool same_contacts(const abut_world *a, const abut_world *b) {
    size_t count_a, count_b;
    abut_contact *list_a = copy_without_history(a, &count_a), *list_b = copy_without_history(b, &count_b);
    bool same = count_a == count_b && bits_equal(list_a, list_b, count_a * sizeof *list_a);
    free(list_a);
    free(list_b);
    return same;
}
