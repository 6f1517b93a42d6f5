/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A convex shape against a mesh: the patches of all triangles that it touches, without what repeats. */
#include "base/compiler.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/patch/exits.h"
#include "narrowphase/patch/search.h"
#include "narrowphase/patch/summary.h"
#include <string.h>

/* Up to KEPT patches are kept and compared. If there are more, only notes of them are: patches are made again to be
 * written, and where a note does not tell whether one repeats another. The last of those are kept, each at the place
 * `part % AGAIN`: as many as the stack has room for. */
enum { KEPT = ABUT_NP_EXITS_PATCHES, AGAIN = 13, FOUR = 4 };

typedef struct remade {
    abut_np_notes notes;           /* of all patches */
    uint32_t made_plus_one[AGAIN]; /* whose patch is in this place; 0: nobody's */
    bool touched[AGAIN];           /* and whether it is touched */
    abut_np_outs outs;
    abut_np_patch other; /* of a neighbour to which one is turned */
    union {
        abut_np_patch patch[AGAIN];
        abut_np_seen seen[ABUT_NP_SEEN]; /* before any is made again */
    };
} remade;

typedef struct contact {
    const abut_np_place *at;
    uint32_t total;
    uint32_t least_part; /* of least separation; the lowest of several */
    double least;
    abut_d3 least_normal; /* in the mesh's frame */
    double deepest;       /* the least separation of all patches, also of those that are left out; see `stays` */
    double out, limit; /* the shortest way out, and what one must be shorter than so that some patch is turned to it */
    abut_np_exits exits; /* if there is such a one */
    union {
        struct {
            abut_np_patch patch[KEPT];
            uint32_t part[KEPT + FOUR];  /* of each that is kept, and then UINT32_MAX; */
            int32_t across[KEPT + FOUR]; /* the first component of its normal, in units of 2^-14; */
            uint64_t leaning;            /* those that lean, as bits */
            uint8_t order[KEPT];         /* of patches, ascending by part */
            uint8_t shown[KEPT];         /* the points of each that stay, as bits */
        };
        remade again; /* if there are more */
    };
    abut_np_normals known;
    abut_np_facing facing[ABUT_NP_FACINGS]; /* of triangles whose patches are made */
    abut_np_patch scratch;
} contact;

static bool all_kept(const contact *c) {
    return c->total <= KEPT;
}

/* Whether the shortest way out may turn a patch to it. */
static bool may_turn(const contact *c) {
    return c->out < c->limit;
}

static bool turn(contact *c, abut_np_patch *patch) {
    return abut_np_exits_turn(&c->at->seat, &c->exits, c->facing, &c->known, &c->again.other, patch);
}

/* The patch of a triangle, made again if need be; NULL if it is not touched. */
static const abut_np_patch *patch_again(contact *c, uint32_t part) {
    remade *a = &c->again;
    uint32_t at = part % AGAIN;
    if (a->made_plus_one[at] != part + 1) {
        a->made_plus_one[at] = part + 1;
        a->touched[at] = abut_mesh_is_solid(c->at->seat.mesh, part) &&
                         abut_np_patch_of_part(&c->at->seat, part, c->facing, &c->known, &a->patch[at]);
        if (a->touched[at] && may_turn(c)) {
            (void)turn(c, &a->patch[at]);
        }
    }
    return a->touched[at] ? &a->patch[at] : NULL;
}

/* A patch of the walk, which its neighbours may ask for, unless it has what one that is made again may not have. */
static void keep_again(contact *c, const abut_np_patch *patch) {
    if (patch->deepened) {
        return;
    }
    uint32_t at = patch->part % AGAIN;
    c->again.made_plus_one[at] = patch->part + 1;
    c->again.touched[at] = true;
    c->again.patch[at] = *patch;
}

static bool touches_any(const abut_np_place *p) {
    abut_np_search s;
    abut_np_facing facing[ABUT_NP_FACINGS];
    abut_np_normals known;
    abut_np_normals_begin(&known);
    abut_np_search_begin(p, facing, &known, &s);
    return abut_np_search_next(p, &s, NULL);
}

