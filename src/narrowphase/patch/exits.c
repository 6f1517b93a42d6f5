/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/exits.h"
#include "base/compiler.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/tolerance.h"

static bool is_before(const abut_np_patch *patch, double out, uint32_t part) {
    return patch->out < out || (patch->out == out && patch->part < part);
}

/* Where the way out of a patch ends. */
static double plane_of(const abut_np_seat *seat, const abut_np_patch *patch) {
    return abut_np_seat_low(seat, patch->normal) - seat->radius + patch->out;
}

static abut_np_exit exit_of(const abut_np_patch *patch, double plane) {
    return (abut_np_exit){patch->part, patch->normal, patch->in_mesh, patch->out, plane};
}

/* The place of the same way out, which the triangles of one face have, or that beyond the last one. */
static uint32_t place_of(const abut_np_seat *seat, const abut_np_patch *patch, const abut_np_exits *exits) {
    const double near = abut_np_exits_near(seat);
    uint32_t i = 0;
    while (i < exits->count && (fabs(exits->exit[i].out - patch->out) > near ||
                                1 - abut_d3_dot(exits->exit[i].normal, patch->normal) > 1e-9)) {
        i++;
    }
    return i;
}

static uint32_t bit_of(uint32_t part) {
    return part * UINT32_C(0x9e3779b1) >> 24;
}
_Static_assert(ABUT_NP_EXITS_BITS == 1 << (32 - 24), "a bit is the upper bits of a product");

static bool has(const uint64_t *set, uint32_t part) {
    return set[bit_of(part) / 64] >> bit_of(part) % 64 & 1;
}

static void include(uint64_t *set, uint32_t part) {
    set[bit_of(part) / 64] |= UINT64_C(1) << bit_of(part) % 64;
}

void abut_np_exits_add(const abut_np_seat *seat, const abut_np_patch *patch, abut_np_exits *exits) {
    abut_np_exit *exit = exits->exit;
    if (!abut_np_exits_has(patch, abut_np_exits_near(seat), INFINITY)) {
        return;
    }
    include(exits->of, patch->part);
    uint32_t at = place_of(seat, patch, exits);
    if (at == exits->count) {
        at = at < ABUT_NP_EXITS ? exits->count++ : is_before(patch, exit[at - 1].out, exit[at - 1].part) ? at - 1 : at;
    } else if (patch->part > exit[at].part) {
        return;
    }
    if (at < ABUT_NP_EXITS) {
        for (; at > 0 && is_before(patch, exit[at - 1].out, exit[at - 1].part); at--) {
            exit[at] = exit[at - 1];
        }
        exit[at] = exit_of(patch, plane_of(seat, patch));
    }
}

bool abut_np_exits_is_at_ghost(const abut_mesh *mesh, uint32_t part) {
    const uint32_t *side = &abut_mesh_sides(mesh)[3 * (size_t)part];
    bool at_ghost = false;
    for (uint32_t k = 0; k < 3; k++) {
        at_ghost = at_ghost || (abut_mesh_edge_of(side[k]) != ABUT_MESH_OUTER &&
                                !abut_mesh_is_solid(mesh, abut_mesh_neighbour(side[k])));
    }
    return at_ghost;
}

/* Beyond those that there is room for ghosts are asked again and again. */
static bool is_asked(abut_np_exits *exits, uint32_t ghost) {
    for (uint32_t i = 0; i < exits->ghost_count; i++) {
        if (exits->ghost[i] == ghost) {
            return true;
        }
    }
    if (exits->ghost_count < ABUT_NP_EXITS_GHOSTS) {
        exits->ghost[exits->ghost_count++] = ghost;
    }
    return false;
}

void abut_np_exits_add_ghosts(const abut_np_seat *seat, uint32_t part, abut_np_facing *facing, abut_np_normals *known,
                              abut_np_patch *scratch, abut_np_exits *exits) {
    for (uint32_t k = 0; k < 3; k++) {
        abut_np_around around = abut_np_around_begin(part, k);
        for (uint32_t next; (next = abut_np_around_next(seat->mesh, &around)) != ABUT_MESH_NONE;) {
            if (!abut_mesh_is_solid(seat->mesh, next) && !is_asked(exits, next) &&
                abut_np_patch_of_part(seat, next, facing, known, scratch)) {
                abut_np_exits_add(seat, scratch, exits);
            }
        }
    }
}

/* Whether a triangle lies behind the plane; mostly one point of it tells. */
static bool is_behind(const abut_np_seat *seat, const abut_np_exit *exit, const abut_np_patch *patch) {
    const double most = exit->plane + abut_np_exits_near(seat);
    bool behind = abut_d3_dot(exit->normal, patch->point[0].on) <= most;
    for (uint32_t k = 0; k < 3 && behind; k++) {
        const abut_d3 from = abut_d3_sub(abut_mesh_corner(seat->mesh, patch->part, k), seat->center);
        behind = abut_d3_dot(exit->in_mesh, from) <= most;
    }
    return behind;
}

/* Normals of which the cosine is closer to 1 count as one. */
static const double ALLOWED = 0x1p-45;

