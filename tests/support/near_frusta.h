/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random frusta of every kind, and boxes that nearly touch them, or nearly leave them.
 *
 * Perspectives: 0.1 to 170 degrees, aspect 1e-2 to 1e2, far/near 1.01 to 1e7 or infinite, eyes to 1e6 from the origin,
 * axes of any length and slightly non-orthogonal; matrices of all three clips, off-centre, oblique, orthographic,
 * infinite; boxes. Boxes: 1e-3 to 1e3 of the near or the far side, aspect to 1e4, zero extents; parallel to the
 * frustum's axes or one of its planes, 1e-8 to 0.1 from that, or unrelated. The gap along one chosen axis is 0 or
 * +-(1e-12 to 1e-2) of the box, before rounding to floats; half of the boxes then absorb that rounding in one half
 * extent. */
#ifndef ABUT_TESTS_SUPPORT_NEAR_FRUSTA_H
#define ABUT_TESTS_SUPPORT_NEAR_FRUSTA_H

#include "support/frustum_oracle.h"

/* The axis along which the box is placed: a plane's normal (the box outside or inside of it), a face of the box, an
 * edge of each, any; or none, somewhere near. */
typedef enum near_frusta_way {
    NEAR_FRUSTA_PLANE,
    NEAR_FRUSTA_FACE,
    NEAR_FRUSTA_EDGES,
    NEAR_FRUSTA_VERTICES,
    NEAR_FRUSTA_INSIDE,
    NEAR_FRUSTA_ABOUT,
    NEAR_FRUSTA_WAYS
} near_frusta_way;

typedef struct near_frusta {
    frustum_spec spec;
    frustum_truth truth;
    abut_obb box;
    near_frusta_way way;
} near_frusta;

/* A function of its arguments alone, to within the rounding of libm. */
void near_frusta_pair(uint64_t seed, uint64_t index, near_frusta *out);

/* The same for cores of rounded bodies: points, rods, plates and boxes, 1e-6 to 1e6 of their size (of points: of the
 * frustum's near or far side) away from a face, an edge or a corner of the frustum, in a direction within its normals.
 * `way` is of no meaning. */
void near_frusta_core(uint64_t seed, uint64_t index, near_frusta *out);

/* To stderr. */
void near_frusta_print(const near_frusta *pair);

#endif
