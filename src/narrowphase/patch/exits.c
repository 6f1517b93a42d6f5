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

/* A code of eight bits: 16 steps an octave, from 2^-13 to 8 times the size. */
static uint8_t code_of(const abut_np_seat *seat, double out) {
    enum { STEPS = 19, LOWEST = 114 << 4, MOST = ABUT_NP_NO_OUT - 1 };
    const float share = (float)(abut_max_d(out, 0) / (seat->size + seat->radius));
    uint32_t bits;
    memcpy(&bits, &share, sizeof bits);
    bits >>= STEPS;
    return (uint8_t)(bits < LOWEST ? 0 : bits - LOWEST < MOST ? bits - LOWEST : MOST);
}

static uint8_t *least_of(abut_np_outs *outs, uint32_t part) {
    return &outs->least[part * UINT32_C(0x9e3779b1) >> 22];
}
_Static_assert(ABUT_NP_OUTS == 1 << (32 - 22), "a place is the upper bits of a product");

/* Whether a triangle may have a way out that is no longer than one of this code. */
static bool may_be_shorter(const abut_np_exits *exits, uint32_t part, uint8_t code) {
    return has(exits->of, part) && (!exits->outs || *least_of(exits->outs, part) <= code);
}

static void include_out(const abut_np_seat *seat, const abut_np_patch *patch, abut_np_exits *exits) {
    include(exits->of, patch->part);
    if (exits->outs) {
        uint8_t *least = least_of(exits->outs, patch->part);
        const uint8_t code = code_of(seat, patch->out);
        *least = code < *least ? code : *least;
    }
}

