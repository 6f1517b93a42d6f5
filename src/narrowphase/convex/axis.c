/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set.
 *
 * The separating axes of two convex hulls are the facet normals of each and the cross products of those edge pairs
 * whose arcs cross on the Gauss map (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). Instead
 * of measuring all of them, the search bounds them by samples, which are a few vertices: where a vertex p of b lies n.p
 * - w in front of facet (n, w) of a, the facet shows a separation of at most that, wherever the rest of b is. One dot
 * product per facet and sample then leaves a handful of facets to be measured against all vertices, and rules out
 * nearly every edge: the separation along the arc between two facets behind which p lies is at most the larger of their
 * two bounds. Where the hulls lie apart, few vertices lie behind facets; then, if edges are many, the closest points
 * bound what edges can show. Bounds are computed in float, with slack, and what they leave open is measured in double,
 * so the answer is that of the full search, bit for bit, whatever the order of the search was. */
#include "narrowphase/convex/axis_edges.inc"
#include "narrowphase/convex/axis_facets.inc"
#include "narrowphase/convex/axis_gap.inc"
#include "narrowphase/convex/kernels.h"
#include "narrowphase/tolerance.h"
#include <string.h>

/* The closest points are known to within so many times the slack of a separation. */
static const double SLACKS_OF_DISTANCE = 8;

/* This times S bounds the rounding error of a bound in float. */
static const double SLACK_OF_BOUNDS = 32 * 0x1p-24;

/* Beyond this size bounds in float could overflow, so all facets and edges are measured. Only boxes without a world are
 * that large. */
static const double LARGEST = 0x1p+120;

/* Hulls that lie deeper in each other than this share of the smaller one's extent, along the axis between the centres,
 * begin with so many samples: there the first one is seldom the vertex that meets the best facet, but near it. For a
 * yes or no one is enough, as it leaves no facet open. */
static const double DEEP_OF_EXTENT = 0.2;
enum { DEEP_SAMPLES = 5 };

/* The separation along the axis between the centres. vertex[k]: the vertex of the side's other hull that lies lowest
 * along it. */
static double separation_of_centers(const abut_np_convex_pair *pair, uint32_t vertex[2]) {
    const abut_np_side *side = &pair->side[0];
    abut_d3 n = abut_np_point_back(side, abut_d3_from(side->other->centroid));
    n = abut_d3_sub(n, abut_d3_from(side->own->centroid));
    abut_d3 in_b = abut_np_turned(side, n), back = abut_d3_negate(n);
    support low_b = lowest_along(side->other, &in_b), low_a = lowest_along(side->own, &back);
    vertex[0] = low_b.vertex;
    vertex[1] = low_a.vertex;
    double length = sqrt(abut_d3_dot(n, n)), s = abut_d3_dot(n, side->origin) + low_b.value + low_a.value;
    return length > 0 ? s / length : -INFINITY;
}

/* The state of one search. */
typedef struct search {
    const abut_np_convex_pair *pair;
    double slack, bound_slack; /* what rounding may add to a separation in double, and to a bound in float */
    double limit;              /* a separation above this is certain to be above the margin */
    double resting;            /* a facet of b is preferred to one of a only if it shows this much more */
    bool centers;              /* the axis between the centres was measured */
    bool faces_first;          /* faces are preferred to edges that show little more */
    uint32_t all_samples_most; /* ALL_SAMPLES_MOST or ALL_SAMPLES_TO_TOUCH */
    uint32_t deep_samples;     /* how many samples hulls deep in each other begin with */
    facet_search side[2];
    edge_choice edges;
    union { /* the bounds of both sides, or of facets of one; later the marks of both, or of one at a time */
        float bound[BOUNDS_MAX];
        uint8_t mark[MARKS_MAX];
    } scratch;
} search;

static void begin_search(search *s, const abut_np_convex_pair *pair, double margin) {
    s->pair = pair;
    s->centers = false;
    s->faces_first = true;
    s->all_samples_most = ALL_SAMPLES_MOST;
    s->deep_samples = DEEP_SAMPLES;
    s->slack = ABUT_NP_SLACK_DOUBLE * (pair->size + margin);
    s->bound_slack =
        pair->size > LARGEST ? INFINITY : SLACK_OF_BOUNDS * pair->size + 0x1p-140; /* below that floats lose bits */
    s->limit = margin + s->slack;
    s->resting = pair->resting;
    s->edges = (edge_choice){.separation = -INFINITY, .edge = {NONE, NONE}};
}

