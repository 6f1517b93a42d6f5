/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/pairs.h"
#include "support/print.h"
#include "support/test.h"
#include <stdio.h>
#include <string.h>

void hull_pair_make(uint64_t seed, uint64_t index, hull_pair *out) {
    near_hulls *made = &out->made;
    near_hulls_pair(seed, index, made);
    const convex *shape[2] = {&made->a, &made->b};
    for (int i = 0; i < 2; i++) {
        out->hull[i] = NULL;
        if (i == 1 || !made->box_a) {
            assert_int_equal(abut_hull_create(shape[i]->point, shape[i]->count, NULL, &out->hull[i]), ABUT_OK);
        }
    }
    out->a = (hull_body){.hull = out->hull[0], .pose = made->pose_a};
    out->b = (hull_body){.hull = out->hull[1], .pose = made->pose_b};
    if (made->box_a) {
        out->a.box = (abut_obb){made->pose_a.position, made->pose_a.rotation, made->half};
    }
}

void hull_pair_release(hull_pair *pair) {
    abut_hull_destroy(&pair->hull[0]);
    abut_hull_destroy(&pair->hull[1]);
}

bool hull_body_overlap(const hull_body *a, const hull_body *b) {
    if (a->hull && b->hull) {
        return abut_hull_overlap(a->hull, &a->pose, b->hull, &b->pose);
    }
    const hull_body *box = a->hull ? b : a, *hull = a->hull ? a : b;
    return abut_obb_hull_overlap(&box->box, hull->hull, &hull->pose);
}

bool hull_body_collide(const hull_body *a, const hull_body *b, float margin, abut_manifold *m) {
    if (a->hull && b->hull) {
        return abut_hull_collide(a->hull, &a->pose, b->hull, &b->pose, margin, m);
    }
    const hull_body *box = a->hull ? b : a, *hull = a->hull ? a : b;
    bool touching = abut_obb_hull_collide(&box->box, hull->hull, &hull->pose, margin, m);
    if (touching && a->hull) {
        m->normal = (abut_vec3){0.0f - m->normal.x, 0.0f - m->normal.y, 0.0f - m->normal.z};
    }
    return touching;
}

static void print_body(const char *name, const hull_body *body, const convex *shape) {
    if (!body->hull) {
        print_obb(name, &body->box);
        return;
    }
    const abut_vec3 *p = &body->pose.position;
    const abut_quat *q = &body->pose.rotation;
    fprintf(stderr, "abut_pose %s = {{%a, %a, %a}, {%a, %a, %a, %a}};\n", name, (double)p->x, (double)p->y,
            (double)p->z, (double)q->x, (double)q->y, (double)q->z, (double)q->w);
    for (uint32_t i = 0; i < shape->count; i++) {
        const abut_vec3 *v = &shape->point[i];
        fprintf(stderr, "    {%a, %a, %a},\n", (double)v->x, (double)v->y, (double)v->z);
    }
}

void hull_pair_report(uint64_t index, const char *fault, const hull_pair *pair, const hull_truth *t) {
    fprintf(stderr, "seed 0x%llx pair %llu: %s; gap/S %g (face %g, edge %g, size %g), families %u and %u, kind %d\n",
            (unsigned long long)test_seed(), (unsigned long long)index, fault, t->gap / t->size, t->face, t->edge,
            t->size, (unsigned)pair->made.family[0], (unsigned)pair->made.family[1], (int)pair->made.kind);
    print_body("a", &pair->a, &pair->made.a);
    print_body("b", &pair->b, &pair->made.b);
}