/* 1 - the cosine of the angle up to which normals are the same. Components of theirs differ by less than 2^-14. */
static const double SAME_NORMAL = 1e-9;

/* Whether the shape touches a patch better than one that leans: that does not lean, or is nearer. Where the nearer one
 * leans, too, the shape touches a neighbour of it better, and so on: whatever is passed over so ends with one that
 * stays, as distances fall. */
static bool is_better(const abut_np_patch *patch, const abut_np_patch *of) {
    return of->leans && (!patch->leans || patch->distance < of->distance);
}

/* Whether a patch may show the points of another: a better one, or a lower one that is as good and has the same normal.
 */
static bool is_rival(const abut_np_patch *patch, const abut_np_patch *of) {
    if (of->leans && (!patch->leans || patch->distance != of->distance)) {
        return is_better(patch, of);
    }
    return patch->part < of->part && patch->leans == of->leans &&
           1 - abut_d3_dot(patch->normal, of->normal) <= SAME_NORMAL;
}

/* Whether a point of a patch that leans must be shown unless a rival is no less deep: the deepest of all. Not of what
 * is seen from both sides: where a ball rolls over a ridge, it begins to see the face behind it from its back, and
 * would be pushed along that by many times its depth. */
static bool stays(const contact *c, const abut_np_patch_point *point) {
    return point->separation <= c->deepest && !c->at->seat.mesh->two_sided;
}

/* Whether a rival shows a point of a patch if both lie at it: it has one there that is as deep. A better one shows
 * those of a patch that leans however deep they are. For a point that stays only what stays, too, is as deep. */
static bool shows(const contact *c, const abut_np_patch *patch, const abut_np_patch *of,
                  const abut_np_patch_point *point, double near) {
    const bool last = of->leans && stays(c, point);
    if (is_better(patch, of)) {
        return !last || patch->separation <= point->separation;
    }
    for (uint32_t i = 0; i < patch->count; i++) {
        const abut_np_patch_point *p = &patch->point[i];
        if (abut_d3_norm1(abut_d3_sub(p->on, point->on)) <= near &&
            p->separation <= point->separation + (last ? 0 : near)) {
            return true;
        }
    }
    return false;
}

/* The triangle beyond a side on which a point lies; ABUT_MESH_NONE if there is none, or it lies on no side. */
static uint32_t beyond(const abut_mesh *mesh, uint32_t part, uint32_t meets) {
    const uint32_t side = meets < 6 ? abut_mesh_sides(mesh)[3 * (size_t)part + meets - 3] : 0;
    return meets == 6 || abut_mesh_edge_of(side) == ABUT_MESH_OUTER ? ABUT_MESH_NONE : abut_mesh_neighbour(side);
}

/* The triangles that share the feature on which a point lies. */
static uint32_t sharers(const abut_mesh *mesh, uint32_t part, uint32_t meets, uint32_t out[ABUT_NP_CORNER_MAX]) {
    if (meets < 3) {
        return abut_np_mesh_around(mesh, part, meets, out);
    }
    out[0] = beyond(mesh, part, meets);
    return out[0] != ABUT_MESH_NONE;
}

/* Whether a neighbour shows the point, by what is noted of it, or by its patch, made again. */
static bool neighbour_repeats(contact *c, uint32_t part, const abut_np_patch *patch, const abut_np_patch_point *point,
                              double near) {
    const abut_np_noted noted = abut_np_notes_ask(&c->again.notes, part, patch);
    if (noted == ABUT_NP_NO_RIVAL || (noted == ABUT_NP_BETTER && !stays(c, point))) {
        return noted == ABUT_NP_BETTER;
    }
    const abut_np_patch *other = patch_again(c, part);
    return other && is_rival(other, patch) && shows(c, other, patch, point, near);
}

