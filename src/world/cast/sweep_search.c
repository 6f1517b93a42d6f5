/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The box around all of a turn holds much that is far from the body at all times, and shows nothing of when something
 * may be met. So what turns far goes its way in pieces, of which each has a box of its own: whoever is met in one is
 * not looked for in later ones, and what lies in the box but not near the body is dropped. */
#include "base/spatial.h"
#include "world/cast/sweep.h"
#include "world/query/tree.h"
#include <math.h>

/* Pieces are cheap beside what the box holds if that is a few groups of eight bodies: it has so many times the extents
 * of theirs. Of groups that are as wide as the box, as of plates, a share of all bodies says more. */
static const double LONG = 4, MANY = 64;
/* In the first piece the turn moves points by at most half of a group's extents, or over so few bodies that what is
 * then found near the body is as much as a short turn finds. Each later piece is as long as all before it, up to the
 * longest.
 */
static const double FIRST = 0.5, LONGEST = 0.125;
/* Fewer bodies are tested in some tens of microseconds. */
enum { KEYS_MIN = 128 };

/* How many bodies a box holds that does not move, if they are spread evenly. */
static double expected(const abut_bp_tree *tree, const float half[3]) {
    double count = tree->ordered;
    for (int k = 0; k < 3; k++) {
        const double all = (double)tree->bounds.max[k] - tree->bounds.min[k], side = 2 * (double)half[k];
        count *= side < all ? side / all : 1;
    }
    return count;
}

static bool is_long(const abut_bp_tree *tree, const abut_bp_mover *m) {
    const double way = fabs((double)m->translation.x) + fabs((double)m->translation.y) + fabs((double)m->translation.z);
    const double extents = way + 2 * ((double)m->half[0] + m->half[1] + m->half[2]);
    return extents * tree->ordered > LONG * 8 * tree->spread;
}

/* The length of the first piece; 1: the way is not worth pieces. */
static double first_length(const abut_bp_tree *tree, const abut_np_way *way, const abut_bp_mover *m) {
    const double turned = way->turn.angle * way->reach * tree->ordered, most = FIRST * 8 * tree->spread;
    const double count = expected(tree, m->half);
    double length = LONGEST;
    if (tree->ordered < KEYS_MIN || !(count > MANY || is_long(tree, m))) {
        return 1;
    }
    for (int k = ABUT_W_SWEEP_DOUBLINGS; k > 0 && (length * turned > most || length * count > MANY); k--) {
        length /= 2;
    }
    return length;
}

static void make_piece(const abut_w_sweep_search *s, double begin, double end, abut_w_sweep_piece *piece) {
    piece->begin = begin;
    piece->end = end;
    abut_np_piece_of(s->way, s->world->extent, begin, end, &piece->shape);
    abut_w_sweep_round(&piece->shape.line, &piece->bounds);
    piece->bounds.radius = INFINITY; /* the tree drops by boxes alone: see `may_meet` */
}

static void begin_piece(abut_w_sweep_search *s, double begin, double length, uint32_t classes) {
    abut_w_sweep_piece *piece = &s->piece[s->count++];
    make_piece(s, begin, begin + length, piece);
    s->left = *piece;
    abut_bp_flight_begin_box(abut_w_tree(s->world), &piece->bounds, &s->flight);
    s->flight.found.fetch = abut_bp_box_of(&s->world->bp, 0);
    s->flight.found.fetch_stride = sizeof(abut_bp_box);
    s->flight.walk.classes = classes;
}

bool abut_w_sweep_search_begin(const abut_world *world, const abut_np_way *way, const abut_bp_mover *bounds,
                               uint32_t classes, abut_w_sweep_search *s) {
    const abut_bp_tree *tree = abut_w_tree(world);
    const double length = first_length(tree, way, bounds);
    if (!(length < 1)) {
        return false;
    }
    s->world = world;
    s->way = way;
    s->count = 0;
    begin_piece(s, 0, length, classes);
    return true;
}

/* Whether a box may be met in a piece. Exact but for rounding in double, which is far less than what the tree adds to
 * boxes: so where this is true, the tree finds the box. */
static bool may_meet(const abut_w_sweep_piece *piece, const abut_bp_box *box) {
    const abut_bp_mover *m = &piece->bounds;
    const float *origin = &m->origin.x, *translation = &m->translation.x;
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->min[k] - m->half[k] - origin[k];
        const double high = (double)box->max[k] + m->half[k] - origin[k], way = translation[k];
        if (way < 0 || way > 0) {
            enter = abut_max_d(enter, (way > 0 ? low : high) / way);
            leave = abut_min_d(leave, (way > 0 ? high : low) / way);
        } else if (low > 0 || high < 0) {
            return false;
        }
    }
    return enter <= leave && !abut_np_piece_misses(&piece->shape, box->min, box->max);
}

/* Drops those that are not met in what is left of the piece, and those that were found in earlier ones. */
static uint32_t keep_new(const abut_w_sweep_search *s, uint32_t *key, uint32_t n) {
    abut_bp_box box[ABUT_BP_FOUND_MAX];
    uint32_t kept = 0;
    abut_w_tree_boxes(s->world, key, n, box);
    for (uint32_t k = 0; k < n; k++) {
        bool is_new = may_meet(&s->left, &box[k]);
        for (uint32_t i = s->count - 1; i > 0 && is_new; i--) {
            is_new = !may_meet(&s->piece[i - 1], &box[k]);
        }
        key[kept] = key[k];
        kept += is_new;
    }
    return kept;
}

/* What is left of the piece before the limit is looked at anew where it has become much less. */
static void shorten(abut_w_sweep_search *s, double limit) {
    const abut_w_sweep_piece *piece = &s->piece[s->count - 1];
    const double begin = piece->begin;
    const double share = (limit - begin) / (piece->end - begin);
    abut_bp_flight_shorten(&s->flight, abut_max_d(abut_min_d(share, 1), 0));
    if (limit > begin && limit - begin < 0.5 * (s->left.end - begin)) {
        make_piece(s, begin, limit, &s->left);
    }
}

uint32_t abut_w_sweep_search_next(abut_w_sweep_search *s, double limit) {
    const abut_bp_tree *tree = abut_w_tree(s->world);
    for (;;) {
        const double end = s->piece[s->count - 1].end;
        shorten(s, limit);
        while (abut_bp_fly(tree, &s->flight), s->flight.found.n > 0) {
            s->flight.found.n = keep_new(s, s->flight.found.key, s->flight.found.n);
            if (s->flight.found.n > 0) {
                return s->flight.found.n;
            }
        }
        if (end >= 1 || end > limit) {
            return 0;
        }
        begin_piece(s, end, abut_min_d(end, LONGEST), s->flight.walk.classes);
    }
}
