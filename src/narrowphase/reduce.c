/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/reduce.h"

static void drop(abut_np_candidates *all, int index) {
    all->count--;
    for (int i = index; i < all->count; i++) {
        all->candidate[i] = all->candidate[i + 1];
    }
}

static bool repeats(const abut_np_candidates *all, const abut_np_candidate *p, const abut_np_candidate *q) {
    double u = p->across[0] - q->across[0], v = p->across[1] - q->across[1];
    return p->point.feature == q->point.feature || u * u + v * v <= all->same_place * all->same_place;
}

static void drop_repeated(abut_np_candidates *all) {
    for (int i = 0; i < all->count; i++) {
        for (int j = i + 1; j < all->count;) {
            if (!repeats(all, &all->candidate[i], &all->candidate[j])) {
                j++;
            } else if (all->candidate[j].separation < all->candidate[i].separation) {
                all->candidate[i] = all->candidate[j];
                drop(all, j);
                j = i + 1; /* it may repeat others than the one it replaces did */
            } else {
                drop(all, j);
            }
        }
    }
}

static int deepest(const abut_np_candidates *all) {
    int best = 0;
    for (int i = 1; i < all->count; i++) {
        best = all->candidate[i].separation < all->candidate[best].separation ? i : best;
    }
    return best;
}

static int farthest_from(const abut_np_candidates *all, int from) {
    int best = from;
    double most = -1;
    for (int i = 0; i < all->count; i++) {
        double u = all->candidate[i].across[0] - all->candidate[from].across[0];
        double v = all->candidate[i].across[1] - all->candidate[from].across[1];
        if (i != from && u * u + v * v > most) {
            most = u * u + v * v;
            best = i;
        }
    }
    return best;
}

/* Twice the signed area of the triangle over the line from p to q. */
static double area(const abut_np_candidates *all, int p, int q, int r) {
    const double *a = all->candidate[p].across, *b = all->candidate[q].across, *c = all->candidate[r].across;
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The points that reach farthest to the left (sign 1) or right (-1) of the line; -1 when there is none. */
static int farthest_beside(const abut_np_candidates *all, int p, int q, double sign) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < all->count; i++) {
        double reach = sign * area(all, p, q, i);
        if (i != p && i != q && reach > most) {
            most = reach;
            best = i;
        }
    }
    return best;
}

void abut_np_reduce(abut_np_candidates *candidates, abut_manifold *manifold) {
    drop_repeated(candidates);
    uint32_t keep = (UINT32_C(1) << candidates->count) - 1;
    if (candidates->count > 4) {
        int first = deepest(candidates), second = farthest_from(candidates, first);
        keep = UINT32_C(1) << first | UINT32_C(1) << second;
        for (int side = -1; side <= 1; side += 2) {
            int third = farthest_beside(candidates, first, second, side);
            keep |= third < 0 ? 0 : UINT32_C(1) << third;
        }
    }
    manifold->count = 0;
    for (int i = 0; i < candidates->count; i++) {
        if (keep >> i & 1) {
            abut_contact_point *point = &manifold->points[manifold->count++];
            *point = candidates->candidate[i].point;
            point->separation = (float)candidates->candidate[i].separation + 0.0f;
        }
    }
}