void abut_np_exits_add(const abut_np_seat *seat, const abut_np_patch *patch, abut_np_exits *exits) {
    abut_np_exit *exit = exits->exit;
    if (!abut_np_exits_has(patch, abut_np_exits_near(seat), INFINITY)) {
        return;
    }
    include_out(seat, patch, exits);
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

static abut_np_seen *seen_at(const abut_np_exits *exits, uint32_t part) {
    return &exits->seen[part % ABUT_NP_SEEN];
}

void abut_np_exits_begin_seen(abut_np_exits *exits, abut_np_seen *seen) {
    exits->seen = seen;
    memset(seen, 0, ABUT_NP_SEEN * sizeof *seen);
}

void abut_np_exits_see(const abut_np_seat *seat, uint32_t part, const abut_np_patch *patch, abut_np_exits *exits) {
    if (!exits->seen) {
        return;
    }
    abut_np_seen *seen = seen_at(exits, part);
    seen->part_plus_one = part + 1;
    seen->out = INFINITY;
    if (patch && abut_np_exits_has(patch, abut_np_exits_near(seat), INFINITY)) {
        for (int k = 0; k < 3; k++) {
            seen->normal[k] = (float)patch->normal.x[k];
        }
        seen->out = (float)patch->out;
        seen->plane = (float)plane_of(seat, patch);
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

/* Whether a vector along the normal of a face has at least this cosine with a normal. */
static bool is_close(abut_d3 across, abut_d3 normal, double cosine) {
    const double along = abut_d3_dot(across, normal);
    return along > 0 && along * along >= cosine * cosine * abut_d3_dot(across, across);
}

/* Whether all normals that are allowed at corner k of a triangle, whose own is, have at least this cosine with a
 * normal: combinations of those of the faces around have if these have, and without a ridge only the own one is
 * allowed. Of one-sided meshes, where side k of each face begins at the corner. */
static bool allows_only_close(const abut_mesh *mesh, uint32_t part, uint32_t k, abut_d3 normal, double cosine) {
    const abut_d3 corner = abut_mesh_corner(mesh, part, k);
    abut_d3 before = abut_d3_sub(abut_mesh_corner(mesh, part, (k + 1) % 3), corner);
    abut_np_turn t = {{part, false}, k, true};
    bool ridge = false, close = true;
    for (uint32_t n = 0; n < ABUT_NP_CORNER_MAX && (close || !ridge); n++) {
        const uint32_t side = abut_np_face_side(mesh, t.f, t.leave);
        if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
            return false;
        }
        ridge |= abut_np_face_is_ridge(t.f, side);
        abut_np_turn_on(&t, side);
        if (t.f.part == part) {
            return close || !ridge;
        }
        const abut_d3 next = abut_d3_sub(abut_mesh_corner(mesh, t.f.part, t.leave == 2 ? 0 : t.leave + 1), corner);
        close &= abut_mesh_edge_of(side) == ABUT_MESH_FLAT || is_close(abut_d3_cross(next, before), normal, cosine);
        before = next;
    }
    return false;
}

/* Cosines that are closer to 1 count as 1. */
static const double SAME = 0x1p-44;

/* A patch is turned to a plane over its triangle along a normal that is allowed at a corner of that, if it goes less
 * far than the limit. Be p a point of the triangle, and x one of the core, which lies by d below it along the patch's
 * normal. The plane lies over p, the shape over the plane when it has gone, and with it x by the radius r; so it goes
 * d * cosine + r, at least, where the cosine is that of both normals. The patch is `firm` = d + r: with d <= 0 that is
 * no less than `firm`, else no less than `firm` * cosine. Where the patch leans, x does not lie right over p, and that
 * holds for its own normal alone. `spare` bounds what takes a triangle to be behind a plane, and that points may lie a
 * little beside the triangle and the core; it is far more than `firm` rounds. */
bool abut_np_exits_may_turn(const abut_np_seat *seat, const abut_np_patch *patch) {
    const double near = abut_np_exits_near(seat), limit = abut_np_exits_limit(seat, patch), spare = 8 * near;
    const double least = (double)patch->firm, firm = patch->leans ? least : least * (1 - 0x1p-8);
    const uint32_t part = patch->part;
    if (limit <= -near) {
        return false;
    }
    if (seat->mesh->two_sided || limit + spare > firm) {
        return true;
    }
    if (!patch->leans && least <= seat->radius) {
        return false;
    }
    const double cosine = patch->leans ? 1 - SAME : abut_max_d(limit + spare, 0) / firm;
    const abut_d3 corner = abut_mesh_corner(seat->mesh, part, 0);
    bool close = is_close(abut_d3_cross(abut_d3_sub(abut_mesh_corner(seat->mesh, part, 1), corner),
                                        abut_d3_sub(abut_mesh_corner(seat->mesh, part, 2), corner)),
                          patch->in_mesh, cosine);
    for (uint32_t k = 0; k < 3 && close; k++) {
        close = allows_only_close(seat->mesh, part, k, patch->in_mesh, cosine);
    }
    return !close;
}

static void write_corners(const abut_mesh *mesh, uint32_t part, abut_mesh_leaf *leaf, uint32_t lane) {
    for (size_t k = 0; k < 3; k++) {
        const abut_vec3 v = abut_mesh_vertices(mesh)[abut_mesh_indices(mesh)[3 * (size_t)part + k]];
        leaf->corner[k][0][lane] = v.x;
        leaf->corner[k][1][lane] = v.y;
        leaf->corner[k][2][lane] = v.z;
    }
}

/* As the walk along the tree leaves out what is certainly not touched. Ghosts are not in its leaves. */
static ABUT_NOINLINE void sift_ghosts(abut_np_ghosts *g) {
    abut_mesh_leaf leaf[ABUT_NP_GHOSTS / ABUT_MESH_LEAF];
    uint32_t place[ABUT_NP_GHOSTS], stay = 0;
    uint8_t verdict[ABUT_NP_GHOSTS];
    const abut_np_mesh_kernels *kernels = g->count <= ABUT_NP_FEW ? g->seat->few_kernels : g->seat->kernels;
    for (uint32_t i = 0; i < g->count; i++) {
        place[i] = i;
        write_corners(g->seat->mesh, g->part[i], &leaf[i / ABUT_MESH_LEAF], i % ABUT_MESH_LEAF);
    }
    kernels->sift(leaf, g->sieve, place, g->count, verdict);
    for (uint32_t i = 0; i < g->count; i++) {
        g->part[stay] = g->part[i];
        stay += !(verdict[i] & ABUT_NP_SIFTED);
    }
    g->count = stay;
}
_Static_assert(ABUT_NP_GHOSTS % ABUT_MESH_LEAF == 0 && ABUT_NP_GHOSTS % ABUT_NP_FACINGS == 0, "they fill leaves");

void abut_np_ghosts_ask(abut_np_ghosts *g) {
    uint32_t place[ABUT_NP_FACINGS];
    memset(place, 0xff, sizeof place); /* ABUT_MESH_NONE */
    if (g->count > 0) {
        sift_ghosts(g);
    }
    const uint32_t count = g->count;
    for (uint32_t first = 0; first < count; first += ABUT_NP_FACINGS) {
        const uint32_t n = count - first < ABUT_NP_FACINGS ? count - first : ABUT_NP_FACINGS;
        uint32_t left = abut_np_facings_of(g->seat, g->part + first, place, n, g->facing, g->known);
        for (; left; left &= left - 1) {
            if (abut_np_patch_of(g->seat, &g->facing[ABUT_LOWEST_BIT(left)], 0, g->scratch)) {
                abut_np_exits_add(g->seat, g->scratch, g->exits);
            }
        }
    }
    g->count = 0;
}

static bool is_gathered(const abut_np_ghosts *g, uint32_t ghost) {
    bool gathered = false;
    for (uint32_t i = 0; i < g->count; i++) {
        gathered |= g->part[i] == ghost;
    }
    return gathered;
}

void abut_np_ghosts_gather(abut_np_ghosts *g, uint32_t part) {
    const abut_mesh *mesh = g->seat->mesh;
    for (uint32_t k = 0; k < 3; k++) {
        if (!abut_mesh_has_ghost_at(mesh, abut_mesh_indices(mesh)[3 * (size_t)part + k])) {
            continue;
        }
        abut_np_around around = abut_np_around_begin(part, k);
        for (uint32_t next; (next = abut_np_around_next(mesh, &around)) != ABUT_MESH_NONE;) {
            if (!abut_mesh_is_solid(mesh, next) && !is_gathered(g, next)) {
                g->part[g->count++] = next;
                if (g->count == ABUT_NP_GHOSTS) {
                    abut_np_ghosts_ask(g);
                }
            }
        }
    }
}

/* Whether a point of the triangle is over a plane: if one is known, for what leans may be shown beyond a seam. */
static bool is_over(const abut_np_patch *patch, abut_d3 normal, double plane) {
    return !patch->leans && abut_d3_dot(normal, patch->point[0].on) > plane;
}

/* Whether a triangle lies behind the plane; mostly one point of it tells. */
static bool is_behind(const abut_np_seat *seat, const abut_np_exit *exit, const abut_np_patch *patch) {
    const double most = exit->plane + abut_np_exits_near(seat);
    bool behind = !is_over(patch, exit->normal, most);
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

/* Whether what is remembered of a triangle's way out shows that a patch is not turned to it: that it is longer, or that
 * the patch is not behind its plane. By more than what rounds. */
static bool is_refused(const abut_np_seat *seat, const abut_np_exits *exits, uint32_t part, double out,
                       const abut_np_patch *patch) {
    const abut_np_seen *seen = exits->seen ? seen_at(exits, part) : NULL;
    if (!seen || seen->part_plus_one != part + 1) {
        return false;
    }
    const abut_d3 normal = {{(double)seen->normal[0], (double)seen->normal[1], (double)seen->normal[2]}};
    const double rounds = 0x1p-20 * (seat->size + seat->radius + abut_d3_norm1(patch->point[0].on));
    return (double)seen->out > out + rounds ||
           is_over(patch, normal, (double)seen->plane + abut_np_exits_near(seat) + rounds);
}

/* Makes the patch of a triangle; returns whether it has a way out that comes before another. */
static bool is_shorter(const abut_np_seat *seat, abut_np_exits *exits, uint32_t part, double out, uint32_t best,
                       abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch) {
    const bool touched = abut_np_patch_of_part(seat, part, facing, known, scratch);
    abut_np_exits_see(seat, part, touched ? scratch : NULL, exits);
    return touched && abut_np_exits_has(scratch, abut_np_exits_near(seat), INFINITY) && is_before(scratch, out, best);
}

/* To the ways out of those triangles around its corners that may have one, if they are shorter than `out`, one after
 * the other: to the shortest in the end. Rarely done. */
static ABUT_NOINLINE bool turn_to_neighbours(const abut_np_seat *seat, abut_np_exits *exits, double out,
                                             abut_np_facing *facing, abut_np_normals *known, abut_np_patch *scratch,
                                             abut_np_patch *patch) {
    uint32_t next, best = 0;
    uint8_t code = code_of(seat, out);
    bool turned = false;
    for (uint32_t k = 0; k < 3; k++) {
        abut_np_around around = abut_np_around_begin(patch->part, k);
        while ((next = abut_np_around_next(seat->mesh, &around)) != ABUT_MESH_NONE) {
            if (!may_be_shorter(exits, next, code) || is_refused(seat, exits, next, out, patch) ||
                !is_shorter(seat, exits, next, out, best, facing, known, scratch)) {
                continue;
            }
            const abut_np_exit exit = exit_of(scratch, plane_of(seat, scratch));
            if (take(seat, &exit, facing, known, patch)) {
                turned = true;
                out = exit.out;
                best = next;
                code = code_of(seat, out);
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
        if (other != patch && !is_over(patch, other->normal, plane + near)) {
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