static bool names_edges(const search *s, const abut_np_hint *hint) {
    const uint16_t *e = hint->edge_plus_one;
    return e[0] && e[1] && e[0] <= s->pair->side[0].own->edge_count && e[1] <= s->pair->side[1].own->edge_count;
}

/* Measures the edge pair and the facets that the hint names. True when one of them shows a gap. */
static bool measure_hint(search *s, const abut_np_hint *hint) {
    if (names_edges(s, hint)) {
        edge_list a = {{(uint16_t)(hint->edge_plus_one[0] - 1)}, 1};
        edge_list b = {{(uint16_t)(hint->edge_plus_one[1] - 1)}, 1};
        search_edge_pairs(s->pair, s->slack, &a, &b, &s->edges);
    }
    bool gap = s->edges.separation > s->limit;
    for (int k = 0; k < 2 && !gap; k++) {
        facet_search *f = &s->side[k];
        uint32_t facet_plus_one = hint->facet_plus_one[k];
        if (facet_plus_one && facet_plus_one <= f->side->own->facet_count) {
            facet_choice known = measure(f->side, facet_plus_one - 1);
            f->best = known.separation > f->best.separation ? known : f->best;
            f->known = facet_plus_one - 1;
            f->known_vertex = known.vertex;
            gap = known.separation > s->limit;
        }
    }
    return gap;
}

/* The vertices that meet the facets of a hint, and those that it names, become samples. */
static void add_samples_of_hint(search *s, const abut_np_hint *hint) {
    for (int k = 0; k < 2; k++) {
        facet_search *f = &s->side[k];
        if (f->known != NONE) {
            add_sample(f, f->known_vertex);
        }
        for (int i = 0; i < ABUT_NP_HINT_VERTICES; i++) {
            uint32_t vertex_plus_one = hint->vertex_plus_one[k][i];
            if (vertex_plus_one && vertex_plus_one <= f->side->other->vertex_count) {
                add_sample(f, vertex_plus_one - 1);
            }
        }
    }
}

/* Vertices around a vertex of the other hull become samples as well, until there are `most`. */
static void add_neighbors(facet_search *f, uint32_t vertex, uint32_t most) {
    const abut_hull *other = f->side->other;
    const abut_hull_edge *edges = abut_hull_edges(other);
    const uint16_t *first = abut_hull_indices(other, other->vertex_edges_first) + vertex;
    const uint16_t *around = abut_hull_indices(other, other->vertex_edges);
    for (uint32_t i = first[0]; i < first[1] && f->of_facets.count < most; i++) {
        const uint16_t *v = edges[around[i]].v;
        add_sample(f, v[v[0] == vertex]);
    }
}

/* Measures the axis between the centres unless a hint has samples for both sides. True where it shows a gap; else each
 * side has a sample. */
static bool measure_likely_axes(search *s, const abut_np_hint *hint) {
    uint32_t vertex[2];
    if (hint) {
        add_samples_of_hint(s, hint);
    }
    if (s->side[0].of_facets.count && s->side[1].of_facets.count) {
        return false;
    }
    s->centers = true;
    const double separation = separation_of_centers(s->pair, vertex);
    if (separation > s->limit) {
        return true;
    }
    const bool deep = s->deep_samples > 1 && separation < -DEEP_OF_EXTENT * s->pair->small;
    for (int k = 0; k < 2; k++) {
        facet_search *f = &s->side[k];
        if (!f->of_facets.count) {
            add_sample(f, vertex[k]);
            if (deep && f->side->other->vertex_count > MARKED_MAX) {
                add_neighbors(f, vertex[k], s->deep_samples);
            }
        }
    }
    return false;
}

static void raise_floor(facet_search *f, double floor) {
    if (f->best.separation < floor) {
        f->best = (facet_choice){floor, NONE, NONE};
    }
}

/* The separation that a facet of b must show to be preferred to the best facet of a, which shows `of_a`. The preference
 * for a ends where b alone shows a gap, or a gap over the margin. */
static double floor_of_b(const search *s, double of_a) {
    double floor = of_a + s->resting, sure = ABUT_NP_SLACK_DOUBLE * s->pair->size;
    double first = of_a <= sure ? sure : s->limit;
    return of_a <= s->limit && floor > first ? first : floor;
}

