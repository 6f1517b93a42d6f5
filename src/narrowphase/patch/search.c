/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/search.h"
#include "base/compiler.h"
#include <string.h>

void abut_np_place_of(const abut_collider *mesh, const abut_collider *convex, float margin, abut_np_hull_room *room,
                      abut_np_place *p) {
    float min[3], max[3];
    abut_np_seat_of(mesh, convex, margin, room, &p->seat);
    abut_np_seat_bounds(&p->seat, min, max);
    abut_np_sieve_of(&p->seat, &p->sieve);
    abut_mesh_walk_begin(p->seat.mesh, min, max, &p->walk);
    abut_np_sieve_open(&p->sieve, p->seat.mesh, &p->walk, &p->slant);
}

void abut_np_search_begin(const abut_np_place *p, abut_np_facing *facing, abut_np_normals *normals, abut_np_search *s) {
    s->walk = p->walk;
    s->facing = facing;
    s->normals = normals;
    s->notes = NULL;
    s->found = s->next = s->waiting = 0;
}

/* What is certain of triangles. For a few and a point nothing is: their facings show as much, and cost no more. */
static void sift(const abut_np_place *p, const uint32_t *found, uint32_t n, uint8_t *verdict) {
    const abut_np_seat *seat = &p->seat;
    if (seat->size == 0 && n <= ABUT_NP_FACINGS) {
        memset(verdict, 0, n);
        return;
    }
    const abut_mesh_leaf *leaves = abut_mesh_leaves(seat->mesh);
    const uint32_t few = n % ABUT_NP_FACINGS <= ABUT_NP_FEW ? n % ABUT_NP_FACINGS : 0, most = n - few;
    if (most > 0) {
        seat->kernels->sift(leaves, &p->sieve, found, most, verdict);
    }
    if (few > 0) {
        seat->few_kernels->sift(leaves, &p->sieve, found + most, few, verdict + most);
    }
}

/* Of n triangles that were found those stay that may be noted; returns how many. */
static uint32_t drop_untouched(abut_np_search *s, uint32_t n) {
    uint32_t stay = 0;
    for (uint32_t i = 0; i < n; i++) {
        s->part[stay] = s->part[i];
        s->place[stay] = s->place[i];
        s->known[stay] = s->known[i];
        stay += abut_np_notes_may_have(s->notes, s->part[i]);
    }
    return stay;
}

/* Finds more triangles that may be touched; false at the end. */
static bool find_more(const abut_np_place *p, abut_np_search *s) {
    uint32_t found[ABUT_NP_FOUND], kept = 0;
    uint8_t verdict[ABUT_NP_FOUND];
    const uint8_t told = p->seat.hull ? 0 : UINT8_MAX; /* a hull is less than its OBB */
    for (uint32_t n; kept == 0 && (n = abut_mesh_walk_next(p->seat.mesh, &s->walk, found, ABUT_NP_FOUND)) > 0;) {
        sift(p, found, n, verdict);
        for (uint32_t i = 0; i < n; i++) {
            s->part[kept] = abut_mesh_number(p->seat.mesh, found[i]);
            s->place[kept] = found[i];
            ABUT_PREFETCH(&abut_mesh_sides(p->seat.mesh)[3 * (size_t)s->part[kept]]);
            ABUT_PREFETCH(&abut_mesh_indices(p->seat.mesh)[3 * (size_t)s->part[kept]]);
            s->known[kept] = verdict[i] & told;
            kept += !(verdict[i] & ABUT_NP_SIFTED);
        }
        kept = s->notes ? drop_untouched(s, kept) : kept;
    }
    s->found = kept;
    s->next = 0;
    return kept > 0;
}

bool abut_np_search_next(const abut_np_place *p, abut_np_search *s, abut_np_patch *patch) {
    for (;;) {
        for (; s->waiting; s->waiting &= s->waiting - 1) {
            uint32_t k = ABUT_LOWEST_BIT(s->waiting);
            if (abut_np_patch_of(&p->seat, &s->facing[k], s->known[s->first + k], patch)) {
                s->waiting &= s->waiting - 1;
                return true;
            }
        }
        if (s->next == s->found && !find_more(p, s)) {
            return false;
        }
        uint32_t n = s->found - s->next < ABUT_NP_FACINGS ? s->found - s->next : ABUT_NP_FACINGS;
        s->waiting = abut_np_facings_of(&p->seat, &s->part[s->next], &s->place[s->next], n, s->facing, s->normals);
        s->first = s->next;
        s->next += n;
    }
}