static bool is_allowed(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_exit *exit) {
    const double least = exit->plane - abut_np_exits_near(seat);
    bool allowed = false;
    for (uint32_t k = 0; k < 3 && !allowed; k++) {
        allowed = abut_d3_dot(exit->normal, f->corner[k]) >= least &&
                  1 - abut_d3_dot(abut_np_facing_corner_range(seat, f, k, exit->normal), exit->normal) <= ALLOWED;
    }
    return allowed;
}

/* Rarely done. */
static ABUT_NOINLINE bool take(const abut_np_seat *seat, const abut_np_exit *exit, abut_np_facing *facing,
                               abut_np_normals *known, abut_np_patch *patch) {
    const uint32_t place = ABUT_MESH_NONE;
    if (!is_behind(seat, exit, patch) || !abut_np_facings_of(seat, &patch->part, &place, 1, facing, known) ||
        !is_allowed(seat, facing, exit)) {
        return false;
    }
    abut_np_patch_turn(seat, facing, exit, patch);
    return true;
}

/* To the ways out of those triangles around its corners that may have one, if they are shorter than `out`, one after
 * the other: to the shortest in the end. Rarely done. */
static ABUT_NOINLINE bool turn_to_neighbours(const abut_np_seat *seat, const abut_np_exits *exits, double out,
                                             abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch,
                                             abut_np_patch *patch) {
    const double near = abut_np_exits_near(seat);
    uint32_t next, best = 0;
    bool turned = false;
    for (uint32_t k = 0; k < 3; k++) {
        abut_np_around around = abut_np_around_begin(patch->part, k);
        while ((next = abut_np_around_next(seat->mesh, &around)) != ABUT_MESH_NONE) {
            if (!has(exits->of, next) || !abut_np_patch_of_part(seat, next, facing, known, scratch) ||
                !abut_np_exits_has(scratch, near, INFINITY) || !is_before(scratch, out, best)) {
                continue;
            }
            const abut_np_exit exit = exit_of(scratch, plane_of(seat, scratch));
            if (take(seat, &exit, facing, known, patch)) {
                turned = true;
                out = exit.out;
                best = next;
            }
        }
    }
    return turned;
}

bool abut_np_exits_turn(const abut_np_seat *seat, abut_np_exits *exits, abut_np_facing *facing, abut_np_normals *known,
                        abut_np_patch *scratch, abut_np_patch *patch) {
    const double limit = abut_np_exits_limit(seat, patch);
    uint32_t i = 0;
    for (; i < exits->count && exits->exit[i].out < limit; i++) {
        if (exits->exit[i].part != patch->part && take(seat, &exits->exit[i], facing, known, patch)) {
            return true;
        }
    }
    if (i < ABUT_NP_EXITS || (exits->asked && !has(exits->turned, patch->part)) ||
        !turn_to_neighbours(seat, exits, limit, facing, known, scratch, patch)) {
        return false;
    }
    include(exits->turned, patch->part);
    return true;
}

/* Patches with ways out, ascending by these. */
typedef struct outward {
    uint32_t count;
    abut_np_patch *patch[ABUT_NP_EXITS_PATCHES];
} outward;

static void find_outward(const abut_np_seat *seat, double limit, abut_np_patch *patch, uint32_t n, outward *out) {
    const double near = abut_np_exits_near(seat);
    out->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (abut_np_exits_has(&patch[i], near, limit)) {
            uint32_t at = out->count++;
            for (; at > 0 && is_before(&patch[i], out->patch[at - 1]->out, out->patch[at - 1]->part); at--) {
                out->patch[at] = out->patch[at - 1];
            }
            out->patch[at] = &patch[i];
        }
    }
}

static ABUT_NOINLINE void turn_one(const abut_np_seat *seat, const outward *out, abut_np_exits *exits, double limit,
                                   abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch,
                                   abut_np_patch *patch) {
    const double near = abut_np_exits_near(seat);
    bool turned = false;
    for (uint32_t i = 0; i < out->count && out->patch[i]->out < limit && !turned; i++) {
        const abut_np_patch *other = out->patch[i];
        const double plane = plane_of(seat, other);
        if (other != patch && abut_d3_dot(other->normal, patch->point[0].on) <= plane + near) {
            const abut_np_exit exit = exit_of(other, plane);
            turned = take(seat, &exit, facing, known, patch);
        }
    }
    if (exits->count > 0) {
        (void)abut_np_exits_turn(seat, exits, facing, known, scratch, patch);
    }
}

/* No patch goes farther than its own way out, so those with the longest are turned first: nobody asks for these then.
 */
void abut_np_exits_turn_all(const abut_np_seat *seat, abut_np_exits *exits, double limit, double least,
                            abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch,
                            abut_np_patch *patch, uint32_t n) {
    outward out;
    find_outward(seat, limit, patch, n, &out);
    for (uint32_t i = 0; i < n; i++) {
        double most = abut_np_exits_limit(seat, &patch[i]);
        if (most > least && !abut_np_exits_has(&patch[i], abut_np_exits_near(seat), limit)) {
            turn_one(seat, &out, exits, most, facing, known, scratch, &patch[i]);
        }
    }
    for (; out.count > 0; out.count--) {
        abut_np_patch *last = out.patch[out.count - 1];
        double most = abut_np_exits_limit(seat, last);
        if (most > least) {
            turn_one(seat, &out, exits, most, facing, known, scratch, last);
        }
    }
}
