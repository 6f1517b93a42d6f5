/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/print.h"
#include <stdio.h>

void print_obb(const char *name, const abut_obb *box) {
    const abut_vec3 *c = &box->center, *h = &box->half;
    const abut_quat *q = &box->rotation;
    fprintf(stderr, "abut_obb %s = {{%a, %a, %a}, {%a, %a, %a, %a}, {%a, %a, %a}};\n", name, (double)c->x, (double)c->y,
            (double)c->z, (double)q->x, (double)q->y, (double)q->z, (double)q->w, (double)h->x, (double)h->y,
            (double)h->z);
}

void print_manifold(const char *name, const abut_manifold *m) {
    fprintf(stderr, "%s: normal %.9g %.9g %.9g, count %u\n", name, (double)m->normal.x, (double)m->normal.y,
            (double)m->normal.z, (unsigned)m->count);
    for (uint32_t i = 0; i < m->count && i < 4; i++) {
        const abut_contact_point *p = &m->points[i];
        fprintf(stderr, "  at %.9g %.9g %.9g, separation %.9g, feature %08x\n", (double)p->position.x,
                (double)p->position.y, (double)p->position.z, (double)p->separation, (unsigned)p->feature);
    }
}