/* What a facet of b must show to matter: no less where facets of a are left to measure. */
static double bar_of_b(const search *s) {
    double of_b = s->side[1].best.separation;
    return s->side[0].best.facet == NONE ? of_b : abut_max_d(of_b, floor_of_b(s, s->side[0].best.separation));
}

/* Searches the facets that have bounds. */
static void search_bounded(search *s) {
    facet_search *a = &s->side[0], *b = &s->side[1];
    while (abut_max_d(a->best.separation, b->best.separation) <= s->limit) {
        bool of_a = is_open(a, s->bound_slack, a->best.separation), of_b = is_open(b, s->bound_slack, bar_of_b(s));
        if (of_a && of_b) {
            measure_next_of_both(a, b);
        } else if (of_a || of_b) {
            measure_next(of_a ? a : b);
        } else {
            break;
        }
    }
}

/* Finds the facet of each side with the largest separation above its floor, or any that shows more than the limit. If
 * the bounds of both have room they are searched together; but where all vertices are samples a rarely takes more than
 * one, and then spares b its own. Else a comes first; and where even the bounds of one side have no room, some of its
 * facets after the others. */
static void search_by_bounds(search *s) {
    facet_search *a = &s->side[0], *b = &s->side[1];
    const uint32_t of_a = a->side->own->facet_count, of_b = b->side->own->facet_count;
    const uint32_t room = abut_hull_padded(of_a);
    bool together = false;
    for (uint32_t first = 0; first < of_a && a->best.separation <= s->limit; first += BOUNDS_MAX) {
        bound_side(a, first, s->all_samples_most, s->scratch.bound);
        together = !a->all_samples && room + abut_hull_padded(of_b) <= BOUNDS_MAX;
        while (!together && a->best.separation <= s->limit && is_open(a, s->bound_slack, a->best.separation)) {
            measure_next(a);
        }
    }
    for (uint32_t first = 0; first < of_b && abut_max_d(a->best.separation, b->best.separation) <= s->limit;
         first += BOUNDS_MAX) {
        bound_side(b, first, s->all_samples_most, s->scratch.bound + (together ? room : 0));
        search_bounded(s);
    }
}

/* The side whose facet is best, or -1 when no facet shows more than the floor that its side began with. */
static int search_sides(search *s) {
    facet_search *a = &s->side[0], *b = &s->side[1];
    raise_floor(a, b->best.separation - 2 * s->resting);
    if (s->bound_slack < INFINITY) {
        search_by_bounds(s);
    } else {
        measure_all(a, s->limit);
        measure_all(b, s->limit);
    }
    if (a->best.facet != NONE) {
        raise_floor(b, floor_of_b(s, a->best.separation));
    }
    return b->best.facet != NONE ? 1 : a->best.facet != NONE ? 0 : -1;
}

/* What no axis of hulls that lie apart shows more than. From here on their closest points rule out edges; and if they
 * lie on two edges, these are measured. */
static double most_across_gap(search *s) {
    const abut_np_convex_pair *pair = s->pair;
    const abut_hull *hull[2] = {pair->side[0].own, pair->side[1].own};
    abut_np_nearest nearest;
    if (!find_nearest(pair, &nearest)) {
        return INFINITY;
    }
    const uint32_t a = edge_of_nearest(&nearest, hull[0], false), b = edge_of_nearest(&nearest, hull[1], true);
    if (a != NONE && b != NONE) {
        const edge_list of_a = {{(uint16_t)a}, 1}, of_b = {{(uint16_t)b}, 1};
        search_edge_pairs(pair, s->slack, &of_a, &of_b, &s->edges);
    }
    for (int k = 0; k < 2; k++) {
        facet_search *f = &s->side[k];
        f->has_nearest = true;
        f->nearest = abut_np_point_back(f->side, nearest_of(&nearest, f->side->other, k == 0));
    }
    return sqrt(abut_d3_dot(nearest.point, nearest.point)) + SLACKS_OF_DISTANCE * s->slack;
}

/* The samples of a side are to lie deep behind its facets, for edges that are to show more than is known. They must lie
 * behind them, as the bound of an edge does not hold for a sample in front: more than 0 counts as 0 there. */
