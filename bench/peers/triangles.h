/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bodies of a world as triangles, for libraries that have nothing else. */
#ifndef ABUT_BENCH_TRIANGLES_H
#define ABUT_BENCH_TRIANGLES_H

#include "query_peer.h"
#include <vector>

/* A pose as a matrix. */
struct BodyFrame {
    float axis[3][3]; /* [axis of the body][coordinate] */
    abut_vec3 origin;
    explicit BodyFrame(const abut_pose &pose);
    abut_vec3 placed(const abut_vec3 &p) const {
        return {origin.x + axis[0][0] * p.x + axis[1][0] * p.y + axis[2][0] * p.z,
                origin.y + axis[0][1] * p.x + axis[1][1] * p.y + axis[2][1] * p.z,
                origin.z + axis[0][2] * p.x + axis[1][2] * p.y + axis[2][2] * p.z};
    }
};

struct WorldTriangles {
    std::vector<abut_vec3> vertices; /* placed; those of a body follow each other */
    std::vector<uint32_t> corners;   /* [3 * triangle + corner]: vertices, counter-clockwise from outside */
    std::vector<uint32_t> bodies;    /* per triangle */

    explicit WorldTriangles(const query_world *world);
    void place(const query_world *world); /* the vertices at the poses as of now */
};

#endif