static bool repeats_again(contact *c, const abut_np_patch *patch, const abut_np_patch_point *point, double near) {
    const abut_mesh *mesh = c->at->seat.mesh;
    const bool at_corner = point->meets < 3;
    abut_np_around around = abut_np_around_begin(patch->part, at_corner ? point->meets : 0);
    uint32_t next = at_corner ? abut_np_around_next(mesh, &around) : beyond(mesh, patch->part, point->meets);
    for (; next != ABUT_MESH_NONE; next = at_corner ? abut_np_around_next(mesh, &around) : ABUT_MESH_NONE) {
        if ((patch->leans || next < patch->part) && neighbour_repeats(c, next, patch, point, near)) {
            return true;
        }
    }
    return false;
}

/* Finds the place of a patch among those that are kept, by how many are before it, and its rivals among them, as bits.
 * Four at a time, without branches: what is nobody's has no part, and is sorted out at the end. */
static uint64_t place_of(contact *c, uint32_t i) {
    const uint32_t part = c->part[i];
    const uint32_t across = (uint32_t)c->across[i];
    uint32_t before = 0;
    uint64_t rivals = 0;
    for (uint32_t at = 0; at < c->total; at += FOUR) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < FOUR; k++) {
            const bool lower = c->part[at + k] < part;
            before += lower;
            alike |= (uint32_t)(lower & ((uint32_t)c->across[at + k] - across + 2 < 5)) << k;
        }
        rivals |= (uint64_t)alike << at;
    }
    c->order[before] = (uint8_t)i;
    rivals = c->patch[i].leans ? (UINT64_C(1) << c->total) - 1 : rivals & ~c->leaning;
    for (uint64_t left = rivals; left; left &= left - 1) {
        if (!is_rival(&c->patch[ABUT_LOWEST_BIT64(left)], &c->patch[i])) {
            rivals &= ~(left & (0 - left));
        }
    }
    return rivals;
}

/* Whether a neighbour among them shows the point. Neighbours are only looked for where a rival would show the point if
 * it were one: on ground that is not flat that is seldom so. */
static bool repeats(const contact *c, uint64_t rivals, const abut_np_patch *patch, const abut_np_patch_point *point,
                    double near) {
    uint32_t around[ABUT_NP_CORNER_MAX], n = ABUT_NP_CORNER_MAX + 1;
    for (; rivals; rivals &= rivals - 1) {
        const abut_np_patch *other = &c->patch[ABUT_LOWEST_BIT64(rivals)];
        if (!shows(c, other, patch, point, near)) {
            continue;
        }
        n = n > ABUT_NP_CORNER_MAX ? sharers(c->at->seat.mesh, patch->part, point->meets, around) : n;
        uint32_t same = 0;
        for (uint32_t i = 0; i < n; i++) {
            same += around[i] == other->part;
        }
        if (same > 0) {
            return true;
        }
    }
    return false;
}

/* All points of a patch, as bits. */
static uint32_t all_of(const abut_np_patch *patch) {
    return (1u << patch->count) - 1;
}

/* Up to how far apart points of different triangles are the same. */
static double nearness(const contact *c) {
    return 0x1p-18 * (c->at->seat.size + c->at->seat.radius);
}

/* The points of a patch that stay, as bits; `rivals`: where all patches are kept. */
static uint32_t points_to_show(contact *c, const abut_np_patch *patch, uint64_t rivals) {
    const double near = nearness(c);
    uint32_t gone = 0;
    for (uint32_t i = 0; i < patch->count; i++) {
        const abut_np_patch_point *point = &patch->point[i];
        bool repeated = all_kept(c) ? repeats(c, rivals, patch, point, near) : repeats_again(c, patch, point, near);
        gone |= (uint32_t)repeated << i;
    }
    return all_of(patch) & ~gone;
}

/* Finds the patch that shows the least separation. Some patch shows a point: the lowest of those that do not lean, or
 * of all if all do. */
static void see_least(contact *c, const abut_np_patch *patch, uint32_t shown) {
    double separation = shown == all_of(patch) ? patch->separation : INFINITY;
    for (uint32_t i = 0; i < patch->count && shown != all_of(patch); i++) {
        separation = shown >> i & 1 ? abut_min_d(separation, patch->point[i].separation) : separation;
    }
    if (separation < c->least || (separation == c->least && patch->part < c->least_part)) {
        c->least = separation;
        c->least_part = patch->part;
        c->least_normal = patch->in_mesh;
    }
}

