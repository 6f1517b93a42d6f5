/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray in the frame of a mesh. A triangle may be much smaller than its mesh, and its own size is the measure: so the
 * origin is kept as a sum of two doubles. */
#include "base/dd.h"
#include "narrowphase/mesh_ray/flight.h"

/* The rotation matrix times |q|^2, and that itself. */
static abut_dd scaled_matrix(abut_quat q, abut_dd m[3][3]) {
    const double v[4] = {q.x, q.y, q.z, q.w};
    double square[4];
    for (int i = 0; i < 4; i++) {
        square[i] = v[i] * v[i];
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        m[i][i] = abut_dd_sum4(square[3], -square[l], square[i], -square[k]);
        m[i][k] = abut_dd_two_sum(2 * (v[i] * v[k]), -2 * (v[3] * v[l]));
        m[k][i] = abut_dd_two_sum(2 * (v[i] * v[k]), 2 * (v[3] * v[l]));
    }
    return abut_dd_sum4(square[0], square[1], square[2], square[3]);
}

/* The origin is near x: adds what is missing. */
static void add_rest(abut_quat q, const abut_dd apart[3], abut_np_mesh_placed *out) {
    abut_dd m[3][3], norm2 = scaled_matrix(q, m);
    for (int j = 0; j < 3; j++) {
        abut_dd two = abut_dd_add(abut_dd_mul(m[0][j], apart[0]), abut_dd_mul(m[1][j], apart[1]));
        abut_dd all = abut_dd_add(two, abut_dd_mul(m[2][j], apart[2]));
        out->rest[j] = abut_dd_sub(all, abut_dd_scaled(norm2, out->origin[j])).hi / norm2.hi;
    }
}

void abut_np_mesh_place_ray(const abut_np_ray *ray, const abut_collider *mesh, abut_np_mesh_placed *out) {
    const float *center = &mesh->center.x;
    const bool upright = abut_np_mesh_is_upright(mesh);
    abut_dd apart[3];
    for (int i = 0; i < 3; i++) {
        apart[i] = abut_dd_two_sum(ray->origin[i], -(double)center[i]);
        out->origin[i] = apart[i].hi;
        out->rest[i] = apart[i].lo;
        out->along[i] = ray->translation[i];
    }
    if (!upright) {
        double m[3][3];
        abut_dquat_matrix(abut_dquat_from(mesh->rotation), m);
        const abut_d3 from = abut_d3_unrotate(m, abut_d3_load(out->origin));
        const abut_d3 along = abut_d3_unrotate(m, abut_d3_load(ray->translation));
        for (int i = 0; i < 3; i++) {
            out->origin[i] = from.x[i];
            out->along[i] = along.x[i];
        }
        add_rest(mesh->rotation, apart, out);
    }
    out->has_rest = out->rest[0] != 0 || out->rest[1] != 0 || out->rest[2] != 0;
    out->norm1 = abut_d3_norm1(abut_d3_load(out->along));
    out->along_error = (upright ? 0x1.8p-50 : 0x1.2p-48) * out->norm1;
}

/* --- for boxes: as the world's tree does it --- */

static const float RAY_SLACK = 0x1p-37f; /* exact tests grow triangles by 1e-12 of S, at most three times that far */
static const float STANDS_STILL = 0x1p-90f;
static const double LEAST = 0x1p-120, ROUNDING = 0x1p-23;

/* How far the farthest corner of the mesh is, along the axes. */
static double farthest(const abut_mesh *mesh, const double origin[3]) {
    const float *min = &mesh->bounds.min.x, *max = &mesh->bounds.max.x;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += abut_max_d(origin[axis] - min[axis], max[axis] - origin[axis]);
    }
    return sum;
}

/* Sets the scale to the power of two below the largest component; returns its inverse. */
static double find_scale(abut_np_mesh_flight *f) {
    const double *along = f->ray.along;
    double largest = abut_max_d(abut_max_d(fabs(along[0]), fabs(along[1])), fabs(along[2])), inverse;
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    bits &= UINT64_C(0x7ff) << 52;
    memcpy(&f->scale, &bits, sizeof bits);
    bits = (UINT64_C(2046) << 52) - bits;
    memcpy(&inverse, &bits, sizeof bits);
    return inverse;
}

static void prepare_boxes(abut_np_mesh_flight *f) {
    double least = LEAST + RAY_SLACK * farthest(f->mesh, f->ray.origin), to_scale = find_scale(f);
    for (int axis = 0; axis < 3; axis++) {
        float d = (float)(f->ray.along[axis] * to_scale);
        bool stands = fabsf(d) < STANDS_STILL;
        d = stands ? 0 : d;
        double origin = f->ray.origin[axis], apart = least + ROUNDING * fabs(origin);
        uint32_t back = abut_bits_of_float(d) >> 31; /* random, so no branch */
        const float side[2] = {(float)(origin + apart), (float)(origin - apart)};
        float inverse = stands ? INFINITY : 1 / d;
        f->near_side[axis] = 24 * back;
        f->near_origin[axis] = side[back];
        f->far_origin[axis] = side[1 - back];
        f->near_inverse[axis] = inverse * (1 - 0x1p-21f);
        f->far_inverse[axis] = inverse * (1 + 0x1p-21f);
    }
}

bool abut_np_mesh_flight_begin(const abut_np_ray *ray, const abut_collider *mesh, double limit,
                               abut_np_mesh_flight *flight) {
    if (abut_d3_norm1(abut_d3_load(ray->translation)) == 0 || !(limit >= 0)) {
        return false; /* a point leads nowhere, so not against a normal */
    }
    flight->of = ray;
    flight->collider = mesh;
    flight->mesh = mesh->mesh;
    flight->pauses = false;
    flight->first = flight->first_place = ABUT_MESH_NONE;
    abut_np_mesh_place_ray(ray, mesh, &flight->ray);
    prepare_boxes(flight);
    abut_np_mesh_flight_limit(flight, abut_min_d(limit, 1));
    flight->count = 1;
    flight->node[0] = (uint64_t)mesh->mesh->levels << ABUT_NP_FLIGHT_INDEX_BITS;
    return true;
}
