/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/made_pairs.h"
#include <abut/hull.h>
#include <math.h>
#include <stdlib.h>

enum { LARGE = 2200 };

/* A shape that lies on a larger one and sinks in a little, tilted a little or not at all: many points, of which several
 * are as deep, or as far from each other. */
static void lay_on(rng *r, const made_hulls *hulls, wild_pair *p) {
    const abut_shape a =
        rng_chance(r, 0.2) ? abut_convex(hulls->lattice.hull[8], 0) : lattice_sharp(r, &hulls->lattice);
    abut_shape b = rng_chance(r, 0.7) ? (abut_shape){.half = {8, 2, 8}} : abut_convex(hulls->lattice.hull[6], 0);
    lattice_pair_make(r, &a, &b, p);
    const float from = (float)(16 << rng_below(r, 6)), sink = (float)rng_below(r, 3) / 16;
    const float tilt_x = (float)rng_below(r, 3) - 1, tilt_z = (float)rng_below(r, 3) - 1;
    const abut_quat tilt = {tilt_x, 0, tilt_z, from};
    const abut_aabb bounds = abut_shape_bounds(&a, &p->pose_a),
                    under = abut_shape_bounds(&b, &(abut_pose){.rotation = tilt});
    p->pose_b.rotation = tilt;
    p->pose_b.position = p->pose_a.position;
    p->pose_b.position.x += (float)rng_below(r, 5) - 2;
    p->pose_b.position.y = floorf(bounds.min.y * 16 + 0.5f) / 16 - floorf(under.max.y * 16 + 0.5f) / 16 + sink;
}

/* Half of the pairs consist of whole numbers. */
wild_pair made_pair_of(rng *r, const made_hulls *hulls) {
    wild_pair p;
    if (rng_chance(r, 0.25)) {
        lay_on(r, hulls, &p);
    } else if (rng_chance(r, 0.1)) {
        const abut_shape a = abut_convex(hulls->forty, 0);
        wild_pair_make(r, &a, &a, &p);
    } else if (rng_chance(r, 0.5)) {
        const abut_shape a = lattice_sharp(r, &hulls->lattice), b = lattice_sharp(r, &hulls->lattice);
        lattice_pair_make(r, &a, &b, &p);
    } else {
        const double size = wild_size(r, -3, 3);
        const abut_shape a = wild_sharp(r, &hulls->wild, size), b = wild_sharp(r, &hulls->wild, size);
        wild_pair_make(r, &a, &b, &p);
    }
    return p;
}

void made_pair_place(const wild_pair *from, made_pair *p) {
    if (!abut_collider_from_shape(&from->a, &from->pose_a, &p->a) ||
        !abut_collider_from_shape(&from->b, &from->pose_b, &p->b)) {
        abort();
    }
    abut_np_order(&p->a, &p->b, &p->ordered);
}

abut_np_hint made_hint(rng *r) {
    const uint32_t most = rng_chance(r, 0.7) ? 20 : 65536;
    abut_np_hint hint;
    for (int i = 0; i < 2; i++) {
        hint.facet_plus_one[i] = (uint16_t)rng_below(r, most);
        hint.edge_plus_one[i] = (uint16_t)rng_below(r, most);
        for (int k = 0; k < ABUT_NP_HINT_VERTICES; k++) {
            hint.vertex_plus_one[i][k] = (uint16_t)rng_below(r, most);
        }
    }
    return hint;
}

wild_pair made_pair_of_large(rng *r, const made_hulls *hulls, uint32_t k) {
    const abut_hull *const other = k % 3 ? hulls->large[1 - k % 2] : hulls->lattice.hull[6];
    const abut_shape a = abut_convex(hulls->large[k % 2], 0), b = k % 4 == 3 ? lattice_box(r) : abut_convex(other, 0);
    wild_pair p;
    wild_pair_make(r, &a, &b, &p);
    return p;
}

/* No four of the points lie in a plane, so there are 2 n - 4 facets. */
static abut_hull *make_hull(uint64_t stream, size_t n) {
    static abut_vec3 point[LARGE];
    rng r = rng_make(3, stream);
    for (size_t k = 0; k < n; k++) {
        point[k] = rng_direction(&r);
        point[k].y *= stream % 2 ? 1 : 0.125f;
    }
    abut_hull *hull;
    if (abut_hull_create(point, n, NULL, &hull) != ABUT_OK) {
        abort();
    }
    return hull;
}

void made_hulls_create(made_hulls *hulls) {
    wild_hulls_create(&hulls->wild);
    lattice_hulls_create(&hulls->lattice);
    hulls->large[0] = make_hull(8, LARGE);
    hulls->large[1] = make_hull(9, LARGE);
    hulls->forty = make_hull(11, 22);
}

void made_hulls_destroy(made_hulls *hulls) {
    abut_hull_destroy(&hulls->large[0]);
    abut_hull_destroy(&hulls->large[1]);
    abut_hull_destroy(&hulls->forty);
    lattice_hulls_destroy(&hulls->lattice);
    wild_hulls_destroy(&hulls->wild);
}