static void begin_edges(const search *s, facet_search *f, uint32_t unsampled, uint8_t *mark) {
    const double known = s->edges.separation;
    f->deep = (float)((known < 0 ? known : 0) - 1.001 * s->bound_slack);
    f->least = known - SLACKS_OF_DISTANCE * s->slack;
    f->of_edges.count = 0;
    f->unsampled = unsampled;
    f->mark = mark;
}

/* Tries all edge pairs that are not ruled out. A sample rules out an edge if it lies deep behind both of its facets
 * (see the top of this file). The side with the best facet is looked at first: where a vertex of the other hull meets a
 * facet, that vertex alone often rules out all edges of this side. The marks of two large hulls take turns, as there is
 * room for those of one. False if it left off where more than `pairs_most` were to be tried at once. */
static bool try_edges(search *s, int best_side, uint32_t unsampled, uint32_t pairs_most) {
    facet_search *first = &s->side[best_side], *second = &s->side[1 - best_side];
    const uint32_t count = first->side->own->edge_count, second_count = second->side->own->edge_count;
    const uint32_t room = abut_hull_padded(first->side->own->facet_count);
    const bool turns = room + abut_hull_padded(second->side->own->facet_count) > MARKS_MAX;
    edge_list list[2];
    bool marked[2] = {false, false};
    begin_edges(s, first, unsampled, s->scratch.mark);
    begin_edges(s, second, unsampled, s->scratch.mark + (turns ? 0 : room));
    for (uint32_t i = 0; i < count && s->edges.separation <= s->limit;) {
        if (!marked[0]) {
            mark_facets(first);
            marked[0] = true;
        }
        next_edges(first, &i, &list[best_side]);
        if (list[best_side].count && (!marked[1] || turns)) {
            mark_facets(second);
            marked[1] = true;
            marked[0] = !turns;
        }
        for (uint32_t j = 0; list[best_side].count && j < second_count && s->edges.separation <= s->limit;) {
            next_edges(second, &j, &list[1 - best_side]);
            if (list[0].count * list[1].count > pairs_most) {
                return false;
            }
            search_edge_pairs(s->pair, s->slack, &list[0], &list[1], &s->edges);
        }
    }
    return true;
}

/* Finds the edge pair that shows the largest separation, `floor` or more. Returns what no axis shows more than, or
 * INFINITY where that was not worth finding. `gap`: a face shows that the hulls lie apart. */
static double search_edges(search *s, double floor, int best_side, bool gap) {
    double most = INFINITY;
    if (s->edges.separation < floor) {
        s->edges = (edge_choice){.separation = floor, .edge = {NONE, NONE}};
    }
    if (gap && try_edges(s, best_side, UINT32_MAX, EDGE_PAIRS_MANY)) {
        return most;
    }
    most = gap ? most_across_gap(s) : most;
    if (most >= s->edges.separation) {
        (void)try_edges(s, best_side, EDGES_WITHOUT_SAMPLE, UINT32_MAX);
    }
    return most;
}

/* If the axis between the centres shows a gap nothing is kept, so that it is measured first again. Edges are kept where
 * they show a gap: hulls that touch are searched sooner than edges are measured that shorten the search. */
static void keep_hint(const search *s, bool by_centers, abut_np_hint *hint) {
    if (hint && by_centers) {
        *hint = (abut_np_hint){.facet_plus_one = {0, 0}};
        return;
    }
    const bool by_edges = s->edges.separation > s->limit;
    for (int k = 0; hint && k < 2; k++) {
        const facet_search *f = &s->side[k];
        hint->facet_plus_one[k] = (uint16_t)(f->best.facet == NONE ? 0 : f->best.facet + 1);
        hint->edge_plus_one[k] = (uint16_t)(by_edges ? s->edges.edge[k] + 1 : 0);
        for (uint32_t i = 0; i < ABUT_NP_HINT_VERTICES; i++) {
            bool known = i < f->of_facets.count && !f->all_samples;
            hint->vertex_plus_one[k][i] =
                (uint16_t)(known ? f->of_facets.vertex[(f->of_facets.count - 1 - i) % SAMPLES_MAX] + 1 : 0);
        }
    }
}

/* Whether an axis that belongs to no feature shows a gap over the margin: the axis between the centres and, with a
 * margin, the axes of the world. If it was not measured first it is measured last, so that a hint changes nothing.
 * Hulls that overlap have no gap along any axis, so for them nothing is measured. */