static void forget_least(contact *c) {
    c->least = INFINITY;
    c->least_part = UINT32_MAX;
}

/* There are more patches than can be kept: what follows takes their place. */
static ABUT_NOINLINE void begin_again(contact *c) {
    abut_np_note note[KEPT];
    abut_np_outs outs;
    abut_np_exits_begin_outs(&c->exits, &outs);
    for (uint32_t i = 0; i < KEPT; i++) {
        note[i] = abut_np_note_of(&c->patch[i]);
        abut_np_exits_add(&c->at->seat, &c->patch[i], &c->exits);
        see_least(c, &c->patch[i], all_of(&c->patch[i]));
    }
    c->again.outs = outs;
    c->exits.outs = &c->again.outs;
    abut_np_notes_begin(&c->again.notes);
    memset(c->again.made_plus_one, 0, sizeof c->again.made_plus_one);
    for (uint32_t i = 0; i < KEPT; i++) {
        abut_np_notes_add(&c->again.notes, note[i]);
    }
}

static void note_patch(contact *c, const abut_np_patch *patch) {
    if (c->total == KEPT) {
        begin_again(c);
    }
    abut_np_notes_add(&c->again.notes, abut_np_note_of(patch));
    abut_np_exits_add(&c->at->seat, patch, &c->exits);
    see_least(c, patch, all_of(patch));
}

static void see_way_out(contact *c, const abut_np_patch *patch) {
    c->limit = abut_max_d(c->limit, abut_np_exits_limit(&c->at->seat, patch));
    c->out = abut_min_d(c->out, patch->out);
}

static void find_patches(contact *c) {
    abut_np_search s;
    abut_np_search_begin(c->at, c->facing, &c->known, &s);
    for (abut_np_patch *p = c->patch; abut_np_search_next(c->at, &s, p);
         p = c->total < KEPT ? &c->patch[c->total] : &c->scratch) {
        see_way_out(c, p);
        if (c->total < KEPT) {
            c->part[c->total] = p->part;
        } else {
            note_patch(c, p);
        }
        c->total++;
    }
}

typedef struct output {
    abut_np_part_visit *visit;
    abut_np_touched_visit *touched; /* instead of the others: also of patches of which no point is shown */
    void *context;
    abut_np_summary *summary;
} output;

static void write_touched(const contact *c, const abut_np_patch *patch, uint32_t shown, const output *to) {
    const abut_d3 normal = abut_d3_rotate((double(*)[3])c->at->seat.ground_axes, patch->in_mesh);
    const abut_np_touched touched = {patch->part, shown != 0, patch->leans, abut_vec3_round(normal), c->deepest};
    to->touched(&touched, to->context);
}

static void write_patch(const contact *c, const abut_np_patch *patch, uint32_t shown, const output *to) {
    if (to->touched) {
        write_touched(c, patch, shown, to);
    }
    if (shown == 0 || to->touched) {
        return;
    }
    abut_np_points points;
    abut_np_patch_points(&c->at->seat, patch, shown, &points);
    if (to->visit) {
        abut_contact_part part;
        part.part = patch->part;
        part.previous1 = 0;
        abut_np_points_round(&points, &part.manifold);
        to->visit(&part, to->context);
    }
    if (to->summary) {
        abut_np_summary_add(to->summary, &points);
    }
}

static void begin_summary(const contact *c, abut_d3 normal, abut_np_summary *summary) {
    const abut_np_seat *seat = &c->at->seat;
    abut_np_summary_begin(abut_d3_rotate((double(*)[3])seat->ground_axes, normal), nearness(c), seat->extent, summary);
}

/* Whether ghosts are asked for ways out: a triangle touches one with a side, and some may be turned to a way out. What
 * is known of patches that are not kept does not tell. */
