/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/made_boxes.h"
#include <math.h>

typedef struct placed {
    double low[3], size[3];
} placed;

static void scale(placed *p, double by) {
    for (int axis = 0; axis < 3; axis++) {
        p->low[axis] *= by;
        p->size[axis] *= by;
    }
}

static void place_on_grid(placed *p, uint32_t key, double size) {
    const uint32_t at[3] = {key % 9, key / 9 % 9, key / 81};
    for (int axis = 0; axis < 3; axis++) {
        p->low[axis] = at[axis] * size;
        p->size[axis] = size;
    }
}

static void place(rng *r, made_family family, uint32_t key, placed *p) {
    const uint32_t axis = key % 3;
    switch (family) {
    case MADE_CITY:
        p->low[1] = 0;
        p->size[1] *= 4;
        break;
    case MADE_LATTICE:
        place_on_grid(p, key, 0.75);
        break;
    case MADE_RODS:
        p->low[axis] = 0;
        p->size[axis] = 20;
        p->size[(axis + 1) % 3] /= 2;
        break;
    case MADE_LINE:
        p->low[2] *= 100;
        p->low[0] = p->low[1] = 0;
        break;
    case MADE_POINTS:
        place_on_grid(p, key % 200, 0);
        p->low[axis] = rng_below(r, 5);
        break;
    case MADE_SIZES:
        scale(p, ldexp(1, (int)rng_below(r, 21) - 10));
        break;
    case MADE_CLUSTERS:
        p->low[0] += key % 2 * 1e6;
        p->low[1] /= 8;
        p->low[2] = p->low[2] / 8 + key % 5 * 1e5;
        break;
    case MADE_CROWD:
        p->low[1] = rng_chance(r, 0.07) ? p->low[1] : 0;
        p->low[2] = rng_chance(r, 0.07) ? p->low[2] : 0;
        p->size[0] = rng_chance(r, 0.5) ? 30 : p->size[0];
        break;
    case MADE_FAR:
        p->low[axis] += key % 2 ? 9e8 : -9e8;
        p->size[axis] = 256;
        break;
    case MADE_DENORMAL:
        scale(p, 0x1p-134);
        break;
    case MADE_SAME:
        p->low[0] = p->low[1] = p->low[2] = -1;
        p->size[0] = p->size[1] = p->size[2] = 2;
        break;
    default:
        break;
    }
}

abut_bp_box made_box(rng *r, made_family family, uint32_t key) {
    placed p;
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        p.low[axis] = rng_range(r, -10, 10);
        p.size[axis] = rng_range(r, 0.25, 1.5);
    }
    place(r, family, key, &p);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = (float)p.low[axis];
        box.max[axis] = (float)(p.low[axis] + p.size[axis]);
    }
    return box;
}

abut_bp_box made_nudged(rng *r, const abut_bp_box *box) {
    abut_bp_box moved = *box;
    for (int axis = 0; axis < 3; axis++) {
        const double way = ((double)box->max[axis] - (double)box->min[axis]) * rng_range(r, -0.1, 0.1);
        moved.min[axis] = (float)((double)box->min[axis] + way);
        moved.max[axis] = (float)((double)box->max[axis] + way);
    }
    return moved;
}