static bool separated_by_other_axes(const search *s, double margin) {
    uint32_t vertex[2];
    bool apart = !s->centers && separation_of_centers(s->pair, vertex) > s->limit;
    for (int i = 0; i < 3 && margin > 0 && !apart; i++) {
        const double *m = s->pair->axes_a[i];
        apart = separation_along(s->pair, abut_d3_load(m)) > s->limit ||
                separation_along(s->pair, abut_d3_negate(abut_d3_load(m))) > s->limit;
    }
    return apart;
}

/* The separation with the sign that is certain: a pair without a gap overlaps and a pair with a gap does not, whatever
 * rounding and preference have made of the number. */
static double with_certain_sign(double separation, bool gap) {
    return gap == (separation > 0) ? separation : 0;
}

/* What edges must show to be preferred to a face that shows `face`: up to `near`, which counts as touching, and beyond.
 */
typedef struct edge_bar {
    double touching, apart, near;
} edge_bar;

static double least_extent(const abut_np_convex_pair *pair) {
    double least = INFINITY;
    for (int k = 0; k < 2; k++) {
        const float *half = &pair->side[k].own->obb.half.x;
        for (int i = 0; i < 3; i++) {
            least = half[i] > 0 && (double)half[i] < least ? (double)half[i] : least;
        }
    }
    return least;
}

static edge_bar bar_of(const search *s, double face) {
    double share = s->faces_first ? ABUT_NP_FACE_PREFERENCE_OF_HULLS * fabs(face) + s->resting : 0;
    double of_extent = s->faces_first ? ABUT_NP_FACE_PREFERENCE_OF_EXTENT * least_extent(s->pair) : 0;
    return (edge_bar){face + abut_max_d(share, of_extent), face + share, s->pair->next};
}

static bool reaches(double separation, const edge_bar *bar) {
    return separation >= (separation > bar->near ? bar->apart : bar->touching);
}

static bool edges_preferred(const edge_choice *edges, const edge_bar *bar) {
    return edges->edge[0] != NONE && reaches(edges->separation, bar);
}

/* The best facet, along which plane it is measured, and what edges must show. */
typedef struct face_choice {
    facet_choice best;
    const abut_hull_plane *plane;
    bool facet_alone; /* the plane is not that of the face that the facet was merged into */
    edge_bar bar;
} face_choice;

/* How much deeper than a facet the face that it was merged into may be in any case. No tolerance: the default one is
 * no more than this. */
static double merging_of(const abut_hull *hull) {
    const double given = hull->coplanar_tolerance;
    return given > 0 ? 2 * given : 0x1p-16 * abut_np_extent(hull);
}

/* The axis of a facet is the normal of the face that it was merged into, so that it does not jump from one facet of a
 * face to the next. But a hull that is hardly thicker than the tolerance may have faces of facets that look in quite
 * different directions: beyond the tolerance a face is preferred to its facet only as it is to edges. */
static face_choice face_of(const search *s, int k) {
    const abut_np_side *side = &s->pair->side[k];
    const facet_choice alone = s->side[k].best;
    const abut_hull_plane *facet = &abut_hull_planes(side->own)[alone.facet];
    const abut_hull_plane *face =
        &abut_hull_faces(side->own)[abut_hull_indices(side->own, side->own->face_of)[alone.facet]].plane;
    const bool same = memcmp(face, facet, sizeof *face) == 0;
    const edge_bar bar = bar_of(s, alone.separation);
    if (!same) {
        const abut_d3 n = abut_d3_load(face->n), d = abut_np_turned(side, n);
        const support low = lowest_along(side->other, &d);
        const facet_choice merged = {abut_d3_dot(n, side->origin) + low.value - face->w, alone.facet, low.vertex};
        if (alone.separation <= merged.separation + merging_of(side->own)) {
            return (face_choice){merged, face, false, bar};
        }
        const edge_bar of_merged = bar_of(s, merged.separation);
        if (!reaches(alone.separation, &of_merged)) {
            return (face_choice){merged, face, false, of_merged};
        }
    }
    return (face_choice){alone, facet, !same, bar};
}

static void face_axis(const search *s, int k, const face_choice *of, abut_np_axis *axis) {
    const facet_choice best = of->best;
    const abut_d3 n = abut_d3_load(of->plane->n);
    if (k == 0) {
        *axis = (abut_np_axis){best.separation, n, ABUT_NP_FACET_OF_A, best.facet, best.vertex, of->facet_alone};
    } else {
        const abut_d3 in_a = abut_np_turned(&s->pair->side[1], n), out = abut_d3_negate(in_a);
        *axis = (abut_np_axis){best.separation, out, ABUT_NP_FACET_OF_B, best.vertex, best.facet, of->facet_alone};
    }
}

