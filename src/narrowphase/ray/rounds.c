/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a ray and boxes with a radius, which capsules are, too.
 *
 * The planes of the box's faces cut the ray's line into at most seven stretches. On each the excess over the box, from
 * its nearest point to the ray, is linear along some axes and zero along the others; so a sphere, a cylinder or a slab
 * decides. The ray is mirrored so that it never moves down any axis. */
#include "narrowphase/ray/lanes.inc"

typedef struct lane_round {
    vd o[3], d[3]; /* mirrored: d >= 0 */
    vd half[3];
    vd radius;          /* with the slack */
    vd low[3], high[3]; /* when the ray passes the lower and the upper face */
    vd start, end;      /* within the box that is longer by the radius */
} lane_round;

/* An axis without an extent has no faces to pass: the ray counts as above them, which are 0. */
static ABUT_INLINE void set_axis(lane_round *r, const lane_ray *ray, int i) {
    vd zero = constant(0);
    md down = less(ray->d[i], zero), flat = equal(r->half[i], zero);
    vd o = r->o[i] = choose(down, negated(ray->o[i]), ray->o[i]);
    r->d[i] = absolute(ray->d[i]);
    vd over = quotient(constant(1), r->d[i]), grown = sum(r->half[i], r->radius);
    r->low[i] = choose(flat, constant(-INFINITY), times(minus(negated(r->half[i]), o), over));
    r->high[i] = choose(flat, constant(-INFINITY), times(minus(r->half[i], o), over));
    r->start = larger(times(minus(negated(grown), o), over), r->start);
    r->end = smaller(times(minus(grown, o), over), r->end);
}

static ABUT_INLINE void load_round(const abut_np_ray *ray, const abut_np_ray_growth *growth,
                                   const abut_collider *collider, const uint32_t *at, lane_round *r) {
    lane_ray placed;
    vd record[10], last[4];
    abut_vd_load10(collider, sizeof *collider, at, record);
    abut_vd_load4(&collider->half, sizeof *collider, at, last);
    place_ray(ray, record, &placed);
    vd grown = sum(last[3], constant(growth->radius)), size = sum(sum(placed.apart, norm1(record + 7)), grown);
    r->radius = sum(grown, times(size, constant(growth->slack)));
    r->start = constant(0);
    r->end = constant(1);
    for (int i = 0; i < 3; i++) {
        r->half[i] = record[7 + i];
        set_axis(r, &placed, i);
    }
}

/* The stretch that begins at `from`: where it ends, and in which lanes and where the ray meets the body on it. */
static ABUT_INLINE md meet(const lane_round *r, vd from, vd *to, vd *fraction) {
    vd zero = constant(0), excess[3], along[3], off[3];
    *to = r->end;
    for (int i = 0; i < 3; i++) {
        md below = less(from, r->low[i]), above = at_most(r->high[i], from);
        md ahead = less(from, r->high[i]);
        vd x = choose(below, sum(r->o[i], r->half[i]), minus(r->o[i], r->half[i]));
        excess[i] = choose(either(below, above), x, zero);
        along[i] = choose(either(below, above), r->d[i], zero);
        *to = choose(below, smaller(r->low[i], *to), choose(ahead, smaller(r->high[i], *to), *to));
    }
    vd square = dot(along, along);
    md still = equal(square, zero);
    vd over = quotient(constant(1), choose(still, constant(1), square));
    vd middle = negated(times(dot(excess, along), over));
    for (int i = 0; i < 3; i++) {
        off[i] = sum(excess[i], times(middle, along[i]));
    }
    vd distance = root(dot(off, off));
    vd chord2 = times(minus(r->radius, distance), sum(r->radius, distance));
    vd chord = root(times(larger(chord2, zero), over));
    vd start = choose(still, from, larger(minus(middle, chord), from)), end = sum(middle, chord);
    *fraction = start;
    return both(at_most(distance, r->radius), both(at_most(start, *to), either(still, at_most(from, end))));
}

void ABUT_KERNEL(abut_np_ray_rounds)(const abut_np_ray *ray, const abut_np_ray_growth *growth,
                                     const abut_collider *collider, const uint32_t *index, size_t n, double *fraction) {
    uint32_t last[LANES];
    for (size_t first = 0; first < n; first += LANES) {
        lane_round r;
        load_round(ray, growth, collider, padded(index + first, n - first, LANES, last), &r);
        vd out = constant(INFINITY), from = r.start, to, start;
        md open = at_most(r.start, r.end);
        while (bits_of(open)) { /* each turn begins later, at one of seven places */
            md met = both(open, meet(&r, from, &to, &start));
            out = choose(met, start, out);
            open = both(but_not(open, met), less(from, to));
            from = to;
        }
        store_fractions(out, n - first, fraction + first);
    }
    abut_lanes_done();
}