static bool asks_ghosts(const contact *c) {
    const abut_np_seat *seat = &c->at->seat;
    bool at_ghost = !all_kept(c), may_turn = at_ghost;
    if (seat->mesh->ghost_count == 0 || c->limit <= 0) {
        return false;
    }
    for (uint32_t i = 0; i < c->total && !at_ghost; i++) {
        at_ghost = abut_np_exits_is_at_ghost(seat->mesh, c->patch[i].part);
    }
    for (uint32_t i = 0; i < c->total && at_ghost && !may_turn; i++) {
        may_turn = abut_np_exits_may_turn(seat, &c->patch[i]);
    }
    return may_turn;
}

/* Triangles of the next mesh at a seam show ways out, too, though they are not touched. */
static ABUT_NOINLINE void find_ghosts(contact *c) {
    abut_np_ghosts ghosts = {&c->at->seat, &c->at->sieve, c->facing, &c->known, &c->scratch, &c->exits, 0, {0}};
    for (uint32_t i = 0; i < (all_kept(c) ? c->total : 0); i++) {
        abut_np_ghosts_gather(&ghosts, c->patch[i].part);
    }
    for (uint32_t i = 0; i < (all_kept(c) ? 0 : ABUT_NP_NOTES); i++) {
        if (c->again.notes.note[i].key) {
            abut_np_ghosts_gather(&ghosts, (c->again.notes.note[i].key >> 1) - 1);
        }
    }
    abut_np_ghosts_ask(&ghosts);
    c->out = c->exits.count ? abut_min_d(c->out, c->exits.exit[0].out) : c->out;
}

/* What comparing those that are kept asks for. */
static void sum_up(contact *c) {
    c->leaning = 0;
    c->deepest = INFINITY;
    memset(&c->across[c->total], 0, FOUR * sizeof *c->across); /* nobody's, but read */
    for (uint32_t i = 0; i < c->total; i++) {
        const abut_np_patch *patch = &c->patch[i];
        c->across[i] = (int32_t)(patch->normal.x[0] * 0x1p14);
        c->leaning |= (uint64_t)patch->leans << i;
        c->deepest = abut_min_d(c->deepest, patch->separation);
    }
}

/* Notes all patches anew, now that the ways out are known. */
static void note_turned(contact *c) {
    abut_np_search s;
    abut_np_facing facing[ABUT_NP_FACINGS];
    bool any = false;
    abut_np_search_begin(c->at, facing, &c->known, &s);
    forget_least(c);
    abut_np_notes_begin(&c->again.notes);
    abut_np_exits_begin_seen(&c->exits, c->again.seen);
    while (abut_np_search_next(c->at, &s, &c->scratch)) {
        abut_np_exits_see(&c->at->seat, c->scratch.part, &c->scratch, &c->exits);
        any |= turn(c, &c->scratch);
        abut_np_notes_add(&c->again.notes, abut_np_note_of(&c->scratch));
        see_least(c, &c->scratch, all_of(&c->scratch));
    }
    c->exits.seen = NULL;
    c->exits.asked = true;
    c->limit = any ? c->limit : -INFINITY;
}

/* Patches that are kept, ascending by part. */
static void write_kept(contact *c, const output *to, abut_np_summary *summary) {
    if (may_turn(c)) {
        abut_np_exits_turn_all(&c->at->seat, &c->exits, c->limit, c->out, c->facing, &c->known, &c->scratch, c->patch,
                               c->total);
    }
    sum_up(c);
    for (uint32_t i = 0; i < c->total; i++) {
        const abut_np_patch *patch = &c->patch[i];
        const uint64_t rivals = place_of(c, i);
        c->shown[i] = (uint8_t)(rivals ? points_to_show(c, patch, rivals) : all_of(patch));
        see_least(c, patch, c->shown[i]);
    }
    begin_summary(c, c->least_normal, summary);
    for (uint32_t i = 0; i < c->total; i++) {
        write_patch(c, &c->patch[c->order[i]], c->shown[c->order[i]], to);
    }
}