/* Edge pairs count from where they would be preferred; and where the faces show no gap, from where rounding might hide
 * that the edges do. */
static double floor_of_edges(double face, double sure, const edge_bar *bar) {
    double other = face <= sure ? -sure : abut_max_d(bar->near, bar->apart);
    return bar->touching < other ? bar->touching : other;
}

/* With side k as that of the best facet, which shows no gap over the margin: whether other axes show none, too; and the
 * axis that is preferred. */
static bool choose_axis(search *s, int k, double margin, abut_np_axis *axis) {
    const double face = s->side[k].best.separation, sure = ABUT_NP_SLACK_DOUBLE * s->pair->size;
    const face_choice of = face_of(s, k);
    const double floor = floor_of_edges(face, sure, &of.bar);
    const double most = search_edges(s, floor < s->limit ? floor : s->limit, k, face > sure);
    if (s->edges.separation > s->limit ||
        (most > s->limit && abut_max_d(face, s->edges.separation) > -sure && separated_by_other_axes(s, margin))) {
        return false;
    }
    if (edges_preferred(&s->edges, &of.bar)) {
        const edge_choice *e = &s->edges;
        *axis = (abut_np_axis){e->separation, e->normal, ABUT_NP_EDGES, e->edge[0], e->edge[1], false};
    } else {
        face_axis(s, k, &of, axis);
    }
    const bool gap = face > sure || (s->edges.edge[0] != NONE && s->edges.separation > sure);
    axis->separation = with_certain_sign(axis->separation, gap);
    return true;
}

static bool find(const abut_np_convex_pair *pair, double margin, bool faces_first, abut_np_hint *hint,
                 abut_np_axis *axis) {
    search s;
    begin_search(&s, pair, margin);
    s.faces_first = faces_first;
    begin_facets(&s.side[0], &pair->side[0], -INFINITY);
    begin_facets(&s.side[1], &pair->side[1], -INFINITY);
    if (hint && measure_hint(&s, hint)) { /* which is kept: it served well */
        abut_lanes_done();
        return false;
    }
    const bool by_centers = measure_likely_axes(&s, hint);
    bool apart = by_centers;
    if (!apart) {
        const int k = search_sides(&s);
        apart = s.side[k].best.separation > s.limit || !choose_axis(&s, k, margin, axis);
    }
    keep_hint(&s, by_centers, hint);
    abut_lanes_done();
    return !apart;
}

static bool find_axis(const abut_np_convex_pair *pair, double margin, abut_np_hint *hint, abut_np_axis *axis) {
    return find(pair, margin, true, hint, axis);
}

static void find_best_axis(const abut_np_convex_pair *pair, double margin, abut_np_axis *axis) {
    (void)find(pair, margin, false, NULL, axis);
}

static bool touch(const abut_np_convex_pair *pair, abut_np_hint *hint) {
    search s;
    begin_search(&s, pair, 0);
    s.resting = 0;
    s.all_samples_most = ALL_SAMPLES_TO_TOUCH;
    s.deep_samples = 1;
    begin_facets(&s.side[0], &pair->side[0], s.limit);
    begin_facets(&s.side[1], &pair->side[1], s.limit);
    if (hint && measure_hint(&s, hint)) {
        abut_lanes_done();
        return false;
    }
    const bool by_centers = measure_likely_axes(&s, hint);
    bool apart = by_centers;
    if (!apart) {
        (void)search_sides(&s); /* a side without a facet that shows more stays at the limit */
        apart = abut_max_d(s.side[0].best.separation, s.side[1].best.separation) > s.limit;
    }
    if (!apart) {
        (void)search_edges(&s, s.limit, 0, false);
        apart = s.edges.separation > s.limit || separated_by_other_axes(&s, 0);
    }
    keep_hint(&s, by_centers, hint);
    abut_lanes_done();
    return !apart;
}

const abut_np_convex_kernels ABUT_KERNEL(abut_np_convex_kernels) = {
    .lanes = ABUT_VF_LANES, .find_axis = find_axis, .find_best_axis = find_best_axis, .touch = touch};