/* Makes all patches again, and writes them in the order of the walk. */
static void write_walk(contact *c, const output *to) {
    abut_np_search s;
    abut_np_facing facing[ABUT_NP_FACINGS];
    abut_np_search_begin(c->at, facing, &c->known, &s);
    s.notes = &c->again.notes;
    while (abut_np_search_next(c->at, &s, &c->scratch)) {
        if (may_turn(c)) {
            (void)turn(c, &c->scratch);
        }
        uint32_t shown = points_to_show(c, &c->scratch, 0);
        see_least(c, &c->scratch, shown);
        write_patch(c, &c->scratch, shown, to);
        keep_again(c, &c->scratch);
    }
}

/* The summary must know which patch shows the least separation, and that is not known before neighbours have been
 * compared: so first that one is tried which has the least, and seldom all must be done twice. */
static void write_again(contact *c, const output *to, abut_np_summary *summary) {
    output rest = *to;
    abut_d3 tried;
    if (may_turn(c)) {
        note_turned(c);
    }
    c->deepest = c->least; /* so far of all */
    do {
        tried = c->least_normal;
        begin_summary(c, tried, summary);
        forget_least(c);
        write_walk(c, &rest);
        rest.visit = NULL; /* parts are written once */
    } while (rest.summary && memcmp(&tried, &c->least_normal, sizeof tried) != 0);
}

static void begin(const abut_np_place *at, contact *c) {
    c->at = at;
    c->total = 0;
    c->limit = -INFINITY;
    c->out = INFINITY;
    abut_np_exits_begin(&c->exits);
    memset(c->part, 0xff, sizeof c->part);
    forget_least(c);
    abut_np_normals_begin(&c->known);
}

bool abut_np_mesh_touches(const abut_collider *mesh, const abut_collider *convex, float margin) {
    abut_np_place p;
    abut_np_hull_room room;
    abut_np_hull_room_begin(&room);
    abut_np_place_of(mesh, convex, margin, &room, &p);
    return touches_any(&p);
}

static bool collide(const abut_np_place *at, output *to, abut_manifold *manifold) {
    contact c;
    abut_np_summary summary;
    to->summary = manifold ? &summary : NULL;
    begin(at, &c);
    abut_np_hull_room_begin(at->seat.room);
    find_patches(&c);
    if (c.total == 0) {
        return false;
    }
    if (asks_ghosts(&c)) {
        find_ghosts(&c);
    }
    if (all_kept(&c)) {
        write_kept(&c, to, &summary);
    } else {
        write_again(&c, to, &summary);
    }
    if (manifold) {
        abut_np_summary_end(&summary, manifold);
    }
    return true;
}

bool abut_np_mesh_collide(const abut_collider *mesh, const abut_collider *convex, float margin,
                          abut_np_part_visit *visit, void *context, abut_manifold *manifold) {
    abut_np_place at;
    abut_np_hull_room room;
    output to = {.visit = visit, .context = context};
    abut_np_place_of(mesh, convex, margin, &room, &at);
    return collide(&at, &to, manifold);
}

void abut_np_mesh_touched(const abut_collider *mesh, const abut_collider *convex, float margin,
                          abut_np_touched_visit *touched, void *context) {
    abut_np_place at;
    abut_np_hull_room room;
    output to = {.touched = touched, .context = context};
    abut_np_place_of(mesh, convex, margin, &room, &at);
    (void)collide(&at, &to, NULL);
}

void abut_np_mesh_collide_many(const abut_np_mesh_pair *pair, uint32_t n, float margin, abut_np_part_visit *visit,
                               abut_np_mesh_done *done, void *context) {
    abut_np_place at[2];
    abut_np_hull_room room; /* of the hull that is at work */
    output to = {.visit = visit, .context = context};
    for (uint32_t k = 0; k <= n; k++) {
        if (k < n) {
            abut_np_place_of(pair[k].mesh, pair[k].convex, margin, &room, &at[k % 2]);
        }
        if (k > 0 && !done(k - 1, collide(&at[(k - 1) % 2], &to, pair[k - 1].manifold), context)) {
            return;
        }
    }
}

void abut_np_manifold_turn(abut_manifold *manifold) {
    manifold->normal = (abut_vec3){0.0f - manifold->normal.x, 0.0f - manifold->normal.y, 0.0f - manifold->normal.z};
}
